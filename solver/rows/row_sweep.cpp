// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/row_sweep.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "solver/rows/code_rows.h"
#include "solver/support/object_pool.h"
#include "solver/support/parallel.h"
#include "variants/board/bits.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kWordBits = 64;
// Whole blocks are evaluated faster than such a part of their rows one by one: where rows are folded in as they are read, and where not.
constexpr std::size_t kManyFolded = 100;
constexpr std::size_t kManyRows = 10;

std::uint64_t reversed_edges(std::uint64_t word) {
  for (std::size_t k = 0; k < kAxisBits.size(); ++k)
    word = (word & kAxisBits[k]) >> (1U << k) | (word & ~kAxisBits[k]) << (1U << k);
  return word;
}

// Adds the rows after a pass, which are numbered backwards.
void add_backwards(std::uint64_t* words, std::size_t rows) {
  if (rows < kWordBits) {
    *words |= reversed_edges(*words) >> (kWordBits - rows);
    return;
  }
  const std::size_t n = rows / kWordBits;
  for (std::size_t w = 0; w < n / 2; ++w) {
    words[w] |= reversed_edges(words[n - 1 - w]);
    words[n - 1 - w] = reversed_edges(words[w]);
  }
  if (n == 1) words[0] |= reversed_edges(words[0]);
}

std::size_t count_different(const std::uint8_t* a, const std::uint8_t* b, std::size_t n) {
  constexpr std::size_t kPiece = 128;  // so that a byte can count
  std::size_t out = 0;
  for (std::size_t begin = 0; begin < n; begin += kPiece) {
    const std::size_t end = std::min(n, begin + kPiece);
    std::uint8_t some = 0;
    for (std::size_t i = begin; i < end; ++i) some = static_cast<std::uint8_t>(some + (a[i] != b[i] ? 1 : 0));
    out += some;
  }
  return out;
}

class Sweep {
 public:
  Sweep(const RowGame& game, const RowTier& tier, const SweepTask& task)
      : game_(game),
        tier_(tier),
        task_(task),
        bytes_(*task.bytes),
        passed_(*task.passed),
        states_(game.states()),
        size_(tier.positions()),
        words_(std::max<std::size_t>(1, size_ / kWordBits)),
        dirty_(tier.size(), 1),
        stages_(task.make) {
    for (Bytes& b : bytes_)
      std::fill_n(b.begin() + static_cast<std::ptrdiff_t>(tier.begin()), tier.size() * size_, task.unknown);
    passed_.assign(game.has_passes() ? states_ : 0, Bytes(tier.size() * size_, task.unknown));
  }

  absl::StatusOr<RowCosts> run() {
    const auto all = static_cast<double>(tier_.size() * size_ * states_);
    double changed = all;
    while (changed > task_.few * all) {
      if (!evaluate_blocks(false, changed)) return absl::CancelledError("interrupted");
    }
    changes_.resize(tier_.size());
    asked_.assign(tier_.size() * words_, 0);
    if (!evaluate_blocks(true, changed)) return absl::CancelledError("interrupted");
    for (follow_back(); any_asked(); follow_back()) {
      if (!task_.go_on()) return absl::CancelledError("interrupted");
      evaluate_asked();
    }
    return costs_;
  }

 private:
  struct Change {
    std::uint32_t state = 0;
    std::uint32_t board = 0;  // of its block
    std::uint8_t was = 0;
    std::uint8_t is = 0;
  };

  std::uint8_t* at(std::uint32_t state, std::size_t block) const {
    return bytes_[state].data() + tier_.begin() + block * size_;
  }
  const ValueByte* codes(std::uint32_t state, std::size_t block) const {
    return (task_.codes != nullptr ? *task_.codes : bytes_)[state].data() + tier_.begin() + block * size_;
  }
  const ValueByte* passed_codes(std::uint32_t state, std::size_t block) const {
    return (task_.passed_codes != nullptr ? *task_.passed_codes : passed_)[state].data() + block * size_;
  }
  void spent(std::size_t block, std::size_t rows) {
    costs_.evaluated += rows * states_;
    costs_.mapped += rows * states_ * tier_.block(block).moves.moves.size();
  }

  // Once over the blocks that are dirty, some at a time: from the table as it is; then what has changed is entered.
  bool evaluate_blocks(bool listed, double& all_changed) {
    constexpr std::size_t kStagedBytes = std::size_t{1} << 20;
    constexpr std::size_t kMostStaged = 64;
    const std::size_t staged = std::clamp<std::size_t>(kStagedBytes / (size_ * states_), 4, kMostStaged);
    fresh_.resize(staged, Bytes(size_ * states_));
    std::vector<std::size_t> changed(staged);
    std::vector<std::uint32_t> chosen;
    all_changed = 0;
    for (std::size_t next = 0; next < tier_.size();) {
      if (!task_.go_on()) return false;
      chosen.clear();
      for (; next < tier_.size() && chosen.size() < staged; ++next) {
        if (dirty_[next] == 0) continue;
        dirty_[next] = 0;
        chosen.push_back(static_cast<std::uint32_t>(next));
      }
      for_each_index(chosen.size(), [&](std::size_t k) {
        const std::uint32_t block = chosen[k];
        const auto stage = stages_.borrow();
        stage->evaluate(tier_.block(block), {});
        changed[k] = 0;
        for (std::uint32_t state = 0; state < states_; ++state) {
          std::uint8_t* const to = fresh_[k].data() + state * size_;
          code_rows().reverse(stage->result(state), size_, to);
          changed[k] += count_different(to, at(state, block), size_);
          if (!passed_.empty()) std::memcpy(passed_[state].data() + block * size_, stage->passed(state), size_);
          for (std::size_t board = 0; listed && board < size_; ++board)
            list(block, state, board, at(state, block)[board], to[board]);
        }
      });
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        spent(chosen[k], size_);
        if (changed[k] == 0) continue;
        all_changed += static_cast<double>(changed[k]);
        for (std::uint32_t state = 0; state < states_; ++state)
          std::memcpy(at(state, chosen[k]), fresh_[k].data() + state * size_, size_);
        for (const std::uint32_t reader : tier_.readers(chosen[k])) dirty_[reader] = 1;
      }
    }
    return true;
  }

  void list(std::uint32_t block, std::uint32_t state, std::size_t board, std::uint8_t was, std::uint8_t is) {
    if (was != is) changes_[block].push_back({state, static_cast<std::uint32_t>(board), was, is});
  }

  bool any_asked() const { return std::find(dirty_.begin(), dirty_.end(), 1) != dirty_.end(); }

  // Once over the rows asked for, from the table as it is; then what has changed is entered.
  void evaluate_asked() {
    std::vector<std::uint32_t> chosen;
    for (std::size_t i = 0; i < tier_.size(); ++i) {
      if (dirty_[i] != 0) chosen.push_back(static_cast<std::uint32_t>(i));
    }
    std::vector<std::size_t> evaluated(chosen.size());
    for_each_index(chosen.size(), [&](std::size_t k) { evaluated[k] = evaluate_asked(chosen[k]); });
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      spent(chosen[k], evaluated[k]);
      for (const Change& c : changes_[chosen[k]]) at(c.state, chosen[k])[c.board] = c.is;
    }
  }

  std::size_t evaluate_asked(std::uint32_t block) {
    std::uint64_t* const asked = asked_.data() + block * words_;
    if (!passed_.empty()) add_backwards(asked, size_);
    std::vector<std::uint32_t> rows;
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t rest = asked[w]; rest != 0; rest &= rest - 1)
        rows.push_back(static_cast<std::uint32_t>(w * kWordBits + static_cast<std::size_t>(std::countr_zero(rest))));
    }
    const auto stage = stages_.borrow();
    const bool all = rows.size() > size_ / (tier_.block(block).folds.empty() ? kManyRows : kManyFolded);
    stage->evaluate(tier_.block(block), all ? std::span<const std::uint32_t>() : rows);
    for (const std::uint32_t row : rows) {
      const std::size_t board = size_ - 1 - row;
      for (std::uint32_t state = 0; state < states_; ++state) {
        list(block, state, board, at(state, block)[board], stage->result(state)[row]);
        if (!passed_.empty()) passed_[state][block * size_ + row] = stage->passed(state)[row];
      }
    }
    return all ? size_ : rows.size();
  }

  // Asks for the rows that what has changed leads back to.
  void follow_back() {
    std::fill(asked_.begin(), asked_.end(), 0);
    for_each_index(tier_.size(), [&](std::size_t i) {
      dirty_[i] = 0;
      const RowBlock& rows = tier_.block(i);
      const auto stage = stages_.borrow();
      for (std::size_t m = 0; m < rows.moves.moves.size(); ++m) {
        const BlockIndex target = rows.target[m] - tier_.first();
        if (target < tier_.size() && !changes_[target].empty()) follow_back(i, m, target, *stage);
      }
    });
    for (auto& changes : changes_) changes.clear();
  }

  void follow_back(std::size_t block, std::size_t move, std::size_t target, const RowStage& stage) {
    const RowBlock& rows = tier_.block(block);
    const RowsBefore before(rows.bits[move]);
    for (const Change& c : changes_[target]) {
      before(c.board, [&](std::uint32_t row) {
        const RowStage::Change change = {c.was, c.is, codes(c.state, target)[c.board]};
        for (std::uint32_t state = 0; state < states_; ++state) {
          if (game_.next_state(rows.moves.moves[move].rule, state) != c.state) continue;
          if ((rows.where(move, state)[row / kWordBits] >> (row % kWordBits) & 1) == 0) continue;
          if (!touches(stage, change, block, state, row)) continue;
          asked_[block * words_ + row / kWordBits] |= std::uint64_t{1} << (row % kWordBits);
          dirty_[block] = 1;
        }
      });
    }
  }

  bool touches(const RowStage& stage, const RowStage::Change& change, std::size_t block, std::uint32_t state,
               std::size_t row) const {
    const std::size_t board = size_ - 1 - row;
    if (stage.touched(change, at(state, block)[board], codes(state, block)[board])) return true;
    return !passed_.empty() &&
           stage.touched(change, passed_[state][block * size_ + row], passed_codes(state, block)[row]);
  }

  const RowGame& game_;
  const RowTier& tier_;
  const SweepTask& task_;
  StateBytes& bytes_;
  StateBytes& passed_;
  std::uint32_t states_;
  std::size_t size_;
  std::size_t words_;                // of rows of a block
  std::vector<std::uint8_t> dirty_;  // by block
  // When changes are followed back:
  std::vector<std::uint64_t> asked_;          // rows, by block
  std::vector<std::vector<Change>> changes_;  // by block
  std::vector<Bytes> fresh_;
  ObjectPool<RowStage> stages_;
  RowCosts costs_;
};

}  // namespace

absl::StatusOr<RowTier> RowTier::make(const RowGame& game, int stones) {
  RowTier out;
  out.first_ = game.index().first_block(stones);
  out.blocks_.resize(game.index().first_block(stones + 1) - out.first_);
  out.readers_.resize(out.blocks_.size());
  if (!out.blocks_.empty()) {
    out.begin_ = game.index().blocks()[out.first_].base;
    out.positions_ = game.index().size(game.index().blocks()[out.first_]);
  }
  ObjectPool<RowGame::Worker> workers([&] { return std::make_unique<RowGame::Worker>(game); });
  std::vector<absl::Status> status(out.blocks_.size());
  for_each_index(out.blocks_.size(), [&](std::size_t i) {
    const auto worker = workers.borrow();
    status[i] = game.build(out.first_ + static_cast<BlockIndex>(i), *worker, out.blocks_[i]);
    out.blocks_[i].moves.legal.shrink_to_fit();
  });
  for (const absl::Status& s : status) RETURN_IF_ERROR(s);
  for (std::uint32_t i = 0; i < out.blocks_.size(); ++i) {
    out.bytes_ += out.blocks_[i].bytes();
    for (const BlockIndex target : out.blocks_[i].target) {
      if (target < out.first_ || target >= out.first_ + out.blocks_.size()) continue;
      std::vector<std::uint32_t>& readers = out.readers_[target - out.first_];
      if (readers.empty() || readers.back() != i) readers.push_back(i);
    }
  }
  return out;
}

absl::StatusOr<RowCosts> sweep(const RowGame& game, const RowTier& tier, const SweepTask& task) {
  ASSIGN_OR_RETURN(RowCosts out, Sweep(game, tier, task).run());
  out.most_bytes = tier.bytes();
  return out;
}

}  // namespace plenum
