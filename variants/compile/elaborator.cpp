// SPDX-License-Identifier: Apache-2.0
#include "variants/compile/elaborator.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <set>

#include <absl/strings/str_cat.h>

#include "variants/language/words.h"

namespace plenum {
namespace {

using Type = Value::Type;

// What one description may come to, definitions written out: sizes far beyond any game, so that nothing overflows.
constexpr int kMaxDepth = 1000;
constexpr int kMaxSteps = 200'000;

}  // namespace

std::string_view type_name(Type type) {
  switch (type) {
    case Type::cells:
      return "a set of cells";
    case Type::field:
      return "a number for each cell";
    case Type::number:
      return "a number";
    case Type::truth:
      return "true or false";
    case Type::player:
      return "a player";
    case Type::text:
      return "a text";
    case Type::dirs:
      return "directions";
    case Type::parts:
      return "the parts of a set";
  }
  return "";
}

Elaborator::Elaborator(const Description& description, RuleSet& rules)
    : description_(description), rules_(rules), graph_(rules.graph) {
  check_namespace();
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
  for (const Option& o : description_.options) {
    if (o.name != "board") claim(o.name, o.span, "an option");
  }
  for (const KindDescription& k : description_.kinds) claim(k.name, k.span, "a kind");
  for (const StateDescription& s : description_.state) claim(s.name, s.span, "a state");
  for (const auto& [name, d] : description_.definitions) claim(name, d.span, "a definition");
}

Scope Elaborator::move_scope() const {
  Scope scope;
  // The cell that a pawn has passed over holds nothing.
  const int planes = rules_.pieces ? 2 * rules_.layout.own : rules_.layout.count();
  for (int p = 0; p < planes; ++p) scope.planes.push_back(graph_.cell_input(kPlanes + p));
  for (std::size_t s = 0; s < rules_.slots.size(); ++s) {
    const int slot = static_cast<int>(s);
    switch (rules_.slots[s].type) {
      case StateDescription::Type::player:
        scope.state.push_back(graph_.player_input(slot));
        break;
      case StateDescription::Type::number:
        scope.state.push_back(graph_.number_input(kFirstStateInput + slot));
        break;
      case StateDescription::Type::boolean:
        scope.state.push_back(graph_.bool_input(slot));
        break;
    }
  }
  return scope;
}

std::vector<std::string> Elaborator::known_names(const Scope& scope) const {
  std::vector<std::string> out;
  for (const Local& local : scope.locals) out.push_back(local.name);
  for (const Word& word : words()) out.push_back(word.name);
  for (const Option& o : description_.options) {
    if (o.name != "board") out.push_back(o.name);
  }
  for (const KindDescription& k : description_.kinds) out.push_back(k.name);
  for (const StateDescription& s : description_.state) out.push_back(s.name);
  for (const auto& [name, ignored] : description_.definitions) out.push_back(name);
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
  fail_at(span,
          absl::StrCat("this is ", std::string(type_name(got.type)), "; ", std::string(type_name(wanted)),
                       " is expected here"),
          advice);
}

NodeId Elaborator::cells(const ExpressionPtr& e, const Scope& scope) {
  const Value v = value(e, scope);
  if (v.type != Type::cells) wrong_type(e->span, Type::cells, v);
  return v.node;
}

NodeId Elaborator::truth(const ExpressionPtr& e, const Scope& scope) {
  const Value v = value(e, scope);
  if (v.type != Type::truth) wrong_type(e->span, Type::truth, v);
  return v.node;
}

Value Elaborator::number(const ExpressionPtr& e, const Scope& scope) {
  Value v = value(e, scope);
  if (v.type != Type::number) wrong_type(e->span, Type::number, v);
  return v;
}

Linear Elaborator::whole_number(const ExpressionPtr& e, const Scope& scope) {
  const Value v = number(e, scope);
  if (v.denominator != 1) fail_at(e->span, "a whole number is expected here", "fractions are for scores");
  return v.form;
}

Value Elaborator::field(const ExpressionPtr& e, const Scope& scope) { return as_field(value(e, scope), e->span); }

NodeId Elaborator::player(const ExpressionPtr& e, const Scope& scope) {
  const Value v = value(e, scope);
  if (v.type != Type::player) wrong_type(e->span, Type::player, v);
  return v.node;
}

std::array<Directions, 2> Elaborator::neighbours() const {
  const Directions all{rules_.board.adjacent(), rules_.board.straight("adjacent")};
  return {all, all};
}

std::array<Directions, 2> Elaborator::dirs(const ExpressionPtr& e, const Scope& scope) {
  const Value v = value(e, scope);
  if (v.type != Type::dirs) wrong_type(e->span, Type::dirs, v);
  return v.dirs;
}

std::string Elaborator::text(const ExpressionPtr& e, const Scope& scope) {
  const Value v = value(e, scope);
  if (v.type != Type::text) wrong_type(e->span, Type::text, v);
  if (!scope.plain_words.empty() &&
      std::find(scope.plain_words.begin(), scope.plain_words.end(), v.text) == scope.plain_words.end()) {
    fail_at(e->span, absl::StrCat("'", v.text, "' is not known here"), suggestion(v.text, scope.plain_words, "one of"));
  }
  return v.text;
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

PlaneChoice Elaborator::plane(const Span& span, std::string_view word) const {
  std::vector<std::string> known = {"empty", "mine", "theirs"};
  if (word == "empty") return {-1, -1};
  if (word == "mine" || word == "theirs") {
    if (rules_.layout.own != 1)
      fail_at(span, absl::StrCat("'", std::string(word), "' could be any of several kinds"), "name the kind");
    const int plane = word == "mine" ? 0 : 1;
    return {plane, plane};
  }
  for (std::size_t k = 0; k < rules_.kinds.size(); ++k) {
    if (rules_.kinds[k].name == word) return rules_.plane_of(k);
    known.push_back(rules_.kinds[k].name);
  }
  fail_at(span, absl::StrCat("there is no kind '", std::string(word), "'"), suggestion(word, known, "kinds"));
}

NodeId Elaborator::owned(const Scope& scope, bool by_me, const std::vector<NodeId>& planes) const {
  const int first = by_me == scope.viewpoint_is_mover ? 0 : rules_.layout.own;
  const std::vector<NodeId> parts(planes.begin() + first, planes.begin() + first + rules_.layout.own);
  return graph_.disjunction(parts);
}

NodeId Elaborator::kind_cells(std::size_t kind, const Scope& scope) {
  const PlaneChoice plane = rules_.plane_of(kind);
  return graph_.choose(graph_.mover_is_first(), scope.planes[static_cast<std::size_t>(plane.if_first)],
                       scope.planes[static_cast<std::size_t>(plane.if_second)]);
}

// "forward" is up for first and down for second, and so on.
std::optional<std::array<Directions, 2>> Elaborator::direction_of(std::string_view word, const Scope& scope) const {
  const auto named = [&](std::string_view name) -> std::optional<Directions> {
    const Relation* relation = rules_.board.direction(name);
    if (relation == nullptr) return std::nullopt;
    return Directions{*relation, rules_.board.straight(name)};
  };
  if (const auto plain = named(word)) return std::array{*plain, *plain};
  constexpr std::array<std::array<std::string_view, 3>, 6> kTurned = {{{"forward", "up", "down"},
                                                                       {"backward", "down", "up"},
                                                                       {"forward_left", "up_left", "down_right"},
                                                                       {"forward_right", "up_right", "down_left"},
                                                                       {"backward_left", "down_left", "up_right"},
                                                                       {"backward_right", "down_right", "up_left"}}};
  for (const auto& [turned, first, second] : kTurned) {
    if (word != turned) continue;
    const auto if_first = named(scope.viewpoint_is_mover ? first : second);
    const auto if_second = named(scope.viewpoint_is_mover ? second : first);
    if (if_first && if_second) return std::array{*if_first, *if_second};
  }
  return std::nullopt;
}

Value Elaborator::state_value(int slot, const Scope& scope) {
  const StateSlot* state = &rules_.slots[static_cast<std::size_t>(slot)];
  if (state->each && !scope.viewpoint_is_mover) slot = state->partner;
  const NodeId node = scope.state[static_cast<std::size_t>(slot)];
  switch (state->type) {
    case StateDescription::Type::player:
      return make(Type::player, node);
    case StateDescription::Type::boolean:
      return make(Type::truth, node);
    case StateDescription::Type::number:
      break;
  }
  return make_number(graph_.as_form(node));
}

void Elaborator::expect_viewpoint(const Expression& e, const Scope& scope) {
  if (!scope.viewpoint_allowed)
    fail_at(e.span, absl::StrCat("'", e.word, "' makes no sense here: nobody in particular is looking"),
            "use stones, empty, kinds by name, or count both players alike");
}

Value Elaborator::name(const Expression& e, const Scope& scope) {
  const std::string& word = e.word;
  for (auto local = scope.locals.rbegin(); local != scope.locals.rend(); ++local) {
    if (local->name == word) return local->value;
  }
  const auto needs_viewpoint = [&] { expect_viewpoint(e, scope); };
  if (word == "mine" || word == "theirs") {
    needs_viewpoint();
    return make(Type::cells, owned(scope, word == "mine", scope.planes));
  }
  if (word == "stones" || word == "empty") {
    const NodeId stones = graph_.disjunction(scope.planes);
    return make(Type::cells, word == "stones" ? stones : graph_.complement(stones));
  }
  if (word == "cells") return make(Type::cells, graph_.constant(graph_.all()));
  if (word == "none") return make(Type::cells, graph_.constant(0));
  if (word == "true" || word == "false") return make(Type::truth, graph_.truth(word == "true"));
  if (word == "me" || word == "them") {
    needs_viewpoint();
    return make(Type::player, graph_.player_constant((word == "me") == scope.viewpoint_is_mover ? 1 : 2));
  }
  if (word == "nobody") return make(Type::player, graph_.player_constant(0));
  if (word == "first" || word == "second") {
    const int if_first = word == "first" ? 1 : 2;
    return make(Type::player, graph_.select_player(graph_.mover_is_first(), graph_.player_constant(if_first),
                                                   graph_.player_constant(3 - if_first)));
  }
  if (word == "passes") return make_number(graph_.as_form(graph_.number_input(kPassesInput)));
  if (word == "from") {
    if (!scope.has_origin)
      fail_at(e.span, "'from' is the cell a piece leaves; it is known only in the 'to' of a move with 'from'", "");
    return make(Type::cells, graph_.cell_input(kOrigin));
  }
  if (word == "changed") {
    if (scope.changed < 0) fail_at(e.span, "'changed' is known only in 'then' and 'legal', after the move", "");
    return make(Type::cells, scope.changed);
  }
  if (word == "placed" || word == "taken") {
    if (!scope.has_placed)
      fail_at(e.span, absl::StrCat("'", word, "' is known only in 'then' and 'legal', and in the parts that follow"),
              "");
    return make(Type::cells, graph_.cell_input(word == "placed" ? kPlaced : kTaken));
  }
  if (const std::vector<int>* values = rules_.board.coordinate(word)) {
    Linear form;
    add_term(form, graph_.constant_field({values->begin(), values->end()}), 1);
    return make_number(std::move(form), 1, Type::field);
  }
  if (const auto dimension = rules_.board.dimension(word)) return make_number({{}, *dimension});
  if (const auto region = rules_.board.region(word)) return make(Type::cells, graph_.constant(*region));
  if (const auto direction = direction_of(word, scope)) {
    if ((*direction)[0] != (*direction)[1]) needs_viewpoint();
    return make_dirs((*direction)[0], (*direction)[1]);
  }
  if (word == "far_edge" || word == "home_edge") {
    const auto top = rules_.board.region("top_edge");
    const auto bottom = rules_.board.region("bottom_edge");
    if (top && bottom) {
      needs_viewpoint();
      const bool top_if_first = (word == "far_edge") == scope.viewpoint_is_mover;
      return make(Type::cells, graph_.choose(graph_.mover_is_first(), graph_.constant(top_if_first ? *top : *bottom),
                                             graph_.constant(top_if_first ? *bottom : *top)));
    }
  }
  if (word != "board") {
    if (const Option* option = description_.find_option(word)) {
      if (const bool* on = std::get_if<bool>(&option->value)) return make(Type::truth, graph_.truth(*on));
      if (const std::int64_t* n = std::get_if<std::int64_t>(&option->value)) return make_number({{}, *n});
      return make_text(std::get<std::string>(option->value), option);
    }
  }
  for (std::size_t k = 0; k < rules_.kinds.size(); ++k) {
    if (rules_.kinds[k].name == word) return make(Type::cells, kind_cells(k, scope));
  }
  for (std::size_t s = 0; s < rules_.slots.size(); ++s) {
    if (rules_.slots[s].name != word) continue;
    if (rules_.slots[s].each) needs_viewpoint();
    return state_value(static_cast<int>(s), scope);
  }
  const auto definition = description_.definitions.find(word);
  if (definition != description_.definitions.end()) return expand_definition(e, definition->second, scope);
  if (std::find(scope.plain_words.begin(), scope.plain_words.end(), word) != scope.plain_words.end())
    return make_text(word);
  for (const Word& known : words()) {
    if (known.name == word && known.on_boards) {
      fail_at(e.span, absl::StrCat("'", word, "' has no meaning on the board ", rules_.board.name()), "");
    }
    if (known.name == word)
      fail_at(e.span, absl::StrCat("'", word, "' is a function"), absl::StrCat("write ", known.usage));
  }
  if (const std::string reason = why_absent(word); !reason.empty())
    fail_at(e.span, absl::StrCat("the language has no '", word, "'"), reason);
  for (const auto& [name, span] : description_.removed) {
    if (name == word)
      fail_at(e.span, absl::StrCat("'", word, "' is still used here, and ", place_of(span), " takes it away"),
              "change this too, or leave it there");
  }
  fail_at(e.span, absl::StrCat("unknown name '", word, "'"), suggestion(word, known_names(scope), "names"));
}

Value Elaborator::expand_definition(const Expression& e, const Definition& definition, const Scope& scope) {
  if (e.parts.size() != definition.parameters.size()) {
    fail_at(e.span,
            absl::StrCat("'", e.word, "' takes ", definition.parameters.size(),
                         definition.parameters.size() == 1 ? " argument" : " arguments", ", not ", e.parts.size()),
            definition.parameters.empty() ? absl::StrCat("write ", e.word, " without brackets") : "");
  }
  if (std::find(scope.definitions.begin(), scope.definitions.end(), e.word) != scope.definitions.end())
    fail_at(definition.span, absl::StrCat("the definition '", e.word, "' uses itself"),
            "definitions cannot be recursive");
  Scope inner = scope;  // parameters are the only locals a definition sees
  inner.locals.clear();
  inner.definitions.push_back(e.word);
  for (std::size_t i = 0; i < e.parts.size(); ++i) {
    Local parameter{definition.parameters[i], value(e.parts[i], scope)};
    if (!scope.planes_before.empty())
      parameter.before = [this, &argument = e.parts[i], &scope] { return value(argument, on_board_before(scope)); };
    inner.locals.push_back(std::move(parameter));
  }
  return value(definition.body, inner);
}

// A parameter stands for its expression: before(count(s)) counts what s was, as if it were written out.
Scope Elaborator::on_board_before(const Scope& scope) const {
  Scope out = scope;
  out.planes = scope.planes_before;
  for (Local& local : out.locals) {
    if (local.before) local.value = local.before();
  }
  return out;
}

Value Elaborator::call(const Expression& e, const Scope& scope) {
  const auto arity = [&](std::size_t least, std::size_t most, std::string_view usage) {
    if (e.parts.size() < least || e.parts.size() > most) {
      fail_at(e.span,
              absl::StrCat("'", e.word, "' has ", e.parts.size(),
                           e.parts.size() == 1 ? " argument here" : " arguments here"),
              absl::StrCat("write ", std::string(usage)));
    }
  };
  const auto related = [&](std::size_t index) {
    return e.parts.size() > index ? dirs(e.parts[index], scope) : neighbours();
  };
  if (e.word == "near") {
    arity(1, 2, "near(S) or near(S, directions)");
    const NodeId set = cells(e.parts[0], scope);
    const std::array<Directions, 2> by = related(1);
    NodeId out = graph_.near_count(graph_.intern(by[0].all), set);
    if (by[0].all != by[1].all)
      out = graph_.select(graph_.mover_is_first(), out, graph_.near_count(graph_.intern(by[1].all), set), true);
    return make_number(graph_.as_form(out), 1, Type::field);
  }
  if (e.word == "joined") {
    arity(2, 3, "joined(S, seed) or joined(S, seed, directions)");
    const NodeId set = cells(e.parts[0], scope);
    const NodeId seed = cells(e.parts[1], scope);
    return make(Type::cells, by_mover(related(2), [&](const Directions& by) {
                  return graph_.joined(graph_.intern(by.all), set, seed);
                }));
  }
  if (e.word == "count") {
    arity(1, 1, "count(S), or count(g in groups(S): condition)");
    const Value counted = value(e.parts[0], scope);
    if (counted.type == Type::parts) return fold(NodeOp::fold_sum, counted, make_number({{}, 1}), e.span, scope.level);
    if (counted.type != Type::cells) wrong_type(e.parts[0]->span, Type::cells, counted);
    return make_number(graph_.as_form(graph_.count(counted.node)));
  }
  if (e.word == "any") {
    arity(1, 1, "any(S)");
    return make(Type::truth, graph_.any(cells(e.parts[0], scope)));
  }
  if (e.word == "before") {
    arity(1, 1, "before(expression)");
    if (scope.planes_before.empty()) fail_at(e.span, "'before' is known only in 'then', after the move", "");
    return value(e.parts[0], on_board_before(scope));
  }
  if (e.word == "groups") {
    arity(1, 2, "groups(S) or groups(S, directions)");
    Value out = make(Type::parts, cells(e.parts[0], scope));
    const std::array<Directions, 2> by = related(1);
    if (by[0].all != by[1].all)
      fail_at(e.parts[1]->span, "what joins a group may not depend on the player",
              "take directions that are the same for both");
    out.relation = graph_.intern(unite(by[0].all, transposed(by[0].all)));
    return out;
  }
  if (e.word == "line" || e.word == "between" || e.word == "ray" || e.word == "pattern") return straight_call(e, scope);
  if (e.word == "sum" || e.word == "max" || e.word == "min" || e.word == "all")
    fail_at(e.span, absl::StrCat("'", e.word, "' goes through parts"),
            absl::StrCat("write ", e.word, "(g in groups(S): expression)"));
  if (const auto direction = direction_of(e.word, scope)) {
    arity(1, 1, absl::StrCat(e.word, "(S)"));
    if ((*direction)[0] != (*direction)[1]) expect_viewpoint(e, scope);
    const NodeId set = cells(e.parts[0], scope);
    return make(Type::cells,
                by_mover(*direction, [&](const Directions& by) { return graph_.image(graph_.intern(by.all), set); }));
  }
  const auto definition = description_.definitions.find(e.word);
  if (definition != description_.definitions.end()) return expand_definition(e, definition->second, scope);
  std::vector<std::string> functions = rules_.board.direction_names();
  for (const Word& word : words()) {
    if (word.name == e.word && word.on_boards) {
      fail_at(e.span, absl::StrCat("'", e.word, "' has no meaning on the board ", rules_.board.name()),
              absl::StrCat("its directions: ", join(rules_.board.direction_names())));
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
  struct Depth {
    explicit Depth(int& d) : depth(++d) {}
    ~Depth() { --depth; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    int& depth;
  };
  const Depth inside(depth_);
  if (depth_ > kMaxDepth || ++steps_ > kMaxSteps)
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
