// SPDX-License-Identifier: Apache-2.0
// Compiled rules: all moves of a batch of positions at once, and which positions are ended and how.
//
//     Rules::Scratch scratch(rules);
//     rules.expand(batch, scratch);          // scratch.successors, .parent, .move, .ended, .margin
//
// One program finds where every kind of move may go on each position; the successors are then written down move by
// move, effects run on the batch of successors, and the ended ones among them are judged. Successors are ordered by
// move rule, then by parent; every move is one successor, also where two lead to one position.
//
// Thread-safety: Rules is immutable; a Scratch belongs to one thread.
// Cost: see variants/README.md and `plenum bench`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "variants/position.h"
#include "variants/program.h"
#include "variants/rule_set.h"

namespace plenum {

struct Move {
  std::uint8_t rule = 0;    // index in RuleSet::moves; kForcedPass where stuck = "pass"
  std::uint8_t choice = 0;  // which of the kinds to put
  Cell from = kNoCell;
  Cell to = kNoCell;
  friend bool operator==(const Move&, const Move&) = default;
  friend auto operator<=>(const Move&, const Move&) = default;
};
inline constexpr std::uint8_t kForcedPass = 255;

class Rules {
 public:
  class Scratch {
   public:
    explicit Scratch(const Rules& rules);
    PositionBatch successors;           // seen from their own player to move
    std::vector<std::uint32_t> parent;  // index in the batch expanded
    std::vector<Move> move;
    std::vector<std::uint8_t> ended;   // 0 or 1
    std::vector<std::int64_t> margin;  // of the player to move there, where ended; units of Rules::denominator

   private:
    friend class Rules;
    void grow(std::size_t wanted);
    Workspace work_;
    PositionBatch before_;  // parents, one for each successor of a rule with an effect
    std::vector<std::uint64_t> placed_;
    std::vector<std::uint64_t> taken_;
    std::vector<std::vector<std::uint64_t>> sets_;  // results of the move program, by root
    std::vector<std::uint64_t> destination_;
    std::vector<std::int64_t> numbers_;
    PositionBatch origins_;
    std::vector<std::uint64_t> origin_;
    std::vector<std::uint64_t> range_;
    std::vector<std::uint32_t> origin_parent_;
  };

  // Errors: what elaborate() finds.
  static absl::StatusOr<Rules> compile(const Description& description, const Board& board);

  const RuleSet& set() const { return *set_; }
  const Board& board() const { return set_->board; }
  Position start() const { return start_position(*set_); }
  std::int64_t denominator() const { return set_->denominator; }

  // All moves of all positions of the batch, none of which may be ended. An error if an effect drives a
  // number out of its range; the message names the move and the position.
  absl::Status expand(const PositionBatch& batch, Scratch& scratch) const;

  // Only the first step of expand: where every kind of move may go. For measuring.
  void find_sets(const PositionBatch& batch, Scratch& scratch) const;

  // ended[i] and margin[i] of the batch's positions, without looking at their moves.
  void judge(const PositionBatch& batch, Scratch& scratch, std::vector<std::uint8_t>& ended,
             std::vector<std::int64_t>& margin) const;

  // The margin, for the player to move, of a position that has not ended and has no move; an error where the description
  // does not say. With stuck = "pass" expand never leaves such a position.
  absl::StatusOr<MoverValue> stuck(const Position& position) const;

  // A move of `position` as it is written, and as a key that sorts moves in board order.
  std::string write(const Position& position, const Move& move) const;
  std::uint64_t board_order(const Move& move) const;
  // Whether it puts something on the board without taking anything from elsewhere: what a pie is about.
  bool in_pie(const Move& move) const;

  std::size_t instructions() const { return moves_.instructions(); }

 private:
  void write_moves(const PositionBatch& batch, std::size_t begin, std::size_t lanes, std::size_t rule, std::size_t root,
                   Scratch& s) const;
  void place(const PositionBatch& batch, std::size_t begin, std::size_t lanes, std::size_t rule, std::size_t root,
             Scratch& s) const;
  void carry(const PositionBatch& batch, std::size_t begin, std::size_t lanes, std::size_t rule, std::size_t root,
             Scratch& s) const;
  void carry_from(const PositionBatch& batch, std::size_t parent, Cell from, CellSet to, std::size_t rule,
                  Scratch& s) const;
  void lift(const PositionBatch& batch, std::size_t begin, std::size_t lanes, std::size_t rule, std::size_t root,
            Scratch& s) const;
  void pass(const PositionBatch& batch, std::size_t begin, std::size_t lanes, std::size_t rule, std::size_t root,
            Scratch& s) const;
  void add_pass(const PositionBatch& batch, std::size_t parent, std::uint8_t rule, Scratch& s) const;
  void write_successors(const PositionBatch& batch, std::size_t parent, int plane, CellSet from, CellSet to, Move move,
                        Scratch& s) const;
  void copy_state(const PositionBatch& batch, std::size_t from, bool passing, Scratch& s) const;
  absl::Status apply_effect(const PositionBatch& batch, std::size_t rule, std::size_t from, Scratch& s) const;
  void end_turn(Scratch& s) const;
  void merge_equal(const PositionBatch& batch, Scratch& s) const;
  void judge(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Scratch& s, std::uint8_t* ended,
             std::int64_t* margin) const;
  ProgramInput input(const PositionBatch& batch, std::size_t begin, std::vector<const std::uint64_t*>& cells,
                     std::vector<const std::uint8_t*>& bytes) const;

  std::shared_ptr<const RuleSet> set_;
  Program moves_;                                      // all conditions on the old board
  std::vector<std::size_t> first_root_;                // by rule: its roots in moves_
  std::vector<std::unique_ptr<Program>> from_origin_;  // by rule: `to` where it reads `from`
  std::vector<std::unique_ptr<Program>> effects_;      // by rule
  Program ended_;
  Program score_;
  bool may_repeat_ = false;  // two rules may give one move
};

}  // namespace plenum
