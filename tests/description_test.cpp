// SPDX-License-Identifier: Apache-2.0
// Descriptions as files: a tweak laid over what it extends, the ways TOML has to write a text, options.
#include "variants/language/description.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/variants_testing.h"

namespace plenum::variants_testing::description_test {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const char* const kHead = "name = \"T\"\n[options]\nboard = { default = \"path:3\" }\n";

// A folder of descriptions that lives as long as the test.
class Extends : public ::testing::Test {
 protected:
  Extends() {
    folder_ = std::filesystem::temp_directory_path() / ("plenum-language-test-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_ / "variants");
  }
  ~Extends() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / "variants" / (name + ".toml")) << text;
  }
  absl::StatusOr<Variant> load(const std::string& name) {
    const auto description = load_description(name, folder_.string());
    if (!description.ok()) return description.status();
    return Variant::make(*description);
  }
  // What loading `name` says, "" if nothing is wrong.
  std::string error(const std::string& name) { return std::string(load(name).status().message()); }
  std::string legal(const std::string& name, const std::string& at) {
    const Variant v = sure(load(name));
    std::string out;
    for (const Successor& s : sure(successors(v.rules(), position(v, at)))) out += (out.empty() ? "" : " ") + s.text;
    return out;
  }
  std::filesystem::path folder_;
};

const char* const kBase = R"toml(name = "Base"
[options]
board = { default = "path:4", about = "any" }
least = { default = 1, range = [0, 3] }
[define]
good = "near(mine) >= least"
[moves.place]
to = "empty & good"
[moves.pass]
[moves.take]
from = "theirs"
[end]
when = "passes == 2"
score = "count(mine)"
[[test]]
position = "x3 1"
legal = "2 pass"
)toml";

TEST_F(Extends, MergesByName) {
  write("base", kBase);
  EXPECT_EQ(legal("base", "x2o 1"), "2 4-off pass");
  write("tweak",
        "name = \"Tweak\"\nextends = \"base\"\n[options]\nboard = { default = \"path:5\" }\n[moves.take]\nfrom = "
        "\"theirs & near(mine) > 0\"\n");
  EXPECT_EQ(legal("tweak", "xo1o1 1"), "2-off pass");
  EXPECT_EQ(legal("tweak", "xo3 2"), "1-off 3 pass");
  const Variant tweak = sure(load("tweak"));
  EXPECT_EQ(tweak.description().name, "Tweak");
  EXPECT_EQ(tweak.description().find_option("board")->about, "any");
  EXPECT_TRUE(tweak.description().tests.empty());  // the base's are not about the tweak
  write("again", "extends = \"tweak\"\n[define]\ngood = \"near(mine) == least\"\n[options.least]\ndefault = 0\n");
  EXPECT_EQ(legal("again", "x4 1"), "3 4 5 pass");
}

TEST_F(Extends, FalseTakesAway) {
  write("base", kBase);
  write("tweak", "extends = \"base\"\n[moves]\ntake = false\n");
  EXPECT_EQ(legal("tweak", "x2o 1"), "2 pass");
  write("wrong", "extends = \"base\"\n[moves]\ntaek = false\n");
  EXPECT_TRUE(has(error("wrong"), "wrong.toml:3:1: there is no 'taek' in [moves] to take away")) << error("wrong");
  EXPECT_TRUE(has(error("wrong"), "did you mean 'take'?")) << error("wrong");
  write("won", "extends = \"base\"\n[end]\nwhen = false\nscore = false\nwins = \"count(mine) == 3\"\n");
  EXPECT_EQ(error("won"), "");
  EXPECT_EQ(sure(load("won")).description().end.score, nullptr);
  write("still_used", "extends = \"base\"\n[define]\ngood = false\n");
  EXPECT_TRUE(has(error("still_used"), "base.toml:8:15: 'good' is still used here, and ")) << error("still_used");
  EXPECT_TRUE(has(error("still_used"), "still_used.toml:3:1 takes it away")) << error("still_used");
}

// Whatever is taken out of a description, the text that names the game changes; what a tweak takes away too.
TEST_F(Extends, EveryEntryIsPartOfTheName) {
  write("base", std::string(kHead) +
                    "[moves.place]\nto = \"empty\"\n[moves.pass]\n[end]\nwhen = \"passes == "
                    "2\"\nscore = \"count(mine)\"\n");
  write("nopass", "extends = \"base\"\nmoves.pass = false\n");
  write("same", "extends = \"base\"\nname = \"Another\"\nabout = \"Other prose.\"\n");
  const std::string base = sure(load("base")).identity().text;
  EXPECT_NE(sure(load("nopass")).identity().text, base);
  EXPECT_EQ(sure(load("same")).identity().text, base);
  for (const std::string& name : variant_names(PLENUM_DATA_FOLDER)) {
    const Description whole = sure(load_description(name, PLENUM_DATA_FOLDER));
    for (const MoveDescription& move : whole.moves) {
      write("without", "extends = \"" + name + "\"\nmoves." + move.name + " = false\n");
      std::filesystem::copy_file(absl::StrCat(PLENUM_DATA_FOLDER, "/variants/", name, ".toml"),
                                 folder_ / "variants" / (name + ".toml"), std::filesystem::copy_options::skip_existing);
      const auto tweak = load_description((folder_ / "variants" / "without.toml").string(), PLENUM_DATA_FOLDER);
      if (!tweak.ok()) continue;  // it takes that move
      EXPECT_NE(sure(identify(*tweak)).text, sure(identify(whole)).text) << name << " without " << move.name;
    }
  }
}

TEST_F(Extends, ErrorsPointIntoTheFileThatHasThem) {
  write("base", kBase);
  write("tweak", "extends = \"base\"\n[options]\nleast = { range = [1, 6], default = 9 }\n");
  EXPECT_TRUE(has(error("tweak"), "variants/tweak.toml:3:37: option 'least' is out of range: 9")) << error("tweak");
  write("tweak", "extends = \"base\"\n[define]\ngood = \"near(mein) > 0\"\n");
  EXPECT_TRUE(has(error("tweak"), "variants/tweak.toml:3:14: unknown name 'mein'")) << error("tweak");
  write("tweak", "extends = \"base\"\n[define]\ngood = \"near(mine)\"\n");
  EXPECT_TRUE(has(error("tweak"), "variants/base.toml:8:15: this is a number for each cell")) << error("tweak");
}

TEST_F(Extends, Circles) {
  write("one", "extends = \"two\"\n");
  write("two", "extends = \"three\"\n");
  write("three", "extends = \"two\"\n");
  write("self", "extends = \"self\"\n");
  for (const char* name : {"one", "two", "three", "self"}) {
    EXPECT_TRUE(has(error(name), "this variant extends itself in a circle")) << error(name);
  }
  write("base", kBase);
  write("lost", "extends = \"bsae\"\n");
  EXPECT_TRUE(has(error("lost"), "lost.toml:1:12: there is no variant 'bsae'")) << error("lost");
  EXPECT_TRUE(has(error("lost"), "did you mean 'base'?")) << error("lost");
}

// A text that TOML writes with escapes, or with other ends of lines, is read all the same.
TEST_F(Extends, WaysToWriteText) {
  std::string windows = kBase;
  for (std::size_t at = 0; (at = windows.find('\n', at)) != std::string::npos; at += 2) windows.insert(at, "\r");
  write("windows", windows);
  EXPECT_EQ(legal("windows", "x2o 1"), "2 4-off pass");
  const std::string head = "name = \"T\"\n[options]\nboard = { default = \"path:3\" }\n[moves.place]\nto = ";
  const std::string rest = "\n[moves.pass]\n[end]\nwhen = \"passes == 2\"\nscore = 0\n";
  const char* const ways[] = {R"("empty\u0020& {2}")", "\"\"\"empty \\\n   & {2}\"\"\"",
                              "\"\"\"\r\nempty\r\n& {2}\"\"\"", "'empty & {2}'", "'''\nempty & {2}'''"};
  for (const char* to : ways) {
    write("written", head + to + rest);
    EXPECT_EQ(legal("written", "3 1"), "2 pass") << to;
  }
  write("written", head + R"("empty\u0020& {7}")" + rest);
  EXPECT_TRUE(has(error("written"), "written.toml:5: ")) << error("written");
  EXPECT_EQ(under_caret(error("written")), "7");
}

// Signs that are not ASCII stand in texts and comments, whatever quotes are around.
TEST(Texts, NotAscii) {
  const std::string rest = "[options]\nboard = { default = 'path:3' }\n[moves.pass]\n[end]\nstuck = \"loses\"\n";
  const char* const names[] = {"\"\xc3\xa9\"", "'\xc3\xa9'", "\"\"\"\xc3\xa9\"\"\"\"\"", "'''\n''\xc3\xa9'''",
                               "\"\\\"\xc3\xa9\" # '\xc3\xa9\""};
  for (const std::string name : names) {
    const auto v = make("\xEF\xBB\xBF# \xc3\xa9 \"\nname = " + name + "\n" + rest);
    ASSERT_TRUE(v.ok()) << name << "\n" << v.status();
    EXPECT_NE(v->description().name.find("\xc3\xa9"), std::string::npos);
  }
}

// As descriptions are written into tables.
TEST(Texts, KeysInQuotes) {
  const std::string rest = "[moves.pass]\n[end]\nstuck = \"loses\"\n";
  for (const char* quote : {"", "\"", "'"}) {
    const auto key = [&](const char* name) { return quote + std::string(name) + quote; };
    const Variant v = made(kHead + rest + "[start]\n" + key("x") + " = \"{2}\"\n");
    EXPECT_EQ(v.rules().start(), position(v, "1x1 1"));
  }
}

// A switch may have more than two positions, and start in any.
TEST(Options, OnAndOff) {
  for (const char* start : {"off", "on", "half"}) {
    const std::string text = std::string(kHead) + ("lamp = { default = \"" + std::string(start) +
                                                   "\", one_of = [\"off\", \"half\", \"on\"] }\n[moves.go]\nto = \"if "
                                                   "lamp == 'half' then {1} else {2}\"\n[end]\nstuck = \"loses\"\n");
    for (const char* value : {"off", "on", "half"})
      EXPECT_TRUE(make(text, {std::string("lamp=") + value}).ok()) << start << " " << value;
  }
  EXPECT_TRUE(make("extends = \"populace\"\n[options]\npie = { default = \"off\" }\n").ok());
}

// Keys stand in quotes in the document, which has to be the same game all the same.
TEST(Description, PlacesOfCellsAreTheSameInQuotes) {
  const auto read = [](const std::string& text) { return sure(parse_description({"d.toml", text, true}, "")); };
  const Description own = read(
      "name = \"D\"\nboard.edges = \"a-b\"\nboard.at.a = [0, 1]\nboard.at.b = [1, 1]\n"
      "moves.place.to = \"empty\"\nend.stuck = \"loses\"\n");
  EXPECT_EQ(sure(identify(own)).text, sure(identify(read(own.document))).text);
}

// A table has the document, and whoever opens it has to come to the same game.
TEST(Description, OutcomeAloneIsInTheDocument) {
  int changed = 0;
  for (const std::string& name : variant_names(PLENUM_DATA_FOLDER)) {
    SCOPED_TRACE(name);
    Description game = sure(load_description(name, PLENUM_DATA_FOLDER));
    const std::string before = sure(identify(game)).text;
    ASSERT_TRUE(game.count_outcome_alone().ok());
    const Description again = sure(parse_description({"again.toml", game.document, true}, ""));
    EXPECT_EQ(again.document, game.document);
    const std::string after = sure(identify(again)).text;
    EXPECT_EQ(after, sure(identify(game)).text);
    EXPECT_TRUE(game.pieces.empty() || after == before);
    changed += after == before ? 0 : 1;
  }
  EXPECT_GT(changed, 10);
}

}  // namespace
}  // namespace plenum::variants_testing::description_test
