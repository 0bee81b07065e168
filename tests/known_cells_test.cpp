// SPDX-License-Identifier: Apache-2.0
// What is said of sets from what is known of cells, against the sets themselves: rules of random games, run on random positions of which
// something is known.
#include "variants/graph/known_cells.h"

#include <bit>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/random_games.h"
#include "variants/program/program.h"
#include "variants/rules/rules.h"

namespace plenum::variants_testing::known_cells_test {
namespace {

CellSet some_of(CellSet cells) { return cells & *rc::gen::arbitrary<std::uint64_t>(); }

// Cells that are surely in the set, and those that may be: no more and no fewer than there are, or somewhere about that.
SetBounds about(CellSet set, CellSet all) {
  const bool exact = *below(2) == 0;
  return {exact ? set : some_of(set), exact ? set : set | some_of(all)};
}

// By content, the cells that hold it and some that do not.
std::vector<CellSet> about(const RuleSet& rules, const Position& p) {
  std::vector<CellSet> out(static_cast<std::size_t>(rules.layout.count()) + 1);
  const CellSet known = *below(3) == 0 ? 0 : *below(2) == 0 ? rules.board.all() : some_of(rules.board.all());
  CellSet stones = 0;
  for (std::size_t plane = 0; plane < out.size(); ++plane) {
    const bool nothing = plane + 1 == out.size();
    const CellSet held = nothing ? rules.board.all() & ~stones : p.planes[plane];
    stones |= held;
    out[plane] = held | some_of(rules.board.all() & ~known);
  }
  return out;
}

CellSet cells_holding(const RuleSet& rules, const Position& p, std::size_t content) {
  if (content < static_cast<std::size_t>(rules.layout.count())) return p.planes[content];
  CellSet stones = 0;
  for (int plane = 0; plane < rules.layout.count(); ++plane) stones |= p.planes[static_cast<std::size_t>(plane)];
  return rules.board.all() & ~stones;
}

TEST(KnownCells, SayNothingUntrueOfRandomRules) {
  std::size_t sets = 0;
  std::size_t exact = 0;
  check(600, [&] {
    slow::Ground ground = slow::ground(9);
    ground.several = *below(3) == 0;
    ground.rich = *below(3) == 0;
    slow::Wishes wishes;
    wishes.depth = 1 + static_cast<int>(*below(3));
    const slow::Game game = slow::random_game(ground, wishes);
    RC_LOG(game.text);
    const auto made = make(game.text);
    if (!made.ok()) return;
    const RuleSet& rules = made->rule_set();
    std::vector<NodeId> roots;
    for (const auto* const steps : {&rules.moves, &rules.parts}) {
      for (const MoveRule& step : *steps) {
        for (const NodeId id : {step.when, step.from, step.to, step.lift, step.legal}) {
          if (id >= 0) roots.push_back(id);
        }
        roots.insert(roots.end(), step.planes_after.begin(), step.planes_after.end());
        roots.insert(roots.end(), step.reach.begin(), step.reach.end());
      }
    }
    const Program program(rules.graph, roots, rules.number_bounds());
    CellBounds bounds(rules, roots);
    const CellSet all = rules.board.all();
    for (int round = 0; round < 6; ++round) {
      const Position now = *positions(rules, 2);
      Position before = *positions(rules, 2);
      KnownCells known = KnownCells::nothing_known(rules, now.mover);
      known.touched = *below(2) == 0 ? all : some_of(all);
      // Both are seen by the same player, and differ where the move has touched them.
      if (before.mover != now.mover) before = now;
      for (std::size_t plane = 0; plane < now.planes.size(); ++plane)
        before.planes[plane] = (before.planes[plane] & known.touched) | (now.planes[plane] & ~known.touched);
      known.holds = about(rules, now);
      known.held = about(rules, before);
      std::vector<std::uint64_t> given;
      for (SetBounds* const input : {&known.origin, &known.placed, &known.taken}) {
        given.push_back(some_of(all) & some_of(all));
        *input = about(given.back(), all);
      }
      bounds.run(known);
      PositionBatch batch = made->rules().batch();
      batch.push(now);
      InputPointers pointers;
      const ProgramInput in = program_input(batch, 0, pointers);
      for (std::size_t plane = 0; plane < static_cast<std::size_t>(rules.layout.count()); ++plane)
        pointers.cells[kPlanesBefore + plane] = &before.planes[plane];
      pointers.cells[kOrigin] = &given[0];
      pointers.cells[kPlaced] = &given[1];
      pointers.cells[kTaken] = &given[2];
      const std::uint64_t trail = some_of(all);
      pointers.cells[kTrail] = &trail;
      Workspace work;
      program.run(in, 1, work);
      for (std::size_t r = 0; r < roots.size(); ++r) {
        CellSet set = 0;
        program.read_set(r, 1, work, &set);
        ++sets;
        const SetBounds whole = bounds.whole(roots[r]);
        exact += whole.must == whole.may ? 1 : 0;
        RC_ASSERT((whole.must & ~set) == 0U);
        RC_ASSERT((set & ~whole.may) == 0U);
        for (std::size_t a = 0; a <= static_cast<std::size_t>(rules.layout.count()); ++a) {
          const CellSet here = cells_holding(rules, now, a);
          const SetBounds of = bounds.of(roots[r], static_cast<int>(a));
          RC_ASSERT((of.must & here & ~set) == 0U);
          RC_ASSERT((set & here & ~of.may) == 0U);
        }
      }
    }
  });
  std::cout << sets << " sets, " << exact << " of them known exactly\n";
  EXPECT_GE(exact * 5, sets);
}

}  // namespace
}  // namespace plenum::variants_testing::known_cells_test
