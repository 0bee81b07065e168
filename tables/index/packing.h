// SPDX-License-Identifier: Apache-2.0
// A position as a fixed number of bits: the key under which an index stores it.
//
// Layout, from the lowest bit, for N cells, k planes and the live parts of the state:
//     ceil(log2(k + 1)) slices of N bits: slice j holds bit j of (number of the plane that holds the cell, from 1; 0 empty)
//         where cells may hold several men (piece games), instead: the occupied cells; for each of them in turn its men as (a bit
//         for "one more follows", if there are crowds, and the man's plane); the cell passed over, from 1; 0 none
//     passes, if live                     bits for 0..cap
//     each live state slot                bits for its values
//     who is to move                      1 bit, only where the players are not exchanged away
//
// Thread-safety: immutable.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "variants/graph/position.h"
#include "variants/pieces/piece_set.h"
#include "variants/rules/rules.h"

namespace plenum {

template <std::size_t kWords>
using Key = std::array<std::uint64_t, kWords>;

class Packing {
 public:
  Packing(const Rules& rules, bool with_mover);

  int bits() const { return bits_; }
  // Words a key needs: 1, 2, 4 or 8.
  std::size_t words() const;

  template <std::size_t kWords>
  Key<kWords> pack(const Position& p) const {
    Writer<kWords> out;
    if (men_) put_men(out, p);
    for (int slice = 0; slice < slices_; ++slice) {
      CellSet set = 0;
      for (int plane = 0; plane < planes_; ++plane) {
        if ((((plane + 1) >> slice) & 1) != 0) set |= p.planes[static_cast<std::size_t>(plane)];
      }
      out.put(set, cells_);
    }
    if (pass_bits_ > 0) out.put(p.passes, pass_bits_);
    for (const Field& field : fields_) out.put(p.state[field.slot], field.bits);
    if (with_mover_) out.put(p.mover == Player::second ? 1 : 0, 1);
    return out.key;
  }

  // A key in steps: the slices of the cells, side by side; and the rest of a position of a batch, into such a key.
  int slices() const { return slices_; }
  int cells() const { return cells_; }
  std::vector<int> planes_of(int slice) const;  // that have their cells' bit in it
  template <std::size_t kWords, typename Slice>
  Key<kWords> join(std::size_t slices, const Slice& slice) const {
    Writer<kWords> out;
    for (std::size_t j = 0; j < slices; ++j) out.put(slice(j), cells_);
    return out.key;
  }
  template <std::size_t kWords>
  void add_state(const PositionBatch& batch, std::size_t i, Key<kWords>& key) const {
    if (bits_ == slices_ * cells_) return;
    Writer<kWords> out{key, slices_ * cells_};
    if (pass_bits_ > 0) out.put(batch.passes[i], pass_bits_);
    for (const Field& field : fields_) out.put(batch.state[field.slot][i], field.bits);
    if (with_mover_) out.put(batch.mover_is_first[i] != 0 ? 0 : 1, 1);
    key = out.key;
  }

  // Adds the position that a key stands for to a batch.
  template <std::size_t kWords>
  void unpack(const Key<kWords>& key, PositionBatch& batch) const {
    const std::size_t i = batch.size;
    batch.grow(i + 1);
    ++batch.size;
    if (men_) {
      batch.set(i, unpack<kWords>(key));
      return;
    }
    Reader<kWords> in{key};
    read_planes(in, [&](std::size_t plane, CellSet set) { batch.planes[plane][i] = set; });
    for (auto& slot : batch.state) slot[i] = 0;
    batch.passes[i] = pass_bits_ > 0 ? static_cast<std::uint8_t>(in.get(pass_bits_)) : 0;
    for (const Field& field : fields_) batch.state[field.slot][i] = static_cast<std::uint8_t>(in.get(field.bits));
    batch.mover_is_first[i] = with_mover_ && in.get(1) != 0 ? 0 : 1;
  }

  template <std::size_t kWords>
  Position unpack(const Key<kWords>& key) const {
    Position p;
    Reader<kWords> in{key};
    if (men_) read_men(in, p);
    read_planes(in, [&](std::size_t plane, CellSet set) { p.planes[plane] = set; });
    if (pass_bits_ > 0) p.passes = static_cast<std::uint8_t>(in.get(pass_bits_));
    for (const Field& field : fields_) p.state[field.slot] = static_cast<std::uint8_t>(in.get(field.bits));
    if (with_mover_ && in.get(1) != 0) p.mover = Player::second;
    return p;
  }

 private:
  struct Field {
    std::size_t slot = 0;
    int bits = 0;
  };
  // As width <= 64, only a value with shift > 0 goes on in the next word: there % 64 changes nothing.
  template <std::size_t kWords>
  struct Writer {
    Key<kWords> key = {};
    int at = 0;
    void put(std::uint64_t value, int width) {
      const auto word = static_cast<std::size_t>(at / 64);
      const int shift = at % 64;
      key[word] |= value << shift;
      if constexpr (kWords > 1) {
        if (shift + width > 64) key[word + 1] |= value >> (64 - shift) % 64;
      }
      at += width;
    }
  };
  template <std::size_t kWords>
  struct Reader {
    const Key<kWords>& key;
    int at = 0;
    std::uint64_t get(int width) {
      const auto word = static_cast<std::size_t>(at / 64);
      const int shift = at % 64;
      std::uint64_t value = key[word] >> shift;
      if (shift + width > 64) value |= key[word + 1] << (64 - shift) % 64;
      at += width;
      return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
    }
  };

  template <std::size_t kWords>
  void put_men(Writer<kWords>& out, const Position& p) const {
    const int kinds = static_cast<int>(men_->kinds.size());
    std::array<std::uint8_t, kMaxCells> last;  // the plane of the last man on a cell
    CellSet occupied = 0;
    const auto kind = [&](int code) { return static_cast<std::size_t>(code < kinds ? code : code - kinds); };
    for (int code = 0; code < 2 * kinds; ++code) {
      const CellSet men = p.planes[men_->plane(code < kinds, kind(code))];
      occupied |= men;
      for (CellSet rest = men; rest != 0; rest &= rest - 1)
        last[static_cast<std::size_t>(std::countr_zero(rest))] = static_cast<std::uint8_t>(code);
    }
    out.put(occupied, cells_);
    const CellSet crowded = men_->crowds() ? men_->crowded(p) : 0;
    for (CellSet rest = occupied; rest != 0; rest &= rest - 1) {
      const auto cell = static_cast<Cell>(std::countr_zero(rest));
      if ((crowded & rest & -rest) == 0) {
        out.put(last[cell], man_bits_);
        continue;
      }
      int left = men_->count(p, cell);
      for (int code = 0; code < 2 * kinds; ++code) {
        for (int n = men_->count(p, code < kinds, kind(code), cell); n > 0; --n)
          out.put(static_cast<std::uint64_t>(code) | std::uint64_t{--left > 0} << (man_bits_ - 1), man_bits_);
      }
    }
    if (men_->passed_plane >= 0) {
      const CellSet passed = p.planes[static_cast<std::size_t>(men_->passed_plane)];
      out.put(passed == 0 ? 0 : static_cast<std::uint64_t>(std::countr_zero(passed)) + 1, passed_bits_);
    }
  }
  template <std::size_t kWords>
  void read_men(Reader<kWords>& in, Position& p) const {
    const std::size_t kinds = men_->kinds.size();
    for (CellSet rest = in.get(cells_); rest != 0; rest &= rest - 1) {
      const auto cell = static_cast<Cell>(std::countr_zero(rest));
      for (bool more = true; more;) {
        if (in.at + man_bits_ > static_cast<int>(64 * kWords)) return;  // no key of this packing
        std::uint64_t code = in.get(man_bits_);
        more = men_->crowds() && (code >> (man_bits_ - 1) & 1) != 0;
        if (more) code &= (std::uint64_t{1} << (man_bits_ - 1)) - 1;
        men_->add(p, code < kinds, code % kinds, cell);
      }
    }
    if (men_->passed_plane < 0) return;
    if (in.at + passed_bits_ > static_cast<int>(64 * kWords)) return;
    const std::uint64_t passed = in.get(passed_bits_);
    if (passed != 0 && passed <= static_cast<std::uint64_t>(cells_))
      p.planes[static_cast<std::size_t>(men_->passed_plane)] = cell_bit(static_cast<Cell>(passed - 1));
  }

  // Calls put(plane, its cells) for all planes.
  template <std::size_t kWords, typename Put>
  void read_planes(Reader<kWords>& in, const Put& put) const {
    if (men_) return;
    std::array<CellSet, 8> slice = {};
    for (int j = 0; j < slices_; ++j) slice[static_cast<std::size_t>(j)] = in.get(cells_);
    for (int plane = 0; plane < planes_; ++plane) {
      CellSet set = ~CellSet{0};
      for (int j = 0; j < slices_; ++j) {
        const CellSet bits = slice[static_cast<std::size_t>(j)];
        set &= (((plane + 1) >> j) & 1) != 0 ? bits : ~bits;
      }
      put(static_cast<std::size_t>(plane), set);
    }
  }

  std::shared_ptr<const PieceSet> men_;  // of a piece game
  int man_bits_ = 0;
  int passed_bits_ = 0;
  int cells_ = 0;
  int planes_ = 0;
  int slices_ = 0;
  int pass_bits_ = 0;
  std::vector<Field> fields_;
  bool with_mover_ = true;
  int bits_ = 0;
};

}  // namespace plenum
