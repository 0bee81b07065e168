// SPDX-License-Identifier: Apache-2.0
// Which positions are being searched at the moment, so that others turn to something else first.
//
// A hint, not a lock: a mark may be lost to another one that falls on the same place.
// Thread-safety: all calls from any thread. Source: Kerrigan's simplification of ABDADA.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace plenum {

class InProgressMarks {
 public:
  bool marked(std::uint64_t hash) const { return hash != 0 && place(hash).load(std::memory_order_relaxed) == hash; }
  void mark(std::uint64_t hash) { place(hash).store(hash, std::memory_order_relaxed); }
  void unmark(std::uint64_t hash) {
    std::atomic<std::uint64_t>& at = place(hash);
    if (at.load(std::memory_order_relaxed) == hash) at.store(0, std::memory_order_relaxed);
  }
  void clear() {
    for (auto& at : places_) at.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kPlaces = 1 << 14;
  const std::atomic<std::uint64_t>& place(std::uint64_t hash) const { return places_[hash % kPlaces]; }
  std::atomic<std::uint64_t>& place(std::uint64_t hash) { return places_[hash % kPlaces]; }
  std::array<std::atomic<std::uint64_t>, kPlaces> places_ = {};
};

}  // namespace plenum
