// SPDX-License-Identifier: Apache-2.0
// Measures against an independent computation: every unreduced position by the rules one at a time, and games followed ply by ply as a
// distribution over them, or drawn by lot. Nothing of the stored graph is used but the values of positions.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>

#include "solver/graph/analysis.h"
#include "solver/graph/erring_play.h"
#include "solver/method/method.h"
#include "solver/study/move_counts.h"
#include "tests/variants_testing.h"

namespace plenum::measures_test {
namespace {

using variants_testing::game;
using variants_testing::sure;

struct SlowMove {
  std::size_t to = 0;
  bool keeps = false;
  bool best = false;
};
struct SlowPosition {
  Position position;
  PositionValue value;
  std::uint32_t plies = 0;  // from the start
  std::vector<SlowMove> moves;
};

// All positions that are reachable from the start, by the rules alone.
class SlowGame {
 public:
  explicit SlowGame(const SolvedGame& solved) : variant_(solved.variant()) {
    number(solved, solved.start(), 0);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (all_[i].value.ended) continue;
      const std::uint32_t plies = all_[i].plies + 1;
      std::vector<SlowMove> moves;
      for (const Successor& s : sure(successors(variant_.rules(), all_[i].position)))
        moves.push_back({number(solved, s.position, plies)});
      all_[i].moves = std::move(moves);
      for (SlowMove& move : all_[i].moves) {
        const PositionValue& here = all_[i].value;
        const PositionValue& after = all_[move.to].value;
        move.keeps = after.margin == here.margin;
        const bool level = here.margin.margin.units == 0;
        move.best = move.keeps && (level || after.plies->count + 1 == here.plies->count);
      }
    }
  }
  const std::vector<SlowPosition>& all() const { return all_; }
  const Variant& variant() const { return variant_; }

  double chance(const SlowPosition& at, const SlowMove& move, ErringPolicy first, ErringPolicy second) const {
    const ErringPolicy& policy = at.position.mover == Player::first ? first : second;
    const auto chosen = [&](const SlowMove& m) { return policy.keeping == KeepingMove::quickest ? m.best : m.keeps; };
    const auto n = static_cast<double>(std::count_if(at.moves.begin(), at.moves.end(), chosen));
    return policy.error / static_cast<double>(at.moves.size()) + (chosen(move) ? (1 - policy.error) / n : 0);
  }

 private:
  std::size_t number(const SolvedGame& solved, const Position& position, std::uint32_t plies) {
    const auto [at, fresh] = number_.try_emplace(variant_.rules().write(position), all_.size());
    if (fresh) all_.push_back({position, solved.value(position).value(), plies, {}});
    return at->second;
  }
  const Variant& variant_;
  std::map<std::string, std::size_t> number_;
  std::vector<SlowPosition> all_;
};

double units(const SlowPosition& p) { return static_cast<double>(p.value.margin.margin.units); }
int leader(const SlowPosition& p) { return units(p) > 0 ? 1 : units(p) < 0 ? 2 : 0; }

// Games as a distribution over positions and who led last, ply by ply until all but nothing has ended, or nothing ends any more.
PlayMeasures follow(const SlowGame& slow, ErringPolicy first, ErringPolicy second) {
  const auto& all = slow.all();
  const double unit = 1.0 / static_cast<double>(slow.variant().rules().denominator());
  constexpr int kMostPlies = 30'000;
  // same[p]: the chance that the value changes no more, by iteration.
  std::vector<double> same(all.size(), 0);
  for (std::size_t i = 0; i < all.size(); ++i) same[i] = all[i].value.ended ? 1 : 0;
  for (double change = 1; change > 1e-15;) {
    change = 0;
    for (std::size_t i = all.size(); i-- > 0;) {
      if (all[i].value.ended) continue;
      double sum = 0;
      for (const SlowMove& move : all[i].moves)
        sum += move.keeps ? slow.chance(all[i], move, first, second) * same[move.to] : 0;
      change = std::max(change, std::abs(sum - same[i]));
      same[i] = sum;
    }
  }
  PlayMeasures out;
  double plies = 0;
  std::array<std::vector<double>, 3> now;
  for (auto& mass : now) mass.assign(all.size(), 0);
  now[static_cast<std::size_t>(leader(all[0]))][0] = 1;
  double alive = 1;
  for (int ply = 0; ply < kMostPlies && alive > 1e-16; ++ply) {
    std::array<std::vector<double>, 3> next;
    for (auto& mass : next) mass.assign(all.size(), 0);
    alive = 0;
    for (std::size_t led = 0; led < 3; ++led) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        const double mass = now[led][i];
        if (mass == 0) continue;
        if (all[i].value.ended) {
          (leader(all[i]) == 1 ? out.result.first : leader(all[i]) == 2 ? out.result.second : out.result.tie) += mass;
          plies += mass * ply;
          continue;
        }
        for (const SlowMove& move : all[i].moves) {
          const double flow = mass * slow.chance(all[i], move, first, second);
          if (flow == 0) continue;
          const SlowPosition& to = all[move.to];
          const int leads = leader(to);
          if (!move.keeps) {
            out.changes += flow;
            out.amount += flow * std::abs(units(to) - units(all[i])) * unit;
            out.decisive_ply += flow * (ply + 1) * same[move.to];
          }
          if (leads != 0 && led != 0 && leads != static_cast<int>(led)) out.lead_changes += flow;
          next[leads == 0 ? led : static_cast<std::size_t>(leads)][move.to] += flow;
          alive += flow;
        }
      }
    }
    now.swap(next);
  }
  out.result.endless = alive > 1e-9 ? alive : 0;
  if (out.result.endless == 0) out.result.plies = plies;
  return out;
}

void expect_near(const PlayResult& found, const PlayResult& wanted) {
  EXPECT_NEAR(found.first, wanted.first, 1e-9);
  EXPECT_NEAR(found.tie, wanted.tie, 1e-9);
  EXPECT_NEAR(found.second, wanted.second, 1e-9);
  EXPECT_NEAR(found.endless, wanted.endless, 1e-9);
  ASSERT_EQ(found.plies.has_value(), wanted.plies.has_value());
  if (!found.plies) return;
  EXPECT_NEAR(*found.plies, *wanted.plies, 1e-7 * *wanted.plies);
}

void expect_near(const PlayMeasures& found, const PlayMeasures& wanted) {
  expect_near(found.result, wanted.result);
  EXPECT_NEAR(found.changes, wanted.changes, 1e-8);
  EXPECT_NEAR(found.amount, wanted.amount, 1e-8 * (1 + wanted.amount));
  EXPECT_NEAR(found.lead_changes, wanted.lead_changes, 1e-8);
  EXPECT_NEAR(found.decisive_ply, wanted.decisive_ply, 1e-7 * (1 + wanted.decisive_ply));
}

void add(MoveCounts& to, const SlowPosition& p) {
  const std::size_t moves = p.moves.size();
  const auto keeping =
      static_cast<std::size_t>(std::count_if(p.moves.begin(), p.moves.end(), [](const auto& m) { return m.keeps; }));
  ++to.positions;
  to.decided += p.value.margin.margin.units != 0 ? 1 : 0;
  to.single += moves == 1 ? 1 : 0;
  to.critical += moves > 1 && keeping == 1 ? 1 : 0;
  to.quiet += moves > 1 && keeping == moves ? 1 : 0;
  to.moves += moves;
  to.keeping += keeping;
}

void expect_equal(const MoveCounts& found, const MoveCounts& wanted) {
  EXPECT_EQ(found.positions, wanted.positions);
  EXPECT_EQ(found.decided, wanted.decided);
  EXPECT_EQ(found.single, wanted.single);
  EXPECT_EQ(found.critical, wanted.critical);
  EXPECT_EQ(found.quiet, wanted.quiet);
  EXPECT_EQ(found.moves, wanted.moves);
  EXPECT_EQ(found.keeping, wanted.keeping);
}
template <typename Key>
void expect_equal(const std::map<Key, MoveCounts>& found, const std::map<Key, MoveCounts>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (const auto& [key, counts] : wanted) {
    ASSERT_TRUE(found.contains(key)) << key;
    expect_equal(found.at(key), counts);
  }
}

using BigNumber = boost::multiprecision::cpp_int;

// Of a game without cycles.
BigNumber count_lines(const SlowGame& slow, std::size_t at, std::vector<BigNumber>& known) {
  const SlowPosition& p = slow.all()[at];
  if (p.value.ended) return 1;
  if (known[at] == 0) {
    for (const SlowMove& move : p.moves) known[at] += count_lines(slow, move.to, known);
  }
  return known[at];
}

SolvedGame solved(const Variant& variant, const Position& start) {
  SolveOptions options;
  options.extras.most_measured_edges = ~std::uint64_t{0};
  return sure(solve_game(variant, start, options));
}

void check(const Variant& variant, const Position& start) {
  SCOPED_TRACE(variant.identity().text);
  const SolvedGame result = solved(variant, start);
  ASSERT_TRUE(result.summary().measures);
  const Measures& counted = *result.summary().measures;
  const StartMeasures& m = counted.from_start.value();
  const SlowGame slow(result);
  MoveCounts all;
  std::map<int, MoveCounts> by_stones;
  std::map<std::uint32_t, MoveCounts> by_plies;
  for (const SlowPosition& p : slow.all()) {
    if (p.value.ended) continue;
    add(all, p);
    add(by_stones[variant.rules().stones(p.position)], p);
    add(by_plies[p.plies], p);
  }
  expect_equal(counted.all, all);
  expect_equal(counted.by_stones, by_stones);
  expect_equal(m.by_plies, by_plies);
  expect_near(m.random, follow(slow, {1}, {1}));
  expect_near(m.random.result, {result.random_play()->first, result.random_play()->tie, result.random_play()->second,
                                result.random_play()->endless, result.random_play()->plies});
  expect_near(m.erring, follow(slow, {StartMeasures::kUsualError}, {StartMeasures::kUsualError}));
  const std::size_t errors = m.grid.errors.size();
  ASSERT_EQ(m.grid.quickest.size(), errors);
  ASSERT_EQ(m.grid.any.size(), errors);
  for (const auto& [i, j] : std::vector<std::pair<std::size_t, std::size_t>>{
           {0, 0}, {0, errors - 1}, {errors - 1, 0}, {1, 3}, {4, 2}, {2, 0}}) {
    const double e = m.grid.errors[i];
    const double f = m.grid.errors[j];
    SCOPED_TRACE(std::to_string(e) + " against " + std::to_string(f));
    expect_near(m.grid.quickest[i][j], follow(slow, {e, KeepingMove::quickest}, {f, KeepingMove::quickest}).result);
    expect_near(m.grid.any[i][j], follow(slow, {e, KeepingMove::any}, {f, KeepingMove::any}).result);
  }
  const PlayResult as_first = follow(slow, {0, KeepingMove::quickest}, {1}).result;
  const PlayResult as_second = follow(slow, {1}, {0, KeepingMove::quickest}).result;
  const double score =
      (as_first.first + as_second.second + (as_first.tie + as_first.endless + as_second.tie + as_second.endless) / 2) /
      2;
  EXPECT_NEAR(m.skill, 2 * score - 1, 1e-9);
  EXPECT_EQ(m.lines.has_value(), !*result.summary().cyclic);
  if (!m.lines) return;
  std::vector<BigNumber> known(slow.all().size());
  EXPECT_EQ(*m.lines, count_lines(slow, 0, known).str());
}

void check(const std::string& name, const std::vector<std::string>& settings) {
  const Variant variant = game(name, settings);
  check(variant, variant.rules().start());
}

TEST(Measures, AgreeWithGamesFollowedPlyByPly) {
  check("tic-tac-toe", {});
  check("tic-tac-toe", {"misere=on"});
  check("populace", {"board=path:4"});
  check("populace", {"board=path:5", "button=on"});
  check("populace", {"board=square:2x3", "move_to=no_drop"});
  check("in-crowd", {"board=square:2x3"});
  check("cascade", {"board=square:2x3"});
  check("cascade", {"board=square:2x3", "fill=both"});
  check("taifas", {"board=square:2x3"});
  check("hex", {"board=hexrect:3x3"});
  check("chomp", {"board=square:4x3"});
  check("mu-torere", {});
  check("hexapawn", {});
  check("nim", {"board=square:4x8", "one=8", "two=8", "three=8", "four=8"});  // more than 2^64 lines
}

// Backwards, by five columns for each state, these equations were not solved.
TEST(Measures, WherePlayGoesRoundForLong) {
  const Variant variant = game("populace", {"board=cylinder:3x3"});
  const SolvedGame result = solved(variant, variant.rules().start());
  ASSERT_TRUE(result.summary().measures && result.summary().measures->from_start);
  const PlayResult& random = result.summary().measures->from_start->random.result;
  EXPECT_NEAR(random.first, result.random_play()->first, 1e-12);
  EXPECT_NEAR(random.tie, result.random_play()->tie, 1e-12);
  EXPECT_NEAR(random.plies.value_or(0), result.random_play()->plies.value_or(1), 1e-9);
}

// The counts and the order of the players do not depend on who is at the start.
TEST(Measures, FromWhereSecondIsToMove) {
  const Variant variant = game("tic-tac-toe", {});
  const auto next = sure(successors(variant.rules(), variant.rules().start()));
  check(variant, next[1].position);
}

// A heap of three, from which one, two or three are taken; who takes the last one wins. First should take all.
TEST(Measures, ByHand) {
  const Variant variant = game("nim", {"one=3", "two=0", "three=0"});
  const SolvedGame result = solved(variant, variant.rules().start());
  ASSERT_TRUE(result.summary().measures);
  const Measures& counted = *result.summary().measures;
  const StartMeasures& m = counted.from_start.value();
  // 3 with first to move, 2 with second, 1 with either.
  expect_equal(counted.all,
               {.positions = 4, .decided = 4, .single = 2, .critical = 2, .quiet = 0, .moves = 7, .keeping = 4});
  EXPECT_EQ(m.by_plies.at(1).positions, 2u);
  EXPECT_EQ(m.lines, "4");
  EXPECT_NEAR(m.random.result.first, 1.0 / 2, 1e-12);
  EXPECT_NEAR(m.random.result.plies.value(), 11.0 / 6, 1e-12);
  EXPECT_NEAR(m.random.changes, 5.0 / 6, 1e-12);
  EXPECT_NEAR(m.random.amount, 5.0 / 3, 1e-12);
  EXPECT_NEAR(m.random.lead_changes, 5.0 / 6, 1e-12);
  EXPECT_NEAR(m.random.decisive_ply, 5.0 / 6, 1e-12);
  EXPECT_NEAR(m.skill, 2.0 / 3, 1e-12);
}

SharedResult solved_by(const Method& method, const Game& of) {
  Request request;
  request.wanted.scan = true;
  return sure(method.solve(of, request));
}

// By every method that keeps values, and how many these are.
void check_methods(const std::string& name, const std::vector<std::string>& settings, int wanted_methods) {
  const Variant variant = game(name, settings);
  SCOPED_TRACE(variant.identity().text);
  const Game of(variant, variant.rules().start());
  const SolvedGame graph = solved(variant, variant.rules().start());
  const Measures& wanted = graph.summary().measures.value();
  int found_methods = 0;
  for (const Method* method : methods()) {
    if (!method->offers().values || method->obstacle(of)) continue;
    SCOPED_TRACE(std::string(method->name()));
    const Measures found = sure(count_moves(*solved_by(*method, of)));
    expect_equal(found.all, wanted.all);
    expect_equal(found.by_stones, wanted.by_stones);
    EXPECT_FALSE(found.from_start);
    ++found_methods;
  }
  EXPECT_EQ(found_methods, wanted_methods);
}

TEST(Measures, ByPositionAreTheSameByEveryMethod) {
  check_methods("populace", {"board=square:2x3"}, 2);
  check_methods("populace", {"board=path:6", "button=on"}, 2);
  check_methods("taifas", {"board=square:2x3"}, 2);
  check_methods("in-crowd", {"board=square:2x3"}, 2);
  check_methods("cascade", {"board=square:2x3", "fill=both"}, 2);
  check_methods("tic-tac-toe", {}, 3);
  check_methods("hex", {"board=hexrect:3x3"}, 2);
}

// All legal positions, one by one, with the moves that the rules give.
TEST(Measures, OfAnEndingAreThoseOfAllItsPositions) {
  for (const std::vector<std::string>& settings : {std::vector<std::string>{"board=square:4x4", "material=KRvK"},
                                                   {"board=square:4x4", "material=KPvK"},
                                                   {"board=square:3x4", "material=KRvKP", "crowd=open"}}) {
    const Variant variant = game("safety-in-numbers", settings);
    SCOPED_TRACE(variant.identity().text);
    const SharedResult result = solved_by(*find_method("ending"), Game(variant, variant.rules().start()));
    Measures wanted;
    for (std::size_t part = 0; part < result->parts(); ++part) {
      const absl::Status seen = result->each(part, Result::Fold::none, [&](std::span<const Result::Visit> visits) {
        for (const Result::Visit& visit : visits) {
          if (visit.value.ended) continue;
          SlowPosition slow = {visit.position, visit.value, 0, {}};
          for (const Successor& s : sure(successors(variant.rules(), visit.position)))
            slow.moves.push_back({0, sure(result->value(s.position)).margin == visit.value.margin});
          add(wanted.all, slow);
          add(wanted.by_stones[variant.rules().stones(visit.position)], slow);
        }
        return absl::OkStatus();
      });
      ASSERT_TRUE(seen.ok()) << seen;
    }
    const Measures found = sure(count_moves(*result));
    EXPECT_GT(found.all.critical, 0u);
    expect_equal(found.all, wanted.all);
    expect_equal(found.by_stones, wanted.by_stones);
  }
}

// A million games drawn by lot.
void check_by_lot(const std::string& name, const std::vector<std::string>& settings, std::size_t i, std::size_t j) {
  const Variant variant = game(name, settings);
  SCOPED_TRACE(variant.identity().text);
  const SolvedGame result = solved(variant, variant.rules().start());
  const ErrorGrid& grid = result.summary().measures->from_start->grid;
  const SlowGame slow(result);
  const ErringPolicy first = {grid.errors[i], KeepingMove::any};
  const ErringPolicy second = {grid.errors[j], KeepingMove::any};
  std::vector<std::vector<double>> chances;  // running sums
  for (const SlowPosition& p : slow.all()) {
    double sum = 0;
    auto& of = chances.emplace_back();
    for (const SlowMove& move : p.moves) of.push_back(sum += slow.chance(p, move, first, second));
  }
  constexpr int kGames = 1'000'000;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> draw(0, 1);
  std::array<double, 3> ends = {};
  double plies = 0;
  double squares = 0;
  for (int k = 0; k < kGames; ++k) {
    std::size_t at = 0;
    double length = 0;
    for (; !slow.all()[at].value.ended; ++length) {
      const auto& of = chances[at];
      const auto move = std::min(
          static_cast<std::size_t>(std::upper_bound(of.begin(), of.end(), draw(random)) - of.begin()), of.size() - 1);
      at = slow.all()[at].moves[move].to;
    }
    ++ends[static_cast<std::size_t>(leader(slow.all()[at]))];
    plies += length;
    squares += length * length;
  }
  const PlayResult& found = grid.any[i][j];
  for (const auto& [chance, seen] : {std::pair(found.tie, ends[0]), {found.first, ends[1]}, {found.second, ends[2]}})
    EXPECT_NEAR(seen / kGames, chance, 3 * std::sqrt(chance * (1 - chance) / kGames) + 1e-12);
  const double mean = plies / kGames;
  EXPECT_NEAR(mean, *found.plies, 3 * std::sqrt((squares / kGames - mean * mean) / kGames) + 1e-12);
}

TEST(Measures, AgreeWithAMillionGames) {
  check_by_lot("tic-tac-toe", {}, 3, 1);
  check_by_lot("populace", {"board=path:5"}, 2, 4);
  check_by_lot("taifas", {"board=square:2x3"}, 4, 4);
}

}  // namespace
}  // namespace plenum::measures_test
