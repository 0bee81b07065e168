// SPDX-License-Identifier: Apache-2.0
// A position of a piece game with what its moves are found by: who stands where, who is alone, what is attacked.
//
//     PieceBoard board(set, position);
//     board.moves(list);                       // legal ones
//     board.after(list[0], next);              // the position after it, seen by the other player
//
// A man may go where its move power reaches if that is empty, and take a lone enemy where its capture power reaches. Who may join others,
// and who may be taken among others, is said by PieceSet (company, most_on_cell, capture, joins_by_safety). The law of the square holds
// after a move, where it began and where it ended: whoever may not leave, for others would be left against the law, is held, and gives no
// check. A king among others is in check where a man of its cell could be taken.
//
// Thread-safety: a value that refers to its PieceSet. Cost: see variants/README.md.
#pragma once

#include <cstdint>
#include <vector>

#include "variants/pieces/piece_set.h"

namespace plenum {

enum class Manner : std::uint8_t { quiet, capture, join, castle, en_passant };

inline constexpr std::uint8_t kNoKind = 255;

struct PieceMove {
  Cell from = 0;
  Cell to = 0;
  std::uint8_t kind = 0;
  std::uint8_t promotion = kNoKind;  // what it becomes
  Manner manner = Manner::quiet;
  std::uint8_t taken = kNoKind;  // of a crowd, where men of several kinds could be taken: which
  friend bool operator==(const PieceMove&, const PieceMove&) = default;
};

class PieceBoard {
 public:
  PieceBoard(const PieceSet& set, const Position& position);

  const Position& position() const { return *position_; }
  CellSet occupied() const { return occupied_; }

  // Whether the player to move is in check; whether the other one is, which no legal position allows.
  bool in_check() const { return attacked_king(true); }
  bool other_in_check() const { return attacked_king(false); }

  // Legal moves, kind by kind, cell by cell.
  void moves(std::vector<PieceMove>& out) const;
  bool has_move() const;
  // What a kind of the mover's reaches from a cell by its two powers, whatever stands at the end.
  PieceTables::Reach reach(std::size_t kind, Cell from) const;

  // The position after a move, seen by the player to move then. False: more equal men on a cell than a position can say.
  bool after(const PieceMove& move, Position& out) const;

 private:
  // What changes before an attack on a king is asked for.
  struct Change {
    CellSet occupied = 0;
    CellSet alive = ~CellSet{0};  // attackers elsewhere are gone
  };
  std::size_t owner(bool movers) const {
    return static_cast<std::size_t>(movers ? position_->mover : other(position_->mover));
  }
  const CellSet& men(bool movers, std::size_t kind) const { return position_->planes[set_->plane(movers, kind)]; }
  // Whether men of the other player (of the mover, if not by_other) attack the cell.
  bool attacked(Cell cell, bool by_other, const Change& change) const;
  bool attacked_king(bool movers) const;
  bool legal(const PieceMove& move) const;
  bool legal_by_law(const PieceMove& move) const;
  // Cells where that player has one man who may not leave; where the other one's men may be taken among others; which move powers join.
  CellSet held(bool movers) const;
  CellSet takeable(bool movers) const;
  CellSet joinable() const;
  // The kinds of the other player's that can be taken on a crowd, the king aside.
  std::vector<std::size_t> choices(Cell crowd) const;
  // The position after a move but for the cell passed over.
  bool carry_out(const PieceMove& move, Position& out) const;
  void take(const PieceMove& move, Position& out) const;
  void change_rights(const PieceMove& move, Position& out) const;
  void add_castling(std::vector<PieceMove>& out) const;
  void add_en_passant(std::vector<PieceMove>& out) const;
  bool may_pass(Cell king, Cell to, CellSet left_behind, CellSet filled) const;
  Cell passed_pawn() const;

  const PieceSet* set_;
  const Position* position_;
  CellSet occupied_ = 0;
  CellSet crowds_ = 0;
  CellSet mine_ = 0;
  CellSet theirs_ = 0;
  CellSet mine_twice_ = 0;  // cells with two or more of one player's men
  CellSet theirs_twice_ = 0;
  Cell king_ = kNoCell;  // the mover's
  bool king_alone_ = true;
  bool checked_ = false;
};

}  // namespace plenum
