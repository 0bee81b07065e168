// SPDX-License-Identifier: Apache-2.0
// A tier of one threshold: whole blocks evaluated until nothing changes, or little enough to be followed back.
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "solver/bits/bit_row_pass.h"
#include "solver/support/parallel.h"
#include "tables/rows/bit_kernels.h"
#include "variants/board/bits.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// What things cost, to tell when changes are better followed back: nanoseconds.
constexpr double kSweepNsPerWay = 60;
constexpr double kSweepNsPerVector = 12;  // of a way
constexpr double kNsPerWayBack = 80;      // of a way, for a bit that is followed back
constexpr double kNoted = 5;              // changes are noted from so many times that on
constexpr double kStagedNs = 1e6;         // how long blocks take that are evaluated before what is new is entered
constexpr std::size_t kFewestStaged = 4;  // blocks
constexpr std::size_t kMostStaged = 256;
constexpr int kMostRounds = 2;  // in which a row reads itself

}  // namespace

void BitRowSolver::begin_row(const Block& block, BitRowWorker& w) const {
  w.masks.begin(block.set);
  std::uint8_t axis = 0;
  for (CellSet rest = block.set; rest != 0; rest &= rest - 1) {
    const auto cell = static_cast<std::uint8_t>(std::countr_zero(rest));
    w.cells[axis] = cell;
    w.axes[cell] = axis++;
  }
  w.axes[RowMasks::kAdded] = axis;
}

// What a move leads to, entered into B and A of every state. Worker's rows: by state, the two planes of the block that it leads to.
void BitRowSolver::add(const BitRowMove& move, const Block& block, std::vector<std::vector<BitWord>>& to,
                       BitRowWorker& w) const {
  const bool carries = move.from != kNoCell;
  const bool adds = !carries && (block.set & cell_bit(move.to)) == 0;
  const Block& target = index_.blocks()[index_.block_of(move.after)];
  const std::uint8_t selector = w.axes[adds ? RowMasks::kAdded : carries ? move.from : move.to];
  // The stone that is carried or added, at its new place.
  const std::uint8_t cell = w.cells[selector];
  w.cells[selector] = move.to;
  BitGather::Axes axes;
  axes.count = std::max(block.stones + (adds ? 1 : 0), kVectorAxes);
  find_axes(w.cells.data(), block.stones + (adds ? 1 : 0), rules_.image[index_.to_block(move.after)].data(), target.set,
            axes.from.data());
  w.cells[selector] = cell;
  axes.selector = axes.from[selector];
  axes.flipped = move.flip;
  const BitMaskVectors& mask = w.masks.spell(*move.mask, w.axes);
  const auto apart = static_cast<std::int32_t>(tier_.words() / kVectorWords);  // of B and A
  BitGather::Target out;
  for (int i = kVectorAxes; i < axes.count; ++i)
    out.weight[static_cast<std::size_t>(i)] = std::int32_t{1} << (i - kVectorAxes);
  const bool inside = selector < kVectorAxes;
  if (!inside) {  // where the selector is as when the frame's player moves, it is about A
    const std::int32_t step = adds ? 0 : out.weight[selector];
    out.weight[selector] = move.own ? step + apart : step - apart;
  }
  out.mask_weight = mask.weight;
  out.masks = mask.words.data();
  out.nonzero = mask.nonzero.data();
  w.gather.set(axes);
  const bool set_is_frames = move.own != move.flip;
  if (inside && !adds && w.any_mixed && (w.mixed_axis != selector || w.mixed_own != move.own)) split_mixed(to, w);
  for (std::uint32_t s = 0; s < to.size(); ++s) {
    const BitWord* const not_won = w.rows[game_.next_state(move.rule, s)];
    const BitWord* const kept = not_won + plane_words(target);
    if (inside) {
      out.row = adds ? w.single.data() : w.mixed[s].data();
    } else {
      out.row = to[s].data() + (move.own ? 0 : tier_.words());
    }
    if (inside && adds) std::fill(w.single.begin(), w.single.end(), 0);
    w.gather.run(set_is_frames ? BitGather::Source{not_won, kept} : BitGather::Source{kept, not_won}, out);
    if (inside && adds) split_added(block.stones, move.own, to[s].data(), w);
  }
  if (inside && !adds) {
    w.mixed_axis = selector;
    w.mixed_own = move.own;
    w.any_mixed = true;
  }
}

std::size_t BitRowSolver::plane_words(const Block& block) {
  return std::max<std::size_t>(kVectorWords, (std::size_t{1} << block.stones) / 64);
}

// A row of less than a vector and the stone that is added: the half in which it is the other's belongs to B.
void BitRowSolver::split_added(int stones, bool own, BitWord* to, BitRowWorker& w) {
  BitWord* const b = to + (own ? 0 : kVectorWords);
  BitWord* const a = to + (own ? kVectorWords : 0);
  if (stones >= 6) {
    const std::size_t half = std::size_t{1} << (stones - 6);
    for (std::size_t i = 0; i < half; ++i) {
      b[i] |= w.single[i];
      a[i] |= w.single[half + i];
    }
    return;
  }
  const unsigned bits = 1U << stones;
  const BitWord low = (BitWord{1} << bits) - 1;
  b[0] |= w.single[0] & low;
  a[0] |= w.single[0] >> bits & low;
}

// What was gathered by a selector inside a vector, to where it belongs.
void BitRowSolver::split_mixed(std::vector<std::vector<BitWord>>& to, BitRowWorker& w) const {
  if (!w.any_mixed) return;
  w.any_mixed = false;
  std::array<BitWord, kVectorWords> pattern;  // where the stone is the frame's
  for (std::size_t i = 0; i < kVectorWords; ++i) {
    const auto axis = static_cast<std::size_t>(w.mixed_axis);
    pattern[i] = axis < kAxisBits.size()                     ? kAxisBits[axis]
                 : (i >> (axis - kAxisBits.size()) & 1) != 0 ? ~BitWord{0}
                                                             : 0;
  }
  const std::size_t words = tier_.words();
  for (std::uint32_t s = 0; s < to.size(); ++s) {
    BitWord* const b = to[s].data();
    BitWord* const a = b + words;
    bit_kernels().split(w.mixed[s].data(), words, pattern.data(), w.mixed_own ? a : b, w.mixed_own ? b : a);
  }
}

// Calls f(move) for the moves to some of these cells that are there for either player: the stone that is carried or replaced is the
// mover's, or it is not.
template <typename F>
void BitRowSolver::for_moves(const RowWays& ways, CellSet set, CellSet to, BitRowWorker& w, const F& f) const {
  const RowMasks::Table& from = w.masks.from(ways);
  if (from.none) return;
  for (const bool own : {true, false}) {
    for (CellSet rest = to; rest != 0; rest &= rest - 1) {
      const auto cell = static_cast<Cell>(std::countr_zero(rest));
      const bool carries = ways.from.has_value();
      const bool adds = !carries && (set & cell_bit(cell)) == 0;
      const bool puts_own = ways.put == 0;
      if (adds && own != puts_own) continue;
      const std::uint8_t selector = adds ? RowMasks::kAdded : carries ? ways.from->cell : cell;
      const RowMasks::Mask& mask = w.masks.mask(from, w.masks.to(ways, cell), selector, own);
      if (mask.none) continue;
      const CellSet after = (carries ? set & ~cell_bit(ways.from->cell) : set) | cell_bit(cell);
      f(BitRowMove{ways.rule, ways.origin(), cell, after, own, !carries && own != puts_own, &mask});
    }
  }
}

void BitRowSolver::make_room(BitRowWorker& w) const {
  const std::size_t words = tier_.words();
  for (auto* rows : {&w.sums, &w.total, &w.mixed}) {
    for (auto& row : *rows) row.assign(rows == &w.mixed ? words : 2 * words, 0);
  }
  w.single.resize(kVectorWords);
  w.any_mixed = false;
}

// What moves that add a stone lead to; `all`: planes without a clear bit instead, so that they tell where there is a move.
void BitRowSolver::add_above(const Block& block, const BitWord* all, BitRowWorker& w) const {
  std::fill(w.rows.begin(), w.rows.end(), all);
  game_.rules().ways(block.set, [&](const RowWays& ways) {
    if (ways.from) return true;
    for_moves(ways, block.set, ways.to & ~block.set, w, [&](const BitRowMove& move) {
      for (std::uint32_t s = 0; all == nullptr && s < w.rows.size(); ++s)
        w.rows[s] = above_->planes(s, above_->number(index_.block_of(move.after)));
      add(move, block, w.sums, w);
    });
    return true;
  });
}

void BitRowSolver::read_above(std::size_t number, BitRowWorker& w) {
  const Block& block = index_.blocks()[tier_.first_block() + number];
  begin_row(block, w);
  make_room(w);
  if (above_ != nullptr) add_above(block, nullptr, w);
  for (std::uint32_t s = 0; s < game_.states(); ++s)
    std::copy(w.sums[s].begin(), w.sums[s].end(), tier_.above(s, number));
}

// All moves within the tier but those within the row, which are listed. `all` as above: then these too.
void BitRowSolver::add_ways(const Block& block, const BitWord* all, BitRowWorker& w) const {
  w.within.clear();
  std::fill(w.rows.begin(), w.rows.end(), all);
  game_.rules().ways(block.set, [&](const RowWays& ways) {
    for_moves(ways, block.set, ways.from ? ways.to : ways.to & block.set, w, [&](const BitRowMove& move) {
      if (all == nullptr) {
        const std::size_t target = tier_.number(index_.block_of(move.after));
        if (index_.blocks()[tier_.first_block() + target].set == block.set) {
          w.within.push_back(move);
          return;
        }
        for (std::uint32_t s = 0; s < w.rows.size(); ++s) w.rows[s] = tier_.planes(s, target);
      }
      add(move, block, w.sums, w);
    });
    return true;
  });
  split_mixed(w.sums, w);
}

// The moves within the row, of which these are the planes.
void BitRowSolver::add_within(const Block& block, const BitWord* fresh, BitRowWorker& w) const {
  for (std::uint32_t s = 0; s < w.rows.size(); ++s) w.rows[s] = fresh + 2 * s * tier_.words();
  for (const BitRowMove& move : w.within) add(move, block, w.total, w);
  split_mixed(w.total, w);
}

// From B and A of all states to what is won and kept. Returns how many bits are new.
std::uint64_t BitRowSolver::close(const Block& block, std::size_t number, BitRowWorker& w, BitWord* fresh) const {
  const std::size_t words = tier_.words();
  const auto states = static_cast<std::uint32_t>(w.total.size());
  const PassBits frames(rules_, block.set, true, w);
  const PassBits others(rules_, block.set, false, w);
  std::uint64_t changed = 0;
  for (std::uint32_t s = 0; s < states; ++s) {
    const BitWord* const b = w.total[s].data();
    const BitWord* const a = b + words;
    BitWord* const not_won = fresh + 2 * s * words;
    BitWord* const kept = not_won + words;
    const BitWord* const over = tier_.over(s, number);
    const BitWord* const ends = tier_.above(s, number);
    const std::uint32_t next = rules_.passes ? game_.after_pass(s) : s;
    const std::uint32_t last = rules_.passes ? game_.after_pass(next) : s;
    const BitWord* const b1 = w.total[next].data();
    const BitWord* const a1 = b1 + words;
    const BitWord* const over1 = tier_.over(next, number);
    const BitWord* const ends1 = tier_.above(next, number);
    const BitWord* const enough_frames =
        rules_.passes ? tier_.enough(rules_.enough_plane(last, true), number) : nullptr;
    const BitWord* const enough_others =
        rules_.passes ? tier_.enough(rules_.enough_plane(last, false), number) : nullptr;
    for (std::size_t i = 0; i < words; ++i) {
      BitWord won = a[i];
      BitWord keeps = ~b[i];
      if (rules_.passes) {
        const BitWord frame_passes = frames.at(i);
        const BitWord other_passes = others.at(i);
        BitWord kept_after = ~b1[i] & (enough_frames[i] | ~other_passes);
        BitWord won_after = a1[i] | (frame_passes & enough_others[i]);
        if (over1 != nullptr) {
          kept_after = (over1[i] & ~ends1[i]) | (~over1[i] & kept_after);
          won_after = (over1[words + i] & ends1[words + i]) | (~over1[words + i] & won_after);
        }
        won |= frame_passes & kept_after;
        keeps &= won_after | ~other_passes;
      }
      if (over != nullptr) {
        won = (over[words + i] & ends[words + i]) | (~over[words + i] & won);
        keeps = (over[i] & ~ends[i]) | (~over[i] & keeps);
      }
      const BitWord valid = valid_bits(block.stones, i);
      won &= valid;
      keeps &= valid;
      const BitWord now_won = not_won[i] & won;
      const BitWord now_kept = keeps & ~kept[i];
      if ((now_won | now_kept) != 0)
        changed += static_cast<std::uint64_t>(std::popcount(now_won) + std::popcount(now_kept));
      not_won[i] = valid & ~won;
      kept[i] = keeps;
    }
  }
  return changed;
}

BitWord BitRowSolver::valid_bits(int stones, std::size_t word) {
  if (stones >= kVectorAxes) return ~BitWord{0};
  if (stones >= 6) return word < std::size_t{1} << (stones - 6) ? ~BitWord{0} : 0;
  return word == 0 ? (BitWord{1} << (1U << stones)) - 1 : 0;
}

// The planes of a block in all states as they follow from the tier as it is. Returns how many bits are new.
std::uint64_t BitRowSolver::evaluate(std::size_t number, BitWord* fresh, BitRowWorker& w,
                                     std::vector<BitChange>* changes) const {
  const Block& block = index_.blocks()[tier_.first_block() + number];
  const std::size_t words = tier_.words();
  const std::uint32_t states = game_.states();
  begin_row(block, w);
  make_room(w);
  for (std::uint32_t s = 0; s < states; ++s) {
    std::copy_n(tier_.above(s, number), 2 * words, w.sums[s].begin());
    std::copy_n(tier_.planes(s, number), 2 * words, fresh + 2 * s * words);
  }
  add_ways(block, nullptr, w);
  std::uint64_t changed = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    for (std::uint32_t s = 0; s < states; ++s) std::copy(w.sums[s].begin(), w.sums[s].end(), w.total[s].begin());
    add_within(block, fresh, w);
    const std::uint64_t found = close(block, number, w, fresh);
    changed += found;
    if (found == 0 || w.within.empty()) break;
  }
  if (changed == 0 || changes == nullptr) return changed;
  for (std::uint32_t s = 0; s < states; ++s) {
    const BitWord* const before = tier_.planes(s, number);
    const BitWord* const after = fresh + 2 * s * words;
    for (std::size_t i = 0; i < 2 * words; ++i) {
      for (BitWord rest = before[i] ^ after[i]; rest != 0; rest &= rest - 1) {
        const std::size_t at = (i % words) * 64 + static_cast<std::size_t>(std::countr_zero(rest));
        changes->push_back({static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(at),
                            static_cast<std::uint16_t>(s), i >= words});
      }
    }
  }
  return changed;
}

// Every stone may go to every free cell, more or less.
double BitRowSolver::ways() const {
  return static_cast<double>(tier_.stones() * (index_.cells() - tier_.stones() + 1));
}
double BitRowSolver::row_ns() const {
  const std::size_t whole_vectors = game_.states() * tier_.words() / kVectorWords;
  const auto vectors = static_cast<double>(whole_vectors);
  return std::max(1.0, ways()) * (kSweepNsPerWay + kSweepNsPerVector * vectors);
}

// Once over all blocks. Every other time from the last one on.
absl::Status BitRowSolver::sweep(bool record, bool backwards, const GoOn& go_on, std::uint64_t& changed) {
  changed = 0;
  recorded_.clear();
  const std::size_t parts = sweep_parts();
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t n = backwards ? parts - 1 - part : part;
    const Share own = share_of(tier_.deal().own(), static_cast<int>(n), static_cast<int>(parts));
    std::optional<BitRowCopies> copies;
    if (rounds_ > 1) copies.emplace(tier_, read_by(own, false));
    sweep_part(own, record, backwards, go_on);
    RETURN_IF_ERROR(share(changed));
  }
  return absl::OkStatus();
}

// Over these own blocks, some at a time: from the tier as it is; then what is new is entered.
void BitRowSolver::sweep_part(Share own, bool record, bool backwards, const GoOn& go_on) {
  const std::size_t row = 2 * tier_.words() * game_.states();
  const std::size_t staged =
      std::min(own.size(), std::clamp(static_cast<std::size_t>(kStagedNs / row_ns()), kFewestStaged, kMostStaged));
  fresh_.resize(staged * row);
  std::vector<std::uint64_t> found(staged);
  std::vector<std::vector<BitChange>> changes(staged);
  for (std::size_t begin = 0; begin < own.size() && ask(go_on); begin += staged) {
    const std::size_t count = std::min(staged, own.size() - begin);
    const auto number = [&](std::size_t k) {
      return tier_.deal().number(backwards ? own.end - 1 - begin - k : own.begin + begin + k);
    };
    for_each_index(count, [&](std::size_t k) {
      const auto worker = workers_.borrow();
      changes[k].clear();
      found[k] = evaluate(number(k), fresh_.data() + k * row, *worker, record ? &changes[k] : nullptr);
    });
    evaluated_ += count;
    for (std::size_t k = 0; k < count; ++k) {
      if (found[k] == 0) continue;
      found_ += found[k];
      tell(number(k), fresh_.data() + k * row);
      for (std::uint32_t s = 0; s < game_.states(); ++s)
        std::copy_n(fresh_.data() + k * row + 2 * s * tier_.words(), 2 * tier_.words(), tier_.planes(s, number(k)));
      recorded_.insert(recorded_.end(), changes[k].begin(), changes[k].end());
    }
  }
}

// What the tier above and ends say of these own blocks.
absl::Status BitRowSolver::begin_part(Share own, const GoOn& go_on) {
  for (std::uint64_t begin = own.begin; begin < own.end && ask(go_on); begin += kMostStaged) {
    std::vector<absl::Status> status(std::min<std::uint64_t>(kMostStaged, own.end - begin));
    for_each_index(status.size(), [&](std::size_t k) {
      const auto worker = workers_.borrow();
      const std::size_t number = tier_.deal().number(begin + k);
      read_above(number, *worker);
      status[k] = find_ends(number, *worker);
      for (std::uint32_t s = 0; s < game_.states(); ++s) {
        BitWord* const not_won = tier_.planes(s, number);
        // Where a stone that is added leads to a kept position, or it has ended well enough, it is won from the first sweep on.
        const BitWord* const won = tier_.above(s, number) + tier_.words();
        for (std::size_t i = 0; i < tier_.words(); ++i) not_won[i] = valid_bits(tier_.stones(), i) & ~won[i];
      }
    });
    for (const absl::Status& s : status) RETURN_IF_ERROR(s);
  }
  return absl::OkStatus();
}

absl::Status BitRowSolver::begin(const GoOn& go_on) {
  tier_.make_planes(game_.states());
  tier_.make_rest(game_.states(), rules_.enough_planes, rules_.over);
  Ranks& ranks = tier_.ranks();
  const std::size_t rounds = above_ == nullptr ? 1 : rounds_for(*above_, true);
  for (std::size_t round = 0; round < rounds; ++round) {
    const Share own = share_of(tier_.deal().own(), static_cast<int>(round), static_cast<int>(rounds));
    std::optional<BitRowCopies> copies;
    if (ranks.several() && above_ != nullptr) copies.emplace(*above_, read_by(own, true));
    RETURN_IF_ERROR(ranks.agree(begin_part(own, go_on)));
    stopped_ = ranks.any(stopped_);
    if (stopped_) return absl::CancelledError("interrupted");
  }
  if (!ranks.several()) return absl::OkStatus();
  rounds_ = rounds_for(tier_, false);
  if (rounds_ > 1) return absl::OkStatus();
  copied_ = read_by({0, tier_.deal().own()}, false);
  copies_.emplace(tier_, copied_);
  return absl::OkStatus();
}

absl::Status BitRowSolver::solve(const GoOn& go_on) {
  RETURN_IF_ERROR(begin(go_on));
  const double sweep_ns = static_cast<double>(tier_.blocks()) * row_ns();
  const double back_ns = std::max(1.0, ways() * kNsPerWayBack);
  double changed = sweep_ns;
  for (bool backwards = false;; backwards = !backwards) {
    const bool record = rounds_ == 1 && changed * back_ns < kNoted * much_less_ * sweep_ns;
    std::uint64_t found = 0;
    RETURN_IF_ERROR(sweep(record, backwards, go_on, found));
    if (found == 0) return absl::OkStatus();
    changed = static_cast<double>(found);
    if (record && changed * back_ns < much_less_ * sweep_ns) {
      return tier_.ranks().several() ? push_by_ranks(std::move(recorded_), go_on) : push(std::move(recorded_), go_on);
    }
  }
}

}  // namespace plenum
