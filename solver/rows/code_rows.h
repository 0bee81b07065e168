// SPDX-License-Identifier: Apache-2.0
// What is done with whole rows of codes (value_byte.h): the least and the "and" of successors, and the codes that follow.
//
// Rows may be read and written up to the next multiple of 64 bytes; bits beyond a row are clear in its masks.
// Thread-safety: no state. Cost: a few hundredths of a nanosecond a byte with AVX2, several times that without.
#pragma once

#include <cstddef>
#include <cstdint>

#include "solver/dense/value_byte.h"

namespace plenum {

struct CodeRows {
  // least[i] = min(least[i], row[i]) and all[i] &= row[i] where bit i of `legal` is set.
  void (*lower)(const ValueByte* row, const std::uint64_t* legal, std::size_t n, ValueByte* least, ValueByte* all);
  // The same with row[n - 1 - i], for the seen-by-the-other-player numbering of a row.
  void (*lower_reversed)(const ValueByte* row, const std::uint64_t* legal, std::size_t n, ValueByte* least,
                         ValueByte* all);
  // least[i] and most[i]: the least and the greatest plies[i] where bit i of `legal` is set and codes[i] == want[i].
  void (*lower_plies)(const ValueByte* codes, const std::uint8_t* plies, const std::uint64_t* legal, std::size_t n,
                      const ValueByte* want, std::uint8_t* least, std::uint8_t* most);
  // out[i] = the code that follows from least[i] and all[i].
  void (*close)(const ValueByte* least, const ValueByte* all, std::size_t n, ValueByte* out);
  // out[i] = row[i] where bit i of `legal` is set, 0 elsewhere; whether any is not 0.
  bool (*mask)(const std::uint8_t* row, const std::uint64_t* legal, std::size_t n, std::uint8_t* out);
  // count[i] += bit i.
  void (*add_bits)(const std::uint64_t* bits, std::size_t n, std::uint8_t* count);
};

namespace code_rows_base {
extern const CodeRows kRows;
}
namespace code_rows_v3 {
extern const CodeRows kRows;
}
// The best that the processor has.
const CodeRows& code_rows();

}  // namespace plenum
