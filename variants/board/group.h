// SPDX-License-Identifier: Apache-2.0
// A finite group given by its multiplication table.
//
// Positions are stored up to symmetry; whatever has to be said of the unreduced ones (how many there are,
// how their components lie) is computed with the group's elements alone. Element 0 is the identity. An element
// acts on a position on the left: (a*b)p = a(bp). `exchanges(a)` tells whether a also swaps the two players.
//
// Thread-safety: immutable after construction. Cost: size^2 two-byte entries; all queries are look-ups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plenum {

using GroupElement = std::uint16_t;
inline constexpr GroupElement kIdentity = 0;

class Group {
 public:
  Group() : Group(1, {0}, {false}) {}
  // `product[a * size + b]` is a*b; the caller guarantees that it is a group with identity 0.
  Group(std::size_t size, std::vector<GroupElement> product, std::vector<bool> exchanges)
      : size_(size), product_(std::move(product)), exchanges_(std::move(exchanges)), inverse_(size) {
    for (std::size_t a = 0; a < size_; ++a) {
      for (std::size_t b = 0; b < size_; ++b) {
        if (product_[a * size_ + b] == kIdentity) inverse_[a] = static_cast<GroupElement>(b);
      }
    }
  }

  std::size_t size() const { return size_; }
  GroupElement multiply(GroupElement a, GroupElement b) const { return product_[a * size_ + b]; }
  GroupElement inverse(GroupElement a) const { return inverse_[a]; }
  bool exchanges(GroupElement a) const { return exchanges_[a]; }

 private:
  std::size_t size_;
  std::vector<GroupElement> product_;
  std::vector<bool> exchanges_;
  std::vector<GroupElement> inverse_;
};

}  // namespace plenum
