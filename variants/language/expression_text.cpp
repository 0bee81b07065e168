// SPDX-License-Identifier: Apache-2.0
// Syntax trees written out again, each tree in one way.
#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <absl/strings/str_cat.h>

#include "variants/language/expression.h"

namespace plenum {
namespace {

// How tightly an operator binds, as the grammar in expression.h has it.
enum Binding : int { kConditional, kOr, kAnd, kNot, kComparison, kSum, kTerm, kUnary, kPrimary };

Binding binding_of(std::string_view op) {
  if (op == "|") return kOr;
  if (op == "&") return kAnd;
  if (op == "+" || op == "-") return kSum;
  if (op == "*" || op == "/" || op == "%") return kTerm;
  return kComparison;
}

std::string write(const Expression& e, Binding least);

std::string write_list(const std::vector<ExpressionPtr>& parts) {
  std::string out;
  for (const ExpressionPtr& part : parts) absl::StrAppend(&out, out.empty() ? "" : ", ", write(*part, kConditional));
  return out;
}

std::pair<std::string, Binding> write_bare(const Expression& e) {
  switch (e.kind) {
    case Expression::Kind::integer:
      return {absl::StrCat(e.integer), kPrimary};
    case Expression::Kind::text:
      return {absl::StrCat("'", escaped(e.word, '\''), "'"), kPrimary};
    case Expression::Kind::cells: {
      std::string cells;
      for (const Span& cell : e.cells)
        absl::StrAppend(&cells, cells.empty() ? "" : " ", escaped(std::string(cell.text()), '}'));
      return {absl::StrCat("{", cells, "}"), kPrimary};
    }
    case Expression::Kind::name:
      return {e.word, kPrimary};
    case Expression::Kind::call:
      return {absl::StrCat(e.word, "(", write_list(e.parts), ")"), kPrimary};
    case Expression::Kind::loop:
      return {absl::StrCat(e.word, "(", e.variable, " in ", write(*e.parts[0], kConditional), ": ",
                           write(*e.parts[1], kConditional), ")"),
              kPrimary};
    case Expression::Kind::negate:
      return {absl::StrCat("-", write(*e.parts[0], kUnary)), kUnary};
    case Expression::Kind::complement:
      return {absl::StrCat("!", write(*e.parts[0], kNot)), kNot};
    case Expression::Kind::binary: {
      const Binding own = binding_of(e.word);
      const auto tighter = static_cast<Binding>(own + 1);  // chains nest to the left; comparisons do not chain
      return {absl::StrCat(write(*e.parts[0], own == kComparison ? tighter : own), " ", e.word, " ",
                           write(*e.parts[1], tighter)),
              own};
    }
    case Expression::Kind::conditional:
      return {absl::StrCat("if ", write(*e.parts[0], kConditional), " then ", write(*e.parts[1], kConditional),
                           " else ", write(*e.parts[2], kConditional)),
              kConditional};
  }
  return {"", kPrimary};
}

// In brackets where it binds less tightly than `least`.
std::string write(const Expression& e, Binding least) {
  auto [text, own] = write_bare(e);
  return own < least ? absl::StrCat("(", text, ")") : std::move(text);
}

}  // namespace

bool is_name(std::string_view text) {
  const auto inside = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(), inside);
}

std::string escaped(std::string_view text, char close) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\' || c == close) {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7F) {
      absl::StrAppend(&out, "\\x", absl::Hex(byte, absl::kZeroPad2));
    } else {
      out += c;
    }
  }
  return out;
}

std::string to_text(const Expression& e) { return write(e, kConditional); }

std::string to_text(const Effect& effect) {
  std::string out;
  for (const ExpressionPtr& condition : effect.conditions) absl::StrAppend(&out, "if ", to_text(*condition), ": ");
  if (effect.way == Effect::Way::repeat) absl::StrAppend(&out, "repeat: ");
  if (effect.way == Effect::Way::spread) {
    absl::StrAppend(&out, "spread from ", to_text(*effect.from));
    if (effect.by != nullptr) absl::StrAppend(&out, " by ", to_text(*effect.by));
    absl::StrAppend(&out, ": ");
  }
  if (effect.way == Effect::Way::carry)
    absl::StrAppend(&out, "carry ", to_text(*effect.from), " by ", to_text(*effect.by));
  if (effect.way == Effect::Way::defined) absl::StrAppend(&out, to_text(*effect.definition));
  bool first = true;
  for (const Effect::Clause& clause : effect.clauses) {
    const std::string value = write(*clause.value, kOr);
    absl::StrAppend(&out, first ? "" : ", ");
    if (clause.kind == Effect::Kind::assign) absl::StrAppend(&out, clause.name, " = ", value);
    if (clause.kind == Effect::Kind::change) absl::StrAppend(&out, value, " -> ", clause.name);
    if (clause.kind == Effect::Kind::never) absl::StrAppend(&out, value, " -> never");
    if (clause.amount != nullptr) absl::StrAppend(&out, " of ", write(*clause.amount, kOr));
    first = false;
  }
  return out;
}

void add_names(const Expression& e, std::set<std::string, std::less<>>& names) {
  if (e.kind == Expression::Kind::name || e.kind == Expression::Kind::call) names.insert(e.word);
  for (const ExpressionPtr& part : e.parts) add_names(*part, names);
}

void add_names(const Effect& effect, std::set<std::string, std::less<>>& names) {
  for (const ExpressionPtr& condition : effect.conditions) add_names(*condition, names);
  if (effect.from != nullptr) add_names(*effect.from, names);
  if (effect.by != nullptr) add_names(*effect.by, names);
  if (effect.definition != nullptr) add_names(*effect.definition, names);
  for (const Effect::Clause& clause : effect.clauses) {
    add_names(*clause.value, names);
    if (clause.amount != nullptr) add_names(*clause.amount, names);
  }
}

}  // namespace plenum
