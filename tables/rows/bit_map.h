// SPDX-License-Identifier: Apache-2.0
// Rows of bits whose numbers have their bits permuted: what RowMap does for bytes.
//
// A row of n axes has 2^n bits; bit x is bit x % 64 of word x / 64 (a row of fewer than 6 axes is the low bits of one word). Axis i is
// bit i of a number. A set of cells seen through a symmetry of the board is such a row with its axes in another order.
//
// Words are gathered so that axes that go from between words to inside a word lie a fixed way apart; each of these is
// exchanged with an axis inside by masks and shifts of whole vectors; axes inside a word are put in order in the same way;
// and the words are stored where they belong. All of it in pieces of 4 kB.
//
// Thread-safety: set() and apply() of one object by one thread at a time.
// Cost: with AVX2 some 2.5 ns a word in cache, and 0.2 to 0.7 us for set(). Memory: 4 kB, and 4 kB of tables.
// Source: bit permutations by masks and shifts (Warren, Hacker's Delight, 7-4; Knuth, TAOCP 4A, 7.1.3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace plenum {

inline constexpr int kMostBitAxes = 30;

class BitMap {
 public:
  // Axis i of the target is axis from[i] of the source: a permutation of their numbers.
  void set(std::span<const std::uint8_t> from);
  // Of a source and a target that do not overlap.
  void apply(const std::uint64_t* source, std::uint64_t* target) const;

  // How it is done; for the loops in bit_kernels.inc (plain arrays, as these use no library).
  static constexpr int kPieceAxes = 9;  // of words that are worked on together
  struct Exchange {
    std::uint32_t apart = 0;  // words
    std::uint32_t shift = 0;
    std::uint64_t mask = 0;
  };
  struct Turn {
    std::uint32_t shift = 0;
    std::uint64_t mask = 0;
  };
  struct Plan {
    std::uint32_t piece = 1;  // words
    int exchanges = 0;        // axes between words with axes inside
    Exchange exchange[6];
    int turns = 0;  // axes inside a word with one another
    Turn turn[6];
    bool groups = false;  // four words together go to four words together
    int outer = 0;        // axes from piece to piece
    std::uint32_t load_stride[kMostBitAxes] = {};
    std::uint32_t store_stride[kMostBitAxes] = {};
    std::uint32_t load[std::size_t{1} << kPieceAxes] = {};
    std::uint32_t store[std::size_t{1} << kPieceAxes] = {};
  };

 private:
  Plan plan_;
};

}  // namespace plenum
