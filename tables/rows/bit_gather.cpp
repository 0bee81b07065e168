// SPDX-License-Identifier: Apache-2.0
#include "tables/rows/bit_gather.h"

#include <algorithm>
#include <utility>

#include "variants/board/bits.h"
#include "variants/program/kernels.h"

namespace plenum {
namespace {

constexpr int kByteAxes = 3;  // axes inside a byte
constexpr int kWordAxes = 6;

// What is inside a vector, by where it is: the axis of the target that it is to become.
using Inside = std::array<int, kVectorAxes>;

// The order of bytes in which what is on byte axis kByteAxes + i comes from axis from[i]; before a transpose the first three are
// complemented, as that turns the bytes of a word round.
using ByteAxes = std::array<int, 6>;
void set_order(BitGather::Program& program, std::size_t step, const ByteAxes& from, bool before_transpose) {
  std::uint64_t matrix = 0;
  std::uint8_t complement = 0;
  for (int i = 0; i < 6; ++i) {
    const int bit = from[static_cast<std::size_t>(i)] - kByteAxes;
    matrix |= std::uint64_t{1} << (8 * (7 - bit) + i);
    if (before_transpose && i < 3) complement = static_cast<std::uint8_t>(complement | 1U << bit);
  }
  program.order[step] = matrix;
  program.complement[step] = complement;
}

// Where everything inside is after an order of bytes, and then a transpose.
Inside ordered(const Inside& held, const ByteAxes& from, bool transpose) {
  Inside out = held;
  for (std::size_t i = 0; i < from.size(); ++i) out[kByteAxes + i] = held[static_cast<std::size_t>(from[i])];
  for (std::size_t i = 0; transpose && i < kByteAxes; ++i) std::swap(out[i], out[kByteAxes + i]);
  return out;
}

// The order that brings every byte axis to its place, once those of bits are there.
ByteAxes last_order(const Inside& held) {
  ByteAxes from = {};
  for (int at = kByteAxes; at < kVectorAxes; ++at)
    from[static_cast<std::size_t>(held[static_cast<std::size_t>(at)] - kByteAxes)] = at;
  return from;
}

// An order that puts what is to become a bit axis before the transpose where that takes it, and the rest anywhere.
ByteAxes order_for_bits(const Inside& held) {
  ByteAxes from = {};
  std::array<bool, 6> given = {};
  std::vector<int> others;
  for (int at = kByteAxes; at < kVectorAxes; ++at) {
    const int to = held[static_cast<std::size_t>(at)];
    if (to < kByteAxes) {
      from[static_cast<std::size_t>(to)] = at;
      given[static_cast<std::size_t>(to)] = true;
    } else {
      others.push_back(at);
    }
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (given[i]) continue;
    from[i] = others.back();
    others.pop_back();
  }
  return from;
}

BitGather::Program program_for(Inside held) {
  BitGather::Program out;
  int crossing = 0;
  bool bits_stay = true;
  bool bytes_stay = true;
  for (int at = 0; at < kVectorAxes; ++at) {
    const int to = held[static_cast<std::size_t>(at)];
    if (at < kByteAxes && to >= kByteAxes) ++crossing;
    if (to != at) (at < kByteAxes ? bits_stay : bytes_stay) = false;
  }
  if (crossing == 0) {
    set_order(out, 0, last_order(held), false);
    out.kind = !bits_stay    ? BitGather::Program::bits_and_bytes
               : !bytes_stay ? BitGather::Program::bytes
                             : BitGather::Program::as_is;
    for (int i = 0; i < 8; ++i) {
      int from = 0;
      for (int at = 0; at < kByteAxes; ++at) from |= (i >> held[static_cast<std::size_t>(at)] & 1) << at;
      out.bits |= std::uint64_t{1} << (8 * (7 - i) + from);
    }
    return out;
  }
  std::size_t step = 0;
  if (crossing < kByteAxes) {  // all bits leave the bytes for a while, for axes that do not belong there
    ByteAxes from = {};
    std::size_t first = 0;
    std::size_t last = 3;
    for (int at = kVectorAxes - 1; at >= kByteAxes; --at)
      from[held[static_cast<std::size_t>(at)] >= kByteAxes && first < 3 ? first++ : last++] = at;
    set_order(out, step++, from, true);
    held = ordered(held, from, true);
  }
  const ByteAxes from = order_for_bits(held);
  set_order(out, step++, from, true);
  held = ordered(held, from, true);
  set_order(out, step, last_order(held), false);
  out.kind = step == 1 ? BitGather::Program::one_transpose : BitGather::Program::two_transposes;
  return out;
}

}  // namespace

void find_axes(const std::uint8_t* cells, int count, const std::uint8_t* image, std::uint32_t set, std::uint8_t* from) {
#if defined(__x86_64__)
  if (has_bit_vectors()) {
    bit_gather_v4::find_axes(cells, count, image, set, from);
    return;
  }
#endif
  std::array<std::uint8_t, kMostRowCells> rank = {};
  std::uint8_t below = 0;
  for (std::size_t cell = 0; cell < kMostRowCells; ++cell) {
    rank[cell] = below;
    below = static_cast<std::uint8_t>(below + (set >> cell & 1));
  }
  for (std::size_t i = 0; i < kMostRowCells; ++i)
    from[i] = i < static_cast<std::size_t>(count) ? rank[image[cells[i]]] : static_cast<std::uint8_t>(i);
}

BitGather::BitGather() : by_vectors_(has_bit_vectors()) {
  if (by_vectors_) memo_.resize(kMemo);
}

void BitGather::set(const Axes& axes) {
  axes_ = axes;
  staying_ = 0;
  crossing_ = 0;
  std::size_t out = 0;
  for (int i = 0; i < axes.count; ++i) {
    const bool from_inside = axes.from[static_cast<std::size_t>(i)] < kVectorAxes;
    const auto axis = static_cast<std::uint8_t>(i);
    if (i < kVectorAxes && !from_inside) come_in_[crossing_++] = axis;
    if (i >= kVectorAxes && from_inside) go_out_[out++] = axis;
    if (i >= kVectorAxes && !from_inside) stay_[staying_++] = axis;
  }
  if (!by_vectors_) {
    map_.set({axes.from.data(), static_cast<std::size_t>(axes.count)});
  } else if (crossing_ <= kMostExchanges) {
    find_program();
  }
}

void BitGather::find_program() {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const std::uint8_t from = axes_.from[i];
    key |= std::uint64_t{from < kVectorAxes ? from : std::uint8_t{255}} << (8 * i);
  }
  const std::uint8_t last = axes_.from[8];
  std::uint64_t more = std::uint64_t{1} << 63 | (last < kVectorAxes ? last : 255);
  for (std::size_t b = 0; b < crossing_; ++b) more |= std::uint64_t{axes_.from[go_out_[b]]} << (8 + 8 * b);
  // The two in one number, spread: the memo holds what was used last.
  Memo& memo = memo_[((key * 0x9E3779B97F4A7C15) ^ (more * 0xC2B2AE3D27D4EB4F)) >> 52];
  if (memo.key != key || memo.more != more) {
    memo.key = key;
    memo.more = more;
    make_program(memo);
  }
  plan_.program = memo.program;
  std::copy_n(memo.inside, kMostExchanges, plan_.inside);
  comes_ = memo.comes;
}

// Which axis comes in for which that leaves: one that then is at its place; else one of its kind, a bit's or a byte's.
void BitGather::make_program(Memo& memo) const {
  std::array<bool, kVectorAxes> used = {};
  std::array<int, kMostExchanges> partner = {};
  partner.fill(-1);
  for (const int pass : {0, 1, 2}) {
    for (std::size_t b = 0; b < crossing_; ++b) {
      const int place = axes_.from[go_out_[b]];
      for (std::size_t a = 0; a < crossing_ && partner[b] < 0; ++a) {
        const int axis = come_in_[a];
        const bool fits = pass == 2 || (pass == 1 ? (axis < kByteAxes) == (place < kByteAxes) : axis == place);
        if (used[a] || !fits) continue;
        used[a] = true;
        partner[b] = axis;
      }
    }
  }
  Inside held = {};
  for (int i = 0; i < kVectorAxes; ++i) {
    const std::uint8_t from = axes_.from[static_cast<std::size_t>(i)];
    if (from < kVectorAxes) held[from] = i;
  }
  for (std::size_t b = 0; b < crossing_; ++b) {
    const std::uint8_t place = axes_.from[go_out_[b]];
    memo.inside[b] = place;
    memo.comes[b] = static_cast<std::uint8_t>(partner[b]);
    held[place] = partner[b];
  }
  memo.program = program_for(held);
}

void BitGather::run(const Source& source, const Target& target) {
  if (!by_vectors_) {
    run_by_map(source, target);
  } else if (crossing_ > kMostExchanges) {
    run_in_two(source, target);
  } else {
    run_by_vectors(source, target);
  }
}

void BitGather::run_by_vectors(const Source& source, const Target& target) {
  const std::int64_t apart = source.set - source.clear;
  const auto read = [&](int axis) {
    const std::int64_t weight = (std::int64_t{1} << (axis - kVectorAxes)) +
                                (axis == axes_.selector ? apart / static_cast<std::int64_t>(kVectorWords) : 0);
    return static_cast<std::int32_t>(axis == axes_.selector && axes_.flipped ? -weight : weight);
  };
  Tile base;
  plan_.low_selector = axes_.selector >= 0 && axes_.selector < kVectorAxes ? axes_.selector : -1;
  plan_.flipped = axes_.flipped;
  if (axes_.flipped && axes_.selector >= kVectorAxes) base.source = -read(axes_.selector);
  plan_.exchanges = static_cast<int>(crossing_);
  plan_.part[0] = {};
  for (std::size_t b = 0; b < crossing_; ++b) {
    const std::size_t half = std::size_t{1} << b;
    const std::uint8_t out = go_out_[b];
    const std::int32_t from = read(axes_.from[comes_[b]]);
    for (std::size_t r = 0; r < half; ++r) {
      const Tile& lower = plan_.part[r];
      plan_.part[half + r] = {lower.target + target.weight[out], lower.source + from,
                              lower.mask + target.mask_weight[out]};
    }
  }
  const std::size_t inner = std::min<std::size_t>(staying_, kInnerAxes);
  tiles_.resize(std::size_t{1} << inner);
  tiles_[0] = {};
  for (std::size_t k = 0; k < inner; ++k) {
    const std::size_t half = std::size_t{1} << k;
    const std::uint8_t axis = stay_[k];
    const Tile step = {target.weight[axis], read(axes_.from[axis]), target.mask_weight[axis]};
    for (std::size_t i = 0; i < half; ++i) {
      tiles_[half + i] = {tiles_[i].target + step.target, tiles_[i].source + step.source, tiles_[i].mask + step.mask};
    }
  }
  plan_.tiles = tiles_.data();
  plan_.tile_count = tiles_.size();
  for (std::size_t outer = 0; outer < std::size_t{1} << (staying_ - inner); ++outer) {
    Tile at = base;
    for (std::size_t k = 0; k < staying_ - inner; ++k) {
      if ((outer >> k & 1) == 0) continue;
      const std::uint8_t axis = stay_[inner + k];
      at.target += target.weight[axis];
      at.source += read(axes_.from[axis]);
      at.mask += target.mask_weight[axis];
    }
#if defined(__x86_64__)
    bit_gather_v4::run(plan_, source.clear, apart, target.row, target.masks, target.nonzero, at);
#endif
  }
}

// Four of the axes that cross change places first, in a row between.
void BitGather::run_in_two(const Source& source, const Target& target) {
  if (other_ == nullptr) other_ = std::make_unique<BitGather>();
  static constexpr std::array<Word, kVectorWords> kAll = {~Word{0}, ~Word{0}, ~Word{0}, ~Word{0},
                                                          ~Word{0}, ~Word{0}, ~Word{0}, ~Word{0}};
  static constexpr std::uint8_t kSome = 1;
  Axes first = axes_;
  for (std::size_t i = 0; i < first.from.size(); ++i) first.from[i] = static_cast<std::uint8_t>(i);
  for (std::size_t b = 0; b < std::min<std::size_t>(crossing_ - kMostExchanges, kMostExchanges); ++b)
    std::swap(first.from[axes_.from[come_in_[b]]], first.from[axes_.from[go_out_[b]]]);
  Axes second = axes_;
  second.selector = -1;
  second.flipped = false;
  for (int i = 0; i < axes_.count; ++i) {
    auto& from = second.from[static_cast<std::size_t>(i)];
    from = first.from[from];
  }
  mapped_.assign(std::size_t{1} << (axes_.count - kWordAxes), 0);
  Target between;
  between.row = mapped_.data();
  for (int i = kVectorAxes; i < axes_.count; ++i)
    between.weight[static_cast<std::size_t>(i)] = std::int32_t{1} << (i - kVectorAxes);
  between.masks = kAll.data();
  between.nonzero = &kSome;
  other_->set(first);
  other_->run(source, between);
  other_->set(second);
  other_->run({mapped_.data(), mapped_.data()}, target);
}

// The source that the selector chooses, in the source's order but for a flipped selector.
const BitGather::Word* BitGather::blend(const Source& source) {
  if (axes_.selector < 0) return source.clear;
  const std::size_t words = std::size_t{1} << (axes_.count - kWordAxes);
  blended_.resize(std::max(blended_.size(), words));
  if (axes_.selector >= kWordAxes) {
    const std::size_t bit = std::size_t{1} << (axes_.selector - kWordAxes);
    for (std::size_t w = 0; w < words; ++w) {
      const std::size_t from = axes_.flipped ? w ^ bit : w;
      blended_[w] = ((from & bit) != 0 ? source.set : source.clear)[from];
    }
    return blended_.data();
  }
  const Word set = kAxisBits[static_cast<std::size_t>(axes_.selector)];
  const unsigned by = 1U << axes_.selector;
  for (std::size_t w = 0; w < words; ++w) {
    const Word chosen = (source.set[w] & set) | (source.clear[w] & ~set);
    blended_[w] = axes_.flipped ? (chosen & set) >> by | (chosen & ~set) << by : chosen;
  }
  return blended_.data();
}

void BitGather::run_by_map(const Source& source, const Target& target) {
  const std::size_t vectors = std::size_t{1} << (axes_.count - kVectorAxes);
  mapped_.resize(std::max(mapped_.size(), vectors * kVectorWords));
  map_.apply(blend(source), mapped_.data());
  tiles_.resize(std::max(tiles_.size(), vectors));
  tiles_[0] = {};
  for (int axis = kVectorAxes; axis < axes_.count; ++axis) {
    const std::size_t half = std::size_t{1} << (axis - kVectorAxes);
    const auto a = static_cast<std::size_t>(axis);
    for (std::size_t i = 0; i < half; ++i)
      tiles_[half + i] = {tiles_[i].target + target.weight[a], 0, tiles_[i].mask + target.mask_weight[a]};
  }
  for (std::size_t h = 0; h < vectors; ++h) {
    const Tile& tile = tiles_[h];
    if (target.nonzero[tile.mask] == 0) continue;
    Word* const to = target.row + tile.target * static_cast<std::int64_t>(kVectorWords);
    const Word* const mask = target.masks + static_cast<std::size_t>(tile.mask) * kVectorWords;
    const Word* const from = mapped_.data() + h * kVectorWords;
    for (std::size_t w = 0; w < kVectorWords; ++w) to[w] |= from[w] & mask[w];
  }
}

}  // namespace plenum
