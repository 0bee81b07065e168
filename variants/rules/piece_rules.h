// SPDX-License-Identifier: Apache-2.0
// Rules of pieces that go by powers of their own (pieces/piece_set.h).
// Thread-safety: as Rules.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "variants/pieces/piece_board.h"
#include "variants/rules/rules.h"

namespace plenum {

class PieceRules final : public Rules {
 public:
  // Errors: what elaborate_pieces() finds.
  static absl::StatusOr<std::shared_ptr<const Rules>> compile(const Description& description, const Board& board,
                                                              const std::optional<Span>& goal);
  PieceRules(RuleSet set, std::shared_ptr<const PieceSet> pieces) : Rules(std::move(set)), pieces_(std::move(pieces)) {}

  Position start() const override { return pieces_->start; }
  // Of a material all positions are meant.
  bool has_start() const override { return !pieces_->material.has_value(); }
  // It ends where no move is left: no position has ended before its moves are looked at.
  absl::Status expand(const PositionBatch& batch, Scratch& scratch) const override;
  void judge(const PositionBatch& batch, Scratch& scratch, std::vector<std::uint8_t>& ended,
             std::vector<std::int64_t>& margin) const override;
  void score(const PositionBatch& batch, Scratch& scratch, std::vector<std::int64_t>& margin) const override;
  absl::StatusOr<MoverValue> stuck(const Position& position) const override;
  std::string always_a_move() const override;
  std::string write(const Position& position) const override;
  absl::StatusOr<Position> read(const Span& text) const override;
  int stones(const Position& position) const override { return static_cast<int>(pieces_->men_of(position).size()); }
  std::vector<std::string> letters(const Position& position) const override;
  std::string write(const Position& position, const Move& move) const override;
  std::vector<std::string> spellings(const Move& move) const override;
  std::vector<MoveStep> steps(const Position& position, const Move& move) const override;
  bool in_pie(const Move& /*move*/) const override { return false; }
  bool may_be_symmetric(const std::vector<Cell>& permutation, bool exchange) const override {
    return pieces_->symmetric(permutation, exchange);
  }
  std::unique_ptr<const Tiers> tiers(bool exchangeable) const override;
  std::unique_ptr<const GoalBound> goal_bound() const override;
  double most_placements(const Position& start) const override;
  std::shared_ptr<const PieceSet> pieces() const override { return pieces_; }

 private:
  std::shared_ptr<const PieceSet> pieces_;
};

// Part::rule is the kind, Part::choice what it becomes (promotion_choice) and the manner.
Move to_move(const PieceMove& move);
PieceMove to_piece_move(const Move& move);

}  // namespace plenum
