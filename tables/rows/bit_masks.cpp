// SPDX-License-Identifier: Apache-2.0
#include "tables/rows/bit_masks.h"

#include <algorithm>
#include <bit>

#include "tables/rows/bit_gather.h"
#include "variants/board/bits.h"

namespace plenum {
namespace {

constexpr std::size_t kAxesInWord = kAxisBits.size();

// Whether nothing depends on an axis of a table of so many.
bool ignores(const std::vector<std::uint64_t>& bits, std::size_t axes, std::size_t axis) {
  if (axis < kAxesInWord) {
    std::uint64_t low = ~kAxisBits[axis];
    if (axes < kAxesInWord) low &= (std::uint64_t{1} << (1U << axes)) - 1;
    return std::all_of(bits.begin(), bits.end(),
                       [&](std::uint64_t word) { return (((word >> (1U << axis)) ^ word) & low) == 0; });
  }
  const std::size_t step = std::size_t{1} << (axis - kAxesInWord);
  for (std::size_t w = 0; w < bits.size(); ++w) {
    if ((w & step) == 0 && bits[w] != bits[w | step]) return false;
  }
  return true;
}

// The table without it.
void drop(std::vector<std::uint64_t>& bits, std::size_t axes, std::size_t axis) {
  std::size_t to = 0;
  if (axis >= kAxesInWord) {
    const std::size_t step = std::size_t{1} << (axis - kAxesInWord);
    for (std::size_t w = 0; w < bits.size(); ++w) {
      if ((w & step) == 0) bits[to++] = bits[w];
    }
  } else {
    // Of each word the bits where the axis is 0 are moved together, to half a word.
    for (std::size_t w = 0; w < bits.size(); ++w) {
      std::uint64_t half = bits[w] & ~kAxisBits[axis];
      for (std::size_t k = axis; k + 1 < kAxesInWord; ++k) half = (half | half >> (1U << k)) & ~kAxisBits[k + 1];
      if (w % 2 == 0) {
        bits[to++] = half;
      } else {
        bits[to - 1] |= half << 32;
      }
    }
  }
  bits.resize(BitMask::words(axes - 1));
}

}  // namespace

std::size_t BitMask::words(std::size_t cells) {
  return cells <= kAxesInWord ? 1 : std::size_t{1} << (cells - kAxesInWord);
}

void BitMask::simplify() {
  if (cells.size() < kAxesInWord) bits[0] &= (std::uint64_t{1} << (1U << cells.size())) - 1;
  for (std::size_t axis = cells.size(); axis-- > 0;) {
    if (!ignores(bits, cells.size(), axis)) continue;
    drop(bits, cells.size(), axis);
    cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(axis));
  }
}

std::vector<std::uint8_t> cells_of_mask(std::uint64_t set) {
  std::vector<std::uint8_t> out;
  for (; set != 0; set &= set - 1) out.push_back(static_cast<std::uint8_t>(std::countr_zero(set)));
  return out;
}

// Bits of the table stand for axes in a word, then between the words of a vector, then between vectors.
void BitMaskVectors::spell(const BitMask& mask, const std::array<std::uint8_t, BitMask::kAdded + 1>& axes) {
  weight.fill(0);
  std::array<std::uint64_t, kAxesInWord> pattern;
  std::size_t inside = 0;
  std::size_t by_word = 0;
  std::array<std::size_t, kVectorWords> word_part = {};  // by word of a vector: what it adds to the number in the table
  std::size_t high = 0;
  for (const std::uint8_t cell : mask.cells) {
    const std::uint8_t axis = axes[cell];
    if (axis < kAxesInWord) {
      pattern[inside++] = kAxisBits[axis];
    } else if (axis < kVectorAxes) {
      for (std::size_t w = 0; w < kVectorWords; ++w)
        word_part[w] |= (w >> (axis - kAxesInWord) & 1) << (inside + by_word);
      ++by_word;
    } else {
      weight[axis] = static_cast<std::uint16_t>(1U << high++);
    }
  }
  const std::size_t vectors = std::size_t{1} << high;
  words.resize(vectors * kVectorWords);
  nonzero.resize(vectors);
  const std::size_t part_bits = std::size_t{1} << inside;
  const auto word_at = [&](std::size_t at) {
    // At most 64 bits, which do not cross a word.
    const std::uint64_t bits = mask.bits[at / 64] >> (at % 64);
    if (inside == 0) return (bits & 1) != 0 ? ~std::uint64_t{0} : 0;
    std::array<std::uint64_t, std::size_t{1} << (kAxesInWord - 1)> part;
    for (std::size_t i = 0; i < part_bits / 2; ++i) {
      const std::uint64_t low = (bits >> (2 * i) & 1) != 0 ? ~pattern[0] : 0;
      part[i] = low | ((bits >> (2 * i + 1) & 1) != 0 ? pattern[0] : 0);
    }
    for (std::size_t k = 1; k < inside; ++k) {
      for (std::size_t i = 0; i < part_bits >> (k + 1); ++i)
        part[i] = (part[2 * i] & ~pattern[k]) | (part[2 * i + 1] & pattern[k]);
    }
    return part[0];
  };
  for (std::size_t h = 0; h < vectors; ++h) {
    std::uint64_t* const to = words.data() + h * kVectorWords;
    const std::size_t base = h << (inside + by_word);
    std::uint64_t any = 0;
    if (by_word == 0) {
      any = word_at(base);
      std::fill_n(to, kVectorWords, any);
    } else {
      for (std::size_t w = 0; w < kVectorWords; ++w) any |= to[w] = word_at(base + word_part[w]);
    }
    nonzero[h] = any != 0 ? 1 : 0;
  }
}

}  // namespace plenum
