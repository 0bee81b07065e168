// SPDX-License-Identifier: Apache-2.0
// Many games solved, a row each: in parallel within one memory budget, nothing twice.
//
// Each thread solves a game of its own with an even share of the memory. Games that the share is not enough for come again
// at the end, one at a time with all of it and all threads. Results are kept as soon as they are there, so a run that is
// killed goes on from there. Several ranks do one game each at a time, the largest first, in processes of their own (solver/cluster/farm.h);
// the rows are the root's. What a row says does not depend on the number of threads, its cost apart.
//
//     std::vector<SweepRow> rows = sweep(games, settings, [&](const auto& rows, const SweepProgress&) { return !stopped; });
//
// Thread-safety: one call at a time; the callback is called in the calling thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "solver/cluster/ranks.h"
#include "tools/console/exit_codes.h"
#include "tools/report/json_report.h"
#include "tools/session/dimensions.h"
#include "tools/session/result_cache.h"

namespace plenum {

// Games that differ in the values of some options, the last varying fastest.
struct SweepGames {
  Description description;
  std::vector<Dimension> dimensions;

  std::size_t size() const;
  std::vector<std::string> values(std::size_t i) const;  // of the dimensions, in game i
  // Game i. Its values are ones that the options take.
  absl::StatusOr<Description> game(std::size_t i) const;
};

struct SweepRow {
  enum class State { waiting, solved, failed };
  State state = State::waiting;
  Json result;        // as of solve, where solved
  std::string error;  // where failed
  ExitCode code = kDone;
  bool known = false;  // from the cache
};

struct SweepSettings {
  std::uint64_t memory = 0;  // bytes for the process as a whole
  int threads = 1;
  ResultCache cache;
  bool fresh = false;  // do not look into the cache
  Ranks* ranks = &Ranks::alone();
  bool root_works = true;                             // it has begun no threads
  std::function<void(const std::string&)> note = {};  // of ranks that died
};

struct SweepProgress {
  std::size_t done = 0;         // rows
  std::uint64_t positions = 0;  // found in the games being solved
};
// Called again and again; stops when it returns false. Rows not reached stay waiting.
using SweepProgressFn = std::function<bool(const std::vector<SweepRow>& rows, const SweepProgress& progress)>;
std::vector<SweepRow> sweep(const SweepGames& games, const SweepSettings& settings, const SweepProgressFn& progress);

}  // namespace plenum
