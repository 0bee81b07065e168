// SPDX-License-Identifier: Apache-2.0
#include "solver/graph_ranks/ranked_values.h"

#include "solver/graph/outside.h"
#include "solver/graph_ranks/fetched.h"
#include "solver/support/memory.h"

namespace plenum {
namespace {

#pragma pack(push, 1)
// What is said of a position to those whose edges lead to it from lower tiers.
struct Told {
  MarginRank value;
  Ply remoteness;
  Facts facts;
};
#pragma pack(pop)

constexpr std::size_t kRounds = 256;           // at most, of all positions where they are many
constexpr std::uint64_t kReleasing = 100'000;  // positions of a tier after which memory is given back

void enter_ends(const RankedGraph& graph, std::size_t t, Solution& solution) {
  for (PositionIndex p = graph.tier_begin(t); p < graph.tier_end(t); ++p) {
    if (!graph.ended(p)) continue;
    solution.value[p] = graph.end_rank[p];
    solution.facts[p] = facts_of_end(graph.end_rank[p]) | kSomeEnd;
  }
}

// What lies outside the tier. Returns how many inner edges each of its positions has.
std::vector<std::uint32_t> enter_others(const RankedGraph& graph, std::size_t t, Solution& solution,
                                        Fetched<Told>& others, Ranks& ranks) {
  const PositionIndex begin = graph.tier_begin(t);
  const TierPlaces places(graph, t);
  std::vector<std::uint32_t> inner(graph.tier_end(t) - begin, 0);
  const auto told = [&](PositionIndex q) { return Told{solution.value[q], solution.remoteness[q], solution.facts[q]}; };
  const auto round = [&](std::size_t from, std::size_t to) {
    others.clear();
    others.want([&](const auto& want) {
      graph.edge.each(graph.first_edge[begin + from], graph.first_edge[begin + to], [&](const RankedEdge& e) {
        if (e.rank != graph.rank && !places.inner(e)) want(e.rank, e.place);
      });
    });
    others.fetch(told);
    for (std::size_t i = from; i < to; ++i) {
      const auto p = static_cast<PositionIndex>(begin + i);
      if (graph.ended(p)) continue;
      OutsideSum sum;
      Facts some_end = 0;
      graph.each_edge(p, [&](const RankedEdge& e) {
        if (places.inner(e)) {
          ++inner[i];
          return;
        }
        const Told one = e.rank == graph.rank ? told(e.place) : others(e.rank, e.place);
        sum.add(one.value, one.remoteness, one.facts);
        some_end |= one.facts & kSomeEnd;
      });
      sum.enter(p, solution);
      solution.facts[p] |= some_end;
    }
  };
  in_rounds(ranks, inner.size(), round, std::max<std::size_t>(kThingsARound, graph.size() / kRounds + 1));
  others.clear();
  return inner;
}

}  // namespace

Solution ranked_values(const RankedGraph& graph, std::span<const std::uint32_t> inner, Ranks& ranks,
                       const RankedProgressFn& go_on) {
  Solution solution;
  solution.value.resize(graph.size());
  solution.remoteness.resize(graph.size());
  solution.facts.resize(graph.size());
  Fetched<Told> others(graph.sizes(), 0, ranks);  // what they say changes
  std::uint64_t solved = 0;
  for (std::size_t t = graph.tiers(); t-- > 0;) {
    if (!go_on("values and remoteness", solved)) break;
    enter_ends(graph, t, solution);
    std::vector<std::uint32_t> open = enter_others(graph, t, solution, others, ranks);
    const RankedTier tier(graph, t, inner, false, ranks);
    const auto goes_on = [&] { return go_on("values and remoteness", solved); };
    if (!tier.acyclic() && !ranked_retrograde(graph, tier, open, solution, ranks, goes_on)) break;
    if (!tier.acyclic() && !go_on("facts", solved)) break;
    ranked_facts(graph, tier, open, solution, ranks);
    solved += graph.tier_size(t);
    if (graph.tier_size(t) > kReleasing) release_free_memory();
  }
  return solution;
}

}  // namespace plenum
