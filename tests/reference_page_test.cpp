// SPDX-License-Identifier: Apache-2.0
// The language's reference: every example in the tables compiles and passes its own tests, and the page is what the tables say.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/variants_testing.h"
#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/session/common.h"
#include "variants/language/vocabulary.h"

namespace plenum::reference_page_test {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// A folder with the example game in it.
class Examples : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "example.toml") << example_game();
    std::ofstream(folder_ / "pieces.toml") << example_piece_game();
  }
  void TearDown() override { fs::remove_all(folder_); }

  // What `plenum check` says to a tweak of the example game.
  void expect_good(const std::string& what, const std::string& example, const char* extended = "example") {
    SCOPED_TRACE(what + "\n" + example);
    const fs::path file = folder_ / ("tweak" + std::to_string(++count_) + ".toml");
    std::ofstream(file) << "extends = \"" << extended << "\"\n" << example << "\n";
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = report(check_command({{file.string()}, "", {}, false, 0, {}}));
    const std::string out = testing::internal::GetCapturedStdout();
    const std::string errors = testing::internal::GetCapturedStderr();
    EXPECT_EQ(code, kDone) << out << errors;
  }
  void expect_names(const std::string& name, const std::string& example) {
    EXPECT_NE(example.find(name), std::string::npos) << "the example of '" << name << "' does not use it: " << example;
  }

  fs::path folder_ = fs::path(testing::TempDir()) / "plenum-examples";
  int count_ = 0;
};

TEST_F(Examples, OfWordsCompile) {
  for (const Word& word : words()) {
    expect_names(word.name, word.example);
    expect_good(word.name, word.example);
  }
}

TEST_F(Examples, OfKeysCompileAndPass) {
  for (const TableKey& key : keys()) {
    if (key.name != "extends") expect_names(key.name, key.example);
    expect_good(key.table + "." + key.name, key.example, of_pieces(key) ? "pieces" : "example");
  }
}

TEST_F(Examples, OfOperatorsAndEffectsCompile) {
  for (const std::vector<Form>* forms : {&operators(), &effects()}) {
    for (const Form& form : *forms) expect_good(form.usage, form.example);
  }
}

TEST(Words, ThatAreAbsentAreNotThere) {
  for (const Absent& one : absent()) {
    for (const Word& word : words()) EXPECT_NE(word.name, one.name);
    for (const TableKey& key : keys()) EXPECT_NE(key.name, one.name);
    const auto v =
        variants_testing::make("name = \"T\"\nextends = \"populace\"\n[moves.place]\nto = \"" + one.name + "\"\n");
    ASSERT_FALSE(v.ok()) << one.name;
    EXPECT_NE(std::string(v.status().message()).find(one.reason), std::string::npos) << v.status();
  }
}

TEST(Words, CoverAllDirectionsAndRegionsOfBoards) {
  for (const char* name : {"square:3x3", "hexhex:2", "path:4", "torus:3x3", "king:2x2"}) {
    const Board board = variants_testing::sure(Board::parse(Span::whole("board", name)));
    std::vector<std::string> named = board.direction_names();
    const std::vector<std::string> regions = board.region_names();
    named.insert(named.end(), regions.begin(), regions.end());
    for (const std::string& one : named) {
      const bool known =
          std::any_of(words().begin(), words().end(), [&](const Word& word) { return word.name == one; });
      EXPECT_TRUE(known) << one << " of " << name << " is not in the reference";
    }
  }
}

TEST(Reference, IsWhatTheTablesSay) {
  testing::internal::CaptureStdout();
  language_command();
  const std::string page = testing::internal::GetCapturedStdout();
  EXPECT_EQ(read(fs::path(PLENUM_DATA_FOLDER) / "language.md"), page)
      << "make it anew: tools/run language > data/language.md";
}

}  // namespace
}  // namespace plenum::reference_page_test
