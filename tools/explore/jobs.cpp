// SPDX-License-Identifier: Apache-2.0
#include "tools/explore/jobs.h"

#include <exception>
#include <new>

#include <absl/strings/str_cat.h>

namespace plenum {

// Tells those who wait how far it is, some times a second.
class Jobs::JobWatcher : public Watcher {
 public:
  JobWatcher(Jobs& jobs, Job& job) : jobs_(jobs), job_(job) {}

  bool show(const std::string& stage, std::uint64_t done, std::uint64_t total, const std::string& things) override {
    constexpr double kPause = 0.1;  // seconds
    const PacedProgress now = pace_.at(stage, done, total, things);
    const std::lock_guard lock(jobs_.mutex_);
    const std::optional<PacedProgress>& last = job_.state.progress;
    if (!last || last->stage != stage || now.seconds - last->seconds >= kPause) {
      job_.state.progress = now;
      ++job_.state.revision;
      jobs_.changed_.notify_all();
    }
    return !job_.cancelled;
  }
  void note(const std::string& /*text*/) override {}

 private:
  Jobs& jobs_;
  Job& job_;
  Pace pace_;
};

std::string stage_word(JobState::Stage stage) {
  switch (stage) {
    case JobState::Stage::waiting:
      return "waiting";
    case JobState::Stage::working:
      return "working";
    case JobState::Stage::done:
      return "done";
    case JobState::Stage::failed:
      return "failed";
    case JobState::Stage::cancelled:
      break;
  }
  return "cancelled";
}

Jobs::Jobs() : thread_([this] { work_on_all(); }) {}

Jobs::~Jobs() {
  stop();
  thread_.join();
}

void Jobs::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  for (auto& [id, job] : jobs_) job->cancelled = true;
  for (const auto& job : waiting_) change(*job, JobState::Stage::cancelled);
  waiting_.clear();
  changed_.notify_all();
}

void Jobs::change(Job& job, JobState::Stage stage) {
  job.state.stage = stage;
  if (job.state.over()) job.work = nullptr;  // with what it holds
  ++job.state.revision;
  changed_.notify_all();
}

absl::StatusOr<std::uint64_t> Jobs::begin(const std::string& key, Work work) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return absl::CancelledError("this program is being closed");
  if (const auto known = by_key_.find(key); known != by_key_.end()) {
    const Job& job = *jobs_.at(known->second);
    const bool goes_on = !job.state.over() && !job.cancelled;
    if (goes_on || job.state.stage == JobState::Stage::done) return job.state.id;
  }
  if (waiting_.size() >= kMostWaiting)
    return absl::UnavailableError(
        absl::StrCat(kMostWaiting, " things to work out are waiting already\n  try again once some of them are done"));
  forget_old();
  auto job = std::make_shared<Job>();
  job->state.id = ++last_id_;
  job->key = key;
  job->work = std::move(work);
  by_key_[key] = last_id_;
  jobs_[last_id_] = job;
  waiting_.push_back(std::move(job));
  changed_.notify_all();
  return last_id_;
}

// The oldest of those that are over.
void Jobs::forget_old() {
  for (auto job = jobs_.begin(); job != jobs_.end() && jobs_.size() >= kMostKept;) {
    if (!job->second->state.over()) {
      ++job;
      continue;
    }
    const auto known = by_key_.find(job->second->key);
    if (known != by_key_.end() && known->second == job->first) by_key_.erase(known);
    job = jobs_.erase(job);
  }
}

absl::StatusOr<JobState> Jobs::state(std::uint64_t id) const {
  return wait(id, ~std::uint64_t{0}, std::chrono::milliseconds(0));
}

absl::StatusOr<JobState> Jobs::wait(std::uint64_t id, std::uint64_t revision, std::chrono::milliseconds most) const {
  std::unique_lock lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return absl::NotFoundError(absl::StrCat("there is no job ", id));
  const std::shared_ptr<Job> job = found->second;
  changed_.wait_for(lock, most,
                    [&] { return job->state.over() || (most.count() > 0 && job->state.revision > revision); });
  return job->state;
}

absl::Status Jobs::cancel(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return absl::NotFoundError(absl::StrCat("there is no job ", id));
  found->second->cancelled = true;
  if (std::erase(waiting_, found->second) > 0) change(*found->second, JobState::Stage::cancelled);
  return absl::OkStatus();
}

void Jobs::work_on_all() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopped_ || !waiting_.empty(); });
    if (stopped_) return;
    const std::shared_ptr<Job> job = waiting_.front();
    waiting_.pop_front();
    change(*job, JobState::Stage::working);
    lock.unlock();
    absl::StatusOr<Json> done = absl::CancelledError();
    try {
      JobWatcher watcher(*this, *job);
      done = job->work(watcher);
    } catch (const std::bad_alloc&) {
      done = absl::ResourceExhaustedError("there is not enough memory for this\n  give a smaller board");
    } catch (const std::exception& error) {  // std::system_error among them, and what oneTBB throws
      done = absl::ResourceExhaustedError(absl::StrCat("the machine refuses what is needed: ", error.what()));
    }
    lock.lock();
    job->state.progress.reset();
    if (done.ok()) {
      job->state.result = std::make_shared<const Json>(*std::move(done));
      change(*job, JobState::Stage::done);
    } else {
      job->state.status = done.status();
      change(*job, absl::IsCancelled(done.status()) ? JobState::Stage::cancelled : JobState::Stage::failed);
    }
  }
}

}  // namespace plenum
