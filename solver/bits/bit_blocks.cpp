// SPDX-License-Identifier: Apache-2.0
// Solving by bits: the boards of one set of cells, from those with a stone more.
#include <algorithm>
#include <array>
#include <bit>

#include "solver/bits/bit_pass_solver.h"
#include "solver/support/parallel.h"
#include "tables/rows/bit_kernels.h"
#include "variants/board/bits.h"

namespace plenum {
namespace {

constexpr std::size_t kShortRun = 8;       // words
constexpr std::size_t kWordsJudged = 512;  // by one thread

}  // namespace

// Values after a stone on `cell` for its owner, by the numbers of this row: of the row of the larger set, the half where it is the
// owner's. Of few stones that is a part of a word.
BitPass::Half BitPass::half_of(Worker& w, const Tier& next, std::size_t state, BlockIndex block, Cell cell,
                               Player owner) const {
  const CellSet set = index_.blocks()[block].set;
  const std::uint64_t at = (index_.block_of(set | cell_bit(cell)) - next.first_block) * next.words;
  const StateBits& bits = next.states[state];
  if (!w.is_mapped[state]) {
    w.is_mapped[state] = true;
    const auto map = [&](const BigBytes& from, std::vector<Word>& to) {
      to.resize(std::max<std::size_t>(to.size(), next.words));
      w.map.apply(reinterpret_cast<const Word*>(from.data()) + at, to.data());
    };
    map(bits.win, w.mapped_wins[state]);
    if (next.level()) map(bits.lose, w.mapped_losses[state]);
  }
  const int stones = std::popcount(set);
  const bool high = owner == Player::first;
  const std::size_t skipped = high && stones >= 6 ? next.words / 2 : 0;
  Half out;
  out.wins = w.mapped_wins[state].data() + skipped;
  out.losses = next.level() ? w.mapped_losses[state].data() + skipped : nullptr;
  if (!high || stones >= 6) return out;
  w.part = {*out.wins >> (1U << stones), out.losses != nullptr ? *out.losses >> (1U << stones) : 0};
  return {w.part.data(), out.losses != nullptr ? &w.part[1] : nullptr};
}

// Where a move leads to these values: who makes it wins if the opponent loses, and is saved if the opponent does not win.
void BitPass::add_replies(const Half& half, const Column& where, std::size_t words, Worker& w, std::size_t state) {
  Word* const win = w.win[state].data();
  Word* const saved = w.saved[state].data();
  if (where.kind() == Column::Kind::words || (where.kind() == Column::Kind::table && where.run() < kShortRun)) {
    const Word* const masks = w.row.spelled(where);
    if (half.losses == nullptr) {
      bit_kernels().join_where(win, half.wins, words, masks, BitJoin::complement);
    } else {
      bit_kernels().join_where(win, half.losses, words, masks, BitJoin::same);
      bit_kernels().join_where(saved, half.wins, words, masks, BitJoin::complement);
    }
    return;
  }
  where.for_runs(words, [&](std::size_t begin, std::size_t end, Word mask) {
    if (mask == 0) return;
    if (half.losses == nullptr) {
      bit_kernels().join(win + begin, half.wins + begin, end - begin, mask, BitJoin::complement);
    } else {
      bit_kernels().join(win + begin, half.losses + begin, end - begin, mask, BitJoin::same);
      bit_kernels().join(saved + begin, half.wins + begin, end - begin, mask, BitJoin::complement);
    }
  });
}

void BitPass::solve_block(BlockIndex number, const Tier& next, Tier& tier, Worker& w, std::vector<Counts>& counts) {
  w.row.begin(index_.blocks()[number].set, mover_with(start_, tier.stones));
  for (auto* rows : {&w.win, &w.saved, &w.moved}) {
    rows->resize(std::max(rows->size(), tier.states.size()));
    for (std::size_t s = 0; s < tier.states.size(); ++s) (*rows)[s].assign(tier.words, 0);
  }
  w.mapped_wins.resize(std::max(w.mapped_wins.size(), next.states.size()));
  w.mapped_losses.resize(w.mapped_wins.size());
  add_moves(number, next, tier, w);
  finish_block(number, next, tier, w, counts);
}

// Every move of every position of the block, a cell at a time.
void BitPass::add_moves(BlockIndex number, const Tier& next, const Tier& tier, Worker& w) const {
  const Block& block = index_.blocks()[number];
  const Player mover = mover_with(start_, tier.stones);
  const SymmetryGroup& symmetries = index_.symmetries();
  const std::size_t words = tier.words;
  const bool always = variant_.rule_set().always_a_move;
  std::array<std::uint8_t, kMostBitAxes> from = {};
  for (CellSet rest = variant_.board().all() & ~block.set; rest != 0; rest &= rest - 1) {
    const auto cell = static_cast<Cell>(std::countr_zero(rest));
    const CellSet larger = block.set | cell_bit(cell);
    const BlockIndex target = index_.block_of(larger);
    const GroupElement g = index_.to_block(larger);
    const std::vector<Cell>& to = symmetries.elements()[g].permutation;
    const CellSet there = index_.blocks()[target].set;
    const auto rank = [&](Cell c) { return static_cast<std::uint8_t>(std::popcount(there & (cell_bit(to[c]) - 1))); };
    std::size_t axes = 0;
    for (CellSet own = block.set; own != 0; own &= own - 1)
      from[axes++] = rank(static_cast<Cell>(std::countr_zero(own)));
    from[axes++] = rank(cell);
    w.map.set({from.data(), axes});
    w.is_mapped.assign(next.states.size(), false);
    for (const PlacingRules::Choice& choice : rules_.choices(mover)) {
      for (std::size_t s = 0; s < tier.states.size(); ++s) {
        const Column legal = w.row.legal(choice, cell, tier.states[s].state);
        if (legal.none()) continue;
        if (!always) {
          Word* const moved = w.moved[s].data();
          if (legal.kind() == Column::Kind::words) {
            for (std::size_t i = 0; i < words; ++i) moved[i] |= legal.words()[i];
          } else {
            legal.for_runs(words, [&](std::size_t begin, std::size_t end, Word mask) {
              for (std::size_t i = begin; i < end; ++i) moved[i] |= mask;
            });
          }
        }
        for (const auto& after : w.row.after(choice, cell, tier.states[s].state)) {
          const Column where = w.row.both(after.where, legal);
          if (where.none()) continue;
          const Half half = half_of(w, next, next.number_of(after.state), number, cell, choice.owner);
          add_replies(half, where, words, w, s);
        }
      }
    }
  }
}

// What has ended or has no move, and then the values and counts of the block.
void BitPass::finish_block(BlockIndex number, const Tier& next, Tier& tier, Worker& w, std::vector<Counts>& counts) {
  const Block& block = index_.blocks()[number];
  const int stones = tier.stones;
  const std::size_t words = tier.words;
  const Word last = stones >= 6 ? ~Word{0} : (Word{1} << (1 << stones)) - 1;
  const bool always = variant_.rule_set().always_a_move;
  const std::uint64_t at = (number - tier.first_block) * words;
  for (std::size_t s = 0; s < tier.states.size(); ++s) {
    StateBits& bits = tier.states[s];
    // Where nothing is level, who does not win loses.
    if (tier.level() && !next.level()) w.saved[s] = w.win[s];
    Word* const win = w.win[s].data();
    Word* const saved = tier.level() ? w.saved[s].data() : win;
    const Column ended = w.row.ended(tier.states[s].state);
    Counts found;
    w.special.assign(words, 0);
    for (const bool stuck : {false, true}) {
      if (stuck ? always : ended.none()) continue;
      const Word* const over = w.row.spelled(ended);
      w.special.resize(words);
      for (std::size_t i = 0; i < words; ++i) w.special[i] = stuck ? ~over[i] & ~w.moved[s][i] : over[i];
      w.special.back() &= last;
      const std::uint64_t special = bit_kernels().count_ones(w.special.data(), words);
      found.ended += special;
      if (special > 0) judge(block, bits.state, stuck, w.special, win, saved);
    }
    Word* const win_row = bits.wins(at);
    std::copy_n(win, words, win_row);
    win_row[words - 1] &= last;
    found.win = bit_kernels().count_ones(win_row, words);
    const std::uint64_t all = std::uint64_t{1} << stones;
    if (tier.level()) {
      Word* const lose_row = bits.losses(at);
      for (std::size_t i = 0; i < words; ++i) lose_row[i] = ~saved[i];
      lose_row[words - 1] &= last;
      found.lose = bit_kernels().count_ones(lose_row, words);
    } else {
      found.lose = all - found.win;
    }
    found.level = all - found.win - found.lose;
    counts[s].win += found.win * block.sets;
    counts[s].lose += found.lose * block.sets;
    counts[s].level += found.level * block.sets;
    counts[s].ended += found.ended * block.sets;
  }
}

// What has ended, or has no move.
void BitPass::judge(const Block& block, const Position& state, bool stuck, const std::vector<Word>& which, Word* win,
                    Word* saved) {
  const std::size_t pieces = (which.size() + kWordsJudged - 1) / kWordsJudged;
  for_each_index(pieces, [&](std::size_t i) {
    judge_words(block, state, stuck, i * kWordsJudged, std::min(which.size(), (i + 1) * kWordsJudged), which, win,
                saved);
  });
}

void BitPass::judge_words(const Block& block, const Position& state, bool stuck, std::size_t begin, std::size_t end,
                          const std::vector<Word>& which, Word* win, Word* saved) {
  const Rules& rules = variant_.rules();
  const auto scorer = scorers_.borrow();
  EndScorer& j = *scorer;
  const auto flush = [&] {
    j.batch.size = j.rows.size();
    if (!stuck) {
      rules.judge(j.batch, j.scratch, j.ended, j.margin);
    } else {
      score_stuck(rules, j.batch, j.scratch, j.margin);
    }
    for (std::size_t i = 0; i < j.rows.size(); ++i) {
      const Word bit = Word{1} << (j.rows[i] % 64);
      Word& won = win[j.rows[i] / 64];
      Word& kept = saved[j.rows[i] / 64];
      won = j.margin[i] > 0 ? won | bit : won & ~bit;
      kept = j.margin[i] > 0 || (j.margin[i] == 0 && saved != win) ? kept | bit : kept & ~bit;
    }
    j.rows.clear();
  };
  for (std::size_t w = begin; w < end; ++w) {
    for (Word rest = which[w]; rest != 0; rest &= rest - 1) {
      const std::uint64_t row = 64 * w + static_cast<std::uint64_t>(std::countr_zero(rest));
      j.batch.set(j.rows.size(), PlacingRules::position(block.set, deposit(row, block.set), state));
      j.rows.push_back(row);
      if (j.rows.size() == kLanes) flush();
    }
  }
  if (!j.rows.empty()) flush();
}

}  // namespace plenum
