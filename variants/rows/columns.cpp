// SPDX-License-Identifier: Apache-2.0
#include "variants/rows/columns.h"

#include "variants/program/kernels.h"

namespace plenum {

void to_columns(const std::uint32_t* sets, std::size_t lanes, int cells, std::size_t stride, std::uint64_t* out) {
#if defined(__x86_64__)
  if (has_v3()) {
    columns_v3::to_columns(sets, lanes, cells, stride, out);
    return;
  }
#endif
  for (int c = 0; c < cells; ++c) {
    std::uint64_t* const column = out + static_cast<std::size_t>(c) * stride;
    for (std::size_t begin = 0; begin < lanes; begin += 64) {
      const std::size_t n = lanes - begin < 64 ? lanes - begin : 64;
      std::uint64_t word = 0;
      for (std::size_t i = 0; i < n; ++i) word |= static_cast<std::uint64_t>((sets[begin + i] >> c) & 1U) << i;
      column[begin / 64] = word;
    }
  }
}

}  // namespace plenum
