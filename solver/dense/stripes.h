// SPDX-License-Identifier: Apache-2.0
// Long arrays that are dealt out to the ranks in stripes of equal length, round and round; and how ranks read and add to each other's.
//
// A byte has its place in an array of full length, of which a rank has memory only for what is its own and for what it fetched or added
// to. The arrays of a list are alike, and what is done is done to all of them.
//
// Thread-safety: Stripes are immutable; the functions are collective, from the main thread.
// Cost: an exchange holds some 4 MB of what is sent, and twice as much of what comes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/cluster/ranked_table.h"
#include "solver/cluster/ranks.h"
#include "tables/big_bytes.h"

namespace plenum {

class Stripes {
 public:
  Stripes(std::uint64_t length, const Ranks& ranks)
      : length_(length),
        rank_(static_cast<std::uint64_t>(ranks.rank())),
        ranks_(static_cast<std::uint64_t>(ranks.size())) {}

  std::uint64_t ranks() const { return ranks_; }
  std::uint64_t owner(std::uint64_t at) const { return at / length_ % ranks_; }
  bool is_own(std::uint64_t at) const { return owner(at) == rank_; }
  // Of an array with so many times as many things, or so many times fewer.
  Stripes scaled(std::uint64_t times, std::uint64_t fewer) const {
    Stripes out = *this;
    out.length_ = length_ * times / fewer;
    return out;
  }

  // Calls fn(from, to) for what a rank has of [begin, end), in rising order; for what is own; for what is others'.
  template <typename Fn>
  void for_rank(std::uint64_t rank, std::uint64_t begin, std::uint64_t end, const Fn& fn) const {
    if (ranks_ == 1 && begin < end) return fn(begin, end);
    const std::uint64_t round = length_ * ranks_;
    for (std::uint64_t at = begin / round * round + rank * length_; at < end; at += round) {
      if (at + length_ > begin) fn(std::max(begin, at), std::min(end, at + length_));
    }
  }
  template <typename Fn>
  void for_own(std::uint64_t begin, std::uint64_t end, const Fn& fn) const {
    for_rank(rank_, begin, end, fn);
  }
  template <typename Fn>
  void for_others(std::uint64_t begin, std::uint64_t end, const Fn& fn) const {
    std::uint64_t done = begin;
    for_own(begin, end, [&](std::uint64_t from, std::uint64_t to) {
      if (done < from) fn(done, from);
      done = to;
    });
    if (done < end) fn(done, end);
  }

 private:
  std::uint64_t length_;
  std::uint64_t rank_;
  std::uint64_t ranks_;
};

// What is written of an array: all of it, or a part here and there.
inline BigBytes::Pages pages_for(const Ranks& ranks) {
  return ranks.several() ? BigBytes::Pages::small : BigBytes::Pages::large;
}

using ByteArrays = std::span<BigBytes* const>;

// Bytes [begin, end) of all ranks.
void fetch_stripes(Ranks& ranks, const Stripes& stripes, std::uint64_t begin, std::uint64_t end, ByteArrays arrays);
// Bits that were added to others' bytes there go to their owners, which add them; others' bytes are 0 again.
void deliver_stripes(Ranks& ranks, const Stripes& stripes, std::uint64_t begin, std::uint64_t end, ByteArrays arrays);
// Others' bytes are 0 again, and their memory is given back. Not collective.
void release_stripes(const Stripes& stripes, std::uint64_t begin, std::uint64_t end, ByteArrays arrays);
// What is own of [begin, end) of an array, in a layer in which its byte `begin` is byte `at`.
void add_own(const Stripes& stripes, const BigBytes& bytes, std::uint64_t begin, std::uint64_t end, std::uint64_t at,
             std::vector<Segment>& to);

}  // namespace plenum
