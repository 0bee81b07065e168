// SPDX-License-Identifier: Apache-2.0
#include "solver/cluster/mpi_ranks.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <list>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include <absl/status/statusor.h>
#include <absl/strings/str_cat.h>
#include <dlfcn.h>
#include <unistd.h>

#include "solver/cluster/mpi_calls.h"
#include "solver/support/memory.h"

namespace plenum {

namespace {

Ranks* current_ranks = nullptr;

constexpr const char* kModule = "plenum_mpi.so";
constexpr std::size_t kMessage = std::size_t{1} << 30;  // bytes of one message
constexpr int kLetterTag = 1;
// Exchanges take turns with tags, as a later one may finish before an earlier one.
constexpr int kFirstExchangeTag = 2;
constexpr std::uint64_t kExchangeTags = 1000;
constexpr int kSaidShift = 56;  // in a size: parcels are smaller

void nap() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

// Requests of one exchange.
class Pieces {
 public:
  Pieces(const MpiCalls& mpi, int tag) : mpi_(mpi), tag_(tag) {}
  void send(int to, const Parcel& bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += kMessage)
      requests_.push_back(mpi_.send(bytes.data() + at, std::min(kMessage, bytes.size() - at), to, tag_));
  }
  void receive(int from, Parcel& bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += kMessage)
      requests_.push_back(mpi_.receive(bytes.data() + at, std::min(kMessage, bytes.size() - at), from, tag_));
  }
  void finish() {
    mpi_.wait(requests_.data(), static_cast<int>(requests_.size()));
    requests_.clear();
  }

 private:
  const MpiCalls& mpi_;
  int tag_;
  std::vector<MpiRequest> requests_;
};

class MpiRanks final : public Ranks {
 public:
  // `words`: stderr as it was.
  MpiRanks(const MpiCalls& mpi, const MpiCalls::World& world, std::uint64_t memory_share, int words)
      : Ranks(world.rank, world.size, world.on_this_machine, memory_share), mpi_(mpi), words_(words) {}

  std::unique_ptr<Exchange> begin_saying(std::uint8_t bits, std::vector<Parcel> to) override {
    const int tag = kFirstExchangeTag + static_cast<int>(exchanges_++ % kExchangeTags);
    return std::make_unique<OnTheWay>(mpi_, tag, rank(), bits, std::move(to));
  }

  std::vector<Parcel> gather(std::span<const std::uint8_t> own) override {
    const auto n = static_cast<std::size_t>(size());
    std::vector<std::uint64_t> sizes(n);
    mpi_.gather_one(own.size(), sizes.data());
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
      counts[r] = static_cast<int>(sizes[r]);
      places[r] = at;
      at += counts[r];
    }
    Parcel together(all);
    mpi_.gather(own.data(), own.size(), together.data(), counts.data(), places.data());
    for (std::size_t r = 0; r < n; ++r) {
      const auto begin = static_cast<std::size_t>(places[r]);
      out[r] = Parcel(std::span<const std::uint8_t>(together).subspan(begin, static_cast<std::size_t>(counts[r])));
    }
    return out;
  }

  Parcel broadcast(int from, Parcel bytes) override {
    std::uint64_t size = bytes.size();
    mpi_.broadcast(&size, sizeof(size), from);
    bytes.resize(size);
    for (std::size_t at = 0; at < size; at += kMessage)
      mpi_.broadcast(bytes.data() + at, std::min<std::size_t>(kMessage, size - at), from);
    return bytes;
  }

  // MPI's own barrier spins.
  void meet() override {
    for (MpiRequest request = mpi_.begin_barrier(); !mpi_.is_done(request);) nap();
  }

  void send(int to, Parcel bytes) override {
    clear_sent();
    Sent& sent = sent_.emplace_back();
    sent.bytes = std::move(bytes);
    sent.request = mpi_.send(sent.bytes.data(), sent.bytes.size(), to, kLetterTag);
  }

  std::optional<Letter> receive() override {
    clear_sent();
    Letter out;
    std::size_t bytes = 0;
    if (!mpi_.probe(kLetterTag, out.from, bytes)) return std::nullopt;
    out.bytes.resize(bytes);
    MpiRequest request = mpi_.receive(out.bytes.data(), bytes, out.from, kLetterTag);
    mpi_.wait(&request, 1);
    return out;
  }

  // Collective, at the end: no letter is left on its way, as after an interrupt.
  void clear_letters() {
    meet();  // nobody sends any more
    std::optional<MpiRequest> all_sent;
    for (;;) {
      while (receive()) {
      }
      if (!all_sent && sent_.empty()) all_sent = mpi_.begin_barrier();
      if (all_sent && mpi_.is_done(*all_sent)) return;
      nap();
    }
  }

  void end_run(int exit_code, const std::string& why) override {
    const std::string line = why + "\n";
    static_cast<void>(::write(words_, line.data(), line.size()));
    mpi_.abort(exit_code);
    std::_Exit(exit_code);
  }

  void end() {
    clear_letters();
    mpi_.end();
  }

 private:
  struct Sent {
    Parcel bytes;
    MpiRequest request = 0;
  };
  class OnTheWay final : public Exchange {
   public:
    OnTheWay(const MpiCalls& mpi, int tag, int rank, std::uint8_t bits, std::vector<Parcel> to)
        : mpi_(mpi),
          rank_(static_cast<std::size_t>(rank)),
          used_(std::make_unique<Used>(bits, std::move(to))),
          pieces_(mpi, tag) {
      told_ = mpi_.begin_all_to_all(used_->sizes.data(), used_->comes.data());
      for (std::size_t r = 0; r < used_->to.size(); ++r) {
        if (r != rank_) pieces_.send(static_cast<int>(r), used_->to[r]);
      }
    }
    OnTheWay(const OnTheWay&) = delete;
    OnTheWay& operator=(const OnTheWay&) = delete;
    ~OnTheWay() override {
      if (used_ == nullptr) return;
      // After an error of this rank alone (no memory) the run ends: another rank may never come to this exchange. MPI may still read what
      // is on its way.
      if (std::uncaught_exceptions() > 0) {
        static_cast<void>(used_.release());
        return;
      }
      try {
        receive_all();
      } catch (const std::bad_alloc&) {
        mpi_.abort(kExitNoMeans);
      }
    }
    std::vector<Parcel> finish() override {
      receive_all();
      std::vector<Parcel> out = std::move(used_->from);
      used_.reset();
      return out;
    }

   private:
    void receive_all() {
      mpi_.wait(&told_, 1);
      for (std::uint64_t& comes : used_->comes) {
        heard_ |= static_cast<std::uint8_t>(comes >> kSaidShift);
        comes &= (std::uint64_t{1} << kSaidShift) - 1;
      }
      for (std::size_t r = 0; r < used_->to.size(); ++r) {
        if (r == rank_) {
          used_->from[r] = std::move(used_->to[r]);
          continue;
        }
        used_->from[r].resize(used_->comes[r]);
        pieces_.receive(static_cast<int>(r), used_->from[r]);
      }
      pieces_.finish();
    }
    // What MPI reads and writes.
    struct Used {
      Used(std::uint8_t bits, std::vector<Parcel> sent) : to(std::move(sent)), from(to.size()), comes(to.size()) {
        for (const Parcel& parcel : to) sizes.push_back(parcel.size() | std::uint64_t{bits} << kSaidShift);
      }
      std::vector<Parcel> to;
      std::vector<Parcel> from;
      std::vector<std::uint64_t> sizes;  // of what is sent, and above them what is said
      std::vector<std::uint64_t> comes;
    };

    const MpiCalls& mpi_;
    const std::size_t rank_;
    std::unique_ptr<Used> used_;  // until it is finished
    MpiRequest told_ = 0;
    Pieces pieces_;
  };

  void clear_sent() {
    std::erase_if(sent_, [&](Sent& sent) { return mpi_.is_done(sent.request); });
  }

  const MpiCalls& mpi_;
  int words_;
  std::uint64_t exchanges_ = 0;  // that were begun
  std::list<Sent> sent_;
};

// What other ranks than the root print would be printed several times.
void be_silent() {
  if (FILE* const out = std::freopen("/dev/null", "w", stdout); out == nullptr) std::fclose(stdout);
  if (FILE* const err = std::freopen("/dev/null", "w", stderr); err == nullptr) std::fclose(stderr);
}

// From beside the program, or where both are installed.
absl::StatusOr<const MpiCalls*> load_module() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  const std::filesystem::path beside = folder / kModule;
  const std::filesystem::path installed = folder.parent_path() / "lib" / "plenum" / kModule;
  const std::filesystem::path& file = std::filesystem::exists(beside, error) ? beside : installed;
  if (!std::filesystem::exists(file, error)) return absl::NotFoundError("this program was built without MPI");
  // MPI's own modules look for its names among all.
  void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (module == nullptr) {
    const char* const why = dlerror();
    return absl::FailedPreconditionError(absl::StrCat("MPI cannot be loaded: ", why == nullptr ? file.string() : why));
  }
  const auto calls = reinterpret_cast<MpiCallsFn>(dlsym(module, kMpiCalls));
  const MpiCalls* const out = calls == nullptr ? nullptr : calls(kMpiCallsVersion);
  if (out == nullptr) return absl::FailedPreconditionError(absl::StrCat(file.string(), " is of another build"));
  return out;
}

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

RanksOfRun::RanksOfRun() {
  if (ranks_started() < 2) return;
  const absl::StatusOr<const MpiCalls*> mpi = load_module();
  if (!mpi.ok()) {
    std::cerr
        << "plenum: " << mpi.status().message() << ", and was started as one of " << ranks_started()
        << " ranks\n  build it where Open MPI's development files are (libopenmpi-dev), as tools/run --mpi does\n";
    std::exit(3);
  }
  const MpiCalls::World world = (*mpi)->begin();
  std::vector<std::uint64_t> shares(static_cast<std::size_t>(world.size));
  (*mpi)->gather_one(machine_memory() / static_cast<std::uint64_t>(world.on_this_machine), shares.data());
  const int words = dup(STDERR_FILENO);
  if (world.rank != 0) be_silent();
  auto ranks = std::make_unique<MpiRanks>(**mpi, world, *std::min_element(shares.begin(), shares.end()), words);
  end_ = [several = ranks.get()] { several->end(); };
  several_ = std::move(ranks);
  current_ranks = several_.get();
}

RanksOfRun::~RanksOfRun() {
  if (several_ == nullptr) return;
  current_ranks = nullptr;
  end_();
}

}  // namespace plenum
