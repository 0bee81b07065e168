// SPDX-License-Identifier: Apache-2.0
// Errors in descriptions: for each wrong text where the caret stands, what is said and what is suggested.
//
// In the texts below << and >> stand around what must be underlined; line and column follow from that.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/variants_testing.h"
#include "variants/language/description.h"

namespace plenum::variants_testing::language_test {
namespace {

struct Marked {
  std::string text;      // without the marks
  std::string under;     // what stands between them, up to the end of its line
  std::string position;  // ":line:column: "
};

Marked unmark(std::string text) {
  Marked out;
  const std::size_t begin = text.find("<<");
  const std::size_t end = text.find(">>");
  if (begin == std::string::npos || end == std::string::npos) throw std::logic_error("no marks in: " + text);
  out.under = text.substr(begin + 2, end - begin - 2);
  out.under = out.under.substr(0, out.under.find('\n'));
  text.erase(end, 2);
  text.erase(begin, 2);
  out.text = text;
  const std::string before = text.substr(0, begin);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::string in_line = before.substr(before.rfind('\n') == std::string::npos ? 0 : before.rfind('\n') + 1);
  const auto characters = std::count_if(in_line.begin(), in_line.end(),
                                        [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  out.position = ":" + std::to_string(line) + ":" + std::to_string(characters + 1) + ": ";
  return out;
}

struct Wrong {
  std::string text;
  const char* message;
  const char* advice = "";
};

void expect_error(const Wrong& wrong, const std::string& text, const std::string& file,
                  const std::vector<std::string>& settings = {}) {
  SCOPED_TRACE(text);
  const Marked marked = unmark(text);
  const auto v = make(marked.text, settings);
  ASSERT_FALSE(v.ok());
  EXPECT_EQ(v.status().code(), absl::StatusCode::kInvalidArgument);
  const std::string shown(v.status().message());
  EXPECT_EQ(shown.find(file + marked.position + wrong.message), 0u)
      << "expected " << file << marked.position << wrong.message << "\n"
      << shown;
  EXPECT_EQ(under_caret(shown), marked.under) << shown;
  EXPECT_NE(shown.find(wrong.advice), std::string::npos) << "expected " << wrong.advice << "\n" << shown;
}

// As a move's `to` on square:3x3, with an option, a definition and states beside it.
std::string with_to(const std::string& expression, const std::string& board = "square:3x3") {
  return "name = \"T\"\n[options]\nboard = { default = \"" + board + R"toml(" }
mode  = { default = "calm", one_of = ["calm", "wild"] }
count_to = { default = 3, range = [1, 6] }
bold  = { default = "off" }
[state]
holder = { type = "player" }
spent = { type = "number", each = true, range = [0, 5] }
[define]
inner = "cells & !edge"
"beside(s)" = "empty & near(s) > 0"
[moves.place]
to = ")toml" +
         expression + R"toml("
[moves.pass]
[end]
when = "passes == 2"
score = "count(mine)"
)toml";
}

const Wrong kExpressions[] = {
    // Names.
    {"empty & <<mien>>", "unknown name 'mien'", "did you mean 'mine'?"},
    {"near(<<thiers>>) > 0", "unknown name 'thiers'", "did you mean 'theirs'?"},
    {"<<inne>>", "unknown name 'inne'", "did you mean 'inner'?"},
    {"empty & <<bald>>", "unknown name 'bald'", "did you mean 'bold'?"},
    {"<<holders>> == me", "unknown name 'holders'", "did you mean 'holder'?"},
    {"<<qqqqqq>>", "unknown name 'qqqqqq'", "names: mine, theirs, stones"},
    {"<<neer>>(mine) > 0", "there is no function 'neer'", "did you mean 'near'?"},
    {"<<besides>>(mine)", "there is no function 'besides'", "did you mean 'beside'?"},
    {"<<mine>>(empty)", "'mine' is not a function", "write it without brackets"},
    {"<<mode>>(empty)", "'mode' is not a function", ""},
    {"<<near>> > 0", "'near' is a function", "write near(S) or near(S, directions)"},
    {"<<board>>", "unknown name 'board'", ""},
    {"{a1 <<d4>>}", "the board square:3x3 has no cell 'd4'", "cells: a1, b1, c1, a2"},
    {"{<<z99>>, a1}", "the board square:3x3 has no cell 'z99'", ""},
    {"empty & <<from>>", "'from' is the cell a piece leaves", ""},
    {"empty & <<placed>>", "'placed' is known only in 'then'", ""},
    {"<<before(empty)>>", "'before' is known only in 'then'", ""},
    // Arity.
    {"<<near()>> > 0", "'near' has 0 arguments here", "write near(S) or near(S, directions)"},
    {"<<near(mine, orth, diag)>> > 0", "'near' has 3 arguments here", ""},
    {"empty & <<count(mine, theirs)>> > 0", "'count' has 2 arguments here", "write count(S)"},
    {"<<any()>>", "'any' has 0 arguments here", "write any(S)"},
    {"<<max(2)>> > 1", "'max' goes through parts", "write max(g in groups(S): expression), or max(a, b)"},
    {"<<joined(mine)>>", "'joined' has 1 argument here", "write joined(S, seed)"},
    {"<<up(mine, theirs)>>", "'up' has 2 arguments here", "write up(S)"},
    {"<<beside>>", "'beside' takes 1 argument, not 0", ""},
    {"<<beside(mine, theirs)>>", "'beside' takes 1 argument, not 2", ""},
    {"<<inner(mine)>>", "'inner' takes 0 arguments, not 1", "write inner without brackets"},
    // Types.
    {"<<3>>", "this is a number; a set of cells is expected here", ""},
    {"<<near(mine)>>", "this is a number for each cell; a set of cells is expected here", "near(mine) > 0"},
    {"<<me>>", "this is a player; a set of cells is expected here", ""},
    {"<<mode>>", "this is a text; a set of cells is expected here", ""},
    {"<<up>>", "this is directions; a set of cells is expected here",
     "up(S) are the cells whose upper neighbour is in S"},
    {"<<bold>>", "this is true or false; a set of cells is expected here", ""},
    {"empty & <<count(mine)>>", "this is a number; a set of cells is expected here", ""},
    {"<<near(mine)>> & empty", "this is a number for each cell; a set of cells is expected here", ""},
    {"empty | <<holder>>", "this is a player; a set of cells is expected here", ""},
    {"!<<3>>", "this is a number; a set of cells is expected here", ""},
    {"-<<mine>> > 0", "this is a set of cells; a number is expected here", "did you mean count(...)?"},
    {"<<mine>> + 1 > 0", "this is a set of cells; a number is expected here", "did you mean count(...)?"},
    {"1 + <<bold>> > 0", "this is true or false; a number is expected here", ""},
    {"<<mine>> > 1", "this is a set of cells; a number is expected here", "did you mean count(...)?"},
    {"max(2, <<mine>>) > 1", "this is a set of cells; a number is expected here", "did you mean count(...)?"},
    {"2 > <<me>>", "this is a player; a number is expected here", ""},
    {"<<mine == theirs>>", "two sets of cells cannot be compared", "did you mean"},
    {"empty & <<me == 1>>", "a player cannot be compared with a number", ""},
    {"empty & <<bold == 'on'>>", "true or false cannot be compared with a text", ""},
    {"empty & count(<<2>>) == 1", "this is a number; a set of cells is expected here", ""},
    {"near(<<orth>>) > 0", "this is directions; a set of cells is expected here", ""},
    {"near(mine, <<mine>>) > 0", "this is a set of cells; directions is expected here", ""},
    {"if <<mine>> then empty else none", "this is a set of cells; true or false is expected here",
     "did you mean any(...)?"},
    {"<<if bold then empty else 3>>", "the two branches differ: one is a set of cells, the other a number", ""},
    {"near(mine, if <<any(mine)>> then orth else diag) > 0", "a choice of directions may depend on options only", ""},
    {"near(mine, <<orth>> & diag) > 0", "this is directions; a set of cells is expected here", ""},
    // Options that never take a value.
    {"empty & mode == <<'clam'>>", "'mode' is never 'clam'", "did you mean 'calm'?"},
    {"empty & <<'x'>> != mode", "'mode' is never 'x'", "it takes: calm, wild"},
    // Numbers.
    {"<<near(mine) * near(theirs)>> > 2", "two numbers for each cell cannot be multiplied",
     "one of the factors must be a constant"},
    {"near(mine) / <<count(mine)>> > 2", "this divisor depends on the position", "only division by a constant"},
    {"near(mine) / <<0>> > 2", "this divides by zero", ""},
    {"row % (<<1 - 1>>) == 2", "this divides by zero", ""},
    {"<<near(mine) % 2>> == 0", "a remainder may not depend on the position", "% is for rows, columns and constants"},
    {"empty & <<passes + count(mine) == 2>>", "'passes' can only be compared with a number", "as in passes == 2"},
    {"<<near(mine) * 1000000000 * 1000000000>> > 1", "the numbers become too large here", ""},
    {"empty & <<sum(g in groups(mine): 1000000000 * 1000000000)>> > 1", "the numbers become too large here", ""},
    {"empty & <<count(mine) / 1000000000 / 1000000000 / 1000>> > 1", "the numbers become too large here", ""},
    {"near(mine) > <<99999999999999999999>>", "this number is too large", ""},
    // Syntax.
    {"empty <<mine>>", "this does not belong here", "joined by an operator"},
    {"empty <<&&>> mine", "'&&' is no operator here", "write a single &"},
    {"empty <<||>> mine", "'||' is no operator here", "write a single |"},
    {"empty <<#>> mine", "this sign is not part of the language", "operators: ! & |"},
    {"empty <<\xc3\xa9>>", "this sign is not part of the language", ""},
    {"(empty <<}>>", "')' is expected here", "closes the bracket"},
    {"empty & <<)>>", "a set of cells, a number or a name is expected here", ""},
    {"near(mine) > <<0.5>>", "fractions are written with a slash", "write 1/2 instead of 0.5"},
    {"1 < near(mine) <<<>> 3", "comparisons do not chain", "write a < b & b < c"},
    {"if bold <<empty>>", "'then' is expected here", "if a then b else c"},
    {"if bold<<:>> empty", "'if condition:' stands before a whole effect only", "SET & condition -> kind"},
    {"near(mine <<theirs>>) > 0", "',' or ')' is expected here", "arguments are written near(a, b)"},
    {"mode == <<'calm>>", "this text has no end", "stand between ' and '"},
    {"empty & <<{>>a1", "this list of cells has no end", "cells are listed as in {a1 b2}"},
};

TEST(Errors, InExpressions) {
  for (const Wrong& wrong : kExpressions) {
    expect_error(wrong, with_to(wrong.text), "test.toml");
  }
}

struct OnBoard {
  const char* board;
  const char* expression;
  const char* message;
};

const OnBoard kOnBoards[] = {
    {"path:5", "near(mine, <<up>>) > 0", "'up' has no meaning on the board path:5"},
    {"path:5", "<<row>> > 1", "'row' has no meaning on the board path:5"},
    {"hexhex:2", "<<orth(mine)>>", "'orth' has no meaning on the board hexhex:2"},
    {"torus:3x3", "empty & <<corner>>", "'corner' has no meaning on the board torus:3x3"},
    {"torus:3x3", "empty & <<edge>>", "'edge' has no meaning on the board torus:3x3"},
    {"cylinder:3x3", "empty & <<left_edge>>", "'left_edge' has no meaning on the board cylinder:3x3"},
    {"edges:a-b b-c", "<<right(mine)>>", "'right' has no meaning on the board edges:a-b b-c"},
    {"edges:a-b b-c", "{<<a1>>}", "the board edges:a-b b-c has no cell 'a1'"},
};

TEST(Errors, OnBoardsThatLackIt) {
  for (const OnBoard& wrong : kOnBoards) {
    std::string text = with_to(wrong.expression, wrong.board);
    const std::string inner = "inner = \"cells & !edge\"\n";  // what not every board has
    text.erase(text.find(inner), inner.size());
    expect_error({"", wrong.message}, text, "test.toml");
  }
}

// Whole descriptions, cut down to what is wrong.
const char* const kRest = "\n[moves.place]\nto = \"empty\"\n[end]\nstuck = \"loses\"\n";
const char* const kHead = "name = \"T\"\n[options]\nboard = { default = \"path:3\" }\n";

std::string with(const std::string& more) { return kHead + more + kRest; }

std::string edged(const std::string& more) { return "name = \"T\"\n[board]\nedges = \"a-b-c\"\n" + more + kRest; }

const Wrong kDescriptions[] = {
    {"name = \"T\"\n<<coulour>> = \"red\"\n", "there is no key 'coulour' in a description", "keys: name"},
    {"name = \"T\"\n<<auther>> = \"me\"\n", "there is no key 'auther'", "did you mean 'author'?"},
    {with("[moves.go]\n<<form>> = \"mine\"\n"), "there is no key 'form' in move 'go'", "did you mean 'from'?"},
    {with("[options.size]\ndefault = 3\n<<rang>> = [1, 2]\n"), "there is no key 'rang' in option 'size'",
     "did you mean 'range'?"},
    {with("<<size>> = { about = \"x\" }\n"), "option 'size' has no default", "add default"},
    {with("size = { default = <<9>>, range = [1, 6] }\n"), "option 'size' is out of range: 9", "it takes: 1..6"},
    {with("size = { default = 2, range = <<[1]>> }\n"), "a range is a list of two whole numbers", "range = [1, 6]"},
    {with("how = { default = \"<<fats>>\", one_of = [\"fast\", \"slow\"] }\n"), "'fats' is not a value of option 'how'",
     "did you mean 'fast'?"},
    {with("how = { default = <<true>> }\n"), "an option's default is a number or a text", "\"on\" and \"off\""},
    {with("how = { default = \"a\", left_open = \"<<yes>>\" }\n"), "'left_open' is true or false", "without quotes"},
    {with("<<mine>> = { default = 1 }\n"), "the name 'mine' is already a word of the language", "choose another"},
    {with("size = { default = 1 }\n[define]\n<<size>> = \"mine\"\n"), "the name 'size' is already an option", ""},
    {with("[define]\n<<x>> = \"mine\"\n"), "the name 'x' is already a kind", ""},
    {with("[state]\nspent = { type = \"bool\" }\n[define]\n<<spent>> = \"mine\"\n"),
     "the name 'spent' is already a state", ""},
    {with("<<right>> = { default = 1 }\n"), "the name 'right' is already", ""},
    {edged("directions = { <<mine>> = \"a-b\" }\n"), "the name 'mine' is already a word of the language", "another"},
    {edged("regions = { <<count>> = \"a\" }\n"), "the name 'count' is already a word of the language", "another"},
    {edged("directions = { round = \"a-b\" }\nregions = { <<round>> = \"a\" }\n"),
     "'round' is a direction of the board", ""},
    {edged("directions = { <<adjacent>> = \"a-b\" }\n"), "the board already has a direction 'adjacent'",
     "another name"},
    {edged("directions = { round = \"a-b <<a-c>>\" }\n"), "'round' leads from a cell to two", "a | b"},
    {edged("directions = { round = \"a-b\" }\n[options]\n<<round>> = { default = 1 }\n"),
     "the name 'round' is already a direction of the board", ""},
    {edged("directions = { round = \"a-c\" }\n[moves.go]\nfrom = \"mine\"\nto = \"empty\"\nslide = \"<<adjacent>>\"\n"),
     "a piece slides in straight directions", "straight ones are round"},
    {with("[define]\n<<then>> = \"mine\"\n"), "'then' is a word of the language", "choose another name"},
    {with("<<\"a b\">> = { default = 1 }\n"), "'a b' is no name", "letters, digits and _"},
    {with("[kinds]\nx = \"first\"\n<<\"2\">> = \"second\"\n"), "'2' is no name", "do not begin with a digit"},
    {with("[kinds]\nx = \"first\"\no = \"<<secnd>>\"\n"), "there is no owner 'secnd'", "did you mean 'second'?"},
    {with("[kinds]\nx = \"first\"\n<<xx>> = \"second\"\n"), "kinds 'x' and 'xx' have the same letter",
     "give one of them another"},
    {with("[kinds]\nx = { owner = \"first\", letter = \"<<ab>>\" }\n"), "a kind's letter is one letter", ""},
    {with("[state]\nn = { type = \"<<numbr>>\" }\n"), "state 'n' needs a type", "did you mean 'number'?"},
    {with("[state]\n<<n>> = { type = \"number\" }\n"), "the number 'n' needs a range", "range = [0, 4]"},
    {with("[state]\nn = { type = \"number\", range = [<<4>>, 1] }\n"), "the range of 'n' is 4 to 1", ""},
    {with("[state]\nn = { type = \"number\", range = [<<0>>, 300] }\n"), "the range of 'n' is 0 to 300",
     "at most 251 numbers"},
    {with("[state]\nn = { type = \"number\", range = [0, 3], start = <<7>> }\n"), "'n' cannot start at 7", ""},
    {with("[state]\n<<n>> = { type = \"player\", each = true }\n"), "only numbers can be kept for each player", ""},
    {with("[state]\nn = { type = \"bool\", written = \"<<passes>>\" }\n"), "'passes' is how passes are written", ""},
    {with("[state]\nn = { type = \"bool\" }\n<<m>> = { type = \"bool\", written = \"n\" }\n"),
     "'n' and 'm' are written alike", ""},
    {with("[define]\nf = \"<<g>> & mine\"\n[moves.go]\nto = \"f\"\n"), "unknown name 'g'", ""},
    {with("[define]\n<<f>> = \"mine & f\"\n[moves.go]\nto = \"f\"\n"), "the definition 'f' uses itself",
     "cannot be recursive"},
    {with("[define]\n<<f>> = \"g\"\ng = \"f\"\n[moves.go]\nto = \"f\"\n"), "the definition 'f' uses itself",
     "cannot be recursive"},
    {with("[define]\n<<\"f(s)\">> = \"f(s)\"\n[moves.go]\nto = \"f(mine)\"\n"), "the definition 'f' uses itself", ""},
    {with("[define]\n\"f(s<<;>>)\" = \"s\"\n"), "this sign is not part of the language", ""},
    {with("[define]\nf = \"mine\"\n<<\"f(s)\">> = \"s\"\n"), "'f' is defined twice", ""},
    {with("[moves.go]\nput = \"<<x>>\"\nfrom = \"mine\"\nto = \"empty\"\n"), "'put' goes with a placement", ""},
    {with("[moves.go]\nto = \"empty\"\nput = [\"x\", \"<<y>>\"]\n"), "there is no kind 'y'", ""},
    {with("[moves.go]\nto = \"empty\"\nput = \"<<empty>>\"\n"), "a placement puts a kind of stone", "'from' alone"},
    {with("[moves.go]\nto = \"empty\"\nwithin = <<3>>\n"), "how far a piece goes needs both 'from' and 'to'", ""},
    {with("[moves.go]\nfrom = \"mine\"\nto = \"empty\"\nstep = \"adjacent\"\nwithin = <<3>>\n"),
     "a move has 'within' or 'step', not both", ""},
    {with("[moves.go]\nfrom = \"mine\"\nto = \"empty\"\nwithin = \"<<near(mine) / 2>>\"\n"),
     "a distance is a whole number", ""},
    {with("[moves.go]\nthen = \"<<holdr>> = me\"\n[state]\nholder = { type = \"player\" }\n"),
     "there is no state 'holdr'", "did you mean 'holder'?"},
    {with("[moves.go]\nthen = \"holder = <<3>>\"\n[state]\nholder = { type = \"player\" }\n"),
     "this is a number; a player is expected here", ""},
    {with("[moves.go]\nthen = \"<<mine>> = 3\"\n"), "there is no state 'mine'", ""},
    {with("[moves.go]\nthen = \"mine -> <<oo>>\"\n"), "there is no kind 'oo'", "did you mean 'o'?"},
    {with("[moves.go]\nthen = \"if any(mine) <<mine>> -> o\"\n"), "':' is expected here", "if a: b -> mine"},
    {with("[moves.go]\nthen = \"<<3>> -> o\"\n"), "this is a number; a set of cells is expected here", ""},
    {with("[start]\n<<y>> = \"{1}\"\n"), "there is no kind 'y'", ""},
    {with("[start]\nx = \"<<near(mine) > 0>>\"\n"), "the start is a fixed set of cells", "options only"},
    {with("[start]\nx = \"{1 2}\"\no = \"<<{2}>>\"\n"), "two kinds start on the same cell", ""},
    {with("[start]\nbegins = \"<<nobody>>\"\n"), "first or second begins", "begins = "},
    {with("[start]\nbegins = \"<<if any(stones) then first else second>>\"\n"), "first or second begins", "begins = "},
    {with("[start]\nbegins = \"<<2>>\"\n"), "this is a number; a player is expected here", ""},
    {with("[pie]\nmoves = [\"<<plase>>\"]\n"), "there is no move 'plase'", "did you mean 'place'?"},
    {with("[pie]\nwhen = \"<<any(stones)>>\"\nmoves = [\"place\"]\n"), "the pie may depend on options only", ""},
    {with("[[test]]\n<<postion>> = \"3 1\"\n"), "there is no key 'postion' in a test", "did you mean 'position'?"},
    {with("[moves]\n<<plae>> = false\n"), "there is no 'plae' in [moves] to take away", ""},
    {with("n = { default = <<1.5>> }\n"), "only texts, whole numbers, true and false", "\"1/2\""},
    {with("[moves.go]\nto = \"if any(mine) then empty<<\">>\n"), "'else' is expected here: the text ends",
     "if a then b else c"},
    // What is no TOML.
    {with("h<<\xc3\xa4>>ufig = 1\n"), "this sign can only stand in a text or a comment", "texts stand in quotes"},
    {with("n = { default = \"a\"<<\xc3\xa9>> }\n"), "this sign can only stand in a text or a comment"},
    {"name = \"T\"\n[[<<[>>test]]\n", "Error while parsing key", "the file is TOML"},
    {with("n = { default = <<\"a }>>\n"), "the text that begins here has no closing quote",
     "put \" behind it; a text of several"},
    {with("[moves.go]\nto = <<'empty>>"), "the text that begins here has no closing quote", "put ' behind it"},
    {with("[moves.go]\nto = <<\"\"\"empty>>\n& near(mine)"), "the text that begins here has no closing quote",
     "put \"\"\" behind it"},
    // Errors inside strings of several lines.
    {with("[moves.go]\nto = \"\"\"empty\n  & near(<<mien>>) > 0\"\"\"\n"), "unknown name 'mien'",
     "did you mean 'mine'?"},
    {with("[moves.go]\nto = \"\"\"\nempty & (<<near(mine)\n  + 1>>)\"\"\"\n"),
     "this is a number for each cell; a set of cells is expected here", ""},
    // After text that is not ASCII, columns count characters.
    {"name = \"T\"  # \xc3\xa4\xc3\xb6\xc3\xbc\n[options]\nboard = { about = \"\xc3\xa4\xc3\xb6\", default = "
     "\"<<pth>>:3\" }" +
         std::string(kRest),
     "there is no board 'pth'", "did you mean 'path'?"},
    {"name = \"T\"\n[options]\nboard = { default = \"<<3x3>>\" }" + std::string(kRest), "there is no board '3x3'",
     "did you mean 'square:3x3'?"},
};

TEST(Errors, InDescriptions) {
  for (const Wrong& wrong : kDescriptions) {
    expect_error(wrong, wrong.text, "test.toml");
  }
}

struct Setting {
  const char* assignment;
  const char* message;
  const char* advice;
};

const Setting kSettings[] = {
    {"<<thread>>=3", "there is no option 'thread'", "did you mean 'threat'?"},
    {"<<q>>=3", "there is no option 'q'", "options: board, threat"},
    {"threat=<<7>>", "option 'threat' is out of range: 7", "it takes: 1..6"},
    {"threat=<<two>>", "option 'threat' is a whole number", "it takes: 1..6"},
    {"button = <<yes>>", "'yes' is not a value of option 'button'", "it takes: on, off"},
    {"move_to=<<nodrop>>", "'nodrop' is not a value of option 'move_to'", "did you mean 'no_drop'?"},
    {"<<move_to>>", "option 'move_to' needs a value", "it takes any, no_drop, no_drop_lifted"},
    {"threat=<<>>", "option 'threat' is a whole number", ""},
    {"board= <<hexhx>>:2", "there is no board 'hexhx'", "did you mean 'hexhex'?"},
};

TEST(Errors, InSettings) {
  for (const Setting& wrong : kSettings) {
    const Marked marked = unmark(wrong.assignment);
    SCOPED_TRACE(marked.text);
    const auto v = make("extends = \"populace\"", {marked.text});
    ASSERT_FALSE(v.ok());
    const std::string shown(v.status().message());
    EXPECT_EQ(shown.find(std::string("--set: ") + wrong.message), 0u) << shown;
    EXPECT_EQ(under_caret(shown), marked.under) << shown;
    EXPECT_NE(shown.find(wrong.advice), std::string::npos) << shown;
  }
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// What would use up stack or time is refused instead.
TEST(Errors, TooMuch) {
  std::string chain = "empty";
  for (int i = 0; i < 100'000; ++i) chain += " & empty";
  std::string growing = "[define]\nd0 = \"empty\"\n";
  std::string fine = growing;
  for (int i = 1; i < 100; ++i) {
    const std::string below = "d" + std::to_string(i - 1);
    growing += "d" + std::to_string(i) + " = \"" + below + " | " + below + "\"\n";
    fine += "d" + std::to_string(i) + " = \"" + below + "\"\n";
  }
  const auto error = [](const std::string& more, const std::string& to) {
    return std::string(make(with(more + "[moves.go]\nto = \"" + to + "\"\n")).status().message());
  };
  EXPECT_TRUE(has(error("", chain), "this expression is too long"));
  EXPECT_TRUE(has(error("", std::string(10'000, '(')), "nested too deeply"));
  EXPECT_TRUE(has(error("", std::string(10'000, '!')), "nested too deeply"));
  EXPECT_TRUE(has(error(growing, "d99"), "the rules become too large"));
  EXPECT_EQ(error(fine, "d99"), "");
}

}  // namespace
}  // namespace plenum::variants_testing::language_test
