// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/measure.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include "solver/graph/erring_play.h"

namespace plenum {
namespace {

MoveCounts& operator+=(MoveCounts& to, const MoveCounts& more) {
  to.positions += more.positions;
  to.decided += more.decided;
  to.single += more.single;
  to.critical += more.critical;
  to.quiet += more.quiet;
  to.moves += more.moves;
  to.keeping += more.keeping;
  return to;
}

// Of so many images of a stored position.
MoveCounts counts_of(const PositionGraph& graph, const Solution& solution, PositionIndex p, std::uint64_t images) {
  const auto next = graph.successors(p);
  const std::uint64_t moves = next.size();
  const auto keeping = static_cast<std::uint64_t>(
      std::count_if(next.begin(), next.end(), [&](auto q) { return solution.value[q] == -solution.value[p]; }));
  MoveCounts out;
  out.positions = images;
  out.decided = solution.value[p] != 0 ? images : 0;
  out.single = moves == 1 ? images : 0;
  out.critical = moves > 1 && keeping == 1 ? images : 0;
  out.quiet = moves > 1 && keeping == moves ? images : 0;
  out.moves = moves * images;
  out.keeping = keeping * images;
  return out;
}

// Ply by ply from the start, over positions and the cosets of their lifts.
void count_by_plies(const PositionGraph& graph, const Solution& solution, const Lifts& lifts, Measures& out) {
  std::vector<std::vector<std::uint8_t>> met(lifts.cosets(), std::vector<std::uint8_t>(graph.size(), 0));
  using Place = std::pair<PositionIndex, std::size_t>;
  std::vector<Place> level;
  std::vector<Place> next;
  const auto enter = [&](PositionIndex p, std::size_t coset) {
    for (const GroupElement x : graph.stabilizer_of(p)) {
      const std::size_t c = lifts.multiply(coset, x);
      if (met[c][p] != 0) continue;
      met[c][p] = 1;
      next.emplace_back(p, c);
    }
  };
  enter(graph.start, lifts.coset_of(graph.start_lift));
  for (std::uint32_t plies = 0; !next.empty(); ++plies) {
    level.swap(next);
    next.clear();
    std::sort(level.begin(), level.end());
    for (std::size_t i = 0, end = 0; i < level.size(); i = end) {
      const PositionIndex p = level[i].first;
      while (end < level.size() && level[end].first == p) ++end;
      if (graph.ended(p)) continue;
      out.by_plies[plies] += counts_of(graph, solution, p, lifts.images(p, end - i));
    }
    for (const auto& [p, coset] : level) {
      for (EdgeIndex e = graph.first_edge[p]; e < graph.first_edge[p + 1]; ++e)
        enter(graph.successor(e), lifts.along(coset, graph.edge_symmetry(e)));
    }
  }
}

std::string count_lines(const PositionGraph& graph, const ErringPlay& play) {
  using Number = boost::multiprecision::cpp_int;
  std::vector<Number> lines(graph.size());
  for (const std::uint32_t state : play.order()) {
    const PositionIndex p = ErringPlay::position(state);
    if (!lines[p].is_zero()) continue;  // with the other player to move
    if (graph.ended(p)) lines[p] = 1;
    for (const PositionIndex q : graph.successors(p)) lines[p] += lines[q];
  }
  return lines[graph.start].str();
}

std::optional<ErrorGrid> fill_grid(ErringPlay& play) {
  ErrorGrid out;
  out.errors = {0, 0.05, 0.1, 0.2, 0.5, 1};
  for (const KeepingMove keeping : {KeepingMove::quickest, KeepingMove::any}) {
    auto& rows = keeping == KeepingMove::quickest ? out.quickest : out.any;
    for (const double first : out.errors) {
      auto& row = rows.emplace_back();
      for (const double second : out.errors) {
        const std::optional<PlayResult> result = play.result({first, keeping}, {second, keeping});
        if (!result) return std::nullopt;
        row.push_back(*result);
      }
    }
  }
  return out;
}

double skill_of(const ErrorGrid& grid) {
  const PlayResult& as_first = grid.quickest.front().back();
  const PlayResult& as_second = grid.quickest.back().front();
  const auto score = [](double wins, const PlayResult& result) { return wins + (result.tie + result.endless) / 2; };
  return score(as_first.first, as_first) + score(as_second.second, as_second) - 1;
}

}  // namespace

std::optional<Measures> measure(const Variant& variant, const Position& start, const PositionStore& store,
                                const PositionGraph& graph, const Solution& solution, const Lifts& lifts, bool cyclic,
                                Stop* stop) {
  Measures out;
  for (PositionIndex p = 0; p < graph.size(); ++p) {
    const std::uint64_t images = lifts.count(p);
    if (images == 0 || graph.ended(p)) continue;
    const MoveCounts counts = counts_of(graph, solution, p, images);
    out.all += counts;
    out.by_stones[variant.rules().stones(store.position(p))] += counts;
  }
  count_by_plies(graph, solution, lifts, out);
  ErringPlay play(graph, solution, start.mover, 1.0 / static_cast<double>(variant.rules().denominator()), stop);
  const auto both = [&](ErringPolicy policy) { return play.measures(policy, policy); };
  const std::optional<PlayMeasures> random = both({1, KeepingMove::any});
  if (!random) return std::nullopt;
  const std::optional<PlayMeasures> erring = both({Measures::kUsualError, KeepingMove::any});
  if (!erring) return std::nullopt;
  std::optional<ErrorGrid> grid = fill_grid(play);
  if (!grid) return std::nullopt;
  out.random = *random;
  out.erring = *erring;
  out.grid = *std::move(grid);
  out.skill = skill_of(out.grid);
  if (!cyclic) out.lines = count_lines(graph, play);
  return out;
}

}  // namespace plenum
