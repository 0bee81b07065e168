// SPDX-License-Identifier: Apache-2.0
#include "solver/support/threads.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "tables/for_each_index.h"
#include "tables/index/transposition_table.h"

namespace plenum {
namespace {

constexpr std::uint64_t kThreadBytes = std::uint64_t{1} << 20;  // for what a thread holds of its own
constexpr std::uint64_t kRestBytes = std::uint64_t{64} << 20;   // and for the work that they share

}  // namespace

int threads_to_be_had(int wanted) {
  std::mutex mutex;
  std::condition_variable done;
  bool over = false;
  std::vector<std::thread> made;
  const auto wait = [&] {
    std::unique_lock<std::mutex> lock(mutex);
    done.wait(lock, [&] { return over; });
  };
  try {
    // Address space that is not touched.
    std::vector<std::unique_ptr<LazyMemory>> held;
    const auto hold = [&](std::uint64_t bytes) {
      held.push_back(std::make_unique<LazyMemory>(bytes));
      return held.back()->bytes() == bytes;
    };
    made.reserve(static_cast<std::size_t>(std::max(0, wanted - 1)));
    bool fits = wanted > 1 && hold(kRestBytes);
    while (fits && static_cast<int>(made.size()) + 1 < wanted) {
      fits = hold(kThreadBytes);
      if (fits) made.emplace_back(wait);
    }
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
  {
    const std::lock_guard<std::mutex> lock(mutex);
    over = true;
  }
  done.notify_all();
  for (std::thread& thread : made) thread.join();
  return 1 + static_cast<int>(made.size());
}

std::size_t thread_count() {
  return std::min(static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()),
                  tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

void limit_threads(int threads) {
  static tbb::global_control* the = nullptr;  // leaked on purpose
  auto* const next =
      new tbb::global_control(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  delete std::exchange(the, next);
}

void begin_threads() {
#if defined(PLENUM_PLAIN_THREADS)
  return;  // oneTBB's are not used
#endif
  const std::size_t threads = thread_count();
  if (threads <= 1) return;
  constexpr std::chrono::milliseconds kPatience(20);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  std::atomic<std::size_t> here{0};
  tbb::parallel_for(
      std::size_t{0}, threads,
      [&](std::size_t) {
        ++here;
        while (here < threads && std::chrono::steady_clock::now() < end) std::this_thread::yield();
      },
      tbb::simple_partitioner());
}

}  // namespace plenum
