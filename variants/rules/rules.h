// SPDX-License-Identifier: Apache-2.0
// Compiled rules: all moves of a batch of positions at once, and which positions are ended and how.
//
//     Rules::Scratch scratch(rules);
//     rules.expand(batch, scratch);          // scratch.successors, .parent, .move, .ended, .margin
//
// One program finds where every kind of move may go on each position; the successors are then written down move by
// move, effects run on the batch of successors, illegal ones are dropped, further parts of the move are made from what is left,
// and the ended ones among them are judged. Every move is one successor, also where two lead to one position.
//
// Thread-safety: Rules is immutable; a Scratch belongs to one thread.
// Cost: see variants/README.md and `plenum bench`.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "variants/graph/position.h"
#include "variants/graph/rule_set.h"
#include "variants/program/program.h"
#include "variants/rules/position_text.h"

namespace plenum {

// One part of a move. Of a placed shape, 256 * from + to is the number of its place among MoveRule::placements.
struct Part {
  std::uint8_t rule = 254;  // index in RuleSet::moves, of a further part in RuleSet::parts; kNoPart; kForcedPass
  std::uint8_t choice = 0;  // which of the kinds to put
  Cell from = kNoCell;
  Cell to = kNoCell;
  std::size_t placement() const { return std::size_t{256} * from + to; }
  friend bool operator==(const Part&, const Part&) = default;
  friend auto operator<=>(const Part&, const Part&) = default;
};
inline constexpr std::uint8_t kNoPart = 254;
inline constexpr std::uint8_t kForcedPass = 255;  // where stuck = "pass"

struct Move {
  Part first;
  std::array<Part, kMaxParts - 1> further;
  friend bool operator==(const Move&, const Move&) = default;
  friend auto operator<=>(const Move&, const Move&) = default;
};

// What a program reads of positions begin.. of a batch.
struct InputPointers {
  std::array<const std::uint64_t*, kCellInputs> cells;
  std::array<const std::uint8_t*, kFirstStateByte + kMaxSlots> bytes;
};
ProgramInput program_input(const PositionBatch& batch, std::size_t begin, InputPointers& pointers);

class PieceRules;

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
    friend class PieceRules;
    void grow(std::size_t wanted);
    // What moves have been made so far, while their further parts are.
    struct Level {
      PositionBatch batch;
      std::vector<std::uint32_t> parent;
      std::vector<Move> move;
      std::vector<std::uint64_t> placed;
      std::vector<std::uint64_t> taken;
      std::vector<std::vector<std::uint64_t>> sets;
    };
    Workspace work_;
    std::vector<std::vector<std::uint64_t>>
        before_;  // planes of the parents, one for each successor of a rule with an effect
    std::vector<std::uint8_t> passes_before_;
    std::vector<std::uint64_t> placed_;  // by successor, where the rule has effects or a further part
    std::vector<std::uint64_t> taken_;
    std::vector<std::uint8_t> legal_;
    std::array<Level, kMaxParts - 1> levels_;
    std::vector<std::vector<std::uint64_t>> sets_;  // results of the move program, by root
    std::vector<std::uint64_t> destination_;
    std::vector<std::int64_t> numbers_;
    PositionBatch origins_;
    std::vector<std::uint64_t> origin_;
    std::vector<std::uint64_t> origin_placed_;
    std::vector<std::uint64_t> origin_taken_;
    std::vector<std::uint64_t> range_;
    std::vector<std::uint32_t> origin_parent_;
  };

  // Errors: what elaborate() finds.
  static absl::StatusOr<Rules> compile(const Description& description, const Board& board,
                                       const ChangeOrder& order = {}, const std::optional<Span>& goal = std::nullopt);

  const RuleSet& set() const { return *set_; }
  const Board& board() const { return set_->board; }
  Position start() const { return start_position(*set_); }
  std::int64_t denominator() const { return set_->denominator; }

  // All moves of all positions of the batch, none of which may be ended. An error if an effect drives a
  // number out of its range; the message names the move and the position.
  absl::Status expand(const PositionBatch& batch, Scratch& scratch) const;

  // What a move by this rule makes of everything but the stones, wherever it is made: scratch.successors, one for each position.
  // Of rules whose effects on the state do not depend on the board.
  absl::Status change_state(std::size_t rule, const PositionBatch& batch, Scratch& scratch) const;

  // Only the first step of expand: where every kind of move may go. For measuring.
  void find_sets(const PositionBatch& batch, Scratch& scratch) const;

  // ended[i] and margin[i] of the batch's positions, without looking at their moves.
  void judge(const PositionBatch& batch, Scratch& scratch, std::vector<std::uint8_t>& ended,
             std::vector<std::int64_t>& margin) const;

  // What the margin of each position would be for the player to move if the game ended now.
  void score(const PositionBatch& batch, Scratch& scratch, std::vector<std::int64_t>& margin) const;

  // The margin, for the player to move, of a position that has not ended and has no move; an error where the description
  // does not say. With stuck = "pass" expand never leaves such a position.
  absl::StatusOr<MoverValue> stuck(const Position& position) const;

  // A move of `position` as it is written, and as a key that sorts moves in board order.
  std::string write(const Position& position, const Move& move) const;
  // Other ways to write it, which stand for it where no other move can be meant.
  std::vector<std::string> spellings(const Move& move) const;
  std::array<std::uint64_t, kMaxParts> board_order(const Move& move) const;
  // Whether it puts something on the board without taking anything from elsewhere: what a pie is about.
  bool in_pie(const Move& move) const;

  std::size_t instructions() const { return moves_.instructions(); }
  // Whether two rules may make one move, so that equal moves have to be found.
  bool merges_moves() const { return may_repeat_; }

 private:
  // What a rule does besides the bare move: a program whose roots are what may change, and nothing else.
  struct StepEffect {
    struct Change {
      std::size_t what;  // plane, or slot of the state
      std::size_t root;
    };
    Program program;
    std::optional<std::size_t> invalid;  // roots
    std::optional<std::size_t> legal;
    std::vector<Change> planes;
    std::vector<Change> state;
    std::vector<std::size_t> planes_before;  // that it reads
    bool reads_passes = false;
  };
  // A move rule, or a further part, ready to run. Its roots in the program that it is found by; -1 for none.
  struct Step {
    const MoveRule* rule = nullptr;
    int when = -1;
    int from = -1;
    int to = -1;
    int lift = -1;
    int reach = -1;                        // the first of several
    std::unique_ptr<Program> from_origin;  // `to` where it reads `from`
    std::unique_ptr<StepEffect> effect;
    bool reads_placed = false;  // the effect, or a further part
    bool reads_taken = false;
  };
  // Positions begin..begin + lanes of a batch, and what the program has found there.
  struct Source {
    const PositionBatch& batch;
    std::size_t begin;
    std::size_t lanes;
    const std::vector<std::vector<std::uint64_t>>& sets;
    const std::uint64_t* placed = nullptr;  // by the part before, if there is one; by position of the batch
    const std::uint64_t* taken = nullptr;
  };

  Step make_step(const MoveRule& rule, bool is_part, std::vector<NodeId>& roots) const;
  std::unique_ptr<StepEffect> make_effect(const MoveRule& rule) const;
  void find(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Scratch& s) const;
  void generate(const Step& step, std::uint8_t number, const Source& at, Scratch& s) const;
  void place(const Step& step, std::uint8_t number, const Source& at, Scratch& s) const;
  void carry(const Step& step, std::uint8_t number, const Source& at, Scratch& s) const;
  void carry_from(const PositionBatch& batch, std::size_t parent, Cell from, CellSet to, std::uint8_t number,
                  Scratch& s) const;
  CellSet slide_range(const Step& step, const Source& at, std::size_t lane, Cell from) const;
  void lift(const Step& step, std::uint8_t number, const Source& at, Scratch& s) const;
  void add_unchanged(const PositionBatch& batch, std::size_t parent, const Move& move, Scratch& s) const;
  void write_successors(const PositionBatch& batch, std::size_t parent, int plane, CellSet emptied, CellSet to,
                        Part move, Scratch& s) const;
  enum class Passes { end, rise, stand };
  void write_shape(const PositionBatch& batch, std::size_t parent, int plane, CellSet emptied, std::size_t placement,
                   const MoveRule& rule, Part part, Scratch& s) const;
  void copy_state(const PositionBatch& batch, std::size_t from, Passes passes, Scratch& s) const;

  std::string write_part(const Position& position, const MoveRule& rule, const Part& part) const;
  absl::Status finish(const Step& step, const PositionBatch& batch, std::size_t from, Scratch& s) const;
  absl::Status apply_effect(const Step& step, const PositionBatch& batch, std::size_t begin, std::size_t lanes,
                            Scratch& s) const;
  void drop_illegal(std::size_t from, Scratch& s) const;
  absl::Status go_on(std::size_t part, std::size_t depth, std::size_t from, Scratch& s) const;
  void end_turn(Scratch& s) const;
  void merge_equal(const PositionBatch& batch, Scratch& s) const;
  void judge(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Scratch& s, std::uint8_t* ended,
             std::int64_t* margin) const;
  void run_score(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Scratch& s,
                 std::int64_t* margin) const;

  std::shared_ptr<const RuleSet> set_;
  std::shared_ptr<const PieceRules> pieces_;  // of a piece game, instead of all that follows
  Program moves_;                             // all conditions on the old board
  std::vector<Step> steps_;
  std::vector<Step> parts_;
  std::vector<Program> part_programs_;
  Program ended_;
  Program score_;
  bool may_repeat_ = false;  // two rules may give one move
};

}  // namespace plenum
