// SPDX-License-Identifier: Apache-2.0
// The loops of BitMap, compiled for plain x86-64 and for AVX2.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tables/bit_map.h"

namespace plenum {

namespace bit_kernels_base {
void permute(const BitMap::Plan& plan, const std::uint64_t* source, std::uint64_t* target);
}
namespace bit_kernels_v3 {
void permute(const BitMap::Plan& plan, const std::uint64_t* source, std::uint64_t* target);
}

}  // namespace plenum
