// SPDX-License-Identifier: Apache-2.0
// Batches of positions and a dense index: boards in the order of their numbers, and the places of whatever was made from them.
//
// Successors of the boards of one block share few sets of occupied cells. For a set that has been met, the way from cells to the
// numeral (exchange, the symmetry that takes the set to its block's, the rank of each cell there, its power of the base) is a table
// a byte of cells: then a board's number is a sum of a few look-ups for each plane. Some hundreds of sets are kept by a hash; when
// there are more, all are forgotten. (One slot a hash was three times slower: where two sets of one block met, they took turns.)
//
//     PlaceFinder places(index);
//     places.find(scratch.successors);      // places.board(i), places.layer(i)
//
// Requires blocks of less than 2^32 boards.
// Thread-safety: belongs to one thread; the index outlives it.
// Cost: 4-6 ns a position on 16 cells, and 0.1 us for every set that is met anew; 0.8 MB.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tables/index/dense_index.h"

namespace plenum {

inline constexpr BoardIndex kNoBoard = ~BoardIndex{0};

// Boards one after the other.
class BoardCursor {
 public:
  explicit BoardCursor(const DenseIndex& index) : index_(index) {}
  void seek(BoardIndex board);  // one of the index
  void next();                  // beyond the last board only board() has a meaning
  BoardIndex board() const { return board_; }
  const Block& block() const { return *block_; }
  const CellSet* planes() const { return planes_.data(); }

 private:
  const DenseIndex& index_;
  BoardIndex board_ = 0;
  BoardIndex end_ = 0;  // of the block
  const Block* block_ = nullptr;
  std::array<CellSet, kMaxPlanes> planes_ = {};
};

// By byte of cells: what the cells in it add to a numeral.
using RankTable = std::array<std::array<std::uint32_t, 256>, (DenseIndex::kMostCells + 7) / 8>;

// The numeral of a block's board as a symmetry of the block's set shows it.
class BoardImage {
 public:
  BoardImage(const DenseIndex& index, const Block& block, GroupElement g);
  BoardIndex numeral(const CellSet* planes) const {
    BoardIndex out = 0;
    for (std::size_t d = 1; d < index_->planes().size(); ++d) {
      const CellSet cells = planes[index_->planes()[d]];
      for (std::size_t b = 0; b < bytes_; ++b) out += d * rank_[b][cells >> (8 * b) & 0xFF];
    }
    return out;
  }

 private:
  const DenseIndex* index_;
  std::size_t bytes_;
  RankTable rank_ = {};
};

class PlaceFinder {
 public:
  explicit PlaceFinder(const DenseIndex& index);

  // Places of all positions of the batch, which have the same player to move.
  void find(const PositionBatch& batch);
  BoardIndex board(std::size_t i) const { return board_[i]; }  // kNoBoard: it is not numbered
  std::uint32_t layer(std::size_t i) const { return layer_[i]; }
  int stones(std::size_t i) const { return stones_[i]; }
  // Sets met that are not listed, each once or more often; and the blocks of those that are, since forget() or a call before it.
  std::vector<CellSet>& missing() { return missing_; }
  std::vector<BlockIndex>& met() { return met_; }
  // What is met from now on is met anew.
  void forget();

 private:
  static constexpr std::size_t kMostKnown = 256;
  static constexpr std::size_t kSlots = 4 * kMostKnown;
  static constexpr std::uint16_t kFree = 0xFFFF;
  struct Known {
    CellSet set = 0;  // of occupied cells, as it was met
    bool listed = false;
    std::uint8_t stones = 0;
    BoardIndex base = 0;
    RankTable rank = {};
  };
  const Known& known(CellSet set) {
    for (std::size_t at = (set * 0x9E3779B97F4A7C15U) >> 54;; at = (at + 1) % kSlots) {
      if (slot_[at] == kFree) return learn(set, at);
      const Known& one = known_[slot_[at]];
      if (one.set == set) return one;
    }
  }
  const Known& learn(CellSet set, std::size_t at);
  template <std::size_t kBytes, std::size_t kPlanes>
  void find_boards(const PositionBatch& batch);
  void find_layers(const PositionBatch& batch);

  const DenseIndex& index_;
  std::vector<Known> known_;                // kMostKnown
  std::array<std::uint16_t, kSlots> slot_;  // by hash: which, or kFree
  std::size_t count_ = 0;
  bool exchanged_ = false;  // what is known is of positions that are exchanged first
  std::vector<BoardIndex> board_;
  std::vector<std::uint32_t> layer_;
  std::vector<std::uint8_t> stones_;
  std::vector<CellSet> missing_;
  std::vector<BlockIndex> met_;
};

}  // namespace plenum
