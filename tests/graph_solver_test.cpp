// SPDX-License-Identifier: Apache-2.0
// Values, remoteness and facts: against the naive reference on random graphs, for any number of threads, and
// by hand for each rule.
#include <algorithm>
#include <cstddef>
#include <iostream>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <tbb/global_control.h>

#include "solver/graph/observed_tiers.h"
#include "solver/graph/solve.h"
#include "tests/random_graphs.h"
#include "tests/reference.h"

namespace plenum::graph_solver_test {
namespace {

using random_graphs::Draft;

// What differs from the reference, in words; empty if nothing does.
std::string difference(const PositionGraph& graph, const Solution& s, const reference::NaiveSolution& naive) {
  std::string text;
  for (PositionIndex p = 0; p < graph.size() && text.size() < 400; ++p) {
    const auto expect = [&](const char* what, auto actual, auto expected) {
      if (actual == expected) return;
      text += std::string(what) + " of " + std::to_string(p) + " is " + std::to_string(actual) + ", not " +
              std::to_string(expected) + "\n";
    };
    expect("value", s.value[p], naive.value[p]);
    expect("remoteness", s.remoteness[p].count, naive.remoteness[p]);
    expect("mover_ends", s.has(p, kMoverEnds), static_cast<bool>(naive.mover_ends[p]));
    expect("other_ends", s.has(p, kOtherEnds), static_cast<bool>(naive.other_ends[p]));
    expect("end_reachable", s.has(p, kEndReachable), static_cast<bool>(naive.end_reachable[p]));
    expect("mover_forces_end", s.has(p, kMoverForcesEnd), static_cast<bool>(naive.mover_forces_end[p]));
    expect("other_forces_end", s.has(p, kOtherForcesEnd), static_cast<bool>(naive.other_forces_end[p]));
    expect("cycle", s.is_cycle(p), static_cast<bool>(naive.cycle[p]));
    expect("forced_cycle", s.is_forced_cycle(p), static_cast<bool>(naive.forced_cycle[p]));
  }
  return text;
}

Solution solve_with(std::size_t threads, const PositionGraph& graph) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  return solve(graph);
}

bool same(const Solution& a, const Solution& b) {
  return a.value == b.value && a.remoteness == b.remoteness && a.facts == b.facts;
}

// value > 0: the mover can force such an end, the opponent cannot; and so on (solution.h).
bool invariants_hold(const PositionGraph& graph, const Solution& s) {
  for (PositionIndex p = 0; p < graph.size(); ++p) {
    if (s.value[p] > 0 && (!s.has(p, kMoverEnds) || s.has(p, kOtherEnds))) return false;
    if (s.value[p] < 0 && (!s.has(p, kOtherEnds) || s.has(p, kMoverEnds))) return false;
    if (s.has(p, kMoverEnds) && !s.has(p, kMoverForcesEnd)) return false;
    if (s.has(p, kOtherEnds) && !s.has(p, kOtherForcesEnd)) return false;
    if (s.has(p, kEndReachable) && s.value[p] != 0) return false;
    if (s.is_tie(p) && !s.has(p, kEndReachable)) return false;
    if ((s.remoteness[p].count == 0) != (s.value[p] == 0 || graph.ended(p))) return false;
  }
  return true;
}

TEST(GraphSolver, AgreesWithTheReferenceOnRandomGraphs) {
  constexpr int kGraphs = 3000;
  int with_cycle = 0;
  int with_forced_cycle = 0;
  int with_tie = 0;
  int total = 0;
  check(kGraphs, [&] {
    const Draft draft = *random_graphs::drafts();
    const PositionGraph graph = random_graphs::build(draft);
    const Solution solution = solve(graph);
    const auto naive = reference::solve(graph);
    RC_ASSERT(difference(graph, solution, naive) == "");
    RC_ASSERT(invariants_hold(graph, solution));
    const auto any = [&](auto predicate) {
      for (PositionIndex p = 0; p < graph.size(); ++p) {
        if (!graph.ended(p) && predicate(p)) return 1;
      }
      return 0;
    };
    ++total;
    with_cycle += any([&](auto p) { return naive.cycle[p]; });
    with_forced_cycle += any([&](auto p) { return naive.forced_cycle[p]; });
    with_tie += any([&](auto p) { return naive.value[p] == 0 && !naive.cycle[p]; });
  });
  // A test without the hard cases proves nothing.
  EXPECT_GE(5 * with_cycle, total);
  EXPECT_GE(10 * with_forced_cycle, total);
  EXPECT_GE(5 * with_tie, total);
  std::cout << "of " << total << " random graphs " << with_cycle << " have cycles, " << with_forced_cycle
            << " forced ones, " << with_tie << " ties\n";
}

// Large enough for frontiers and tiers to be shared between threads.
TEST(GraphSolver, ManyThreadsGiveTheSameBits) {
  std::mt19937_64 random(7);
  for (const unsigned inner_share : {8u, 7u, 5u, 0u}) {
    const PositionGraph graph = random_graphs::build(random_graphs::large_draft(random, 40'000, inner_share));
    const Solution one = solve_with(1, graph);
    EXPECT_TRUE(same(one, solve_with(2, graph)));
    EXPECT_TRUE(same(one, solve_with(4, graph)));
    EXPECT_EQ(difference(graph, one, reference::solve(graph)), "");
  }
}

TEST(GraphSolver, ReportsProgressTierByTier) {
  std::mt19937_64 random(8);
  const PositionGraph graph = random_graphs::build(random_graphs::large_draft(random, 90, 4));
  std::vector<std::uint64_t> seen;
  std::set<std::string> stages;
  SolveProgress progress;
  Stop stop([&] {
    if (seen.empty() || seen.back() != progress.solved) seen.push_back(progress.solved);
    stages.insert(progress.stage.load());
    return true;
  });
  solve(graph, &stop, &progress);
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{0, 30, 60, 90}));
  EXPECT_EQ(stages, (std::set<std::string>{"facts", "predecessors", "values and remoteness"}));
}

// One tier; a position is a list of successors, or ended with a rank.
struct Made {
  std::vector<PositionIndex> next;
  MarginRank rank = kNotEnded;
};

PositionGraph make(const std::vector<Made>& positions) {
  PositionGraph graph;
  graph.level = {{0}, {1}, {2}, {3}};
  graph.tier_begin = {0, static_cast<PositionIndex>(positions.size())};
  graph.first_edge = {0};
  for (const Made& p : positions) {
    graph.edge.insert(graph.edge.end(), p.next.begin(), p.next.end());
    graph.first_edge.push_back(graph.edge.size());
    graph.end_rank.push_back(p.next.empty() ? p.rank : kNotEnded);
  }
  return graph;
}

Made end(MarginRank rank) { return {{}, rank}; }

TEST(GraphSolver, AnEndAtZeroIsATieWithoutPlies) {
  const Solution s = solve(make({{{1}}, end(0)}));
  EXPECT_TRUE(s.is_tie(0));
  EXPECT_TRUE(s.is_tie(1));
  EXPECT_EQ(s.remoteness[0], Ply{0});
  EXPECT_TRUE(s.has(0, kEndReachable));
}

TEST(GraphSolver, ATieIsToldFromACycle) {
  // 0 and 1 lead to each other; from 0 the mover may also end at 0.
  const Solution tie = solve(make({{{1, 2}}, {{0}}, end(0)}));
  EXPECT_TRUE(tie.is_tie(0));
  EXPECT_TRUE(tie.is_tie(1));
  EXPECT_TRUE(tie.has(0, kMoverEnds));
  EXPECT_FALSE(tie.has(0, kOtherEnds));
  EXPECT_TRUE(tie.has(1, kOtherEnds));
  // Leaving loses instead.
  const Solution cycle = solve(make({{{1, 2}}, {{0, 2}}, end(1)}));
  EXPECT_EQ(cycle.value[0], 0);
  EXPECT_TRUE(cycle.is_cycle(0));
  EXPECT_TRUE(cycle.is_forced_cycle(0));
  EXPECT_TRUE(cycle.has(0, kMoverForcesEnd));
  EXPECT_TRUE(cycle.has(0, kOtherForcesEnd));  // both can leave, at a loss
}

TEST(GraphSolver, ACycleThatBothTogetherCanEndIsNotForced) {
  // BetzaAtom on 0 -> 1 -> 0 is safe for both. From 1 the mover may offer 3, from where the other may end at 0 or do worse to
  // the offerer's good: 3 keeps the value, but ending there is up to the one who moves in 3.
  const Solution s = solve(make({{{1, 4}}, {{0, 3}}, end(0), {{2, 0}}, end(2)}));
  EXPECT_EQ(s.value[1], 0);
  EXPECT_TRUE(s.is_tie(3));  // the mover of 3 ends it
  EXPECT_TRUE(s.is_cycle(1));
  EXPECT_FALSE(s.is_forced_cycle(1));
  EXPECT_TRUE(s.is_cycle(0));
  EXPECT_FALSE(s.is_forced_cycle(0));  // through the tie at 3
}

TEST(GraphSolver, EndlessIsOneSided) {
  // 0: the mover may stay in the loop 0 -> 1 -> 0 for ever or end with a win; the opponent has no choice.
  const Solution s = solve(make({{{1, 2}}, {{0}}, end(-1)}));
  EXPECT_EQ(s.value[0], 1);
  EXPECT_EQ(s.value[1], -1);
  EXPECT_TRUE(s.mover_endless(0));
  EXPECT_FALSE(s.other_endless(0));
  EXPECT_TRUE(s.other_endless(1));
  EXPECT_FALSE(s.mover_endless(1));
}

TEST(GraphSolver, RemotenessIsShortForTheWinnerAndLongForTheLoser) {
  // 0 wins by 2 in one ply or in three; 4 loses by 2 whatever it does, at most in four.
  const Solution s = solve(make({{{1, 2}}, end(-2), {{3}}, {{1}}, {{0, 5}}, {{2}}, end(-1)}));
  EXPECT_EQ(s.value[0], 2);
  EXPECT_EQ(s.remoteness[0], Ply{1});
  EXPECT_EQ(s.value[2], -2);
  EXPECT_EQ(s.remoteness[2], Ply{2});
  EXPECT_EQ(s.remoteness[5], Ply{3});
  EXPECT_EQ(s.value[4], -2);
  EXPECT_EQ(s.remoteness[4], Ply{4});
}

TEST(GraphSolver, LargerMarginsComeFirstAndWorseMovesDoNotLengthenALoss) {
  // 0 may lose by 1 at once or by 3 much later: it loses by 1, in one ply.
  const Solution s = solve(make({{{1, 2}}, end(1), {{3}}, {{4}}, end(3)}));
  EXPECT_EQ(s.value[0], -1);
  EXPECT_EQ(s.remoteness[0], Ply{1});
  EXPECT_EQ(s.value[2], 3);
  EXPECT_EQ(s.remoteness[2], Ply{2});
}

TEST(GraphSolver, ASelfEdgeHoldsAPosition) {
  const Solution s = solve(make({{{0, 0, 1}}, end(3)}));
  EXPECT_TRUE(s.is_forced_cycle(0));
  EXPECT_FALSE(s.mover_endless(0));  // the opponent, to move in 0 as well, may leave
  EXPECT_FALSE(s.other_endless(0));
}

TEST(GraphSolver, WithoutAnEndPlayIsEndlessForBoth) {
  const Solution s = solve(make({{{1}}, {{0}}, {{0, 3}}, end(-1)}));
  EXPECT_TRUE(s.is_forced_cycle(0));
  EXPECT_TRUE(s.mover_endless(0));
  EXPECT_TRUE(s.other_endless(0));
  EXPECT_EQ(s.value[2], 1);
  EXPECT_TRUE(s.mover_endless(2));
}

using Edge = std::tuple<PositionIndex, PositionIndex, GroupElement>;  // from, to, symmetry

std::vector<Edge> edges_of(const PositionGraph& graph) {
  std::vector<Edge> out;
  for (PositionIndex p = 0; p < graph.size(); ++p) {
    for (EdgeIndex e = graph.first_edge[p]; e < graph.first_edge[p + 1]; ++e)
      out.emplace_back(p, graph.successor(e), graph.edge_symmetry(e));
  }
  std::sort(out.begin(), out.end());
  return out;
}

// Gives the edges symmetries, which nothing here asks the meaning of.
void add_symmetries(PositionGraph& graph, bool apart, std::mt19937_64& random) {
  graph.symmetry_bits = apart ? 0 : 3;
  if (apart) graph.symmetry.resize(graph.edge.size());
  for (EdgeIndex e = 0; e < graph.edge.size(); ++e) {
    const auto symmetry = static_cast<GroupElement>(random() % 8);
    if (apart) {
      graph.symmetry[e] = symmetry;
    } else {
      graph.edge[e] = graph.edge[e] << 3 | symmetry;
    }
  }
}

// Tiers of several slabs and parts, with few inner edges and with many, and a whole graph of a few positions.
TEST(Tier, TurnsEdgesAndGivesThemBack) {
  std::mt19937_64 random(9);
  for (const std::size_t positions : {60u, 150'000u}) {
    for (const unsigned inner_share : {8u, 5u, 1u, 0u}) {
      for (const bool apart : {false, true}) {
        PositionGraph graph = random_graphs::build(random_graphs::large_draft(random, positions, inner_share));
        add_symmetries(graph, apart, random);
        const std::vector<Edge> before = edges_of(graph);
        for (std::size_t t = 0; t < graph.tiers(); ++t) {
          std::vector<std::vector<PositionIndex>> sources(graph.tier_begin[t + 1] - graph.tier_begin[t]);
          bool any = false;
          for (PositionIndex p = graph.tier_begin[t]; p < graph.tier_begin[t + 1]; ++p) {
            for (const PositionIndex q : graph.successors(p)) {
              if (!is_inner(graph, graph.tier_begin[t + 1], q)) continue;
              sources[q - graph.tier_begin[t]].push_back(p - graph.tier_begin[t]);
              any = true;
            }
          }
          Tier tier(graph, t);
          ASSERT_EQ(tier.acyclic(), !any);
          for (LocalIndex q = 0; any && q < tier.size(); ++q) {
            const auto row = tier.predecessors(q);
            ASSERT_TRUE(std::equal(row.begin(), row.end(), sources[q].begin(), sources[q].end())) << q;
          }
          tier.give_back();
        }
        EXPECT_TRUE(edges_of(graph) == before) << positions << " " << inner_share << " " << apart;
      }
    }
  }
}

TEST(RowOffsets, AreNarrowUntilTheyCannotBe) {
  RowOffsets offsets = {0, 5};
  offsets.push_back(0xFFFF'FFFFu);
  const std::size_t narrow = offsets.bytes();
  offsets.push_back(0x1'0000'0000u);
  EXPECT_GT(offsets.bytes(), narrow);
  EXPECT_EQ(offsets[1], 5u);
  EXPECT_EQ(offsets[2], 0xFFFF'FFFFu);
  EXPECT_EQ(offsets.back(), 0x1'0000'0000u);
  EXPECT_EQ(offsets.size(), 4u);
  EXPECT_TRUE(RowOffsets::of_lengths(std::vector<int>{5, 2}) == (RowOffsets{0, 5, 7}));
  RowOffsets copy = {1, 2, 3};
  const RowOffsets wide = {0, std::uint64_t{1} << 40};
  copy = wide;
  EXPECT_EQ(copy[1], std::uint64_t{1} << 40);
}

TEST(EndRanks, AreNarrowUntilTheyCannotBe) {
  EndRanks ranks;
  for (const MarginRank rank : {kNotEnded, 0, -127, 127}) ranks.push_back(rank);
  const auto check = [&] {
    EXPECT_EQ(ranks[0], kNotEnded);
    EXPECT_FALSE(ranks.ended(0));
    EXPECT_TRUE(ranks.ended(1));
    EXPECT_EQ(ranks[2], -127);
    EXPECT_EQ(ranks[3], 127);
  };
  check();
  ranks.push_back(-128);
  check();
  EXPECT_EQ(ranks[4], -128);
  EXPECT_EQ(ranks.size(), 5u);
}

// A change that adds these to classes 0 and 1.
CountChange change_by(int first, int second) {
  const CountWord before = 10 | 10 << 8;
  return StoneCounts::change(before, static_cast<CountWord>(10 + first) | static_cast<CountWord>(10 + second) << 8);
}

TEST(RisingSums, KeepWhatNoChangeLowers) {
  RisingSums sums(2);
  EXPECT_FALSE(sums.empty());
  sums.note({change_by(1, -1), change_by(0, 0)});  // the sum stays, the first rises
  EXPECT_LT(sums.value(3 | 5 << 8), sums.value(4 | 4 << 8));
  EXPECT_NE(sums.value(3 | 5 << 8), sums.value(3 | 6 << 8));
  sums.note({change_by(1, -1), change_by(0, 0), change_by(-2, 2)});  // now only the sum and its negative do not fall
  EXPECT_EQ(sums.value(3 | 5 << 8), sums.value(4 | 4 << 8));
  EXPECT_NE(sums.value(3 | 5 << 8), sums.value(3 | 6 << 8));
  sums.note({change_by(1, 0), change_by(-1, 0), change_by(0, 1), change_by(0, -1)});
  EXPECT_TRUE(sums.empty());
}

}  // namespace
}  // namespace plenum::graph_solver_test
