// SPDX-License-Identifier: Apache-2.0
// What the environment asks the processor to be taken for: PLENUM_CPU, as kernels.h explains it.
#pragma once

#include <absl/status/status.h>

namespace plenum {

// kInvalidArgument where PLENUM_CPU names no level, or one that this machine cannot run, with the levels that there are. Whoever
// does not ask gets the best level that can be run. Thread-safety: as getenv().
absl::Status check_processor();

}  // namespace plenum
