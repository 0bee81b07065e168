// SPDX-License-Identifier: Apache-2.0
// Rules about what stands on cells, compiled from a description's moves.
//
// One program finds where every kind of move may go on each position; the successors are then written down move by
// move, effects run on the batch of successors, illegal ones are dropped, further parts of the move are made from what is left,
// and the ended ones among them are judged.
//
// Thread-safety: as Rules.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "variants/program/program.h"
#include "variants/rules/rules.h"

namespace plenum {

// Positions of games without pieces as they are written, and read again; of any game: Rules::write, Rules::read.
//
// Written, a position is like chess's FEN: rows from the last to the first with "/" between, runs of empty cells as decimal
// numbers, kinds as letters; then the player to move, 1 or 2; then flags as name=value in alphabetical order, left out at
// their starting value: "x1/3/2 2 button=first passes=1". Printing and then parsing gives the same position.
std::string write_stones(const RuleSet& rules, const Position& position);
absl::StatusOr<Position> read_stones(const RuleSet& rules, const Span& text);
// What stands on each cell, in letters.
std::vector<std::string> letters_of_stones(const RuleSet& rules, const Position& position);
// The start of the game, or what it would be with another player to move.
Position start_of_stones(const RuleSet& rules);
Position start_of_stones(const RuleSet& rules, Player mover);

class CellRules final : public Rules {
 public:
  // Errors: what elaborate() finds.
  static absl::StatusOr<std::shared_ptr<const Rules>> compile(const Description& description, const Board& board,
                                                              const ChangeOrder& order,
                                                              const std::optional<Span>& goal);

  Position start() const override { return start_of_stones(set()); }
  absl::Status expand(const PositionBatch& batch, Scratch& scratch) const override;
  void judge(const PositionBatch& batch, Scratch& scratch, std::vector<std::uint8_t>& ended,
             std::vector<std::int64_t>& margin) const override;
  void score(const PositionBatch& batch, Scratch& scratch, std::vector<std::int64_t>& margin) const override;
  absl::StatusOr<MoverValue> stuck(const Position& position) const override;
  std::string always_a_move() const override;
  std::string write(const Position& position) const override { return write_stones(set(), position); }
  absl::StatusOr<Position> read(const Span& text) const override { return read_stones(set(), text); }
  int stones(const Position& position) const override;
  std::vector<std::string> letters(const Position& position) const override {
    return letters_of_stones(set(), position);
  }
  std::string write(const Position& position, const Move& move) const override;
  std::vector<std::string> spellings(const Move& /*move*/) const override { return {}; }
  std::string rule_names(const Move& move) const override;
  std::vector<MoveStep> steps(const Position& position, const Move& move) const override;
  bool in_pie(const Move& move) const override;
  bool may_be_symmetric(const std::vector<Cell>& /*permutation*/, bool /*exchange*/) const override { return true; }
  std::unique_ptr<const Tiers> tiers(const SymmetryGroup& symmetries) const override;
  std::unique_ptr<const GoalBound> goal_bound() const override;
  double most_placements(const Position& start) const override;
  const CellRules* cells() const override { return this; }

  // What a move by this rule makes of everything but the stones, wherever it is made: scratch.successors, one for each position.
  // Of rules whose effects on the state do not depend on the board.
  absl::Status change_state(std::size_t rule, const PositionBatch& batch, Scratch& scratch) const;

  // Only the first step of expand: where every kind of move may go. For measuring.
  void find_sets(const PositionBatch& batch, Scratch& scratch) const;
  std::size_t instructions() const { return moves_.instructions(); }
  // Whether two rules may make one move, so that equal moves have to be found.
  bool merges_moves() const { return may_repeat_; }

 private:
  struct Space final : Scratch::Space {
    explicit Space(const CellRules& rules);
    // What moves have been made so far, while their further parts are.
    struct Level {
      PositionBatch batch;
      std::vector<std::uint32_t> parent;
      std::vector<PackedMove> move;
      std::vector<std::uint64_t> placed;
      std::vector<std::uint64_t> taken;
      std::vector<std::uint64_t> trail;
      std::vector<std::vector<std::uint64_t>> sets;
    };
    Workspace work;
    std::vector<std::vector<std::uint64_t>>
        before;  // planes of the parents, one for each successor of a rule with an effect
    std::vector<std::uint8_t> passes_before;
    std::vector<std::uint64_t> placed;  // by successor, where the rule has effects or a further part
    std::vector<std::uint64_t> taken;
    std::vector<std::uint64_t> trail;  // where a part asks for it
    std::vector<std::uint8_t> legal;
    std::deque<Level> levels;                      // as many as turns have had further parts
    std::vector<std::vector<std::uint64_t>> sets;  // results of the move program, by root
    std::vector<std::uint64_t> destination;
    std::vector<std::int64_t> numbers;
    PositionBatch origins;
    std::vector<std::uint64_t> origin;
    std::vector<std::uint64_t> origin_placed;
    std::vector<std::uint64_t> origin_taken;
    std::vector<std::uint64_t> origin_trail;
    std::vector<std::uint64_t> range;
    std::vector<std::uint32_t> origin_parent;
  };
  static Space& space(Scratch& s) { return static_cast<Space&>(*s.space); }

  explicit CellRules(RuleSet rules);
  std::unique_ptr<Scratch::Space> make_space() const override { return std::make_unique<Space>(*this); }

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
    const std::uint64_t* trail = nullptr;  // of the parts before
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
  void add_unchanged(const PositionBatch& batch, std::size_t parent, const PackedMove& move, Scratch& s) const;
  void write_successors(const PositionBatch& batch, std::size_t parent, int plane, CellSet emptied, CellSet to,
                        Part move, Scratch& s) const;
  enum class Passes { end, rise, stand };
  void write_shape(const PositionBatch& batch, std::size_t parent, int plane, CellSet emptied, std::size_t placement,
                   const MoveRule& rule, Part part, Scratch& s) const;
  void copy_state(const PositionBatch& batch, std::size_t from, Passes passing, Scratch& s) const;

  template <typename Function>  // function(rule, part)
  void each_part(const Move& move, const Function& function) const;
  std::string write_part(const Position& position, const MoveRule& rule, const Part& part) const;
  // Of what a part puts, where there is a choice.
  std::string letter_put(const Position& position, const MoveRule& rule, const Part& part) const;
  absl::Status finish(const Step& step, const PositionBatch& batch, std::size_t from, Scratch& s,
                      const std::uint64_t* trail_before = nullptr) const;
  absl::Status apply_effect(const Step& step, const PositionBatch& batch, std::size_t begin, std::size_t lanes,
                            Scratch& s) const;
  void drop_illegal(std::size_t from, Scratch& s) const;
  absl::Status go_on(const std::vector<int>& parts, std::size_t depth, std::size_t from, Scratch& s) const;
  // Of a turn that has come to further parts, of which one may be made.
  struct Onwards {
    bool applies = false;
    bool made = false;
    bool optional = false;  // one that applies is
    bool required = false;
    bool stays() const { return !applies || (made ? optional : !required); }
  };
  absl::Status make_part(std::size_t part, std::size_t depth, std::vector<Onwards>& onwards, Scratch& s) const;
  void begin_level(std::size_t depth, std::size_t from, Scratch& s) const;
  void merge_ways(std::size_t from, Scratch& s) const;
  static bool add_part(const Part& part, std::size_t depth, PackedMove& move, Scratch& s);
  absl::Status too_many_ways(const MoveRule& part, const std::string& what, const Position& position) const;
  void end_turn(Scratch& s) const;
  void merge_equal(const PositionBatch& batch, Scratch& s) const;
  void judge(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Scratch& s, std::uint8_t* ended,
             std::int64_t* margin) const;
  void run_score(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Scratch& s,
                 std::int64_t* margin) const;

  Program moves_;  // all conditions on the old board
  std::vector<Step> steps_;
  std::vector<Step> parts_;
  std::vector<Program> part_programs_;
  Program ended_;
  Program score_;
  bool may_repeat_ = false;   // two rules may give one move
  bool reads_trail_ = false;  // a part does
};

}  // namespace plenum
