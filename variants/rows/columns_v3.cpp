// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "variants/rows/columns.h"

namespace plenum::columns_v3 {

void to_columns(const std::uint32_t* sets, std::size_t lanes, int cells, std::size_t stride, std::uint64_t* out) {
  // Bytes of 32 sets are brought together, the lowest byte of all first; then the sign bits of a vector are a column.
  const __m256i order = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4, 8, 12, 1, 5, 9, 13,
                                         2, 6, 10, 14, 3, 7, 11, 15);
  const __m256i apart = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  for (std::size_t begin = 0; begin < lanes; begin += 32) {
    const auto* from = reinterpret_cast<const __m256i*>(sets + begin);
    __m256i quad[4];  // 8 sets each, as four runs of 8 bytes
    for (int k = 0; k < 4; ++k)
      quad[k] = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(_mm256_load_si256(from + k), order), apart);
    const __m256i low01 = _mm256_unpacklo_epi64(quad[0], quad[1]);   // byte 0 of 0..15, byte 2 of 0..15
    const __m256i high01 = _mm256_unpackhi_epi64(quad[0], quad[1]);  // byte 1, byte 3
    const __m256i low23 = _mm256_unpacklo_epi64(quad[2], quad[3]);
    const __m256i high23 = _mm256_unpackhi_epi64(quad[2], quad[3]);
    const __m256i bytes[4] = {
        _mm256_permute2x128_si256(low01, low23, 0x20), _mm256_permute2x128_si256(high01, high23, 0x20),
        _mm256_permute2x128_si256(low01, low23, 0x31), _mm256_permute2x128_si256(high01, high23, 0x31)};
    const std::size_t left = lanes - begin;
    const std::uint32_t valid = left >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << left) - 1;
    const std::size_t word = begin / 64;
    const bool upper = begin % 64 != 0;
    for (int b = 0; 8 * b < cells; ++b) {
      __m256i v = bytes[b];
      const int top = cells - 8 * b < 8 ? cells - 8 * b : 8;
      for (int bit = 7; bit >= 0; --bit) {
        if (bit < top) {
          const std::uint64_t column = static_cast<std::uint32_t>(_mm256_movemask_epi8(v)) & valid;
          std::uint64_t& to = out[static_cast<std::size_t>(8 * b + bit) * stride + word];
          to = upper ? to | column << 32 : column;
        }
        v = _mm256_add_epi8(v, v);
      }
    }
  }
}

}  // namespace plenum::columns_v3
