// SPDX-License-Identifier: Apache-2.0
#include "tables/for_each_index.h"

#if defined(PLENUM_PLAIN_THREADS)
#include <atomic>
#include <exception>
#include <thread>
#else
#include <tbb/parallel_for.h>
#endif

#include "tables/scratch.h"

namespace plenum {

#if defined(PLENUM_PLAIN_THREADS)
void for_each_index(std::size_t n, absl::FunctionRef<void(std::size_t)> body) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < n; i = next++) {
      Scratch::keep_pace();
      body(i);
    }
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
}
#else
void for_each_index(std::size_t n, absl::FunctionRef<void(std::size_t)> body) {
  tbb::parallel_for(std::size_t{0}, n, [body](std::size_t i) {
    Scratch::keep_pace();
    body(i);
  });
}
#endif

}  // namespace plenum
