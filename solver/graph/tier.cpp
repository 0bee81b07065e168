// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/tier.h"

#include <algorithm>
#include <atomic>

#include "solver/support/parallel.h"

namespace plenum {
namespace {

constexpr std::size_t kTargetParts = 8;

bool has_inner_edge(const PositionGraph& graph, const Tier& tier, Stop* stop) {
  std::atomic<bool> found = false;
  for_ranges(tier.begin(), tier.end(), stop, [&](auto, std::size_t from, std::size_t to) {
    for (std::size_t p = from; p < to && !found.load(std::memory_order_relaxed); ++p) {
      for (const PositionIndex q : graph.successors(static_cast<PositionIndex>(p))) {
        if (tier.inner(graph, q)) {
          found.store(true, std::memory_order_relaxed);
          break;
        }
      }
    }
  });
  return found;
}

}  // namespace

InnerEdges::InnerEdges(const PositionGraph& graph, std::span<const PositionIndex> members, PositionIndex begin,
                       std::span<const LocalIndex> place) {
  const auto each = [&](const auto& visit) {
    for (LocalIndex p = 0; p < members.size(); ++p) {
      for (const PositionIndex q : graph.successors(members[p])) {
        if (q - begin < place.size() && place[q - begin] != kNoMember) visit(p, place[q - begin]);
      }
    }
  };
  // As of a whole tier, below.
  first_.assign(members.size() + 2, 0);
  each([&](LocalIndex, LocalIndex q) { ++first_[q + 2]; });
  for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
  sources_.resize(first_.back());
  each([&](LocalIndex p, LocalIndex q) { sources_[first_[q + 1]++] = p; });
  first_.pop_back();
}

Tier::Tier(const PositionGraph& graph, std::size_t tier, Stop* stop)
    : begin_(graph.tier_begin[tier]), end_(graph.tier_begin[tier + 1]) {
  if (!has_inner_edge(graph, *this, stop)) return;
  // A counting sort by target. Counts are kept two places up, so that after the sums first_[q + 1] is where row q
  // begins, and after the filling where it ends. Threads share out the targets, and each looks at all edges: so none of them meets
  // another's rows, rows are filled in order, and what is written at random is near by.
  first_.assign(size() + 2, 0);
  const std::size_t parts = size() > kParallelGrain ? kTargetParts : 1;
  const std::size_t part = (size() + parts - 1) / parts;
  const auto each_inner_edge = [&](const auto& visit) {
    for_each_index(parts, [&](std::size_t k) {
      const auto least = static_cast<PositionIndex>(begin_ + k * part);
      const auto targets = static_cast<PositionIndex>(std::min<std::size_t>(part, end_ - least));
      for (PositionIndex p = begin_; p < end_; ++p) {
        if (stop != nullptr && (p - begin_) % kBetweenAsks == kBetweenAsks - 1 && stop->ask()) return;
        for (const PositionIndex q : graph.successors(p)) {
          if (q - least < targets && !graph.ended(q)) visit(p - begin_, q - begin_);
        }
      }
    });
  };
  each_inner_edge([&](LocalIndex, LocalIndex q) { ++first_[q + 2]; });
  if (stop != nullptr && stop->stopped()) return;  // the sums would not be those of what is filled in
  for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
  sources_.resize(first_.back());
  each_inner_edge([&](LocalIndex p, LocalIndex q) { sources_[first_[q + 1]++] = p; });
  first_.pop_back();
}

}  // namespace plenum
