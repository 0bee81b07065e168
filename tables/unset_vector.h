// SPDX-License-Identifier: Apache-2.0
// A vector whose resize() leaves new numbers unset: memory is taken when they are written, not before.
//
// Header only. Thread-safety: as std::vector.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace plenum {

template <typename T>
struct UnsetAllocator : std::allocator<T> {
  template <typename U>
  struct rebind {                     // NOLINT(readability-identifier-naming): containers ask for these names
    using other = UnsetAllocator<U>;  // NOLINT(readability-identifier-naming)
  };
  template <typename U>
  void construct(U* at) noexcept {
    ::new (static_cast<void*>(at)) U;
  }
  template <typename U, typename... Args>
  void construct(U* at, Args&&... args) {
    ::new (static_cast<void*>(at)) U(std::forward<Args>(args)...);
  }
};

template <typename T>
using UnsetVector = std::vector<T, UnsetAllocator<T>>;

}  // namespace plenum
