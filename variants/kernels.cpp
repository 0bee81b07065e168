// SPDX-License-Identifier: Apache-2.0
#include "variants/kernels.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace plenum {
namespace {

enum Level { base = 0, v3 = 1, v4 = 2 };

struct Choice {
  Level level = base;
  bool native = false;
  bool forced = false;
};

Choice detect() {
  Choice best;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) best.level = v3;
  best.native = best.level == v3;
  if (best.level == v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd")) {
    best.level = v4;
  }
#endif
  if (const char* asked = std::getenv("PLENUM_CPU")) {
    const std::string_view word = asked;
    best.forced = word == "native";
    best.native = best.native && best.forced;
    if (!best.forced) best.level = std::min(best.level, word == "base" ? base : word == "v3" ? v3 : v4);
  }
  return best;
}

const Choice& choice() {
  static const Choice chosen = detect();
  return chosen;
}

}  // namespace

Kernel choose_kernel(bool narrow) {
#if defined(__x86_64__)
  if (choice().level == v4) return narrow ? kernels_v4::run32 : kernels_v4::run64;
  if (choice().level == v3) return narrow ? kernels_v3::run32 : kernels_v3::run64;
#endif
  return narrow ? kernels_base::run32 : kernels_base::run64;
}

bool native_allowed() { return choice().native; }
bool native_forced() { return choice().forced; }
bool has_v3() { return choice().level >= v3; }

const char* kernel_name() {
  if (choice().native) return "native";
  return choice().level == v4 ? "v4" : choice().level == v3 ? "v3" : "base";
}

}  // namespace plenum
