// SPDX-License-Identifier: Apache-2.0
// The strongly connected components of a part of one tier, lifted to the unreduced graph: what components and traps share.
//
// The part is a selection of the inner edges of the reachable positions: keeps(p, q) for stored p and q of the tier, neither
// ended. How a component of stored positions lifts is said in components.h.
//
// Header only: a template over the selection, which is asked for every edge.
// Thread-safety: a call works on one tier; calls for several tiers may run at the same time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "solver/graph/lifts.h"
#include "solver/graph/strong_components.h"
#include "solver/graph/tier.h"

namespace plenum {

// A component with a cycle in it.
struct LiftedComponent {
  std::span<const LocalIndex> members;  // stored
  std::uint64_t size = 0;               // unreduced positions of a lift
  std::uint64_t count = 0;              // reachable lifts
};

// A subgroup that grows by generators.
class Subgroup {
 public:
  explicit Subgroup(const Group& group) : group_(group) { clear(); }
  void clear() {
    elements_.assign(1, kIdentity);
    generators_.clear();
    member_.assign(group_.size(), false);
    member_[kIdentity] = true;
  }
  std::size_t size() const { return elements_.size(); }
  bool whole() const { return size() == group_.size(); }
  std::span<const GroupElement> generators() const { return generators_; }
  void add(GroupElement g) {
    if (member_[g]) return;
    generators_.push_back(g);
    // In a finite group, products of generators are all there is.
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      for (const GroupElement x : generators_) {
        const GroupElement product = group_.multiply(elements_[i], x);
        if (member_[product]) continue;
        member_[product] = true;
        elements_.push_back(product);
      }
    }
  }

 private:
  const Group& group_;
  std::vector<bool> member_;
  std::vector<GroupElement> elements_;
  std::vector<GroupElement> generators_;
};

template <typename Keeps>
class LiftedComponents {
 public:
  LiftedComponents(const PositionGraph& graph, const Lifts& lifts, std::size_t tier, Keeps keeps)
      : graph_(graph),
        lifts_(lifts),
        keeps_(std::move(keeps)),
        begin_(graph.tier_begin[tier]),
        end_(graph.tier_begin[tier + 1]),
        subgroup_(graph.group) {}

  // Calls found(component) for each.
  template <typename Found>
  void find(const Found& found) {
    const std::size_t components = number_components();
    if (components == 0) return;
    // The positions in the order of their components.
    std::vector<LocalIndex> begin(components + 2, 0);
    for (const LocalIndex c : component_) ++begin[c + 2];
    for (std::size_t c = 2; c < begin.size(); ++c) begin[c] += begin[c - 1];
    std::vector<LocalIndex> member(component_.size());
    for (LocalIndex i = 0; i < component_.size(); ++i) member[begin[component_[i] + 1]++] = i;
    potential_.resize(component_.size());
    placed_.assign(component_.size(), false);
    for (std::size_t c = 0; c < components; ++c) {
      const std::span<const LocalIndex> members(member.data() + begin[c], member.data() + begin[c + 1]);
      if (!lifts_.reached(begin_ + members.front())) continue;
      if (members.size() == 1 && !leads_to_itself(members.front())) continue;
      found(lift(members));
    }
  }

  PositionIndex position(LocalIndex i) const { return begin_ + i; }
  // Whether stored q lies in the component of member i.
  bool together(LocalIndex i, PositionIndex q) const {
    return q >= begin_ && q < end_ && component_[q - begin_] == component_[i];
  }

 private:
  bool kept(PositionIndex p, PositionIndex q) const { return q < end_ && !graph_.ended(q) && keeps_(p, q); }

  std::size_t number_components() {
    bool empty = true;
    for (PositionIndex p = begin_; p < end_ && empty; ++p) {
      const auto next = graph_.successors(p);
      empty = !lifts_.reached(p) || std::none_of(next.begin(), next.end(), [&](PositionIndex q) { return kept(p, q); });
    }
    if (empty) return 0;
    const auto n = static_cast<LocalIndex>(end_ - begin_);
    const auto degree = [&](LocalIndex i) {
      return lifts_.reached(begin_ + i) ? static_cast<std::uint32_t>(graph_.successors(begin_ + i).size()) : 0;
    };
    // An ended position is a component of its own: it leads nowhere.
    const auto target = [&](LocalIndex i, std::uint32_t k) {
      const PositionIndex p = begin_ + i;
      const PositionIndex q = graph_.successor(graph_.first_edge[p] + k);
      return q < end_ && keeps_(p, q) ? q - begin_ : n;
    };
    return strong_components(n, degree, target, component_);
  }

  bool leads_to_itself(LocalIndex i) const {
    const PositionIndex p = begin_ + i;
    const auto next = graph_.successors(p);
    return std::any_of(next.begin(), next.end(), [&](PositionIndex q) { return q == p && kept(p, q); });
  }

  LiftedComponent lift(std::span<const LocalIndex> members) {
    grow_subgroup(members);
    LiftedComponent result;
    result.members = members;
    for (const LocalIndex i : members) result.size += subgroup_.size() / graph_.stabilizer_of(begin_ + i).size();
    result.count = lifts_.elements(begin_ + members.front()) / subgroup_.size();
    return result;
  }

  // H of the component, by a breadth-first tree from its first member.
  void grow_subgroup(std::span<const LocalIndex> members) {
    subgroup_.clear();
    if (graph_.group.size() == 1) return;
    const Group& group = graph_.group;
    std::vector<LocalIndex> queue;
    const auto place = [&](LocalIndex i, GroupElement a) {
      placed_[i] = true;
      potential_[i] = a;
      queue.push_back(i);
      for (const GroupElement x : graph_.stabilizer_of(begin_ + i)) {
        if (x != kIdentity) subgroup_.add(group.multiply(group.multiply(a, x), group.inverse(a)));
      }
    };
    place(members.front(), kIdentity);
    for (std::size_t k = 0; k < queue.size() && !subgroup_.whole(); ++k) {
      const LocalIndex i = queue[k];
      const PositionIndex p = begin_ + i;
      for (EdgeIndex e = graph_.first_edge[p]; e < graph_.first_edge[p + 1]; ++e) {
        const PositionIndex q = graph_.successor(e);
        if (!kept(p, q) || !together(i, q)) continue;
        const GroupElement a = group.multiply(potential_[i], group.inverse(graph_.edge_symmetry(e)));
        if (placed_[q - begin_]) {
          subgroup_.add(group.multiply(a, group.inverse(potential_[q - begin_])));
        } else {
          place(q - begin_, a);
        }
      }
    }
  }

  const PositionGraph& graph_;
  const Lifts& lifts_;
  const Keeps keeps_;
  const PositionIndex begin_;
  const PositionIndex end_;
  std::vector<LocalIndex> component_;
  std::vector<GroupElement> potential_;
  std::vector<bool> placed_;
  Subgroup subgroup_;
};

}  // namespace plenum
