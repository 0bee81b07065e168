// SPDX-License-Identifier: Apache-2.0
// Many small things for other ranks, gathered and then sent together; and work that all ranks do in rounds.
//
//     Mail<std::uint32_t> mail(ranks);
//     mail.in_rounds(things.size(), [&](std::size_t i) { mail.add(owner(things[i]), things[i]); },
//                    [&](std::uint32_t one, std::size_t rank) { ... });    // each that came, and from whom
//
// Work that makes more work (a search through a graph) is done in no order of its own: a rank goes on with what it finds for itself before it
// hears of others (until_done()).
//
// Header only. Thread-safety: collective, from the main thread; add() too. Cost: an exchange holds what is sent, up to twice over, and what comes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "solver/cluster/ranks.h"

namespace plenum {

// What came from a rank.
template <typename T>
class Letters {
 public:
  explicit Letters(Parcel bytes) : bytes_(std::move(bytes)) {}
  std::size_t size() const { return bytes_.size() / sizeof(T); }
  const void* at(std::size_t i) const { return bytes_.data() + i * sizeof(T); }
  T operator[](std::size_t i) const {
    T out;
    std::memcpy(&out, bytes_.data() + i * sizeof(T), sizeof(T));
    return out;
  }

 private:
  Parcel bytes_;
};

inline std::uint64_t greatest(Ranks& ranks, std::uint64_t own) {
  const std::vector<std::uint64_t> all = ranks.gather(own);
  return *std::max_element(all.begin(), all.end());
}

// Calls round(from, to), which exchanges more than mail, for pieces of [0, things): on all ranks as often as on the one with most.
inline constexpr std::size_t kThingsARound = 32'768;
inline constexpr std::size_t kThingsOfFirstRound = 1024;  // of work that makes more work
template <typename Round>
void in_rounds(Ranks& ranks, std::uint64_t things, const Round& round, std::size_t at_a_time = kThingsARound) {
  const std::uint64_t rounds = greatest(ranks, (things + at_a_time - 1) / at_a_time);
  for (std::uint64_t k = 0; k < rounds; ++k)
    round(std::min(things, k * at_a_time), std::min(things, (k + 1) * at_a_time));
}

template <typename T>
class Mail {
 public:
  explicit Mail(Ranks& ranks) : ranks_(ranks), to_(static_cast<std::size_t>(ranks.size())) {}
  void add(std::size_t rank, const T& one) {
    Box& box = to_[rank];
    if (box.used + sizeof(T) > box.bytes.size()) grow(box);
    std::memcpy(box.bytes.data() + box.used, &one, sizeof(T));
    box.used += sizeof(T);
  }
  // Room for so many, before the first is added.
  void reserve(std::size_t rank, std::size_t things) { to_[rank].bytes.resize(things * sizeof(T)); }

  // Those of rank 0 first, each rank's in the order in which it added them.
  std::vector<Letters<T>> exchange() {
    std::uint8_t bits = 0;
    return exchange(bits);
  }
  // `bits`: what this rank says, and then what any rank said.
  std::vector<Letters<T>> exchange(std::uint8_t& bits) {
    std::vector<Parcel> parcels(to_.size());
    for (std::size_t r = 0; r < to_.size(); ++r) {
      to_[r].before = to_[r].used;
      to_[r].bytes.resize(std::exchange(to_[r].used, 0));
      parcels[r].swap(to_[r].bytes);
    }
    const auto begun = ranks_.begin_saying(bits, std::move(parcels));
    std::vector<Letters<T>> out;
    for (Parcel& parcel : begun->finish()) out.emplace_back(std::move(parcel));
    bits = begun->heard();
    return out;
  }

  // Calls write(from, to), which adds letters, for pieces of [0, things), and read(letters) for those that come. (To have a piece on its way
  // while the next is written took a tenth longer.)
  template <typename Write, typename Read>
  void in_pieces(std::uint64_t things, const Write& write, const Read& read, std::size_t at_a_time = kThingsARound) {
    for (std::size_t from = 0;;) {
      const std::size_t to = std::min<std::size_t>(things, from + at_a_time);
      write(from, to);
      std::uint8_t bits = to < things ? kMore : 0;
      read(exchange(bits));
      if ((bits & kMore) == 0) return;
      from = to;
    }
  }
  // The same thing by thing: tell(i), and hear(letter, rank).
  template <typename Tell, typename Hear>
  void in_rounds(std::uint64_t things, const Tell& tell, const Hear& hear) {
    const auto write = [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) tell(i);
    };
    in_pieces(things, write, [&](const std::vector<Letters<T>>& came) { read_all(came, hear); });
  }
  // Calls take(thing) for all that wait, the first first, and hear(letter, rank), which both may add to what waits; until no rank has any.
  template <typename Thing, typename Take, typename Hear>
  void until_done(std::vector<Thing>& waiting, const Take& take, const Hear& hear) {
    // The first rounds are short: other ranks may have nothing before they hear.
    for (std::size_t next = 0, most = kThingsOfFirstRound;; most = std::min(2 * most, kThingsARound)) {
      for (std::size_t taken = 0; next < waiting.size() && taken < most; ++taken) {
        const Thing thing = waiting[next++];
        take(thing);
      }
      if (2 * next >= waiting.size()) {
        waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(next));
        next = 0;
      }
      const bool told = std::any_of(to_.begin(), to_.end(), [](const Box& box) { return box.used != 0; });
      std::uint8_t bits = !waiting.empty() || told ? kMore : 0;
      read_all(exchange(bits), hear);
      if ((bits & kMore) == 0) return;
    }
  }

 private:
  enum : std::uint8_t { kMore = 1 };
  template <typename Hear>
  static void read_all(const std::vector<Letters<T>>& came, const Hear& hear) {
    for (std::size_t rank = 0; rank < came.size(); ++rank) {
      for (std::size_t i = 0; i < came[rank].size(); ++i) hear(came[rank][i], rank);
    }
  }
  struct Box {
    Parcel bytes;
    std::size_t used = 0;
    std::size_t before = 0;  // of the last exchange: the next one is likely to have about as much
  };
  static void grow(Box& box) {
    box.bytes.resize(std::max({std::size_t{4096}, 2 * box.bytes.size(), box.before + box.before / 8}));
  }

  Ranks& ranks_;
  std::vector<Box> to_;
};

}  // namespace plenum
