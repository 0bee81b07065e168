// SPDX-License-Identifier: Apache-2.0
#include "tools/sweep.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <exception>
#include <mutex>
#include <new>
#include <thread>

#include <tbb/task_arena.h>

#include "solver/memory.h"
#include "tools/run.h"

namespace plenum {
namespace {

using Clock = std::chrono::steady_clock;

double thread_cpu_seconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class Sweep {
 public:
  Sweep(const std::vector<SweepGame>& games, const SweepSettings& settings)
      : games_(games), settings_(settings), rows_(games.size()), identity_(games.size()), found_(games.size()) {}

  std::vector<SweepRow> run(const SweepProgressFn& progress) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < games_.size(); ++i) {
      if (!known(i)) all.push_back(i);
    }
    const auto workers = std::clamp<std::size_t>(all.size(), 1, static_cast<std::size_t>(settings_.threads));
    const std::uint64_t base = std::min(base_memory(), settings_.memory);
    work(all, workers, base + (settings_.memory - base) / workers, progress);
    std::sort(again_.begin(), again_.end());
    if (workers > 1 && !stop_) {
      release_free_memory();
      work(again_, 1, settings_.memory, progress);
    }
    return std::move(rows_);
  }

 private:
  // Whether the row is there without solving: from the cache, or because there is no such game.
  bool known(std::size_t i) {
    SweepRow& row = rows_[i];
    const absl::StatusOr<GameIdentity> identity = identify(games_[i].description);
    if (!identity.ok()) {
      fail(row, identity.status());
      return true;
    }
    identity_[i] = *identity;
    std::optional<Json> kept = settings_.fresh ? std::nullopt : settings_.cache.load(*identity);
    if (!kept) return false;
    if (const auto error = kept->find("error"); error != kept->end()) {
      // It took more than there was; with more memory than then it may not.
      if (settings_.memory > kept->value("memory", std::uint64_t{0})) return false;
      fail(row, absl::ResourceExhaustedError(error->get<std::string>()));
    } else {
      row.state = SweepRow::State::solved;
      row.result = *std::move(kept);
      row.result["variant"] = games_[i].description.name;  // equal games may have different names
    }
    row.known = true;
    return true;
  }

  void fail(SweepRow& row, const absl::Status& status) {
    row.state = SweepRow::State::failed;
    row.error = std::string(status.message());
    row.code = exit_code(status);
  }

  // Solves these games, `workers` at a time, and calls progress meanwhile.
  void work(const std::vector<std::size_t>& list, std::size_t workers, std::uint64_t memory,
            const SweepProgressFn& progress) {
    const int threads = std::max(1, settings_.threads / static_cast<int>(workers));
    std::atomic<std::size_t> next{0};
    std::size_t running = workers;
    std::vector<std::thread> pool;
    for (std::size_t w = 0; w < workers; ++w) {
      pool.emplace_back([&] {
        tbb::task_arena arena(threads);
        for (std::size_t k = next++; k < list.size() && !stop_; k = next++)
          arena.execute([&] { finish(list[k], memory, threads); });
        const std::lock_guard<std::mutex> lock(mutex_);
        --running;
        idle_.notify_one();
      });
    }
    std::unique_lock<std::mutex> lock(mutex_);
    for (bool last = false; !last;) {
      last = running == 0;
      SweepProgress now;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const bool done = rows_[i].state != SweepRow::State::waiting;
        now.done += done ? 1 : 0;
        now.positions += done ? 0 : found_[i].load();
      }
      if (!progress(rows_, now)) stop_ = true;
      if (!last) idle_.wait_for(lock, std::chrono::milliseconds(100));
    }
    lock.unlock();
    for (std::thread& thread : pool) thread.join();
  }

  absl::Status solve(std::size_t i, std::uint64_t memory, int threads, Json& result) {
    const Clock::time_point start = Clock::now();
    const double cpu_start = thread_cpu_seconds();
    const absl::StatusOr<Variant> variant = Variant::make(games_[i].description);
    if (!variant.ok()) return variant.status();
    const absl::StatusOr<SolvedGame> game =
        solve_within(*variant, variant->rules().start(), {}, memory, [&](const AnalysisProgress& p) {
          found_[i] = p.stage == Stage::enumerate ? p.done : p.total;
          return !stop_;
        });
    if (!game.ok()) return game.status();
    Cost cost;
    cost.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    cost.cpu_seconds = threads == 1 ? std::optional<double>(thread_cpu_seconds() - cpu_start) : std::nullopt;
    cost.threads = threads;
    result = solve_json(*game, cost);
    return absl::OkStatus();
  }

  // Fills the row in, unless it is to be tried again.
  void finish(std::size_t i, std::uint64_t memory, int threads) {
    SweepRow row;
    const absl::Status solved = [&]() -> absl::Status {
      try {
        return solve(i, memory, threads, row.result);
      } catch (const std::bad_alloc&) {
        return absl::ResourceExhaustedError(
            "memory: the machine has no more\n  give a lower --memory, or take a smaller board");
      } catch (const std::exception& error) {
        return absl::InternalError(error.what());
      }
    }();
    if (absl::IsCancelled(solved)) return;
    const bool whole = memory == settings_.memory;
    if (solved.ok()) {
      row.state = SweepRow::State::solved;
      settings_.cache.save(identity_[i], row.result);
    } else {
      fail(row, solved);
      if (row.code == kLimit && whole)
        settings_.cache.save(identity_[i], Json{{"error", row.error}, {"memory", settings_.memory}});
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    if (row.code == kLimit && !whole) {
      again_.push_back(i);
    } else {
      rows_[i] = std::move(row);
    }
  }

  const std::vector<SweepGame>& games_;
  const SweepSettings& settings_;
  std::vector<SweepRow> rows_;
  std::vector<GameIdentity> identity_;
  std::vector<std::atomic<std::uint64_t>> found_;  // positions of each game so far
  std::vector<std::size_t> again_;
  std::mutex mutex_;              // of rows_, again_
  std::condition_variable idle_;  // a worker has nothing left to do
  std::atomic<bool> stop_{false};
};

}  // namespace

std::vector<SweepRow> sweep(const std::vector<SweepGame>& games, const SweepSettings& settings,
                            const SweepProgressFn& progress) {
  return Sweep(games, settings).run(progress);
}

}  // namespace plenum
