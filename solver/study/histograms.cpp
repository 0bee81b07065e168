// SPDX-License-Identifier: Apache-2.0
#include "solver/study/histograms.h"

#include <vector>

#include "solver/study/look_through.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

void count_visits(std::span<const Result::Visit> all, const Rules& rules, Histograms& to) {
  for (const Result::Visit& seen : all) {
    if (seen.value.ended) {
      to.ended += seen.images;
      continue;
    }
    to.positions += seen.images;
    to.margins[seen.value.margin] += seen.images;
    if (seen.value.plies) to.plies[seen.value.plies->count] += seen.images;
    to.stones[rules.stones(seen.position)][static_cast<std::size_t>(seen.value.outcome)] += seen.images;
  }
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

absl::StatusOr<Histograms> histograms(const Result& game, const GoOnFn& go_on) {
  const auto see = [&rules = game.variant().rules()](std::span<const Result::Visit> seen, Histograms& to) {
    count_visits(seen, rules, to);
    return absl::OkStatus();
  };
  ASSIGN_OR_RETURN(const auto groups, look_through<Histograms>(game, Result::Fold::images, go_on, see));
  Histograms out;
  for (const Histograms& group : groups) merge(group, out);
  return out;
}

}  // namespace plenum
