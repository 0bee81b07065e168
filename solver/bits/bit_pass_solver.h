// SPDX-License-Identifier: Apache-2.0
// The inside of solving a game by bits: the tiers in memory, and what a thread works with. Private to solver/bits/bit_pass.cpp (tier
// after tier, memory, checkpoints), solver/bits/bit_blocks.cpp (the boards of one set of cells) and solver/bits/bit_ranks.cpp (what ranks fetch).
//
// Two planes a state: not won by who is to move; lost, where some position of the tier may be level. Bits that are no position are clear.
// A row has a vector's bits at least. A move enters what is lost for the other player, permuted and masked, into what is won.
#pragma once

#include <array>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

#include "solver/bits/bit_check.h"
#include "solver/bits/bit_moves.h"
#include "solver/bits/bit_pass.h"
#include "solver/bits/bit_planes.h"
#include "solver/bits/bit_sets.h"
#include "solver/bits/bit_states.h"
#include "solver/dense/judged.h"
#include "solver/support/object_pool.h"
#include "tables/rows/bit_gather.h"

namespace plenum {

class BitPass {
 public:
  BitPass(const Variant& variant, PlacingRules rules, const Position& start, const BitOptions& options)
      : variant_(variant),
        rules_(std::move(rules)),
        start_(start),
        options_(options),
        ranks_(*options.ranks),
        sets_(variant, start),
        cells_(variant.board().size()),
        first_stones_(std::popcount(occupied_by(start))),
        ends_full_(ends_on_full_board(variant)),
        states_(find_bit_states(variant_, rules_, start)),
        pieces_(bit_piece_words(cells_, options.ranks->several())),
        workers_([this] { return std::make_unique<Worker>(rules_); }),
        scorers_([this] { return std::make_unique<EndScorer>(variant_); }),
        judged_([this] { return std::make_unique<Judged>(variant_.rules()); }) {}

  absl::StatusOr<std::shared_ptr<const BitGame>> run();

 private:
  using Word = std::uint64_t;
  using Words = std::vector<Word>;

  struct StatePlanes {
    BitPlane not_won;
    BitPlane lost;  // empty: who does not win loses
  };

  struct Tier {
    int stones = -1;
    BitSets::Tier sets;
    std::size_t words = kVectorWords;  // of a row
    std::vector<StatePlanes> states;

    bool level() const { return !states.empty() && !states[0].lost.empty(); }
    const BitPlane& lost(std::size_t state) const { return level() ? states[state].lost : states[state].not_won; }
    // f(plane) of each.
    template <typename F>
    void each(const F& f) {
      for (StatePlanes& planes : states) {
        f(planes.not_won);
        if (!planes.lost.empty()) f(planes.lost);
      }
    }
  };

  struct Counts {
    std::uint64_t win = 0;
    std::uint64_t lose = 0;
    std::uint64_t level = 0;
    std::uint64_t ended = 0;
    void add(const Counts& other) {
      win += other.win;
      lose += other.lose;
      level += other.level;
      ended += other.ended;
    }
  };

  // Where moves lead to something: of one state, and of all.
  struct Led {
    Words won;    // to a position that is lost,
    Words saved;  // and to one that is not won, where that is another thing
    Words moved;  // to any, where there may be none
  };
  struct Worker {
    explicit Worker(const PlacingRules& rules) : row(rules), moves(rules) {}
    PlacingRules::Row row;
    BitMoves moves;
    BitGather gather;
    BitMaskVectors mask;
    std::array<std::uint8_t, kMostRowCells> cells = {};       // by axis
    std::array<std::uint8_t, BitMask::kAdded + 1> axes = {};  // by cell
    std::vector<Led> led;                                     // by state, and then of all states
    Words special;                                            // ended, or without a move
  };

  struct EndScorer {
    explicit EndScorer(const Variant& variant)
        : scratch(variant.rules()), batch(2, static_cast<int>(variant.rule_set().slots.size())) {
      batch.grow(kLanes);
    }
    Rules::Scratch scratch;
    PositionBatch batch;
    std::vector<std::uint64_t> rows;  // numbers in their row
    std::vector<std::uint8_t> ended;
    std::vector<std::int64_t> margin;
  };

  const States& states_with(int stones) const { return states_[static_cast<std::size_t>(stones)]; }
  ValueFn value_fn() const {
    return [this](const Position& p) { return value(p); };
  }
  // Boards with so many stones, in all states.
  std::uint64_t stored(int stones) const { return (sets_.classes(stones) << stones) * states_with(stones).size(); }
  bool report(int stones) const { return !options_.progress || options_.progress({"solving", done_, all_, stones}); }
  bool over_possible(int stones) const { return !ends_full_ || stones == cells_; }

  void begin();
  bool may_be_level(int stones, const BitSets::Tier& sets, const Tier& next);
  std::size_t round_end(std::size_t from) const;
  std::size_t used_up(std::size_t number) const;
  std::uint64_t peak_pieces();
  std::uint64_t bytes_with(std::uint64_t pieces) const;
  absl::Status allow(std::uint64_t pieces) const;
  void make_planes(bool level);  // without memory
  absl::Status begin_tier(int stones);
  absl::Status solve_tier();
  absl::Status check_samples(std::size_t from, std::size_t to);
  absl::Status solve_round(std::size_t from, std::size_t to, std::vector<Counts>& counts);
  PieceShare share() const {
    return {static_cast<std::size_t>(ranks_.rank()), static_cast<std::size_t>(ranks_.size())};
  }
  bool is_own(std::size_t row) const { return tier_.states[0].not_won.is_own(row); }
  std::vector<std::size_t> needed_pieces(std::size_t from, std::size_t to) const;
  void fetch(Tier& tier, std::vector<std::size_t> wanted);
  void fetch_all(Tier& tier);
  void fetch_for(std::size_t from, std::size_t to);
  void solve_block(std::uint32_t number, Worker& w, std::vector<Counts>& counts);
  void add_moves(CellSet set, Worker& w) const;
  void add_read(const BitMoves::Read& read, std::uint32_t target, Worker& w) const;
  void note_moves(Led& led, const Worker& w) const;
  void fold(Words& row) const;
  void finish_block(std::uint32_t number, Worker& w, std::vector<Counts>& counts);
  std::uint64_t judge_ends(CellSet set, std::size_t state, Word* not_won, Word* lost, Worker& w);
  void judge(CellSet set, const Position& state, bool stuck, const Words& which, Word* not_won, Word* lost);
  void judge_words(CellSet set, const Position& state, bool stuck, std::size_t begin, std::size_t end,
                   const Words& which, Word* not_won, Word* lost);
  bool load(int stones);
  absl::Status save();
  int outcome(const Position& position) const;
  PositionValue value(const Position& position) const;

  Variant variant_;
  PlacingRules rules_;
  Position start_;
  const BitOptions& options_;
  Ranks& ranks_;
  BitSets sets_;
  int cells_;
  int first_stones_;
  bool ends_full_;
  std::vector<States> states_;                                   // by stones
  std::vector<BitTier> tiers_;                                   // from the start's stones up
  std::vector<std::array<std::uint8_t, kMostRowCells>> images_;  // by symmetry and cell
  BitPieces pieces_;
  Tier next_;                         // with a stone more
  Tier tier_;                         // at hand, or the last that is done
  std::uint64_t own_pieces_ = 0;      // of memory, at once, while the tier is solved
  std::vector<std::size_t> fetched_;  // pieces of the next tier that other ranks have, the longest here first
  std::vector<BitSample> samples_;
  std::uint64_t scratch_ = 0;  // bytes that threads hold
  std::uint64_t done_ = 0;     // boards, of each state
  std::uint64_t all_ = 0;
  ObjectPool<Worker> workers_;
  ObjectPool<EndScorer> scorers_;
  mutable ObjectPool<Judged> judged_;  // for value()
};

}  // namespace plenum
