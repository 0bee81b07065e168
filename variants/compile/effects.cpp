// SPDX-License-Identifier: Apache-2.0
// What moves bring about: changes of stones, once, in rounds or spreading; assignments to the state; which moves are legal then.
#include <algorithm>
#include <set>
#include <string>

#include <absl/strings/str_cat.h>

#include "variants/compile/move_compiler.h"

namespace plenum {

void MoveCompiler::add_effects(const MoveDescription& move, Scope scope, MoveRule& rule) {
  for (int p = 0; p < rules_.layout.count(); ++p) scope.planes_before.push_back(graph_.cell_input(kPlanesBefore + p));
  scope.has_placed = true;
  scope.changed = graph_.constant(0);
  jumped_ = -1;
  if (move.jump) scope.jumped = [this, &move] { return jumped_ = jumped_over(move); };
  rule.invalid = graph_.truth(false);
  for (const Effect& effect : move.then) apply(effect, graph_.truth(true), scope, rule);
  rule.planes_after = scope.planes;
  rule.state_after = scope.state;
  rule.legal = move.legal ? elaborator_.truth(move.legal, scope) : graph_.truth(true);
  rule.invalid = graph_.conjunction({rule.invalid, rule.legal});
}

// A scope in which the board as it stands, however it came about, is what the inputs hold: for what follows by structure alone.
Scope MoveCompiler::abstract(Scope scope) const {
  for (std::size_t p = 0; p < scope.planes.size(); ++p)
    scope.planes[p] = graph_.cell_input(kPlanes + static_cast<int>(p));
  scope.changed = graph_.cell_input(kChanged);
  return scope;
}

std::vector<Transition> MoveCompiler::transitions(const Effect& effect, NodeId condition, const Scope& scope,
                                                  const MoveRule& rule) {
  std::vector<Transition> out;
  const Scope standing = abstract(scope);
  for (const Effect::Clause& clause : effect.clauses) {
    if (clause.kind != Effect::Kind::change) continue;
    const PlaneChoice into = elaborator_.plane(clause.name_span, clause.name);
    const NodeId set = elaborator_.cells(clause.value, standing);
    Transition one{contents(rules_, set), into};
    // The bare move leaves what it jumps over, one cell at least, as it is.
    if (set == jumped_ && rule.transitions.empty()) {
      one.from = rule.jumped;
      one.surely = !rule.far_jump && out.empty() && graph_.is_true(condition) && effect.way == Effect::Way::once;
    }
    out.push_back(one);
  }
  return out;
}

// What lies between where the piece stood and where it stands now.
NodeId MoveCompiler::jumped_over(const MoveDescription& move) {
  Scope before = elaborator_.move_scope();
  for (int p = 0; p < rules_.layout.count(); ++p)
    before.planes[static_cast<std::size_t>(p)] = graph_.cell_input(kPlanesBefore + p);
  before.has_placed = before.has_trail = true;
  const NodeId over = jumped_kinds(move, before);
  for (const NodeId id : graph_.reachable(std::vector<NodeId>{over})) {
    const RuleNode& n = graph_.node(id);
    if (n.op == NodeOp::cell_input && (n.value == kPlaced || n.value == kTaken || n.value == kTrail))
      fail_at(move.over->span, "'jumped' cannot be told where 'over' depends on the part before",
              "say in 'to' what depends on it");
  }
  const NodeId from = graph_.cell_input(kTaken);
  const NodeId to = graph_.cell_input(kPlaced);
  return elaborator_.union_of_straight(elaborator_.dirs(move.jump, before), [&](const Relation& one) {
    if (move.distance) return graph_.between(graph_.intern(one), from, over, to);
    const NodeId ahead = graph_.image(graph_.intern(transposed(one)), from);
    return graph_.conjunction({over, ahead, graph_.image(graph_.intern(one), to)});
  });
}

NodeId MoveCompiler::holds(const PlaneChoice& plane, const Scope& at) {
  const auto one = [&](int p) {
    return p >= 0 ? at.planes[static_cast<std::size_t>(p)] : graph_.complement(graph_.disjunction(at.planes));
  };
  return graph_.choose(graph_.mover_is_first(), one(plane.if_first), one(plane.if_second));
}

MoveCompiler::Changes MoveCompiler::change(const Effect& effect, const std::vector<Transition>& transitions,
                                           const Scope& at, NodeId condition) {
  std::vector<NodeId> sets;
  NodeId claimed = graph_.constant(0);  // by the clauses before, whether they change it or it holds the kind already
  NodeId all = graph_.constant(0);
  std::size_t k = 0;
  for (const Effect::Clause& clause : effect.clauses) {
    if (clause.kind != Effect::Kind::change) continue;
    const Transition& way = transitions[k++];
    NodeId set = graph_.conjunction({condition, elaborator_.cells(clause.value, at), graph_.complement(claimed)});
    claimed = graph_.disjunction({claimed, set});
    const auto may_hold = [&](int plane) {
      return ((way.from >> (plane < 0 ? rules_.layout.count() : plane)) & 1) != 0;
    };
    // What holds the kind already does not change.
    if (may_hold(way.to.if_first) || may_hold(way.to.if_second))
      set = graph_.conjunction({set, graph_.complement(holds(way.to, at))});
    sets.push_back(set);
    all = graph_.disjunction({all, set});
  }
  if (effect.way != Effect::Way::once && !order_.order.empty()) {
    const NodeId one = graph_.pick(order_.order, all);
    for (NodeId& set : sets) set = graph_.conjunction({set, one});
    all = one;
  }
  Changes out{at.planes, all};
  const NodeId is_first = graph_.mover_is_first();
  for (int p = 0; p < rules_.layout.count(); ++p) {
    NodeId& plane = out.planes[static_cast<std::size_t>(p)];
    NodeId gained = graph_.constant(0);
    NodeId lost = graph_.constant(0);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const PlaneChoice& to = transitions[i].to;
      const NodeId here = graph_.choose(is_first, graph_.truth(to.if_first == p), graph_.truth(to.if_second == p));
      gained = graph_.disjunction({gained, graph_.conjunction({sets[i], here})});
      if (((transitions[i].from >> p) & 1) != 0) lost = graph_.disjunction({lost, sets[i]});
    }
    plane = graph_.disjunction({graph_.conjunction({plane, graph_.complement(lost)}), gained});
  }
  return out;
}

void MoveCompiler::apply(const Effect& effect, NodeId given, Scope& scope, MoveRule& rule) {
  const Scope before = scope;
  NodeId condition = given;
  for (const ExpressionPtr& e : effect.conditions)
    condition = graph_.conjunction({condition, elaborator_.truth(e, before)});
  if (effect.way == Effect::Way::defined) return apply_defined(effect, condition, scope, rule);
  if (effect.way == Effect::Way::carry) return carry(effect, condition, scope, rule);
  const std::vector<Transition> ways = transitions(effect, condition, before, rule);
  rule.transitions.insert(rule.transitions.end(), ways.begin(), ways.end());
  if (effect.way != Effect::Way::once) {
    check_termination(effect, ways);
    if (graph_.is_false(condition)) return;
    rules_.orders.push_back(prove_order(effect, ways, before));
    go_on(effect, condition, scope, ways);
    return;
  }
  std::set<std::string> assigned;  // the earlier wins
  for (const Effect::Clause& clause : effect.clauses) {
    if (clause.kind == Effect::Kind::assign && assigned.insert(clause.name).second)
      assign(clause, condition, before, scope, rule.invalid);
  }
  for (const Effect::Clause& clause : effect.clauses) {
    if (clause.kind == Effect::Kind::never)
      rule.invalid = graph_.disjunction(
          {rule.invalid, graph_.conjunction({condition, graph_.any(elaborator_.cells(clause.value, before))})});
  }
  if (ways.empty()) return;
  Changes changes = change(effect, ways, before, condition);
  scope.planes = std::move(changes.planes);
  scope.changed = graph_.disjunction({before.changed, changes.cells});
}

// `repeat` and `spread`: a loop that carries the planes, what has changed, and where a spread has come.
void MoveCompiler::go_on(const Effect& effect, NodeId condition, Scope& scope,
                         const std::vector<Transition>& transitions) {
  const int level = scope.level;
  const auto planes = static_cast<int>(scope.planes.size());
  const bool spreads = effect.way == Effect::Way::spread;
  std::vector<NodeId> initial = scope.planes;
  initial.push_back(scope.changed);
  Scope inside = scope;
  for (int p = 0; p < planes; ++p) inside.planes[static_cast<std::size_t>(p)] = graph_.loop_input(level, p);
  inside.changed = graph_.loop_input(level, planes);
  inside.level = level + 1;
  NodeId within = condition;
  if (spreads) {
    const NodeId wave = graph_.loop_input(level, planes + 1);
    initial.push_back(graph_.conjunction({condition, elaborator_.cells(effect.from, scope)}));
    within = elaborator_.ahead(elaborator_.dirs(effect.by, scope), wave);
  }
  const Changes changes = change(effect, transitions, inside, within);
  std::vector<NodeId> next = changes.planes;
  next.push_back(graph_.disjunction({inside.changed, changes.cells}));
  // One after the other, the cells around all that has changed are asked again.
  const bool one_by_one = !order_.order.empty();
  if (spreads) {
    next.push_back(one_by_one ? graph_.disjunction({graph_.loop_input(level, planes + 1), changes.cells})
                              : changes.cells);
  }
  std::vector<NodeId> results = graph_.loop(level, initial, next, changes.cells);
  scope.planes.assign(results.begin(), results.begin() + planes);
  scope.changed = results[static_cast<std::size_t>(planes)];
}

// A cell that could come back to what it held could go round for ever.
void MoveCompiler::check_termination(const Effect& effect, const std::vector<Transition>& transitions) const {
  const auto contents = static_cast<std::size_t>(rules_.layout.count()) + 1;
  const auto index = [&](int plane) { return plane < 0 ? contents - 1 : static_cast<std::size_t>(plane); };
  for (const bool first : {true, false}) {
    // becomes[a]: what a may become, in any number of steps.
    std::vector<CellContents> becomes(contents, 0);
    for (const Transition& t : transitions) {
      const std::size_t to = index(first ? t.to.if_first : t.to.if_second);
      for (std::size_t a = 0; a < contents; ++a) {
        if (((t.from >> a) & 1) != 0 && a != to) becomes[a] |= CellContents{1} << to;
      }
    }
    for (std::size_t round = 0; round < contents; ++round) {
      for (CellContents& one : becomes) {
        for (std::size_t b = 0; b < contents; ++b) one |= ((one >> b) & 1) != 0 ? becomes[b] : 0;
      }
    }
    for (std::size_t a = 0; a < contents; ++a) {
      if (((becomes[a] >> a) & 1) != 0)
        fail_at(effect.span, "these changes could go round for ever: a cell may come back to what it held",
                "say which stones change, as in theirs & ... -> mine, so that each cell can only go one way");
    }
  }
}

void MoveCompiler::assign(const Effect::Clause& clause, NodeId condition, const Scope& before, Scope& scope,
                          NodeId& invalid) {
  std::vector<std::string> names;
  for (std::size_t s = 0; s < rules_.slots.size(); ++s) {
    const StateSlot& slot = rules_.slots[s];
    names.push_back(slot.name);
    if (slot.name != clause.name) continue;
    NodeId& into = scope.state[s];
    if (slot.type == StateDescription::Type::player) {
      into = graph_.select_player(condition, elaborator_.player(clause.value, before), into);
    } else if (slot.type == StateDescription::Type::boolean) {
      into = graph_.choose(condition, elaborator_.truth(clause.value, before), into);
    } else {
      const Linear form = elaborator_.whole_number(clause.value, before);
      const Interval bounds = graph_.bounds(form, rules_.number_bounds());
      NodeId bad = graph_.truth(false);
      if (bounds.least < slot.range.least) bad = graph_.complement(graph_.at_least(form, slot.range.least, false));
      if (bounds.greatest > slot.range.greatest)
        bad = graph_.disjunction({bad, graph_.at_least(form, slot.range.greatest + 1, false)});
      invalid = graph_.disjunction({invalid, graph_.conjunction({condition, bad})});
      into = graph_.select(condition, graph_.of_form(form, false), into, false);
    }
    return;
  }
  fail_at(clause.name_span, absl::StrCat("there is no state '", clause.name, "'"),
          suggestion(clause.name, names, "state"));
}

}  // namespace plenum
