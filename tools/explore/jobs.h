// SPDX-License-Identifier: Apache-2.0
// Work that takes a while, one piece at a time on a thread of its own: asked for by a key, watched, cancelled, and kept once it is done.
//
//     const std::uint64_t id = *jobs.begin("solve|...", [](Watcher& watcher) { return work(watcher); });
//     jobs.wait(id, 0, std::chrono::seconds(1));                  // until it is done, or is further than revision 0
//
// Who asks for a key that is waiting, being worked on, or done gets that job. What failed or was cancelled is begun anew.
//
// Thread-safety: all of it may be called from any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "absl/status/statusor.h"

#include "tools/console/progress.h"

namespace plenum {

struct JobState {
  enum class Stage { waiting, working, done, failed, cancelled };
  std::uint64_t id = 0;
  std::uint64_t revision = 0;  // grows with every change
  Stage stage = Stage::waiting;
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();  // when it was asked for first
  std::optional<PacedProgress> progress;                                           // while it is worked on
  std::shared_ptr<const Json> result;                                              // once it is done
  absl::Status status;                                                             // of one that failed
  bool over() const { return stage != Stage::waiting && stage != Stage::working; }
};
// "waiting", "working"...
std::string stage_word(JobState::Stage stage);

class Jobs {
 public:
  using Work = std::function<absl::StatusOr<Json>(Watcher& watcher)>;
  static constexpr std::size_t kMostWaiting = 32;
  static constexpr std::size_t kMostKept = 512;

  Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;
  ~Jobs();  // cancels what there is, and waits for its end

  // kUnavailable if too many are waiting, kCancelled after stop().
  absl::StatusOr<std::uint64_t> begin(const std::string& key, Work work);
  // kNotFound if there is no such job, or none any more.
  absl::StatusOr<JobState> state(std::uint64_t id) const;
  // Until it is over, its revision is beyond this one, or the time is over.
  absl::StatusOr<JobState> wait(std::uint64_t id, std::uint64_t revision, std::chrono::milliseconds most) const;
  absl::Status cancel(std::uint64_t id);
  // Cancels all, and takes no more.
  void stop();

 private:
  struct Job {
    JobState state;
    std::string key;
    Work work;
    bool cancelled = false;
  };
  class JobWatcher;

  void work_on_all();
  void change(Job& job, JobState::Stage stage);
  void forget_old();

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::map<std::uint64_t, std::shared_ptr<Job>> jobs_;
  std::map<std::string, std::uint64_t> by_key_;
  std::deque<std::shared_ptr<Job>> waiting_;
  std::uint64_t last_id_ = 0;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace plenum
