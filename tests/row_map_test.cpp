// SPDX-License-Identifier: Apache-2.0
// Row maps against the formula they stand for, byte by byte, on random maps of all sizes.
#include "tables/rows/row_map.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "solver/rows/code_rows.h"

namespace plenum {
namespace {

std::uint32_t input_of(const RowBits& bits, std::uint32_t output) {
  std::uint32_t in = 0;
  for (int i = 0; i < bits.inputs; ++i) {
    const int s = bits.source[static_cast<std::size_t>(i)];
    const bool one = s == RowBits::kSet || (s >= 0 && (output >> s & 1U) != 0);
    if (one) in |= std::uint32_t{1} << i;
  }
  return in;
}

RowBits random_bits(std::mt19937& random, bool fixed) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  RowBits out;
  out.inputs = 1 + below(12);
  out.outputs = std::max(1, out.inputs - 2 + below(5));
  std::vector<int> order(static_cast<std::size_t>(out.outputs));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  // Half of the maps are nearly in order, as those of moves are.
  if (below(2) == 0) std::sort(order.begin(), order.end());
  std::size_t next = 0;
  for (int i = 0; i < out.inputs; ++i) {
    const bool constant = below(8) == 0 || next == order.size();
    out.source[static_cast<std::size_t>(i)] =
        constant ? (below(2) == 0 ? RowBits::kSet : RowBits::kClear) : static_cast<std::int8_t>(order[next++]);
  }
  for (int o = 0; fixed && o < out.outputs; ++o) {
    if (below(4) != 0) continue;
    out.fixed |= std::uint32_t{1} << o;
    out.fixed_value |= static_cast<std::uint32_t>(below(2)) << o;
  }
  return out;
}

std::vector<std::uint8_t> random_bytes(std::mt19937& random, std::size_t n) {
  std::vector<std::uint8_t> out(n);
  for (std::uint8_t& b : out) b = static_cast<std::uint8_t>(random());
  return out;
}

TEST(RowMap, GathersWhatIsWanted) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    const RowBits bits = random_bits(random, round % 2 == 1);
    const std::size_t outputs = std::size_t{1} << bits.outputs;
    const std::vector<std::uint8_t> in = random_bytes(random, std::max<std::size_t>(64, std::size_t{1} << bits.inputs));
    std::vector<std::uint64_t> wanted((outputs + 63) / 64);
    for (std::uint64_t& w : wanted) w = random() % 3 == 0 ? 0 : random() & random() & random();
    std::vector<std::uint8_t> out(std::max<std::size_t>(64, outputs));
    RowMap(bits).gather(in.data(), out.data(), wanted.data());
    for (std::uint32_t o = 0; o < outputs; ++o) {
      if ((wanted[o / 64] >> (o % 64) & 1) == 0 || ((o ^ bits.fixed_value) & bits.fixed) != 0) continue;
      ASSERT_EQ(out[o], in[input_of(bits, o)]) << round << " " << o;
    }
  }
}

TEST(RowMap, AddsBitsWhereOutputsAre) {
  std::mt19937 random(2);
  for (int round = 0; round < 3000; ++round) {
    const RowBits bits = random_bits(random, true);
    const std::size_t outputs = std::size_t{1} << bits.outputs;
    const std::vector<std::uint8_t> in = random_bytes(random, std::max<std::size_t>(64, std::size_t{1} << bits.inputs));
    const std::vector<std::uint8_t> before = random_bytes(random, std::max<std::size_t>(64, outputs));
    std::vector<std::uint8_t> out = before;
    const bool fresh = RowMap(bits).gather_or(in.data(), out.data());
    EXPECT_EQ(fresh, out != before);
    EXPECT_FALSE(RowMap(bits).gather_or(in.data(), out.data()));
    for (std::uint32_t o = 0; o < outputs; ++o) {
      const bool produced = ((o ^ bits.fixed_value) & bits.fixed) == 0;
      ASSERT_EQ(out[o], produced ? before[o] | in[input_of(bits, o)] : before[o]) << round << " " << o;
    }
  }
}

TEST(CodeRows, LowerWhereLegal) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = std::size_t{1} << (random() % 12);
    const std::size_t room = std::max<std::size_t>(64, n);
    const std::vector<std::uint8_t> row = random_bytes(random, room);
    std::vector<std::uint64_t> legal((n + 63) / 64);
    for (std::uint64_t& w : legal)
      w = (random() % 4 == 0 ? 0 : random()) & (n < 64 ? (std::uint64_t{1} << n) - 1 : ~std::uint64_t{0});
    std::vector<std::uint8_t> least = random_bytes(random, room);
    std::vector<std::uint8_t> all = random_bytes(random, room);
    const std::vector<std::uint8_t> least_before = least;
    const std::vector<std::uint8_t> all_before = all;
    const bool reversed = round % 2 != 0;
    (reversed ? code_rows().lower_reversed : code_rows().lower)(row.data(), legal.data(), n, least.data(), all.data());
    for (std::size_t i = 0; i < n; ++i) {
      const bool is = (legal[i / 64] >> (i % 64) & 1) != 0;
      ASSERT_EQ(least[i], is ? std::min(least_before[i], row[reversed ? n - 1 - i : i]) : least_before[i]);
      ASSERT_EQ(all[i], is ? all_before[i] & row[reversed ? n - 1 - i : i] : all_before[i]);
    }
  }
}

TEST(CodeRows, Close) {
  std::vector<ValueByte> least(65536);
  std::vector<ValueByte> all(65536);
  std::vector<ValueByte> out(65536);
  for (std::size_t i = 0; i < least.size(); ++i) {
    least[i] = static_cast<ValueByte>(i);
    all[i] = static_cast<ValueByte>(i >> 8);
  }
  code_rows().close(least.data(), all.data(), out.size(), out.data());
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], code_from_successors(least[i], all[i])) << i;
}

}  // namespace
}  // namespace plenum
