// SPDX-License-Identifier: Apache-2.0
#include "variants/kernels.h"

namespace plenum::kernels_base {
#include "variants/kernels.inc"
}  // namespace plenum::kernels_base
