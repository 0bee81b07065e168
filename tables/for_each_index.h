// SPDX-License-Identifier: Apache-2.0
// The loop over all cores that everything parallel here is made of.
//
// Thread-safety: bodies run concurrently, each for an index of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>

#include <tbb/parallel_for.h>

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
template <typename Body>
void for_each_index(std::size_t n, const Body& body) {
#if defined(PLENUM_PLAIN_THREADS)
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < n; i = next++) body(i);
  };
  // What is thrown in the second thread is thrown in the first, as oneTBB does it.
  std::exception_ptr thrown;
  const auto guarded = [&] {
    try {
      work();
    } catch (...) {
      thrown = std::current_exception();
      next = n;
    }
  };
  std::thread second(guarded);
  try {
    work();
  } catch (...) {
    next = n;
    second.join();
    throw;
  }
  second.join();
  if (thrown) std::rethrow_exception(thrown);
#else
  tbb::parallel_for(std::size_t{0}, n, body);
#endif
}

}  // namespace plenum
