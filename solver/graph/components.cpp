// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/components.h"

#include <algorithm>
#include <atomic>

#include "solver/graph/lifted_components.h"
#include "solver/support/parallel.h"

namespace plenum {
namespace {

void add(Components& sum, const Components& more) {
  sum.count += more.count;
  sum.largest = std::max(sum.largest, more.largest);
  sum.positions += more.positions;
  for (const auto& [size, count] : more.sizes) sum.sizes[size] += count;
}

}  // namespace

Components find_components(const PositionGraph& graph, const Lifts& lifts, std::vector<LargestComponent>* largest) {
  if (largest != nullptr) largest->assign(graph.tiers(), {});
  std::vector<std::uint64_t> cycle_bits((graph.size() + 63) / 64);
  std::vector<Components> by_tier(graph.tiers());
  for_each_index(graph.tiers(), [&](std::size_t t) {
    LiftedComponents tier(graph, lifts, t, [](PositionIndex, PositionIndex) { return true; });
    tier.find([&](const LiftedComponent& c) {
      add(by_tier[t], {c.count, c.size, c.count * c.size, {{c.size, c.count}}, {}});
      if (largest != nullptr && c.members.size() > (*largest)[t].size)
        (*largest)[t] = {static_cast<LocalIndex>(c.members.size()), tier.position(c.members.front())};
      for (const LocalIndex i : c.members) {
        const PositionIndex p = tier.position(i);
        std::atomic_ref<std::uint64_t>(cycle_bits[p / 64])
            .fetch_or(std::uint64_t{1} << p % 64, std::memory_order_relaxed);
      }
    });
  });
  Components result;
  for (const Components& tier : by_tier) add(result, tier);
  result.cycle_bits = std::move(cycle_bits);
  return result;
}

}  // namespace plenum
