// SPDX-License-Identifier: Apache-2.0
#include "solver/study/traps.h"

#include <algorithm>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include "solver/graph/lifted_components.h"
#include "solver/graph/shortest_lines.h"
#include "solver/support/parallel.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

void add_traps(Traps& sum, Traps&& more) {
  sum.count += more.count;
  sum.positions += more.positions;
  const bool smaller =
      !more.sizes.empty() && (sum.sizes.empty() || more.sizes.begin()->first < sum.sizes.begin()->first);
  const bool equal = !more.sizes.empty() && !smaller && more.sizes.begin()->first == sum.sizes.begin()->first;
  for (const auto& [size, count] : more.sizes) sum.sizes[size] += count;
  if (smaller) sum.smallest.clear();
  if (smaller || equal) std::move(more.smallest.begin(), more.smallest.end(), std::back_inserter(sum.smallest));
}

}  // namespace

Traps find_traps(const PositionGraph& graph, const Lifts& lifts, const Solution& solution) {
  std::vector<Traps> by_tier(graph.tiers());
  for_each_index(graph.tiers(), [&](std::size_t t) {
    LiftedComponents tier(graph, lifts, t, [&](PositionIndex p, PositionIndex q) {
      return solution.value[q] == 0 && solution.is_forced_cycle(p);
    });
    tier.find([&](const LiftedComponent& c) {
      Traps found{c.count, c.count * c.size, {{c.size, c.count}}, {{}}};
      for (const LocalIndex i : c.members) {
        const PositionIndex p = tier.position(i);
        for (const PositionIndex q : graph.successors(p)) {
          if (solution.value[q] == 0 && !tier.together(i, q)) return;  // play gets out of it
        }
        found.smallest.front().push_back(p);
      }
      add_traps(by_tier[t], std::move(found));
    });
  });
  Traps out;
  for (Traps& tier : by_tier) add_traps(out, std::move(tier));
  return out;
}

std::vector<std::size_t> shortest_cycle(const std::vector<TrapPosition>& positions) {
  std::vector<std::size_t> best;
  std::vector<std::size_t> parent(positions.size());
  std::vector<std::size_t> seen_by(positions.size(), positions.size());
  for (std::size_t begin = 0; begin < positions.size(); ++begin) {
    std::vector<std::size_t> layer = {begin};
    bool closed = false;
    for (std::size_t length = 1; !layer.empty() && !closed && (best.empty() || length < best.size()); ++length) {
      std::vector<std::size_t> next;
      for (std::size_t i = 0; i < layer.size() && !closed; ++i) {
        for (const std::size_t next_place : positions[layer[i]].leads_to) {
          if (next_place == kNotListed) continue;
          if (next_place == begin) {
            closed = true;
            best.assign(1, layer[i]);
            while (best.back() != begin) best.push_back(parent[best.back()]);
            std::reverse(best.begin(), best.end());
            break;
          }
          if (seen_by[next_place] == begin) continue;
          seen_by[next_place] = begin;
          parent[next_place] = layer[i];
          next.push_back(next_place);
        }
      }
      layer.swap(next);
    }
  }
  return best;
}

namespace {

// What moves that keep the value lead to from `begin`, it first, from near to far: at most kMostListed positions. Where there are more, a
// `whole` list is given up: it comes out longer than that.
absl::StatusOr<std::vector<TrapPosition>> kept_from(const Result& game, const Position& begin, bool whole,
                                                    const std::function<bool()>& go_on) {
  std::vector<TrapPosition> out;
  absl::flat_hash_map<std::string, std::size_t> place;
  const auto place_of = [&](const Position& p) {
    std::string name = game.variant().rules().write(p);
    if (const auto known = place.find(name); known != place.end()) return known->second;
    if (!whole && out.size() == kMostListed) return kNotListed;
    out.push_back({p, {}, {}});
    return place[std::move(name)] = out.size() - 1;
  };
  place_of(begin);
  for (std::size_t i = 0; i < out.size() && out.size() <= kMostListed; ++i) {
    if (!go_on()) return absl::CancelledError("interrupted");
    ASSIGN_OR_RETURN(std::vector<ValuedMove> moves, game.moves(out[i].position));
    for (const ValuedMove& move : moves) {
      const std::size_t to = move.keeps ? place_of(move.successor.position) : kNotListed;
      out[i].leads_to.push_back(to);
    }
    out[i].moves = std::move(moves);
  }
  return out;
}

// The trap that a line leads into: its positions from near to far, those of a shortest cycle first.
absl::StatusOr<std::optional<Trap>> listed(const Result& game, Line line, std::uint64_t size, std::uint64_t like_it) {
  Trap out;
  out.size = size;
  out.like_it = like_it;
  out.line = std::move(line);
  ASSIGN_OR_RETURN(out.positions, kept_from(game, out.line.end(), false, [] { return true; }));
  out.complete = out.size <= kMostListed;
  if (out.complete && out.positions.size() != out.size) return absl::InternalError("a trap is not closed");
  // Those of the cycle first.
  const std::vector<std::size_t> cycle = shortest_cycle(out.positions);
  out.cycle = cycle.size();
  std::vector<std::size_t> order = cycle;
  for (std::size_t i = 0; i < out.positions.size(); ++i) {
    if (std::find(cycle.begin(), cycle.end(), i) == cycle.end()) order.push_back(i);
  }
  std::vector<std::size_t> new_place(order.size());
  std::vector<TrapPosition> sorted;
  for (std::size_t k = 0; k < order.size(); ++k) {
    new_place[order[k]] = k;
    sorted.push_back(std::move(out.positions[order[k]]));
  }
  for (TrapPosition& p : sorted) {
    for (std::size_t& to : p.leads_to) {
      if (to != kNotListed) to = new_place[to];
    }
  }
  out.positions = std::move(sorted);
  return out;
}

// Of positions closed under moves that keep the value, the places of those that all lead back to one another: a part that nothing leaves.
std::vector<std::size_t> bottom_of(const std::vector<TrapPosition>& positions) {
  using Edges = std::vector<std::vector<std::size_t>>;
  Edges next(positions.size());
  Edges before(positions.size());
  for (std::size_t from = 0; from < positions.size(); ++from) {
    for (const std::size_t to : positions[from].leads_to) {
      if (to == kNotListed) continue;
      next[from].push_back(to);
      before[to].push_back(from);
    }
  }
  const auto reached_from = [](const Edges& edges, std::size_t begin) {
    std::vector<std::size_t> out = {begin};
    std::vector<bool> seen(edges.size(), false);
    seen[begin] = true;
    for (std::size_t i = 0; i < out.size(); ++i) {
      for (const std::size_t to : edges[out[i]]) {
        if (!seen[to]) out.push_back(to);
        seen[to] = true;
      }
    }
    return out;
  };
  std::size_t begin = 0;
  for (;;) {
    std::vector<std::size_t> part = reached_from(next, begin);
    std::vector<bool> returns(next.size(), false);
    for (const std::size_t i : reached_from(before, begin)) returns[i] = true;
    const auto left = std::find_if(part.begin(), part.end(), [&](std::size_t i) { return !returns[i]; });
    if (left == part.end()) return part;
    begin = *left;  // what it reaches is smaller, as `begin` is not in it
  }
}

}  // namespace

absl::StatusOr<std::optional<Trap>> smallest_trap(const Result& game, const Traps& traps) {
  if (traps.count == 0) return std::optional<Trap>();
  std::vector<bool> wanted(game.graph()->graph().size());
  for (const auto& trap : traps.smallest) {
    for (const PositionIndex p : trap) wanted[p] = true;
  }
  const auto in_trap = [&](PositionIndex p, GroupElement) { return wanted[p]; };
  ASSIGN_OR_RETURN(std::vector<Line> nearest, shortest_lines(*game.graph(), LinesFold::up_to_symmetry, in_trap, 1));
  return listed(game, std::move(nearest.front()), traps.sizes.begin()->first, traps.sizes.begin()->second);
}

absl::StatusOr<std::optional<Trap>> some_trap(const Result& game, const std::function<bool()>& go_on) {
  const auto forced = [&](const Position& p) -> absl::StatusOr<bool> {
    if (!go_on()) return absl::CancelledError("interrupted");
    ASSIGN_OR_RETURN(const PositionValue value, game.value(p));
    return value.forced_cycle;
  };
  ASSIGN_OR_RETURN(const std::vector<Line> nearest, game.shortest_lines(forced, 1));
  if (nearest.empty()) return std::optional<Trap>();
  ASSIGN_OR_RETURN(std::vector<TrapPosition> found, kept_from(game, nearest.front().end(), true, go_on));
  if (found.size() > kMostListed) return std::optional<Trap>();
  const std::vector<std::size_t> part = bottom_of(found);
  const Rules& rules = game.variant().rules();
  absl::flat_hash_set<std::string> wanted;
  for (const std::size_t i : part) wanted.insert(rules.write(found[i].position));
  std::vector<TrapPosition>().swap(found);  // with all their moves; listed again below
  const auto in_trap = [&](const Position& p) { return wanted.contains(rules.write(p)); };
  ASSIGN_OR_RETURN(std::vector<Line> line, game.shortest_lines(in_trap, 1));
  if (line.empty()) return std::optional<Trap>();
  return listed(game, std::move(line.front()), part.size(), 0);
}

}  // namespace plenum
