// SPDX-License-Identifier: Apache-2.0
// Numbers in as few bytes as all of them fit: the storage that RowOffsets and EndRanks share.
//
// Header only. Thread-safety: as std::vector.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace plenum {

// Either all numbers are in narrow_, or all in wide_. Where they are wide narrow_ has no memory, so that one look at it tells.
template <typename Narrow, typename Wide>
class NarrowOrWide {
 public:
  NarrowOrWide() = default;
  NarrowOrWide(const NarrowOrWide&) = default;
  NarrowOrWide(NarrowOrWide&&) noexcept = default;
  // By value: a vector that is copied to keeps its memory.
  NarrowOrWide& operator=(NarrowOrWide other) noexcept {
    narrow_.swap(other.narrow_);
    wide_.swap(other.wide_);
    return *this;
  }
  ~NarrowOrWide() = default;

  std::size_t size() const { return wide_.empty() ? narrow_.size() : wide_.size(); }
  std::size_t bytes() const { return narrow_.capacity() * sizeof(Narrow) + wide_.capacity() * sizeof(Wide); }

  friend bool operator==(const NarrowOrWide&, const NarrowOrWide&) = default;

 protected:
  std::vector<Narrow> narrow_;
  std::vector<Wide> wide_;
};

}  // namespace plenum
