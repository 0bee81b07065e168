// SPDX-License-Identifier: Apache-2.0
// A tier of one threshold: where the margin as it stands is enough, and where the game is over before two passes.
#include <algorithm>
#include <bit>
#include <cstdlib>

#include "solver/bits/bit_row_pass.h"
#include "tables/rows/bit_kernels.h"
#include "variants/text/status_macros.h"

namespace plenum {

// Margins that are enough after two passes; and ends without passes, entered into what the tier above adds.
absl::Status BitRowSolver::find_ends(std::size_t number, BitRowWorker& w) {
  const Block& block = index_.blocks()[tier_.first_block() + number];
  if (rules_.passes) find_enough(block, number, w);
  return rules_.over ? find_over(block, number, w) : absl::OkStatus();
}

void BitRowSolver::find_enough(const Block& block, std::size_t number, BitRowWorker& w) {
  std::vector<bool> done(rules_.enough_planes, false);
  for (std::uint32_t state = 0; state < game_.states(); ++state) {
    for (const bool frame_to_move : {true, false}) {
      const std::size_t plane = rules_.enough_plane(state, frame_to_move);
      if (done[plane]) continue;
      done[plane] = true;
      BitWord* const out = tier_.enough(plane, number);
      if (rules_.counted) {
        count_margins(block, frame_to_move, w, out);
      } else {
        score_each(block, game_.layer(state, 2), frame_to_move, w, out);
      }
    }
  }
}

// The margin as a sum of cells in sets: what counts against the frame's player is counted where it is not so.
void BitRowSolver::count_margins(const Block& block, bool frame_to_move, BitRowWorker& w, BitWord* out) const {
  const RowScore& score = *game_.rules().score();
  begin_row(block, w);
  const std::int64_t sign = frame_to_move ? 1 : -1;
  std::int64_t least = threshold_ - sign * score.constant;  // that the sum has to be
  const std::size_t vectors = tier_.words() / kVectorWords;
  constexpr std::size_t kLow = CountedBits::kLowVectors;
  struct Kept {
    BitMaskVectors spelled;
    std::vector<std::uint16_t> low;
    std::vector<std::uint16_t> high;
  };
  std::vector<Kept> kept;
  std::vector<CountedBits> counted;
  for (const RowScore::Count& count : score.counts) {
    const std::int64_t weight = sign * count.weight;
    for (int cell = 0; cell < index_.cells(); ++cell) {
      const RowWays::Condition in_set = {count.set, static_cast<Cell>(cell), kNoCell};
      const RowMasks::Table& table = w.masks.table(in_set, block.set);
      if (table.all || (!table.none && weight < 0)) least -= weight;
      if (table.all || table.none) continue;
      Kept& one = kept.emplace_back();
      one.spelled = w.masks.spell(w.masks.mask(table, frame_to_move), w.axes);
      const auto sum = [&](std::size_t vector) {
        std::uint16_t at = 0;
        for (std::size_t rest = vector; rest != 0; rest &= rest - 1)
          at = static_cast<std::uint16_t>(
              at + one.spelled.weight[static_cast<std::size_t>(kVectorAxes + std::countr_zero(rest))]);
        return at;
      };
      for (std::size_t v = 0; v < std::min(kLow, vectors); ++v) one.low.push_back(sum(v));
      for (std::size_t v = 0; v < vectors; v += kLow) one.high.push_back(sum(v));
      counted.push_back({nullptr, nullptr, nullptr, static_cast<std::uint32_t>(std::abs(weight)), weight < 0});
    }
  }
  for (std::size_t k = 0; k < kept.size(); ++k) {
    counted[k].masks = kept[k].spelled.words.data();
    counted[k].low = kept[k].low.data();
    counted[k].high = kept[k].high.data();
  }
  bit_kernels().sum_at_least(counted.data(), counted.size(), vectors, least, out);
  for (std::size_t i = 0; i < tier_.words(); ++i) out[i] &= valid_bits(block.stones, i);
}

// Position by position, by the rules as they are compiled for everything else.
void BitRowSolver::score_each(const Block& block, std::uint32_t layer, bool frame_to_move, BitRowWorker& w,
                              BitWord* out) const {
  game_.margins(block, layer, false, w.scorer, w.margins);
  // A row of the rules has a bit for each stone of who is to move, as the frame has for its player's.
  const std::size_t size = w.margins.size();
  for (std::size_t row = 0; row < size; ++row) {
    const std::int64_t margin = w.margins[frame_to_move ? row : size - 1 - row];
    if ((frame_to_move ? margin : -margin) >= threshold_) out[row / 64] |= BitWord{1} << (row % 64);
  }
}

// Where there is a move, or a pass: for the other player, then for the frame's. Read as if every position were a good one.
void BitRowSolver::find_movable(const Block& block, BitRowWorker& w) const {
  begin_row(block, w);
  make_room(w);
  const std::vector<BitWord> all(std::max(4 * tier_.words(), 2 * kVectorWords), ~BitWord{0});
  if (block.stones < index_.cells()) add_above(block, all.data(), w);
  add_ways(block, all.data(), w);
  w.movable = w.sums[0];
  if (!rules_.passes) return;
  const PassBits others(rules_, block.set, false, w);
  const PassBits frames(rules_, block.set, true, w);
  for (std::size_t i = 0; i < tier_.words(); ++i) {
    w.movable[i] |= others.at(i);
    w.movable[tier_.words() + i] |= frames.at(i);
  }
}

absl::Status BitRowSolver::find_over(const Block& block, std::size_t number, BitRowWorker& w) {
  const std::size_t words = tier_.words();
  const std::size_t size = std::size_t{1} << block.stones;
  const bool always = game_.variant().rule_set().always_a_move;
  if (!always) find_movable(block, w);
  w.ended.assign(size, 0);
  w.margins.assign(size, 0);
  for (std::uint32_t state = 0; state < game_.states(); ++state) {
    if (game_.rules().ends_without_passes()) game_.judge(block, state, w.scorer, w.ended, w.margins);
    BitWord* const ends = tier_.above(state, number);
    BitWord* const over = tier_.over(state, number);
    // The position in which the frame's player is to move, and the one with its colours exchanged and the other to move.
    const auto enter = [&](std::size_t row, std::int64_t margin) {
      const std::size_t exchanged = size - 1 - row;
      const BitWord bit = BitWord{1} << (row % 64);
      const BitWord other_bit = BitWord{1} << (exchanged % 64);
      BitWord& won = ends[words + row / 64];
      BitWord& spoilt = ends[exchanged / 64];
      over[words + row / 64] |= bit;
      over[exchanged / 64] |= other_bit;
      won = margin >= threshold_ ? won | bit : won & ~bit;
      spoilt = -margin >= threshold_ ? spoilt & ~other_bit : spoilt | other_bit;
    };
    for (std::size_t row = 0; row < size; ++row) {
      if (w.ended[row] != 0) {
        enter(row, w.margins[row]);
      } else if (!always && (w.movable[words + row / 64] >> (row % 64) & 1) == 0) {
        ASSIGN_OR_RETURN(const MoverValue value, game_.stuck(block, state, row));
        enter(row, value.margin.units);
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace plenum
