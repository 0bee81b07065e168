// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/code_rows.h"

#include <array>
#include <bit>

#include "variants/program/kernels.h"

namespace plenum {

namespace code_rows_base {
namespace {

static_assert(std::endian::native == std::endian::little);
constexpr std::size_t kVectorBytes = 16;
using Bytes16 __attribute__((vector_size(kVectorBytes))) = std::uint8_t;
using Halves __attribute__((vector_size(kVectorBytes))) = std::uint64_t;

// By eight bits: 255 in the bytes whose bit is clear.
constexpr std::array<std::uint64_t, 256> kClearBytes = [] {
  std::array<std::uint64_t, 256> out = {};
  for (std::size_t bits = 0; bits < 256; ++bits) {
    for (std::size_t i = 0; i < 8; ++i) out[bits] |= (bits >> i & 1) != 0 ? 0 : std::uint64_t{255} << (8 * i);
  }
  return out;
}();
Bytes16 clear_bytes(std::uint32_t bits) { return (Bytes16)Halves{kClearBytes[bits & 255], kClearBytes[bits >> 8]}; }
// Of bytes that are 255 or 0.
std::uint32_t bits_of(Bytes16 v) {
  constexpr std::uint64_t kGather = 0x0102040810204080;  // bit 8 i to bit 56 + i
  const auto halves = (Halves)(v & 1);
  return static_cast<std::uint32_t>(halves[0] * kGather >> 56 | halves[1] * kGather >> 56 << 8);
}
Bytes16 backwards_of(Bytes16 v) {
  const auto halves = (Halves)v;
  return (Bytes16)Halves{__builtin_bswap64(halves[1]), __builtin_bswap64(halves[0])};
}

}  // namespace
#include "solver/rows/code_rows.inc"
}  // namespace code_rows_base

const CodeRows& code_rows() {
#if defined(__x86_64__)
  static const CodeRows& best = has_v3() ? code_rows_v3::kRows : code_rows_base::kRows;
  return best;
#else
  return code_rows_base::kRows;
#endif
}

}  // namespace plenum
