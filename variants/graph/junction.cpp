// SPDX-License-Identifier: Apache-2.0
#include "variants/graph/junction.h"

namespace plenum {

Junction junction(const RuleGraph& graph, NodeId id, bool holds, Player mover) {
  using Kind = Junction::Kind;
  const RuleNode& n = graph.node(id);
  const auto decided = [](bool always) { return Junction{always ? Kind::always : Kind::never, -1, {}, true}; };
  if (n.op == NodeOp::complement) return junction(graph, n.args[0], !holds, mover);
  if (n.op == NodeOp::mover_is_first) return decided((mover == Player::first) == holds);
  if (graph.is_true(id) || graph.is_false(id)) return decided(graph.is_true(id) == holds);
  if (n.op == NodeOp::conjunction) return {holds ? Kind::all : Kind::any, id, n.args, holds};
  if (n.op == NodeOp::disjunction) return {holds ? Kind::any : Kind::all, id, n.args, holds};
  return {Kind::atom, id, {}, holds};
}

}  // namespace plenum
