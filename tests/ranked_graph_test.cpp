// SPDX-License-Identifier: Apache-2.0
// Games solved by several ranks are what one process makes of them: summary and table, byte for byte.
#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "solver/graph/graph_table.h"
#include "solver/graph_ranks/ranked_solve.h"
#include "solver/graph_ranks/tier_shares.h"
#include "solver/method/method.h"
#include "solver/result/parted_result.h"
#include "solver/study/histograms.h"
#include "tests/random_variants.h"
#include "tests/ranked_testing.h"
#include "tests/solver_testing.h"
#include "tests/thread_ranks.h"
#include "tests/variants_testing.h"

namespace plenum::ranked_graph_test {
namespace {

using Layers = std::map<std::string, std::vector<std::uint8_t>>;

struct Solved {
  Summary summary;
  Layers layers;
};

Solved by_one(const Variant& variant, const Position& start, const Extras& extras) {
  const SolvedGame game = variants_testing::sure(solve_game(variant, start, {{}, extras, {}}));
  Solved out{game.summary(), {}};
  const GraphTable table = variants_testing::sure(GraphTable::of(game));
  const absl::Status written = table.write([&](std::string_view name, std::span<const std::uint8_t> bytes) {
    auto& layer = out.layers[std::string(name)];
    layer.insert(layer.end(), bytes.begin(), bytes.end());
    return absl::OkStatus();
  });
  EXPECT_TRUE(written.ok());
  return out;
}

// What each rank says, and all layers put together. Each byte of a layer is some rank's, and no two's.
std::vector<Solved> by_ranks(int size, const Variant& variant, const Position& start, const RankedOptions& options) {
  std::vector<Solved> out(static_cast<std::size_t>(size));
  std::vector<RankedSolved> results(static_cast<std::size_t>(size));
  on_ranks(size, [&](Ranks& ranks) {
    const auto r = static_cast<std::size_t>(ranks.rank());
    RankedOptions own = options;
    if (r != 0) own.progress = [](const AnalysisProgress&) -> bool { throw std::logic_error("asked of another rank"); };
    results[r] = variants_testing::sure(ranked_solve(variant, start, own, ranks));
    out[r].summary = results[r].summary;
  });
  Layers layers;
  std::map<std::string, std::size_t> covered;
  for (const RankedSolved& result : results) {
    for (const PartedResult::Layer& layer : result.layers->layers()) {
      auto& bytes = layers[layer.name];
      if (bytes.empty()) bytes.resize(layer.bytes);
      EXPECT_EQ(bytes.size(), layer.bytes);
      for (const Segment& segment : layer.own) {
        EXPECT_EQ(segment.begin, covered[layer.name]);  // ranks follow each other
        covered[layer.name] += segment.bytes.size();
        std::copy(segment.bytes.begin(), segment.bytes.end(),
                  bytes.begin() + static_cast<std::ptrdiff_t>(segment.begin));
      }
    }
  }
  for (const auto& [name, bytes] : layers) EXPECT_EQ(covered[name], bytes.size()) << name;
  for (Solved& one : out) one.layers = layers;
  return out;
}

void expect_same_play(const std::optional<RandomPlay>& got, const std::optional<RandomPlay>& wanted) {
  ASSERT_EQ(got.has_value(), wanted.has_value());
  if (!got) return;
  // To the last bit.
  EXPECT_EQ(got->first, wanted->first);
  EXPECT_EQ(got->second, wanted->second);
  EXPECT_EQ(got->tie, wanted->tie);
  EXPECT_EQ(got->endless, wanted->endless);
  EXPECT_EQ(got->plies, wanted->plies);
  EXPECT_EQ(got->error, wanted->error);
}

void expect_same(const Solved& got, const Solved& wanted) {
  EXPECT_EQ(got.layers.size(), wanted.layers.size());
  for (const auto& [name, bytes] : wanted.layers) EXPECT_TRUE(got.layers.at(name) == bytes) << name;
  const Summary& a = got.summary;
  const Summary& b = wanted.summary;
  EXPECT_EQ(a.method, b.method);
  EXPECT_EQ(a.stored, b.stored);
  ranked_testing::expect_same_start(a, b);
  solver_testing::expect_equal(*a.statistics, *b.statistics);
  EXPECT_EQ(a.cyclic, b.cyclic);
  ASSERT_EQ(a.components.has_value(), b.components.has_value());
  if (a.components) {
    EXPECT_EQ(a.components->count, b.components->count);
    EXPECT_EQ(a.components->largest, b.components->largest);
    EXPECT_EQ(a.components->positions, b.components->positions);
    EXPECT_EQ(a.components->sizes, b.components->sizes);
  }
  expect_same_play(a.random_play, b.random_play);
}

void expect_ranks_agree(const Variant& variant, const Position& start, const std::vector<int>& sizes,
                        const RankedOptions& options) {
  const Solved one = by_one(variant, start, options.extras);
  for (const int size : sizes) {
    SCOPED_TRACE(std::to_string(size) + " ranks");
    for (const Solved& rank : by_ranks(size, variant, start, options)) expect_same(rank, one);
  }
}

struct Case {
  const char* name;
  std::vector<std::string> settings;
};

class RankedGraph : public testing::TestWithParam<Case> {};

TEST_P(RankedGraph, IsThatOfOneProcess) {
  const Variant variant = variants_testing::game(GetParam().name, GetParam().settings);
  RankedOptions options;
  options.extras = {true, true, 0};
  expect_ranks_agree(variant, variant.rules().start(), {1, 2, 3, 5}, options);
  options.limits.least_wide = 0;  // codes of 8 bytes
  options.extras = {true, false, 0};
  expect_ranks_agree(variant, variant.rules().start(), {2}, options);
}

INSTANTIATE_TEST_SUITE_P(Games, RankedGraph,
                         testing::Values(Case{"tic-tac-toe", {}}, Case{"populace", {"board=square:3x3"}},
                                         Case{"hexapawn", {}}, Case{"quixo", {}}, Case{"go", {"board=square:2x2"}},
                                         Case{"othello", {"board=square:4x4"}}, Case{"dodgem", {}}, Case{"nim", {}},
                                         Case{"tapatan", {}}, Case{"toads-and-frogs", {}}, Case{"mu-torere", {}},
                                         Case{"hare-and-hounds", {}}, Case{"domineering", {"board=square:4x4"}},
                                         Case{"queen-and-pawns", {}}, Case{"morris", {}}),
                         [](const auto& game) {
                           std::string out = std::to_string(game.index) + "_" + game.param.name;
                           std::replace(out.begin(), out.end(), '-', '_');
                           return out;
                         });

// Tiers of some thousands of positions: those that nearly all lead to one another, those that fall apart into components, and those
// without cycles. Each has its own way to be shared out (ranked_play.h).
TEST(RankedPlay, SharesLargeTiers) {
  RankedOptions options;
  options.extras = {true, true, 0};
  options.limits.least_grained = 1100;  // more than are eliminated
  options.least_shared_equations = 1100;
  const std::vector<Case> cases = {{"morris", {}}, {"quixo", {"board=square:3x4"}}, {"othello", {"board=square:4x4"}}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const Variant variant = variants_testing::game(one.name, one.settings);
    expect_ranks_agree(variant, variant.rules().start(), {2, 3}, options);
  }
}

TEST(RankedSolve, BeginsElsewhere) {
  const Variant variant = variants_testing::game("populace", {"board=square:3x3"});
  const Position second = variants_testing::sure(successors(variant.rules(), variant.rules().start())).front().position;
  const Position third = variants_testing::sure(successors(variant.rules(), second)).back().position;
  RankedOptions options;
  options.extras = {true, true, 0};
  for (const Position& start : {second, third}) expect_ranks_agree(variant, start, {2, 3}, options);
}

TEST(RankedSolve, FollowsRandomVariants) {
  int games = 0;
  int cyclic = 0;
  check(40, [&] {
    const random_variants::Recipe recipe = *random_variants::recipes();
    const absl::StatusOr<Variant> variant = variants_testing::make(random_variants::write(recipe), {});
    RC_ASSERT(variant.ok());
    SolveOptions few;
    few.limits.most_positions = 3000;
    if (!solve_game(*variant, variant->rules().start(), few).ok()) return;
    RankedOptions options;
    options.extras = {true, true, 0};
    expect_ranks_agree(*variant, variant->rules().start(), {2, 5}, options);
    RC_ASSERT(!testing::Test::HasFailure());
    ++games;
    cyclic += *by_one(*variant, variant->rules().start(), options.extras).summary.cyclic ? 1 : 0;
  });
  EXPECT_GT(games, 20 / kFewer);
  EXPECT_GT(cyclic, 3);
}

// What one rank finds in its way, all say.
void expect_error(const RankedOptions& options, absl::StatusCode code, int asked_less) {
  const Variant variant = variants_testing::game("populace", {"board=square:3x3"});
  on_ranks(3, [&](Ranks& ranks) {
    RankedOptions own = options;
    if (ranks.rank() == 2 && asked_less != 0) own.limits.of_rank.memory_bytes = static_cast<std::uint64_t>(asked_less);
    if (!ranks.root()) own.progress = {};
    EXPECT_EQ(ranked_solve(variant, variant.rules().start(), own, ranks).status().code(), code);
  });
}

TEST(RankedSolve, FailsOnAllRanks) {
  RankedOptions options;
  expect_error(options, absl::StatusCode::kResourceExhausted, 1000);
  options.limits.least_moves = 100'000'000;
  expect_error(options, absl::StatusCode::kUnimplemented, 0);
  options.limits.least_moves = 0;
  options.limits.of_rank.most_positions = 100;
  expect_error(options, absl::StatusCode::kOutOfRange, 0);
}

// What the method makes of a request by several ranks.
absl::StatusCode by_method(const Variant& variant, const Wanted& wanted, std::uint64_t last_memory) {
  absl::StatusCode out = absl::StatusCode::kOk;
  on_ranks(3, [&](Ranks& ranks) {
    const Game game(variant, variant.rules().start());
    Request request;
    request.wanted = wanted;
    if (ranks.rank() == 2) request.wanted.memory_bytes = last_memory;
    request.ranks = &ranks;
    const absl::StatusOr<SharedResult> result = method_of(MethodId::graph).solve(game, request);
    // Errors are the same on all.
    EXPECT_EQ(ranks.sum(static_cast<std::uint64_t>(result.status().code())),
              3 * static_cast<std::uint64_t>(result.status().code()));
    if (ranks.root()) out = result.status().code();
    if (result.ok()) {
      EXPECT_NE(dynamic_cast<const PartedResult*>(result->get()), nullptr);
    }
  });
  return out;
}

TEST(RankedSolve, IsWhatTheMethodGivesForLargeGames) {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  const Variant small = variants_testing::game("quixo", {});
  const Variant large = variants_testing::game("morris", {});
  Wanted wanted;
  wanted.extras = kValuesOnly;
  EXPECT_EQ(by_method(small, wanted, kAll), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(by_method(large, wanted, kAll), absl::StatusCode::kOk);
  EXPECT_EQ(by_method(large, wanted, 1), absl::StatusCode::kResourceExhausted);
  wanted.extras.most_measured_edges = kMeasureAll;
  EXPECT_EQ(by_method(large, wanted, kAll), absl::StatusCode::kUnimplemented);
}

TEST(RankedSolve, IsInterruptedAtAnyMoment) {
  const Variant variant = variants_testing::game("quixo", {});
  for (int most = 0;; most = most < 20 ? most + 1 : most * 2) {
    int asked = 0;
    std::vector<absl::Status> ends(3);
    on_ranks(3, [&](Ranks& ranks) {
      RankedOptions options;
      options.extras = {true, true, 0};
      if (ranks.root()) options.progress = [&](const AnalysisProgress&) { return asked++ < most; };
      ends[static_cast<std::size_t>(ranks.rank())] =
          ranked_solve(variant, variant.rules().start(), options, ranks).status();
    });
    for (const absl::Status& end : ends) EXPECT_EQ(end, ends.front());
    if (ends.front().ok()) {
      EXPECT_GT(most, 20);
      break;
    }
    EXPECT_TRUE(absl::IsCancelled(ends.front())) << ends.front();
  }
}

// Hands out some of the positions of another result, all or none of them.
class SomeOf final : public Result {
 public:
  SomeOf(SharedResult all, std::size_t begin, std::size_t end)
      : Result(all->summary()), all_(std::move(all)), begin_(begin), end_(end) {}
  absl::StatusOr<PositionValue> value(const Position& position) const override { return all_->value(position); }
  absl::StatusOr<bool> reachable(const Position& position) const override { return all_->reachable(position); }
  std::size_t parts() const override { return end_ - begin_; }
  absl::Status each(std::size_t part, Fold fold, const VisitFn& visit) const override {
    return part < parts() ? all_->each(begin_ + part, fold, visit) : absl::OkStatus();
  }

 private:
  SharedResult all_;
  std::size_t begin_;
  std::size_t end_;
};

TEST(RankedHistograms, AreThoseOfOneProcessThoughARankHasNoPosition) {
  const Variant variant = variants_testing::game("morris", {});
  const Game game(variant, variant.rules().start());
  Request request;
  request.wanted.extras = kValuesOnly;
  const SharedResult all = variants_testing::sure(method_of(MethodId::graph).solve(game, request));
  const Histograms wanted = variants_testing::sure(histograms(*all));
  ASSERT_GT(all->parts(), 1);
  ASSERT_TRUE(wanted.longest[0].has_value());
  on_ranks(3, [&](Ranks& ranks) {
    // The first and the last have some, the one between them has none.
    const std::size_t parts = all->parts();
    const std::size_t begin = ranks.rank() == 0 ? 0 : 1;
    const std::size_t end = ranks.rank() == 0 ? 1 : ranks.rank() == 1 ? 1 : parts;
    const PartedResult own(all->summary(), {}, {}, nullptr, {}, std::make_shared<const SomeOf>(all, begin, end));
    const Histograms got = variants_testing::sure(histograms(own, ranks));
    EXPECT_EQ(got.positions, wanted.positions);
    EXPECT_EQ(got.ended, wanted.ended);
    EXPECT_EQ(got.margins, wanted.margins);
    EXPECT_EQ(got.plies, wanted.plies);
    EXPECT_EQ(got.stones, wanted.stones);
    EXPECT_EQ(got.wins, wanted.wins);
    for (std::size_t who = 0; who < 2; ++who) {
      ASSERT_EQ(got.longest[who].has_value(), wanted.longest[who].has_value());
      if (!got.longest[who]) continue;
      EXPECT_EQ(got.longest[who]->plies, wanted.longest[who]->plies);
      EXPECT_EQ(got.longest[who]->position, wanted.longest[who]->position);
    }
  });
}

// A tier of `size` positions, of which those with keys in the lower half have `low` moves, the others `high`.
std::vector<WeighedKey<1>> sample_of(std::uint64_t size, std::uint64_t low, std::uint64_t high) {
  std::vector<WeighedKey<1>> out;
  for (std::uint64_t k = 0; k < size; ++k) {
    const std::uint64_t key = k * 7 % size;  // in no order
    out.push_back({{key}, key < size / 2 ? low : high});
  }
  return out;
}

TEST(TierShares, EqualWithoutSample) {
  EXPECT_EQ(share_ends<1>(100, 1, 3, {}), (std::vector<std::uint64_t>{33, 66, 100}));
  EXPECT_EQ(share_ends<1>(100, 16, 2, {}), (std::vector<std::uint64_t>{48, 100}));
  EXPECT_EQ(share_ends<1>(0, 1, 2, {}), (std::vector<std::uint64_t>{0, 0}));
  EXPECT_EQ(share_ends<1>(1, 16, 3, {}), (std::vector<std::uint64_t>{0, 0, 1}));
}

TEST(TierShares, EqualWork) {
  // 500 positions of 3 and 500 of 1: half of the work is in the first third.
  const auto uneven = share_ends<1>(1000, 1, 2, sample_of(1000, 3, 1));
  EXPECT_NEAR(static_cast<double>(uneven[0]), 333, 1);
  EXPECT_EQ(uneven[1], 1000U);
  EXPECT_NEAR(static_cast<double>(share_ends<1>(1000, 1, 2, sample_of(1000, 1, 3))[0]), 667, 1);
  EXPECT_EQ(share_ends<1>(1000, 1, 4, sample_of(1000, 5, 5)), (std::vector<std::uint64_t>{250, 500, 750, 1000}));
  // A sample tells of the whole, and pieces begin at whole grains.
  EXPECT_EQ(share_ends<1>(100'000, 2048, 2, sample_of(1000, 3, 1))[0], 16U * 2048);
}

TEST(TierShares, NeverBackwards) {
  for (std::uint64_t size = 1; size < 300; size += 13) {
    for (const std::size_t ranks : {1U, 2U, 5U, 7U}) {
      for (const std::uint64_t grain : {1U, 16U, 512U}) {
        const auto ends = share_ends<1>(size, grain, ranks, sample_of(size, 40, 1));
        ASSERT_EQ(ends.size(), ranks);
        EXPECT_TRUE(std::is_sorted(ends.begin(), ends.end()));
        EXPECT_EQ(ends.back(), size);
        for (const std::uint64_t end : ends) EXPECT_TRUE(end % grain == 0 || end == size);
      }
    }
  }
}

TEST(TierShares, RunsOfAboutEqualWork) {
  const auto work_of = [](std::uint64_t thing) { return 1 + thing * thing % 17 + (thing < 40 ? 30 : 0); };
  for (const std::vector<std::uint32_t>& of_rank :
       std::vector<std::vector<std::uint32_t>>{{100, 100}, {0, 150, 50}, {200, 0, 0}, {1, 0, 2, 0, 3}, {0, 0}, {90}}) {
    const std::uint64_t size = std::accumulate(of_rank.begin(), of_rank.end(), std::uint64_t{0});
    std::uint64_t works = 0;
    for (std::uint64_t thing = 0; thing < size; ++thing) works += work_of(thing);
    for (const std::uint64_t grain : {1U, 16U}) {
      on_ranks(static_cast<int>(of_rank.size()), [&](Ranks& ranks) {
        const auto rank = of_rank.begin() + ranks.rank();
        const std::uint64_t before = std::accumulate(of_rank.begin(), rank, std::uint64_t{0});
        const auto ends = run_ends(
            of_rank, grain, [&](std::size_t k) { return work_of(before + k); }, ranks);
        ASSERT_EQ(ends.size(), of_rank.size());
        EXPECT_TRUE(std::is_sorted(ends.begin(), ends.end()));
        EXPECT_EQ(ends.back(), size);
        std::uint64_t begin = 0;
        for (const std::uint64_t end : ends) {
          std::uint64_t of_run = 0;
          for (std::uint64_t thing = begin; thing < end; ++thing) of_run += work_of(thing);
          EXPECT_LE(of_run, works / ends.size() + 47 * (1 + grain));  // 47: of one thing, at most
          EXPECT_TRUE(end % grain == 0 || end == size);
          begin = end;
        }
      });
    }
  }
}

}  // namespace
}  // namespace plenum::ranked_graph_test
