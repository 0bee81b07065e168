// SPDX-License-Identifier: Apache-2.0
#include "tables/rows/row_map.h"

#include <bit>

#include "variants/program/kernels.h"

namespace plenum {
namespace {

constexpr int kLaneBits = 4;  // of a byte's place in a vector

// Byte shuffles that take lane bit `from[place]` to each place.
void double_up(const std::array<int, kLaneBits>& from, std::uint8_t* bytes) {
  bytes[0] = 0;
  for (unsigned place = 0; place < kLaneBits; ++place) {
    for (unsigned r = 0; r < 1U << place; ++r)
      bytes[r + (1U << place)] = static_cast<std::uint8_t>(bytes[r] | 1U << from[place]);
  }
}

using Targets = std::array<std::int8_t, kMostRowBits>;  // by output bit: the input bit that it is; -1: none

Targets targets_of(const RowBits& bits) {
  Targets out;
  out.fill(-1);
  for (int i = 0; i < bits.inputs; ++i) {
    if (bits.source[static_cast<std::size_t>(i)] >= 0)
      out[static_cast<std::size_t>(bits.source[static_cast<std::size_t>(i)])] = static_cast<std::int8_t>(i);
  }
  return out;
}

bool is_fixed(const RowBits& bits, int output) { return (bits.fixed >> output & 1U) != 0; }

// One round after the other, each for an input bit that leaves the vector's lanes and the output bit that enters in its place.
void add_round(const RowBits& bits, const Targets& target, int round, int leaves, int enters, RowMap::Tiles& out) {
  const int in = target[static_cast<std::size_t>(enters)];
  const std::uint32_t load = in >= 0 ? std::uint32_t{1} << in : 0;
  const int source = bits.source[static_cast<std::size_t>(leaves)];
  const std::uint32_t store = source >= 0 ? std::uint32_t{1} << source : 0;
  bool drop_ones = source == RowBits::kClear;
  bool drop_others = source == RowBits::kSet;
  if (source >= 0 && is_fixed(bits, source)) {
    drop_ones = (bits.fixed_value & store) == 0;
    drop_others = !drop_ones;
  }
  const std::uint32_t half = std::uint32_t{1} << round;
  const std::uint32_t ones = out.dropped | (drop_ones ? (std::uint32_t{1} << half) - 1 : 0);
  const std::uint32_t others = out.dropped | (drop_others ? (std::uint32_t{1} << half) - 1 : 0);
  out.dropped = others | ones << half;
  for (std::uint32_t x = 0; x < half; ++x) {
    out.load[x + half] = out.load[x] + load;
    out.store[x + half] = out.store[x] + store;
  }
}

// The bits beyond the vector's lanes, but for those that left them.
void add_strides(const RowBits& bits, const Targets& target, RowMap::Tiles& out) {
  for (int i = kLaneBits; i < bits.inputs; ++i) {
    if (bits.source[static_cast<std::size_t>(i)] == RowBits::kSet) out.in_begin += std::uint32_t{1} << i;
  }
  for (int o = kLaneBits; o < bits.outputs; ++o) {
    const int t = target[static_cast<std::size_t>(o)];
    if (t >= 0 && t < kLaneBits) continue;
    const std::uint32_t in = t < 0 ? 0 : std::uint32_t{1} << t;
    const std::uint32_t stride = std::uint32_t{1} << o;
    if (is_fixed(bits, o)) {
      if ((bits.fixed_value & stride) != 0) {
        out.out_begin += stride;
        out.in_begin += in;
      }
      continue;
    }
    out.in_stride[static_cast<std::size_t>(out.outer)] = in;
    out.out_stride[static_cast<std::size_t>(out.outer++)] = stride;
  }
}

RowMap::Tiles make_tiles(const RowBits& bits) {
  RowMap::Tiles out;
  const Targets target = targets_of(bits);
  // Input bits that leave the vector's lanes, and output bits that enter them.
  std::array<int, kLaneBits> leaving = {};
  std::array<int, kLaneBits> staying = {};
  int leave = 0;
  int stay = 0;
  for (int i = 0; i < kLaneBits; ++i) {
    const int s = bits.source[static_cast<std::size_t>(i)];
    if (s >= 0 && s < kLaneBits) {
      staying[static_cast<std::size_t>(stay++)] = i;
    } else {
      leaving[static_cast<std::size_t>(leave++)] = i;
    }
  }
  std::array<int, kLaneBits> entering = {};
  int enter = 0;
  for (int o = 0; o < kLaneBits; ++o) {
    const int t = target[static_cast<std::size_t>(o)];
    if (t < 0 || t >= kLaneBits) entering[static_cast<std::size_t>(enter++)] = o;
  }
  const int m = leave;
  out.rounds = m;

  // Before the rounds: lane bits that leave on top, the first to leave highest.
  std::array<int, kLaneBits> at_place = {};  // [place]: input lane bit
  for (int s = 0; s < m; ++s)
    at_place[static_cast<std::size_t>(kLaneBits - 1 - s)] = leaving[static_cast<std::size_t>(s)];
  for (int k = 0; k < stay; ++k) at_place[static_cast<std::size_t>(k)] = staying[static_cast<std::size_t>(k)];
  double_up(at_place, out.before);
  // After them: those that entered are the lowest, the first highest of these; the staying ones lie above.
  std::array<int, kLaneBits> place_of = {};  // [output lane bit]
  for (int s = 0; s < m; ++s) place_of[static_cast<std::size_t>(entering[static_cast<std::size_t>(s)])] = m - 1 - s;
  for (int k = 0; k < stay; ++k) {
    const int o = bits.source[static_cast<std::size_t>(staying[static_cast<std::size_t>(k)])];
    place_of[static_cast<std::size_t>(o)] = k + m;
  }
  double_up(place_of, out.after);
  for (int o = 0; o < 16; ++o) {
    const bool produced = ((static_cast<std::uint32_t>(o) ^ bits.fixed_value) & bits.fixed & 15U) == 0;
    out.lanes[o] = produced ? 255 : 0;
  }
  for (int s = 0; s < m; ++s)
    add_round(bits, target, s, leaving[static_cast<std::size_t>(s)], entering[static_cast<std::size_t>(s)], out);
  add_strides(bits, target, out);
  return out;
}

std::array<std::uint32_t, kMostRowBits> output_weights(const RowBits& bits) {
  std::array<std::uint32_t, kMostRowBits> out = {};
  for (int i = 0; i < bits.inputs; ++i) {
    const int s = bits.source[static_cast<std::size_t>(i)];
    out[static_cast<std::size_t>(i)] = s >= 0 ? std::uint32_t{1} << s : 0;
  }
  return out;
}

std::uint32_t sum_of(const std::array<std::uint32_t, kMostRowBits>& weight) {
  std::uint32_t out = 0;
  for (const std::uint32_t w : weight) out += w;
  return out;
}

}  // namespace

namespace {

// What each output bit adds to the input's number; returns what is there without any.
std::uint32_t input_weights(const RowBits& bits, std::array<std::uint32_t, kMostRowBits>& weight) {
  std::uint32_t none = 0;
  for (int i = 0; i < bits.inputs; ++i) {
    const int s = bits.source[static_cast<std::size_t>(i)];
    if (s >= 0) weight[static_cast<std::size_t>(s)] = std::uint32_t{1} << i;
    if (s == RowBits::kSet) none += std::uint32_t{1} << i;
  }
  return none;
}

}  // namespace

RowNumber::RowNumber(std::uint32_t none, const std::array<std::uint32_t, kMostRowBits>& weight) : none_(none) {
  for (std::size_t k = 0; k < sum_.size(); ++k) {
    sum_[k][0] = 0;
    for (unsigned n = 1; n < kSums; ++n)
      sum_[k][n] = sum_[k][n & (n - 1)] + weight[k * kStep + static_cast<std::size_t>(std::countr_zero(n))];
  }
}

RowNumber RowNumber::input(const RowBits& bits) {
  std::array<std::uint32_t, kMostRowBits> weight = {};
  const std::uint32_t none = input_weights(bits, weight);
  return {none, weight};
}

RowsBefore::RowsBefore(const RowBits& bits) : RowsBefore(bits, output_weights(bits)) {}

RowsBefore::RowsBefore(const RowBits& bits, const std::array<std::uint32_t, kMostRowBits>& weight)
    : number_(bits.fixed_value & ~sum_of(weight), weight) {
  for (int i = 0; i < bits.inputs; ++i) {
    const std::uint32_t input = std::uint32_t{1} << i;
    const std::uint32_t output = weight[static_cast<std::size_t>(i)];
    if (output == 0) constant_ |= input;
    if (output != 0 && (bits.fixed & output) == 0) continue;
    needed_ |= input;
    const bool one =
        output != 0 ? (bits.fixed_value & output) != 0 : bits.source[static_cast<std::size_t>(i)] == RowBits::kSet;
    if (one) value_ |= input;
  }
  free_ = ~sum_of(weight) & ~bits.fixed & ((std::uint32_t{1} << bits.outputs) - 1);
}

RowMap::RowMap(const RowBits& bits) : bits_(bits) {
#if defined(__x86_64__)
  tiled_ = bits.inputs >= kLaneBits && bits.outputs >= kLaneBits && has_v3();
  if (tiled_) tiles_ = make_tiles(bits);
#endif
}

void RowMap::gather(const std::uint8_t* in, std::uint8_t* out, const std::uint64_t* wanted) const {
#if defined(__x86_64__)
  if (tiled_) {
    row_kernels_v3::gather(tiles_, in, out, wanted);
    return;
  }
#endif
  scalar(in, out, wanted, false);
}

bool RowMap::gather_or(const std::uint8_t* in, std::uint8_t* out) const {
#if defined(__x86_64__)
  if (tiled_) return row_kernels_v3::gather_or(tiles_, in, out);
#endif
  return scalar(in, out, nullptr, true);
}

// Input numbers in two halves, each looked up.
bool RowMap::scalar(const std::uint8_t* in, std::uint8_t* out, const std::uint64_t* wanted, bool combine) const {
  constexpr int kLow = 8;
  std::uint8_t fresh = 0;
  std::array<std::uint32_t, 1 << kLow> low;
  const std::uint32_t outputs = std::uint32_t{1} << bits_.outputs;
  const std::uint32_t low_size = outputs < low.size() ? outputs : static_cast<std::uint32_t>(low.size());
  std::array<std::uint32_t, kMostRowBits> weight = {};
  low[0] = input_weights(bits_, weight);
  for (std::uint32_t o = 1; o < low_size; ++o)
    low[o] = low[o & (o - 1)] + weight[static_cast<std::size_t>(std::countr_zero(o))];
  for (std::uint32_t high = 0; high < outputs; high += low_size) {
    if (((high ^ bits_.fixed_value) & bits_.fixed & ~(low_size - 1)) != 0) continue;
    std::uint32_t from = 0;
    for (std::uint32_t rest = high; rest != 0; rest &= rest - 1)
      from += weight[static_cast<std::size_t>(std::countr_zero(rest))];
    if (!combine) {
      for (std::uint32_t o = 0; o < low_size; o += 8) {
        if (((o ^ bits_.fixed_value) & bits_.fixed & (low_size - 1) & ~7U) != 0) continue;
        if (wanted != nullptr && (wanted[(high + o) / 64] >> ((high + o) % 64) & 255) == 0) continue;
        for (std::uint32_t i = o; i < o + 8 && i < low_size; ++i) out[high + i] = in[from + low[i]];
      }
      continue;
    }
    for (std::uint32_t o = 0; o < low_size; ++o) {
      if (((o ^ bits_.fixed_value) & bits_.fixed & (low_size - 1)) != 0) continue;
      const std::uint8_t value = in[from + low[o]];
      fresh = static_cast<std::uint8_t>(fresh | (value & ~out[high + o]));
      out[high + o] |= value;
    }
  }
  return fresh != 0;
}

}  // namespace plenum
