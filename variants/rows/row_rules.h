// SPDX-License-Identifier: Apache-2.0
// The rules over whole rows of positions: all 2^k ways to colour k occupied cells, move by move.
//
// Where a move only puts, replaces or carries a stone, what it does to the *colouring* does not depend on the position: it is a
// fixed map of 2^k positions to 2^k successors, and the rules only say for which of them it is legal. So a row of positions
// has a list of moves, each with a bit a position; a solver then maps values a row at a time (tables/rows/row_map.h).
//
// A row's positions are numbered by their colouring: bit i is 1 where the i-th lowest occupied cell holds a stone of the player to
// move. Seen by the player who moves next, an unmoved stone keeps its bit as "theirs" (plane 1, DenseIndex), which is
// why rows are numbered like that.
//
// Games of two planes whose players can be exchanged, without effects on the board, whose rules do not look at passes or state (ends,
// scores and changes of the state may). RowRules::make says what stands in the way of others.
//
// Thread-safety: immutable; a Scratch belongs to one thread.
// Source: bit-sliced move generation, as in bitboard programs; one column a move.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"

#include "variants/rules/variant.h"

namespace plenum {

// What a move does to a row.
struct RowMove {
  std::uint8_t rule = 0;
  Cell from = kNoCell;  // carried from there, whoever's it is
  Cell to = kNoCell;
  int put = -1;  // plane of the stone put there, seen by who moves; -1 for a carried one
};

struct RowMoves {
  std::size_t positions = 0;
  std::size_t words = 0;              // of 64 positions, for each move
  std::vector<RowMove> moves;         // only such as are legal somewhere in the row
  std::size_t adding = 0;             // the first of them: those that add a stone
  std::vector<std::uint64_t> legal;   // [move * words + word]
  std::vector<std::uint64_t> passes;  // [word], or empty: there is no pass
};

// Moves that may be there on an occupied set, whatever the colours: each is, where its conditions hold.
struct RowWays {
  // Whether a cell is in a set of the rules, for a stone that comes from `origin` if the set depends on it.
  struct Condition {
    int set = -1;
    Cell cell = kNoCell;
    Cell origin = kNoCell;
  };
  std::uint8_t rule = 0;
  int put = -1;  // plane of the stone that is put there, seen by who moves; -1: one is carried
  std::optional<Condition> from;
  CellSet to = 0;
  int to_set = -1;
  bool reads_origin = false;
  Cell origin() const { return from ? from->cell : kNoCell; }
  Condition to_cell(Cell cell) const { return {to_set, cell, reads_origin ? origin() : kNoCell}; }
};

// The mover's margin at the end as counts of cells in sets, each times a weight.
struct RowScore {
  struct Count {
    int set = -1;
    std::int64_t weight = 0;
  };
  std::vector<Count> counts;
  std::int64_t constant = 0;
  bool same_for_both = false;  // the other player's margin is its negative, whoever is to move
};

class RowRules {
 public:
  class Scratch {
   public:
    explicit Scratch(const RowRules& rules);

   private:
    friend class RowRules;
    Workspace work_;
    PositionBatch batch_;
    std::vector<std::uint64_t> origin_;
    std::vector<std::vector<std::uint64_t>> columns_;  // [root][cell * words + word]
    std::vector<std::vector<std::uint64_t>> reached_;  // [rule]: by origin
  };

  // kUnimplemented, with what stands in the way, for games that need another solver.
  static absl::StatusOr<RowRules> make(const Variant& variant);

  // All moves of the row of this occupied set, position by position.
  void find(CellSet occupied, Scratch& scratch, RowMoves& out) const;

  // One by one instead: the moves that this occupied set leaves room for, and what decides whether they are there. So nothing is worked
  // out a position, and what depends on a few cells is worked out once for all sets that agree on these.
  using WayFn = absl::FunctionRef<bool(const RowWays&)>;  // whether to go on
  void ways(CellSet occupied, WayFn visit) const;
  // Those that lead to this set without a stone more, from sets as large: by the cell that a carried stone comes from, and one that it
  // comes to.
  void ways_back(CellSet occupied, WayFn visit) const;
  // The cells whose contents decide a condition: no others do.
  CellSet looked_at(const RowWays::Condition& condition) const;
  // A pass is a condition without a cell; none if there is no pass.
  std::optional<RowWays::Condition> pass() const;
  // Conditions are about this many sets.
  std::size_t sets() const { return looked_at_.size(); }
  // Where it holds, by colouring of these cells while all others are empty: a bit each.
  void column(const RowWays::Condition& condition, CellSet occupied, Scratch& scratch,
              std::vector<std::uint64_t>& out) const;

  // The planes of position `row` of an occupied set.
  static void planes(CellSet occupied, std::uint64_t row, CellSet* planes);
  // Of positions begin.. begin + lanes <= kLanes, begin a multiple of kLanes: mine and theirs. Where begin > 0 the arrays still hold
  // those of the batch before.
  static void planes(CellSet occupied, std::uint64_t begin, std::size_t lanes, CellSet* mine, CellSet* theirs);

  // What a Scratch comes to hold for a row of so many positions.
  std::uint64_t scratch_bytes(std::uint64_t positions) const;
  // None where it depends on more than the stones, or is no such sum.
  const std::optional<RowScore>& score() const { return score_; }
  int pass_rule() const { return pass_rule_; }  // -1: none
  bool ends_without_passes() const { return ends_without_passes_; }
  const Variant& variant() const { return variant_; }

 private:
  struct Rule {
    std::size_t number = 0;
    int to = -1;  // roots
    int from = -1;
    int reach = -1;
    std::shared_ptr<const Program> from_origin;  // `to`, where it reads `from`
    bool slides = false;                         // where it goes depends on what stands between
    std::vector<std::uint8_t> distance = {};     // [from * cells + to]
  };
  explicit RowRules(const Variant& variant) : variant_(variant) {}
  RowWays carried(std::size_t rule, Cell from, std::size_t distance, CellSet to) const;
  void find_score();
  void find_distances();
  void find_looked_at();
  // The program that a set is a root of, and which.
  std::pair<const Program*, std::size_t> root_of(std::size_t set) const;
  CellSet range(const MoveRule& rule, Cell from, CellSet occupied, std::size_t distance) const;
  void find_carried(const Rule& rule, CellSet occupied, Scratch& scratch, RowMoves& out) const;
  void add(RowMove move, const std::uint64_t* a, const std::uint64_t* b, RowMoves& out) const;

  Variant variant_;
  std::shared_ptr<const Program> program_;
  std::vector<NodeId> roots_;  // of program_
  std::vector<Rule> rules_;
  std::optional<RowScore> score_;
  std::vector<NodeId> score_roots_;
  std::shared_ptr<const Program> score_program_;
  // Sets are numbered: roots of program_, `to` of each rule as it reads the origin, sets that are counted. [set][cell]
  std::vector<std::vector<CellSet>> looked_at_;
  int pass_rule_ = -1;
  int pass_root_ = -1;
  bool ends_without_passes_ = false;
};

}  // namespace plenum
