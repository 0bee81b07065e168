// SPDX-License-Identifier: Apache-2.0
// What the program's exit codes mean.
#pragma once

#include <absl/status/status.h>

namespace plenum {

enum ExitCode : int {
  kDone = 0,
  kNegative = 1,  // a test failed, a difference was found, there is no such line
  kBadInput = 2,  // usage, description, position or move
  kLimit = 3,     // memory or disk would be or was exceeded; a table of another version
  kDamaged = 4,   // a table that cannot be trusted
  kInterrupted = 130,
};

// What a rank ends with that has done its part where the root alone goes on.
inline absl::Status left_to_root() { return absl::AbortedError("the root of the ranks goes on alone"); }

inline ExitCode exit_code(const absl::Status& status) {
  if (status.ok() || absl::IsAborted(status)) return kDone;
  if (absl::IsResourceExhausted(status)) return kLimit;
  if (absl::IsDataLoss(status)) return kDamaged;
  if (absl::IsCancelled(status)) return kInterrupted;
  return kBadInput;
}

}  // namespace plenum
