// SPDX-License-Identifier: Apache-2.0
#include "solver/graph_ranks/ranked_moves.h"

#include <array>

#include "solver/graph_ranks/mail.h"
#include "tables/index/packing.h"

namespace plenum {
namespace {

constexpr std::array kSummed = {&MoveCounts::positions, &MoveCounts::decided, &MoveCounts::single,
                                &MoveCounts::critical,  &MoveCounts::quiet,   &MoveCounts::moves,
                                &MoveCounts::keeping};

// Of each of these positions, the moves that keep its value.
class KeepingMoves {
 public:
  KeepingMoves(const RankedGraph& graph, const Solution& solution, Ranks& ranks)
      : graph_(graph), solution_(solution), questions_(ranks), answers_(ranks) {}

  // Collective.
  const std::vector<std::uint32_t>& count(PositionIndex from, PositionIndex to) {
    keeping_.assign(to - from, 0);
    for (PositionIndex p = from; p < to; ++p) {
      graph_.each_edge(p, [&, wanted = -solution_.value[p]](const RankedEdge& edge) {
        if (edge.rank != graph_.rank) {
          questions_.add(edge.rank, edge.place);
        } else if (solution_.value[edge.place] == wanted) {
          ++keeping_[p - from];
        }
      });
    }
    const auto questions = questions_.exchange();
    for (std::size_t r = 0; r < questions.size(); ++r) {
      for (std::size_t i = 0; i < questions[r].size(); ++i) answers_.add(r, solution_.value[questions[r][i]]);
    }
    const auto answers = answers_.exchange();
    next_.assign(graph_.ranks(), 0);
    for (PositionIndex p = from; p < to; ++p) {
      graph_.each_edge(p, [&, wanted = -solution_.value[p]](const RankedEdge& edge) {
        if (edge.rank != graph_.rank && answers[edge.rank][next_[edge.rank]++] == wanted) ++keeping_[p - from];
      });
    }
    return keeping_;
  }

 private:
  const RankedGraph& graph_;
  const Solution& solution_;
  Mail<PositionIndex> questions_;
  Mail<MarginRank> answers_;
  std::vector<std::size_t> next_;  // answer of each rank
  std::vector<std::uint32_t> keeping_;
};

}  // namespace

Measures ranked_moves(const Variant& variant, const RankedGraph& graph, const Solution& solution,
                      const RankedLifts& lifts, Ranks& ranks) {
  const Packing packing(variant.rules(), !variant.symmetries().has_exchange());
  KeepingMoves moves(graph, solution, ranks);
  std::map<int, MoveCounts> own;
  in_rounds(ranks, graph.size(), [&](std::size_t from, std::size_t to) {
    const auto& keeping = moves.count(static_cast<PositionIndex>(from), static_cast<PositionIndex>(to));
    for (auto p = static_cast<PositionIndex>(from); p < to; ++p) {
      const std::uint64_t images = lifts.as_stored(p) + lifts.exchanged(p);
      if (images == 0 || graph.ended(p)) continue;
      Key<8> key = {};
      std::memcpy(key.data(), graph.keys.data() + p * graph.key_bytes, graph.key_bytes);
      own[variant.rules().stones(packing.unpack<8>(key))] +=
          MoveCounts::of(images, solution.value[p] != 0, graph.degree(p), keeping[p - from]);
    }
  });
  Parcel bytes;
  for (const auto& [stones, counts] : own) {
    put(bytes, stones);
    for (const auto member : kSummed) put(bytes, counts.*member);
  }
  Measures out;
  for (const Parcel& parcel : ranks.gather(bytes)) {
    for (ParcelReader reader(parcel); !reader.empty();) {
      const int stones = reader.get<int>();
      MoveCounts counts;
      for (const auto member : kSummed) counts.*member = reader.get<std::uint64_t>();
      out.by_stones[stones] += counts;
      out.all += counts;
    }
  }
  return out;
}

}  // namespace plenum
