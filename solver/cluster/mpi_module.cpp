// SPDX-License-Identifier: Apache-2.0
// The module that calls MPI (mpi_calls.h): built where MPI's development files are, and loaded by the program.
#include <cstring>

#include <mpi.h>

#include "solver/cluster/mpi_calls.h"

namespace plenum {
namespace {

static_assert(sizeof(MPI_Request) <= sizeof(MpiRequest));

// A request is a pointer or a number, as MPI is made.
// NOLINTBEGIN(bugprone-sizeof-expression): of the pointer, not of what it points to
MpiRequest named(MPI_Request request) {
  MpiRequest out = 0;
  std::memcpy(&out, &request, sizeof(request));
  return out;
}
MPI_Request request_of(MpiRequest name) {
  MPI_Request out;
  std::memcpy(&out, &name, sizeof(out));
  return out;
}
// NOLINTEND(bugprone-sizeof-expression)
int count_of(std::size_t bytes) { return static_cast<int>(bytes); }

MpiCalls::World begin() {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MpiCalls::World out;
  MPI_Comm_rank(MPI_COMM_WORLD, &out.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &out.size);
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, out.rank, MPI_INFO_NULL, &machine);
  MPI_Comm_size(machine, &out.on_this_machine);
  MPI_Comm_free(&machine);
  return out;
}
void end() { MPI_Finalize(); }
void abort_all(int exit_code) { MPI_Abort(MPI_COMM_WORLD, exit_code); }

// NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): who begins and who waits know a request by its name
MpiRequest begin_all_to_all(const std::uint64_t* sent, std::uint64_t* came) {
  MPI_Request out = MPI_REQUEST_NULL;
  MPI_Ialltoall(sent, 1, MPI_UINT64_T, came, 1, MPI_UINT64_T, MPI_COMM_WORLD, &out);
  return named(out);
}
void gather_one(std::uint64_t own, std::uint64_t* all) {
  MPI_Allgather(&own, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, MPI_COMM_WORLD);
}
void gather(const void* own, std::size_t bytes, void* all, const int* counts, const int* places) {
  MPI_Allgatherv(own, count_of(bytes), MPI_BYTE, all, counts, places, MPI_BYTE, MPI_COMM_WORLD);
}
void broadcast(void* bytes, std::size_t size, int from) {
  MPI_Bcast(bytes, count_of(size), MPI_BYTE, from, MPI_COMM_WORLD);
}
MpiRequest begin_barrier() {
  MPI_Request out = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &out);
  return named(out);
}

MpiRequest send(const void* bytes, std::size_t size, int to, int tag) {
  MPI_Request out = MPI_REQUEST_NULL;
  MPI_Isend(bytes, count_of(size), MPI_BYTE, to, tag, MPI_COMM_WORLD, &out);
  return named(out);
}
MpiRequest receive(void* bytes, std::size_t size, int from, int tag) {
  MPI_Request out = MPI_REQUEST_NULL;
  MPI_Irecv(bytes, count_of(size), MPI_BYTE, from, tag, MPI_COMM_WORLD, &out);
  return named(out);
}
bool is_done(MpiRequest& name) {
  MPI_Request request = request_of(name);
  int done = 0;
  MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  name = named(request);
  return done != 0;
}
void wait(MpiRequest* requests, int count) {
  for (int k = 0; k < count; ++k) {
    MPI_Request request = request_of(requests[k]);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    requests[k] = named(request);
  }
}
// NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)
bool probe(int tag, int& from, std::size_t& size) {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return false;
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  from = status.MPI_SOURCE;
  size = static_cast<std::size_t>(bytes);
  return true;
}

constexpr MpiCalls kCalls = {begin,         end,  abort_all, begin_all_to_all, gather_one, gather, broadcast,
                             begin_barrier, send, receive,   is_done,          wait,       probe};

}  // namespace
}  // namespace plenum

extern "C" __attribute__((visibility("default"))) const plenum::MpiCalls* plenum_mpi_calls(const char* version) {
  return std::strcmp(version, plenum::kMpiCallsVersion) == 0 ? &plenum::kCalls : nullptr;
}
