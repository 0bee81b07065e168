// SPDX-License-Identifier: Apache-2.0
// Row maps against the formula they stand for, byte by byte, on random maps of all sizes.
#include "tables/rows/row_map.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "solver/rows/code_rows.h"
#include "solver/rows/row_solver.h"
#include "tables/rows/row_fold.h"

namespace plenum::row_map_test {
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

// Bits of the outputs that are asked for.
std::vector<std::uint64_t> random_legal(std::mt19937& random, const RowBits& bits) {
  const std::size_t outputs = std::size_t{1} << bits.outputs;
  std::vector<std::uint64_t> out((outputs + 63) / 64);
  const bool sparse = random() % 3 == 0;
  for (std::size_t o = 0; o < outputs; ++o) {
    if (((o ^ bits.fixed_value) & bits.fixed) != 0 || random() % (sparse ? 100 : 2) != 0) continue;
    out[o / 64] |= std::uint64_t{1} << (o % 64);
  }
  return out;
}

TEST(RowFold, FoldsWhatIsLegal) {
  std::mt19937 random(5);
  std::size_t folded = 0;
  for (int round = 0; round < 3000; ++round) {
    const RowBits bits = random_bits(random, round % 2 == 1);
    if (!RowFold::can(bits)) continue;
    ++folded;
    const RowFold fold(bits);
    const std::size_t outputs = std::size_t{1} << bits.outputs;
    std::vector<std::uint8_t> in = random_bytes(random, std::size_t{1} << bits.inputs);
    const std::vector<std::uint64_t> legal = random_legal(random, bits);
    const std::vector<std::uint8_t> before = random_bytes(random, outputs);
    const std::vector<std::uint8_t> other = random_bytes(random, outputs);
    for (std::size_t i = 0; i < in.size(); i += 2) in[i] = 7;  // so that some are equal
    const std::vector<std::uint8_t> want(outputs, 7);
    std::vector<std::uint8_t> least = before;
    std::vector<std::uint8_t> all = other;
    std::vector<std::uint8_t> all_alone = other;
    std::vector<std::uint8_t> flipped = before;
    std::vector<std::uint64_t> kept = legal;
    fold.lower(in.data(), legal.data(), least.data(), all.data());
    fold.lower_all(in.data(), legal.data(), all_alone.data());
    fold.lower_flipped(in.data(), legal.data(), other.data(), flipped.data());
    fold.keep_equal(in.data(), want.data(), kept.data());
    for (std::uint32_t o = 0; o < outputs; ++o) {
      const bool is = (legal[o / 64] >> (o % 64) & 1) != 0;
      const std::uint8_t x = in[input_of(bits, o) & (in.size() - 1)];
      ASSERT_EQ(least[o], is ? std::min(before[o], x) : before[o]) << round << " " << o;
      ASSERT_EQ(all[o], is ? other[o] & x : other[o]) << round << " " << o;
      ASSERT_EQ(flipped[o], is ? std::min<int>(before[o], x ^ other[o]) : before[o]) << round << " " << o;
      ASSERT_EQ((kept[o / 64] >> (o % 64) & 1) != 0, is && x == want[o]) << round << " " << o;
    }
    EXPECT_EQ(all_alone, all);
  }
  if (folded == 0) GTEST_SKIP() << "no AVX-512 with VBMI and GFNI, or PLENUM_CPU asks for less";
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

TEST(CodeRows, FactsAndWhatIsWanted) {
  constexpr std::size_t kCodes = 256;
  constexpr std::size_t kFacts = 8;
  std::vector<std::uint8_t> codes(kCodes * kFacts);
  std::vector<std::uint8_t> all(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    codes[i] = static_cast<std::uint8_t>(i);
    all[i] = static_cast<std::uint8_t>(i / kCodes | (i & 0xF8));
  }
  std::vector<std::uint8_t> facts(codes.size());
  std::vector<std::uint8_t> ended(codes.size());
  std::vector<std::uint8_t> want(codes.size());
  std::vector<std::uint8_t> flip(codes.size());
  code_rows().close_facts(all.data(), codes.data(), codes.size(), facts.data());
  code_rows().end_facts(codes.data(), codes.size(), ended.data());
  code_rows().wanted(codes.data(), codes.size(), want.data(), flip.data());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    ASSERT_EQ(facts[i], row_facts(all[i], codes[i])) << i;
    ASSERT_EQ(ended[i], row_facts_of_end(codes[i])) << i;
    ASSERT_EQ(want[i], is_level(codes[i]) ? 0 : negated(codes[i])) << i;
    if (!is_level(codes[i])) {
      ASSERT_EQ(flip[i], wins(codes[i]) ? 0 : 255) << i;
    }
  }
}

TEST(CodeRows, PliesOfTheFewestAndTheMost) {
  for (const ValueByte code : {kUnresolved, kLevelEnd, code_of_margin(-3), code_of_margin(3), code_of_margin(61)}) {
    const std::vector<std::uint8_t> codes(256, code);
    const std::vector<std::uint8_t> flip(256, wins(code) ? 0 : 255);
    std::vector<std::uint8_t> plies(256);
    std::vector<std::uint8_t> least(256);
    std::vector<std::uint8_t> out(256);
    std::iota(plies.begin(), plies.end(), std::uint8_t{0});
    for (std::size_t i = 0; i < least.size(); ++i) least[i] = plies[i] ^ flip[i];
    code_rows().close_plies(least.data(), flip.data(), codes.data(), out.size(), out.data());
    for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], row_plies(code, plies[i], plies[i])) << i;
  }
}

// Rows of all lengths, none of which is read or written beyond a multiple of 64.
TEST(CodeRows, ByteByByte) {
  std::mt19937 random(4);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = std::size_t{1} << (random() % 12);
    const std::size_t room = std::max<std::size_t>(64, n);
    std::vector<std::uint64_t> legal((n + 63) / 64);
    for (std::uint64_t& w : legal) w = random() & (n < 64 ? (std::uint64_t{1} << n) - 1 : ~std::uint64_t{0});
    const auto is = [](const std::vector<std::uint64_t>& bits, std::size_t i) {
      return (bits[i / 64] >> (i % 64) & 1) != 0;
    };
    const std::vector<std::uint8_t> row = random_bytes(random, room);
    const std::vector<std::uint8_t> flip = random_bytes(random, room);
    const std::vector<std::uint8_t> before = random_bytes(random, room);
    std::vector<std::uint8_t> want = row;
    for (std::size_t i = 0; i < room; i += 1 + random() % 3) want[i] = static_cast<std::uint8_t>(random());
    std::vector<std::uint8_t> all = before;
    std::vector<std::uint8_t> all_reversed = before;
    std::vector<std::uint8_t> least = before;
    std::vector<std::uint8_t> reversed = before;
    std::vector<std::uint8_t> chosen = before;
    std::vector<std::uint64_t> kept = legal;
    code_rows().lower_all(row.data(), legal.data(), n, all.data());
    code_rows().lower_all_reversed(row.data(), legal.data(), n, all_reversed.data());
    code_rows().lower_flipped(row.data(), legal.data(), n, flip.data(), least.data());
    code_rows().keep_equal(row.data(), want.data(), n, kept.data());
    code_rows().reverse(row.data(), n, reversed.data());
    code_rows().where_equal(row.data(), want.data(), flip.data(), n, chosen.data());
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(all[i], is(legal, i) ? before[i] & row[i] : before[i]);
      ASSERT_EQ(all_reversed[i], is(legal, i) ? before[i] & row[n - 1 - i] : before[i]);
      ASSERT_EQ(least[i], is(legal, i) ? std::min<int>(before[i], row[i] ^ flip[i]) : before[i]);
      ASSERT_EQ(is(kept, i), is(legal, i) && row[i] == want[i]);
      ASSERT_EQ(reversed[i], row[n - 1 - i]);
      ASSERT_EQ(chosen[i], row[i] == want[i] ? flip[i] : 255);
    }
    for (std::size_t i = n; i < room; ++i) ASSERT_EQ(reversed[i], before[i]);
  }
}

}  // namespace
}  // namespace plenum::row_map_test
