// SPDX-License-Identifier: Apache-2.0
// Shapes: figures of several cells, written as rows from the top ("x./x./xx" is an L of four cells), and where they lie on a board.
//
// Thread-safety: pure functions. Throws DescriptionError. Private to variants/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "variants/board/board.h"

namespace plenum {

// Every set of cells that a copy of the shape covers, rising, each once. `turns`: "none", "rotate" (quarter turns), "all"
// (turned over as well). Errors point at `shape_span` and `turns_span`.
std::vector<CellSet> placements(const Board& board, std::string_view shape, const Span& shape_span,
                                std::string_view turns, const Span& turns_span);

}  // namespace plenum
