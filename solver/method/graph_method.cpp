// SPDX-License-Identifier: Apache-2.0
// Storing every reachable position with the moves between them.
#include <algorithm>

#include <absl/strings/str_cat.h>

#include "solver/graph/best_line.h"
#include "solver/graph/graph_table.h"
#include "solver/graph/shortest_lines.h"
#include "solver/method/all_methods.h"
#include "solver/support/memory.h"
#include "solver/verify/verify_graph.h"
#include "tables/index/dense_index.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kPartPositions = 4096;  // stored positions

// Symmetries without an exchange of the players that leave the start as it is: the images of what is reachable are reachable.
std::vector<GroupElement> folding_elements(const Result& game) {
  return Folding::keeping(game.variant(), game.summary().start).plain;
}

// The reachable images of a stored position, all of them or one for each class under folds().
class Images {
 public:
  Images(const Result& game, Result::Fold fold) : symmetries_(game.variant().symmetries()) {
    if (fold == Result::Fold::images) folds_ = folding_elements(game);
  }

  // Calls show(position, images) for each.
  template <typename Reached, typename Show>
  absl::Status each(const Position& stored, std::span<const GroupElement> stabilizer, const Reached& reached,
                    const Show& show) {
    const Group& group = symmetries_.group();
    met_.assign(symmetries_.size(), false);
    for (std::size_t element = 0; element < symmetries_.size(); ++element) {
      const auto g = static_cast<GroupElement>(element);
      if (met_[g] || !reached(g)) continue;
      std::uint32_t elements = 0;  // that make an image of this class
      const auto meet = [&](GroupElement e) {
        elements += met_[e] ? 0 : 1;
        met_[e] = true;
      };
      for (const GroupElement f : folds_) {
        for (const GroupElement x : stabilizer) meet(group.multiply(group.multiply(f, g), x));
      }
      RETURN_IF_ERROR(show(symmetries_.apply(g, stored), static_cast<std::uint32_t>(elements / stabilizer.size())));
    }
    return absl::OkStatus();
  }

 private:
  const SymmetryGroup& symmetries_;
  std::vector<GroupElement> folds_ = {kIdentity};
  std::vector<bool> met_;
};

class GraphResult final : public Result {
 public:
  explicit GraphResult(SolvedGame game) : Result(game.summary()), game_(std::move(game)), lines_(game_) {}

  absl::StatusOr<PositionValue> value(const Position& position) const override {
    if (const std::optional<PositionValue> found = game_.value(position)) return *found;
    return absl::NotFoundError("this position is not reachable");
  }
  absl::StatusOr<bool> reachable(const Position& position) const override { return game_.reachable(position); }
  absl::StatusOr<BestLine> line(const Position& position) const override { return lines_.from(position); }
  absl::StatusOr<std::vector<std::optional<PositionValue>>> values(std::span<const Position> positions,
                                                                   Among among) const override {
    std::vector<std::optional<PositionValue>> out;
    out.reserve(positions.size());
    for (const Position& p : positions)
      out.push_back(among == Among::reachable ? game_.reachable_value(p) : game_.value(p));
    return out;
  }
  absl::StatusOr<std::vector<ValuedMove>> best_moves(const Position& position, Player forcing) const override {
    return lines_.best(position, forcing);
  }
  absl::StatusOr<std::vector<Line>> shortest_lines(const GoalFn& goal, std::size_t most) const override {
    const SymmetryGroup& symmetries = variant().symmetries();
    absl::Status failed;
    absl::StatusOr<std::vector<Line>> out = ShortestLines(game_, ShortestLines::Fold::none)
                                                .find(
                                                    [&](PositionIndex p, GroupElement g) {
                                                      if (!failed.ok()) return false;
                                                      const absl::StatusOr<bool> found =
                                                          goal(symmetries.apply(g, game_.store().position(p)));
                                                      if (!found.ok()) failed = found.status();
                                                      return found.ok() && *found;
                                                    },
                                                    most);
    if (!failed.ok()) return failed;
    return out;
  }
  std::size_t parts() const override { return (game_.graph().size() + kPartPositions - 1) / kPartPositions; }
  absl::Status each(std::size_t part, Fold fold, const VisitFn& visit) const override {
    const PositionGraph& graph = game_.graph();
    Images images(*this, fold);
    Visits visits(visit);
    absl::Status done;
    for (std::size_t i = part * kPartPositions; i < std::min(graph.size(), (part + 1) * kPartPositions) && done.ok();
         ++i) {
      const auto p = static_cast<PositionIndex>(i);
      done = images.each(
          game_.store().position(p), graph.stabilizer_of(p),
          [&](GroupElement g) { return game_.lifts().contains(p, g); },
          [&](const Position& image, std::uint32_t n) {
            return visits.add({image, game_.value_of(p, image.mover), n});
          });
    }
    return done.ok() ? visits.flush() : done;
  }
  std::vector<std::vector<Cell>> folds() const override {
    return variant().symmetries().permutations(folding_elements(*this));
  }
  absl::Status write_layers(const LayerSink& sink) const override {
    const absl::StatusOr<GraphTable> table = GraphTable::of(game_);
    return table.ok() ? table->write(sink) : table.status();
  }
  std::uint64_t bytes() const override { return game_.bytes(); }
  const SolvedGame* graph() const override { return &game_; }

 private:
  SolvedGame game_;
  mutable BestLines lines_;
};

// From a table: values alone, without the moves between the positions.
class GraphTableResult final : public Result {
 public:
  GraphTableResult(Summary summary, GraphTable table) : Result(std::move(summary)), table_(std::move(table)) {}

  absl::StatusOr<PositionValue> value(const Position& position) const override {
    const std::optional<std::size_t> found = table_.find(variant().symmetries().canonical(position).position);
    if (!found) return absl::NotFoundError("this position is not reachable");
    return table_.value(*found, position.mover);
  }
  absl::StatusOr<bool> reachable(const Position& position) const override {
    const SymmetryGroup& symmetries = variant().symmetries();
    const SymmetryGroup::Canonical canonical = symmetries.canonical(position);
    const std::optional<std::size_t> found = table_.find(canonical.position);
    return found && table_.reached(*found, symmetries.group().inverse(canonical.element));
  }
  std::size_t parts() const override { return (table_.size() + kPartPositions - 1) / kPartPositions; }
  absl::Status each(std::size_t part, Fold fold, const VisitFn& visit) const override {
    Images images(*this, fold);
    Visits visits(visit);
    absl::Status done;
    for (std::size_t i = part * kPartPositions; i < std::min(table_.size(), (part + 1) * kPartPositions) && done.ok();
         ++i) {
      const Position stored = table_.position(i);
      done = images.each(
          stored, variant().symmetries().stabilizer(stored), [&](GroupElement g) { return table_.reached(i, g); },
          [&](const Position& image, std::uint32_t n) {
            return visits.add({image, table_.value(i, image.mover), n});
          });
    }
    return done.ok() ? visits.flush() : done;
  }
  std::vector<std::vector<Cell>> folds() const override {
    return variant().symmetries().permutations(folding_elements(*this));
  }
  absl::Status write_layers(const LayerSink& sink) const override { return table_.write(sink); }
  std::uint64_t bytes() const override { return table_.bytes(); }
  const GraphTable& table() const { return table_; }

 private:
  GraphTable table_;
};

const char* stage_name(Stage stage) {
  switch (stage) {
    case Stage::enumerate:
      return "finding positions";
    case Stage::solve:
      return "solving";
    case Stage::components:
      return "finding cycles";
    case Stage::random_play:
      return "random play";
  }
  return "";
}

class GraphMethod final : public Method {
 public:
  MethodId id() const override { return MethodId::graph; }
  std::string_view name() const override { return "graph"; }
  std::string_view about() const override { return "every reachable position, with the moves between them"; }
  Offers offers() const override {
    return {.values = true, .remoteness = true, .reachable = true, .cycles = true, .table = true, .margins = true};
  }
  std::optional<std::string> obstacle(const Game& game) const override {
    if (!game.variant().rules().has_start() && game.start() == game.variant().rules().start()) return kNoStart;
    return std::nullopt;
  }
  absl::StatusOr<std::optional<Estimate>> estimate(const Game& game, const Wanted& wanted) const override {
    const Prediction bounds = predict(game.variant(), game.start());
    const double symmetries = static_cast<double>(game.variant().symmetries().size());
    Estimate most{bounds.most_positions / symmetries, bounds.most_bytes, 0, bounds.most_cpu_seconds, true};
    const bool beyond = game.variant().rules().cells() == nullptr && most.bytes > kBeyond;
    if (most.positions < kFewPositions || beyond) return most;
    ASSIGN_OR_RETURN(const Guess& guess, game.guess(wanted.memory_bytes));
    if (guess.stored > most.positions) return most;
    return Estimate{guess.stored,
                    std::max(guess.bytes, bounds.least_bytes),
                    0,
                    guess.cpu_seconds,
                    false,
                    guess.bytes > static_cast<double>(wanted.memory_bytes)};
  }

  absl::StatusOr<std::shared_ptr<const Result>> solve(const Game& game, const Request& request) const override;
  absl::StatusOr<std::shared_ptr<const Result>> open(const Game& game, std::shared_ptr<TableReader> table,
                                                     Summary summary, const Request& request) const override;
  absl::StatusOr<Verification> verify(const Game& game, const TableReader& table, const Result& opened,
                                      const Request& request) const override;

 private:
  static constexpr double kFewPositions = 10'000;  // are solved while one would guess
  static constexpr double kBeyond =
      1e15;  // bytes that no machine has; of most ways to place men a large part is reachable
};

absl::StatusOr<std::shared_ptr<const Result>> GraphMethod::solve(const Game& game, const Request& request) const {
  const Variant& variant = game.variant();
  if (obstacle(game))
    return absl::InvalidArgumentError(
        absl::StrCat(kNoStart,
                     ": it is solved by 'solve', asked by 'query', compared by 'compare'\n  "
                     "leave out the material for the game from its array"));
  const Prediction least = predict(variant, game.start());
  if (least.least_bytes > static_cast<double>(request.free_bytes())) {
    const std::uint64_t held = request.held_bytes;
    return absl::ResourceExhaustedError(
        absl::StrCat("memory: ", variant.description().name, " on ", variant.board().name(), " needs at least ",
                     memory_text_of(least.least_bytes), "; ", memory_text(request.wanted.memory_bytes), " may be used",
                     held == 0 ? "" : absl::StrCat(", and another game holds ", memory_text(held), " of it"), "\n  ",
                     least.reason, "\n  give more with --memory, or take a smaller board with --board"));
  }
  SolveOptions options;
  options.limits = {request.wanted.memory_bytes, request.held_bytes, request.most_positions};
  options.extras = request.wanted.extras;
  options.progress = [&](const AnalysisProgress& p) {
    return !request.progress || request.progress({stage_name(p.stage), p.done, p.total, "positions"});
  };
  ASSIGN_OR_RETURN(SolvedGame solved, solve_game(variant, game.start(), options));
  return std::make_shared<const GraphResult>(std::move(solved));
}

absl::StatusOr<std::shared_ptr<const Result>> GraphMethod::open(const Game& game, std::shared_ptr<TableReader> table,
                                                                Summary summary, const Request& request) const {
  ASSIGN_OR_RETURN(GraphTable values, GraphTable::read(game.variant(), *table, request.free_bytes()));
  return std::make_shared<const GraphTableResult>(std::move(summary), std::move(values));
}

absl::StatusOr<Verification> GraphMethod::verify(const Game& game, const TableReader& /*table*/, const Result& opened,
                                                 const Request& request) const {
  const auto* result = dynamic_cast<const GraphTableResult*>(&opened);
  if (result == nullptr) return absl::FailedPreconditionError("this result was not opened from a table");
  absl::StatusOr<Verification> out =
      verify_graph(game.variant(), game.start(), result->table(), verify_options(request));
  if (!out.ok()) return out;
  Summary& summary = out->summary.emplace(opened.summary());
  // What has no certificate that could be checked is worked out again.
  const Extras extras{summary.components.has_value(), summary.random_play.has_value()};
  summary.components.reset();
  summary.random_play.reset();
  summary.cyclic.reset();
  if (extras.components || extras.random_play) {
    Request again = request;
    again.wanted.extras = extras;
    ASSIGN_OR_RETURN(const std::shared_ptr<const Result> solved, solve(game, again));
    const Summary& anew = solved->summary();
    if (extras.components) summary.components = anew.components;
    if (extras.components) summary.cyclic = anew.cyclic;
    if (extras.random_play) summary.random_play = anew.random_play;
  }
  summary.statistics = out->reachable;
  summary.stored = out->positions;
  RETURN_IF_ERROR(read_start_again(opened, summary));
  return out;
}

}  // namespace

const Method& graph_method() {
  static const GraphMethod method;
  return method;
}

}  // namespace plenum
