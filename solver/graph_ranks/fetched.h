// SPDX-License-Identifier: Apache-2.0
// What other ranks say of places that they have: asked for together, of each place once; or of all places, where most would be asked for.
//
//     Fetched<MarginRank> values(sizes, asked, ranks);           // how many places each rank has, and about how often a rank wants one
//     values.want([&](const auto& want) { want(rank, place); }); // as often as one likes
//     values.fetch([&](PositionIndex p) { return value[p]; });   // collective
//     values(rank, place);                                       // of what was wanted
//     values.clear();                                            // and so on
//
// Answers stay what they are, unless `asked` is 0: then places are asked for in every round, however many.
//
// Header only. Thread-safety: collective to make, and fetch(), from the main thread; reading may be done by many threads.
// Cost: two bits for each place of another rank; a T for each that is wanted, and 4 bytes while they are fetched. Of all places: a T each, no
// more than twice as many as would be asked for, and while they are fetched one for each own place and other rank.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/graph_ranks/mail.h"
#include "tables/position_graph.h"

namespace plenum {

// Rounds that all edges are looked at in: in each a place is asked for once.
inline constexpr std::size_t kFetchedRounds = 8;

// Places of other ranks, numbered in their order.
class WantedPlaces {
 public:
  WantedPlaces() = default;
  WantedPlaces(std::span<const std::uint64_t> sizes, std::size_t rank) {
    for (std::size_t r = 0; r < sizes.size(); ++r) {
      of_.push_back({std::vector<Piece>(r == rank ? 0 : (sizes[r] + 31) / 32)});
    }
  }
  void want(std::size_t rank, PositionIndex place) {
    Pieces& of = of_[rank];
    const std::size_t piece = place / 32;
    of.begin = std::min(of.begin, piece);
    of.end = std::max(of.end, piece + 1);
    of.all[piece].places |= std::uint32_t{1} << place % 32;
  }
  // Numbers those of a rank, from `first` on. Returns the number after the last.
  std::uint32_t number_from(std::size_t rank, std::uint32_t first) {
    Pieces& of = of_[rank];
    for (std::size_t w = of.begin; w < of.end; ++w) {
      of.all[w].before = first;
      first += ones(of.all[w].places);
    }
    return first;
  }
  // Requires that it is wanted, and numbered.
  std::uint32_t number(std::size_t rank, PositionIndex place) const {
    const Piece& piece = of_[rank].all[place / 32];
    return piece.before + ones(piece.places & ((std::uint32_t{1} << place % 32) - 1));
  }
  // visit(place) in rising order.
  template <typename Visit>
  void each(std::size_t rank, const Visit& visit) const {
    const Pieces& of = of_[rank];
    for (std::size_t w = of.begin; w < of.end; ++w) {
      for (std::uint32_t bits = of.all[w].places; bits != 0; bits &= bits - 1)
        visit(static_cast<PositionIndex>(32 * w + static_cast<std::size_t>(std::countr_zero(bits))));
    }
  }
  void clear() {
    for (Pieces& of : of_) {
      for (; of.begin < of.end; ++of.begin) of.all[of.begin] = Piece();
      of.begin = kNone;
      of.end = 0;
    }
  }

 private:
  struct Piece {
    std::uint32_t places = 0;  // a bit each
    std::uint32_t before = 0;  // the number of the first that is wanted
  };
  // std::popcount is a call of a function where a processor need not have an instruction for it.
  static std::uint32_t ones(std::uint32_t x) {
    x -= x >> 1 & 0x55555555U;
    x = (x & 0x33333333U) + (x >> 2 & 0x33333333U);
    return ((x + (x >> 4)) & 0x0F0F0F0FU) * 0x01010101U >> 24;
  }
  static constexpr std::size_t kNone = ~std::size_t{0};
  // Those wanted lie in [begin, end).
  struct Pieces {
    std::vector<Piece> all;
    std::size_t begin = kNone;
    std::size_t end = 0;
  };
  std::vector<Pieces> of_;  // by rank
};

template <typename T>
class Fetched {
 public:
  Fetched(std::span<const std::uint64_t> sizes, std::uint64_t asked, Ranks& ranks)
      : ranks_(ranks), own_(sizes[static_cast<std::size_t>(ranks.rank())]), all_(takes_all(sizes, asked, ranks)) {
    if (!all_) wanted_ = WantedPlaces(sizes, static_cast<std::size_t>(ranks.rank()));
  }

  // Calls list(want), which calls want(rank, place) for each.
  template <typename List>
  void want(const List& list) {
    if (!all_) list([&](std::size_t rank, PositionIndex place) { wanted_.want(rank, place); });
  }
  template <typename Answer>
  void fetch(const Answer& answer) {
    if (all_) {
      if (said_.empty()) fetch_all(answer);
      return;
    }
    Mail<PositionIndex> questions(ranks_);
    for (std::size_t r = 0; r < static_cast<std::size_t>(ranks_.size()); ++r) {
      wanted_.number_from(r, 0);
      wanted_.each(r, [&](PositionIndex place) { questions.add(r, place); });
    }
    Mail<T> answers(ranks_);
    std::size_t r = 0;
    for (const auto& asked : questions.exchange()) {
      for (std::size_t i = 0; i < asked.size(); ++i) answers.add(r, answer(asked[i]));
      ++r;
    }
    said_ = answers.exchange();
  }
  T operator()(std::size_t rank, PositionIndex place) const { return said_[rank][number(rank, place)]; }
  // Where that is: a T, not aligned.
  const void* at(std::size_t rank, PositionIndex place) const { return said_[rank].at(number(rank, place)); }
  void clear() {
    if (all_) return;
    wanted_.clear();
    said_.clear();
  }

 private:
  // On all ranks alike.
  static bool takes_all(std::span<const std::uint64_t> sizes, std::uint64_t asked, Ranks& ranks) {
    std::uint64_t others = 0;
    for (std::size_t r = 0; r < sizes.size(); ++r) others += r == static_cast<std::size_t>(ranks.rank()) ? 0 : sizes[r];
    const auto n = static_cast<std::uint64_t>(ranks.size());
    return !ranks.any(others > 2 * asked / n * (n - 1));
  }
  template <typename Answer>
  void fetch_all(const Answer& answer) {
    Mail<T> answers(ranks_);
    for (std::size_t r = 0; r < static_cast<std::size_t>(ranks_.size()); ++r) {
      if (r == static_cast<std::size_t>(ranks_.rank())) continue;
      answers.reserve(r, own_);
      for (std::uint64_t p = 0; p < own_; ++p) answers.add(r, answer(static_cast<PositionIndex>(p)));
    }
    said_ = answers.exchange();
  }
  std::size_t number(std::size_t rank, PositionIndex place) const { return all_ ? place : wanted_.number(rank, place); }

  Ranks& ranks_;
  std::uint64_t own_;  // places
  bool all_;           // all places are asked for, once
  WantedPlaces wanted_;
  std::vector<Letters<T>> said_;  // by rank
};

}  // namespace plenum
