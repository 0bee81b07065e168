// SPDX-License-Identifier: Apache-2.0
#include "solver/bits/bit_row_solver.h"

#include <algorithm>
#include <cstdlib>

#include "tables/rows/bit_kernels.h"

namespace plenum {

BitRowTier::BitRowTier(const RowGame& game, int stones)
    : stones_(stones),
      first_(game.index().first_block(stones)),
      blocks_(game.index().first_block(stones + 1) - first_),
      words_(std::max<std::size_t>(kVectorWords, (std::size_t{1} << stones) / 64)),
      axes_(std::max(stones, kVectorAxes)) {}

void BitRowTier::make_planes(std::uint32_t states) {
  planes_.clear();
  for (std::uint32_t s = 0; s < states; ++s) planes_.emplace_back(2 * plane_bytes());
}

void BitRowTier::make_rest(std::uint32_t states, std::size_t enough, bool over) {
  drop_rest();
  for (std::uint32_t s = 0; s < states; ++s) above_.emplace_back(2 * plane_bytes());
  for (std::size_t i = 0; i < enough; ++i) enough_.emplace_back(plane_bytes());
  for (std::uint32_t s = 0; over && s < states; ++s) over_.emplace_back(2 * plane_bytes());
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

BitRowSolver::BitRowSolver(const BitRowRules& rules, std::int64_t threshold, const BitRowTier* above, BitRowTier& tier,
                           ObjectPool<BitRowWorker>& workers)
    : rules_(rules),
      game_(rules.game),
      index_(rules.game.index()),
      threshold_(threshold),
      above_(above),
      tier_(tier),
      workers_(workers) {}

}  // namespace plenum
