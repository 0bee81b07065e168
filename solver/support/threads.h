// SPDX-License-Identifier: Apache-2.0
// How many threads the machine will let the program have.
//
// A limit on memory or on threads (ulimit, a container) makes the making of a thread fail at whatever moment it is tried. oneTBB makes
// its threads from within its threads, where such an error ends the program. So it is found out first, and oneTBB is then
// told to take no more.
#pragma once

#include <cstddef>

namespace plenum {

// Of `wanted` threads that work at the same time, the calling one among them, how many there can be: at least 1. They are made and
// ended again, and some memory for each as well. Cost: some 50 us a thread.
int threads_to_be_had(int wanted);

// How many threads loops over all cores use.
std::size_t thread_count();

// oneTBB takes no more than these from now on. The limit is never lifted again, only changed by the next call: when one is lifted,
// oneTBB may make threads, and an error of that would end the program.
void limit_threads(int threads);

// Has oneTBB make the threads that it may (tbb::global_control) in this arena now, rather than when there is less memory. Gives up
// waiting for them after a short while.
void begin_threads();

}  // namespace plenum
