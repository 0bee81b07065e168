// SPDX-License-Identifier: Apache-2.0
// From the rules as they are compiled to programs: one step for each move and part.
#include <algorithm>
#include <bit>

#include <absl/strings/str_cat.h>

#include "variants/graph/cell_contents.h"
#include "variants/rules/cell_rules.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// Two rules whose moves could be written alike, so that equal moves must be merged.
bool may_coincide(const RuleSet& rules, const MoveRule& a, const MoveRule& b) {
  if (a.kind != b.kind || a.chosen != b.chosen) return false;
  const auto excludes = [&](NodeId one, NodeId two) {
    const RuleNode& n = rules.graph.node(one);
    return n.op == NodeOp::complement && n.args[0] == two;
  };
  if (excludes(a.when, b.when) || excludes(b.when, a.when)) return false;  // phases of a game
  // A figure of one cell is written as the cell.
  const auto of_several = [](const MoveRule& rule) {
    return rule.shaped && (rule.placements.empty() || std::popcount(rule.placements[0]) > 1);
  };
  if (of_several(a) != of_several(b)) return false;
  const auto meet = [&](NodeId one, NodeId two) {
    return one < 0 || two < 0 || (contents(rules, one) & contents(rules, two)) != 0;
  };
  if (a.kind != MoveRule::Kind::place) return meet(a.from, b.from) && meet(a.to, b.to);
  const bool same_kind = std::any_of(a.put.begin(), a.put.end(), [&](const PlaneChoice& p) {
    return std::any_of(b.put.begin(), b.put.end(),
                       [&](const PlaneChoice& q) { return p.if_first == q.if_first || p.if_second == q.if_second; });
  });
  return same_kind && meet(a.to, b.to);
}

}  // namespace

CellRules::Step CellRules::make_step(const MoveRule& rule, bool is_part, std::vector<NodeId>& roots) const {
  Step step;
  step.rule = &rule;
  const auto root = [&](NodeId id) {
    roots.push_back(id);
    return static_cast<int>(roots.size()) - 1;
  };
  if (is_part || !rule.on_cells()) step.when = root(rule.when);
  if (rule.from >= 0) step.from = root(rule.from);
  if (rule.to >= 0 && !rule.to_reads_origin) step.to = root(rule.to);
  if (rule.lift >= 0) step.lift = root(rule.lift);
  if (!rule.reach.empty()) step.reach = static_cast<int>(roots.size());
  roots.insert(roots.end(), rule.reach.begin(), rule.reach.end());
  const std::vector<Interval> bounds = set().number_bounds();
  if (rule.to_reads_origin)
    step.from_origin = std::make_unique<Program>(set().graph, std::vector<NodeId>{rule.to}, bounds);
  if (rule.has_effect) step.effect = make_effect(rule);
  step.reads_placed = !rule.next.empty() || (step.effect && step.effect->program.reads_cells(kPlaced));
  step.reads_taken = !rule.next.empty() || (step.effect && step.effect->program.reads_cells(kTaken));
  return step;
}

std::unique_ptr<CellRules::StepEffect> CellRules::make_effect(const MoveRule& rule) const {
  auto out = std::make_unique<StepEffect>();
  const RuleGraph& graph = set().graph;
  std::vector<NodeId> roots;
  const auto root = [&](NodeId id) {
    roots.push_back(id);
    return roots.size() - 1;
  };
  if (!graph.is_false(rule.invalid)) out->invalid = root(rule.invalid);
  if (!graph.is_true(rule.legal)) out->legal = root(rule.legal);
  for (std::size_t p = 0; p < rule.planes_after.size(); ++p) {
    const RuleNode& after = graph.node(rule.planes_after[p]);
    if (after.op == NodeOp::cell_input && after.value == kPlanes + p) continue;
    out->planes.push_back({p, root(rule.planes_after[p])});
  }
  for (std::size_t s = 0; s < set().slots.size(); ++s) {
    if (set().slots[s].live && slot_read(graph.node(rule.state_after[s])) != s)
      out->state.push_back({s, root(rule.state_after[s])});
  }
  out->program = Program(graph, roots, set().number_bounds());
  for (std::size_t p = 0; p < rule.planes_after.size(); ++p) {
    if (out->program.reads_cells(static_cast<int>(kPlanesBefore + p))) out->planes_before.push_back(p);
  }
  out->reads_passes = out->program.reads_byte(kPassesByte);
  return out;
}

absl::StatusOr<std::shared_ptr<const Rules>> CellRules::compile(const Description& description, const Board& board,
                                                                const ChangeOrder& order,
                                                                const std::optional<Span>& goal) {
  ASSIGN_OR_RETURN(RuleSet set, elaborate(description, board, order, goal));
  if (set.layout.count() > kMaxKindPlanes || set.slots.size() > static_cast<std::size_t>(kMaxSlots) ||
      set.moves.size() > 200 || set.parts.size() > 200) {
    return error_at(description.end.span, "this game has too many kinds, state variables or moves",
                    absl::StrCat("at most ", kMaxSlots, " state variables and 200 moves"));
  }
  return std::shared_ptr<const Rules>(new CellRules(std::move(set)));
}

CellRules::CellRules(RuleSet rules) : Rules(std::move(rules)) {
  const RuleSet& set = this->set();
  const std::vector<Interval> bounds = set.number_bounds();
  std::vector<NodeId> roots;
  for (const MoveRule& rule : set.moves) steps_.push_back(make_step(rule, false, roots));
  moves_ = Program(set.graph, roots, bounds);
  for (const MoveRule& part : set.parts) {
    std::vector<NodeId> own;
    parts_.push_back(make_step(part, true, own));
    part_programs_.emplace_back(set.graph, own, bounds);
    const std::unique_ptr<Program>& to = parts_.back().from_origin;
    reads_trail_ |= part_programs_.back().reads_cells(kTrail) || (to && to->reads_cells(kTrail));
  }
  ended_ = Program(set.graph, std::vector<NodeId>{set.ended}, bounds);
  std::vector<NodeId> score = {set.margin};
  if (set.tiebreak >= 0) score.push_back(set.tiebreak);
  score_ = Program(set.graph, score, bounds);
  for (const std::vector<MoveRule>* list : {&set.moves, &set.parts}) {
    for (const MoveRule& rule : *list) {
      const std::vector<PlaneChoice>& put = rule.put;  // a kind may be listed twice, as "mine" and by name
      for (std::size_t i = 0; i < put.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k)
          may_repeat_ |= put[i].if_first == put[k].if_first || put[i].if_second == put[k].if_second;
      }
    }
  }
  for (const std::vector<MoveRule>* list : {&set.moves, &set.parts}) {
    for (const MoveRule& rule : *list) {
      for (std::size_t i = 0; i < rule.next.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k)
          may_repeat_ |= may_coincide(set, set.parts[static_cast<std::size_t>(rule.next[i])],
                                      set.parts[static_cast<std::size_t>(rule.next[k])]);
      }
    }
  }
  for (std::size_t a = 0; a < set.moves.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) may_repeat_ |= may_coincide(set, set.moves[a], set.moves[b]);
  }
}

}  // namespace plenum
