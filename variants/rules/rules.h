// SPDX-License-Identifier: Apache-2.0
// Compiled rules: all moves of a batch of positions at once, which positions are ended and how, how positions and moves are written.
//
//     Rules::Scratch scratch(rules);
//     rules.expand(batch, scratch);          // scratch.successors, .parent, .move, .ended, .margin
//
// There are two kinds: rules about what stands on cells, compiled from a description's moves (cell_rules.h), and pieces that go by
// powers of their own (piece_rules.cpp). Every move is one successor, also where two lead to one position.
//
// Thread-safety: Rules is immutable; a Scratch belongs to one thread.
// Cost: see variants/README.md and `plenum bench`. A virtual call a batch, not a position.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "variants/graph/position.h"
#include "variants/graph/rule_set.h"
#include "variants/program/program.h"

namespace plenum {

// One part of a move. Of a placed shape, 256 * from + to is the number of its place among MoveRule::placements.
struct Part {
  std::uint8_t rule = 254;  // index in RuleSet::moves, of a further part in RuleSet::parts; kNoPart; kForcedPass
  std::uint8_t choice = 0;  // which of the kinds to put
  Cell from = kNoCell;
  Cell to = kNoCell;
  std::size_t placement() const { return std::size_t{256} * from + to; }
  std::size_t list() const { return std::size_t{65536} * choice + std::size_t{256} * from + to; }  // of kLongMove
  friend bool operator==(const Part&, const Part&) = default;
  friend auto operator<=>(const Part&, const Part&) = default;
};
inline constexpr std::uint8_t kLongMove = 253;
inline constexpr std::uint8_t kNoPart = 254;
inline constexpr std::uint8_t kForcedPass = 255;  // where stuck = "pass"

struct Move {
  Part first;
  std::vector<Part> further;  // in the order in which they are made
  friend bool operator==(const Move&, const Move&) = default;
  friend auto operator<=>(const Move&, const Move&) = default;
};

// A move as expand writes it. Where it has more further parts than fit, further[0] is kLongMove with the number of their list in
// Scratch::long_moves.
struct PackedMove {
  Part first;
  std::array<Part, 2> further;
};

// What a move does on the board, part by part and without its effects: how it is drawn, and how it is entered cell by cell.
struct MoveStep {
  Cell from = kNoCell;   // what leaves its cell
  std::vector<Cell> to;  // where it goes, or what is put; several cells of a shape; none where something is taken off
  std::string kind;      // the letter of what is put or comes to be there, where there is a choice
};

// What a program reads of positions begin.. of a batch.
struct InputPointers {
  std::array<const std::uint64_t*, kCellInputs> cells;
  std::array<const std::uint8_t*, kFirstStateByte + kMaxSlots> bytes;
};
ProgramInput program_input(const PositionBatch& batch, std::size_t begin, InputPointers& pointers);

class CellRules;
class GoalBound;
class PieceSet;
class SymmetryGroup;
class Tiers;

class Rules {
 public:
  class Scratch {
   public:
    // What the rules need besides, for themselves.
    class Space {
     public:
      virtual ~Space() = default;
    };
    explicit Scratch(const Rules& rules);
    void grow(std::size_t wanted);

    PositionBatch successors;           // seen from their own player to move
    std::vector<std::uint32_t> parent;  // index in the batch expanded
    std::vector<PackedMove> move;
    std::vector<std::vector<Part>> long_moves;  // until the next expand
    Move move_of(std::size_t i) const;          // of successor i
    std::vector<std::uint8_t> ended;            // 0 or 1
    std::vector<std::int64_t> margin;           // of the player to move there, where ended; units of Rules::denominator
    std::unique_ptr<Space> space;
  };

  // Errors: what elaborate() and elaborate_pieces() find.
  static absl::StatusOr<std::shared_ptr<const Rules>> compile(const Description& description, const Board& board,
                                                              const ChangeOrder& order = {},
                                                              const std::optional<Span>& goal = std::nullopt);

  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;
  virtual ~Rules() = default;

  const RuleSet& set() const { return set_; }
  const Board& board() const { return set_.board; }
  std::int64_t denominator() const { return set_.denominator; }
  // An empty batch of positions of this game.
  PositionBatch batch() const { return {set_.layout.count(), static_cast<int>(set_.slots.size())}; }

  // The start of the game; of an ending, which has none (has_start), the first of its positions.
  virtual Position start() const = 0;
  virtual bool has_start() const { return true; }

  // All moves of all positions of the batch, none of which may be ended. An error if an effect drives a
  // number out of its range; the message names the move and the position.
  virtual absl::Status expand(const PositionBatch& batch, Scratch& scratch) const = 0;
  // ended[i] and margin[i] of the batch's positions, without looking at their moves.
  virtual void judge(const PositionBatch& batch, Scratch& scratch, std::vector<std::uint8_t>& ended,
                     std::vector<std::int64_t>& margin) const = 0;
  // What the margin of each position would be for the player to move if the game ended now.
  virtual void score(const PositionBatch& batch, Scratch& scratch, std::vector<std::int64_t>& margin) const = 0;
  // The margin, for the player to move, of a position that has not ended and has no move; an error where the description
  // does not say. With stuck = "pass" expand never leaves such a position.
  virtual absl::StatusOr<MoverValue> stuck(const Position& position) const = 0;

  // Whether there is always a move, in words.
  virtual std::string always_a_move() const = 0;

  // A position as it is written (cell_rules.h; of pieces like chess's FEN), and read again.
  virtual std::string write(const Position& position) const = 0;
  virtual absl::StatusOr<Position> read(const Span& text) const = 0;
  // How many stones or men stand on the board.
  virtual int stones(const Position& position) const = 0;
  // What stands on each cell, in the letters of kinds; nothing: it is empty.
  virtual std::vector<std::string> letters(const Position& position) const = 0;
  // A move of `position` as it is written; other ways to write it, which stand for it where no other move can be meant.
  virtual std::string write(const Position& position, const Move& move) const = 0;
  virtual std::vector<std::string> spellings(const Move& move) const = 0;
  // The names of the rules by which it is made, part by part, with commas between.
  virtual std::string rule_names(const Move& move) const = 0;
  // None of a pass.
  virtual std::vector<MoveStep> steps(const Position& position, const Move& move) const = 0;
  // Whether it puts something on the board without taking anything from elsewhere: what a pie is about.
  virtual bool in_pie(const Move& move) const = 0;

  // Whether carrying all cells so, the players exchanged or not, may leave the rules as they are; what the nodes of the rule graph say
  // is not asked.
  virtual bool may_be_symmetric(const std::vector<Cell>& permutation, bool exchange) const = 0;
  // `exchangeable`: positions are stored with the players exchanged, so that measures must not tell them apart.
  virtual std::unique_ptr<const Tiers> tiers(const SymmetryGroup& symmetries) const = 0;
  // Of rules made with a goal.
  virtual std::unique_ptr<const GoalBound> goal_bound() const = 0;
  // So many ways at most to fill the board by play from `start`, flags aside.
  virtual double most_placements(const Position& start) const = 0;

  // For what only one kind of rules has: null of the other.
  virtual const CellRules* cells() const { return nullptr; }
  virtual std::shared_ptr<const PieceSet> pieces() const { return nullptr; }

 protected:
  explicit Rules(RuleSet set) : set_(std::move(set)) {}

 private:
  virtual std::unique_ptr<Scratch::Space> make_space() const { return nullptr; }
  static absl::StatusOr<std::shared_ptr<const Rules>> compile_pieces(const Description& description, const Board& board,
                                                                     const std::optional<Span>& goal);

  RuleSet set_;
};

// A key that sorts moves in board order.
std::vector<std::uint64_t> board_order(const Move& move);

}  // namespace plenum
