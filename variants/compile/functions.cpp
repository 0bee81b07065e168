// SPDX-License-Identifier: Apache-2.0
// Functions of expressions that look along straight lines, place shapes, or go through the parts of a set.
#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include <absl/strings/str_cat.h>

#include "variants/board/shape.h"
#include "variants/compile/elaborator.h"

namespace plenum {
namespace {

using Type = Value::Type;

// Every straight run of k cells, none of them used twice.
std::vector<CellSet> runs(const std::vector<Relation>& directions, int cells, std::int64_t k) {
  std::vector<CellSet> out;
  for (int c = 0; k == 1 && c < cells; ++c) out.push_back(cell_bit(static_cast<Cell>(c)));
  for (const Relation& direction : directions) {
    for (int c = 0; k > 1 && c < cells; ++c) {
      CellSet run = cell_bit(static_cast<Cell>(c));
      CellSet at = run;
      for (std::int64_t i = 1; i < k && at != 0; ++i) {
        at = direction[static_cast<std::size_t>(std::countr_zero(at))] & ~run;
        run |= at;
      }
      if (at != 0) out.push_back(run);
    }
  }
  return out;
}

}  // namespace

// line, between, ray, pattern.
Value Elaborator::straight_call(const Expression& e, const Scope& scope) {
  const Board& board = rules_.board;
  const auto usage = [&](std::size_t least, std::size_t most, std::string_view text) {
    if (e.parts.size() < least || e.parts.size() > most)
      fail_at(e.span, absl::StrCat("'", e.word, "' has ", e.parts.size(), " arguments here"),
              absl::StrCat("write ", std::string(text)));
  };
  const auto directions = [&](std::size_t index) -> ByMover {
    if (e.parts.size() <= index) {
      const Directions all{board.adjacent(), board.straight()};
      if (all.straight.empty() && board.size() > 1)
        refuse_not_straight(e.span, absl::StrCat("the board ", board.name(), " has no straight directions"));
      return by_mover(all, all);
    }
    ByMover out = any_dirs(e, index, scope);
    if ((out[0].straight.empty() || out[1].straight.empty()) && board.size() > 1)
      refuse_not_straight(e.parts[index]->span, "these directions are not straight");
    return out;
  };
  const auto set = [&](std::size_t index) { return cells(e.parts[index], scope); };
  const auto over_each = [&](const ByMover& by, const auto& make_set) {
    return make(Type::cells,
                union_of_straight(by, [&](const Relation& direction) { return make_set(graph_.intern(direction)); }));
  };
  if (e.word == "line") {
    usage(1, 3, "line(S, k), line(S, k, directions), or line(S) where the board declares lines");
    const NodeId inside = set(0);
    if (e.parts.size() == 1) {
      if (board.lines().empty())
        fail_at(e.span, absl::StrCat("the board ", board.name(), " declares no lines"),
                "write line(S, k) for k cells in a straight row, or declare lines under [board]");
      return make(Type::cells, graph_.cover(board.lines(), inside));
    }
    const Linear k = whole_number(e.parts[1], scope);
    if (!k.terms.empty())
      fail_at(e.parts[1]->span, "the length of a line must be a constant", "it may depend on options only");
    if (k.constant < 1) fail_at(e.parts[1]->span, "a line has a cell or more");
    return make(Type::cells, union_by(directions(2), [&](const Directions& by) {
                  return graph_.cover(runs(by.straight, board.size(), k.constant), inside);
                }));
  }
  if (e.word == "ray") {
    usage(3, 3, "ray(S, directions, through)");
    const NodeId from = set(0);
    const ByMover by = directions(1);
    const NodeId through = set(2);
    return over_each(by, [&](RelationId direction) { return graph_.ray(direction, from, through); });
  }
  if (e.word == "between") {
    usage(3, 4, "between(A, S, B) or between(A, S, B, directions)");
    const NodeId from = set(0);
    const NodeId through = set(1);
    const NodeId to = set(2);
    return over_each(directions(3), [&](RelationId direction) { return graph_.between(direction, from, through, to); });
  }
  usage(2, 3, "pattern(S, 'xx/x.') or pattern(S, 'xx/x.', 'rotate')");
  const NodeId inside = set(0);
  const auto quoted = [&](std::size_t index) {
    if (e.parts[index]->kind != Expression::Kind::text && e.parts[index]->kind != Expression::Kind::name)
      fail_at(e.parts[index]->span, "a text is expected here", "as in pattern(S, 'xx/x.')");
    return text(e.parts[index], scope);
  };
  const std::string turns = e.parts.size() > 2 ? quoted(2) : "none";
  return make(Type::cells,
              graph_.cover(placements(board, quoted(1), e.parts[1]->span, turns, e.parts.back()->span), inside));
}

// word(g in parts: body), the body once for each part.
Value Elaborator::loop(const Expression& e, const Scope& scope) {
  const std::vector<std::string> known = {"sum", "count", "max", "min", "any", "all"};
  if (std::find(known.begin(), known.end(), e.word) == known.end())
    fail_at(e.span.part(0, e.word.size()), absl::StrCat("'", e.word, "' does not go through parts"),
            suggestion(e.word, known, "these do"));
  const Value parts = value(Type::parts, e.parts[0], scope);
  const std::vector<std::string> names = known_names(scope);
  if (std::find(names.begin(), names.end(), e.variable) != names.end())
    fail_at(e.span.part(e.word.size() + 1, e.variable.size()), absl::StrCat("the name '", e.variable, "' is taken"),
            "choose another for the part at hand");
  Scope inner = scope;
  inner.locals.push_back({e.variable, make(Type::cells, graph_.part_input(scope.level))});
  ++inner.level;
  if (e.word == "sum" || e.word == "max" || e.word == "min") {
    const NodeOp op = e.word == "sum" ? NodeOp::fold_sum : e.word == "max" ? NodeOp::fold_max : NodeOp::fold_min;
    return fold(op, parts, number(e.parts[1], inner), e.span, scope.level);
  }
  // How many parts there are of which the condition holds; for `all`, of which it does not.
  NodeId condition = truth(e.parts[1], inner);
  if (e.word == "all") condition = graph_.complement(condition);
  const NodeId one = graph_.select(condition, graph_.of_form({{}, 1}, false), graph_.of_form({}, false), false);
  Value out = fold(NodeOp::fold_sum, parts, make_number(graph_.as_form(one)), e.span, scope.level);
  if (e.word == "count") return out;
  const NodeId some = graph_.at_least(out.form, 1, false);
  return make(Type::truth, e.word == "any" ? some : graph_.complement(some));
}

Value Elaborator::fold(NodeOp op, const Value& parts, Value body, const Span& span, int level) {
  body = in_bounds(std::move(body), span);
  // There are at most as many parts as cells.
  check_magnitude(magnitude(body.form) * graph_.cells(), span);
  const NodeId out = graph_.fold(op, parts.relation, parts.node, graph_.of_form(body.form, false), level);
  return in_bounds(make_number(graph_.as_form(out), body.denominator), span);
}

// a / b where b depends on the position: a table of the common denominator's quotients, so that the result stays exact.
Value Elaborator::quotient(const Expression& e, const Value& a, const Value& b) {
  const Interval range = graph_.bounds(b.form, rules_.number_bounds());
  if (range.least < 1)
    fail_at(e.parts[1]->span, "this divisor may be 0 or less",
            "only what is 1 or more for sure can divide: count(g) of a group");
  std::int64_t common = 1;
  for (std::int64_t n = range.least; n <= range.greatest; ++n) {
    const std::int64_t factor = n / std::gcd(common, n);
    if (common > std::numeric_limits<std::int64_t>::max() / 64 / factor / std::max<std::int64_t>(1, range.greatest))
      throw DescriptionError{absl::ResourceExhaustedError(
          error_at(e.span,
                   absl::StrCat("exact fractions with denominators up to ", range.greatest, " need too many digits"),
                   "take a smaller board: 40 cells are possible")
              .message())};
    common *= factor;
  }
  std::vector<std::int64_t> values;
  for (std::int64_t n = range.least; n <= range.greatest; ++n) values.push_back(common / n);
  const NodeId inverse = graph_.lookup(graph_.of_form(b.form, false), range.least, std::move(values));
  Value out = scaled(a, b.denominator, e.span);
  if (out.form.terms.empty()) {
    Linear form;
    add_term(form, inverse, out.form.constant);
    out.form = std::move(form);
  } else {
    check_magnitude(magnitude(out.form) * static_cast<double>(common), e.span);
    out.form = graph_.as_form(graph_.product(graph_.of_form(out.form, false), inverse));
  }
  check_magnitude(static_cast<double>(out.denominator) * static_cast<double>(common), e.span);
  out.denominator *= common;
  return in_bounds(std::move(out), e.span);
}

}  // namespace plenum
