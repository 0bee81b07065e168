// SPDX-License-Identifier: Apache-2.0
#include "tables/index/transposition_table.h"

#include <new>

#include <sys/mman.h>

namespace plenum {

LazyMemory::LazyMemory(std::uint64_t bytes) {
  constexpr std::uint64_t kLeast = 4096;
  for (bytes_ = bytes; bytes_ >= kLeast; bytes_ /= 2) {
    void* const got = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) continue;
    // Large pages save most of the address translations that a random probe costs; a wish, not a need.
    madvise(got, bytes_, MADV_HUGEPAGE);
    words_ = static_cast<std::uint64_t*>(got);
    return;
  }
  throw std::bad_alloc();
}

LazyMemory::~LazyMemory() {
  if (words_ != nullptr) munmap(words_, bytes_);
}

}  // namespace plenum
