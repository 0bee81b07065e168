// SPDX-License-Identifier: Apache-2.0
#include "solver/study/move_counts.h"

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "solver/graph/analysis.h"
#include "solver/study/look_through.h"
#include "variants/text/status_macros.h"

namespace plenum {

absl::StatusOr<Measures> count_moves(const Result& game, Ranks& ranks, const GoOnFn& go_on) {
  using ByStones = std::map<int, MoveCounts>;
  const auto see = [](std::span<const Result::MoveGlance> seen, ByStones& to) {
    for (const Result::MoveGlance& one : seen) to[one.stones] += one.counts;
    return absl::OkStatus();
  };
  const auto groups = look_at_moves<ByStones>(game, ranks, ranks.root() ? go_on : GoOnFn(), see);
  RETURN_IF_ERROR(ranks.agree(groups.status()));
  ByStones own;
  for (const ByStones& group : *groups) {
    for (const auto& [stones, counts] : group) own[stones] += counts;
  }
  return measures_of_ranks(own, ranks);
}

absl::StatusOr<std::optional<Measures>> measures_of(const Result& game, const MeasureLimits& limits, Ranks& ranks,
                                                    const GoOnFn& go_on) {
  const Summary& summary = game.summary();
  if (summary.measures || game.parts() == 0) return summary.measures;
  if (const SolvedGame* const graph = game.graph(); graph != nullptr) {
    const auto go_on_at_all = [&] { return !go_on || go_on(0); };
    ASSIGN_OR_RETURN(std::optional<Measures> found,
                     measure_play(*graph, limits.edges, limits.memory_bytes, limits.held_bytes, go_on_at_all));
    if (found) return found;
  } else if (summary.stored > limits.positions) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(Measures found, count_moves(game, ranks, go_on));
  return std::optional(std::move(found));
}

}  // namespace plenum
