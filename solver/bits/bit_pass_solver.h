// SPDX-License-Identifier: Apache-2.0
// The inside of solving a game by bits: the tiers in memory, and what a thread works with. Private to solver/bits/bit_pass.cpp (tier
// after tier, memory, checkpoints) and solver/bits/bit_blocks.cpp (the boards of one set of cells).
#pragma once

#include <array>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

#include "solver/bits/bit_pass.h"
#include "solver/bits/bit_states.h"
#include "solver/dense/judged.h"
#include "solver/support/object_pool.h"
#include "tables/big_bytes.h"
#include "tables/rows/bit_map.h"

namespace plenum {

class BitPass {
 public:
  BitPass(const Variant& variant, PlacingRules rules, const Position& start, const BitOptions& options)
      : variant_(variant),
        rules_(std::move(rules)),
        start_(start),
        options_(options),
        index_(bits_index(variant, start)),
        first_stones_(std::popcount(occupied_by(start))),
        states_(find_bit_states(variant_, rules_, start)),
        workers_([this] { return std::make_unique<Worker>(rules_); }),
        scorers_([this] { return std::make_unique<EndScorer>(variant_); }),
        judged_([this] { return std::make_unique<Judged>(variant_.rules()); }) {}

  absl::StatusOr<std::shared_ptr<const BitGame>> run();

 private:
  using Word = std::uint64_t;

  // Values of a tier in one state. Without ties `lose` is empty: who does not win loses.
  struct StateBits {
    Position state;
    BigBytes win;
    BigBytes lose;
    Word* wins(std::uint64_t word) { return reinterpret_cast<Word*>(win.data()) + word; }
    Word* losses(std::uint64_t word) { return reinterpret_cast<Word*>(lose.data()) + word; }
  };

  struct Tier {
    int stones = -1;
    std::vector<StateBits> states;
    std::uint64_t words = 1;  // of a row
    std::uint64_t bytes = 0;  // of all rows, in one state; the arrays may be longer
    BlockIndex first_block = 0;

    // Of a state that is among them.
    std::size_t number_of(const Position& state) const {
      std::size_t i = 0;
      while (states[i].state.state != state.state) ++i;
      return i;
    }
    bool level() const { return !states.empty() && !states[0].lose.empty(); }
  };

  struct Counts {
    std::uint64_t win = 0;
    std::uint64_t lose = 0;
    std::uint64_t level = 0;
    std::uint64_t ended = 0;
    void add(const Counts& other) {
      win += other.win;
      lose += other.lose;
      level += other.level;
      ended += other.ended;
    }
  };

  struct Worker {
    explicit Worker(const PlacingRules& rules) : row(rules) {}
    PlacingRules::Row row;
    BitMap map;
    std::vector<std::vector<Word>> mapped_wins;  // by state of the next tier
    std::vector<std::vector<Word>> mapped_losses;
    std::vector<bool> is_mapped;
    std::vector<std::vector<Word>> win;    // by state
    std::vector<std::vector<Word>> saved;  // not lost: some move does not let the opponent win
    std::vector<std::vector<Word>> moved;
    std::vector<Word> special;      // ended, or without a move
    std::array<Word, 2> part = {};  // of a word
  };

  struct Half {
    const Word* wins = nullptr;
    const Word* losses = nullptr;  // null: who does not win loses
  };
  struct EndScorer {
    explicit EndScorer(const Variant& variant)
        : scratch(variant.rules()), batch(2, static_cast<int>(variant.rule_set().slots.size())) {
      batch.grow(kLanes);
    }
    Rules::Scratch scratch;
    PositionBatch batch;
    std::vector<std::uint64_t> rows;  // numbers in their row
    std::vector<std::uint8_t> ended;
    std::vector<std::int64_t> margin;
  };

  const States& states_with(int stones) const { return states_[static_cast<std::size_t>(stones)]; }
  ValueFn value_fn() const {
    return [this](const Position& p) { return value(p); };
  }
  // Boards with so many stones, in all states.
  std::uint64_t stored(int stones) const {
    return (std::uint64_t{block_end(stones) - index_.first_block(stones)} << stones) * states_with(stones).size();
  }
  BlockIndex block_end(int stones) const { return index_.first_block(stones + 1); }
  bool report(int stones) const { return !options_.progress || options_.progress({"solving", done_, all_, stones}); }

  void begin();
  Tier tier_with(int stones) const;  // without arrays
  absl::Status take(BigBytes& array);
  void give_back(Tier& tier);
  absl::Status begin_tier(int stones, const Tier& next, Tier& tier);
  bool may_be_level(const Tier& tier, const Tier& next);
  absl::Status solve_tier(const Tier& next, Tier& tier);
  void solve_block(BlockIndex number, const Tier& next, Tier& tier, Worker& w, std::vector<Counts>& counts);
  void add_moves(BlockIndex number, const Tier& next, const Tier& tier, Worker& w) const;
  void finish_block(BlockIndex number, const Tier& next, Tier& tier, Worker& w, std::vector<Counts>& counts);
  Half half_of(Worker& w, const Tier& next, std::size_t state, BlockIndex block, Cell cell, Player owner) const;
  static void add_replies(const Half& half, const Column& where, std::size_t words, Worker& w, std::size_t state);
  void judge(const Block& block, const Position& state, bool stuck, const std::vector<Word>& which, Word* win,
             Word* saved);
  void judge_words(const Block& block, const Position& state, bool stuck, std::size_t begin, std::size_t end,
                   const std::vector<Word>& which, Word* win, Word* saved);
  absl::Status check(int stones) const;
  bool load(int stones);
  absl::Status save() const;
  PositionValue value(const Position& position) const;

  Variant variant_;
  PlacingRules rules_;
  Position start_;
  const BitOptions& options_;
  DenseIndex index_;
  int first_stones_;
  std::vector<States> states_;  // by stones
  std::vector<BitTier> tiers_;  // from the start's stones up
  Tier next_;                   // with a stone more
  Tier tier_;                   // the last that is done
  std::uint64_t longest_ = 0;   // bytes of an array
  std::uint64_t arrays_ = 0;
  std::uint64_t scratch_ = 0;  // bytes that threads hold
  std::vector<BigBytes> spare_;
  std::uint64_t done_ = 0;  // boards, of each state
  std::uint64_t all_ = 0;
  ObjectPool<Worker> workers_;
  ObjectPool<EndScorer> scorers_;
  mutable ObjectPool<Judged> judged_;  // for value()
};

}  // namespace plenum
