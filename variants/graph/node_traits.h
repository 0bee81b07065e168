// SPDX-License-Identifier: Apache-2.0
// The operators of rule graphs, and what is true of each whatever its arguments are: a row each.
//
// Whoever proves something about rules asks this table instead of naming operators: bounds of scores (rise and fall), the order of
// effects (rise and fall, how far an operator looks), what cells hold (cell by cell, part of an argument), symmetries (what is
// renamed with the cells). What an operator means is said elsewhere, once for each way of running it; "Add an operator" in
// variants/README.md lists the places. tests/node_traits_test.cpp tries on random boards whether the table is true.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "variants/board/board.h"

namespace plenum {

enum class NodeOp : std::uint8_t {
  constant,        // cells: value is the set
  cell_input,      // value: which
  mover_is_first,  // truth
  bool_input,      // truth; value: state slot
  complement,      // args[0]
  conjunction,     // args
  disjunction,     // args
  image,           // cells with a related cell in args[0]; relation
  joined,          // cells of args[0] connected inside it to args[1]; relation
  cover,           // the union of those masks (a list of sets; relation) that lie wholly in args[0]
  ray,             // cells of args[1] reached from args[0] through args[1] straight along relation
  between,         // cells of args[1] on a straight run of them from an args[0]-cell along relation to an args[2]-cell
  completing,      // the cells of args[1] that alone are missing from args[0] in some mask (relation)
  pick,            // one cell of args[0]: the first in the order of masks (relation)
  part_input,      // the part at hand of the fold at nesting level `value`
  loop_input,      // a carried set of a loop: value is 256 * level + index
  loop_set,        // carried set `value` of the loop args[0] when it has ended
  any,             // truth: args[0] is not empty
  at_least,        // sum of coefficient * arg >= value: cells if the args are fields, truth if numbers
  player_is,       // truth: player args[0] == player args[1]
  // numbers per cell
  near_count,      // how many related cells are in args[0]; relation
  constant_field,  // values, one for each cell
  broadcast,       // the number args[0] on every cell
  select_field,    // args: truth, field, field
  linear_field,    // sum of coefficient * arg + value
  greatest_field,  // of args, cell by cell
  least_field,
  // numbers
  count,            // cells in args[0]
  number_input,     // value: which
  product,          // args[0] * args[1]
  lookup,           // coefficients[args[0] - value], 0 outside
  fold_sum,         // over the components of args[0] (relation): sum of args[1]; value: level
  fold_max,         // the greatest, 0 if there are none
  fold_min,         // the least, 0 if there are none
  select_number,    // args: truth, number, number
  linear_number,    // sum of coefficient * arg + value
  greatest_number,  // of args
  least_number,
  // players
  player_constant,  // value: 0 nobody, 1 mover, 2 opponent
  player_input,     // value: state slot
  select_player,    // args: truth, player, player
  // Not a value by itself: repeats while some cell is in the last argument. args: `value` initial sets, as many sets for the
  // next round, and that last one; the latter read loop_inputs.
  loop,
};
inline constexpr std::size_t kNodeOps = static_cast<std::size_t>(NodeOp::loop) + 1;

// What a node is worth. A truth is a set too, all cells or none; a node of type `cells` may turn out to be one (RuleGraph::is_truth).
enum class NodeType : std::uint8_t { cells, truth, field, number, player, loop };

// What an operator without arguments reads.
enum class NodeInput : std::uint8_t { nothing, cells, state, mover, loop };

// What a cell's result depends on.
enum class NodeReach : std::uint8_t {
  nowhere,   // no argument at all
  here,      // the arguments at that cell; of numbers and truths, the arguments
  beside,    // its argument at the related cells
  patterns,  // its argument at the cells of the masks
  board,     // its argument at all cells
  far,       // what is met on a walk over the board: lines, connections, an order of its own
  rounds,    // what goes on in parts or rounds
};

// What `relation` of a node is, and so how it is renamed with the cells.
enum class Related : std::uint8_t { nothing, neighbours, masks, ordered_masks };

// What `coefficients` are.
enum class Coefficients : std::uint8_t { none, weights, by_cell, table };

// A cell-wise operator on words of bits, one bit a cell; bits beyond the board are anything.
using CellWise = std::uint64_t (*)(std::span<const std::uint64_t>);

namespace cellwise {
constexpr std::uint64_t flip(std::span<const std::uint64_t> a) { return ~a[0]; }
constexpr std::uint64_t meet(std::span<const std::uint64_t> sets) {
  std::uint64_t out = ~std::uint64_t{0};
  for (const std::uint64_t set : sets) out &= set;
  return out;
}
constexpr std::uint64_t join(std::span<const std::uint64_t> sets) {
  std::uint64_t out = 0;
  for (const std::uint64_t set : sets) out |= set;
  return out;
}
}  // namespace cellwise

// What is the same for most operators.
struct NodeDetails {
  bool commutes = false;  // the order of the arguments means nothing
  NodeInput reads = NodeInput::nothing;
  Related related = Related::nothing;
  Coefficients coefficients = Coefficients::none;
  int part_of = -1;             // the argument, a set, that the result is always part of
  CellWise cellwise = nullptr;  // of operators of sets that work bit by bit
};

struct NodeTraits : NodeDetails {
  constexpr NodeTraits(NodeOp for_op, std::string_view called, NodeType is, std::string_view takes,
                       std::string_view by_argument, NodeReach looks, NodeDetails details = {})
      : NodeDetails(details), op(for_op), name(called), type(is), args(takes), trends(by_argument), reach(looks) {}

  NodeOp op;
  std::string_view name;
  NodeType type;
  // A letter for each argument: s a set, t a truth, f a field, n a number, v fields or numbers, p a player, l a loop; * for
  // any number of the last.
  std::string_view args;
  // A sign for each argument, the others staying as they are: + the result never falls where it rises, - never rises, w by the
  // sign of its weight, c it chooses between the arguments after it, ? neither.
  std::string_view trends;
  NodeReach reach;

  constexpr bool many() const { return !args.empty() && args.back() == '*'; }
  constexpr std::size_t letters() const { return args.size() - (many() ? 1 : 0); }
  constexpr char arg(std::size_t i) const { return args[i < letters() ? i : letters() - 1]; }
  constexpr char trend(std::size_t i) const { return trends[i < letters() ? i : letters() - 1]; }
  constexpr bool is_set() const { return type == NodeType::cells || type == NodeType::truth; }
  constexpr bool is_field() const { return type == NodeType::field; }
  // Chooses between its second and its third argument by its first.
  constexpr bool chooses() const { return !trends.empty() && trends[0] == 'c'; }
};

constexpr std::array<NodeTraits, kNodeOps> make_node_traits() {
  using T = NodeType;
  using R = NodeReach;
  using In = NodeInput;
  using C = Coefficients;
  using cellwise::flip, cellwise::meet, cellwise::join;
  return {{
      {NodeOp::constant, "constant", T::cells, "", "", R::nowhere},
      {NodeOp::cell_input, "cell_input", T::cells, "", "", R::nowhere, {.reads = In::cells}},
      {NodeOp::mover_is_first, "mover_is_first", T::truth, "", "", R::nowhere, {.reads = In::mover}},
      {NodeOp::bool_input, "bool_input", T::truth, "", "", R::nowhere, {.reads = In::state}},
      {NodeOp::complement, "complement", T::cells, "s", "-", R::here, {.cellwise = flip}},
      {NodeOp::conjunction, "conjunction", T::cells, "s*", "+", R::here, {.commutes = true, .cellwise = meet}},
      {NodeOp::disjunction, "disjunction", T::cells, "s*", "+", R::here, {.commutes = true, .cellwise = join}},
      {NodeOp::image, "image", T::cells, "s", "+", R::beside, {.related = Related::neighbours}},
      {NodeOp::joined, "joined", T::cells, "ss", "++", R::far, {.related = Related::neighbours, .part_of = 0}},
      {NodeOp::cover, "cover", T::cells, "s", "+", R::patterns, {.related = Related::masks, .part_of = 0}},
      {NodeOp::ray, "ray", T::cells, "ss", "++", R::far, {.related = Related::neighbours, .part_of = 1}},
      {NodeOp::between, "between", T::cells, "sss", "+++", R::far, {.related = Related::neighbours, .part_of = 1}},
      {NodeOp::completing, "completing", T::cells, "ss", "?+", R::far, {.related = Related::masks, .part_of = 1}},
      {NodeOp::pick, "pick", T::cells, "s", "?", R::far, {.related = Related::ordered_masks, .part_of = 0}},
      {NodeOp::part_input, "part_input", T::cells, "", "", R::rounds, {.reads = In::loop}},
      {NodeOp::loop_input, "loop_input", T::cells, "", "", R::rounds, {.reads = In::loop}},
      {NodeOp::loop_set, "loop_set", T::cells, "l", "?", R::rounds},
      {NodeOp::any, "any", T::truth, "s", "+", R::board},
      {NodeOp::at_least, "at_least", T::cells, "v*", "w", R::here, {.coefficients = C::weights}},
      {NodeOp::player_is, "player_is", T::truth, "pp", "??", R::here, {.commutes = true}},
      // numbers per cell
      {NodeOp::near_count, "near_count", T::field, "s", "+", R::beside, {.related = Related::neighbours}},
      {NodeOp::constant_field, "constant_field", T::field, "", "", R::nowhere, {.coefficients = C::by_cell}},
      {NodeOp::broadcast, "broadcast", T::field, "n", "+", R::here},
      {NodeOp::select_field, "select_field", T::field, "tff", "c++", R::here},
      {NodeOp::linear_field, "linear_field", T::field, "f*", "w", R::here, {.coefficients = C::weights}},
      {NodeOp::greatest_field, "greatest_field", T::field, "f*", "+", R::here, {.commutes = true}},
      {NodeOp::least_field, "least_field", T::field, "f*", "+", R::here, {.commutes = true}},
      // numbers
      {NodeOp::count, "count", T::number, "s", "+", R::board},
      {NodeOp::number_input, "number_input", T::number, "", "", R::nowhere, {.reads = In::state}},
      {NodeOp::product, "product", T::number, "nn", "??", R::here, {.commutes = true}},
      {NodeOp::lookup, "lookup", T::number, "n", "?", R::here, {.coefficients = C::table}},
      {NodeOp::fold_sum, "fold_sum", T::number, "sn", "??", R::rounds, {.related = Related::neighbours}},
      {NodeOp::fold_max, "fold_max", T::number, "sn", "??", R::rounds, {.related = Related::neighbours}},
      {NodeOp::fold_min, "fold_min", T::number, "sn", "??", R::rounds, {.related = Related::neighbours}},
      {NodeOp::select_number, "select_number", T::number, "tnn", "c++", R::here},
      {NodeOp::linear_number, "linear_number", T::number, "n*", "w", R::here, {.coefficients = C::weights}},
      {NodeOp::greatest_number, "greatest_number", T::number, "n*", "+", R::here, {.commutes = true}},
      {NodeOp::least_number, "least_number", T::number, "n*", "+", R::here, {.commutes = true}},
      // players
      {NodeOp::player_constant, "player_constant", T::player, "", "", R::nowhere},
      {NodeOp::player_input, "player_input", T::player, "", "", R::nowhere, {.reads = In::state}},
      {NodeOp::select_player, "select_player", T::player, "tpp", "c??", R::here},
      {NodeOp::loop, "loop", T::loop, "s*", "?", R::rounds},
  }};
}
inline constexpr std::array<NodeTraits, kNodeOps> kNodeTraits = make_node_traits();

constexpr const NodeTraits& traits(NodeOp op) { return kNodeTraits[static_cast<std::size_t>(op)]; }

constexpr bool rows_are_in_order() {
  for (std::size_t i = 0; i < kNodeOps; ++i) {
    if (kNodeTraits[i].op != static_cast<NodeOp>(i) || kNodeTraits[i].name.empty()) return false;
    if (kNodeTraits[i].trends.size() != kNodeTraits[i].letters()) return false;
  }
  return true;
}
static_assert(rows_are_in_order(), "the rows stand in the order of the operators, with a trend for each argument");

}  // namespace plenum
