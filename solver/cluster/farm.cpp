// SPDX-License-Identifier: Apache-2.0
#include "solver/cluster/farm.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include <absl/strings/str_cat.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace plenum {
namespace {

using FarmClock = std::chrono::steady_clock;

constexpr auto kLook = std::chrono::milliseconds(2);
constexpr auto kHeard = std::chrono::seconds(1);     // a rank is heard of at least as often
constexpr auto kSilence = std::chrono::seconds(15);  // after which it is given up
// The root may be busy with a result; without it there is nobody to go on with.
constexpr auto kRootSilence = std::chrono::seconds(30);
constexpr auto kLongestGap =
    std::chrono::seconds(1);  // between two looks; in a longer one this process did not run itself
constexpr int kTries = 2;

// The time between looks, as far as this process ran: it may have been stopped, alone or with its machine.
class Looks {
 public:
  FarmClock::duration next() {
    const FarmClock::time_point now = FarmClock::now();
    return std::min<FarmClock::duration>(now - std::exchange(last_, now), kLongestGap);
  }

 private:
  FarmClock::time_point last_ = FarmClock::now();
};

// What letters say, behind the number of the farm: a rank that was given up by mistake may still be in an earlier one.
enum class Says : std::uint8_t { alive, done, died, take, end, end_without_some };

// The process of one job, as the rank that began it sees it.
class JobProcess {
 public:
  JobProcess(std::size_t job, const FarmWorkFn& work) : job_(job) {
    std::array<int, 2> ends = {-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
    const pid_t parent = getpid();
    process_ = fork();
    if (process_ == 0) {
      close(ends[0]);
      prctl(PR_SET_PDEATHSIG, SIGKILL);  // with its rank
      if (getppid() != parent) _exit(1);
      _exit(do_job(ends[1], job, work) ? 0 : 1);
    }
    close(ends[1]);
    from_ = ends[0];
    if (process_ > 0) fcntl(from_, F_SETFL, O_NONBLOCK);
  }
  JobProcess(const JobProcess&) = delete;
  JobProcess& operator=(const JobProcess&) = delete;
  ~JobProcess() {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    if (from_ >= 0) close(from_);
  }

  std::size_t job() const { return job_; }
  // Its result or how it died, once it has ended.
  std::optional<absl::StatusOr<std::string>> ended() {
    if (process_ < 0) return absl::StatusOr<std::string>(absl::UnavailableError("no process could be begun"));
    std::array<char, 65536> piece;
    while (true) {
      const ssize_t got = ::read(from_, piece.data(), piece.size());
      if (got > 0) {
        text_.append(piece.data(), static_cast<std::size_t>(got));
      } else if (got < 0 && errno == EINTR) {
        continue;
      } else if (got < 0 && errno == EAGAIN) {
        return std::nullopt;
      } else {
        break;
      }
    }
    int how = 0;
    while (waitpid(process_, &how, 0) < 0 && errno == EINTR) continue;
    process_ = 0;
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0) return absl::StatusOr<std::string>(std::move(text_));
    const std::string why = WIFSIGNALED(how) ? absl::StrCat("was ended by signal ", WTERMSIG(how))
                                             : absl::StrCat("ended with code ", WEXITSTATUS(how));
    return absl::StatusOr<std::string>(absl::UnavailableError(why));
  }

 private:
  // Nothing may leave the process of a job but its result.
  static bool do_job(int to, std::size_t job, const FarmWorkFn& work) {
    try {
      return write_all(to, work(job));
    } catch (...) {
      return false;
    }
  }
  static bool write_all(int to, const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t put = ::write(to, text.data() + at, text.size() - at);
      if (put < 0 && errno != EINTR) return false;
      if (put > 0) at += static_cast<std::size_t>(put);
    }
    return true;
  }

  std::size_t job_;
  pid_t process_ = -1;
  int from_ = -1;
  std::string text_;
};

Parcel letter_of(std::uint64_t farm, Says what, std::uint64_t job = 0, std::string_view text = {}) {
  Parcel out;
  put(out, farm);
  put(out, what);
  put(out, job);
  put(out, std::span<const char>(text));
  return out;
}

Parcel result_letter(std::uint64_t farm, std::size_t job, const absl::StatusOr<std::string>& result) {
  if (result.ok()) return letter_of(farm, Says::done, job, *result);
  return letter_of(farm, Says::died, job, {result.status().message().data(), result.status().message().size()});
}

struct FarmLetter {
  std::uint64_t farm = 0;
  Says says = Says::alive;
  std::size_t job = 0;
  std::string text;
};
FarmLetter read_letter(const Parcel& bytes) {
  ParcelReader reader(bytes);
  FarmLetter out;
  out.farm = reader.get<std::uint64_t>();
  out.says = reader.get<Says>();
  out.job = reader.get<std::uint64_t>();
  const auto text = reader.bytes(reader.left());
  out.text.assign(text.begin(), text.end());
  return out;
}

// What a rank does that is not the root.
void serve(Ranks& ranks, std::uint64_t farm, const FarmWorkFn& work) {
  std::optional<JobProcess> process;
  Looks looks;
  FarmClock::duration unsaid = kHeard;             // since this rank was heard of
  std::optional<FarmClock::duration> silent_root;  // since the root was; it may come later
  while (true) {
    const FarmClock::duration gap = looks.next();
    if ((unsaid += gap) >= kHeard) {
      ranks.send(0, letter_of(farm, Says::alive));
      unsaid = {};
    }
    if (silent_root && (*silent_root += gap) >= kRootSilence)
      ranks.end_run(kExitNoMeans, absl::StrCat("plenum: rank ", ranks.rank(), ": rank 0 is not heard of any more"));
    while (const std::optional<Ranks::Letter> letter = ranks.receive()) {
      const FarmLetter told = read_letter(letter->bytes);
      if (told.farm != farm) continue;
      silent_root = FarmClock::duration();
      if (told.says == Says::take) process.emplace(told.job, work);
      if (told.says == Says::end_without_some) ranks.lose();
      if (told.says == Says::end || told.says == Says::end_without_some) return;
    }
    if (process) {
      if (const auto result = process->ended()) {
        ranks.send(0, result_letter(farm, process->job(), *result));
        process.reset();
      }
    }
    std::this_thread::sleep_for(kLook);
  }
}

class FarmLead {
 public:
  FarmLead(Ranks& ranks, std::span<const std::size_t> jobs, const FarmWorkFn& work, const FarmRoot& root)
      : ranks_(ranks),
        farm_(ranks.next_farm()),
        work_(work),
        root_(root),
        waiting_(jobs.begin(), jobs.end()),
        of_(jobs.size()),
        left_(jobs.size()) {
    for (int r = 0; r < ranks.size(); ++r) workers_.emplace_back();
    workers_[0].free = root.works;
  }

  void run() {
    Looks looks;
    while (left_ > 0 && root_.go_on(of_ - left_)) {
      const FarmClock::duration gap = looks.next();
      for (Worker& one : workers_) one.silent += gap;
      hear();
      if (own_) {
        if (const auto result = own_->ended()) {
          own_.reset();
          finish(0, *result);
        }
      }
      give_up_silent();
      hand_out();
      say_alive(gap);
      std::this_thread::sleep_for(kLook);
    }
    own_.reset();
    const bool some_lost = std::any_of(workers_.begin(), workers_.end(), [](const Worker& w) { return w.lost; });
    tell_all(some_lost ? Says::end_without_some : Says::end);
    if (some_lost) ranks_.lose();
  }

 private:
  struct Worker {
    bool free = false;  // it is heard of first
    bool lost = false;  // until it is heard of again
    std::optional<std::size_t> job = {};
    FarmClock::duration silent = {};  // since it was heard of
  };
  Worker& worker(int r) { return workers_[static_cast<std::size_t>(r)]; }

  void tell_all(Says what) {
    for (int r = 1; r < ranks_.size(); ++r) {
      if (!worker(r).lost) ranks_.send(r, letter_of(farm_, what));
    }
  }
  void say_alive(FarmClock::duration gap) {
    if ((unsaid_ += gap) < kHeard) return;
    unsaid_ = {};
    tell_all(Says::alive);
  }

  void hear() {
    while (const std::optional<Ranks::Letter> letter = ranks_.receive()) {
      Worker& from = worker(letter->from);
      const FarmLetter told = read_letter(letter->bytes);
      if (told.farm != farm_) {
        ranks_.send(letter->from, letter_of(told.farm, Says::end_without_some));  // it comes to this one
        continue;
      }
      if (std::exchange(from.lost, false)) root_.note(absl::StrCat("rank ", letter->from, " is heard of again"));
      from.silent = {};
      const bool of_job = from.job && *from.job == told.job;
      if (of_job && told.says == Says::done) finish(letter->from, told.text);
      if (of_job && told.says == Says::died) finish(letter->from, absl::UnavailableError(told.text));
      if (!from.job) from.free = true;
    }
  }

  void finish(int rank, const absl::StatusOr<std::string>& result) {
    Worker& by = worker(rank);
    const std::size_t job = *by.job;
    by.job.reset();
    by.free = true;
    if (result.ok()) {
      --left_;
      root_.done(job, result);
    } else {
      lost(job, absl::StrCat("the process of rank ", rank, " ", std::string(result.status().message())));
    }
  }

  void lost(std::size_t job, const std::string& why) {
    if (++tries_[job] < kTries) {
      root_.note(absl::StrCat(why, ": its game is solved again"));
      waiting_.push_front(job);
      return;
    }
    --left_;
    root_.done(job,
               absl::ResourceExhaustedError(absl::StrCat(
                   why, ", and so it was before\n  give each rank less memory with --memory, or start fewer ranks")));
  }

  void give_up_silent() {
    for (int r = 1; r < ranks_.size(); ++r) {
      Worker& one = worker(r);
      if (one.lost || one.silent < kSilence) continue;
      one.lost = true;
      one.free = false;
      const std::string why = absl::StrCat("rank ", r, " is not heard of any more");
      if (one.job) {
        lost(*one.job, why);
        one.job.reset();
      } else {
        root_.note(why);
      }
      // Nobody is left to do the rest.
      if (!root_.works && std::all_of(workers_.begin() + 1, workers_.end(), [](const Worker& w) { return w.lost; })) {
        for (const std::size_t job : waiting_) root_.done(job, absl::ResourceExhaustedError("no rank is left"));
        left_ -= waiting_.size();
        waiting_.clear();
      }
    }
  }

  void hand_out() {
    for (int r = 0; r < ranks_.size() && !waiting_.empty(); ++r) {
      Worker& one = worker(r);
      if (!one.free) continue;
      one.free = false;
      one.job = waiting_.front();
      waiting_.pop_front();
      if (r == 0) {
        own_.emplace(*one.job, work_);
      } else {
        ranks_.send(r, letter_of(farm_, Says::take, *one.job));
      }
    }
  }

  Ranks& ranks_;
  const std::uint64_t farm_;
  const FarmWorkFn& work_;
  const FarmRoot& root_;
  std::deque<std::size_t> waiting_;
  std::size_t of_;
  std::size_t left_;
  std::vector<Worker> workers_;
  std::optional<JobProcess> own_;  // of the root
  std::map<std::size_t, int> tries_;
  FarmClock::duration unsaid_ = kHeard;  // since all ranks were told that this one lives
};

}  // namespace

void run_farm(Ranks& ranks, std::span<const std::size_t> jobs, const FarmWorkFn& work, const FarmRoot& root) {
  if (ranks.root()) {
    FarmLead(ranks, jobs, work, root).run();
  } else {
    serve(ranks, ranks.next_farm(), work);
  }
}

}  // namespace plenum
