// SPDX-License-Identifier: Apache-2.0
#include "solver/row_solver.h"

#include <algorithm>
#include <string>
#include <utility>

#include <absl/strings/str_format.h>

#include "solver/parallel.h"
#include "solver/pool.h"
#include "solver/row_stages.h"

namespace plenum {

StateBytes passed_codes(const RowGame& game, const RowTier& tier, const DenseValues& values) {
  StateBytes out(game.has_passes() ? game.states() : 0, Bytes(tier.size() * tier.positions()));
  if (out.empty()) return out;
  Pool<RowStage> stages([&] { return make_code_stage(game, values); });
  for_each_index(tier.size(), [&](std::size_t i) {
    const auto stage = stages.borrow();
    stage->evaluate(tier.block(i), {});
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
    const auto run = [&](SweepTask task) {
      task.few = options.few_changes;
      task.go_on = [&] { return !progress || progress({stones, index.boards() - end, index.boards()}); };
      const absl::StatusOr<RowCosts> spent = sweep(game, *tier, task);
      if (!spent.ok()) return spent.status();
      costs.evaluated += spent->evaluated;
      costs.mapped += spent->mapped;
      costs.most_bytes = std::max(costs.most_bytes, spent->most_bytes);
      return absl::OkStatus();
    };
    StateBytes passed;  // codes
    SweepTask task;
    task.make = [&] { return make_code_stage(game, values); };
    task.unknown = kUnresolved;
    task.bytes = &values.codes;
    task.passed = &passed;
    absl::Status done = run(task);
    StateBytes other;
    task.passed = &other;
    task.codes = &values.codes;
    task.passed_codes = &passed;
    if (done.ok() && options.facts) {
      task.make = [&] { return make_fact_stage(game, *tier, values, passed); };
      task.unknown = kRowNothingKnown;
      task.bytes = &values.facts;
      done = run(task);
    }
    if (done.ok() && options.plies) {
      task.make = [&] { return make_ply_stage(game, *tier, values, passed); };
      task.unknown = kUnknownPlies;
      task.bytes = &values.plies;
      done = run(task);
    }
    if (!done.ok()) return done;
    if (checkpoint != nullptr) {
      const absl::Status saved = save_tier(*checkpoint, piece, layers);
      if (!saved.ok()) return saved;
    }
    if (!report()) return absl::CancelledError("interrupted");
  }
  return costs;
}

}  // namespace plenum
