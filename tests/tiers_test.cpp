// SPDX-License-Identifier: Apache-2.0
// What tiers promise, on random games: no move lowers a tier, moves that are said to raise one do, and where they say that
// play cannot cycle there is no cycle among all that can be reached.
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/random_games.h"

namespace plenum::variants_testing {
namespace {

constexpr std::size_t kMostPositions = 20'000;

TEST(Tiers, OfRandomGames) {
  int games = 0;
  int acyclic = 0;
  int ranked = 0;
  int with_cycle = 0;
  check(1500, [&] {
    slow::Ground ground = slow::ground(6);
    ground.several = *below(3) == 0;
    slow::Wishes wishes;
    wishes.depth = 1;
    wishes.ends = *below(2) == 0;
    const slow::Game game = slow::random_game(ground, wishes);
    RC_LOG(game.text);
    const auto made = make(game.text);
    if (!made.ok()) return;
    const Variant& v = *made;
    const RuleSet& rules = v.rule_set();
    ++games;
    acyclic += v.tiers().acyclic() ? 1 : 0;
    ranked += v.tiers().count() > 1 ? 1 : 0;
    const auto canonical = [&](const Position& p) { return v.symmetries().canonical(p).position; };
    const auto raised = [&](const Move& move) {
      if (move.first.rule == kForcedPass) return false;
      const std::string& name = rules.moves[move.first.rule].name;
      return std::any_of(v.tiers().measures().begin(), v.tiers().measures().end(), [&](const Measure& m) {
        return std::find(m.raised_by.begin(), m.raised_by.end(), name) != m.raised_by.end();
      });
    };
    // All that can be reached from a position drawn, unreduced.
    std::map<std::string, std::size_t> number;
    std::vector<Position> found_positions;
    std::vector<std::vector<std::size_t>> edges;
    const auto add = [&](const Position& p) {
      const auto [found, fresh] = number.emplace(v.rules().write(p), found_positions.size());
      if (fresh) found_positions.push_back(p);
      return found->second;
    };
    add(*positions(rules));
    const std::size_t most = *below(20) == 0 ? kMostPositions : 500;
    for (std::size_t i = 0; i < found_positions.size() && found_positions.size() < most; ++i) {
      edges.emplace_back();
      const Position p = found_positions[i];
      const EndState end = sure(end_state(v.rules(), p));
      if (end.ended) continue;
      const std::uint32_t tier = v.tiers().tier(canonical(p));
      RC_ASSERT(tier < v.tiers().count());
      RC_ASSERT(tier == v.tiers().tier(p));
      for (const Successor& s : sure(successors(v.rules(), p))) {
        const std::uint32_t next = v.tiers().tier(canonical(s.position));
        if (next < tier || (next == tier && raised(s.move)))
          RC_FAIL("tier " + std::to_string(tier) + " to " + std::to_string(next) + " by " + s.text + " in " +
                  v.rules().write(p));
        if (!s.ended) edges[i].push_back(add(s.position));
      }
    }
    edges.resize(found_positions.size());
    // Take away what leads nowhere until nothing is left, or a cycle.
    std::vector<std::vector<std::size_t>> back(found_positions.size());
    std::vector<std::size_t> out(found_positions.size());
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < found_positions.size(); ++i) {
      out[i] = edges[i].size();
      if (out[i] == 0) ready.push_back(i);
      for (const std::size_t to : edges[i]) back[to].push_back(i);
    }
    std::size_t gone = 0;
    for (; !ready.empty(); ++gone) {
      const std::size_t i = ready.back();
      ready.pop_back();
      for (const std::size_t from : back[i]) {
        if (--out[from] == 0) ready.push_back(from);
      }
    }
    with_cycle += gone < found_positions.size() ? 1 : 0;
    if (v.tiers().acyclic()) RC_ASSERT(gone == found_positions.size());
  });
  std::cout << games << " games: " << ranked << " with tiers, " << acyclic << " that cannot cycle, " << with_cycle
            << " with a cycle\n";
  EXPECT_GE(acyclic * 20, games);
  EXPECT_GE(with_cycle * 20, games);
  EXPECT_GE(ranked * 5, games);
}

// Pawns: nothing counts them forward, but they cannot come back.
TEST(Tiers, PiecesThatOnlyGoForward) {
  const auto can_cycle = [](const std::string& moves) {
    const auto made = make(
        "name = \"Pawns\"\n[options]\nboard = { default = \"square:3x4\" }\n[start]\nx = \"row == 1\"\no = "
        "\"row == height\"\n" +
        moves + "[end]\nstuck = \"loses\"\n");
    EXPECT_TRUE(made.ok()) << made.status();
    if (!made.ok()) return true;
    EXPECT_FALSE(made->tiers().one_pass());
    return !made->tiers().acyclic();
  };
  const std::string step = "[moves.step]\nfrom = \"mine\"\nstep = \"forward\"\nto = \"empty\"\n";
  const std::string capture =
      "[moves.take]\nfrom = \"mine\"\nstep = \"forward_left | forward_right\"\nto = \"theirs\"\n";
  EXPECT_FALSE(can_cycle(step));
  EXPECT_FALSE(can_cycle(step + capture));
  EXPECT_TRUE(can_cycle("[moves.step]\nfrom = \"mine\"\nstep = \"forward | backward\"\nto = \"empty\"\n"));
  EXPECT_TRUE(can_cycle(step + "[moves.aside]\nfrom = \"mine\"\nstep = \"left | right\"\nto = \"empty\"\n"));
  // Somebody else moves them back.
  EXPECT_TRUE(can_cycle("[moves.step]\nfrom = \"mine | theirs\"\nstep = \"forward\"\nto = \"empty\"\n"));
  EXPECT_TRUE(can_cycle(
      "[moves.step]\nfrom = \"mine\"\nstep = \"forward\"\nto = \"empty\"\nthen = \"theirs & near(placed) > 0 -> "
      "empty\"\n[moves.again]\nto = \"empty & row == 1\"\n"));
}

}  // namespace
}  // namespace plenum::variants_testing
