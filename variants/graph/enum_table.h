// SPDX-License-Identifier: Apache-2.0
// A table over the values of an enum, checked by the compiler: no value stands in it twice, and covers() in a static_assert says
// that none is missing. It takes the place of a switch where only some values are meant, so that a `default` would hide those
// that are added later.
//
//     constexpr EnumTable<Opcode, kOpcodes, int> kCost({{Opcode::any, 1}, {Opcode::count, 5}});
//     static_assert(kCost.covers([](Opcode op) { return op == Opcode::any || op == Opcode::count; }));
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <utility>

namespace plenum {

template <typename Key, std::size_t kKeys, typename Entry>
class EnumTable {
 public:
  constexpr EnumTable(std::initializer_list<std::pair<Key, Entry>> entries) {
    for (const auto& [key, entry] : entries) {
      const auto at = static_cast<std::size_t>(key);
      if (has_[at]) throw "this value stands in the table twice";  // no constant expression: it does not compile
      has_[at] = true;
      entries_[at] = entry;
    }
  }

  constexpr bool has(Key key) const { return has_[static_cast<std::size_t>(key)]; }
  constexpr const Entry& operator[](Key key) const { return entries_[static_cast<std::size_t>(key)]; }

  // Whether it has the values that are wanted, and no others.
  template <typename Wanted>
  constexpr bool covers(Wanted wanted) const {
    for (std::size_t i = 0; i < kKeys; ++i) {
      if (has_[i] != wanted(static_cast<Key>(i))) return false;
    }
    return true;
  }

 private:
  std::array<Entry, kKeys> entries_ = {};
  std::array<bool, kKeys> has_ = {};
};

}  // namespace plenum
