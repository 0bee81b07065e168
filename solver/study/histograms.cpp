// SPDX-License-Identifier: Apache-2.0
#include "solver/study/histograms.h"

#include <atomic>
#include <vector>

#include "solver/support/stop.h"
#include "tables/for_each_index.h"

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
  if (game.parts() == 0) return game.each(0, Result::Fold::none, {});
  const Rules& rules = game.variant().rules();
  std::vector<Histograms> parts(game.parts());
  std::vector<absl::Status> status(game.parts());
  std::atomic<std::uint64_t> looked = 0;
  Stop stop([&] { return !go_on || go_on(looked); });
  for_each_index(parts.size(), [&](std::size_t part) {
    if (stop.ask()) return;
    status[part] = game.each(part, Result::Fold::images, [&](std::span<const Result::Visit> all) -> absl::Status {
      if (stop.ask()) return absl::CancelledError("interrupted");
      for (const Result::Visit& seen : all) count_visit(seen, rules, parts[part]);
      return absl::OkStatus();
    });
    looked += parts[part].positions + parts[part].ended;
  });
  if (stop.stopped()) return absl::CancelledError("interrupted");
  Histograms out;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (!status[part].ok()) return status[part];
    merge(parts[part], out);
  }
  return out;
}

}  // namespace plenum
