// SPDX-License-Identifier: Apache-2.0
// Expressions to nodes of the rule graph: names, types, functions. Private to variants/.
//
// What an expression comes to while it is read is a typed value, most of them nodes of the rule graph. Types: cells, field (a number for
// each cell), number, truth, player, text (an option's value), dirs (directions), parts (the components of a set). Texts are known when the
// description is read, directions but for who is to move ("forward"); the others may depend on the position.
// The words of the language are a table (vocabulary.h). elaborator.cpp reads expressions and functions, functions.cpp those of lines,
// patterns and parts, names.cpp words without brackets, operators.cpp operators.
// Only two coercions: a number to a field (the same on every cell), a truth value to cells (all or none) beside & and |.
// Throws DescriptionError.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "variants/graph/rule_set.h"
#include "variants/language/description.h"

namespace plenum {

struct Directions {
  Relation all;
  std::vector<Relation> straight;  // of one neighbour each, that make it up; none where there are no straight ones
  friend bool operator==(const Directions&, const Directions&) = default;
};

// What may depend on who is to move: where first is, where second is. Or on the way of the move at hand: then by all directions
// that it may have had, each with the truth that it had it.
struct ByMover : std::array<Directions, 2> {
  std::vector<std::pair<NodeId, Directions>> cases = {};
};

struct Value {
  enum class Type { cells, field, number, truth, player, text, dirs, parts };
  Type type = Type::truth;
  NodeId node = -1;              // cells, truth, player; the set whose parts are meant
  Linear form = {};              // field, number
  std::int64_t denominator = 1;  // of a number or field: form / denominator
  std::string text = {};
  const Option* option = nullptr;  // the option a text came from
  ByMover dirs = {};
  RelationId relation = -1;  // of parts: what joins them
};

std::string type_name(Value::Type type);

inline Value make(Value::Type type, NodeId node) { return {.type = type, .node = node}; }
inline Value make_number(Linear form, std::int64_t denominator = 1, Value::Type type = Value::Type::number) {
  return {.type = type, .form = std::move(form), .denominator = denominator};
}
inline Value make_text(std::string text, const Option* option = nullptr) {
  return {.type = Value::Type::text, .text = std::move(text), .option = option};
}
inline ByMover by_mover(Directions if_first, Directions if_second) {
  return {std::array{std::move(if_first), std::move(if_second)}};
}
inline Value make_dirs(ByMover dirs) { return {.type = Value::Type::dirs, .dirs = std::move(dirs)}; }

inline bool numeric(Value::Type t) { return t == Value::Type::number || t == Value::Type::field; }
inline bool set_like(Value::Type t) { return t == Value::Type::cells || t == Value::Type::truth; }

// A name that stands for a value while a definition or a loop is read.
struct Local {
  std::string name;
  Value value;
  std::function<Value()> before = nullptr;  // what a parameter is on the board before the move, where that differs
};

// What one description may come to, definitions written out: a size far beyond any game, so that nothing overflows.
inline constexpr double kMaxResult = 1e18;

// An error if `size` is more.
void check_magnitude(double size, const Span& span);

// Who "me" is, and what the cells hold, while an expression is read.
struct Scope {
  bool viewpoint_is_mover = true;
  bool viewpoint_allowed = true;         // false in `when` of [end]
  std::vector<NodeId> planes;            // as the board stands
  std::vector<NodeId> planes_before;     // empty where `before` makes no sense
  std::vector<NodeId> state;             // by slot
  bool has_origin = false;               // `from` may be used
  bool has_placed = false;               // `placed`, `taken`
  bool has_trail = false;                // `trail`
  std::optional<Value> chosen;           // with the move, where something is
  NodeId along = -1;                     // the line through the piece, in a distance
  std::function<NodeId()> jumped;        // what the move jumped over, where `jumped` may be used
  NodeId changed = -1;                   // what effects changed so far, where `changed` may be used
  int level = 0;                         // loops around this
  std::vector<std::string> plain_words;  // texts that need no quotes here
  std::vector<Local> locals;             // parameters, parts of loops
  std::vector<std::string> definitions;  // being written out, the outermost first
};

class Elaborator {
 public:
  Elaborator(const Description& description, RuleSet& rules);

  Value value(const ExpressionPtr& expression, const Scope& scope);
  // The same, where it must be of this type.
  Value value(Value::Type type, const ExpressionPtr& expression, const Scope& scope);
  NodeId cells(const ExpressionPtr& e, const Scope& scope) { return value(Value::Type::cells, e, scope).node; }
  NodeId truth(const ExpressionPtr& e, const Scope& scope) { return value(Value::Type::truth, e, scope).node; }
  NodeId player(const ExpressionPtr& e, const Scope& scope) { return value(Value::Type::player, e, scope).node; }
  Value number(const ExpressionPtr& e, const Scope& scope) { return value(Value::Type::number, e, scope); }
  Value field(const ExpressionPtr& e, const Scope& scope) { return as_field(value(e, scope), e->span); }
  Linear whole_number(const ExpressionPtr& e, const Scope& scope);
  // The directions in force where an argument names none: the board's neighbours.
  ByMover dirs(const ExpressionPtr& e, const Scope& scope);
  // The cells one step from those of `from` in one of the directions.
  NodeId ahead(const ByMover& dirs, NodeId from) {
    return union_by(dirs, [&](const Directions& by) { return graph_.image(graph_.intern(transposed(by.all)), from); });
  }
  // What a set is in each case of the directions, as one set.
  template <typename Make>
  NodeId union_by(const ByMover& dirs, Make&& make_set) {
    std::vector<NodeId> cases;
    for (const auto& [holds, by] : dirs.cases) cases.push_back(graph_.conjunction({holds, make_set(by)}));
    if (!cases.empty()) return graph_.disjunction(cases);
    const NodeId one = make_set(dirs[0]);
    return dirs[0] == dirs[1] ? one : graph_.choose(graph_.mover_is_first(), one, make_set(dirs[1]));
  }
  // The same for each straight direction that makes them up.
  template <typename Make>
  NodeId union_of_straight(const ByMover& dirs, Make&& make_set) {
    return union_by(dirs, [&](const Directions& by) {
      std::vector<NodeId> parts;
      for (const Relation& one : by.straight) parts.push_back(make_set(one));
      return graph_.disjunction(parts);
    });
  }
  // Directions by which what is on one cell comes to one cell, and no two to the same; an error otherwise.
  // Fails, and says which directions of the board are straight.
  [[noreturn]] void refuse_not_straight(const Span& span, std::string_view why) const;
  ByMover one_way(const ExpressionPtr& e, const Scope& scope);
  std::string text(const ExpressionPtr& e, const Scope& scope);
  // One of these words, quoted or not, or any text if there are none: by options alone.
  std::string word(const ExpressionPtr& e, std::vector<std::string> words);
  // A plane by a kind's name (mine, theirs, a kind), or {-1, -1} for `empty`.
  PlaneChoice plane(const Span& span, std::string_view word) const;

  // Throws kFailedPrecondition where the description refuses the settings at hand.
  void check_settings();

  // The scope of a move's conditions: the board as it stands, seen by the mover.
  Scope move_scope() const;
  // The same, where nobody in particular is looking.
  Scope shared_scope() const;
  std::vector<std::string> known_names(const Scope& scope) const;
  int max_pass_constant() const { return max_pass_constant_; }

 private:
  Value name(const Expression& e, const Scope& scope);
  std::optional<Value> word_everywhere(const Expression& e, const Scope& scope);
  std::optional<Value> word_of_place(const Expression& e, const Scope& scope);
  std::optional<Value> word_of_board(const Expression& e, const Scope& scope);
  std::optional<Value> declared(const Expression& e, const Scope& scope);
  [[noreturn]] void no_such_name(const Expression& e, const Scope& scope) const;
  Value call(const Expression& e, const Scope& scope);
  [[noreturn]] void no_such_function(const Expression& e, const Scope& scope) const;
  Value call_by_name(const Expression& e, const Scope& scope);
  Value straight_call(const Expression& e, const Scope& scope);
  Value loop(const Expression& e, const Scope& scope);
  Value extreme(const Expression& e, const Scope& scope);
  Value fold(NodeOp op, const Value& parts, Value body, const Span& span, int level);
  ByMover neighbours() const;
  // Directions as an argument, which may be left out.
  ByMover dirs(const Expression& call, std::size_t index, const Scope& scope) {
    return dirs(index < call.parts.size() ? call.parts[index] : nullptr, scope);
  }
  // The same, where they may be those of the move at hand.
  ByMover any_dirs(const Expression& call, std::size_t index, const Scope& scope) {
    return index < call.parts.size() ? value(Value::Type::dirs, call.parts[index], scope).dirs : neighbours();
  }
  ByMover way_of_move(bool reversed) const;
  Value scaled(Value v, std::int64_t factor, const Span& span) const;
  void align(Value& a, Value& b, const Span& span) const;
  Value quotient(const Expression& e, const Value& a, const Value& b);
  Value binary(const Expression& e, const Scope& scope);
  Value compare(const Expression& e, const Value& left, const Value& right);
  Value arithmetic(const Expression& e, const Value& left, const Value& right);
  Value conditional(const Expression& e, const Scope& scope);
  Scope on_board_before(const Scope& scope) const;
  Value expand_definition(const Expression& e, const Definition& definition, const Scope& scope);
  std::optional<ByMover> direction_of(std::string_view word, const Scope& scope) const;
  NodeId owned(const Scope& scope, bool by_me, const std::vector<NodeId>& planes) const;
  NodeId kind_cells(std::size_t kind, const Scope& scope);
  std::optional<Value> piles(const Expression& e, const Scope& scope);
  std::map<int, NodeId> by_height(const Scope& scope);
  Value sum_of_sets(const std::vector<std::pair<NodeId, std::int64_t>>& sets);
  std::optional<Value> pile_call(const Expression& e, const Scope& scope);
  std::vector<std::string> kinds_of_each() const;
  PlaneChoice own_plane(const std::string& each) const;
  std::optional<Value> kind_named(const Expression& e, const Scope& scope);
  Value as_field(Value v, const Span& span);
  bool unify(Value& a, const Span& at_a, Value& b, const Span& at_b);
  double magnitude(const Linear& form) const;
  Value in_bounds(Value v, const Span& span) const;
  template <typename Claim>
  void each_declared(const Claim& claim) const;
  void check_namespace() const;
  static void check_way_of_move(const Expression& e, const Scope& scope);
  static void expect_viewpoint(const Expression& e, const Scope& scope);
  [[noreturn]] void wrong_type(const Span& span, Value::Type wanted, const Value& got) const;

  const Description& description_;
  RuleSet& rules_;
  RuleGraph& graph_;
  int max_pass_constant_ = 0;
  int depth_ = 0;                              // of value() in itself
  int steps_ = 0;                              // calls of value()
  std::map<std::vector<NodeId>, Value> sown_;  // by what it is made of
};

}  // namespace plenum
