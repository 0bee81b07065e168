// SPDX-License-Identifier: Apache-2.0
// Solving by rows against the stored graph: every reachable position, value and who forces an end.
#include <gtest/gtest.h>

#include "solver/graph/analysis.h"
#include "solver/rows/dense_rows.h"
#include "solver/rows/row_reach.h"
#include "solver/rows/tier_piece.h"
#include "tests/bit_rows_testing.h"
#include "tests/solver_testing.h"
#include "tests/stuck_game.h"
#include "tests/table_files.h"
#include "tests/variants_testing.h"

namespace plenum::row_solver_test {
namespace {

using solver_testing::expect_equal;
using variants_testing::game;
using variants_testing::sure;

using LegalByMove = std::map<std::tuple<int, Cell, Cell, int>, std::vector<std::uint64_t>>;

LegalByMove by_move(const RowMoves& moves) {
  LegalByMove out;
  for (std::size_t k = 0; k < moves.moves.size(); ++k) {
    const RowMove& m = moves.moves[k];
    const auto begin = moves.legal.begin() + static_cast<std::ptrdiff_t>(k * moves.words);
    out[{m.rule, m.from, m.to, m.put}].assign(begin, begin + static_cast<std::ptrdiff_t>(moves.words));
  }
  return out;
}

// From truth tables and position by position.
void check_finders(const RowRules& rules, CellSet set, RowMoveFinder& finder, RowRules::Scratch& scratch) {
  RowMoves found;
  RowMoves expected;
  finder.find(set, found);
  rules.find(set, scratch, expected);
  ASSERT_EQ(by_move(found), by_move(expected)) << rules.variant().board().name() << " set " << set;
  ASSERT_EQ(found.passes, expected.passes);
  for (const RowMoves* moves : {&found, &expected}) {
    for (std::size_t k = 0; k < moves->moves.size(); ++k) {
      const RowMove& m = moves->moves[k];
      ASSERT_EQ(k < moves->adding, m.from == kNoCell && (set & cell_bit(m.to)) == 0);
    }
  }
}

// Every block's moves are those that the rules make of its positions one by one.
void check_moves(const RowGame& rows) {
  const Variant& variant = rows.variant();
  RowGame::Worker worker(rows);
  Rules::Scratch scratch(variant.rules());
  RowMoveFinder finder(rows.rules());
  RowRules::Scratch by_position(rows.rules());
  RowBlock block;
  PositionBatch batch(2, static_cast<int>(variant.rule_set().slots.size()));
  for (BlockIndex b = 0; b < rows.index().blocks().size(); ++b) {
    ASSERT_TRUE(rows.build(b, worker, block).ok());
    const CellSet set = rows.index().blocks()[b].set;
    check_finders(rows.rules(), set, finder, by_position);
    std::vector<std::map<std::tuple<int, Cell, Cell, int>, int>> expected(block.moves.positions);
    batch.clear();
    for (std::size_t row = 0; row < block.moves.positions; ++row) {
      Position p;
      RowRules::planes(set, row, p.planes.data());
      if (!block.ends.empty() && !block.ends[0].empty() && block.ends[0][row] != 0) p.planes = {};  // keeps the numbers
      batch.push(p);
    }
    ASSERT_TRUE(variant.rules().expand(batch, scratch).ok());
    std::vector<std::size_t> count(block.moves.positions);
    for (std::size_t i = 0; i < scratch.successors.size; ++i) {
      const PackedMove& m = scratch.move[i];
      if (static_cast<int>(m.first.rule) == rows.rules().pass_rule()) continue;
      const MoveRule& rule = variant.rule_set().moves[m.first.rule];
      const int put = rule.kind == MoveRule::Kind::place ? rule.put[m.first.choice].if_first : -1;
      ++expected[scratch.parent[i]][{m.first.rule, m.first.from, m.first.to, put}];
    }
    for (std::size_t row = 0; row < block.moves.positions; ++row) {
      if (!block.ends.empty() && !block.ends[0].empty() && block.ends[0][row] != 0) continue;
      std::map<std::tuple<int, Cell, Cell, int>, int> found;
      for (std::size_t k = 0; k < block.moves.moves.size(); ++k) {
        if ((block.moves.legal[k * block.moves.words + row / 64] >> (row % 64) & 1) == 0) continue;
        const RowMove& m = block.moves.moves[k];
        ++found[{m.rule, m.from, m.to, m.put}];
      }
      ASSERT_EQ(found, expected[row]) << variant.board().name() << " set " << set << " row " << row;
    }
  }
}

// Every board in every state, for both players.
void check_whole(const Statistics& all, const RowGame& rows) {
  std::uint64_t boards = 1;
  for (int c = 0; c < rows.index().cells(); ++c) boards *= 3;
  const std::uint64_t positions = boards * rows.index().layers() * 2;
  EXPECT_EQ(all.reachable, positions);
  EXPECT_EQ(all.ended + all.going_on(), positions);
  EXPECT_EQ(all.first, all.second);
  EXPECT_EQ(all.ended_first, all.ended_second);
}

void check(const Variant& variant) {
  SCOPED_TRACE(variant.identity().text);
  const absl::StatusOr<RowGame> rows = RowGame::make(variant);
  ASSERT_TRUE(rows.ok()) << rows.status();
  check_moves(*rows);
  DenseValues values;
  ASSERT_TRUE(solve_rows(*rows, {}, nullptr, values, {}).ok());
  // Whole blocks alone, and changes followed back from the first; with folds kept and without.
  for (const double few : {0.0, 1.0}) {
    DenseValues same;
    RowOptions other;
    other.few_changes = few;
    other.keep_added = few != 0;
    ASSERT_TRUE(solve_rows(*rows, other, nullptr, same, {}).ok());
    EXPECT_EQ(same.codes, values.codes);
    EXPECT_EQ(same.facts, values.facts);
    EXPECT_EQ(same.plies, values.plies);
  }
  solver_testing::expect_bits_agree(*rows, values);
  SolveOptions options;
  options.extras = kValuesOnly;
  const SolvedGame solved = sure(solve_game(variant, variant.rules().start(), options));
  std::size_t compared = 0;
  for (PositionIndex i = 0; i < solved.graph().size(); ++i) {
    const Position p = solved.store().position(i);
    if (p.passes != 0) continue;
    const DenseIndex::Place place = rows->index().place(p);
    ASSERT_LT(place.layer, rows->states());
    const ValueByte code = values.codes[place.layer][place.board];
    const Solution& s = solved.solution();
    ASSERT_EQ(units_of(code), solved.graph().margin(s.value[i]).margin.units) << variant.rules().write(p);
    if (is_level(code)) {
      ASSERT_EQ(mover_ends(code), s.has(i, kMoverEnds)) << variant.rules().write(p);
      ASSERT_EQ(other_ends(code), s.has(i, kOtherEnds)) << variant.rules().write(p);
    }
    const std::uint8_t facts = values.facts[place.layer][place.board];
    ASSERT_EQ((facts & kRowMoverForcesEnd) != 0, s.has(i, kMoverForcesEnd)) << variant.rules().write(p);
    ASSERT_EQ((facts & kRowOtherCannotForceEnd) == 0, s.has(i, kOtherForcesEnd)) << variant.rules().write(p);
    ASSERT_EQ((facts & kRowNoLevelEnd) == 0, s.has(i, kEndReachable)) << variant.rules().write(p);
    ASSERT_EQ(values.plies[place.layer][place.board], std::min<std::uint32_t>(s.remoteness[i].count, kUnknownPlies))
        << variant.rules().write(p);
    ++compared;
  }
  EXPECT_GT(compared, 0U);

  BoardBytes reached;
  const absl::StatusOr<RowCounts> counts = count_rows(*rows, variant.rules().start(), values, nullptr, reached, {});
  ASSERT_TRUE(counts.ok()) << counts.status();
  expect_equal(counts->reachable, solved.statistics());
  check_whole(counts->all, *rows);
  for (PositionIndex i = 0; i < solved.graph().size(); ++i) {
    const Position p = solved.store().position(i);
    const DenseIndex::Place place = rows->index().place(p);
    const std::uint8_t bits = reached[place.layer % rows->states()][place.board];
    ASSERT_EQ((bits & reached_bit(p.passes, false)) != 0, solved.lifts().as_stored(i) > 0) << variant.rules().write(p);
    ASSERT_EQ((bits & reached_bit(p.passes, true)) != 0, solved.lifts().exchanged(i) > 0) << variant.rules().write(p);
  }
}

void check(const std::string& name, const std::vector<std::string>& settings) { check(game(name, settings)); }

TEST(RowSolver, AgreesWithTheStoredGraph) {
  for (const char* board : {"path:1", "path:5", "path:9", "square:2x3", "square:3x3", "hexhex:2", "king:3x3", "cycle:6",
                            "edges:a-b b-c c-d d-b d-e f"}) {
    const std::string on = std::string("board=") + board;
    check("populace", {on});
    check("populace", {on, "button=on"});
    check("populace", {on, "move_to=no_drop"});
    check("populace", {on, "move_to=no_drop_lifted"});
    check("populace", {on, "threat=1", "move=off"});
  }
  check("tic-tac-toe", {});
  check("tapatan", {});
}

// Boards of sixteen cells, 43 M each: the stored graph takes minutes.
TEST(LongRowSolver, AgreesWithTheStoredGraph) {
  check("populace", {"board=square:4x4"});
  check("populace", {"board=king:4x4"});
  check("populace", {"board=square:4x4", "move_to=no_drop"});
}

TEST(RowSolver, WhoHasNoMoveAfterAPass) {
  for (const char* board : {"path:2", "path:5", "cycle:6", "square:2x3", "edges:a-b b-c c-d d-b d-e f"})
    check(variants_testing::made(variants_testing::kStuckAfterPass, {std::string("board=") + board}));
  check(variants_testing::made(std::string(variants_testing::kStuckAfterPass) +
                               "[start]\nx = \"{2 3 4}\"\no = \"{1 5}\"\n"));
}

// A clock of nine bits, and nothing to do but to wind it.
TEST(RowSolver, PliesThatFitNoByte) {
  std::string description = "name = \"Clock\"\n[options]\nboard = { default = \"path:1\" }\n[state]\n";
  std::string then;
  std::string all;
  for (int bit = 0; bit < 9; ++bit) {
    const std::string name = "b" + std::to_string(bit);
    description += name + " = { type = \"bool\" }\n";
    then.insert(0, "\"" + name + " = " + (all.empty() ? "!" + name : "if " + all + " then !" + name + " else " + name) +
                       "\", ");
    all += (all.empty() ? "" : " & ") + name;
  }
  description +=
      "[start]\no = \"{1}\"\n[moves.drop]\nto = \"empty\"\nwhen = \"any(mine) & any(theirs)\"\n[moves.take]\nto = "
      "\"theirs\"\nthen = [" +
      then + "]\n[end]\nwhen = \"" + all + "\"\nscore = \"count(mine)\"\nstuck = \"loses\"\n";
  const Variant variant = variants_testing::made(description);
  check(variant);
  const RowGame rows = sure(RowGame::make(variant));
  DenseValues values;
  ASSERT_TRUE(solve_rows(rows, {}, nullptr, values, {}).ok());
  const DenseIndex::Place start = rows.index().place(variant.rules().start());
  EXPECT_EQ(values.plies[start.layer][start.board], kUnknownPlies);
  EXPECT_FALSE(is_level(values.codes[start.layer][start.board]));
}

// A byte holds 61 units: of hundredths, not even one.
TEST(RowSolver, RefusesMarginsThatFitNoByte) {
  const std::string description = R"toml(
name = "Hundredths"
[options]
board = { default = "path:3" }
[moves.place]
to = "empty & near(theirs) == 0"
[end]
when  = "count(stones) == 3"
score = "count(mine) / 100"
)toml";
  EXPECT_FALSE(RowGame::make(variants_testing::made(description + "stuck = \"loses\"\n")).ok());
  EXPECT_FALSE(
      RowGame::make(variants_testing::made(description + "stuck = \"ties\"\ntiebreak = \"count(mine)\"\n")).ok());
  check(variants_testing::made(description + "stuck = \"ties\"\n"));
}

// Nothing but the state says that the game is over.
TEST(RowSolver, EndsByStateAlone) {
  const std::string description = R"toml(
name = "Twice"
[state]
once  = { type = "bool" }
twice = { type = "bool" }
last  = { type = "player" }
[options]
board = { default = "square:2x3" }
[moves.place]
to = "empty & near(theirs) == 0"
[moves.slide]
from = "mine"
step = "adjacent"
to   = "empty"
then = ["twice = once", "once = true", "last = me"]
)toml";
  const std::string end = R"toml(
[end]
when  = "twice"
score = "count(mine) + (if last == me then 1/2 else 0)"
stuck = "loses"
)toml";
  check(variants_testing::made(description + end));
  check(variants_testing::made(description + end, {"board=path:1"}));  // nothing ever slides
  EXPECT_FALSE(RowGame::make(variants_testing::made(description + R"toml(
[moves.pass]
[end]
when  = "twice | passes == 2"
score = "count(mine)"
)toml"))
                   .ok());
}

// Layers are numbered with 32 bits, and each has a byte for every board.
TEST(RowSolver, RefusesWhatHasTooManyStates) {
  std::string description = "name = \"Noted\"\nboard = { edges = \"a-b\" }\n[state]\n";
  std::string effects;
  std::string sum = "count(mine)";
  for (const char* name : {"k", "l", "m", "n"}) {
    description += std::string(name) + " = { type = \"number\", range = [0, 99] }\n";
    effects += std::string("\"") + name + " = 1\", ";
    sum += std::string(" + ") + name;
  }
  description += "[moves.place]\nto = \"empty\"\nthen = [" + effects +
                 "]\n[end]\nwhen = \"!any(empty)\"\nscore = \"if " + sum + " > 3 then count(mine) else 0\"\n";
  EXPECT_EQ(RowGame::make(variants_testing::made(description)).status().message(),
            "there is too much to be noted besides the stones");
}

// A game that fits without them is solved all the same.
TEST(RowSolver, KeepsFoldsOnlyWhereTheyFit) {
  const RowGame rows = sure(RowGame::make(game("populace", {"board=square:4x5", "button=on"})));
  const RowOptions fast = sure(row_options(rows, true, ~std::uint64_t{0}));
  EXPECT_TRUE(fast.keep_added);
  const std::uint64_t needed = sure(predict_rows(rows, fast)).bytes;
  EXPECT_TRUE(sure(row_options(rows, true, needed)).keep_added);
  const RowOptions frugal = sure(row_options(rows, true, needed - 1));
  EXPECT_FALSE(frugal.keep_added);
  EXPECT_LT(sure(predict_rows(rows, frugal)).bytes, needed);
}

// What is reachable is not the same seen through all symmetries then.
TEST(RowSolver, RefusesAnUnevenStart) {
  const std::string populace =
      "name = \"Set up\"\nextends = \"populace\"\n[options]\nboard = { default = \"square:2x3\" }\n[start]\n";
  EXPECT_TRUE(RowGame::make(variants_testing::made(populace + "x = \"{a2 b2}\"\no = \"{a1 b1 a3 b3}\"\n")).ok());
  EXPECT_FALSE(RowGame::make(variants_testing::made(populace + "x = \"{a1}\"\no = \"{b3}\"\n")).ok());
}

// Two tiers may have as many boards: a piece is known by its header, whatever its file is called.
TEST(TierPiece, ARenamedFileIsNotTaken) {
  const tables_testing::TestFolder folder;
  const Checkpoint checkpoint = sure(Checkpoint::open(folder / "game", "this game"));
  BoardBytes codes = make_board_bytes(1, 4);
  codes[0][0] = 1;
  codes[0][1] = 2;
  const NamedLayers layers = {{"codes", &codes}};
  ASSERT_TRUE(save_piece(checkpoint, {"tier-001", 0, 2, {{0, 2}}}, layers).ok());
  const auto file = [&](const std::string& name) { return checkpoint.folder() + "/" + name + ".piece"; };
  std::filesystem::rename(file("tier-001"), file("tier-002"));
  EXPECT_FALSE(load_piece(checkpoint, {"tier-002", 2, 4, {{2, 4}}}, layers));
  EXPECT_EQ(codes[0][2], 0);
  std::filesystem::rename(file("tier-002"), file("tier-001"));
  codes[0][1] = 0;
  EXPECT_TRUE(load_piece(checkpoint, {"tier-001", 0, 2, {{0, 2}}}, layers));
  EXPECT_EQ(codes[0][1], 2);
}

}  // namespace
}  // namespace plenum::row_solver_test
