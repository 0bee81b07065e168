// SPDX-License-Identifier: Apache-2.0
// Symmetries: automorphisms against a search of the test's own, what descriptions keep of them, canonical forms.
#include "variants/rules/symmetry.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/random_games.h"
#include "tests/variants_testing.h"

namespace plenum::variants_testing::symmetry_test {
namespace {

using Permutation = std::vector<Cell>;

Board board(const std::string& name) { return sure(Board::parse(Span::whole("--board", name))); }

// All permutations that keep neighbours, by backtracking; stops beyond `limit`.
std::set<Permutation> search(const Board& b, std::size_t limit) {
  std::set<Permutation> out;
  Permutation image;
  std::vector<bool> used(static_cast<std::size_t>(b.size()), false);
  const auto beside = [&](std::size_t c, std::size_t d) { return (b.adjacent()[c] >> d & 1) != 0; };
  const std::function<void()> extend = [&] {
    if (out.size() > limit) return;
    if (image.size() == used.size()) {
      out.insert(image);
      return;
    }
    const std::size_t c = image.size();
    for (std::size_t to = 0; to < used.size(); ++to) {
      if (used[to]) continue;
      bool fits = true;
      for (std::size_t d = 0; d < c && fits; ++d) fits = beside(c, d) == beside(to, image[d]);
      if (!fits) continue;
      used[to] = true;
      image.push_back(static_cast<Cell>(to));
      extend();
      image.pop_back();
      used[to] = false;
    }
  };
  extend();
  return out;
}

struct Order {
  const char* board;
  std::size_t automorphisms;
};

const Order kOrders[] = {
    {"square:1x1", 1},     {"square:3x3", 8},    {"square:2x3", 4},
    {"square:2x2", 8},     {"square:6x6", 8},    {"square:1x4", 2},
    {"hexhex:1", 1},       {"hexhex:2", 12},     {"hexhex:3", 12},
    {"path:1", 1},         {"path:5", 2},        {"cycle:5", 10},
    {"cycle:3", 6},        {"torus:3x3", 72},    {"torus:2x2", 8},
    {"torus:2x3", 12},     {"king:3x3", 8},      {"king:2x2", 24},
    {"hexrect:3x3", 4},    {"hexrect:3x2", 2},   {"cylinder:3x1", 6},
    {"cylinder:3x2", 12},  {"cylinder:4x3", 16}, {"edges:a-b-c-a d", 6},
    {"edges:a b c d", 24}, {"edges:a-b c-d", 8}, {"edges:m-a m-b m-c m-d a-e", 6},
};

TEST(Automorphisms, Orders) {
  for (const Order& order : kOrders) {
    const Board b = board(order.board);
    const Automorphisms found = automorphisms(b, 1000);
    EXPECT_TRUE(found.complete) << order.board;
    EXPECT_EQ(found.permutations.size(), order.automorphisms) << order.board;
  }
}

TEST(Automorphisms, AgainstSearch) {
  check(300, [] {
    const Board b = board(*boards(9));
    constexpr std::size_t kLimit = 200;
    const std::set<Permutation> expected = search(b, kLimit);
    const Automorphisms found = automorphisms(b, kLimit);
    const std::set<Permutation> distinct(found.permutations.begin(), found.permutations.end());
    RC_ASSERT(distinct.size() == found.permutations.size());
    RC_ASSERT(found.complete == (expected.size() <= kLimit));
    RC_ASSERT(found.permutations.size() <= kLimit);
    RC_ASSERT(std::is_sorted(found.permutations[0].begin(), found.permutations[0].end()));
    if (found.complete) {
      RC_ASSERT(distinct == expected);
      return;
    }
    // Too many: those that fix the first cells, a group.
    for (const Permutation& p : distinct) {
      for (std::size_t c = 0; c < p.size(); ++c) {
        for (std::size_t d = 0; d < p.size(); ++d)
          RC_ASSERT((b.adjacent()[c] >> d & 1) == (b.adjacent()[p[c]] >> p[d] & 1));
      }
      for (const Permutation& q : distinct) {
        Permutation product(p.size());
        for (std::size_t c = 0; c < p.size(); ++c) product[c] = p[q[c]];
        RC_ASSERT(distinct.count(product) == 1u);
      }
    }
  });
}

// What a position becomes under an element, by the meaning of the words: stones carried along, colours and players swapped.
Position carried(const Symmetry& g, const Position& p) {
  Position out = p;
  for (CellSet& plane : out.planes) {
    CellSet moved = 0;
    for (std::size_t c = 0; c < g.permutation.size(); ++c) moved |= (plane >> c & 1) << g.permutation[c];
    plane = moved;
  }
  if (g.exchange) out.mover = other(p.mover);
  return out;
}

using Results = std::multiset<std::tuple<std::string, bool, std::int64_t>>;

// All a solver learns from a position: where its moves lead, and how they end there.
Results results(const Variant& v, const Position& p, const Symmetry* g = nullptr) {
  Results out;
  for (const Successor& s : sure(successors(v.rules(), p))) {
    out.emplace(v.rules().write(g == nullptr ? s.position : carried(*g, s.position)), s.ended,
                s.ended ? s.margin.margin.units : 0);
  }
  return out;
}

// Everything SymmetryGroup promises, on one position.
void expect_symmetric(const Variant& v, const Position& p) {
  const SymmetryGroup& group = v.symmetries();
  const SymmetryGroup::Canonical canonical = group.canonical(p);
  RC_ASSERT(group.apply(canonical.element, p) == canonical.position);
  RC_ASSERT(group.canonical(canonical.position).position == canonical.position);
  if (group.has_exchange()) RC_ASSERT(canonical.position.mover == Player::first);
  for (std::size_t i = 0; i < group.size(); ++i) {
    const auto g = static_cast<GroupElement>(i);
    const Symmetry& element = group.elements()[i];
    RC_ASSERT(group.group().exchanges(g) == element.exchange);
    const Position image = group.apply(g, p);
    RC_ASSERT(image == carried(element, p));
    RC_ASSERT(group.canonical(image).position == canonical.position);
    if (i < 40) RC_ASSERT(results(v, image) == results(v, p, &element));
  }
  for (const Position& q : {p, canonical.position}) {
    std::set<GroupElement> expected;
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (carried(group.elements()[i], q) == q) expected.insert(static_cast<GroupElement>(i));
    }
    const std::vector<GroupElement> stabilizer = group.stabilizer(q);
    RC_ASSERT(std::set<GroupElement>(stabilizer.begin(), stabilizer.end()) == expected);
    RC_ASSERT(stabilizer.size() == expected.size());
  }
}

void expect_group(const SymmetryGroup& symmetries) {
  const Group& group = symmetries.group();
  ASSERT_EQ(group.size(), symmetries.size());
  const auto& elements = symmetries.elements();
  for (std::size_t a = 0; a < group.size(); ++a) {
    const auto g = static_cast<GroupElement>(a);
    ASSERT_EQ(group.multiply(g, group.inverse(g)), kIdentity);
    ASSERT_EQ(group.multiply(kIdentity, g), g);
    for (std::size_t b = 0; b < group.size(); ++b) {
      const auto h = static_cast<GroupElement>(b);
      const Symmetry& product = elements[group.multiply(g, h)];
      ASSERT_EQ(product.exchange, elements[a].exchange != elements[b].exchange);
      for (std::size_t c = 0; c < product.permutation.size(); ++c)
        ASSERT_EQ(product.permutation[c], elements[a].permutation[elements[b].permutation[c]]);
    }
  }
}

TEST(Symmetries, OfPopulace) {
  check(60, [] {
    std::string name = *below(4) == 0 ? *boards(40) : *boards(10);  // above 20 cells there is no table
    const char* const landings[] = {"any", "no_drop", "no_drop_lifted"};
    const Variant v = populace({"board=" + name, std::string("button=") + (*below(2) == 0 ? "on" : "off"),
                                std::string("move_to=") + landings[*below(3)]});
    const Automorphisms all = automorphisms(v.board(), kMaxGroup / 2);
    RC_ASSERT(v.symmetries().size() == 2 * all.permutations.size());
    RC_ASSERT(v.symmetries().board_complete() == all.complete);
    for (int k = 0; k < 3; ++k) expect_symmetric(v, *positions(v.rule_set(), 1));
  });
}

struct Kept {
  const char* about;
  const char* board;
  const char* rules;  // moves and what else is needed
  std::size_t plain;  // symmetries without an exchange
  std::size_t exchanging;
};

const char* const kEnd = "[moves.pass]\n[end]\nwhen = \"passes == 2\"\n";
const char* const kCount = "score = \"count(mine)\"\n";

const Kept kKept[] = {
    {"nothing named", "square:3x3", "[moves.p]\nto = \"empty & near(mine) >= near(theirs)\"\n", 8, 8},
    {"up", "square:3x3", "[moves.p]\nto = \"empty & !up(mine)\"\n", 2, 2},
    {"up or down alike", "square:3x3", "[moves.p]\nto = \"empty & !up(mine) & !down(mine)\"\n", 4, 4},
    {"right and up: the diagonal", "square:3x3", "[moves.p]\nto = \"empty & near(stones, up | right) == 0\"\n", 2, 2},
    {"a wrong pair", "square:3x3", "[moves.p]\nto = \"empty & near(stones, up) > near(theirs, right)\"\n", 1, 1},
    {"orth", "king:3x3", "[moves.p]\nto = \"empty & near(mine, orth) > near(mine, diag)\"\n", 8, 8},
    {"orth of a torus", "torus:4x4", "[moves.p]\nto = \"empty & near(mine, orth) == 1\"\n", 384, 384},
    {"the rows of a torus", "torus:3x3", "[moves.p]\nto = \"empty & near(mine, left | right) == 1\"\n", 36, 36},
    {"the rows of a cylinder", "cylinder:4x3", "[moves.p]\nto = \"empty & near(mine, left | right) == 1\"\n", 16, 16},
    {"the edge of a cylinder", "cylinder:4x3", "[moves.p]\nto = \"empty & top_edge\"\n", 8, 8},
    {"a row", "square:3x3", "[moves.p]\nto = \"empty & row == 1\"\n", 2, 2},
    {"a column by its number", "square:3x3", "[moves.p]\nto = \"empty & column % 2 == 1\"\n", 4, 4},
    {"the edge", "square:3x3", "[moves.p]\nto = \"empty & edge\"\n", 8, 8},
    {"a cell", "square:3x3", "[moves.p]\nto = \"empty & !{a1}\"\n", 2, 2},
    {"two cells", "path:5", "[moves.p]\nto = \"empty & !{1 5}\"\n", 2, 2},
    {"forward", "square:3x3",
     "[moves.p]\nto = \"if me == first then empty & !up(stones) else empty & !down(stones)\"\n", 2, 2},
    {"first's own edge", "square:3x3", "[moves.p]\nto = \"empty & (if me == first then top_edge else left_edge)\"\n", 1,
     1},
    {"first alone may", "square:3x3", "[moves.p]\nto = \"empty\"\nwhen = \"me == first\"\n", 8, 0},
    {"a kind by name", "square:3x3", "[moves.p]\nto = \"empty & near(x) > 0\"\n", 8, 0},
    {"both kinds by name", "square:3x3", "[moves.p]\nto = \"empty & near(x | o) > 0\"\n", 8, 8},
    {"two moves that mirror each other", "path:4",
     "[moves.p]\nto = \"empty & left(stones)\"\n[moves.q]\nto = \"empty & right(stones)\"\n", 2, 2},
    {"steps one way", "path:4",
     "[moves.p]\nfrom = \"mine\"\nto = \"empty\"\nstep = \"right\"\n[moves.q]\nto = \"empty\"\n", 1, 1},
    {"steps both ways", "path:4", "[moves.p]\nfrom = \"mine\"\nto = \"empty\"\nstep = \"right | left\"\n", 2, 2},
    {"a neutral edge in an effect", "square:3x3", "[moves.p]\nto = \"empty\"\nthen = \"top_edge & theirs -> empty\"\n",
     2, 2},
    {"colours put", "path:3", "[moves.p]\nto = \"empty\"\nput = [\"x\", \"o\"]\n", 2, 2},
    {"one colour put", "path:3", "[moves.p]\nto = \"empty\"\nput = \"x\"\n", 2, 0},
    {"who passed", "path:3",
     "[state]\nlast = { type = \"player\" }\n[moves.p]\nto = \"empty\"\nwhen = \"last != me\"\nthen = \"last = me\"\n",
     2, 2},
    {"first in the state", "path:3",
     "[state]\nlast = { type = \"player\" }\n[moves.p]\nto = \"empty\"\nwhen = \"last != first\"\nthen = \"last = "
     "me\"\n",
     2, 0},
    {"men of each", "path:3",
     "[state]\nhand = { type = \"number\", each = true, range = [0, 3], start = 3 }\n[moves.p]\nto = \"empty\"\nwhen = "
     "\"hand > 0\"\nthen = \"hand = hand - 1\"\n",
     2, 2},
    {"forward in a count", "square:3x3", "[moves.p]\nto = \"empty & near(stones, forward) == 0\"\n", 2, 2},
    {"the far edge", "square:3x3", "[moves.p]\nto = \"empty & !far_edge\"\n", 2, 2},
    {"steps forward", "square:3x3",
     "[moves.p]\nfrom = \"mine\"\nto = \"empty\"\nstep = \"forward\"\n[moves.q]\nto = \"empty\"\n", 2, 2},
    {"first steps up, second to the right", "square:3x3",
     "[moves.p]\nfrom = \"mine\"\nto = \"empty\"\nstep = \"if me == first then up else right\"\n", 1, 1},
    {"first steps up, second anywhere", "square:3x3",
     "[moves.p]\nfrom = \"mine\"\nto = \"empty\"\nstep = \"if me == first then up else orth\"\n", 2, 0},
    {"slides up and down", "square:3x3", "[moves.p]\nfrom = \"mine\"\nto = \"empty\"\nslide = \"up | down\"\n", 4, 4},
    {"slides forward", "square:3x3", "[moves.p]\nfrom = \"mine\"\nto = \"empty\"\nslide = \"forward\"\n", 2, 2},
    {"an L as it lies", "square:3x3", "[moves.p]\nto = \"empty\"\nshape = \"x./xx\"\n", 2, 2},
    {"an S that turns", "square:3x3", "[moves.p]\nto = \"empty\"\nshape = \"xx./.xx\"\nturns = \"rotate\"\n", 4, 4},
    {"an S turned over", "square:3x3", "[moves.p]\nto = \"empty\"\nshape = \"xx./.xx\"\nturns = \"all\"\n", 8, 8},
    {"what is lifted", "square:3x3", "[moves.p]\nto = \"empty\"\nlift = \"mine & top_edge\"\n", 2, 2},
    {"a part that goes up", "square:3x3",
     "[moves.p]\nto = \"empty\"\nnext = \"q\"\n[parts.q]\nfrom = \"mine\"\nto = \"empty\"\nstep = \"up\"\n", 2, 2},
    {"a part that goes forward", "square:3x3",
     "[moves.p]\nto = \"empty\"\nnext = \"q\"\n[parts.q]\nfrom = \"mine\"\nto = \"empty\"\nstep = \"forward\"\n", 2, 2},
    {"a part after one of two moves", "path:4",
     "[moves.p]\nto = \"empty & left(stones)\"\nnext = \"r\"\n[moves.q]\nto = \"empty & right(stones)\"\n[parts.r]\n"
     "from = \"theirs\"\n",
     1, 1},
    {"three in a row", "square:3x3", "[moves.p]\nto = \"empty & !any(line(mine, 3))\"\n", 8, 8},
    {"three in a column", "square:3x3", "[moves.p]\nto = \"empty & !any(line(mine, 3, up))\"\n", 4, 4},
    {"closed runs to the right", "square:3x3",
     "[moves.p]\nto = \"empty\"\nthen = \"between(placed, theirs, mine, right) -> mine\"\n", 2, 2},
    {"a wave upwards", "square:3x3",
     "[moves.p]\nto = \"empty\"\nthen = \"spread from placed by up: theirs & near(mine) > 1 -> mine\"\n", 2, 2},
    {"rounds", "square:3x3", "[moves.p]\nto = \"empty\"\nthen = \"repeat: theirs & near(mine) > 1 -> mine\"\n", 8, 8},
    {"groups by rows", "square:3x3",
     "[moves.p]\nto = \"empty\"\nwhen = \"max(g in groups(stones, right): count(g)) < 3\"\n", 4, 4},
};

TEST(Symmetries, KeepWhatRulesRespect) {
  for (const Kept& kept : kKept) {
    SCOPED_TRACE(kept.about);
    const Variant v = made("name = \"T\"\n[options]\nboard = { default = \"" + std::string(kept.board) + "\" }\n" +
                           kept.rules + kEnd + kCount);
    const auto& elements = v.symmetries().elements();
    const auto exchanging = static_cast<std::size_t>(
        std::count_if(elements.begin(), elements.end(), [](const Symmetry& s) { return s.exchange; }));
    EXPECT_EQ(elements.size() - exchanging, kept.plain);
    EXPECT_EQ(exchanging, kept.exchanging);
    EXPECT_EQ(v.symmetries().has_exchange(), kept.exchanging > 0);
    if (elements.size() <= 100) expect_group(v.symmetries());
    check(10, [&] { expect_symmetric(v, *positions(v.rule_set(), 1)); });
  }
}

// A bonus for second in the score, or a tiebreak for first: no exchange.
TEST(Symmetries, ScoresCount) {
  const std::string rules =
      "name = \"T\"\n[options]\nboard = { default = \"square:2x2\" }\n[moves.p]\nto = \"empty\"\n" + std::string(kEnd);
  EXPECT_EQ(made(rules + "score = \"count(mine) + (if me == second then 1/2 else 0)\"\n").symmetries().size(), 8u);
  EXPECT_EQ(made(rules + kCount + "tiebreak = \"me == second\"\n").symmetries().size(), 8u);
  EXPECT_EQ(made(rules + kCount + "tiebreak = \"count(mine & {a1})\"\n").symmetries().size(), 4u);
  EXPECT_EQ(made(rules + kCount).symmetries().size(), 16u);
}

TEST(Symmetries, FormAGroup) {
  for (const char* name : {"square:3x3", "hexhex:2", "torus:3x3", "edges:a b c d", "square:5x5", "path:64"}) {
    const Variant v = populace({std::string("board=") + name});
    expect_group(v.symmetries());
    EXPECT_EQ(v.without_symmetries().symmetries().size(), 1u);
  }
}

// Random rules of words that may break a symmetry: whatever is found must be one, and a group (made() would not return).
TEST(Symmetries, OfRandomRules) {
  const std::vector<std::string> words = {"mine",
                                          "theirs",
                                          "x",
                                          "empty",
                                          "up(stones)",
                                          "right(theirs)",
                                          "(near(mine) > near(theirs))",
                                          "(row < column)",
                                          "(near(o, left | up) == 1)",
                                          "edge",
                                          "{a1}",
                                          "(me == first)",
                                          "(if me == first then up(x) else down(o))",
                                          "joined(mine, edge)",
                                          "(count(x) > count(o))",
                                          "(near(mine) + row > 3)"};
  check(150, [&] {
    const char* const names[] = {"square:3x3", "square:2x3", "king:3x3", "square:5x5"};
    std::string text = "name = \"T\"\n[options]\nboard = { default = \"" + std::string(names[*below(4)]) + "\" }\n";
    const auto expression = [&] {
      std::string out = words[*below(static_cast<unsigned>(words.size()))];
      for (unsigned k = *below(3); k > 0; --k)
        out = (*below(3) == 0 ? "!" : "") + out + (*below(2) == 0 ? " & " : " | ") +
              words[*below(static_cast<unsigned>(words.size()))];
      return "(" + out + ") & cells";
    };
    for (unsigned m = 1 + *below(3); m > 0; --m) {
      text += "[moves.m" + std::to_string(m) + "]\nto = \"" + expression() + "\"\n";
      if (*below(2) == 0)
        text += "from = \"" + expression() + "\"\n" + (*below(2) == 0 ? "within = \"near(mine) + 1\"\n" : "");
      if (*below(3) == 0) text += "then = \"" + expression() + " -> " + (*below(2) == 0 ? "mine" : "empty") + "\"\n";
    }
    text += std::string(kEnd) + "score = \"count(" + expression() + ")\"\n";
    RC_LOG(text);
    const Variant v = made(text);
    RC_TAG(v.symmetries().size());
    for (int k = 0; k < 3; ++k) expect_symmetric(v, *positions(v.rule_set(), 1));
  });
}

// Declared lines: those symmetries of the graph that carry lines to lines.
TEST(Symmetries, DeclaredLines) {
  const auto size = [](const std::string& lines) {
    return made("name = \"T\"\n[board]\nedges = \"a-b-c-d-a\"\nlines = \"" + lines +
                "\"\n[moves.p]\nto = \"empty & !any(line(mine))\"\n" + kEnd + kCount)
        .symmetries()
        .size();
  };
  EXPECT_EQ(size("a-b b-c c-d d-a"), 16u);
  EXPECT_EQ(size("a-b c-d"), 8u);
  EXPECT_EQ(size("a-c"), 8u);
  EXPECT_EQ(size("a-b"), 4u);
  EXPECT_EQ(size("a-b-c"), 4u);
}

// Whole random games, with effects, figures, slides and parts.
TEST(Symmetries, OfRandomGames) {
  int tried = 0;
  int found = 0;
  int exchanging = 0;
  check(600, [&] {
    slow::Ground ground = slow::ground(6);
    ground.several = *below(3) == 0;
    ground.rich = *below(3) == 0;
    slow::Wishes wishes;
    wishes.depth = 1;
    const slow::Game game = slow::random_game(ground, wishes);
    RC_LOG(game.text);
    const auto v = make(game.text);
    if (!v.ok()) return;
    ++tried;
    found += v->symmetries().size() > 1 ? 1 : 0;
    exchanging += v->symmetries().has_exchange() ? 1 : 0;
    for (int k = 0; k < 3; ++k) expect_symmetric(*v, *positions(v->rule_set(), 2));
  });
  EXPECT_GE(found * 4, tried);
  EXPECT_GE(exchanging * 10, tried);
}

}  // namespace
}  // namespace plenum::variants_testing::symmetry_test
