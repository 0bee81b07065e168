// SPDX-License-Identifier: Apache-2.0
#include "solver/method/dense_methods.h"

#include <absl/strings/str_cat.h>

#include "solver/one_pass/one_pass.h"
#include "solver/rows/dense_rows.h"

namespace plenum {

absl::StatusOr<DenseMethod> dense_method(const Variant& variant) {
  const absl::StatusOr<RowGame> rows = RowGame::make(variant);
  if (rows.ok()) return DenseMethod::rows;
  const std::optional<std::string> obstacle = one_pass_obstacle(variant);
  if (!obstacle) return DenseMethod::one_pass;
  return absl::UnimplementedError(
      absl::StrCat("not by rows, as ", std::string(rows.status().message()), "; nor in one pass, as ", *obstacle));
}

absl::StatusOr<std::shared_ptr<const DenseGame>> solve_dense(const Variant& variant, const Position& start,
                                                             DenseMethod method, const DenseOptions& options) {
  if (method == DenseMethod::rows) return solve_by_rows(variant, start, options);
  return solve_one_pass(variant, start, OnePassOptions{options});
}

absl::StatusOr<std::shared_ptr<const DenseGame>> solve_dense(const Variant& variant, const Position& start,
                                                             const DenseOptions& options) {
  const absl::StatusOr<DenseMethod> method = dense_method(variant);
  if (!method.ok()) return method.status();
  return solve_dense(variant, start, *method, options);
}

absl::StatusOr<std::shared_ptr<const DenseGame>> open_dense(const Variant& variant, DenseMethod method,
                                                            std::shared_ptr<const TableReader> table) {
  if (method == DenseMethod::rows) return open_rows(variant, std::move(table));
  return open_one_pass(variant, std::move(table));
}

}  // namespace plenum
