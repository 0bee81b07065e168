// SPDX-License-Identifier: Apache-2.0
// One pass over all boards, from the end (solver/one_pass).
#include "solver/method/all_methods.h"
#include "solver/method/dense_methods.h"
#include "solver/one_pass/one_pass.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

class OnePassMethod final : public DenseMethodBase {
 public:
  OnePassMethod() : DenseMethodBase(DenseMethod::one_pass) {}
  MethodId id() const override { return MethodId::one_pass; }
  std::string_view name() const override { return "one-pass"; }
  std::string_view about() const override { return "all boards on reachable sets of cells, a byte each, from the end"; }
  std::optional<std::string> obstacle(const Game& game) const override { return one_pass_obstacle(game.variant()); }
  absl::StatusOr<std::optional<Estimate>> estimate(const Game& game, const Wanted& wanted) const override {
    ASSIGN_OR_RETURN(const DensePrediction p, predict_one_pass(game.variant(), game.start(), wanted.remoteness));
    return estimate_of(p);
  }
};

}  // namespace

const Method& one_pass_method() {
  static const OnePassMethod method;
  return method;
}

}  // namespace plenum
