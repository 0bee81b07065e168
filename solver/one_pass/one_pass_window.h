// SPDX-License-Identifier: Apache-2.0
// Of several ranks in one pass: what a rank has of others' boards while it works at some of its own.
//
// Boards of a tier are dealt out in stripes of neighbours. All ranks work at the same stretch of the tier at a time, a round, where each has a
// few stripes; and a rank has what moves from its own may lead to: some blocks of the next tier, as neighbours lead to the same ones.
//
// Which blocks that may be is told by the sets of cells alone. It is a guess: who reads a board asks whether its block is there.
//
// Thread-safety: move_to() is collective, from the main thread; otherwise as an array.
// Cost: a byte a block; of moves that add one stone, a look-up a block and free cell.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solver/dense/stripes.h"
#include "tables/index/dense_index.h"

namespace plenum {

// The stripes of boards: each of a multiple of eight, so that bits of boards in one byte are one rank's.
Stripes board_stripes(const DenseIndex& index, int rank, int ranks);
// The rounds of a tier: of one rank, one.
std::vector<Share> board_rounds(const DenseIndex& index, const Stripes& boards, int stones);

// Which blocks are read from a board.
struct BlocksAhead {
  std::uint32_t steps = 2;  // a bit each: of so many stones more
  bool all = false;         // all of these, and not only those whose set holds the board's
  bool images = false;      // those of the board's own set seen through the symmetries
  bool operator==(const BlocksAhead&) const = default;
};
// Of boards of one tier; in rising order, each once.
std::vector<BlockIndex> blocks_read(const DenseIndex& index, std::span<const Share> boards, const BlocksAhead& ahead);

class BlockWindow {
 public:
  // Of arrays with so many bits a board.
  BlockWindow(const DenseIndex& index, const Stripes& boards, BoardIndex bits);
  bool has(BlockIndex block) const { return has_[block] != 0; }
  // Collective: all boards of these blocks are there, and no others of other ranks'.
  void move_to(Ranks& ranks, const std::vector<BlockIndex>& blocks, ByteArrays arrays);
  // Those with so many stones are not there any more, as their bytes are to change.
  void drop(int stones, ByteArrays arrays);

  // Bytes of boards of these blocks, each of which has so many bits: in rising order and apart.
  static std::vector<Share> bytes_of(const DenseIndex& index, const std::vector<BlockIndex>& blocks, BoardIndex bits);

 private:
  void release(const std::vector<std::uint8_t>& keep, ByteArrays arrays);

  const DenseIndex& index_;
  Stripes bytes_;
  BoardIndex bits_;
  std::vector<std::uint8_t> has_;  // by block
};

// What that comes to, as `boards` deals them out.
struct WindowCost {
  BoardIndex most = 0;     // boards of others at a time
  BoardIndex fetched = 0;  // in all
};
WindowCost window_cost(const DenseIndex& index, const Stripes& boards, const BlocksAhead& ahead);

}  // namespace plenum
