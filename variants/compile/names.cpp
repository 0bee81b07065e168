// SPDX-License-Identifier: Apache-2.0
// What a name in an expression means: kinds, state, directions, cells, definitions.
#include <algorithm>

#include <absl/strings/str_cat.h>

#include "variants/compile/elaborator.h"
#include "variants/language/vocabulary.h"

namespace plenum {

namespace {

using Type = Value::Type;

}  // namespace

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
  for (const std::string& each : kinds_of_each()) {
    const PlaneChoice own = own_plane(each);
    if (word == each || word == "my_" + each) return own;
    if (word == "their_" + each) return {rules_.layout.swapped(own.if_first), rules_.layout.swapped(own.if_second)};
    known.insert(known.end(), {"my_" + each, "their_" + each});
  }
  for (const KindDescription& kind : rules_.kinds) {
    if (names_piles(word, kind.family))
      fail_at(
          span, absl::StrCat("'", std::string(word), "' is a pile of any height"),
          absl::StrCat("say how high: ", std::string(word), " of 1 in effects, ", std::string(word), "_1 in 'put'"));
  }
  fail_at(span, absl::StrCat("there is no kind '", std::string(word), "'"), suggestion(word, known, "kinds"));
}

// The names of the kinds that each player has.
std::vector<std::string> Elaborator::kinds_of_each() const {
  std::vector<std::string> out;
  for (const KindDescription& kind : rules_.kinds) {
    if (!kind.each.empty() && kind.owner == Player::first) out.push_back(kind.each);
  }
  return out;
}

// The mover's own plane of such a kind.
PlaneChoice Elaborator::own_plane(const std::string& each) const {
  PlaneChoice out;
  for (std::size_t k = 0; k < rules_.kinds.size(); ++k) {
    if (rules_.kinds[k].each != each) continue;
    (*rules_.kinds[k].owner == Player::first ? out.if_first : out.if_second) = rules_.kind_plane[k];
  }
  return out;
}

// Piles of any height: `stack`; of a player: `my_stack`, `first_stack`.
std::optional<Value> Elaborator::piles(const Expression& e, const Scope& scope) {
  std::vector<NodeId> parts;
  for (const KindDescription& kind : rules_.kinds) {
    if (!names_piles(e.word, kind.family) || kind.pile != static_cast<int>(parts.size()) + 1) continue;
    Expression one = e;
    one.word = absl::StrCat(e.word, "_", kind.pile);
    const std::optional<Value> cells = kind_named(one, scope);
    if (!cells) return std::nullopt;
    parts.push_back(cells->node);
  }
  return parts.empty() ? std::nullopt : std::optional(make(Type::cells, graph_.disjunction(parts)));
}

// How many lie on each cell of a set: 1 of a stone, the height of a pile.
std::map<int, NodeId> Elaborator::by_height(const Scope& scope) {
  std::map<int, std::vector<NodeId>> planes;
  for (std::size_t k = 0; k < rules_.kinds.size(); ++k) planes[rules_.kinds[k].pile].push_back(kind_cells(k, scope));
  std::map<int, NodeId> out;
  for (auto& [height, cells] : planes) out[height] = graph_.disjunction(cells);
  return out;
}

// A number for each cell: how often it is in these sets, each so many times.
Value Elaborator::sum_of_sets(const std::vector<std::pair<NodeId, std::int64_t>>& sets) {
  Relation itself;
  for (int c = 0; c < rules_.board.size(); ++c) itself.push_back(cell_bit(static_cast<Cell>(c)));
  Linear form;
  for (const auto& [set, times] : sets) add_term(form, graph_.near_count(graph_.intern(itself), set), times);
  return make_number(std::move(form), 1, Type::field);
}

// pile, pile(S), sown(S, directions).
std::optional<Value> Elaborator::pile_call(const Expression& e, const Scope& scope) {
  if (e.word != "pile" && e.word != "sown") return std::nullopt;
  const std::map<int, NodeId> heights = by_height(scope);
  std::vector<std::pair<NodeId, std::int64_t>> sets;
  if (e.word == "pile" && e.parts.empty()) {
    for (const auto& [height, set] : heights) sets.emplace_back(set, height);
    return sum_of_sets(sets);
  }
  const NodeId from = cells(e.parts[0], scope);
  if (e.word == "pile") {
    Linear form;
    for (const auto& [height, set] : heights) add_term(form, graph_.count(graph_.conjunction({set, from})), height);
    return make_number(std::move(form));
  }
  const ByMover by = one_way(e.parts[1], scope);
  // Definitions are written out wherever they are named, so the same may be asked for many times.
  std::vector<NodeId> key = {from, graph_.intern(by[0].all), graph_.intern(by[1].all)};
  for (const auto& [height, set] : heights) key.push_back(set);
  for (const auto& [holds, one] : by.cases) key.insert(key.end(), {holds, graph_.intern(one.all)});
  const auto known = sown_.find(key);
  if (known != sown_.end()) return known->second;
  // One to each cell on the way, as many as lie there: what is higher goes on.
  for (int step = 1; step <= heights.rbegin()->first; ++step) {
    std::vector<NodeId> high;
    for (const auto& [height, set] : heights) {
      if (height >= step) high.push_back(set);
    }
    NodeId reached = graph_.conjunction({from, graph_.disjunction(high)});
    for (int k = 0; k < step; ++k) reached = ahead(by, reached);
    sets.emplace_back(reached, 1);
  }
  return sown_.emplace(std::move(key), sum_of_sets(sets)).first->second;
}

// A kind's cells; `chief`, `my_chief`, `their_chief` where each player has one.
std::optional<Value> Elaborator::kind_named(const Expression& e, const Scope& scope) {
  for (std::size_t k = 0; k < rules_.kinds.size(); ++k) {
    if (rules_.kinds[k].name == e.word) return make(Type::cells, kind_cells(k, scope));
  }
  for (const std::string& each : kinds_of_each()) {
    const bool mine = e.word == "my_" + each;
    const bool both = e.word == each;
    if (!mine && !both && e.word != "their_" + each) continue;
    if (!both) expect_viewpoint(e, scope);
    const PlaneChoice own = own_plane(each);
    const auto cells = [&](bool movers) {
      const auto plane = [&](int p) {
        return scope.planes[static_cast<std::size_t>(movers ? p : rules_.layout.swapped(p))];
      };
      return graph_.choose(graph_.mover_is_first(), plane(own.if_first), plane(own.if_second));
    };
    if (both) return make(Type::cells, graph_.disjunction({cells(true), cells(false)}));
    return make(Type::cells, cells(mine == scope.viewpoint_is_mover));
  }
  return std::nullopt;
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
std::optional<ByMover> Elaborator::direction_of(std::string_view word, const Scope& scope) const {
  const auto named = [&](std::string_view name) -> std::optional<Directions> {
    const Relation* relation = rules_.board.direction(name);
    if (relation == nullptr) return std::nullopt;
    return Directions{*relation, rules_.board.straight(name)};
  };
  if ((word == "onward" || word == "reverse") && scope.has_placed && !rules_.board.straight().empty())
    return way_of_move(word == "reverse");
  if (const auto plain = named(word)) return by_mover(*plain, *plain);
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
    if (if_first && if_second) return by_mover(*if_first, *if_second);
  }
  return std::nullopt;
}

void Elaborator::expect_viewpoint(const Expression& e, const Scope& scope) {
  if (!scope.viewpoint_allowed)
    fail_at(e.span, absl::StrCat("'", e.word, "' makes no sense here: nobody in particular is looking"),
            "use stones, empty, kinds by name, or count both players alike");
}

// What the language itself has a word for, wherever it stands.
std::optional<Value> Elaborator::word_everywhere(const Expression& e, const Scope& scope) {
  const std::string& word = e.word;
  if (word == "mine" || word == "theirs") {
    expect_viewpoint(e, scope);
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
    expect_viewpoint(e, scope);
    return make(Type::player, graph_.player_constant((word == "me") == scope.viewpoint_is_mover ? 1 : 2));
  }
  if (word == "nobody") return make(Type::player, graph_.player_constant(0));
  if (word == "first" || word == "second") {
    const int if_first = word == "first" ? 1 : 2;
    return make(Type::player, graph_.select_player(graph_.mover_is_first(), graph_.player_constant(if_first),
                                                   graph_.player_constant(3 - if_first)));
  }
  if (word == "pile") return pile_call(e, scope);
  if (word == "passes") return make_number(graph_.as_form(graph_.number_input(kPassesInput)));
  return std::nullopt;
}

void Elaborator::check_way_of_move(const Expression& e, const Scope& scope) {
  if ((e.word == "onward" || e.word == "reverse") && !scope.has_placed)
    fail_at(e.span, absl::StrCat("'", e.word, "' is known only in 'then' and 'legal', and in the parts that follow"));
}

// What has a meaning in some keys only.
std::optional<Value> Elaborator::word_of_place(const Expression& e, const Scope& scope) {
  const std::string& word = e.word;
  if (word == "from") {
    if (!scope.has_origin)
      fail_at(e.span, "'from' is the cell a piece leaves; it is known only in the 'to' of a move with 'from'");
    return make(Type::cells, graph_.cell_input(kOrigin));
  }
  if (word == "changed") {
    if (scope.changed < 0) fail_at(e.span, "'changed' is known only in 'then' and 'legal', after the move");
    return make(Type::cells, scope.changed);
  }
  if (word == "placed" || word == "taken") {
    if (!scope.has_placed)
      fail_at(e.span, absl::StrCat("'", word, "' is known only in 'then' and 'legal', and in the parts that follow"));
    return make(Type::cells, graph_.cell_input(word == "placed" ? kPlaced : kTaken));
  }
  check_way_of_move(e, scope);
  if (word == "chosen") {
    if (!scope.chosen) fail_at(e.span, "'chosen' is known only in a move with 'choose'");
    return scope.chosen;
  }
  if (word == "along") {
    if (scope.along < 0) fail_at(e.span, "'along' is known only in the 'distance' of a jump");
    return make(Type::cells, scope.along);
  }
  if (word == "trail") {
    if (!scope.has_trail) fail_at(e.span, "'trail' is known only in the conditions of [parts]");
    return make(Type::cells, graph_.cell_input(kTrail));
  }
  if (word == "jumped") {
    if (!scope.jumped) fail_at(e.span, "'jumped' is known only in 'then' and 'legal' of a move with 'jump'");
    return make(Type::cells, scope.jumped());
  }
  return std::nullopt;
}

// What the board has: rows and columns, regions, directions.
std::optional<Value> Elaborator::word_of_board(const Expression& e, const Scope& scope) {
  const std::string& word = e.word;
  if (const std::vector<int>* values = rules_.board.coordinate(word)) {
    Linear form;
    add_term(form, graph_.constant_field({values->begin(), values->end()}), 1);
    return make_number(std::move(form), 1, Type::field);
  }
  if (const auto dimension = rules_.board.dimension(word)) return make_number({{}, *dimension});
  if (const auto region = rules_.board.region(word)) return make(Type::cells, graph_.constant(*region));
  if (const auto direction = direction_of(word, scope)) {
    if ((*direction)[0] != (*direction)[1]) expect_viewpoint(e, scope);
    return make_dirs(*direction);
  }
  if (word == "far_edge" || word == "home_edge") {
    const auto top = rules_.board.region("top_edge");
    const auto bottom = rules_.board.region("bottom_edge");
    if (top && bottom) {
      expect_viewpoint(e, scope);
      const bool top_if_first = (word == "far_edge") == scope.viewpoint_is_mover;
      return make(Type::cells, graph_.choose(graph_.mover_is_first(), graph_.constant(top_if_first ? *top : *bottom),
                                             graph_.constant(top_if_first ? *bottom : *top)));
    }
  }
  return std::nullopt;
}

// What the description declares.
std::optional<Value> Elaborator::declared(const Expression& e, const Scope& scope) {
  const std::string& word = e.word;
  if (word != "board") {
    if (const Option* option = description_.find_option(word)) {
      if (const bool* on = std::get_if<bool>(&option->value)) return make(Type::truth, graph_.truth(*on));
      if (const std::int64_t* n = std::get_if<std::int64_t>(&option->value)) return make_number({{}, *n});
      return make_text(std::get<std::string>(option->value), option);
    }
  }
  if (std::optional<Value> kind = kind_named(e, scope)) return kind;
  if (std::optional<Value> pile = piles(e, scope)) return pile;
  for (std::size_t s = 0; s < rules_.slots.size(); ++s) {
    const StateSlot& slot = rules_.slots[s];
    if (slot.name != word) continue;
    if (slot.each) expect_viewpoint(e, scope);
    const bool partners = slot.each && !scope.viewpoint_is_mover;
    const NodeId node = scope.state[partners ? static_cast<std::size_t>(slot.partner) : s];
    if (slot.type == StateDescription::Type::number) return make_number(graph_.as_form(node));
    return make(slot.type == StateDescription::Type::player ? Type::player : Type::truth, node);
  }
  const auto definition = description_.definitions.find(word);
  if (definition != description_.definitions.end()) return expand_definition(e, definition->second, scope);
  if (std::find(scope.plain_words.begin(), scope.plain_words.end(), word) != scope.plain_words.end())
    return make_text(word);
  return std::nullopt;
}

Value Elaborator::name(const Expression& e, const Scope& scope) {
  for (auto local = scope.locals.rbegin(); local != scope.locals.rend(); ++local) {
    if (local->name == e.word) return local->value;
  }
  if (std::optional<Value> out = word_everywhere(e, scope)) return *std::move(out);
  if (std::optional<Value> out = word_of_place(e, scope)) return *std::move(out);
  if (std::optional<Value> out = word_of_board(e, scope)) return *std::move(out);
  if (std::optional<Value> out = declared(e, scope)) return *std::move(out);
  no_such_name(e, scope);
}

void Elaborator::no_such_name(const Expression& e, const Scope& scope) const {
  const std::string& word = e.word;
  for (const Word& known : words()) {
    if (known.name == word && known.on_boards) {
      fail_at(e.span, absl::StrCat("'", word, "' has no meaning on the board ", rules_.board.name()));
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
  if (definition.body == nullptr)
    fail_at(e.span, absl::StrCat("'", e.word, "' is an effect, and no expression"), "it stands alone in 'then'");
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

}  // namespace plenum
