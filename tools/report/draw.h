// SPDX-License-Identifier: Apache-2.0
// A board as text: a short text in each cell, rows shifted by half cells where the board's are, the last row on top, names of
// rows and columns at the margin.
//
//     draw(board, {"+7", "", "="}, 100)        +7   .   =
//                                               1   2   3
//
// Names at the margin are read off the cells' names: the part that a whole row shares (a digit of squares, a letter of
// hexagons) stands at the left, the other part below, where the columns are straight.
//
// Units: widths are columns of a terminal, of UTF-8 text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "variants/board/board.h"

namespace plenum {

// Lines without their ends; a cell with an empty text shows a dot. No lines if the board has no drawing of its own or it would
// be wider than `columns`.
// Requires one text a cell, in board order.
std::vector<std::string> draw(const Board& board, const std::vector<std::string>& texts, std::size_t columns);

// The columns that a line takes: wide characters take two, combining marks none.
std::size_t display_width(std::string_view text);
std::string pad_right(std::string text, std::size_t width);
std::string pad_left(const std::string& text, std::size_t width);

}  // namespace plenum
