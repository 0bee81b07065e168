// SPDX-License-Identifier: Apache-2.0
// How a piece goes, drawn as text: what a reader checks a notation by.
//
//     . . . . .
//     . c m c .
//     . . O . .
//     . . . . .
//     . . . . .
//     c captures; m moves
//
// The piece is O, forward is up. The drawing is as small as shows every leap, every ride that ends and two stops of
// each ride that does not, at least 5x5 and at most 11x11; the last line says what the marks in it mean, and whether
// rides go on outside. Marks: * moves and captures, m moves, c captures; else i where only the beginning allows
// something, p where a hurdle does, n and j where squares between decide, and a figure where that mark is taken.
// What several atoms do on one square is put together.
// Thread-safety: a pure function.
#pragma once

#include <string>
#include <vector>

#include "variants/language/betza.h"

namespace plenum {

// Lines, each ending in a newline. No errors: whatever parse_betza gives can be drawn.
std::string draw_reach(const std::vector<BetzaAtom>& atoms);

}  // namespace plenum
