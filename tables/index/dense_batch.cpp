// SPDX-License-Identifier: Apache-2.0
#include "tables/index/dense_batch.h"

#include <algorithm>
#include <bit>

namespace plenum {
namespace {

// What each cell of `set`, taken to the block's set by g, adds to the numeral there.
void fill_ranks(const DenseIndex& index, CellSet set, const Block& block, GroupElement g, RankTable& rank) {
  const std::vector<Cell>& to = index.symmetries().elements()[g].permutation;
  std::array<std::uint32_t, DenseIndex::kMostCells> weight = {};
  std::uint32_t power = 1;
  for (CellSet rest = block.set; rest != 0; rest &= rest - 1) {
    weight[static_cast<std::size_t>(std::countr_zero(rest))] = power;
    power *= static_cast<std::uint32_t>(index.base());
  }
  for (std::size_t b = 0; 8 * b < to.size(); ++b) {
    std::uint32_t* const byte = rank[b].data();
    byte[0] = 0;
    for (unsigned bit = 0; bit < 8; ++bit) {
      const std::size_t cell = 8 * b + bit;
      const std::uint32_t adds = cell < to.size() && (set >> cell & 1) != 0 ? weight[to[cell]] : 0;
      const unsigned n = 1U << bit;
      for (unsigned v = 0; v < n; ++v) byte[n + v] = byte[v] + adds;
    }
  }
}

}  // namespace

BoardImage::BoardImage(const DenseIndex& index, const Block& block, GroupElement g)
    : index_(&index), bytes_((static_cast<std::size_t>(index.cells()) + 7) / 8) {
  fill_ranks(index, block.set, block, g, rank_);
}

void BoardCursor::seek(BoardIndex board) {
  board_ = board;
  block_ = &index_.block_at(board);
  end_ = block_->base + index_.size(*block_);
  index_.read_numeral(block_->set, board - block_->base, planes_.data());
}

void BoardCursor::next() {
  ++board_;
  if (board_ == end_) {
    if (board_ == index_.boards()) return;
    ++block_;
    end_ += index_.size(*block_);
    planes_.fill(0);
    planes_[index_.planes()[0]] = block_->set;
    return;
  }
  // One more, digit by digit from the lowest cell: what overflows goes back to the lowest plane.
  const std::vector<std::size_t>& digits = index_.planes();
  const CellSet rising = block_->set & ~planes_[digits.back()];
  const CellSet cell = rising & -rising;
  const CellSet below = block_->set & (cell - 1);
  std::size_t d = 0;
  while ((planes_[digits[d]] & cell) == 0) ++d;
  planes_[digits[d]] &= ~cell;
  planes_[digits[d + 1]] |= cell;
  planes_[digits.back()] &= ~below;
  planes_[digits[0]] |= below;
}

PlaceFinder::PlaceFinder(const DenseIndex& index) : index_(index), known_(kMostKnown) { forget(); }

void PlaceFinder::forget() {
  slot_.fill(kFree);
  count_ = 0;
}

const PlaceFinder::Known& PlaceFinder::learn(CellSet set, std::size_t at) {
  if (count_ == kMostKnown) {
    forget();
    return known(set);
  }
  slot_[at] = static_cast<std::uint16_t>(count_);
  Known& out = known_[count_++];
  const SymmetryGroup& symmetries = index_.symmetries();
  out.set = set;
  out.stones = static_cast<std::uint8_t>(std::popcount(set));
  const GroupElement first = exchanged_ ? index_.folding().exchange : kIdentity;
  const CellSet seen = symmetries.apply(first, set);
  const BlockIndex number = index_.block_of(seen);
  out.listed = number != kNoBlock;
  if (!out.listed) return out;
  met_.push_back(number);
  const Block& block = index_.blocks()[number];
  out.base = block.base;
  fill_ranks(index_, set, block, symmetries.group().multiply(index_.to_block(seen), first), out.rank);
  return out;
}

template <std::size_t kBytes, std::size_t kPlanes>
void PlaceFinder::find_boards(const PositionBatch& batch) {
  std::array<const CellSet*, kMaxPlanes> plane = {};  // by digit
  const std::size_t planes = kPlanes > 0 ? kPlanes : index_.planes().size();
  for (std::size_t d = 0; d < planes; ++d) plane[d] = batch.planes[index_.planes()[d]].data();
  for (std::size_t i = 0; i < batch.size; ++i) {
    CellSet set = 0;
    for (std::size_t d = 0; d < planes; ++d) set |= plane[d][i];
    const Known& one = known(set);
    stones_[i] = one.stones;
    if (!one.listed) {
      board_[i] = kNoBoard;
      missing_.push_back(exchanged_ ? index_.symmetries().apply(index_.folding().exchange, set) : set);
      continue;
    }
    std::uint32_t numeral = 0;
    for (std::size_t d = 1; d < planes; ++d) {
      const CellSet cells = plane[d][i];
      std::uint32_t sum = 0;
      for (std::size_t b = 0; b < kBytes; ++b) sum += one.rank[b][cells >> (8 * b) & 0xFF];
      numeral += static_cast<std::uint32_t>(d) * sum;
    }
    board_[i] = one.base + numeral;
  }
}

void PlaceFinder::find_layers(const PositionBatch& batch) {
  const std::size_t n = batch.size;
  std::uint32_t* __restrict const out = layer_.data();
  std::fill_n(out, n, 0U);
  for (const DenseIndex::Field& field : index_.fields()) {
    const std::uint32_t values = field.values;
    if (field.slot == -2) {
      const std::uint8_t* const first = batch.mover_is_first.data();
      for (std::size_t i = 0; i < n; ++i) out[i] = out[i] * values + (first[i] != 0 ? 0 : 1);
      continue;
    }
    const std::uint8_t* const digit =
        field.slot == -1 ? batch.passes.data() : batch.state[static_cast<std::size_t>(field.slot)].data();
    for (std::size_t i = 0; i < n; ++i) out[i] = out[i] * values + digit[i];
  }
}

void PlaceFinder::find(const PositionBatch& batch) {
  if (batch.size == 0) return;
  if (board_.size() < batch.size) {
    board_.resize(batch.capacity());
    layer_.resize(batch.capacity());
    stones_.resize(batch.capacity());
  }
  const bool exchanged = index_.folding().exchange != kIdentity && batch.mover_is_first[0] == 0;
  if (exchanged != exchanged_) forget();
  exchanged_ = exchanged;
  const std::size_t planes = index_.planes().size();
  const auto run = [&]<std::size_t kBytes>() {
    if (planes == 2) {
      find_boards<kBytes, 2>(batch);
    } else if (planes == 3) {
      find_boards<kBytes, 3>(batch);
    } else {
      find_boards<kBytes, 0>(batch);
    }
  };
  if (index_.cells() <= 8) {
    run.operator()<1>();
  } else if (index_.cells() <= 16) {
    run.operator()<2>();
  } else {
    run.operator()<3>();
  }
  find_layers(batch);
  if (planes == batch.planes.size()) return;
  for (std::size_t p = 0; p < batch.planes.size(); ++p) {
    if (std::find(index_.planes().begin(), index_.planes().end(), p) != index_.planes().end()) continue;
    for (std::size_t i = 0; i < batch.size; ++i) {
      if (batch.planes[p][i] != 0) board_[i] = kNoBoard;
    }
  }
}

}  // namespace plenum
