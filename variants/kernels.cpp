// SPDX-License-Identifier: Apache-2.0
#include "variants/kernels.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace plenum {
namespace {

enum Level { base = 0, v3 = 1, v4 = 2 };

Level detect() {
  Level best = base;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) best = v3;
  if (best == v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd")) {
    best = v4;
  }
#endif
  if (const char* asked = std::getenv("PLENUM_CPU")) {
    const std::string_view word = asked;
    best = std::min(best, word == "base" ? base : word == "v3" ? v3 : v4);
  }
  return best;
}

Level level() {
  static const Level chosen = detect();
  return chosen;
}

}  // namespace

Kernel choose_kernel(bool narrow) {
#if defined(__x86_64__)
  if (level() == v4) return narrow ? kernels_v4::run32 : kernels_v4::run64;
  if (level() == v3) return narrow ? kernels_v3::run32 : kernels_v3::run64;
#endif
  return narrow ? kernels_base::run32 : kernels_base::run64;
}

const char* kernel_name() { return level() == v4 ? "v4" : level() == v3 ? "v3" : "base"; }

}  // namespace plenum
