// SPDX-License-Identifier: Apache-2.0
// Drawings of how pieces go: known pieces as they look, sizes, and what is put together on one square.
#include "variants/language/betza_diagram.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/variants_testing.h"

namespace plenum::variants_testing::betza_diagram_test {
namespace {

std::string drawn(const std::string& text) { return draw_reach(sure(parse_betza(Span::whole("piece", text)))); }

struct Case {
  std::string text;
  std::string expected;
};

TEST(Diagram, OfKnownPieces) {
  const std::vector<Case> kDrawn = {
      {"N",
       ". * . * .\n"
       "* . . . *\n"
       ". . O . .\n"
       "* . . . *\n"
       ". * . * .\n"
       "* moves and captures\n"},
      {"mfWcfF",
       ". . . . .\n"
       ". c m c .\n"
       ". . O . .\n"
       ". . . . .\n"
       ". . . . .\n"
       "c captures; m moves\n"},
      {"mfWcfFimfnD",
       ". . i . .\n"
       ". c m c .\n"
       ". . O . .\n"
       ". . . . .\n"
       ". . . . .\n"
       "c captures; i moves from where it begins if nothing is between; m moves\n"},
      {"mRcpR",
       ". . . p . . .\n"
       ". . . p . . .\n"
       ". . . m . . .\n"
       "p p m O m p p\n"
       ". . . m . . .\n"
       ". . . p . . .\n"
       ". . . p . . .\n"
       "m moves; p moves, captures over a hurdle; rides without a limit go on outside\n"},
      {"nN",
       ". n . n .\n"
       "n . . . n\n"
       ". . O . .\n"
       "n . . . n\n"
       ". n . n .\n"
       "n moves and captures if nothing is between\n"},
      {"fhNfrlRK",
       ". . . * . . .\n"
       ". . * * * . .\n"
       ". * * * * * .\n"
       "* * * O * * *\n"
       ". . * * * . .\n"
       ". . . . . . .\n"
       ". . . . . . .\n"
       "* moves and captures; rides without a limit go on outside\n"},
      {"W3cjA",
       ". . . * . . .\n"
       ". j . * . j .\n"
       ". . . * . . .\n"
       "* * * O * * *\n"
       ". . . * . . .\n"
       ". j . * . j .\n"
       ". . . * . . .\n"
       "* moves and captures; j captures if something is between\n"},
  };
  for (const Case& c : kDrawn) EXPECT_EQ(drawn(c.text), c.expected) << c.text;
}

std::string legend(const std::string& text) {
  const std::string lines = drawn(text);
  return lines.substr(lines.rfind('\n', lines.size() - 2) + 1);
}
std::size_t side(const std::string& text) {
  const std::string lines = drawn(text);
  return (lines.find('\n') + 1) / 2;
}

TEST(Diagram, SizesAndCombinations) {
  EXPECT_EQ(side("W"), 5u);
  EXPECT_EQ(side("C"), 7u);
  EXPECT_EQ(side("R3"), 7u);
  EXPECT_EQ(side("R"), 7u);
  EXPECT_EQ(side("R3B"), 9u);
  EXPECT_EQ(side("NN"), 9u);
  EXPECT_EQ(side("R4"), 9u);
  EXPECT_EQ(side("GG"), 11u);
  EXPECT_EQ(side("R99"), 11u);
  EXPECT_EQ(legend("R7"), "* moves and captures; rides go on outside, to 7 steps\n");
  EXPECT_EQ(legend("R7B"),
            "* moves and captures; rides without a limit go on outside; others go on outside, to 7 steps\n");
  EXPECT_EQ(legend("nDjD"), "* moves and captures\n");
  EXPECT_EQ(legend("mWcW"), "* moves and captures\n");
  EXPECT_EQ(legend("mDcnD"), "n moves, captures if nothing is between\n");
  EXPECT_EQ(legend("inDnD"), "n moves and captures if nothing is between\n");
  EXPECT_EQ(legend("iDnD"), "i moves and captures if nothing is between or from where it begins\n");
  EXPECT_EQ(legend("mnDcnA"), "1 moves if nothing is between; n captures if nothing is between\n");
  EXPECT_EQ(draw_reach({}).substr(50), "goes nowhere\n");
}

}  // namespace
}  // namespace plenum::variants_testing::betza_diagram_test
