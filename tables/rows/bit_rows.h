// SPDX-License-Identifier: Apache-2.0
// Rows of bits, 64 a word: joined under masks, and counted.
//
// Thread-safety: no state. Cost: with AVX2 four words an instruction.
#pragma once

#include <cstddef>
#include <cstdint>

namespace plenum::bit_rows {

using Word = std::uint64_t;

// to |= from & mask; to |= ~from & mask.
void join(Word* to, const Word* from, std::size_t words, Word mask);
void join_complement(Word* to, const Word* from, std::size_t words, Word mask);
// The same with a mask for each word.
void join(Word* to, const Word* from, std::size_t words, const Word* masks);
void join_complement(Word* to, const Word* from, std::size_t words, const Word* masks);
std::uint64_t count_ones(const Word* row, std::size_t words);

}  // namespace plenum::bit_rows
