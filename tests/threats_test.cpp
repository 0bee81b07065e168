// SPDX-License-Identifier: Apache-2.0
// Threats against their meaning: a stone is put on every empty cell in turn, and the rules are asked what that is worth; moves
// that win at once against all moves; programs of patterns, few figures in many places or many in few, against mask by mask.
#include "variants/rules/threats.h"

#include <array>
#include <bit>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/variants_testing.h"
#include "variants/rules/winning_moves.h"

namespace plenum::threats_test {
namespace {

using variants_testing::game;
using variants_testing::sure;

// Positions of random games that have not ended.
std::vector<Position> some_positions(const Variant& variant, std::size_t count) {
  std::mt19937 random(7);
  const Rules& rules = variant.rules();
  std::vector<Position> out;
  while (out.size() < count) {
    Position at = rules.start();
    for (bool goes_on = true; goes_on;) {
      out.push_back(at);
      const std::vector<Successor> moves = sure(successors(rules, at));
      goes_on = !moves.empty();
      if (!goes_on) break;
      const Successor& move = moves[random() % moves.size()];
      goes_on = !move.ended;
      at = move.position;
    }
  }
  return out;
}

std::int64_t counted_by_hand(const Variant& variant, const Position& position) {
  const Rules& rules = variant.rules();
  CellSet stones = 0;
  for (const CellSet plane : position.planes) stones |= plane;
  PositionBatch boards(variant.rule_set().layout.count(), 0);
  for (int cell = 0; cell < variant.board().size(); ++cell) {
    if ((stones & cell_bit(static_cast<Cell>(cell))) != 0) continue;
    for (std::size_t plane = 0; plane < 2; ++plane) {
      Position with = position;
      with.planes[plane] |= cell_bit(static_cast<Cell>(cell));
      boards.push(with);
    }
  }
  if (boards.size == 0) return 0;
  Rules::Scratch scratch(rules);
  std::vector<std::int64_t> margins;
  rules.score(boards, scratch, margins);
  std::int64_t out = 0;
  for (std::size_t i = 0; i < boards.size; ++i) out += (margins[i] > 0) - (margins[i] < 0);
  return out;
}

void check(const std::string& name, const std::vector<std::string>& settings) {
  SCOPED_TRACE(name);
  const Variant variant = game(name, settings);
  const Threats threats(variant.rules());
  ASSERT_TRUE(threats.any());
  const std::vector<Position> positions = some_positions(variant, 400);
  PositionBatch batch = variant.rules().batch();
  for (const Position& p : positions) batch.push(p);
  Workspace work;
  std::vector<std::int64_t> counts(kLanes);
  bool some = false;
  for (std::size_t begin = 0; begin < batch.size; begin += kLanes) {
    const std::size_t lanes = std::min(kLanes, batch.size - begin);
    threats.count(batch, begin, lanes, work, counts.data());
    for (std::size_t k = 0; k < lanes; ++k) {
      const std::int64_t expected = counted_by_hand(variant, positions[begin + k]);
      ASSERT_EQ(counts[k], expected) << variant.rules().write(positions[begin + k]);
      some |= expected != 0;
    }
  }
  EXPECT_TRUE(some);
}

TEST(Threats, AreTheCellsThatCompleteALine) {
  check("mnk", {"board=square:4x4", "k=3"});
  check("mnk", {"board=square:5x5", "k=4"});
  check("mnk", {"board=hexhex:3", "k=4"});
  check("connect-4", {"board=square:7x6"});
}

TEST(Threats, CountAgainstWhoeverMustNotCompleteThem) { check("mnk", {"board=square:4x4", "k=3", "misere=on"}); }

TEST(Threats, AreNoneWhereNoPatternCounts) {
  EXPECT_FALSE(Threats(game("in-crowd", {"board=square:3x3"}).rules()).any());
  EXPECT_FALSE(Threats(game("cascade", {"board=square:3x3"}).rules()).any());
}

// Every cell that is found wins at once by that much, and where one move does so at all some cell is found.
void check_winning(const std::string& name, const std::vector<std::string>& settings) {
  SCOPED_TRACE(name);
  const Variant variant = game(name, settings);
  const WinningMoves winning(variant.rules());
  ASSERT_TRUE(winning.any());
  const std::vector<Position> positions = some_positions(variant, 600);
  PositionBatch batch = variant.rules().batch();
  Workspace work;
  bool some = false;
  for (const Position& p : positions) {
    batch.clear();
    batch.push(p);
    CellSet found = 0;
    winning.find(batch, 0, 1, work, &found);
    CellSet expected = 0;
    for (const Successor& s : sure(successors(variant.rules(), p))) {
      if (!s.ended || s.margin.margin.units >= 0) continue;
      EXPECT_EQ(s.margin.margin.units, -winning.worth());
      expected |= cell_bit(s.move.first.to);
    }
    ASSERT_EQ(found, expected) << variant.rules().write(p);
    some |= found != 0;
  }
  EXPECT_TRUE(some);
}

TEST(WinningMoves, AreThoseThatCompleteALine) {
  check_winning("tic-tac-toe", {});
  check_winning("mnk", {"board=square:4x4", "k=3"});
  check_winning("mnk", {"board=hexhex:3", "k=4"});
  check_winning("connect-4", {"board=square:5x4"});
  check_winning("connect-4", {"board=square:7x6"});
}

TEST(WinningMoves, AreNoneWhereNothingIsProven) {
  EXPECT_FALSE(WinningMoves(game("mnk", {"board=square:4x4", "k=3", "misere=on"}).rules()).any());
  EXPECT_FALSE(WinningMoves(game("in-crowd", {"board=square:3x3"}).rules()).any());
  EXPECT_FALSE(WinningMoves(game("cascade", {"board=square:3x3"}).rules()).any());
  EXPECT_FALSE(WinningMoves(game("hex", {"board=hexrect:3x3"}).rules()).any());
}

// Random figures of one cell to five, each moved to many places.
std::vector<CellSet> random_masks(std::mt19937_64& random, int cells) {
  std::vector<CellSet> out;
  const CellSet board = cells == 64 ? ~CellSet{0} : cell_bit(static_cast<Cell>(cells)) - 1;
  for (std::size_t figures = 1 + random() % 4; figures > 0; --figures) {
    CellSet figure = 1;
    for (std::size_t more = random() % 5; more > 0; --more) figure |= CellSet{1} << random() % 18;
    const std::size_t one_in = 1 + random() % 3;
    for (int by = 0; by < cells; ++by) {
      const CellSet mask = figure << by & board;
      if (random() % one_in == 0 && std::popcount(mask) == std::popcount(figure)) out.push_back(mask);
    }
  }
  out.push_back(board & random());
  if (out.back() == 0) out.back() = 1;
  if (random() % 2 == 0) out.pop_back();
  if (out.empty()) out.push_back(1);
  return out;
}

void try_masks(std::mt19937_64& random, int cells, std::size_t lanes) {
  RuleGraph graph(cells);
  const std::vector<CellSet> masks = random_masks(random, cells);
  std::vector<CellSet> singles;
  for (int c = 0; c < cells; ++c) singles.push_back(cell_bit(static_cast<Cell>(c)));
  const NodeId held = graph.cell_input(0);
  const NodeId free = graph.cell_input(1);
  const NodeId cover = graph.cover(masks, held);
  const std::vector<NodeId> roots = {cover, graph.any(cover), graph.completing(masks, held, free),
                                     graph.pick(singles, held)};
  const Program program(graph, roots, {});
  std::array<std::vector<std::uint64_t>, 2> sets;
  for (auto& set : sets) {
    for (std::size_t k = 0; k < kLanes; ++k) set.push_back((random() | (random() & random())) & graph.all());
  }
  InputPointers pointers;
  pointers.cells.fill(nullptr);
  pointers.bytes.fill(nullptr);
  for (std::size_t i = 0; i < sets.size(); ++i) pointers.cells[i] = sets[i].data();
  Workspace work;
  constexpr int kUntilCompiled = 250;
  for (int run = 0; run < kUntilCompiled; ++run) {
    program.run({pointers.cells, pointers.bytes}, lanes, work);
    if (run != 0 && run != kUntilCompiled - 1) continue;
    std::array<std::vector<std::uint64_t>, 4> found;
    for (std::size_t r = 0; r < found.size(); ++r) {
      found[r].resize(kLanes);
      program.read_set(r, lanes, work, found[r].data());
    }
    for (std::size_t k = 0; k < lanes; ++k) {
      CellSet covered = 0;
      CellSet completing = 0;
      for (const CellSet mask : masks) {
        const CellSet missing = mask & ~sets[0][k];
        if (missing == 0) covered |= mask;
        if (std::popcount(missing) == 1) completing |= missing & sets[1][k];
      }
      ASSERT_EQ(found[0][k], covered);
      ASSERT_EQ(found[1][k], covered != 0 ? graph.all() : 0);
      ASSERT_EQ(found[2][k], completing);
      ASSERT_EQ(found[3][k], sets[0][k] & -sets[0][k]);
    }
  }
}

TEST(Patterns, AreFoundInAllPlacesAtOnceAsMaskByMask) {
  std::mt19937_64 random(20261126);
  for (int round = 0; round < 300; ++round) {
    const int cells = std::array{12, 25, 32, 33, 42, 64}[random() % 6];
    try_masks(random, cells, std::array{std::size_t{1}, std::size_t{7}, kLanes}[random() % 3]);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace plenum::threats_test
