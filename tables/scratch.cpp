// SPDX-License-Identifier: Apache-2.0
#include "tables/scratch.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include <absl/strings/str_cat.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace plenum {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBetweenLooks = std::chrono::milliseconds(1);
// Whoever works looks that often at most: where the rest of the process leaves hardly any room, pages go at every look.
constexpr auto kLeastBetweenLooks = std::chrono::microseconds(200);
// Smaller arrays share chunks, which lie in one range of addresses.
constexpr std::size_t kChunk = std::size_t{1} << 22;
constexpr std::size_t kMostChunks = std::size_t{1} << 20;
constexpr std::size_t kLeastChunks = kMostChunks / 64;
constexpr std::size_t kAligned = 64;
constexpr std::uint32_t kNoChunk = ~std::uint32_t{0};

// Not by operator new and delete, which come here.
template <typename T>
struct PlainAllocator {
  using value_type = T;
  PlainAllocator() = default;
  template <typename U>
  PlainAllocator(const PlainAllocator<U>& /*other*/) {}
  T* allocate(std::size_t n) {
    void* const out = std::malloc(n * sizeof(T));
    if (out == nullptr) throw std::bad_alloc();
    return static_cast<T*>(out);
  }
  void deallocate(T* at, std::size_t /*n*/) { std::free(at); }
  friend bool operator==(const PlainAllocator& /*a*/, const PlainAllocator& /*b*/) { return true; }
};

// What is mapped: where, and how much. Lives as long as the program, as arrays may outlive everything.
struct ScratchState {
  std::string folder;
  std::uint64_t memory_bytes = 0;
  std::uint64_t room = 0;
  std::atomic<int> error = 0;  // why there was no file for an array
  std::mutex mutex;
  std::map<void*, std::size_t, std::less<>, PlainAllocator<std::pair<void* const, std::size_t>>> taken;  // mappings
  std::uint8_t* chunks = nullptr;  // where chunk 0 would be
  std::size_t most_chunks = 0;
  // Of each chunk. They do not grow: to take memory for that would come back here.
  std::uint32_t* live = nullptr;         // arrays in it
  std::uint32_t* next_unused = nullptr;  // after it, of those given back
  std::uint32_t begun = 0;               // chunks
  std::uint32_t unused = kNoChunk;       // the first of those given back
  std::uint32_t filled = kNoChunk;       // the chunk being filled,
  std::size_t fill = kChunk;             // to so many bytes
};
std::atomic<ScratchState*> scratch_state{nullptr};

int open_unnamed(const std::string& folder) { return open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); }

// Without memory of its own.
std::uint64_t resident_bytes(int statm) {
  char text[128];
  const ssize_t got = pread(statm, text, sizeof(text) - 1, 0);
  if (got <= 0) return 0;
  text[got] = 0;
  unsigned long long total = 0;
  unsigned long long resident = 0;
  if (std::sscanf(text, "%llu %llu", &total, &resident) != 2) return 0;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// Keeps the process within its memory: gives up pages, round by round through all arrays, as the hand of a clock goes. Pages of shared
// files may go at any moment: what they hold is the file's.
class Evictor {
 public:
  explicit Evictor(ScratchState& s) : s_(s) {}

  // Looks how much the process holds, and does what is needed. By one thread at a time; others that come meanwhile wait, so that nothing
  // more comes in.
  void look() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (Clock::now() < next_) return;
    const std::uint64_t now = resident_bytes(statm_);
    growth_ = std::max(growth_ - growth_ / 100, now - std::min(now, last_));
    // What comes in before the next look, and while pages are given up, has to fit above what is left.
    const std::uint64_t free = std::clamp(3 * growth_, s_.memory_bytes / 4, s_.memory_bytes / 8 * 7);
    if (now > s_.memory_bytes - free) evict((s_.memory_bytes - free) / 8 * 7);
    last_ = resident_bytes(statm_);
    next_ = Clock::now() + kLeastBetweenLooks;
  }

 private:
  // Until the process holds no more than `least`.
  void evict(std::uint64_t least) {
    const std::lock_guard<std::mutex> lock(s_.mutex);
    std::size_t left = 0;
    for (const auto& [bytes, size] : s_.taken) left += size;
    while (left > 0) {
      const std::uint64_t held = resident_bytes(statm_);
      if (held <= least) return;
      if (held > s_.memory_bytes / 8 * 7) break;  // more comes in than goes: all of it, which is the fastest
      const auto [begin, size] = next();
      madvise(begin, size, MADV_DONTNEED);
      left -= std::min(left, size);
    }
    // Likewise where a whole round was not enough.
    for (const auto& [bytes, size] : s_.taken) madvise(bytes, size, MADV_DONTNEED);
  }
  // The piece that the hand points at; it goes on behind it. Requires that there is an array.
  std::pair<std::uint8_t*, std::size_t> next() {
    auto at = s_.taken.upper_bound(hand_);
    if (at != s_.taken.begin()) --at;
    if (end_of(*at) <= hand_ && ++at == s_.taken.end()) at = s_.taken.begin();
    auto* const begin = static_cast<std::uint8_t*>(at->first);
    if (hand_ < begin || hand_ >= end_of(*at)) hand_ = begin;
    std::uint8_t* const from = hand_;
    hand_ = std::min(end_of(*at), from + kEvicted);
    return {from, static_cast<std::size_t>(hand_ - from)};
  }
  static std::uint8_t* end_of(const std::pair<void* const, std::size_t>& array) {
    return static_cast<std::uint8_t*>(array.first) + array.second;
  }

  static constexpr std::size_t kEvicted = std::size_t{1} << 20;  // bytes at a time
  ScratchState& s_;
  const int statm_ = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  std::mutex mutex_;
  std::uint64_t last_ = resident_bytes(statm_);
  std::uint64_t growth_ = 0;  // the most that came in between two looks; it falls by a hundredth a look
  std::uint8_t* hand_ = nullptr;
  Clock::time_point next_;  // the earliest moment for a look
};
std::atomic<Evictor*> scratch_evictor{nullptr};

// Fewer where there are no addresses for the most, as beside a sanitizer's own. Where there are hardly any, arrays would have none.
bool reserve_chunks(ScratchState& s) {
  for (std::size_t count = kMostChunks; count >= kLeastChunks; count /= 2) {
    void* const range = mmap(nullptr, count * kChunk, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) continue;
    s.chunks = static_cast<std::uint8_t*>(range);
    s.most_chunks = count;
    return true;
  }
  return false;
}

}  // namespace

absl::Status Scratch::begin(const std::string& folder, std::uint64_t memory_bytes, int processes) {
  const int file = open_unnamed(folder);
  if (file < 0) return absl::ErrnoToStatus(errno, absl::StrCat("cannot make files in the folder ", folder));
  close(file);
  struct statvfs space = {};
  if (statvfs(folder.c_str(), &space) != 0)
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot tell what room there is in ", folder));
  auto* const begun = new ScratchState;
  begun->folder = folder;
  begun->memory_bytes = memory_bytes;
  begun->room = std::uint64_t{space.f_bavail} * space.f_frsize / 10 * 9 / static_cast<std::uint64_t>(processes);
  if (!reserve_chunks(*begun)) return absl::ErrnoToStatus(errno, "cannot reserve addresses");
  begun->live = static_cast<std::uint32_t*>(std::calloc(begun->most_chunks, sizeof(std::uint32_t)));
  begun->next_unused = static_cast<std::uint32_t*>(std::calloc(begun->most_chunks, sizeof(std::uint32_t)));
  if (begun->live == nullptr || begun->next_unused == nullptr) return absl::ResourceExhaustedError("no memory");
  scratch_state = begun;
  auto* const evictor = new Evictor(*begun);
  scratch_evictor = evictor;
  std::thread([evictor] {
    while (true) {
      std::this_thread::sleep_for(kBetweenLooks);
      evictor->look();
    }
  }).detach();
  return absl::OkStatus();
}

bool Scratch::active() { return scratch_state.load(std::memory_order_relaxed) != nullptr; }

void Scratch::keep_pace() {
  if (Evictor* const evictor = scratch_evictor.load(std::memory_order_relaxed); evictor != nullptr) evictor->look();
}

std::uint64_t Scratch::room() {
  const ScratchState* const s = scratch_state;
  return s == nullptr ? 0 : s->room;
}

int Scratch::error() {
  const ScratchState* const s = scratch_state;
  return s == nullptr ? 0 : s->error.load();
}

std::string Scratch::folder() {
  const ScratchState* const s = scratch_state;
  return s == nullptr ? "" : s->folder;
}

namespace {

// A file mapped to this place, or to any; null if there can be none.
void* map_file(ScratchState& s, std::size_t bytes, void* place) {
  const int file = open_unnamed(s.folder);
  if (file < 0) {
    s.error = errno;
    return nullptr;
  }
  const int error = posix_fallocate(file, 0, static_cast<off_t>(bytes));
  void* const out = error == 0 ? mmap(place, bytes, PROT_READ | PROT_WRITE,
                                      MAP_SHARED | MAP_NORESERVE | (place == nullptr ? 0 : MAP_FIXED), file, 0)
                               : MAP_FAILED;
  close(file);
  if (error != 0) s.error = error;
  return out == MAP_FAILED ? nullptr : out;
}

// The addresses stay reserved; where that fails, they hold what they held until they are taken again.
void unmap_chunk(ScratchState& s, std::uint32_t chunk) {
  std::uint8_t* const place = s.chunks + chunk * kChunk;
  static_cast<void>(mmap(place, kChunk, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0));
  s.taken.erase(place);
  s.next_unused[chunk] = s.unused;
  s.unused = chunk;
}

void* take_in_chunk(ScratchState& s, std::size_t bytes) {
  bytes = (bytes + kAligned - 1) / kAligned * kAligned;
  const std::lock_guard<std::mutex> lock(s.mutex);
  if (s.fill + bytes > kChunk) {
    const std::uint32_t chunk = s.unused != kNoChunk ? s.unused : s.begun;
    if (chunk == s.most_chunks) return nullptr;
    std::uint8_t* const place = s.chunks + chunk * kChunk;
    if (map_file(s, kChunk, place) == nullptr) return nullptr;
    if (chunk == s.begun) {
      ++s.begun;
    } else {
      s.unused = s.next_unused[chunk];
    }
    // The one that was filled before may be empty by now.
    if (s.filled != kNoChunk && s.live[s.filled] == 0) unmap_chunk(s, s.filled);
    s.taken.emplace(place, kChunk);
    s.filled = chunk;
    s.fill = 0;
  }
  std::uint8_t* const out = s.chunks + s.filled * kChunk + s.fill;
  s.fill += bytes;
  ++s.live[s.filled];
  return out;
}

void give_back_in_chunk(ScratchState& s, std::uint32_t chunk) {
  const std::lock_guard<std::mutex> lock(s.mutex);
  if (--s.live[chunk] > 0) return;
  if (chunk == s.filled) {
    s.fill = 0;
  } else {
    unmap_chunk(s, chunk);
  }
}

}  // namespace

void* Scratch::take(std::size_t bytes) {
  ScratchState& s = *scratch_state;
  if (bytes < kLeastMapped) return take_in_chunk(s, bytes);
  void* const out = map_file(s, bytes, nullptr);
  if (out == nullptr) return nullptr;
  const std::lock_guard<std::mutex> lock(s.mutex);
  s.taken.emplace(out, bytes);
  return out;
}

bool Scratch::give_back(void* bytes) {
  ScratchState* const s = scratch_state;
  if (s == nullptr) return false;
  const auto at = reinterpret_cast<std::uintptr_t>(bytes);
  const auto chunks = reinterpret_cast<std::uintptr_t>(s->chunks);
  if (at >= chunks && at < chunks + s->most_chunks * kChunk) {
    give_back_in_chunk(*s, static_cast<std::uint32_t>((at - chunks) / kChunk));
    return true;
  }
  constexpr std::uintptr_t kPage = 4096;
  if (at % kPage != 0) return false;
  std::size_t size = 0;
  {
    const std::lock_guard<std::mutex> lock(s->mutex);
    const auto found = s->taken.find(bytes);
    if (found == s->taken.end()) return false;
    size = found->second;
    s->taken.erase(found);
  }
  munmap(bytes, size);
  return true;
}

}  // namespace plenum
