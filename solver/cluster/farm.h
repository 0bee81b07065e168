// SPDX-License-Identifier: Apache-2.0
// Jobs handed out to ranks as these become free: each is done in a process of its own, which a rank begins for it.
//
//     // on all ranks; the jobs are the root's to give, the largest first
//     run_farm(ranks, jobs, [&](std::size_t job) { return text_of(solve(job)); },          // in the process of a job
//              {.done = [&](std::size_t job, const absl::StatusOr<std::string>& text) { ... }, .note = ..., .go_on = ...});
//
// A process that dies (out of memory, killed) costs its job alone: the root hears of it and gives the job out again, once. So it is with a
// rank that is not heard of any more, where the launcher lets the others live (mpirun --enable-recovery); the run then ends without
// MPI_Finalize. A rank that was only stopped works again when it is heard of again. Without the root the others end the run. What a
// process holds goes with it.
//
// Thread-safety: collective, from the main thread. No threads may have been begun in a rank that works, as a process that is forked has
// none of them: oneTBB is begun in `work`. The root works too unless that is too late for it.
// Cost: a fork and a pipe a job; a look every 2 ms.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include <absl/status/statusor.h>

#include "solver/cluster/ranks.h"

namespace plenum {

using FarmWorkFn = std::function<std::string(std::size_t job)>;

// What the root hears.
struct FarmRoot {
  std::function<void(std::size_t job, const absl::StatusOr<std::string>& result)>
      done;                                           // an error: its process died twice
  std::function<void(const std::string&)> note = {};  // of processes and ranks that died
  std::function<bool(std::size_t done)> go_on = {};   // false: stop
  bool works = true;
};

// `root` is asked on the root alone, which gives the jobs. Returns when all are done, or stopped.
void run_farm(Ranks& ranks, std::span<const std::size_t> jobs, const FarmWorkFn& work, const FarmRoot& root);

}  // namespace plenum
