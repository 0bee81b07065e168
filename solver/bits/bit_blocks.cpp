// SPDX-License-Identifier: Apache-2.0
// Solving by bits: the boards of one set of cells, from those with a stone more.
#include <algorithm>
#include <array>
#include <bit>

#include "solver/bits/bit_pass_solver.h"
#include "solver/support/parallel.h"
#include "tables/rows/bit_kernels.h"
#include "variants/board/bits.h"

namespace plenum {
namespace {

constexpr std::size_t kWordsJudged = 512;  // by one thread

}  // namespace

void BitPass::solve_block(std::uint32_t number, Worker& w, std::vector<Counts>& counts) {
  const CellSet set = tier_.sets.set(number);
  const std::size_t states = tier_.states.size();
  w.led.resize(std::max(w.led.size(), states + 1));
  for (std::size_t s = 0; s <= states; ++s) {
    w.led[s].won.assign(tier_.words, 0);
    w.led[s].saved.assign(next_.level() ? tier_.words : 0, 0);
    w.led[s].moved.assign(variant_.rule_set().always_a_move ? 0 : tier_.words, 0);
  }
  std::uint8_t axis = 0;
  for (CellSet rest = set; rest != 0; rest &= rest - 1) {
    const auto cell = static_cast<std::uint8_t>(std::countr_zero(rest));
    w.cells[axis] = cell;
    w.axes[cell] = axis++;
  }
  w.axes[BitMask::kAdded] = axis;
  if (tier_.stones < cells_) add_moves(set, w);
  finish_block(number, w, counts);
}

// Every move of every position of the block, a cell at a time.
void BitPass::add_moves(CellSet set, Worker& w) const {
  const int stones = tier_.stones;
  w.moves.begin_tier(stones, mover_with(start_, stones), states_with(stones), states_with(stones + 1));
  w.moves.begin(set);
  BitGather::Axes axes;
  axes.count = std::max(stones + 1, kVectorAxes);
  for (CellSet rest = variant_.board().all() & ~set; rest != 0; rest &= rest - 1) {
    const auto cell = static_cast<Cell>(std::countr_zero(rest));
    const BitMoves::Reads& reads = w.moves.at(cell);
    if (reads.empty()) continue;
    const CellSet larger = set | cell_bit(cell);
    const std::uint32_t target = next_.sets.number(larger);
    w.cells[static_cast<std::size_t>(stones)] = cell;
    find_axes(w.cells.data(), stones + 1, images_[next_.sets.to_class(larger)].data(),
              static_cast<std::uint32_t>(next_.sets.set(target)), axes.from.data());
    axes.selector = axes.from[static_cast<std::size_t>(stones)];
    w.gather.set(axes);
    for (const BitMoves::Read& read : reads) add_read(read, target, w);
  }
}

void BitPass::add_read(const BitMoves::Read& read, std::uint32_t target, Worker& w) const {
  w.mask.spell(read.mask, w.axes);
  Led& led = w.led[read.state == BitMoves::kAll ? tier_.states.size() : static_cast<std::size_t>(read.state)];
  BitGather::Target to;
  // Both halves, by whose the stone is, go to the same row.
  for (int i = kVectorAxes; i < tier_.stones; ++i)
    to.weight[static_cast<std::size_t>(i)] = std::int32_t{1} << (i - kVectorAxes);
  to.mask_weight = w.mask.weight;
  to.masks = w.mask.words.data();
  to.nonzero = w.mask.nonzero.data();
  to.row = led.won.data();
  w.gather.run({next_.lost(read.clear).row(target), next_.lost(read.set).row(target)}, to);
  if (next_.level()) {
    to.row = led.saved.data();
    w.gather.run({next_.states[read.clear].not_won.row(target), next_.states[read.set].not_won.row(target)}, to);
  }
  if (!variant_.rule_set().always_a_move) note_moves(led, w);
}

// Where there is a move, by the mask that was spelled last.
void BitPass::note_moves(Led& led, const Worker& w) const {
  const int axes = std::max(tier_.stones + 1, kVectorAxes);
  const std::size_t vectors = tier_.words / kVectorWords;
  for (std::size_t h = 0; h < std::size_t{1} << (axes - kVectorAxes); ++h) {
    std::size_t mask = 0;
    for (int axis = kVectorAxes; axis < axes; ++axis) {
      if ((h >> (axis - kVectorAxes) & 1) != 0) mask += w.mask.weight[static_cast<std::size_t>(axis)];
    }
    Word* const to = led.moved.data() + (h & (vectors - 1)) * kVectorWords;
    for (std::size_t i = 0; i < kVectorWords; ++i) to[i] |= w.mask.words[mask * kVectorWords + i];
  }
}

// What is led to, of a row of less than a vector: whose the stone is, is an axis of it.
void BitPass::fold(Words& row) const {
  const int stones = tier_.stones;
  if (stones >= kVectorAxes || row.empty()) return;
  if (stones >= 6) {
    const std::size_t half = std::size_t{1} << (stones - 6);
    for (std::size_t i = 0; i < half; ++i) row[i] |= row[half + i];
  } else {
    row[0] |= row[0] >> (1U << stones);
  }
}

// What has ended or has no move, and then the values and counts of the block.
void BitPass::finish_block(std::uint32_t number, Worker& w, std::vector<Counts>& counts) {
  const std::size_t words = tier_.words;
  const std::size_t states = tier_.states.size();
  const int stones = tier_.stones;
  const std::uint64_t all = std::uint64_t{1} << stones;
  const std::size_t used = words_of(stones);
  const Word last = stones >= 6 ? ~Word{0} : (Word{1} << all) - 1;
  const bool special = over_possible(stones) || !variant_.rule_set().always_a_move;
  for (std::size_t s = 0; s <= states; ++s) {
    for (Words* row : {&w.led[s].won, &w.led[s].saved, &w.led[s].moved}) fold(*row);
  }
  if (special) w.row.begin(tier_.sets.set(number), mover_with(start_, stones));
  for (std::size_t s = 0; s < states; ++s) {
    StatePlanes& planes = tier_.states[s];
    Word* const not_won = planes.not_won.row(number);
    Word* const lost = planes.lost.empty() ? not_won : planes.lost.row(number);
    const auto close = [&](const Words& own, const Words& of_all, Word* to) {
      const std::uint64_t ones = bit_kernels().neither(own.data(), of_all.data(), words, to);
      if (used == words && stones >= 6) return ones;
      for (std::size_t i = used; i < words; ++i) to[i] = 0;
      to[used - 1] &= last;
      return bit_kernels().count_ones(to, used);
    };
    std::uint64_t unwon = close(w.led[s].won, w.led[states].won, not_won);
    std::uint64_t losing = unwon;
    if (lost != not_won) {
      // Where nothing that follows is level, who does not win loses.
      const bool same = !next_.level();
      losing = same ? close(w.led[s].won, w.led[states].won, lost) : close(w.led[s].saved, w.led[states].saved, lost);
    }
    Counts found;
    if (special) {
      found.ended = judge_ends(tier_.sets.set(number), s, not_won, lost, w);
      if (found.ended > 0) {
        unwon = bit_kernels().count_ones(not_won, used);
        losing = bit_kernels().count_ones(lost, used);
      }
    }
    const std::uint64_t of_class = tier_.sets.sets(number);
    counts[s].win += (all - unwon) * of_class;
    counts[s].lose += losing * of_class;
    counts[s].level += (unwon - losing) * of_class;
    counts[s].ended += found.ended * of_class;
  }
}

// What has ended, or has no move, is judged. Returns how many positions.
std::uint64_t BitPass::judge_ends(CellSet set, std::size_t state, Word* not_won, Word* lost, Worker& w) {
  const int stones = tier_.stones;
  const std::size_t states = tier_.states.size();
  const std::size_t used = words_of(stones);
  const Word last = stones >= 6 ? ~Word{0} : (Word{1} << (1U << stones)) - 1;
  const Position& as = states_with(stones)[state];
  const Column ended = w.row.ended(as);
  std::uint64_t out = 0;
  for (const bool stuck : {false, true}) {
    if (stuck ? variant_.rule_set().always_a_move : ended.none()) continue;
    const Word* const over = w.row.spelled(ended);
    w.special.resize(used);
    for (std::size_t i = 0; i < used; ++i)
      w.special[i] = stuck ? ~(over[i] | w.led[state].moved[i] | w.led[states].moved[i]) : over[i];
    w.special.back() &= last;
    const std::uint64_t found = bit_kernels().count_ones(w.special.data(), used);
    out += found;
    if (found > 0) judge(set, as, stuck, w.special, not_won, lost);
  }
  return out;
}

// What has ended, or has no move.
void BitPass::judge(CellSet set, const Position& state, bool stuck, const Words& which, Word* not_won, Word* lost) {
  const std::size_t pieces = (which.size() + kWordsJudged - 1) / kWordsJudged;
  for_each_index(pieces, [&](std::size_t i) {
    judge_words(set, state, stuck, i * kWordsJudged, std::min(which.size(), (i + 1) * kWordsJudged), which, not_won,
                lost);
  });
}

void BitPass::judge_words(CellSet set, const Position& state, bool stuck, std::size_t begin, std::size_t end,
                          const Words& which, Word* not_won, Word* lost) {
  const Rules& rules = variant_.rules();
  const auto scorer = scorers_.borrow();
  EndScorer& j = *scorer;
  const auto flush = [&] {
    j.batch.size = j.rows.size();
    if (!stuck) {
      rules.judge(j.batch, j.scratch, j.ended, j.margin);
    } else {
      score_stuck(rules, j.batch, j.scratch, j.margin);
    }
    for (std::size_t i = 0; i < j.rows.size(); ++i) {
      const Word bit = Word{1} << (j.rows[i] % 64);
      const auto note = [&](Word* row, bool holds) {
        Word& word = row[j.rows[i] / 64];
        word = holds ? word | bit : word & ~bit;
      };
      note(not_won, j.margin[i] <= 0);
      if (lost != not_won) note(lost, j.margin[i] < 0);
    }
    j.rows.clear();
  };
  for (std::size_t w = begin; w < end; ++w) {
    for (Word rest = which[w]; rest != 0; rest &= rest - 1) {
      const std::uint64_t row = 64 * w + static_cast<std::uint64_t>(std::countr_zero(rest));
      j.batch.set(j.rows.size(), PlacingRules::position(set, deposit(row, set), state));
      j.rows.push_back(row);
      if (j.rows.size() == kLanes) flush();
    }
  }
  if (!j.rows.empty()) flush();
}

}  // namespace plenum
