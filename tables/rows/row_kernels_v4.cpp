// SPDX-License-Identifier: Apache-2.0
// The inner loops of RowFold, for AVX-512 with VBMI and GFNI. No library templates here, so that no code for a newer processor can leak
// into shared inline functions.
#include <immintrin.h>

#include "tables/rows/row_fold.h"

namespace plenum::row_kernels_v4 {
namespace {

using V = __m512i;
constexpr int kWordBits = 64;

struct LaneNumbers {
  constexpr LaneNumbers() {
    for (int i = 0; i < kWordBits; ++i) bytes[i] = static_cast<std::uint8_t>(i);
  }
  alignas(64) std::uint8_t bytes[kWordBits] = {};
};
constexpr LaneNumbers kLaneNumbers;
// By lane bit: the lanes whose number has it.
constexpr __mmask64 kUpper[] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};

inline V load(const std::uint8_t* from) { return _mm512_loadu_si512(from); }
inline void store(std::uint8_t* to, V v) { _mm512_storeu_si512(to, v); }
inline std::uint32_t number_of(std::uint8_t bit) { return static_cast<std::uint32_t>(std::uint64_t{1} << bit); }

// What is done with the bytes that are read: `legal` are the lanes that count.
struct Lower {
  std::uint8_t* least;
  std::uint8_t* all;
  void operator()(std::uint32_t at, __mmask64 legal, V x) const {
    const V a = load(least + at);
    const V b = load(all + at);
    store(least + at, _mm512_mask_min_epu8(a, legal, a, x));
    store(all + at, _mm512_and_si512(b, _mm512_mask_mov_epi8(b, legal, x)));
  }
};
struct LowerAll {
  std::uint8_t* all;
  void operator()(std::uint32_t at, __mmask64 legal, V x) const {
    const V b = load(all + at);
    store(all + at, _mm512_and_si512(b, _mm512_mask_mov_epi8(b, legal, x)));
  }
};
struct LowerFlipped {
  const std::uint8_t* flip;
  std::uint8_t* least;
  void operator()(std::uint32_t at, __mmask64 legal, V x) const {
    const V a = load(least + at);
    store(least + at, _mm512_mask_min_epu8(a, legal, a, _mm512_xor_si512(x, load(flip + at))));
  }
};
struct KeepEqual {
  const std::uint8_t* want;
  std::uint64_t* legal;
  void operator()(std::uint32_t at, __mmask64 was, V x) const {
    legal[at / kWordBits] = _mm512_mask_cmpeq_epi8_mask(was, x, load(want + at));
  }
};

// Tiles of 2^kRounds vectors.
template <int kRounds, typename Fold>
void run(const RowFold::Plan& plan, const std::uint8_t* in, const std::uint64_t* legal, const Fold& fold) {
  constexpr int kVectors = 1 << kRounds;
  const V lanes = _mm512_load_si512(kLaneNumbers.bytes);
  const V order = _mm512_gf2p8affine_epi64_epi8(lanes, _mm512_set1_epi64(static_cast<long long>(plan.order)), 0);
  V partner[kRounds + 1];
  __mmask64 upper[kRounds + 1];
  std::uint32_t loads[kVectors];
  std::uint32_t stores[kVectors];
  bool outputs[kVectors];
  loads[0] = 0;
  stores[0] = 0;
  outputs[0] = true;
#pragma GCC unroll 6
  for (int s = 0; s < kRounds; ++s) {
    partner[s] = _mm512_xor_si512(lanes, _mm512_set1_epi8(static_cast<char>(1 << plan.lane[s])));
    upper[s] = kUpper[plan.lane[s]];
    const int half = 1 << s;
    for (int r = 0; r < half; ++r) {
      loads[r + half] = loads[r] + number_of(plan.load[s]);
      stores[r + half] = stores[r] + number_of(plan.store[s]);
      outputs[r + half] = outputs[r] && (plan.halves[s] & 2) != 0;
      outputs[r] = outputs[r] && (plan.halves[s] & 1) != 0;
    }
  }
  std::uint32_t from = plan.in_begin;
  std::uint32_t to = plan.out_begin;
  const std::uint32_t tiles = std::uint32_t{1} << plan.outer;
  for (std::uint32_t i = 0;;) {
    __mmask64 of_vector[kVectors];
    std::uint64_t any = 0;
    for (int r = 0; r < kVectors; ++r) {
      of_vector[r] = outputs[r] ? legal[(to + stores[r]) / kWordBits] : 0;
      any |= of_vector[r];
    }
    if (any != 0) {
      V x[kVectors];
#pragma GCC unroll 64
      for (int r = 0; r < kVectors; ++r) x[r] = load(in + from + loads[r]);
#pragma GCC unroll 6
      for (int s = 0; s < kRounds; ++s) {
#pragma GCC unroll 64
        for (int r = 0; r < kVectors; ++r) {
          if ((r >> s & 1) != 0) continue;
          const V a = x[r];
          const V b = x[r | 1 << s];
          x[r] = _mm512_mask_permutexvar_epi8(a, upper[s], partner[s], b);
          x[r | 1 << s] = _mm512_mask_permutexvar_epi8(b, ~upper[s], partner[s], a);
        }
      }
#pragma GCC unroll 64
      for (int r = 0; r < kVectors; ++r) {
        if (of_vector[r] != 0) fold(to + stores[r], of_vector[r], _mm512_permutexvar_epi8(order, x[r]));
      }
    }
    if (++i == tiles) return;
    const int bit = __builtin_ctz(i);  // a Gray code: one index bit changes from tile to tile
    from ^= number_of(plan.in_stride[bit]);
    to ^= number_of(plan.out_stride[bit]);
  }
}

template <typename Fold>
void run_rounds(const RowFold::Plan& plan, const std::uint8_t* in, const std::uint64_t* legal, const Fold& fold) {
  static constexpr void (*kRuns[])(const RowFold::Plan&, const std::uint8_t*, const std::uint64_t*, const Fold&) = {
      run<0, Fold>, run<1, Fold>, run<2, Fold>, run<3, Fold>, run<4, Fold>, run<5, Fold>, run<6, Fold>};
  kRuns[plan.rounds](plan, in, legal, fold);
}

}  // namespace

void lower(const RowFold::Plan& plan, const std::uint8_t* in, const std::uint64_t* legal, std::uint8_t* least,
           std::uint8_t* all) {
  run_rounds(plan, in, legal, Lower{least, all});
}

void lower_all(const RowFold::Plan& plan, const std::uint8_t* in, const std::uint64_t* legal, std::uint8_t* all) {
  run_rounds(plan, in, legal, LowerAll{all});
}

void lower_flipped(const RowFold::Plan& plan, const std::uint8_t* in, const std::uint64_t* legal,
                   const std::uint8_t* flip, std::uint8_t* least) {
  run_rounds(plan, in, legal, LowerFlipped{flip, least});
}

void keep_equal(const RowFold::Plan& plan, const std::uint8_t* in, const std::uint8_t* want, std::uint64_t* legal) {
  run_rounds(plan, in, legal, KeepEqual{want, legal});
}

}  // namespace plenum::row_kernels_v4
