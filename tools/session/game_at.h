// SPDX-License-Identifier: Apache-2.0
// A position on the command line brings its own board and men, where nothing else was asked for:
//
//     plenum query VARIANT "k2/1rK/3/2R w - -"       // on square:3x4, and of these men
//
// The board: if none was given and the rows do not fit the description's, which is square, they are those of another square board.
// The men of a piece game: if neither array nor material was given, the position becomes the array. So the letters that the
// description knows may stand in it, and what is solved is what arises from it, not from the whole array.
//
// Thread-safety: no state.
#pragma once

#include <string>

#include "tools/console/game_arguments.h"

namespace plenum {

// As load_game (the same if the position is empty). What is wrong with the position is left to whoever reads it, apart from
// what keeps it from being the array of a piece game.
absl::StatusOr<Description> load_game_at(const GameArguments& arguments, const std::string& position);
absl::StatusOr<Variant> make_game_at(const GameArguments& arguments, const std::string& position);

}  // namespace plenum
