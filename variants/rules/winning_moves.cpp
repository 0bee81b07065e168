// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/winning_moves.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "variants/graph/cell_contents.h"

namespace plenum {
namespace {

// A truth "there is a pattern", of the stones of one plane.
struct Pattern {
  NodeId any = -1;
  NodeId cover = -1;
  int plane = 0;
};

// A placement of one stone on an empty cell that changes nothing else: the plane it is put on, seen by who makes it.
std::optional<int> plain_placement(const RuleSet& set, const MoveRule& rule) {
  const bool bare = rule.kind == MoveRule::Kind::place && !rule.limited && !rule.shaped && rule.placements.empty() &&
                    rule.lift < 0 && !rule.has_effect && !rule.to_reads_origin && rule.next.empty() &&
                    rule.transitions.empty();
  if (!bare || rule.put.size() != 1 || rule.put[0].if_first != rule.put[0].if_second || rule.put[0].if_first < 0)
    return std::nullopt;
  if ((contents(set, rule.to) & ~nothing_bit(set)) != 0) return std::nullopt;
  return rule.put[0].if_first;
}

std::vector<Pattern> patterns_of(const RuleSet& set, const RuleGraph& graph, std::span<const NodeId> roots) {
  std::vector<Pattern> out;
  for (const NodeId id : graph.reachable(roots)) {
    const RuleNode& any = graph.node(id);
    if (any.op != NodeOp::any) continue;
    const RuleNode& cover = graph.node(any.args[0]);
    if (cover.op != NodeOp::cover) continue;
    const RuleNode& stones = graph.node(cover.args[0]);
    const auto plane = static_cast<int>(stones.value);
    if (stones.op == NodeOp::cell_input && plane < set.layout.count()) out.push_back({id, any.args[0], plane});
  }
  return out;
}

// The node with some truths replaced.
NodeId replaced(RuleGraph& graph, NodeId root, const absl::flat_hash_map<NodeId, bool>& truths) {
  absl::flat_hash_map<NodeId, NodeId> made;
  const std::array<NodeId, 1> roots = {root};
  for (const NodeId id : graph.reachable(roots)) {
    if (const auto known = truths.find(id); known != truths.end()) {
      made[id] = graph.truth(known->second);
      continue;
    }
    RuleNode node = graph.node(id);
    if (node.args.empty()) {
      made[id] = id;
      continue;
    }
    for (NodeId& arg : node.args) arg = made.at(arg);
    made[id] = graph.make(std::move(node));
  }
  return made.at(root);
}

// What it is worth to whoever has completed this pattern, the other player being to move; nothing if that is not proven, or no win.
std::optional<std::int64_t> worth_of(const RuleSet& set, RuleGraph& graph, const std::vector<Pattern>& patterns,
                                     const Pattern& done) {
  absl::flat_hash_map<NodeId, bool> truths = {{done.any, true}};
  for (const Pattern& other : patterns) {
    // The move leaves that plane alone and ended no game before; seen from the other player then and from this one now.
    if (other.plane == done.plane) continue;
    const auto before = std::find_if(patterns.begin(), patterns.end(), [&](const Pattern& p) {
      return p.plane == set.layout.swapped(other.plane) &&
             graph.node(p.cover).relation == graph.node(other.cover).relation;
    });
    if (before == patterns.end()) continue;
    if (graph.is_true(replaced(graph, set.ended, {{before->any, true}}))) truths.emplace(other.any, false);
  }
  if (!graph.is_true(replaced(graph, set.ended, truths))) return std::nullopt;
  const Interval margin = graph.bounds(replaced(graph, set.margin, truths), set.number_bounds());
  if (margin.greatest >= 0) return std::nullopt;
  if (set.outcome_only) return 1;
  if (margin.least != margin.greatest) return std::nullopt;
  return -margin.greatest;
}

}  // namespace

WinningMoves::WinningMoves(const Rules& rules) {
  const RuleSet& set = rules.set();
  if (set.ended < 0 || set.margin < 0) return;
  RuleGraph graph = set.graph;
  const std::vector<NodeId> roots = {set.ended, set.margin};
  const std::vector<Pattern> patterns = patterns_of(set, graph, roots);
  std::vector<NodeId> cells;
  for (const MoveRule& rule : set.moves) {
    const std::optional<int> plane = plain_placement(set, rule);
    if (!plane) continue;
    for (const Pattern& pattern : patterns) {
      if (pattern.plane != set.layout.swapped(*plane)) continue;
      const std::optional<std::int64_t> value = worth_of(set, graph, patterns, pattern);
      if (!value || (!cells.empty() && *value != worth_)) continue;
      worth_ = *value;
      cells.push_back(graph.completing(graph.relation(graph.node(pattern.cover).relation),
                                       graph.cell_input(kPlanes + *plane), rule.to));
    }
  }
  if (cells.empty()) return;
  program_ = Program(graph, std::vector<NodeId>{graph.disjunction(cells)}, set.number_bounds());
}

void WinningMoves::find(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Workspace& work,
                        CellSet* cells) const {
  InputPointers pointers;
  program_.run(program_input(batch, begin, pointers), lanes, work);
  program_.read_set(0, lanes, work, cells);
}

}  // namespace plenum
