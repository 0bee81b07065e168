// SPDX-License-Identifier: Apache-2.0
#include "solver/row_solver.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include <absl/strings/str_format.h>

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

absl::StatusOr<RowCosts> sweep(const RowGame& game, const RowTier& tier, const MakeStage& make, std::uint8_t unknown,
                               const std::function<bool()>& go_on, StateBytes& bytes) {
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
      if (!go_on()) return absl::CancelledError("interrupted");
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

namespace {

// The bytes of one tier: of each layer, the states one after the other.
struct TierPiece {
  std::string name;
  BoardIndex begin = 0;
  BoardIndex boards = 0;
};

using NamedLayers = std::vector<std::pair<std::string, StateBytes*>>;

bool load_tier(const Checkpoint& checkpoint, const TierPiece& tier, const NamedLayers& layers) {
  const auto piece = checkpoint.load(tier.name);
  if (!piece) return false;
  for (const auto& [name, bytes] : layers) {
    const auto layer = (*piece)->find_layer(name);
    if (!layer || (*piece)->layers()[*layer].bytes != tier.boards * bytes->size()) return false;
    for (std::size_t state = 0; state < bytes->size(); ++state) {
      const std::span<std::uint8_t> to((*bytes)[state].data() + tier.begin, tier.boards);
      if (!(*piece)->read(*layer, state * tier.boards, to).ok()) return false;
    }
  }
  return true;
}

absl::Status save_tier(const Checkpoint& checkpoint, const TierPiece& tier, const NamedLayers& layers) {
  std::vector<Bytes> copies;
  copies.reserve(layers.size());
  std::vector<Checkpoint::Layer> pieces;
  for (const auto& [name, bytes] : layers) {
    Bytes& copy = copies.emplace_back();
    for (const Bytes& of_state : *bytes) {
      const auto from = of_state.begin() + static_cast<std::ptrdiff_t>(tier.begin);
      copy.insert(copy.end(), from, from + static_cast<std::ptrdiff_t>(tier.boards));
    }
    pieces.push_back({name, copy});
  }
  return checkpoint.save(tier.name, tier.name, pieces);
}

}  // namespace

absl::StatusOr<RowCosts> solve_rows(const RowGame& game, const RowOptions& options, const Checkpoint* checkpoint,
                                    DenseValues& values, const RowProgressFn& progress) {
  const DenseIndex& index = game.index();
  const auto allocate = [&](StateBytes& bytes, bool wanted) {
    bytes.assign(wanted ? game.states() : 0, {});
    for (Bytes& b : bytes) b.resize(index.boards());
  };
  allocate(values.codes, true);
  allocate(values.facts, options.facts);
  allocate(values.plies, options.plies);
  NamedLayers layers = {{"codes", &values.codes}};
  if (options.facts) layers.emplace_back("facts", &values.facts);
  if (options.plies) layers.emplace_back("plies", &values.plies);
  RowCosts costs;
  for (int stones = index.cells(); stones >= 0; --stones) {
    const BlockIndex first = index.first_block(stones);
    if (first == index.first_block(stones + 1)) continue;
    const BoardIndex begin = index.blocks()[first].base;
    const BoardIndex end =
        stones == index.cells() ? index.boards() : index.blocks()[index.first_block(stones + 1)].base;
    const TierPiece piece = {absl::StrFormat("tier-%03d", stones), begin, end - begin};
    const auto report = [&] { return !progress || progress({stones, index.boards() - begin, index.boards()}); };
    if (checkpoint != nullptr && load_tier(*checkpoint, piece, layers)) {
      if (!report()) return absl::CancelledError("interrupted");
      continue;
    }
    const absl::StatusOr<RowTier> tier = RowTier::make(game, stones);
    if (!tier.ok()) return tier.status();
    const auto run = [&](const MakeStage& make, std::uint8_t unknown, StateBytes& bytes) {
      const absl::StatusOr<RowCosts> spent = sweep(
          game, *tier, make, unknown,
          [&] {
            return !progress || progress({stones, index.boards() - end, index.boards()});
          },
          bytes);
      if (!spent.ok()) return spent.status();
      costs.evaluated += spent->evaluated;
      costs.mapped += spent->mapped;
      costs.most_bytes = std::max(costs.most_bytes, spent->most_bytes);
      return absl::OkStatus();
    };
    absl::Status done = run([&] { return make_code_stage(game, values); }, kUnresolved, values.codes);
    if (!done.ok()) return done;
    if (options.facts || options.plies) {
      const StateBytes passed = passed_codes(game, *tier, values);
      if (options.facts)
        done = run([&] { return make_fact_stage(game, *tier, values, passed); }, kRowNothingKnown, values.facts);
      if (!done.ok()) return done;
      if (options.plies) {
        done = run([&] { return make_ply_stage(game, *tier, values, passed); }, kUnknownPlies, values.plies);
        if (!done.ok()) return done;
        for (const Bytes& plies : values.plies) {
          const auto begin = plies.begin() + static_cast<std::ptrdiff_t>(tier->begin());
          if (std::find(begin, begin + static_cast<std::ptrdiff_t>(tier->size() * tier->positions()), kUnknownPlies) !=
              begin + static_cast<std::ptrdiff_t>(tier->size() * tier->positions()))
            return absl::OutOfRangeError("some positions are more than 253 plies from the end");
        }
      }
    }
    if (checkpoint != nullptr) {
      const absl::Status saved = save_tier(*checkpoint, piece, layers);
      if (!saved.ok()) return saved;
    }
    if (!report()) return absl::CancelledError("interrupted");
  }
  return costs;
}

}  // namespace plenum
