// SPDX-License-Identifier: Apache-2.0
// What other ranks say of places that they have: asked for together, of each place once.
//
//     Fetched<MarginRank> values(sizes, ranks);                  // how many places each rank has
//     values.want(rank, place);                                  // as often as one likes
//     values.fetch([&](PositionIndex p) { return value[p]; });   // collective
//     values(rank, place);                                       // of what was wanted
//     values.clear();                                            // and so on
//
// Header only. Thread-safety: fetch() is collective, from the main thread; reading may be done by many threads.
// Cost: a bit and a half for each place of another rank; a T for each that is wanted, and 4 bytes while they are fetched.
#pragma once

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
  WantedPlaces(std::span<const std::uint64_t> sizes, std::size_t rank) {
    for (std::size_t r = 0; r < sizes.size(); ++r) {
      const std::size_t words = r == rank ? 0 : (sizes[r] + 63) / 64;
      of_.push_back({std::vector<std::uint64_t>(words, 0), std::vector<std::uint32_t>(words, 0)});
    }
  }
  void want(std::size_t rank, PositionIndex place) { of_[rank].words[place / 64] |= std::uint64_t{1} << place % 64; }
  // Numbers those of a rank, from `first` on. Returns the number after the last.
  std::uint32_t number_from(std::size_t rank, std::uint32_t first) {
    for (std::size_t w = 0; w < of_[rank].words.size(); ++w) {
      of_[rank].before[w] = first;
      first += static_cast<std::uint32_t>(std::popcount(of_[rank].words[w]));
    }
    return first;
  }
  // Requires that it is wanted, and numbered.
  std::uint32_t number(std::size_t rank, PositionIndex place) const {
    const std::uint64_t below = of_[rank].words[place / 64] & ((std::uint64_t{1} << place % 64) - 1);
    return of_[rank].before[place / 64] + static_cast<std::uint32_t>(std::popcount(below));
  }
  // visit(place) in rising order.
  template <typename Visit>
  void each(std::size_t rank, const Visit& visit) const {
    const std::vector<std::uint64_t>& words = of_[rank].words;
    for (std::size_t w = 0; w < words.size(); ++w) {
      for (std::uint64_t bits = words[w]; bits != 0; bits &= bits - 1)
        visit(static_cast<PositionIndex>(64 * w + static_cast<std::size_t>(std::countr_zero(bits))));
    }
  }
  void clear() {
    for (Places& of : of_) std::fill(of.words.begin(), of.words.end(), 0);
  }

 private:
  struct Places {
    std::vector<std::uint64_t> words;   // a bit a place
    std::vector<std::uint32_t> before;  // by word: the number of the first that is wanted
  };
  std::vector<Places> of_;  // by rank
};

template <typename T>
class Fetched {
 public:
  Fetched(std::span<const std::uint64_t> sizes, Ranks& ranks)
      : ranks_(ranks), wanted_(sizes, static_cast<std::size_t>(ranks.rank())) {}

  void want(std::size_t rank, PositionIndex place) { wanted_.want(rank, place); }
  template <typename Answer>
  void fetch(const Answer& answer) {
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
  T operator()(std::size_t rank, PositionIndex place) const { return said_[rank][wanted_.number(rank, place)]; }
  void clear() {
    wanted_.clear();
    said_.clear();
  }

 private:
  Ranks& ranks_;
  WantedPlaces wanted_;
  std::vector<Letters<T>> said_;  // by rank
};

}  // namespace plenum
