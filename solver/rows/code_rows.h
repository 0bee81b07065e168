// SPDX-License-Identifier: Apache-2.0
// What is done with whole rows of codes (dense_code.h): the least and the "and" of successors, and the codes that follow.
//
// Rows may be read and written up to the next multiple of 64 bytes; bits beyond a row are clear in its masks.
// Thread-safety: no state. Cost: a few hundredths of a nanosecond a byte with AVX2, about 1 ns without.
#pragma once

#include <cstddef>
#include <cstdint>

#include "solver/dense/dense_code.h"

namespace plenum {

// least[i] = min(least[i], row[i]) and all[i] &= row[i] where bit i of `legal` is set.
void lower_row(const DenseCode* row, const std::uint64_t* legal, std::size_t n, DenseCode* least, DenseCode* all);
// The same with row[n - 1 - i], for the seen-by-the-other-player numbering of a row.
void lower_reversed(const DenseCode* row, const std::uint64_t* legal, std::size_t n, DenseCode* least, DenseCode* all);
// least[i] and most[i]: the least and the greatest plies[i] where bit i of `legal` is set and codes[i] == want[i].
void lower_plies(const DenseCode* codes, const std::uint8_t* plies, const std::uint64_t* legal, std::size_t n,
                 const DenseCode* want, std::uint8_t* least, std::uint8_t* most);
// out[i] = the code that follows from least[i] and all[i].
void close_row(const DenseCode* least, const DenseCode* all, std::size_t n, DenseCode* out);

// out[i] = row[i] where bit i of `legal` is set, 0 elsewhere; whether any is not 0.
bool mask_row(const std::uint8_t* row, const std::uint64_t* legal, std::size_t n, std::uint8_t* out);
// count[i] += bit i.
void add_bits(const std::uint64_t* bits, std::size_t n, std::uint8_t* count);

namespace code_rows_v3 {
bool mask(const std::uint8_t* row, const std::uint64_t* legal, std::size_t n, std::uint8_t* out);
void add_bits(const std::uint64_t* bits, std::size_t n, std::uint8_t* count);
void lower(const DenseCode* row, const std::uint64_t* legal, std::size_t n, DenseCode* least, DenseCode* all);
void lower_reversed(const DenseCode* row, const std::uint64_t* legal, std::size_t n, DenseCode* least, DenseCode* all);
void lower_plies(const DenseCode* codes, const std::uint8_t* plies, const std::uint64_t* legal, std::size_t n,
                 const DenseCode* want, std::uint8_t* least, std::uint8_t* most);
void close(const DenseCode* least, const DenseCode* all, std::size_t n, DenseCode* out);
}  // namespace code_rows_v3

}  // namespace plenum
