// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/random_play.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "solver/graph/expected_visits.h"
#include "solver/graph/strong_components.h"
#include "solver/graph/tier.h"
#include "solver/graph/tier_walk.h"
#include "solver/support/memory.h"
#include "solver/support/parallel.h"

namespace plenum {
namespace {

enum class Fate : std::uint8_t { doomed, live, ended };  // doomed: no end can be reached

// The pending positions of a tier, component by component: those that a component leads to come before it.
void revive(const PositionGraph& graph, std::size_t t, std::vector<PositionIndex>& pending, std::vector<Fate>& fate) {
  const PositionIndex begin = graph.tier_begin[t];
  const auto n = static_cast<LocalIndex>(graph.tier_begin[t + 1] - begin);
  std::vector<LocalIndex> component;
  strong_components(
      n,
      [&](LocalIndex i) {
        return fate[begin + i] == Fate::doomed ? static_cast<std::uint32_t>(graph.successors(begin + i).size()) : 0;
      },
      [&](LocalIndex i, std::uint32_t k) { return std::min(graph.successors(begin + i)[k] - begin, n); }, component);
  std::sort(pending.begin(), pending.end(), [&](PositionIndex p, PositionIndex q) {
    return component[p - begin] != component[q - begin] ? component[p - begin] < component[q - begin] : p < q;
  });
  for (std::size_t from = 0, to = 0; from < pending.size(); from = to) {
    bool escapes = false;
    for (; to < pending.size() && component[pending[to] - begin] == component[pending[from] - begin]; ++to) {
      const auto next = graph.successors(pending[to]);
      escapes = escapes || std::any_of(next.begin(), next.end(), [&](auto q) { return fate[q] != Fate::doomed; });
    }
    for (std::size_t i = from; escapes && i < to; ++i) fate[pending[i]] = Fate::live;
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
    if (!pending.empty()) revive(graph, t, pending, fate);
  }
  return fate;
}

class Walk {
 public:
  Walk(PositionGraph& graph, std::span<const LargestComponent> largest)
      : graph_(graph),
        largest_(largest),
        fate_(fates(graph)),
        arrivals_(static_cast<ByParity*>(std::calloc(std::max<std::size_t>(graph.size(), 1), sizeof(ByParity)))) {
    if (arrivals_ == nullptr) throw std::bad_alloc();
  }

  RandomPlay run() {
    if (graph_.size() == 0) return {};
    arrivals_[graph_.start].even = 1;
    double plies = 0;
    for (std::size_t t = 0; t < graph_.tiers(); ++t) {
      plies += pass_tier(t);
      const PositionIndex begin = graph_.tier_begin[t];
      for (PositionIndex p = begin; p < graph_.tier_begin[t + 1]; ++p) {
        if (graph_.ended(p)) count_end(p);
      }
      release_pages(arrivals_.get() + begin, (graph_.tier_begin[t + 1] - begin) * sizeof(ByParity));
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
    const auto live = [&](PositionIndex p) { return fate_[p] == Fate::live; };
    const auto arrive = [&](PositionIndex q, double even, double odd) {
      arrivals_[q].even += even;
      arrivals_[q].odd += odd;
    };
    TierWalk walk(graph_, t, std::span(arrivals_.get(), graph_.size()), live, arrive);
    walk.run(largest_.empty() ? nullptr : &largest_[t], result_.error);
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

  PositionGraph& graph_;
  const std::span<const LargestComponent> largest_;
  const std::vector<Fate> fate_;
  struct Free {
    void operator()(ByParity* p) const { std::free(p); }
  };
  // Before its tier's turn what arrives at a position, during it, if it is live, what each of its edges carries; then no more. From
  // calloc, so that it takes memory only of the tiers that play has come to and not yet passed.
  std::unique_ptr<ByParity[], Free> arrivals_;
  RandomPlay result_;
  bool trapped_ = false;
};

}  // namespace

RandomPlay random_play(PositionGraph& graph, std::span<const LargestComponent> largest) {
  return Walk(graph, largest).run();
}

RandomPlay random_play(const PositionGraph& graph, std::span<const LargestComponent> largest) {
  PositionGraph copy = graph;
  return random_play(copy, largest);
}

}  // namespace plenum
