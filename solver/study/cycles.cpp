// SPDX-License-Identifier: Apache-2.0
#include "solver/study/cycles.h"

#include <algorithm>
#include <string>

#include <absl/container/flat_hash_map.h>

#include "solver/graph/shortest_lines.h"
#include "solver/study/look_through.h"
#include "solver/support/stop.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kMostTried = 20'000;  // positions looked at for a way back

std::map<int, CycleCounts> count_by_stones(const SolvedGame& game) {
  std::map<int, CycleCounts> out;
  const PositionGraph& graph = game.graph();
  for (PositionIndex p = 0; p < graph.size(); ++p) {
    if (graph.ended(p)) continue;
    const std::uint64_t n = game.lifts().count(p);
    CycleCounts& counts = out[game.variant().rules().stones(game.store().position(p))];
    counts.going_on += n;
    counts.on_cycles += game.components()->on_cycle(p) ? n : 0;
    counts.cycle += game.solution().is_cycle(p) ? n : 0;
    counts.forced_cycle += game.solution().is_forced_cycle(p) ? n : 0;
  }
  return out;
}

CycleCounts total(const std::map<int, CycleCounts>& by_stones) {
  CycleCounts out;
  for (const auto& [stones, n] : by_stones) out += n;
  return out;
}

// A shortest sequence of moves from `begin` back to it, among positions that lie on cycles.
absl::StatusOr<std::vector<LineMove>> way_round(const SolvedGame& game, const Position& begin) {
  struct Node {
    std::size_t parent;
    LineMove move;
  };
  const Variant& variant = game.variant();
  std::vector<Node> nodes = {{0, {"", false, begin}}};
  absl::flat_hash_map<std::string, bool> seen;
  for (std::size_t i = 0; i < nodes.size() && nodes.size() < kMostTried; ++i) {
    const Position at = nodes[i].move.after;
    ASSIGN_OR_RETURN(const std::vector<ValuedMove> moves, game.moves(at));
    for (const ValuedMove& m : moves) {
      const Position& next = m.successor.position;
      if (next == begin) {
        std::vector<LineMove> out = {{m.successor.text, !m.keeps, next}};
        for (; i != 0; i = nodes[i].parent) out.push_back(nodes[i].move);
        std::reverse(out.begin(), out.end());
        return out;
      }
      const auto p = game.store().find(variant.symmetries().canonical(next).position);
      if (!p || m.after.ended || !game.components()->on_cycle(*p)) continue;
      if (!seen.emplace(variant.rules().write(next), true).second) continue;
      nodes.push_back({i, {m.successor.text, !m.keeps, next}});
    }
  }
  return std::vector<LineMove>();
}

// What is seen of one group of parts.
struct GroupCycles {
  std::uint64_t positions = 0;
  std::map<int, CycleCounts> by_stones;
  std::optional<Position> cycle;  // the first met
  std::optional<Position> forced;

  void add(const Result::Visit& seen, const Rules& rules) {
    positions += seen.images;
    if (seen.value.ended) return;
    CycleCounts& counts = by_stones[rules.stones(seen.position)];
    counts.going_on += seen.images;
    if (seen.value.outcome != Outcome::cycle) return;
    counts.cycle += seen.images;
    counts.forced_cycle += seen.value.forced_cycle ? seen.images : 0;
    if (!cycle) cycle = seen.position;
    if (!forced && seen.value.forced_cycle) forced = seen.position;
  }
};

absl::StatusOr<CycleExample> example_of(const Result& game, Line line) {
  CycleExample out;
  out.line = std::move(line);
  const Position end = out.line.end();
  ASSIGN_OR_RETURN(out.value, game.value(end));
  ASSIGN_OR_RETURN(out.moves, game.moves(end));
  if (game.graph() != nullptr && out.value.outcome != Outcome::cycle) {
    ASSIGN_OR_RETURN(out.round, way_round(*game.graph(), end));
    return out;
  }
  ASSIGN_OR_RETURN(BestLine round, game.line(end));
  out.round = std::move(round.moves);
  return out;
}

absl::StatusOr<CycleStudy> study_graph(const Result& result) {
  const SolvedGame& game = *result.graph();
  const Statistics& s = game.statistics();
  CycleStudy out;
  out.by_stones = count_by_stones(game);
  out.positions = s.reachable;
  out.all = total(out.by_stones);
  if (s.forced_cycle > 0) {
    out.traps = find_traps(game.graph(), game.lifts(), game.solution());
    ASSIGN_OR_RETURN(out.trap, smallest_trap(result, out.traps));
    return out;
  }
  if (game.components()->count == 0) return out;
  const auto on_cycle = [&](PositionIndex p, GroupElement) {
    return !game.graph().ended(p) && (s.cycle > 0 ? game.solution().is_cycle(p) : game.components()->on_cycle(p));
  };
  ASSIGN_OR_RETURN(std::vector<Line> nearest, shortest_lines(game, LinesFold::up_to_symmetry, on_cycle, 1));
  ASSIGN_OR_RETURN(out.example, example_of(result, std::move(nearest.front())));
  return out;
}

}  // namespace

absl::StatusOr<CycleStudy> study_cycles(const Result& game, const GoOnFn& go_on) {
  if (game.graph() != nullptr) return study_graph(game);
  CycleStudy out;
  out.graph_known = false;
  const auto see = [&rules = game.variant().rules()](std::span<const Result::Visit> seen, GroupCycles& to) {
    for (const Result::Visit& visit : seen) to.add(visit, rules);
    return absl::OkStatus();
  };
  ASSIGN_OR_RETURN(const auto groups, look_through<GroupCycles>(game, Result::Fold::images, go_on, see));
  std::optional<Position> first;  // one that is forced, if there is any
  bool forced = false;
  for (const GroupCycles& group : groups) {
    out.positions += group.positions;
    for (const auto& [stones, n] : group.by_stones) out.by_stones[stones] += n;
    if (!first) first = group.cycle;
    if (!forced && group.forced) first = group.forced;
    forced = forced || group.forced;
  }
  // From here on what is looked at is few, and counted on.
  Stop stop([&] { return !go_on || go_on(out.positions); });
  out.all = total(out.by_stones);
  if (out.all.cycle == 0) return out;
  if (!game.summary().start_value) {
    ASSIGN_OR_RETURN(out.example, example_of(game, Line{*first, {}}));
    return out;
  }
  if (out.all.forced_cycle > 0) {
    ASSIGN_OR_RETURN(out.trap, some_trap(game, [&] { return !stop.ask(); }));
    if (out.trap) return out;
    out.trap_not_found = true;
  }
  const auto is_cycle = [&](const Position& p) -> absl::StatusOr<bool> {
    if (stop.ask()) return absl::CancelledError("interrupted");
    ASSIGN_OR_RETURN(const PositionValue value, game.value(p));
    return value.outcome == Outcome::cycle;
  };
  ASSIGN_OR_RETURN(std::vector<Line> nearest, game.shortest_lines(is_cycle, 1));
  if (nearest.empty()) return out;
  ASSIGN_OR_RETURN(out.example, example_of(game, std::move(nearest.front())));
  return out;
}

}  // namespace plenum
