// SPDX-License-Identifier: Apache-2.0
// A position as a fixed number of bits: the key under which an index stores it.
//
// Layout, from the lowest bit, for N cells, k planes and the live parts of the state:
//     ceil(log2(k + 1)) slices of N bits: slice j holds bit j of (number of the plane that holds the cell, from 1; 0 empty)
//     passes, if live                     bits for 0..cap
//     each live state slot                bits for its values
//     who is to move                      1 bit, only where the players are not exchanged away
//
// Thread-safety: immutable.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "variants/position.h"

namespace plenum {

template <std::size_t kWords>
using Key = std::array<std::uint64_t, kWords>;

class Packing {
 public:
  Packing(const RuleSet& rules, bool with_mover);

  int bits() const { return bits_; }
  // Words a key needs: 1, 2, 4 or 8.
  std::size_t words() const;

  template <std::size_t kWords>
  Key<kWords> pack(const Position& p) const {
    Writer<kWords> out;
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

  // Calls put(plane, its cells) for all planes.
  template <std::size_t kWords, typename Put>
  void read_planes(Reader<kWords>& in, const Put& put) const {
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

  int cells_ = 0;
  int planes_ = 0;
  int slices_ = 0;
  int pass_bits_ = 0;
  std::vector<Field> fields_;
  bool with_mover_ = true;
  int bits_ = 0;
};

}  // namespace plenum
