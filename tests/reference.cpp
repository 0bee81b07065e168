// SPDX-License-Identifier: Apache-2.0
#include "tests/reference.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

namespace plenum::reference {
namespace {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

using Wanted = std::function<bool(MarginRank)>;

// Where the mover, and where the opponent, can force the game to end with a wanted margin. `wanted` judges margins
// as the player sees them who forces.
std::pair<Set, Set> can_force(const PositionGraph& graph, const Wanted& wanted) {
  Set mover(graph.size(), false);
  Set other(graph.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (PositionIndex p = 0; p < graph.size(); ++p) {
      bool mover_can = false;
      bool other_can = false;
      if (graph.ended(p)) {
        mover_can = wanted(graph.end_rank[p]);
        other_can = wanted(-graph.end_rank[p]);
      } else {
        const auto next = graph.successors(p);
        mover_can = std::any_of(next.begin(), next.end(), [&](auto q) { return other[q]; });
        other_can = std::all_of(next.begin(), next.end(), [&](auto q) { return mover[q]; });
      }
      changed |= mover_can != mover[p] || other_can != other[p];
      mover[p] = mover_can;
      other[p] = other_can;
    }
  }
  return {mover, other};
}

std::vector<MarginRank> values(const PositionGraph& graph) {
  std::vector<MarginRank> value(graph.size(), 0);
  for (MarginRank t = 1; t < static_cast<MarginRank>(graph.level.size()); ++t) {
    const auto [wins, losses] = can_force(graph, [t](MarginRank rank) { return rank >= t; });
    for (PositionIndex p = 0; p < graph.size(); ++p) {
      if (wins[p]) value[p] = t;
      if (losses[p]) value[p] = -t;
    }
  }
  return value;
}

// The plies of best play when it is broken off, unfinished, after one ply more with each sweep.
std::vector<std::uint32_t> remoteness(const PositionGraph& graph, const std::vector<MarginRank>& value) {
  std::vector<std::uint32_t> plies(graph.size(), kNever);
  for (PositionIndex p = 0; p < graph.size(); ++p) {
    if (graph.ended(p)) plies[p] = 0;
  }
  for (std::vector<std::uint32_t> before; before != plies;) {
    before = plies;
    for (PositionIndex p = 0; p < graph.size(); ++p) {
      if (graph.ended(p) || value[p] == 0) continue;
      std::vector<std::uint32_t> after;
      for (const PositionIndex q : graph.successors(p)) {
        if (value[q] == -value[p]) after.push_back(before[q]);
      }
      const std::uint32_t best =
          value[p] > 0 ? *std::min_element(after.begin(), after.end()) : *std::max_element(after.begin(), after.end());
      plies[p] = best == kNever ? kNever : best + 1;
    }
  }
  for (PositionIndex p = 0; p < graph.size(); ++p) {
    if (value[p] == 0) plies[p] = 0;
  }
  return plies;
}

Set end_reachable(const PositionGraph& graph, const std::vector<MarginRank>& value) {
  Set reached(graph.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (PositionIndex p = 0; p < graph.size(); ++p) {
      if (reached[p] || value[p] != 0) continue;
      const auto next = graph.successors(p);
      if (graph.ended(p) || std::any_of(next.begin(), next.end(), [&](auto q) { return reached[q]; })) {
        reached[p] = changed = true;
      }
    }
  }
  return reached;
}

}  // namespace

NaiveSolution solve(const PositionGraph& graph) {
  NaiveSolution s;
  s.value = values(graph);
  s.remoteness = remoteness(graph, s.value);
  std::tie(s.mover_ends, s.other_ends) = can_force(graph, [](MarginRank rank) { return rank >= 0; });
  std::tie(s.mover_forces_end, s.other_forces_end) = can_force(graph, [](MarginRank) { return true; });
  s.end_reachable = end_reachable(graph, s.value);
  for (PositionIndex p = 0; p < graph.size(); ++p) {
    s.cycle.push_back(s.value[p] == 0 && !s.mover_ends[p] && !s.other_ends[p]);
    s.forced_cycle.push_back(s.cycle[p] && !s.end_reachable[p]);
  }
  return s;
}

Set reachable(const Digraph& graph, std::size_t start) {
  Set reached(graph.size(), false);
  std::vector<std::size_t> stack = {start};
  reached[start] = true;
  while (!stack.empty()) {
    const std::size_t p = stack.back();
    stack.pop_back();
    for (const std::size_t q : graph[p]) {
      if (reached[q]) continue;
      reached[q] = true;
      stack.push_back(q);
    }
  }
  return reached;
}

NaiveComponents components(const Digraph& graph, std::size_t start) {
  // after[p]: what can be reached from p by one ply or more.
  std::vector<Set> after(graph.size(), Set(graph.size(), false));
  const Set reached = reachable(graph, start);
  for (std::size_t p = 0; p < graph.size(); ++p) {
    if (!reached[p]) continue;
    for (const std::size_t q : graph[p]) {
      const Set from_q = reachable(graph, q);
      for (std::size_t r = 0; r < graph.size(); ++r) after[p][r] = after[p][r] || from_q[r];
    }
  }
  NaiveComponents result;
  result.on_cycle.assign(graph.size(), false);
  for (std::size_t p = 0; p < graph.size(); ++p) {
    if (!reached[p] || !after[p][p] || result.on_cycle[p]) continue;
    std::uint64_t size = 0;
    for (std::size_t q = 0; q < graph.size(); ++q) {
      if (!after[p][q] || !after[q][p]) continue;
      result.on_cycle[q] = true;
      ++size;
    }
    ++result.count;
    result.largest = std::max(result.largest, size);
    result.positions += size;
  }
  return result;
}

NaiveTraps traps(const Digraph& keeping, const Set& reached, const Set& ended) {
  NaiveTraps out;
  std::vector<Set> from(keeping.size());
  Set done(keeping.size(), false);
  for (std::size_t p = 0; p < keeping.size(); ++p) {
    if (!keeping[p].empty()) from[p] = reachable(keeping, p);
  }
  out.smallest.assign(keeping.size(), false);
  for (std::size_t p = 0; p < keeping.size(); ++p) {
    if (!reached[p] || keeping[p].empty() || done[p]) continue;
    bool closed = true;
    std::uint64_t size = 0;
    for (std::size_t q = 0; q < keeping.size(); ++q) {
      if (!from[p][q]) continue;
      ++size;
      closed = closed && !ended[q] && from[q] == from[p];
    }
    if (!closed) continue;
    if (out.sizes.empty() || size < out.sizes.begin()->first) out.smallest.assign(keeping.size(), false);
    ++out.sizes[size];
    for (std::size_t q = 0; q < keeping.size(); ++q) {
      if (!from[p][q]) continue;
      done[q] = true;
      if (size == out.sizes.begin()->first) out.smallest[q] = true;
    }
  }
  return out;
}

std::vector<std::uint32_t> distances(const Digraph& graph, std::size_t start) {
  std::vector<std::uint32_t> out(graph.size(), kUnreachable);
  std::vector<std::size_t> queue = {start};
  out[start] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const std::size_t q : graph[queue[i]]) {
      if (out[q] != kUnreachable) continue;
      out[q] = out[queue[i]] + 1;
      queue.push_back(q);
    }
  }
  return out;
}

}  // namespace plenum::reference
