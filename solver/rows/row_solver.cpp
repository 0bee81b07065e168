// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/row_solver.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <absl/strings/str_format.h>

#include "solver/rows/row_best.h"
#include "solver/rows/row_stages.h"
#include "solver/rows/tier_piece.h"
#include "solver/support/object_pool.h"
#include "solver/support/parallel.h"
#include "variants/program/kernels.h"
#include "variants/text/status_macros.h"

namespace plenum {

double default_few_changes() {
  constexpr double kFolded = 0.004;
  constexpr double kGathered = 0.06;
  return has_bit_vectors() ? kFolded : kGathered;
}

StateBytes passed_codes(const RowGame& game, const RowTier& tier, const DenseValues& values) {
  StateBytes out(game.has_passes() ? game.states() : 0, Bytes(tier.size() * tier.positions()));
  if (out.empty()) return out;
  ObjectPool<RowStage> stages([&] { return make_stage(DenseLayer::codes, game, tier, values, out, {}); });
  for_each_index(tier.size(), [&](std::size_t i) {
    const auto stage = stages.borrow();
    stage->evaluate(tier.block(i), {});
    for (std::uint32_t state = 0; state < game.states(); ++state)
      std::copy_n(stage->passed(state), tier.positions(), out[state].data() + i * tier.positions());
  });
  return out;
}

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
    const TierPiece piece = {absl::StrFormat("tier-%03d", stones), index.begin(stones), index.begin(stones + 1)};
    const BoardIndex begin = piece.begin;
    const BoardIndex end = piece.end;
    const auto report = [&] { return !progress || progress({stones, index.boards() - begin, index.boards()}); };
    if (checkpoint != nullptr && load_piece(*checkpoint, piece, layers)) {
      if (!report()) return absl::CancelledError("interrupted");
      continue;
    }
    ASSIGN_OR_RETURN(RowTier tier, RowTier::make(game, stones));
    StateBytes passed;  // codes
    StateBytes other;
    StateBytes best;
    const auto run = [&](DenseLayer layer, std::uint8_t unknown, StateBytes& bytes) -> absl::Status {
      std::optional<AddedFolds> added;
      if (options.keep_added && tier.has_cycles()) added.emplace(tier, game.states(), layer);
      SweepTask task;
      task.make = [&, layer] { return make_stage(layer, game, tier, values, passed, best, added ? &*added : nullptr); };
      task.unknown = unknown;
      task.bytes = &bytes;
      task.passed = &passed;
      if (layer != DenseLayer::codes) {
        task.passed = &other;
        task.codes = &values.codes;
        task.passed_codes = &passed;
      }
      task.few = options.few_changes;
      task.go_on = [&] { return !progress || progress({stones, index.boards() - end, index.boards()}); };
      ASSIGN_OR_RETURN(const RowCosts spent, sweep(game, tier, task));
      costs.evaluated += spent.evaluated;
      costs.mapped += spent.mapped;
      costs.most_bytes = std::max(costs.most_bytes, spent.most_bytes);
      return absl::OkStatus();
    };
    RETURN_IF_ERROR(run(DenseLayer::codes, kUnresolved, values.codes));
    if (options.facts) {
      RETURN_IF_ERROR(run(DenseLayer::facts, kRowNothingKnown, values.facts));
    }
    if (options.plies) {
      best = find_best(game, values, tier);
      RETURN_IF_ERROR(run(DenseLayer::plies, kUnknownPlies, values.plies));
    }
    if (checkpoint != nullptr) {
      RETURN_IF_ERROR(save_piece(*checkpoint, piece, layers));
    }
    if (!report()) return absl::CancelledError("interrupted");
  }
  return costs;
}

}  // namespace plenum
