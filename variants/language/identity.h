// SPDX-License-Identifier: Apache-2.0
// What a game is, as a text: two descriptions with equal texts are the same game on the same board, so that whatever is
// kept of one (a table, a checkpoint, a row of a sweep) may be given as the answer of the other.
//
// The text is derived from the *parsed* description: every member of every structure of description.h is written into it
// or named there as having no bearing on positions and results. A member that is added does not compile until it is
// decided which it is. It has a line for each rule, "moves.move.to=empty & near(mine) > 0"; expressions are written from
// their syntax trees, so spaces and needless brackets do not count while those inside quotes do. The order of kinds,
// states, moves, parts and pieces decides how positions are numbered, written and sorted, and is part of it. Not part of it: prose, tests,
// comments, the order of definitions and options, definitions that no rule reads, and what else an option could be.
//
// Thread-safety: no state. Cost: microseconds; nothing is compiled.
#pragma once

#include <string>
#include <vector>

#include "variants/language/description.h"

namespace plenum {

// Of what descriptions mean here: raised whenever some description comes to mean something else, or its positions are
// numbered or written otherwise. It is part of the text, so that what was kept before is not taken for an answer.
inline constexpr int kMeaningVersion = 2;

struct GameIdentity {
  std::string text;  // ASCII; compared in full wherever something kept is taken
  std::string hash;  // 16 hexadecimal digits of XXH3 of the text, to name files and games by
  friend bool operator==(const GameIdentity& a, const GameIdentity& b) { return a.text == b.text; }
};

// On the board that is in force; an error if there is no such board.
absl::StatusOr<GameIdentity> identify(const Description& description);
// On this board, which must be that of the description.
GameIdentity identify(const Description& description, const Board& board);

// Options and definitions that no rule reads, directly or by other definitions: perhaps misspelt.
std::vector<Span> unread(const Description& description);

}  // namespace plenum
