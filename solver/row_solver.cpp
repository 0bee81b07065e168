// SPDX-License-Identifier: Apache-2.0
#include "solver/row_solver.h"

#include <algorithm>
#include <cstring>

#include "solver/code_rows.h"
#include "solver/parallel.h"
#include "solver/pool.h"

namespace plenum {
namespace {

constexpr std::size_t kPad = 64;  // rows are read and written in steps of so many bytes

std::size_t padded(std::size_t n) { return (n + kPad - 1) / kPad * kPad; }

}  // namespace

void RowEvaluator::evaluate(const RowBlock& rows, const DenseValues& values) {
  const DenseIndex& index = game_.index();
  const std::size_t size = rows.moves.positions;
  const std::uint32_t states = game_.states();
  row_.resize(std::max(row_.size(), padded(size)));
  for (auto* list : {&least_, &all_, &codes_, &passed_}) {
    list->resize(states);
    for (auto& codes : *list) codes.resize(std::max(codes.size(), padded(size)));
  }
  for (std::uint32_t state = 0; state < states; ++state) {
    std::fill_n(least_[state].begin(), padded(size), kNoSuccessor);
    std::fill_n(all_[state].begin(), padded(size), kNoSuccessor);
  }
  const auto source = [&](std::size_t m, std::uint32_t state) {
    return values.codes[game_.next_state(rows.moves.moves[m].rule, state)].data() + index.blocks()[rows.target[m]].base;
  };
  for (std::size_t m = 0; m < rows.moves.moves.size(); ++m) {
    if (m + 1 < rows.moves.moves
                    .size()) {  // the next row comes from anywhere in memory, and in no order the processor would guess
      for (std::uint32_t state = 0; state < states; ++state) {
        const DenseCode* const next = source(m + 1, state);
        const std::size_t bytes = std::size_t{1} << rows.bits[m + 1].inputs;
        for (std::size_t at = 0; at < bytes; at += 64) __builtin_prefetch(next + at);
      }
    }
    const RowMap map(rows.bits[m]);
    const std::uint64_t* const legal = rows.moves.legal.data() + m * rows.moves.words;
    for (std::uint32_t state = 0; state < states; ++state) {
      map.gather(source(m, state), row_.data(), rows.sparse[m] ? legal : nullptr);
      lower_row(row_.data(), legal, size, least_[state].data(), all_[state].data());
    }
  }
  if (game_.has_passes()) {
    const auto pass = static_cast<std::size_t>(game_.rules().pass_rule());
    const std::uint64_t* const may = rows.moves.passes.data();
    for (std::uint32_t state = 0; state < states; ++state) {
      std::vector<DenseCode>& least = codes_[state];  // until the codes are known
      all_after_.assign(all_[state].begin(), all_[state].begin() + static_cast<std::ptrdiff_t>(padded(size)));
      std::copy_n(least_[state].begin(), padded(size), least.begin());
      lower_row(rows.pass_ends[state].data(), may, size, least.data(), all_after_.data());
      close_row(least.data(), all_after_.data(), size, passed_[state].data());
    }
    // A pass leads to the same stones, seen by the other player: the row's complement.
    for (std::uint32_t state = 0; state < states; ++state) {
      lower_reversed(passed_[game_.next_state(pass, state)].data(), may, size, least_[state].data(),
                     all_[state].data());
    }
  }
  for (std::uint32_t state = 0; state < states; ++state) {
    DenseCode* const to = codes_[state].data();
    close_row(least_[state].data(), all_[state].data(), size, to);
    if (rows.ends.empty() || rows.ends[state].empty()) continue;
    const DenseCode* const ends = rows.ends[state].data();
    for (std::size_t i = 0; i < size; ++i) to[i] = ends[i] != 0 ? ends[i] : to[i];
  }
}

absl::StatusOr<RowTier> RowTier::make(const RowGame& game, int stones, std::uint64_t memory_bytes) {
  RowTier out;
  out.first_ = game.index().first_block(stones);
  out.blocks_.resize(game.index().first_block(stones + 1) - out.first_);
  out.readers_.resize(out.blocks_.size());
  Pool<RowGame::Worker> workers([&] { return std::make_unique<RowGame::Worker>(game); });
  std::vector<absl::Status> status(out.blocks_.size());
  for_each_index(out.blocks_.size(), [&](std::size_t i) {
    const auto worker = workers.borrow();
    status[i] = game.build(out.first_ + static_cast<BlockIndex>(i), *worker, out.blocks_[i]);
    out.blocks_[i].moves.legal.shrink_to_fit();
  });
  for (const absl::Status& s : status) {
    if (!s.ok()) return s;
  }
  for (std::uint32_t i = 0; i < out.blocks_.size(); ++i) {
    out.bytes_ += out.blocks_[i].bytes();
    for (const BlockIndex target : out.blocks_[i].target) {
      if (target < out.first_ || target >= out.first_ + out.blocks_.size()) continue;
      std::vector<std::uint32_t>& readers = out.readers_[target - out.first_];
      if (readers.empty() || readers.back() != i) readers.push_back(i);
    }
  }
  static_cast<void>(memory_bytes);
  return out;
}

RowCosts solve_tier(const RowGame& game, const RowTier& tier, DenseValues& values) {
  constexpr std::size_t kStagedBytes = std::size_t{1} << 20;
  constexpr std::size_t kMostStaged = 64;
  RowCosts costs;
  costs.most_bytes = tier.bytes();
  const DenseIndex& index = game.index();
  if (tier.size() == 0) return costs;
  const std::uint32_t states = game.states();
  const std::size_t size = tier.block(0).moves.positions;
  const BoardIndex begin = index.blocks()[tier.first()].base;
  for (std::uint32_t state = 0; state < states; ++state)
    std::fill_n(values.codes[state].begin() + static_cast<std::ptrdiff_t>(begin), tier.size() * size, kUnresolved);

  // Blocks are evaluated some at a time, from the table as it is; then what has changed is entered.
  const std::size_t staged = std::clamp<std::size_t>(kStagedBytes / (size * states), 4, kMostStaged);
  std::vector<std::vector<DenseCode>> fresh(staged, std::vector<DenseCode>(size * states));
  std::vector<std::uint8_t> changed(staged);
  std::vector<std::uint8_t> dirty(tier.size(), 1);
  std::vector<std::uint32_t> chosen;
  Pool<RowEvaluator> evaluators([&] { return std::make_unique<RowEvaluator>(game); });
  for (bool again = true; again;) {
    again = false;
    for (std::size_t next = 0; next < tier.size();) {
      chosen.clear();
      for (; next < tier.size() && chosen.size() < staged; ++next) {
        if (dirty[next] == 0) continue;
        dirty[next] = 0;
        chosen.push_back(static_cast<std::uint32_t>(next));
      }
      for_each_index(chosen.size(), [&](std::size_t k) {
        const auto evaluator = evaluators.borrow();
        const RowBlock& rows = tier.block(chosen[k]);
        evaluator->evaluate(rows, values);
        bool differs = false;
        for (std::uint32_t state = 0; state < states; ++state) {
          DenseCode* const to = fresh[k].data() + state * size;
          std::reverse_copy(evaluator->codes(state), evaluator->codes(state) + size, to);
          differs = differs || std::memcmp(to, values.codes[state].data() + index.blocks()[rows.block].base, size) != 0;
        }
        changed[k] = differs ? 1 : 0;
      });
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        const RowBlock& rows = tier.block(chosen[k]);
        costs.evaluated += size * states;
        costs.mapped += size * states * rows.moves.moves.size();
        if (changed[k] == 0) continue;
        for (std::uint32_t state = 0; state < states; ++state)
          std::memcpy(values.codes[state].data() + index.blocks()[rows.block].base, fresh[k].data() + state * size,
                      size);
        for (const std::uint32_t reader : tier.readers(chosen[k])) {
          dirty[reader] = 1;
          again = true;
        }
      }
    }
  }
  return costs;
}

absl::StatusOr<RowCosts> solve_rows(const RowGame& game, std::uint64_t memory_bytes, DenseValues& values,
                                    const RowProgressFn& progress) {
  const DenseIndex& index = game.index();
  values.codes.resize(game.states());
  for (auto& codes : values.codes) codes.assign(index.boards(), kUnresolved);
  RowCosts costs;
  for (int stones = index.cells(); stones >= 0; --stones) {
    const absl::StatusOr<RowTier> tier = RowTier::make(game, stones, memory_bytes);
    if (!tier.ok()) return tier.status();
    const RowCosts of_tier = solve_tier(game, *tier, values);
    costs.evaluated += of_tier.evaluated;
    costs.mapped += of_tier.mapped;
    costs.most_bytes = std::max(costs.most_bytes, of_tier.most_bytes);
    if (progress &&
        !progress({stones, index.boards() - index.blocks()[index.first_block(stones)].base, index.boards()}))
      return absl::CancelledError("interrupted");
  }
  return costs;
}

}  // namespace plenum
