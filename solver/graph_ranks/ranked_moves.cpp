// SPDX-License-Identifier: Apache-2.0
#include "solver/graph_ranks/ranked_moves.h"

#include "solver/graph_ranks/fetched.h"
#include "tables/index/packing.h"

namespace plenum {
namespace {

// Of each of these positions, the moves that keep its value.
class KeepingMoves {
 public:
  KeepingMoves(const RankedGraph& graph, const Solution& solution, Ranks& ranks)
      : graph_(graph), solution_(solution), values_(graph.sizes(), graph.edge.size() / kFetchedRounds, ranks) {}

  // Collective.
  const std::vector<std::uint32_t>& count(PositionIndex from, PositionIndex to) {
    values_.clear();
    values_.want([&](const auto& want) {
      graph_.edge.each(graph_.first_edge[from], graph_.first_edge[to], [&](const RankedEdge& e) {
        if (e.rank != graph_.rank) want(e.rank, e.place);
      });
    });
    values_.fetch([&](PositionIndex p) { return solution_.value[p]; });
    keeping_.assign(to - from, 0);
    for (PositionIndex p = from; p < to; ++p) {
      graph_.each_edge(p, [&, keeps = -solution_.value[p]](const RankedEdge& e) {
        const MarginRank next = e.rank == graph_.rank ? solution_.value[e.place] : values_(e.rank, e.place);
        keeping_[p - from] += next == keeps ? 1 : 0;
      });
    }
    return keeping_;
  }

 private:
  const RankedGraph& graph_;
  const Solution& solution_;
  Fetched<MarginRank> values_;  // of what others have
  std::vector<std::uint32_t> keeping_;
};

}  // namespace

Measures ranked_moves(const Variant& variant, const RankedGraph& graph, const Solution& solution,
                      const RankedLifts& lifts, Ranks& ranks) {
  const Packing packing(variant.rules(), !variant.symmetries().has_exchange());
  KeepingMoves moves(graph, solution, ranks);
  std::map<int, MoveCounts> own;
  const std::size_t a_round = std::max<std::size_t>(kThingsARound, graph.size() / kFetchedRounds + 1);
  in_rounds(
      ranks, graph.size(),
      [&](std::size_t from, std::size_t to) {
        const auto& keeping = moves.count(static_cast<PositionIndex>(from), static_cast<PositionIndex>(to));
        for (auto p = static_cast<PositionIndex>(from); p < to; ++p) {
          const std::uint64_t images = lifts.count(p);
          if (images == 0 || graph.ended(p)) continue;
          Key<8> key = {};
          std::memcpy(key.data(), graph.keys.data() + p * graph.key_bytes, graph.key_bytes);
          own[variant.rules().stones(packing.unpack<8>(key))] +=
              MoveCounts::of(images, solution.value[p] != 0, graph.degree(p), keeping[p - from]);
        }
      },
      a_round);
  return measures_of_ranks(own, ranks);
}

}  // namespace plenum
