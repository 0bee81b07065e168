// SPDX-License-Identifier: Apache-2.0
#include "solver/one_pass/one_pass_window.h"

#include <algorithm>

namespace plenum {
namespace {

constexpr BoardIndex kByte = 8;
constexpr BoardIndex kMostOfATier =
    16;  // of a tier: fewer of a small one, and of few ranks, which have most of it themselves
constexpr BoardIndex kStripesOfAll = 8;  // of a round, at least: each is a few of a rank's, and they balance each other
constexpr BoardIndex kLeastOfEach = 256;     // boards of a stripe, where there are fewer rounds
constexpr double kMostSetsAhead = 10'000.0;  // of a board, which are looked up; otherwise all

// Calls fn(set) for `set` with so many more cells of `free`.
template <typename Fn>
void for_larger(CellSet set, CellSet free, int more, const Fn& fn) {
  if (more == 0) return fn(set);
  for (CellSet rest = free; rest != 0; rest &= rest - 1) {
    const CellSet cell = rest & -rest;
    for_larger(set | cell, rest & ~cell, more - 1, fn);
  }
}

double choices(int of, int some) {
  double out = 1;
  for (int i = 0; i < some; ++i) out = out * (of - i) / (i + 1);
  return out;
}

BlockIndex number_of(const DenseIndex& index, const Block& block) {
  return static_cast<BlockIndex>(&block - index.blocks().data());
}

// How many of each rank are worked at together.
BoardIndex stripes_of_round(BoardIndex ranks) { return std::max<BoardIndex>(1, kStripesOfAll / ranks); }

void sort_once(std::vector<BlockIndex>& blocks) {
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
}

}  // namespace

Stripes board_stripes(const DenseIndex& index, int rank, int ranks) {
  const auto of = static_cast<BoardIndex>(ranks);
  std::vector<std::uint64_t> begins = {0};
  for (int stones = 0; stones <= index.cells() && ranks > 1; ++stones) {
    const BoardIndex begin = index.begin(stones);
    const BoardIndex boards = index.begin(stones + 1) - begin;
    const BoardIndex round = of * stripes_of_round(of);
    const BoardIndex stripes =
        round * std::clamp<BoardIndex>(boards / (round * kLeastOfEach), 1, std::min(2 * of, kMostOfATier));
    const BoardIndex length = (boards / stripes + kByte) / kByte * kByte;
    for (BoardIndex at = begin / kByte * kByte; at < begin + boards; at += length) {
      if (at > begins.back()) begins.push_back(at);
    }
  }
  return {std::move(begins), rank, ranks};
}

std::vector<Share> board_rounds(const DenseIndex& index, const Stripes& boards, int stones) {
  return boards.rounds(index.begin(stones), index.begin(stones + 1), stripes_of_round(boards.ranks()));
}

std::vector<BlockIndex> blocks_read(const DenseIndex& index, std::span<const Share> boards, const BlocksAhead& ahead) {
  std::vector<BlockIndex> out;
  if (boards.empty()) return out;
  const SymmetryGroup& symmetries = index.symmetries();
  const auto add = [&](CellSet set) {
    if (const BlockIndex block = index.block_of(set); block != kNoBlock) out.push_back(block);
  };
  // Whoever moves next may be brought to first.
  const auto add_both = [&](CellSet set) {
    add(set);
    if (index.folding().exchange != kIdentity) add(symmetries.apply(index.folding().exchange, set));
  };
  std::vector<BlockIndex> own;
  for (const Share& some : boards) {
    const BlockIndex to = number_of(index, index.block_at(some.end - 1));
    for (BlockIndex b = number_of(index, index.block_at(some.begin)); b <= to; ++b) own.push_back(b);
  }
  sort_once(own);
  const int stones = index.blocks()[own.front()].stones;
  const int free = index.cells() - stones;
  std::size_t ordered = 0;
  for (int more = 1; more <= free; ++more) {
    if ((ahead.steps >> more & 1) == 0) continue;
    if (ahead.all || choices(free, more) > kMostSetsAhead) {
      for (BlockIndex b = index.first_block(stones + more); b < index.first_block(stones + more + 1); ++b)
        out.push_back(b);
      continue;
    }
    const CellSet cells = (CellSet{1} << index.cells()) - 1;
    for (const BlockIndex b : own) {
      const CellSet set = index.blocks()[b].set;
      for_larger(set, cells & ~set, more, add_both);
      // Many lead to the same ones.
      if (out.size() < 2 * ordered + kLeastOfEach) continue;
      sort_once(out);
      ordered = out.size();
    }
  }
  for (const BlockIndex b : own) {
    for (std::size_t g = 0; g < symmetries.size() && ahead.images; ++g)
      add(symmetries.apply(static_cast<GroupElement>(g), index.blocks()[b].set));
  }
  sort_once(out);
  return out;
}

BlockWindow::BlockWindow(const DenseIndex& index, const Stripes& boards, BoardIndex bits)
    : index_(index), bytes_(boards.scaled(bits, kByte)), bits_(bits) {
  if (boards.ranks() > 1) has_.resize(index.blocks().size());
}

std::vector<Share> BlockWindow::bytes_of(const DenseIndex& index, const std::vector<BlockIndex>& blocks,
                                         BoardIndex bits) {
  std::vector<Share> out;
  for (const BlockIndex b : blocks) {
    const Block& block = index.blocks()[b];
    const std::uint64_t begin = block.base * bits / kByte;
    const std::uint64_t end = ((block.base + index.size(block)) * bits + kByte - 1) / kByte;
    // Two may share a byte.
    if (!out.empty() && out.back().end >= begin) {
      out.back().end = end;
    } else {
      out.push_back({begin, end});
    }
  }
  return out;
}

void BlockWindow::move_to(Ranks& ranks, const std::vector<BlockIndex>& blocks, ByteArrays arrays) {
  if (!ranks.several()) return;
  std::vector<std::uint8_t> wanted(has_.size(), 0);
  std::vector<BlockIndex> fresh;
  for (const BlockIndex b : blocks) {
    wanted[b] = 1;
    if (has_[b] == 0) fresh.push_back(b);
  }
  release(wanted, arrays);
  fetch_stripes(ranks, bytes_, bytes_of(index_, fresh, bits_), arrays);
  has_ = std::move(wanted);
}

void BlockWindow::drop(int stones, ByteArrays arrays) {
  if (has_.empty()) return;
  std::vector<std::uint8_t> kept = has_;
  std::fill(kept.begin() + index_.first_block(stones), kept.begin() + index_.first_block(stones + 1), 0);
  release(kept, arrays);
  has_ = std::move(kept);
}

// Blocks are shorter than pages of memory where they hold few stones: so what lies between those that are kept is released as one.
void BlockWindow::release(const std::vector<std::uint8_t>& keep, ByteArrays arrays) {
  for (int stones = 0; stones <= index_.cells(); ++stones) {
    const BlockIndex end = index_.first_block(stones + 1);
    for (BlockIndex b = index_.first_block(stones); b < end; ++b) {
      if (keep[b] != 0) continue;
      const BlockIndex from = b;
      bool some = false;
      for (; b < end && keep[b] == 0; ++b) some = some || has_[b] != 0;
      if (!some) continue;
      // A byte that is shared with a neighbour that is kept stays.
      const Block& last = index_.blocks()[b - 1];
      const std::uint64_t begin = (index_.blocks()[from].base * bits_ + kByte - 1) / kByte;
      const std::uint64_t until = (last.base + index_.size(last)) * bits_ / kByte;
      if (begin < until) release_stripes(bytes_, {begin, until}, arrays);
    }
  }
}

WindowCost window_cost(const DenseIndex& index, const Stripes& boards, const BlocksAhead& ahead) {
  WindowCost out;
  std::vector<BlockIndex> here;
  for (int stones = index.cells(); stones >= 0 && boards.ranks() > 1; --stones) {
    for (const Share& round : board_rounds(index, boards, stones)) {
      std::vector<BlockIndex> next = blocks_read(index, boards.own(round), ahead);
      BoardIndex held = 0;
      for (const BlockIndex b : next) {
        const Block& block = index.blocks()[b];
        BoardIndex others = 0;
        boards.for_others(block.base, block.base + index.size(block),
                          [&](BoardIndex a, BoardIndex z) { others += z - a; });
        held += others;
        if (!std::binary_search(here.begin(), here.end(), b)) out.fetched += others;
      }
      out.most = std::max(out.most, held);
      here = std::move(next);
    }
  }
  return out;
}

}  // namespace plenum
