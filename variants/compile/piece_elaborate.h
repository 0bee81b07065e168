// SPDX-License-Identifier: Apache-2.0
// A piece game on a board with its options folded in: the counterpart of elaborate() (rule_set.h) for games of pieces.
#pragma once

#include <memory>
#include <optional>

#include "variants/graph/rule_set.h"
#include "variants/pieces/piece_set.h"

namespace plenum {

struct PieceGame {
  RuleSet rules;  // without moves
  std::shared_ptr<const PieceSet> pieces;
};

// Errors point into the description, or into the `goal`.
absl::StatusOr<PieceGame> elaborate_pieces(const Description& description, const Board& board,
                                           const std::optional<Span>& goal);

}  // namespace plenum
