// SPDX-License-Identifier: Apache-2.0
// Positions and moves as texts: printing then parsing is the identity; whatever is malformed is an error with a caret.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/rich_game.h"
#include "tests/variants_testing.h"

namespace plenum::variants_testing::text_test {
namespace {

TEST(Text, PositionsPrintedAndParsed) {
  check(400, [] {
    const std::string board = *boards(64);
    const Variant v = *below(2) == 0
                          ? made(rich_game(board))
                          : populace({"board=" + board, std::string("button=") + (*below(2) == 0 ? "on" : "off")});
    const Position p = *positions(v.rule_set(), 2);
    const std::string text = v.rules().write(p);
    RC_LOG(text);
    const auto parsed = v.rules().read(Span::whole("position", text));
    RC_ASSERT(parsed.ok());
    RC_ASSERT(*parsed == p);
    RC_ASSERT(v.rules().write(*parsed) == text);
    RC_ASSERT(v.rules().read(Span::whole("position", "  " + text + " \t")).ok());
  });
}

TEST(Text, LegalMovesParse) {
  check(150, [] {
    const std::string board = *boards(12);
    const Variant v = *below(2) == 0 ? made(rich_game(board)) : populace({"board=" + board});
    const Position p = *positions(v.rule_set(), 1);
    const auto all = sure(successors(v.rules(), p));
    for (const Successor& s : all) {
      const auto found = find_move(v.rules(), p, Span::whole("move", s.text));
      RC_ASSERT(found.ok());
      RC_ASSERT(found->text == s.text);
      RC_ASSERT(found->move == s.move);
      RC_ASSERT(found->position == s.position);
    }
  });
}

struct Written {
  const char* text;
  const char* canonical;
};

TEST(Text, Spellings) {
  const Variant v = made(rich_game("square:3x2"));
  const Written spellings[] = {
      {"3/3 1", "3/3 1"},
      {"1r1/B1w 2 passer=first", "1r1/B1w 2"},
      {"3/3 2 passes=0", "3/3 2"},
      {"3/rtw 1 total=-3 flag=off passer=nobody passes=2 spent=3,9",
       "3/rtw 1 flag=off passer=nobody passes=2 spent=3,9 total=-3"},
      {"\t3/3  2   spent=-2,3 ", "3/3 2 spent=-2,3"},
  };
  for (const Written& w : spellings) EXPECT_EQ(v.rules().write(position(v, w.text)), w.canonical);
}

struct Wrong {
  std::string text;
  const char* caret;
  const char* message;
  const char* advice = "";
};

const Wrong kWrong[] = {
    {"", "", "a position is expected here", "as in: 3/3 1"},
    {"   ", "   ", "a position is expected here"},
    {"3/3", "", "who is to move is missing", "write 1 (first) or 2 (second)"},
    {"3/3 3", "3", "the player to move is 1 or 2"},
    {"3/3 x", "x", "the player to move is 1 or 2"},
    {"3/3 11", "11", "the player to move is 1 or 2"},
    {"4/3 1", "4", "this row of square:3x2 has 3 cells, 0 of them are taken before this run",
     "a number is a run of empty cells"},
    {"B3/3 1", "3", "this row of square:3x2 has 3 cells, 1 of them are taken before this run"},
    {"3/0B2 1", "0", "this row of square:3x2 has 3 cells, 0 of them"},
    {"3/99999999999999999999999 1", "99999999999999999999999", "this row of square:3x2 has 3 cells"},
    {"3/2 1", "2", "this row of square:3x2 has 3 cells; 2 are given", "the empty board is written 3/3"},
    {"/3 1", "/", "this row of square:3x2 has 3 cells; 0 are given"},
    {"3/BwBw 1", "w", "this row of square:3x2 has 3 cells; here is one more", "rows are separated by /"},
    {"3 1", " ", "the board square:3x2 has 2 rows; 1 are given", "the empty board is written 3/3"},
    {"3/3/3 1", "/3", "the board square:3x2 has 2 rows; here is one more"},
    {"3/3/ 1", "/", "the board square:3x2 has 2 rows; here is one more"},
    {"3/1b1 1", "b", "there is no kind of stone 'b'", "letters: B, w, r, t"},
    {"3/1\xc3\xa9"
     "1 1",
     "\xc3\xa9", "there is no kind of stone '\xc3\xa9'"},
    {"3/1-1 1", "-", "there is no kind of stone '-'"},
    {"3/3 1 holder=first", "holder", "there is no flag 'holder' in this game", "flags: "},
    {"3/3 1 pases=1", "pases", "there is no flag 'pases' in this game", "did you mean 'passes'?"},
    {"3/3 1 passes=5", "5", "this is no number of passes", "0 to 3"},
    {"3/3 1 passes=-1", "-1", "this is no number of passes"},
    {"3/3 1 passes", "passes", "this is no number of passes"},
    {"3/3 1 passes=1 passes=1", "passes=1", "'passes' is given twice"},
    {"3/3 1 passer=third", "third", "'passer' is a player", "nobody, first or second"},
    {"3/3 1 flag=1", "1", "'flag' is on or off"},
    {"3/3 1 total=4", "4", "'total' is a number from -3 to 3"},
    {"3/3 1 total=", "", "'total' is a number from -3 to 3"},
    {"3/3 1 spent=1", "1", "'spent' is a number from -2 to 9", "written first's,second's"},
    {"3/3 1 spent=1,2,3", "1,2,3", "'spent' is a number from -2 to 9"},
    {"3/3 1 spent=1,10", "1,10", "'spent' is a number from -2 to 9"},
    {"3/3 1 =", "=", "there is no flag ''"},
};

TEST(Text, MalformedPositions) {
  const Variant v = made(rich_game("square:3x2"));
  for (const Wrong& wrong : kWrong) {
    SCOPED_TRACE(wrong.text);
    const auto p = v.rules().read(Span::whole("position", wrong.text));
    ASSERT_FALSE(p.ok());
    EXPECT_EQ(p.status().code(), absl::StatusCode::kInvalidArgument);
    const std::string shown(p.status().message());
    EXPECT_EQ(shown.find(std::string("position: ") + wrong.message), 0u) << shown;
    EXPECT_NE(shown.find(wrong.advice), std::string::npos) << shown;
    EXPECT_EQ(under_caret(shown), wrong.caret) << shown;
  }
}

TEST(Text, MalformedMoves) {
  const Variant v = populace({"board=path:4"});
  const Position p = position(v, "xox1 1");
  for (const std::string wrong :
       {"", " ", "5", "1", "2", "1-2", "3-4-1", "2**", "PASS", "x@4", "4 ", "\xff\xfe", "4\n"}) {
    const auto move = find_move(v.rules(), p, Span::whole("move", wrong));
    ASSERT_FALSE(move.ok()) << wrong;
    EXPECT_EQ(move.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(move.status().message().find("legal moves: 2* 4 pass"), std::string::npos) << move.status();
  }
  EXPECT_NE(find_move(v.rules(), p, Span::whole("move", "pas")).status().message().find("did you mean 'pass'?"),
            std::string::npos);
}

// Whatever is written, the answer is a position or an error with a caret inside the text.
TEST(Text, Garbage) {
  const Variant v = made(rich_game("hexhex:2"));
  const Position start = v.rules().start();
  check(5000, [&] {
    std::string text;
    const std::string common = "0123456789/Bwrt 12passerflagtotalspent=,-\xc3\xa9\t\n";
    const unsigned length = *below(40);
    if (*below(2) == 0) text = v.rules().write(*positions(v.rule_set(), 2));
    for (unsigned k = 0; k < length; ++k) {
      const char c =
          *below(8) == 0 ? static_cast<char>(*below(256)) : common[*below(static_cast<unsigned>(common.size()))];
      const auto at = static_cast<std::size_t>(*below(static_cast<unsigned>(text.size() + 1)));
      if (at < text.size() && *below(3) == 0) {
        text.erase(at, 1 + *below(5));
      } else {
        text.insert(text.begin() + static_cast<std::ptrdiff_t>(at), c);
      }
    }
    const auto p = v.rules().read(Span::whole("position", text));
    if (p.ok()) {
      RC_ASSERT(*v.rules().read(Span::whole("position", v.rules().write(*p))) == *p);
    } else {
      RC_ASSERT(under_caret(std::string(p.status().message())) != "no caret");
    }
    const auto move = find_move(v.rules(), start, Span::whole("move", text));
    RC_ASSERT(move.ok() || move.status().code() == absl::StatusCode::kInvalidArgument);
  });
}

}  // namespace
}  // namespace plenum::variants_testing::text_test
