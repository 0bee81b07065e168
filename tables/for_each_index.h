// SPDX-License-Identifier: Apache-2.0
// The loop over all cores that everything parallel here is made of.
//
// Not a template: what oneTBB makes of each body took a tenth of the time to compile the solver. A call of a body costs some
// nanoseconds more for it, so a body is given a piece of work, not one position.
//
// Thread-safety: bodies run concurrently, each for an index of its own. What a body throws is thrown here.
#pragma once

#include <cstddef>

#include <absl/functional/function_ref.h>

// The thread sanitizer does not see into Debian's libtbb and would call correct code a race; under it the same pieces of
// work run on plain threads.
#if defined(__SANITIZE_THREAD__)
#define PLENUM_PLAIN_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PLENUM_PLAIN_THREADS 1
#endif
#endif

namespace plenum {

// Calls body(i) for every i in [0, n), concurrently and in no particular order.
void for_each_index(std::size_t n, absl::FunctionRef<void(std::size_t i)> body);

}  // namespace plenum
