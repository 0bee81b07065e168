// SPDX-License-Identifier: Apache-2.0
// Moves and their parts: what moves, how far and where to, what is put, what follows.
#include <algorithm>
#include <bit>

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>

#include "variants/board/shape.h"
#include "variants/compile/move_compiler.h"

namespace plenum {
namespace {

// Whether steps lead from some cell back to it.
bool goes_round(const Relation& direction) {
  for (std::size_t c = 0; c < direction.size(); ++c) {
    CellSet at = direction[c];
    for (std::size_t k = 0; k < direction.size() && at != 0 && at != cell_bit(static_cast<Cell>(c)); ++k)
      at = direction[static_cast<std::size_t>(std::countr_zero(at))];
    if (at != 0) return true;
  }
  return false;
}

}  // namespace

// Where a piece may go: `within`, `step` or `slide`.
void MoveCompiler::read_way(const MoveDescription& move, const Scope& scope, MoveRule& rule) {
  if (move.within) {
    const Value reach = elaborator_.field(move.within, scope);
    if (reach.denominator != 1) fail_at(move.within->span, "a distance is a whole number");
    const std::int64_t farthest = graph_.bounds(reach.form, rules_.number_bounds()).greatest;
    for (int d = 1; d <= std::min<std::int64_t>(farthest, rules_.board.diameter()); ++d) {
      const NodeId far = graph_.at_least(reach.form, d, true);
      rule.reach.push_back(graph_.conjunction({rule.from, far}));
    }
    rule.limited = true;
  }
  if (move.step) {
    const ByMover by = elaborator_.dirs(move.step, scope);
    rule.step = {graph_.intern(by[0].all), graph_.intern(by[1].all)};
    rule.limited = true;
  }
  if (move.slide) {
    const ByMover by = elaborator_.dirs(move.slide, scope);
    for (std::size_t k = 0; k < 2; ++k) {
      if (by[k].straight.empty())
        elaborator_.refuse_not_straight(move.slide->span, "a piece slides in straight directions");
      for (const Relation& one : by[k].straight) rule.slide[k].push_back(graph_.intern(one));
      std::sort(rule.slide[k].begin(), rule.slide[k].end());
    }
    rule.limited = true;
  }
}

// What a jump may go over: any stone if nothing is said, and with a distance any cell.
NodeId MoveCompiler::jumped_kinds(const MoveDescription& move, const Scope& scope) {
  if (move.over) return elaborator_.cells(move.over, scope);
  return move.distance ? graph_.constant(graph_.all()) : graph_.disjunction(scope.planes);
}

// The cells behind those of `over` that lie straight before the piece.
NodeId MoveCompiler::jump_range(const MoveDescription& move, const Scope& scope) {
  const NodeId over = jumped_kinds(move, scope);
  const ByMover by = elaborator_.dirs(move.jump, scope);
  if ((by[0].straight.empty() || by[1].straight.empty()) && rules_.board.size() > 1)
    elaborator_.refuse_not_straight(move.jump->span, "a piece jumps in straight directions");
  return elaborator_.union_of_straight(by, [&](const Relation& one) {
    const RelationId back = graph_.intern(transposed(one));
    const NodeId origin = graph_.cell_input(kOrigin);
    if (!move.distance) return graph_.image(back, graph_.conjunction({over, graph_.image(back, origin)}));
    return exactly(number_along(move, one, scope), back, over);
  });
}

// The number of steps of a jump in one direction.
Linear MoveCompiler::number_along(const MoveDescription& move, const Relation& one, Scope scope) {
  const NodeId origin = graph_.cell_input(kOrigin);
  const NodeId all = graph_.constant(graph_.all());
  const NodeId along = graph_.disjunction(
      {origin, graph_.ray(graph_.intern(one), origin, all), graph_.ray(graph_.intern(transposed(one)), origin, all)});
  scope.has_origin = true;
  scope.along = along;
  return elaborator_.whole_number(move.distance, scope);
}

// The cells that are `steps` from the origin by a direction, whose steps back are `back`, over cells of `over`.
NodeId MoveCompiler::exactly(const Linear& steps, RelationId back, NodeId over) {
  const Interval bounds = graph_.bounds(steps, rules_.number_bounds());
  std::vector<NodeId> out;
  NodeId reached = graph_.image(back, graph_.cell_input(kOrigin));
  constexpr std::int64_t kMostRound = 250;  // where play goes round; no state and no pile counts farther
  const auto most =
      std::min<std::int64_t>(bounds.greatest, goes_round(graph_.relation(back)) ? kMostRound : rules_.board.size());
  for (std::int64_t n = 1; n <= most && graph_.node(reached).op != NodeOp::constant; ++n) {
    const NodeId so_many =
        graph_.conjunction({graph_.at_least(steps, n, false), graph_.complement(graph_.at_least(steps, n + 1, false))});
    out.push_back(graph_.conjunction({so_many, reached}));
    reached = graph_.image(back, graph_.conjunction({over, reached}));
  }
  return graph_.disjunction(out);
}

// The last empty cells before a piece, one in each direction.
NodeId MoveCompiler::slide_ends(const MoveDescription& move, const Scope& scope) {
  const NodeId empty = graph_.complement(graph_.disjunction(scope.planes));
  return elaborator_.union_of_straight(elaborator_.dirs(move.slide, scope), [&](const Relation& one) {
    const RelationId direction = graph_.intern(one);
    const NodeId passed = graph_.ray(direction, graph_.cell_input(kOrigin), empty);
    return graph_.conjunction({passed, graph_.complement(graph_.image(direction, passed))});
  });
}

// What is put down, and where it fits.
void MoveCompiler::read_placement(const MoveDescription& move, Scope scope, MoveRule& rule) {
  if (move.lift) {
    rule.lift = graph_.conjunction({rule.when, elaborator_.cells(move.lift, scope)});
    for (NodeId& plane : scope.planes) plane = graph_.conjunction({plane, graph_.complement(rule.lift)});
  }
  rule.to = graph_.conjunction({rule.when, elaborator_.cells(move.to, scope)});
  if (move.shape) {
    rule.placements =
        placements(rules_.board, move.shape->text(), *move.shape,
                   move.turns ? move.turns->text() : std::string_view("none"), move.turns ? *move.turns : *move.shape);
    rule.shaped = true;
  }
  for (const Span& kind : move.put) {
    const PlaneChoice plane = elaborator_.plane(kind, kind.text());
    if (plane.if_first < 0)
      fail_at(kind, "a placement puts a kind of stone", "to take stones off, use a move with 'from' alone");
    rule.put.push_back(plane);
  }
  if (move.put.empty()) rule.put.push_back(elaborator_.plane(move.span, "mine"));
  rule.choice = rule.put.size() > 1 || rule.put[0] != PlaneChoice{0, 0} || rules_.layout.own > 1;
}

MoveRule MoveCompiler::read_move(const MoveDescription& move, bool is_part, const std::optional<Span>& chosen) {
  MoveRule rule;
  rule.name = move.name;
  rule.optional = move.optional;
  rule.required = move.required;
  rule.any_order = move.any_order;
  Scope scope = elaborator_.move_scope();
  if (chosen) {
    rule.chosen = std::string(chosen->text());
    std::int64_t number = 0;
    const bool numeric = absl::SimpleAtoi(rule.chosen, &number);
    choices_ = {};
    choices_.name = "chosen";
    for (const Span& one : move.choose) choices_.one_of.emplace_back(one.text());
    scope.chosen = numeric ? make_number({{}, number}) : make_text(rule.chosen, &choices_);
  }
  const Scope after = scope;
  scope.has_placed = scope.has_trail = is_part;  // by the parts before
  rule.when = move.when ? elaborator_.truth(move.when, scope) : graph_.truth(true);
  if (move.from) rule.from = graph_.conjunction({rule.when, elaborator_.cells(move.from, scope)});
  read_way(move, scope, rule);
  if (move.to && move.from) {
    rule.kind = MoveRule::Kind::move;
    const NodeId range = move.jump  ? jump_range(move, scope)
                         : move.far ? slide_ends(move, scope)
                                    : graph_.constant(graph_.all());
    rule.far_jump = move.distance != nullptr;
    if (move.jump) rule.jumped = contents(rules_, jumped_kinds(move, scope));
    scope.has_origin = true;
    rule.to = graph_.conjunction({rule.when, range, elaborator_.cells(move.to, scope)});
    const NodeId origin = graph_.cell_input(kOrigin);
    const std::vector<NodeId> read = graph_.reachable(std::vector<NodeId>{rule.to});
    rule.to_reads_origin = std::find(read.begin(), read.end(), origin) != read.end();
  } else if (move.to) {
    rule.kind = MoveRule::Kind::place;
    read_placement(move, scope, rule);
  } else if (move.from) {
    rule.kind = MoveRule::Kind::remove;
    rule.from = graph_.conjunction({rule.from, graph_.disjunction(scope.planes)});  // where a stone stands
  } else {
    rule.kind = chosen ? MoveRule::Kind::choice : MoveRule::Kind::pass;
    if (!chosen && !move.next.empty()) fail_at(move.next[0], "a pass has no further parts");
  }
  add_effects(move, after, rule);
  return rule;
}

// The move, once for each thing that may be chosen with it.
std::vector<MoveRule> MoveCompiler::read_choices(const MoveDescription& move, bool is_part) {
  std::vector<MoveRule> out;
  if (move.choose.empty()) out.push_back(read_move(move, is_part, std::nullopt));
  for (const Span& one : move.choose) out.push_back(read_move(move, is_part, one));
  return out;
}

void MoveCompiler::add_moves() {
  std::vector<const MoveDescription*> of_part;  // by rule
  std::vector<const MoveDescription*> of_move;
  for (const MoveDescription& part : description_.parts) {
    for (MoveRule& rule : read_choices(part, true)) {
      rules_.parts.push_back(std::move(rule));
      of_part.push_back(&part);
    }
  }
  for (const MoveDescription& move : description_.moves) {
    bool dropped = true;
    for (MoveRule& rule : read_choices(move, false)) {
      if (graph_.is_false(rule.when)) continue;
      dropped = false;
      rules_.moves.push_back(std::move(rule));
      of_move.push_back(&move);
    }
    if (dropped) rules_.dropped_moves.push_back(move.name);
  }
  if (rules_.moves.empty()) fail_at(description_.moves.front().span, "with these options no move is left");
  for (std::size_t i = 0; i < of_part.size(); ++i) link(*of_part[i], rules_.parts[i]);
  for (std::size_t i = 0; i < of_move.size(); ++i) link(*of_move[i], rules_.moves[i]);
  check_parts();
}

// The parts that may follow.
void MoveCompiler::link(const MoveDescription& move, MoveRule& rule) {
  for (const Span& next : move.next) {
    const bool known = std::any_of(description_.parts.begin(), description_.parts.end(),
                                   [&](const MoveDescription& part) { return part.name == next.text(); });
    if (!known) {
      std::vector<std::string> names;
      for (const MoveDescription& part : description_.parts) names.push_back(part.name);
      fail_at(next, absl::StrCat("there is no part '", std::string(next.text()), "'"),
              names.empty() ? absl::StrCat("describe it under [parts.", std::string(next.text()), "]")
                            : suggestion(next.text(), names, "parts"));
    }
    for (std::size_t i = 0; i < rules_.parts.size(); ++i) {
      const MoveRule& part = rules_.parts[i];
      if (part.name == next.text() && !graph_.is_false(part.when)) rule.next.push_back(static_cast<int>(i));
    }
  }
  std::sort(rule.next.begin(), rule.next.end());
  rule.next.erase(std::unique(rule.next.begin(), rule.next.end()), rule.next.end());
}

// Every part follows something; which of them may follow themselves.
void MoveCompiler::check_parts() {
  for (const MoveDescription& part : description_.parts) {
    const auto names_it = [&](const MoveDescription& move) {
      return std::any_of(move.next.begin(), move.next.end(),
                         [&](const Span& next) { return next.text() == part.name; });
    };
    if (!std::any_of(description_.moves.begin(), description_.moves.end(), names_it) &&
        !std::any_of(description_.parts.begin(), description_.parts.end(), names_it))
      fail_at(part.span, absl::StrCat("no move goes on to the part '", part.name, "'"),
              absl::StrCat("write next = \"", part.name, "\" in a move"));
  }
  for (std::size_t i = 0; i < rules_.parts.size(); ++i) {
    std::vector<int> reached = rules_.parts[i].next;
    for (std::size_t k = 0; k < reached.size(); ++k) {
      for (const int next : rules_.parts[static_cast<std::size_t>(reached[k])].next) {
        if (std::find(reached.begin(), reached.end(), next) == reached.end()) reached.push_back(next);
      }
    }
    rules_.parts[i].repeats = std::find(reached.begin(), reached.end(), static_cast<int>(i)) != reached.end();
  }
}

}  // namespace plenum
