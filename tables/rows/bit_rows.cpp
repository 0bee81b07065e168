// SPDX-License-Identifier: Apache-2.0
#include "tables/rows/bit_rows.h"

#include "tables/rows/bit_kernels.h"
#include "variants/program/kernels.h"

namespace plenum {

namespace bit_kernels_base {
#include "tables/rows/bit_kernels.inc"
}  // namespace bit_kernels_base

const BitKernels& bit_kernels() {
#if defined(__x86_64__)
  static const BitKernels& best = has_v3() ? bit_kernels_v3::kKernels : bit_kernels_base::kKernels;
  return best;
#else
  return bit_kernels_base::kKernels;
#endif
}

namespace bit_rows {

void join(Word* to, const Word* from, std::size_t words, Word mask) {
  bit_kernels().join(to, from, words, mask, BitJoin::same);
}
void join_complement(Word* to, const Word* from, std::size_t words, Word mask) {
  bit_kernels().join(to, from, words, mask, BitJoin::complement);
}
void join(Word* to, const Word* from, std::size_t words, const Word* masks) {
  bit_kernels().join_where(to, from, words, masks, BitJoin::same);
}
void join_complement(Word* to, const Word* from, std::size_t words, const Word* masks) {
  bit_kernels().join_where(to, from, words, masks, BitJoin::complement);
}
std::uint64_t count_ones(const Word* row, std::size_t words) { return bit_kernels().count_ones(row, words); }

}  // namespace bit_rows
}  // namespace plenum
