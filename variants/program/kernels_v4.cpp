// SPDX-License-Identifier: Apache-2.0
#include "variants/program/kernels.h"

namespace plenum::kernels_v4 {

constexpr std::size_t kVectorBytes = 64;

#include "variants/program/kernels.inc"
}  // namespace plenum::kernels_v4
