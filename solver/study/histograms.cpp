// SPDX-License-Identifier: Apache-2.0
#include "solver/study/histograms.h"

#include <vector>

#include "solver/study/look_through.h"

namespace plenum {
namespace {

void count_visit(const Result::Visit& seen, const Rules& rules, Histograms& to) {
  if (seen.value.ended) {
    to.ended += seen.images;
    return;
  }
  to.positions += seen.images;
  to.margins[seen.value.margin] += seen.images;
  if (seen.value.plies) to.plies[seen.value.plies->count] += seen.images;
  to.stones[rules.stones(seen.position)][static_cast<std::size_t>(seen.value.outcome)] += seen.images;
}

void merge(const Histograms& part, Histograms& to) {
  to.positions += part.positions;
  to.ended += part.ended;
  for (const auto& [margin, n] : part.margins) to.margins[margin] += n;
  for (const auto& [plies, n] : part.plies) to.plies[plies] += n;
  for (const auto& [stones, outcomes] : part.stones) {
    for (std::size_t k = 0; k < outcomes.size(); ++k) to.stones[stones][k] += outcomes[k];
  }
}

}  // namespace

absl::StatusOr<Histograms> histograms(const Result& game, const std::function<bool(std::uint64_t)>& go_on) {
  const Rules& rules = game.variant().rules();
  const absl::StatusOr<std::vector<Histograms>> parts = look_through<Histograms>(
      game, go_on, [&](const Result::Visit& seen, Histograms& to) { count_visit(seen, rules, to); });
  if (!parts.ok()) return parts.status();
  Histograms out;
  for (const Histograms& part : *parts) merge(part, out);
  return out;
}

}  // namespace plenum
