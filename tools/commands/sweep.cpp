// SPDX-License-Identifier: Apache-2.0
#include "tools/commands/sweep.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include <tbb/task_arena.h>

#include "solver/cluster/farm.h"
#include "solver/study/move_counts.h"
#include "solver/support/memory.h"
#include "solver/support/threads.h"
#include "tools/session/run.h"
#include "variants/text/status_macros.h"

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
  Sweep(const SweepGames& games, const SweepSettings& settings)
      : games_(games), settings_(settings), rows_(games.size()), found_(games.size()) {}

  std::vector<SweepRow> run(const SweepProgressFn& progress) {
    std::vector<std::size_t> all;
    if (!settings_.ranks->root()) {
      work_on_ranks(all, progress);
      return {};
    }
    for (std::size_t i = 0; i < games_.size() && !stop_; ++i) {
      if (!known(i)) all.push_back(i);
      if (i % kBetweenLooks == 0) look(progress);
    }
    if (settings_.ranks->several()) {
      work_on_ranks(all, progress);
      return std::move(rows_);
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
  static constexpr std::size_t kBetweenLooks = 1000;  // games, while those known are gathered

  // Whether the row is there without solving: from the cache, or because there is no such game.
  bool known(std::size_t i) {
    SweepRow& row = rows_[i];
    const absl::StatusOr<Description> game = games_.game(i);
    const absl::StatusOr<GameIdentity> identity =
        game.ok() ? identify(*game) : absl::StatusOr<GameIdentity>(game.status());
    if (!identity.ok()) {
      fail(row, identity.status());
      return true;
    }
    std::optional<Json> kept = settings_.fresh ? std::nullopt : settings_.cache.load(*identity);
    if (!kept) return false;
    if (const auto error = kept->find("error"); error != kept->end()) {
      // It took more than there was. With other memory it may say something else, and so may a game of another name.
      if (kept->value("memory", std::uint64_t{0}) != settings_.memory || kept->value("name", "") != game->name)
        return false;
      fail(row, absl::ResourceExhaustedError(error->get<std::string>()));
    } else {
      // Others than the graph may have been taken for want of memory: with more there may be more to say.
      if (const auto at = kept->find("memory"); at != kept->end()) {
        if (at->get<std::uint64_t>() < settings_.memory && !chooses(*game, kept->value("method", ""))) return false;
        kept->erase(at);
      }
      row.state = SweepRow::State::solved;
      row.result = *std::move(kept);
      row.result["variant"] = game->name;  // equal games may have different names
    }
    row.known = true;
    return true;
  }

  // Whether the game is solved by this method with the memory that there is.
  bool chooses(const Description& described, const std::string& method) const {
    const absl::StatusOr<Variant> variant = Variant::make(described);
    if (!variant.ok()) return false;
    const absl::StatusOr<Choice> choice =
        choose(Game(*variant, variant->rules().start()), {.memory_bytes = settings_.memory});
    return choice.ok() && method_of(choice->method).name() == method;
  }

  static void fail(SweepRow& row, const absl::Status& status) {
    row.state = SweepRow::State::failed;
    row.error = std::string(status.message());
    row.code = exit_code(status);
  }

  // Calls progress, which may stop everything. Requires that nobody changes rows meanwhile.
  void look(const SweepProgressFn& progress) {
    SweepProgress now;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const bool done = rows_[i].state != SweepRow::State::waiting;
      now.done += done ? 1 : 0;
      now.positions += done ? 0 : found_[i].load();
    }
    if (!progress(rows_, now)) stop_ = true;
  }

  // Solves these games, `workers` at a time, and calls progress meanwhile. If there are no more threads to be had, fewer do it.
  void work(const std::vector<std::size_t>& list, std::size_t workers, std::uint64_t memory,
            const SweepProgressFn& progress) {
    const int threads = std::max(1, settings_.threads / static_cast<int>(workers));
    std::atomic<std::size_t> next{0};
    std::size_t running = 0;
    std::exception_ptr failure;
    const auto one_worker = [&] {
      try {
        tbb::task_arena arena(threads);
        for (std::size_t k = next++; k < list.size() && !stop_; k = next++)
          arena.execute([&] { finish(list[k], memory, threads); });
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex_);
        failure = std::current_exception();
        stop_ = true;
      }
      const std::lock_guard<std::mutex> lock(mutex_);
      --running;
      idle_.notify_one();
    };
    std::vector<std::thread> pool;
    pool.reserve(workers);
    for (std::size_t w = 0; w < workers; ++w) {
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        ++running;
      }
      try {
        pool.emplace_back(one_worker);
      } catch (const std::system_error&) {
        if (pool.empty()) {
          one_worker();
        } else {
          const std::lock_guard<std::mutex> lock(mutex_);
          --running;
        }
        break;
      }
    }
    std::unique_lock<std::mutex> lock(mutex_);
    for (bool last = false; !last;) {
      last = running == 0;
      try {
        look(progress);
      } catch (...) {
        failure = std::current_exception();
        stop_ = true;
      }
      if (!last) idle_.wait_for(lock, std::chrono::milliseconds(100));
    }
    lock.unlock();
    for (std::thread& thread : pool) thread.join();
    if (failure) std::rethrow_exception(failure);
  }

  // Hands these games out to all ranks, and calls progress meanwhile.
  void work_on_ranks(std::vector<std::size_t> list, const SweepProgressFn& progress) {
    const auto cells = [&](std::size_t i) {
      const absl::StatusOr<Description> game = games_.game(i);
      const Option* const board = game.ok() ? game->find_option("board") : nullptr;
      if (board == nullptr) return 0;
      const absl::StatusOr<Board> parsed = Board::parse(Span::whole("board", to_text(board->value)));
      return parsed.ok() ? parsed->size() : 0;
    };
    std::vector<std::pair<int, std::size_t>> by_size;
    by_size.reserve(list.size());
    for (const std::size_t i : list) by_size.emplace_back(-cells(i), i);
    std::sort(by_size.begin(), by_size.end());
    for (std::size_t k = 0; k < list.size(); ++k) list[k] = by_size[k].second;
    const FarmRoot root = {.done =
                               [&](std::size_t i, const absl::StatusOr<std::string>& text) {
                                 if (text.ok()) {
                                   read_row(rows_[i], *text);
                                 } else {
                                   fail(rows_[i], text.status());
                                 }
                               },
                           .note = settings_.note,
                           .go_on =
                               [&](std::size_t /*done*/) {
                                 look(progress);
                                 return !stop_.load();
                               },
                           .works = settings_.root_works};
    const auto one = [&](std::size_t i) {
      limit_threads(settings_.threads);
      begin_threads();
      finish(i, settings_.memory, settings_.threads);
      return row_text(rows_[i]);
    };
    run_farm(*settings_.ranks, list, one, root);
  }

  static std::string row_text(const SweepRow& row) {
    return Json{{"solved", row.state == SweepRow::State::solved},
                {"result", row.result},
                {"error", row.error},
                {"code", static_cast<int>(row.code)}}
        .dump();
  }
  static void read_row(SweepRow& row, const std::string& text) {
    Json read = Json::parse(text);
    row.state = read["solved"].get<bool>() ? SweepRow::State::solved : SweepRow::State::failed;
    row.result = std::move(read["result"]);
    row.error = read["error"].get<std::string>();
    row.code = static_cast<ExitCode>(read["code"].get<int>());
  }

  // By the method that the whole memory allows, so that a row does not depend on the number of workers. Sets whether values are known.
  absl::Status solve(std::size_t i, std::uint64_t memory, int threads, Json& result, bool& most) {
    const Clock::time_point start = Clock::now();
    const double cpu_start = thread_cpu_seconds();
    ASSIGN_OR_RETURN(const Description described, games_.game(i));
    ASSIGN_OR_RETURN(const Variant variant, Variant::make(described));
    const Game game(variant, variant.rules().start());
    Request request;
    request.wanted.memory_bytes = memory;
    request.wanted.extras.most_measured_edges = kMeasuredEdges;
    request.threads = threads;
    request.comes_again = memory != settings_.memory;
    request.progress = [&](const WorkProgress& p) {
      found_[i] = std::max(found_[i].load(), p.done);
      return !stop_;
    };
    ASSIGN_OR_RETURN(Choice choice, choose(game, {.memory_bytes = settings_.memory}));
    ASSIGN_OR_RETURN(const std::shared_ptr<const Result> solved, plenum::solve(game, choice, request));
    const Summary& summary = solved->summary();
    if (summary.stopped) return absl::CancelledError("interrupted");
    ASSIGN_OR_RETURN(const std::optional<Measures> measures,
                     measures_of(*solved, {}, Ranks::alone(), [&](std::uint64_t /*positions*/) { return !stop_; }));
    Cost cost;
    cost.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    // A search works in threads of its own.
    if (threads == 1 && !summary.work) cost.cpu_seconds = thread_cpu_seconds() - cpu_start;
    cost.threads = threads;
    result = solve_json(summary, cost);
    result["measures"] = measures_json(measures);
    most = find_method(summary.method)->offers().cycles;
    return absl::OkStatus();
  }

  // Fills the row in, unless it is to be tried again.
  void finish(std::size_t i, std::uint64_t memory, int threads) {
    SweepRow row;
    bool most = true;  // is said that any method would say
    bool machine_full = false;
    const absl::Status solved = [&]() -> absl::Status {
      try {
        return solve(i, memory, threads, row.result, most);
      } catch (const std::bad_alloc&) {
        machine_full = true;
        return absl::ResourceExhaustedError(
            "memory: the machine has no more\n  give a lower --memory, or take a smaller board");
      }
    }();
    if (absl::IsCancelled(solved)) return;
    const bool whole = memory == settings_.memory;
    if (solved.ok()) {
      row.state = SweepRow::State::solved;
      Json kept = row.result;
      if (!most) kept["memory"] = settings_.memory;
      keep(i, kept);
    } else {
      fail(row, solved);
      // What the budget refuses it will refuse again; what the machine had no room for may fit another time.
      if (row.code == kLimit && whole && !machine_full)
        keep(i, Json{{"error", row.error}, {"memory", settings_.memory}, {"name", games_.description.name}});
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    if (row.code == kLimit && !whole) {
      again_.push_back(i);
    } else {
      rows_[i] = std::move(row);
    }
  }

  void keep(std::size_t i, const Json& result) {
    const absl::StatusOr<Description> game = games_.game(i);
    const absl::StatusOr<GameIdentity> identity =
        game.ok() ? identify(*game) : absl::StatusOr<GameIdentity>(game.status());
    if (identity.ok()) settings_.cache.save(*identity, result);
  }

  const SweepGames& games_;
  const SweepSettings& settings_;
  std::vector<SweepRow> rows_;
  std::vector<std::atomic<std::uint64_t>> found_;  // positions of each game so far
  std::vector<std::size_t> again_;
  std::mutex mutex_;              // of rows_, again_
  std::condition_variable idle_;  // a worker has nothing left to do
  std::atomic<bool> stop_{false};
};

}  // namespace

std::size_t SweepGames::size() const {
  std::size_t out = 1;
  for (const Dimension& d : dimensions) out *= d.values.size();
  return out;
}

std::vector<std::string> SweepGames::values(std::size_t i) const {
  std::vector<std::string> out(dimensions.size());
  for (std::size_t d = dimensions.size(); d-- > 0; i /= dimensions[d].values.size())
    out[d] = dimensions[d].values[i % dimensions[d].values.size()];
  return out;
}

absl::StatusOr<Description> SweepGames::game(std::size_t i) const {
  Description out = description;
  const std::vector<std::string> chosen = values(i);
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    RETURN_IF_ERROR(set_value(out, dimensions[d].name, chosen[d]));
  }
  return out;
}

std::vector<SweepRow> sweep(const SweepGames& games, const SweepSettings& settings, const SweepProgressFn& progress) {
  return Sweep(games, settings).run(progress);
}

}  // namespace plenum
