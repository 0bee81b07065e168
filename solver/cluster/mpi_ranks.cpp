// SPDX-License-Identifier: Apache-2.0
#include "solver/cluster/mpi_ranks.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <thread>

#include <unistd.h>

#include "solver/support/memory.h"

#if defined(PLENUM_MPI)
#include <mpi.h>
#endif

namespace plenum {

namespace {

Ranks* current_ranks = nullptr;

}  // namespace

Ranks& RanksOfRun::current() { return current_ranks != nullptr ? *current_ranks : Ranks::alone(); }

int RanksOfRun::finish(int exit_code) const {
  if (several_ == nullptr || several_->complete()) return exit_code;
  std::cout.flush();
  std::fflush(nullptr);
  std::_Exit(exit_code);
}

int ranks_started() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* const value = std::getenv(name);
    // A step of Slurm has tasks without MPI too, in batch scripts one.
    if (value != nullptr && std::atoi(value) > 0) return std::atoi(value);
  }
  return 1;
}

#if defined(PLENUM_MPI)

bool has_mpi() { return true; }

namespace {

constexpr std::size_t kMessage = std::size_t{1} << 30;  // bytes of one message
constexpr int kBytesTag = 1;                            // of exchanges, broadcasts
constexpr int kLetterTag = 2;

int as_count(std::size_t bytes) { return static_cast<int>(bytes); }
void nap() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

// Requests of one exchange.
class Pieces {
 public:
  void send(int to, const Parcel& bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += kMessage) {
      MPI_Isend(bytes.data() + at, as_count(std::min(kMessage, bytes.size() - at)), MPI_BYTE, to, kBytesTag,
                MPI_COMM_WORLD, &requests_.emplace_back());
    }
  }
  void receive(int from, Parcel& bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += kMessage) {
      MPI_Irecv(bytes.data() + at, as_count(std::min(kMessage, bytes.size() - at)), MPI_BYTE, from, kBytesTag,
                MPI_COMM_WORLD, &requests_.emplace_back());
    }
  }
  void finish() {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
  }

 private:
  std::vector<MPI_Request> requests_;
};

class MpiRanks final : public Ranks {
 public:
  MpiRanks(int rank, int size, int on_this_machine, std::uint64_t memory_share, int words)
      : Ranks(rank, size, on_this_machine, memory_share), words_(words) {}

  std::unique_ptr<Exchange> begin_exchange(std::vector<Parcel> to) override {
    std::vector<std::uint64_t> sent(to.size());
    for (std::size_t r = 0; r < to.size(); ++r) sent[r] = to[r].size();
    std::vector<std::uint64_t> comes(to.size());
    MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, comes.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
    return std::make_unique<OnTheWay>(rank(), std::move(to), comes);
  }

  std::vector<Parcel> gather(std::span<const std::uint8_t> own) override {
    const auto n = static_cast<std::size_t>(size());
    const std::uint64_t mine = own.size();
    std::vector<std::uint64_t> sizes(n);
    MPI_Allgather(&mine, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
    std::uint64_t all = 0;
    for (const std::uint64_t one : sizes) all += one;
    std::vector<Parcel> out(n);
    if (all > kMessage) {
      for (std::size_t r = 0; r < n; ++r) {
        if (static_cast<int>(r) == rank()) out[r] = Parcel(own);
        out[r] = broadcast(static_cast<int>(r), std::move(out[r]));
      }
      return out;
    }
    std::vector<int> counts(n);
    std::vector<int> places(n);
    int at = 0;
    for (std::size_t r = 0; r < n; ++r) {
      counts[r] = as_count(sizes[r]);
      places[r] = at;
      at += counts[r];
    }
    Parcel together(all);
    MPI_Allgatherv(own.data(), as_count(mine), MPI_BYTE, together.data(), counts.data(), places.data(), MPI_BYTE,
                   MPI_COMM_WORLD);
    for (std::size_t r = 0; r < n; ++r) {
      const auto begin = static_cast<std::size_t>(places[r]);
      out[r] = Parcel(std::span<const std::uint8_t>(together).subspan(begin, static_cast<std::size_t>(counts[r])));
    }
    return out;
  }

  Parcel broadcast(int from, Parcel bytes) override {
    std::uint64_t size = bytes.size();
    MPI_Bcast(&size, 1, MPI_UINT64_T, from, MPI_COMM_WORLD);
    bytes.resize(size);
    for (std::size_t at = 0; at < size; at += kMessage)
      MPI_Bcast(bytes.data() + at, as_count(std::min<std::size_t>(kMessage, size - at)), MPI_BYTE, from,
                MPI_COMM_WORLD);
    return bytes;
  }

  // MPI's own barrier spins.
  void meet() override {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0;;) {
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done != 0) return;
      nap();
    }
  }

  void send(int to, Parcel bytes) override {
    clear_sent();
    Sent& sent = *sent_.emplace_back(std::make_unique<Sent>());
    sent.bytes = std::move(bytes);
    MPI_Isend(sent.bytes.data(), as_count(sent.bytes.size()), MPI_BYTE, to, kLetterTag, MPI_COMM_WORLD, &sent.request);
  }

  std::optional<Letter> receive() override {
    clear_sent();
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, kLetterTag, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return std::nullopt;
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    Letter out{status.MPI_SOURCE, Parcel(static_cast<std::size_t>(bytes))};
    MPI_Recv(out.bytes.data(), bytes, MPI_BYTE, status.MPI_SOURCE, kLetterTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return out;
  }

  void end_run(int exit_code, const std::string& why) override {
    const std::string line = why + "\n";
    static_cast<void>(::write(words_, line.data(), line.size()));
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

 private:
  struct Sent {
    Parcel bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  class OnTheWay final : public Exchange {
   public:
    OnTheWay(int rank, std::vector<Parcel> to, const std::vector<std::uint64_t>& comes)
        : to_(std::move(to)), from_(to_.size()) {
      for (std::size_t r = 0; r < to_.size(); ++r) {
        if (static_cast<int>(r) == rank) {
          from_[r] = std::move(to_[r]);
          continue;
        }
        from_[r].resize(comes[r]);
        pieces_.receive(static_cast<int>(r), from_[r]);
      }
      for (std::size_t r = 0; r < to_.size(); ++r) {
        if (static_cast<int>(r) != rank) pieces_.send(static_cast<int>(r), to_[r]);
      }
    }
    OnTheWay(const OnTheWay&) = delete;
    OnTheWay& operator=(const OnTheWay&) = delete;
    ~OnTheWay() override { pieces_.finish(); }
    std::vector<Parcel> finish() override {
      pieces_.finish();
      to_.clear();
      return std::move(from_);
    }

   private:
    std::vector<Parcel> to_;
    std::vector<Parcel> from_;
    Pieces pieces_;
  };

  void clear_sent() {
    std::erase_if(sent_, [](const std::unique_ptr<Sent>& sent) {
      int done = 0;
      MPI_Test(&sent->request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
  }

  int words_;  // stderr as it was
  std::vector<std::unique_ptr<Sent>> sent_;
};

// What other ranks than the root print would be printed several times.
void be_silent() {
  if (FILE* const out = std::freopen("/dev/null", "w", stdout); out == nullptr) std::fclose(stdout);
  if (FILE* const err = std::freopen("/dev/null", "w", stderr); err == nullptr) std::fclose(stderr);
}

}  // namespace

RanksOfRun::RanksOfRun() {
  if (ranks_started() < 2) return;
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
  int beside = 1;
  MPI_Comm_size(machine, &beside);
  MPI_Comm_free(&machine);
  const std::uint64_t own_share = machine_memory() / static_cast<std::uint64_t>(beside);
  std::uint64_t share = own_share;
  MPI_Allreduce(&own_share, &share, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
  const int words = dup(STDERR_FILENO);
  if (rank != 0) be_silent();
  several_ = std::make_unique<MpiRanks>(rank, size, beside, share, words);
  current_ranks = several_.get();
}

RanksOfRun::~RanksOfRun() {
  if (several_ == nullptr) return;
  several_->meet();
  current_ranks = nullptr;
  several_.reset();
  MPI_Finalize();
}

#else

bool has_mpi() { return false; }

RanksOfRun::RanksOfRun() {
  if (ranks_started() < 2) return;
  std::cerr << "plenum: this program was built without MPI, and was started as one of " << ranks_started()
            << " ranks\n  build it where Open MPI's development files are (libopenmpi-dev), as tools/run --mpi does\n";
  std::exit(3);
}

RanksOfRun::~RanksOfRun() = default;

#endif

}  // namespace plenum
