// SPDX-License-Identifier: Apache-2.0
// Successors' values read through a row map and folded into a row at once: what RowMap::gather does, and then a loop over the row, in
// one loop over vectors of 64 bytes.
//
// As in RowMap, tiles of 2^m vectors have m index bits brought in. Here that is done by exchanges: in each round one bit of the
// lanes' numbers changes places with one that tells vectors apart, by two shuffles under a mask; and one shuffle of all lanes comes
// last. It is an affine map of their numbers, so that a plan is a few bytes and can be kept for every move of a tier.
//
// Thread-safety: immutable. Cost: m + 1 shuffles and a fold a vector, 0.02 ns a byte in cache; some 20 ns a call.
// Source: exchanges of index bits by masked swaps, as in Knuth, TAOCP 4A, 7.1.3.
#pragma once

#include <cstdint>

#include "tables/rows/row_map.h"

namespace plenum {

class RowFold {
 public:
  static constexpr int kLaneBits = 6;
  // Whether the processor has what it takes (AVX-512 with VBMI and GFNI), and the rows are long enough.
  static bool can(const RowBits& bits);
  // Requires that it can.
  explicit RowFold(const RowBits& bits);

  // Below x[o] = in[input number of o], for the outputs o that `legal` has a bit for; nothing else is read or changed.
  // least[o] = min(least[o], x[o]) and all[o] &= x[o].
  void lower(const std::uint8_t* in, const std::uint64_t* legal, std::uint8_t* least, std::uint8_t* all) const;
  // all[o] &= x[o].
  void lower_all(const std::uint8_t* in, const std::uint64_t* legal, std::uint8_t* all) const;
  // least[o] = min(least[o], x[o] ^ flip[o]).
  void lower_flipped(const std::uint8_t* in, const std::uint64_t* legal, const std::uint8_t* flip,
                     std::uint8_t* least) const;
  // Clears the bits of `legal` where x[o] != want[o].
  void keep_equal(const std::uint8_t* in, const std::uint8_t* want, std::uint64_t* legal) const;

  // For the loops in row_kernels_v4.cpp (plain arrays, as these use no library). A bit kNoBit adds nothing to a number.
  struct Plan {
    static constexpr std::uint8_t kNoBit = 63;
    std::uint64_t order = 0;  // the matrix of the last shuffle
    std::uint32_t in_begin = 0;
    std::uint32_t out_begin = 0;
    std::uint8_t rounds = 0;
    std::uint8_t outer = 0;               // index bits from tile to tile
    std::uint8_t lane[kLaneBits] = {};    // by round: the bit of the lanes that is exchanged
    std::uint8_t load[kLaneBits] = {};    // by round: the input bit that tells vectors apart
    std::uint8_t store[kLaneBits] = {};   // by round: the output bit that does after it
    std::uint8_t halves[kLaneBits] = {};  // by round: bit 0: vectors without it are outputs, bit 1: those with it
    std::uint8_t in_stride[kMostRowBits - kLaneBits] = {};
    std::uint8_t out_stride[kMostRowBits - kLaneBits] = {};
  };

 private:
  Plan plan_;
};

namespace row_kernels_v4 {
void lower(const RowFold::Plan& plan, const std::uint8_t* in, const std::uint64_t* legal, std::uint8_t* least,
           std::uint8_t* all);
void lower_all(const RowFold::Plan& plan, const std::uint8_t* in, const std::uint64_t* legal, std::uint8_t* all);
void lower_flipped(const RowFold::Plan& plan, const std::uint8_t* in, const std::uint64_t* legal,
                   const std::uint8_t* flip, std::uint8_t* least);
void keep_equal(const RowFold::Plan& plan, const std::uint8_t* in, const std::uint8_t* want, std::uint64_t* legal);
}  // namespace row_kernels_v4

}  // namespace plenum
