// SPDX-License-Identifier: Apache-2.0
#include "solver/study/histograms.h"

#include <vector>

#include "solver/study/look_through.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

void keep_longer(const LongestWin& win, std::optional<LongestWin>& to) {
  if (!to || to->plies < win.plies) to = win;
}

void count_visits(std::span<const Result::Visit> all, const Rules& rules, Histograms& to) {
  for (const Result::Visit& seen : all) {
    if (seen.value.ended) {
      to.ended += seen.images;
      continue;
    }
    to.positions += seen.images;
    to.margins[seen.value.margin] += seen.images;
    if (seen.value.plies && seen.value.margin.margin.units != 0) {
      const std::uint32_t plies = seen.value.plies->count;
      const std::size_t winner = seen.value.margin.margin.units > 0 ? 0 : 1;
      to.plies[plies] += seen.images;
      to.wins[winner][plies] += seen.images;
      keep_longer({plies, seen.position}, to.longest[winner]);
    }
    to.stones[rules.stones(seen.position)][static_cast<std::size_t>(seen.value.outcome)] += seen.images;
  }
}

void merge(const Histograms& part, Histograms& to) {
  to.positions += part.positions;
  to.ended += part.ended;
  for (const auto& [margin, n] : part.margins) to.margins[margin] += n;
  for (const auto& [plies, n] : part.plies) to.plies[plies] += n;
  for (std::size_t who = 0; who < to.wins.size(); ++who) {
    for (const auto& [plies, n] : part.wins[who]) to.wins[who][plies] += n;
    if (part.longest[who]) keep_longer(*part.longest[who], to.longest[who]);
  }
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
