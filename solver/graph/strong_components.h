// SPDX-License-Identifier: Apache-2.0
// Strongly connected components of a graph that is asked for its edges: nothing of it is copied.
//
// Header only: a template over the graph.
// Source: Pearce, A space-efficient algorithm for finding strongly connected components (2016), run without recursion.
// Thread-safety: works in the calling thread. Cost: 4 bytes a vertex, and up to 12 more where the search goes deep; an edge is looked
// at twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stack>
#include <vector>

namespace plenum {

// `degree(v)` is the number of edges of v < n, and visit(v, k) where edge k < degree(v) leads, or `n` for nowhere. Sets component[v], from 0
// in the order in which Tarjan's algorithm is done with them (a component comes after those that it leads to); returns how many there are.
template <typename Degree, typename Target>
std::size_t strong_components(std::uint32_t n, const Degree& degree, const Target& target,
                              std::vector<std::uint32_t>& component) {
  struct Frame {
    std::uint32_t v;
    std::uint32_t edge : 31;  // the next to look at
    std::uint32_t root : 1;   // so far nothing before v has been met
  };
  // 0: not met; while its component is open, the number of the first vertex known to be in it; then n less the component. What is
  // open has lower numbers than what is done.
  std::vector<std::uint32_t>& mark = component;
  mark.assign(n, 0);
  std::uint32_t open = 1;
  std::uint32_t done = n;
  std::stack<Frame> path;
  std::stack<std::uint32_t> waiting;  // vertices of open components that the search has left
  const auto enter = [&](std::uint32_t v) {
    mark[v] = open++;
    path.push({v, 0, 1});
    for (std::uint32_t k = 0, edges = degree(v); k < edges; ++k) __builtin_prefetch(mark.data() + target(v, k));
  };
  const auto lower = [&](Frame& frame, std::uint32_t to) {
    if (to >= mark[frame.v]) return;
    mark[frame.v] = to;
    frame.root = 0;
  };
  const auto leave = [&](const Frame frame) {
    if (frame.root == 0) {
      waiting.push(frame.v);
      return;
    }
    --open;
    for (; !waiting.empty() && mark[frame.v] <= mark[waiting.top()]; waiting.pop(), --open) mark[waiting.top()] = done;
    mark[frame.v] = done--;
  };
  for (std::uint32_t begin = 0; begin < n; ++begin) {
    if (mark[begin] != 0) continue;
    for (enter(begin); !path.empty();) {
      Frame& frame = path.top();
      const std::uint32_t edges = degree(frame.v);
      std::uint32_t next = n;
      std::uint32_t k = frame.edge;
      for (; k < edges; ++k) {
        const std::uint32_t w = target(frame.v, k);
        if (w == n) continue;
        if (mark[w] == 0) {
          next = w;
          break;
        }
        lower(frame, mark[w]);
      }
      frame.edge = k;  // to be looked at again when the search comes back: it then lowers
      if (next != n) {
        enter(next);
        continue;
      }
      const Frame left = frame;
      path.pop();
      leave(left);
    }
  }
  for (std::uint32_t& m : mark) m = n - m;
  return n - done;
}

}  // namespace plenum
