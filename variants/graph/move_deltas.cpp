// SPDX-License-Identifier: Apache-2.0
#include "variants/graph/move_deltas.h"

#include <algorithm>
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

// The values of a number for which a condition may hold, as far as its parts compare the number with constants.
Interval values_where(const RuleSet& rules, NodeId condition, std::size_t slot) {
  Interval out = rules.slots[slot].range;
  const RuleNode& whole = rules.graph.node(condition);
  for (const NodeId part : whole.op == NodeOp::conjunction ? whole.args : std::vector<NodeId>{condition}) {
    const RuleNode& first = rules.graph.node(part);
    const bool less = first.op == NodeOp::complement;
    const RuleNode& n = less ? rules.graph.node(first.args[0]) : first;
    if (n.op != NodeOp::at_least || n.args.size() != 1 || n.coefficients[0] != 1) continue;
    if (slot_read(rules.graph.node(n.args[0])) != slot) continue;
    const auto bound = static_cast<std::int64_t>(n.value);
    (less ? out.greatest : out.least) = less ? std::min(out.greatest, bound - 1) : std::max(out.least, bound);
  }
  return out.least <= out.greatest ? out : rules.slots[slot].range;
}

// The change of a number that is one of `before`: assigned `old + constant`, old, or a choice of such; else as far as it may be.
Interval number_change(const RuleSet& rules, NodeId after, std::size_t slot, const Interval& before) {
  const RuleNode& n = rules.graph.node(after);
  if (n.op == NodeOp::select_number) {
    const Interval a = number_change(rules, n.args[1], slot, before);
    const Interval b = number_change(rules, n.args[2], slot, before);
    return {std::min(a.least, b.least), std::max(a.greatest, b.greatest)};
  }
  const Linear form = rules.graph.as_form(after);
  if (form.terms.size() == 1 && form.terms[0].second == 1) {
    const RuleNode& old = rules.graph.node(form.terms[0].first);
    if (slot_read(old) == slot) return {form.constant, form.constant};
  }
  Interval later = rules.slots[slot].range;
  if (form.terms.empty()) later = {form.constant, form.constant};
  return {later.least - before.greatest, later.greatest - before.least};
}

// The kind on a plane; -1: nothing, or a plane that no kind uses.
int kind_at(const RuleSet& rules, int plane, Player mover) {
  const auto kind = plane < 0 || plane == rules.layout.count() ? std::nullopt : kind_on(rules, plane, mover);
  return kind ? static_cast<int>(*kind) : -1;
}

void add_flow(const RuleSet& rules, CellContents from, int to, Player mover, MoveDelta& change) {
  const int nothing = rules.layout.count();
  for (int plane = 0; plane <= nothing; ++plane) {
    if (((from >> plane) & 1) != 0 && plane != (to < 0 ? nothing : to))
      change.flows.emplace_back(kind_at(rules, plane, mover), kind_at(rules, to, mover));
  }
}

// What a part changes besides its bare move.
MoveDelta effect_changes(const RuleSet& rules, const MoveRule& move, Player mover) {
  MoveDelta base;
  base.kinds.assign(rules.kinds.size(), {0, 0});
  for (const Transition& t : move.transitions)
    if (!t.carried) add_flow(rules, t.from, plane_for(t.to, mover), mover, base);
  if (move.lift >= 0) add_flow(rules, contents(rules, move.lift), -1, mover, base);
  for (std::size_t s = 0; s < rules.slots.size(); ++s) {
    const StateSlot& slot = rules.slots[s];
    base.slots.push_back({0, 0});
    base.noted.push_back({0, 0});
    if (!slot.live || !move.has_effect) continue;
    if (slot.type == StateDescription::Type::number)
      base.slots.back() = number_change(rules, move.state_after[s], s, values_where(rules, move.when, s));
    if (slot.type == StateDescription::Type::player)
      base.noted.back() = noted_change(rules.graph, move.state_after[s], s);
  }
  return base;
}

// A part that may be made any number of times: what it does to a cell, to any number of cells.
MoveDelta repeated_changes(const RuleSet& rules, const MoveRule& part, Player mover) {
  MoveDelta out = effect_changes(rules, part, mover);
  out.repeated = true;
  const CellContents at_to = part.to >= 0 ? contents(rules, part.to) : 0;
  if (part.kind == MoveRule::Kind::move) add_flow(rules, at_to, -1, mover, out);
  if (part.kind == MoveRule::Kind::remove) add_flow(rules, contents(rules, part.from), -1, mover, out);
  if (part.kind == MoveRule::Kind::place) {
    for (const PlaneChoice& put : part.put) add_flow(rules, at_to, plane_for(put, mover), mover, out);
  }
  for (std::size_t s = 0; s < out.slots.size(); ++s) {
    const std::int64_t span = rules.slots[s].range.greatest - rules.slots[s].range.least;
    out.slots[s] = {out.slots[s].least < 0 ? -span : 0, out.slots[s].greatest > 0 ? span : 0};
    out.noted[s] = {std::min<std::int64_t>(out.noted[s].least, 0), std::max<std::int64_t>(out.noted[s].greatest, 0)};
  }
  return out;
}

// One part of a move, by what it puts and what the cells it touches hold before: a combination each.
std::vector<MoveDelta> part_changes(const RuleSet& rules, const MoveRule& move, Player mover) {
  std::vector<MoveDelta> out;
  const int nothing = rules.layout.count();
  const CellContents only_nothing = nothing_bit(rules);
  const MoveDelta base = effect_changes(rules, move, mover);
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
          const int kind = kind_at(rules, plane, mover);
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

// An effect that surely changes a cell, by what that cell holds: an alternative each.
std::vector<MoveDelta> with_sure_changes(const RuleSet& rules, const MoveRule& move, Player mover,
                                         std::vector<MoveDelta> changes) {
  for (const Transition& t : move.transitions) {
    if (!t.surely) continue;
    const int to = kind_at(rules, plane_for(t.to, mover), mover);
    std::vector<MoveDelta> out;
    for (const MoveDelta& one : changes) {
      for (int plane = 0; plane <= rules.layout.count(); ++plane) {
        if (((t.from >> plane) & 1) == 0) continue;
        MoveDelta& sure = out.emplace_back(one);
        const auto add = [&](int kind, std::int64_t by) {
          if (kind < 0) return;
          sure.kinds[static_cast<std::size_t>(kind)].least += by;
          sure.kinds[static_cast<std::size_t>(kind)].greatest += by;
        };
        add(kind_at(rules, plane, mover), -1);
        add(to, 1);
      }
    }
    changes = std::move(out);
  }
  return changes;
}

MoveDelta sum_of(MoveDelta sum, const MoveDelta& more) {
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
  sum.repeated |= more.repeated;
  return sum;
}

// What a turn comes to, by what has been done so far and what may follow.
class TurnDeltas {
 public:
  TurnDeltas(const RuleSet& rules, Player mover) : rules_(rules), mover_(mover) {}

  void follow(const std::vector<MoveDelta>& so_far, const std::vector<int>& next) {
    if (next.empty() || may_stop(next)) out.insert(out.end(), so_far.begin(), so_far.end());
    const bool circle = std::any_of(next.begin(), next.end(), [&](int part) { return rule(part).repeats; });
    if (circle) {
      std::vector<MoveDelta> all = so_far;
      for (const int part : reached(next)) all = sums(all, {repeated_changes(rules_, rule(part), mover_)});
      out.insert(out.end(), all.begin(), all.end());
      return;
    }
    for (const int part : next) {
      const MoveRule& of = rule(part);
      follow(sums(so_far, with_sure_changes(rules_, of, mover_, part_changes(rules_, of, mover_))), of.next);
    }
  }

  std::vector<MoveDelta> out;

 private:
  const MoveRule& rule(int part) const { return rules_.parts[static_cast<std::size_t>(part)]; }
  bool may_stop(const std::vector<int>& next) const {
    bool required = false;
    bool optional = false;
    for (const int part : next) {
      optional |= rule(part).optional;
      required |= rule(part).required && rules_.graph.is_true(rule(part).when);
    }
    return !required || optional;
  }
  std::vector<int> reached(std::vector<int> parts) const {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (const int part : rule(parts[i]).next) {
        if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
      }
    }
    return parts;
  }
  static std::vector<MoveDelta> sums(const std::vector<MoveDelta>& these, const std::vector<MoveDelta>& those) {
    std::vector<MoveDelta> out;
    for (const MoveDelta& one : these) {
      for (const MoveDelta& other : those) out.push_back(sum_of(one, other));
    }
    return out;
  }

  const RuleSet& rules_;
  Player mover_;
};

}  // namespace

std::vector<MoveDelta> move_deltas(const RuleSet& rules, const MoveRule& move, Player mover) {
  TurnDeltas turn(rules, mover);
  turn.follow(with_sure_changes(rules, move, mover, part_changes(rules, move, mover)), move.next);
  return std::move(turn.out);
}

StateChange state_change(const RuleSet& rules, const MoveRule& step, std::size_t slot) {
  const StateSlot& state = rules.slots[slot];
  StateChange out;
  if (!state.live || !step.has_effect) return out;
  if (state.type == StateDescription::Type::number)
    out.number = number_change(rules, step.state_after[slot], slot, values_where(rules, step.when, slot));
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
    const std::int64_t times = change.repeated ? kMaxParts : 1;
    (gain > 0 ? out.greatest : out.least) += times * gain * rules.board.size();
  }
  for (std::size_t s = 0; s < slot_weight.size(); ++s) add(slot_weight[s], change.slots[s]);
  return out;
}

}  // namespace plenum
