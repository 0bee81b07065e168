// SPDX-License-Identifier: Apache-2.0
// Sets of cells, one a position, turned into bits of positions, one column a cell.
//
// Thread-safety: no state. Cost: about 2 instructions a position for 19 cells with AVX2, 20 without.
#pragma once

#include <cstddef>
#include <cstdint>

namespace plenum {

// Bit i % 64 of out[cell * stride + i / 64] becomes bit `cell` of sets[i], for i < lanes; the rest of the last word 0.
// `sets` is aligned to 32 bytes and may be read up to the next multiple of 64 lanes.
void to_columns(const std::uint32_t* sets, std::size_t lanes, int cells, std::size_t stride, std::uint64_t* out);

namespace columns_v3 {
void to_columns(const std::uint32_t* sets, std::size_t lanes, int cells, std::size_t stride, std::uint64_t* out);
}

}  // namespace plenum
