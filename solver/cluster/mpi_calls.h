// SPDX-License-Identifier: Apache-2.0
// What of MPI the program uses, as functions of a module (mpi_module.cpp) that is loaded where several ranks were started: MPI's libraries
// take 10 MB of every process, and the program runs on machines without them.
//
// Thread-safety: from the main thread (MPI_THREAD_FUNNELED). Counts of bytes are below 2^31.
// Source: the MPI standard, version 3.1.
#pragma once

#include <cstddef>
#include <cstdint>

namespace plenum {

// What is on its way, as MPI names it.
using MpiRequest = std::uintptr_t;

struct MpiCalls {
  struct World {
    int rank = 0;
    int size = 1;
    int on_this_machine = 1;
  };
  World (*begin)();
  void (*end)();
  void (*abort)(int exit_code);

  // Collective.
  MpiRequest (*begin_all_to_all)(const std::uint64_t* sent, std::uint64_t* came);  // one for each rank
  void (*gather_one)(std::uint64_t own, std::uint64_t* all);                       // one of each rank
  void (*gather)(const void* own, std::size_t bytes, void* all, const int* counts,
                 const int* places);  // of each rank `counts` bytes
  void (*broadcast)(void* bytes, std::size_t size, int from);
  MpiRequest (*begin_barrier)();

  MpiRequest (*send)(const void* bytes, std::size_t size, int to, int tag);
  MpiRequest (*receive)(void* bytes, std::size_t size, int from, int tag);
  bool (*is_done)(MpiRequest& request);
  void (*wait)(MpiRequest* requests, int count);  // for all
  // Whether a message with this tag has come: of whom, and its size.
  bool (*probe)(int tag, int& from, std::size_t& size);
};

// What the module calls its function, `extern "C" const MpiCalls* plenum_mpi_calls(const char* version)`: null if it was built with another
// version of this file.
inline constexpr const char* kMpiCalls = "plenum_mpi_calls";
inline constexpr const char* kMpiCallsVersion = "1";
using MpiCallsFn = const MpiCalls* (*)(const char* version);

}  // namespace plenum
