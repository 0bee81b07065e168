// SPDX-License-Identifier: Apache-2.0
// Random small games: boards x options x mutated rules.
//
// A game is a handful of numbers, each choosing one of a few ways to write a rule, so that a failure shrinks to the fewest changes
// that still show it. Header only, shared by the tests that solve such games.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <absl/strings/str_cat.h>
#include <rapidcheck.h>

namespace plenum::random_variants {

inline const std::vector<std::string> kBoards = {"path:3",
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
                                                 "torus:2x2",
                                                 "cylinder:3x2"};

// Each list: the rule as it is first, so that shrinking goes back to it.
inline const std::vector<std::vector<std::string>> kChanges = {
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
     "moves.replace.then = ['repeat: theirs & near(changed | placed) > 0 -> empty', 'if any(changed): placed -> "
     "empty']",
     "moves.replace.legal = \"any(theirs)\""},
    {"",
     "moves.replace.next = \"shift\"\nparts.shift = { from = \"mine & !placed\", to = \"empty & adjacent(from)\", "
     "optional = true }",
     "moves.replace.next = \"drop\"\nparts.drop = { to = \"empty & near(placed) > 0\", when = \"count(empty) > 1\" }",
     "moves.replace.next = \"take\"\nparts.take = { from = \"theirs & near(mine) > near(theirs)\" }"},
    {"", "moves.jump = { to = \"empty & near(mine) > 0\", lift = \"mine & near(mine) == 0\" }",
     "moves.shoot = { from = \"theirs & near(mine) > near(theirs)\", when = \"count(mine) > 1\" }"},
};
inline const std::vector<std::string> kStuck = {"scores", "loses", "ties", "wins", "pass"};

struct Recipe {
  std::size_t board = 0;
  std::size_t stuck = 0;
  std::vector<std::size_t> change;
};

inline std::string write(const Recipe& recipe) {
  std::string out = absl::StrCat("name = \"random\"\nextends = \"populace\"\noptions.board.default = \"",
                                 kBoards[recipe.board], "\"\nend.stuck = \"", kStuck[recipe.stuck], "\"\n");
  for (std::size_t i = 0; i < kChanges.size(); ++i) absl::StrAppend(&out, kChanges[i][recipe.change[i]], "\n");
  return out;
}

inline rc::Gen<Recipe> recipes() {
  return rc::gen::exec([] {
    Recipe out;
    out.board = *rc::gen::inRange<std::size_t>(0, kBoards.size());
    out.stuck = *rc::gen::inRange<std::size_t>(0, kStuck.size());
    for (const auto& choices : kChanges) out.change.push_back(*rc::gen::inRange<std::size_t>(0, choices.size()));
    return out;
  });
}

}  // namespace plenum::random_variants
