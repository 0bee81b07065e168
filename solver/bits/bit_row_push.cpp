// SPDX-License-Identifier: Apache-2.0
// A tier of one threshold: what has changed, followed back one position at a time; and single positions looked up.
#include <algorithm>
#include <atomic>
#include <bit>

#include "solver/bits/bit_row_solver.h"
#include "solver/support/parallel.h"
#include "variants/board/bits.h"

namespace plenum {
namespace {

constexpr std::size_t kPiece = 256;             // changes that a thread takes at a time
constexpr std::size_t kPushedAtATime = 65'536;  // between questions whether to go on

bool bit_at(const BitWord* words, std::size_t at) {
  auto& word = const_cast<BitWord&>(words[at / 64]);
  return (std::atomic_ref<BitWord>(word).load(std::memory_order_relaxed) >> (at % 64) & 1) != 0;
}
// Whether it was the other way before.
bool set_bit(BitWord* words, std::size_t at) {
  const BitWord bit = BitWord{1} << (at % 64);
  return (std::atomic_ref<BitWord>(words[at / 64]).fetch_or(bit, std::memory_order_relaxed) & bit) == 0;
}
bool clear_bit(BitWord* words, std::size_t at) {
  const BitWord bit = BitWord{1} << (at % 64);
  return (std::atomic_ref<BitWord>(words[at / 64]).fetch_and(~bit, std::memory_order_relaxed) & bit) != 0;
}

}  // namespace

// A position of this tier, whoever is to move, and the place of its image.
struct BitRowSolver::Spot {
  CellSet set = 0;
  CellSet frames = 0;  // stones of the frame's player
  std::size_t block = 0;
  std::size_t board = 0;
};

BitRowSolver::Spot BitRowSolver::spot(CellSet set, CellSet frames) const {
  const BlockIndex block = index_.block_of(set);
  const CellSet image = index_.symmetries().apply(index_.to_block(set), frames);
  return {set, frames, tier_.number(block), extract(image, index_.blocks()[block].set)};
}

// Whether a move by this player leads where `wanted` says, in this state: to a kept position for the frame's, to one that is not won for
// the other. Without moves that add a stone.
bool BitRowSolver::some_move(const Spot& from, std::uint32_t state, bool frame_moves, BitRowWorker& w) const {
  const CellSet movers = frame_moves ? from.frames : from.set & ~from.frames;
  bool found = false;
  game_.rules().ways(from.set, [&](const RowWays& ways) {
    if (ways.from && !w.masks.table(*ways.from, from.set).at(movers)) return true;
    for (CellSet rest = ways.from ? ways.to : ways.to & from.set; rest != 0 && !found; rest &= rest - 1) {
      const auto cell = static_cast<Cell>(std::countr_zero(rest));
      if (!w.masks.table(ways.to_cell(cell), from.set).at(movers)) continue;
      CellSet set = from.set;
      CellSet frames = from.frames;
      bool is_frames = (ways.put == 0) == frame_moves;
      if (ways.from) {
        const CellSet origin = cell_bit(ways.from->cell);
        is_frames = (frames & origin) != 0;
        set = (set & ~origin) | cell_bit(cell);
        frames &= ~origin;
      }
      frames = is_frames ? frames | cell_bit(cell) : frames & ~cell_bit(cell);
      const Spot to = spot(set, frames);
      const BitWord* const planes = tier_.planes(game_.next_state(ways.rule, state), to.block);
      found = bit_at(frame_moves ? planes + tier_.words() : planes, to.board);
    }
    return !found;
  });
  return found;
}

// A, or B.
bool BitRowSolver::some(const Spot& at, std::uint32_t state, bool frame_moves, BitRowWorker& w) const {
  const BitWord* const above = tier_.above(state, at.block);
  return bit_at(frame_moves ? above + tier_.words() : above, at.board) || some_move(at, state, frame_moves, w);
}

bool BitRowSolver::over(const Spot& at, std::uint32_t state, bool frame_moves) const {
  const BitWord* const over = tier_.over(state, at.block);
  return over != nullptr && bit_at(frame_moves ? over + tier_.words() : over, at.board);
}
bool BitRowSolver::may_pass(const Spot& at, bool frame_moves, BitRowWorker& w) const {
  const CellSet movers = frame_moves ? at.frames : at.set & ~at.frames;
  return rules_.passes && w.masks.table(*game_.rules().pass(), at.set).at(movers);
}
bool BitRowSolver::enough(const Spot& at, std::uint32_t state, bool frame_to_move) const {
  return bit_at(tier_.enough(rules_.enough_plane(state, frame_to_move), at.block), at.board);
}

// After one pass, in this state: the other is to move and is known to have no move that spoils it; the frame's player is to move.
bool BitRowSolver::kept_after_pass(const Spot& at, std::uint32_t state, BitRowWorker& w) const {
  return !may_pass(at, false, w) || enough(at, game_.after_pass(state), true);
}
bool BitRowSolver::won_after_pass(const Spot& at, std::uint32_t state, BitRowWorker& w) const {
  if (over(at, state, true)) return bit_at(tier_.above(state, at.block) + tier_.words(), at.board);
  return (may_pass(at, true, w) && enough(at, game_.after_pass(state), false)) || some(at, state, true, w);
}

bool forced_in(const RowGame& game, const BitRowTier& tier, const Position& position, Player who) {
  const DenseIndex& index = game.index();
  const bool frame_moves = position.mover == who;
  const CellSet set = position.planes[0] | position.planes[1];
  const BlockIndex block = index.block_of(set);
  const CellSet image = index.symmetries().apply(index.to_block(set), position.planes[frame_moves ? 0 : 1]);
  const BitWord* const planes = tier.planes(index.layer(in_layer(position)) % game.states(), tier.number(block));
  const std::size_t board = extract(image, index.blocks()[block].set);
  return frame_moves ? !bit_at(planes, board) : bit_at(planes + tier.words(), board);
}

bool BitRowSolver::forced(const Position& position, Player who) const {
  if (position.passes == 0) return forced_in(game_, tier_, position, who);
  const bool frame_moves = position.mover == who;
  const Spot at = spot(position.planes[0] | position.planes[1], position.planes[frame_moves ? 0 : 1]);
  const std::uint32_t state = index_.layer(in_layer(position)) % game_.states();
  const auto worker = workers_.borrow();
  if (frame_moves) return won_after_pass(at, state, *worker);
  if (over(at, state, false)) return !bit_at(tier_.above(state, at.block), at.board);
  return !some(at, state, false, *worker) && kept_after_pass(at, state, *worker);
}

// A position and its images, which are worth the same.
template <typename F>
void BitRowSolver::for_images(const Spot& at, const F& f) const {
  const Block& block = index_.blocks()[tier_.first_block() + at.block];
  if (block.stabilizer == 1) {
    f(at.board);
    return;
  }
  const CellSet frames = deposit(at.board, block.set);
  for (const GroupElement g : index_.folding().plain) {
    if (index_.symmetries().apply(g, block.set) == block.set)
      f(extract(index_.symmetries().apply(g, frames), block.set));
  }
}

void BitRowSolver::set(const Spot& at, std::uint32_t state, bool kept, std::vector<BitChange>& out) {
  for_images(at, [&](std::size_t board) {
    BitWord* const planes = tier_.planes(state, at.block);
    const bool is_new = kept ? set_bit(planes + tier_.words(), board) : clear_bit(planes, board);
    if (is_new)
      out.push_back({static_cast<std::uint32_t>(at.block), static_cast<std::uint32_t>(board),
                     static_cast<std::uint16_t>(state), kept});
  });
}

bool BitRowSolver::is_set(const Spot& at, std::uint32_t state, bool kept) const {
  const BitWord* const planes = tier_.planes(state, at.block);
  return kept ? bit_at(planes + tier_.words(), at.board) : !bit_at(planes, at.board);
}

// Whether a move of this player may still tell something new, here or before a pass.
bool BitRowSolver::open(const Spot& at, std::uint32_t state, bool frame_moved) const {
  bool open = !is_set(at, state, !frame_moved);
  for (std::uint32_t before = 0; rules_.passes && before < game_.states() && !open; ++before)
    open = game_.after_pass(before) == state && !is_set(at, before, frame_moved);
  return open;
}

// The frame's player has a move to a kept position.
void BitRowSolver::has_move(const Spot& at, std::uint32_t state, BitRowWorker& w, std::vector<BitChange>& out) {
  if (!over(at, state, true)) set(at, state, /*kept=*/false, out);
  for (std::uint32_t before = 0; rules_.passes && before < game_.states(); ++before) {
    if (game_.after_pass(before) != state || is_set(at, before, true) || over(at, before, false)) continue;
    if (!may_pass(at, false, w) || over(at, state, true)) continue;
    if (!some(at, before, false, w)) set(at, before, /*kept=*/true, out);
  }
}

// The other player has a move less that spoils it, and perhaps none any more.
void BitRowSolver::lost_move(const Spot& at, std::uint32_t state, BitRowWorker& w, std::vector<BitChange>& out) {
  if (over(at, state, false)) return;
  if (!open(at, state, false) || some(at, state, false, w)) return;
  if (!is_set(at, state, true) && (!may_pass(at, false, w) || won_after_pass(at, game_.after_pass(state), w)))
    set(at, state, /*kept=*/true, out);
  for (std::uint32_t before = 0; rules_.passes && before < game_.states(); ++before) {
    if (game_.after_pass(before) != state || is_set(at, before, false) || over(at, before, true)) continue;
    if (may_pass(at, true, w) && kept_after_pass(at, state, w)) set(at, before, /*kept=*/false, out);
  }
}

void BitRowSolver::step(const Spot& at, std::uint32_t state, bool frame_moved, BitRowWorker& w,
                        std::vector<BitChange>& out) {
  if (frame_moved) {
    has_move(at, state, w, out);
  } else {
    lost_move(at, state, w, out);
  }
}

// Calls f(spot, state) for all positions from which a move leads to one of which something is new.
template <typename F>
void BitRowSolver::for_steps(const BitChange& change, BitRowWorker& w, const F& f) const {
  const CellSet set = index_.blocks()[tier_.first_block() + change.block].set;
  const CellSet frames = deposit(change.board, set);
  const bool frame_moved = change.kept;
  const auto enter = [&](const RowWays& ways, Cell to, CellSet before, CellSet frames_before) {
    const CellSet movers = frame_moved ? frames_before : before & ~frames_before;
    if (ways.from && !w.masks.table(*ways.from, before).at(movers)) return;
    if (!w.masks.table(ways.to_cell(to), before).at(movers)) return;
    const Spot at = spot(before, frames_before);
    for (std::uint32_t s = 0; s < game_.states(); ++s) {
      if (game_.next_state(ways.rule, s) == change.state) f(at, s);
    }
  };
  game_.rules().ways_back(set, [&](const RowWays& ways) {
    for (CellSet rest = ways.to; rest != 0; rest &= rest - 1) {
      const auto cell = static_cast<Cell>(std::countr_zero(rest));
      const CellSet to = cell_bit(cell);
      const bool is_frames = (frames & to) != 0;
      if (ways.from) {
        const CellSet from = cell_bit(ways.from->cell);
        enter(ways, cell, (set & ~to) | from, (frames & ~to) | (is_frames ? from : 0));
      } else if (is_frames == ((ways.put == 0) == frame_moved)) {
        enter(ways, cell, set, frames | to);
        enter(ways, cell, set, frames & ~to);
      }
    }
    return true;
  });
}

absl::Status BitRowSolver::push(std::vector<BitChange> changes, const GoOn& go_on) {
  while (!changes.empty()) {
    pushed_ += changes.size();
    std::vector<BitChange> next;
    for (std::size_t begin = 0; begin < changes.size(); begin += kPushedAtATime) {
      if (!go_on()) return absl::CancelledError("interrupted");
      const std::size_t end = std::min(changes.size(), begin + kPushedAtATime);
      std::vector<std::vector<BitChange>> found((end - begin + kPiece - 1) / kPiece);
      for_each_index(found.size(), [&](std::size_t i) {
        const auto worker = workers_.borrow();
        const std::size_t from = begin + i * kPiece;
        for (std::size_t k = from; k < std::min(end, from + kPiece); ++k) {
          for_steps(changes[k], *worker,
                    [&](const Spot& at, std::uint32_t state) { step(at, state, changes[k].kept, *worker, found[i]); });
        }
      });
      for (const auto& part : found) next.insert(next.end(), part.begin(), part.end());
    }
    changes = std::move(next);
  }
  return absl::OkStatus();
}

namespace {

constexpr std::size_t kPushedAtOnce = 8'192;  // by a rank, before they are exchanged
struct PushHead {
  std::uint64_t pushed = 0;
  std::uint64_t copied = 0;  // changes that follow; then steps
  std::uint64_t stopped = 0;
};

}  // namespace

// For every rank: what is new of blocks that it reads, and where a move from its own blocks leads to something new. A step is written as a
// change: of the position that the move leads from, `kept` where the frame's player moved.
std::vector<Parcel> BitRowSolver::steps_of(std::span<const BitChange> changes) {
  const RowDeal& deal = tier_.deal();
  const std::size_t ranks = told_.size();
  std::vector<std::vector<std::vector<BitChange>>> found((changes.size() + kPiece - 1) / kPiece);
  for_each_index(found.size(), [&](std::size_t i) {
    const auto worker = workers_.borrow();
    found[i].resize(ranks);
    for (const BitChange& change : changes.subspan(i * kPiece, std::min(kPiece, changes.size() - i * kPiece))) {
      for_steps(change, *worker, [&](const Spot& at, std::uint32_t state) {
        const bool known = deal.is_own(at.block) || copied_[at.block] != 0;
        if (known && !open(at, state, change.kept)) return;
        found[i][deal.owner(at.block)].push_back({static_cast<std::uint32_t>(at.block),
                                                  static_cast<std::uint32_t>(at.board),
                                                  static_cast<std::uint16_t>(state), change.kept});
      });
    }
  });
  std::vector<std::vector<BitChange>> copied(ranks);
  for (const BitChange& change : changes) {
    for (const std::uint32_t r : copies_->mirror().readers(deal.local(change.block))) copied[r].push_back(change);
  }
  std::vector<Parcel> to(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    put(to[r], PushHead{changes.size(), copied[r].size(), stopped_ ? 1U : 0U});
    put(to[r], std::span<const BitChange>(copied[r]));
    for (const auto& part : found) put(to[r], std::span<const BitChange>(part[r]));
  }
  return to;
}

void BitRowSolver::take_steps(const std::vector<BitChange>& steps, std::vector<BitChange>& out) {
  std::vector<std::vector<BitChange>> found((steps.size() + kPiece - 1) / kPiece);
  for_each_index(found.size(), [&](std::size_t i) {
    const auto worker = workers_.borrow();
    for (std::size_t k = i * kPiece; k < std::min(steps.size(), (i + 1) * kPiece); ++k) {
      const BitChange& one = steps[k];
      const CellSet set = index_.blocks()[tier_.first_block() + one.block].set;
      step({set, deposit(one.board, set), one.block, one.board}, one.state, one.kept, *worker, found[i]);
    }
  });
  for (const auto& part : found) out.insert(out.end(), part.begin(), part.end());
}

// Collective. A change is known to all that read its block before, in the same exchange, a step from it is taken: so whoever takes the last
// step of a position knows all changes of what it leads to.
absl::Status BitRowSolver::push_by_ranks(std::vector<BitChange> changes, const GoOn& go_on) {
  std::vector<BitChange> steps;
  for (std::uint64_t pushed = 1; pushed != 0;) {
    const std::size_t count = ask(go_on) ? std::min(changes.size(), kPushedAtOnce) : 0;
    std::vector<Parcel> to = steps_of(std::span(changes).last(count));
    changes.resize(changes.size() - count);
    pushed_ += count;
    pushed = 0;
    steps.clear();
    for (const Parcel& parcel : tier_.ranks().exchange(std::move(to))) {
      ParcelReader reader(parcel);
      const auto head = reader.get<PushHead>();
      pushed += head.pushed;
      stopped_ = stopped_ || head.stopped != 0;
      for (std::uint64_t n = 0; n < head.copied; ++n) {
        const auto change = reader.get<BitChange>();
        BitWord* const planes = tier_.planes(change.state, change.block);
        if (change.kept) {
          set_bit(planes + tier_.words(), change.board);
        } else {
          clear_bit(planes, change.board);
        }
      }
      const auto some = reader.get_all<BitChange>(reader.left() / sizeof(BitChange));
      steps.insert(steps.end(), some.begin(), some.end());
    }
    if (stopped_) return absl::CancelledError("interrupted");
    take_steps(steps, changes);
  }
  return absl::OkStatus();
}

}  // namespace plenum
