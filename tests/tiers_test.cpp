// SPDX-License-Identifier: Apache-2.0
// What tiers promise, on random games: no move lowers a tier, moves that are said to raise one do, and where they say that
// play cannot cycle there is no cycle among all that can be reached. Kinds of proofs by hand; weights against all small ones.
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <absl/strings/str_cat.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/random_games.h"
#include "variants/rules/cycle_proof.h"
#include "variants/rules/rising_weights.h"

namespace plenum::variants_testing::tiers_test {
namespace {

constexpr std::size_t kMostPositions = 20'000;

// What can be reached from a position, unreduced, as far as `most`.
struct Reached {
  std::vector<Position> positions;
  std::vector<std::vector<std::size_t>> edges;

  // Takes away what leads nowhere until nothing is left, or a cycle.
  bool has_cycle() const {
    std::vector<std::vector<std::size_t>> back(positions.size());
    std::vector<std::size_t> out(positions.size());
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      out[i] = edges[i].size();
      if (out[i] == 0) ready.push_back(i);
      for (const std::size_t to : edges[i]) back[to].push_back(i);
    }
    std::size_t gone = 0;
    for (; !ready.empty(); ++gone) {
      const std::size_t i = ready.back();
      ready.pop_back();
      for (const std::size_t from : back[i]) {
        if (--out[from] == 0) ready.push_back(from);
      }
    }
    return gone < positions.size();
  }
};

// All measures of a proof in their order, the tier's first.
std::vector<std::int64_t> ranks(const Variant& v, const Position& p) {
  std::vector<std::int64_t> out;
  for (const auto* const measures : {&v.tiers().measures(), &v.tiers().further()}) {
    for (const Measure& m : *measures) {
      out.push_back(MeasureReader(v.rule_set(), m)(p));
      RC_ASSERT(out.back() >= m.least);
      RC_ASSERT(out.back() <= m.greatest);
    }
  }
  return out;
}

// Looks at each move met whether the tiers keep their promises.
Reached explore(const Variant& v, const Position& start, std::size_t most) {
  const RuleSet& rules = v.rule_set();
  const auto canonical = [&](const Position& p) { return v.symmetries().canonical(p).position; };
  const auto raised = [&](const Move& move) {
    if (move.first.rule == kForcedPass) return false;
    const std::string& name = rules.moves[move.first.rule].name;
    return std::any_of(v.tiers().measures().begin(), v.tiers().measures().end(), [&](const Measure& m) {
      return std::find(m.raised_by.begin(), m.raised_by.end(), name) != m.raised_by.end();
    });
  };
  const auto passes = [&](const Move& move) {
    return move.first.rule == kForcedPass || rules.moves[move.first.rule].kind == MoveRule::Kind::pass;
  };
  Reached out;
  std::map<std::string, std::size_t> number;
  const auto add = [&](const Position& p) {
    const auto [found, fresh] = number.emplace(v.rules().write(p), out.positions.size());
    if (fresh) out.positions.push_back(p);
    return found->second;
  };
  add(start);
  // Where pieces only go forward nothing counts that.
  const bool all_ranked = v.tiers().acyclic() && (v.tiers().one_pass() || !v.tiers().further().empty());
  for (std::size_t i = 0; i < out.positions.size() && out.positions.size() < most; ++i) {
    out.edges.emplace_back();
    const Position p = out.positions[i];
    const EndState end = sure(end_state(v.rules(), p));
    if (end.ended) continue;
    const std::uint32_t tier = v.tiers().tier(canonical(p));
    RC_ASSERT(tier < v.tiers().count());
    RC_ASSERT(tier == v.tiers().tier(p));
    const std::vector<std::int64_t> rank = ranks(v, p);
    for (const Successor& s : sure(successors(v.rules(), p))) {
      const std::uint32_t next = v.tiers().tier(canonical(s.position));
      const std::vector<std::int64_t> after = ranks(v, s.position);
      const bool must_rise = all_ranked && !passes(s.move);
      if (next < tier || (next == tier && raised(s.move)) || after < rank || (must_rise && after == rank))
        RC_FAIL("tier " + std::to_string(tier) + " to " + std::to_string(next) + " by " + s.text + " in " +
                v.rules().write(p));
      if (!s.ended) out.edges[i].push_back(add(s.position));
    }
  }
  out.edges.resize(out.positions.size());
  return out;
}

bool found_by_program(const Variant& v) {
  const auto& measures = v.tiers().measures();
  return !v.tiers().further().empty() ||
         std::any_of(measures.begin(), measures.end(), [](const Measure& m) { return m.found; });
}

TEST(Tiers, OfRandomGames) {
  int games = 0;
  int acyclic = 0;
  int ranked = 0;
  int programs = 0;
  int with_cycle = 0;
  check(1500, [&] {
    slow::Ground ground = slow::ground(6);
    ground.several = *below(3) == 0;
    ground.rich = *below(3) == 0;
    slow::Wishes wishes;
    wishes.depth = 1;
    wishes.ends = *below(2) == 0;
    const slow::Game game = slow::random_game(ground, wishes);
    RC_LOG(game.text);
    const auto made = make(game.text);
    if (!made.ok()) return;
    const Variant& v = *made;
    ++games;
    acyclic += v.tiers().acyclic() ? 1 : 0;
    ranked += v.tiers().count() > 1 ? 1 : 0;
    programs += found_by_program(v) ? 1 : 0;
    RC_LOG(v.tiers().reason());
    const Reached reached = explore(v, *positions(v.rule_set()), *below(20) == 0 ? kMostPositions : 500);
    const bool cycle = reached.has_cycle();
    with_cycle += cycle ? 1 : 0;
    if (v.tiers().acyclic()) RC_ASSERT(!cycle);
  });
  std::cout << games << " games: " << ranked << " with tiers, " << acyclic << " that cannot cycle, " << programs
            << " of them by a linear program, " << with_cycle << " with a cycle\n";
  EXPECT_GE(acyclic * 20, games);
  EXPECT_GE(with_cycle * 20, games);
  EXPECT_GE(ranked * 5, games);
}

// Moves that carry pieces this way and that, with effects on what is beside them and parts: games that only a linear program orders.
std::string random_carriers() {
  const auto one_of = [](const std::vector<std::string>& of) { return of[*below(static_cast<unsigned>(of.size()))]; };
  const std::string way = "if me == first then " +
                          one_of({"right", "right | up", "up", "right | down", "up_right | right"}) + " else " +
                          one_of({"left", "left | down", "down", "left | up", "right | up"});
  const std::string target = one_of({"empty", "empty", "empty", "theirs", "empty & row > 1", "!mine"});
  std::string rules = "name = \"Carriers\"\n[options]\nboard = { default = \"" +
                      one_of({"square:3x2", "square:4x1", "square:2x3", "square:3x3", "path:4"}) + "\" }\n";
  if (rules.find("path") != std::string::npos) rules.replace(rules.find("path:4"), 6, "square:5x1");
  const bool third = *below(2) == 0;
  rules += std::string("[kinds]\nx = \"first\"\no = \"second\"\n") + (third ? "n = \"nobody\"\n" : "");
  rules += "[start]\nx = \"column == 1\"\no = \"column == width & row <= 2\"\n";
  const auto effects = [&]() -> std::string {
    std::vector<std::string> known = {"",
                                      "",
                                      "then = \"theirs & near(placed) > 0 -> empty\"\n",
                                      "then = \"between(taken, theirs, placed) -> empty\"\n",
                                      "then = \"taken -> mine\"\n",
                                      "then = \"placed & edge -> empty\"\n",
                                      "then = \"up(stones) & theirs -> empty\"\n"};
    if (third) {
      known.insert(known.end(), {"then = \"taken -> n\"\n", "then = \"n & near(placed) > 0 -> empty\"\n",
                                 "then = \"{a1} & x -> n, {a1} & n -> x\"\n"});
    }
    return one_of(known);
  };
  bool part = false;
  const auto next = [&]() -> std::string {
    if (!third || *below(3) != 0) return "";
    part = true;
    return "next = \"after\"\n";
  };
  rules += "[moves.step]\nfrom = \"mine\"\nstep = \"" + way + "\"\nto = \"" + target + "\"\n" + effects() + next();
  if (*below(2) == 0)
    rules += "[moves.jump]\nfrom = \"mine\"\njump = \"" + (*below(2) == 0 ? way : "orth") + "\"\nover = \"" +
             one_of({"theirs", "stones"}) + "\"\nto = \"empty\"\n" + effects();
  if (*below(4) == 0)
    rules += "[moves.slide]\nfrom = \"mine\"\nslide = \"" + way + "\"\nto = \"empty\"\n" + effects() + next();
  if (*below(3) == 0)
    rules +=
        "[moves.put]\nto = \"empty & " + one_of({"column == 1", "near(mine) > 1", "home_edge"}) + "\"\n" + effects();
  if (*below(5) == 0) rules += "[moves.leave]\nfrom = \"mine & edge\"\n" + effects();
  if (*below(5) == 0) rules += "[moves.pass]\n";
  if (part)
    rules +=
        std::string("[parts.after]\n") +
        one_of({"to = \"empty & near(placed) > 0\"\nput = \"n\"\n", "to = \"empty\"\nput = \"n\"\noptional = true\n",
                "from = \"theirs & near(placed) > 0\"\n", "to = \"ray(placed, orth, empty)\"\nput = \"n\"\n",
                "from = \"placed\"\nstep = \"up\"\nto = \"empty\"\n"});
  return rules + "[end]\nwhen = \"passes == 2\"\nscore = \"count(mine)\"\nstuck = \"" + one_of({"loses", "pass"}) +
         "\"\n";
}

TEST(Tiers, OfGamesThatCarry) {
  int games = 0;
  int programs = 0;
  int further = 0;
  int with_cycle = 0;
  int missed = 0;
  check(2500, [&] {
    const std::string text = random_carriers();
    RC_LOG(text);
    const auto made = make(text);
    if (!made.ok()) RC_FAIL(std::string(made.status().message()));
    ++games;
    programs += found_by_program(*made) ? 1 : 0;
    further += made->tiers().further().empty() ? 0 : 1;
    RC_LOG(made->tiers().reason());
    const Position start = *below(3) == 0 ? made->rules().start() : *positions(made->rule_set());
    const bool cycle = explore(*made, start, *below(10) == 0 ? 3000 : 400).has_cycle();
    with_cycle += cycle ? 1 : 0;
    missed += !cycle && !made->tiers().acyclic() ? 1 : 0;
    if (made->tiers().acyclic()) RC_ASSERT(!cycle);
  });
  std::cout << games << " games: " << programs << " cannot cycle by a linear program, " << further
            << " of these by measures that are no tiers, " << with_cycle << " with a cycle, " << missed
            << " of neither kind as far as was looked\n";
  EXPECT_GE(programs * 10, games);
  EXPECT_GE(further, 1);
  EXPECT_GE(with_cycle * 20, games);
}

// Weights that raise all that any weights raise, against all small ones.
TEST(Tiers, WeightsThatRaiseMost) {
  int some = 0;
  check(3000, [&] {
    constexpr int kMost = 4;
    const std::size_t quantities = 1 + *below(3);
    std::vector<CountChange> changes;
    for (unsigned n = 1 + *below(6); n > 0; --n) {
      changes.emplace_back();
      for (std::size_t q = 0; q < quantities; ++q) add_amount(changes.back(), q, std::int64_t{*below(5)} - 2);
    }
    const auto found = rising_weights(changes, quantities);
    const std::vector<std::int64_t> weights = found.value_or(std::vector<std::int64_t>(quantities, 0));
    bool raises = false;
    for (const CountChange& change : changes) {
      RC_ASSERT(weighed(change, weights) >= 0);
      raises |= weighed(change, weights) > 0;
    }
    RC_ASSERT(raises == found.has_value());
    some += raises ? 1 : 0;
    std::vector<std::int64_t> tried(quantities, -kMost);
    for (bool more = true; more;) {
      if (std::all_of(changes.begin(), changes.end(), [&](const CountChange& c) { return weighed(c, tried) >= 0; })) {
        for (const CountChange& change : changes)
          RC_ASSERT(weighed(change, tried) == 0 || weighed(change, weights) > 0);
      }
      more = false;
      for (std::int64_t& one : tried) {
        more = ++one <= kMost;
        if (more) break;
        one = -kMost;
      }
    }
  });
  EXPECT_GE(some, 500 / kFewer);
}

// Whether play can go round from the start, by trying.
bool goes_round(const Variant& v, std::size_t most) {
  const Reached reached = explore(v, v.rules().start(), most);
  EXPECT_LT(reached.positions.size(), most);
  return reached.has_cycle();
}

// Pawns: nothing counts them forward, but they cannot come back.
TEST(Tiers, PiecesThatOnlyGoForward) {
  const auto can_cycle = [](const std::string& moves) {
    const auto made = make(
        "name = \"Pawns\"\n[options]\nboard = { default = \"square:3x4\" }\n[start]\nx = \"row == 1\"\no = "
        "\"row == height\"\n" +
        moves + "[end]\nstuck = \"loses\"\n");
    EXPECT_TRUE(made.ok()) << made.status();
    if (!made.ok()) return true;
    EXPECT_FALSE(made->tiers().one_pass());
    return !made->tiers().acyclic();
  };
  const std::string step = "[moves.step]\nfrom = \"mine\"\nstep = \"forward\"\nto = \"empty\"\n";
  const std::string capture =
      "[moves.take]\nfrom = \"mine\"\nstep = \"forward_left | forward_right\"\nto = \"theirs\"\n";
  EXPECT_FALSE(can_cycle(step));
  EXPECT_FALSE(can_cycle(step + capture));
  EXPECT_TRUE(can_cycle("[moves.step]\nfrom = \"mine\"\nstep = \"forward | backward\"\nto = \"empty\"\n"));
  EXPECT_TRUE(can_cycle(step + "[moves.aside]\nfrom = \"mine\"\nstep = \"left | right\"\nto = \"empty\"\n"));
  // Somebody else moves them back.
  EXPECT_TRUE(can_cycle("[moves.step]\nfrom = \"mine | theirs\"\nstep = \"forward\"\nto = \"empty\"\n"));
  const std::string beside = "then = \"theirs & near(placed) > 0 -> empty\"\n";
  EXPECT_TRUE(can_cycle(step + beside + "[moves.again]\nto = \"empty & home_edge\"\n"));
}

const std::string kMarch =
    "[moves.step]\nfrom = \"mine\"\nstep = \"if me == first then right else left\"\nto = \"empty\"\n";
const std::string kLeap =
    "[moves.jump]\nfrom = \"mine\"\njump = \"if me == first then right else left\"\nover = \"theirs\"\nto = "
    "\"empty\"\n";

struct ByHand {
  std::string name;
  std::string rules;
  bool proven = false;
  std::string words;  // in the reason
};

std::string by_hand(const std::string& board, const std::string& x, const std::string& o, const std::string& more) {
  return "name = \"By hand\"\n[options]\nboard = { default = \"" + board + "\" }\n[start]\nx = \"" + x + "\"\no = \"" +
         o + "\"\n" + more + (more.find("[end]") == std::string::npos ? "[end]\nstuck = \"loses\"\n" : "");
}

std::vector<ByHand> kinds_of_proofs() {
  const std::string three = "[kinds]\nx = \"first\"\no = \"second\"\nn = \"nobody\"\n";
  const std::string queen = "[moves.queen]\nfrom = \"mine\"\nslide = \"king\"\nto = \"empty\"\nnext = \"shot\"\n";
  const std::string shot = "[parts.shot]\nto = \"ray(placed, king, empty)\"\nput = \"n\"\n";
  const std::string over = "[moves.jump]\nfrom = \"mine\"\njump = \"orth\"\nover = \"theirs\"\nto = \"empty\"\n";
  const std::string taking = "then = \"between(taken, theirs, placed) -> empty\"\n";
  const std::string turned =
      "[define]\n\"turned(s)\" = \"{a1} & right(s) | {a2} & down(s) | {b2} & left(s) | {b1} & up(s)\"\n";
  const std::string turn = "then = \"turned(x) -> x, turned(o) -> o, turned(empty) -> empty\"\n";
  const std::string numbers =
      "[state]\nn = { type = \"number\", range = [0, 30], start = 30 }\nm = { type = \"number\", range = [0, 30] }\n"
      "[moves.a]\nwhen = \"n > 2 & m < 30\"\nfrom = \"mine\"\nstep = \"orth\"\nto = \"empty\"\nthen = [\"n = n - 3\", "
      "\"m = m + 1\"]\n"
      "[moves.b]\nwhen = \"m > 0 & n < 29\"\nfrom = \"mine\"\nstep = \"orth\"\nto = \"empty\"\n";
  const auto phases = [](int last) {
    return "[state]\nn = { type = \"number\", range = [0, 3] }\n[moves.a]\nwhen = \"n == 0\"\nfrom = \"mine\"\nstep = "
           "\"orth\"\nto = \"empty\"\nthen = \"n = 2\"\n[moves.b]\nwhen = \"n > 1 & n < 3\"\nfrom = \"mine\"\nstep = "
           "\"orth\"\nto = \"empty\"\nthen = \"n = " +
           std::to_string(last) + "\"\n";
  };
  const std::string chutes =
      "[moves.a]\nfrom = \"mine & {1}\"\nto = \"empty & {2 4}\"\n[moves.b]\nfrom = \"mine & {4}\"\nto = \"empty & "
      "{3}\"\n"
      "[moves.c]\nfrom = \"mine & {3}\"\nto = \"empty & {2}\"\n";
  const auto kinds = [](int count) {
    std::string out = "[kinds]\nx = \"first\"\no = \"second\"\n";
    for (int k = 0; k < count; ++k) {
      const std::string letter(1, static_cast<char>('a' + k));
      absl::StrAppend(&out, "k", letter, " = { owner = \"nobody\", letter = \"", letter, "\" }\n");
    }
    return out;
  };
  return {
      {"toads and frogs", by_hand("square:7x1", "column < 4", "column > 4", kMarch + kLeap), true,
       "the columns of x less the columns of o"},
      {"toads that may go back",
       by_hand("square:6x1", "column < 3", "column > 4",
               kMarch + kLeap +
                   "[moves.back]\nfrom = \"mine\"\nstep = \"if me == first then left else right\"\nto = \"empty\"\n"),
       false, ""},
      {"a queen moves and shoots", by_hand("square:3x3", "{a1}", "{c3}", three + queen + shot), true,
       "queen raises the number of stones"},
      {"the same by a ray",
       by_hand("square:3x3", "{a1}", "{c3}",
               three + "[moves.queen]\nfrom = \"mine\"\nto = \"ray(from, king, empty)\"\nnext = \"shot\"\n" + shot),
       true, "queen raises the number of stones"},
      {"a queen that need not shoot", by_hand("square:3x3", "{a1}", "{c3}", three + queen + shot + "optional = true\n"),
       false, ""},
      {"a queen whose shot may fit nowhere",
       by_hand("square:3x3", "{a1}", "{c3}",
               three + queen + "[parts.shot]\nto = \"ray(placed, king, empty) & {b2}\"\nput = \"n\"\n"),
       false, ""},
      {"what is left behind is blocked",
       by_hand("square:3x3", "{a1}", "{c3}",
               three + "[moves.go]\nfrom = \"mine\"\nstep = \"king\"\nto = \"empty\"\nthen = \"taken -> n\"\n"),
       true, "go raises the number of stones"},
      {"jumps that take",
       by_hand("square:4x3", "(row + column) % 2 == 0 & !{a1}", "(row + column) % 2 == 1 & !{b1}", over + taking), true,
       "jump raises the number of stones, falling"},
      {"jumps that take nothing", by_hand("cylinder:4x1", "{a1}", "{b1}", over), false, ""},
      {"a stone and a turn", by_hand("square:3x2", "none", "none", turned + "[moves.put]\nto = \"empty\"\n" + turn),
       true, "put raises the number of stones"},
      {"a turn alone",
       by_hand("square:4x2", "{a1 c1}", "{d1}",
               turned + "[moves.turn]\nfrom = \"mine & column > 2\"\nstep = \"up | down\"\nto = \"empty\"\n" + turn),
       false, ""},
      {"a turn that loses stones",
       by_hand("square:3x2", "none", "none",
               turned + "[moves.put]\nto = \"empty\"\nthen = \"turned(stones) -> empty\"\n"),
       false, ""},
      {"numbers that go to and fro",
       by_hand("square:4x1", "{a1}", "{d1}", numbers + "then = [\"n = n + 2\", \"m = m - 1\"]\n"), true,
       "the number 'n'"},
      {"numbers that come back",
       by_hand("square:4x1", "{a1}", "{d1}", numbers + "then = [\"n = n + 3\", \"m = m - 1\"]\n"), false, ""},
      {"phases that follow one another", by_hand("square:4x1", "{a1}", "{d1}", phases(3)), true, "the number 'n'"},
      {"a phase that stays", by_hand("square:4x1", "{a1}", "{d1}", phases(2)), false, ""},
      {"phases that come back", by_hand("square:4x1", "{a1}", "{d1}", phases(0)), false, ""},
      {"cells in an order of their own", by_hand("path:4", "{1}", "{4}", chutes), true, "the worth of the cells where"},
      {"cells in a ring",
       by_hand("path:4", "{1}", "{4}", chutes + "[moves.d]\nfrom = \"mine & {2}\"\nto = \"empty & {1}\"\n"), false, ""},
      {"kinds that weigh differently",
       by_hand("square:4x1", "{a1 b1}", "{d1}",
               kinds(4) +
                   "[moves.march]\nfrom = \"mine\"\nstep = \"orth\"\nto = \"empty\"\nthen = [\"if any(empty): taken -> "
                   "ka\"]\n[moves.turn]\nfrom = \"mine\"\nstep = \"orth\"\nto = \"ka\"\nthen = \"taken -> kb\"\n"),
       true, "march, turn raise the number of ka + 2 times the number of kb"},
  };
}

TEST(Tiers, KindsOfProofs) {
  for (const ByHand& one : kinds_of_proofs()) {
    SCOPED_TRACE(one.name);
    const auto made = make(one.rules);
    ASSERT_TRUE(made.ok()) << made.status();
    const Tiers& tiers = made->tiers();
    EXPECT_EQ(tiers.acyclic(), one.proven) << tiers.reason();
    EXPECT_NE(tiers.reason().find(one.words), std::string::npos) << tiers.reason();
    EXPECT_EQ(goes_round(*made, 60'000), !one.proven);
  }
}

}  // namespace
}  // namespace plenum::variants_testing::tiers_test
