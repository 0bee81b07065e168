// SPDX-License-Identifier: Apache-2.0
// Which blocks of a tier are whose: dealt out to the ranks in stripes of neighbours, as neighbours cost about the same.
//
// Thread-safety: immutable. Cost: a division or two a call.
#pragma once

#include <algorithm>
#include <cstddef>

#include "solver/cluster/ranks.h"

namespace plenum {

class RowDeal {
 public:
  RowDeal() = default;
  // `rank`: whose blocks are own.
  RowDeal(std::size_t blocks, int rank, int ranks)
      : blocks_(blocks), rank_(static_cast<std::size_t>(rank)), ranks_(static_cast<std::size_t>(ranks)) {
    constexpr std::size_t kStripes = 16;  // of each rank
    const std::size_t stripes = ranks_ == 1 ? 1 : kStripes * ranks_;
    stripe_ = std::max<std::size_t>(1, (blocks + stripes - 1) / stripes);
    const std::size_t round = stripe_ * ranks_;
    const std::size_t rest = blocks % round;
    own_ = blocks / round * stripe_ + std::min(stripe_, rest - std::min(rest, rank_ * stripe_));
  }

  std::size_t blocks() const { return blocks_; }
  std::size_t own() const { return own_; }  // how many
  std::size_t owner(std::size_t block) const { return ranks_ == 1 ? 0 : block / stripe_ % ranks_; }
  bool is_own(std::size_t block) const { return owner(block) == rank_; }
  // Of a block: which one of its owner's it is; and which one of the tier the k-th own one is.
  std::size_t local(std::size_t block) const {
    return ranks_ == 1 ? block : block / (stripe_ * ranks_) * stripe_ + block % stripe_;
  }
  std::size_t number(std::size_t k) const {
    return ranks_ == 1 ? k : (k / stripe_ * ranks_ + rank_) * stripe_ + k % stripe_;
  }
  // Calls fn(begin, end) for the stretches of blocks that are own, or that are others', in rising order.
  template <typename Fn>
  void for_own(const Fn& fn) const {
    for (std::size_t begin = rank_ * stripe_; begin < blocks_; begin += stripe_ * ranks_)
      fn(begin, std::min(blocks_, begin + stripe_));
  }
  template <typename Fn>
  void for_others(const Fn& fn) const {
    std::size_t done = 0;
    for_own([&](std::size_t begin, std::size_t end) {
      if (done < begin) fn(done, begin);
      done = end;
    });
    if (done < blocks_) fn(done, blocks_);
  }

 private:
  std::size_t blocks_ = 0;
  std::size_t rank_ = 0;
  std::size_t ranks_ = 1;
  std::size_t stripe_ = 1;
  std::size_t own_ = 0;
};

}  // namespace plenum
