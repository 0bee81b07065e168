// SPDX-License-Identifier: Apache-2.0
// The ranks of this run: those that mpirun or srun began, or the process alone.
//
//     int main(int argc, char** argv) {
//       const RanksOfRun run;                 // before anything else, and for as long as the program runs
//       return run.finish(work(RanksOfRun::current()));
//
// MPI is loaded (mpi_calls.h) and begun only where more than one rank was started, so without mpirun nothing changes. A program that was
// built without MPI, or cannot load it, and is started as one of several ranks says so and ends with exit code 3.
//
// Thread-safety: one, made by the main thread.
// Source: the MPI standard, version 3.1; Open MPI 4.1. Messages are cut into pieces, as MPI counts in int.
#pragma once

#include <functional>
#include <memory>

#include "solver/cluster/ranks.h"

namespace plenum {

class RanksOfRun {
 public:
  RanksOfRun();
  // Waits for the other ranks, asleep. Where one is gone, that ends the process (finish()).
  ~RanksOfRun();
  // The program's exit code, for main() to return.
  int finish(int exit_code) const;
  RanksOfRun(const RanksOfRun&) = delete;
  RanksOfRun& operator=(const RanksOfRun&) = delete;
  // Those of the one that lives, or the process alone.
  static Ranks& current();

 private:
  std::unique_ptr<Ranks> several_;
  std::function<void()> end_;
};

// How many ranks were started, by what the launcher puts into the environment (Open MPI, PMIx, PMI); 1 without one.
int ranks_started();

}  // namespace plenum
