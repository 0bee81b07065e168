// SPDX-License-Identifier: Apache-2.0
// Endings: position by position against an independent solver (slow_ending), in numbers against those that others published, and
// against the graph of positions that every other game is solved by.
#include "solver/endings/ending.h"

#include <array>
#include <map>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "solver/graph/analysis.h"
#include "solver/verify/verify_ending.h"
#include "tests/crowd_family.h"
#include "tests/sanitized.h"
#include "tests/slow_ending.h"
#include "tests/variants_testing.h"

namespace plenum::ending_test {
namespace {

using variants_testing::game;
using variants_testing::position;
using variants_testing::sure;

struct Setting {
  std::string material;
  slow_chess::Rules rules;

  Variant variant() const {
    std::vector<std::string> set = slow_chess::settings_of(rules);
    for (const std::string& one :
         {"board=square:" + std::to_string(rules.files) + "x" + std::to_string(rules.ranks), "material=" + material,
          "promote=" + rules.promote, "stalemate=" + std::string(rules.stalemate_loses ? "loss" : "draw"),
          "en_passant=" + std::string(rules.en_passant ? "on" : "off")})
      set.push_back(one);
    return game("safety-in-numbers", set);
  }
};

Setting setting(const std::string& material, int files, int ranks, bool crowds, bool stalemate_loses = false,
                const std::string& promote = "QRBN") {
  Setting out{material, {}};
  out.rules.files = files;
  out.rules.ranks = ranks;
  out.rules.crowd = crowds ? slow_chess::Crowd::safety : slow_chess::Crowd::off;
  out.rules.stalemate_loses = stalemate_loses;
  out.rules.promote = promote;
  return out;
}

void expect_counts(const EndingCounts& found, const slow_chess::Tally& wanted) {
  EXPECT_EQ(found.legal, wanted.legal);
  EXPECT_EQ(found.first, wanted.first);
  EXPECT_EQ(found.second, wanted.second);
  EXPECT_EQ(found.tie, wanted.tie);
  EXPECT_EQ(found.cycle, wanted.cycle);
  const auto plies = [](const std::map<int, std::uint64_t>& by) {
    std::map<std::uint32_t, std::uint64_t> out;
    for (const auto& [n, count] : by) out[static_cast<std::uint32_t>(n)] = count;
    return out;
  };
  EXPECT_EQ(found.remoteness[0], plies(wanted.first_plies));
  EXPECT_EQ(found.remoteness[1], plies(wanted.second_plies));
}

// The same placement with the other player to move.
std::string passed(std::string text) {
  const std::size_t mover = text.find(" w ") == std::string::npos ? text.find(" b ") : text.find(" w ");
  text[mover + 1] = text[mover + 1] == 'w' ? 'b' : 'w';
  return text;
}

void expect_zugzwangs(const MutualZugzwangs& found, const slow_chess::Rules& rules, const slow_chess::Ending& slow) {
  std::map<std::string, int> outcomes;
  for (std::size_t i = 0; i < slow.size(); ++i) {
    if (slow.origin(i) == slow_chess::Origin::laid_out)
      outcomes[slow_chess::print(rules, slow.position(i))] = slow.value(i).outcome;
  }
  MutualZugzwangs wanted;
  for (const auto& [text, white] : outcomes) {
    if (text.find(" w ") == std::string::npos || outcomes.count(passed(text)) == 0) continue;
    const int black = outcomes.at(passed(text));
    if (white == 0 && black == 1) ++wanted.first;
    if (white == -1 && black == 0) ++wanted.second;
    if (white == -1 && black == 1) ++wanted.both;
  }
  EXPECT_EQ(found.first, wanted.first);
  EXPECT_EQ(found.second, wanted.second);
  EXPECT_EQ(found.both, wanted.both);
}

void expect_as_slow(const Setting& s) {
  SCOPED_TRACE(s.material + " on " + std::to_string(s.rules.files) + "x" + std::to_string(s.rules.ranks) + " " +
               slow_chess::name_of(s.rules));
  const auto slow = slow_chess::Ending::solve(s.rules, s.material);
  ASSERT_TRUE(slow.has_value());
  const Variant v = s.variant();
  const auto fast = sure(solve_ending(v, {}));
  const EndingStatistics statistics = fast->statistics();
  for (const bool white : {true, false}) {
    for (const bool crowded : {false, true}) {
      expect_counts(statistics.sides[crowded ? 1 : 0][white ? 0 : 1].all,
                    slow->tally(slow_chess::Origin::laid_out, white, crowded));
    }
  }
  expect_zugzwangs(statistics.zugzwangs.all, s.rules, *slow);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < slow->size() && wrong < 5; ++i) {
    const std::string text = slow_chess::print(s.rules, slow->position(i));
    const Position p = position(v, text);
    const auto found = fast->value(p);
    const slow_chess::Value& wanted = slow->value(i);
    if (!found.ok()) {
      ADD_FAILURE() << text << ": " << found.status();
      ++wrong;
      continue;
    }
    const std::int64_t margin = found->margin.margin.units;
    const bool same = margin == wanted.outcome && (margin == 0 ? found->first_ends == wanted.first_can_end &&
                                                                     found->second_ends == wanted.second_can_end
                                                               : static_cast<int>(found->plies->count) == wanted.plies);
    if (same) continue;
    ADD_FAILURE() << text << ": " << margin << ", wanted " << wanted.outcome << " in " << wanted.plies;
    ++wrong;
  }
}

TEST(Ending, IsThatOfAnIndependentSolver) {
  for (const bool crowds : {false, true}) {
    expect_as_slow(setting("KPvK", 4, 4, crowds));
    expect_as_slow(setting("KPvKP", 2, 6, crowds, false, "Q"));  // first steps of two, en passant
    if (kSanitized) continue;
    expect_as_slow(setting("KvKP", 4, 5, crowds));
    expect_as_slow(setting("KRRvK", 3, 4, crowds));
    expect_as_slow(setting("KCvKP", 3, 4, crowds));
    expect_as_slow(setting("KPvKP", 3, 4, crowds, true));
    expect_as_slow(setting("KPPvK", 3, 4, crowds, false, "QN"));
    expect_as_slow(setting("KBvKN", 4, 3, crowds));
  }
}

// Every pair of settings of open crowds, and with room for two or three.
TEST(Ending, OfOpenCrowdsIsThatOfAnIndependentSolver) {
  for (const slow_chess::Rules& family : slow_chess::open_family()) {
    for (const int most : {0, 2, 3}) {
      const bool mixed_one = family.share == slow_chess::Share::mixed && family.capture == slow_chess::Capture::one;
      if (most == 2 && mixed_one) continue;  // refused
      const auto with = [&](const std::string& material, int files, int ranks, const std::string& promote) {
        Setting out = setting(material, files, ranks, true, false, promote);
        out.rules.crowd = family.crowd;
        out.rules.share = family.share;
        out.rules.capture = family.capture;
        out.rules.most = most;
        return out;
      };
      expect_as_slow(with("KPvKP", 2, 6, "Q"));  // first steps of two, en passant
      if (kSanitized) continue;
      expect_as_slow(with("KRRvK", 3, 3, "Q"));
      expect_as_slow(with("KPPvK", 3, 4, "N"));
      expect_as_slow(with("KBvKN", 3, 3, "Q"));
    }
  }
}

TEST(LongEnding, IsThatOfAnIndependentSolver) {
  for (const bool crowds : {false, true}) {
    expect_as_slow(setting("KPvKP", 4, 4, crowds));
    expect_as_slow(setting("KQvKP", 4, 4, crowds));
    expect_as_slow(setting("KPvKP", 3, 6, crowds, false, "Q"));
    expect_as_slow(setting("KRvKR", 4, 4, crowds));
  }
}

// All positions that are reachable from one of them, by the graph.
void expect_as_graph(const Variant& v, const std::string& from, std::size_t at_least) {
  const auto tables = sure(solve_ending(v, {}));
  const SolvedGame graph = sure(solve_game(v, position(v, from), {}));
  ASSERT_GT(graph.store().size(), at_least);
  for (PositionIndex i = 0; i < graph.store().size(); ++i) {
    const Position p = graph.store().position(i);
    const PositionValue wanted = *graph.value(p);
    const PositionValue found = sure(tables->value(p));
    ASSERT_EQ(found.outcome, wanted.outcome) << v.rules().write(p);
    ASSERT_EQ(found.margin, wanted.margin);
    ASSERT_EQ(found.plies.has_value(), wanted.plies.has_value());
    if (wanted.plies) {
      ASSERT_EQ(found.plies->count, wanted.plies->count) << v.rules().write(p);
    }
    ASSERT_EQ(found.forced_cycle, wanted.forced_cycle) << v.rules().write(p);
    ASSERT_EQ(found.endless_first, wanted.endless_first);
    ASSERT_EQ(found.endless_second, wanted.endless_second);
    ASSERT_EQ(found.first_ends, wanted.first_ends);
    ASSERT_EQ(found.second_ends, wanted.second_ends);
  }
}

TEST(Ending, HasTheValuesOfTheGraph) {
  struct Case {
    std::string crowd;
    std::string material;
    std::string from;
  };
  for (const Case& c : {Case{"safety", "KPvKR", "k2r/4/1P2/K3 w - -"}, Case{"off", "KCPvK", "k3/3C/1P2/K3 w - -"},
                        Case{"safety", "KNNvK", "k3/4/N2N/K3 w - -"}}) {
    expect_as_graph(
        game("safety-in-numbers", {"board=square:4x4", "promote=QN", "crowd=" + c.crowd, "material=" + c.material}),
        c.from, 1000);
  }
}

// A pawn that is symmetric itself becomes a piece that goes to the right alone, and that piece another.
TEST(Ending, IsAsSymmetricAsWhatItsMenBecome) {
  for (const char* pieces : {"P = { betza = \"mfWcfF\", promotes = \"'L'\" }\nL = \"rR\"\n",
                             "P = { betza = \"mfWcfF\", promotes = \"'M'\" }\nM = \"WfF\"\n",
                             "P = { betza = \"mfWcfF\", promotes = \"'L'\" }\nL = \"lWrR\"\n"}) {
    const Variant v = sure(variants_testing::make(
        std::string("name = \"Lopsided\"\n[options]\nboard = { default = \"square:4x4\" }\nmaterial = { default = "
                    "\"KPvK\" }\n[pieces]\nK = { betza = \"K\", royal = true }\n") +
        pieces + "[play]\nmaterial = \"material\"\n"));
    for (const char* from : {"k3/3P/1K2/4 w - -", "3k/P3/2K1/4 w - -", "k3/4/1P1K/4 w - -", "3k/4/K1P1/4 b - -"})
      expect_as_graph(v, from, 20);
  }
}

using Histogram = std::map<std::uint32_t, std::uint64_t>;

Histogram histogram(std::uint32_t from, const std::vector<std::uint64_t>& counts) {
  Histogram out;
  for (const std::uint64_t n : counts) {
    out[from] = n;
    from += 2;
  }
  return out;
}

EndingStatistics of_chess(const std::string& material) {
  return sure(solve_ending(game("chess", {"material=" + material}), {}))->statistics();
}

// KRK: UCI's krkopt data, and the statistics of the Syzygy tables.
TEST(Ending, OfKingAndRookAsPublished) {
  const EndingStatistics s = of_chess("KRvK");
  const EndingSide black = s.to_move(Player::second);
  const EndingSide white = s.to_move(Player::first);
  EXPECT_EQ(black.canonical.remoteness[0],
            histogram(0, {27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390}));
  EXPECT_EQ(white.canonical.remoteness[0],
            histogram(1, {189, 587, 484, 238, 607, 1091, 1418, 2149, 2514, 2382, 2565, 2691, 2234, 2027, 662, 121}));
  EXPECT_EQ(black.canonical.legal, 28056U);
  EXPECT_EQ(white.all.legal, 175168U);
  EXPECT_EQ(black.all.legal, 223944U);
  EXPECT_EQ(black.all.tie, 68U);
}

void expect_outcomes(const EndingCounts& found, Player mover, std::uint64_t wins, std::uint64_t draws,
                     std::uint64_t losses) {
  const bool first = mover == Player::first;
  EXPECT_EQ(first ? found.first : found.second, wins);
  EXPECT_EQ(found.tie + found.cycle, draws);
  EXPECT_EQ(first ? found.second : found.first, losses);
}

TEST(Ending, OfKingAndPawnAsPublished) {
  const EndingStatistics s = of_chess("KPvK");
  expect_outcomes(s.to_move(Player::first).canonical, Player::first, 62480, 19184, 0);
  expect_outcomes(s.to_move(Player::second).canonical, Player::second, 0, 35210, 48802);
}

// The statistics of the Syzygy tables.
TEST(LongEnding, OfFourMenAsPublished) {
  const EndingStatistics knight = of_chess("KBNvK");
  expect_outcomes(knight.to_move(Player::first).canonical, Player::first, 1352913, 6665, 0);
  expect_outcomes(knight.to_move(Player::second).canonical, Player::second, 0, 309147, 1398741);
  EXPECT_EQ(knight.longest(Player::first), 66U);
  const EndingStatistics queen = of_chess("KQvKR");
  expect_outcomes(queen.to_move(Player::first).canonical, Player::first, 1108111, 8963, 2142);
  expect_outcomes(queen.to_move(Player::second).canonical, Player::second, 386313, 78518, 883075);
  const EndingStatistics rooks = of_chess("KRvKR");
  expect_outcomes(rooks.to_move(Player::first).canonical, Player::first, 392459, 946389, 9058);
  expect_outcomes(rooks.to_move(Player::second).canonical, Player::second, 392459, 946389, 9058);
  const EndingStatistics pawns = of_chess("KPvKP");
  expect_outcomes(pawns.to_move(Player::first).canonical, Player::first, 1606514, 1242545, 868985);
  expect_outcomes(pawns.to_move(Player::second).canonical, Player::second, 1606514, 1242545, 868985);
}

TEST(Ending, IsTheSameForAnyNumberOfThreads) {
  const Variant v = game("safety-in-numbers", {"board=square:4x4", "material=KPvKN"});
  std::vector<std::string> texts;
  for (const std::size_t threads : {1U, 2U, 5U}) {
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
    const auto tables = sure(solve_ending(v, {}));
    std::string text;
    for (const auto& by_mover : tables->statistics().sides) {
      for (const EndingSide& side : by_mover) {
        text += std::to_string(side.all.first) + " " + std::to_string(side.all.tie) + " ";
        for (const auto& [plies, n] : side.canonical.remoteness[0])
          text += std::to_string(plies) + ":" + std::to_string(n) + " ";
      }
    }
    texts.push_back(text);
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(texts[0], texts[2]);
}

TEST(Ending, IsRefusedWhereTheMemoryIsShort) {
  EndingOptions options;
  options.memory_bytes = 30'000'000;
  const auto refused = solve_ending(game("chess", {"material=KQvKR"}), options);
  EXPECT_TRUE(absl::IsResourceExhausted(refused.status())) << refused.status();
  EXPECT_FALSE(solve_ending(game("chess", {}), {}).ok());
}

// What verifying says of a table that was altered.
TEST(VerifyEnding, FindsWhatIsWrong) {
  const Variant v = game("safety-in-numbers", {"board=square:3x4", "material=KPvKN", "promote=QN"});
  std::map<std::string, EndingLayers> kept;
  EndingOptions keep;
  keep.keep = [&](const std::string& material, const EndingLayers& layers) { kept[material] = layers; };
  const auto sound = sure(solve_ending(v, keep));
  const Verification good = sure(verify_ending(*sound, {}));
  EXPECT_EQ(good.wrong, 0U);
  EXPECT_GT(good.positions, 2'000U);
  const std::string name = to_text(*v.rules().pieces(), sound->index().material());
  ASSERT_EQ(kept.count(name), 1U);
  const auto wrong_in = [&](const EndingLayers& altered) {
    EndingOptions options;
    options.find = [&](const std::string& material, std::uint64_t) {
      return std::optional<EndingLayers>(material == name ? altered : kept.at(material));
    };
    return sure(verify_ending(*sure(solve_ending(v, options)), {})).wrong;
  };
  std::mt19937 random(1);
  std::array<int, 3> tried = {};
  for (int n = 0; n < 60; ++n) {
    EndingLayers altered = kept[name];
    std::size_t at = random() % altered.codes.size();
    while (n % 3 != 0 && KnownEnding{altered.codes[at]}.value() == 0) at = random() % altered.codes.size();
    const KnownEnding here{altered.codes[at], altered.plies[at]};
    const int how = n % 3;
    if (how == 0) altered.codes[at] ^= 1;  // another value, or one where there is none
    if (how == 1 && here.has_value()) altered.codes[at] ^= static_cast<std::uint8_t>(4U << random() % 5);  // a claim
    if (how == 2 && here.value() != 0) altered.plies[at] ^= 2;
    if (altered.codes == kept[name].codes && altered.plies == kept[name].plies) continue;
    ++tried[static_cast<std::size_t>(how)];
    EXPECT_GT(wrong_in(altered), 0U) << how << " at " << at;
  }
  for (const int n : tried) EXPECT_GT(n, 3);
  // All cycles as ties that either can end: no position contradicts its successors, yet nothing brings them about.
  EndingLayers ties = kept[name];
  std::size_t relabelled = 0;
  for (std::uint8_t& code : ties.codes) {
    const KnownEnding here{code, 0};
    if (!here.has_value() || here.value() != 0 || (here.facts() & (kMoverEnds | kOtherEnds)) != 0) continue;
    code |= static_cast<std::uint8_t>((kMoverEnds | kOtherEnds) << KnownEnding::kFactsShift);
    ++relabelled;
  }
  ASSERT_GT(relabelled, 20U);
  EXPECT_GE(wrong_in(ties), relabelled);
}

// Every place of an index is that of the position made from it, or an image's.
TEST(EndingIndex, NumbersEveryPlacementOnce) {
  for (const std::string material : {"KvK", "KRvK", "KPvK", "KPvKP", "KRRvK", "KPPvKN", "KNvKN"}) {
    for (const std::string board : {"3x4", "4x4", "5x3"}) {
      const Variant v = game("safety-in-numbers", {"board=square:" + board, "material=" + material, "promote=Q"});
      const PieceSet& set = *v.rules().pieces();
      const EndingIndex index(set, sure(material_of(v)));
      std::uint64_t images = 0;
      for (std::uint32_t s = 0; s < index.slices(); ++s) {
        for (std::uint32_t local = 0; local < index.size(s); ++local) {
          Position p;
          ASSERT_TRUE(index.position({s, local}, p));
          const EndingIndex::Place place = index.place(p, false);
          if (!index.canonical({s, local}, p)) {
            ASSERT_LT(place.local, local);
            continue;
          }
          ASSERT_EQ(place, (EndingIndex::Place{s, local})) << v.rules().write(p);
          std::array<Cell, kMaxCells> men;
          index.placement({s, local}, men.data());
          images += index.images({s, local}, men.data()) * (index.stands_for_exchanged(s) ? 2 : 1);
        }
      }
      // All ways to place the men, sharing cells, with either player to move.
      const auto multisets = [](std::uint64_t cells, int men) {
        std::uint64_t out = 1;
        for (int k = 0; k < men; ++k)
          out = out * (cells + static_cast<std::uint64_t>(k)) / static_cast<std::uint64_t>(k + 1);
        return out;
      };
      std::uint64_t all = 2;
      for (const auto& men : index.material().men) {
        for (std::size_t k = 0; k < set.kinds.size(); ++k) {
          const bool pawn = !set.kinds[k].promotions.empty();
          all *= multisets(static_cast<std::uint64_t>(set.width * (set.height - (pawn ? 2 : 0))), men[k]);
        }
      }
      EXPECT_EQ(images, all) << material << " on " << board;
    }
  }
}

}  // namespace
}  // namespace plenum::ending_test
