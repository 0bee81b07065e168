// SPDX-License-Identifier: Apache-2.0
// The rules as a graph of operations on sets of cells, numbers per cell, numbers, players and truth values.
//
// Expressions become nodes with their options folded away. Nodes are hash-consed and normalised as they are built (and,
// or: flattened, sorted, constants folded; sums: linear forms; every comparison: "linear form >= constant"), so that
// two expressions that say the same in the usual ways are one node. That is what symmetries are proven with:
// rewrite all constants by a candidate, build again, and see whether the same nodes come out (remap).
//
// Everything is seen from the player to move: planes are mine, theirs and nobody's, a player is 0 nobody, 1 the mover,
// 2 the opponent. Only the input `mover_is_first` knows who is who; rules that do not read it treat both alike.
//
// Truth values are sets too, all cells or none, so they combine with sets by the same operations.
// Thread-safety: none while building; const access is safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include <absl/hash/hash.h>

#include "variants/board/board.h"
#include "variants/graph/node_traits.h"

namespace plenum {

using NodeId = std::int32_t;
using RelationId = std::int32_t;

// What the program reads, besides constants. Cell inputs are numbered: planes first.
inline constexpr int kMaxPlanes = 40;      // piece games count equal men on a cell with further planes
inline constexpr int kMaxKindPlanes = 30;  // of all other games, so that what a cell may hold fits 32 bits
enum CellInput : int {
  kPlanes = 0,                 // + plane
  kPlanesBefore = kMaxPlanes,  // + plane: as they stood before the move
  kOrigin = 2 * kMaxPlanes,    // the cell a moving piece comes from
  kPlaced = kOrigin + 1,       // cells the bare move put something on
  kTaken = kOrigin + 2,        // cells the bare move emptied
  kTrail = kOrigin + 3,        // cells that the parts of this turn so far have filled or emptied by the bare move
  kChanged = kOrigin + 4,      // cells that effects have changed so far; only while rules are analysed
  kCellInputs = kOrigin + 5,
};
enum NumberInput : int {
  kPassesInput = 0,
  kFirstStateInput = 1,  // + slot of a state variable
};

struct RuleNode {
  NodeOp op = NodeOp::constant;
  std::int32_t relation = -1;
  std::vector<NodeId> args;
  std::vector<std::int64_t> coefficients;  // of linear forms; the values of a constant_field
  std::uint64_t value = 0;

  friend bool operator==(const RuleNode&, const RuleNode&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const RuleNode& n) {
    return H::combine(std::move(h), n.op, n.relation, n.args, n.coefficients, n.value);
  }
};

// The slot of the state that a node reads, if it is an input that does; passes are no part of the state here.
inline std::optional<std::size_t> slot_read(const RuleNode& n) {
  if (traits(n.op).reads != NodeInput::state) return std::nullopt;
  if (n.op != NodeOp::number_input) return n.value;
  return n.value == kPassesInput ? std::nullopt : std::optional<std::size_t>(n.value - kFirstStateInput);
}

struct Interval {
  std::int64_t least = 0;
  std::int64_t greatest = 0;
};

// constant + sum of coefficient * node, terms sorted by node; over numbers or over fields.
struct Linear {
  std::vector<std::pair<NodeId, std::int64_t>> terms;
  std::int64_t constant = 0;
};

class RuleGraph {
 public:
  explicit RuleGraph(int cells);

  int cells() const { return cells_; }
  CellSet all() const { return all_; }
  const RuleNode& node(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  std::size_t size() const { return nodes_.size(); }
  const Relation& relation(RelationId id) const { return relations_[static_cast<std::size_t>(id)]; }
  RelationId intern(const Relation& relation);

  // Sets and truth values.
  NodeId constant(CellSet set) { return leaf(NodeOp::constant, set); }
  NodeId truth(bool value) { return constant(value ? all_ : 0); }
  NodeId cell_input(int which) { return leaf(NodeOp::cell_input, which); }
  NodeId mover_is_first() { return leaf(NodeOp::mover_is_first); }
  NodeId bool_input(int slot) { return leaf(NodeOp::bool_input, slot); }
  NodeId complement(NodeId a);
  NodeId conjunction(const std::vector<NodeId>& args);
  NodeId disjunction(const std::vector<NodeId>& args);
  NodeId choose(NodeId condition, NodeId yes, NodeId no);  // sets or truths; the condition a truth
  NodeId image(RelationId id, NodeId set);
  NodeId joined(RelationId id, NodeId set, NodeId seed);
  NodeId cover(std::vector<CellSet> masks, NodeId set);
  NodeId completing(std::vector<CellSet> masks, NodeId set, NodeId free);
  NodeId ray(RelationId direction, NodeId from, NodeId through);
  NodeId between(RelationId direction, NodeId from, NodeId through, NodeId to);
  NodeId pick(const std::vector<CellSet>& order, NodeId set);
  NodeId any(NodeId set);
  NodeId at_least(const Linear& form, std::int64_t bound, bool fields);
  NodeId player_is(NodeId a, NodeId b);
  bool is_constant(NodeId id, CellSet set) const;
  bool is_true(NodeId id) const { return is_constant(id, all_); }
  bool is_false(NodeId id) const { return is_constant(id, 0); }
  bool is_truth(NodeId id) const;  // all cells or none, by structure alone

  // Numbers, per cell and single. A node of either kind as a form, and a form as a node.
  NodeId near_count(RelationId id, NodeId set);
  NodeId constant_field(std::vector<std::int64_t> values);
  NodeId broadcast(NodeId number);
  NodeId count(NodeId set);
  NodeId number_input(int which) { return leaf(NodeOp::number_input, which); }
  NodeId product(NodeId a, NodeId b);
  NodeId lookup(NodeId number, std::int64_t least, std::vector<std::int64_t> values);
  NodeId select(NodeId condition, NodeId yes, NodeId no, bool fields);
  // The greatest or the least of several numbers; of fields cell by cell. `op` says which, and of what.
  NodeId extreme(NodeOp op, const std::vector<NodeId>& args);
  NodeId of_form(const Linear& form, bool fields);
  Linear as_form(NodeId id) const;
  // The values a form has on every cell, if it depends on nothing else.
  std::optional<std::vector<std::int64_t>> constant_values(const Linear& form) const;

  // Loops. Levels count from 0, the outermost; what a loop reads at its own level is its own.
  NodeId part_input(int level) { return leaf(NodeOp::part_input, level); }
  NodeId fold(NodeOp op, RelationId id, NodeId set, NodeId body, int level);
  NodeId loop_input(int level, int index) { return leaf(NodeOp::loop_input, 256 * level + index); }
  // The carried sets after the loop; `next` and `again` may read loop_input(level, i).
  std::vector<NodeId> loop(int level, const std::vector<NodeId>& initial, const std::vector<NodeId>& next,
                           NodeId again);

  NodeId player_constant(int who) { return leaf(NodeOp::player_constant, who); }
  NodeId player_input(int slot) { return leaf(NodeOp::player_input, slot); }
  NodeId select_player(NodeId condition, NodeId yes, NodeId no);

  // Bounds; `inputs` gives those of the number inputs.
  Interval bounds(NodeId id, std::span<const Interval> inputs) const;
  Interval bounds(const Linear& form, std::span<const Interval> inputs) const;

  // The nodes reachable from `roots`, arguments before users.
  std::vector<NodeId> reachable(std::span<const NodeId> roots) const;

  // The node as its own function above makes it, whose arguments may be others than when it was made: normalised again.
  NodeId make(RuleNode node);

  // The same rules on the board whose cell c is called permutation[c], with the players exchanged if asked.
  std::vector<NodeId> remap(std::span<const NodeId> roots, const std::vector<Cell>& permutation, bool exchange);

 private:
  NodeId add(RuleNode node);
  template <typename Value = int>
  NodeId leaf(NodeOp op, Value value = 0) {
    return add({op, -1, {}, {}, static_cast<std::uint64_t>(value)});
  }
  template <typename Test>
  NodeId cells_where(const Test& test);
  bool over_fields(const RuleNode& n) const;
  Linear weighted(const RuleNode& node) const;
  RuleNode renamed(RuleNode node, const std::vector<Cell>& permutation);
  NodeId associative(NodeOp op, const std::vector<NodeId>& args, CellSet neutral, CellSet absorbing);

  int cells_;
  CellSet all_;
  std::vector<RuleNode> nodes_;
  // Not abseil's: one that finds no memory cannot be destroyed (raw_hash_set::resize in 20220623), and graphs are copied by many threads.
  std::unordered_map<RuleNode, NodeId, absl::Hash<RuleNode>> known_;
  std::vector<Relation> relations_;
};

void add_term(Linear& form, NodeId node, std::int64_t coefficient);
// The sum of a node's arguments by its coefficients, its value aside.
Linear weighted_args(const RuleNode& node);
Linear operator+(const Linear& a, const Linear& b);
Linear operator*(const Linear& a, std::int64_t factor);

CellSet permute(CellSet set, const std::vector<Cell>& permutation);

}  // namespace plenum
