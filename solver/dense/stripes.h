// SPDX-License-Identifier: Apache-2.0
// Long arrays that are dealt out to the ranks in stripes, round and round; and how ranks read and add to each other's.
//
// A byte has its place in an array of full length, of which a rank has memory only for what is its own and for what it fetched or added
// to. The arrays of a list are alike, and what is done is done to all of them.
//
// Thread-safety: Stripes are immutable; the functions are collective where they say so, from the main thread.
// Cost: an exchange holds some 4 MB of what is sent, and as much of what comes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "solver/cluster/ranked_table.h"
#include "solver/cluster/ranks.h"
#include "tables/big_bytes.h"

namespace plenum {

class Stripes {
 public:
  // Where the stripes begin, the first at 0, in rising order; the last has no end.
  Stripes(std::vector<std::uint64_t> begins, int rank, int ranks)
      : begins_(std::make_shared<const std::vector<std::uint64_t>>(std::move(begins))),
        rank_(static_cast<std::uint64_t>(rank)),
        ranks_(static_cast<std::uint64_t>(ranks)) {}

  std::uint64_t ranks() const { return ranks_; }
  std::uint64_t owner(std::uint64_t at) const { return stripe(at) % ranks_; }
  bool is_own(std::uint64_t at) const { return owner(at) == rank_; }
  // Of an array with so many times as many things, or so many times fewer. Requires that stripes begin at whole ones.
  Stripes scaled(std::uint64_t times, std::uint64_t fewer) const {
    Stripes out = *this;
    out.times_ *= times;
    out.fewer_ *= fewer;
    return out;
  }

  // Calls fn(owner, from, to) for the stripes in [begin, end), in rising order; fn(from, to) for what a rank has of them; for what is own;
  // for what is others'.
  template <typename Fn>
  void for_each(std::uint64_t begin, std::uint64_t end, const Fn& fn) const {
    for (std::uint64_t at = begin, k = stripe(begin); at < end; ++k) {
      const std::uint64_t to = std::min(end, begin_of(k + 1));
      if (at < to) fn(k % ranks_, at, to);
      at = to;
    }
  }
  template <typename Fn>
  void for_rank(std::uint64_t rank, std::uint64_t begin, std::uint64_t end, const Fn& fn) const {
    if (begin >= end) return;
    const std::uint64_t first = stripe(begin);
    for (std::uint64_t k = first + (rank + ranks_ - first % ranks_) % ranks_; begin_of(k) < end; k += ranks_)
      fn(std::max(begin, begin_of(k)), std::min(end, begin_of(k + 1)));
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
  std::vector<Share> own(Share of) const {
    std::vector<Share> out;
    for_own(of.begin, of.end, [&](std::uint64_t from, std::uint64_t to) { out.push_back({from, to}); });
    return out;
  }
  // [begin, end) in pieces, one after the other, in each of which every rank has `each` stripes at most.
  std::vector<Share> rounds(std::uint64_t begin, std::uint64_t end, std::uint64_t each) const {
    std::vector<Share> out;
    const std::uint64_t stripes = ranks_ * each;
    for (std::uint64_t at = begin; at < end;) {
      const std::uint64_t to = std::min(end, begin_of((stripe(at) / stripes + 1) * stripes));
      out.push_back({at, to});
      at = to;
    }
    return out;
  }

 private:
  static constexpr std::uint64_t kNoEnd = ~std::uint64_t{0};
  std::uint64_t begin_of(std::uint64_t k) const {
    return k < begins_->size() ? (*begins_)[k] * times_ / fewer_ : kNoEnd;
  }
  std::uint64_t stripe(std::uint64_t at) const {
    const auto after =
        std::upper_bound(begins_->begin(), begins_->end(), at,
                         [&](std::uint64_t place, std::uint64_t b) { return place < b * times_ / fewer_; });
    return static_cast<std::uint64_t>(after - begins_->begin()) - 1;
  }

  std::shared_ptr<const std::vector<std::uint64_t>> begins_;
  std::uint64_t rank_;
  std::uint64_t ranks_;
  std::uint64_t times_ = 1;
  std::uint64_t fewer_ = 1;
};

// What is written of an array: all of it, or a part here and there.
inline BigBytes::Pages pages_for(const Ranks& ranks) {
  return ranks.several() ? BigBytes::Pages::small : BigBytes::Pages::large;
}

using ByteArrays = std::span<BigBytes* const>;

// Collective: bytes of others that each rank wants, in rising order and apart.
void fetch_stripes(Ranks& ranks, const Stripes& stripes, std::span<const Share> wanted, ByteArrays arrays);
// Collective: bits that each rank added to others' bytes there go to their owners, which add them; others' bytes are 0 again.
void deliver_stripes(Ranks& ranks, const Stripes& stripes, std::span<const Share> added, ByteArrays arrays);
// Others' bytes are 0 again, and their memory is given back. Not collective.
void release_stripes(const Stripes& stripes, Share of, ByteArrays arrays);
// What is own of [begin, end) of an array, in a layer in which its byte `begin` is byte `at`.
void add_own(const Stripes& stripes, const BigBytes& bytes, std::uint64_t begin, std::uint64_t end, std::uint64_t at,
             std::vector<Segment>& to);

}  // namespace plenum
