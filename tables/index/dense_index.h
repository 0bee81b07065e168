// SPDX-License-Identifier: Apache-2.0
// The dense index, occupancy first: every way to fill the cells has a number, and no position is stored.
//
// The set of occupied cells comes first: one look-up gives its class (the sets that are its images under the symmetries) and the
// symmetry that takes it to the class's least set. What stands on that set's cells is a numeral in base k for k planes,
// the lowest cell its lowest digit, so that the boards of one class are consecutive (a block) and a board's number is
//     base of the class + numeral.
// All numerals of a set that is symmetric to itself are kept, though some are images of one another: then whole blocks can
// be worked through without a minimum over symmetries.
//
// What else belongs to a position (passes in a row, state, who is to move where the players cannot be exchanged) is its layer. A
// position's place is its layer and its board.
//
// Only sets that are listed have a class; by default all are. Blocks run by stones, then by set.
//
// Which symmetries fold positions together is a choice (Folding). Where it matters which positions are reachable from a start,
// only those may that leave it as it is: then what is reachable is the same seen through any of them, and a board stands for Block::sets others.
//
// Thread-safety: immutable. Cost: 6 bytes a set of cells (6 MB on 20 cells); a look-up is two of these and a numeral. Whole batches are
// placed faster (dense_batch.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "variants/rules/variant.h"

namespace plenum {

using BoardIndex = std::uint64_t;
using BlockIndex = std::uint32_t;
inline constexpr BlockIndex kNoBlock = ~BlockIndex{0};

// The symmetries by which positions are folded.
struct Folding {
  std::vector<GroupElement> plain = {kIdentity};  // a group, none of which exchanges the players
  GroupElement exchange = kIdentity;  // takes positions of second to first; kIdentity: who is to move is kept
  bool all = true;                    // these make all symmetries that the variant has

  static Folding everything(const Variant& variant);
  // Those that leave the start as it is, and an exchange that they allow: with it, a set of positions is symmetric or is not, as it
  // stands and exchanged alike.
  static Folding keeping(const Variant& variant, const Position& start);
};

// The boards of one class of sets.
struct Block {
  CellSet set = 0;               // the least of the class
  BoardIndex base = 0;           // of its boards
  std::uint32_t sets = 1;        // in the class: how many unreduced boards a board stands for
  std::uint32_t stabilizer = 1;  // symmetries that leave the set as it is
  int stones = 0;
};

class DenseIndex {
 public:
  static constexpr int kMostCells = 24;
  static constexpr int kMostSetCells = 25;

  // Whether boards of this variant can be numbered so; if not, why.
  static std::optional<std::string> obstacle(const Variant& variant);

  // Of all sets of cells. Requires that there is no obstacle; of a folding of one's own, that cells are kMostSetCells at most.
  explicit DenseIndex(const Variant& variant) : DenseIndex(variant, Folding::everything(variant)) {}
  DenseIndex(const Variant& variant, Folding folding);
  // Of these sets of cells and their images.
  DenseIndex(const Variant& variant, Folding folding, std::span<const CellSet> sets);

  const std::vector<Block>& blocks() const { return blocks_; }
  BoardIndex boards() const { return boards_; }
  BoardIndex size(const Block& block) const { return power_[static_cast<std::size_t>(block.stones)]; }
  // Blocks with so many stones are [first_block(n), first_block(n + 1)).
  BlockIndex first_block(int stones) const { return by_stones_[static_cast<std::size_t>(stones)]; }
  // Where the boards with so many stones begin, and behind the last.
  BoardIndex begin(int stones) const {
    const BlockIndex block = stones > cells_ ? static_cast<BlockIndex>(blocks_.size()) : first_block(stones);
    return block < blocks_.size() ? blocks_[block].base : boards_;
  }
  int cells() const { return cells_; }
  // Planes on which something may come to stand, by digit: at least one.
  const std::vector<std::size_t>& planes() const { return planes_; }
  BoardIndex base() const { return planes_.size(); }

  // kNoBlock: not listed.
  BlockIndex block_of(CellSet occupied) const { return block_of_[occupied]; }
  // Takes the set to its block's set; of a set that is listed.
  GroupElement to_block(CellSet occupied) const { return element_[occupied]; }
  const SymmetryGroup& symmetries() const { return variant_.symmetries(); }
  const Folding& folding() const { return folding_; }
  std::uint64_t bytes() const { return bytes(cells_, blocks_.size()); }
  static std::uint64_t bytes(int cells, std::size_t blocks) {
    return (std::uint64_t{6} << cells) + blocks * sizeof(Block);
  }

  // The numeral of what stands on the cells of `set` (planes beyond it are not looked at), and back.
  BoardIndex numeral(CellSet set, const CellSet* planes) const;
  void read_numeral(CellSet set, BoardIndex numeral, CellSet* planes) const;

  // The board of a position, and the layer that the rest of it makes.
  struct Place {
    std::uint32_t layer = 0;
    BoardIndex board = 0;
  };
  std::optional<Place> find(const Position& position) const;  // nullopt: it is not among those numbered
  Place place(const Position& position) const;                // requires that it is
  Position position(Place place) const;

  // Layers.
  std::uint32_t layers() const { return layers_; }
  std::uint32_t layer(const Position& position) const;  // its mover first where the players are exchanged
  void read_layer(std::uint32_t layer, Position& position) const;
  const Block& block_at(BoardIndex board) const;
  // A layer is a number whose digits are these, the first the highest.
  struct Field {
    int slot = -1;  // -1: passes; -2: the player to move
    std::uint32_t values = 1;
  };
  const std::vector<Field>& fields() const { return fields_; }

 private:
  void add_class(CellSet least);
  void sort_blocks();

  Variant variant_;
  Folding folding_;
  int cells_ = 0;
  std::vector<std::size_t> planes_;
  std::vector<Field> fields_;
  std::uint32_t layers_ = 1;
  std::vector<BoardIndex> power_;
  std::vector<Block> blocks_;
  std::vector<BlockIndex> by_stones_;
  std::vector<BlockIndex> block_of_;
  std::vector<GroupElement> element_;
  BoardIndex boards_ = 0;
};

}  // namespace plenum
