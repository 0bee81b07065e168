// SPDX-License-Identifier: Apache-2.0
// Shortest lines to a goal and their number: against breadth first over unreduced positions that counts every line,
// with moves and truths of an interpreter of the tests' own (slow_games.h) and of the program; known numbers; what is
// proven without a line.
#include "solver/reach.h"

#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <tbb/global_control.h>

#include "tests/random_variants.h"
#include "tests/slow_games.h"
#include "variants/goal_bound.h"

namespace plenum::variants_testing {
namespace {

using slow::Tree;
using slow::World;

constexpr std::size_t kMostPositions = 3000;

Variant with_goal(const std::string& text, const std::string& goal, const std::vector<std::string>& settings = {}) {
  absl::StatusOr<Description> description = parse_description({"test.toml", text, true}, PLENUM_DATA_FOLDER);
  for (const std::string& setting : settings) {
    const absl::Status set = description->set_option(Span::whole("--set", setting));
    if (!set.ok()) throw std::runtime_error(std::string(set.message()));
  }
  return sure(Variant::make(sure(std::move(description)), Span::whole("--goal", goal)));
}
Variant game(const std::string& name, const std::string& goal, const std::vector<std::string>& settings = {}) {
  return with_goal("name = \"T\"\nextends = \"" + name + "\"\n", goal, settings);
}
Reach found(const Variant& v, const ReachOptions& options = {}) {
  return sure(reach(v, Goal(v.rules()), v.rules().start(), options));
}
std::string line_of(const Reach& r) {
  std::string out;
  if (r.line) {
    for (const LineMove& move : r.line->moves) out += (out.empty() ? "" : " ") + move.text;
  }
  return out;
}

// What the same search says by other ways: without the bound, without symmetries, with a limit of plies.
void check_alike(const Variant& v, const Position& start, const Reach& whole) {
  const Goal goal(v.rules());
  const Variant plain = v.without_symmetries();
  for (const auto& [other, use_bound] : {std::pair{&v, false}, {&plain, true}, {&plain, false}}) {
    ReachOptions options;
    options.use_bound = use_bound;
    const Reach again = sure(reach(*other, goal, start, options));
    RC_ASSERT(again.line.has_value() == whole.line.has_value());
    RC_ASSERT(again.lines == whole.lines);
    RC_ASSERT(line_of(again) == line_of(whole));
    RC_ASSERT(again.exhausted == whole.exhausted);
    RC_ASSERT(again.moves_cut == 0 || use_bound);
    if (!use_bound && other == &plain && whole.unreduced && whole.moves_cut == 0)
      RC_ASSERT(*whole.unreduced == again.looked_at);
  }
  const int plies = whole.line ? static_cast<int>(whole.line->moves.size()) : static_cast<int>(*below(6));
  for (const int depth : {plies - 1, plies}) {
    if (depth < 0) continue;
    ReachOptions options;
    options.depth = depth;
    const Reach again = sure(reach(v, goal, start, options));
    RC_ASSERT(again.line.has_value() == (whole.line && depth == plies));
    if (again.line) {
      RC_ASSERT(again.lines == whole.lines);
      RC_ASSERT(line_of(again) == line_of(whole));
    } else {
      RC_ASSERT(again.exhausted || again.proven_plies == depth);
      RC_ASSERT(!again.exhausted || !whole.line);
    }
  }
}

// No bound is more than what it takes.
void check_bound(const Variant& v, const Reach& whole) {
  const GoalBound bound(v.rule_set());
  if (!whole.line) return;
  int left = static_cast<int>(whole.line->moves.size());
  RC_ASSERT(bound.plies(whole.line->begin) <= left);
  for (const LineMove& move : whole.line->moves) RC_ASSERT(bound.plies(move.after) <= --left);
}

// ------------------------------------------------------------------------- by the interpreter of the tests' own

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
    RC_LOG(to_text(v.rule_set(), start));
    const Naive naive = search(rules, goal, slow::world(v.rule_set(), start));
    if (!naive.finished) return;
    ++tried;
    const Reach whole = sure(reach(v, Goal(v.rules()), start, {}));
    RC_ASSERT(whole.line.has_value() == (naive.plies >= 0));
    RC_ASSERT(whole.lines == naive.lines);
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
  EXPECT_GE(tried, 1500);
  EXPECT_GE(lines, 150);
  EXPECT_GE(far, 30);
  EXPECT_GE(none, 500);
  EXPECT_GE(bounded, 200);
}

// ------------------------------------------------------------------------------- games with cycles, and real ones

// Layer by layer over unreduced positions: how many lines lead on to the goal, and the first of them in board order.
void check_by_positions(const Variant& v, std::size_t most) {
  const RuleSet& rules = v.rule_set();
  const Goal goal(v.rules());
  struct Node {
    Position position;
    std::vector<Successor> moves;
    std::uint64_t lines = 0;  // from here
  };
  std::vector<std::map<std::string, Node>> layers(1);
  std::set<std::string> seen = {to_text(rules, v.rules().start())};
  layers[0][*seen.begin()].position = v.rules().start();
  bool reached = false;
  for (;;) {
    for (auto& [text, node] : layers.back()) {
      node.lines = goal.holds(node.position) ? 1 : 0;
      reached |= node.lines > 0;
    }
    if (reached || layers.back().empty()) break;
    if (seen.size() > most) return;
    std::map<std::string, Node> next;
    for (auto& [text, node] : layers.back()) {
      PositionBatch batch(rules.layout.count(), static_cast<int>(rules.slots.size()));
      batch.push(node.position);
      Rules::Scratch scratch(v.rules());
      std::vector<std::uint8_t> ended;
      std::vector<std::int64_t> margin;
      v.rules().judge(batch, scratch, ended, margin);
      if (ended[0] != 0) continue;
      node.moves = sure(successors(v.rules(), node.position));
      for (const Successor& s : node.moves) {
        if (seen.insert(to_text(rules, s.position)).second) next[to_text(rules, s.position)].position = s.position;
      }
    }
    layers.push_back(std::move(next));
  }
  std::string first;
  if (reached) {
    for (std::size_t i = layers.size() - 1; i-- > 0;) {
      for (auto& [text, node] : layers[i]) {
        for (const Successor& s : node.moves) {
          const auto to = layers[i + 1].find(to_text(rules, s.position));
          node.lines += to == layers[i + 1].end() ? 0 : to->second.lines;
        }
      }
    }
    const Node* at = &layers[0].begin()->second;
    for (std::size_t i = 1; i < layers.size(); ++i) {
      for (const Successor& s : at->moves) {
        const auto to = layers[i].find(to_text(rules, s.position));
        if (to == layers[i].end() || to->second.lines == 0) continue;
        first += (first.empty() ? "" : " ") + s.text;
        at = &to->second;
        break;
      }
    }
  }
  const Reach whole = sure(reach(v, goal, v.rules().start(), {}));
  RC_ASSERT(whole.line.has_value() == reached);
  RC_ASSERT(line_of(whole) == first);
  RC_ASSERT(whole.lines == (reached ? layers[0].begin()->second.lines : 0));
  if (!reached && whole.unreduced && whole.moves_cut == 0) RC_ASSERT(*whole.unreduced == seen.size());
  check_alike(v, v.rules().start(), whole);
  check_bound(v, whole);
}

const std::vector<std::string> kGoals = {"count(x) >= 3",
                                         "count(x) - count(o) >= 2",
                                         "passes == 1 & any(o) & !any(mine)",
                                         "me == second & count(stones) == 2",
                                         "holder == second",
                                         "any(controlled) & !any(theirs)",
                                         "count(mine) == count(theirs) & count(stones) > 2",
                                         "!any(empty)",
                                         "count(o & near(x) > 1) >= 1 | count(groups(x)) >= 2",
                                         "passes == 2 & count(x) < count(o)",
                                         "count(stones) > 40"};

TEST(Reach, RandomGamesWithCycles) {
  int games = 0;
  check(300, [&] {
    const random_variants::Recipe recipe = *random_variants::recipes();
    const std::string goal = kGoals[*below(static_cast<unsigned>(kGoals.size()))];
    RC_LOG() << random_variants::write(recipe) << goal;
    check_by_positions(with_goal(random_variants::write(recipe), goal), 2000);
    ++games;
  });
  EXPECT_GE(games, 300);
}

TEST(Reach, GamesOfTheData) {
  const std::vector<std::pair<std::string, std::string>> searches = {
      {"mu-torere", "count({1 3 5 7} & x) == 4"},
      {"mu-torere", "count({1 2 3 4} & o) == 4"},
      {"pong-hau-ki", "!any(empty & near(x) > 0)"},
      {"tapatan", "any(line(o))"},
      {"dodgem", "!any(x) & any(o)"},
      {"l-game", "count(x & corner) == 2 & me == second"},
      {"tic-tac-toe", "any(line(x, 3)) & any(line(o, 3))"}};
  for (const auto& [name, goal] : searches) {
    SCOPED_TRACE(name + ": " + goal);
    check(1, [name = name, goal = goal] { check_by_positions(game(name, goal), 30'000); });
  }
}

// ------------------------------------------------------------------------------------------------ known numbers

// How many games of tic-tac-toe end at the fifth move, at the sixth, and full and drawn; how many positions there are.
TEST(Reach, TicTacToe) {
  const Reach x = found(game("tic-tac-toe", "any(line(x, 3))"));
  EXPECT_EQ(x.line->moves.size(), 5U);
  EXPECT_EQ(x.lines, 1440U);
  EXPECT_EQ(line_of(x), "a1 b1 a2 c1 a3");
  const Reach o = found(game("tic-tac-toe", "any(line(o, 3))"));
  EXPECT_EQ(o.line->moves.size(), 6U);
  EXPECT_EQ(o.lines, 5328U);
  const Reach level = found(game("tic-tac-toe", "!any(empty | line(x, 3) | line(o, 3))"));
  EXPECT_EQ(level.line->moves.size(), 9U);
  EXPECT_EQ(level.lines, 46080U);
  ReachOptions plain;
  plain.use_bound = false;
  const Reach all = found(game("tic-tac-toe", "count(x) >= 6"), plain);
  EXPECT_FALSE(all.line);
  EXPECT_TRUE(all.exhausted);
  EXPECT_EQ(all.looked_at, 765U);
  EXPECT_EQ(all.unreduced, 5478U);
}

// Each move leads to the same position as any other: 64 ways each ply.
constexpr const char* kTally = R"toml(
name = "Tally"
[options]
board = { default = "square:8x8" }
[state]
tally = { type = "number", range = [0, 200] }
[moves.tap]
to   = "empty"
then = ["placed -> empty", "tally = tally + 1"]
[end]
stuck = "ties"
)toml";

TEST(Reach, ManyLines) {
  const Reach r = found(with_goal(kTally, "tally == 21"));
  EXPECT_EQ(r.line->moves.size(), 21U);
  EXPECT_EQ(r.lines, absl::uint128(1) << 126);
  EXPECT_EQ(found(with_goal(kTally, "tally == 30")).lines, absl::Uint128Max());  // and more
}

// Whether the corner was ever taken, and passes: nothing but the goal reads them.
constexpr const char* kUnread = R"toml(
name = "Unread"
[options]
board = { default = "path:3" }
[state]
seen = { type = "bool" }
[moves.pass]
[moves.place]
to   = "empty"
then = "if any(placed & {1}): seen = true"
[moves.leave]
from = "mine"
[end]
stuck = "ties"
)toml";

TEST(Reach, AStateThatNoRuleReads) {
  const Variant plain = made(kUnread);
  const RuleSet& without = plain.rule_set();
  EXPECT_FALSE(without.slots[0].live);
  EXPECT_FALSE(without.passes_live);
  const Variant v = with_goal(kUnread, "seen & !any(stones)");
  EXPECT_TRUE(v.rule_set().slots[0].live);
  const Reach seen = found(v);
  EXPECT_EQ(line_of(seen), "1 pass 1-off");
  EXPECT_EQ(to_text(v.rule_set(), seen.line->end()), "3 2 seen=on");
  EXPECT_EQ(seen.lines, 1U);
  const Reach passes = found(with_goal(kUnread, "passes == 3 & count(stones) == 1"));
  EXPECT_EQ(line_of(passes), "1 pass pass pass");
  EXPECT_EQ(passes.lines, 3U);
}

TEST(Reach, AGoalThatNamesCells) {
  const Variant v = game("populace", "any({a1} & x) & any({b3} & x)", {"board=hexhex:2"});
  EXPECT_FALSE(v.symmetries().has_exchange());
  EXPECT_LT(v.symmetries().size(), game("populace", "any(x)", {"board=hexhex:2"}).symmetries().size());
  EXPECT_EQ(line_of(found(v)), "a1 c1 b3");
  check(1, [&] { check_by_positions(v, 30'000); });
}

// The rules treat the players alike, but only first owns a second kind: exchanged, its stones are of no kind.
TEST(Reach, APlayerWithMoreKinds) {
  const Variant v = with_goal(R"toml(
name = "Kinds"
[options]
board = { default = "path:2" }
[kinds]
x = "first"
y = "first"
o = "second"
[moves.step]
from = "mine"
to   = "empty"
[end]
when  = "passes == 3"
score = "count(mine)"
stuck = "pass"
)toml",
                              "count(theirs) == 2");
  EXPECT_TRUE(v.symmetries().has_exchange());
  const Reach r = sure(reach(v, Goal(v.rules()), position(v, "yy 1"), {}));
  EXPECT_EQ(line_of(r), "pass");
}

TEST(Reach, FromTheGoalItself) {
  const Reach r = found(game("populace", "!any(stones)", {"board=path:3"}));
  ASSERT_TRUE(r.line);
  EXPECT_TRUE(r.line->moves.empty());
  EXPECT_EQ(r.lines, 1U);
  const Reach never = found(game("populace", "any({1} & {2})", {"board=path:3"}));
  EXPECT_TRUE(never.exhausted);
}

TEST(Reach, TheBoundOfAGoal) {
  const auto plies = [](const std::string& name, const std::string& goal, const std::string& board) {
    const Variant v = game(name, goal, {"board=" + board});
    return GoalBound(v.rule_set()).plies(v.rules().start());
  };
  EXPECT_EQ(plies("tic-tac-toe", "count(x) >= 5", "square:3x3"), 9);
  EXPECT_EQ(plies("tic-tac-toe", "count(o) >= 3", "square:3x3"), 6);
  EXPECT_EQ(plies("tic-tac-toe", "count(mine) >= 3", "square:3x3"), 6);
  EXPECT_EQ(plies("tic-tac-toe", "any(line(x, 3))", "square:3x3"), 5);
  EXPECT_EQ(plies("tic-tac-toe", "count(empty) == 1", "square:3x3"), 8);
  EXPECT_EQ(plies("tic-tac-toe", "count(x) - count(o) == 2", "square:3x3"), GoalBound::kNever);
  EXPECT_EQ(plies("tic-tac-toe", "count(x) >= 2 & count(o) >= 3 | count(x) == 4", "square:3x3"), 6);
  EXPECT_EQ(plies("tic-tac-toe", "!(count(x) < 4) & me == first", "square:3x3"), 8);
  EXPECT_EQ(plies("tic-tac-toe", "count(stones) > 9 | passes > 1", "square:3x3"), GoalBound::kNever);
  EXPECT_EQ(plies("populace", "passes == 1 & count(x) >= 2", "path:5"), 3);
  EXPECT_EQ(plies("populace", "count(groups(x)) >= 3", "path:5"), 5);
  EXPECT_EQ(plies("populace", "any(near(stones) > 1) | any(near(x) > 0)", "path:5"), 0);
  EXPECT_GT(found(game("populace", "count(x) == 3 & !any(o)", {"board=path:4"})).moves_cut, 0U);
}

// ------------------------------------------------------------------------------------------- what stops a search

TEST(Reach, SaysWhatIsProven) {
  const Variant v = game("populace", "count(x) == 9 & count(o) == 4", {"board=square:4x4"});
  const Goal goal(v.rules());
  ReachOptions tight;
  tight.use_bound = false;
  tight.memory_bytes = 40'000'000;
  const auto refused = reach(v, goal, v.rules().start(), tight);
  ASSERT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_NE(refused.status().message().find("it is proven that no line of"), std::string::npos);
  ReachOptions impatient;
  impatient.use_bound = false;
  impatient.progress = [](const ReachProgress& p) { return p.plies < 4; };
  const auto stopped = reach(v, goal, v.rules().start(), impatient);
  ASSERT_EQ(stopped.status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(stopped.status().message(), "interrupted; it is proven that no line of 3 plies or fewer leads to the goal");
}

TEST(Reach, DoesNotDependOnTheNumberOfThreads) {
  std::vector<std::string> seen;
  for (const std::size_t threads : {1U, 2U, 3U}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    const Reach r = found(game("populace", "count(x) == 1 & count(o) == 6", {"board=square:3x3"}));
    seen.push_back(line_of(r) + " " + std::to_string(absl::Uint128Low64(r.lines)) + " " + std::to_string(r.looked_at) +
                   " " + std::to_string(r.moves_cut));
  }
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
}

TEST(Goal, ErrorsPointIntoIt) {
  const auto error = [](const std::string& goal) {
    const auto description =
        parse_description({"test.toml", "name = \"T\"\nextends = \"populace\"\n", true}, PLENUM_DATA_FOLDER);
    return std::string(Variant::make(*description, Span::whole("--goal", goal)).status().message());
  };
  for (const auto& [goal, under, says] : {std::array{"any(surplas)", "surplas", "did you mean 'surplus'?"},
                                          {"count(x)", "count(x)", "true or false"},
                                          {"mine", "mine", "any(...)"},
                                          {"count(x) >= ", "", ""},
                                          {"any(from)", "from", "'from'"},
                                          {"passes * count(x) == 4", "passes * count(x) == 4", "'passes'"}}) {
    SCOPED_TRACE(goal);
    EXPECT_EQ(error(goal).rfind("--goal: ", 0), 0U) << error(goal);
    EXPECT_EQ(under_caret(error(goal)), under) << error(goal);
    EXPECT_NE(error(goal).find(says), std::string::npos) << error(goal);
  }
}

}  // namespace
}  // namespace plenum::variants_testing
