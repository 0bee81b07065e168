// SPDX-License-Identifier: Apache-2.0
#include "tables/big_bytes.h"

#include <cstring>
#include <new>

#include <sys/mman.h>

#include "tables/scratch.h"

namespace plenum {

BigBytes::BigBytes(std::size_t size, Pages pages) {
  if (size == 0) return;
  if (Scratch::active()) {
    void* const taken = Scratch::take(size);
    if (taken == nullptr) throw std::bad_alloc();
    if (size < Scratch::kLeastMapped) std::memset(taken, 0, size);  // it may have been another's
    bytes_ = std::unique_ptr<std::uint8_t[], UnmapBytes>(static_cast<std::uint8_t*>(taken), UnmapBytes{size});
    return;
  }
  void* const got = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
  constexpr std::size_t kLarge = std::size_t{1} << 22;
  if (pages == Pages::large && size >= kLarge) static_cast<void>(madvise(got, size, MADV_HUGEPAGE));
#endif
  bytes_ = std::unique_ptr<std::uint8_t[], UnmapBytes>(static_cast<std::uint8_t*>(got), UnmapBytes{size});
}

void UnmapBytes::operator()(std::uint8_t* bytes) const {
  if (!Scratch::give_back(bytes)) munmap(bytes, size);
}

}  // namespace plenum
