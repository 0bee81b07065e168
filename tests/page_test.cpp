// SPDX-License-Identifier: Apache-2.0
// The page of a solve: boards drawn as exact text, results in words, two pages beside each other.
#include "tools/report/page.h"

#include <string>
#include <utility>
#include <vector>

#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>
#include <gtest/gtest.h>

#include "solver/graph/analysis.h"
#include "tools/report/draw.h"
#include "tools/report/page_text.h"

namespace plenum::page_test {
namespace {

using Lines = std::vector<std::string>;

Lines drawing(const std::string& name, const Lines& texts, std::size_t columns = 100) {
  const absl::StatusOr<Board> board = Board::parse(Span::whole("board", name));
  if (!board.ok()) return {std::string(board.status().message())};
  return draw(*board, texts, columns);
}

std::string page_of(absl::StatusOr<Description> game, const Lines& settings) {
  if (!game.ok()) return std::string(game.status().message());
  for (const std::string& setting : settings) {
    const absl::Status set = game->set_option(Span::whole("--set", setting));
    if (!set.ok()) return std::string(set.message());
  }
  const absl::StatusOr<Variant> variant = Variant::make(*game);
  if (!variant.ok()) return std::string(variant.status().message());
  const absl::StatusOr<SolvedGame> solved = solve_game(*variant, variant->rules().start(), {});
  if (!solved.ok()) return std::string(solved.status().message());
  Cost cost;
  cost.seconds = 0.5;
  cost.cpu_seconds = 0.9;
  cost.peak_bytes = 12'000'000;
  cost.threads = 2;
  return page(solved->summary(), cost);
}

std::string populace(const Lines& settings) {
  return page_of(load_description("populace", PLENUM_DATA_FOLDER), settings);
}

std::string toy(const std::string& text, const Lines& settings) {
  return page_of(parse_description({"toy", text}, PLENUM_DATA_FOLDER), settings);
}

// The page with its line breaks taken out, for sentences that may be wrapped.
std::string unwrapped(const std::string& text) {
  const Lines words = absl::StrSplit(text, absl::ByAnyChar(" \n"), absl::SkipEmpty());
  return absl::StrJoin(words, " ");
}

void expect_in(const std::string& page, const std::string& sentence) {
  EXPECT_NE(unwrapped(page).find(sentence), std::string::npos) << sentence << "\nis not in\n" << page;
}

// Stones of either colour until the board is full; the margin or only who won.
constexpr const char* kFilling = R"toml(
name = "Filling"
[options]
board = { default = "square:2x1", about = "any" }
worth = { default = "margin", one_of = ["margin", "outcome"], left_open = true, about = "what counts" }
[kinds]
white = "first"
black = "second"
[moves.place]
to = "empty"
put = ["white", "black"]
[end]
when = "count(empty) == 0"
score = "count(mine)"
value = "worth"
stuck = "scores"
)toml";

// Two stones that walk round for ever, and never meet.
constexpr const char* kWalking = R"toml(
name = "Walking"
[options]
board = { default = "cycle:5", about = "a ring" }
[start]
x = "{1}"
o = "{3}"
[moves.move]
from = "mine"
to = "empty"
within = "1"
[end]
when = "count(empty) == 0"
score = "0"
stuck = "ties"
)toml";

TEST(Draw, SquareHasNamesAtTheMargin) {
  const Lines expected = {"2  -7   .   =",  //
                          "1  +7  -7   ~",  //
                          "    a   b   c"};
  EXPECT_EQ(drawing("square:3x2", {"+7", "-7", "~", "-7", "", "="}), expected);
}

TEST(Draw, ACylinderIsCutBetweenItsLastColumnAndItsFirst) {
  const Lines expected = {"2  4   5   6",  //
                          "1  1   2   3",  //
                          "   a   b   c"};
  EXPECT_EQ(drawing("cylinder:3x2", {"1", "2", "3", "4", "5", "6"}), expected);
}

TEST(Draw, HexagonsAreShifted) {
  const Lines expected = {"c    +7  -7",    //
                          "b   =  +7   ~",  //
                          "a    +1   ."};
  EXPECT_EQ(drawing("hexhex:2", {"+1", "", "=", "+7", "~", "+7", "-7"}), expected);
}

TEST(Draw, SlantedHexagonsAreShifted) {
  EXPECT_EQ(drawing("hexrect:2x2", {"3", "4", "1", "2"}), (Lines{"b    1   2",  //
                                                                 "a  3   4"}));
  EXPECT_EQ(drawing("hexrect:2x2", {"3", "4", "-10", "2"}), (Lines{"b     -10     2",  //
                                                                   "a    3     4"}));
}

TEST(Draw, PathHasNumbersBelow) {
  EXPECT_EQ(drawing("path:3", {"+1", "=", "+1"}), (Lines{"+1   =  +1",  //
                                                         " 1   2   3"}));
  EXPECT_EQ(drawing("path:1", {"="}), (Lines{"1  ="}));
}

TEST(Draw, NothingWhereThereIsNoRoomOrNoDrawing) {
  EXPECT_TRUE(drawing("path:3", {"+1", "=", "+1"}, 9).empty());
  EXPECT_FALSE(drawing("path:3", {"+1", "=", "+1"}, 10).empty());
  EXPECT_TRUE(drawing("edges:a-b", {"=", "="}).empty());
}

TEST(Draw, WidthIsOfCharactersShown) {
  EXPECT_EQ(display_width("a1"), 2U);
  EXPECT_EQ(display_width("\xC2\xBD"), 1U);      // one half
  EXPECT_EQ(display_width("\xE7\x9F\xB3"), 2U);  // a wide ideograph
  EXPECT_EQ(display_width("e\xCC\x81"), 1U);     // a combining accent
  EXPECT_EQ(pad_left("\xC2\xBD", 3), "  \xC2\xBD");
}

TEST(PageText, Numbers) {
  EXPECT_EQ(pages::number(0), "0");
  EXPECT_EQ(pages::number(1'234'567), "1,234,567");
  EXPECT_EQ(pages::plies(1), "1 ply");
  EXPECT_EQ(pages::plies(1000), "1,000 plies");
  EXPECT_EQ(pages::percent(0), "0 %");
  EXPECT_EQ(pages::percent(1), "100 %");
  EXPECT_EQ(pages::percent(0.0042), "0.42 %");
  EXPECT_EQ(pages::percent(0.12345), "12.3 %");
  EXPECT_EQ(pages::percent(0.000001), "< 0.001 %");
  EXPECT_EQ(pages::percent(0.99999), "> 99.9 %");
  EXPECT_EQ(pages::rounded(1'234'567), "1,230,000");
  EXPECT_EQ(pages::rounded(12.345), "12.3");
}

TEST(Page, PieComesFirst) {
  const std::string text = populace({"board=hexhex:2"});
  EXPECT_EQ(text.rfind("Populace on hexhex:2: with the pie, second wins by 7 at best play", 0), 0U) << text;
  expect_in(text, "(all 7 placements are equally fair).");
  expect_in(text, "Without the pie, first wins by 7 at best play, in 3 plies.");
  EXPECT_NE(text.find("    c    +7  +7\n    b  +7  +7  +7\n    a    +7  +7\n"), std::string::npos) << text;
  expect_in(text, "pass -7");
  expect_in(text, "of the 5,358 positions that have not ended, 0.45 % are level (24 ties, 0 cycles)");
  expect_in(text, "of the 8 first moves, 0 % lead to a level game");
  expect_in(text, "of the 2,679 ended positions, 9.4 % are level");
  expect_in(text, "8,037 positions are reachable");
}

TEST(Page, WithoutPieNoWordOfIt) {
  const std::string text = populace({"board=path:5", "pie=off"});
  EXPECT_EQ(text.rfind("Populace on path:5: first wins by 1 at best play, in 8 plies.\n", 0), 0U) << text;
  EXPECT_EQ(text.find("the pie,"), std::string::npos);
  expect_in(text, "* pie = off (of one_stone, off); the default is one_stone");
}

TEST(Page, TieSaysWhoCanForceIt) {
  expect_in(populace({"board=path:4", "pie=off"}), "path:4: a tie: either player can force the game to end level.");
}

TEST(Page, CyclesAreKeptApart) {
  const std::string text = populace({"board=path:9"});
  expect_in(
      text,
      "with the pie, nobody can make it end without losing: play goes round (a cycle), unless both agree to end it "
      "level (the fairest openings: 1, 2, 8, 9).");
  expect_in(text, "play can repeat: 40,000 positions lie on cycles, in 2,408 components (982 in the largest)");
  expect_in(text, "neither can end it without losing: 4,730 positions (cycles)");
  expect_in(text, "and they cannot even agree to end it: 2,450 of these (forced cycles)");
  expect_in(text, "first wins 54.9 %, level 7.8 %, second wins 37.2 %");
}

TEST(Page, ForcedCycle) {
  const std::string text = toy(kWalking, {});
  EXPECT_EQ(text.find("Walking on cycle:5: nobody can make it end without losing: play goes round (a cycle)"), 0U)
      << text;
  expect_in(text, "(a cycle), and they cannot even agree to end it.");
  expect_in(text, "from the start, either player can keep the game going for ever");
  expect_in(text, "no average length, since play may never end");
  expect_in(text, "of the 0 ended positions, none are level");
}

TEST(Page, ADrawingAKind) {
  const std::string text = toy(kFilling, {});
  EXPECT_NE(text.find("  black (b@)\n    1  -2  -2\n        a   b\n  white (w@)\n    1  =   =\n       a   b\n"),
            std::string::npos)
      << text;
  expect_in(text, "worth = margin (of margin, outcome); LEFT OPEN by the author");
}

TEST(Page, OutcomesHaveNoMargin) {
  const std::string text = toy(kFilling, {"board=square:3x1", "worth=outcome"});
  EXPECT_EQ(text.rfind("Filling on square:3x1: first wins at best play, in 3 plies.\n", 0), 0U) << text;
  expect_in(text, "white (w@) 1 + + +");
}

TEST(Page, BoardsWithoutADrawingAreListed) {
  expect_in(populace({"board=edges:1-2 2-3 3-1 3-4"}), "1 +2, 2 +2, 3 +4, 4 +4, pass -4");
}

TEST(Page, StaysWithinItsWidth) {
  for (const std::string board : {"hexhex:2", "path:8", "square:2x3", "edges:a-b-c-d"}) {
    const Lines lines = absl::StrSplit(populace({"board=" + board}), '\n');
    for (const std::string& line : lines) EXPECT_LE(display_width(line), pages::kPageColumns) << line;
  }
}

TEST(SideBySide, ColumnsAreAlignedAndDifferencesMarked) {
  EXPECT_EQ(side_by_side("title\n\xC2\xBD one\n", "title\ntwo\n"),
            "title | title\n"
            "\xC2\xBD one * two\n");
}

TEST(SideBySide, SectionsStandBesideEachOther) {
  EXPECT_EQ(side_by_side("a\n\nb\n", "a\nmore\n\nb\n"),
            "a | a\n"
            "  * more\n"
            "  |\n"
            "b | b\n");
  EXPECT_EQ(side_by_side("same\n", "same\n"), "same | same\n");
}

TEST(SideBySide, PagesOfOneGameDifferWhereTheyShould) {
  const std::string both = side_by_side(populace({"board=path:5"}), populace({"board=path:5", "button=on"}));
  const Lines lines = absl::StrSplit(both, '\n');
  std::size_t at = 0;
  for (const std::string& line : lines) {
    if (line.find(" button = ") != std::string::npos) {
      EXPECT_NE(line.find(" * "), std::string::npos) << line;
    }
    if (line.find("Draws, by") == 0) at = line.find(" | Draws, by");
  }
  EXPECT_GT(at, 0U);
  EXPECT_NE(at, std::string::npos);
}

}  // namespace
}  // namespace plenum::page_test
