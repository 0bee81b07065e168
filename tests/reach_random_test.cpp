// SPDX-License-Identifier: Apache-2.0
// Shortest lines to a goal and their number, of random games and goals: against breadth first over unreduced positions that counts every
// line, with moves and truths of an interpreter of the tests' own (random_games.h).
#include <iostream>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/random_games.h"
#include "tests/reach_testing.h"

namespace plenum::variants_testing::reach_random_test {
namespace {

using slow::Tree;
using slow::World;

constexpr std::size_t kMostPositions = 3000;

Tree counted(const std::string& word, const std::function<CellSet(const World&)>& cells) {
  const int wanted = static_cast<int>(*below(4));
  const bool most = *below(3) == 0;
  return {"count(" + word + (most ? ") <= " : ") >= ") + std::to_string(wanted), [=](const World& w) {
            const int n = slow::size_of(cells(w));
            return slow::truth_of(most ? n <= wanted : n >= wanted);
          }};
}

Tree counting_goal(const Board& board) {
  const Cell cell = static_cast<Cell>(*below(static_cast<unsigned>(board.size())));
  switch (*below(8)) {
    case 0:
      return counted("x", [](const World& w) { return w.holding(slow::kFirsts); });
    case 1:
      return counted("o", [](const World& w) { return w.holding(slow::kSeconds); });
    case 2:
      return counted("mine", [](const World& w) { return w.owned(w.viewer); });
    case 3:
      return counted("theirs", [](const World& w) { return w.owned(1 - w.viewer); });
    case 4:
      return counted("empty & !{" + board.cell_name(cell) + "}",
                     [=](const World& w) { return w.holding(slow::kNothing) & ~cell_bit(cell); });
    case 5: {
      const int wanted = 1 + static_cast<int>(*below(3));
      return {"spent >= " + std::to_string(wanted),
              [=](const World& w) { return slow::truth_of(w.spent[static_cast<std::size_t>(w.viewer)] >= wanted); }};
    }
    case 6: {
      const int wanted = static_cast<int>(*below(3));
      return {"count(o) - count(n) == " + std::to_string(wanted), [=](const World& w) {
                return slow::truth_of(
                    slow::size_of(w.holding(slow::kSeconds)) - slow::size_of(w.holding(slow::kNobodys)) == wanted);
              }};
    }
    default: {
      const int wanted = static_cast<int>(*below(4));
      return {"passes >= " + std::to_string(wanted),
              [=](const World& w) { return slow::truth_of(w.passes >= wanted); }};
    }
  }
}

Tree random_goal(const slow::Ground& ground) {
  if (*below(5) == 0) {
    slow::Maker maker(ground.board);
    maker.with_lines = ground.with_lines;
    maker.with_passes = true;
    maker.several = ground.several;
    maker.rich = ground.rich;
    Tree tree = maker.make('t', 2);
    RC_PRE(maker.definitions().empty());
    return tree;
  }
  const Tree a = counting_goal(ground.board);
  const Tree b = counting_goal(ground.board);
  switch (*below(4)) {
    case 0:
      return a;
    case 1:
      return {a.text + " | " + b.text, [=](const World& w) { return slow::truth_of(a.truth(w) || b.truth(w)); }};
    case 2:
      return {"!(" + a.text + ") & " + b.text,
              [=](const World& w) { return slow::truth_of(!a.truth(w) && b.truth(w)); }};
    default:
      return {a.text + " & " + b.text, [=](const World& w) { return slow::truth_of(a.truth(w) && b.truth(w)); }};
  }
}

struct Naive {
  int plies = -1;  // to the goal; -1: none
  std::uint64_t lines = 0;
  bool finished = true;  // all positions were looked at, if need be
};

Naive search(const slow::Game& rules, const Tree& goal, const World& start) {
  struct Reached {
    World world;
    std::uint64_t lines = 0;
  };
  std::map<std::string, Reached> layer = {{slow::written(start), {start, 1}}};
  std::set<std::string> seen = {slow::written(start)};
  Naive out;
  for (int plies = 0; !layer.empty(); ++plies) {
    std::map<std::string, Reached> next;
    for (const auto& [text, at] : layer) {
      if (goal.truth(at.world)) {
        out.plies = plies;
        out.lines += at.lines;
      }
    }
    if (out.plies >= 0) return out;
    for (const auto& [text, at] : layer) {
      if (rules.end(at.world)) continue;
      for (const auto& [name, after] : rules.turns(at.world)) {
        const std::string key = slow::written(after);
        if (seen.count(key) > 0 && next.count(key) == 0) continue;
        seen.insert(key);
        next.try_emplace(key, Reached{after, 0}).first->second.lines += at.lines;
      }
      if (seen.size() > kMostPositions) {
        out.finished = false;
        return out;
      }
    }
    layer = std::move(next);
  }
  return out;
}

TEST(Reach, RandomGamesByAnotherInterpreter) {
  int tried = 0;
  int lines = 0;
  int none = 0;
  int far = 0;
  int bounded = 0;
  check(2000, [&] {
    slow::Ground ground = slow::ground(6);
    ground.several = *below(3) == 0;
    ground.rich = *below(3) == 0;
    slow::Wishes wishes;
    wishes.depth = 1;
    wishes.ends = *below(3) == 0;
    slow::Game rules = slow::random_game(ground, wishes);
    const absl::StatusOr<Variant> without = make(rules.text);
    if (!without.ok()) return;
    // Mostly a goal that is still to be reached.
    Position start = *below(2) == 0 ? without->rules().start() : *positions(without->rule_set(), 1);
    Tree goal = random_goal(ground);
    for (int k = 0; k < 10 && goal.truth(slow::world(without->rule_set(), start)); ++k) goal = random_goal(ground);
    RC_LOG(rules.text);
    RC_LOG(goal.text);
    const Variant v = with_goal(rules.text, goal.text);
    rules.most_passes = v.rule_set().passes_live ? v.rule_set().passes_cap : 0;
    RC_LOG(v.rules().write(start));
    const Naive naive = search(rules, goal, slow::world(v.rule_set(), start));
    if (!naive.finished) return;
    ++tried;
    const Reach whole = sure(reach(v, Goal(v.rules()), start, {}));
    RC_ASSERT(whole.line.has_value() == (naive.plies >= 0));
    // Of orders that come to the same one line is counted.
    RC_ASSERT((rules.any_order ? whole.lines <= naive.lines : whole.lines == naive.lines));
    RC_ASSERT(whole.exhausted == !whole.line.has_value());
    if (whole.line) RC_ASSERT(static_cast<int>(whole.line->moves.size()) == naive.plies);
    check_alike(v, start, whole);
    check_bound(v, whole);
    lines += naive.plies > 0 ? 1 : 0;
    far += naive.plies > 2 ? 1 : 0;
    none += naive.plies < 0 ? 1 : 0;
    bounded += whole.moves_cut > 0 ? 1 : 0;
  });
  std::cout << tried << " searches: " << lines << " found lines (" << far << " of more than two plies), " << none
            << " none; " << bounded << " cut moves\n";
  EXPECT_GE(tried, 1500 / kFewer);
  EXPECT_GE(lines, 150 / kFewer);
  EXPECT_GE(far, 30 / kFewer);
  EXPECT_GE(none, 500 / kFewer);
  EXPECT_GE(bounded, 200 / kFewer);
}

}  // namespace
}  // namespace plenum::variants_testing::reach_random_test
