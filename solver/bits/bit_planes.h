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

// Rows one after the other, each of a power of two of words.
class BitPlane {
 public:
  using Word = BitPieces::Word;
  BitPlane() = default;
  BitPlane(std::size_t rows, std::size_t words, std::size_t piece_words)
      : rows_(rows), words_(words), shift_(std::countr_zero(piece_words / words)) {
    pieces_.resize(pieces_of(rows), nullptr);
  }
  bool empty() const { return pieces_.empty(); }
  Word* row(std::size_t number) const {
    return pieces_[number >> shift_] + (number & ((std::size_t{1} << shift_) - 1)) * words_;
  }
  std::size_t pieces_of(std::size_t rows) const { return (rows + (std::size_t{1} << shift_) - 1) >> shift_; }
  // Memory for the first rows, and none for those.
  void take(std::size_t rows, BitPieces& from) {
    for (; taken_ < pieces_of(rows); ++taken_) pieces_[taken_] = from.take();
  }
  // How many pieces are of no more use without the first rows.
  std::size_t given_with(std::size_t rows) const { return rows == rows_ ? pieces_of(rows) : rows >> shift_; }
  void give(std::size_t rows, BitPieces& to) {
    for (const std::size_t end = std::min(given_with(rows), taken_); given_ < end; ++given_) {
      to.give(pieces_[given_]);
      pieces_[given_] = nullptr;
    }
  }
  // All of its bytes, in order.
  std::vector<std::span<std::uint8_t>> bytes() const {
    std::vector<std::span<std::uint8_t>> out;
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      const std::size_t rows = std::min(rows_ - (p << shift_), std::size_t{1} << shift_);
      out.emplace_back(reinterpret_cast<std::uint8_t*>(pieces_[p]), rows * words_ * sizeof(Word));
    }
    return out;
  }

 private:
  std::size_t rows_ = 0;
  std::size_t words_ = 0;
  int shift_ = 0;
  std::vector<Word*> pieces_;
  std::size_t taken_ = 0;
  std::size_t given_ = 0;
};

}  // namespace plenum
