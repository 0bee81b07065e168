// SPDX-License-Identifier: Apache-2.0
// A piece game on a board with its options folded in. Private to variants/; the counterpart of elaborate() for games of moves.
#pragma once

#include <optional>

#include "variants/graph/rule_set.h"
#include "variants/language/description.h"

namespace plenum {

// Throws DescriptionError.
RuleSet elaborate_pieces(const Description& description, const Board& board, const std::optional<Span>& goal);

}  // namespace plenum
