// SPDX-License-Identifier: Apache-2.0
// Positions and moves of piece games as texts: FEN with crowds in parentheses, and moves with the piece's letter.
//
//     rnbqkbnr/pppp1ppp/8/8/4(Pp)3/2N5/PPPP1PPP/R1BQKBNR w KQkq -
//
// Rows from the last to the first, runs of empty cells as numbers, several men on a cell in parentheses, first's (capitals) before
// second's; the player to move, w or b; castling rights; the cell that a pawn has passed over where it can be captured there. What
// may follow in a FEN, the counters of moves, is read and means nothing.
//
// A move is written with the piece's letter (none for what promotes), Nc3-e4 quiet, Nc3xe4 a capture, Nc3&e4 joining without one,
// e7-e8=Q, O-O, O-O-O; Nc3xe4:q where men of several kinds could be taken on e4.
// Thread-safety: no state.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "variants/board/board.h"
#include "variants/graph/rule_set.h"
#include "variants/pieces/piece_board.h"

namespace plenum {

// Reads written positions of any game word by word, and their rows cell by cell. Throws DescriptionError.
class PositionReader {
 protected:
  PositionReader(const Board& board, const Span& text) : board_(board), span_(text), text_(text.text()) {}
  ~PositionReader() = default;

  // The next word and where it begins; an empty one at the end.
  std::pair<std::size_t, std::string> word();
  void read_rows(std::size_t at, std::size_t length);
  // The sign that begins there, all bytes of it.
  Span sign(std::size_t at) const;

  // What stands on a cell is written from text_[at] on; returns where it ends.
  virtual std::size_t put(std::size_t at, Cell cell) = 0;
  // Of a row of so many cells `filled` are written before `wrong`, a run of empty cells or the sign of one cell more; or, where that is
  // empty, in all of `given`.
  [[noreturn]] virtual void fail_row(std::size_t row, std::size_t filled, const Span& given, const Span& wrong) = 0;
  virtual std::string rows_advice() const = 0;  // where one is missing

  const Board& board_;
  const Span& span_;
  std::string_view text_;

 private:
  std::size_t i_ = 0;
};

// A written position as it stands, its letters known and its places on the board, before anything is asked of it.
struct WrittenMan {
  Cell cell = 0;
  Player owner = Player::first;
  std::string letter;  // a capital
  Span span;
};
struct WrittenPosition {
  std::vector<WrittenMan> men;
  Player mover = Player::first;
  std::array<std::uint8_t, 2> rights = {0, 0};  // by owner; bits of CastlingSide
  Span rights_span;
  std::optional<Cell> passed;
  Span passed_span;
  Span span;
};
// Throws DescriptionError. `letters`: capitals of the pieces there are.
WrittenPosition read_fen(const Board& board, const std::vector<std::string>& letters, const Span& text);
// Whether it can be a position of the game. Throws DescriptionError.
Position position_of(const Board& board, const PieceSet& set, const WrittenPosition& written);

// The rows of any written position, from the last to the first, given what is written of each cell; nothing where it is empty.
std::string rows_text(const Board& board, const std::vector<std::string>& on_cell);
std::string fen_of(const Board& board, const PieceSet& set, const Position& position);

std::string write_move(const Board& board, const PieceSet& set, const PieceMove& move);
// Other ways that people write it: - for x and &, plain UCI, only where it goes (Nf3, e4, exd5).
std::vector<std::string> other_spellings(const Board& board, const PieceSet& set, const PieceMove& move);

}  // namespace plenum
