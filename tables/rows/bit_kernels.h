// SPDX-License-Identifier: Apache-2.0
// Rows of bits, 64 a word: their axes permuted (the loops of BitMap), put together, and counted. Compiled for plain x86-64 and
// for AVX2.
//
// Thread-safety: no state. Cost: with AVX2 four words an instruction.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tables/rows/bit_map.h"

namespace plenum {

// Something that is counted: a weight times a bit a position, by masks of vectors (bit_gather.h). Vector v has the mask
// masks[8 * (low[v % 64] + high[v / 64])], complemented where it says so.
struct CountedBits {
  static constexpr int kLowVectors = 64;
  const std::uint64_t* masks = nullptr;
  const std::uint16_t* low = nullptr;
  const std::uint16_t* high = nullptr;
  std::uint32_t weight = 1;
  bool complement = false;
};
inline constexpr int kCounterBits = 12;  // of a sum

struct BitKernels {
  using Word = std::uint64_t;
  void (*permute)(const BitMap::Plan& plan, const Word* source, Word* target);
  std::uint64_t (*count_ones)(const Word* row, std::size_t words);
  // to = neither a nor b. Returns how many ones that has.
  std::uint64_t (*neither)(const Word* a, const Word* b, std::size_t words, Word* to);
  // set |= row where a bit of the pattern is set, clear |= row elsewhere, and row = 0. The pattern is a vector, the same for all of a row.
  void (*split)(Word* row, std::size_t words, const Word* pattern, Word* set, Word* clear);
  // out = where the sum of all that is counted is at least `least`. The sum of the weights has kCounterBits at most.
  void (*sum_at_least)(const CountedBits* counted, std::size_t n, std::size_t vectors, std::int64_t least, Word* out);
};

namespace bit_kernels_base {
extern const BitKernels kKernels;
}
namespace bit_kernels_v3 {
extern const BitKernels kKernels;
}
// The best that the processor has.
const BitKernels& bit_kernels();

}  // namespace plenum
