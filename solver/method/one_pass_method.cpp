// SPDX-License-Identifier: Apache-2.0
// One pass over all boards, from the end (solver/one_pass).
#include "solver/method/all_methods.h"
#include "solver/method/dense_methods.h"
#include "solver/one_pass/one_pass.h"

namespace plenum {
namespace {

class OnePassMethod final : public Method {
 public:
  MethodId id() const override { return MethodId::one_pass; }
  std::string_view name() const override { return "one-pass"; }
  std::string_view about() const override { return "all boards on reachable sets of cells, a byte each, from the end"; }
  Offers offers() const override {
    return {.values = true, .remoteness = true, .reachable = true, .table = true, .kept = true, .margins = true};
  }
  std::optional<std::string> obstacle(const Game& game) const override { return one_pass_obstacle(game.variant()); }
  absl::StatusOr<std::optional<Estimate>> estimate(const Game& game, const Wanted& wanted) const override {
    const absl::StatusOr<DensePredictions> p = predict_one_pass(game.variant(), game.start());
    if (!p.ok()) return p.status();
    return estimate_of(wanted.remoteness ? p->whole : p->values);
  }
  absl::StatusOr<std::shared_ptr<const Result>> solve(const Game& game, const Request& request) const override;
  absl::StatusOr<std::shared_ptr<const Result>> open(const Game& game, std::shared_ptr<const TableReader> table,
                                                     Summary summary, const Request& request) const override;
  absl::StatusOr<Verification> verify(const Game& game, const TableReader& table, const Result& opened,
                                      const Request& request) const override;
};

absl::StatusOr<std::shared_ptr<const Result>> OnePassMethod::solve(const Game& game, const Request& request) const {
  return solve_dense(game, DenseMethod::one_pass, request);
}

absl::StatusOr<std::shared_ptr<const Result>> OnePassMethod::open(const Game& game,
                                                                  std::shared_ptr<const TableReader> table,
                                                                  Summary summary, const Request& /*request*/) const {
  return open_dense(game, DenseMethod::one_pass, std::move(table), std::move(summary));
}

absl::StatusOr<Verification> OnePassMethod::verify(const Game& game, const TableReader& table, const Result& opened,
                                                   const Request& request) const {
  return verify_dense(game, table, opened, request);
}

}  // namespace

const Method& one_pass_method() {
  static const OnePassMethod method;
  return method;
}

}  // namespace plenum
