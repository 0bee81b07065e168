// SPDX-License-Identifier: Apache-2.0
// Whole rows of positions at a time (solver/rows).
#include "solver/method/all_methods.h"
#include "solver/method/dense_methods.h"
#include "solver/rows/dense_rows.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

class RowMethod final : public DenseMethodBase {
 public:
  RowMethod() : DenseMethodBase(DenseMethod::rows) {}
  MethodId id() const override { return MethodId::rows; }
  std::string_view name() const override { return "rows"; }
  std::string_view about() const override { return "every way to fill the board, a byte each, whole rows at a time"; }
  std::optional<std::string> obstacle(const Game& game) const override {
    if (game.rows().ok()) return std::nullopt;
    return std::string(game.rows().status().message());
  }
  absl::StatusOr<std::optional<Estimate>> estimate(const Game& game, const Wanted& wanted) const override {
    if (!game.rows().ok()) return game.rows().status();
    ASSIGN_OR_RETURN(const DensePrediction p, predict_rows(**game.rows(), {wanted.remoteness, wanted.remoteness}));
    return estimate_of(p);
  }
};

}  // namespace

const Method& row_method() {
  static const RowMethod method;
  return method;
}

}  // namespace plenum
