// SPDX-License-Identifier: Apache-2.0
#include "solver/components.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>

#include "solver/parallel.h"
#include "solver/tier.h"

namespace plenum {
namespace {

using InnerGraph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                      boost::no_property, LocalIndex, EdgeIndex>;

struct Range {
  PositionIndex begin;
  PositionIndex end;
  bool inner(const PositionGraph& graph, PositionIndex q) const { return q < end && !graph.ended(q); }
};

// The inner edges of the reachable positions of a tier, in order, as Boost wants to read them.
class InnerEdgeIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = std::pair<LocalIndex, LocalIndex>;
  using difference_type = std::ptrdiff_t;
  using pointer = const value_type*;
  using reference = value_type;

  InnerEdgeIterator(const PositionGraph& graph, const Lifts& lifts, Range tier, PositionIndex p)
      : graph_(&graph), lifts_(&lifts), tier_(tier), p_(p), e_(graph.first_edge[p]) {
    settle();
  }
  value_type operator*() const { return edge_; }
  pointer operator->() const { return &edge_; }
  InnerEdgeIterator& operator++() {
    ++e_;
    settle();
    return *this;
  }
  InnerEdgeIterator operator++(int) {
    InnerEdgeIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const InnerEdgeIterator& a, const InnerEdgeIterator& b) {
    return a.p_ == b.p_ && a.e_ == b.e_;
  }
  friend bool operator!=(const InnerEdgeIterator& a, const InnerEdgeIterator& b) { return !(a == b); }

 private:
  // Moves on to the next inner edge, if this is none.
  void settle() {
    for (; p_ < tier_.end; ++p_, e_ = graph_->first_edge[p_]) {
      if (e_ == graph_->first_edge[p_] && !lifts_->reached(p_)) continue;
      for (; e_ < graph_->first_edge[p_ + 1]; ++e_) {
        const PositionIndex q = graph_->successor[e_];
        if (!tier_.inner(*graph_, q)) continue;
        edge_ = {p_ - tier_.begin, q - tier_.begin};
        return;
      }
    }
  }

  const PositionGraph* graph_;
  const Lifts* lifts_;
  Range tier_;
  PositionIndex p_;
  EdgeIndex e_;
  value_type edge_;
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

Components merge(Components a, const Components& b) {
  a.count += b.count;
  a.largest = std::max(a.largest, b.largest);
  a.positions += b.positions;
  return a;
}

class TierComponents {
 public:
  TierComponents(const PositionGraph& graph, const Lifts& lifts, Range tier, std::vector<std::uint64_t>& cycle_bits)
      : graph_(graph), lifts_(lifts), tier_(tier), cycle_bits_(cycle_bits), subgroup_(graph.group) {}

  Components run() {
    Components result;
    const std::size_t components = number_components();
    if (components == 0) return result;
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
      if (!lifts_.reached(tier_.begin + members.front())) continue;
      if (members.size() == 1 && !leads_to_itself(members.front())) continue;
      result = merge(std::move(result), lift(members));
    }
    return result;
  }

 private:
  std::size_t number_components() {
    const InnerEdgeIterator first(graph_, lifts_, tier_, tier_.begin);
    const InnerEdgeIterator last(graph_, lifts_, tier_, tier_.end);
    if (first == last) return 0;
    const std::size_t n = tier_.end - tier_.begin;
    const InnerGraph inner(boost::edges_are_sorted, first, last, static_cast<LocalIndex>(n));
    component_.resize(n);
    std::vector<LocalIndex> root(n);
    std::vector<LocalIndex> time(n);
    std::vector<boost::default_color_type> color(n);
    const auto index = boost::get(boost::vertex_index, inner);
    const auto map = [&](auto& values) { return boost::make_iterator_property_map(values.begin(), index); };
    return boost::strong_components(inner, map(component_),
                                    boost::root_map(map(root)).discover_time_map(map(time)).color_map(map(color)));
  }

  bool leads_to_itself(LocalIndex i) const {
    const auto next = graph_.successors(tier_.begin + i);
    return std::find(next.begin(), next.end(), tier_.begin + i) != next.end();
  }

  Components lift(std::span<const LocalIndex> members) {
    grow_subgroup(members);
    Components result;
    std::uint64_t size = 0;
    for (const LocalIndex i : members) {
      const PositionIndex p = tier_.begin + i;
      size += subgroup_.size() / graph_.stabilizer_of(p).size();
      std::atomic_ref<std::uint64_t>(cycle_bits_[p / 64])
          .fetch_or(std::uint64_t{1} << p % 64, std::memory_order_relaxed);
    }
    result.count = lifts_.elements(tier_.begin + members.front()) / subgroup_.size();
    result.largest = size;
    result.positions = result.count * size;
    return result;
  }

  // H of the component, by a breadth-first tree from its first member.
  void grow_subgroup(std::span<const LocalIndex> members) {
    subgroup_.clear();
    if (graph_.group.size() == 1) return;
    const Group& group = graph_.group;
    const LocalIndex base = members.front();
    std::vector<LocalIndex> queue;
    const auto place = [&](LocalIndex i, GroupElement a) {
      placed_[i] = true;
      potential_[i] = a;
      queue.push_back(i);
      for (const GroupElement x : graph_.stabilizer_of(tier_.begin + i)) {
        if (x != kIdentity) subgroup_.add(group.multiply(group.multiply(a, x), group.inverse(a)));
      }
    };
    place(base, kIdentity);
    for (std::size_t k = 0; k < queue.size() && !subgroup_.whole(); ++k) {
      const LocalIndex i = queue[k];
      const PositionIndex p = tier_.begin + i;
      for (EdgeIndex e = graph_.first_edge[p]; e < graph_.first_edge[p + 1]; ++e) {
        const PositionIndex q = graph_.successor[e];
        if (q >= tier_.end || component_[q - tier_.begin] != component_[i]) continue;
        const GroupElement a = group.multiply(potential_[i], group.inverse(graph_.edge_symmetry(e)));
        if (placed_[q - tier_.begin]) {
          subgroup_.add(group.multiply(a, group.inverse(potential_[q - tier_.begin])));
        } else {
          place(q - tier_.begin, a);
        }
      }
    }
  }

  const PositionGraph& graph_;
  const Lifts& lifts_;
  const Range tier_;
  std::vector<std::uint64_t>& cycle_bits_;
  std::vector<LocalIndex> component_;
  std::vector<GroupElement> potential_;
  std::vector<bool> placed_;
  Subgroup subgroup_;
};

}  // namespace

Components find_components(const PositionGraph& graph, const Lifts& lifts) {
  std::vector<std::uint64_t> cycle_bits((graph.size() + 63) / 64);
  std::vector<Components> by_tier(graph.tiers());
  for_each_index(graph.tiers(), [&](std::size_t t) {
    const Range tier{graph.tier_begin[t], graph.tier_begin[t + 1]};
    by_tier[t] = TierComponents(graph, lifts, tier, cycle_bits).run();
  });
  Components result;
  for (const Components& tier : by_tier) result = merge(std::move(result), tier);
  result.cycle_bits = std::move(cycle_bits);
  return result;
}

}  // namespace plenum
