// SPDX-License-Identifier: Apache-2.0
// Every legal position of a material (solver/endings).
#include <algorithm>
#include <array>
#include <utility>

#include <absl/strings/str_cat.h>

#include "solver/endings/ending_prediction.h"
#include "solver/method/all_methods.h"
#include "solver/verify/verify_ending.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

class EndingResult final : public Result {
 public:
  EndingResult(Summary summary, std::shared_ptr<const EndingTables> tables)
      : Result(std::move(summary)), tables_(std::move(tables)) {}

  absl::StatusOr<PositionValue> value(const Position& position) const override { return tables_->value(position); }
  // All legal positions are meant, and what they lead to.
  absl::StatusOr<bool> reachable(const Position& position) const override {
    RETURN_IF_ERROR(value(position).status());
    return true;
  }
  std::size_t parts() const override { return tables_->parts(); }
  absl::Status each(std::size_t part, Fold fold, const VisitFn& visit) const override {
    Visits visits(visit);
    absl::Status done;
    std::vector<Position> images;
    tables_->each(part, [&](const EndingTables::Seen& seen) {
      if (!done.ok()) return;
      if (fold == Fold::images) {
        done = visits.add({seen.position, seen.value, seen.images});
      } else {
        images.clear();
        for (std::size_t g = 0; g < tables_->index().symmetries(); ++g) {
          const Position image = tables_->index().image(seen.position, g);
          if (std::find(images.begin(), images.end(), image) == images.end()) images.push_back(image);
        }
        for (std::size_t k = 0; k < images.size() && done.ok(); ++k) done = visits.add({images[k], seen.value, 1});
      }
    });
    return done.ok() ? visits.flush() : done;
  }
  absl::Status each_value(std::size_t part, const GlanceFn& see) const override {
    Batches<Glance> glances(see);
    absl::Status done;
    const int stones = tables_->material().count();
    tables_->each_value(part, [&](const PositionValue& value, std::uint32_t images) {
      if (done.ok()) done = glances.add({value, images, stones});
    });
    return done.ok() ? glances.flush() : done;
  }
  std::vector<std::vector<Cell>> folds() const override { return tables_->index().permutations(); }
  std::uint64_t bytes() const override { return tables_->bytes(); }
  const EndingTables* ending() const override { return tables_.get(); }

 private:
  std::shared_ptr<const EndingTables> tables_;
};

absl::StatusOr<SharedResult> solved_result(const Game& game, const Request& request, const PartStore& parts) {
  EndingOptions options;
  options.memory_bytes = request.free_bytes();
  options.find = parts.find;
  options.keep = parts.keep;
  options.progress = [&](const EndingProgress& p) {
    return !request.progress ||
           request.progress({absl::StrCat("solving ", p.material), p.positions, p.of, "positions"});
  };
  ASSIGN_OR_RETURN(std::shared_ptr<const EndingTables> solved, solve_ending(game.variant(), options));
  const std::uint64_t positions = solved->index().size();
  Stop stop([&] { return !request.progress || request.progress({"counting", 0, positions, "positions"}); });
  Summary summary = solved->summary(&stop);
  if (stop.stopped()) return absl::CancelledError("interrupted");
  return std::make_shared<const EndingResult>(std::move(summary), std::move(solved));
}

class EndingMethod final : public Method {
 public:
  EndingMethod()
      : Method(MethodId::ending, "ending", "every legal position of a material, and of all it leads to",
               {.values = true, .remoteness = true, .reachable = true, .parts = true, .margins = true}) {}
  std::optional<std::string> obstacle(const Game& game) const override {
    if (game.variant().rules().has_start()) return "it takes the material of an ending";
    if (game.begins_elsewhere()) return "it solves every position of a material, and begins at none";
    const absl::StatusOr<EndingPrediction> p = predict_ending(game.variant());
    if (!p.ok()) return std::string(p.status().message());
    return std::nullopt;
  }
  absl::StatusOr<std::optional<Estimate>> estimate(const Game& game, const Wanted&) const override {
    ASSIGN_OR_RETURN(const EndingPrediction p, predict_ending(game.variant()));
    Estimate out{static_cast<double>(p.positions), static_cast<double>(p.bytes), static_cast<double>(p.table_bytes),
                 p.cpu_seconds, false};
    for (const EndingPrediction::Table& table : p.tables)
      out.parts.push_back({table.material, table.positions, table.bytes});
    return out;
  }
  absl::StatusOr<SharedResult> solve(const Game& game, const Request& request) const override {
    return solved_result(game, request, request.parts);
  }
  // A table is of one material: the others are found or solved.
  absl::StatusOr<SharedResult> open(const Game& game, std::shared_ptr<TableReader> table, Summary /*summary*/,
                                    const Request& request) const override {
    ASSIGN_OR_RETURN(const Material asked, material_of(game.variant()));
    const PieceSet& set = *game.variant().rules().pieces();
    const std::array<std::string, 2> names = {to_text(set, asked), to_text(set, asked.exchanged())};
    PartStore parts = request.parts;
    absl::Status read;
    parts.find = [&](const std::string& material, std::uint64_t positions) -> std::optional<EndingLayers> {
      if (material != names[0] && material != names[1])
        return request.parts.find ? request.parts.find(material, positions) : std::nullopt;
      absl::StatusOr<EndingLayers> found = read_layers(*table, positions);
      if (found.ok()) return *std::move(found);
      read = found.status();
      return std::nullopt;
    };
    absl::StatusOr<SharedResult> out = solved_result(game, request, parts);
    return read.ok() ? out : read;
  }
  absl::StatusOr<Verification> verify(const Game& /*game*/, const TableReader& /*table*/, const Result& opened,
                                      const Request& request) const override {
    ASSIGN_OR_RETURN(Verification out, verify_ending(*opened.ending(), verify_options(request).progress));
    out.remoteness = out.facts = true;
    out.claims = out.positions;
    const EndingSummary& ending = *opened.summary().ending;
    for (const EndingSummary::Size& size : ending.sizes) {
      if (size.material != ending.material) out.stands_on.push_back(size.material);
    }
    return out;
  }
};

}  // namespace

const Method& ending_method() {
  static const EndingMethod method;
  return method;
}

}  // namespace plenum
