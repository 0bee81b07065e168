// SPDX-License-Identifier: Apache-2.0
// Positions as keys and as numbers: packing and unpacking is the identity, the sparse index finds what was put in.
#include "tables/index/packing.h"

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tables/index/sparse_index.h"
#include "tests/variants_testing.h"

namespace plenum::variants_testing::packing_test {
namespace {

// Many kinds and states on a board: what a position can hold at most.
std::string rich(const std::string& board, int kinds) {
  std::string out = "name = \"T\"\n[options]\nboard = { default = \"" + board + "\" }\n[kinds]\n";
  const char* const names[] = {"a = \"first\"", "b = \"second\"", "c = \"nobody\"",
                               "d = \"first\"", "e = \"second\"", "f = \"nobody\""};
  for (int k = 0; k < kinds; ++k) out += std::string(names[k]) + "\n";
  return out + R"toml([state]
holder = { type = "player" }
spent  = { type = "number", each = true, range = [0, 5] }
total  = { type = "number", range = [-125, 125], start = 0 }
single = { type = "number", range = [7, 7] }
flag   = { type = "bool" }
[moves.place]
to  = "empty & (flag | holder == me | spent + total + single > 0)"
put = "a"
[moves.pass]
[end]
when  = "passes == 5"
score = "count(a)"
)toml";
}

struct Size {
  const char* board;
  int kinds;
  std::size_t words;
};

// 2 or 3 bits a cell, and 3 + 2 + 3 + 3 + 8 + 1 bits of state, and the mover.
const Size kSizes[] = {
    {"path:1", 2, 1},  {"square:4x5", 2, 1}, {"square:3x7", 3, 1}, {"path:22", 2, 2},    {"square:6x6", 3, 2},
    {"path:53", 2, 2}, {"path:54", 2, 4},    {"square:8x8", 2, 4}, {"square:8x8", 3, 4}, {"square:8x8", 6, 4},
};

template <std::size_t kWords>
void round_trip(const Packing& packing, const Position& p) {
  const Key<kWords> key = packing.pack<kWords>(p);
  RC_ASSERT(packing.unpack<kWords>(key) == p);
  RC_ASSERT(packing.pack<kWords>(packing.unpack<kWords>(key)) == key);
}

TEST(Packing, RoundTrips) {
  for (const Size& size : kSizes) {
    SCOPED_TRACE(std::string(size.board) + " " + std::to_string(size.kinds));
    const Variant v = made(rich(size.board, size.kinds));
    for (const StateSlot& slot : v.rule_set().slots) ASSERT_TRUE(slot.live);
    const Packing packing(v.rules(), true);
    const Packing unnamed(v.rules(), false);
    EXPECT_EQ(packing.words(), size.words) << packing.bits() << " bits";
    EXPECT_EQ(packing.bits(), unnamed.bits() + 1);
    check(100, [&] {
      Position p = *positions(v.rule_set(), 5);
      switch (packing.words()) {
        case 1:
          round_trip<1>(packing, p);
          break;
        case 2:
          round_trip<2>(packing, p);
          break;
        default:
          round_trip<4>(packing, p);
          break;
      }
      round_trip<8>(packing, p);
      p.mover = Player::first;
      round_trip<4>(unnamed, p);
    });
  }
}

TEST(Packing, DifferentPositionsHaveDifferentKeys) {
  const Variant v = made(rich("square:2x2", 3));
  const Packing packing(v.rules(), true);
  check(300, [&] {
    const Position p = *positions(v.rule_set(), 1);
    const Position q = *positions(v.rule_set(), 1);
    RC_ASSERT((p == q) == (packing.pack<1>(p) == packing.pack<1>(q)));
  });
}

TEST(Packing, LeavesOutWhatNothingReads) {
  const Packing off(populace({"board=square:4x4"}).rules(), false);
  const Packing on(populace({"board=square:4x4", "button=on"}).rules(), false);
  EXPECT_EQ(off.bits() + 2, on.bits());
}

template <std::size_t kWords>
void index_round_trip(const Variant& v, std::size_t count) {
  SparseIndex<kWords> index(Packing(v.rules(), true));
  std::map<Key<kWords>, Address> known;
  std::vector<Position> all;
  std::mt19937_64 random(1);
  for (std::size_t k = 0; k < count; ++k) {
    Position p = v.rules().start();
    p.mover = random() % 2 == 0 ? Player::first : Player::second;
    for (int c = 0; c < v.board().size(); ++c) {
      const std::uint64_t drawn = random() % 3;
      if (drawn < 2) p.planes[drawn] |= cell_bit(static_cast<Cell>(c));
    }
    const Key<kWords> key = index.packing().template pack<kWords>(p);
    const std::uint64_t hash = hash_key(key);
    const auto inserted = index.insert(shard_of_hash(hash), key, hash);
    EXPECT_EQ(shard_of(inserted.address), shard_of_hash(hash));
    EXPECT_EQ(index.key(inserted.address), key);
    const auto [found, fresh] = known.emplace(key, inserted.address);
    ASSERT_EQ(fresh, inserted.fresh);
    ASSERT_EQ(found->second, inserted.address);
    if (fresh) all.push_back(p);
  }
  EXPECT_LT(known.size(), count);  // some were met again
  // Numbers in some order, backwards here.
  std::vector<std::vector<PositionIndex>> numbers(kShards);
  std::size_t places = 0;
  auto next = static_cast<PositionIndex>(known.size());
  for (std::size_t shard = 0; shard < kShards; ++shard) {
    places += index.places(shard);
    for (std::size_t place = 0; place < index.places(shard); ++place) numbers[shard].push_back(--next);
  }
  ASSERT_EQ(places, known.size());
  index.number(std::move(numbers));
  std::map<Key<kWords>, PositionIndex> numbered;
  for (const auto& [key, address] : known) numbered.emplace(key, index.index_of(address));
  index.settle();
  ASSERT_EQ(index.size(), known.size());
  std::set<PositionIndex> seen;
  for (const Position& p : all) {
    const auto number = index.find(p);
    ASSERT_TRUE(number.has_value());
    EXPECT_TRUE(seen.insert(*number).second);
    EXPECT_EQ(index.position(*number), p);
    EXPECT_EQ(*number, numbered.at(index.packing().template pack<kWords>(p)));
    Position absent = p;
    absent.planes[0] ^= absent.planes[1] | 1;
    absent.planes[0] &= ~absent.planes[1];
    const auto other = index.find(absent);
    if (other) {
      EXPECT_EQ(index.position(*other), absent);
    }
    EXPECT_EQ(other.has_value(), known.count(index.packing().template pack<kWords>(absent)) != 0);
  }
  EXPECT_GE(index.bytes(), known.size() * (8 * kWords + 4));
}

TEST(SparseIndex, FindsWhatWasPutIn) {
  index_round_trip<1>(populace({"board=path:9"}), 60'000);
  index_round_trip<2>(populace({"board=path:9"}), 3'000);
  index_round_trip<4>(populace({"board=path:7"}), 3'000);
}

TEST(SparseIndex, EmptyFindsNothing) {
  const Variant v = populace({"board=path:3"});
  SparseIndex<1> index(Packing(v.rules(), true));
  EXPECT_FALSE(index.find(v.rules().start()).has_value());
  EXPECT_EQ(index.size(), 0u);
}

}  // namespace
}  // namespace plenum::variants_testing::packing_test
