// SPDX-License-Identifier: Apache-2.0
// The two methods that solve a game on a dense index: whole rows of positions at a time (solver/rows), and one pass over all boards, from
// the end (solver/one_pass).
#include <map>
#include <utility>

#include <absl/strings/str_cat.h>

#include "solver/dense/parted_bytes.h"
#include "solver/method/all_methods.h"
#include "solver/one_pass/one_pass.h"
#include "solver/result/parted_result.h"
#include "solver/rows/dense_rows.h"
#include "solver/support/memory.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kShownAtATime = 64;  // positions; those they lead to take some 0.5 MB

class DenseResult final : public Result {
 public:
  DenseResult(Summary summary, std::shared_ptr<const DenseGame> game, std::uint64_t table_bytes)
      : Result(std::move(summary)), game_(std::move(game)), table_bytes_(table_bytes) {}

  absl::StatusOr<PositionValue> value(const Position& position) const override { return game_->value(position); }
  absl::StatusOr<bool> reachable(const Position& position) const override { return game_->reachable(position); }
  absl::StatusOr<std::vector<std::optional<PositionValue>>> values(std::span<const Position> positions,
                                                                   Among among) const override;
  std::uint64_t bytes() const override {
    std::uint64_t out = index().bytes() + table_bytes_;
    const auto* held = dynamic_cast<const HeldBytes*>(&game_->bytes());
    for (std::size_t i = 0; held != nullptr && i < kDenseLayerNames.size(); ++i) {
      for (const auto& part : held->of(static_cast<DenseLayer>(i))) out += part.size();
    }
    return out;
  }
  std::size_t parts() const override { return index().blocks().size(); }
  absl::Status each(std::size_t part, Fold fold, const VisitFn& visit) const override;
  std::vector<std::vector<Cell>> folds() const override {
    return index().symmetries().permutations(index().folding().plain);
  }
  TableShape shape() const override { return {game_->index().boards(), game_->index().layers()}; }
  absl::Status write_layers(const LayerSink& sink) const override {
    return plenum::write_layers(game_->bytes(), [&](DenseLayer layer, std::span<const std::uint8_t> bytes) {
      return sink(kDenseLayerNames[static_cast<std::size_t>(layer)], bytes);
    });
  }

 private:
  const DenseIndex& index() const { return game_->index(); }
  std::shared_ptr<const DenseGame> game_;
  std::uint64_t table_bytes_;  // of its table that may be kept in memory
};

absl::StatusOr<std::vector<std::optional<PositionValue>>> DenseResult::values(std::span<const Position> positions,
                                                                              Among among) const {
  if (among == Among::all) return game_->values(positions);
  std::vector<Position> asked;
  std::vector<std::size_t> asked_as;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    ASSIGN_OR_RETURN(const bool is, game_->reachable(positions[i]));
    if (!is) continue;
    asked.push_back(positions[i]);
    asked_as.push_back(i);
  }
  ASSIGN_OR_RETURN(const std::vector<std::optional<PositionValue>> found, game_->values(asked));
  std::vector<std::optional<PositionValue>> out(positions.size());
  for (std::size_t k = 0; k < asked.size(); ++k) {
    if (!found[k])
      return absl::DataLossError(
          absl::StrCat("the position ", variant().rules().write(asked[k]), " is marked as reachable and has no value"));
    out[asked_as[k]] = found[k];
  }
  return out;
}

// The boards of one class of sets, in all layers: each stands for one position on each set of the class, and where the players are
// exchanged for as many of the second.
absl::Status DenseResult::each(std::size_t part, Fold fold, const VisitFn& visit) const {
  const Block& block = index().blocks()[part];
  const SymmetryGroup& symmetries = variant().symmetries();
  const Folding& folding = index().folding();
  const GroupElement exchange = symmetries.group().inverse(folding.exchange);
  std::map<CellSet, GroupElement> from_block = {{block.set, kIdentity}};
  for (const GroupElement g : folding.plain) {
    if (fold == Fold::images) break;
    const CellSet set = symmetries.apply(g, block.set);
    from_block.emplace(set, symmetries.group().inverse(index().to_block(set)));
  }
  const std::uint32_t images = fold == Fold::images ? block.sets : 1;
  std::vector<Position> positions;
  std::vector<Visit> seen;
  const auto show = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::vector<std::optional<PositionValue>> found, values(positions, Among::reachable));
    seen.clear();
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (found[i]) seen.push_back({positions[i], *found[i], images});
    }
    positions.clear();
    return seen.empty() ? absl::OkStatus() : visit(seen);
  };
  for (std::uint32_t layer = 0; layer < index().layers(); ++layer) {
    Position numbered;
    index().read_layer(layer, numbered);
    for (BoardIndex numeral = 0; numeral < index().size(block); ++numeral) {
      index().read_numeral(block.set, numeral, numbered.planes.data());
      for (const auto& [set, g] : from_block) {
        positions.push_back(g == kIdentity ? numbered : symmetries.apply(g, numbered));
        if (folding.exchange != kIdentity) positions.push_back(symmetries.apply(exchange, positions.back()));
      }
      if (positions.size() < kShownAtATime) continue;
      RETURN_IF_ERROR(show());
    }
  }
  return show();
}

using SharedDense = std::shared_ptr<const DenseGame>;

// What the two have in common as methods: all but what they need, and what it takes.
class DenseMethodBase : public Method {
 public:
  absl::StatusOr<SharedResult> solve(const Game& game, const Request& request) const final {
    ASSIGN_OR_RETURN(std::shared_ptr<const DenseGame> solved, solved(game, dense_options(request)));
    Summary summary = solved->summary();
    summary.remoteness_known = request.wanted.remoteness;
    if (const auto* parted = dynamic_cast<const PartedBytes*>(&solved->bytes())) {
      std::vector<PartedResult::Layer> layers;
      for (std::size_t i = 0; i < kDenseLayerNames.size(); ++i) {
        if (!parted->has(static_cast<DenseLayer>(i))) continue;
        PartedBytes::Part whole = parted->whole(static_cast<DenseLayer>(i));
        layers.push_back({kDenseLayerNames[i], whole.bytes, std::move(whole.own)});
      }
      const TableShape shape = {solved->index().boards(), solved->index().layers()};
      return std::make_shared<const PartedResult>(std::move(summary), shape, std::move(layers), solved);
    }
    return std::make_shared<const DenseResult>(std::move(summary), std::move(solved), 0);
  }
  absl::StatusOr<SharedResult> open(const Game& game, std::shared_ptr<TableReader> table, Summary summary,
                                    const Request& request) const final {
    // Whoever looks at all positions keeps them in memory if there is room: one by one they would be unpacked again and again.
    if (request.wanted.scan && base_memory() + table->layer_bytes() <= request.free_bytes()) table->keep();
    const std::uint64_t kept = table->keeps() ? table->layer_bytes() : 0;
    ASSIGN_OR_RETURN(std::shared_ptr<const DenseGame> opened, opened(game, std::move(table)));
    return std::make_shared<const DenseResult>(std::move(summary), std::move(opened), kept);
  }
  absl::StatusOr<Verification> verify(const Game& game, const TableReader& table, const Result& opened,
                                      const Request& request) const final {
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
    RETURN_IF_ERROR(read_start_again(opened, summary));
    return out;
  }

  // kUnimplemented, with what stands in the way, for games that cannot be solved so; kResourceExhausted, with what is needed.
  virtual absl::StatusOr<SharedDense> solved(const Game& game, const DenseOptions& options) const = 0;
  // The game from its table; kDataLoss if the layers are not those of this game.
  virtual absl::StatusOr<SharedDense> opened(const Game& game, std::shared_ptr<const TableReader> table) const = 0;

 protected:
  DenseMethodBase(MethodId id, std::string_view name, std::string_view about)
      : Method(id, name, about,
               {.values = true,
                .remoteness = true,
                .reachable = true,
                .table = true,
                .kept = true,
                .margins = true,
                .ranks = true}) {}
};

class RowMethod final : public DenseMethodBase {
 public:
  RowMethod()
      : DenseMethodBase(MethodId::rows, "rows", "every way to fill the board, a byte each, whole rows at a time") {}
  std::optional<std::string> obstacle(const Game& game) const override {
    if (!game.rows().ok()) return std::string(game.rows().status().message());
    const absl::Status start = RowGame::check_start(game.variant().symmetries(), game.start());
    return start.ok() ? std::nullopt : std::optional(std::string(start.message()));
  }
  absl::StatusOr<std::optional<Estimate>> estimate(const Game& game, const Wanted& wanted) const override {
    ASSIGN_OR_RETURN(const auto& rows, game.rows());
    ASSIGN_OR_RETURN(const RowOptions options,
                     row_options(*rows, wanted.remoteness, wanted.memory_bytes, wanted.ranks));
    ASSIGN_OR_RETURN(const DensePrediction p, predict_rows(*rows, options, wanted.ranks));
    return estimate_of(p);
  }
  absl::StatusOr<SharedDense> solved(const Game& game, const DenseOptions& options) const override {
    ASSIGN_OR_RETURN(const auto& rows, game.rows());
    return solve_by_rows(rows, game.start(), options);
  }
  absl::StatusOr<SharedDense> opened(const Game& game, std::shared_ptr<const TableReader> table) const override {
    ASSIGN_OR_RETURN(const auto& rows, game.rows());
    return open_rows(rows, std::move(table));
  }
};

class OnePassMethod final : public DenseMethodBase {
 public:
  OnePassMethod()
      : DenseMethodBase(MethodId::one_pass, "one-pass",
                        "all boards on reachable sets of cells, a byte each, from the end") {}
  std::optional<std::string> obstacle(const Game& game) const override { return one_pass_obstacle(game.variant()); }
  absl::StatusOr<std::optional<Estimate>> estimate(const Game& game, const Wanted& wanted) const override {
    ASSIGN_OR_RETURN(const DensePrediction p,
                     predict_one_pass(game.variant(), game.start(), wanted.remoteness, wanted.ranks));
    return estimate_of(p);
  }
  absl::StatusOr<SharedDense> solved(const Game& game, const DenseOptions& options) const override {
    return solve_one_pass(game.variant(), game.start(), OnePassOptions{options});
  }
  absl::StatusOr<SharedDense> opened(const Game& game, std::shared_ptr<const TableReader> table) const override {
    return open_one_pass(game.variant(), game.start(), std::move(table));
  }
};

}  // namespace

const Method& row_method() {
  static const RowMethod method;
  return method;
}

const Method& one_pass_method() {
  static const OnePassMethod method;
  return method;
}

absl::StatusOr<SharedDense> solve_dense(const Variant& variant, const DenseOptions& options) {
  const Game game(variant, variant.rules().start());
  if (game.rows().ok()) return solve_by_rows(*game.rows(), game.start(), options);
  return solve_one_pass(variant, game.start(), OnePassOptions{options});
}

Estimate estimate_of(const DensePrediction& p) {
  Estimate out;
  out.positions = static_cast<double>(p.boards);
  out.bytes = static_cast<double>(p.bytes);
  out.table_bytes = static_cast<double>(p.table_bytes);
  out.cpu_seconds = p.cpu_seconds;
  out.sent_bytes = p.sent_bytes;
  return out;
}

DenseOptions dense_options(const Request& request) {
  DenseOptions out;
  out.remoteness = request.wanted.remoteness;
  out.memory_bytes = request.free_bytes();
  out.checkpoint = request.checkpoint;
  out.ranks = request.ranks;
  out.progress = [&request](const DenseProgress& p) {
    return !request.progress || request.progress({p.what, p.boards, p.of, boards_at_hand(p.stones)});
  };
  return out;
}

}  // namespace plenum
