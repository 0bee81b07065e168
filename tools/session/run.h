// SPDX-License-Identifier: Apache-2.0
// One solve or search as the command line asks for it: threads, memory, progress, and what it cost.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "solver/method/method.h"
#include "solver/study/reach.h"
#include "tools/console/game_arguments.h"
#include "tools/console/progress.h"
#include "tools/report/json_report.h"

namespace plenum {

// How many threads are asked for, and how many of them can be had (solver/support/threads.h).
int wanted_threads(const RunArguments& arguments);
int usable_threads(const RunArguments& arguments);

// Has large arrays lie in the folder that is asked for, if one is. kResourceExhausted if it cannot be used.
absl::Status begin_scratch(const RunArguments& arguments);

// Thread-safety: belongs to one thread; one at a time. The threads of the last one made are those that oneTBB may take from then on.
class Run {
 public:
  explicit Run(const RunArguments& arguments);
  // Somebody else watches, who outlives it.
  Run(const RunArguments& arguments, Watcher& watcher);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // Those that solve together what this run solves.
  Ranks& ranks() const { return *arguments_.ranks; }
  // What is wanted, within the memory, threads and patience that are asked for. Keeps a reference to this.
  absl::StatusOr<Request> request(const Wanted& wanted, std::uint64_t held_bytes = 0);
  // The method for a game within the memory that is asked for.
  absl::StatusOr<Choice> choose(const Game& game, Wanted wanted, std::uint64_t held_bytes = 0) const;
  // Whether one position of it is better solved from there (solver/method/method.h).
  absl::StatusOr<bool> better_from(const Game& game, const Position& position, Wanted wanted) const;
  // With a request of this run, and words about it.
  absl::StatusOr<std::shared_ptr<const Result>> solve(const Method& method, const Game& game, const Request& request);
  // One position, solved from there, and no more than its value. kResourceExhausted, kCancelled and kUnimplemented as of
  // Method::solve; kInvalidArgument if the memory that is asked for cannot be read.
  absl::StatusOr<PositionValue> value(const Variant& variant, const Position& at);
  // Reads all of a table: kDataLoss if it is damaged anywhere. And holds it against the rules.
  absl::Status check(const TableReader& table);
  absl::StatusOr<Verification> verify(const Method& method, const Game& game, const TableReader& table,
                                      const Result& opened);
  // To the goal that the variant was made with.
  absl::StatusOr<Reach> reach(const Variant& variant, const Position& start, std::optional<int> depth);
  void note(const std::string& text) { watcher_.note(text); }
  // Progress of work that is the caller's; false: stop.
  bool show(const std::string& what, std::uint64_t done, const std::string& things) {
    stages_.begin(what);
    return watcher_.show(what, done, 0, things);
  }
  void finish() {
    stages_.end();
    watcher_.finish();
  }
  // What is done from now on that no solver reports: its time is told in cost().
  void begin_stage(std::string_view stage) { stages_.begin(stage); }
  // But for the stage that goes on.
  Cost cost() const;

 private:
  Run(const RunArguments& arguments, std::unique_ptr<Watcher> watcher);
  // A warning where a game may have very many positions.
  void note_size(const Variant& variant, const Position& start);

  RunArguments arguments_;
  int thread_count_ = 1;
  std::unique_ptr<Watcher> own_watcher_;
  Watcher& watcher_;
  std::chrono::steady_clock::time_point start_;
  double cpu_start_ = 0;
  StageTimes stages_;
};

}  // namespace plenum
