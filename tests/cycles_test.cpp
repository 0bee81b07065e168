// SPDX-License-Identifier: Apache-2.0
// Traps, lines into them and the study of cycles: against definitions applied to unreduced graphs, and by hand.
#include "solver/study/cycles.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <absl/strings/str_cat.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>
#include <tbb/global_control.h>

#include "solver/graph/solve.h"
#include "solver/method/method.h"
#include "tests/random_graphs.h"
#include "tests/random_variants.h"
#include "tests/reference.h"
#include "tests/sanitized.h"
#include "tests/variants_testing.h"

namespace plenum::cycles_test {
namespace {

constexpr std::size_t kMostPositions = 600;

// All traps of random graphs that a group folds, as they lie in the unreduced graph.
TEST(Traps, AgreeWithTheUnreducedGraph) {
  int total = 0;
  int with_trap = 0;
  int several = 0;
  check(4000, [&] {
    const unsigned group = *rc::gen::inRange(0u, random_graphs::group_count());
    random_graphs::Draft draft = *rc::gen::resize(25, random_graphs::drafts());
    const auto game = random_graphs::build_symmetric(draft, group);
    const Solution solution = solve(game.graph);
    const Lifts lifts(game.graph);
    const Traps traps = find_traps(game.graph, lifts, solution);
    const std::size_t n = game.unreduced.size();
    std::vector<MarginRank> value(n, 0);
    reference::Set ended(n, false);
    std::vector<PositionIndex> stored(n, 0);
    for (PositionIndex p = 0; p < game.graph.size(); ++p) {
      for (const std::size_t v : game.vertex[p]) {
        value[v] = solution.value[p];
        ended[v] = game.graph.ended(p);
        stored[v] = p;
      }
    }
    reference::Digraph keeping(n);
    for (std::size_t v = 0; v < n; ++v) {
      for (const std::size_t w : game.unreduced[v]) {
        if (value[v] == 0 && value[w] == 0) keeping[v].push_back(w);
      }
    }
    const reference::Set reached = reference::reachable(game.unreduced, game.start);
    const reference::NaiveTraps naive = reference::traps(keeping, reached, ended);
    RC_ASSERT(traps.sizes == naive.sizes);
    std::uint64_t count = 0;
    std::uint64_t positions = 0;
    for (const auto& [size, times] : naive.sizes) {
      count += times;
      positions += size * times;
    }
    RC_ASSERT(traps.count == count);
    RC_ASSERT(traps.positions == positions);
    std::set<PositionIndex> smallest;
    for (const auto& trap : traps.smallest) smallest.insert(trap.begin(), trap.end());
    for (std::size_t v = 0; v < n; ++v) {
      if (reached[v]) RC_ASSERT(naive.smallest[v] == (smallest.count(stored[v]) > 0));
    }
    ++total;
    with_trap += count > 0 ? 1 : 0;
    several += count > 1 ? 1 : 0;
  });
  std::cout << with_trap << " of " << total << " random graphs have a trap, " << several << " several\n";
  EXPECT_GE(10 * with_trap, total);
  EXPECT_GE(100 * several, total);
}

struct Tally {
  int games = 0;
  int traps = 0;
  int examples = 0;
  int mistakes = 0;
};

// Whether that move leads from here to that position. Moves written alike may lead elsewhere.
bool leads(const SolvedGame& game, const Position& from, const LineMove& move) {
  const auto moves = successors(game.variant().rules(), from);
  RC_ASSERT(moves.ok());
  return std::any_of(moves->begin(), moves->end(),
                     [&](const Successor& s) { return s.text == move.text && s.position == move.after; });
}

// A line is legal, as short as can be, and marks the moves that give value away.
void check_line(const SolvedGame& game, const Line& line, std::uint32_t shortest, Tally& tally) {
  RC_ASSERT(line.moves.size() == shortest);
  RC_ASSERT(line.begin == game.start());
  Position at = line.begin;
  for (const LineMove& move : line.moves) {
    RC_ASSERT(leads(game, at, move));
    RC_ASSERT(move.gives_away == (game.value(at)->margin != game.value(move.after)->margin));
    tally.mistakes += move.gives_away ? 1 : 0;
    at = move.after;
  }
}

void study(const random_variants::Recipe& recipe, Tally& tally) {
  const auto description = parse_description({"random.toml", random_variants::write(recipe), true}, PLENUM_DATA_FOLDER);
  RC_ASSERT(description.ok());
  const auto variant = Variant::make(*description);
  RC_ASSERT(variant.ok());
  const auto result = method_of(MethodId::graph).solve(Game(*variant, variant->rules().start()), {});
  RC_ASSERT(result.ok());
  const SolvedGame* const game = (*result)->graph();
  if (game->statistics().reachable > kMostPositions) return;
  const auto found = study_cycles(**result);
  RC_ASSERT(found.ok());
  const Variant plain = variant->without_symmetries();
  const auto whole = enumerate(plain, plain.rules().start(), {});
  RC_ASSERT(whole.ok());
  const PositionGraph& graph = whole->graph;
  const reference::NaiveSolution naive = reference::solve(graph);
  reference::Digraph edges(graph.size());
  reference::Digraph keeping(graph.size());
  reference::Set ended(graph.size(), false);
  std::map<std::string, PositionIndex> number;
  for (PositionIndex p = 0; p < graph.size(); ++p) {
    number[plain.rules().write(whole->store->position(p))] = p;
    ended[p] = graph.ended(p);
    for (const PositionIndex q : graph.successors(p)) {
      edges[p].push_back(q);
      if (naive.value[p] == 0 && naive.value[q] == 0) keeping[p].push_back(q);
    }
  }
  const auto number_of = [&](const Position& p) { return number.at(plain.rules().write(p)); };
  const reference::NaiveTraps traps = reference::traps(keeping, reference::Set(graph.size(), true), ended);
  const auto far = reference::distances(edges, graph.start);
  const auto nearest = [&](const auto& wanted) {
    std::uint32_t out = reference::kUnreachable;
    for (PositionIndex p = 0; p < graph.size(); ++p) {
      if (wanted(p)) out = std::min(out, far[p]);
    }
    return out;
  };
  ++tally.games;
  RC_ASSERT(found->traps.sizes == traps.sizes);
  RC_ASSERT(found->trap.has_value() == !traps.sizes.empty());
  CycleCounts sum;
  for (const auto& [stones, counts] : found->by_stones) {
    sum.going_on += counts.going_on;
    sum.on_cycles += counts.on_cycles;
    sum.cycle += counts.cycle;
    sum.forced_cycle += counts.forced_cycle;
  }
  RC_ASSERT(sum.going_on == game->statistics().going_on());
  RC_ASSERT(sum.on_cycles == game->components()->positions);
  RC_ASSERT(sum.cycle == game->statistics().cycle);
  RC_ASSERT(sum.forced_cycle == game->statistics().forced_cycle);
  if (found->trap) {
    ++tally.traps;
    const Trap& trap = *found->trap;
    RC_ASSERT(trap.complete);
    RC_ASSERT(trap.size == traps.sizes.begin()->first);
    RC_ASSERT(trap.like_it == traps.sizes.begin()->second);
    check_line(*game, trap.line, nearest([&](PositionIndex p) { return traps.smallest[p]; }), tally);
    // From its first position exactly the ones listed can be reached.
    const reference::Set closed = reference::reachable(keeping, number_of(trap.positions.front().position));
    std::set<PositionIndex> listed;
    for (const TrapPosition& p : trap.positions) listed.insert(number_of(p.position));
    RC_ASSERT(listed.size() == trap.size);
    RC_ASSERT(listed.count(number_of(trap.line.end())) == 1U);
    for (PositionIndex p = 0; p < graph.size(); ++p) RC_ASSERT(closed[p] == (listed.count(p) > 0));
    std::uint32_t shortest = reference::kUnreachable;
    for (std::size_t i = 0; i < trap.positions.size(); ++i) {
      const TrapPosition& p = trap.positions[i];
      RC_ASSERT(p.moves.size() == edges[number_of(p.position)].size());
      std::size_t kept = 0;
      for (std::size_t m = 0; m < p.moves.size(); ++m) {
        RC_ASSERT(p.moves[m].keeps == (p.leads_to[m] != kNotListed));
        if (!p.moves[m].keeps) continue;
        ++kept;
        RC_ASSERT(trap.positions[p.leads_to[m]].position == p.moves[m].successor.position);
      }
      RC_ASSERT(kept == keeping[number_of(p.position)].size());
      for (const std::size_t q : keeping[number_of(p.position)])
        shortest = std::min(shortest, 1 + reference::distances(keeping, q)[number_of(p.position)]);
      // The first ones are a cycle, in order.
      if (i >= trap.cycle) continue;
      const std::size_t next = (i + 1) % trap.cycle;
      RC_ASSERT(std::find(p.leads_to.begin(), p.leads_to.end(), next) != p.leads_to.end());
    }
    RC_ASSERT(trap.cycle == shortest);
  } else if (game->components()->count > 0) {
    ++tally.examples;
    const CycleExample& example = *found->example;
    const bool cycles = game->statistics().cycle > 0;
    const auto components = reference::components(edges, graph.start);
    check_line(*game, example.line,
               nearest([&](PositionIndex p) { return cycles ? naive.cycle[p] : components.on_cycle[p]; }), tally);
    // Best play comes back to some position, the shortest way round to this one.
    Position at = example.line.end();
    std::set<PositionIndex> met = {number_of(at)};
    for (std::size_t i = 0; i < example.round.size(); ++i) {
      const Position& after = example.round[i].after;
      RC_ASSERT(leads(*game, at, example.round[i]));
      const bool keeps = naive.value[number_of(at)] == -naive.value[number_of(after)];
      RC_ASSERT(example.round[i].gives_away == !keeps);
      RC_ASSERT(keeps || !cycles);
      at = after;
      RC_ASSERT(met.insert(number_of(at)).second == (i + 1 < example.round.size()));
    }
    RC_ASSERT(!example.round.empty());
    if (!cycles) RC_ASSERT(at == example.line.end());
  } else {
    RC_ASSERT(!found->example.has_value());
  }
}

TEST(Cycles, OfRandomGames) {
  Tally tally;
  check(720, [&] {
    const random_variants::Recipe recipe = *random_variants::recipes();
    RC_LOG() << random_variants::write(recipe);
    study(recipe, tally);
  });
  std::cout << tally.games << " games, " << tally.traps << " with a trap, " << tally.examples
            << " with another example; " << tally.mistakes << " moves of lines give value away\n";
  EXPECT_GE(tally.games, 200 / kFewer);
  EXPECT_GE(tally.traps * 15, tally.games);
  EXPECT_GE(tally.examples * 15, tally.games);
  EXPECT_GE(tally.mistakes, 50 / kFewer);
}

std::shared_ptr<const Result> solved(const std::vector<std::string>& settings) {
  absl::StatusOr<Description> game = load_description("populace", PLENUM_DATA_FOLDER);
  for (const std::string& setting : settings) EXPECT_TRUE(game->set_option(Span::whole("--set", setting)).ok());
  const absl::StatusOr<Variant> variant = Variant::make(*game);
  return *method_of(MethodId::graph).solve(Game(*variant, variant->rules().start()), {});
}
CycleStudy study_of(const std::vector<std::string>& settings) { return *study_cycles(*solved(settings)); }

// One player can only pass, the other takes a stone to and fro between the last two cells: every other move loses by one.
TEST(Cycles, APathOfNine) {
  const CycleStudy study = study_of({"board=path:9"});
  ASSERT_TRUE(study.trap);
  EXPECT_EQ(study.traps.count, 4u);
  EXPECT_EQ(study.trap->size, 4u);
  EXPECT_EQ(study.trap->cycle, 4u);
  for (const TrapPosition& p : study.trap->positions) {
    int kept = 0;
    for (const ValuedMove& move : p.moves) {
      kept += move.keeps ? 1 : 0;
      if (!move.keeps) {
        EXPECT_EQ(std::abs(move.after.margin.margin.units), 1);
      }
    }
    EXPECT_EQ(kept, 1);
  }
}

// What a program written apart from this one found, from the rules alone.
TEST(Cycles, AsAnotherProgramFoundThem) {
  using Json = nlohmann::json;
  std::ifstream in(std::string(PLENUM_TESTS_FOLDER) + "/golden/traps.jsonl");
  int games = 0;
  for (std::string line; std::getline(in, line); ++games) {
    SCOPED_TRACE(line);
    const Json wanted = Json::parse(line);
    if (kSanitized && wanted["reachable"] > 500'000) continue;
    std::vector<std::string> settings;
    for (const auto& [key, value] : wanted["options"].items()) settings.push_back(key + "=" + value.get<std::string>());
    const auto game = solved(settings);
    const Statistics& s = *game->summary().statistics;
    EXPECT_EQ(s.reachable, wanted["reachable"]);
    EXPECT_EQ(s.tie, wanted["tie"]);
    EXPECT_EQ(s.cycle, wanted["cycle"]);
    EXPECT_EQ(s.forced_cycle, wanted["forced_cycle"]);
    const auto study = study_cycles(*game);
    ASSERT_TRUE(study.ok());
    Json sizes = Json::object();
    for (const auto& [size, count] : study->traps.sizes) sizes[std::to_string(size)] = count;
    EXPECT_EQ(sizes, wanted["sizes"]);
    ASSERT_EQ(study->trap.has_value(), !wanted["plies"].is_null());
    if (!study->trap) continue;
    EXPECT_EQ(study->trap->line.moves.size(), wanted["plies"]);
    EXPECT_EQ(study->trap->cycle, wanted["cycle_length"]);
  }
  EXPECT_GE(games, 15);
}

// By rows no graph is stored: the same counts, and a trap that is one.
TEST(Cycles, WithoutAGraph) {
  int traps = 0;
  for (const std::vector<std::string>& settings : {std::vector<std::string>{"board=path:9"},
                                                   {"board=hexhex:2", "button=on"},
                                                   {"board=square:2x3"},
                                                   {"board=square:3x3", "threat=1"}}) {
    const Variant variant = variants_testing::game("populace", settings);
    const Game game(variant, variant.rules().start());
    const auto graph = variants_testing::sure(method_of(MethodId::graph).solve(game, {}));
    const auto rows = variants_testing::sure(method_of(MethodId::rows).solve(game, {}));
    const CycleStudy wanted = variants_testing::sure(study_cycles(*graph));
    const CycleStudy found = variants_testing::sure(study_cycles(*rows));
    EXPECT_TRUE(wanted.graph_known);
    EXPECT_FALSE(found.graph_known);
    ASSERT_EQ(found.by_stones.size(), wanted.by_stones.size());
    for (const auto& [stones, n] : wanted.by_stones) {
      EXPECT_EQ(found.by_stones.at(stones).going_on, n.going_on);
      EXPECT_EQ(found.by_stones.at(stones).cycle, n.cycle);
      EXPECT_EQ(found.by_stones.at(stones).forced_cycle, n.forced_cycle);
    }
    EXPECT_EQ(found.trap.has_value(), wanted.trap.has_value());
    EXPECT_EQ(found.example.has_value(), wanted.example.has_value() && wanted.example->value.outcome == Outcome::cycle);
    if (!found.trap) continue;
    ++traps;
    EXPECT_EQ(found.trap->size, found.trap->positions.size());
    EXPECT_GE(found.trap->size, wanted.trap->size);
    EXPECT_GT(found.trap->cycle, 0U);
    for (const TrapPosition& p : found.trap->positions) {
      EXPECT_TRUE(graph->value(p.position)->forced_cycle);
      for (std::size_t m = 0; m < p.moves.size(); ++m) EXPECT_EQ(p.moves[m].keeps, p.leads_to[m] != kNotListed);
    }
    Position at = variant.rules().start();
    for (const LineMove& move : found.trap->line.moves)
      at = variants_testing::sure(find_move(variant.rules(), at, Span::whole("move", move.text))).position;
    EXPECT_EQ(variant.rules().write(at), variant.rules().write(found.trap->line.end()));
  }
  EXPECT_GT(traps, 0);
}

TEST(Cycles, DoNotDependOnTheNumberOfThreads) {
  std::vector<std::string> seen;
  for (const std::size_t threads : {1U, 2U, 3U}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    const CycleStudy study = study_of({"board=square:2x4", "button=on"});
    std::string text = absl::StrCat(study.traps.count, " ", study.trap->size, ":");
    for (const LineMove& move : study.trap->line.moves) absl::StrAppend(&text, " ", move.text);
    for (const TrapPosition& p : study.trap->positions) {
      absl::StrAppend(&text, " |");
      for (const ValuedMove& move : p.moves) absl::StrAppend(&text, " ", move.successor.text);
    }
    seen.push_back(text);
  }
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
}

}  // namespace
}  // namespace plenum::cycles_test
