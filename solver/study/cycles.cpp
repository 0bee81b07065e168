// SPDX-License-Identifier: Apache-2.0
#include "solver/study/cycles.h"

#include <algorithm>
#include <string>

#include <absl/container/flat_hash_map.h>

#include "solver/graph/best_line.h"
#include "solver/study/look_through.h"
#include "solver/support/stop.h"

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
    const absl::StatusOr<std::vector<ValuedMove>> moves = game.moves(at);
    if (!moves.ok()) return moves.status();
    for (const ValuedMove& m : *moves) {
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

// Best play from a position worth a cycle, which comes back to some position.
absl::StatusOr<std::vector<LineMove>> best_play(const SolvedGame& game, const Position& begin) {
  BestLines best(game);
  absl::StatusOr<BestLine> line = best.from(begin);
  if (!line.ok()) return line.status();
  return std::move(line->moves);
}

// What is seen of one part.
struct PartCycles {
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

// With best play from there until a position comes back.
absl::StatusOr<CycleExample> example_of(const Result& game, Line line) {
  const Position end = line.end();
  const absl::StatusOr<PositionValue> value = game.value(end);
  if (!value.ok()) return value.status();
  absl::StatusOr<std::vector<ValuedMove>> moves = game.moves(end);
  if (!moves.ok()) return moves.status();
  absl::StatusOr<BestLine> round = game.line(end);
  if (!round.ok()) return round.status();
  return CycleExample{std::move(line), *value, *std::move(moves), std::move(round->moves)};
}

}  // namespace

absl::StatusOr<CycleStudy> study_cycles(const SolvedGame& game) {
  CycleStudy out;
  out.by_stones = count_by_stones(game);
  const Statistics& s = game.statistics();
  out.positions = s.reachable;
  out.all = total(out.by_stones);
  if (s.forced_cycle > 0) {
    out.traps = find_traps(game.graph(), game.lifts(), game.solution());
    absl::StatusOr<std::optional<Trap>> trap = smallest_trap(game, out.traps);
    if (!trap.ok()) return trap.status();
    out.trap = *std::move(trap);
    return out;
  }
  if (game.components()->count == 0) return out;
  const ShortestLines lines(game, ShortestLines::Fold::up_to_symmetry);
  absl::StatusOr<std::vector<Line>> nearest = lines.find(
      [&](PositionIndex p, GroupElement) {
        return !game.graph().ended(p) && (s.cycle > 0 ? game.solution().is_cycle(p) : game.components()->on_cycle(p));
      },
      1);
  if (!nearest.ok()) return nearest.status();
  const Position end = nearest->front().end();
  absl::StatusOr<std::vector<ValuedMove>> moves = game.moves(end);
  if (!moves.ok()) return moves.status();
  absl::StatusOr<std::vector<LineMove>> round = s.cycle > 0 ? best_play(game, end) : way_round(game, end);
  if (!round.ok()) return round.status();
  out.example = CycleExample{std::move(nearest->front()), *game.value(end), *std::move(moves), *std::move(round)};
  return out;
}

absl::StatusOr<CycleStudy> study_cycles(const Result& game, const std::function<bool(std::uint64_t)>& go_on) {
  if (game.graph() != nullptr) return study_cycles(*game.graph());
  CycleStudy out;
  out.graph_known = false;
  const Rules& rules = game.variant().rules();
  const absl::StatusOr<std::vector<PartCycles>> parts =
      look_through<PartCycles>(game, go_on, [&](const Result::Visit& seen, PartCycles& to) { to.add(seen, rules); });
  if (!parts.ok()) return parts.status();
  std::optional<Position> first;  // one that is forced, if there is any
  bool forced = false;
  for (const PartCycles& part : *parts) {
    out.positions += part.positions;
    for (const auto& [stones, n] : part.by_stones) out.by_stones[stones] += n;
    if (!first) first = part.cycle;
    if (!forced && part.forced) first = part.forced;
    forced = forced || part.forced;
  }
  // From here on what is looked at is few, and counted on.
  Stop stop([&] { return !go_on || go_on(out.positions); });
  out.all = total(out.by_stones);
  if (out.all.cycle == 0) return out;
  if (!game.summary().start_value) {
    absl::StatusOr<CycleExample> example = example_of(game, Line{*first, {}});
    if (!example.ok()) return example.status();
    out.example = *std::move(example);
    return out;
  }
  if (out.all.forced_cycle > 0) {
    absl::StatusOr<std::optional<Trap>> trap = some_trap(game, [&] { return !stop.ask(); });
    if (!trap.ok()) return trap.status();
    out.trap = *std::move(trap);
    if (out.trap) return out;
  }
  absl::StatusOr<std::vector<Line>> nearest = game.shortest_lines(
      [&](const Position& p) -> absl::StatusOr<bool> {
        if (stop.ask()) return absl::CancelledError("interrupted");
        const absl::StatusOr<PositionValue> value = game.value(p);
        if (!value.ok()) return value.status();
        return value->outcome == Outcome::cycle;
      },
      1);
  if (!nearest.ok()) return nearest.status();
  if (nearest->empty()) return out;
  absl::StatusOr<CycleExample> example = example_of(game, std::move(nearest->front()));
  if (!example.ok()) return example.status();
  out.example = *std::move(example);
  return out;
}

}  // namespace plenum
