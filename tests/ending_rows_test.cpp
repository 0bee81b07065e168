// SPDX-License-Identifier: Apache-2.0
// What endings are solved by, in rows, against the rules position by position: where pieces go, who is in check, and whole endings of
// pieces of every kind by all rules of crowds.
#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "solver/endings/ending.h"
#include "solver/endings/ending_prediction.h"
#include "solver/endings/slice_rows.h"
#include "solver/verify/verify_ending.h"
#include "tests/crowd_family.h"
#include "tests/sanitized.h"
#include "tests/variants_testing.h"
#include "variants/pieces/piece_board.h"

namespace plenum::ending_rows_test {
namespace {

using variants_testing::game;
using variants_testing::sure;

// Besides the pieces of the data folder: over hurdles, lame and jumping ones, those that move and capture apart, riders on leaps, short
// riders.
Variant with_odd_pieces(const std::vector<std::string>& settings) {
  return sure(variants_testing::make(R"toml(
name = "Odd pieces"
extends = "safety-in-numbers"
[pieces]
E = "nAnDnN"
J = "jDjAfW"
L = "cRmB"
V = "N0fW"
X = "pRmW"
Y = "B2fR2"
Z = "mRcpRcF"
)toml",
                                     settings));
}

std::vector<std::string> settings_of(const std::string& board, const std::string& material,
                                     const slow_chess::Rules& crowd) {
  std::vector<std::string> out = slow_chess::settings_of(crowd);
  out.insert(out.end(), {"board=square:" + board, "material=" + material});
  return out;
}

slow_chess::Rules closed(slow_chess::Crowd crowd) {
  slow_chess::Rules out;
  out.crowd = crowd;
  return out;
}

std::vector<slow_chess::Rules> all_crowds() {
  std::vector<slow_chess::Rules> out = slow_chess::open_family();
  out.push_back(closed(slow_chess::Crowd::safety));
  out.push_back(closed(slow_chess::Crowd::off));
  for (const int most : {2, 3})
    out.push_back(slow_chess::open_rules(slow_chess::Share::any, slow_chess::Capture::all, most));
  return out;
}

// What a piece reaches with one man at a cell is what the masks for all cells say of that cell, there and back.
TEST(PieceWays, AreThoseOfTheRules) {
  std::mt19937_64 random(1);
  for (const auto& [board, pieces] : std::vector<std::pair<std::string, std::string>>{
           {"5x4", "KELVXYZPCSJQ"}, {"8x8", "KELVXYZPCSJN"}, {"2x7", "KELVXYZPCSJB"}, {"5x5", "KDWFAGHIOTUM"}}) {
    const Variant v = with_odd_pieces({"board=square:" + board, "crowd=off", "material=" + pieces + "vK"});
    const PieceSet& set = *v.rules().pieces();
    const int cells = set.width * set.height;
    for (std::size_t kind = 0; kind < set.kinds.size(); ++kind) {
      for (const std::size_t owner : {0U, 1U}) {
        const PieceWays ways(set, owner, kind);
        for (int n = 0; n < 60; ++n) {
          const auto from = static_cast<Cell>(random() % static_cast<unsigned>(cells));
          const auto loose = static_cast<Cell>(random() % static_cast<unsigned>(cells));
          const CellSet board_cells = cells == 64 ? ~CellSet{0} : (CellSet{1} << cells) - 1;
          const CellSet occupied = random() & random() & board_cells & ~cell_bit(loose);
          Position position;  // others are nobody in particular
          position.mover = owner == 0 ? Player::first : Player::second;
          position.planes[set.plane(false, set.royal)] = occupied | cell_bit(loose);
          const PieceTables::Reach wanted = PieceBoard(set, position).reach(kind, from);
          PieceTables::Reach found;
          ways.each(PieceWays::Direction::forward, from, occupied, [&](Cell to, CellSet moves, CellSet captures) {
            if ((moves >> loose & 1) != 0) found.moves |= cell_bit(to);
            if ((captures >> loose & 1) != 0) found.captures |= cell_bit(to);
            bool back = false;
            ways.each(PieceWays::Direction::back, to, occupied, [&](Cell start, CellSet by_moves, CellSet by_captures) {
              back = back || (start == from && by_moves == moves && by_captures == captures);
            });
            EXPECT_TRUE(back) << set.kinds[kind].letter;
          });
          EXPECT_EQ(found.moves, wanted.moves) << set.kinds[kind].letter << " on " << board;
          EXPECT_EQ(found.captures, wanted.captures) << set.kinds[kind].letter << " on " << board;
          for (const bool captures : {false, true}) {
            const CellSet all = occupied | cell_bit(loose);
            const CellSet target = cell_bit(static_cast<Cell>(random() % static_cast<unsigned>(cells)));
            const CellSet reached = captures ? wanted.captures : wanted.moves;
            EXPECT_EQ(ways.sources(target, captures, all) >> from & 1, (reached & target) != 0 ? 1U : 0U)
                << set.kinds[kind].letter << " on " << board;
          }
        }
      }
    }
  }
}

// The bit of a placement in a row is what the rules say of the position.
TEST(SliceRows, KnowTheLawAndChecks) {
  std::mt19937_64 random(2);
  for (const std::string material : {"KRvKN", "KPvKP", "KZXvKY", "KLPvKZ", "KRRvKC"}) {
    for (const slow_chess::Rules& crowd : all_crowds()) {
      const Variant v = with_odd_pieces(settings_of("4x4", material, crowd));
      const PieceSet& set = *v.rules().pieces();
      const EndingIndex index(set, sure(material_of(v)));
      const EndingMen men(set, index);
      for (int n = 0; n < 200; ++n) {
        const SliceRows rows(men, static_cast<std::uint32_t>(random() % index.slices()));
        SliceRows::Row row;
        rows.read(random() % rows.half(), row);
        const CellSet lawful = rows.lawful(row);
        const std::array<CellSet, 2> checked = {rows.in_check(row, 0), rows.in_check(row, 1)};
        for (std::size_t c = 0; c < rows.cells(); ++c) {
          row.cells[rows.loose()] = static_cast<Cell>(c);
          Position position;
          const bool fits = index.position(row.cells.data(), false, position);
          const bool is_lawful =
              fits && (std::popcount(PieceBoard(set, position).occupied()) == static_cast<int>(men.count()) ||
                       set.lawful(position));
          ASSERT_EQ(lawful >> c & 1, is_lawful ? 1U : 0U) << v.rules().write(position);
          if (!is_lawful) continue;
          const PieceBoard there(set, position);
          ASSERT_EQ(checked[0] >> c & 1, there.in_check() ? 1U : 0U) << v.rules().write(position);
          ASSERT_EQ(checked[1] >> c & 1, there.other_in_check() ? 1U : 0U) << v.rules().write(position);
        }
      }
    }
  }
}

// Verifying makes every move of every position by the rules, and follows claims from the ends.
void expect_verified(const Variant& v, const std::string& what) {
  const auto solved = solve_ending(v, {});
  ASSERT_TRUE(solved.ok()) << what << ": " << solved.status();
  const Verification found = sure(verify_ending(**solved, {}));
  EXPECT_EQ(found.wrong, 0U) << what;
  EXPECT_GT(found.positions, 20U) << what;
}

TEST(EndingInRows, OfOddPiecesIsAsTheRulesSay) {
  for (const slow_chess::Rules& crowd : all_crowds()) {
    for (const std::string material : {"KEvKJ", "KLvKX", "KVvKZ", "KYvKP", "KLPvK", "KZvKS", "KGvKI"}) {
      for (const std::string board : {"3x4", "4x4", "3x3"}) {
        if (kSanitized && board != "3x3") continue;
        if (board == "3x3" && material.find('P') == std::string::npos) continue;
        std::vector<std::string> settings = settings_of(board, material, crowd);
        settings.emplace_back("promote=XL");
        expect_verified(with_odd_pieces(settings), material + " " + board + " " + slow_chess::name_of(crowd));
      }
    }
  }
}

// Boards with a middle, which more symmetries leave as it is; equal men; players with the same men.
TEST(EndingInRows, OfManyImagesIsAsTheRulesSay) {
  for (const slow_chess::Rules& crowd : all_crowds()) {
    for (const std::string material : {"KRvKR", "KBBvK", "KNNvKN", "KWWWvK", "KRRvKR"}) {
      if (kSanitized && material.size() > 5) continue;
      expect_verified(game("safety-in-numbers", settings_of("3x3", material, crowd)),
                      material + " " + slow_chess::name_of(crowd));
    }
    if (kSanitized) continue;
    expect_verified(game("safety-in-numbers", settings_of("5x5", "KQvK", crowd)), "KQvK " + slow_chess::name_of(crowd));
    expect_verified(game("safety-in-numbers", settings_of("3x5", "KPvKP", crowd)),
                    "KPvKP " + slow_chess::name_of(crowd));
  }
}

std::vector<Position> successors(const Variant& v, const Position& position) {
  PositionBatch batch = v.rules().batch();
  Rules::Scratch scratch(v.rules());
  batch.push(position);
  EXPECT_TRUE(v.rules().expand(batch, scratch).ok());
  std::vector<Position> out;
  for (std::size_t i = 0; i < scratch.successors.size; ++i) out.push_back(scratch.successors.at(i));
  return out;
}

// With too little memory for all tables at once they are solved one by one, if they are kept: the same bytes, and values of the material
// and of what its moves lead to.
TEST(EndingInRows, IsTheSameTableByTable) {
  const Variant v = game("safety-in-numbers", {"board=square:4x5", "material=KPPvKP", "crowd=off", "promote=QN"});
  const EndingPrediction needed = sure(predict_ending(v));
  ASSERT_GT(needed.bytes, needed.least_bytes + needed.table_bytes / 8)
      << needed.bytes << " " << needed.least_bytes << " " << needed.table_bytes;
  const auto whole = sure(solve_ending(v, {}));
  std::map<std::string, EndingLayers> kept;
  std::size_t found = 0;
  EndingOptions options;
  options.memory_bytes = needed.least_bytes;
  options.keep = [&](const std::string& material, const EndingLayers& layers) { kept[material] = layers; };
  options.find = [&](const std::string& material, std::uint64_t) -> std::optional<EndingLayers> {
    const auto one = kept.find(material);
    if (one == kept.end()) return std::nullopt;
    ++found;
    return one->second;
  };
  for (const bool again : {false, true}) {
    found = 0;
    const auto parts = sure(solve_ending(v, options));
    EXPECT_GT(found, parts->sizes().size() / 2);
    EXPECT_EQ(parts->found(), again ? parts->sizes().size() : 0U);
    EXPECT_LT(parts->bytes(), whole->bytes());
    std::mt19937_64 random(4);
    int followed = 0;
    for (int n = 0; n < 10'000; ++n) {
      const std::uint64_t number = random() % whole->index().size();
      ASSERT_EQ(parts->at(number), whole->at(number));
      Position position;
      if (!whole->at(number).has_value() || n % 20 != 0) continue;
      whole->index().position(whole->index().place_at(number), position);
      for (const Position& next : successors(v, position)) {
        ASSERT_EQ(sure(parts->value(next)), sure(whole->value(next)));
        ++followed;
      }
    }
    EXPECT_GT(followed, 500);
  }
  for (const EndingTables::Size& size : whole->sizes()) EXPECT_EQ(kept[size.material].codes.size(), size.positions);
  --options.memory_bytes;
  EXPECT_TRUE(absl::IsResourceExhausted(solve_ending(v, options).status()));
  options.memory_bytes = needed.least_bytes;
  options.keep = {};
  EXPECT_TRUE(absl::IsResourceExhausted(solve_ending(v, options).status()));
}

// Places that a word of 32 bits does not number.
TEST(EndingIndex, NumbersMoreThanFourBillion) {
  const Variant v = game("chess", {"material=KQRvKQB"});
  const EndingIndex index(*v.rules().pieces(), sure(material_of(v)));
  ASSERT_GT(index.size(), std::uint64_t{1} << 33);
  std::mt19937_64 random(3);
  int canonical = 0;
  for (int n = 0; n < 20'000; ++n) {
    const EndingIndex::Place at = index.place_at(random() % index.size());
    std::array<Cell, kMaxCells> men;
    const bool second_moves = index.placement(at, men.data());
    const EndingIndex::Place back = index.place(men.data(), second_moves);
    ASSERT_LE(back.local, at.local);
    if (back != at) continue;
    ++canonical;
    for (std::size_t symmetry = 0; symmetry < index.symmetries(); ++symmetry) {
      std::array<Cell, kMaxCells> image = men;
      for (std::size_t i = 0; i < index.men().size(); ++i) image[i] = index.symmetry()[symmetry][men[i]];
      ASSERT_EQ(index.place(image.data(), second_moves), at);
    }
  }
  EXPECT_GT(canonical, 18'000);
}

}  // namespace
}  // namespace plenum::ending_rows_test
