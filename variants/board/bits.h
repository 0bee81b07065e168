// SPDX-License-Identifier: Apache-2.0
// Bits of a number to chosen places of a word and back, on any processor: what BMI2 calls pdep and pext.
//
// Thread-safety: no state. Cost: some instructions a bit.
#pragma once

#include <array>
#include <cstdint>

namespace plenum {

// The bits of a word whose number has bit k set.
inline constexpr std::array<std::uint64_t, 6> kAxisBits = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                                           0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};

// Bits of `value`, lowest first, to the places of the bits of `mask`.
constexpr std::uint64_t deposit(std::uint64_t value, std::uint64_t mask) {
  std::uint64_t out = 0;
  for (; mask != 0 && value != 0; mask &= mask - 1, value >>= 1) {
    if ((value & 1) != 0) out |= mask & -mask;
  }
  return out;
}

// And back.
constexpr std::uint64_t extract(std::uint64_t value, std::uint64_t mask) {
  std::uint64_t out = 0;
  for (int at = 0; mask != 0; mask &= mask - 1, ++at) {
    if ((value & mask & -mask) != 0) out |= std::uint64_t{1} << at;
  }
  return out;
}

}  // namespace plenum
