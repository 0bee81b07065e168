// SPDX-License-Identifier: Apache-2.0
#include "solver/graph_ranks/ranked_tier.h"

#include <algorithm>
#include <bit>

namespace plenum {
namespace {

// A move inside the tier: places among the tier's positions of their ranks.
struct InnerMove {
  PositionIndex to;
  PositionIndex from;
};

// Moves of this rank's positions that lead inside a tier: visit(rank, place among that rank's positions of the tier).
class InnerMoves {
 public:
  InnerMoves(const RankedGraph& graph, std::size_t t) : graph_(graph), places_(graph, t), begin_(graph.tier_begin(t)) {}

  template <typename Visit>
  void each(std::size_t i, const Visit& visit) const {
    graph_.each_edge(static_cast<PositionIndex>(begin_ + i), [&](const RankedEdge& e) {
      if (places_.inner(e)) visit(std::size_t{e.rank}, places_.at(e));
    });
  }

 private:
  const RankedGraph& graph_;
  TierPlaces places_;
  PositionIndex begin_;
};

// Each move is told to the rank of the position that it leads to.
void tell_moves(const InnerMoves& moves, std::size_t own_rank, Ranks& ranks, std::span<std::uint32_t> counts) {
  Mail<std::uint32_t> mail(ranks);
  const auto tell = [&](std::size_t i) {
    moves.each(i, [&](std::size_t rank, PositionIndex at) {
      if (rank == own_rank) {
        ++counts[at];
      } else {
        mail.add(rank, at);
      }
    });
  };
  mail.in_rounds(counts.size(), tell, [&](PositionIndex at, std::size_t /*rank*/) { ++counts[at]; });
}

// A number is told for each position of another rank, where that is less.
void tell_counts(const RankedGraph& graph, std::size_t t, const InnerMoves& moves, Ranks& ranks,
                 std::span<std::uint32_t> counts) {
  std::vector<std::vector<std::uint32_t>> of_others(graph.ranks());
  for (std::size_t r = 0; r < graph.ranks(); ++r) {
    if (r != graph.rank) of_others[r].resize(graph.begin[r][t + 1] - graph.begin[r][t]);
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    moves.each(i, [&](std::size_t rank, PositionIndex at) { ++(rank == graph.rank ? counts : of_others[rank])[at]; });
  }
  Mail<std::uint32_t> mail(ranks);
  for (std::size_t r = 0; r < graph.ranks(); ++r) {
    const std::vector<std::uint32_t>& of = of_others[r];
    if (std::all_of(of.begin(), of.end(), [](std::uint32_t count) { return count == 0; })) continue;
    mail.reserve(r, of.size());
    for (const std::uint32_t count : of) mail.add(r, count);
  }
  for (const auto& letters : mail.exchange()) {
    for (std::size_t at = 0; at < letters.size(); ++at) counts[at] += letters[at];
  }
}

}  // namespace

std::vector<std::uint32_t> count_inner(const RankedGraph& graph, Ranks& ranks) {
  std::vector<std::uint32_t> out(graph.size(), 0);
  for (std::size_t t = 0; t < graph.tiers(); ++t) {
    const PositionIndex begin = graph.tier_begin(t);
    const auto counts = std::span(out).subspan(begin, graph.tier_end(t) - begin);
    const InnerMoves moves(graph, t);
    if (graph.edges_outnumber_positions()) {
      tell_counts(graph, t, moves, ranks, counts);
    } else {
      tell_moves(moves, graph.rank, ranks, counts);
    }
  }
  return out;
}

RankedTier::RankedTier(const RankedGraph& graph, std::size_t tier, std::span<const std::uint32_t> inner, bool sorted,
                       Ranks& ranks)
    : tier_(tier), begin_(graph.tier_begin(tier)), end_(graph.tier_end(tier)) {
  const auto own = inner.subspan(begin_, size());
  acyclic_ = !ranks.any(std::any_of(own.begin(), own.end(), [](std::uint32_t n) { return n != 0; }));
  if (acyclic_) return;
  std::uint64_t most = 1;
  for (std::size_t r = 0; r < graph.ranks(); ++r)
    most = std::max<std::uint64_t>(most, graph.begin[r][tier + 1] - graph.begin[r][tier]);
  shift_ = static_cast<int>(std::bit_width(most));
  first_ = RowOffsets::of_lengths(own);
  sources_.resize(first_.back());
  const TierPlaces places(graph, tier);
  RowOffsets next = first_;  // where one more goes
  const auto each_own = [&](PositionIndex i, const auto& visit) {
    graph.each_edge(begin_ + i, [&](const RankedEdge& e) {
      if (e.rank == graph.rank && places.inner(e)) visit(places.at(e), source({graph.rank, i}));
    });
  };
  // Own ones of the first rank before those of others, of other ranks behind them from the last on, so that two ranks need not sort.
  if (graph.rank == 0) {
    for (PositionIndex i = 0; i < size(); ++i)
      each_own(i, [&](PositionIndex to, std::uint32_t from) { sources_[next.take(to)] = from; });
  } else {
    RowOffsets ends = first_;
    for (PositionIndex i = end_ - begin_; i-- > 0;)
      each_own(i, [&](PositionIndex to, std::uint32_t from) { sources_[ends.take_back(to + 1)] = from; });
  }
  Mail<InnerMove> mail(ranks);
  const auto tell = [&](std::size_t i) {
    graph.each_edge(static_cast<PositionIndex>(begin_ + i), [&](const RankedEdge& e) {
      if (e.rank != graph.rank && places.inner(e)) mail.add(e.rank, {places.at(e), static_cast<PositionIndex>(i)});
    });
  };
  mail.in_rounds(size(), tell, [&](const InnerMove& move, std::size_t rank) {
    sources_[next.take(move.to)] = source({rank, move.from});
  });
  // Rounds took turns between ranks.
  for (std::size_t i = 0; sorted && graph.ranks() > 2 && i < size(); ++i)
    std::sort(sources_.begin() + static_cast<std::ptrdiff_t>(first_[i]),
              sources_.begin() + static_cast<std::ptrdiff_t>(first_[i + 1]));
}

}  // namespace plenum
