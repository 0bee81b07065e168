// SPDX-License-Identifier: Apache-2.0
// Two games compared: against every position of both written down and looked up by its text.
#include "solver/study/comparison.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "solver/graph/analysis.h"
#include "solver/method/method.h"
#include "solver/study/histograms.h"
#include "solver/study/look_through.h"
#include "tests/random_graphs.h"
#include "tests/random_variants.h"
#include "tests/reference.h"
#include "tests/thread_ranks.h"
#include "tests/variants_testing.h"

namespace plenum::comparison_test {
namespace {

constexpr std::uint64_t kMostPositions = 5'000;

struct Tally {
  int pairs = 0;
  int changed = 0;
  int parted = 0;
  int flags = 0;  // of one game only
  int unmapped = 0;
};

// A game with all its positions, unreduced, by what is written of them.
struct Whole {
  Variant variant;
  std::shared_ptr<const Result> result;
  std::map<std::string, PositionValue> value;
  std::map<std::string, std::uint32_t> plies_from_start;
  const SolvedGame& game() const { return *result->graph(); }
};

std::optional<Whole> make(const std::string& text) {
  const auto description = parse_description({"random.toml", text, true}, PLENUM_DATA_FOLDER);
  RC_ASSERT(description.ok());
  const auto variant = Variant::make(*description);
  RC_ASSERT(variant.ok());
  Request request;
  request.wanted.extras = kValuesOnly;
  const auto solved = method_of(MethodId::graph).solve(Game(*variant, variant->rules().start()), request);
  RC_ASSERT(solved.ok());
  const SolvedGame* game = (*solved)->graph();
  if (game->statistics().reachable > kMostPositions) return std::nullopt;
  Whole out{*variant, *solved, {}, {}};
  const Variant plain = variant->without_symmetries();
  const auto whole = enumerate(plain, plain.rules().start(), {});
  RC_ASSERT(whole.ok());
  reference::Digraph edges(whole->graph.size());
  for (PositionIndex p = 0; p < whole->graph.size(); ++p) {
    for (const PositionIndex q : whole->graph.successors(p)) edges[p].push_back(q);
  }
  const auto far = reference::distances(edges, whole->graph.start);
  for (PositionIndex p = 0; p < whole->graph.size(); ++p) {
    const Position position = whole->store->position(p);
    const std::string name = plain.rules().write(position);
    out.value[name] = *game->value(position);  // which random_variants_test checks
    out.plies_from_start[name] = far[p];
  }
  return out;
}

// Outcome and margin as text, the same for any denominator.
std::string words(const Whole& whole, const PositionValue& v) {
  return std::to_string(static_cast<int>(v.outcome)) + " " + whole.variant.margin_text(v.margin.margin);
}

void compare(const Whole& a, const Whole& b, Tally& tally) {
  const auto games = ComparedGames::make(*a.result, *b.result);
  RC_ASSERT(games.ok());
  const auto counted = games->count();
  RC_ASSERT(counted.ok());
  const Comparison counts = counted->both();
  Comparison wanted;
  std::map<std::pair<PositionIndex, PositionIndex>, std::uint32_t>
      nearest_image;  // of what changes, plies from the start
  const PositionMap map(a.variant.rules(), b.variant.rules());
  for (const auto& [text, in_a] : a.value) {
    const auto position = a.variant.rules().read(Span::whole("", text));
    RC_ASSERT(position.ok());
    const auto there = b.variant.rules().read(Span::whole("", text));
    const auto mapped = map(*position);
    RC_ASSERT(mapped.has_value() == there.ok());
    if (there.ok()) RC_ASSERT(*mapped == *there);
    tally.unmapped += there.ok() ? 0 : 1;
    const auto found = b.value.find(text);
    if (found == b.value.end()) continue;
    const PositionValue& in_b = found->second;
    ++wanted.common;
    ++wanted.outcomes[static_cast<std::size_t>(in_a.outcome)][static_cast<std::size_t>(in_b.outcome)];
    const bool changed = words(a, in_a) != words(b, in_b);
    wanted.changed += changed ? 1 : 0;
    wanted.same_outcome += changed && in_a.outcome == in_b.outcome ? 1 : 0;
    wanted.plies += !changed && in_a.plies != in_b.plies ? 1 : 0;
    wanted.forced += !changed && in_a.forced_cycle != in_b.forced_cycle ? 1 : 0;
    wanted.ended += in_a.ended != in_b.ended ? 1 : 0;
    if (!changed) continue;
    // Of positions that are images of one another in both games, the nearest.
    const auto stored = [](const Whole& whole, const Position& p) {
      return *whole.game().store().find(whole.variant.symmetries().canonical(p).position);
    };
    const std::uint32_t far = a.plies_from_start.at(text);
    const auto [known, fresh] = nearest_image.emplace(std::pair(stored(a, *position), stored(b, *mapped)), far);
    if (!fresh) known->second = std::min(known->second, far);
  }
  RC_ASSERT(counts.common == wanted.common);
  RC_ASSERT(counts.changed == wanted.changed);
  RC_ASSERT(counts.same_outcome == wanted.same_outcome);
  RC_ASSERT(counts.plies == wanted.plies);
  RC_ASSERT(counts.forced == wanted.forced);
  RC_ASSERT(counts.ended == wanted.ended);
  RC_ASSERT(counts.outcomes == wanted.outcomes);
  // The nearest of them, each by a line that can be played.
  std::vector<std::uint32_t> distances;
  for (const auto& [image, far] : nearest_image) distances.push_back(far);
  std::sort(distances.begin(), distances.end());
  const auto nearest = games->nearest_changes(5);
  RC_ASSERT(nearest.ok());
  RC_ASSERT(nearest->size() == std::min<std::size_t>(5, distances.size()));
  std::set<std::string> seen;
  for (std::size_t i = 0; i < nearest->size(); ++i) {
    const Change& change = (*nearest)[i];
    RC_ASSERT(change.line.moves.size() == distances[i]);
    const std::string text = a.variant.rules().write(change.at.position);
    RC_ASSERT(seen.insert(text).second);
    RC_ASSERT(words(a, change.at.a) == words(a, a.value.at(text)));
    RC_ASSERT(words(b, change.at.b) == words(b, b.value.at(text)));
    RC_ASSERT(words(a, change.at.a) != words(b, change.at.b));
    Position at = a.game().start();
    bool playable = games->same_start();
    for (const LineMove& move : change.line.moves) {
      const std::string before = a.variant.rules().write(at);
      const auto moves = successors(a.variant.rules(), at);
      RC_ASSERT(std::any_of(moves->begin(), moves->end(),
                            [&](const Successor& s) { return s.text == move.text && s.position == move.after; }));
      at = move.after;
      if (!playable) continue;
      const auto same = b.variant.rules().read(Span::whole("", before));
      if (end_state(b.variant.rules(), *same)->ended) {
        playable = false;
        continue;
      }
      const auto in_b = successors(b.variant.rules(), *same);
      playable = std::any_of(in_b->begin(), in_b->end(), [&](const Successor& s) {
        return s.text == move.text && b.variant.rules().write(s.position) == a.variant.rules().write(at);
      });
    }
    RC_ASSERT(at == change.at.position);
    RC_ASSERT(playable == change.line_in_b);
  }
  // Best play together up to where nothing is best in both.
  if (games->same_start()) {
    const auto parting = games->parting();
    RC_ASSERT(parting.ok());
    if (parting->has_value()) {
      ++tally.parted;
      const Parting& p = **parting;
      Position at = a.game().start();
      Position there = b.game().start();
      for (const std::string& text : p.line) {
        const auto in_a = find_move(a.variant.rules(), at, Span::whole("move", text));
        const auto in_b = find_move(b.variant.rules(), there, Span::whole("move", text));
        RC_ASSERT(in_a.ok());
        RC_ASSERT(in_b.ok());
        RC_ASSERT(a.game().value(in_a->position)->margin == a.game().value(at)->margin);
        RC_ASSERT(b.game().value(in_b->position)->margin == b.game().value(there)->margin);
        at = in_a->position;
        there = in_b->position;
      }
      RC_ASSERT(at == p.at.position);
      for (const std::string& text : p.best_a) {
        if (std::find(p.best_b.begin(), p.best_b.end(), text) == p.best_b.end()) continue;
        const auto in_a = find_move(a.variant.rules(), at, Span::whole("move", text));
        const auto in_b = find_move(b.variant.rules(), there, Span::whole("move", text));
        RC_ASSERT(a.variant.rules().write(in_a->position) != b.variant.rules().write(in_b->position));
      }
    }
  }
  ++tally.pairs;
  tally.changed += wanted.changed > 0 ? 1 : 0;
  tally.flags += a.variant.rule_set().slots.size() != b.variant.rule_set().slots.size() ||
                         (!a.variant.rule_set().slots.empty() &&
                          a.variant.rule_set().slots[0].live != b.variant.rule_set().slots[0].live)
                     ? 1
                     : 0;
}

TEST(Comparison, OfRandomGames) {
  Tally tally;
  check(500, [&] {
    random_variants::Recipe recipe = *random_variants::recipes();
    const std::optional<Whole> a = make(random_variants::write(recipe));
    RC_LOG() << random_variants::write(recipe);
    // One rule of it, or two, otherwise.
    for (int changes = *rc::gen::inRange(1, 3); changes > 0; --changes) {
      const std::size_t rule = *rc::gen::inRange<std::size_t>(0, recipe.change.size());
      const std::size_t choices = random_variants::kChanges[rule].size();
      recipe.change[rule] = (recipe.change[rule] + 1 + *rc::gen::inRange<std::size_t>(0, choices - 1)) % choices;
    }
    RC_LOG() << random_variants::write(recipe);
    const std::optional<Whole> b = make(random_variants::write(recipe));
    if (a && b) compare(*a, *b, tally);
  });
  std::cout << tally.pairs << " pairs, " << tally.changed << " with changes, " << tally.parted
            << " where best play parts, " << tally.flags << " with a flag that one alone has, " << tally.unmapped
            << " positions of one alone\n";
  EXPECT_GE(tally.pairs, 200 / kFewer);
  EXPECT_GE(tally.changed * 5, tally.pairs);
  EXPECT_GE(tally.parted * 20, tally.pairs);
  EXPECT_GE(tally.flags, 3 / kFewer);
  EXPECT_GE(tally.unmapped, 20 / kFewer);
}

// A game, and what each of two methods found of it: the graph, and the one that it would be solved by.
struct SolvedTwice {
  std::string name;
  std::vector<std::string> settings;
  MethodId method;
  void look(const std::function<void(const Result& graph, const Result& other)>& test) const {
    SCOPED_TRACE(name);
    const Variant variant = variants_testing::game(name, settings);
    const Game game(variant, variant.rules().start());
    const auto graph = variants_testing::sure(method_of(MethodId::graph).solve(game, {}));
    const auto other = variants_testing::sure(method_of(method).solve(game, {}));
    test(*graph, *other);
  }
};
const std::vector<SolvedTwice> kSolvedTwice = {
    {"populace", {"board=square:2x3"}, MethodId::rows},
    {"populace", {"board=hexhex:2", "button=on"}, MethodId::rows},
    {"populace", {"board=path:6", "threat=1"}, MethodId::rows},
    {"taifas", {"board=square:3x3"}, MethodId::one_pass},
    {"cascade", {"board=square:3x3", "fill=both"}, MethodId::one_pass},
    {"in-crowd", {"board=square:3x3"}, MethodId::one_pass},
    {"connect-4", {"board=square:3x4"}, MethodId::one_pass},
};

// A game solved by two methods is one game: every position that one finds reachable the other does too, with the same value.
TEST(Comparison, OfMethods) {  // tables of them are verify_test's and table_forgery_test's
  for (const SolvedTwice& one : kSolvedTwice) {
    one.look([](const Result& graph, const Result& other) {
      for (const bool turned : {false, true}) {
        const ComparedGames games =
            variants_testing::sure(turned ? ComparedGames::make(other, graph) : ComparedGames::make(graph, other));
        const Comparison found = variants_testing::sure(games.count()).both();
        EXPECT_EQ(found.common, graph.summary().statistics->reachable);
        EXPECT_EQ(found.changed + found.plies + found.forced + found.ended, 0U);
      }
    });
  }
}

// Positions are spread alike by whatever method they were found; an ending has no other method.
TEST(Histograms, OfMethods) {
  for (const SolvedTwice& one : kSolvedTwice) {
    one.look([](const Result& graph, const Result& other) {
      const Histograms wanted = variants_testing::sure(histograms(graph));
      const Histograms found = variants_testing::sure(histograms(other));
      EXPECT_EQ(wanted.positions + wanted.ended, graph.summary().statistics->reachable);
      EXPECT_EQ(wanted.margins, graph.summary().statistics->margins);
      EXPECT_EQ(found.positions, wanted.positions);
      EXPECT_EQ(found.ended, wanted.ended);
      EXPECT_EQ(found.margins, wanted.margins);
      EXPECT_EQ(found.stones, wanted.stones);
      if (other.summary().remoteness_known) {
        EXPECT_EQ(found.plies, wanted.plies);
      }
    });
  }
  const Variant ending = variants_testing::game("chess", {"board=square:4x4", "material=KRvK"});
  const auto solved =
      variants_testing::sure(method_of(MethodId::ending).solve(Game(ending, ending.rules().start()), {}));
  const Histograms found = variants_testing::sure(histograms(*solved));
  EXPECT_GT(found.positions, 1000U);
  EXPECT_GT(found.stones.at(3)[static_cast<std::size_t>(Outcome::first)], 1000U);
  EXPECT_EQ(found.stones.at(3)[static_cast<std::size_t>(Outcome::second)], 0U);
  EXPECT_TRUE(absl::IsCancelled(histograms(*solved, Ranks::alone(), [](std::uint64_t) { return false; }).status()));
}

// Ranks that have all opened a result share the looks at its positions: each is looked at once.
TEST(Histograms, AreSharedByRanks) {
  struct Seen {
    std::uint64_t positions = 0;
  };
  for (const auto& [method, name, board] : {std::tuple{MethodId::rows, "populace", "board=square:2x3"},
                                            {MethodId::one_pass, "taifas", "board=square:3x3"}}) {
    const Variant variant = variants_testing::game(name, {board});
    Request request;
    request.wanted.scan = true;
    const auto solved =
        variants_testing::sure(method_of(method).solve(Game(variant, variant.rules().start()), request));
    const Histograms wanted = variants_testing::sure(histograms(*solved));
    const std::uint64_t all = wanted.positions + wanted.ended;
    std::atomic<std::uint64_t> seen = 0;
    on_ranks(3, [&, &solved = solved](Ranks& ranks) {
      const auto see = [](std::span<const Result::Glance> glances, Seen& group) {
        for (const Result::Glance& glance : glances) group.positions += glance.images;
        return absl::OkStatus();
      };
      std::uint64_t own = 0;
      for (const Seen& group : variants_testing::sure(look_at_values<Seen>(*solved, ranks, {}, see)))
        own += group.positions;
      EXPECT_GT(own, all / 6);
      EXPECT_LT(own, all / 2);
      seen += own;
      const Histograms found = variants_testing::sure(histograms(*solved, ranks));
      if (!ranks.root()) return;
      EXPECT_EQ(found.positions, wanted.positions);
      EXPECT_EQ(found.ended, wanted.ended);
      EXPECT_EQ(found.margins, wanted.margins);
      EXPECT_EQ(found.plies, wanted.plies);
      EXPECT_EQ(found.stones, wanted.stones);
    });
    EXPECT_EQ(seen, all);
  }
}

// Of a game whose images are alike against one where they are not: every position counts by itself, however the games were solved.
TEST(Comparison, OfGamesWithOtherSymmetries) {
  const auto made = [](const std::string& score) {
    return variants_testing::made(
        "name = \"T\"\n[options]\nboard = { default = \"square:2x3\" }\n[moves.place]\nto = "
        "\"empty\"\n[end]\nwhen = \"!any(empty)\"\nscore = \"" +
        score + "\"\n");
  };
  const Variant even = made("count(mine & {a1 b1 a3 b3}) - count(mine & {a2 b2})");
  const Variant uneven = made("count(mine & {a1 b1 a3 b3}) - count(mine & {a2 b2}) + 3 * count(mine & {a1})");
  const auto solved = [](const Variant& v, MethodId method) {
    return variants_testing::sure(method_of(method).solve(Game(v, v.rules().start()), {}));
  };
  std::optional<Comparison> wanted;
  for (const MethodId of_even : {MethodId::graph, MethodId::one_pass}) {
    for (const MethodId of_uneven : {MethodId::graph, MethodId::one_pass}) {
      const auto a = solved(even, of_even);
      const auto b = solved(uneven, of_uneven);
      ASSERT_GT(a->folds().size(), b->folds().size());
      for (const bool turned : {false, true}) {
        const ComparedGames games =
            variants_testing::sure(turned ? ComparedGames::make(*b, *a) : ComparedGames::make(*a, *b));
        const Comparison found = variants_testing::sure(games.count()).both();
        if (!wanted) wanted = found;
        EXPECT_EQ(found.common, a->summary().statistics->reachable);
        EXPECT_EQ(found.common, wanted->common);
        EXPECT_EQ(found.changed, wanted->changed);
        EXPECT_EQ(found.same_outcome, wanted->same_outcome);
        EXPECT_EQ(found.plies, wanted->plies);
        EXPECT_EQ(found.ended, 0U);
        for (std::size_t i = 0; i < kOutcomes; ++i) {
          for (std::size_t k = 0; k < kOutcomes; ++k)
            EXPECT_EQ(found.outcomes[turned ? k : i][turned ? i : k], wanted->outcomes[i][k]);
        }
      }
    }
  }
  EXPECT_GT(wanted->changed, 0U);
}

// Lines and changes do not depend on how the games were solved either, but for ties, where a graph knows how far the end is.
TEST(Comparison, ChangesByOtherMethods) {
  const auto solved = [](const std::string& threat, MethodId method) {
    const Variant variant = variants_testing::game("populace", {"board=square:2x3", "threat=" + threat});
    return variants_testing::sure(method_of(method).solve(Game(variant, variant.rules().start()), {}));
  };
  std::vector<std::vector<std::string>> lines[2];
  for (const MethodId method : {MethodId::graph, MethodId::rows}) {
    const auto a = solved("1", method);
    const auto b = solved("2", method);
    const ComparedGames games = variants_testing::sure(ComparedGames::make(*a, *b));
    EXPECT_GT(variants_testing::sure(games.count()).both().changed, 0U);
    for (const Change& change : variants_testing::sure(games.nearest_changes(4))) {
      std::vector<std::string> line;
      for (const LineMove& move : change.line.moves) line.push_back(move.text);
      lines[method == MethodId::rows ? 1 : 0].push_back(line);
    }
  }
  ASSERT_EQ(lines[0].size(), lines[1].size());
  for (std::size_t i = 0; i < lines[0].size(); ++i) EXPECT_EQ(lines[0][i].size(), lines[1][i].size());
}

TEST(Comparison, OtherBoardsAreRefused) {
  const auto solved = [](const std::string& board) {
    absl::StatusOr<Description> game = load_description("populace", PLENUM_DATA_FOLDER);
    EXPECT_TRUE(game->set_option(Span::whole("--set", "board=" + board)).ok());
    const auto variant = Variant::make(*game);
    return *method_of(MethodId::graph).solve(Game(*variant, variant->rules().start()), {});
  };
  const auto path = solved("path:4");
  const auto square = solved("square:2x2");
  const auto games = ComparedGames::make(*path, *square);
  ASSERT_FALSE(games.ok());
  EXPECT_NE(std::string(games.status().message()).find("path:4 and square:2x2"), std::string::npos);
}

}  // namespace
}  // namespace plenum::comparison_test
