// SPDX-License-Identifier: Apache-2.0
// A bit or two a position and two tiers in memory (solver/bits). No values are kept.
#include "solver/bits/bit_pass.h"
#include "solver/method/all_methods.h"
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
  BitMethod()
      : Method(MethodId::bits, "bits", "who wins every position, a bit or two each, two tiers in memory",
               {.table = true, .kept = true}) {}
  std::optional<std::string> obstacle(const Game& game) const override {
    return bits_obstacle(game.variant(), game.start());
  }
  absl::StatusOr<std::optional<Estimate>> estimate(const Game& game, const Wanted&) const override {
    return estimate_of(predict_bits(game.variant(), game.start()));
  }
  absl::StatusOr<SharedResult> solve(const Game& game, const Request& request) const override {
    const DenseOptions dense = dense_options(request);
    ASSIGN_OR_RETURN(
        const std::shared_ptr<const BitGame> solved,
        solve_bits(game.variant(), game.start(), {dense.memory_bytes, dense.checkpoint, dense.progress, /*visit=*/{}}));
    return std::make_shared<const BitResult>(solved->summary());
  }
  absl::StatusOr<SharedResult> open(const Game& game, std::shared_ptr<TableReader> table, Summary summary,
                                    const Request& /*request*/) const override {
    if (!table->layers().empty() || obstacle(game))
      return damaged_table(table->path(), "its game is not solved by bits, or it has layers, which that has not");
    return std::make_shared<const BitResult>(std::move(summary));
  }
  // Nothing but the summary was kept, so there is nothing to hold against the rules: the game is solved again.
  absl::StatusOr<Verification> verify(const Game& game, const TableReader& /*table*/, const Result& /*opened*/,
                                      const Request& request) const override {
    ASSIGN_OR_RETURN(const SharedResult again, solve(game, request));
    Verification out;
    out.summary = again->summary();
    out.positions = out.summary->stored;
    out.solved_again = true;
    return out;
  }
};

}  // namespace

const Method& bit_method() {
  static const BitMethod method;
  return method;
}

}  // namespace plenum
