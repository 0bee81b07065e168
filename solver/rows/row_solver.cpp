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

namespace {

// One tier after the other, and of each one stage after the other.
class RowTiers {
 public:
  RowTiers(const RowGame& game, const RowOptions& options, DenseValues& values, const RowProgressFn& progress)
      : game_(game), options_(options), values_(values), progress_(progress) {}

  // Asked of the root; the same on all ranks.
  bool goes_on(int stones, BoardIndex done) const {
    return !options_.ranks->any(options_.ranks->root() && !asked(stones, done));
  }
  absl::Status solve(int stones) {
    ASSIGN_OR_RETURN(RowTier tier, RowTier::make(game_, stones, *options_.ranks));
    passed_.clear();
    best_.clear();
    RETURN_IF_ERROR(run(tier, stones, DenseLayer::codes, kUnresolved, values_.codes));
    if (options_.facts) {
      RETURN_IF_ERROR(run(tier, stones, DenseLayer::facts, kRowNothingKnown, values_.facts));
    }
    if (!options_.plies) return absl::OkStatus();
    {
      const RowMirrors mirrors(tier, values_.codes, RowMirrors::Of::both);
      best_ = find_best(game_, values_, tier);
    }
    return run(tier, stones, DenseLayer::plies, kUnknownPlies, values_.plies);
  }
  const RowCosts& costs() const { return costs_; }

 private:
  bool asked(int stones, BoardIndex done) const {
    const BoardIndex all = game_.index().boards();
    return !progress_ || progress_({stones, all - done, all});
  }

  absl::Status run(const RowTier& tier, int stones, DenseLayer layer, std::uint8_t unknown, BoardBytes& bytes) {
    const RowMirrors mirrors(tier, bytes, RowMirrors::Of::next);
    StateBytes other;
    std::optional<AddedFolds> added;
    if (options_.keep_added && tier.has_cycles()) added.emplace(tier, game_.states(), layer);
    SweepTask task;
    task.make = [&, layer] {
      return make_stage(layer, game_, tier, values_, passed_, best_, added ? &*added : nullptr);
    };
    task.unknown = unknown;
    task.bytes = &bytes;
    task.passed = &passed_;
    if (layer != DenseLayer::codes) {
      task.passed = &other;
      task.codes = &values_.codes;
      task.passed_codes = &passed_;
    }
    task.few = options_.few_changes;
    task.go_on = [&] { return asked(stones, game_.index().begin(stones + 1)); };
    ASSIGN_OR_RETURN(const RowCosts spent, sweep(game_, tier, task));
    costs_.evaluated += spent.evaluated;
    costs_.mapped += spent.mapped;
    costs_.most_bytes = std::max(costs_.most_bytes, spent.most_bytes);
    return absl::OkStatus();
  }

  const RowGame& game_;
  const RowOptions& options_;
  DenseValues& values_;
  const RowProgressFn& progress_;
  StateBytes passed_;  // codes
  StateBytes best_;
  RowCosts costs_;
};

}  // namespace

absl::StatusOr<RowCosts> solve_rows(const RowGame& game, const RowOptions& options, const Checkpoint* checkpoint,
                                    DenseValues& values, const RowProgressFn& progress) {
  const DenseIndex& index = game.index();
  const auto bytes = [&](bool wanted) { return make_board_bytes(wanted ? game.states() : 0, index.boards()); };
  values.codes = bytes(true);
  values.facts = bytes(options.facts);
  values.plies = bytes(options.plies);
  NamedLayers layers = {{"codes", &values.codes}};
  if (options.facts) layers.emplace_back("facts", &values.facts);
  if (options.plies) layers.emplace_back("plies", &values.plies);
  RowTiers tiers(game, options, values, progress);
  for (int stones = index.cells(); stones >= 0; --stones) {
    if (index.first_block(stones) == index.first_block(stones + 1)) continue;
    const TierPiece piece = TierPiece::of("tier", index, stones, stones + 1, *options.ranks);
    if (checkpoint == nullptr || !load_piece(*checkpoint, piece, layers, *options.ranks)) {
      RETURN_IF_ERROR(tiers.solve(stones));
      if (checkpoint != nullptr) {
        RETURN_IF_ERROR(save_piece(*checkpoint, piece, layers, *options.ranks));
      }
    }
    if (!tiers.goes_on(stones, piece.begin)) return absl::CancelledError("interrupted");
  }
  return tiers.costs();
}

}  // namespace plenum
