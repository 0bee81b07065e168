// SPDX-License-Identifier: Apache-2.0
// Games of patterns: what of their rules is proven from the rule graph alone.
//
// A pattern game is one in which every move puts a stone of the mover's own on an empty cell and changes nothing else, where the
// same cells are open to both players, and which ends where somebody has completed a pattern, who then wins, and nowhere
// else but where no cell is open; and nothing is worth more than to complete one. So nothing but what stands on the cells
// matters, stones stay, and every value is within -worth..worth.
//
// Thread-safety: functions of their arguments, but for the graph that they add nodes to. Units: Rules::denominator.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "variants/rules/rules.h"

namespace plenum {

// A truth "there is a pattern", of the stones of one plane.
struct PatternTruth {
  NodeId any = -1;
  NodeId cover = -1;
  int plane = 0;
};

using KnownTruths = absl::flat_hash_map<NodeId, bool>;

// The plane that a placement of one stone on an empty cell puts it on, seen by who makes it; nothing where it changes anything else.
std::optional<int> plain_placement(const RuleSet& set, const MoveRule& rule);
// All such truths that the roots are made of.
std::vector<PatternTruth> patterns_of(const RuleSet& set, const RuleGraph& graph, std::span<const NodeId> roots);
// The node with some nodes replaced by others; with some truths known.
NodeId substituted(RuleGraph& graph, NodeId root, const absl::flat_hash_map<NodeId, NodeId>& by);
NodeId replaced(RuleGraph& graph, NodeId root, const KnownTruths& truths);

struct PatternGame {
  NodeId to = -1;               // the cells that are open, to either player
  std::vector<CellSet> masks;   // the patterns
  std::int64_t worth = 0;       // of completing one, to whoever does
  bool keeps_open = false;      // a cell stays open until a stone is put on it
  bool ties_when_full = false;  // without an open cell the game is a tie
  // The cells in chains, the lowest first, where a cell is open exactly when it is empty and the one before it is not; none where that
  // is not proven. Every cell is in one. A position may begin with stones above empty cells.
  std::vector<std::vector<Cell>> chains;
};

// Nothing where it is not proven to be one. The nodes are of `graph`, a copy of the rules' own.
std::optional<PatternGame> pattern_game(const Rules& rules, RuleGraph& graph);

}  // namespace plenum
