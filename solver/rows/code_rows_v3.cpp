// SPDX-License-Identifier: Apache-2.0
// No library templates here, so that no code for a newer processor can leak into shared inline functions.
#include <immintrin.h>

#include "solver/rows/code_rows.h"

namespace plenum::code_rows_v3 {
namespace {

__m256i load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
void store(void* to, __m256i v) { _mm256_storeu_si256(static_cast<__m256i*>(to), v); }

// 255 in every byte whose bit is clear.
__m256i clear_bytes(std::uint32_t bits) {
  const __m256i spread =
      _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
  const __m256i bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201ULL));
  const __m256i chosen = _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)), spread), bit);
  return _mm256_cmpeq_epi8(chosen, _mm256_setzero_si256());
}

void lower(__m256i row, std::uint32_t bits, ValueByte* least, ValueByte* all) {
  const __m256i x = _mm256_or_si256(row, clear_bytes(bits));
  store(least, _mm256_min_epu8(load(least), x));
  store(all, _mm256_and_si256(load(all), x));
}

}  // namespace

void lower(const ValueByte* row, const std::uint64_t* legal, std::size_t n, ValueByte* least, ValueByte* all) {
  for (std::size_t i = 0; i < n; i += 32) {
    const auto bits = static_cast<std::uint32_t>(legal[i / 64] >> (i % 64));
    if (bits != 0) lower(load(row + i), bits, least + i, all + i);
  }
}

void lower_reversed(const ValueByte* row, const std::uint64_t* legal, std::size_t n, ValueByte* least, ValueByte* all) {
  const __m256i backwards = _mm256_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11,
                                             10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  for (std::size_t i = 0; i < n; i += 32) {
    const auto bits = static_cast<std::uint32_t>(legal[i / 64] >> (i % 64));
    if (bits == 0) continue;
    const __m256i there = _mm256_shuffle_epi8(load(row + n - 32 - i), backwards);
    lower(_mm256_permute4x64_epi64(there, 0x4E), bits, least + i, all + i);
  }
}

void lower_plies(const ValueByte* codes, const std::uint8_t* plies, const std::uint64_t* legal, std::size_t n,
                 const ValueByte* want, std::uint8_t* least, std::uint8_t* most) {
  for (std::size_t i = 0; i < n; i += 32) {
    const auto bits = static_cast<std::uint32_t>(legal[i / 64] >> (i % 64));
    if (bits == 0) continue;
    const __m256i kept = _mm256_andnot_si256(clear_bytes(bits), _mm256_cmpeq_epi8(load(codes + i), load(want + i)));
    const __m256i x = load(plies + i);
    const __m256i others = _mm256_xor_si256(kept, _mm256_set1_epi8(-1));
    store(least + i, _mm256_min_epu8(load(least + i), _mm256_or_si256(x, others)));
    store(most + i, _mm256_max_epu8(load(most + i), _mm256_and_si256(x, kept)));
  }
}

void close(const ValueByte* least, const ValueByte* all, std::size_t n, ValueByte* out) {
  const __m256i one = _mm256_set1_epi8(1);
  for (std::size_t i = 0; i < n; i += 32) {
    const __m256i a = load(least + i);
    const __m256i b = load(all + i);
    const __m256i level = _mm256_cmpeq_epi8(_mm256_and_si256(a, _mm256_set1_epi8(static_cast<char>(0xFC))),
                                            _mm256_set1_epi8(static_cast<char>(0x80)));
    const __m256i decided = _mm256_sub_epi8(_mm256_set1_epi8(3), a);
    const __m256i mover =
        _mm256_and_si256(_mm256_cmpeq_epi8(_mm256_min_epu8(a, _mm256_set1_epi8(static_cast<char>(129))), a), one);
    const __m256i other_not = _mm256_andnot_si256(b, one);
    const __m256i of_level = _mm256_or_si256(_mm256_set1_epi8(static_cast<char>(0x80)),
                                             _mm256_or_si256(mover, _mm256_add_epi8(other_not, other_not)));
    store(out + i, _mm256_blendv_epi8(decided, of_level, level));
  }
}

bool mask(const std::uint8_t* row, const std::uint64_t* legal, std::size_t n, std::uint8_t* out) {
  __m256i any = _mm256_setzero_si256();
  for (std::size_t i = 0; i < n; i += 32) {
    const auto bits = static_cast<std::uint32_t>(legal[i / 64] >> (i % 64));
    const __m256i x = _mm256_andnot_si256(clear_bytes(bits), load(row + i));
    any = _mm256_or_si256(any, x);
    store(out + i, x);
  }
  return _mm256_testz_si256(any, any) == 0;
}

void add_bits(const std::uint64_t* bits, std::size_t n, std::uint8_t* count) {
  for (std::size_t i = 0; i < n; i += 32) {
    const auto word = static_cast<std::uint32_t>(bits[i / 64] >> (i % 64));
    const __m256i set = _mm256_add_epi8(clear_bytes(word), _mm256_set1_epi8(1));  // -1 or 0, and 1
    store(count + i, _mm256_add_epi8(load(count + i), set));
  }
}

}  // namespace plenum::code_rows_v3
