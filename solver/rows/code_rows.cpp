// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/code_rows.h"

#include "variants/program/kernels.h"

namespace plenum {

namespace code_rows_base {
namespace {

constexpr std::size_t kVectorBytes = 16;
typedef std::uint8_t Bytes16 __attribute__((vector_size(kVectorBytes)));

// In every byte the eight bits that its own is among.
Bytes16 spread_bits(std::uint32_t bits) {
  typedef std::uint64_t Halves __attribute__((vector_size(kVectorBytes)));
  return (Bytes16)Halves{(bits & 255) * 0x0101010101010101ULL, (bits >> 8) * 0x0101010101010101ULL};
}
Bytes16 backwards_of(Bytes16 v) {
  return __builtin_shuffle(v, Bytes16{15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0});
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
