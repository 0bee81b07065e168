// SPDX-License-Identifier: Apache-2.0
// How long each stage of some work takes, by the clock and of processor time.
//
//   StageTimes times;
//   times.begin("values");   // from now on, until another stage begins
//   times.end();
//   for (const StageTime& t : times.all()) ...
//
// Stages may take turns: what each of its turns takes is added up.
// Thread-safety: one call at a time. Cost: two questions to the system where the stage changes.
#pragma once

#include <chrono>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace plenum {

struct StageTime {
  std::string stage;
  double seconds = 0;
  double cpu_seconds = 0;  // of all threads of the process
};

class StageTimes {
 public:
  void begin(std::string_view stage) {
    if (running_ < all_.size() && all_[running_].stage == stage) return;
    end();
    for (running_ = 0; running_ < all_.size() && all_[running_].stage != stage;) ++running_;
    if (running_ == all_.size()) all_.push_back({std::string(stage)});
  }
  void end() {
    const Clock::time_point now = Clock::now();
    const double cpu = process_seconds();
    if (running_ < all_.size()) {
      all_[running_].seconds += std::chrono::duration<double>(now - since_).count();
      all_[running_].cpu_seconds += cpu - cpu_since_;
    }
    running_ = kNone;
    since_ = now;
    cpu_since_ = cpu;
  }
  // In the order in which they first began, but for the turn that goes on.
  const std::vector<StageTime>& all() const { return all_; }

  static double process_seconds() {
    timespec now = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kNone = ~std::size_t{0};
  std::vector<StageTime> all_;
  std::size_t running_ = kNone;
  Clock::time_point since_;
  double cpu_since_ = 0;
};

}  // namespace plenum
