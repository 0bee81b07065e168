// SPDX-License-Identifier: Apache-2.0
// The loops of BitGather with AVX-512, VBMI and GFNI.
#include <immintrin.h>

#include "tables/rows/bit_gather.h"

namespace plenum::bit_gather_v4 {
namespace {

using V = __m512i;
constexpr int kInByte = 3;  // axes

inline V vector_of(const BitGather::Word* words) { return _mm512_loadu_si512(words); }
struct Numbers {
  constexpr Numbers() {
    for (int i = 0; i < 64; ++i) bytes[i] = static_cast<std::uint8_t>(i);
  }
  alignas(64) std::uint8_t bytes[64] = {};
};
constexpr Numbers kNumbers;
inline V numbers_of_bytes() { return _mm512_load_si512(kNumbers.bytes); }
// Byte i is 1 << (i % 8).
inline V single_bits() { return _mm512_set1_epi64(static_cast<long long>(0x8040201008040201ULL)); }

// The bits whose number has the bit of this axis set.
inline V axis_bits(int axis) {
  static constexpr std::uint64_t kInWord[6] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                               0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
  if (axis < 6) return _mm512_set1_epi64(static_cast<long long>(kInWord[axis]));
  static constexpr __mmask8 kWords[3] = {0xAA, 0xCC, 0xF0};
  return _mm512_maskz_set1_epi64(kWords[axis - 6], -1);
}

inline V order_of(const BitGather::Program& program, std::size_t step) {
  const V matrix = _mm512_set1_epi64(static_cast<long long>(program.order[step]));
  return _mm512_xor_si512(_mm512_gf2p8affine_epi64_epi8(numbers_of_bytes(), matrix, 0),
                          _mm512_set1_epi8(static_cast<char>(program.complement[step])));
}

// Of each eight bytes: bit i of byte j becomes bit 7 - j of byte i.
inline V transposed(V x) { return _mm512_gf2p8affine_epi64_epi8(single_bits(), x, 0); }

inline V flipped(V x, int axis) {
  if (axis >= kInByte)
    return _mm512_permutexvar_epi8(
        _mm512_xor_si512(numbers_of_bytes(), _mm512_set1_epi8(static_cast<char>(1 << (axis - kInByte)))), x);
  const __m128i by = _mm_cvtsi32_si128(1 << axis);
  return _mm512_ternarylogic_epi64(axis_bits(axis), _mm512_sll_epi64(x, by), _mm512_srl_epi64(x, by), 0xCA);
}

template <int kExchanges, int kKind, bool kLowSelector>
void tiles(const BitGather::Plan& plan, const BitGather::Word* clear, std::int64_t apart, BitGather::Word* row,
           const BitGather::Word* masks, const std::uint8_t* nonzero, const BitGather::Tile& base) {
  constexpr int kVectors = 1 << kExchanges;
  const BitGather::Program& program = plan.program;
  const V first = kKind > 0 ? order_of(program, 0) : V{};
  const V second = kKind > 2 ? order_of(program, 1) : V{};
  const V third = kKind > 3 ? order_of(program, 2) : V{};
  const V in_bytes = _mm512_set1_epi64(static_cast<long long>(program.bits));
  const V select = kLowSelector ? axis_bits(plan.low_selector) : V{};
  V partner[kExchanges + 1];  // of bytes, or where the axis is set
  __mmask64 upper[kExchanges + 1];
  for (int i = 0; i < kExchanges; ++i) {
    const int axis = plan.inside[i];
    if (axis >= kInByte) {
      static constexpr __mmask64 kBytes[6] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                              0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
      partner[i] = _mm512_xor_si512(numbers_of_bytes(), _mm512_set1_epi8(static_cast<char>(1 << (axis - kInByte))));
      upper[i] = kBytes[axis - kInByte];
    } else {
      partner[i] = axis_bits(axis);
      upper[i] = 0;
    }
  }
  for (std::size_t t = 0; t < plan.tile_count; ++t) {
    const BitGather::Tile& tile = plan.tiles[t];
    const std::int32_t mask_at = base.mask + tile.mask;
    bool any = false;
    for (int r = 0; r < kVectors; ++r) any = any || nonzero[mask_at + plan.part[r].mask] != 0;
    if (!any) continue;
    const BitGather::Word* const from =
        clear + (std::int64_t{base.source} + tile.source) * static_cast<std::int64_t>(kVectorWords);
    V x[kVectors];
#pragma GCC unroll 16
    for (int r = 0; r < kVectors; ++r) {
      const BitGather::Word* const at = from + plan.part[r].source * static_cast<std::int64_t>(kVectorWords);
      if (kLowSelector) {
        x[r] = _mm512_ternarylogic_epi64(select, vector_of(at + apart), vector_of(at), 0xCA);
        if (plan.flipped) x[r] = flipped(x[r], plan.low_selector);
      } else {
        x[r] = vector_of(at);
      }
    }
#pragma GCC unroll 4
    for (int i = 0; i < kExchanges; ++i) {
      const int axis = plan.inside[i];
      if (axis >= kInByte) {
#pragma GCC unroll 16
        for (int r = 0; r < kVectors; ++r) {
          if ((r >> i & 1) != 0) continue;
          const V a = x[r];
          const V b = x[r | 1 << i];
          x[r] = _mm512_mask_permutexvar_epi8(a, upper[i], partner[i], b);
          x[r | 1 << i] = _mm512_mask_permutexvar_epi8(b, ~upper[i], partner[i], a);
        }
      } else {
        const __m128i by = _mm_cvtsi32_si128(1 << axis);
#pragma GCC unroll 16
        for (int r = 0; r < kVectors; ++r) {
          if ((r >> i & 1) != 0) continue;
          const V a = x[r];
          const V b = x[r | 1 << i];
          x[r] = _mm512_ternarylogic_epi64(partner[i], _mm512_sll_epi64(b, by), a, 0xCA);
          x[r | 1 << i] = _mm512_ternarylogic_epi64(partner[i], b, _mm512_srl_epi64(a, by), 0xCA);
        }
      }
    }
    BitGather::Word* const to =
        row + (std::int64_t{base.target} + tile.target) * static_cast<std::int64_t>(kVectorWords);
#pragma GCC unroll 16
    for (int r = 0; r < kVectors; ++r) {
      V v = x[r];
      if (kKind == 1) v = _mm512_permutexvar_epi8(first, v);
      if (kKind == 2) v = _mm512_permutexvar_epi8(first, _mm512_gf2p8affine_epi64_epi8(v, in_bytes, 0));
      if (kKind >= 3) v = _mm512_permutexvar_epi8(second, transposed(_mm512_permutexvar_epi8(first, v)));
      if (kKind == 4) v = _mm512_permutexvar_epi8(third, transposed(v));
      const BitGather::Tile& part = plan.part[r];
      BitGather::Word* const at = to + part.target * static_cast<std::int64_t>(kVectorWords);
      const V mask = vector_of(masks + (mask_at + part.mask) * static_cast<std::int64_t>(kVectorWords));
      _mm512_storeu_si512(at, _mm512_ternarylogic_epi64(vector_of(at), v, mask, 0xF8));
    }
  }
}

using Loop = void (*)(const BitGather::Plan&, const BitGather::Word*, std::int64_t, BitGather::Word*,
                      const BitGather::Word*, const std::uint8_t*, const BitGather::Tile&);
// By exchanges and kind of program.
template <bool kLowSelector>
struct Loops {
#define PLENUM_BY_KIND(m)                                                                                       \
  {                                                                                                             \
    tiles<m, 0, kLowSelector>, tiles<m, 1, kLowSelector>, tiles<m, 2, kLowSelector>, tiles<m, 3, kLowSelector>, \
        tiles<m, 4, kLowSelector>                                                                               \
  }
  static constexpr Loop kLoop[BitGather::kMostExchanges + 1][5] = {
      PLENUM_BY_KIND(0), PLENUM_BY_KIND(1), PLENUM_BY_KIND(2), PLENUM_BY_KIND(3), PLENUM_BY_KIND(4)};
#undef PLENUM_BY_KIND
};

}  // namespace

void find_axes(const std::uint8_t* cells, int count, const std::uint8_t* image, std::uint32_t set, std::uint8_t* from) {
  const V all = _mm512_set1_epi32(static_cast<int>(set));
  const V bits =
      _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
  const V below = _mm512_sub_epi32(bits, _mm512_set1_epi32(1));
  const V below_high = _mm512_or_si512(_mm512_slli_epi32(below, 16), _mm512_set1_epi32(0xFFFF));
  const auto ranks = [&](V mask) { return _mm512_cvtepi32_epi8(_mm512_popcnt_epi32(_mm512_and_si512(all, mask))); };
  const __m256i rank = _mm256_set_m128i(ranks(below_high), ranks(below));
  const __m256i images = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(image));
  const __m256i of_cell = _mm256_permutexvar_epi8(images, rank);
  const __m256i of_axis = _mm256_permutexvar_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(cells)), of_cell);
  const __m256i same = _mm512_castsi512_si256(numbers_of_bytes());
  const auto used = static_cast<__mmask32>((std::uint64_t{1} << count) - 1);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(from), _mm256_mask_mov_epi8(same, used, of_axis));
}

void run(const BitGather::Plan& plan, const BitGather::Word* clear, std::int64_t apart, BitGather::Word* row,
         const BitGather::Word* masks, const std::uint8_t* nonzero, const BitGather::Tile& base) {
  const Loop loop = plan.low_selector >= 0 ? Loops<true>::kLoop[plan.exchanges][plan.program.kind]
                                           : Loops<false>::kLoop[plan.exchanges][plan.program.kind];
  loop(plan, clear, apart, row, masks, nonzero, base);
}

}  // namespace plenum::bit_gather_v4
