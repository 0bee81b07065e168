// SPDX-License-Identifier: Apache-2.0
// Random small games, boards x options x mutated rules: the solver against the naive reference, position by position.
//
// A game is a handful of numbers, each choosing one of a few ways to write a rule, so that a failure shrinks to the fewest changes
// that still show it. Folded by symmetry and solved by the real solver on the one side; on the other the graph of all
// unreduced positions, and "repeat until nothing changes".
#include <set>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "solver/analysis.h"
#include "tests/reference.h"

namespace plenum {
namespace {

constexpr std::size_t kMostPositions = 20'000;
constexpr std::size_t kClosurePositions = 600;  // up to which components come from the naive closure too

const std::vector<std::string> kBoards = {"path:3",
                                          "path:2",
                                          "path:4",
                                          "cycle:3",
                                          "cycle:4",
                                          "cycle:5",
                                          "square:2x2",
                                          "square:2x3",
                                          "king:2x3",
                                          "hexrect:2x2",
                                          "hexrect:2x3",
                                          "torus:2x3",
                                          "path:5",
                                          "edges:a-b b-c c-a d",
                                          "edges:a-b-c-d b-d",
                                          "edges:a-b a-c a-d a-e",
                                          "hexhex:1",
                                          "torus:2x2"};

// Each list: the rule as it is first, so that shrinking goes back to it.
const std::vector<std::vector<std::string>> kChanges = {
    {"", "options.threat.default = 1", "options.threat.default = 3"},
    {"", "options.button.default = \"on\""},
    {"", "options.move_to.default = \"no_drop\"", "options.move_to.default = \"no_drop_lifted\""},
    {"", "options.move.default = \"off\""},
    {"", "options.replace.default = \"off\""},
    {"", "define.controlled = \"empty & near(mine) > near(theirs) + near(empty)\"", "define.controlled = \"none\"",
     "define.controlled = \"empty & joined(empty | theirs, theirs) & near(mine) >= near(theirs)\""},
    {"", "moves.move.within = \"1\"", "moves.move.within = \"near(mine) + 1 - near(theirs) * 2\"",
     "moves.move.within = \"if count(mine) > 1 then 2 else near(stones)\"",
     "moves.move = { within = false, step = \"adjacent\" }"},
    {"", "moves.replace.to = \"theirs & near(mine) > 0\"", "moves.replace.to = \"theirs & !(near(theirs) > 0)\"",
     "moves.replace.to = \"stones & surplus < 0\""},
    {"", "moves.place.to = \"empty\"", "moves.place.when = \"count(mine) < 2\"",
     "moves.place = { to = \"empty & near(stones) <= 1\", when = \"count(stones) < 3\" }"},
    {"", "moves.leave = { from = \"mine & surplus < 0\" }",
     "moves.leave = { from = \"mine\", when = \"count(mine) > 1\" }",
     "moves.leave = { from = \"theirs & near(mine) > 1\" }",
     "moves.gift = { to = \"empty & near(theirs) > 1\", put = \"theirs\" }",
     "moves.turn = { to = \"empty\", when = \"count(empty) == 1\", then = \"theirs & near(placed) > 0 -> mine\" }"},
    {"", "kinds.red = \"nobody\"\nmoves.drop = { to = \"empty & near(stones) == 0\", put = \"red\" }",
     "kinds.red = { owner = \"nobody\", letter = \"r\" }\nmoves.paint = { to = \"empty & near(theirs) > 0\", put = "
     "[\"mine\", \"red\"], then = \"if count(red) > 2: red & near(placed) > 0 -> empty\" }"},
    {"", "moves.pass.when = \"count(mine) > 1\"", "moves.pass.when = \"!any(controlled)\"",
     "moves.pass.when = \"count(mine) >= count(theirs) & any(mine)\"",
     "moves.pass.when = \"me == first | count(empty) < 2\"", "moves.pass = { when = \"count(mine) > count(theirs)\" }"},
    {"", "end.score = \"count(mine) / 3\"", "end.score = \"count(mine) + (if me == second then 1/2 else 0)\"",
     "end.score = \"count(mine & near(theirs) > 0) - count(controlled) * 2 / 3\"", "end.score = \"0\"",
     "end.tiebreak = \"me == second\""},
    {"", "end.when = \"passes == 2 | !any(stones) & passes == 1\"", "end.when = \"passes == 2 & any(empty)\"",
     "end.when = \"passes == 1 & !any(empty)\""},
    {"", "end.wins = \"any(g in groups(mine): count(g) > 2)\"", "end.loses = \"any(theirs) & !any(mine)\"",
     "end.wins = \"count(mine) > 3\"\nend.both = \"tie\"",
     "end.wins = \"any(stones) & !any(joined(mine, theirs | near(theirs) > 0))\"\nend.both = \"mover_loses\""},
    {"", "moves.replace.then = \"repeat: theirs & near(mine) > near(theirs) + 1 -> mine\"",
     "moves.replace.then = \"spread from placed: theirs & near(mine) > near(theirs) -> empty\"",
     "moves.replace.then = [\"repeat: theirs & near(changed | placed) > 0 -> empty\", \"if any(changed): placed -> "
     "empty\"]",
     "moves.replace.legal = \"any(theirs)\""},
    {"",
     "moves.replace.next = \"shift\"\nparts.shift = { from = \"mine & !placed\", to = \"empty & adjacent(from)\", "
     "optional = true }",
     "moves.replace.next = \"drop\"\nparts.drop = { to = \"empty & near(placed) > 0\", when = \"count(empty) > 1\" }",
     "moves.replace.next = \"take\"\nparts.take = { from = \"theirs & near(mine) > near(theirs)\" }"},
    {"", "moves.jump = { to = \"empty & near(mine) > 0\", lift = \"mine & near(mine) == 0\" }",
     "moves.shoot = { from = \"theirs & near(mine) > near(theirs)\", when = \"count(mine) > 1\" }"},
};
const std::vector<std::string> kStuck = {"scores", "loses", "ties", "wins", "pass"};

struct Recipe {
  std::size_t board = 0;
  std::size_t stuck = 0;
  std::vector<std::size_t> change;
};

std::string write(const Recipe& recipe) {
  std::string out = absl::StrCat("name = \"random\"\nextends = \"populace\"\noptions.board.default = \"",
                                 kBoards[recipe.board], "\"\nend.stuck = \"", kStuck[recipe.stuck], "\"\n");
  for (std::size_t i = 0; i < kChanges.size(); ++i) absl::StrAppend(&out, kChanges[i][recipe.change[i]], "\n");
  return out;
}

rc::Gen<Recipe> recipes() {
  return rc::gen::exec([] {
    Recipe out;
    out.board = *rc::gen::inRange<std::size_t>(0, kBoards.size());
    out.stuck = *rc::gen::inRange<std::size_t>(0, kStuck.size());
    for (const auto& choices : kChanges) out.change.push_back(*rc::gen::inRange<std::size_t>(0, choices.size()));
    return out;
  });
}

struct Tally {
  int games = 0;
  int with_cycle = 0;
  int with_forced = 0;
  int with_tie = 0;
  int with_fractions = 0;
  int exchangeable = 0;
};

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
  ASSERT_TRUE(rc::check("the solver and the naive reference agree", [&] {
    const Recipe recipe = *recipes();
    RC_LOG() << write(recipe);
    compare(recipe, tally);
  }));
  RecordProperty("games", tally.games);
  std::cout << tally.games << " games compared: " << tally.with_cycle << " with a cycle, " << tally.with_forced
            << " with a forced one, " << tally.with_tie << " with a tie, " << tally.with_fractions
            << " with fractions, " << tally.exchangeable << " with exchangeable players\n";
  EXPECT_GE(tally.games, 300);
  EXPECT_GE(tally.with_cycle * 5, tally.games);
  EXPECT_GE(tally.with_forced * 10, tally.games);
  EXPECT_GE(tally.exchangeable * 10, tally.games);
  EXPECT_LT(tally.exchangeable, tally.games);
}

}  // namespace
}  // namespace plenum

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  setenv("RC_PARAMS", "max_success=500 seed=20251", 0);  // a caller may choose others
  return RUN_ALL_TESTS();
}
