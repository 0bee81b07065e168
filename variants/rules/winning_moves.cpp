// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/winning_moves.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "variants/rules/pattern_game.h"

namespace plenum {
namespace {

// What it is worth to whoever has completed this pattern, the other player being to move; nothing if that is not proven, or no win.
std::optional<std::int64_t> worth_of(const RuleSet& set, RuleGraph& graph, const std::vector<PatternTruth>& patterns,
                                     const PatternTruth& done) {
  KnownTruths truths = {{done.any, true}};
  for (const PatternTruth& other : patterns) {
    // The move leaves that plane alone and ended no game before; seen from the other player then and from this one now.
    if (other.plane == done.plane) continue;
    const auto before = std::find_if(patterns.begin(), patterns.end(), [&](const PatternTruth& p) {
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
  const std::vector<PatternTruth> patterns = patterns_of(set, graph, roots);
  std::vector<NodeId> cells;
  for (const MoveRule& rule : set.moves) {
    const std::optional<int> plane = plain_placement(set, rule);
    if (!plane) continue;
    for (const PatternTruth& pattern : patterns) {
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
