// SPDX-License-Identifier: Apache-2.0
// A bit or two a position and two tiers in memory (solver/bits). No values are kept.
#include <algorithm>

#include <absl/strings/str_cat.h>

#include "solver/bits/bit_pass.h"
#include "solver/bits/bit_rows.h"
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
      : Method(MethodId::bits, "bits", "who wins every position, or by how much, some bits each, two tiers in memory",
               {.table = true, .kept = true, .ranks = true}) {}
  // Games in which a stone is put every turn take one pass; others rows of bits, threshold by threshold.
  std::optional<std::string> obstacle(const Game& game) const override {
    std::optional<std::string> pass = bits_obstacle(game.variant(), game.start());
    if (!pass) return pass;
    const auto& rows = game.bit_rows();
    if (!rows.ok()) return absl::StrCat(std::string(rows.status().message()), "; and for one pass: ", *pass);
    return bit_rows_obstacle(**rows, game.start());
  }
  absl::StatusOr<std::optional<Estimate>> estimate(const Game& game, const Wanted& wanted) const override {
    if (!bits_obstacle(game.variant(), game.start()))
      return estimate_of(predict_bits(game.variant(), game.start(), wanted.ranks));
    ASSIGN_OR_RETURN(const auto& rows, game.bit_rows());
    return estimate_of(predict_bit_rows(*rows, game.start(),
                                        {wanted.all_margins, wanted.only_outcome, wanted.ranks, wanted.memory_bytes}));
  }
  absl::StatusOr<SharedResult> solve(const Game& game, const Request& request) const override {
    const DenseOptions dense = dense_options(request);
    std::shared_ptr<const BitGame> solved;
    if (!bits_obstacle(game.variant(), game.start())) {
      ASSIGN_OR_RETURN(solved,
                       solve_bits(game.variant(), game.start(),
                                  {dense.memory_bytes, dense.checkpoint, dense.progress, /*visit=*/{}, request.ranks}));
    } else {
      ASSIGN_OR_RETURN(const auto& rows, game.bit_rows());
      BitRowOptions options;
      options.memory_bytes = dense.memory_bytes;
      options.checkpoint = dense.checkpoint;
      options.progress = dense.progress;
      options.all_margins = request.wanted.all_margins;
      options.ranks = request.ranks;
      ASSIGN_OR_RETURN(solved, solve_bit_rows(rows, game.start(), options));
    }
    return std::make_shared<const BitResult>(solved->summary());
  }
  absl::StatusOr<SharedResult> open(const Game& game, std::shared_ptr<TableReader> table, Summary summary,
                                    const Request& /*request*/) const override {
    if (!table->layers().empty() || obstacle(game))
      return damaged_table(table->path(), "its game is not solved by bits, or it has layers, which that has not");
    return std::make_shared<const BitResult>(std::move(summary));
  }
  // Nothing but the summary was kept, so there is nothing to hold against the rules: the game is solved again.
  absl::StatusOr<Verification> verify(const Game& game, const TableReader& /*table*/, const Result& opened,
                                      const Request& request) const override {
    Request same = request;
    same.wanted.all_margins = has_all_margins(opened.summary());
    ASSIGN_OR_RETURN(const SharedResult again, solve(game, same));
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
