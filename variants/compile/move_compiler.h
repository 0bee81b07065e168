// SPDX-License-Identifier: Apache-2.0
// From a Description to a RuleSet: elaborate.cpp has moves, ends and what is live, effects.cpp what moves bring about.
// Private to variants/. Throws DescriptionError.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "variants/compile/elaborator.h"
#include "variants/graph/cell_contents.h"
#include "variants/graph/rule_set.h"

namespace plenum {

class MoveCompiler {
 public:
  MoveCompiler(const Description& description, RuleSet& rules, const ChangeOrder& order,
               const std::optional<Span>& goal)
      : description_(description),
        rules_(rules),
        graph_(rules.graph),
        elaborator_(description, rules),
        order_(order),
        goal_(goal) {}

  void run();

 private:
  void set_up_state();
  MoveRule read_move(const MoveDescription& move, bool is_part, const std::optional<Span>& chosen);
  std::vector<MoveRule> read_choices(const MoveDescription& move, bool is_part);
  void add_moves();
  void link(const MoveDescription& move, MoveRule& rule);
  void check_parts();
  NodeId jump_range(const MoveDescription& move, const Scope& scope);
  NodeId jumped_kinds(const MoveDescription& move, const Scope& scope);
  NodeId jumped_over(const MoveDescription& move);
  Linear number_along(const MoveDescription& move, const Relation& one, Scope scope);
  NodeId exactly(const Linear& steps, RelationId back, NodeId over);
  NodeId slide_ends(const MoveDescription& move, const Scope& scope);
  void read_way(const MoveDescription& move, const Scope& scope, MoveRule& rule);
  void read_placement(const MoveDescription& move, Scope scope, MoveRule& rule);
  void add_effects(const MoveDescription& move, Scope scope, MoveRule& rule);

  // What the clauses of an effect make of the board in `at`.
  struct Changes {
    std::vector<NodeId> planes;
    NodeId cells = -1;  // those that hold something else now
  };
  void apply(const Effect& effect, NodeId given, Scope& scope, MoveRule& rule);
  void apply_defined(const Effect& effect, NodeId condition, Scope& scope, MoveRule& rule);
  void carry(const Effect& effect, NodeId condition, Scope& scope, MoveRule& rule);
  std::optional<Relation> turn(const Effect& effect, NodeId set) const;
  void go_on(const Effect& effect, NodeId condition, Scope& scope, const std::vector<Transition>& transitions);
  Changes change(const Effect& effect, const std::vector<Transition>& transitions, const Scope& at, NodeId condition);
  std::vector<Transition> transitions(const Effect& effect, NodeId condition, const Scope& scope, const MoveRule& rule);
  void check_termination(const Effect& effect, const std::vector<Transition>& transitions) const;
  OrderNote prove_order(const Effect& effect, const std::vector<Transition>& transitions, const Scope& scope);
  void assign(const Effect::Clause& clause, NodeId condition, const Scope& before, Scope& scope, NodeId& invalid);
  NodeId holds(const PlaneChoice& plane, const Scope& at);
  Scope abstract(Scope scope) const;

  void add_end();
  void add_winners(Scope scope);
  void add_start();
  std::optional<std::int64_t> player_of(NodeId who) const;
  void add_pie();
  void add_goal();
  void find_live();
  void check_passes(const std::vector<NodeId>& roots, const Span& where) const;
  void prove_moves();
  Value viewed_number(const ExpressionPtr& e, bool or_truth);

  const Description& description_;
  RuleSet& rules_;
  RuleGraph& graph_;
  Elaborator elaborator_;
  const ChangeOrder& order_;
  const std::optional<Span>& goal_;
  Option choices_;             // of the move at hand, so that a word that is none of them is told
  NodeId jumped_ = -1;         // what the move at hand jumps over, once its effects have asked
  int passes_told_apart_ = 0;  // by the rules, the goal aside
};

}  // namespace plenum
