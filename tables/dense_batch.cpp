// SPDX-License-Identifier: Apache-2.0
#include "tables/dense_batch.h"

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
    power *= static_cast<std::uint32_t>(index.planes());
  }
  for (std::size_t b = 0; 8 * b < to.size(); ++b) {
    std::array<std::uint32_t, 256>& byte = rank[b];
    byte[0] = 0;
    for (unsigned v = 1; v < 256; ++v) {
      const std::size_t cell = 8 * b + static_cast<std::size_t>(std::countr_zero(v));
      const bool stands = cell < to.size() && (set >> cell & 1) != 0;
      byte[v] = byte[v & (v - 1)] + (stands ? weight[to[cell]] : 0);
    }
  }
}

}  // namespace

BoardImage::BoardImage(const DenseIndex& index, const Block& block, GroupElement g)
    : planes_(static_cast<std::size_t>(index.planes())), bytes_((static_cast<std::size_t>(index.cells()) + 7) / 8) {
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
    planes_[0] = block_->set;
    return;
  }
  // One more, digit by digit from the lowest cell: what overflows goes back to the lowest plane.
  const auto planes = static_cast<std::size_t>(index_.planes());
  const CellSet rising = block_->set & ~planes_[planes - 1];
  const CellSet cell = rising & -rising;
  const CellSet below = block_->set & (cell - 1);
  std::size_t p = 0;
  while ((planes_[p] & cell) == 0) ++p;
  planes_[p] &= ~cell;
  planes_[p + 1] |= cell;
  planes_[planes - 1] &= ~below;
  planes_[0] |= below;
}

PlaceFinder::PlaceFinder(const DenseIndex& index)
    : index_(index), known_(std::make_unique<std::array<Known, kSlots>>()) {}

void PlaceFinder::learn(Known& known, CellSet set, bool exchanged) {
  const SymmetryGroup& symmetries = index_.symmetries();
  known.set = set;
  known.exchanged = exchanged;
  known.stones = static_cast<std::uint8_t>(std::popcount(set));
  const GroupElement first = exchanged ? index_.folding().exchange : kIdentity;
  const CellSet seen = symmetries.apply(first, set);
  const BlockIndex number = index_.block_of(seen);
  known.listed = number != kNoBlock;
  if (!known.listed) return;
  const Block& block = index_.blocks()[number];
  known.base = block.base;
  const GroupElement g = symmetries.group().multiply(index_.to_block(seen), first);
  fill_ranks(index_, set, block, g, known.rank);
}

template <int kBytes, int kPlanes>
void PlaceFinder::find_boards(const PositionBatch& batch, bool exchanged) {
  std::array<const CellSet*, kMaxPlanes> plane = {};
  const int planes = kPlanes > 0 ? kPlanes : index_.planes();
  for (int p = 0; p < planes; ++p)
    plane[static_cast<std::size_t>(p)] = batch.planes[static_cast<std::size_t>(p)].data();
  std::array<Known, kSlots>& all = *known_;
  for (std::size_t i = 0; i < batch.size; ++i) {
    CellSet set = 0;
    for (int p = 0; p < planes; ++p) set |= plane[static_cast<std::size_t>(p)][i];
    Known& known = all[(set * 0x9E3779B97F4A7C15U) >> 56];
    if (known.set != set || known.exchanged != exchanged) learn(known, set, exchanged);
    stones_[i] = known.stones;
    if (!known.listed) {
      board_[i] = kNoBoard;
      missing_.push_back(exchanged ? index_.symmetries().apply(index_.folding().exchange, set) : set);
      continue;
    }
    std::uint32_t numeral = 0;
    for (int p = 1; p < planes; ++p) {
      const CellSet cells = plane[static_cast<std::size_t>(p)][i];
      std::uint32_t sum = 0;
      for (int b = 0; b < kBytes; ++b) sum += known.rank[static_cast<std::size_t>(b)][cells >> (8 * b) & 0xFF];
      numeral += static_cast<std::uint32_t>(p) * sum;
    }
    board_[i] = known.base + numeral;
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
  const int planes = index_.planes();
  const auto run = [&]<int kBytes>() {
    if (planes == 2) {
      find_boards<kBytes, 2>(batch, exchanged);
    } else if (planes == 3) {
      find_boards<kBytes, 3>(batch, exchanged);
    } else {
      find_boards<kBytes, 0>(batch, exchanged);
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
}

}  // namespace plenum
