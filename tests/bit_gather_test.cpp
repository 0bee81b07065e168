// SPDX-License-Identifier: Apache-2.0
// Two rows of bits gathered by a selector through an order of axes, against bit by bit. With PLENUM_CPU=v3 the other loops are tested.
#include "tables/rows/bit_gather.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace plenum::bit_gather_test {
namespace {

using Words = std::vector<std::uint64_t>;

bool bit(const std::uint64_t* words, std::size_t at) { return (words[at / 64] >> (at % 64) & 1) != 0; }

Words random_words(std::size_t words, std::mt19937_64& random) {
  Words out(words);
  for (auto& word : out) word = random();
  return out;
}

struct Case {
  BitGather::Axes axes;
  // Of the target: at which axis of its row each of its axes beyond a vector is, and the axes that the mask depends on.
  std::vector<int> place;
  std::vector<int> seen;
};

void check(BitGather& gather, const Case& c, std::mt19937_64& random) {
  const auto count = static_cast<std::size_t>(c.axes.count);
  const std::size_t words = std::size_t{1} << (count - 6);
  const Words both = random_words(2 * words, random);
  Words row = random_words(words, random);
  Words wanted = row;
  Words masks = random_words(kVectorWords << c.seen.size(), random);
  std::vector<std::uint8_t> nonzero(std::size_t{1} << c.seen.size(), 1);
  for (std::size_t m = 0; m < nonzero.size(); ++m) {
    if (random() % 3 != 0) continue;
    nonzero[m] = 0;
    std::fill_n(masks.begin() + static_cast<std::ptrdiff_t>(m * kVectorWords), kVectorWords, 0);
  }
  BitGather::Target target;
  target.row = row.data();
  for (std::size_t i = kVectorAxes; i < count; ++i) target.weight[i] = 1 << c.place[i - kVectorAxes];
  for (std::size_t k = 0; k < c.seen.size(); ++k)
    target.mask_weight[static_cast<std::size_t>(c.seen[k])] = static_cast<std::uint16_t>(1U << k);
  target.masks = masks.data();
  target.nonzero = nonzero.data();
  for (std::size_t y = 0; y < std::size_t{1} << count; ++y) {
    std::size_t x = 0;
    std::size_t to = y % 512;
    std::size_t mask = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if ((y >> i & 1) == 0) continue;
      x |= std::size_t{1} << c.axes.from[i];
      if (i >= kVectorAxes) to += static_cast<std::size_t>(target.weight[i]) * 512;
      if (i >= kVectorAxes) mask += target.mask_weight[i];
    }
    bool set = false;
    if (c.axes.selector >= 0) {
      if (c.axes.flipped) x ^= std::size_t{1} << c.axes.selector;
      set = (x >> c.axes.selector & 1) != 0;
    }
    const bool one = bit(both.data() + (set ? words : 0), x) && bit(masks.data() + mask * kVectorWords, y % 512);
    if (one) wanted[to / 64] |= std::uint64_t{1} << (to % 64);
  }
  gather.set(c.axes);
  gather.run({both.data(), both.data() + words}, target);
  ASSERT_EQ(row, wanted) << testing::PrintToString(c.axes.from) << " selector " << c.axes.selector;
}

Case random_case(int count, std::mt19937_64& random) {
  Case out;
  out.axes.count = count;
  std::iota(out.axes.from.begin(), out.axes.from.end(), std::uint8_t{0});
  auto* const end = out.axes.from.begin() + count;
  if (random() % 3 == 0) {
    std::shuffle(out.axes.from.begin(), end, random);
  } else {  // nearly in order, as most are
    for (std::uint64_t n = random() % 5; n > 0; --n)
      std::swap(out.axes.from[random() % static_cast<std::size_t>(count)],
                out.axes.from[random() % static_cast<std::size_t>(count)]);
  }
  out.axes.selector = static_cast<int>(random() % static_cast<std::uint64_t>(count + 1)) - 1;
  out.axes.flipped = out.axes.selector >= 0 && random() % 2 == 0;
  for (int i = kVectorAxes; i < count; ++i) {
    out.place.push_back(i - kVectorAxes);
    if (random() % 2 == 0 && out.seen.size() < 6) out.seen.push_back(i);
  }
  std::shuffle(out.place.begin(), out.place.end(), random);
  return out;
}

TEST(BitGather, OneVector) {
  std::mt19937_64 random(1);
  BitGather gather;
  for (int n = 0; n < 2000; ++n) check(gather, random_case(kVectorAxes, random), random);
}

TEST(BitGather, ManyVectors) {
  std::mt19937_64 random(2);
  BitGather gather;
  for (int count = kVectorAxes + 1; count <= 19; ++count) {
    for (int n = 0; n < (count < 15 ? 300 : 12); ++n) check(gather, random_case(count, random), random);
  }
}

// All axes of a vector change places with others: in two passes and more.
TEST(BitGather, AllAxesCross) {
  std::mt19937_64 random(3);
  BitGather gather;
  Case all = random_case(18, random);
  for (int crossing = 1; crossing <= kVectorAxes; ++crossing) {
    std::iota(all.axes.from.begin(), all.axes.from.end(), std::uint8_t{0});
    for (int i = 0; i < crossing; ++i)
      std::swap(all.axes.from[static_cast<std::size_t>(i)], all.axes.from[static_cast<std::size_t>(17 - i)]);
    check(gather, all, random);
  }
}

}  // namespace
}  // namespace plenum::bit_gather_test
