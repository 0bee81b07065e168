// SPDX-License-Identifier: Apache-2.0
// The replies to a batch of positions of a dense index, made by the rules one by one and found in the index again.
//
// For verify.h, which must not rest on rows of positions: nothing here is shared with the solver but the rules and the numbering of
// positions.
//
// Thread-safety: a Replies belongs to one thread; VerifySpace is immutable.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"

#include "solver/dense/judged.h"
#include "solver/dense/value_byte.h"
#include "tables/index/dense_index.h"

namespace plenum {

// A game's boards and what else belongs to a position.
struct VerifySpace {
  VerifySpace(const Variant& v, const DenseIndex& i);
  // Why this game has no tables of this kind.
  static std::optional<std::string> obstacle(const Variant& variant);

  const Variant& variant;
  const DenseIndex& index;
  std::uint32_t states = 1;
  bool has_passes = false;
  std::vector<GroupElement> plain;  // symmetries of the board

  // The numeral of these stones of the player not to move on the cells of a set.
  BoardIndex numeral(CellSet set, CellSet theirs) const {
    BoardIndex out = 0;
    int at = 0;
    for (; set != 0; set >>= 8, theirs >>= 8) {
      const std::size_t mask = set & 0xFF;
      out |= static_cast<BoardIndex>(compressed_[mask * 256 + (theirs & 0xFF)]) << at;
      at += bits_[mask];
    }
    return out;
  }
  // Calls f(board) for the other boards of a block that are images of this one.
  template <typename F>
  void for_each_image(const Block& block, BoardIndex board, const F& f) const {
    if (block.stabilizer == 1) return;
    std::array<CellSet, 2> planes = {};
    index.read_numeral(block.set, board - block.base, planes.data());
    for (const GroupElement g : plain) {
      if (g == kIdentity || index.symmetries().apply(g, block.set) != block.set) continue;
      f(block.base + numeral(block.set, index.symmetries().apply(g, planes[1])));
    }
  }

 private:
  std::vector<std::uint8_t> compressed_;     // [mask][value]: the value's bits at the mask's, side by side
  std::array<std::uint8_t, 256> bits_ = {};  // how many a mask has
};

struct Reply {
  BoardIndex board = 0;
  BlockIndex block = 0;  // of the board
  std::uint32_t state = 0;
  std::uint32_t parent = 0;  // number in the batch
  std::uint8_t passes = 0;
  ValueByte end = 0;  // of an ended position, 0 where play goes on
};

class Replies {
 public:
  static constexpr std::size_t kMost = Judged::kMost;
  explicit Replies(const VerifySpace& space) : space_(space), judged_(space.variant.rules()) {}

  void clear() { judged_.clear(); }
  void ask(const Block& block, BoardIndex board, std::uint32_t state, int passes);
  std::size_t size() const { return judged_.size(); }
  bool full() const { return judged_.full(); }
  // Who has ended, and all replies to the others. Errors: what the rules find, and replies that no such table has.
  absl::Status find();

  ValueByte end(std::size_t i) const {  // 0 where play goes on
    return judged_.ended(i) ? code_of_margin(judged_.margin(i).margin.units) : ValueByte{0};
  }
  std::uint32_t moves(std::size_t i) const { return judged_.moves(i); }
  std::span<const Reply> all() const { return replies_; }

 private:
  absl::Status place();

  const VerifySpace& space_;
  Judged judged_;
  std::vector<Reply> replies_;
};

}  // namespace plenum
