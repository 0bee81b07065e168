// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/tier.h"

#include <algorithm>
#include <atomic>

#include "solver/support/parallel.h"

namespace plenum {
namespace {

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

Tier::Tier(const PositionGraph& graph, std::size_t tier, Stop* stop)
    : begin_(graph.tier_begin[tier]), end_(graph.tier_begin[tier + 1]) {
  if (!has_inner_edge(graph, *this, stop)) return;
  // A counting sort by target. Counts are kept two places up, so that after the sums first_[q + 1] is where row q
  // begins, and after the filling where it ends.
  first_.assign(size() + 2, 0);
  const auto each_inner_edge = [&](const auto& visit) {
    for_ranges(begin_, end_, stop, [&](auto shared, std::size_t from, std::size_t to) {
      for (std::size_t p = from; p < to; ++p) {
        for (const PositionIndex q : graph.successors(static_cast<PositionIndex>(p))) {
          if (inner(graph, q)) visit(shared, static_cast<LocalIndex>(p - begin_), q - begin_);
        }
      }
    });
  };
  each_inner_edge(
      [&](auto shared, LocalIndex, LocalIndex q) { fetch_add<decltype(shared)::value>(first_[q + 2], EdgeIndex{1}); });
  if (stop != nullptr && stop->stopped()) return;  // the sums would not be those of what is filled in
  for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
  sources_.resize(first_.back());
  each_inner_edge([&](auto shared, LocalIndex p, LocalIndex q) {
    sources_[fetch_add<decltype(shared)::value>(first_[q + 1], EdgeIndex{1})] = p;
  });
  first_.pop_back();
  // Threads may have filled a row out of order; one thread never does.
  if (!worth_sharing(size())) return;
  for_ranges(0, size(), stop, [&](auto, std::size_t from, std::size_t to) {
    for (std::size_t q = from; q < to; ++q) {
      const auto row = sources_.begin() + static_cast<std::ptrdiff_t>(first_[q]);
      const auto row_end = sources_.begin() + static_cast<std::ptrdiff_t>(first_[q + 1]);
      if (!std::is_sorted(row, row_end)) std::sort(row, row_end);
    }
  });
}

}  // namespace plenum
