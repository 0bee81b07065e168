// SPDX-License-Identifier: Apache-2.0
// Rows of bits with their axes permuted, against bit by bit.
#include "tables/rows/bit_map.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace plenum::bit_map_test {
namespace {

void check(const std::vector<std::uint8_t>& from, std::mt19937_64& random) {
  const std::size_t axes = from.size();
  const std::size_t bits = std::size_t{1} << axes;
  const std::size_t words = std::max<std::size_t>(1, bits / 64);
  std::vector<std::uint64_t> source(words);
  for (auto& word : source) word = random();
  if (axes < 6) source[0] &= (std::uint64_t{1} << bits) - 1;
  std::vector<std::uint64_t> target(words, random());
  std::vector<std::uint64_t> wanted(words, 0);
  for (std::size_t x = 0; x < bits; ++x) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < axes; ++i) at |= (x >> i & 1) << from[i];
    wanted[x / 64] |= (source[at / 64] >> (at % 64) & 1) << (x % 64);
  }
  BitMap map;
  map.set(from);
  map.apply(source.data(), target.data());
  ASSERT_EQ(target, wanted) << testing::PrintToString(from);
}

TEST(BitMap, EveryOrderOfFewAxes) {
  std::mt19937_64 random(1);
  for (std::size_t axes = 0; axes <= 7; ++axes) {
    std::vector<std::uint8_t> from(axes);
    std::iota(from.begin(), from.end(), std::uint8_t{0});
    do {
      check(from, random);
    } while (std::next_permutation(from.begin(), from.end()));
  }
}

TEST(BitMap, RandomOrders) {
  std::mt19937_64 random(2);
  for (std::size_t axes = 8; axes <= 18; ++axes) {
    std::vector<std::uint8_t> from(axes);
    std::iota(from.begin(), from.end(), std::uint8_t{0});
    check(from, random);
    for (int n = 0; n < 60; ++n) {
      std::shuffle(from.begin(), from.end(), random);
      check(from, random);
      // Nearly in order, as it is where a set is its own image.
      std::sort(from.begin(), from.end());
      std::swap(from[random() % axes], from[random() % axes]);
      check(from, random);
    }
  }
}

}  // namespace
}  // namespace plenum::bit_map_test
