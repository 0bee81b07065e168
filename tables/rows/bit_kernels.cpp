// SPDX-License-Identifier: Apache-2.0
#include "tables/rows/bit_kernels.h"

#include "variants/program/kernels.h"

namespace plenum {

namespace bit_kernels_base {
#include "tables/rows/bit_kernels.inc"
}  // namespace bit_kernels_base

const BitKernels& bit_kernels() {
#if defined(__x86_64__)
  static const BitKernels& best = has_v3() ? bit_kernels_v3::kKernels : bit_kernels_base::kKernels;
  return best;
#else
  return bit_kernels_base::kKernels;
#endif
}

}  // namespace plenum
