// SPDX-License-Identifier: Apache-2.0
// What a truth or a set is joined from by & | !, with the complements pushed inwards: `!(a | b)` is all of `!a`, `!b`.
// Goals are read this way.
//
//     const Junction j = junction(graph, id, true, mover);
//     for (NodeId part : j.parts) read(part, j.holds);
#pragma once

#include <vector>

#include "variants/graph/rule_graph.h"
#include "variants/language/margin.h"

namespace plenum {

struct Junction {
  enum class Kind {
    always,  // decided, for this player to move
    never,
    all,   // of the parts
    any,   // of the parts
    atom,  // the node itself
  };
  Kind kind = Kind::atom;
  NodeId node = -1;
  std::vector<NodeId> parts;
  bool holds = true;  // false: of each part, or of the node, the complement is meant
};

// Of the node, or of its complement where `holds` is false.
Junction junction(const RuleGraph& graph, NodeId id, bool holds, Player mover);

}  // namespace plenum
