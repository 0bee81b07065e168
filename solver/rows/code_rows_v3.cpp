// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "solver/rows/code_rows.h"

namespace plenum::code_rows_v3 {
namespace {

constexpr std::size_t kVectorBytes = 32;
using Bytes32 __attribute__((vector_size(kVectorBytes))) = std::uint8_t;

Bytes32 clear_bytes(std::uint32_t bits) {
  const __m256i places =
      _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
  const __m256i bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201ULL));
  const __m256i chosen = _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)), places), bit);
  return (Bytes32)_mm256_cmpeq_epi8(chosen, _mm256_setzero_si256());
}
std::uint32_t bits_of(Bytes32 v) { return static_cast<std::uint32_t>(_mm256_movemask_epi8((__m256i)v)); }
Bytes32 backwards_of(Bytes32 v) {
  const __m256i backwards = _mm256_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11,
                                             10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  return (Bytes32)_mm256_permute4x64_epi64(_mm256_shuffle_epi8((__m256i)v, backwards), 0x4E);
}

}  // namespace
#include "solver/rows/code_rows.inc"
}  // namespace plenum::code_rows_v3
