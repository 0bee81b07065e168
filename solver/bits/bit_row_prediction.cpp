// SPDX-License-Identifier: Apache-2.0
#include "solver/bits/bit_row_prediction.h"

#include <algorithm>
#include <bit>

#include <tbb/task_arena.h>

#include "solver/bits/bit_questions.h"
#include "solver/bits/bit_rows.h"
#include "solver/support/memory.h"

namespace plenum {
namespace {

constexpr double kNsPerRowVector = 13;  // of a move, measured
constexpr double kNsPerRowMove = 150;   // of a set
constexpr double kSweeps = 8;
// Planes of a tier, to each rank that reads them: where it keeps copies, and where it fetches them in rounds. Measured.
constexpr double kTimesSent = 3;
constexpr double kTimesSentInRounds = 70;  // with the least memory

// Bytes of a tier's planes: so many of its own, and two of the tier above. Of one of several ranks: of its part, and copies of as much of
// others' as it has itself, of one of the two tiers.
std::uint64_t tier_bytes(const RowGame& rows, const BitRowRules& rules, int stones, int ranks) {
  const std::uint64_t states = rows.states();
  const auto own_bytes = [&](const BitRowTier& tier) {
    return RowDeal(tier.blocks(), /*rank=*/0, ranks).own() * tier.block_bytes() / 2;  // the first has the most
  };
  const std::uint64_t own = own_bytes(BitRowTier(rows, stones));
  std::uint64_t above = 0;
  if (stones < rows.index().cells()) above = own_bytes(BitRowTier(rows, stones + 1));
  const std::uint64_t copies = ranks > 1 ? 2 * states * std::max(own, above) : 0;
  return own * (states * (rules.over ? 6 : 4) + rules.enough_planes) + 2 * states * above + copies;
}

// What all threads hold: some rows of the full board each, and what was found of masks and permutations; and blocks that are worked on
// together.
std::uint64_t scratch_bytes(const RowGame& rows) {
  constexpr std::uint64_t kRows = 8;
  constexpr std::uint64_t kFound = 8'000'000;
  constexpr std::uint64_t kMostStagedBytes = 17'000'000;
  const std::uint64_t row = (std::uint64_t{1} << rows.index().cells()) / 8;
  const auto threads = static_cast<std::uint64_t>(tbb::this_task_arena::max_concurrency());
  std::uint64_t staged = 0;
  for (int k = 0; k <= rows.index().cells(); ++k)
    staged = std::max(staged, 2 * rows.states() * BitRowTier(rows, k).plane_bytes());
  return threads * (kRows * row * rows.states() + kFound) + std::min(staged, kMostStagedBytes + 4 * row);
}

}  // namespace

std::uint64_t bit_row_bytes(const RowGame& rows, const BitRowRules& rules, int least_stones, int ranks) {
  std::uint64_t most = 0;
  for (int k = least_stones; k <= rows.index().cells(); ++k) most = std::max(most, tier_bytes(rows, rules, k, ranks));
  return rows.index().bytes() + scratch_bytes(rows) + most;
}

DensePrediction predict_bit_rows(const RowGame& rows, const Position& start, const BitRowTask& task) {
  const BitRowRules rules(rows);
  const DenseIndex& index = rows.index();
  DensePrediction out;
  double ns = 0;
  double sent = 0;
  const std::uint64_t base = base_memory() + index.bytes() + scratch_bytes(rows);
  const int begun = std::popcount(start.planes[0] | start.planes[1]);
  out.bytes = base_memory() + bit_row_bytes(rows, rules, begun, task.ranks);
  for (int k = begun; k <= index.cells(); ++k) {
    const BitRowTier tier(rows, k);
    const auto blocks = static_cast<double>(tier.blocks());
    const std::size_t whole_vectors = tier.words() / kVectorWords;
    const auto vectors = static_cast<double>(whole_vectors);
    const double ways = k * (index.cells() - k + 1);
    ns += blocks * (ways * kSweeps + index.cells() - k) * (kNsPerRowMove + vectors * kNsPerRowVector);
    out.boards += std::uint64_t{tier.blocks()} << k;
    const std::uint64_t planes = 2 * rows.states() * tier.plane_bytes();
    // Of two ranks each has room for copies of what the other has.
    const bool copies = task.ranks <= 2 || base + tier_bytes(rows, rules, k, task.ranks) + planes <= task.memory_bytes;
    sent += static_cast<double>(planes) * (copies ? kTimesSent : kTimesSentInRounds);
  }
  const double thresholds = BitQuestions::expected(rows.variant(), task.all_margins, task.only_outcome);
  out.cpu_seconds = ns * 1e-9 * rows.states() * thresholds;
  out.sent_bytes = sent * thresholds * (task.ranks - 1) / task.ranks;
  return out;
}

}  // namespace plenum
