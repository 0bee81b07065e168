// SPDX-License-Identifier: Apache-2.0
#include "solver/bits/bit_moves.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "variants/board/bits.h"
#include "variants/graph/deciding_cells.h"

namespace plenum {
namespace {

std::uint64_t ones(const std::vector<std::uint64_t>& bits) {
  return std::accumulate(bits.begin(), bits.end(), std::uint64_t{0}, [](std::uint64_t sum, std::uint64_t word) {
    return sum + static_cast<std::uint64_t>(std::popcount(word));
  });
}

// Of the stones of one owner: states that follow, and where; what holds in most positions first.
using Led = std::vector<std::pair<std::uint32_t, std::vector<std::uint64_t>>>;
void sort_by_size(Led& led) {
  std::erase_if(led, [](const auto& one) { return ones(one.second) == 0; });
  std::stable_sort(led.begin(), led.end(),
                   [](const auto& a, const auto& b) { return ones(a.second) > ones(b.second); });
}

// Both owners' in pairs.
void add_reads(const std::array<Led, 2>& led, int state, CellSet seen, BitMoves::Reads& out) {
  const auto cells = static_cast<std::size_t>(std::popcount(seen));
  for (std::size_t i = 0; i < std::max(led[0].size(), led[1].size()); ++i) {
    BitMoves::Read& read = out.emplace_back();
    read.state = state;
    read.clear = led[i < led[0].size() ? 0 : 1][i].first;
    read.set = led[i < led[1].size() ? 1 : 0][i].first;
    for (CellSet rest = seen; rest != 0; rest &= rest - 1)
      read.mask.cells.push_back(static_cast<std::uint8_t>(std::countr_zero(rest)));
    read.mask.cells.push_back(BitMask::kAdded);
    std::vector<std::uint64_t>& bits = read.mask.bits;
    for (const Led& one : led) {
      if (i < one.size()) {
        bits.insert(bits.end(), one[i].second.begin(), one[i].second.end());
      } else {
        bits.resize(bits.size() + BitMask::words(cells), 0);
      }
    }
    if (cells < kAxisBits.size()) {
      bits[0] |= bits[1] << (1U << cells);
      bits.pop_back();
    }
    read.mask.simplify();
  }
}

}  // namespace

BitMoves::BitMoves(const PlacingRules& rules) : rules_(rules), row_(rules) {
  const RuleSet& set = rules.variant().rule_set();
  for (int c = 0; c < rules.variant().board().size(); ++c) {
    const auto cell = static_cast<Cell>(c);
    DecidingCells looks(set.graph, cell);
    CellSet seen = 0;
    for (const MoveRule& rule : set.moves) {
      seen |= looks.at(rule.to, cell) | looks.at(rule.legal, cell);
      for (std::size_t s = 0; s < set.slots.size(); ++s) {
        if (set.slots[s].live) seen |= looks.at(rule.state_after[s], 0);
      }
    }
    seen_.push_back(seen);
  }
}

void BitMoves::begin_tier(int stones, Player mover, const States& states, const States& next) {
  if (stones == stones_) return;
  stones_ = stones;
  mover_ = mover;
  states_ = states;
  next_ = next;
  kept_.clear();
  kept_.resize(seen_.size());
  for (std::size_t c = 0; c < seen_.size(); ++c) {
    if (std::popcount(seen_[c]) <= kMostCells) kept_[c].resize(std::size_t{1} << std::popcount(seen_[c]));
  }
}

void BitMoves::begin(CellSet occupied) {
  occupied_ = occupied;
  row_is_whole_ = false;
}

const BitMoves::Reads& BitMoves::at(Cell cell) {
  auto& kept = kept_[cell];
  if (kept.empty()) {
    if (!row_is_whole_) row_.begin(occupied_, mover_);
    row_is_whole_ = true;
    once_.clear();
    find(cell, occupied_, once_);
    return once_;
  }
  std::unique_ptr<Reads>& found = kept[extract(occupied_, seen_[cell])];
  if (found == nullptr) {
    found = std::make_unique<Reads>();
    const CellSet seen = occupied_ & seen_[cell];
    row_.begin(seen, mover_);
    row_is_whole_ = false;
    find(cell, seen, *found);
  }
  return *found;
}

void BitMoves::find(Cell cell, CellSet occupied, Reads& out) {
  const std::size_t words = BitMask::words(static_cast<std::size_t>(std::popcount(occupied)));
  const std::uint64_t valid =
      std::popcount(occupied) >= 6 ? ~std::uint64_t{0} : (std::uint64_t{1} << (1U << std::popcount(occupied))) - 1;
  // By state and owner.
  std::vector<std::array<Led, 2>> led(states_.size());
  for (std::size_t s = 0; s < states_.size(); ++s) {
    for (Led& one : led[s]) {
      for (std::uint32_t n = 0; n < next_.size(); ++n) one.emplace_back(n, std::vector<std::uint64_t>(words, 0));
    }
    for (const PlacingRules::Choice& choice : rules_.choices(mover_)) {
      const Column legal = row_.legal(choice, cell, states_[s]);
      if (legal.none()) continue;
      for (const PlacingRules::Row::After& after : row_.after(choice, cell, states_[s])) {
        const Column where = row_.both(after.where, legal);
        if (where.none()) continue;
        std::size_t n = 0;
        while (next_[n].state != after.state.state) ++n;
        std::vector<std::uint64_t>& to = led[s][choice.owner == Player::first ? 1 : 0][n].second;
        const std::uint64_t* const from = row_.spelled(where);
        for (std::size_t w = 0; w < words; ++w) to[w] |= from[w] & valid;
      }
    }
  }
  // What holds in all states.
  std::array<Led, 2> common = led[0];
  for (std::size_t owner = 0; owner < 2; ++owner) {
    for (std::size_t n = 0; n < next_.size(); ++n) {
      std::vector<std::uint64_t>& all = common[owner][n].second;
      for (const auto& of_state : led) {
        for (std::size_t w = 0; w < words; ++w) all[w] &= of_state[owner][n].second[w];
      }
      for (auto& of_state : led) {
        for (std::size_t w = 0; w < words; ++w) of_state[owner][n].second[w] &= ~all[w];
      }
    }
  }
  for (Led& one : common) sort_by_size(one);
  add_reads(common, kAll, occupied, out);
  for (std::size_t s = 0; s < led.size(); ++s) {
    for (Led& one : led[s]) sort_by_size(one);
    add_reads(led[s], static_cast<int>(s), occupied, out);
  }
}

}  // namespace plenum
