// SPDX-License-Identifier: Apache-2.0
// The notation of pieces: what each atom and each modifier says, known pieces, refusals with carets. What must hold for any text
// is in betza_random_test.
#include "variants/language/betza.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/variants_testing.h"
#include "variants/language/betza_diagram.h"

namespace plenum::variants_testing::betza_test {
namespace {

using BetzaAtoms = std::vector<BetzaAtom>;

absl::StatusOr<BetzaAtoms> parsed(const std::string& text) { return parse_betza(Span::whole("piece", text)); }
BetzaAtoms atoms(const std::string& text) { return sure(parsed(text)); }

std::string shown(Offset o) {
  std::string out = "(";  // GCC 12 warns falsely about "(" + std::to_string
  return out + std::to_string(o.dx) + "," + std::to_string(o.dy) + ")";
}

// "im n(0,2)/1": initial, moves only, lame, the step and its range.
std::string shown(const BetzaAtom& g) {
  const std::string paths = " njp";
  std::string out = std::string(g.initial ? "i" : "") + (g.moves ? "m" : "") + (g.captures ? "c" : "");
  if (g.path != BetzaAtom::Path::free) out += paths[static_cast<std::size_t>(g.path)];
  out += shown(g.step) + "/" + std::to_string(g.range);
  for (const Offset square : g.between) out += "-" + shown(square);
  return out;
}
std::string shown(const std::string& text) {
  const auto all = parsed(text);
  if (!all.ok()) return std::string(all.status().message());
  std::string out;
  for (const BetzaAtom& g : *all) out += (out.empty() ? "" : " ") + shown(g);
  return out;
}
// The steps alone.
std::string steps(const std::string& text) {
  const auto all = parsed(text);
  if (!all.ok()) return std::string(all.status().message());
  std::string out;
  for (const BetzaAtom& g : *all) out += (out.empty() ? "" : " ") + shown(g.step);
  return out;
}

struct Case {
  std::string text;
  std::string expected;
};

const std::vector<Case> kAtomSteps = {
    {"W", "(-1,0) (0,-1) (0,1) (1,0)"},
    {"D", "(-2,0) (0,-2) (0,2) (2,0)"},
    {"H", "(-3,0) (0,-3) (0,3) (3,0)"},
    {"F", "(-1,-1) (-1,1) (1,-1) (1,1)"},
    {"A", "(-2,-2) (-2,2) (2,-2) (2,2)"},
    {"G", "(-3,-3) (-3,3) (3,-3) (3,3)"},
    {"N", "(-2,-1) (-2,1) (-1,-2) (-1,2) (1,-2) (1,2) (2,-1) (2,1)"},
    {"C", "(-3,-1) (-3,1) (-1,-3) (-1,3) (1,-3) (1,3) (3,-1) (3,1)"},
    {"L", "(-3,-1) (-3,1) (-1,-3) (-1,3) (1,-3) (1,3) (3,-1) (3,1)"},
    {"Z", "(-3,-2) (-3,2) (-2,-3) (-2,3) (2,-3) (2,3) (3,-2) (3,2)"},
    {"K", "(-1,-1) (-1,0) (-1,1) (0,-1) (0,1) (1,-1) (1,0) (1,1)"},
    {"R", "(-1,0) (0,-1) (0,1) (1,0)"},
    {"B", "(-1,-1) (-1,1) (1,-1) (1,1)"},
    {"Q", "(-1,-1) (-1,0) (-1,1) (0,-1) (0,1) (1,-1) (1,0) (1,1)"},
};

TEST(Betza, Atoms) {
  for (const Case& c : kAtomSteps) {
    EXPECT_EQ(steps(c.text), c.expected) << c.text;
    const bool rides = c.text == "R" || c.text == "B" || c.text == "Q";
    for (const BetzaAtom& g : atoms(c.text)) {
      EXPECT_EQ(g.range, rides ? 0 : 1) << c.text;
      EXPECT_TRUE(g.moves && g.captures && !g.initial && g.path == BetzaAtom::Path::free && g.between.empty())
          << c.text;
    }
    for (const BetzaAtom& g : atoms(c.text + "3")) EXPECT_EQ(g.range, 3) << c.text;
  }
}

const std::vector<Case> kDirectionSteps = {
    // orthogonal
    {"fW", "(0,1)"},
    {"bD", "(0,-2)"},
    {"lH", "(-3,0)"},
    {"rR", "(1,0)"},
    {"sW", "(-1,0) (1,0)"},
    {"vW", "(0,-1) (0,1)"},
    {"fsR", "(-1,0) (0,1) (1,0)"},
    {"sfR", "(-1,0) (0,1) (1,0)"},
    {"frlR", "(-1,0) (0,1) (1,0)"},
    {"fbW", "(0,-1) (0,1)"},
    {"vsW", "(-1,0) (0,-1) (0,1) (1,0)"},
    // diagonal
    {"fF", "(-1,1) (1,1)"},
    {"bB", "(-1,-1) (1,-1)"},
    {"lA", "(-2,-2) (-2,2)"},
    {"rG", "(3,-3) (3,3)"},
    {"flF", "(-1,1)"},
    {"frB", "(1,1)"},
    {"blA", "(-2,-2)"},
    {"brG", "(3,-3)"},
    {"rfF", "(1,1)"},
    {"flbrF", "(-1,1) (1,-1)"},
    {"fbF", "(-1,-1) (-1,1) (1,-1) (1,1)"},
    {"lrF", "(-1,-1) (-1,1) (1,-1) (1,1)"},
    // oblique
    {"fN", "(-1,2) (1,2)"},
    {"bN", "(-1,-2) (1,-2)"},
    {"lN", "(-2,-1) (-2,1)"},
    {"rN", "(2,-1) (2,1)"},
    {"ffN", "(-1,2) (1,2)"},
    {"bbN", "(-1,-2) (1,-2)"},
    {"llC", "(-3,-1) (-3,1)"},
    {"rrZ", "(3,-2) (3,2)"},
    {"sN", "(-2,-1) (-2,1) (2,-1) (2,1)"},
    {"vN", "(-1,-2) (-1,2) (1,-2) (1,2)"},
    {"fbN", "(-1,-2) (-1,2) (1,-2) (1,2)"},
    {"lrN", "(-2,-1) (-2,1) (2,-1) (2,1)"},
    {"fsN", "(-2,1) (2,1)"},
    {"bsN", "(-2,-1) (2,-1)"},
    {"lvN", "(-1,-2) (-1,2)"},
    {"rvN", "(1,-2) (1,2)"},
    {"fhN", "(-2,1) (-1,2) (1,2) (2,1)"},
    {"bhN", "(-2,-1) (-1,-2) (1,-2) (2,-1)"},
    {"lhC", "(-3,-1) (-3,1) (-1,-3) (-1,3)"},
    {"rhZ", "(2,-3) (2,3) (3,-2) (3,2)"},
    {"fflN", "(-1,2)"},
    {"ffrN", "(1,2)"},
    {"fllN", "(-2,1)"},
    {"frrN", "(2,1)"},
    {"bblN", "(-1,-2)"},
    {"bbrN", "(1,-2)"},
    {"bllZ", "(-3,-2)"},
    {"brrC", "(3,-1)"},
    {"ffrfrrN", "(1,2) (2,1)"},
    {"ffbsN", "(-2,-1) (-1,2) (1,2) (2,-1)"},
    {"fhbsN", "(-2,-1) (-2,1) (-1,2) (1,2) (2,-1) (2,1)"},
    {"fhlhN", "(-2,-1) (-2,1) (-1,-2) (-1,2) (1,2) (2,1)"},
    {"ffrrN", "(-1,2) (1,2) (2,-1) (2,1)"},  // ff and rr, since r alone is not joined
    // both parts of K and Q
    {"fK", "(-1,1) (0,1) (1,1)"},
    {"rQ", "(1,-1) (1,0) (1,1)"},
    {"flK", "(-1,0) (-1,1) (0,1)"},
    {"fbK", "(-1,-1) (-1,1) (0,-1) (0,1) (1,-1) (1,1)"},
};

TEST(Betza, Directions) {
  for (const Case& c : kDirectionSteps) EXPECT_EQ(steps(c.text), c.expected) << c.text;
}

const std::vector<Case> kPieces = {
    {"mfWcfF", "c(-1,1)/1 m(0,1)/1 c(1,1)/1"},
    {"fmWfcF", "c(-1,1)/1 m(0,1)/1 c(1,1)/1"},
    {"imfnD", "imn(0,2)/1-(0,1)"},
    {"ifmW2", "im(0,1)/2"},
    {"mRcpR", "m(-1,0)/0 cp(-1,0)/0 m(0,-1)/0 cp(0,-1)/0 m(0,1)/0 cp(0,1)/0 m(1,0)/0 cp(1,0)/0"},
    {"fnN", "mcn(-1,2)/1-(0,1) mcn(1,2)/1-(0,1)"},
    {"rnN", "mcn(2,-1)/1-(1,0) mcn(2,1)/1-(1,0)"},
    {"fnH", "mcn(0,3)/1-(0,1)-(0,2)"},
    {"bljG", "mcj(-3,-3)/1-(-1,-1)-(-2,-2)"},
    {"rfjA", "mcj(2,2)/1-(1,1)"},
    {"fpW3", "mcp(0,1)/3"},
    {"frpNN",
     "piece: 'fr' has no one meaning on N\n    frpNN\n    ^~\n"
     "  ffrN is (1,2), frrN is (2,1), ffrfrrN is both"},
    {"ffrpNN", "mcp(1,2)/0"},
    {"fsRbWbF", "mc(-1,-1)/1 mc(-1,0)/0 mc(0,-1)/1 mc(0,1)/0 mc(1,-1)/1 mc(1,0)/0"},
    {"fbNF", "mc(-1,-2)/1 mc(-1,-1)/1 mc(-1,1)/1 mc(-1,2)/1 mc(1,-2)/1 mc(1,-1)/1 mc(1,1)/1 mc(1,2)/1"},
    {"fhNsbWbF", "mc(-2,1)/1 mc(-1,-1)/1 mc(-1,0)/1 mc(-1,2)/1 mc(0,-1)/1 mc(1,-1)/1 mc(1,0)/1 mc(1,2)/1 mc(2,1)/1"},
    {"fhNfrlRK",
     "mc(-2,1)/1 mc(-1,-1)/1 mc(-1,0)/0 mc(-1,1)/1 mc(-1,2)/1 mc(0,-1)/1 mc(0,1)/0 mc(1,-1)/1 "
     "mc(1,0)/0 mc(1,1)/1 mc(1,2)/1 mc(2,1)/1"},
    {"BD", "mc(-2,0)/1 mc(-1,-1)/0 mc(-1,1)/0 mc(0,-2)/1 mc(0,2)/1 mc(1,-1)/0 mc(1,1)/0 mc(2,0)/1"},
    {"WA", "mc(-2,-2)/1 mc(-2,2)/1 mc(-1,0)/1 mc(0,-1)/1 mc(0,1)/1 mc(1,0)/1 mc(2,-2)/1 mc(2,2)/1"},
    {"R4", "mc(-1,0)/4 mc(0,-1)/4 mc(0,1)/4 mc(1,0)/4"},
    {"WD", "mc(-2,0)/1 mc(-1,0)/1 mc(0,-2)/1 mc(0,-1)/1 mc(0,1)/1 mc(0,2)/1 mc(1,0)/1 mc(2,0)/1"},
};

TEST(Betza, Pieces) {
  for (const Case& c : kPieces) EXPECT_EQ(shown(c.text), c.expected) << c.text;
  EXPECT_EQ(atoms("FAD").size(), 12u);
  EXPECT_EQ(atoms("HFD").size(), 12u);
  EXPECT_EQ(atoms("BN").size(), 12u);
  EXPECT_EQ(atoms("RN").size(), 12u);
  for (const BetzaAtom& g : atoms("nN")) {
    EXPECT_EQ(g.path, BetzaAtom::Path::lame);
    ASSERT_EQ(g.between.size(), 1u);
    EXPECT_EQ(g.between[0], (Offset{g.step.dx / 2, g.step.dy / 2}));
  }
}

TEST(Betza, SpellingsOfOneMeaning) {
  const std::vector<std::vector<std::string>> kSame = {
      {"K", "WF", "FW", "K1", "mcK", "cmK", "mKcK", "WFK", "fbKsW", "fWbWsWF"},
      {"Q", "RB", "BR", "Q0", "KK", "K0", "QK", "WWFF", "mQcQ"},
      {"R", "WW", "W0", "R0", "RW", "RW3", "fRbRlRrR", "vRsR"},
      {"B", "FF", "F0", "FB"},
      {"Q3", "K3", "R3B3", "W3F3"},
      {"N", "fbNlrN", "fhNbhN", "vNsN", "ffNfsNbsNbbN", "NnN", "iNmcN1"},
      {"NN", "N0", "mcN2NN", "NNfN"},
      {"C", "L"},
      {"CC", "LL", "L0"},
      {"mRW", "WmR", "mRcW"},
      {"nN", "fbnNlrnN", "nsNnvN"},
      {"mfWcfF", "cfFmfW", "fmWfcF"},
      {"imW2W", "WimW2"},
      {"D", "DnD", "jDmcD", "iDmD1cD"},
  };
  for (const auto& texts : kSame) {
    for (const std::string& text : texts) {
      EXPECT_EQ(shown(text), shown(texts[0])) << text;
    }
  }
  EXPECT_NE(atoms("nDjD"), atoms("nD"));
  EXPECT_NE(atoms("iW"), atoms("W"));
  EXPECT_EQ(atoms("mRW").size(), 8u);  // moves as far as it likes, captures one step off
}

struct Wrong {
  std::string text;
  std::string caret;  // what it stands under
  std::string message;
  std::string advice;
};

const std::vector<Wrong> kWrong = {
    {"", "", "this piece goes nowhere", "such as K"},
    {"X", "X", "there is no atom 'X'", "atoms: W F D N A H C L Z G K Q R B"},
    {"P", "P", "there is no atom 'P'", "mfWcfF"},
    {"J", "J", "there is no atom 'J'", "is Z here"},
    {"Kw", "w", "there is no modifier 'w'", "did you mean 'W'?"},
    {"xR", "x", "there is no modifier 'x'", "modifiers: m c i n j p, directions f b l r s v h"},
    {"gQ", "g", "there is no modifier 'g'", "hurdle"},
    {"zB", "z", "there is no modifier 'z'", "crooked"},
    {"Rf", "f", "no atom follows 'f'", "did you mean 'F'?"},
    {"RmfW cfF", " ", "this sign is not part of the notation", "without blanks"},
    {"W\xc3\xa9", "\xc3\xa9", "this sign is not part of the notation", ""},
    {"W+F", "+", "this sign is not part of the notation", ""},
    {"Rmf", "mf", "no atom follows 'mf'", "as in mfW"},
    {"n", "n", "no atom follows 'n'", "did you mean 'N'?"},
    {"4R", "4", "a number without an atom", "R4"},
    {"r4", "4", "a number without an atom", "did you mean 'R4'?"},
    {"m3W", "3", "a number without an atom", "R4"},
    {"W03", "03", "a range has no zero in front", "W0 for no limit"},
    {"W00", "00", "a range has no zero in front", ""},
    {"R100", "100", "this range is longer than any board", "R1 to R99"},
    {"R99999999999999999999", "99999999999999999999", "this range is longer than any board", ""},
    {"RR", "R", "R rides without a limit already", "once"},
    {"WWW", "W", "W is written three times", "WW"},
    {"WW3", "3", "WW rides without a limit, and here is one", "write WW or W3"},
    {"iNN1", "1", "NN rides without a limit, and here is one", ""},
    {"mmR", "m", "'m' is given twice", "leave one 'm' out"},
    {"mimR", "m", "'m' is given twice", ""},
    {"ffW", "f", "'f' is given twice", "leave one 'f' out"},
    {"slR", "l", "'s' says 'l' too", "leave 'l' out"},
    {"fvR", "f", "'v' says 'f' too", "leave 'f' out"},
    {"ffffN", "ff", "'ff' is given twice", "leave one 'ff' out"},
    {"ffffrN", "ffr", "'ff' says 'ffr' too", "leave 'ffr' out"},
    {"fhffN", "ff", "'fh' says 'ff' too", ""},
    {"fmsR", "s", "the direction 's' stands apart from the others", "side by side: 'fs'"},
    {"frN", "fr", "'fr' has no one meaning on N", "ffrN is (1,2), frrN is (2,1), ffrfrrN is both"},
    {"lbC", "lb", "'lb' has no one meaning on C", "bblC is (-1,-3), bllC is (-3,-1), bblbllC is both"},
    {"sfN", "sf", "'sf' has no one meaning on N", "did you mean 'fs'?"},
    {"rrfN", "rrf", "'rrf' has no one meaning on N", "did you mean 'frr'?"},
    {"frlN", "frl", "'frl' has no one meaning on N", "directions here"},
    {"svN", "sv", "'sv' has no one meaning on N", "directions here"},
    {"hN", "h", "'h' has no one meaning on N", "'h' stands behind f, b, l or r"},
    {"hfN", "hf", "'hf' has no one meaning on N", "'h' stands behind f, b, l or r"},
    {"fhW", "h", "'h' halves the eight steps of N, C and Z; W has no such half", "leave 'h' out"},
    {"fhB", "h", "'h' halves the eight steps of N, C and Z; B has no such half", "leave 'h' out"},
    {"sF", "s", "every step of F goes sideways", "leave 's' out"},
    {"fvB", "v", "every step of B goes forward or backward", "leave 'v' out"},
    {"frlF", "frl", "'frl' has no one meaning on F", "fl fr bl br"},
    {"ffF", "ff", "'ff' has no one meaning on F", "f b l r"},
    {"flflF", "fl", "'fl' is given twice", ""},
    {"sK", "s", "'s' has no one meaning on the diagonal part of K", "W and F"},
    {"frlQ", "frl", "'frl' has no one meaning on the diagonal part of Q", "R and B"},
    {"nW", "n", "'n' on W: no square lies between two stops of W", "leave 'n' out"},
    {"nK", "n", "'n' on K: no square", ""},
    {"nR", "n", "'n' on R: no square", ""},
    {"jF", "j", "'j' on F: no square lies between two stops of F", "did you mean 'p'"},
    {"nC", "n", "'n' on C: which squares lie between is not agreed upon", "D A H G and N"},
    {"fnZ", "n", "'n' on Z: which", ""},
    {"jN", "j", "'j' on N: which squares lie between is not agreed upon", "D A H G"},
    {"nDD", "D", "'n' goes with a single step", "write nD"},
    {"nN2", "2", "'n' goes with a single step", "write nN"},
    {"jA0", "0", "'j' goes with a single step", "write jA"},
    {"pW", "p", "'p' needs a ride, and W is one step", "write pW0"},
    {"cpK", "p", "'p' needs a ride, and K is one step", "write pK0"},
    {"pR1", "1", "one step has no room for a hurdle", "write pR0"},
    {"npD", "p", "'n' and 'p' exclude each other", "of n, j and p write one"},
    {std::string("R\0", 2), "\\x00", "this sign is not part of the notation", ""},
};

TEST(Betza, Refusals) {
  for (const Wrong& wrong : kWrong) {
    SCOPED_TRACE(wrong.text);
    const auto result = parsed(wrong.text);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
    const std::string message(result.status().message());
    EXPECT_EQ(message.find("piece: " + wrong.message), 0u) << message;
    EXPECT_NE(message.find(wrong.advice, message.rfind('\n')), std::string::npos) << message;
    EXPECT_NE(message.find("\n  ", message.find('^')), std::string::npos) << "no advice: " << message;
    EXPECT_EQ(under_caret(message), wrong.caret) << message;
  }
  const auto inside = std::make_shared<const SourceText>(SourceText{"my.toml", "a = \"x\"\ng = \"mRxpR\"\n", true});
  EXPECT_EQ(parse_betza({inside, 13, 5}).status().message(),
            "my.toml:2:8: there is no modifier 'x'\n    2 | g = \"mRxpR\"\n      |        ^\n"
            "  modifiers: m c i n j p, directions f b l r s v h");
  EXPECT_FALSE(parsed(std::string(1000, 'f') + "N").ok());
  EXPECT_FALSE(parse_betza({}).ok());
}

}  // namespace
}  // namespace plenum::variants_testing::betza_test
