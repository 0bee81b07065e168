// SPDX-License-Identifier: Apache-2.0
// A game by rows: for each block of the dense index its moves, where they lead, and how its positions end.
//
// A row numbers a block's positions by their complemented numeral (row_rules.h): position `row` is board base + size - 1 - row.
//
// Thread-safety: build() may be called by many threads, each with a Worker; the rest is immutable after learn().
#pragma once

#include <memory>
#include <vector>

#include "solver/dense/value_byte.h"
#include "solver/rows/row_moves.h"
#include "tables/index/dense_index.h"
#include "tables/rows/row_fold.h"
#include "tables/rows/row_map.h"

namespace plenum {

// The moves of a block. States are the layers of the index without passes: flags, and who is to move where the players cannot be exchanged.
struct RowBlock {
  BlockIndex block = 0;
  RowMoves moves;
  std::vector<BlockIndex> target;  // by move
  std::vector<RowBits> bits;       // by move: RowGame::forward, where it can be legal
  std::vector<RowFold> folds;      // by move; empty: rows have to be gathered first
  std::vector<bool> sparse;        // by move: few stretches of the row have it
  // [state]: laid out as moves.legal, the moves that keep the best value of any but a pass (row_best.h). Empty: not known yet.
  std::vector<std::vector<std::uint64_t>> kept;
  std::vector<std::vector<ValueByte>>
      ends;  // [state][row]: code of an ended position, 0 where play goes on; empty: nowhere
  std::vector<std::vector<ValueByte>> pass_ends;  // [state][row]: code of the end by a second pass, for who moves next
  std::uint64_t bytes() const;
  // What is left of a move: where it is legal, or where it keeps the best value once that is known.
  const std::uint64_t* where(std::size_t move, std::uint32_t state) const {
    return (kept.empty() ? moves.legal : kept[state]).data() + move * moves.words;
  }
  // Null where nothing has ended in this state. Where who is to move has no move, the game is over, with no pass made or one.
  const ValueByte* ends_in(std::uint32_t state) const {
    return ends.empty() || ends[state].empty() ? nullptr : ends[state].data();
  }
};

class RowGame {
 public:
  class Worker {
   public:
    explicit Worker(const RowGame& game);

   private:
    friend class RowGame;
    void fill(const RowGame& game, const Block& block, std::size_t begin, std::size_t lanes, std::uint32_t layer,
              bool exchanged);
    RowMoveFinder moves_;
    Rules::Scratch scratch_;
    PositionBatch batch_;
    std::vector<std::uint8_t> ended_;
    std::vector<std::int64_t> margin_;
    std::vector<std::uint8_t> all_ended_;  // of a row
    std::vector<std::int64_t> margins_;
  };

  // A byte a position, which holds no margin beyond kMostUnits and is found on boards of up to 24 cells; or bits.
  enum class By { bytes, bits };
  // kUnimplemented, with what stands in the way, for games that need another solver.
  static absl::StatusOr<RowGame> make(const Variant& variant, By by = By::bytes);

  // kUnimplemented if it is not the same under all symmetries of the board.
  static absl::Status check_start(const SymmetryGroup& symmetries, const Position& start);

  const RowRules& rules() const { return *rules_; }
  const DenseIndex& index() const { return *index_; }
  const Variant& variant() const { return rules_->variant(); }
  std::uint32_t states() const { return states_; }
  bool has_passes() const { return rules_->pass_rule() >= 0; }
  // The layer of the index with so many passes made.
  std::uint32_t layer(std::uint32_t state, int passes) const {
    return static_cast<std::uint32_t>(passes) * states_ + state;
  }

  absl::Status build(BlockIndex number, Worker& worker, RowBlock& out) const;
  // Codes of a block's positions of this layer as ends, by row; of the positions seen by the other player if `exchanged`.
  void score(const Block& block, std::uint32_t layer, bool exchanged, Worker& worker,
             std::vector<ValueByte>& out) const;
  // The same as margins in units; and which positions of a block have ended by themselves, no pass made, with their margins. By row.
  void margins(const Block& block, std::uint32_t layer, bool exchanged, Worker& worker,
               std::vector<std::int64_t>& out) const;
  void judge(const Block& block, std::uint32_t state, Worker& worker, std::vector<std::uint8_t>& ended,
             std::vector<std::int64_t>& margin) const;
  // What it is worth to have no move there.
  absl::StatusOr<MoverValue> stuck(const Block& block, std::uint32_t state, std::uint64_t row) const;
  // The state after a move by this rule.
  std::uint32_t next_state(std::size_t rule, std::uint32_t state) const { return next_state_[rule * states_ + state]; }

  std::uint32_t after_pass(std::uint32_t state) const {
    return next_state(static_cast<std::size_t>(rules_->pass_rule()), state);
  }

  // How the codes of a block's successors by a move are read off its target's: input numbers are numerals of the target, outputs
  // rows. The other way round: outputs are numerals of the target, inputs rows; where the move takes a stone's place, `taken` is the
  // bit that the stone has in the row.
  RowBits forward(const Block& block, const RowMove& move, const Block& target) const;
  RowBits backward(const Block& block, const RowMove& move, const Block& target, bool taken) const;
  // Whether a move puts a stone where one stood.
  static bool takes(const Block& block, const RowMove& move) { return (block.set & cell_bit(move.to)) != 0; }

 private:
  RowGame(RowRules rules, const Variant& variant);
  static absl::Status check_bytes(const Variant& variant);
  absl::Status find_ends(const Block& block, Worker& worker, RowBlock& out) const;
  absl::Status learn_states();

  std::shared_ptr<const RowRules> rules_;
  std::shared_ptr<const DenseIndex> index_;
  std::uint32_t states_ = 1;
  std::vector<std::uint32_t> next_state_;
};

}  // namespace plenum
