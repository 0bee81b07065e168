// SPDX-License-Identifier: Apache-2.0
#include "solver/support/memory.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>

#include <absl/strings/str_format.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tables/scratch.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace plenum {

std::uint64_t base_memory() {
  static const std::uint64_t at_first = [] {
    std::uint64_t total = 0;
    std::uint64_t resident = 0;
    std::ifstream statm("/proc/self/statm");
    statm >> total >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  }();
  return at_first;
}

std::uint64_t peak_memory() {
  // Not getrusage: its maximum includes what the parent held before this program was started. Without memory of its own, as it is asked
  // when there is no more.
  const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 4096> text = {};
  const ssize_t got = read(file, text.data(), text.size() - 1);
  close(file);
  if (got <= 0) return 0;
  constexpr std::string_view kName = "VmHWM:";
  const std::string_view status(text.data(), static_cast<std::size_t>(got));
  const std::size_t at = status.find(kName);
  return at == std::string_view::npos ? 0 : std::strtoull(text.data() + at + kName.size(), nullptr, 10) * 1024;
}

std::uint64_t machine_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void release_free_memory() {
  // Under a sanitizer memory is the sanitizer's. The allocator of the C library may not have begun then, and threads that give back at once crash in it.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  malloc_trim(0);
#endif
}

namespace {

// Of these bytes, those of whole pages: how many lie before them, and how many they are.
struct WholePages {
  std::size_t before = 0;
  std::size_t bytes = 0;
};

WholePages whole_pages(const void* data, std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t from = (begin + page - 1) / page * page;
  const std::uintptr_t to = (begin + bytes) / page * page;
  if (from >= to) return {};
  return {from - begin, to - from};
}

// Whether they come again as 0: of memory that is nobody else's and no file's. Pages of files stay: their room on the disk was taken once, and
// where it is given up the disk may be full when they are written again.
bool give_pages_back(void* data, std::size_t bytes) {
  return !Scratch::active() && madvise(data, bytes, MADV_DONTNEED) == 0;
}

}  // namespace

void release_pages(void* data, std::size_t bytes) {
  const WholePages whole = whole_pages(data, bytes);
  if (whole.bytes != 0) give_pages_back(static_cast<char*>(data) + whole.before, whole.bytes);
}

void clear_pages(std::uint8_t* data, std::size_t bytes) {
  const WholePages whole = whole_pages(data, bytes);
  const bool given = whole.bytes != 0 && give_pages_back(data + whole.before, whole.bytes);
  if (!given) {
    std::memset(data, 0, bytes);
    return;
  }
  const std::size_t end = whole.before + whole.bytes;
  std::memset(data, 0, whole.before);
  std::memset(data + end, 0, bytes - end);
}

std::string memory_text(std::uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (value >= 1e9) return absl::StrFormat("%.1f GB", value / 1e9);
  if (value >= 1e6) return absl::StrFormat("%.0f MB", value / 1e6);
  return absl::StrFormat("%.0f kB", value / 1e3);
}

}  // namespace plenum
