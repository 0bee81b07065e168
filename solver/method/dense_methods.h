// SPDX-License-Identifier: Apache-2.0
// The two methods that solve a game on a dense index behind one door (dense_rows.h, one_pass.h).
//
// Thread-safety: no state.
#pragma once

#include <memory>

#include "solver/dense/dense_game.h"
#include "solver/method/method.h"

namespace plenum {

// Rows if they can, one pass otherwise; kUnimplemented with what stands in the way of both.
absl::StatusOr<DenseMethod> dense_method(const Game& game);

// kUnimplemented, with what stands in the way, for games that cannot be solved so; kResourceExhausted, with what is needed.
absl::StatusOr<std::shared_ptr<const DenseGame>> solve_dense(const Game& game, DenseMethod method,
                                                             const DenseOptions& options);
// By dense_method(), from the start.
absl::StatusOr<std::shared_ptr<const DenseGame>> solve_dense(const Variant& variant, const DenseOptions& options);
// The game from its table; kDataLoss if the layers are not those of this game.
absl::StatusOr<std::shared_ptr<const DenseGame>> open_dense(const Game& game, DenseMethod method,
                                                            std::shared_ptr<const TableReader> table);

// What the methods by rows and in one pass have in common as methods: all but what they need, and what it takes.
class DenseMethodBase : public Method {
 public:
  Offers offers() const final {
    return {.values = true, .remoteness = true, .reachable = true, .table = true, .kept = true, .margins = true};
  }
  absl::StatusOr<std::shared_ptr<const Result>> solve(const Game& game, const Request& request) const final;
  absl::StatusOr<std::shared_ptr<const Result>> open(const Game& game, std::shared_ptr<TableReader> table,
                                                     Summary summary, const Request& request) const final;
  absl::StatusOr<Verification> verify(const Game& game, const TableReader& table, const Result& opened,
                                      const Request& request) const final;

 protected:
  explicit DenseMethodBase(DenseMethod method) : method_(method) {}

 private:
  DenseMethod method_;
};

Estimate estimate_of(const DensePrediction& prediction);
// Keeps a reference to the request.
DenseOptions dense_options(const Request& request);

}  // namespace plenum
