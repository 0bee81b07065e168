// SPDX-License-Identifier: Apache-2.0
// Random small games, boards x options x mutated rules: the solver against the naive reference, position by position.
//
// Folded by symmetry and solved by the real solver on the one side; on the other the graph of all
// unreduced positions, and "repeat until nothing changes".
#include "tests/random_variants.h"

#include <gtest/gtest.h>

#include "solver/graph/analysis.h"
#include "solver/graph/components.h"
#include "solver/graph/random_play.h"
#include "tests/property.h"
#include "tests/reference.h"

namespace plenum::random_variants_test {
namespace {

constexpr std::size_t kMostPositions = 20'000;
constexpr std::size_t kClosurePositions = 600;  // up to which components come from the naive closure too

using random_variants::Recipe;
using random_variants::recipes;
using random_variants::write;

struct Tally {
  int games = 0;
  int with_cycle = 0;
  int with_forced = 0;
  int with_tie = 0;
  int with_fractions = 0;
  int exchangeable = 0;
};

// The same edges, whether their symmetries are kept beside where they lead, apart from it, or the first of them beside.
void compare_apart(const Variant& variant, const PositionGraph& beside) {
  for (const std::uint64_t joined : {0u, 20u}) {
    EnumerationLimits limits;
    limits.joined_positions = joined;
    const absl::StatusOr<Enumeration> found = enumerate(variant, variant.rules().start(), limits);
    RC_ASSERT(found.ok());
    const PositionGraph& apart = found->graph;
    RC_ASSERT(apart.symmetry.empty() == (apart.size() <= joined));
    RC_ASSERT(apart.first_edge == beside.first_edge);
    RC_ASSERT(apart.end_rank == beside.end_rank);
    // A solved graph has the edges of a position in another order.
    const auto edges_of = [](const PositionGraph& graph, PositionIndex p) {
      std::vector<std::pair<PositionIndex, GroupElement>> out;
      for (EdgeIndex e = graph.first_edge[p]; e < graph.first_edge[p + 1]; ++e)
        out.emplace_back(graph.successor(e), graph.edge_symmetry(e));
      std::sort(out.begin(), out.end());
      return out;
    };
    for (PositionIndex p = 0; p < beside.size(); ++p) RC_ASSERT(edges_of(apart, p) == edges_of(beside, p));
  }
}

// Whether the game was small enough to be compared.
bool compare(const Recipe& recipe, Tally& tally) {
  const std::string text = write(recipe);
  const absl::StatusOr<Description> description = parse_description({"random.toml", text, true}, PLENUM_DATA_FOLDER);
  RC_ASSERT(description.ok());
  const absl::StatusOr<Variant> variant = Variant::make(*description);
  if (!variant.ok()) RC_FAIL(std::string(variant.status().message()));
  const absl::StatusOr<SolvedGame> game = solve_game(*variant, variant->rules().start(), {});
  if (!game.ok()) RC_FAIL(std::string(game.status().message()));
  if (game->statistics().reachable > kMostPositions) return false;
  RC_ASSERT(game->graph().symmetry.empty());
  for (std::size_t t = 0; t < game->graph().tiers(); ++t) {
    for (PositionIndex p = game->graph().tier_begin[t]; p < game->graph().tier_begin[t + 1]; ++p) {
      for (const PositionIndex q : game->graph().successors(p)) RC_ASSERT(q >= game->graph().tier_begin[t]);
    }
  }
  compare_apart(*variant, game->graph());
  const Variant plain = variant->without_symmetries();
  const absl::StatusOr<Enumeration> whole = enumerate(plain, plain.rules().start(), {});
  RC_ASSERT(whole.ok());
  const PositionGraph& graph = whole->graph;
  const reference::NaiveSolution wanted = reference::solve(graph);
  RC_ASSERT(graph.size() == game->statistics().reachable);
  Statistics counted;
  bool forced = false;
  for (PositionIndex p = 0; p < graph.size(); ++p) {
    const Position position = whole->store->position(p);
    const auto value = game->value(position);
    RC_ASSERT(value.has_value());
    RC_ASSERT(game->reachable(position));
    RC_ASSERT(value->margin == to_first(graph.margin(wanted.value[p]), position.mover));
    if (wanted.value[p] != 0) RC_ASSERT(value->plies->count == wanted.remoteness[p]);
    RC_ASSERT(value->ended == graph.ended(p));
    if (graph.ended(p)) continue;
    if (wanted.value[p] == 0) {
      RC_ASSERT((value->outcome == Outcome::cycle) == wanted.cycle[p]);
      RC_ASSERT(value->forced_cycle == wanted.forced_cycle[p]);
      counted.tie += !wanted.cycle[p] ? 1U : 0U;
      counted.cycle += wanted.cycle[p] ? 1U : 0U;
      forced |= wanted.forced_cycle[p];
    }
    const bool first_moves = position.mover == Player::first;
    // A player can go on for ever where the other cannot force an end.
    RC_ASSERT(value->endless_first == !(first_moves ? wanted.other_forces_end[p] : wanted.mover_forces_end[p]));
    RC_ASSERT(value->endless_second == !(first_moves ? wanted.mover_forces_end[p] : wanted.other_forces_end[p]));
  }
  RC_ASSERT(counted.tie == game->statistics().tie);
  RC_ASSERT(counted.cycle == game->statistics().cycle);
  if (graph.size() <= kClosurePositions) {
    reference::Digraph edges(graph.size());
    for (PositionIndex p = 0; p < graph.size(); ++p)
      edges[p].assign(graph.successors(p).begin(), graph.successors(p).end());
    const reference::NaiveComponents naive = reference::components(edges, graph.start);
    RC_ASSERT(naive.count == game->components()->count);
    RC_ASSERT(naive.largest == game->components()->largest);
    RC_ASSERT(naive.positions == game->components()->positions);
  }
  const Lifts lifts(graph);
  const Components components = find_components(graph, lifts);
  RC_ASSERT(components.count == game->components()->count);
  RC_ASSERT(components.largest == game->components()->largest);
  RC_ASSERT(components.positions == game->components()->positions);
  if (variant->tiers().acyclic()) RC_ASSERT(components.count == 0U);
  const RandomPlay random = random_play(graph);
  RC_ASSERT(std::abs(random.first - game->random_play()->first) < 1e-9);
  RC_ASSERT(std::abs(random.tie - game->random_play()->tie) < 1e-9);
  RC_ASSERT(std::abs(random.endless - game->random_play()->endless) < 1e-9);
  ++tally.games;
  tally.with_cycle += counted.cycle > 0 ? 1 : 0;
  tally.with_forced += forced ? 1 : 0;
  tally.with_tie += counted.tie > 0 ? 1 : 0;
  tally.with_fractions += variant->rules().denominator() > 2 ? 1 : 0;
  tally.exchangeable += variant->symmetries().has_exchange() ? 1 : 0;
  return true;
}

TEST(RandomVariants, SolverAgreesWithReference) {
  Tally tally;
  check(500 * kFewer, [&] {  // with sanitizers too
    const Recipe recipe = *recipes();
    RC_LOG() << write(recipe);
    compare(recipe, tally);
  });
  RecordProperty("games", tally.games);
  std::cout << tally.games << " games compared: " << tally.with_cycle << " with a cycle, " << tally.with_forced
            << " with a forced one, " << tally.with_tie << " with a tie, " << tally.with_fractions
            << " with fractions, " << tally.exchangeable << " with exchangeable players\n";
  EXPECT_GE(tally.games, 300 / kFewer);
  EXPECT_GE(tally.with_cycle * 5, tally.games);
  EXPECT_GE(tally.with_forced * 10, tally.games);
  EXPECT_GE(tally.exchangeable * 10, tally.games);
  EXPECT_LT(tally.exchangeable, tally.games);
}

}  // namespace
}  // namespace plenum::random_variants_test
