// SPDX-License-Identifier: Apache-2.0
#include "solver/study/traps.h"

#include <algorithm>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include "solver/graph/lifted_components.h"
#include "solver/support/parallel.h"

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

// The trap that a line leads into: its positions from near to far, those of a shortest cycle first.
using MovesFn = std::function<absl::StatusOr<std::vector<ValuedMove>>(const Position&)>;
absl::StatusOr<std::optional<Trap>> listed(const MovesFn& moves_of, const Rules& rules, Line line, std::uint64_t size,
                                           std::uint64_t like_it) {
  Trap out;
  out.size = size;
  out.like_it = like_it;
  out.line = std::move(line);
  // The positions from near to far.
  absl::flat_hash_map<std::string, std::size_t> place;
  std::vector<Position> found;
  const auto place_of = [&](const Position& p) {
    const std::string name = rules.write(p);
    if (const auto known = place.find(name); known != place.end()) return known->second;
    if (found.size() == kMostListed) return kNotListed;
    place[name] = found.size();
    found.push_back(p);
    return found.size() - 1;
  };
  place_of(out.line.end());
  for (std::size_t i = 0; i < found.size(); ++i) {
    absl::StatusOr<std::vector<ValuedMove>> moves = moves_of(Position(found[i]));
    if (!moves.ok()) return moves.status();
    TrapPosition here{found[i], *std::move(moves), {}};
    for (const ValuedMove& move : here.moves)
      here.leads_to.push_back(move.keeps ? place_of(move.successor.position) : kNotListed);
    out.positions.push_back(std::move(here));
  }
  out.complete = out.size <= kMostListed;
  if (out.complete && found.size() != out.size) return absl::InternalError("a trap is not closed");
  // Those of the cycle first.
  const std::vector<std::size_t> cycle = shortest_cycle(out.positions);
  out.cycle = cycle.size();
  std::vector<std::size_t> order = cycle;
  for (std::size_t i = 0; i < found.size(); ++i) {
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

// Of a set of places closed under `next`, those that all lead back to one another: a part that nothing leaves.
std::vector<std::size_t> bottom_of(const std::vector<std::vector<std::size_t>>& next) {
  const auto reached_from = [](const std::vector<std::vector<std::size_t>>& edges, std::size_t begin) {
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
  std::vector<std::vector<std::size_t>> before(next.size());
  for (std::size_t from = 0; from < next.size(); ++from) {
    for (const std::size_t to : next[from]) before[to].push_back(from);
  }
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

absl::StatusOr<std::optional<Trap>> smallest_trap(const SolvedGame& game, const Traps& traps) {
  if (traps.count == 0) return std::optional<Trap>();
  std::vector<bool> wanted(game.graph().size());
  for (const auto& trap : traps.smallest) {
    for (const PositionIndex p : trap) wanted[p] = true;
  }
  const ShortestLines lines(game, ShortestLines::Fold::up_to_symmetry);
  absl::StatusOr<std::vector<Line>> nearest = lines.find([&](PositionIndex p, GroupElement) { return wanted[p]; }, 1);
  if (!nearest.ok()) return nearest.status();
  return listed([&](const Position& p) { return game.moves(p); }, game.variant().rules(), std::move(nearest->front()),
                traps.sizes.begin()->first, traps.sizes.begin()->second);
}

absl::StatusOr<std::optional<Trap>> some_trap(const Result& game, const std::function<bool()>& go_on) {
  const auto forced = [&](const Position& p) -> absl::StatusOr<bool> {
    if (!go_on()) return absl::CancelledError("interrupted");
    const absl::StatusOr<PositionValue> value = game.value(p);
    if (!value.ok()) return value.status();
    return value->forced_cycle;
  };
  const absl::StatusOr<std::vector<Line>> nearest = game.shortest_lines(forced, 1);
  if (!nearest.ok()) return nearest.status();
  if (nearest->empty()) return std::optional<Trap>();
  // All that play can lead to from there while both keep the value.
  std::vector<Position> found = {nearest->front().end()};
  std::vector<std::vector<std::size_t>> next;
  const Rules& rules = game.variant().rules();
  absl::flat_hash_map<std::string, std::size_t> place = {{rules.write(found[0]), 0}};
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!go_on()) return absl::CancelledError("interrupted");
    const absl::StatusOr<std::vector<ValuedMove>> moves = game.moves(Position(found[i]));
    if (!moves.ok()) return moves.status();
    next.emplace_back();
    for (const ValuedMove& move : *moves) {
      if (!move.keeps) continue;
      const auto [known, fresh] = place.emplace(rules.write(move.successor.position), found.size());
      if (fresh) found.push_back(move.successor.position);
      next.back().push_back(known->second);
    }
    if (found.size() > kMostListed) return std::optional<Trap>();
  }
  const std::vector<std::size_t> part = bottom_of(next);
  absl::flat_hash_set<std::string> wanted;
  for (const std::size_t i : part) wanted.insert(rules.write(found[i]));
  absl::StatusOr<std::vector<Line>> line =
      game.shortest_lines([&](const Position& p) { return wanted.contains(rules.write(p)); }, 1);
  if (!line.ok()) return line.status();
  if (line->empty()) return std::optional<Trap>();
  return listed([&](const Position& p) { return game.moves(p); }, rules, std::move(line->front()), part.size(), 0);
}

}  // namespace plenum
