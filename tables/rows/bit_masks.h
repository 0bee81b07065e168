// SPDX-License-Identifier: Apache-2.0
// Truths over the stones on a few cells, as tables of bits, and spelled as masks of vectors for BitGather.
//
// Thread-safety: values. Cost: 0.1 us and more to spell a mask.
// Source: truth tables as words, as in Knuth, TAOCP 4A, 7.1.3.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace plenum {

struct BitMask {
  static constexpr std::uint8_t kAdded = 32;  // in place of a cell: the stone that a move adds
  std::vector<std::uint8_t> cells;            // by bit, rising; kAdded may be the last
  std::vector<std::uint64_t> bits;            // bit i: the truth where bit k of i says whose stone is on cells[k]
  // Of a table of so many cells.
  static std::size_t words(std::size_t cells);
  // Leaves out cells on which nothing depends.
  void simplify();
};

// The cells of a set as a mask lists them.
std::vector<std::uint8_t> cells_of_mask(std::uint64_t set);

// A mask as vectors.
struct BitMaskVectors {
  std::vector<std::uint64_t> words;
  std::vector<std::uint8_t> nonzero;
  std::array<std::uint16_t, 32> weight = {};  // by axis
  // axes[cell]: the axis of a row that it is, all of them rising with the cells.
  void spell(const BitMask& mask, const std::array<std::uint8_t, BitMask::kAdded + 1>& axes);
};

}  // namespace plenum
