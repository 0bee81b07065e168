// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/random_play.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "solver/graph/expected_visits.h"
#include "solver/graph/tier.h"
#include "solver/support/parallel.h"

namespace plenum {
namespace {

enum class Fate : std::uint8_t { doomed, live, ended };  // doomed: no end can be reached

// Backwards inside a tier, from the live positions to the pending ones.
void revive(const PositionGraph& graph, std::size_t t, std::vector<Fate>& fate) {
  const Tier tier(graph, t);
  if (tier.acyclic()) return;
  std::vector<LocalIndex> queue;
  for (LocalIndex i = 0; i < tier.size(); ++i) {
    if (fate[tier.begin() + i] == Fate::live) queue.push_back(i);
  }
  for (std::size_t k = 0; k < queue.size(); ++k) {
    for (const LocalIndex p : tier.predecessors(queue[k])) {
      if (fate[tier.begin() + p] != Fate::doomed) continue;
      fate[tier.begin() + p] = Fate::live;
      queue.push_back(p);
    }
  }
}

std::vector<Fate> fates(const PositionGraph& graph) {
  std::vector<Fate> fate(graph.size(), Fate::doomed);
  for (PositionIndex p = 0; p < graph.size(); ++p) {
    if (graph.ended(p)) fate[p] = Fate::ended;
  }
  std::vector<PositionIndex> pending;
  const auto still_doomed = [&](PositionIndex p) {
    const auto next = graph.successors(p);
    const bool escapes = std::any_of(next.begin(), next.end(), [&](auto q) { return fate[q] != Fate::doomed; });
    if (escapes) fate[p] = Fate::live;
    return !escapes;
  };
  for (std::size_t t = graph.tiers(); t-- > 0;) {
    pending.clear();
    for (PositionIndex p = graph.tier_begin[t + 1]; p-- > graph.tier_begin[t];) {
      if (fate[p] == Fate::doomed && still_doomed(p)) pending.push_back(p);
    }
    // Most positions are a ply or two from an end or the next tier: sweeps in both directions mostly settle it
    // without predecessors.
    std::reverse(pending.begin(), pending.end());
    pending.erase(std::remove_if(pending.begin(), pending.end(), [&](auto p) { return !still_doomed(p); }),
                  pending.end());
    if (!pending.empty()) revive(graph, t, fate);
  }
  return fate;
}

class Walk {
 public:
  explicit Walk(const PositionGraph& graph) : graph_(graph), fate_(fates(graph)), arrivals_(graph.size()) {}

  RandomPlay run() {
    if (graph_.size() == 0) return {};
    arrivals_[graph_.start].even = 1;
    double plies = 0;
    for (std::size_t t = 0; t < graph_.tiers(); ++t) plies += pass_tier(t);
    for (PositionIndex p = 0; p < graph_.size(); ++p) {
      if (graph_.ended(p)) count_end(p);
    }
    if (trapped_) {
      result_.endless = std::max(result_.endless, std::numeric_limits<double>::min());
    } else {
      result_.plies = plies;
    }
    return result_;
  }

 private:
  // Returns the expected plies made from positions of the tier.
  double pass_tier(std::size_t t) {
    const PositionIndex begin = graph_.tier_begin[t];
    const PositionIndex end = graph_.tier_begin[t + 1];
    const std::size_t n = end - begin;
    const std::span<ByParity> flow(arrivals_.data() + begin, n);
    const auto visited = [&](PositionIndex p) {
      return fate_[p] == Fate::live && (arrivals_[p].even != 0 || arrivals_[p].odd != 0);
    };
    bool idle = true;
    for (PositionIndex p = begin; p < end && idle; ++p) idle = !visited(p);
    if (!idle) {
      std::vector<std::uint32_t> degree(n);
      for (PositionIndex p = begin; p < end; ++p) {
        if (fate_[p] == Fate::live) degree[p - begin] = static_cast<std::uint32_t>(graph_.successors(p).size());
      }
      result_.error += solve_visits(Tier(graph_, t), degree, flow);
      for (PositionIndex p = begin; p < end; ++p) {
        if (visited(p)) push(p, end);
      }
    }
    double plies = 0;
    for (PositionIndex p = begin; p < end; ++p) {
      const ByParity& a = arrivals_[p];
      if (fate_[p] == Fate::live) {
        plies += (a.even + a.odd) * static_cast<double>(graph_.successors(p).size());
      } else if (fate_[p] == Fate::doomed && (a.even != 0 || a.odd != 0)) {
        trapped_ = true;
        result_.endless += a.even + a.odd;
      }
    }
    return plies;
  }

  // Sends the flow of p along its edges, but for those that the equations have dealt with.
  void push(PositionIndex p, PositionIndex tier_end) {
    const ByParity flow = arrivals_[p];
    for (const PositionIndex q : graph_.successors(p)) {
      if (q < tier_end && fate_[q] == Fate::live) continue;
      arrivals_[q].even += flow.odd;
      arrivals_[q].odd += flow.even;
    }
  }

  void count_end(PositionIndex p) {
    const MarginRank rank = graph_.end_rank[p];
    const ByParity& a = arrivals_[p];
    if (rank == 0) {
      result_.tie += a.even + a.odd;
    } else {
      result_.first += rank > 0 ? a.even : a.odd;
      result_.second += rank > 0 ? a.odd : a.even;
    }
  }

  const PositionGraph& graph_;
  const std::vector<Fate> fate_;
  // Before its tier's turn what arrives at a position, afterwards, if it is live, what each of its edges carries.
  std::vector<ByParity> arrivals_;
  RandomPlay result_;
  bool trapped_ = false;
};

}  // namespace

RandomPlay random_play(const PositionGraph& graph) { return Walk(graph).run(); }

}  // namespace plenum
