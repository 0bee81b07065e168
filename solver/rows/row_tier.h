// SPDX-License-Identifier: Apache-2.0
// A tier's blocks with their moves: those of this rank, with what it reads of others' in this tier and in the next.
//
// Thread-safety: make() is collective; then immutable, but that whoever has a block may change it.
// Cost: for each own block its moves, a bit for each position and move; lists of blocks that are read and of who reads them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "solver/rows/row_game.h"
#include "solver/rows/row_mirror.h"

namespace plenum {

class RowTier {
 public:
  // All blocks with so many stones that are this rank's, and their moves.
  static absl::StatusOr<RowTier> make(const RowGame& game, int stones, Ranks& ranks = Ranks::alone());
  Ranks& ranks() const { return *ranks_; }
  std::size_t size() const { return blocks_.size(); }          // own blocks
  std::size_t all() const { return here_.deal().blocks(); }    // of all ranks
  BlockIndex first() const { return here_.first(); }           // of all
  BoardIndex begin() const { return here_.begin(); }           // of the boards of all
  std::size_t positions() const { return here_.positions(); }  // of a block
  const RowBlock& block(std::size_t k) const { return blocks_[k]; }
  RowBlock& block(std::size_t k) { return blocks_[k]; }
  // Which one of the tier own block k is, and where its boards begin.
  std::size_t number(std::size_t k) const { return here_.deal().number(k); }
  BoardIndex base(std::size_t k) const { return begin() + number(k) * positions(); }
  // Own blocks with a move into block i of the tier, whosever it is.
  const std::vector<std::uint32_t>& readers(std::size_t i) const { return readers_[i]; }
  // Whether a move leads from an own block to one of this tier, or back to the same.
  bool has_cycles() const {
    return std::any_of(readers_.begin(), readers_.end(), [](const auto& list) { return !list.empty(); });
  }
  std::uint64_t bytes() const { return bytes_; }
  // Which one of the own blocks this is; and where its bytes are in an array of their boards alone.
  std::size_t own(const RowBlock& block) const { return here_.deal().local(block.block - first()); }
  std::size_t local(const RowBlock& block) const { return own(block) * positions(); }
  // What is read of others in this tier, and in the next.
  const RowMirror& here() const { return here_; }
  const RowMirror& above() const { return above_; }

 private:
  RowTier(const DenseIndex& index, int stones, Ranks& ranks)
      : ranks_(&ranks), here_(index, stones, ranks), above_(index, stones + 1, ranks) {}
  void find_readers();

  Ranks* ranks_;
  RowMirror here_;
  RowMirror above_;
  std::vector<RowBlock> blocks_;
  std::vector<std::vector<std::uint32_t>> readers_;
  std::uint64_t bytes_ = 0;
};

// What is read of others of these bytes, while it is needed. Collective to make.
class RowMirrors {
 public:
  // Of both tiers; or of the next alone, where in the tier itself nothing is known yet.
  enum class Of { both, next };
  RowMirrors(const RowTier& tier, BoardBytes& bytes, Of of) : tier_(tier), bytes_(bytes) {
    tier.above().fetch(bytes);
    if (of == Of::both) tier.here().fetch(bytes);
  }
  RowMirrors(const RowMirrors&) = delete;
  RowMirrors& operator=(const RowMirrors&) = delete;
  ~RowMirrors() {
    tier_.above().release(bytes_);
    tier_.here().release(bytes_);
  }

 private:
  const RowTier& tier_;
  BoardBytes& bytes_;
};

}  // namespace plenum
