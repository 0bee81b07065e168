// SPDX-License-Identifier: Apache-2.0
// What a page with a script shows of a game, as JSON with the pictures in it (board_svg.h): the board once, then positions by what stands
// on each cell, and moves by what they change.
//
// Units: as in board_plan.h.
// Thread-safety: pure functions.
#pragma once

#include "tools/report/answer_report.h"

namespace plenum {

// What a variant is, for people who choose options and look at boards: description, options, kinds, board, start.
Json variant_json(const Variant& variant);

// What stands on each cell, who is to move, and what each move does, of a position that is not solved.
Json drawn_moves_json(const Variant& variant, const Position& position, const std::vector<Successor>& moves);
// The same of an answer, with its value in words, and what each of its moves does and leads to, in the order of the answer.
Json drawn_answer_json(const Variant& variant, const Answer& answer);
// What stands together on a cell (BoardPictures::men), by the letters of kinds; kInvalidArgument if one is no kind's.
absl::StatusOr<std::string> men_picture(const Variant& variant, const std::string& letters);

}  // namespace plenum
