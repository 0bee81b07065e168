// SPDX-License-Identifier: Apache-2.0
#include "solver/method/dense_methods.h"

#include <map>
#include <utility>

#include <absl/strings/str_cat.h>

#include "solver/method/all_methods.h"
#include "solver/one_pass/one_pass.h"
#include "solver/rows/dense_rows.h"
#include "solver/support/memory.h"

namespace plenum {
namespace {

class DenseResult final : public Result {
 public:
  DenseResult(Summary summary, std::shared_ptr<const DenseGame> game, std::uint64_t table_bytes)
      : Result(std::move(summary)), game_(std::move(game)), table_bytes_(table_bytes) {}

  absl::StatusOr<PositionValue> value(const Position& position) const override { return game_->value(position); }
  absl::StatusOr<bool> reachable(const Position& position) const override { return game_->reachable(position); }
  std::uint64_t bytes() const override {
    std::uint64_t out = index().bytes() + table_bytes_;
    const auto* held = dynamic_cast<const HeldBytes*>(&game_->bytes());
    for (std::size_t i = 0; held != nullptr && i < kDenseLayerNames.size(); ++i) {
      for (const auto& part : held->of(static_cast<DenseLayer>(i))) out += part.size();
    }
    return out;
  }
  std::size_t parts() const override { return index().blocks().size(); }
  absl::Status each(std::size_t part, const VisitFn& visit) const override;
  TableShape shape() const override { return {game_->index().boards(), game_->index().layers()}; }
  absl::Status write_layers(const LayerSink& sink) const override {
    return plenum::write_layers(game_->bytes(), [&](DenseLayer layer, std::span<const std::uint8_t> bytes) {
      return sink(kDenseLayerNames[static_cast<std::size_t>(layer)], bytes);
    });
  }

 private:
  const DenseIndex& index() const { return game_->index(); }
  std::shared_ptr<const DenseGame> game_;
  std::uint64_t table_bytes_;  // of its table that are held in memory
};

// The boards of one class of sets, in all layers: each stands for one position on each set of the class, and where the players are
// exchanged for as many of the second.
absl::Status DenseResult::each(std::size_t part, const VisitFn& visit) const {
  const Block& block = index().blocks()[part];
  const SymmetryGroup& symmetries = variant().symmetries();
  const Folding& folding = index().folding();
  std::map<CellSet, GroupElement> from_block;
  for (const GroupElement g : folding.plain) {
    const CellSet set = symmetries.apply(g, block.set);
    from_block.emplace(set, symmetries.group().inverse(index().to_block(set)));
  }
  const auto show = [&](const Position& position) -> absl::Status {
    const absl::StatusOr<std::optional<PositionValue>> value = reachable_value(position);
    if (!value.ok()) return value.status();
    if (*value) visit({position, **value});
    return absl::OkStatus();
  };
  for (std::uint32_t layer = 0; layer < index().layers(); ++layer) {
    for (BoardIndex board = block.base; board < block.base + index().size(block); ++board) {
      const Position numbered = index().position({layer, board});
      for (const auto& [set, g] : from_block) {
        const Position position = symmetries.apply(g, numbered);
        absl::Status done = show(position);
        if (done.ok() && folding.exchange != kIdentity)
          done = show(symmetries.apply(symmetries.group().inverse(folding.exchange), position));
        if (!done.ok()) return done;
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

Estimate estimate_of(const DensePrediction& p) {
  return {static_cast<double>(p.boards), static_cast<double>(p.bytes), static_cast<double>(p.table_bytes),
          p.cpu_seconds, false};
}

DenseOptions dense_options(const Request& request) {
  DenseOptions out;
  out.remoteness = request.wanted.remoteness;
  out.memory_bytes = request.free_bytes();
  out.checkpoint = request.checkpoint;
  out.progress = [&request](const DenseProgress& p) {
    return !request.progress || request.progress({p.what, p.boards, p.of, boards_at_hand(p.stones)});
  };
  return out;
}

absl::StatusOr<std::shared_ptr<const Result>> DenseMethodBase::solve(const Game& game, const Request& request) const {
  absl::StatusOr<std::shared_ptr<const DenseGame>> solved = solve_dense(game, method_, dense_options(request));
  if (!solved.ok()) return solved.status();
  Summary summary = (*solved)->summary();
  summary.remoteness_known = request.wanted.remoteness;
  return std::make_shared<const DenseResult>(std::move(summary), *std::move(solved), 0);
}

absl::StatusOr<std::shared_ptr<const Result>> DenseMethodBase::open(const Game& game,
                                                                    std::shared_ptr<TableReader> table, Summary summary,
                                                                    const Request& request) const {
  // Whoever looks at all positions has them in memory if there is room: one by one they would be unpacked again and again.
  if (request.wanted.scan && base_memory() + table->layer_bytes() <= request.free_bytes()) {
    if (absl::Status held = table->hold(); !held.ok()) return held;
  }
  const std::uint64_t held = table->holds() ? table->layer_bytes() : 0;
  absl::StatusOr<std::shared_ptr<const DenseGame>> opened = open_dense(game, method_, std::move(table));
  if (!opened.ok()) return opened.status();
  return std::make_shared<const DenseResult>(std::move(summary), *std::move(opened), held);
}

absl::StatusOr<Verification> DenseMethodBase::verify(const Game& game, const TableReader& table, const Result& opened,
                                                     const Request& request) const {
  absl::StatusOr<Verification> out = verify_table(game.variant(), table, verify_options(request));
  if (!out.ok()) return out;
  Summary& summary = out->summary.emplace();
  summary.variant = opened.summary().variant;
  summary.method = opened.summary().method;
  summary.start = game.start();
  summary.statistics = out->reachable;
  summary.whole_board = out->whole_board;
  summary.stored = out->positions;
  summary.remoteness_known = out->remoteness;
  summary.facts_known = out->one_pass || out->facts;
  if (absl::Status read = read_start_again(opened, summary); !read.ok()) return read;
  return out;
}

absl::StatusOr<DenseMethod> dense_method(const Game& game) {
  if (game.rows().ok()) return DenseMethod::rows;
  const std::optional<std::string> obstacle = one_pass_obstacle(game.variant());
  if (!obstacle) return DenseMethod::one_pass;
  return absl::UnimplementedError(absl::StrCat("not by rows, as ", std::string(game.rows().status().message()),
                                               "; nor in one pass, as ", *obstacle));
}

absl::StatusOr<std::shared_ptr<const DenseGame>> solve_dense(const Game& game, DenseMethod method,
                                                             const DenseOptions& options) {
  if (method == DenseMethod::one_pass) return solve_one_pass(game.variant(), game.start(), OnePassOptions{options});
  if (!game.rows().ok()) return game.rows().status();
  return solve_by_rows(*game.rows(), game.start(), options);
}

absl::StatusOr<std::shared_ptr<const DenseGame>> solve_dense(const Variant& variant, const DenseOptions& options) {
  const Game game(variant, variant.rules().start());
  const absl::StatusOr<DenseMethod> method = dense_method(game);
  if (!method.ok()) return method.status();
  return solve_dense(game, *method, options);
}

absl::StatusOr<std::shared_ptr<const DenseGame>> open_dense(const Game& game, DenseMethod method,
                                                            std::shared_ptr<const TableReader> table) {
  if (method == DenseMethod::one_pass) return open_one_pass(game.variant(), std::move(table));
  if (!game.rows().ok()) return game.rows().status();
  return open_rows(*game.rows(), std::move(table));
}

}  // namespace plenum
