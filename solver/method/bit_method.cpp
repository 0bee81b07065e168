// SPDX-License-Identifier: Apache-2.0
// A bit or two a position and two tiers in memory (solver/bits). No values are kept.
#include "solver/bits/bit_pass.h"
#include "solver/method/all_methods.h"
#include "solver/method/dense_methods.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

class BitResult final : public Result {
 public:
  using Result::Result;
  absl::StatusOr<PositionValue> value(const Position& /*position*/) const override { return no_values(); }
  absl::StatusOr<bool> reachable(const Position& /*position*/) const override { return no_values(); }

 private:
  static absl::Status no_values() {
    return absl::UnimplementedError("this game was solved by bits, and the values of its positions were not kept");
  }
};

class BitMethod final : public Method {
 public:
  MethodId id() const override { return MethodId::bits; }
  std::string_view name() const override { return "bits"; }
  std::string_view about() const override { return "who wins every position, a bit or two each, two tiers in memory"; }
  Offers offers() const override { return {.table = true, .kept = true}; }
  std::optional<std::string> obstacle(const Game& game) const override {
    return bits_obstacle(game.variant(), game.start());
  }
  absl::StatusOr<std::optional<Estimate>> estimate(const Game& game, const Wanted&) const override {
    return estimate_of(predict_bits(game.variant(), game.start()));
  }
  absl::StatusOr<std::shared_ptr<const Result>> solve(const Game& game, const Request& request) const override;
  absl::StatusOr<std::shared_ptr<const Result>> open(const Game& game, std::shared_ptr<TableReader> table,
                                                     Summary summary, const Request& request) const override;
  absl::StatusOr<Verification> verify(const Game& game, const TableReader& table, const Result& opened,
                                      const Request& request) const override;
};

absl::StatusOr<std::shared_ptr<const Result>> BitMethod::solve(const Game& game, const Request& request) const {
  const DenseOptions dense = dense_options(request);
  BitOptions options;
  options.memory_bytes = dense.memory_bytes;
  options.checkpoint = dense.checkpoint;
  options.progress = dense.progress;
  ASSIGN_OR_RETURN(const std::shared_ptr<const BitGame> solved, solve_bits(game.variant(), game.start(), options));
  return std::make_shared<const BitResult>(solved->summary());
}

absl::StatusOr<std::shared_ptr<const Result>> BitMethod::open(const Game& game, std::shared_ptr<TableReader> table,
                                                              Summary summary, const Request& /*request*/) const {
  if (!table->layers().empty() || obstacle(game))
    return damaged_table(table->path(), "its game is not solved by bits, or it has layers, which that has not");
  return std::make_shared<const BitResult>(std::move(summary));
}

// Nothing but the summary was kept, so there is nothing to hold against the rules: the game is solved again.
absl::StatusOr<Verification> BitMethod::verify(const Game& game, const TableReader& /*table*/, const Result& /*opened*/,
                                               const Request& request) const {
  ASSIGN_OR_RETURN(const std::shared_ptr<const Result> again, solve(game, request));
  Verification out;
  out.summary = again->summary();
  out.positions = out.summary->stored;
  out.solved_again = true;
  return out;
}

}  // namespace

const Method& bit_method() {
  static const BitMethod method;
  return method;
}

}  // namespace plenum
