// SPDX-License-Identifier: Apache-2.0
// The inner loops of row maps, for AVX2.
//
// The file that holds them uses no library templates, so that no code for a newer processor can leak into shared inline
// functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tables/rows/row_map.h"

namespace plenum::row_kernels_v3 {

void gather(const RowMap::Tiles& tiles, const std::uint8_t* in, std::uint8_t* out, const std::uint64_t* wanted);
bool gather_or(const RowMap::Tiles& tiles, const std::uint8_t* in, std::uint8_t* out);

}  // namespace plenum::row_kernels_v3
