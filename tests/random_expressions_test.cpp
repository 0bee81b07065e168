// SPDX-License-Identifier: Apache-2.0
// Random expressions against an interpreter of the tests' own, cell by cell (slow_expressions.h); what fails is shrunk.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/slow_expressions.h"

namespace plenum::variants_testing::random_expressions_test {
namespace {

using slow::compiled;
using slow::World;

// As many as one batch of a program, fewer, more.
unsigned batch_size() { return std::array{1U, 2U, 3U, 7U, 256U, 257U, 300U}[*below(10) == 0 ? *below(7) : *below(4)]; }

// A random expression in a game, and positions of it.
struct Drawn {
  slow::Tree tree;
  Variant variant;
  PositionBatch batch;
};

// The expression stands between `before` and `after`. Nothing where its numbers are too large.
std::optional<Drawn> draw(char type, unsigned cells, const std::string& before, const std::string& after) {
  slow::Ground ground = slow::ground(cells);
  ground.rich = *below(3) == 0;
  slow::Maker maker(ground.board);
  maker.with_lines = ground.with_lines;
  maker.rich = ground.rich;
  const slow::Tree tree = maker.make(type, static_cast<int>(2 + *below(3)));
  const std::string text = "name = \"T\"\n" + ground.text + slow::kinds_and_state(ground) + maker.definitions() +
                           "[moves.note]\nwhen = \"" + slow::kReadsTheState + "\"\n[moves.pass]\n" + before +
                           tree.text + after;
  RC_LOG(text);
  const std::optional<Variant> v = compiled(text);
  if (!v) return std::nullopt;
  PositionBatch batch = v->rules().batch();
  for (unsigned k = batch_size(); k > 0; --k) batch.push(*positions(v->rule_set()));
  return Drawn{tree, *v, std::move(batch)};
}

TEST(Expressions, AgainstCellByCell) {
  int tried = 0;
  int skipped = 0;
  check(1500, [&] {
    ++tried;
    const std::optional<Drawn> drawn = draw('s', *below(4) == 0 ? 64 : 16, "[moves.place]\nput = \"x\"\nto = \"(",
                                            ") & cells\"\n[end]\nwhen = \"passes == 3\"\nscore = \"count(mine)\"\n");
    if (!drawn) {
      ++skipped;
      return;
    }
    const auto& [tree, v, batch] = *drawn;
    Rules::Scratch scratch(v.rules());
    RC_ASSERT(v.rules().expand(batch, scratch).ok());
    std::vector<CellSet> found(batch.size, 0);
    for (std::size_t i = 0; i < scratch.successors.size; ++i) {
      const Cell to = scratch.move[i].first.to;
      if (to != kNoCell) found[scratch.parent[i]] |= cell_bit(to);
    }
    for (std::size_t k = 0; k < batch.size; ++k) {
      RC_LOG(std::to_string(k) + ": " + v.rules().write(batch.at(k)));
      const CellSet wanted = tree.set(slow::world(v.rule_set(), batch.at(k)));
      RC_ASSERT(names(v.board(), found[k]) == names(v.board(), wanted));
    }
  });
  EXPECT_LT(skipped * 8, tried);
}

// Numbers as scores, read for each player.
TEST(Expressions, ScoresOfBothPlayers) {
  int tried = 0;
  int skipped = 0;
  check(700, [&] {
    ++tried;
    const std::optional<Drawn> drawn = draw('n', 16, "[end]\nwhen = \"!any(none)\"\nscore = \"", "\"\n");
    if (!drawn) {
      ++skipped;
      return;
    }
    const auto& [tree, v, batch] = *drawn;
    Rules::Scratch scratch(v.rules());
    std::vector<std::uint8_t> ended;
    std::vector<std::int64_t> margin;
    v.rules().judge(batch, scratch, ended, margin);
    for (std::size_t k = 0; k < batch.size; ++k) {
      RC_LOG(v.rules().write(batch.at(k)));
      World w = slow::world(v.rule_set(), batch.at(k));
      const slow::Fraction mine = tree.value(w).number;
      w.viewer = 1 - w.viewer;
      const slow::Fraction theirs = tree.value(w).number;
      RC_ASSERT(ended[k] == 1);
      RC_ASSERT(slow::Fraction::of(margin[k], v.rules().denominator()) == mine - theirs);
    }
  });
  EXPECT_LT(skipped * 8, tried);
}

}  // namespace
}  // namespace plenum::variants_testing::random_expressions_test
