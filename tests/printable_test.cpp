// SPDX-License-Identifier: Apache-2.0
// Texts as terminals may show them, whole and written piece by piece; and files that are read whole.
#include "variants/text/printable.h"

#include <fstream>
#include <ostream>
#include <sstream>

#include <gtest/gtest.h>

#include "tools/console/terminal.h"
#include "tools/report/json_report.h"
#include "variants/text/text_file.h"

namespace plenum::printable_test {
namespace {

TEST(Printable, OrdinaryTextStays) {
  for (const char* text : {"", "a b", "Größe 3×4 → „ja“", "日本語", "\xF0\x9F\x8E\xB2", "e\xCC\x81"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, WhatATerminalObeysIsShown) {
  EXPECT_EQ(printable("a\x1b[31mb\x07\n\t\r"), R"(a\x1b[31mb\x07\x0a\x09\x0d)");
  EXPECT_EQ(printable(std::string("\0\x7f", 2)), R"(\x00\x7f)");
  EXPECT_EQ(printable("\xC2\x9B"), R"(\xc2\x9b)");          // CSI in one character
  EXPECT_EQ(printable("\xE2\x80\xAE"), R"(\xe2\x80\xae)");  // right to left from here
  EXPECT_EQ(printable("\xE2\x80\xA8"), R"(\xe2\x80\xa8)");  // a line ends
  EXPECT_EQ(printable("\xEF\xBB\xBF"), R"(\xef\xbb\xbf)");
}

TEST(Printable, WhatIsNoUtf8IsShown) {
  EXPECT_EQ(printable("\xFF\xFE"), R"(\xff\xfe)");
  EXPECT_EQ(printable("\x80"), R"(\x80)");
  EXPECT_EQ(printable("\xC0\xAF"), R"(\xc0\xaf)");                  // longer than needed
  EXPECT_EQ(printable("\xE0\x80\x80"), R"(\xe0\x80\x80)");          // likewise
  EXPECT_EQ(printable("\xED\xA0\x80"), R"(\xed\xa0\x80)");          // a surrogate
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), R"(\xf4\x90\x80\x80)");  // beyond the last
  EXPECT_EQ(printable("\xC3"), R"(\xc3)");                          // unfinished
  EXPECT_EQ(printable("\xE2\x82\n"), R"(\xe2\x82\x0a)");
  EXPECT_EQ(printable("\xE2\x82x"), R"(\xe2\x82x)");
}

TEST(Printable, LinesStayWhereTheyAreWanted) { EXPECT_EQ(printable_lines("a\n\x1b\nb"), "a\n\\x1b\nb"); }

TEST(Printable, CharactersMayComeInPieces) {
  const std::string text = "Größe\n\x1b[2J\xC2\x9B日本\xFF.";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    std::stringbuf to;
    PrintableBuffer buffer(&to);
    std::ostream out(&buffer);
    for (std::size_t i = 0; i < text.size(); i += size) out << text.substr(i, size);
    EXPECT_TRUE(out.flush());
    EXPECT_EQ(to.str(), printable_lines(text)) << size;
  }
}

TEST(Printable, JsonHasNoControlCharacters) {
  const Json json = {{"a", "\x1b\x07\x7f\xC2\x9B ö"}};
  EXPECT_EQ(json_text(json, -1), R"({"a":"\u001b\u0007\u007f\u009b ö"})");
  EXPECT_EQ(Json::parse(json_text(json, -1)), json);
}

TEST(TextFile, RegularFilesOfSensibleSize) {
  const std::string path = ::testing::TempDir() + "plenum_text_file";
  std::ofstream(path) << "twelve bytes";
  EXPECT_EQ(read_text_file(path).value_or(""), "twelve bytes");
  EXPECT_EQ(read_text_file(path, 12).value_or(""), "twelve bytes");
  EXPECT_EQ(read_text_file(path, 11).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(read_text_file(path + ".none").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(read_text_file(::testing::TempDir()).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(read_text_file("/dev/zero").status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(read_text_file("/proc/version").value_or("?"), "");  // it says that it is empty
}

}  // namespace
}  // namespace plenum::printable_test
