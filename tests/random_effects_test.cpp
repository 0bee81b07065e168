// SPDX-License-Identifier: Apache-2.0
// Whole moves of random games - bare moves, effects, judgements, further parts, ends - against an interpreter of the tests' own
// (random_games.h): what every move is written as, what it leads to, how the game stands there.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/random_games.h"

namespace plenum::variants_testing::random_effects_test {
namespace {

using slow::World;

using Found = std::multiset<std::string>;

std::set<std::string> results(const Found& lines) {
  std::set<std::string> out;
  for (const std::string& line : lines) out.insert(line.substr(line.find("  to  ")));
  return out;
}

void compare(slow::Game game, const Variant& v, unsigned how_many) {
  game.most_passes = v.rule_set().passes_live ? v.rule_set().passes_cap : 0;
  PositionBatch batch = v.rules().batch();
  std::vector<Found> wanted;
  for (; how_many > 0; --how_many) {
    const Position p = *positions(v.rule_set(), 2);
    const World w = slow::world(v.rule_set(), p);
    RC_ASSERT(slow::written(w) == v.rules().write(p));
    batch.push(p);
    wanted.emplace_back();
    for (const auto& [name, after] : game.turns(w)) {
      const std::optional<int> end = game.end(after);
      wanted.back().insert(name + "  to  " + slow::written(after) + (end ? " ends " + std::to_string(*end) : ""));
    }
  }
  Rules::Scratch scratch(v.rules());
  const absl::Status done = v.rules().expand(batch, scratch);
  if (!done.ok()) RC_FAIL(std::string(done.message()));
  std::vector<Found> found(batch.size);
  for (std::size_t i = 0; i < scratch.successors.size; ++i) {
    const Position before = batch.at(scratch.parent[i]);
    std::string line =
        v.rules().write(before, scratch.move_of(i)) + "  to  " + v.rules().write(scratch.successors.at(i));
    if (scratch.ended[i] != 0) line += " ends " + std::to_string(scratch.margin[i] / v.rules().denominator());
    found[scratch.parent[i]].insert(std::move(line));
  }
  for (std::size_t k = 0; k < batch.size; ++k) {
    if (found[k] == wanted[k]) continue;
    if (game.any_order && std::includes(wanted[k].begin(), wanted[k].end(), found[k].begin(), found[k].end()) &&
        results(found[k]) == results(wanted[k]))
      continue;
    RC_LOG(v.rules().write(batch.at(k)));
    for (const std::string& line : wanted[k]) {
      if (found[k].count(line) != wanted[k].count(line)) RC_LOG("wanted " + line);
    }
    for (const std::string& line : found[k]) {
      if (found[k].count(line) != wanted[k].count(line)) RC_LOG("found " + line);
    }
    RC_FAIL("the moves differ");
  }
}

TEST(RandomEffects, WholeMoves) {
  int tried = 0;
  int skipped = 0;
  check(1500, [&] {
    slow::Ground ground = slow::ground(7);
    ground.several = *below(3) == 0;
    ground.rich = *below(3) == 0;
    slow::Wishes wishes;
    wishes.depth = static_cast<int>(1 + *below(2));
    const slow::Game game = slow::random_game(ground, wishes);
    RC_LOG(game.text);
    ++tried;
    const std::optional<Variant> v = slow::compiled(game.text, true);
    if (!v) {
      ++skipped;
      return;
    }
    compare(game, *v, 1 + *below(4));
  });
  EXPECT_LT(skipped * 10, tried);
}

// Larger boards, and more positions than a program takes at a time.
TEST(RandomEffects, LargeBoardsAndBatches) {
  check(60, [&] {
    const bool large = *below(2) == 0;
    slow::Ground ground = slow::ground(large ? 64 : 5);
    ground.several = *below(3) == 0;
    ground.rich = *below(3) == 0;
    slow::Wishes wishes;
    wishes.parts = !large;
    wishes.depth = 1;
    const slow::Game game = slow::random_game(ground, wishes);
    RC_LOG(game.text);
    const std::optional<Variant> v = slow::compiled(game.text, true);
    if (v) compare(game, *v, large ? 2 : 200 + *below(120));
  });
}

}  // namespace
}  // namespace plenum::variants_testing::random_effects_test
