// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/lifts.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <limits>

namespace plenum {

Lifts::Lifts(const PositionGraph& graph) : graph_(&graph) {
  number_cosets();
  if (narrow()) {
    reach_narrow();
  } else {
    reach_wide();
  }
}

void Lifts::number_cosets() {
  const Group& group = graph_->group;
  constexpr auto kNone = std::numeric_limits<std::uint16_t>::max();
  std::vector<GroupElement> fixing;
  for (const GroupElement x : graph_->stabilizer_of(graph_->start)) {
    fixing.push_back(group.multiply(group.multiply(graph_->start_lift, x), group.inverse(graph_->start_lift)));
  }
  stabilizer_size_ = fixing.size();
  coset_of_.assign(group.size(), kNone);
  for (std::size_t g = 0; g < group.size(); ++g) {
    if (coset_of_[g] != kNone) continue;
    const auto element = static_cast<GroupElement>(g);
    for (const GroupElement s : fixing) {
      coset_of_[group.multiply(s, element)] = static_cast<std::uint16_t>(representative_.size());
    }
    representative_.push_back(element);
  }
}

// Sets of cosets are numbers below 2^cosets, and both steps along an edge are look-ups: by the edge's symmetry, then
// closed under the successor's stabilizer.
void Lifts::reach_narrow() {
  using Mask = std::uint8_t;
  const PositionGraph& graph = *graph_;
  const std::size_t masks = std::size_t{1} << cosets();
  const auto spread = [&](std::size_t mask, GroupElement x) {
    Mask result = 0;
    for (std::size_t c = 0; c < cosets(); ++c) {
      if ((mask >> c & 1) != 0) result = static_cast<Mask>(result | 1u << multiply(c, x));
    }
    return result;
  };
  std::vector<Mask> along(graph.group.size() * masks);
  for (std::size_t h = 0; h < graph.group.size(); ++h) {
    const GroupElement back = graph.group.inverse(static_cast<GroupElement>(h));
    for (std::size_t mask = 0; mask < masks; ++mask) along[h * masks + mask] = spread(mask, back);
  }
  std::vector<Mask> closure(graph.subgroups.size() * masks);
  for (std::size_t s = 0; s < graph.subgroups.size(); ++s) {
    for (std::size_t mask = 0; mask < masks; ++mask) {
      for (const GroupElement x : graph.subgroups[s]) closure[s * masks + mask] |= spread(mask, x);
    }
  }
  const auto close = [&](PositionIndex p, Mask mask) {
    return graph.stabilizer.empty() ? mask : closure[graph.stabilizer[p] * masks + mask];
  };

  bytes_.assign(graph.size(), 0);
  if (graph.size() == 0) return;
  bytes_[graph.start] = close(graph.start, static_cast<Mask>(1u << coset_of_[graph.start_lift]));
  std::vector<Mask> passed_on;      // of the tier: what the successors have heard of
  std::deque<PositionIndex> queue;  // positions of the tier with more than that
  for (std::size_t t = 0; t < graph.tiers(); ++t) {
    const PositionIndex begin = graph.tier_begin[t];
    const PositionIndex end = graph.tier_begin[t + 1];
    passed_on.assign(end - begin, 0);
    const auto pass_on = [&](PositionIndex p, PositionIndex revisit_below) {
      const Mask fresh = static_cast<Mask>(bytes_[p] & ~passed_on[p - begin]);
      passed_on[p - begin] = bytes_[p];
      for (EdgeIndex e = graph.first_edge[p]; e < graph.first_edge[p + 1]; ++e) {
        const PositionIndex q = graph.successor(e);
        const Mask arrived = along[graph.edge_symmetry(e) * masks + fresh];
        const Mask known = bytes_[q];
        if ((arrived & ~known) == 0) continue;
        bytes_[q] = static_cast<Mask>(known | close(q, arrived));
        if (q < revisit_below && (known & ~passed_on[q - begin]) == 0) queue.push_back(q);
      }
    };
    // A first sweep in order meets successors ahead of it anyway; only those behind it are queued.
    for (PositionIndex p = begin; p < end; ++p) {
      if (bytes_[p] != 0) pass_on(p, p + 1);
    }
    for (; !queue.empty(); queue.pop_front()) pass_on(queue.front(), end);
  }
}

// The same with sets of any size, a coset at a time.
void Lifts::reach_wide() {
  const PositionGraph& graph = *graph_;
  width_ = (cosets() + 63) / 64;
  words_.assign(graph.size() * width_, 0);
  if (graph.size() == 0) return;
  std::vector<std::uint16_t> along_edge(graph.group.size() * cosets());
  for (std::size_t h = 0; h < graph.group.size(); ++h) {
    const GroupElement back = graph.group.inverse(static_cast<GroupElement>(h));
    for (std::size_t c = 0; c < cosets(); ++c)
      along_edge[h * cosets() + c] = static_cast<std::uint16_t>(multiply(c, back));
  }
  const auto add = [&](PositionIndex p, std::size_t coset) {
    for (const GroupElement x : graph.stabilizer_of(p)) {
      const std::size_t c = multiply(coset, x);
      words_[p * width_ + c / 64] |= std::uint64_t{1} << c % 64;
    }
  };
  add(graph.start, coset_of_[graph.start_lift]);
  std::vector<std::uint64_t> all(width_, ~std::uint64_t{0});
  if (cosets() % 64 != 0) all.back() >>= 64 - cosets() % 64;
  std::vector<std::uint64_t> passed_on;  // as in reach_narrow()
  std::vector<std::uint16_t> fresh;
  std::deque<PositionIndex> queue;
  for (std::size_t t = 0; t < graph.tiers(); ++t) {
    const PositionIndex begin = graph.tier_begin[t];
    const PositionIndex end = graph.tier_begin[t + 1];
    passed_on.assign((end - begin) * width_, 0);
    const auto passed_all = [&](PositionIndex p) {
      const std::uint64_t* const passed = passed_on.data() + (p - begin) * width_;
      return std::equal(passed, passed + width_, words_.data() + p * width_);
    };
    const auto pass_on = [&](PositionIndex p, PositionIndex revisit_below) {
      fresh.clear();
      for (std::size_t w = 0; w < width_; ++w) {
        std::uint64_t& passed = passed_on[(p - begin) * width_ + w];
        for (std::uint64_t bits = words_[p * width_ + w] & ~passed; bits != 0; bits &= bits - 1)
          fresh.push_back(static_cast<std::uint16_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
        passed = words_[p * width_ + w];
      }
      if (fresh.empty()) return;
      for (EdgeIndex e = graph.first_edge[p]; e < graph.first_edge[p + 1]; ++e) {
        const PositionIndex q = graph.successor(e);
        if (std::equal(all.begin(), all.end(), words_.data() + q * width_)) continue;
        const std::uint16_t* const to = along_edge.data() + graph.edge_symmetry(e) * cosets();
        bool queued = q >= revisit_below;
        for (const std::uint16_t c : fresh) {
          if (bit(q, to[c])) continue;
          if (!queued && passed_all(q)) queue.push_back(q);
          queued = true;
          add(q, to[c]);
        }
      }
    };
    for (PositionIndex p = begin; p < end; ++p) pass_on(p, p + 1);
    for (; !queue.empty(); queue.pop_front()) pass_on(queue.front(), end);
  }
}

std::uint64_t Lifts::elements(PositionIndex p) const {
  if (narrow()) return static_cast<std::uint64_t>(std::popcount(bytes_[p])) * stabilizer_size_;
  std::uint64_t bits = 0;
  for (std::size_t w = 0; w < width_; ++w) bits += static_cast<std::uint64_t>(std::popcount(words_[p * width_ + w]));
  return bits * stabilizer_size_;
}

std::uint64_t Lifts::positions(PositionIndex p, bool exchanges) const {
  std::uint64_t bits = 0;
  for (std::size_t c = 0; c < cosets(); ++c) {
    if (bit(p, c) && graph_->group.exchanges(representative_[c]) == exchanges) ++bits;
  }
  return images(p, bits);
}

}  // namespace plenum
