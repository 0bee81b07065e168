// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/measure.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include "solver/graph/erring_play.h"
#include "tables/for_each_index.h"

namespace plenum {
namespace {

// What is counted of all positions, each as often as it has images.
void count_all_moves(const Variant& variant, const PositionStore& store, const PositionGraph& graph,
                     const Solution& solution, const Lifts& lifts, Measures& out) {
  for (PositionIndex p = 0; p < graph.size(); ++p) {
    const std::uint64_t images = lifts.count(p);
    if (images == 0 || graph.ended(p)) continue;
    const MoveCounts counts = move_counts(graph, solution, p, images);
    out.all += counts;
    out.by_stones[variant.rules().stones(store.position(p))] += counts;
  }
}

// Ply by ply from the start, over positions and the cosets of their lifts.
std::map<std::uint32_t, MoveCounts> count_by_plies(const PositionGraph& graph, const Solution& solution,
                                                   const Lifts& lifts) {
  std::map<std::uint32_t, MoveCounts> out;
  std::vector<std::vector<std::uint8_t>> met(lifts.cosets(), std::vector<std::uint8_t>(graph.size(), 0));
  using Place = std::pair<PositionIndex, std::size_t>;
  std::vector<Place> level;
  std::vector<Place> next;
  std::vector<std::uint32_t> cosets(graph.size(), 0);  // of each position, at this ply
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
    for (const auto& [p, coset] : level) ++cosets[p];
    for (const auto& [p, coset] : level) {
      const std::uint32_t n = std::exchange(cosets[p], 0);
      if (n != 0 && !graph.ended(p)) out[plies] += move_counts(graph, solution, p, lifts.images(p, n));
      for (EdgeIndex e = graph.first_edge[p]; e < graph.first_edge[p + 1]; ++e)
        enter(graph.successor(e), lifts.along(coset, graph.edge_symmetry(e)));
    }
  }
  return out;
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

// All of these, by so many threads.
void do_all(const std::vector<std::function<void()>>& work, std::size_t threads) {
  std::atomic<std::size_t> next = 0;
  const auto do_some = [&](std::size_t /*thread*/) {
    for (std::size_t k = next++; k < work.size(); k = next++) work[k]();
  };
  if (threads == 1) return do_some(0);
  for_each_index(threads, do_some);
}

// All that is solved for, and the lines if they can be counted. Nothing where something was not solved. `together`: some results at a time.
std::optional<StartMeasures> solve_play(const PositionGraph& graph, const ErringPlay& play, bool cyclic, bool together,
                                        std::size_t threads) {
  constexpr std::size_t n = kErrors.size();
  StartMeasures out;
  out.grid.errors.assign(kErrors.begin(), kErrors.end());
  std::atomic<bool> whole = true;
  const auto enter = [&](const auto& found, auto& to) {
    if (!found) whole = false;
    if (found) to = *found;
  };
  std::vector<std::function<void()>> work;
  const auto add = [&](auto task) {
    work.emplace_back([&whole, task = std::move(task)] {
      if (whole) task();
    });
  };
  const auto measure_both = [&](double error, PlayMeasures& to) {
    add([&, error] { enter(play.measures({error, KeepingMove::any}, {error, KeepingMove::any}), to); });
  };
  measure_both(1, out.random);
  measure_both(StartMeasures::kUsualError, out.erring);
  if (!cyclic) add([&] { out.lines = count_lines(graph, play); });
  for (const KeepingMove keeping : {KeepingMove::quickest, KeepingMove::any}) {
    auto& rows = keeping == KeepingMove::quickest ? out.grid.quickest : out.grid.any;
    rows.assign(n, std::vector<PlayResult>(n));
    for (std::size_t i = 0; i < n; ++i) {
      const ErringPolicy first = {kErrors[i], keeping};
      std::array<ErringPolicy, n> seconds;
      for (std::size_t j = 0; j < n; ++j) seconds[j] = {kErrors[j], keeping};
      std::vector<PlayResult>& row = rows[i];
      if (together) {
        add([&, first, seconds] {
          std::array<PlayResult, n> results;
          enter(play.results(first, seconds), results);
          std::copy(results.begin(), results.end(), row.begin());
        });
      } else {
        for (std::size_t j = 0; j < n; ++j)
          add([&, first, second = seconds[j], j] { enter(play.result(first, second), row[j]); });
      }
    }
  }
  do_all(work, threads);
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
  const double unit = 1.0 / static_cast<double>(variant.rules().denominator());
  std::optional<ErringPlay> play;
  std::map<std::uint32_t, MoveCounts> by_plies;
  do_all({[&] { play.emplace(graph, solution, start.mover, unit, stop); },
          [&] { by_plies = count_by_plies(graph, solution, lifts); },
          [&] { count_all_moves(variant, store, graph, solution, lifts, out); }},
         threads);
  out.from_start = solve_play(graph, *play, cyclic, together, threads);
  if (!out.from_start) return std::nullopt;
  out.from_start->by_plies = std::move(by_plies);
  out.from_start->skill = skill_of(out.from_start->grid);
  return out;
}

}  // namespace plenum
