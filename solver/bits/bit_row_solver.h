// SPDX-License-Identifier: Apache-2.0
// One threshold of a game by rows of bits: of every position, whether a player can force an end with a margin of at least so much.
//
// In the frame of a player F, whoever is to move (row_masks.h): won(y), F is to move and forces it; kept(y), the other is to move and F
// forces it. With A: F has a move to a kept position; B: the other has a move to one that is not won; G: the margin as it stands is
// enough:
//     won = A, or F may pass and (not B and (G or the other may not pass too))
//     kept = not B, and (A or (F may pass and G), or the other may not pass)
// The position after one pass is not stored. Where a position has ended, G alone counts. This is the least fixpoint: what is found has
// an end, as only that starts it.
//
// Two planes a state and block: not won, then kept. Bits that are no position are clear. Tiers by stones, from the most: a tier reads
// the one above once (what places lead to), then itself until nothing changes. First whole blocks; where few bits change they are
// followed back one by one (bit_row_push.cpp).
//
// Of several ranks each has the planes of its own blocks, and copies of those that they read (bit_row_ranks.cpp). The result does not depend
// on how many ranks there are: there is one least fixpoint, however it is come to.
//
// Private to solver/bits/bit_row*.cpp.
// Thread-safety: uses all cores; the result does not depend on how many. Of several ranks, solve() is collective, from the main thread.
// Source: Gasser's sweeps and retrograde analysis, bit-sliced; thresholds as in solving by binary decisions.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/status.h"

#include "solver/bits/row_masks.h"
#include "solver/rows/row_game.h"
#include "solver/rows/row_mirror.h"
#include "solver/support/object_pool.h"
#include "tables/big_bytes.h"
#include "tables/rows/bit_gather.h"

namespace plenum {

using BitWord = std::uint64_t;

// Of the boards with so many stones. Of several ranks: planes() of its own blocks and those that it has copies of; the rest of own ones
// alone. Memory is taken where it is written to.
class BitRowTier {
 public:
  BitRowTier() = default;
  BitRowTier(const RowGame& game, int stones, Ranks& ranks = Ranks::alone());

  int stones() const { return stones_; }
  BlockIndex first_block() const { return first_; }
  std::size_t blocks() const { return blocks_; }
  std::size_t words() const { return words_; }  // of a plane of a block
  std::uint64_t plane_bytes() const { return blocks_ * words_ * sizeof(BitWord); }
  std::size_t block_bytes() const { return 2 * words_ * sizeof(BitWord); }  // of its two planes in a state
  int axes() const { return axes_; }                                        // of a row, the least that fill a vector
  std::size_t number(BlockIndex block) const { return block - first_; }
  Ranks& ranks() const { return *ranks_; }
  const RowDeal& deal() const { return deal_; }

  // The two planes of a block one after the other.
  BitWord* planes(std::uint32_t state, std::size_t block) { return row(planes_[state], block, 2); }
  const BitWord* planes(std::uint32_t state, std::size_t block) const { return row(planes_[state], block, 2); }
  // What the tier above adds to B, then to A; where a position has ended and not G, or G, alike.
  BitWord* above(std::uint32_t state, std::size_t block) { return row(above_[state], deal_.local(block), 2); }
  const BitWord* above(std::uint32_t state, std::size_t block) const {
    return row(above_[state], deal_.local(block), 2);
  }
  // By number of a plane of margins; that are enough after two passes.
  BitWord* enough(std::size_t plane, std::size_t block) { return row(enough_[plane], deal_.local(block), 1); }
  const BitWord* enough(std::size_t plane, std::size_t block) const {
    return row(enough_[plane], deal_.local(block), 1);
  }
  // Where it has ended with the other to move, then with the frame's player; null: nowhere.
  BitWord* over(std::uint32_t state, std::size_t block) {
    return over_.empty() ? nullptr : row(over_[state], deal_.local(block), 2);
  }
  const BitWord* over(std::uint32_t state, std::size_t block) const {
    return over_.empty() ? nullptr : row(over_[state], deal_.local(block), 2);
  }

  void make_planes(std::uint32_t states);
  void make_rest(std::uint32_t states, std::size_t enough, bool over);
  void drop_rest();
  std::vector<BigBytes>& all_planes() { return planes_; }
  const std::vector<BigBytes>& all_planes() const { return planes_; }

 private:
  BitWord* row(BigBytes& bytes, std::size_t block, std::size_t planes) const {
    return reinterpret_cast<BitWord*>(bytes.data()) + block * planes * words_;
  }
  const BitWord* row(const BigBytes& bytes, std::size_t block, std::size_t planes) const {
    return reinterpret_cast<const BitWord*>(bytes.data()) + block * planes * words_;
  }
  Ranks* ranks_ = &Ranks::alone();
  RowDeal deal_;
  int stones_ = -1;
  BlockIndex first_ = 0;
  std::size_t blocks_ = 0;
  std::size_t words_ = 0;
  int axes_ = 0;
  std::vector<BigBytes> planes_;
  std::vector<BigBytes> above_;
  std::vector<BigBytes> enough_;
  std::vector<BigBytes> over_;
};

// A word of the row, of so many stones, with its colours exchanged.
BitWord exchanged_word(const BitWord* plane, std::size_t words, int stones, std::size_t word);

// What is the same for all thresholds.
struct BitRowRules {
  explicit BitRowRules(const RowGame& rows);
  const RowGame& game;
  bool passes = false;
  bool over = false;  // games may end before two passes, or there may be no move
  // The plane of margins by the state at the end and whether the frame's player is to move then.
  std::vector<std::size_t> enough;
  std::size_t enough_planes = 0;
  std::vector<std::array<std::uint8_t, kMostRowCells>> image;  // by symmetry and cell
  bool counted = false;                                        // margins are sums of few bits
  std::size_t enough_plane(std::uint32_t state, bool frame_to_move) const {
    return enough[2 * state + (frame_to_move ? 1 : 0)];
  }
};

// A bit that has been set: won, or kept.
struct BitChange {
  std::uint32_t block = 0;
  std::uint32_t board = 0;  // of the block
  std::uint16_t state = 0;
  bool kept = false;
};

// Of a position of that tier with no pass made, whether this player can force what was asked.
bool forced_in(const RowGame& game, const BitRowTier& tier, const Position& position, Player who);
// As a position that first is to move in, no pass made.
inline Position in_layer(Position position) {
  position.mover = Player::first;
  position.passes = 0;
  return position;
}

// A move of either player, or of both: the frame's where the selector is `own`.
struct BitRowMove {
  std::uint8_t rule = 0;
  Cell from = kNoCell;
  Cell to = kNoCell;
  CellSet after = 0;
  bool own = false;
  bool flip = false;  // the stone replaced becomes the other player's
  const RowMasks::Mask* mask = nullptr;
};

// What a thread works with.
struct BitRowWorker {
  explicit BitRowWorker(const BitRowRules& rules);
  RowMasks masks;
  BitGather gather;
  RowGame::Worker scorer;
  std::vector<std::vector<BitWord>> sums;   // by state: B, A
  std::vector<std::vector<BitWord>> total;  // with what the row reads of itself
  std::vector<std::vector<BitWord>> mixed;  // both, by a selector that is inside a vector
  bool any_mixed = false;
  int mixed_axis = 0;
  bool mixed_own = false;
  std::vector<BitWord> single;                               // a vector
  std::array<std::uint8_t, kMostRowCells> cells = {};        // of the row at hand, by axis
  std::array<std::uint8_t, RowMasks::kAdded + 1> axes = {};  // and back
  std::vector<const BitWord*> rows;                          // by state: planes that a move leads to
  std::vector<BitRowMove> within;                            // moves within the row
  std::vector<BitWord> movable;
  std::vector<std::uint8_t> ended;
  std::vector<std::int64_t> margins;
};

// Copies of other ranks' blocks of a tier, there as long as this lives. Collective to make.
class BitRowCopies {
 public:
  // `read`: by block of the tier, which are wanted.
  BitRowCopies(BitRowTier& tier, const std::vector<std::uint8_t>& read);
  BitRowCopies(const BitRowCopies&) = delete;
  BitRowCopies& operator=(const BitRowCopies&) = delete;
  ~BitRowCopies();
  const RowMirror& mirror() const { return mirror_; }

 private:
  BitRowTier& tier_;
  RowMirror mirror_;
};

// One tier of one threshold. Requires the tier above, but for the full board.
class BitRowSolver {
 public:
  // Asked of the root alone.
  using GoOn = std::function<bool()>;
  BitRowSolver(const BitRowRules& rules, std::int64_t threshold, BitRowTier* above, BitRowTier& tier,
               ObjectPool<BitRowWorker>& workers);
  // From how small a part of a sweep's cost on changes are followed back one by one: 0 never, 1e9 from the first on.
  void follow_back_below(double part) { much_less_ = part; }
  // What copies of others' blocks of a tier may take; but always as much as a rank has of that tier itself.
  void let_copies_take(std::uint64_t bytes) { copies_take_ = bytes; }
  // kCancelled; what the rules say of a position without a move.
  absl::Status solve(const GoOn& go_on);

  // Of a position of this tier with no pass made or one, whether this player can force it. Of several ranks, after a pass: where there are
  // copies of what its block reads.
  bool forced(const Position& position, Player who) const;
  // Blocks of this tier and of the one above that this own one reads are marked.
  void mark_read(std::size_t number, std::vector<std::uint8_t>& here, std::vector<std::uint8_t>* above) const;
  // Whether there are copies of all that own blocks read of this tier.
  bool has_copies() const { return copies_.has_value(); }
  const BitRowTier& tier() const { return tier_; }
  std::uint64_t evaluated() const { return evaluated_; }  // blocks
  std::uint64_t pushed() const { return pushed_; }        // bits that were followed back

 private:
  struct Spot;
  class PassBits;

  // bit_row_ends.cpp
  absl::Status find_ends(std::size_t number, BitRowWorker& w);
  void find_enough(const Block& block, std::size_t number, BitRowWorker& w);
  void count_margins(const Block& block, bool frame_to_move, BitRowWorker& w, BitWord* out) const;
  void score_each(const Block& block, std::uint32_t layer, bool frame_to_move, BitRowWorker& w, BitWord* out) const;
  absl::Status find_over(const Block& block, std::size_t number, BitRowWorker& w);
  void find_movable(const Block& block, BitRowWorker& w) const;
  // bit_row_sweep.cpp
  void begin_row(const Block& block, BitRowWorker& w) const;
  void make_room(BitRowWorker& w) const;
  static std::size_t plane_words(const Block& block);
  static BitWord valid_bits(int stones, std::size_t word);
  template <typename F>
  void for_moves(const RowWays& ways, CellSet set, CellSet to, BitRowWorker& w, const F& f) const;
  void add(const BitRowMove& move, const Block& block, std::vector<std::vector<BitWord>>& to, BitRowWorker& w) const;
  static void split_added(int stones, bool own, BitWord* to, BitRowWorker& w);
  void split_mixed(std::vector<std::vector<BitWord>>& to, BitRowWorker& w) const;
  void read_above(std::size_t number, BitRowWorker& w);
  void add_above(const Block& block, const BitWord* all, BitRowWorker& w) const;
  void add_ways(const Block& block, const BitWord* all, BitRowWorker& w) const;
  void add_within(const Block& block, const BitWord* fresh, BitRowWorker& w) const;
  std::uint64_t close(const Block& block, std::size_t number, BitRowWorker& w, BitWord* fresh) const;
  std::uint64_t evaluate(std::size_t number, BitWord* fresh, BitRowWorker& w, std::vector<BitChange>* changes) const;
  double ways() const;    // of a row, about
  double row_ns() const;  // that it takes to evaluate, about
  absl::Status sweep(bool record, bool backwards, const GoOn& go_on, std::uint64_t& changed);
  void sweep_part(Share own, bool record, bool backwards, const GoOn& go_on);
  absl::Status begin(const GoOn& go_on);
  absl::Status begin_part(Share own, const GoOn& go_on);
  // bit_row_ranks.cpp
  bool ask(const GoOn& go_on);
  std::size_t sweep_parts() const;
  std::vector<std::uint8_t> read_by(Share own, bool above) const;
  std::size_t rounds_for(const BitRowTier& of, bool above) const;
  void tell(std::size_t number, const BitWord* fresh);
  absl::Status share(std::uint64_t& changed);
  void enter(ParcelReader& from);
  // bit_row_push.cpp
  Spot spot(CellSet set, CellSet frames) const;
  bool some_move(const Spot& from, std::uint32_t state, bool frame_moves, BitRowWorker& w) const;
  bool some(const Spot& at, std::uint32_t state, bool frame_moves, BitRowWorker& w) const;
  bool over(const Spot& at, std::uint32_t state, bool frame_moves) const;
  bool may_pass(const Spot& at, bool frame_moves, BitRowWorker& w) const;
  bool enough(const Spot& at, std::uint32_t state, bool frame_to_move) const;
  bool kept_after_pass(const Spot& at, std::uint32_t state, BitRowWorker& w) const;
  bool won_after_pass(const Spot& at, std::uint32_t state, BitRowWorker& w) const;
  bool is_set(const Spot& at, std::uint32_t state, bool kept) const;
  template <typename F>
  void for_images(const Spot& at, const F& f) const;
  void set(const Spot& at, std::uint32_t state, bool kept, std::vector<BitChange>& out);
  void has_move(const Spot& at, std::uint32_t state, BitRowWorker& w, std::vector<BitChange>& out);
  void lost_move(const Spot& at, std::uint32_t state, BitRowWorker& w, std::vector<BitChange>& out);
  bool open(const Spot& at, std::uint32_t state, bool frame_moved) const;
  void step(const Spot& at, std::uint32_t state, bool frame_moved, BitRowWorker& w, std::vector<BitChange>& out);
  template <typename F>
  void for_steps(const BitChange& change, BitRowWorker& w, const F& f) const;
  absl::Status push(std::vector<BitChange> changes, const GoOn& go_on);
  absl::Status push_by_ranks(std::vector<BitChange> changes, const GoOn& go_on);
  std::vector<Parcel> steps_of(std::span<const BitChange> changes);
  void take_steps(const std::vector<BitChange>& steps, std::vector<BitChange>& out);

  const BitRowRules& rules_;
  const RowGame& game_;
  const DenseIndex& index_;
  std::int64_t threshold_;
  BitRowTier* above_;
  BitRowTier& tier_;
  ObjectPool<BitRowWorker>& workers_;
  std::vector<BitWord> fresh_;
  std::vector<BitChange> recorded_;
  double much_less_ = 0.6;
  // Of several ranks.
  std::uint64_t copies_take_ = ~std::uint64_t{0};
  std::size_t rounds_ = 1;              // of a sweep, each with copies of its own; one: there are copies all the time
  std::optional<BitRowCopies> copies_;  // then
  std::vector<std::uint8_t> copied_;    // by block: whether it is among them
  std::vector<Parcel> told_;            // by rank: what is new of blocks that it reads
  std::uint64_t found_ = 0;             // bits, since the last exchange
  bool stopped_ = false;
  std::uint64_t evaluated_ = 0;
  std::uint64_t pushed_ = 0;
};

}  // namespace plenum
