// SPDX-License-Identifier: Apache-2.0
// The identity of a game: equal texts are equal games, whatever is edited; prose and spelling do not change it.
#include "variants/language/identity.h"

#include <algorithm>
#include <set>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "solver/graph/analysis.h"
#include "tables/index/dense_index.h"
#include "tables/index/packing.h"
#include "tests/document_editor.h"
#include "tests/random_variants.h"
#include "tests/sanitized.h"
#include "tests/variants_testing.h"
#include "variants/language/vocabulary.h"

namespace plenum::identity_test {
namespace {

using variants_testing::Editor;
using variants_testing::sure;

absl::StatusOr<Description> parse(const std::string& text) {
  return parse_description({"test.toml", text, true}, PLENUM_DATA_FOLDER);
}
std::string identity(const std::string& text) { return sure(identify(sure(parse(text)))).text; }

// Everything of a game that others see: positions near the start as they are written and numbered, moves, ends, margins, and where
// it is small the values of all of them.
std::string behaviour(const Variant& variant) {
  constexpr std::size_t kMostPositions = 60;
  const RuleSet& set = variant.rule_set();
  const Packing packing(variant.rules(), true);
  std::optional<DenseIndex> dense;
  if (!DenseIndex::obstacle(variant)) dense.emplace(variant);
  std::string out;
  for (const KindDescription& kind : set.kinds) absl::StrAppend(&out, kind.name, "=", kind.letter, " ");
  for (const StateSlot& slot : set.slots) absl::StrAppend(&out, slot.name, "=", slot.written, " ");
  std::vector<Position> positions = {variant.rules().start()};
  std::set<std::string> seen = {variant.rules().write(positions[0])};
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Position position = positions[i];
    absl::StrAppend(&out, "\n", variant.rules().write(position), ": ");
    if (packing.words() <= 8) {
      for (const std::uint64_t word : packing.pack<8>(position)) absl::StrAppend(&out, absl::Hex(word), ",");
    }
    if (dense) {
      if (const auto place = dense->find(position)) absl::StrAppend(&out, " #", place->board, "/", place->layer);
    }
    const absl::StatusOr<EndState> end = end_state(variant.rules(), position);
    if (!end.ok()) {
      absl::StrAppend(&out, " error ", end.status().code());
      continue;
    }
    if (end->ended) {
      absl::StrAppend(&out, " ended ", variant.margin_text(end->margin.margin));
      continue;
    }
    const absl::StatusOr<std::vector<Successor>> moves = successors(variant.rules(), position);
    if (!moves.ok()) continue;
    for (const Successor& move : *moves) {
      const std::string text = variant.rules().write(move.position);
      absl::StrAppend(&out, " ", move.text, ">", text);
      if (positions.size() < kMostPositions && seen.insert(text).second) positions.push_back(move.position);
    }
  }
  if (variant.rules().pieces() == nullptr && variant.board().size() <= 5) {
    SolveOptions options;
    options.extras = kValuesOnly;
    options.limits.memory_bytes = 300'000'000;
    const absl::StatusOr<SolvedGame> game = solve_game(variant, variant.rules().start(), options);
    if (game.ok()) {
      for (const Position& position : positions) {
        const std::optional<PositionValue> value = game->value(position);
        if (!value) continue;
        absl::StrAppend(&out, " ", static_cast<int>(value->outcome), " ", variant.margin_text(value->margin.margin),
                        " ", value->plies ? value->plies->count : -1);
      }
    }
  }
  return out;
}

// Of everything that an identity has something of.
constexpr const char* kPlain = R"toml(name = "Plain"
[options]
board = { default = "path:5" }
way = { default = "a b" }
[kinds]
red = { owner = "nobody", letter = "r" }
blue = { owner = "nobody", letter = "b" }
[state]
one = { type = "bool" }
two = { type = "number", range = [0, 3] }
[define]
about = "count(mine & near(mine) > 0)"
[moves.place]
to = "empty & near(stones) >= 0"
put = ["red", "blue"]
then = "two = if one then 1 else 0"
[moves.about]
to = "empty"
[end]
when = "!any(empty) | two == 2"
score = "if me == first & way == 'a b' then about - count(red) else 0"
)toml";

// Documents to begin with: random games, those of the language's tables, those that come with the program.
class Documents {
 public:
  Documents() {
    texts_.push_back(example_game() +
                     "[kinds]\nred = \"nobody\"\nblue = { owner = \"nobody\", letter = \"b\" }\n"
                     "[define]\nabout = \"count(mine)\"\nclose = \"near(mine) > 0 & empty\"\n");
    texts_.push_back(example_piece_game());
    texts_.emplace_back(kPlain);
    for (const std::string& name : variant_names(PLENUM_DATA_FOLDER)) {
      const absl::StatusOr<Description> game = load_description(name, PLENUM_DATA_FOLDER);
      if (game.ok() && game->document.size() < 4000) texts_.push_back(game->document);
    }
  }

  std::string one(Editor& editor) {
    if (editor.below(3) == 0) return texts_[editor.below(texts_.size())];
    if (editor.below(4) == 0) return kPlain;
    random_variants::Recipe recipe;
    recipe.board = editor.below(random_variants::kBoards.size());
    recipe.stuck = editor.below(random_variants::kStuck.size());
    for (const auto& choices : random_variants::kChanges)
      recipe.change.push_back(editor.below(3) == 0 ? editor.below(choices.size()) : 0);
    const absl::StatusOr<Description> game = parse(random_variants::write(recipe));
    return game.ok() ? game->document : texts_[0];
  }

 private:
  std::vector<std::string> texts_;
};

std::optional<DocumentNode> tree_of(const std::string& text) {
  const auto read = guard([&] {
    return parse_document(std::make_shared<const SourceText>(SourceText{"t", text, true}));
  });
  return read.ok() ? std::optional<DocumentNode>(*read) : std::nullopt;
}

struct Tally {
  std::size_t compiled = 0;
  std::size_t same = 0;       // the identity stayed
  std::size_t different = 0;  // the identity changed
  std::size_t rephrased = 0;
};

// Makes `edits` edits of random games that compile. Equal identities must be equal games; rephrased games must be the same.
Tally try_edits(std::uint64_t seed, std::size_t edits) {
  Editor editor(seed);
  Documents documents;
  Tally out;
  std::string text;
  std::optional<Variant> before;
  for (std::size_t left = 0; out.compiled < edits; --left) {
    if (left == 0 || !before) {
      left = 20;
      text = documents.one(editor);
      const absl::StatusOr<Variant> made = variants_testing::make(text);
      before = made.ok() ? std::optional<Variant>(*made) : std::nullopt;
      if (!before) continue;
    }
    std::optional<DocumentNode> tree = tree_of(text);
    EXPECT_TRUE(tree) << text;
    if (!tree) return out;
    const bool rephrase = editor.below(4) == 0;
    for (std::size_t n = 1 + editor.below(2); n > 0; --n) rephrase ? editor.rephrase(*tree) : editor.edit(*tree);
    const std::string edited = to_toml(*tree, {});
    const absl::StatusOr<Variant> after = variants_testing::make(edited);
    if (!after.ok()) {
      EXPECT_FALSE(rephrase) << after.status() << "\n" << edited;
      continue;
    }
    ++out.compiled;
    const bool same = before->identity() == after->identity();
    EXPECT_EQ(same, before->identity().hash == after->identity().hash);
    if (rephrase) {
      ++out.rephrased;
      EXPECT_EQ(before->identity().text, after->identity().text) << text << "\n" << edited;
    }
    ++(same ? out.same : out.different);
    if (same && edited != text) {
      EXPECT_EQ(behaviour(*before), behaviour(*after)) << text << "\n" << edited;
    }
    if (::testing::Test::HasFailure()) return out;
    text = edited;
    before = *after;
  }
  return out;
}

TEST(Identity, EqualTextsAreEqualGames) {
  constexpr std::size_t kEdits = kSanitized ? 300 : 3'000;
  const Tally tally = try_edits(20'261'122, kEdits);
  EXPECT_GE(tally.same, kEdits / 5);
  EXPECT_GE(tally.different, kEdits / 12);
  EXPECT_GE(tally.rephrased, kEdits / 10);
}

TEST(LongIdentity, EqualTextsAreEqualGames) {
  const Tally tally = try_edits(7, 100'000);
  EXPECT_GE(tally.same, 20'000u);
  EXPECT_GE(tally.different, 8'000u);
}

std::string replaced(std::string from, const std::string& what, const std::string& with) {
  const std::size_t at = from.find(what);
  if (at == std::string::npos) throw std::runtime_error("not found: " + what);
  return from.replace(at, what.size(), with);
}

TEST(Identity, WhateverMattersIsPartOfIt) {
  const std::string plain = identity(kPlain);
  const auto differs = [&](const std::string& what, const std::string& with) {
    EXPECT_NE(identity(replaced(kPlain, what, with)), plain) << with;
  };
  const std::string red = "red = { owner = \"nobody\", letter = \"r\" }\n";
  const std::string blue = "blue = { owner = \"nobody\", letter = \"b\" }\n";
  differs(red + blue, blue + red);
  differs("letter = \"r\"", "letter = \"q\"");
  const std::string one = "one = { type = \"bool\" }\n";
  const std::string two = "two = { type = \"number\", range = [0, 3] }\n";
  differs(one + two, two + one);
  differs("range = [0, 3]", "range = [0, 4]");
  differs("range = [0, 3] }", "range = [0, 3], written = \"zwei\" }");
  differs("about = \"count(mine", "about = \"count(theirs");
  differs("[moves.about]\nto = \"empty\"\n", "");
  differs("[moves.about]\nto = \"empty\"", "[moves.about]\nto = \"none\"");
  differs("way == 'a b'", "way == 'a  b'");
  differs("default = \"a b\"", "default = \"a  b\"");
  differs("[\"red\", \"blue\"]", "[\"blue\", \"red\"]");
  differs("path:5", "path:4");
  differs("path:5", "cycle:5");
}

// What an effect by name reads is read, if the effect is.
TEST(Identity, WhatNoRuleReads) {
  const auto names = [](const std::string& effect) {
    std::string out;
    const Description read =
        sure(parse("name = \"T\"\n[options]\nboard = { default = \"path:3\" }\n[define]\nnear_by = \"mine & "
                   "near(placed) > 0\"\nswap = [\"near_by -> "
                   "theirs\"]\nidle = \"mine\"\n"
                   "[moves.place]\nto = \"empty\"\n" +
                   effect + "[end]\nstuck = \"loses\"\n"));
    for (const Span& span : unread(read)) out += std::string(span.text()) + " ";
    return out;
  };
  EXPECT_EQ(names("then = \"swap\"\n"), "idle ");
  EXPECT_EQ(names(""), "idle near_by swap ");
}

TEST(Identity, ProseAndSpellingAreNot) {
  const std::string plain = identity(kPlain);
  const auto same = [&](const std::string& what, const std::string& with) {
    EXPECT_EQ(identity(replaced(kPlain, what, with)), plain) << with;
  };
  same("name = \"Plain\"",
       "# a comment\nname = \"Another\"\nabout = \"prose\"\nauthor = \"me\"\nsource = \"there\"\nstands_on = "
       "\"corner\"");
  same("board = { default = \"path:5\" }", "board = { default = \"path:05\", about = \"a row\" }");
  same("way = { default = \"a b\" }", "way = { default = \"a b\", one_of = [\"a b\", \"c\"], left_open = true }");
  same("one = { type = \"bool\" }", "one = { about = \"one\", type = \"bool\" }");
  same("empty & near(stones) >= 0", "(empty) & ((near( stones ))>=0)");
  same("[define]\n", "[define]\nunread = \"count(mine)\"\n");
  same("board = { default = \"path:5\" }\nway = { default = \"a b\" }",
       "way = { default = \"a b\" }\nboard = { default = \"path:5\" }");
  same("[moves.about]\nto = \"empty\"\n", "[moves]\nabout.to = \"empty\"\n");
}

TEST(Identity, ATextLikeASwitchOrANumberIsNone) {
  const auto with = [](const std::string& option) {
    return identity("name = \"N\"\n[options]\nboard = { default = \"path:3\" }\n" + option +
                    "\n[moves.place]\nto = \"empty\"\n[end]\nstuck = \"loses\"\n");
  };
  EXPECT_NE(with("way = { default = \"on\" }"), with("way = { default = \"on\", one_of = [\"on\", \"x\"] }"));
  EXPECT_NE(with("way = { default = 1 }"), with("way = { default = \"1\" }"));
}

TEST(Identity, ABoardByEdgesHasItsLinesAndRegions) {
  const auto with = [](const std::string& board) {
    return identity("name = \"N\"\n[board]\nedges = \"a-b-c\"\n" + board +
                    "[moves.place]\nto = \"empty\"\n[end]\nstuck = \"loses\"\n");
  };
  EXPECT_NE(with("lines = \"a-b\"\n"), with(""));
  EXPECT_NE(with("lines = \"a-b\"\n"), with("lines = \"b-c\"\n"));
  EXPECT_NE(with("regions = { camp = \"a\" }\n"), with("regions = { camp = \"b\" }\n"));
}

TEST(Identity, ItSaysWhatItMeans) {
  const GameIdentity game = sure(identify(sure(parse(kPlain))));
  EXPECT_EQ(game.hash.size(), 16u);
  EXPECT_EQ(game.text.rfind(absl::StrCat("meaning=", kMeaningVersion, "\n"), 0), 0u);
  EXPECT_NE(game.text.find("\nmoves.place.to=empty & near(stones) >= 0\n"), std::string::npos) << game.text;
}

// Every expression of the games that come with the program is read again as the same tree from what is written of it.
TEST(ExpressionText, IsReadAgain) {
  const std::vector<std::string> texts = {"a - (b - c)",
                                          "(a - b) - c",
                                          "!(a == b)",
                                          "!a & b",
                                          "(!a) == b",
                                          "-(-a)",
                                          "(if a then b else c) + 1",
                                          "a * (b + c) / 2",
                                          "f(a, (b), {a1  b2,c3})",
                                          "any(g in groups(mine): count(g) > 2)",
                                          "'a  b' == x",
                                          "a & (b & c)",
                                          "if a then b else if c then d else e",
                                          "007 + 1"};
  for (const std::string& text : texts) {
    const auto written = guard([&] { return to_text(*parse_expression(Span::whole("e", text))); });
    ASSERT_TRUE(written.ok()) << text;
    const auto again = guard([&] { return to_text(*parse_expression(Span::whole("e", *written))); });
    ASSERT_TRUE(again.ok()) << *written;
    EXPECT_EQ(*written, *again);
  }
  const auto text = [](const std::string& e) {
    return *guard([&] { return to_text(*parse_expression(Span::whole("e", e))); });
  };
  EXPECT_EQ(text("((a)) -(b-c)"), "a - (b - c)");
  EXPECT_EQ(text("(a - b) - c"), "a - b - c");
  EXPECT_NE(text("a & (b & c)"), text("(a & b) & c"));
  EXPECT_EQ(text("! ( a==b )"), "!a == b");
  EXPECT_EQ(text("(!a) == b"), "(!a) == b");
  const auto effect = [](const std::string& e) {
    return *guard([&] { return to_text(parse_effect(Span::whole("e", e))); });
  };
  EXPECT_EQ(effect("if a:if b: x=(1), (c)->mine"), "if a: if b: x = 1, c -> mine");
  EXPECT_EQ(effect("spread from a by (b): c -> empty"), "spread from a by b: c -> empty");
  EXPECT_EQ(effect("repeat:a->mine , b -> theirs"), "repeat: a -> mine, b -> theirs");
}

}  // namespace
}  // namespace plenum::identity_test
