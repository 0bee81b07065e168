// SPDX-License-Identifier: Apache-2.0
// A tier's blocks of other ranks that own blocks lead to: fetched in bulk before they are read, and given back afterwards.
//
// Bytes of a board have their place in an array of all boards, of which a rank writes only what is its own and what it fetched: memory is
// taken when a page is first written. So whoever reads them need not know whose they are.
//
// Invariant: outside fetch() and release() the bytes of others' blocks are 0, but for what release() has not been called for yet.
//
// Thread-safety: collective where it says so, from the main thread; the rest is immutable.
// Cost: an exchange holds some 8 MB of what is sent and as much of what comes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "solver/cluster/ranks.h"
#include "solver/rows/row_deal.h"
#include "tables/big_bytes.h"
#include "tables/index/dense_index.h"

namespace plenum {

// [state]: a byte for each board. Of several ranks each has memory for a part of them.
using BoardBytes = std::vector<BigBytes>;
inline constexpr std::size_t kRowExchangeBytes = std::size_t{1} << 23;  // of a tier, exchanged at a time
BoardBytes make_board_bytes(std::uint32_t states, BoardIndex boards);

// Boards of which this rank has the bytes, of the tiers from `stones` to before `until`, in rising order.
std::vector<Share> own_boards(const DenseIndex& index, int stones, int until, const Ranks& ranks);

class RowMirror {
 public:
  // The tier with so many stones, of which nothing is read yet. Beyond the full board: no blocks.
  RowMirror(const DenseIndex& index, int stones, Ranks& ranks);
  // Blocks of so many bytes from the beginning of an array on; `first`: what the first is in the index.
  RowMirror(const RowDeal& deal, BlockIndex first, std::size_t block_bytes, Ranks& ranks);
  // Collective. `read[i]`: whether own blocks lead to block i of the tier.
  void read(const std::vector<std::uint8_t>& read);

  BlockIndex first() const { return first_; }
  BoardIndex begin() const { return begin_; }           // of its boards
  std::size_t positions() const { return positions_; }  // of a block: a byte each
  const RowDeal& deal() const { return deal_; }
  bool has(BlockIndex block) const { return block >= first_ && block < first_ + deal_.blocks(); }
  // Blocks of the tier that are read of each rank; and the ranks that read the k-th own one.
  const std::vector<std::uint32_t>& taken(std::size_t rank) const { return taken_[rank]; }
  std::span<const std::uint32_t> readers(std::size_t k) const {
    return std::span(readers_).subspan(reader_begin_[k], reader_begin_[k + 1] - reader_begin_[k]);
  }
  bool empty() const { return empty_; }  // nobody reads anything of another

  // Collective: the bytes of what is read of others.
  void fetch(BoardBytes& bytes) const;
  // They all begin as `byte`.
  void fill(BoardBytes& bytes, std::uint8_t byte) const;
  void release(BoardBytes& bytes) const;
  // Collective, where others' blocks have been added to, bit by bit: to their owners, of the blocks that are marked. `added(k)` where the
  // k-th own one has bits that it had not. What is here of others' stays.
  void deliver(BoardBytes& bytes, const std::vector<std::uint8_t>& marked,
               const std::function<void(std::size_t k)>& added) const;

 private:
  std::uint8_t* at(BoardBytes& bytes, std::size_t state, std::size_t block) const {
    return bytes[state].data() + begin_ + block * positions_;
  }
  // Calls fn(begin, end) for stretches of blocks that are exchanged together, the same on all ranks.
  template <typename Fn>
  void in_rounds(std::size_t states, const Fn& fn) const;

  Ranks& ranks_;
  RowDeal deal_;
  BlockIndex first_ = 0;
  BoardIndex begin_ = 0;
  std::size_t positions_ = 1;
  bool empty_ = true;
  std::vector<std::vector<std::uint32_t>> taken_;  // [rank]
  std::vector<std::vector<std::uint32_t>> given_;  // [rank]: own ones that it reads
  std::vector<std::uint32_t> readers_;
  std::vector<std::size_t> reader_begin_;
};

}  // namespace plenum
