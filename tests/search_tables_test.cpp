// SPDX-License-Identifier: Apache-2.0
// The tables that search stands on: a transposition table never tells of one key what was said of another, whatever its layout,
// also while many write and after it has grown; folded keys are the same for symmetric positions and for no others.
#include <map>
#include <random>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "tables/index/folded_keys.h"
#include "tables/index/transposition_table.h"
#include "tests/variants_testing.h"

namespace plenum::search_tables_test {
namespace {

using variants_testing::game;
using variants_testing::sure;

template <std::size_t kWords>
struct Truth {
  int key_bits;
  Interval values;

  // A key of few enough different ones to meet again.
  Key<kWords> key(std::uint64_t n) const {
    Key<kWords> out = {};
    std::mt19937_64 random(n);
    for (int bit = 0; bit < key_bits; ++bit)
      out[static_cast<std::size_t>(bit / 64)] |= (random() >> 40 & 1) << (bit % 64);
    return out;
  }
  Interval bounds(const Key<kWords>& key) const {
    std::uint64_t h = 0x9E3779B97F4A7C15ULL;
    for (const std::uint64_t word : key) h = (h ^ word) * 0xD6E8FEB86659FD93ULL ^ h >> 29;
    const auto range = static_cast<std::uint64_t>(values.greatest - values.least) + 1;
    const std::int64_t a = values.least + static_cast<std::int64_t>(h % range);
    const std::int64_t b = values.least + static_cast<std::int64_t>((h >> 20) % range);
    return {std::min(a, b), std::max(a, b)};
  }
};

template <std::size_t kWords>
void try_table(int key_bits, Interval values, std::uint64_t bytes) {
  const Truth<kWords> truth{key_bits, values};
  TranspositionTable<kWords> table(key_bits, values, bytes);
  constexpr std::uint64_t kKeys = 10'000;
  std::atomic<std::uint64_t> found{0};
  const auto use = [&](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uint64_t mine = 0;
    for (int i = 0; i < 30'000; ++i) {
      const Key<kWords> key = truth.key(random() % kKeys);
      const Interval is = truth.bounds(key);
      const Key<kWords> mixed = table.mixed(key);
      const Interval told = table.probe(mixed, values);
      ASSERT_LE(told.least, is.least);
      ASSERT_GE(told.greatest, is.greatest);
      mine += told.least == is.least && told.greatest == is.greatest ? 1 : 0;
      // Half of the truth at a time: bounds meet in the table.
      table.store(mixed, random() % 2 == 0 ? Interval{is.least, values.greatest} : Interval{values.least, is.greatest},
                  work_of(random() % 1000));
    }
    found += mine;
  };
  for (int size = 0; size < 3; ++size) {
    std::thread other(use, 100 + size);
    use(static_cast<std::uint64_t>(size));
    other.join();
    // What was there is there after growing.
    std::map<std::uint64_t, Interval> before;
    for (std::uint64_t n = 0; n < kKeys; n += 7) before[n] = table.probe(table.mixed(truth.key(n)), values);
    if (!table.can_grow()) break;
    const std::uint64_t capacity = table.capacity();
    table.grow([](std::uint64_t buckets, const auto& body) {
      body(std::uint64_t{0}, buckets / 2);
      body(buckets / 2, buckets);
    });
    EXPECT_EQ(table.capacity(), 2 * capacity);
    for (const auto& [n, bounds] : before) {
      const Interval now = table.probe(table.mixed(truth.key(n)), values);
      ASSERT_EQ(now.least, bounds.least);
      ASSERT_EQ(now.greatest, bounds.greatest);
    }
  }
  if (bytes > 1) {
    EXPECT_GT(found.load(), 0U);  // the smallest forgets nearly everything
  }
}

TEST(TranspositionTable, NeverTellsOfOneKeyWhatWasSaidOfAnother) {
  const std::uint64_t small = 1 << 18;
  const std::uint64_t large = 1 << 24;
  for (const std::uint64_t bytes : {std::uint64_t{1}, small, large}) {
    try_table<1>(16, {-3, 3}, bytes);
    try_table<1>(40, {-25, 25}, bytes);
    try_table<1>(52, {-25, 25}, bytes);
    try_table<1>(64, {-1, 1}, bytes);
    try_table<1>(12, {-26'771'144'400, 26'771'144'400}, bytes);
    try_table<1>(50, {-26'771'144'400, 26'771'144'400}, bytes);
    try_table<2>(70, {-1, 1}, bytes);
    try_table<2>(84, {-1, 1}, bytes);
    try_table<2>(128, {-64, 64}, bytes);
    try_table<4>(200, {0, 0}, bytes);
    try_table<4>(256, {-64, 64}, bytes);
    try_table<8>(400, {-26'771'144'400, 26'771'144'400}, bytes);
    try_table<8>(512, {-1, 1}, bytes);
  }
}

// Mixing is a bijection: different keys stay different.
TEST(TranspositionTable, MixesOneToOne) {
  TranspositionTable<1> table(12, {0, 1}, 1);
  std::set<std::uint64_t> seen;
  for (std::uint64_t key = 0; key < 4096; ++key) {
    const std::uint64_t mixed = table.mixed({key})[0];
    EXPECT_LT(mixed, 4096U);
    seen.insert(mixed);
  }
  EXPECT_EQ(seen.size(), 4096U);
}

template <std::size_t kWords>
void compare_folding(const Variant& variant) {
  const FoldedKeys keys(variant);
  const Packing& packing = keys.packing();
  const SymmetryGroup& group = variant.symmetries();
  ASSERT_LE(packing.bits(), static_cast<int>(64 * kWords));
  FoldedKeys::Scratch scratch;
  PositionBatch batch = variant.rules().batch();
  std::mt19937_64 random(3);
  std::vector<Position> positions;
  Rules::Scratch moves(variant.rules());
  PositionBatch games = batch;
  for (int k = 0; k < 8; ++k) games.push(variant.rules().start());
  for (int ply = 0; ply < 12 && games.size > 0; ++ply) {
    for (std::size_t i = 0; i < games.size; ++i) positions.push_back(games.at(i));
    ASSERT_TRUE(variant.rules().expand(games, moves).ok());
    games.clear();
    for (int k = 0; k < 8 && moves.successors.size > 0; ++k) {
      const std::size_t i = random() % moves.successors.size;
      if (moves.ended[i] == 0) games.push(moves.successors.at(i));
    }
  }
  std::map<Key<kWords>, Position> known;  // by folded key: the canonical position
  for (const Position& p : positions) {
    batch.clear();
    for (std::size_t g = 0; g < group.size(); ++g) batch.push(group.apply(static_cast<GroupElement>(g), p));
    std::vector<Key<kWords>> folded(batch.size);
    std::vector<Key<kWords>> plain(batch.size);
    keys.fold<kWords>(batch, scratch, folded.data(), plain.data());
    const Position canonical = group.canonical(p).position;
    for (std::size_t i = 0; i < batch.size; ++i) {
      ASSERT_EQ(folded[i], folded[0]) << variant.rules().write(batch.at(i));
      PositionBatch back = variant.rules().batch();
      packing.unpack<kWords>(plain[i], back);
      packing.unpack<kWords>(folded[i], back);
      ASSERT_EQ(group.canonical(back.at(0)).position, canonical);
      ASSERT_EQ(group.canonical(back.at(1)).position, canonical);
      ASSERT_EQ(packing.unpack<kWords>(plain[i]), back.at(0));
      const bool exchanged = group.has_exchange() && batch.at(i).mover == Player::second;
      if (!exchanged) {
        ASSERT_EQ(back.at(0), batch.at(i));
      }
    }
    const auto [at, fresh] = known.emplace(folded[0], canonical);
    if (!fresh) {
      ASSERT_EQ(at->second, canonical);
    }
  }
  EXPECT_GT(known.size(), 10U);
}

TEST(FoldedKeys, AreTheSameForSymmetricPositionsAndForNoOthers) {
  compare_folding<1>(game("in-crowd", {"board=square:5x5"}));
  compare_folding<8>(game("in-crowd", {"board=square:5x5"}));
  compare_folding<1>(game("cascade", {"board=square:5x5"}));
  compare_folding<1>(game("cascade", {"board=square:5x5", "fill=both"}));
  compare_folding<1>(game("hex", {"board=hexrect:4x4"}));
  compare_folding<1>(game("breakthrough", {"board=square:4x5"}));
  compare_folding<2>(game("taifas", {"board=square:6x6"}));
  compare_folding<2>(game("connect-4", {"board=square:7x6"}));
  compare_folding<2>(game("hex", {"board=hexrect:6x6"}));
  compare_folding<1>(game("populace", {"board=hexhex:3", "button=on"}));
  compare_folding<1>(game("populace", {"board=cycle:24"}));                       // many symmetries
  compare_folding<1>(game("populace", {"board=edges:a-b a-c a-d a-e a-f a-g"}));  // more than are found at once
  compare_folding<4>(game("taifas", {"board=square:8x8"}));
}

}  // namespace
}  // namespace plenum::search_tables_test
