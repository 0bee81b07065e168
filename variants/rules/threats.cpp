// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/threats.h"

#include <optional>
#include <vector>

#include <absl/container/flat_hash_set.h>

#include "variants/graph/cell_contents.h"

namespace plenum {
namespace {

// All nodes that `root` is made of and that ask for patterns.
std::vector<NodeId> patterns_in(const RuleGraph& graph, NodeId root) {
  std::vector<NodeId> out;
  absl::flat_hash_set<NodeId> seen = {root};
  std::vector<NodeId> open = {root};
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    const RuleNode& n = graph.node(id);
    if (n.op == NodeOp::cover) out.push_back(id);
    for (const NodeId arg : n.args) {
      if (seen.insert(arg).second) open.push_back(arg);
    }
  }
  return out;
}

// What it is worth to the player to move if his board holds one copy of a pattern and nothing else: 1, -1, or 0 if that depends.
int worth(const Rules& rules, const RuleNode& pattern) {
  const RuleSet& set = rules.set();
  const CellContents of = contents(set, pattern.args[0]);
  PositionBatch boards(set.layout.count(), static_cast<int>(set.slots.size()));
  for (int p = 0; p < set.layout.count(); ++p) {
    if (((of >> p) & 1) == 0) continue;
    Position board = rules.start();
    board.planes = {};
    board.planes[static_cast<std::size_t>(p)] = set.graph.relation(pattern.relation).front();
    boards.push(board);
  }
  Rules::Scratch scratch(rules);
  std::vector<std::int64_t> margins;
  rules.score(boards, scratch, margins);
  std::optional<int> out;
  for (std::size_t i = 0; i < boards.size; ++i) {
    const int sign = (margins[i] > 0) - (margins[i] < 0);
    if (out && *out != sign) return 0;
    out = sign;
  }
  return out.value_or(0);
}

}  // namespace

Threats::Threats(const Rules& rules) {
  const RuleSet& set = rules.set();
  RuleGraph graph = set.graph;
  std::vector<NodeId> stones;
  stones.reserve(static_cast<std::size_t>(set.layout.count()));
  for (int p = 0; p < set.layout.count(); ++p) stones.push_back(graph.cell_input(kPlanes + p));
  const NodeId empty = graph.complement(graph.disjunction(stones));
  Linear sum;
  for (const NodeId id : patterns_in(set.graph, set.margin)) {
    const RuleNode pattern = set.graph.node(id);
    const int sign = worth(rules, pattern);
    if (sign == 0) continue;
    const NodeId cells = graph.completing(graph.relation(pattern.relation), pattern.args[0], empty);
    sum = sum + graph.as_form(graph.count(cells)) * sign;
  }
  if (sum.terms.empty()) return;
  program_ = Program(graph, std::vector<NodeId>{graph.of_form(sum, false)}, set.number_bounds());
}

void Threats::count(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Workspace& work,
                    std::int64_t* counts) const {
  InputPointers pointers;
  program_.run(program_input(batch, begin, pointers), lanes, work);
  program_.read_number(0, lanes, work, counts);
}

}  // namespace plenum
