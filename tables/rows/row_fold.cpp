// SPDX-License-Identifier: Apache-2.0
#include "tables/rows/row_fold.h"

#include "variants/program/kernels.h"

namespace plenum {
namespace {

constexpr int kFoldLanes = RowFold::kLaneBits;

std::size_t fold_at(int i) { return static_cast<std::size_t>(i); }

// Which of the vectors, without and with the bit of a round, are outputs: `source` is what the round's input bit is.
std::uint8_t output_halves(const RowBits& bits, int source) {
  constexpr std::uint8_t kWithout = 1;
  constexpr std::uint8_t kWith = 2;
  if (source == RowBits::kClear) return kWithout;
  if (source == RowBits::kSet) return kWith;
  if ((bits.fixed >> source & 1) == 0) return kWithout | kWith;
  return (bits.fixed_value >> source & 1) != 0 ? kWith : kWithout;
}

}  // namespace

bool RowFold::can(const RowBits& bits) {
#if defined(__x86_64__)
  return bits.inputs >= kLaneBits && bits.outputs >= kLaneBits && has_bit_vectors();
#else
  return false;
#endif
}

RowFold::RowFold(const RowBits& bits) {
  std::array<std::int8_t, kMostRowBits> target;  // by output bit: the input bit that it is; -1: none
  target.fill(-1);
  for (int i = 0; i < bits.inputs; ++i) {
    if (bits.source[fold_at(i)] >= 0)
      target[static_cast<std::uint8_t>(bits.source[fold_at(i)])] = static_cast<std::int8_t>(i);
  }
  const auto enters = [&](int o) { return target[fold_at(o)] < 0 || target[fold_at(o)] >= kFoldLanes; };
  // Bits of lanes that stay such, and pairs of one that leaves and one that enters.
  int entering = 0;
  for (int i = 0; i < kFoldLanes; ++i) {
    const int source = bits.source[fold_at(i)];
    int output = source;  // that this place has in the end
    if (source < 0 || source >= kFoldLanes) {
      while (!enters(entering)) ++entering;
      output = entering++;
      const std::size_t round = plan_.rounds++;
      plan_.lane[round] = static_cast<std::uint8_t>(i);
      const int load = target[fold_at(output)];
      plan_.load[round] = load < 0 ? Plan::kNoBit : static_cast<std::uint8_t>(load);
      plan_.store[round] = source < 0 ? Plan::kNoBit : static_cast<std::uint8_t>(source);
      plan_.halves[round] = output_halves(bits, source);
    }
    plan_.order |= std::uint64_t{1} << (8 * (7 - i) + output);
  }
  for (int i = kFoldLanes; i < bits.inputs; ++i) {
    if (bits.source[fold_at(i)] == RowBits::kSet) plan_.in_begin += std::uint32_t{1} << i;
  }
  for (int o = kFoldLanes; o < bits.outputs; ++o) {
    const int t = target[fold_at(o)];
    if (t >= 0 && t < kFoldLanes) continue;
    const std::uint32_t stride = std::uint32_t{1} << o;
    if ((bits.fixed & stride) != 0) {
      if ((bits.fixed_value & stride) == 0) continue;
      plan_.out_begin += stride;
      if (t >= 0) plan_.in_begin += std::uint32_t{1} << t;
      continue;
    }
    plan_.in_stride[plan_.outer] = t < 0 ? Plan::kNoBit : static_cast<std::uint8_t>(t);
    plan_.out_stride[plan_.outer++] = static_cast<std::uint8_t>(o);
  }
}

#if defined(__x86_64__)

void RowFold::lower(const std::uint8_t* in, const std::uint64_t* legal, std::uint8_t* least, std::uint8_t* all) const {
  row_kernels_v4::lower(plan_, in, legal, least, all);
}
void RowFold::lower_all(const std::uint8_t* in, const std::uint64_t* legal, std::uint8_t* all) const {
  row_kernels_v4::lower_all(plan_, in, legal, all);
}
void RowFold::lower_flipped(const std::uint8_t* in, const std::uint64_t* legal, const std::uint8_t* flip,
                            std::uint8_t* least) const {
  row_kernels_v4::lower_flipped(plan_, in, legal, flip, least);
}
void RowFold::keep_equal(const std::uint8_t* in, const std::uint8_t* want, std::uint64_t* legal) const {
  row_kernels_v4::keep_equal(plan_, in, want, legal);
}

#else

void RowFold::lower(const std::uint8_t*, const std::uint64_t*, std::uint8_t*, std::uint8_t*) const {}
void RowFold::lower_all(const std::uint8_t*, const std::uint64_t*, std::uint8_t*) const {}
void RowFold::lower_flipped(const std::uint8_t*, const std::uint64_t*, const std::uint8_t*, std::uint8_t*) const {}
void RowFold::keep_equal(const std::uint8_t*, const std::uint8_t*, std::uint64_t*) const {}

#endif

}  // namespace plenum
