// SPDX-License-Identifier: Apache-2.0
// What a page needs to draw a game: the board as polygons, what stands on each cell, and what a move does, cell by cell. As JSON.
//
// Units: a cell is one wide; x grows to the right and y down, as in SVG. Angles turn with the board.
// Thread-safety: pure functions.
#pragma once

#include "tools/report/answer_report.h"

namespace plenum {

// What a variant is, for people who choose options and look at boards: description, options, kinds, board, start.
Json variant_json(const Variant& variant);

// What stands on each cell and who is to move.
Json drawn_position_json(const Variant& variant, const Position& position);
// The same with what each of its moves does and leads to, of a position that is not solved.
Json drawn_moves_json(const Variant& variant, const Position& position, const std::vector<Successor>& moves);
// The same of an answer, with its value in words, and what each of its moves does and leads to, in the order of the answer.
Json drawn_answer_json(const Variant& variant, const Answer& answer);

}  // namespace plenum
