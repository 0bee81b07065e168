// SPDX-License-Identifier: Apache-2.0
// The pieces of a game on its board: where each kind goes from each cell, as tables; and how pieces play together.
//
// Planes of a position (position.h): those of a player's own kinds come first, in the order of `kinds`: the cells with at
// least one such man. Where a cell may hold several equal men, a kind has further planes: the number of men there less one, in
// binary. The last plane, nobody's, is the cell that a pawn has just passed over, if it can be captured there.
// Both players have planes for all kinds, also for those that only one of them can have.
//
// Thread-safety: immutable once made.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "variants/graph/position.h"
#include "variants/language/betza.h"
#include "variants/language/description.h"

namespace plenum {

using ByCell = std::array<CellSet, kMaxCells>;

// Stops of a straight ride from every cell, nearest first where cells rise along it, otherwise last.
struct Ray {
  ByCell stops = {};
  bool rising = true;

  // The nearest of `cells` along it; 0: none.
  CellSet nearest(Cell from, CellSet cells) const {
    const CellSet met = stops[from] & cells;
    return met == 0 ? 0 : rising ? met & -met : CellSet{1} << (63 - __builtin_clzll(met));
  }
  // The stops up to the nearest occupied one, that one included.
  CellSet reach(Cell from, CellSet occupied) const { return up_to(stops[from], occupied); }
  // The stops after the first occupied one, up to the second.
  CellSet beyond(Cell from, CellSet occupied) const { return up_to(stops[from] & ~reach(from, occupied), occupied); }

 private:
  CellSet up_to(CellSet cells, CellSet occupied) const {
    const CellSet met = cells & occupied;
    if (met == 0) return cells;
    return rising ? cells & (met ^ (met - 1)) : cells & ~((CellSet{1} << (63 - __builtin_clzll(met))) - 1);
  }
};

// A ride of a kind, by one of PieceSet::rays.
struct Ride {
  std::size_t ray = 0;
  bool moves = true;
  bool captures = true;
  bool over_hurdle = false;  // to the stops after the first occupied one, up to the second
};

// A single step that depends on what stands between.
struct ConditionalStep {
  ByCell to = {};  // one cell, or none where the board ends
  ByCell between = {};
  bool moves = true;
  bool captures = true;
  bool needs_empty = true;  // all of `between`; otherwise some of it occupied
};

// Where a kind goes, for one player.
struct PieceTables {
  ByCell move_leaps = {};
  ByCell capture_leaps = {};
  std::vector<Ride> rides;
  std::vector<ConditionalStep> steps;
  // A first step of two, by the cell it begins at: over which cell, to where; kNoCell elsewhere.
  std::array<Cell, kMaxCells> passed_over;
  std::array<Cell, kMaxCells> double_to;

  // All cells that the move power and the capture power reach, the first occupied ones of rides included.
  struct Reach {
    CellSet moves = 0;
    CellSet captures = 0;
  };
};

// How the men of one player attack a cell: what they capture by, seen from the cell.
struct AttackTables {
  std::vector<ByCell> leapers;  // by kind: from where it leaps to the cell
  struct Riders {
    Ray ray;              // from the cell backwards
    CellSet origins = 0;  // cells where the ride may begin
    bool over_hurdle = false;
    std::vector<std::size_t> kinds;
  };
  std::vector<Riders> riders;
  struct Stepper {
    std::size_t kind = 0;
    ConditionalStep step;  // `to`: from where it comes
  };
  std::vector<Stepper> steppers;
  ByCell lines = {};     // cells whose change may uncover an attack on the cell
  bool hurdles = false;  // filling a cell may too
};

struct PieceKind {
  std::string letter;  // a capital
  std::string betza;
  bool royal = false;
  std::vector<std::size_t> castles;     // with one of these kinds
  std::vector<std::size_t> promotions;  // none: it stays what it is
  std::vector<std::size_t>
      more_planes;  // among a player's own planes: the number of equal men on a cell less one, in binary
  std::array<int, 2> most = {0, 0};  // men that each player may come to have
};

// Who may stand together: a cell with several men, whatever their colours, is a crowd.
enum class Company : std::uint8_t { any, same_owner, both_owners };
// What a capture takes on a crowd.
enum class CrowdCapture : std::uint8_t { none, all, one };

enum class CastlingSide { right, left };  // of the board: bits 1 and 2 of a right

// A man on a cell.
struct Man {
  Player owner = Player::first;
  std::size_t kind = 0;
  Cell cell = 0;
};

class PieceSet {
 public:
  int width = 0;
  int height = 0;
  std::vector<PieceKind> kinds;
  std::array<std::vector<PieceTables>, 2> tables;  // by owner and kind
  std::array<AttackTables, 2> attacks;             // by owner of the attackers
  std::vector<Ray> rays;
  std::size_t royal = 0;
  std::array<CellSet, 2> last_rank = {};  // by owner, where pawns become something else
  std::array<CellSet, 2> home_rank = {};  // from where they may go two steps
  int most_on_cell = 1;                   // men, of both players together; 0: no limit
  Company company = Company::any;
  CrowdCapture capture = CrowdCapture::none;
  // Who comes to where others stand. False: whose move power reaches there, if the law of the square allows it. True: by either power
  // onto a crowd with an enemy in it, and by a move power onto a lone enemy that the capture power does not reach.
  bool joins_by_safety = false;
  bool stalemate_loses = false;
  int passed_plane = -1;   // the cell just passed over; -1: there is no en passant
  int castling_slot = -1;  // the mover's rights, followed by the opponent's; -1: there are none
  std::array<std::array<Cell, 2>, 2> corners = {};  // by owner and CastlingSide
  int most_men = 0;                                 // on the board
  // Men of an ending, by owner and kind; none: the game begins with an array.
  std::optional<std::array<std::vector<int>, 2>> material;
  Position start;  // of an ending: the first of its positions

  bool crowds() const { return most_on_cell != 1; }
  int own_planes() const { return own_planes_; }
  std::size_t plane(bool movers, std::size_t kind) const {
    return kind + (movers ? 0 : static_cast<std::size_t>(own_planes_));
  }
  int x(Cell c) const { return c % width; }
  int y(Cell c) const { return c / width; }

  bool castles_with(std::size_t kind) const {
    const std::vector<std::size_t>& with = kinds[royal].castles;
    return std::find(with.begin(), with.end(), kind) != with.end();
  }
  // The kind that castles and stands there, one of the mover's or not; kinds.size(): none does.
  std::size_t castling_partner(const Position& p, bool movers, Cell cell) const {
    for (const std::size_t kind : kinds[royal].castles)
      if ((p.planes[plane(movers, kind)] & cell_bit(cell)) != 0) return kind;
    return kinds.size();
  }

  // Men on a cell, and changing them. Of a position of any player; `movers`: whose man.
  int count(const Position& p, bool movers, std::size_t kind, Cell cell) const;
  int count(const Position& p, Cell cell) const;  // all men there
  int count(const Position& p) const;             // on the board
  // False: more equal men on one cell than there are planes for.
  bool add(Position& p, bool movers, std::size_t kind, Cell cell) const;
  void remove(Position& p, bool movers, std::size_t kind, Cell cell) const;
  // In the order of cells, then first's before second's, then kinds.
  std::vector<Man> men_of(const Position& p) const;
  int count(const Position& p, bool movers, Cell cell) const;  // of one player
  // The law of the square: whether these men may share the cell that they share, and all cells.
  bool lawful(int movers, int others) const;
  bool lawful(const Position& p) const;
  // Cells with two or more men.
  CellSet crowded(const Position& p) const;

  // Whether carrying all cells so, the players exchanged or not, leaves the pieces' ways, ranks and rights as they are; of these
  // kinds, and of all that they may become, alone.
  bool symmetric(const std::vector<Cell>& permutation, bool exchange, std::vector<bool> used) const;
  bool symmetric(const std::vector<Cell>& permutation, bool exchange) const {
    return symmetric(permutation, exchange, std::vector<bool>(kinds.size(), true));
  }
  // Whether pawns, if there are any, only ever go forward.
  bool pawns_go_forward() const;

  void set_planes();                                                   // decides more_planes, from kinds[].most
  void make_tables(const std::vector<std::vector<BetzaAtom>>& atoms);  // by kind, as parsed

 private:
  int own_planes_ = 0;
  std::vector<std::vector<BetzaAtom>> atoms_;
};

// Of a kind: up to four equal men on one cell, and up to eight of what promotes unless joins_by_safety; fewer where there
// are many kinds.
inline constexpr std::size_t kMostMorePlanes = 2;

}  // namespace plenum
