// SPDX-License-Identifier: Apache-2.0
#include "tables/rows/bit_kernels.h"

namespace plenum::bit_kernels_v3 {
#include "tables/rows/bit_kernels.inc"
}  // namespace plenum::bit_kernels_v3
