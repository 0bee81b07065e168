// SPDX-License-Identifier: Apache-2.0
// Operators of expressions: & | ! and comparisons, arithmetic with exact fractions, if ... then ... else.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <absl/strings/str_cat.h>

#include "variants/compile/elaborator.h"

namespace plenum {
namespace {

using Type = Value::Type;

// Coefficients, as kMaxResult is for results. Numbers for each cell become bit slices and are kept smaller.
constexpr std::int64_t kMaxFieldNumber = 1'000'000'000;
constexpr double kMaxField = 1e12;
constexpr std::int64_t kMaxNumber = 1'000'000'000'000'000'000;

}  // namespace

void check_magnitude(double size, const Span& span) {
  if (size > kMaxResult) fail_at(span, "the numbers become too large here");
}

// No more than this, or less than its negative, comes out of a form whose coefficients are in bounds.
double Elaborator::magnitude(const Linear& form) const {
  double out = std::abs(static_cast<double>(form.constant));
  for (const auto& [node, coefficient] : form.terms) {
    const Interval range = graph_.bounds(node, rules_.number_bounds());
    out += std::abs(static_cast<double>(coefficient)) *
           static_cast<double>(std::max(std::abs(range.least), std::abs(range.greatest)));
  }
  return out;
}

Value Elaborator::in_bounds(Value v, const Span& span) const {
  const std::int64_t most = v.type == Type::field ? kMaxFieldNumber : kMaxNumber;
  const auto fits = [&](std::int64_t n) { return -most <= n && n <= most; };
  const bool good =
      fits(v.denominator) && fits(v.form.constant) &&
      std::all_of(v.form.terms.begin(), v.form.terms.end(), [&](const auto& term) { return fits(term.second); });
  if (!good || magnitude(v.form) > (v.type == Type::field ? kMaxField : kMaxResult))
    fail_at(span, "the numbers become too large here");
  return v;
}

// A number times `factor`.
Value Elaborator::scaled(Value v, std::int64_t factor, const Span& span) const {
  if (factor == 1) return v;
  double largest = std::max(magnitude(v.form), static_cast<double>(v.denominator));
  for (const auto& [node, coefficient] : v.form.terms)
    largest = std::max(largest, std::abs(static_cast<double>(coefficient)));
  check_magnitude(largest * std::abs(static_cast<double>(factor)), span);
  v.form = v.form * factor;
  return v;
}

// Brings two numbers to one denominator, in bounds.
void Elaborator::align(Value& a, Value& b, const Span& span) const {
  const std::int64_t common = std::gcd(a.denominator, b.denominator);
  const std::int64_t for_a = b.denominator / common;
  const std::int64_t for_b = a.denominator / common;
  check_magnitude(static_cast<double>(a.denominator) * static_cast<double>(for_a), span);
  a = scaled(std::move(a), for_a, span);
  b = scaled(std::move(b), for_b, span);
  a.denominator = b.denominator = a.denominator * for_a;
  a = in_bounds(std::move(a), span);
  b = in_bounds(std::move(b), span);
}

// Two numbers become fields if one of them is; whether they are then.
bool Elaborator::unify(Value& a, const Span& at_a, Value& b, const Span& at_b) {
  if (a.type != Type::field && b.type != Type::field) return false;
  a = as_field(a, at_a);
  b = as_field(b, at_b);
  return true;
}

Value Elaborator::conditional(const Expression& e, const Scope& scope) {
  const NodeId condition = truth(e.parts[0], scope);
  // A branch that options rule out is checked all the same, but its numbers need not fit on this board.
  const auto branch = [&](std::size_t index, bool taken) -> std::optional<Value> {
    if (taken) return value(e.parts[index], scope);
    try {
      return value(e.parts[index], scope);
    } catch (const DescriptionError& error) {
      if (error.status.code() != absl::StatusCode::kResourceExhausted) throw;
      return std::nullopt;
    }
  };
  const bool always = graph_.is_true(condition);
  const bool never = graph_.is_false(condition);
  std::optional<Value> first = branch(1, !never);
  std::optional<Value> second = branch(2, !always);
  if (!first) return *second;
  if (!second) return *first;
  Value& yes = *first;
  Value& no = *second;
  if (set_like(yes.type) && set_like(no.type)) {
    const Type type = yes.type == Type::cells || no.type == Type::cells ? Type::cells : Type::truth;
    return make(type, graph_.choose(condition, yes.node, no.node));
  }
  if (numeric(yes.type) && numeric(no.type)) {
    const bool fields = unify(yes, e.parts[1]->span, no, e.parts[2]->span);
    if (always || never) return always ? yes : no;
    align(yes, no, e.span);
    const NodeId a = graph_.of_form(yes.form, fields);
    const NodeId b = graph_.of_form(no.form, fields);
    return make_number(graph_.as_form(graph_.select(condition, a, b, fields)), yes.denominator, yes.type);
  }
  if (yes.type != no.type) {
    fail_at(e.span,
            absl::StrCat("the two branches differ: one is ", type_name(yes.type), ", the other ", type_name(no.type)));
  }
  if (yes.type == Type::player) return make(Type::player, graph_.select_player(condition, yes.node, no.node));
  if (always || never) return always ? yes : no;
  if (yes.type == Type::dirs && condition == graph_.mover_is_first())
    return make_dirs(by_mover(yes.dirs[0], no.dirs[1]));
  if (yes.type == Type::dirs && condition == graph_.complement(graph_.mover_is_first()))
    return make_dirs(by_mover(no.dirs[0], yes.dirs[1]));
  fail_at(e.parts[0]->span,
          absl::StrCat("a choice of ", type_name(yes.type), " may depend on options only, not on the position"),
          yes.type == Type::dirs ? "or on who is to move: if me == first then up else down" : "");
}

Value Elaborator::binary(const Expression& e, const Scope& scope) {
  const Value left = value(e.parts[0], scope);
  const Value right = value(e.parts[1], scope);
  const std::string& op = e.word;
  if (op == "|" && left.type == Type::dirs && right.type == Type::dirs) {
    const auto both = [](const Directions& a, const Directions& b) {
      Directions out{unite(a.all, b.all), a.straight};
      for (const Relation& one : b.straight) {
        if (std::find(out.straight.begin(), out.straight.end(), one) == out.straight.end()) out.straight.push_back(one);
      }
      if (a.straight.empty() || b.straight.empty()) out.straight.clear();
      return out;
    };
    ByMover out = by_mover(both(left.dirs[0], right.dirs[0]), both(left.dirs[1], right.dirs[1]));
    const NodeId always = graph_.truth(true);
    const auto add_cases = [&](const ByMover& of) {
      out.cases.insert(out.cases.end(), of.cases.begin(), of.cases.end());
      if (of.cases.empty()) out.cases.emplace_back(always, of[0]);
    };
    if (!left.dirs.cases.empty() || !right.dirs.cases.empty()) {
      for (const Value* side : {&left, &right}) {
        if (side->dirs.cases.empty() && side->dirs[0] != side->dirs[1])
          fail_at(e.span, "the way of a move cannot be joined with directions that depend on the player",
                  "write two sets and join these");
        add_cases(side->dirs);
      }
    }
    return make_dirs(std::move(out));
  }
  if (op == "&" || op == "|") {
    if (!set_like(left.type)) wrong_type(e.parts[0]->span, Type::cells, left);
    if (!set_like(right.type)) wrong_type(e.parts[1]->span, Type::cells, right);
    const Type type = left.type == Type::cells || right.type == Type::cells ? Type::cells : Type::truth;
    return make(type,
                op == "&" ? graph_.conjunction({left.node, right.node}) : graph_.disjunction({left.node, right.node}));
  }
  if (op == "+" || op == "-" || op == "*" || op == "/" || op == "%") return arithmetic(e, left, right);
  return compare(e, left, right);
}

Value Elaborator::compare(const Expression& e, const Value& left, const Value& right) {
  const std::string& op = e.word;
  const bool equality = op == "==" || op == "!=";
  const auto signed_truth = [&](NodeId equal, Type type) {
    return make(type, op == "==" ? equal : graph_.complement(equal));
  };
  if (numeric(left.type) && numeric(right.type)) {
    Value a = left;
    Value b = right;
    const bool fields = unify(a, e.parts[0]->span, b, e.parts[1]->span);
    align(a, b, e.span);
    const Linear difference = a.form + b.form * -1;
    for (const auto& [node, coefficient] : difference.terms) {
      if (graph_.node(node).op != NodeOp::number_input || graph_.node(node).value != kPassesInput) continue;
      if (difference.terms.size() != 1)
        fail_at(e.span, "'passes' can only be compared with a number", "as in passes == 2");
      constexpr std::int64_t kEnough = 1'000'000;  // more than can be counted
      max_pass_constant_ = std::max(max_pass_constant_,
                                    static_cast<int>(std::min(kEnough, std::abs(difference.constant / coefficient))));
    }
    const auto at_least = [&](std::int64_t bound) { return graph_.at_least(difference, bound, fields); };
    const Type type = fields ? Type::cells : Type::truth;
    if (equality) {
      const NodeId not_less = at_least(0);
      const NodeId more = at_least(1);
      return signed_truth(graph_.conjunction({not_less, graph_.complement(more)}), type);
    }
    if (op == ">=") return make(type, at_least(0));
    if (op == ">") return make(type, at_least(1));
    if (op == "<") return make(type, graph_.complement(at_least(0)));
    return make(type, graph_.complement(at_least(1)));
  }
  if (!equality) {
    const bool left_wrong = !numeric(left.type);
    wrong_type(e.parts[left_wrong ? 0 : 1]->span, Type::number, left_wrong ? left : right);
  }
  if (left.type == Type::player && right.type == Type::player)
    return signed_truth(graph_.player_is(left.node, right.node), Type::truth);
  if (left.type == Type::text && right.type == Type::text) {
    for (const auto& [option_side, word_side, at] : {std::tuple{&left, &right, 1}, std::tuple{&right, &left, 0}}) {
      if (option_side->option == nullptr || word_side->option != nullptr || option_side->option->one_of.empty())
        continue;
      const auto& choices = option_side->option->one_of;
      if (std::find(choices.begin(), choices.end(), word_side->text) == choices.end()) {
        fail_at(e.parts[static_cast<std::size_t>(at)]->span,
                absl::StrCat("'", option_side->option->name, "' is never '", word_side->text, "'"),
                suggestion(word_side->text, choices, "it takes"));
      }
    }
    return signed_truth(graph_.truth(left.text == right.text), Type::truth);
  }
  if (left.type == Type::truth && right.type == Type::truth) {
    return signed_truth(graph_.choose(left.node, right.node, graph_.complement(right.node)), Type::truth);
  }
  if (left.type == Type::cells && right.type == Type::cells) {
    fail_at(e.span, "two sets of cells cannot be compared", "did you mean !any(A & !B) & !any(B & !A)?");
  }
  fail_at(e.span, absl::StrCat(type_name(left.type), " cannot be compared with ", type_name(right.type)));
}

// max(a, b, ...), min(a, b, ...); of fields cell by cell.
Value Elaborator::extreme(const Expression& e, const Scope& scope) {
  Value out;
  for (std::size_t i = 0; i < e.parts.size(); ++i) {
    Value next = value(e.parts[i], scope);
    if (!numeric(next.type)) wrong_type(e.parts[i]->span, Type::number, next);
    if (i == 0) {
      out = std::move(next);
      continue;
    }
    const bool fields = unify(out, e.span, next, e.parts[i]->span);
    align(out, next, e.span);
    const NodeOp greatest = fields ? NodeOp::greatest_field : NodeOp::greatest_number;
    const NodeOp least = fields ? NodeOp::least_field : NodeOp::least_number;
    const NodeId node = graph_.extreme(e.word == "max" ? greatest : least,
                                       {graph_.of_form(out.form, fields), graph_.of_form(next.form, fields)});
    out = make_number(graph_.as_form(node), out.denominator, out.type);
  }
  return in_bounds(std::move(out), e.span);
}

Value Elaborator::arithmetic(const Expression& e, const Value& left, const Value& right) {
  const std::string& op = e.word;
  if (!numeric(left.type)) wrong_type(e.parts[0]->span, Type::number, left);
  if (!numeric(right.type)) wrong_type(e.parts[1]->span, Type::number, right);
  Value a = left;
  Value b = right;
  const bool fields = unify(a, e.parts[0]->span, b, e.parts[1]->span);
  const bool a_constant = a.form.terms.empty();
  const bool b_constant = b.form.terms.empty();
  if (op == "+" || op == "-") {
    align(a, b, e.span);
    a.form = a.form + b.form * (op == "+" ? 1 : -1);
    return in_bounds(std::move(a), e.span);
  }
  if (op == "*") {
    if (!a_constant && !b_constant && fields)
      fail_at(e.span, "two numbers for each cell cannot be multiplied", "one of the factors must be a constant");
    Value out = b_constant ? a : b;
    check_magnitude(static_cast<double>(a.denominator) * static_cast<double>(b.denominator), e.span);
    out.denominator = a.denominator * b.denominator;
    if (!a_constant && !b_constant) {
      check_magnitude(magnitude(a.form) * magnitude(b.form), e.span);
      const NodeId left_node = graph_.of_form(a.form, false);
      const NodeId right_node = graph_.of_form(b.form, false);
      out.form = graph_.as_form(graph_.product(left_node, right_node));
    } else {
      out = scaled(std::move(out), b_constant ? b.form.constant : a.form.constant, e.span);
    }
    return in_bounds(std::move(out), e.span);
  }
  if (!b_constant && op == "/" && !fields) return quotient(e, a, b);
  if (!b_constant)
    fail_at(e.parts[1]->span, "this divisor depends on the position", "here only division by a constant is possible");
  if (b.form.constant == 0) fail_at(e.parts[1]->span, "this divides by zero");
  if (op == "/") {
    const std::int64_t sign = b.form.constant < 0 ? -1 : 1;
    a = scaled(std::move(a), b.denominator * sign, e.span);
    check_magnitude(static_cast<double>(a.denominator) * static_cast<double>(b.form.constant * sign), e.span);
    a.denominator *= b.form.constant * sign;
    const std::int64_t common =
        std::accumulate(a.form.terms.begin(), a.form.terms.end(), std::gcd(a.form.constant, a.denominator),
                        [](std::int64_t g, const auto& term) { return std::gcd(g, term.second); });
    if (common > 1) {
      a.form.constant /= common;
      for (auto& term : a.form.terms) term.second /= common;
      a.denominator /= common;
    }
    return in_bounds(std::move(a), e.span);
  }
  const auto values = graph_.constant_values(a.form);
  if (a.denominator != 1 || b.denominator != 1 || !values) {
    fail_at(e.span, "a remainder may not depend on the position", "% is for rows, columns and constants");
  }
  const std::int64_t m = b.form.constant;
  const auto remainder = [&](std::int64_t v) { return ((v % m) + std::abs(m)) % m; };
  if (!fields) return make_number({{}, remainder(a.form.constant)});
  std::vector<std::int64_t> out;
  for (const std::int64_t v : *values) out.push_back(remainder(v));
  return make_number(graph_.as_form(graph_.constant_field(std::move(out))), 1, Type::field);
}

}  // namespace plenum
