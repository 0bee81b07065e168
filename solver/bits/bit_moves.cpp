// SPDX-License-Identifier: Apache-2.0
#include "solver/bits/bit_moves.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "variants/board/bits.h"

namespace plenum {
namespace {

constexpr std::size_t kAxesInWord = kAxisBits.size();

std::size_t mask_words(std::size_t cells) { return cells <= kAxesInWord ? 1 : std::size_t{1} << (cells - kAxesInWord); }

// The cells whose stones decide a condition once a stone is put on this cell, by structure.
class Looks {
 public:
  Looks(const RuleGraph& graph, Cell to)
      : graph_(graph), to_(to), known_(graph.size() * cells(), false), found_(graph.size() * cells(), 0) {}

  CellSet at(NodeId id, std::size_t cell) {
    const std::size_t k = static_cast<std::size_t>(id) * cells() + cell;
    if (!known_[k]) {
      found_[k] = find(graph_.node(id), cell) & ~cell_bit(to_);
      known_[k] = true;
    }
    return found_[k];
  }

 private:
  std::size_t cells() const { return static_cast<std::size_t>(graph_.cells()); }
  // Whether the cell is not in the set, whatever stands where.
  bool never(NodeId id, std::size_t cell) const {
    const RuleNode& n = graph_.node(id);
    return n.op == NodeOp::cell_input && (n.value == kTaken || (n.value == kPlaced && cell != to_));
  }
  CellSet of_args(const RuleNode& n, CellSet around) {
    CellSet out = 0;
    for (const NodeId arg : n.args) {
      for (CellSet rest = around; rest != 0; rest &= rest - 1)
        out |= at(arg, static_cast<std::size_t>(std::countr_zero(rest)));
    }
    return out;
  }
  CellSet find(const RuleNode& n, std::size_t cell) {
    switch (traits(n.op).reach) {
      case NodeReach::nowhere:
        return n.op == NodeOp::cell_input && n.value < kOrigin ? cell_bit(static_cast<Cell>(cell)) : 0;
      case NodeReach::here:
        if (n.op == NodeOp::conjunction &&
            std::any_of(n.args.begin(), n.args.end(), [&](NodeId arg) { return never(arg, cell); }))
          return 0;
        return of_args(n, cell_bit(static_cast<Cell>(cell)));
      case NodeReach::beside:
        return of_args(n, graph_.relation(n.relation)[cell]);
      case NodeReach::patterns: {
        CellSet around = 0;
        for (const CellSet mask : graph_.relation(n.relation)) {
          if ((mask >> cell & 1) != 0) around |= mask;
        }
        return of_args(n, around);
      }
      case NodeReach::board:
        return of_args(n, graph_.all());
      case NodeReach::far:
      case NodeReach::rounds:
        return graph_.all();
    }
    return graph_.all();
  }

  const RuleGraph& graph_;
  Cell to_;
  std::vector<bool> known_;
  std::vector<CellSet> found_;
};

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
  bits.resize(mask_words(axes - 1));
}

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
        bits.resize(bits.size() + mask_words(cells), 0);
      }
    }
    if (cells < kAxesInWord) {
      bits[0] |= bits[1] << (1U << cells);
      bits.pop_back();
    }
    read.mask.simplify();
  }
}

}  // namespace

void BitMask::simplify() {
  for (std::size_t axis = cells.size(); axis-- > 0;) {
    if (!ignores(bits, cells.size(), axis)) continue;
    drop(bits, cells.size(), axis);
    cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(axis));
  }
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

BitMoves::BitMoves(const PlacingRules& rules) : rules_(rules), row_(rules) {
  const RuleSet& set = rules.variant().rule_set();
  for (int c = 0; c < rules.variant().board().size(); ++c) {
    const auto cell = static_cast<Cell>(c);
    Looks looks(set.graph, cell);
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
  const std::size_t words = mask_words(static_cast<std::size_t>(std::popcount(occupied)));
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
