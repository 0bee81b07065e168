// SPDX-License-Identifier: Apache-2.0
// The bytes of a row's successors, move by move: where they are, and folded into a row.
//
// Where the processor can, a row is folded in as it is read (tables/rows/row_fold.h); elsewhere it is gathered first. Rows may be read
// and written up to the next multiple of 64 bytes.
//
// Thread-safety: what is read must not change meanwhile; all else belongs to one thread.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <span>

#include "solver/rows/code_rows.h"
#include "solver/rows/row_sweep.h"

namespace plenum {

constexpr std::size_t padded_row(std::size_t n) { return (n + 63) / 64 * 64; }

inline void make_row(Bytes& row, std::size_t size) { row.resize(std::max(row.size(), padded_row(size))); }
inline void make_rows(StateBytes& rows, std::uint32_t states, std::size_t size) {
  rows.resize(states);
  for (Bytes& row : rows) make_row(row, size);
}

// Where the bytes of the successors by a move are.
class Sources {
 public:
  Sources(const RowGame& game, const RowBlock& rows) : game_(game), rows_(rows) {}
  const std::uint8_t* operator()(const BoardBytes& bytes, std::size_t move, std::uint32_t state) const {
    return bytes[game_.next_state(rows_.moves.moves[move].rule, state)].data() +
           game_.index().blocks()[rows_.target[move]].base;
  }
  // The next row comes from anywhere in memory, and in no order that the processor would guess.
  void prefetch(const BoardBytes& bytes, std::size_t move) const {
    if (move >= rows_.moves.moves.size()) return;
    const std::size_t size = std::size_t{1} << rows_.bits[move].inputs;
    for (std::uint32_t state = 0; state < game_.states(); ++state) {
      const std::uint8_t* const next = (*this)(bytes, move, state);
      for (std::size_t at = 0; at < size; at += 64) __builtin_prefetch(next + at);
    }
  }

 private:
  const RowGame& game_;
  const RowBlock& rows_;
};

// A move's successors, from `in` on, folded in where `legal` has a bit: as RowFold's functions of these names.
class MoveReader {
 public:
  // `room`: for a row.
  MoveReader(const RowBlock& rows, std::size_t move, std::uint8_t* room)
      : rows_(rows), move_(move), size_(rows.moves.positions), room_(room) {
    if (rows.folds.empty()) map_.emplace(rows.bits[move]);
  }
  void lower(const std::uint8_t* in, const std::uint64_t* legal, std::uint8_t* least, std::uint8_t* all) const {
    if (!map_) return rows_.folds[move_].lower(in, legal, least, all);
    code_rows().lower(gathered(in, legal), legal, size_, least, all);
  }
  void lower_all(const std::uint8_t* in, const std::uint64_t* legal, std::uint8_t* all) const {
    if (!map_) return rows_.folds[move_].lower_all(in, legal, all);
    code_rows().lower_all(gathered(in, legal), legal, size_, all);
  }
  void lower_flipped(const std::uint8_t* in, const std::uint64_t* legal, const std::uint8_t* flip,
                     std::uint8_t* least) const {
    if (!map_) return rows_.folds[move_].lower_flipped(in, legal, flip, least);
    code_rows().lower_flipped(gathered(in, legal), legal, size_, flip, least);
  }
  void keep_equal(const std::uint8_t* in, const std::uint8_t* want, std::uint64_t* legal) const {
    if (!map_) return rows_.folds[move_].keep_equal(in, want, legal);
    code_rows().keep_equal(gathered(in, legal), want, size_, legal);
  }

 private:
  const std::uint8_t* gathered(const std::uint8_t* in, const std::uint64_t* legal) const {
    map_->gather(in, room_, rows_.sparse[move_] ? legal : nullptr);
    return room_;
  }
  const RowBlock& rows_;
  std::size_t move_;
  std::size_t size_;
  std::uint8_t* room_;
  std::optional<RowMap> map_;
};

using AskedRows = std::span<const std::uint32_t>;

inline bool has_bit(const std::uint64_t* bits, std::size_t i) { return (bits[i / 64] >> (i % 64) & 1) != 0; }

struct MoveRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Goes over the successors by these moves, of which these bytes are read, move by move and state by state. Where rows are asked for, calls
// one(state, row, byte) for those that have the move; else whole(state, reader, in, where the move is).
template <typename One, typename Whole>
void for_successors(const RowGame& game, const RowBlock& rows, MoveRange moves, AskedRows asked,
                    const BoardBytes& bytes, std::uint8_t* room, const One& one, const Whole& whole) {
  const Sources source(game, rows);
  for (std::size_t m = moves.begin; m < moves.end; ++m) {
    if (asked.empty()) {
      source.prefetch(bytes, m + 1);
      const MoveReader reader(rows, m, room);
      for (std::uint32_t state = 0; state < game.states(); ++state)
        whole(state, reader, source(bytes, m, state), rows.where(m, state));
      continue;
    }
    const RowNumber input = RowNumber::input(rows.bits[m]);
    for (std::uint32_t state = 0; state < game.states(); ++state) {
      const std::uint64_t* const legal = rows.where(m, state);
      const std::uint8_t* const in = source(bytes, m, state);
      for (const std::uint32_t row : asked) {
        if (has_bit(legal, row)) one(state, std::size_t{row}, in[input(row)]);
      }
    }
  }
}

}  // namespace plenum
