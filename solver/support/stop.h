// SPDX-License-Identifier: Apache-2.0
// Whether long work is to be given up: asked in passing by the threads that do it, answered by whoever began it.
//
//   Stop stop([&] { return progress(...); });            // false: give up
//   for_ranges(begin, end, &stop, body);                  // leaves out what is left once it is stopped
//   if (stop.stopped()) return absl::CancelledError(...); // what has been worked out is not whole
//
// Thread-safety: all of it; the function is called by one thread at a time, whichever it is. Cost: two atomic accesses and the
// function's own.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

namespace plenum {

class Stop {
 public:
  explicit Stop(std::function<bool()> go_on) : go_on_(std::move(go_on)) {}

  // Asks, unless another thread is just asking. Once true it stays true.
  bool ask() {
    if (stopped()) return true;
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (lock.owns_lock() && go_on_ && !go_on_()) stopped_.store(true, std::memory_order_relaxed);
    return stopped();
  }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

 private:
  std::function<bool()> go_on_;
  std::mutex mutex_;
  std::atomic<bool> stopped_{false};
};

}  // namespace plenum
