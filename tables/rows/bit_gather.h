// SPDX-License-Identifier: Apache-2.0
// Two rows of bits read through one permutation of axes, under masks, into a third: what a move does to a whole row of positions.
//
// A row of n axes has 2^n bits, and at least 512: bit x is bit x % 64 of word x / 64, axis i is bit i of a number. Vectors are of 512
// bits: nine axes lie inside. Of each position of the target the bit is read from one of two sources, as one axis of the source, the
// selector, says: so a stone that goes elsewhere carries "whose is it" along, and both players' moves are read at once.
//
// Axes that come inside from between vectors (at most four at a time; else in two passes) are exchanged with those that leave, 2^m
// vectors together; what is then inside is put in order.
//
// Thread-safety: an object belongs to one thread.
// Cost: with AVX-512, VBMI and GFNI 3 ns a vector from the second cache, 10 to 30 ns for set(); otherwise by BitMap, 10 ns and
// 50 to 150 ns.
// Source: as bit_map.h; 8x8 transposes of bits by an affine product with the data as the matrix.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tables/rows/bit_map.h"

namespace plenum {

inline constexpr int kVectorAxes = 9;
inline constexpr std::size_t kVectorWords = 8;
inline constexpr std::size_t kMostRowCells = 32;

// from[i] = how many cells of `set` are below image[cells[i]], for i < count: a set's axes seen through a symmetry. All three arrays
// have kMostRowCells; beyond `count`, from[i] = i.
void find_axes(const std::uint8_t* cells, int count, const std::uint8_t* image, std::uint32_t set, std::uint8_t* from);

class BitGather {
 public:
  using Word = std::uint64_t;
  using AxisList = std::array<std::uint8_t, 32>;

  struct Axes {
    int count = kVectorAxes;  // of target and source
    AxisList from = {};       // of axis i of the target: its axis of the source
    int selector = -1;        // an axis of the source; -1: all is read from `clear`
    bool flipped = false;     // the selector is the complement of its axis of the target
  };
  // Words of both sources are those of a row; where the selector is clear, and where it is set.
  struct Source {
    const Word* clear = nullptr;
    const Word* set = nullptr;
  };
  // The vector of a target whose axes between vectors are the bits of h is at the sum of `weight` over these, in vectors; its mask is
  // that at the sum of `mask_weight`.
  struct Target {
    Word* row = nullptr;
    std::array<std::int32_t, 32> weight = {};  // by axis, from kVectorAxes on
    std::array<std::uint16_t, 32> mask_weight = {};
    const Word* masks = nullptr;            // of kVectorWords each
    const std::uint8_t* nonzero = nullptr;  // by mask: whether any bit is set
  };

  BitGather();
  void set(const Axes& axes);
  // target |= mask & (source as its axes say).
  void run(const Source& source, const Target& target);

  // How it is done with AVX-512; for bit_gather_v4.cpp (plain arrays, as these use no library).
  static constexpr int kMostExchanges = 4;
  // The order of what is inside a vector: `bits` inside bytes, then bytes, or transposes of 8x8 bits between orders of bytes. An order of
  // bytes is a matrix that takes the number of a byte to that of the one that comes to its place, but for the bits in `complement`.
  struct Program {
    enum Kind : std::uint8_t { as_is, bytes, bits_and_bytes, one_transpose, two_transposes };
    std::uint64_t order[3] = {};
    std::uint8_t complement[3] = {};
    Kind kind = as_is;
    std::uint64_t bits = 0;
  };
  struct Tile {
    std::int32_t target = 0;  // in vectors
    std::int32_t source = 0;
    std::int32_t mask = 0;
  };
  struct Plan {
    Program program;
    int exchanges = 0;                         // m
    std::uint8_t inside[kMostExchanges] = {};  // axes inside that leave
    int low_selector = -1;                     // a selector inside a vector
    bool flipped = false;                      // and whether it is flipped
    Tile part[1 << kMostExchanges];            // of the 2^m vectors
    const Tile* tiles = nullptr;               // of the inner axes
    std::size_t tile_count = 0;
  };

 private:
  static constexpr std::size_t kMemo = 4096;
  static constexpr int kInnerAxes = 8;
  struct Memo {
    std::uint64_t key = 0;
    std::uint64_t more = 0;  // 0: nothing
    Program program;
    std::uint8_t inside[kMostExchanges] = {};
    std::array<std::uint8_t, kMostExchanges> comes = {};  // for each the axis of the target that comes in
  };
  void find_program();
  void make_program(Memo& memo) const;
  void run_in_two(const Source& source, const Target& target);
  void run_by_vectors(const Source& source, const Target& target);
  void run_by_map(const Source& source, const Target& target);
  const Word* blend(const Source& source);

  Axes axes_;
  std::array<std::uint8_t, 32> stay_ = {};  // axes of the target between vectors that come from there
  std::size_t staying_ = 0;
  std::array<std::uint8_t, kVectorAxes> come_in_ = {};  // axes of the target inside a vector that do
  std::array<std::uint8_t, kVectorAxes> go_out_ = {};   // axes of the target between vectors that come from inside
  std::size_t crossing_ = 0;
  bool by_vectors_ = false;
  Plan plan_;
  std::array<std::uint8_t, kMostExchanges> comes_ = {};
  std::vector<Memo> memo_;
  std::vector<Tile> tiles_;
  BitMap map_;
  std::vector<Word> blended_;
  std::vector<Word> mapped_;
  std::unique_ptr<BitGather> other_;  // for two passes
};

namespace bit_gather_v4 {
void find_axes(const std::uint8_t* cells, int count, const std::uint8_t* image, std::uint32_t set, std::uint8_t* from);
void run(const BitGather::Plan& plan, const BitGather::Word* clear, std::int64_t apart, BitGather::Word* row,
         const BitGather::Word* masks, const std::uint8_t* nonzero, const BitGather::Tile& base);
}  // namespace bit_gather_v4

}  // namespace plenum
