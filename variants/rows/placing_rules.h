// SPDX-License-Identifier: Apache-2.0
// The rules of games in which every turn puts one stone on an empty cell, over whole rows of positions, a bit a position.
//
// A row is all 2^k ways to give k occupied cells to the players; a position's number has bit i set where the i-th lowest of them holds
// a stone of first. Conditions are worked out transposed: for one cell at a time, as a column of 2^k bits, and only for the cells that
// are asked for. Most look at a stone and its neighbours: such a column is a table of at most 64 bits and the axes that it depends on,
// whatever the length of the row; only beyond that are words of 64 positions worked on.
//
// A stone stays where and whose it is, so that it keeps its bit whoever is to move: unlike RowRules, nothing is seen from the mover.
// What the state comes to be may depend on the board. PlacingRules::make says what stands in the way of a game.
//
// Thread-safety: PlacingRules is immutable; a Row belongs to one thread.
// Source: bit-sliced ("transposed") evaluation, as in bitboard programs.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"

#include "variants/rows/bit_column.h"
#include "variants/rules/variant.h"

namespace plenum {

// Whether an operator can be worked out a cell at a time.
constexpr bool worked_out_by_cell(NodeOp op) {
  return traits(op).reach != NodeReach::far && traits(op).reach != NodeReach::rounds;
}

class PlacingRules {
 public:
  // kUnimplemented, with what stands in the way.
  static absl::StatusOr<PlacingRules> make(const Variant& variant);

  // A way to put a stone.
  struct Choice {
    std::size_t rule = 0;
    std::size_t put = 0;
    Player owner = Player::first;
  };
  // The choices that a player has, wherever the rules allow them.
  const std::vector<Choice>& choices(Player mover) const { return choices_[mover == Player::first ? 0 : 1]; }
  // The states that a turn may lead to from this one, by structure alone: those that it does, and perhaps more.
  std::vector<Position> possible_after(const Position& state) const;
  const Variant& variant() const { return variant_; }

  // The position with these stones of first's on an occupied set; its state as `like` has it.
  static Position position(CellSet occupied, CellSet firsts, const Position& like);

  class Row {
   public:
    explicit Row(const PlacingRules& rules);
    Row(const Row&) = delete;
    Row& operator=(const Row&) = delete;
    // All positions of this occupied set with this player to move.
    void begin(CellSet occupied, Player mover);
    std::size_t words() const { return words_; }

    // `state` of the position is what holds before; its stones are not looked at. Words of a column hold until begin(); those of
    // after(), both() and spelled() only until after() is asked about another choice or cell.
    Column ended(const Position& state);
    struct After {
      Position state;  // with the other player to move
      Column where;
    };
    // Where this choice is legal on an empty cell, and what the state comes to be there: of each position at most one.
    Column legal(const Choice& choice, Cell to, const Position& state);
    const std::vector<After>& after(const Choice& choice, Cell to, const Position& state);
    Column both(const Column& a, const Column& b) { return conjunction(a, b); }
    // As words, which hold as long.
    const std::uint64_t* spelled(const Column& column);

   private:
    struct SetColumns;  // how each operator is worked out
    struct NumberValues;
    using Values = absl::InlinedVector<std::pair<std::int64_t, Column>, 4>;  // what a number is, and where
    struct Memo {
      std::uint64_t stamp = 0;
      Column column;
    };
    // Columns of the board as it stands, or with a stone more, and in some state.
    struct Context {
      const Choice* choice = nullptr;  // null: no stone more
      CellSet placed = 0;
      Position state;
      std::uint64_t board_stamp = 0;  // of what does not depend on the state,
      std::uint64_t state_stamp = 0;  // and of what does
      std::vector<Memo> memo;         // [node as numbered * cells + cell]
      std::vector<std::vector<std::uint64_t>> words;
      std::size_t used = 0;
    };
    void begin_context(Context& context, const Position& state, const Choice* choice, Cell to);
    std::uint64_t* fresh();
    Column plane(int number, std::size_t cell, bool before);
    Column set(NodeId id, std::size_t cell);
    Column find_set(NodeId id, std::size_t cell);
    const std::vector<NodeId>& args(NodeId id) const { return rules_.args_[static_cast<std::size_t>(id)]; }
    Column input(const RuleNode& node, std::size_t cell);
    Column in_sets(const std::vector<NodeId>& sets, std::size_t cell, bool all);
    Column cover(const RuleNode& node, std::size_t cell);
    Column at_least(const RuleNode& node, std::size_t cell);
    Column player_is(const RuleNode& node, std::size_t cell);
    CellSet within(NodeId id) const;
    Column any_of(NodeId id, CellSet cells);
    Values number(NodeId id, std::size_t cell);
    Values held(NodeId id, CellSet cells);
    Values select(const RuleNode& node, std::size_t cell);
    template <typename Combine>
    Values paired(const Values& a, const Values& b, const Combine& combine);
    template <typename Combine>
    Values folded(const RuleNode& node, std::size_t cell, const Combine& combine);
    Values lookup(const RuleNode& node, std::size_t cell);
    Values state_number(std::size_t slot) const;
    Values sum(const RuleNode& node, std::size_t cell, std::int64_t constant);
    void put(Values& values, std::int64_t value, const Column& where);
    template <typename Combine>
    Column joined(const Column& a, const Column& b, const Combine& combine);
    Column complement(const Column& a);
    Column conjunction(const Column& a, const Column& b);
    Column disjunction(const Column& a, const Column& b);

    const PlacingRules& rules_;
    const RuleGraph& graph_;
    CellSet occupied_ = 0;
    bool first_moves_ = true;
    std::size_t words_ = 1;
    std::vector<int> bit_of_;  // by cell: its bit of a position's number
    std::uint64_t stamps_ = 0;
    Context before_;
    Context placed_;
    Context* at_ = &before_;
    std::vector<After> after_;
    std::vector<After> next_after_;
  };

 private:
  explicit PlacingRules(const Variant& variant) : variant_(variant) {}
  void turn_over(Position& p) const;
  std::vector<std::int64_t> possible(NodeId id, const StateSlot& slot, const Position& state) const;

  Variant variant_;
  std::array<std::vector<Choice>, 2> choices_;  // by mover
  std::vector<std::vector<NodeId>> args_;       // by node: of those whose order does not matter, the simplest first
  // Nodes that matter are numbered.
  std::vector<std::uint32_t> number_;  // by node
  std::size_t numbered_ = 0;
  std::vector<bool> reads_state_;  // by node
};

}  // namespace plenum
