// SPDX-License-Identifier: Apache-2.0
#include "solver/bits/bit_row_solver.h"

#include <algorithm>
#include <cstdlib>

#include "tables/rows/bit_kernels.h"
#include "variants/board/bits.h"

namespace plenum {

BitWord exchanged_word(const BitWord* plane, std::size_t words, int stones, std::size_t word) {
  const auto reversed = [](BitWord x) {
    for (std::size_t k = 0; k < kAxisBits.size(); ++k)
      x = (x & kAxisBits[k]) >> (1U << k) | (x & ~kAxisBits[k]) << (1U << k);
    return x;
  };
  if (stones >= 6) {
    const std::size_t used = std::min(words, std::size_t{1} << (stones - 6));
    return word < used ? reversed(plane[used - 1 - word]) : 0;
  }
  return word == 0 ? reversed(plane[0]) >> (64 - (1U << stones)) : 0;
}

BitRowTier::BitRowTier(const RowGame& game, int stones, Ranks& ranks)
    : ranks_(&ranks),
      deal_(game.index().first_block(stones + 1) - game.index().first_block(stones), ranks.rank(), ranks.size()),
      stones_(stones),
      first_(game.index().first_block(stones)),
      blocks_(deal_.blocks()),
      words_(std::max<std::size_t>(kVectorWords, (std::size_t{1} << stones) / 64)),
      axes_(std::max(stones, kVectorAxes)) {}

void BitRowTier::make_planes(std::uint32_t states) {
  planes_.clear();
  const BigBytes::Pages pages = ranks_->several() ? BigBytes::Pages::small : BigBytes::Pages::large;
  for (std::uint32_t s = 0; s < states; ++s) planes_.emplace_back(blocks_ * block_bytes(), pages);
}

void BitRowTier::make_rest(std::uint32_t states, std::size_t enough, bool over) {
  drop_rest();
  const std::uint64_t own_bytes = deal_.own() * block_bytes();
  for (std::uint32_t s = 0; s < states; ++s) above_.emplace_back(own_bytes);
  for (std::size_t i = 0; i < enough; ++i) enough_.emplace_back(own_bytes / 2);
  for (std::uint32_t s = 0; over && s < states; ++s) over_.emplace_back(own_bytes);
}

void BitRowTier::drop_rest() {
  above_.clear();
  enough_.clear();
  over_.clear();
}

BitRowRules::BitRowRules(const RowGame& rows) : game(rows), passes(rows.has_passes()) {
  const RuleSet& set = rows.variant().rule_set();
  over = rows.rules().ends_without_passes() || !set.always_a_move;
  for (const Symmetry& g : rows.index().symmetries().elements()) {
    std::copy(g.permutation.begin(), g.permutation.end(), image.emplace_back().begin());
  }
  if (!passes) return;
  const std::optional<RowScore>& score = rows.rules().score();
  std::int64_t most = 0;
  if (score) {
    for (const RowScore::Count& count : score->counts) most += std::abs(count.weight) * rows.index().cells();
  }
  counted = score && most < std::int64_t{1} << kCounterBits;
  const std::uint32_t states = rows.states();
  enough.resize(std::size_t{2} * states);
  for (std::size_t i = 0; i < enough.size(); ++i) enough[i] = !counted ? i : score->same_for_both ? 0 : i % 2;
  enough_planes = !counted ? enough.size() : score->same_for_both ? 1 : 2;
}

BitRowWorker::BitRowWorker(const BitRowRules& rules) : masks(rules.game.rules()), scorer(rules.game) {
  const std::uint32_t states = rules.game.states();
  sums.resize(states);
  total.resize(states);
  mixed.resize(states);
  rows.resize(states);
}

BitRowSolver::BitRowSolver(const BitRowRules& rules, std::int64_t threshold, BitRowTier* above, BitRowTier& tier,
                           ObjectPool<BitRowWorker>& workers)
    : rules_(rules),
      game_(rules.game),
      index_(rules.game.index()),
      threshold_(threshold),
      above_(above),
      tier_(tier),
      workers_(workers),
      told_(static_cast<std::size_t>(tier.ranks().size())) {}

}  // namespace plenum
