// SPDX-License-Identifier: Apache-2.0
// The inner loops of row maps, for AVX2. No library templates here, so that no code for a newer processor can leak into shared
// inline functions.
#include <immintrin.h>

#include "tables/rows/row_map.h"

namespace plenum::row_kernels_v3 {
namespace {

__m128i load(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }
void store(void* to, __m128i v) { _mm_storeu_si128(static_cast<__m128i*>(to), v); }

// Tiles of 2^kRounds vectors. `bits`: the wanted outputs, 16 a step; null for all.
template <int kRounds, bool kOr>
bool run(const RowMap::Tiles& t, const std::uint8_t* in, std::uint8_t* out, const unsigned char* bits) {
  constexpr int kVectors = 1 << kRounds;
  const __m128i before = load(&t.before);
  const __m128i after = load(&t.after);
  const __m128i lanes = load(&t.lanes);
  const std::uint32_t* const loads = &t.load[0];
  const std::uint32_t* const stores = &t.store[0];
  __m128i fresh = _mm_setzero_si128();
  const std::uint32_t tiles = std::uint32_t{1} << t.outer;
  std::uint32_t from = t.in_begin;
  std::uint32_t to = t.out_begin;
  for (std::uint32_t i = 0;;) {
    bool wanted = bits == nullptr;
    if (!wanted) {
      std::uint32_t any = 0;
      for (int x = 0; x < kVectors; ++x) {
        const unsigned char* const at = bits + (to + stores[x]) / 8;
        any |= at[0] | at[1];
      }
      wanted = any != 0;
    }
    if (wanted) {
      __m128i v[kVectors];
      for (int x = 0; x < kVectors; ++x) v[x] = _mm_shuffle_epi8(load(in + from + loads[x]), before);
#pragma GCC unroll 4
      for (int s = 0; s < kRounds; ++s) {
#pragma GCC unroll 16
        for (int x = 0; x < kVectors; ++x) {
          if ((x >> s & 1) != 0) continue;
          const __m128i a = v[x];
          const __m128i b = v[x | 1 << s];
          v[x] = _mm_unpacklo_epi8(a, b);
          v[x | 1 << s] = _mm_unpackhi_epi8(a, b);
        }
      }
      for (int x = 0; x < kVectors; ++x) {
        if ((t.dropped >> x & 1U) != 0) continue;
        __m128i result = _mm_shuffle_epi8(v[x], after);
        std::uint8_t* const at = out + to + stores[x];
        if (kOr) {
          const __m128i old = load(at);
          result = _mm_and_si128(result, lanes);
          fresh = _mm_or_si128(fresh, _mm_andnot_si128(old, result));
          result = _mm_or_si128(old, result);
        }
        store(at, result);
      }
    }
    if (++i == tiles) return _mm_testz_si128(fresh, fresh) == 0;
    const int bit = __builtin_ctz(i);  // a Gray code: one index bit changes from tile to tile
    from ^= t.in_stride[static_cast<unsigned>(bit)];
    to ^= t.out_stride[static_cast<unsigned>(bit)];
  }
}

// By rounds.
template <bool kOr>  // NOLINTNEXTLINE(readability-identifier-naming): a constant
constexpr bool (*kRuns[])(const RowMap::Tiles&, const std::uint8_t*, std::uint8_t*, const unsigned char*) = {
    run<0, kOr>, run<1, kOr>, run<2, kOr>, run<3, kOr>, run<4, kOr>};

}  // namespace

void gather(const RowMap::Tiles& tiles, const std::uint8_t* in, std::uint8_t* out, const std::uint64_t* wanted) {
  kRuns<false>[tiles.rounds](tiles, in, out, reinterpret_cast<const unsigned char*>(wanted));
}

bool gather_or(const RowMap::Tiles& tiles, const std::uint8_t* in, std::uint8_t* out) {
  return kRuns<true>[tiles.rounds](tiles, in, out, nullptr);
}

}  // namespace plenum::row_kernels_v3
