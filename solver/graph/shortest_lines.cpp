// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/shortest_lines.h"

#include <algorithm>

#include <absl/container/flat_hash_map.h>

namespace plenum {

// A number for each position that the search tells apart.
std::uint64_t ShortestLines::key(PositionIndex p, GroupElement g) const {
  if (fold_ == Fold::up_to_symmetry) return p;
  const PositionGraph& graph = game_.graph();
  GroupElement least = g;
  for (const GroupElement x : graph.stabilizer_of(p)) least = std::min(least, graph.group.multiply(g, x));
  return std::uint64_t{p} * graph.group.size() + least;
}

absl::StatusOr<std::vector<Line>> ShortestLines::find(const Goal& goal, std::size_t most) const {
  const PositionGraph& graph = game_.graph();
  const Solution& solution = game_.solution();
  std::vector<bool> visited(graph.size() * (fold_ == Fold::none ? graph.group.size() : 1));
  std::vector<Node> nodes = {{graph.start, 0, graph.start_lift, 0}};
  visited[key(graph.start, graph.start_lift)] = true;
  std::vector<std::size_t> goals;
  absl::flat_hash_map<std::uint64_t, std::size_t> next_layer;  // places in `nodes` by key
  for (std::size_t begin = 0; begin < nodes.size() && goals.size() < most;) {
    const std::size_t end = nodes.size();
    const std::size_t nearer = goals.size();
    for (std::size_t i = begin; i < end; ++i) {
      if (goal(nodes[i].p, nodes[i].g)) goals.push_back(i);
    }
    std::stable_sort(goals.begin() + static_cast<std::ptrdiff_t>(nearer), goals.end(),
                     [&](std::size_t a, std::size_t b) { return nodes[a].mistakes < nodes[b].mistakes; });
    if (goals.size() >= most) break;
    next_layer.clear();
    for (std::size_t i = begin; i < end; ++i) {
      const Node from = nodes[i];
      for (EdgeIndex e = graph.first_edge[from.p]; e < graph.first_edge[from.p + 1]; ++e) {
        const PositionIndex q = graph.successor[e];
        const GroupElement g = graph.group.multiply(from.g, graph.group.inverse(graph.edge_symmetry(e)));
        const bool mistake = solution.value[from.p] != -solution.value[q];
        const Node to{q, static_cast<std::uint32_t>(i), g,
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
    absl::StatusOr<Line> line = trace(nodes, end);
    if (!line.ok()) return line.status();
    out.push_back(*std::move(line));
  }
  return out;
}

absl::StatusOr<Line> ShortestLines::trace(const std::vector<Node>& nodes, std::size_t end) const {
  std::vector<std::size_t> chain = {end};
  while (chain.back() != 0) chain.push_back(nodes[chain.back()].parent);
  std::reverse(chain.begin(), chain.end());
  const SymmetryGroup& symmetries = game_.variant().symmetries();
  Line out;
  out.begin = game_.start();
  for (std::size_t i = 1; i < chain.size(); ++i) {
    const Node& to = nodes[chain[i]];
    const Position wanted = symmetries.apply(to.g, game_.store().position(to.p));
    const absl::StatusOr<std::vector<Successor>> moves = successors(game_.variant().rules(), out.end());
    if (!moves.ok()) return moves.status();
    const auto made =
        std::find_if(moves->begin(), moves->end(), [&](const Successor& s) { return s.position == wanted; });
    if (made == moves->end()) return absl::InternalError("a line leaves the graph of positions");
    out.moves.push_back({made->text, to.mistakes > nodes[chain[i - 1]].mistakes, wanted});
  }
  return out;
}

}  // namespace plenum
