// SPDX-License-Identifier: Apache-2.0
// Rows of bits in pieces of memory that go round: what has been read of one tier becomes the next.
//
// Thread-safety: of different rows; pieces are taken and given back by one thread while no other looks.
// Cost: fresh memory costs more than what is written there, so that pieces that were given back are taken first.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tables/big_bytes.h"

namespace plenum {

class BitPieces {
 public:
  using Word = std::uint64_t;
  explicit BitPieces(std::size_t words) : words_(words) {}
  std::size_t words() const { return words_; }  // of a piece
  Word* take() {
    if (free_.empty()) {
      const std::size_t bytes = words_ * sizeof(Word);
      const std::size_t count = std::max<std::size_t>(1, kSlabBytes / bytes);
      slabs_.emplace_back(count * bytes);
      for (std::size_t i = count; i-- > 0;) free_.push_back(reinterpret_cast<Word*>(slabs_.back().data() + i * bytes));
    }
    Word* const out = free_.back();
    free_.pop_back();
    return out;
  }
  void give(Word* piece) { free_.push_back(piece); }

 private:
  static constexpr std::size_t kSlabBytes = std::size_t{32} << 20;  // only what is written takes memory
  std::size_t words_;
  std::vector<BigBytes> slabs_;
  std::vector<Word*> free_;
};

// Pieces go round the ranks that solve a game: one of so many.
struct PieceShare {
  std::size_t rank = 0;
  std::size_t ranks = 1;
  bool has(std::size_t piece) const { return ranks == 1 || piece % ranks == rank; }
};

// Rows one after the other, each of a power of two of words. A rank has its own pieces, and those of others that it put() there.
class BitPlane {
 public:
  using Word = BitPieces::Word;
  BitPlane() = default;
  BitPlane(std::size_t rows, std::size_t words, std::size_t piece_words, PieceShare share)
      : rows_(rows), words_(words), shift_(std::countr_zero(piece_words / words)), share_(share) {
    pieces_.resize(pieces_of(rows), nullptr);
  }
  bool empty() const { return pieces_.empty(); }
  Word* row(std::size_t number) const {
    return pieces_[number >> shift_] + (number & ((std::size_t{1} << shift_) - 1)) * words_;
  }
  int shift() const { return shift_; }  // rows of a piece, as a power of two
  bool is_own(std::size_t row) const { return share_.has(row >> shift_); }
  Word* piece(std::size_t number) const { return pieces_[number]; }  // null if it is not here
  void put(std::size_t number, Word* piece) { pieces_[number] = piece; }
  std::uint64_t all_bytes() const { return rows_ * words_ * sizeof(Word); }
  std::size_t pieces_of(std::size_t rows) const { return (rows + (std::size_t{1} << shift_) - 1) >> shift_; }
  // Memory for the first rows, and none for those.
  void take(std::size_t rows, BitPieces& from) {
    for (; taken_ < pieces_of(rows); ++taken_) {
      if (share_.has(taken_)) pieces_[taken_] = from.take();
    }
  }
  // How many pieces are of no more use without the first rows.
  std::size_t given_with(std::size_t rows) const { return rows == rows_ ? pieces_of(rows) : rows >> shift_; }
  void give(std::size_t rows, BitPieces& to) {
    for (const std::size_t end = std::min(given_with(rows), taken_); given_ < end; ++given_) {
      if (pieces_[given_] != nullptr) to.give(pieces_[given_]);
      pieces_[given_] = nullptr;
    }
  }
  // What is own of its bytes, in order, and where it begins.
  struct Part {
    std::uint64_t begin = 0;
    std::span<std::uint8_t> bytes;
  };
  std::vector<Part> own() const {
    std::vector<Part> out;
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      if (!share_.has(p)) continue;
      const std::size_t rows = std::min(rows_ - (p << shift_), std::size_t{1} << shift_);
      const std::size_t row = words_ * sizeof(Word);
      out.push_back({(p << shift_) * row, {reinterpret_cast<std::uint8_t*>(pieces_[p]), rows * row}});
    }
    return out;
  }

 private:
  std::size_t rows_ = 0;
  std::size_t words_ = 0;
  int shift_ = 0;
  PieceShare share_;
  std::vector<Word*> pieces_;
  std::size_t taken_ = 0;
  std::size_t given_ = 0;
};

}  // namespace plenum
