// SPDX-License-Identifier: Apache-2.0
// Chess with crowds (safety in numbers and the family of crowd=open) and without, once more and straight from how it is told:
// for tests to compare with.
//
// A mailbox with a list of men on every square; whether a man reaches a square is answered by walking the squares between.
// Nothing here is shared with the program, nothing is clever, nothing is fast (some 400,000 moves a second). Where several men
// may stand, share and most are a law of the square: a move is made, and then the squares left and entered must obey it.
//
//     const Rules rules;                                  // 8x8, crowds, QRBN
//     const Position p = *parse(rules, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
//     for (const Move& move : moves(rules, p)) move.text; // "Nb1-c3", ...; move.after is the position then
//
// Squares are numbers, a1 = 0, b1 = 1, ..., rank by rank. Men are letters, white's upper case, in any square's list in the
// order KQRBNPC, other letters after them, white's first. Positions have at most one king a side.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plenum::slow_chess {

enum class Crowd {
  safety,  // Safety in Numbers Chess
  off,     // orthodox: one man a square
  open,    // Share, most and Capture decide; the other two do not read them
};
// Who may stand together: anybody, men of one colour only, only men of both colours.
enum class Share { any, same, mixed };
// What a capture takes where two men or more stand; a man alone can always be taken.
enum class Capture { none, all, one };

struct Rules {
  int files = 8;
  int ranks = 8;
  Crowd crowd = Crowd::safety;
  Share share = Share::any;
  int most = 0;  // men on a square, both colours counted; 0: any number
  Capture capture = Capture::none;
  std::string promote = "QRBN";
  bool double_step = true;  // where there are six ranks or more
  bool en_passant = true;
  bool castling = true;  // on 8x8 only
  bool stalemate_loses = false;

  bool shared() const { return crowd != Crowd::off; }  // men may share a square
  int squares() const { return files * ranks; }
  bool has_double_step() const { return double_step && ranks >= 6; }
};

struct Position {
  std::vector<std::string> men;  // of each square
  bool white = true;             // is to move
  std::string castling;          // some of "KQkq" in that order
  int en_passant = -1;           // the square passed over, if there is a legal capture

  friend bool operator==(const Position&, const Position&) = default;
};

struct Move {
  std::string text;
  Position after;
};

bool is_white(char man);
std::string square_name(const Rules&, int square);

// Puts a man into the list of a square, where it belongs.
void put(Position& position, int square, char man);

// The law of the square: whether these men may stand on one.
bool may_share(const Rules& rules, const std::string& men);

// Nothing if the text is no position: sizes, letters, two kings of a side, a pawn on its first or last rank, men who may not
// share a square, castling without king or rook at home, an en passant square without the pawn. An en passant square that
// allows no legal capture is dropped.
std::optional<Position> parse(const Rules& rules, std::string_view text);

// As parse reads it: placement, w or b, castling or -, en passant square or -.
std::string print(const Rules& rules, const Position& position);

// Whether an enemy man could take that side's king if it were the enemy's turn. The law of the square counts: who may not
// leave or may not be left there takes nothing; the safety of the enemy's own king does not count.
bool in_check(const Rules& rules, const Position& position, bool white);

// In no particular order, every text once.
std::vector<Move> moves(const Rules& rules, const Position& position);

// What follows if that pawn has just made its double step to `square`: the square passed over, if the side to move in
// `position` may legally capture there, else -1. Whether the pawn can have come from its place is not asked.
int en_passant_square(const Rules& rules, const Position& position, int square);

std::uint64_t perft(const Rules& rules, const Position& position, int depth);

// The position after moves written one after another; nothing at the first that is not legal.
std::optional<Position> play(const Rules& rules, Position position, const std::vector<std::string>& line);

}  // namespace plenum::slow_chess
