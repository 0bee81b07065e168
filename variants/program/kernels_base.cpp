// SPDX-License-Identifier: Apache-2.0
#include "variants/program/kernels.h"

namespace plenum::kernels_base {

constexpr std::size_t kVectorBytes = 16;

#include "variants/program/kernels.inc"
}  // namespace plenum::kernels_base
