// SPDX-License-Identifier: Apache-2.0
#include "tables/bit_kernels.h"

namespace plenum::bit_kernels_v3 {
#include "tables/bit_kernels.inc"
}  // namespace plenum::bit_kernels_v3
