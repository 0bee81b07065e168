// SPDX-License-Identifier: Apache-2.0
// A relation between cells as shifts of whole sets: by distance in cell numbers, with a mask of the cells that each reaches.
// Thread-safety: functions of their arguments.
#pragma once

#include <vector>

#include "variants/board/board.h"

namespace plenum {

struct ShiftMask {
  int shift = 0;     // a set is moved this far towards lower cells (higher ones, if negative)
  CellSet mask = 0;  // and what arrives here counts
};

// The cells with a related cell in a set are the union of these images of the set.
std::vector<ShiftMask> shifts_of(const Relation& relation);

// The same grouped for counting: images of a group never meet on a cell, so that a group is one addend. As few groups as the
// largest-first rule finds.
std::vector<std::vector<ShiftMask>> addends_of(const Relation& relation);

}  // namespace plenum
