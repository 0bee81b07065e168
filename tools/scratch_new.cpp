// SPDX-License-Identifier: Apache-2.0
// The program's memory: as always, but that large arrays lie in files while Scratch is active (tables/scratch.h).
#include <cstdlib>
#include <new>

#include "tables/scratch.h"

namespace {

void* take_bytes(std::size_t bytes) {
  if (bytes >= plenum::Scratch::kLeast && plenum::Scratch::active()) return plenum::Scratch::take(bytes);
  return std::malloc(bytes == 0 ? 1 : bytes);
}

void give_back(void* bytes) {
  if (!plenum::Scratch::give_back(bytes)) std::free(bytes);
}

}  // namespace

void* operator new(std::size_t bytes) {
  while (true) {
    if (void* const out = take_bytes(bytes)) return out;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}
void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept { return take_bytes(bytes); }
void operator delete(void* bytes) noexcept { give_back(bytes); }
void operator delete(void* bytes, std::size_t /*size*/) noexcept { give_back(bytes); }
void operator delete(void* bytes, const std::nothrow_t& /*tag*/) noexcept { give_back(bytes); }
