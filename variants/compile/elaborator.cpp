// SPDX-License-Identifier: Apache-2.0
#include "variants/compile/elaborator.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <set>

#include <absl/cleanup/cleanup.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "variants/language/vocabulary.h"

namespace plenum {
namespace {

// The cells met from one on straight along a direction.
CellSet run_from(const Relation& direction, std::size_t cell) {
  CellSet out = 0;
  for (CellSet at = direction[cell]; at != 0 && (at & out) == 0;
       at = direction[static_cast<std::size_t>(std::countr_zero(at))])
    out |= at;
  return out;
}

using Type = Value::Type;

// What one description may come to, definitions written out: sizes far beyond any game, so that nothing overflows.
constexpr int kMaxDepth = 400;
constexpr int kMaxSteps = 200'000;

}  // namespace

std::string type_name(Type type) {
  constexpr std::array<const char*, 8> kNames = {
      "a set of cells", "a number for each cell", "a number", "true or false", "a player", "a text",
      "directions",     "the parts of a set"};
  return kNames[static_cast<std::size_t>(type)];
}

Elaborator::Elaborator(const Description& description, RuleSet& rules)
    : description_(description), rules_(rules), graph_(rules.graph) {
  check_namespace();
}

// Calls `claim` with the name of each thing that the description declares, where that is, and what.
template <typename Claim>
void Elaborator::each_declared(const Claim& claim) const {
  for (const Option& o : description_.options) {
    if (o.name != "board") claim(o.name, o.span, "an option");
  }
  for (const KindDescription& k : description_.kinds) {
    claim(k.name, k.span, "a kind");
    if (k.each.empty() || k.owner != Player::first) continue;
    for (const std::string& name : {k.each, "my_" + k.each, "their_" + k.each}) claim(name, k.span, "a kind");
  }
  std::set<std::string> families;
  for (const KindDescription& k : description_.kinds) {
    if (k.family.empty() || !families.insert(k.family).second) continue;
    claim(k.family, k.span, "a kind");
    for (const char* whose : {"my_", "their_", "first_", "second_"}) {
      if (!k.each.empty()) claim(whose + k.family, k.span, "a kind");
    }
  }
  for (const StateDescription& s : description_.state) claim(s.name, s.span, "a state");
  for (const auto& [name, d] : description_.definitions) claim(name, d.span, "a definition");
}

void Elaborator::check_namespace() const {
  std::map<std::string, std::string, std::less<>> seen;
  for (const Word& word : words()) seen.emplace(word.name, "a word of the language");
  for (const std::string& name : rules_.board.direction_names()) seen.emplace(name, "a direction of the board");
  for (const std::string& name : rules_.board.region_names()) seen.emplace(name, "a region of the board");
  const auto claim = [&](const std::string& name, const Span& span, const char* what) {
    const auto [found, fresh] = seen.emplace(name, what);
    if (!fresh)
      fail_at(span, absl::StrCat("the name '", name, "' is already ", found->second),
              "names are shared by options, kinds, state and definitions: choose another");
  };
  each_declared(claim);
}

Scope Elaborator::move_scope() const {
  Scope scope;
  for (int p = 0; p < rules_.layout.count() - rules_.layout.hidden; ++p)
    scope.planes.push_back(graph_.cell_input(kPlanes + p));
  for (std::size_t s = 0; s < rules_.slots.size(); ++s) {
    const int slot = static_cast<int>(s);
    const StateDescription::Type type = rules_.slots[s].type;
    scope.state.push_back(type == StateDescription::Type::player   ? graph_.player_input(slot)
                          : type == StateDescription::Type::number ? graph_.number_input(kFirstStateInput + slot)
                                                                   : graph_.bool_input(slot));
  }
  return scope;
}

Scope Elaborator::shared_scope() const {
  Scope scope = move_scope();
  scope.viewpoint_allowed = false;
  return scope;
}

std::vector<std::string> Elaborator::known_names(const Scope& scope) const {
  std::vector<std::string> out;
  for (const Local& local : scope.locals) out.push_back(local.name);
  for (const Word& word : words()) out.push_back(word.name);
  each_declared([&](const std::string& name, const Span&, const char*) { out.push_back(name); });
  for (const std::string& name : rules_.board.direction_names()) out.push_back(name);
  for (const std::string& name : rules_.board.region_names()) out.push_back(name);
  out.insert(out.end(), scope.plain_words.begin(), scope.plain_words.end());
  std::set<std::string> seen;  // directions of the board are words of the language too
  std::erase_if(out, [&](const std::string& word) { return !seen.insert(word).second; });
  return out;
}

void Elaborator::wrong_type(const Span& span, Type wanted, const Value& got) const {
  std::string advice;
  if (wanted == Type::truth && got.type == Type::cells)
    advice = "did you mean any(...)? A set of cells is neither true nor false";
  if (wanted == Type::number && got.type == Type::cells) advice = "did you mean count(...)?";
  if (wanted == Type::cells && got.type == Type::field) advice = "compare it with something, as in near(mine) > 0";
  if (wanted == Type::cells && got.type == Type::dirs)
    advice = "a direction looks from cells: up(S) are the cells whose upper neighbour is in S";
  if (got.type == Type::parts)
    advice = "parts are counted, count(groups(S)), or gone through: sum(g in groups(S): count(g) * count(g))";
  fail_at(span, absl::StrCat("this is ", type_name(got.type), "; ", type_name(wanted), " is expected here"), advice);
}

Value Elaborator::value(Type type, const ExpressionPtr& e, const Scope& scope) {
  Value v = value(e, scope);
  if (v.type != type) wrong_type(e->span, type, v);
  return v;
}

Linear Elaborator::whole_number(const ExpressionPtr& e, const Scope& scope) {
  const Value v = number(e, scope);
  if (v.denominator != 1) fail_at(e->span, "a whole number is expected here", "fractions are for scores");
  return v.form;
}

ByMover Elaborator::neighbours() const {
  const Directions all{rules_.board.adjacent(), rules_.board.straight("adjacent")};
  return by_mover(all, all);
}

ByMover Elaborator::dirs(const ExpressionPtr& e, const Scope& scope) {
  if (e == nullptr) return neighbours();
  ByMover out = value(Value::Type::dirs, e, scope).dirs;
  if (!out.cases.empty())
    fail_at(e->span, "the way of a move is not known here",
            "it goes into sets: onward(S), ray(S, onward, T), between, line");
  return out;
}

void Elaborator::refuse_not_straight(const Span& span, std::string_view why) const {
  std::vector<std::string> straight = rules_.board.direction_names();
  std::erase_if(straight, [&](const std::string& name) { return rules_.board.straight(name).empty(); });
  fail_at(span, why,
          straight.empty() ? "take a board of squares or hexagons, or declare lines or directions under [board]"
                           : absl::StrCat("straight ones are ", absl::StrJoin(straight, ", ")));
}

ByMover Elaborator::one_way(const ExpressionPtr& e, const Scope& scope) {
  ByMover out = value(Value::Type::dirs, e, scope).dirs;
  const auto single = [](const Directions& each) { return each.straight.size() == 1; };
  const bool plain = out.cases.empty() && single(out[0]) && single(out[1]);
  if (plain) return out;
  if (out.cases.empty() ||
      !std::all_of(out.cases.begin(), out.cases.end(), [&](const auto& c) { return single(c.second); }))
    fail_at(e->span, "one direction is meant here", "such as up, left or onward");
  // Where lines close, a cell may be reached both ways.
  for (const auto& [holds, one] : out.cases) {
    for (const auto& [also, other] : out.cases) {
      if (one == other) continue;
      for (std::size_t c = 0; c < one.all.size(); ++c) {
        if ((run_from(one.straight[0], c) & run_from(other.straight[0], c)) != 0)
          fail_at(e->span,
                  absl::StrCat("on the board ", rules_.board.name(), " a piece may have come the one way or the other"),
                  "name the direction");
      }
    }
  }
  return out;
}

// The way that the move went, or back from where it went to; by the two cells.
ByMover Elaborator::way_of_move(bool reversed) const {
  ByMover out;
  for (const Relation& one : rules_.board.straight()) {
    const NodeId on_the_way = graph_.ray(graph_.intern(one), graph_.cell_input(kTaken), graph_.constant(graph_.all()));
    const Relation way = reversed ? transposed(one) : one;
    out.cases.emplace_back(graph_.any(graph_.conjunction({on_the_way, graph_.cell_input(kPlaced)})),
                           Directions{way, {way}});
    out[0] = {unite(out[0].all.empty() ? way : out[0].all, way), {way}};
  }
  out[1] = out[0];
  return out;
}

std::string Elaborator::text(const ExpressionPtr& e, const Scope& scope) {
  const Value v = value(Type::text, e, scope);
  if (!scope.plain_words.empty() &&
      std::find(scope.plain_words.begin(), scope.plain_words.end(), v.text) == scope.plain_words.end()) {
    fail_at(e->span, absl::StrCat("'", v.text, "' is not known here"), suggestion(v.text, scope.plain_words, "one of"));
  }
  return v.text;
}

void Elaborator::check_settings() {
  for (const RefusedDescription& refused : description_.refused) {
    const NodeId when = truth(refused.when, shared_scope());
    if (graph_.node(when).op != NodeOp::constant)
      fail_at(refused.when->span, "this must be a constant", "it may depend on options and the board only");
    if (!graph_.is_true(when)) continue;
    std::set<std::string, std::less<>> read;
    add_names(*refused.when, read);
    std::vector<std::string> settings;  // those that are not as they stand in the description
    for (const Option& option : description_.options) {
      if (read.count(option.name) != 0 && option.value != option.initial)
        settings.push_back(absl::StrCat(option.name, "=", to_text(option.value)));
    }
    throw DescriptionError{absl::FailedPreconditionError(
        absl::StrCat(settings.empty() ? description_.name : absl::StrJoin(settings, " "), ": ", refused.why))};
  }
}

std::string Elaborator::word(const ExpressionPtr& e, std::vector<std::string> words) {
  Scope scope = shared_scope();
  scope.plain_words = std::move(words);
  return text(e, scope);
}

Value Elaborator::as_field(Value v, const Span& span) {
  if (v.type == Type::field) return v;
  if (v.type != Type::number) wrong_type(span, Type::field, v);
  Linear form;
  form.constant = v.form.constant;
  for (const auto& [node, coefficient] : v.form.terms) add_term(form, graph_.broadcast(node), coefficient);
  v.form = std::move(form);
  v.type = Type::field;
  return v;
}

namespace {
void check_arity(const Expression& e, std::size_t least, std::size_t most, std::string_view usage) {
  if (e.parts.size() >= least && e.parts.size() <= most) return;
  fail_at(
      e.span,
      absl::StrCat("'", e.word, "' has ", e.parts.size(), e.parts.size() == 1 ? " argument here" : " arguments here"),
      absl::StrCat("write ", std::string(usage)));
}
}  // namespace

Value Elaborator::call(const Expression& e, const Scope& scope) {
  if (e.word == "near") {
    check_arity(e, 1, 2, "near(S) or near(S, directions)");
    const NodeId set = cells(e.parts[0], scope);
    const ByMover by = dirs(e, 1, scope);
    NodeId out = graph_.near_count(graph_.intern(by[0].all), set);
    if (by[0].all != by[1].all)
      out = graph_.select(graph_.mover_is_first(), out, graph_.near_count(graph_.intern(by[1].all), set), true);
    return make_number(graph_.as_form(out), 1, Type::field);
  }
  if (e.word == "joined") {
    check_arity(e, 2, 3, "joined(S, seed) or joined(S, seed, directions)");
    const NodeId set = cells(e.parts[0], scope);
    const NodeId seed = cells(e.parts[1], scope);
    return make(Type::cells, union_by(any_dirs(e, 2, scope), [&](const Directions& by) {
                  return graph_.joined(graph_.intern(by.all), set, seed);
                }));
  }
  if (e.word == "count") {
    check_arity(e, 1, 1, "count(S), or count(g in groups(S): condition)");
    const Value counted = value(e.parts[0], scope);
    if (counted.type == Type::parts) return fold(NodeOp::fold_sum, counted, make_number({{}, 1}), e.span, scope.level);
    if (counted.type != Type::cells) wrong_type(e.parts[0]->span, Type::cells, counted);
    return make_number(graph_.as_form(graph_.count(counted.node)));
  }
  if (e.word == "any") {
    check_arity(e, 1, 1, "any(S)");
    return make(Type::truth, graph_.any(cells(e.parts[0], scope)));
  }
  if (e.word == "before") {
    check_arity(e, 1, 1, "before(expression)");
    if (scope.planes_before.empty()) fail_at(e.span, "'before' is known only in 'then', after the move");
    return value(e.parts[0], on_board_before(scope));
  }
  if (e.word == "groups") {
    check_arity(e, 1, 2, "groups(S) or groups(S, directions)");
    Value out = make(Type::parts, cells(e.parts[0], scope));
    const ByMover by = dirs(e, 1, scope);
    if (by[0].all != by[1].all)
      fail_at(e.parts[1]->span, "what joins a group may not depend on the player",
              "take directions that are the same for both");
    out.relation = graph_.intern(unite(by[0].all, transposed(by[0].all)));
    return out;
  }
  if (e.word == "line" || e.word == "between" || e.word == "ray" || e.word == "pattern") return straight_call(e, scope);
  const bool is_extreme = e.word == "max" || e.word == "min";
  if (is_extreme && e.parts.size() > 1) return extreme(e, scope);
  if (is_extreme || e.word == "sum" || e.word == "all")
    fail_at(e.span, absl::StrCat("'", e.word, "' goes through parts"),
            absl::StrCat("write ", e.word, "(g in groups(S): expression)",
                         is_extreme ? absl::StrCat(", or ", e.word, "(a, b)") : ""));
  if (e.word == "pile" || e.word == "sown") {
    check_arity(e, e.word == "pile" ? 1 : 2, e.word == "pile" ? 1 : 2,
                e.word == "pile" ? "pile(S)" : "sown(S, directions)");
    return *pile_call(e, scope);
  }
  return call_by_name(e, scope);
}

// A direction of a set, or a definition.
Value Elaborator::call_by_name(const Expression& e, const Scope& scope) {
  check_way_of_move(e, scope);
  const auto looking = [&](const ByMover& directions) {
    const NodeId set = cells(e.parts[0], scope);
    return make(Type::cells,
                union_by(directions, [&](const Directions& by) { return graph_.image(graph_.intern(by.all), set); }));
  };
  if (const auto direction = direction_of(e.word, scope)) {
    check_arity(e, 1, 1, absl::StrCat(e.word, "(S)"));
    if ((*direction)[0] != (*direction)[1]) expect_viewpoint(e, scope);
    return looking(*direction);
  }
  const auto definition = description_.definitions.find(e.word);
  if (definition != description_.definitions.end()) {
    if (definition->second.parameters.empty() && e.parts.size() == 1) {  // it may be of directions
      Expression alone = e;
      alone.parts.clear();
      if (const Value plain = expand_definition(alone, definition->second, scope); plain.type == Type::dirs)
        return looking(plain.dirs);
    }
    return expand_definition(e, definition->second, scope);
  }
  no_such_function(e, scope);
}

void Elaborator::no_such_function(const Expression& e, const Scope& scope) const {
  std::vector<std::string> functions = rules_.board.direction_names();
  for (const Word& word : words()) {
    if (word.name == e.word && word.on_boards) {
      fail_at(e.span, absl::StrCat("'", e.word, "' has no meaning on the board ", rules_.board.name()),
              absl::StrCat("its directions: ", absl::StrJoin(rules_.board.direction_names(), ", ")));
    }
    if (word.is_function) functions.push_back(word.name);
  }
  for (const auto& [known, d] : description_.definitions) {
    if (!d.parameters.empty()) functions.push_back(known);
  }
  const Span head = e.span.part(0, e.word.size());
  const std::vector<std::string> names = known_names(scope);
  if (std::find(names.begin(), names.end(), e.word) != names.end())
    fail_at(head, absl::StrCat("'", e.word, "' is not a function"), "write it without brackets");
  if (const std::string reason = why_absent(e.word); !reason.empty())
    fail_at(head, absl::StrCat("the language has no '", e.word, "'"), reason);
  fail_at(head, absl::StrCat("there is no function '", e.word, "'"), suggestion(e.word, functions, "functions"));
}

Value Elaborator::value(const ExpressionPtr& expression, const Scope& scope) {
  const Expression& e = *expression;
  const absl::Cleanup outside = [this] { --depth_; };
  if (++depth_ > kMaxDepth || ++steps_ > kMaxSteps)
    fail_at(e.span, "with all definitions written out, the rules become too large here", "simplify the definitions");
  switch (e.kind) {
    case Expression::Kind::integer:
      return make_number({{}, e.integer});
    case Expression::Kind::text:
      return make_text(e.word);
    case Expression::Kind::name:
      return name(e, scope);
    case Expression::Kind::call:
      return call(e, scope);
    case Expression::Kind::loop:
      return loop(e, scope);
    case Expression::Kind::binary:
      return binary(e, scope);
    case Expression::Kind::conditional:
      return conditional(e, scope);
    case Expression::Kind::cells: {
      CellSet set = 0;
      for (const Span& span : e.cells) {
        const auto cell = rules_.board.find_cell(span.text());
        if (!cell) {
          std::vector<std::string> names;
          names.reserve(static_cast<std::size_t>(rules_.board.size()));
          for (int c = 0; c < rules_.board.size(); ++c) names.push_back(rules_.board.cell_name(static_cast<Cell>(c)));
          fail_at(span,
                  absl::StrCat("the board ", rules_.board.name(), " has no cell '", std::string(span.text()), "'"),
                  suggestion(span.text(), names, "cells"));
        }
        set |= cell_bit(*cell);
      }
      return make(Type::cells, graph_.constant(set));
    }
    case Expression::Kind::complement: {
      const Value v = value(e.parts[0], scope);
      if (!set_like(v.type)) wrong_type(e.parts[0]->span, Type::cells, v);
      return make(v.type, graph_.complement(v.node));
    }
    case Expression::Kind::negate: {
      Value v = value(e.parts[0], scope);
      if (!numeric(v.type)) wrong_type(e.parts[0]->span, Type::number, v);
      v.form = v.form * -1;
      return v;  // in bounds, as they are the same on both sides
    }
  }
  return {};
}

}  // namespace plenum
