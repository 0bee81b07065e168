// SPDX-License-Identifier: Apache-2.0
// Unreduced counts, components and random play: against brute force on the unreduced graph and against a dense
// elimination.
#include <cmath>
#include <cstddef>
#include <iostream>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <tbb/global_control.h>

#include "solver/graph/components.h"
#include "solver/graph/expected_visits.h"
#include "solver/graph/lifts.h"
#include "solver/graph/random_play.h"
#include "solver/graph/strong_components.h"
#include "tests/random_graphs.h"
#include "tests/reference.h"

namespace plenum::graph_counts_test {
namespace {

using random_graphs::Draft;

TEST(Lifts, AndComponentsAgreeWithTheUnreducedGraph) {
  int total = 0;
  int folded_cycles = 0;  // several unreduced components, or one larger than the stored one
  check(3000, [&] {
    const unsigned group = *rc::gen::inRange(0u, random_graphs::group_count());
    const Draft draft = *rc::gen::resize(25, random_graphs::drafts());
    const auto game = random_graphs::build_symmetric(draft, group);
    const Lifts lifts(game.graph);
    const Components components = find_components(game.graph, lifts);
    const auto reached = reference::reachable(game.unreduced, game.start);
    const auto naive = reference::components(game.unreduced, game.start);
    for (PositionIndex p = 0; p < game.graph.size(); ++p) {
      std::vector<bool> counted(game.unreduced.size(), false);
      std::uint64_t count[2] = {0, 0};
      std::uint64_t elements = 0;
      for (std::size_t g = 0; g < game.graph.group.size(); ++g) {
        const std::size_t v = game.vertex[p][g];
        RC_ASSERT(lifts.contains(p, static_cast<GroupElement>(g)) == reached[v]);
        if (!reached[v]) continue;
        ++elements;
        RC_ASSERT(components.on_cycle(p) == naive.on_cycle[v]);
        if (counted[v]) continue;
        counted[v] = true;
        ++count[game.graph.group.exchanges(static_cast<GroupElement>(g)) ? 1 : 0];
      }
      RC_ASSERT(lifts.as_stored(p) == count[0]);
      RC_ASSERT(lifts.exchanged(p) == count[1]);
      RC_ASSERT(lifts.count(p) == count[0] + count[1]);
      RC_ASSERT(lifts.elements(p) == elements);
      if (elements == 0) RC_ASSERT(!components.on_cycle(p));
    }
    RC_ASSERT(components.count == naive.count);
    RC_ASSERT(components.largest == naive.largest);
    RC_ASSERT(components.positions == naive.positions);
    ++total;
    std::uint64_t stored = 0;
    for (PositionIndex p = 0; p < game.graph.size(); ++p) stored += components.on_cycle(p) ? 1 : 0;
    folded_cycles += naive.positions > stored ? 1 : 0;
  });
  std::cout << folded_cycles << " of " << total << " random games have cycles that symmetry folds\n";
  EXPECT_GE(4 * folded_cycles, total);
}

// Number by number, as Boost.Graph finds them; one edge in four leads nowhere, and deep paths are among them.
TEST(StrongComponents, AreThoseOfBoost) {
  std::mt19937_64 random(13);
  std::size_t several = 0;
  for (int round = 0; round < 400; ++round) {
    const auto n = static_cast<std::uint32_t>(round % 40 == 0 ? 30'000 : random() % 60);
    const std::uint64_t most = random() % 4 + 1;
    std::vector<std::vector<std::uint32_t>> next(n);
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(n);
    for (std::uint32_t v = 0; v < n; ++v) {
      for (std::uint64_t k = random() % (most + 1); k > 0; --k) {
        const bool near = random() % 2 == 0;
        next[v].push_back(random() % 4 == 0 ? n : static_cast<std::uint32_t>((near ? v + random() % 3 : random()) % n));
        if (next[v].back() != n) boost::add_edge(v, next[v].back(), graph);
      }
    }
    std::vector<std::uint32_t> wanted(n);
    const auto count = boost::strong_components(
        graph, boost::make_iterator_property_map(wanted.begin(), boost::get(boost::vertex_index, graph)));
    std::vector<std::uint32_t> component;
    EXPECT_EQ(strong_components(
                  n, [&](std::uint32_t v) { return static_cast<std::uint32_t>(next[v].size()); },
                  [&](std::uint32_t v, std::uint32_t k) { return next[v][k]; }, component),
              n == 0 ? 0 : count);
    EXPECT_EQ(component, wanted);
    several += count > 1 && count < n ? 1 : 0;
  }
  EXPECT_GT(several, 100u);
}

TEST(Components, DoNotDependOnTheNumberOfThreads) {
  std::mt19937_64 random(9);
  const PositionGraph graph = random_graphs::build(random_graphs::large_draft(random, 40'000, 7));
  const Lifts lifts(graph);
  const auto find = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return find_components(graph, lifts);
  };
  const Components one = find(1);
  const Components two = find(2);
  EXPECT_GT(one.positions, 1000u);
  EXPECT_EQ(one.count, two.count);
  EXPECT_EQ(one.largest, two.largest);
  EXPECT_EQ(one.positions, two.positions);
  EXPECT_EQ(one.cycle_bits, two.cycle_bits);
}

// Solves a x = b by elimination with pivoting.
std::vector<double> eliminate(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i) {
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    }
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      if (factor == 0) continue;
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

// From the start's view of each position and player to move, backwards: the chance of each result and the plies. This is
// the transposed problem of the one random_play solves.
RandomPlay dense_random_play(const PositionGraph& graph) {
  reference::Digraph next(graph.size());
  for (PositionIndex p = 0; p < graph.size(); ++p) {
    for (const PositionIndex q : graph.successors(p)) next[p].push_back(q);
  }
  std::vector<bool> live(graph.size(), false);
  for (PositionIndex p = 0; p < graph.size(); ++p) {
    const auto reached = reference::reachable(next, p);
    for (PositionIndex q = 0; q < graph.size(); ++q) {
      if (reached[q] && graph.ended(q)) live[p] = true;
    }
  }
  const std::size_t n = 2 * graph.size();
  std::vector<std::vector<double>> a(n, std::vector<double>(n, 0.0));
  std::vector<std::vector<double>> b(5, std::vector<double>(n, 0.0));
  for (PositionIndex p = 0; p < graph.size(); ++p) {
    for (std::size_t odd = 0; odd < 2; ++odd) {
      const std::size_t s = 2 * p + odd;
      a[s][s] = 1;
      if (graph.ended(p)) {
        const bool first_wins = (graph.end_rank[p] > 0) == (odd == 0);
        b[graph.end_rank[p] == 0 ? 1 : first_wins ? 0 : 2][s] = 1;
      } else if (!live[p]) {
        b[3][s] = 1;
      } else {
        b[4][s] = 1;
        for (const std::size_t q : next[p]) a[s][2 * q + 1 - odd] -= 1.0 / static_cast<double>(next[p].size());
      }
    }
  }
  const auto at_start = [&](std::size_t k) { return eliminate(a, b[k])[2 * graph.start]; };
  RandomPlay result{{at_start(0), at_start(1), at_start(2), at_start(3), std::nullopt}, 0};
  bool trapped = false;
  const auto reached = reference::reachable(next, graph.start);
  for (PositionIndex p = 0; p < graph.size(); ++p) trapped |= reached[p] && !live[p];
  if (!trapped) result.plies = at_start(4);
  return result;
}

RandomPlay play_with(std::size_t threads, const PositionGraph& graph) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  return random_play(graph);
}

bool same_bits(const RandomPlay& a, const RandomPlay& b) {
  return a.first == b.first && a.tie == b.tie && a.second == b.second && a.endless == b.endless && a.plies == b.plies;
}

TEST(RandomPlay, AgreesWithDenseElimination) {
  int endless = 0;
  int total = 0;
  check(1500, [&] {
    const PositionGraph graph = random_graphs::build(*rc::gen::resize(80, random_graphs::drafts()));
    const RandomPlay play = random_play(graph);
    const RandomPlay dense = dense_random_play(graph);
    RC_ASSERT(std::abs(play.first - dense.first) < 1e-11);
    RC_ASSERT(std::abs(play.tie - dense.tie) < 1e-11);
    RC_ASSERT(std::abs(play.second - dense.second) < 1e-11);
    RC_ASSERT(std::abs(play.endless - dense.endless) < 1e-11);
    RC_ASSERT(play.plies.has_value() == dense.plies.has_value());
    RC_ASSERT(play.plies.has_value() == (play.endless == 0));
    if (play.plies) RC_ASSERT(std::abs(*play.plies - *dense.plies) < 1e-11 * (1 + *dense.plies));
    RC_ASSERT(play.error < 1e-11);
    endless += play.endless > 0 ? 1 : 0;
    ++total;
  });
  std::cout << endless << " of " << total << " random graphs have endless play\n";
  EXPECT_GE(10 * endless, total);
}

TEST(RandomPlay, ManyThreadsGiveTheSameBits) {
  std::mt19937_64 random(10);
  for (const unsigned inner_share : {7u, 5u}) {
    const PositionGraph graph = random_graphs::build(random_graphs::large_draft(random, 40'000, inner_share));
    const RandomPlay one = play_with(1, graph);
    EXPECT_TRUE(same_bits(one, play_with(2, graph)));
    std::vector<LargestComponent> largest;
    find_components(graph, Lifts(graph), &largest);
    EXPECT_TRUE(same_bits(one, random_play(graph, largest)));
    EXPECT_TRUE(same_bits(one, play_with(3, graph)));
    EXPECT_NEAR(one.first + one.tie + one.second + one.endless, 1, 1e-13);
    EXPECT_LT(one.error, 1e-12);
  }
}

// One tier of n positions and an end of rank 1 as position n.
PositionGraph one_tier(const std::vector<std::vector<PositionIndex>>& next) {
  PositionGraph graph;
  graph.level = {{0}, {1}};
  graph.tier_begin = {0, static_cast<PositionIndex>(next.size() + 1)};
  graph.first_edge = {0};
  for (const auto& successors : next) {
    graph.edge.insert(graph.edge.end(), successors.begin(), successors.end());
    graph.first_edge.push_back(graph.edge.size());
    graph.end_rank.push_back(kNotEnded);
  }
  graph.first_edge.push_back(graph.edge.size());
  graph.end_rank.push_back(1);
  return graph;
}

// What is wrong with a solution, as mass in all equations together, worked out by the equations themselves.
long double mass_lost(const Tier& tier, std::span<const std::uint32_t> degree, std::span<const ByParity> arrivals,
                      std::span<const ByParity> flow) {
  long double lost = 0;
  for (LocalIndex q = 0; q < degree.size(); ++q) {
    if (degree[q] == 0) continue;
    long double even = arrivals[q].even;
    long double odd = arrivals[q].odd;
    for (const LocalIndex p : tier.predecessors(q)) {
      if (degree[p] == 0) continue;
      even += flow[p].odd;
      odd += flow[p].even;
    }
    lost += std::abs(even - static_cast<long double>(degree[q]) * flow[q].even) +
            std::abs(odd - static_cast<long double>(degree[q]) * flow[q].odd);
  }
  return lost;
}

// Tiers that are solved in floats, in doubles, and beyond: one move in `seldom` leaves. Some positions are left out.
TEST(ExpectedVisits, FulfilTheirEquations) {
  std::mt19937_64 random(12);
  for (const PositionIndex n : {600u, 3000u, 20'000u}) {
    for (const unsigned seldom : {3u, 40u, 900u, 20'000u}) {
      std::vector<std::vector<PositionIndex>> next(n);
      for (PositionIndex p = 0; p < n; ++p) {
        next[p].push_back(p + 1);  // so that it can be left at all
        for (std::uint64_t k = random() % 7; k > 0; --k)
          next[p].push_back(random() % seldom == 0 ? n : static_cast<PositionIndex>(random() % n));
      }
      PositionGraph graph = one_tier(next);
      const Tier tier(graph, 0);
      std::vector<std::uint32_t> degree(n + 1, 0);
      std::vector<ByParity> arrivals(n + 1);
      for (PositionIndex p = 0; p < n; ++p) {
        degree[p] = p % 17 == 5 ? 0 : static_cast<std::uint32_t>(next[p].size());
        if (p % 7 == 0 && degree[p] != 0) arrivals[p] = {1.0 / n, p % 2 == 0 ? 0 : 2.0 / n};
      }
      std::vector<ByParity> flow = arrivals;
      const double error = solve_visits(tier, degree, flow);
      EXPECT_LT(error, 1e-11) << n << " " << seldom;
      double visits = 0;
      for (PositionIndex p = 0; p < n; ++p) {
        EXPECT_GT(flow[p].even, -1e-15);
        EXPECT_GT(flow[p].odd, -1e-15);
        visits += degree[p] * (flow[p].even + flow[p].odd);
      }
      EXPECT_LT(static_cast<double>(mass_lost(tier, degree, arrivals, flow)), error + 1e-15 * visits)
          << n << " " << seldom;
    }
  }
}

// A walk on 0 .. n-1, reflected at 0, that ends at n, where the mover wins: n^2 plies, of n's parity.
TEST(RandomPlay, SlowWalk) {
  for (const PositionIndex n : {10u, 400u, 2001u}) {
    std::vector<std::vector<PositionIndex>> next(n);
    for (PositionIndex p = 0; p < n; ++p) next[p] = {p + 1, p == 0 ? 1 : p - 1};
    const RandomPlay play = random_play(one_tier(next));
    const double plies = static_cast<double>(n) * n;
    ASSERT_TRUE(play.plies);
    EXPECT_NEAR(*play.plies, plies, 1e-10 * plies);
    EXPECT_NEAR(n % 2 == 0 ? play.first : play.second, 1, 1e-10) << n;
    EXPECT_NEAR(n % 2 == 0 ? play.second : play.first, 0, 1e-10);
    EXPECT_LT(play.error, 1e-8);
  }
}

// Well mixed, but only one move in twelve thousand leaves: the same as a geometric distribution.
TEST(RandomPlay, SeldomLeft) {
  std::mt19937_64 random(11);
  constexpr PositionIndex kPositions = 3000;
  std::vector<std::vector<PositionIndex>> next(kPositions);
  for (PositionIndex p = 0; p < kPositions; ++p) {
    for (int k = 0; k < 4; ++k) next[p].push_back(static_cast<PositionIndex>(random() % kPositions));
  }
  next[1234][0] = kPositions;
  const PositionGraph graph = one_tier(next);
  const RandomPlay play = random_play(graph);
  ASSERT_TRUE(play.plies);
  EXPECT_GT(*play.plies, 1000);
  EXPECT_NEAR(play.first + play.second, 1, 1e-11);
  EXPECT_NEAR(play.first, 0.5, 0.01);
  EXPECT_LT(play.error, 1e-10);
}

// A walk against the wind: two moves back for one ahead, far too unlikely for any iteration. Backwards recursion:
// from p it takes e(p) = 3 + 2 e(p - 1) plies to p + 1, e(0) = 1.
TEST(RandomPlay, HardlyEverLeft) {
  constexpr PositionIndex kPositions = 41;
  std::vector<std::vector<PositionIndex>> next(kPositions);
  double plies = 0;
  double step = 0;
  for (PositionIndex p = 0; p < kPositions; ++p) {
    next[p] = {p + 1, p == 0 ? 1 : p - 1, p == 0 ? 1 : p - 1};
    step = p == 0 ? 1 : 3 + 2 * step;
    plies += step;
  }
  const RandomPlay play = random_play(one_tier(next));
  ASSERT_TRUE(play.plies);
  EXPECT_NEAR(*play.plies / plies, 1, 1e-11);
  EXPECT_NEAR(play.second, 1, 1e-11);
  EXPECT_LT(play.error, 1e-10);
}

}  // namespace
}  // namespace plenum::graph_counts_test
