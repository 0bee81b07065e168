// SPDX-License-Identifier: Apache-2.0
// Piece games behind the boundary of Rules: batches of positions in, batches of successors out.
// Thread-safety: immutable.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "variants/pieces/piece_board.h"
#include "variants/rules/rules.h"

namespace plenum {

class PieceRules {
 public:
  explicit PieceRules(std::shared_ptr<const RuleSet> rules) : rules_(std::move(rules)), set_(*rules_->pieces) {}

  absl::Status expand(const PositionBatch& batch, Rules::Scratch& scratch) const;
  // Of a position without a move.
  MoverValue stuck(const Position& position) const;
  std::string write(const Move& move) const;
  std::vector<std::string> spellings(const Move& move) const;

 private:
  std::shared_ptr<const RuleSet> rules_;
  const PieceSet& set_;
};

// Part::rule is the kind, Part::choice what it becomes (promotion_choice) and the manner.
Move to_move(const PieceMove& move);
PieceMove to_piece_move(const Move& move);

}  // namespace plenum
