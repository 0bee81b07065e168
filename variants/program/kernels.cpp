// SPDX-License-Identifier: Apache-2.0
#include "variants/program/kernels.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include <absl/strings/escaping.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "variants/program/processor.h"

namespace plenum {

namespace kernels_base {
constexpr std::size_t kVectorBytes = 16;
#include "variants/program/kernels.inc"
}  // namespace kernels_base

namespace {

enum Level { base = 0, v3 = 1, v4 = 2 };
constexpr std::array<const char*, 3> kLevelNames = {"base", "v3", "v4"};
constexpr const char* kNativeName = "native";

struct Choice {
  Level level = base;
  bool bit_vectors = false;  // with VBMI, VPOPCNTDQ and GFNI
  bool native = false;
  bool forced = false;
  absl::Status status;  // whether it is what was asked for
};

Choice best_of_machine() {
  Choice best;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) best.level = v3;
  best.native = best.level == v3;
  if (best.level == v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd")) {
    best.level = v4;
    best.bit_vectors = __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vpopcntdq") &&
                       __builtin_cpu_supports("gfni");
  }
#endif
  return best;
}

absl::Status no_such_level(const std::string& asked, bool known, const Choice& best) {
  std::vector<std::string> can(kLevelNames.begin(), kLevelNames.begin() + best.level + 1);
  if (best.native) can.emplace_back(kNativeName);
  return absl::InvalidArgumentError(
      absl::StrCat("PLENUM_CPU: ", known ? "this machine cannot run '" : "there is no level '", absl::CEscape(asked),
                   "'\n  the levels are ", absl::StrJoin(kLevelNames, ", "), " and ", kNativeName,
                   "; this machine can run ", absl::StrJoin(can, ", "), "\n  without PLENUM_CPU the best is taken"));
}

// The only place that reads PLENUM_CPU.
Choice detect() {
  Choice best = best_of_machine();
  const char* const asked = std::getenv("PLENUM_CPU");
  if (asked == nullptr) return best;
  const std::string word = asked;
  if (word == kNativeName) {
    if (!best.native) best.status = no_such_level(word, true, best);
    best.forced = true;
    return best;
  }
  const auto found = std::find(kLevelNames.begin(), kLevelNames.end(), word);
  const auto level = static_cast<Level>(found - kLevelNames.begin());
  if (found == kLevelNames.end() || level > best.level) {
    best.status = no_such_level(word, found != kLevelNames.end(), best);
  } else {
    best.level = level;
  }
  best.native = false;
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

absl::Status check_processor() { return choice().status; }

bool native_allowed() { return choice().native; }
bool native_forced() { return choice().forced; }
bool has_v3() { return choice().level >= v3; }
bool has_bit_vectors() { return choice().level == v4 && choice().bit_vectors; }

const char* kernel_name() { return choice().native ? kNativeName : kLevelNames[choice().level]; }

}  // namespace plenum
