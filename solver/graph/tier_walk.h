// SPDX-License-Identifier: Apache-2.0
// One tier on random play's way (random_play.h): from what arrives at its positions to what each of their edges carries.
//
// A large tier is looked at by components where play goes from one to the next and none is most of it; another as a whole.
//
// Header only: templates over what is told of positions, and over who hears what leaves them. Thread-safety: one thread, with all cores for
// the equations; the tier's edges are turned round in their place meanwhile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "solver/graph/expected_visits.h"
#include "solver/graph/random_play.h"
#include "solver/graph/strong_components.h"
#include "solver/graph/tier.h"

namespace plenum {

inline constexpr LocalIndex kLeastSplit = 5000;  // positions of a tier that is looked at by components
inline bool is_most(std::uint64_t component, std::uint64_t tier) { return component > tier / 4 * 3; }

// `live(p)`: whether an end can be reached from p, which has not ended. arrive(q, even, odd) hears what an edge brings to q, in the order in
// which it has to be added up. `arrivals` is by position: what arrives, and for live positions afterwards what each edge carries.
template <typename Live, typename Arrive>
class TierWalk {
 public:
  TierWalk(PositionGraph& graph, std::size_t tier, std::span<ByParity> arrivals, const Live& live, const Arrive& arrive)
      : graph_(graph),
        begin_(graph.tier_begin[tier]),
        end_(graph.tier_begin[tier + 1]),
        tier_(tier),
        arrivals_(arrivals),
        live_(live),
        arrive_(arrive) {}

  // `largest`, if it is known, is the tier's. Bounds on the errors are added to `error`, one by one.
  void run(const LargestComponent* largest, double& error) {
    error_ = error;
    solve(largest);
    error = error_;
  }

 private:
  void solve(const LargestComponent* largest) {
    bool idle = true;
    for (PositionIndex p = begin_; p < end_ && idle; ++p) idle = !visited(p);
    if (idle) return;
    if (!has_inner_edge()) {
      for (PositionIndex p = begin_; p < end_; ++p) {
        if (visited(p)) pass_alone(p);
      }
      return;
    }
    if (pass_components(largest)) return;
    const std::size_t n = end_ - begin_;
    std::vector<std::uint32_t> degree(n);
    for (PositionIndex p = begin_; p < end_; ++p) {
      if (live_(p)) degree[p - begin_] = degree_of(p);
    }
    Tier tier(graph_, tier_);
    error_ += solve_visits(tier, degree, arrivals_.subspan(begin_, n));
    tier.give_back();
    for (PositionIndex p = begin_; p < end_; ++p) {
      if (visited(p)) push(p, [&](PositionIndex q) { return q < end_ && live_(q); });
    }
  }

  bool visited(PositionIndex p) const { return live_(p) && (arrivals_[p].even != 0 || arrivals_[p].odd != 0); }
  std::uint32_t degree_of(PositionIndex p) const { return static_cast<std::uint32_t>(graph_.successors(p).size()); }

  template <typename Where>
  bool leads_to(PositionIndex p, const Where& where) const {
    const auto next = graph_.successors(p);
    return std::any_of(next.begin(), next.end(), where);
  }
  // Where play may stay in the tier.
  bool has_inner_edge() const {
    for (PositionIndex p = begin_; p < end_; ++p) {
      if (live_(p) && leads_to(p, [&](PositionIndex q) { return q < end_ && live_(q); })) return true;
    }
    return false;
  }
  // A position from which play does not come back to it.
  void pass_alone(PositionIndex p) {
    ByParity& flow = arrivals_[p];
    const std::uint32_t degree = degree_of(p);
    flow = {flow.even / degree, flow.odd / degree};
    push(p, [](PositionIndex /*q*/) { return false; });
  }

  // The same as equations of a large tier, component by component where play goes from one to the next and none is most of it: far less
  // memory at a time, and fewer iterations, as play soon leaves a component. False: nothing was done.
  bool pass_components(const LargestComponent* largest) {
    const PositionIndex begin = begin_;
    const auto n = static_cast<LocalIndex>(end_ - begin_);
    if (n < kLeastSplit) return false;
    if (largest != nullptr && is_most(largest->size, n) && live_(largest->member)) return false;
    std::vector<LocalIndex> component;
    const std::size_t count = strong_components(
        n, [&](LocalIndex i) { return live_(begin + i) ? degree_of(begin + i) : 0; },
        [&](LocalIndex i, std::uint32_t k) { return std::min(graph_.successors(begin + i)[k] - begin, n); }, component);
    std::vector<LocalIndex> first(count + 1, 0);
    for (const LocalIndex c : component) ++first[c];
    if (is_most(*std::max_element(first.begin(), first.end()), n)) return false;
    for (std::size_t c = 1; c <= count; ++c) first[c] += first[c - 1];
    std::vector<PositionIndex> members(n);
    for (LocalIndex i = n; i-- > 0;) members[--first[component[i]]] = begin + i;
    const std::vector<LocalIndex> order = order_of(component, first, members);
    std::vector<LocalIndex>().swap(component);
    std::vector<LocalIndex> place(n, kNoMember);
    for (const LocalIndex c : order)
      pass_component(std::span(members).subspan(first[c], first[c + 1] - first[c]), begin, place);
    return true;
  }

  // The live components in the order in which they are gone through: by level, which is one more than the greatest of what leads to it,
  // and then by their first members. So it depends on the graph alone, not on how components were found.
  std::vector<LocalIndex> order_of(std::span<const LocalIndex> component, std::span<const LocalIndex> first,
                                   std::span<const PositionIndex> members) const {
    std::vector<LocalIndex> level(first.size() - 1, 0);
    std::vector<LocalIndex> order;
    // What a component leads to comes before it.
    for (std::size_t c = level.size(); c-- > 0;) {
      if (!live_(members[first[c]])) continue;
      order.push_back(static_cast<LocalIndex>(c));
      for (LocalIndex i = first[c]; i < first[c + 1]; ++i) {
        for (const PositionIndex q : graph_.successors(members[i])) {
          if (q >= end_ || component[q - begin_] == c) continue;
          LocalIndex& of = level[component[q - begin_]];
          of = std::max(of, level[c] + 1);
        }
      }
    }
    std::sort(order.begin(), order.end(), [&](LocalIndex a, LocalIndex b) {
      return level[a] != level[b] ? level[a] < level[b] : members[first[a]] < members[first[b]];
    });
    return order;
  }

  // `place` is kNoMember throughout, and is so again.
  void pass_component(std::span<const PositionIndex> members, PositionIndex begin, std::span<LocalIndex> place) {
    if (!live_(members.front())) return;
    if (const PositionIndex p = members.front();
        members.size() == 1 && !leads_to(p, [&](PositionIndex q) { return q == p; })) {
      if (visited(p)) pass_alone(p);
      return;
    }
    std::vector<std::uint32_t> degree(members.size());
    std::vector<ByParity> flow(members.size());
    bool idle = true;
    for (std::size_t i = 0; i < members.size(); ++i) {
      place[members[i] - begin] = static_cast<LocalIndex>(i);
      degree[i] = degree_of(members[i]);
      flow[i] = arrivals_[members[i]];
      idle = idle && flow[i].even == 0 && flow[i].odd == 0;
    }
    if (!idle) {
      error_ += solve_visits(InnerEdges(graph_, members, begin, place), degree, flow);
      for (std::size_t i = 0; i < members.size(); ++i) {
        arrivals_[members[i]] = flow[i];
        push(members[i], [&](PositionIndex q) { return q - begin < place.size() && place[q - begin] != kNoMember; });
      }
    }
    for (const PositionIndex p : members) place[p - begin] = kNoMember;
  }

  // Sends the flow of p along its edges, but for those that the equations have dealt with.
  template <typename Dealt>
  void push(PositionIndex p, const Dealt& dealt) {
    const ByParity flow = arrivals_[p];
    for (const PositionIndex q : graph_.successors(p)) {
      if (!dealt(q)) arrive_(q, flow.odd, flow.even);
    }
  }

  PositionGraph& graph_;
  const PositionIndex begin_;
  const PositionIndex end_;
  const std::size_t tier_;
  const std::span<ByParity> arrivals_;
  const Live& live_;
  const Arrive& arrive_;
  double error_ = 0;
};

}  // namespace plenum
