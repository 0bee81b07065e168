// SPDX-License-Identifier: Apache-2.0
// Memory that is taken before it is needed: the stack's, and what it takes to say that there is no more.
//
// Thread-safety: belongs to the main thread, but for require_room().
#pragma once

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <system_error>

#include <absl/strings/str_cat.h>

#include "solver/support/memory.h"
#include "tables/scratch.h"

namespace plenum {

// std::bad_alloc, which can be answered, unless there is so much more.
inline void require_room(std::size_t bytes) { ::operator delete[](::operator new[](bytes)); }

// Where address space is limited, a stack that cannot grow ends the program. So it grows to what is needed while there is some.
[[gnu::noinline]] inline void grow_stack() {
  constexpr std::size_t kBytes = std::size_t{1} << 19;
  constexpr std::size_t kPage = 4096;
  require_room(2 * kBytes);
  std::array<volatile char, kBytes> stack;
  for (std::size_t i = 0; i < kBytes; i += kPage) stack[i] = 0;
}

// Memory that is kept for saying that there is no more.
class LastWords {
 public:
  LastWords() : reserve_(new char[kBytes]) {
    for (std::size_t i = 0; i < kBytes; i += kPage) reserve_[i] = 1;  // given by the system, not just promised
  }
  // Frees it for these words.
  std::string no_memory() {
    reserve_.reset();
    const int error = Scratch::error();
    if (error == ENOSPC || error == EFBIG || error == EDQUOT)
      return absl::StrCat(
          "scratch: there is no more room in the folder ", Scratch::folder(),
          "\n  name one on a larger disk with --scratch, give more with --memory, or take a smaller board");
    if (error != 0)
      return absl::StrCat("scratch: no more files can be made in the folder ", Scratch::folder(), ": ",
                          std::generic_category().message(error), "\n  name another one with --scratch");
    return absl::StrCat("memory: the machine has no more; it held ", memory_text(peak_memory()),
                        " at most\n  give a lower --memory, use fewer --threads, or take a smaller board");
  }

 private:
  static constexpr std::size_t kBytes = std::size_t{1} << 18;
  static constexpr std::size_t kPage = 4096;
  std::unique_ptr<char[]> reserve_;
};

}  // namespace plenum
