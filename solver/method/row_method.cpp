// SPDX-License-Identifier: Apache-2.0
// Whole rows of positions at a time (solver/rows).
#include "solver/method/all_methods.h"
#include "solver/method/dense_methods.h"
#include "solver/rows/dense_rows.h"

namespace plenum {
namespace {

class RowMethod final : public Method {
 public:
  MethodId id() const override { return MethodId::rows; }
  std::string_view name() const override { return "rows"; }
  std::string_view about() const override { return "every way to fill the board, a byte each, whole rows at a time"; }
  Offers offers() const override {
    return {.values = true, .remoteness = true, .reachable = true, .table = true, .kept = true, .margins = true};
  }
  std::optional<std::string> obstacle(const Game& game) const override {
    if (game.rows().ok()) return std::nullopt;
    return std::string(game.rows().status().message());
  }
  absl::StatusOr<std::optional<Estimate>> estimate(const Game& game, const Wanted& wanted) const override {
    if (!game.rows().ok()) return game.rows().status();
    const absl::StatusOr<DensePrediction> p = predict_rows(*game.rows(), {wanted.remoteness, wanted.remoteness});
    if (!p.ok()) return p.status();
    return estimate_of(*p);
  }
  absl::StatusOr<std::shared_ptr<const Result>> solve(const Game& game, const Request& request) const override;
  absl::StatusOr<std::shared_ptr<const Result>> open(const Game& game, std::shared_ptr<const TableReader> table,
                                                     Summary summary, const Request& request) const override;
  absl::StatusOr<Verification> verify(const Game& game, const TableReader& table, const Result& opened,
                                      const Request& request) const override;
};

absl::StatusOr<std::shared_ptr<const Result>> RowMethod::solve(const Game& game, const Request& request) const {
  return solve_dense(game, DenseMethod::rows, request);
}

absl::StatusOr<std::shared_ptr<const Result>> RowMethod::open(const Game& game,
                                                              std::shared_ptr<const TableReader> table, Summary summary,
                                                              const Request& /*request*/) const {
  return open_dense(game, DenseMethod::rows, std::move(table), std::move(summary));
}

absl::StatusOr<Verification> RowMethod::verify(const Game& game, const TableReader& table, const Result& opened,
                                               const Request& request) const {
  return verify_dense(game, table, opened, request);
}

}  // namespace

const Method& row_method() {
  static const RowMethod method;
  return method;
}

}  // namespace plenum
