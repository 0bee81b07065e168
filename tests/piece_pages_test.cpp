// SPDX-License-Identifier: Apache-2.0
// What info says of games of pieces: each piece drawn, and what solving an ending takes.
#include <string>
#include <vector>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_split.h>
#include <gtest/gtest.h>

#include "solver/endings/ending_prediction.h"
#include "tests/variants_testing.h"
#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/report/draw.h"
#include "tools/report/page_text.h"
#include "tools/report/piece_page.h"
#include "tools/session/common.h"

namespace plenum::piece_pages_test {
namespace {

using variants_testing::game;
using variants_testing::sure;

struct Said {
  int code = 0;
  std::string out;
  std::string err;
};

Said info(const std::string& variant, const std::vector<std::string>& settings, bool pieces, bool json) {
  InfoArguments arguments;
  arguments.game.variant = variant;
  arguments.game.settings = settings;
  arguments.run.json = json;
  arguments.pieces = pieces;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Said said;
  said.code = report(info_command(arguments));
  said.out = testing::internal::GetCapturedStdout();
  said.err = testing::internal::GetCapturedStderr();
  return said;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Pieces, StandBesideEachOther) {
  const Said said = info("chess", {}, true, false);
  EXPECT_EQ(said.code, kDone);
  EXPECT_EQ(said.out.rfind("Chess: 19 pieces; O is the piece, its owner's forward is up\n"
                           "\n"
                           "K  K                              Q  Q                              R  R\n"
                           "royal                             * . . * . . *                     . . . * . . .\n"
                           "castles with R, D, G, S           . * . * . * .                     . . . * . . .\n",
                           0),
            0U)
      << said.out;
  const std::vector<std::string> lines = absl::StrSplit(said.out, '\n');
  for (const std::string& line : lines) EXPECT_LE(display_width(line), pages::kPageColumns) << line;
}

TEST(Pieces, FirstStepsAreDrawnWherePlayMayAllowThem) {
  const auto pawn = [](const Variant& variant) { return sure(pieces_json(variant))[5]; };
  const Json there = pawn(game("chess", {"double_step=off"}));
  EXPECT_EQ(there["letter"], "P");
  EXPECT_EQ(there["betza"], "mfWcfF");
  EXPECT_EQ(there["promotes"], "QRBN");
  EXPECT_EQ(there["first_step"], "mfW2");
  EXPECT_EQ(there["castles"], nullptr);
  EXPECT_EQ(there["diagram"],
            ". . i . .\n. c m c .\n. . O . .\n. . . . .\n. . . . .\n"
            "c captures; i moves from where it begins; m moves\n");
  EXPECT_TRUE(there["in_play"]);
}

TEST(Pieces, ThoseNotInPlayAreThereToo) {
  const Json pieces = sure(pieces_json(game("chess", {"material=KRvK", "promote=QR"})));
  ASSERT_EQ(pieces.size(), 19U);
  EXPECT_EQ(pieces[0]["royal"], true);
  EXPECT_EQ(pieces[0]["castles"], "RDGS");
  EXPECT_EQ(pieces[5]["in_play"], false);
  EXPECT_EQ(pieces[5]["promotes"], "QR");  // what the option says
  EXPECT_EQ(pieces[18]["letter"], "M");
  EXPECT_EQ(pieces[18]["promotes"], nullptr);
  EXPECT_TRUE(has(sure(pieces_page(game("chess", {"material=KRvK"}))), "not in play here"));
}

TEST(Pieces, LongNotationsAreBroken) {
  EXPECT_EQ(beside({{std::string(40, 'N')}, {"a b"}}),
            absl::StrCat(std::string(30, 'N'), "    a b\n  ", std::string(10, 'N'), "\n"));
  EXPECT_EQ(beside({}), "");
}

TEST(Pieces, OtherGamesHaveNone) {
  for (const bool json : {false, true}) {
    const Said said = info("populace", {}, true, json);
    EXPECT_EQ(said.code, kBadInput);
    EXPECT_EQ(said.out, "");
    EXPECT_TRUE(has(said.err, "Populace has no [pieces]")) << said.err;
    EXPECT_TRUE(has(said.err, "leave out --pieces")) << said.err;
  }
}

TEST(EndingPrediction, SizesAreThoseOfWhatIsSolved) {
  for (const std::string board : {"square:4x4", "square:3x5"}) {
    for (const std::string material : {"KRvK", "KPvK", "KQvKR", "KPvKP"}) {
      for (const std::string crowd : {"safety", "off"}) {
        SCOPED_TRACE(absl::StrCat(material, " ", board, " ", crowd));
        const Variant variant = game("safety-in-numbers", {"board=" + board, "material=" + material, "crowd=" + crowd});
        const EndingPrediction predicted = sure(predict_ending(variant));
        const auto solved = sure(solve_ending(variant, {}));
        std::map<std::string, std::uint64_t> sizes;
        for (const EndingTables::Size& size : solved->sizes()) sizes[size.material] = size.positions;
        ASSERT_EQ(predicted.tables.size(), sizes.size());
        EXPECT_EQ(predicted.tables.front().material, material);
        std::uint64_t positions = 0;
        for (const EndingPrediction::Table& table : predicted.tables) {
          EXPECT_EQ(table.positions, sizes[table.material]) << table.material;
          positions += table.positions;
        }
        EXPECT_EQ(predicted.positions, positions);
        EXPECT_EQ(predicted.table_bytes, solved->bytes());
        EXPECT_GT(predicted.bytes, predicted.table_bytes);
        // Small boards have fewer moves than the usual number.
        EXPECT_GT(predicted.moves, 0.5 * static_cast<double>(solved->edges()));
        EXPECT_LT(predicted.moves, 8 * static_cast<double>(solved->edges()));
      }
    }
  }
}

// Processor time measured on this program, within a factor of two.
TEST(EndingPrediction, TimesAreRoughlyThoseMeasured) {
  const auto predicted = [](const std::string& name, const std::string& material) {
    return sure(predict_ending(game(name, {"material=" + material})));
  };
  const EndingPrediction three = predicted("chess", "KRvK");
  EXPECT_GT(three.cpu_seconds, 0.01);
  EXPECT_LT(three.cpu_seconds, 0.04);
  const EndingPrediction four = predicted("chess", "KQvKR");
  EXPECT_EQ(four.positions, 4'461'072U);
  EXPECT_GT(four.cpu_seconds, 0.38);
  EXPECT_LT(four.cpu_seconds, 1.5);
  const EndingPrediction pawns = predicted("safety-in-numbers", "KPvKP");
  EXPECT_EQ(pawns.positions, 90'317'328U);
  EXPECT_EQ(pawns.tables.size(), 21U);
  EXPECT_GT(pawns.cpu_seconds, 4);
  EXPECT_LT(pawns.cpu_seconds, 16);
}

TEST(EndingPrediction, IsWhatSolvingIsRefusedBy) {
  const Variant variant = game("chess", {"material=KRvK"});
  const EndingPrediction predicted = sure(predict_ending(variant));
  EndingOptions options;
  options.memory_bytes = predicted.bytes - 1;
  const auto refused = solve_ending(variant, options);
  EXPECT_TRUE(absl::IsResourceExhausted(refused.status())) << refused.status();
  options.memory_bytes = predicted.bytes;
  EXPECT_TRUE(solve_ending(variant, options).ok());
}

// More positions than a word of 32 bits counts: numbered, and refused by the memory there is.
TEST(EndingPrediction, MoreThanFourBillionAreNumbered) {
  const Variant variant = game("chess", {"material=KQRvKQR"});
  const EndingPrediction predicted = sure(predict_ending(variant));
  EXPECT_EQ(predicted.tables.front().positions, 8'858'370'048U);
  EXPECT_GT(predicted.bytes, 15'000'000'000U);
  EndingOptions options;
  options.memory_bytes = 15'000'000'000;
  EXPECT_TRUE(absl::IsResourceExhausted(solve_ending(variant, options).status()));
}

TEST(EndingPrediction, WhatGoesBackIsRefused) {
  for (const char* piece : {"mfbWcfF", "mfWcfFsW"}) {
    const Variant variant = sure(variants_testing::make(
        std::string("name = \"Back\"\n[options]\nboard = { default = \"square:4x4\" }\nmaterial = { default = "
                    "\"KPvK\" }\n[pieces]\nK = { betza = \"K\", royal = true }\nQ = \"Q\"\nP = { betza = \"") +
        piece + "\", promotes = \"'Q'\" }\n[play]\nmaterial = \"material\"\n"));
    EXPECT_TRUE(absl::IsUnimplemented(predict_ending(variant).status())) << piece;
    EXPECT_TRUE(absl::IsUnimplemented(solve_ending(variant, {}).status())) << piece;
  }
}

TEST(EndingPrediction, WhatCannotBeNumberedIsRefused) {
  for (const char* material : {"KQRBvKQR", "KQRBNvKR", "KPPPPvKPPPP", "KPPvKPP", "KQQRRBNvKQRBN"}) {
    const Variant variant = game("chess", {std::string("material=") + material});
    const auto predicted = predict_ending(variant);
    EXPECT_TRUE(absl::IsResourceExhausted(predicted.status())) << material;
    EXPECT_TRUE(has(std::string(predicted.status().message()), material)) << predicted.status();
    EXPECT_TRUE(absl::IsResourceExhausted(solve_ending(variant, {}).status())) << material;
  }
  EXPECT_TRUE(absl::IsInvalidArgument(predict_ending(game("chess", {})).status()));
}

TEST(Info, OfAnEndingListsWhatArises) {
  const Said said = info("chess", {"material=KRvK"}, false, false);
  EXPECT_EQ(said.code, kDone);
  EXPECT_TRUE(has(said.out,
                  "An ending, solved whole: 2 materials, those that it leads to included\n"
                  "  KRvK   67,584 positions numbered, 135 kB\n"
                  "  KvK       528 positions numbered, 1 kB\n"
                  "  total  68,112 positions numbered, 136 kB\n"
                  "Memory: up to "))
      << said.out;
  EXPECT_FALSE(has(said.out, "dense")) << said.out;
  const Json json = Json::parse(info("chess", {"material=KRvK"}, false, true).out);
  EXPECT_EQ(json["ending"]["materials"][0]["material"], "KRvK");
  EXPECT_EQ(json["ending"]["positions"], 68'112);
  EXPECT_EQ(json["ending"]["table_bytes"], 136'224);
  EXPECT_EQ(json["predicted"]["cpu_seconds_at_most"], json["ending"]["cpu_seconds"]);
  EXPECT_TRUE(has(Json::parse(info("chess", {"material=KQRBvKQR"}, false, true).out)["ending"]["problem"], "numbered"));
}

TEST(Info, OfAnArraySaysThatItIsTooLarge) {
  const Said said = info("safety-in-numbers", {}, false, false);
  EXPECT_EQ(said.code, kDone);
  EXPECT_TRUE(
      has(said.out, "Is there always a move? No: without one it is mate in check, otherwise stalemate, a draw\n"));
  EXPECT_TRUE(has(said.out, "more than can be stored\n  endings are solved whole: --set material=KRvK\n")) << said.out;
  EXPECT_FALSE(has(said.out, "margins")) << said.out;
  EXPECT_TRUE(has(info("chess", {"stalemate=loss"}, false, false).out, "otherwise stalemate, a loss\n"));
  EXPECT_EQ(Json::parse(info("chess", {}, false, true).out)["ending"], nullptr);
}

}  // namespace
}  // namespace plenum::piece_pages_test
