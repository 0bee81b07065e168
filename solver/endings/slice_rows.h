// SPDX-License-Identifier: Apache-2.0
// The placements of a slice in rows: one man anywhere, all others as they are. A row is a word, a bit for each cell of that man.
//
// The man is the last one; of kings and pawns alone it is second's king. Rows are numbered by the player to move, by the pair of
// kings (up to symmetry; by first's king alone where second's is the man), then by the other men, equal ones told apart. So a
// placement may stand in several rows, or twice in one: all images of it under the symmetries that its pair of kings has left, and
// with equal men exchanged. They are solved alike, each from its own moves.
//
// Inside a slice are moves that capture nothing, of men who stay what they are. Whether they are legal is not asked here: they
// are where the positions before and after are (`legal`). All else about company (PieceSet) is looked at.
//
// Thread-safety: immutable once made.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "solver/endings/piece_ways.h"
#include "tables/index/ending_index.h"

namespace plenum {

// What men of a material need, however many slices it has.
class EndingMen {
 public:
  EndingMen(const PieceSet& set, const EndingIndex& index);

  const PieceSet& set() const { return *set_; }
  const EndingIndex& index() const { return *index_; }
  std::size_t count() const { return ways_.size(); }
  std::size_t owner(std::size_t man) const { return index_->men()[man].owner; }
  std::size_t kind(std::size_t man) const { return index_->men()[man].kind; }
  const PieceWays& ways(std::size_t man) const { return *ways_[man]; }
  bool promotes(std::size_t man) const { return !set_->kinds[kind(man)].promotions.empty(); }
  // Whether by_either and by_move_alone (Entry) have to be told from by_move.
  bool by_two_powers(std::size_t man) const { return set_->joins_by_safety && ways(man).split(); }

  // A word with its bits carried by a symmetry, and carried back.
  std::uint64_t carry(std::uint64_t word, std::size_t symmetry) const;
  std::uint64_t carry_back(std::uint64_t word, std::size_t symmetry) const { return carry(word, inverse_[symmetry]); }
  // The symmetry that is `first` and then `second`.
  std::size_t both(std::size_t first, std::size_t second) const { return both_[first * inverse_.size() + second]; }

 private:
  const PieceSet* set_;
  const EndingIndex* index_;
  std::vector<PieceWays> distinct_;
  std::vector<const PieceWays*> ways_;  // by man
  std::vector<std::size_t> inverse_;
  std::vector<std::size_t> both_;
  std::vector<std::array<std::array<std::uint64_t, 256>, 8>> carried_;  // by symmetry and byte of a word
};

// How a man comes to a cell where so many stand of his own and of the other player.
enum class Entry : std::uint8_t { no, by_move, by_either, by_move_alone };
Entry entry(const PieceSet& set, int mine, int theirs);
// Whether one may leave, himself among `mine`. Who may not is held, and gives no check.
bool may_leave(const PieceSet& set, int mine, int theirs);
// Whether a man of a cell could be captured there.
bool exposed(const PieceSet& set, int mine, int theirs);

// How many rows a slice has: more than can be numbered, perhaps.
double rows_of(const PieceSet& set, const EndingIndex& index, std::uint32_t slice);

class SliceRows {
 public:
  SliceRows(const EndingMen& men, std::uint32_t slice);

  struct Row {
    std::size_t number = 0;
    std::size_t mover = 0;
    std::size_t block = 0;
    std::size_t others = 0;             // the fixed men that are neither kings nor pawns, as digits
    std::array<Cell, kMaxCells> cells;  // by man, but for the last
    CellSet occupied = 0;               // by those
  };

  std::size_t size() const { return 2 * half_; }
  std::size_t half() const {
    return half_;
  }  // rows of one player to move; the same placements follow for the other one
  std::size_t cells() const { return cells_; }
  std::uint64_t board() const { return cells_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << cells_) - 1; }
  const EndingMen& men() const { return *men_; }
  std::uint32_t slice() const { return slice_; }
  std::size_t loose() const { return loose_; }  // the man who is anywhere
  void read(std::size_t number, Row& out) const;

  // How many fixed men of each player stand on a cell, one of them left out.
  static constexpr std::size_t kNobody = ~std::size_t{0};
  std::array<int, 2> company(const Row& row, Cell cell, std::size_t but) const;

  // The moves of fixed men inside the slice: of the player to move, or back to what the other player may have come from. Calls
  // with the row after it, for which of the loose man's cells it is a move, and by which symmetry his cells go over into those of
  // that row. Back it calls with all images of where the move began, forward with one of where it ends.
  template <PieceWays::Direction kDirection, typename Visit>
  void each_move(const Row& row, const Visit& visit) const {
    const std::size_t who = kDirection == PieceWays::Direction::forward ? row.mover : 1 - row.mover;
    for (std::size_t man = 0; man < men_->count(); ++man) {
      if (man == loose_ || men_->owner(man) != who || men_->promotes(man)) continue;
      each_step<kDirection>(row, man, [&](Cell to, CellSet open) {
        visit_moved<kDirection == PieceWays::Direction::back>(row, man, to, open, visit);
      });
    }
  }
  bool loose_moves(const Row& row, bool forward) const { return (men_->owner(loose_) == row.mover) == forward; }
  // From where the loose man gets to one of these cells inside the slice, and back from them.
  CellSet loose_sources(const Row& row, CellSet targets) const;
  std::uint64_t loose_count(const Row& row, CellSet from, CellSet targets) const;  // how many such moves
  // The row of the same placements, the other player to move.
  std::size_t turned(const Row& row) const { return row.mover == 0 ? row.number + half_ : row.number - half_; }
  // Cells that he may leave; of who stands there as well.
  CellSet loose_may_leave(const Row& row) const;
  // For which cells of the loose man a fixed one may leave his.
  CellSet may_leave_from(const Row& row, std::size_t man) const { return left(row, man, row.cells[man]); }

  // For which cells of the loose man nobody stands against the law.
  CellSet lawful(const Row& row) const;
  // For which of them that player's king could be captured.
  CellSet in_check(const Row& row, std::size_t player) const;

  // A set for the loose man: one answer where he is on that cell, one elsewhere.
  static CellSet there_or_not(Cell cell, bool there, bool not_there) {
    return (there ? cell_bit(cell) : 0) | (not_there ? ~cell_bit(cell) : 0);
  }
  // `cell` with the loose man there: how many of each player are.
  std::array<int, 2> with_loose(std::array<int, 2> count) const {
    ++count[men_->owner(loose_)];
    return count;
  }
  // Where a fixed man comes to by moves that capture nothing, and for which cells of the loose man; also those of men who promote.
  template <PieceWays::Direction kDirection, typename Visit>
  void each_step(const Row& row, std::size_t man, const Visit& visit) const;

 private:
  CellSet entered(const Row& row, std::size_t man, Cell cell, CellSet moves, CellSet captures) const;
  CellSet left(const Row& row, std::size_t man, Cell cell) const;
  CellSet loose_may_enter(const Row& row, CellSet targets) const;
  CellSet loose_sources_by_two_powers(const Row& row, CellSet targets) const;
  CellSet attacked_by(const Row& row, std::size_t man, Cell king) const;

  template <bool kImages, typename Visit>
  void visit_moved(const Row& row, std::size_t man, Cell to, CellSet open, const Visit& visit) const {
    const std::size_t begin = (1 - row.mover) * half_;
    if (man >= others_begin_) {
      const auto by = static_cast<std::ptrdiff_t>(to) - static_cast<std::ptrdiff_t>(row.cells[man]);
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(row.block * in_block_ + row.others) + by * stride_[man];
      visit(begin + static_cast<std::size_t>(at), open, std::size_t{0});
    } else if (pairs_ == nullptr) {
      visit(begin + to, open, std::size_t{0});
    } else {
      const std::size_t pair = std::size_t{64} * (man == 0 ? to : row.cells[0]) + (man == 0 ? row.cells[1] : to);
      const std::size_t block = pairs_->class_of[pair];
      const std::size_t symmetry = pairs_->to_least[pair];
      visit(begin + block * in_block_ + (symmetry == 0 ? row.others : carried(row, symmetry)), open, symmetry);
      if constexpr (kImages) {
        for (const std::uint8_t more : pairs_->stabilizer[block]) {
          if (more == 0) continue;
          const std::size_t image = men_->both(symmetry, more);
          visit(begin + block * in_block_ + carried(row, image), open, image);
        }
      }
    }
  }
  std::size_t carried(const Row& row, std::size_t symmetry) const;

  const EndingMen* men_;
  std::uint32_t slice_;
  const EndingIndex::Pairs* pairs_ = nullptr;  // none where second's king is the loose man
  std::size_t cells_;
  std::size_t loose_;
  std::size_t others_begin_;
  std::size_t blocks_ = 0;
  std::size_t in_block_ = 1;
  std::size_t half_ = 0;
  bool crowds_ = false;
  std::array<std::ptrdiff_t, kMaxCells> stride_ = {};  // by man
  std::array<Cell, kMaxCells> begin_ = {};             // of the pawns
};

// Inline, for it is asked of every row again and again.
template <PieceWays::Direction kDirection, typename Visit>
void SliceRows::each_step(const Row& row, std::size_t man, const Visit& visit) const {
  const Cell at = row.cells[man];
  const PieceWays& ways = men_->ways(man);
  if (!crowds_) {
    ways.each(kDirection, at, row.occupied, [&](Cell to, CellSet moves, CellSet) {
      if (moves != 0 && (row.occupied >> to & 1) == 0) visit(to, moves & ~cell_bit(to));
    });
    return;
  }
  constexpr bool kForward = kDirection == PieceWays::Direction::forward;
  const auto whole = [&](Cell to, CellSet moves, CellSet captures) {
    CellSet open = entered(row, man, kForward ? to : at, moves, captures);
    if (open != 0) open &= left(row, man, kForward ? at : to);
    if (open != 0) visit(to, open);
  };
  if (!men_->by_two_powers(man)) {
    ways.each(kDirection, at, row.occupied, [&](Cell to, CellSet moves, CellSet) {
      if (moves != 0) whole(to, moves, moves);
    });
    return;
  }
  std::array<CellSet, kMaxCells> moves;
  std::array<CellSet, kMaxCells> captures;
  CellSet reached = 0;
  ways.each(kDirection, at, row.occupied, [&](Cell to, CellSet by_moves, CellSet by_captures) {
    if ((reached >> to & 1) == 0) moves[to] = captures[to] = 0;
    reached |= cell_bit(to);
    moves[to] |= by_moves;
    captures[to] |= by_captures;
  });
  for (; reached != 0; reached &= reached - 1) {
    const auto to = static_cast<Cell>(__builtin_ctzll(reached));
    whole(to, moves[to], captures[to]);
  }
}

}  // namespace plenum
