// SPDX-License-Identifier: Apache-2.0
// The slow solver of endings against numbers of an independent program, and its values against what they mean.
#include "tests/slow_ending.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/crowd_family.h"
#include "tests/sanitized.h"

namespace plenum::slow_chess::slow_ending_test {
namespace {

Rules small(int files, int ranks, bool crowds, const std::string& promote = "QRBN") {
  Rules out;
  out.files = files;
  out.ranks = ranks;
  out.crowd = crowds ? Crowd::safety : Crowd::off;
  out.promote = promote;
  return out;
}

struct Counts {
  std::uint64_t legal, first, draw, second;
  friend bool operator==(const Counts&, const Counts&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Counts& c) {
    return out << "legal " << c.legal << " first " << c.first << " draw " << c.draw << " second " << c.second;
  }
};

Counts counts(const Tally& t) { return {t.legal, t.first, t.draw(), t.second}; }

void expect_counts(const Ending& ending, bool is_crowded, const Counts& white, const Counts& black) {
  EXPECT_EQ(counts(ending.tally(Origin::laid_out, true, is_crowded)), white) << is_crowded;
  EXPECT_EQ(counts(ending.tally(Origin::laid_out, false, is_crowded)), black) << is_crowded;
}

void expect_longest(const Ending& ending, int first, int second) {
  EXPECT_EQ(ending.strays(), 0U);
  EXPECT_EQ(ending.longest(true), first);
  EXPECT_EQ(ending.longest(false), second);
}

void expect_tie_and_cycle(const Ending& ending, bool is_crowded, std::uint64_t tie, std::uint64_t cycle) {
  for (const bool white : {true, false}) {
    EXPECT_EQ(ending.tally(Origin::laid_out, white, is_crowded).tie, tie);
    EXPECT_EQ(ending.tally(Origin::laid_out, white, is_crowded).cycle, cycle);
  }
}

// Colours exchanged, the board turned upside down.
Position exchanged(const Rules& rules, const Position& p) {
  Position out;
  out.men.resize(p.men.size());
  out.white = !p.white;
  const auto flip = [&](int square) {
    return (rules.ranks - 1 - square / rules.files) * rules.files + square % rules.files;
  };
  for (int square = 0; square < rules.squares(); ++square) {
    for (const char man : p.men[static_cast<std::size_t>(square)]) {
      put(out, flip(square), static_cast<char>(is_white(man) ? man - 'A' + 'a' : man - 'a' + 'A'));
    }
  }
  if (p.en_passant >= 0) out.en_passant = flip(p.en_passant);
  return out;
}

// What a value says of a position, from the values after its moves.
Value value_from_moves(const Rules& rules, const Ending& ending, const Position& p) {
  const auto all = moves(rules, p);
  const int mover = p.white ? 1 : -1;
  Value out;
  if (all.empty()) {
    out.outcome = in_check(rules, p, p.white) || rules.stalemate_loses ? -mover : 0;
    out.first_can_end = out.outcome >= 0;
    out.second_can_end = out.outcome <= 0;
    return out;
  }
  int best = -1;
  bool first_some = false, first_all = true, second_some = false, second_all = true;
  for (const Move& move : all) {
    const Value& next = ending.value(ending.find(move.after).value());
    best = std::max(best, mover * next.outcome);
    first_some |= next.first_can_end;
    first_all &= next.first_can_end;
    second_some |= next.second_can_end;
    second_all &= next.second_can_end;
  }
  out.outcome = mover * best;
  for (const Move& move : all) {
    const Value& next = ending.value(ending.find(move.after).value());
    if (out.outcome == 0 || next.outcome != out.outcome) continue;
    const int plies = next.plies + 1;
    const bool better = best > 0 ? plies < out.plies : plies > out.plies;
    if (out.plies == 0 || better) out.plies = plies;
  }
  out.first_can_end = p.white ? first_some : first_all;
  out.second_can_end = p.white ? second_all : second_some;
  return out;
}

// Every value follows from those after the moves. With colours exchanged too, for material that is the same for both.
void expect_values_fit(const Rules& rules, const Ending& ending, bool symmetric) {
  int wrong = 0;
  for (std::size_t i = 0; i < ending.size() && wrong < 3; ++i) {
    const Position p = ending.position(i);
    const Value& value = ending.value(i);
    bool fits = value == value_from_moves(rules, ending, p);
    if (symmetric) {
      const auto other = ending.find(exchanged(rules, p));
      const Value turned{-value.outcome, value.plies, value.second_can_end, value.first_can_end};
      fits = fits && other && ending.value(*other) == turned && ending.origin(*other) == ending.origin(i);
    }
    if (value.outcome > 0) fits = fits && value.first_can_end && !value.second_can_end;
    if (fits) continue;
    ++wrong;
    ADD_FAILURE() << print(rules, p);
  }
}

TEST(SlowEnding, KPvK) {
  const auto off = Ending::solve(small(4, 4, false), "KPvK").value();
  expect_counts(off, false, {1000, 796, 204, 0}, {1112, 500, 612, 0});
  expect_longest(off, 20, -1);
  expect_values_fit(small(4, 4, false), off, false);
  const auto on = Ending::solve(small(4, 4, true), "KPvK").value();
  expect_counts(on, false, {1000, 862, 138, 0}, {1112, 592, 520, 0});
  expect_counts(on, true, {316, 122, 194, 0}, {316, 82, 234, 0});
  expect_longest(on, 18, -1);
  expect_values_fit(small(4, 4, true), on, false);
}

TEST(SlowEnding, KQvK) {
  const auto off = Ending::solve(small(4, 4, false), "KQvK").value();
  expect_counts(off, false, {812, 812, 0, 0}, {2184, 1440, 744, 0});
  expect_longest(off, 8, -1);
  const auto on = Ending::solve(small(4, 4, true), "KQvK").value();
  expect_counts(on, false, {812, 812, 0, 0}, {2184, 1440, 744, 0});
  expect_counts(on, true, {584, 244, 340, 0}, {652, 148, 504, 0});
  expect_longest(on, 8, -1);
}

TEST(SlowEnding, EqualMenAreOnePosition) {
  const auto ending = Ending::solve(small(3, 3, true), "KNNvK").value();
  std::uint64_t legal = 0;
  for (const bool white : {true, false}) {
    for (const bool is_crowded : {true, false}) legal += ending.tally(Origin::laid_out, white, is_crowded).legal;
  }
  std::uint64_t expected = 0;  // of 9 * 9 * 45 placements, twice
  const Rules rules = small(3, 3, true);
  for (int k = 0; k < 9; ++k) {
    for (int e = 0; e < 9; ++e) {
      for (int a = 0; a < 9; ++a) {
        for (int b = 0; b <= a; ++b) {
          Position p;
          p.men.resize(9);
          put(p, k, 'K');
          put(p, e, 'k');
          put(p, a, 'N');
          put(p, b, 'N');
          expected += (in_check(rules, p, false) ? 0U : 1U) + (in_check(rules, p, true) ? 0U : 1U);
        }
      }
    }
  }
  EXPECT_EQ(legal, expected);
  expect_values_fit(rules, ending, false);
}

TEST(SlowEnding, Values) {
  const Rules rules = small(4, 4, false);
  const auto ending = Ending::solve(rules, "KQvK").value();
  const auto value = [&](const char* text) { return ending.value(ending.find(parse(rules, text).value()).value()); };
  EXPECT_EQ(value("k3/Q3/K3/4 b - -"), (Value{1, 0, true, false}));  // mate
  EXPECT_EQ(value("k3/3Q/K3/4 w - -"), (Value{1, 1, true, false}));  // in one
  EXPECT_TRUE(value("k3/2Q1/K3/4 b - -").is_tie());                  // stalemate
  EXPECT_TRUE(value("k3/4/K3/4 w - -").is_cycle());                  // nobody can end it
  EXPECT_FALSE(Ending::solve(rules, "KQK").has_value());
  EXPECT_FALSE(Ending::solve(rules, "KQvkp").has_value());
}

// --- crowd=open.

Counts counts(const nlohmann::json& side) {
  const auto number = [&](const char* key) { return side.at(key).get<std::uint64_t>(); };
  return {number("legal"), number("first"), number("draw"), number("second")};
}

// The lines of an independent program whose material is one of these and whose board has so many squares at most; how many.
int expect_endings_of_the_file(const std::vector<std::string>& materials, int squares) {
  int out = 0;
  for (const auto& line : family_lines("ending")) {
    const Rules rules = rules_of(line.at("options"));
    const auto material = line.at("options").at("material").get<std::string>();
    if (std::count(materials.begin(), materials.end(), material) == 0 || rules.squares() > squares) continue;
    SCOPED_TRACE(line.dump());
    const auto ending = Ending::solve(rules, material).value();
    const auto& expect = line.at("expect");
    for (const bool crowded : {false, true}) {
      const auto& sides = expect.at(crowded ? "crowded" : "crowd_free");
      expect_counts(ending, crowded, counts(sides.at("white_to_move")), counts(sides.at("black_to_move")));
    }
    const auto longest = [&](const char* player) {
      const auto& plies = expect.at("longest").at(player);
      return plies.is_null() ? -1 : plies.get<int>();
    };
    expect_longest(ending, longest("first"), longest("second"));
    ++out;
  }
  return out;
}

TEST(CrowdFamily, EndingsOfAnIndependentProgram) {
  EXPECT_EQ(expect_endings_of_the_file({"KPvK"}, 16), 8);
  if (kSanitized) return;
  EXPECT_EQ(expect_endings_of_the_file({"KQvKR"}, 16), 8);
  EXPECT_EQ(expect_endings_of_the_file({"KRvKP"}, 12), 5);
}

TEST(LongEnding, EndingsOfAnIndependentProgram) {
  EXPECT_EQ(expect_endings_of_the_file({"KPvK", "KQvKR", "KRvKP", "KCvKP", "KPPvK", "KPvKP", "KRvKPP"}, 16), 50);
}

// Steps of two, en passant: nothing may arise that was not laid out, and both colours are alike.
TEST(CrowdFamily, ValuesFitWithEnPassant) {
  std::vector<Rules> all = open_family();
  if (kSanitized) all.resize(1);
  for (Rules rules : all) {
    SCOPED_TRACE(name_of(rules));
    rules.files = 2;
    rules.ranks = 6;
    rules.promote = "Q";
    const auto ending = Ending::solve(rules, "KPvKP").value();
    EXPECT_EQ(ending.strays(), 0U);
    EXPECT_GT(ending.tally(Origin::en_passant, true, false).legal, 0U);
    expect_values_fit(rules, ending, true);
  }
}

// With one man a side beside the kings a capture on a crowd takes one man at most, since no king can be taken.
TEST(CrowdFamily, AllIsOneWithOneManASide) {
  Rules all = open_rules(Share::any, Capture::all);
  Rules one = open_rules(Share::any, Capture::one);
  for (Rules* rules : {&all, &one}) {
    rules->files = 3;
    rules->ranks = 4;
  }
  const auto with_all = Ending::solve(all, "KQvKR").value();
  const auto with_one = Ending::solve(one, "KQvKR").value();
  ASSERT_EQ(with_all.size(), with_one.size());
  for (std::size_t i = 0; i < with_all.size(); ++i) {
    const auto other = with_one.find(with_all.position(i));
    ASSERT_TRUE(other.has_value()) << print(all, with_all.position(i));
    ASSERT_EQ(with_all.value(i), with_one.value(*other)) << print(all, with_all.position(i));
  }
}

TEST(LongEnding, KPvKP) {
  Rules off = small(4, 4, false);
  Rules on = small(4, 4, true);
  {
    const auto ending = Ending::solve(off, "KPvKP").value();
    expect_counts(ending, false, {6192, 3202, 2188, 802}, {6192, 802, 2188, 3202});
    expect_tie_and_cycle(ending, false, 702, 1486);
    expect_longest(ending, 23, 23);
  }
  {
    const auto ending = Ending::solve(on, "KPvKP").value();
    expect_counts(ending, false, {6192, 3534, 1866, 792}, {6192, 792, 1866, 3534});
    expect_counts(ending, true, {4748, 1526, 2690, 532}, {4748, 532, 2690, 1526});
    expect_tie_and_cycle(ending, false, 420, 1446);
    expect_tie_and_cycle(ending, true, 1020, 1670);
    expect_longest(ending, 21, 21);
  }
}

TEST(LongEnding, KPvKPWhereStalemateLoses) {
  Rules off = small(4, 4, false);
  Rules on = small(4, 4, true);
  off.stalemate_loses = on.stalemate_loses = true;
  {
    const auto ending = Ending::solve(off, "KPvKP").value();
    expect_counts(ending, false, {6192, 3590, 1644, 958}, {6192, 958, 1644, 3590});
    expect_tie_and_cycle(ending, false, 0, 1644);
    expect_longest(ending, 31, 31);
  }
  {
    const auto ending = Ending::solve(on, "KPvKP").value();
    expect_counts(ending, false, {6192, 3758, 1558, 876}, {6192, 876, 1558, 3758});
    expect_counts(ending, true, {4748, 2202, 1674, 872}, {4748, 872, 1674, 2202});
    expect_tie_and_cycle(ending, true, 0, 1674);
    expect_longest(ending, 25, 25);
  }
}

TEST(LongEnding, KRvK) {
  const auto off = Ending::solve(small(8, 8, false), "KRvK").value();
  expect_counts(off, false, {175168, 175168, 0, 0}, {223944, 201700, 22244, 0});
  expect_longest(off, 32, -1);
  const auto on = Ending::solve(small(8, 8, true), "KRvK").value();
  expect_counts(on, false, {175168, 175168, 0, 0}, {223944, 201700, 22244, 0});
  expect_counts(on, true, {11068, 6924, 4144, 0}, {11740, 7172, 4568, 0});
  expect_longest(on, 32, -1);
}

// En passant: no number to compare with, but nothing may arise that was not laid out, and both colours are alike.
TEST(LongEnding, EnPassant) {
  for (const bool crowds : {false, true}) {
    const Rules rules = small(3, 6, crowds, "Q");
    const auto ending = Ending::solve(rules, "KPvKP").value();
    expect_longest(ending, 27, 27);
    EXPECT_EQ(ending.tally(Origin::en_passant, true, false).legal, crowds ? 512U : 446U);
    EXPECT_EQ(ending.tally(Origin::en_passant, true, true).legal, crowds ? 146U : 0U);
    expect_values_fit(rules, ending, true);
  }
}

}  // namespace
}  // namespace plenum::slow_chess::slow_ending_test
