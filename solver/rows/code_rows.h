// SPDX-License-Identifier: Apache-2.0
// What is done with whole rows of codes (value_byte.h), facts and plies: the least and the "and" of successors, and what follows from
// these.
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
  // all[i] &= row[i] where bit i of `legal` is set; the same with row[n - 1 - i].
  void (*lower_all)(const std::uint8_t* row, const std::uint64_t* legal, std::size_t n, std::uint8_t* all);
  void (*lower_all_reversed)(const std::uint8_t* row, const std::uint64_t* legal, std::size_t n, std::uint8_t* all);
  // least[i] = min(least[i], row[i] ^ flip[i]) where bit i of `legal` is set.
  void (*lower_flipped)(const std::uint8_t* row, const std::uint64_t* legal, std::size_t n, const std::uint8_t* flip,
                        std::uint8_t* least);
  // Clears the bits of `legal` where row[i] != want[i].
  void (*keep_equal)(const std::uint8_t* row, const std::uint8_t* want, std::size_t n, std::uint64_t* legal);
  // The code of a successor that keeps the value of codes[i], 0 if it is level; and 255 where that is a loss, 0 where it is a win.
  void (*wanted)(const ValueByte* codes, std::size_t n, ValueByte* want, std::uint8_t* flip);
  // out[i] = the code that follows from least[i] and all[i].
  void (*close)(const ValueByte* least, const ValueByte* all, std::size_t n, ValueByte* out);
  // out[i] = the facts (row_solver.h) that follow from all[i] where the code is codes[i].
  void (*close_facts)(const std::uint8_t* all, const ValueByte* codes, std::size_t n, std::uint8_t* out);
  // out[i] = the facts of a game that has ended with codes[i].
  void (*end_facts)(const ValueByte* codes, std::size_t n, std::uint8_t* out);
  // out[i] = the plies that follow from least[i], of successors' plies ^ flip[i] (row_stages.cpp).
  void (*close_plies)(const std::uint8_t* least, const std::uint8_t* flip, const ValueByte* codes, std::size_t n,
                      std::uint8_t* out);
  // out[i] = row[n - 1 - i]. Nothing is read or written beyond a row.
  void (*reverse)(const std::uint8_t* row, std::size_t n, std::uint8_t* out);
  // out[i] = row[i] where a[i] == b[i], 255 elsewhere.
  void (*where_equal)(const std::uint8_t* a, const std::uint8_t* b, const std::uint8_t* row, std::size_t n,
                      std::uint8_t* out);
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
