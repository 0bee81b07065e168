// SPDX-License-Identifier: Apache-2.0
#include "variants/graph/move_deltas.h"

#include <bit>
#include <optional>

#include "variants/graph/cell_contents.h"

namespace plenum {
namespace {

// The kind on a plane for a given mover; nullopt for a plane that no kind of that owner uses.
std::optional<std::size_t> kind_on(const RuleSet& rules, int plane, Player mover) {
  for (std::size_t k = 0; k < rules.kinds.size(); ++k) {
    if (plane_for(rules.plane_of(k), mover) == plane) return k;
  }
  return std::nullopt;
}

// The change of "somebody is noted" that an assigned player node can make: +1 only, if it is never nobody.
Interval noted_change(const RuleGraph& graph, NodeId after, std::size_t slot) {
  const RuleNode& n = graph.node(after);
  if (slot_read(n) == slot) return {0, 0};
  if (n.op == NodeOp::player_constant) return n.value == 0 ? Interval{-1, 0} : Interval{0, 1};
  if (n.op == NodeOp::select_player) {
    const Interval a = noted_change(graph, n.args[1], slot);
    const Interval b = noted_change(graph, n.args[2], slot);
    return {std::min(a.least, b.least), std::max(a.greatest, b.greatest)};
  }
  return {-1, 1};
}

// The change of a number: assigned `old + constant`, old, or a choice of such; else anything.
Interval number_change(const RuleSet& rules, NodeId after, std::size_t slot) {
  const RuleNode& n = rules.graph.node(after);
  if (n.op == NodeOp::select_number) {
    const Interval a = number_change(rules, n.args[1], slot);
    const Interval b = number_change(rules, n.args[2], slot);
    return {std::min(a.least, b.least), std::max(a.greatest, b.greatest)};
  }
  const Linear form = rules.graph.as_form(after);
  if (form.terms.size() == 1 && form.terms[0].second == 1) {
    const RuleNode& old = rules.graph.node(form.terms[0].first);
    if (slot_read(old) == slot) return {form.constant, form.constant};
  }
  const std::int64_t span = rules.slots[slot].range.greatest - rules.slots[slot].range.least;
  return {-span, span};
}

// One part of a move, by what it puts and what the cells it touches hold before: a combination each.
std::vector<MoveDelta> part_changes(const RuleSet& rules, const MoveRule& move, Player mover) {
  std::vector<MoveDelta> out;
  const int nothing = rules.layout.count();
  const CellContents only_nothing = nothing_bit(rules);
  const auto kind_at = [&](int plane) {
    const auto kind = plane < 0 || plane == nothing ? std::nullopt : kind_on(rules, plane, mover);
    return kind ? static_cast<int>(*kind) : -1;
  };
  MoveDelta base;
  base.kinds.assign(rules.kinds.size(), {0, 0});
  const auto add_flow = [&](CellContents from, int to) {
    for (int plane = 0; plane <= nothing; ++plane) {
      if (((from >> plane) & 1) != 0 && plane != (to < 0 ? nothing : to))
        base.flows.emplace_back(kind_at(plane), kind_at(to));
    }
  };
  for (const Transition& t : move.transitions) add_flow(t.from, plane_for(t.to, mover));
  if (move.lift >= 0) add_flow(contents(rules, move.lift), -1);
  for (std::size_t s = 0; s < rules.slots.size(); ++s) {
    const StateSlot& slot = rules.slots[s];
    base.slots.push_back({0, 0});
    base.noted.push_back({0, 0});
    if (!slot.live || !move.has_effect) continue;
    if (slot.type == StateDescription::Type::number) base.slots.back() = number_change(rules, move.state_after[s], s);
    if (slot.type == StateDescription::Type::player)
      base.noted.back() = noted_change(rules.graph, move.state_after[s], s);
  }
  const std::size_t puts = move.kind == MoveRule::Kind::place ? move.put.size() : 1;
  const std::int64_t cells = move.placements.empty() ? 1 : std::popcount(move.placements[0]);
  const CellContents at_to = move.to >= 0 ? contents(rules, move.to) : only_nothing;
  const CellContents at_from = move.from >= 0 ? contents(rules, move.from) : only_nothing;
  for (std::size_t choice = 0; choice < puts; ++choice) {
    for (int to = 0; to <= nothing; ++to) {
      if (((at_to >> to) & 1) == 0) continue;
      for (int from = 0; from <= nothing; ++from) {
        if (((at_from >> from) & 1) == 0) continue;
        MoveDelta change = base;
        const auto add = [&](int plane, std::int64_t least, std::int64_t greatest) {
          const int kind = kind_at(plane);
          if (kind < 0) return;
          change.kinds[static_cast<std::size_t>(kind)].least += least;
          change.kinds[static_cast<std::size_t>(kind)].greatest += greatest;
        };
        // The cells of a shape may hold different things.
        if (move.to >= 0) add(to, -cells, cells == 1 ? -1 : 0);
        if (move.kind == MoveRule::Kind::place) add(plane_for(move.put[choice], mover), cells, cells);
        if (move.kind == MoveRule::Kind::remove) add(from, -1, -1);
        if (cells > 1) {
          for (int other = 0; other < nothing; ++other) {
            if (other != to && ((at_to >> other) & 1) != 0) add(other, -cells, 0);
          }
        }
        out.push_back(std::move(change));
      }
    }
  }
  return out;
}

}  // namespace

std::vector<MoveDelta> move_deltas(const RuleSet& rules, const MoveRule& move, Player mover) {
  std::vector<MoveDelta> out = part_changes(rules, move, mover);
  for (int next = move.next; next >= 0; next = rules.parts[static_cast<std::size_t>(next)].next) {
    const std::vector<MoveDelta> further = part_changes(rules, rules.parts[static_cast<std::size_t>(next)], mover);
    const std::size_t before = out.size();
    for (std::size_t i = 0; i < before; ++i) {
      for (const MoveDelta& more : further) {
        MoveDelta sum = out[i];
        const auto add = [](std::vector<Interval>& to, const std::vector<Interval>& by) {
          for (std::size_t k = 0; k < to.size(); ++k) {
            to[k].least += by[k].least;
            to[k].greatest += by[k].greatest;
          }
        };
        add(sum.kinds, more.kinds);
        add(sum.slots, more.slots);
        add(sum.noted, more.noted);
        sum.flows.insert(sum.flows.end(), more.flows.begin(), more.flows.end());
        out.push_back(std::move(sum));
      }
    }
  }
  return out;
}

StateChange state_change(const RuleSet& rules, const MoveRule& step, std::size_t slot) {
  const StateSlot& state = rules.slots[slot];
  StateChange out;
  if (!state.live || !step.has_effect) return out;
  if (state.type == StateDescription::Type::number) out.number = number_change(rules, step.state_after[slot], slot);
  if (state.type == StateDescription::Type::player) out.noted = noted_change(rules.graph, step.state_after[slot], slot);
  return out;
}

Interval weighed(const RuleSet& rules, const MoveDelta& change, const std::vector<int>& kind_weight,
                 const std::vector<int>& slot_weight) {
  Interval out{0, 0};
  const auto add = [&](int weight, const Interval& by) {
    out.least += weight > 0 ? weight * by.least : weight * by.greatest;
    out.greatest += weight > 0 ? weight * by.greatest : weight * by.least;
  };
  for (std::size_t k = 0; k < kind_weight.size(); ++k) add(kind_weight[k], change.kinds[k]);
  const auto weight = [&](int kind) { return kind < 0 ? 0 : kind_weight[static_cast<std::size_t>(kind)]; };
  for (const auto& [from, to] : change.flows) {  // any number of cells
    const int gain = weight(to) - weight(from);
    (gain > 0 ? out.greatest : out.least) += std::int64_t{gain} * rules.board.size();
  }
  for (std::size_t s = 0; s < slot_weight.size(); ++s) add(slot_weight[s], change.slots[s]);
  return out;
}

}  // namespace plenum
