// SPDX-License-Identifier: Apache-2.0
#include "solver/row_solver.h"

#include <algorithm>
#include <cstring>

#include "solver/parallel.h"
#include "solver/pool.h"
#include "solver/row_stages.h"

namespace plenum {

absl::StatusOr<RowTier> RowTier::make(const RowGame& game, int stones) {
  RowTier out;
  out.first_ = game.index().first_block(stones);
  out.blocks_.resize(game.index().first_block(stones + 1) - out.first_);
  out.readers_.resize(out.blocks_.size());
  if (!out.blocks_.empty()) {
    out.begin_ = game.index().blocks()[out.first_].base;
    out.positions_ = game.index().size(game.index().blocks()[out.first_]);
  }
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
  return out;
}

RowCosts sweep(const RowGame& game, const RowTier& tier, const MakeStage& make, std::uint8_t unknown,
               StateBytes& bytes) {
  constexpr std::size_t kStagedBytes = std::size_t{1} << 20;
  constexpr std::size_t kMostStaged = 64;
  RowCosts costs;
  costs.most_bytes = tier.bytes();
  const std::uint32_t states = game.states();
  const std::size_t size = tier.positions();
  const auto at = [&](std::uint32_t state, std::size_t block) {
    return bytes[state].data() + tier.begin() + block * size;
  };
  for (std::uint32_t state = 0; state < states; ++state) std::fill_n(at(state, 0), tier.size() * size, unknown);

  // Blocks are evaluated some at a time, from the table as it is; then what has changed is entered.
  const std::size_t staged = std::clamp<std::size_t>(kStagedBytes / (size * states), 4, kMostStaged);
  std::vector<Bytes> fresh(staged, Bytes(size * states));
  std::vector<std::uint8_t> changed(staged);
  std::vector<std::uint8_t> dirty(tier.size(), 1);
  std::vector<std::uint32_t> chosen;
  Pool<RowStage> stages(make);
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
        const auto stage = stages.borrow();
        stage->evaluate(tier.block(chosen[k]));
        bool differs = false;
        for (std::uint32_t state = 0; state < states; ++state) {
          std::uint8_t* const to = fresh[k].data() + state * size;
          std::reverse_copy(stage->result(state), stage->result(state) + size, to);
          differs = differs || std::memcmp(to, at(state, chosen[k]), size) != 0;
        }
        changed[k] = differs ? 1 : 0;
      });
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        costs.evaluated += size * states;
        costs.mapped += size * states * tier.block(chosen[k]).moves.moves.size();
        if (changed[k] == 0) continue;
        for (std::uint32_t state = 0; state < states; ++state)
          std::memcpy(at(state, chosen[k]), fresh[k].data() + state * size, size);
        for (const std::uint32_t reader : tier.readers(chosen[k])) {
          dirty[reader] = 1;
          again = true;
        }
      }
    }
  }
  return costs;
}

StateBytes passed_codes(const RowGame& game, const RowTier& tier, const DenseValues& values) {
  StateBytes out(game.has_passes() ? game.states() : 0, Bytes(tier.size() * tier.positions()));
  if (out.empty()) return out;
  Pool<RowStage> stages([&] { return make_code_stage(game, values); });
  for_each_index(tier.size(), [&](std::size_t i) {
    const auto stage = stages.borrow();
    stage->evaluate(tier.block(i));
    for (std::uint32_t state = 0; state < game.states(); ++state)
      std::copy_n(stage->passed(state), tier.positions(), out[state].data() + i * tier.positions());
  });
  return out;
}

absl::StatusOr<RowCosts> solve_rows(const RowGame& game, const RowOptions& options, DenseValues& values,
                                    const RowProgressFn& progress) {
  const DenseIndex& index = game.index();
  const auto allocate = [&](StateBytes& bytes, bool wanted) {
    bytes.assign(wanted ? game.states() : 0, {});
    for (Bytes& b : bytes) b.resize(index.boards());
  };
  allocate(values.codes, true);
  allocate(values.facts, options.facts);
  allocate(values.plies, options.plies);
  RowCosts costs;
  for (int stones = index.cells(); stones >= 0; --stones) {
    const absl::StatusOr<RowTier> tier = RowTier::make(game, stones);
    if (!tier.ok()) return tier.status();
    if (tier->size() == 0) continue;
    const auto run = [&](const MakeStage& make, std::uint8_t unknown, StateBytes& bytes) {
      const RowCosts spent = sweep(game, *tier, make, unknown, bytes);
      costs.evaluated += spent.evaluated;
      costs.mapped += spent.mapped;
      costs.most_bytes = std::max(costs.most_bytes, spent.most_bytes);
    };
    run([&] { return make_code_stage(game, values); }, kUnresolved, values.codes);
    if (options.facts || options.plies) {
      const StateBytes passed = passed_codes(game, *tier, values);
      if (options.facts)
        run([&] { return make_fact_stage(game, *tier, values, passed); }, kRowNothingKnown, values.facts);
      if (options.plies) {
        run([&] { return make_ply_stage(game, *tier, values, passed); }, kUnknownPlies, values.plies);
        for (const Bytes& plies : values.plies) {
          const auto begin = plies.begin() + static_cast<std::ptrdiff_t>(tier->begin());
          if (std::find(begin, begin + static_cast<std::ptrdiff_t>(tier->size() * tier->positions()), kUnknownPlies) !=
              begin + static_cast<std::ptrdiff_t>(tier->size() * tier->positions()))
            return absl::OutOfRangeError("some positions are more than 253 plies from the end");
        }
      }
    }
    if (progress && !progress({stones, index.boards() - tier->begin(), index.boards()}))
      return absl::CancelledError("interrupted");
  }
  return costs;
}

}  // namespace plenum
