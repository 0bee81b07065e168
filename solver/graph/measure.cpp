// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/measure.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include "solver/graph/erring_play.h"
#include "tables/for_each_index.h"

namespace plenum {
namespace {

// Ply by ply from the start, over positions and the cosets of their lifts.
void count_by_plies(const PositionGraph& graph, const Solution& solution, const Lifts& lifts, StartMeasures& out) {
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
      out.by_plies[plies] += move_counts(graph, solution, p, lifts.images(p, end - i));
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

constexpr std::array<double, ErringPlay::kTogether> kErrors = {0, 0.05, 0.1, 0.2, 0.5, 1};

// All that is solved for, by `threads` of them at a time. Nothing where something was not. `together`: some results at a time.
std::optional<StartMeasures> solve_play(const ErringPlay& play, bool together, std::size_t threads) {
  constexpr std::size_t n = kErrors.size();
  StartMeasures out;
  out.grid.errors.assign(kErrors.begin(), kErrors.end());
  for (auto* const rows : {&out.grid.quickest, &out.grid.any}) rows->assign(n, std::vector<PlayResult>(n));
  const ErringPolicy random = {1, KeepingMove::any};
  const ErringPolicy erring = {StartMeasures::kUsualError, KeepingMove::any};
  std::atomic<bool> whole = true;
  const auto enter = [&](const auto& found, auto& to) {
    if (!found) whole = false;
    if (found) to = *found;
  };
  const auto solve_one = [&](std::size_t k) {
    if (!whole) return;
    if (k == 0) return enter(play.measures(random, random), out.random);
    if (k == 1) return enter(play.measures(erring, erring), out.erring);
    const std::size_t cell = (k - 2) * (together ? n : 1);
    const KeepingMove keeping = cell < n * n ? KeepingMove::quickest : KeepingMove::any;
    std::vector<PlayResult>& row = (cell < n * n ? out.grid.quickest : out.grid.any)[cell / n % n];
    const ErringPolicy first = {kErrors[cell / n % n], keeping};
    std::array<ErringPolicy, n> seconds;
    for (std::size_t i = 0; i < n; ++i) seconds[i] = {kErrors[i], keeping};
    if (!together) return enter(play.result(first, seconds[cell % n]), row[cell % n]);
    std::array<PlayResult, n> results;
    enter(play.results(first, seconds), results);
    std::copy(results.begin(), results.end(), row.begin());
  };
  std::atomic<std::size_t> next = 0;
  const auto solve_some = [&] {
    for (std::size_t k = next++; k < 2 + 2 * n * (together ? 1 : n); k = next++) solve_one(k);
  };
  if (threads == 1) {
    solve_some();
  } else {
    for_each_index(threads, [&](std::size_t /*thread*/) { solve_some(); });
  }
  return whole ? std::optional(std::move(out)) : std::nullopt;
}

double skill_of(const ErrorGrid& grid) {
  const PlayResult& as_first = grid.quickest.front().back();
  const PlayResult& as_second = grid.quickest.back().front();
  const auto score = [](double wins, const PlayResult& result) { return wins + (result.tie + result.endless) / 2; };
  return score(as_first.first, as_first) + score(as_second.second, as_second) - 1;
}

}  // namespace

MoveCounts move_counts(const PositionGraph& graph, const Solution& solution, PositionIndex p, std::uint64_t images) {
  const auto next = graph.successors(p);
  const auto keeping = static_cast<std::uint64_t>(
      std::count_if(next.begin(), next.end(), [&](auto q) { return solution.value[q] == -solution.value[p]; }));
  return MoveCounts::of(images, solution.value[p] != 0, next.size(), keeping);
}

std::optional<Measures> measure(const Variant& variant, const Position& start, const PositionStore& store,
                                const PositionGraph& graph, const Solution& solution, const Lifts& lifts, bool cyclic,
                                bool together, std::size_t threads, Stop* stop) {
  Measures out;
  for (PositionIndex p = 0; p < graph.size(); ++p) {
    const std::uint64_t images = lifts.count(p);
    if (images == 0 || graph.ended(p)) continue;
    const MoveCounts counts = move_counts(graph, solution, p, images);
    out.all += counts;
    out.by_stones[variant.rules().stones(store.position(p))] += counts;
  }
  const double unit = 1.0 / static_cast<double>(variant.rules().denominator());
  const ErringPlay play(graph, solution, start.mover, unit, stop);
  out.from_start = solve_play(play, together, threads);
  if (!out.from_start) return std::nullopt;
  count_by_plies(graph, solution, lifts, *out.from_start);
  out.from_start->skill = skill_of(out.from_start->grid);
  if (!cyclic) out.from_start->lines = count_lines(graph, play);
  return out;
}

}  // namespace plenum
