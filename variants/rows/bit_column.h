// SPDX-License-Identifier: Apache-2.0
// A bit for each of the 2^k positions of a row, whose numbers have k bits (axes).
//
// Most conditions look at a few cells, so that a few axes decide: then the column is a table of at most 64 bits, whatever the length of
// the row. Beyond that it is words that somebody else holds.
//
// Thread-safety: a value. Cost: 16 bytes; some ten instructions to combine two tables.
// Source: truth tables as machine words, as in Knuth, TAOCP 4A, 7.1.3.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace plenum {

// A bit for each position of a row: the same for all; or as a few bits of its number say (its axes), by a table; or words of 64.
class Column {
 public:
  static constexpr int kMostAxes = 6;
  enum class Kind : std::uint8_t { none, all, table, words };
  struct Table {
    std::uint64_t bits = 0;                         // bit i: where axis axes[k] of a position's number is bit k of i
    std::array<std::uint8_t, kMostAxes> axes = {};  // rising
    std::uint8_t count = 0;
  };

  Column() = default;
  explicit Column(bool all) : kind_(all ? Kind::all : Kind::none) {}
  explicit Column(const std::uint64_t* words) : held_{.words = words}, kind_(Kind::words) {}
  // What a table comes to, without axes on which nothing depends.
  explicit Column(const Table& given);
  Kind kind() const { return kind_; }
  bool none() const { return kind_ == Kind::none; }
  bool all() const { return kind_ == Kind::all; }
  const std::uint64_t* words() const { return held_.words; }   // of Kind::words
  Table table() const { return {held_.bits, axes_, count_}; }  // of Kind::table

  // What two tables come to, bit by bit, if they have no more than kMostAxes between them.
  template <typename Combine>
  static std::optional<Column> combined(const Table& a, const Table& b, const Combine& combine);

  // Calls body(from, to, mask) for runs of words that together make up [0, words), each with the bits of a word that all of the run have.
  // Of all kinds but words.
  template <typename Body>
  void for_runs(std::size_t words, const Body& body) const;

 private:
  static constexpr int kInside = 6;  // axes of a word
  // How many of the axes are within a word.
  int inside() const {
    return static_cast<int>(std::count_if(axes_.begin(), axes_.begin() + count_, [](auto a) { return a < kInside; }));
  }
  // Bits of a word, where axes between words are as `high` says, the lowest of them bit 0.
  std::uint64_t word(std::uint64_t high) const;

  // 16 bytes, as many are kept.
  union {
    std::uint64_t bits = 0;  // of the table
    const std::uint64_t* words;
  } held_;
  std::array<std::uint8_t, kMostAxes> axes_ = {};
  std::uint8_t count_ = 0;
  Kind kind_ = Kind::none;
};

template <typename Body>
void Column::for_runs(std::size_t words, const Body& body) const {
  if (kind_ != Kind::table) {
    body(std::size_t{0}, words, all() ? ~std::uint64_t{0} : 0);
    return;
  }
  const int inside = this->inside();
  const int outside = count_ - inside;
  if (outside == 0) {
    body(std::size_t{0}, words, word(0));
    return;
  }
  std::array<std::uint64_t, std::size_t{1} << kMostAxes> masks = {};
  for (std::size_t high = 0; high < std::size_t{1} << outside; ++high) masks[high] = word(high);
  const std::size_t run = std::size_t{1} << (axes_[static_cast<std::size_t>(inside)] - kInside);
  for (std::size_t from = 0; from < words; from += run) {
    std::size_t high = 0;
    for (int k = 0; k < outside; ++k)
      high |= (from >> (axes_[static_cast<std::size_t>(inside + k)] - kInside) & 1) << k;
    body(from, from + run, masks[high]);
  }
}

// The bits of a table of more axes, those of `table` among them.
std::uint64_t spread(const Column::Table& table, const Column::Table& wider);

template <typename Combine>
std::optional<Column> Column::combined(const Table& a, const Table& b, const Combine& combine) {
  std::array<std::uint8_t, 2 * kMostAxes> axes = {};
  auto* const end =
      std::set_union(a.axes.begin(), a.axes.begin() + a.count, b.axes.begin(), b.axes.begin() + b.count, axes.begin());
  if (end - axes.begin() > kMostAxes) return std::nullopt;
  Table both;
  both.count = static_cast<std::uint8_t>(end - axes.begin());
  std::copy(axes.begin(), end, both.axes.begin());
  both.bits = combine(spread(a, both), spread(b, both));
  return Column(both);
}

}  // namespace plenum
