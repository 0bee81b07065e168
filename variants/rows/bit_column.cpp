// SPDX-License-Identifier: Apache-2.0
#include "variants/rows/bit_column.h"

#include "variants/board/bits.h"

namespace plenum {
namespace {

std::uint64_t rows_of(int axes) { return axes >= 6 ? ~std::uint64_t{0} : (std::uint64_t{1} << (1U << axes)) - 1; }

// The table with its axes k and k + 1 exchanged.
std::uint64_t exchanged(std::uint64_t bits, int k) {
  const unsigned shift = 1U << k;
  const std::uint64_t mask = kAxisBits[static_cast<std::size_t>(k)] & ~kAxisBits[static_cast<std::size_t>(k) + 1];
  const std::uint64_t differ = ((bits >> shift) ^ bits) & mask;
  return bits ^ differ ^ (differ << shift);
}

}  // namespace

std::uint64_t spread(const Column::Table& table, const Column::Table& wider) {
  std::uint64_t bits = table.bits;
  int count = table.count;
  for (int k = 0; k < wider.count; ++k) {
    const auto* const end = table.axes.begin() + table.count;
    if (std::find(table.axes.begin(), end, wider.axes[static_cast<std::size_t>(k)]) != end) continue;
    // A new axis on top, on which nothing depends, brought down to its place.
    bits |= bits << (1U << count);
    for (int at = count; at > k; --at) bits = exchanged(bits, at - 1);
    ++count;
  }
  return bits;
}

Column::Column(const Table& given) {
  Table table = given;
  table.bits &= rows_of(table.count);
  // Axes on which nothing depends are left out, the highest first.
  for (int k = table.count - 1; k >= 0; --k) {
    const std::uint64_t set = kAxisBits[static_cast<std::size_t>(k)];
    if (((table.bits & set) >> (1U << k)) != (table.bits & ~set)) continue;
    for (int at = k; at + 1 < table.count; ++at) {
      table.bits = exchanged(table.bits, at);
      table.axes[static_cast<std::size_t>(at)] = table.axes[static_cast<std::size_t>(at) + 1];
    }
    --table.count;
    table.bits &= rows_of(table.count);
  }
  held_.bits = table.bits;
  axes_ = table.axes;
  count_ = table.count;
  kind_ = count_ > 0 ? Kind::table : held_.bits != 0 ? Kind::all : Kind::none;
}

std::uint64_t Column::word(std::uint64_t high) const {
  std::uint64_t out = 0;
  const int axes = inside();
  for (std::uint64_t low = 0; low < std::uint64_t{1} << axes; ++low) {
    if ((held_.bits >> (high << axes | low) & 1) == 0) continue;
    std::uint64_t bits = ~std::uint64_t{0};
    for (int k = 0; k < axes; ++k) {
      const std::uint64_t axis = kAxisBits[axes_[static_cast<std::size_t>(k)]];
      bits &= (low >> k & 1) != 0 ? axis : ~axis;
    }
    out |= bits;
  }
  return out;
}

}  // namespace plenum
