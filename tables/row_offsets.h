// SPDX-License-Identifier: Apache-2.0
// Where rows begin in an array: numbers that never fall, in 4 bytes each while all are below 2^32, otherwise in 8.
//
// Header only. Thread-safety: as std::vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "tables/narrow_or_wide.h"

namespace plenum {

class RowOffsets : public NarrowOrWide<std::uint32_t, std::uint64_t> {
 public:
  RowOffsets() = default;
  RowOffsets(std::initializer_list<std::uint64_t> offsets) {
    for (const std::uint64_t offset : offsets) push_back(offset);
  }
  // Of rows that are so long.
  template <typename Lengths>
  static RowOffsets of_lengths(const Lengths& lengths) {
    RowOffsets out;
    std::uint64_t sum = 0;
    for (const auto length : lengths) sum += length;
    out.reserve(lengths.size() + 1, sum);
    sum = 0;
    out.push_back(0);
    for (const auto length : lengths) out.push_back(sum += length);
    return out;
  }

  std::uint64_t operator[](std::size_t i) const {
    const std::uint32_t* const narrow = narrow_.data();  // null where they are wide: one look tells
    return narrow != nullptr ? narrow[i] : wide_[i];
  }
  // What it is, before it is counted up.
  std::uint64_t take(std::size_t i) {
    std::uint32_t* const narrow = narrow_.data();
    return narrow != nullptr ? narrow[i]++ : wide_[i]++;
  }
  // What it comes to be, counted down.
  std::uint64_t take_back(std::size_t i) {
    std::uint32_t* const narrow = narrow_.data();
    return narrow != nullptr ? --narrow[i] : --wide_[i];
  }
  std::uint64_t back() const { return wide_.empty() ? narrow_.back() : wide_.back(); }
  bool empty() const { return size() == 0; }

  void push_back(std::uint64_t offset) {
    if (wide_.empty() && offset >> 32 != 0) widen();
    if (wide_.empty()) {
      narrow_.push_back(static_cast<std::uint32_t>(offset));
    } else {
      wide_.push_back(offset);
    }
  }
  // `count` offsets, to be set in any order; none will be above `most`.
  void assign(std::size_t count, std::uint64_t most) {
    *this = {};
    if (most >> 32 == 0) {
      narrow_.assign(count, 0);
    } else {
      wide_.assign(count, 0);
    }
  }
  void set(std::size_t i, std::uint64_t offset) {
    if (wide_.empty()) {
      narrow_[i] = static_cast<std::uint32_t>(offset);
    } else {
      wide_[i] = offset;
    }
  }

  friend bool operator==(const RowOffsets&, const RowOffsets&) = default;

 private:
  void reserve(std::size_t count, std::uint64_t most) {
    if (most >> 32 != 0) {
      wide_.reserve(count);
    } else {
      narrow_.reserve(count);
    }
  }
  void widen() {
    wide_.assign(narrow_.begin(), narrow_.end());
    std::vector<std::uint32_t>().swap(narrow_);
  }
};

}  // namespace plenum
