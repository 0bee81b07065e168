// SPDX-License-Identifier: Apache-2.0
// Arrays of gigabytes that are read in no order: zeroed, and on large pages of memory where the system has them, which halves the
// cost of a read that misses all caches; or on small ones, where only a little of it may ever be written.
// Thread-safety: as of an array. Cost: memory is taken when it is first written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

namespace plenum {

struct UnmapBytes {
  std::size_t size = 0;
  void operator()(std::uint8_t* bytes) const;
};

class BigBytes {
 public:
  BigBytes() = default;
  enum class Pages { large, small };
  // std::bad_alloc where the system has no such room at all.
  explicit BigBytes(std::size_t size, Pages pages = Pages::large);
  std::uint8_t* data() { return bytes_.get(); }
  const std::uint8_t* data() const { return bytes_.get(); }
  std::size_t size() const { return bytes_.get_deleter().size; }
  bool empty() const { return size() == 0; }
  std::uint8_t& operator[](std::size_t i) { return bytes_[i]; }
  const std::uint8_t& operator[](std::size_t i) const { return bytes_[i]; }
  friend bool operator==(const BigBytes& a, const BigBytes& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
  }

 private:
  std::unique_ptr<std::uint8_t[], UnmapBytes> bytes_;
};

}  // namespace plenum
