// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/shortest_lines.h"

#include <algorithm>

#include <absl/container/flat_hash_map.h>

#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// Of the breadth-first search; `parent` is the place of another one.
struct LineNode {
  PositionIndex p;
  std::uint32_t parent;
  GroupElement g;
  std::uint16_t mistakes;
};

absl::StatusOr<Line> trace_line(const SolvedGame& game, const std::vector<LineNode>& nodes, std::size_t end) {
  std::vector<std::size_t> chain = {end};
  while (chain.back() != 0) chain.push_back(nodes[chain.back()].parent);
  std::reverse(chain.begin(), chain.end());
  const SymmetryGroup& symmetries = game.variant().symmetries();
  Line out;
  out.begin = game.start();
  for (std::size_t i = 1; i < chain.size(); ++i) {
    const LineNode& to = nodes[chain[i]];
    const Position wanted = symmetries.apply(to.g, game.store().position(to.p));
    ASSIGN_OR_RETURN(const std::vector<Successor> moves, successors(game.variant().rules(), out.end()));
    const auto made =
        std::find_if(moves.begin(), moves.end(), [&](const Successor& s) { return s.position == wanted; });
    if (made == moves.end()) return absl::InternalError("a line leaves the graph of positions");
    out.moves.push_back({made->text, to.mistakes > nodes[chain[i - 1]].mistakes, wanted});
  }
  return out;
}

}  // namespace

absl::StatusOr<std::vector<Line>> shortest_lines(const SolvedGame& game, LinesFold fold, const LineGoal& goal,
                                                 std::size_t most) {
  const PositionGraph& graph = game.graph();
  const Solution& solution = game.solution();
  // A number for each position that the search tells apart.
  const auto key = [&](PositionIndex p, GroupElement g) -> std::uint64_t {
    if (fold == LinesFold::up_to_symmetry) return p;
    GroupElement least = g;
    for (const GroupElement x : graph.stabilizer_of(p)) least = std::min(least, graph.group.multiply(g, x));
    return std::uint64_t{p} * graph.group.size() + least;
  };
  std::vector<bool> visited(graph.size() * (fold == LinesFold::none ? graph.group.size() : 1));
  std::vector<LineNode> nodes = {{graph.start, 0, graph.start_lift, 0}};
  visited[key(graph.start, graph.start_lift)] = true;
  std::vector<std::size_t> goals;
  absl::flat_hash_map<std::uint64_t, std::size_t> next_layer;  // places in `nodes` by key
  for (std::size_t begin = 0; begin < nodes.size() && goals.size() < most;) {
    const std::size_t end = nodes.size();
    const std::size_t nearer = goals.size();
    for (std::size_t i = begin; i < end; ++i) {
      ASSIGN_OR_RETURN(const bool holds, goal(nodes[i].p, nodes[i].g));
      if (holds) goals.push_back(i);
    }
    std::stable_sort(goals.begin() + static_cast<std::ptrdiff_t>(nearer), goals.end(),
                     [&](std::size_t a, std::size_t b) { return nodes[a].mistakes < nodes[b].mistakes; });
    if (goals.size() >= most) break;
    next_layer.clear();
    for (std::size_t i = begin; i < end; ++i) {
      const LineNode from = nodes[i];
      for (EdgeIndex e = graph.first_edge[from.p]; e < graph.first_edge[from.p + 1]; ++e) {
        const PositionIndex q = graph.successor(e);
        const GroupElement g = graph.group.multiply(from.g, graph.group.inverse(graph.edge_symmetry(e)));
        const bool mistake = solution.value[from.p] != -solution.value[q];
        const LineNode to{q, static_cast<std::uint32_t>(i), g,
                          static_cast<std::uint16_t>(from.mistakes + (mistake ? 1 : 0))};
        const std::uint64_t name = key(q, g);
        if (!visited[name]) {
          visited[name] = true;
          next_layer[name] = nodes.size();
          nodes.push_back(to);
        } else if (const auto known = next_layer.find(name);
                   known != next_layer.end() && to.mistakes < nodes[known->second].mistakes) {
          nodes[known->second] = to;
        }
      }
    }
    begin = end;
  }
  if (goals.size() > most) goals.resize(most);
  std::vector<Line> out;
  for (const std::size_t end : goals) {
    ASSIGN_OR_RETURN(out.emplace_back(), trace_line(game, nodes, end));
  }
  return out;
}

}  // namespace plenum
