// SPDX-License-Identifier: Apache-2.0
// Values of a whole row of positions, read off the row of their successors.
//
// A move that puts, replaces or carries a stone takes the 2^k colourings of one occupied set to colourings of another by renaming
// bits of their numbers: every bit of a successor's number is a bit of the position's number, or a constant. So the row of
// successors' values is the stored row with its bytes permuted by a permutation of index bits. That is done in tiles: the bytes
// that lie together on one side lie apart on the other by a few index bits; m of those are brought in by m rounds of
// interleaving 2^m vectors of 16 bytes, and a byte shuffle before and after puts the others in order. No index is computed and nothing is
// looked up a position.
//
// Thread-safety: immutable. Cost: with AVX2 4 + m instructions a 16 bytes, 0.1 ns a byte in cache; else about 1 ns a byte.
// Source: bit permutations of addresses, as in Fraser, "Array permutation by index-digit permutation" (1976).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace plenum {

inline constexpr int kMostRowBits = 24;

// input number of output o: bit i is bit source[i] of o, or kClear, or kSet. An output bit is the source of at most one.
// Only outputs o with (o & fixed) == fixed_value are asked for.
struct RowBits {
  static constexpr std::int8_t kClear = -1;
  static constexpr std::int8_t kSet = -2;
  int inputs = 0;   // bits of an input's number
  int outputs = 0;  // of an output's
  std::array<std::int8_t, kMostRowBits> source = {};
  std::uint32_t fixed = 0;
  std::uint32_t fixed_value = 0;
};

class RowMap {
 public:
  explicit RowMap(const RowBits& bits);

  // out[o] = in[input number of o] where that is asked for; elsewhere anything may stand, or what did before. `wanted` has a bit an
  // output: where all bits of a tile are clear, it may be left as it was; null: all are set.
  void gather(const std::uint8_t* in, std::uint8_t* out, const std::uint64_t* wanted) const;
  // out[o] |= in[input number of o], and nothing else changes; whether that set any bit.
  bool gather_or(const std::uint8_t* in, std::uint8_t* out) const;

  // What the tiles are made of; for the loops in row_kernels_v3.cpp (plain arrays, as these use no library).
  struct Tiles {
    int rounds = 0;  // m
    std::uint32_t in_begin = 0;
    std::uint32_t out_begin = 0;
    std::uint32_t load[16] = {};               // [2^m]: where a tile's vectors are, from its beginning
    std::uint32_t store[16] = {};              // [2^m]: where they go
    std::uint32_t dropped = 0;                 // bit x: result x is no output
    alignas(16) std::uint8_t before[16] = {};  // byte shuffles
    alignas(16) std::uint8_t after[16] = {};
    alignas(16) std::uint8_t lanes[16] = {};  // 255 where a byte is an output
    int outer = 0;                            // index bits from tile to tile
    std::uint32_t in_stride[kMostRowBits] = {};
    std::uint32_t out_stride[kMostRowBits] = {};
  };

 private:
  bool scalar(const std::uint8_t* in, std::uint8_t* out, const std::uint64_t* wanted, bool combine) const;

  RowBits bits_;
  bool tiled_ = false;
  Tiles tiles_;
};

namespace row_kernels_v3 {
void gather(const RowMap::Tiles& tiles, const std::uint8_t* in, std::uint8_t* out, const std::uint64_t* wanted);
bool gather_or(const RowMap::Tiles& tiles, const std::uint8_t* in, std::uint8_t* out);
}  // namespace row_kernels_v3

// The same for one number at a time.
class RowNumber {
 public:
  // Bit i of a number adds weight[i], to what no number is without.
  RowNumber(std::uint32_t none, const std::array<std::uint32_t, kMostRowBits>& weight);
  // Inputs by output.
  static RowNumber input(const RowBits& bits);
  std::uint32_t operator()(std::uint32_t number) const {
    std::uint32_t out = none_;
    for (std::size_t k = 0; number != 0; number >>= kStep, ++k) out += sum_[k][number & (kSums - 1)];
    return out;
  }

 private:
  static constexpr int kStep = 4;
  static constexpr std::size_t kSums = 1 << kStep;
  std::uint32_t none_ = 0;
  std::array<std::array<std::uint32_t, kSums>, kMostRowBits / kStep> sum_;
};

// A map turned round: the outputs that have a given input.
class RowsBefore {
 public:
  explicit RowsBefore(const RowBits& bits);
  // Calls f(output) for those asked for.
  template <typename F>
  void operator()(std::uint32_t input, const F& f) const {
    if (((input ^ value_) & needed_) != 0) return;
    const std::uint32_t output = number_(input & ~constant_);
    for (std::uint32_t more = free_;; more = (more - 1) & free_) {
      f(output + more);
      if (more == 0) return;
    }
  }

 private:
  explicit RowsBefore(const RowBits& bits, const std::array<std::uint32_t, kMostRowBits>& weight);
  std::uint32_t needed_ = 0;    // input bits that must be
  std::uint32_t value_ = 0;     // so
  std::uint32_t constant_ = 0;  // and show no bit of the output
  std::uint32_t free_ = 0;      // output bits that the input does not show
  RowNumber number_;
};

}  // namespace plenum
