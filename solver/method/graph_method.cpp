// SPDX-License-Identifier: Apache-2.0
// Storing every reachable position with the moves between them.
#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <absl/strings/str_cat.h>

#include "solver/graph/best_line.h"
#include "solver/graph/graph_table.h"
#include "solver/graph/measure.h"
#include "solver/graph/shortest_lines.h"
#include "solver/graph_ranks/ranked_solve.h"
#include "solver/method/all_methods.h"
#include "solver/result/parted_result.h"
#include "solver/support/memory.h"
#include "solver/verify/verify_graph.h"
#include "tables/index/dense_index.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kPartPositions = 4096;  // stored positions

// The images of a stored position in classes under some symmetries: they depend on which symmetries leave it as it is.
class ImageClasses {
 public:
  struct Class {
    GroupElement first;  // to one of the images
    std::uint32_t images;
  };
  ImageClasses(const Group& group, std::vector<GroupElement> folding)
      : group_(group), folding_(std::move(folding)), plain_(list({&kIdentity, 1})) {}

  const std::vector<Class>& of(std::span<const GroupElement> stabilizer) {
    if (stabilizer.size() == 1) return plain_;
    std::vector<Class>& known = symmetric_[{stabilizer.begin(), stabilizer.end()}];
    if (known.empty()) known = list(stabilizer);
    return known;
  }

 private:
  std::vector<Class> list(std::span<const GroupElement> stabilizer) const {
    std::vector<Class> out;
    std::vector<bool> met(group_.size(), false);
    for (std::size_t element = 0; element < group_.size(); ++element) {
      const auto g = static_cast<GroupElement>(element);
      if (met[g]) continue;
      std::uint32_t elements = 0;  // that make an image of this class
      for (const GroupElement f : folding_) {
        for (const GroupElement x : stabilizer) {
          const GroupElement e = group_.multiply(group_.multiply(f, g), x);
          elements += met[e] ? 0 : 1;
          met[e] = true;
        }
      }
      out.push_back({g, static_cast<std::uint32_t>(elements / stabilizer.size())});
    }
    return out;
  }

  const Group& group_;
  const std::vector<GroupElement> folding_;
  const std::vector<Class> plain_;  // of a position without symmetry
  std::map<std::vector<GroupElement>, std::vector<Class>> symmetric_;
};

// Results of stored positions, each of which stands for its images. Own tells of them, by number: size(), stored(i), stabilizer(i, stored),
// reached(i, g) of the image under g, and value_of(i, mover).
template <typename Own>
class StoredResult : public Result {
 public:
  using Result::Result;

  std::size_t parts() const override { return (own().size() + kPartPositions - 1) / kPartPositions; }
  // The reachable images of stored positions, all of them or one for each class under folds().
  absl::Status each(std::size_t part, Fold fold, const VisitFn& visit) const override {
    const SymmetryGroup& symmetries = variant().symmetries();
    ImageClasses classes(symmetries.group(), fold == Fold::images ? folding_elements() : std::vector{kIdentity});
    Visits visits(visit);
    for (std::size_t i = part * kPartPositions; i < std::min(own().size(), (part + 1) * kPartPositions); ++i) {
      const Position stored = own().stored(i);
      const auto stabilizer = own().stabilizer(i, stored);
      for (const ImageClasses::Class& one : classes.of(stabilizer)) {
        if (!own().reached(i, one.first)) continue;  // then none of its class is
        const Position image = symmetries.apply(one.first, stored);
        RETURN_IF_ERROR(visits.add({image, own().value_of(i, image.mover), one.images}));
      }
    }
    return visits.flush();
  }
  std::vector<std::vector<Cell>> folds() const override {
    return variant().symmetries().permutations(folding_elements());
  }

 private:
  const Own& own() const { return static_cast<const Own&>(*this); }
  // Symmetries without an exchange of the players that leave the start as it is: the images of what is reachable are reachable.
  std::vector<GroupElement> folding_elements() const { return Folding::keeping(variant(), summary().start).plain; }
};

class GraphResult final : public StoredResult<GraphResult> {
 public:
  explicit GraphResult(SolvedGame game) : StoredResult(game.summary()), game_(std::move(game)), lines_(game_) {}

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
    const auto holds = [&](PositionIndex p, GroupElement g) {
      return goal(variant().symmetries().apply(g, game_.store().position(p)));
    };
    return plenum::shortest_lines(game_, LinesFold::none, holds, most);
  }
  absl::Status each_moves(std::size_t part, const MoveGlanceFn& see) const override {
    Batches<MoveGlance> glances(see);
    const PositionGraph& graph = game_.graph();
    for (std::size_t i = part * kPartPositions; i < std::min(size(), (part + 1) * kPartPositions); ++i) {
      const PositionIndex p = number(i);
      const std::uint32_t images = static_cast<std::uint32_t>(game_.lifts().count(p));
      if (images == 0 || graph.ended(p)) continue;
      RETURN_IF_ERROR(glances.add({move_counts(graph, game_.solution(), p, images), images,
                                   variant().rules().stones(game_.store().position(p))}));
    }
    return glances.flush();
  }
  absl::Status write_layers(const LayerSink& sink) const override {
    ASSIGN_OR_RETURN(const GraphTable table, GraphTable::of(game_));
    return table.write(sink);
  }
  std::uint64_t bytes() const override { return game_.bytes(); }
  const SolvedGame* graph() const override { return &game_; }

  std::size_t size() const { return game_.graph().size(); }
  Position stored(std::size_t i) const { return game_.store().position(number(i)); }
  std::span<const GroupElement> stabilizer(std::size_t i, const Position& /*stored*/) const {
    return game_.graph().stabilizer_of(number(i));
  }
  bool reached(std::size_t i, GroupElement g) const { return game_.lifts().contains(number(i), g); }
  PositionValue value_of(std::size_t i, Player mover) const { return game_.value_of(number(i), mover); }

 private:
  static PositionIndex number(std::size_t i) { return static_cast<PositionIndex>(i); }
  SolvedGame game_;
  mutable BestLines lines_;
};

// From a table: values alone, without the moves between the positions.
class GraphTableResult final : public StoredResult<GraphTableResult> {
 public:
  GraphTableResult(Summary summary, GraphTable table)
      : GraphTableResult(std::move(summary), std::make_shared<const GraphTable>(std::move(table))) {}
  GraphTableResult(Summary summary, std::shared_ptr<const GraphTable> table)
      : StoredResult(std::move(summary)), shared_(std::move(table)), table_(*shared_) {}

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
  absl::Status write_layers(const LayerSink& sink) const override { return table_.write(sink); }
  std::uint64_t bytes() const override { return table_.bytes(); }
  const GraphTable& table() const { return table_; }

  std::size_t size() const { return table_.size(); }
  Position stored(std::size_t i) const { return table_.position(i); }
  std::vector<GroupElement> stabilizer(std::size_t /*i*/, const Position& stored) const {
    return variant().symmetries().stabilizer(stored);
  }
  bool reached(std::size_t i, GroupElement g) const { return table_.reached(i, g); }
  PositionValue value_of(std::size_t i, Player mover) const { return table_.value(i, mover); }

 private:
  std::shared_ptr<const GraphTable> shared_;
  const GraphTable& table_;
};

class GraphMethod final : public Method {
 public:
  GraphMethod()
      : Method(MethodId::graph, "graph", "every reachable position, with the moves between them",
               {.values = true,
                .remoteness = true,
                .reachable = true,
                .cycles = true,
                .table = true,
                .margins = true,
                .ranks = true}) {}
  std::optional<std::string> obstacle(const Game& game) const override { return start_obstacle(game); }
  absl::StatusOr<std::optional<Estimate>> estimate(const Game& game, const Wanted& wanted) const override {
    const Prediction bounds = predict(game.variant(), game.start());
    const double symmetries = static_cast<double>(game.variant().symmetries().size());
    Estimate most{bounds.most_positions / symmetries, bounds.most_bytes, 0, bounds.most_cpu_seconds, true};
    const bool beyond = game.variant().rules().cells() == nullptr && most.bytes > kBeyond;
    if (most.positions < kFewPositions || beyond) return shared(most, wanted.ranks);
    const std::uint64_t memory = of_all(wanted.memory_bytes, wanted.ranks);
    ASSIGN_OR_RETURN(const Guess& guess, game.guess(memory));
    if (guess.stored > most.positions) return shared(most, wanted.ranks);
    return shared({guess.stored, std::max(guess.bytes, bounds.least_bytes), 0, guess.cpu_seconds, false,
                   guess.bytes > static_cast<double>(memory)},
                  wanted.ranks);
  }
  absl::StatusOr<SharedResult> solve(const Game& game, const Request& request) const override {
    const Variant& variant = game.variant();
    if (obstacle(game))
      return absl::InvalidArgumentError(
          absl::StrCat(kNoStart,
                       ": it is solved by 'solve', asked by 'query', compared by 'compare'\n  "
                       "leave out the material for the game from its array"));
    RETURN_IF_ERROR(request.ranks->agree(enough_memory(game, request)));
    SolveOptions options;
    options.limits = {request.wanted.memory_bytes, request.held_bytes, request.most_positions};
    options.extras = request.wanted.extras;
    options.progress = [&](const AnalysisProgress& p) {
      return !request.progress || request.progress({p.what, p.done, p.total, "positions", p.stage});
    };
    if (request.ranks->several()) return solve_by_ranks(game, options, *request.ranks);
    ASSIGN_OR_RETURN(SolvedGame solved, solve_game(variant, game.start(), options));
    return std::make_shared<const GraphResult>(std::move(solved));
  }
  absl::StatusOr<SharedResult> open(const Game& game, std::shared_ptr<TableReader> table, Summary summary,
                                    const Request& request) const override {
    ASSIGN_OR_RETURN(GraphTable values, GraphTable::read(game.variant(), *table, request.free_bytes()));
    return std::make_shared<const GraphTableResult>(std::move(summary), std::move(values));
  }
  absl::StatusOr<Verification> verify(const Game& game, const TableReader& /*table*/, const Result& opened,
                                      const Request& request) const override {
    const auto* result = dynamic_cast<const GraphTableResult*>(&opened);
    if (result == nullptr) return absl::FailedPreconditionError("this result was not opened from a table");
    absl::StatusOr<Verification> out =
        verify_graph(game.variant(), game.start(), result->table(), verify_options(request));
    if (!out.ok()) return out;
    Summary& summary = out->summary.emplace(opened.summary());
    // What has no certificate that could be checked is worked out again.
    const bool measured = summary.measures.has_value();
    const Extras extras{summary.components.has_value(), summary.random_play.has_value(), measured ? kMeasureAll : 0};
    summary.components.reset();
    summary.random_play.reset();
    summary.measures.reset();
    summary.cyclic.reset();
    if (extras.components || extras.random_play || measured) {
      Request again = request;
      again.wanted.extras = extras;
      ASSIGN_OR_RETURN(const SharedResult solved, solve(game, again));
      const Summary& anew = solved->summary();
      if (extras.components) summary.components = anew.components;
      if (extras.components) summary.cyclic = anew.cyclic;
      if (extras.random_play) summary.random_play = anew.random_play;
      if (measured) summary.measures = anew.measures;
    }
    summary.statistics = out->reachable;
    summary.stored = out->positions;
    RETURN_IF_ERROR(read_start_again(opened, summary));
    return out;
  }

 private:
  static std::uint64_t of_all(std::uint64_t memory, int ranks) {
    const auto n = static_cast<std::uint64_t>(ranks);
    return memory > ~std::uint64_t{0} / n ? ~std::uint64_t{0} : memory * n;
  }
  // Whether what it takes at least fits, a part of it where there are several ranks.
  static absl::Status enough_memory(const Game& game, const Request& request) {
    const Variant& variant = game.variant();
    const Prediction least = predict(variant, game.start());
    const double bytes = least.least_bytes / request.ranks->size();
    if (bytes <= static_cast<double>(request.free_bytes())) return absl::OkStatus();
    const std::uint64_t held = request.held_bytes;
    return absl::ResourceExhaustedError(
        absl::StrCat("memory: ", variant.description().name, " on ", variant.board().name(), " needs at least ",
                     memory_text_of(bytes), request.ranks->several() ? " for each rank; " : "; ",
                     memory_text(request.wanted.memory_bytes), " may be used",
                     held == 0 ? "" : absl::StrCat(", and another game holds ", memory_text(held), " of it"), "\n  ",
                     least.reason, "\n  give more with --memory, or take a smaller board with --board"));
  }
  // Each rank has a part, and buffers beside it.
  static Estimate shared(Estimate all, int ranks) {
    if (ranks == 1) return all;
    const double base = static_cast<double>(base_memory());
    all.bytes = base + std::max(0.0, all.bytes - base) / ranks * kMoreOfRank + kBuffersOfRank;
    all.sent_bytes = all.cpu_seconds * kSentASecond / ranks * (ranks - 1) / ranks;
    return all;
  }
  static absl::StatusOr<SharedResult> solve_by_ranks(const Game& game, const SolveOptions& options, Ranks& ranks) {
    if (options.extras.most_measured_edges == kMeasureAll)
      return absl::UnimplementedError("measures of play are found by one rank");
    RankedOptions ranked;
    ranked.limits.of_rank = options.limits;
    // Measures of what has up to ten times as many moves are found unasked (Extras).
    ranked.limits.least_moves = std::max(kFewMoves, 10 * options.extras.most_measured_edges + 10);
    ranked.extras = options.extras;
    ranked.progress = options.progress;
    ASSIGN_OR_RETURN(RankedSolved solved, ranked_solve(game.variant(), game.start(), ranked, ranks));
    const std::shared_ptr<const GraphTable> own(solved.layers, &solved.layers->own());
    const SharedResult positions = std::make_shared<const GraphTableResult>(solved.summary, own);
    const TableShape shape = {solved.summary.stored, 1};
    return std::make_shared<const PartedResult>(std::move(solved.summary), shape, solved.layers->layers(),
                                                solved.layers, std::move(solved.measures), positions);
  }

  static constexpr double kMoreOfRank = 1.1;
  static constexpr double kBuffersOfRank = 2e7;
  static constexpr double kSentASecond = 2e8;  // bytes, by all ranks and to all of them, for each second that one needs
  static constexpr std::uint64_t kFewMoves = 300'000;  // are followed up sooner than they are shared out
  static constexpr double kFewPositions = 10'000;      // are solved while one would guess
  // Bytes that no machine has; of most ways to place men a large part is reachable.
  static constexpr double kBeyond = 1e15;
};

}  // namespace

const Method& graph_method() {
  static const GraphMethod method;
  return method;
}

}  // namespace plenum
