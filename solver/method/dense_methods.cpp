// SPDX-License-Identifier: Apache-2.0
#include "solver/method/dense_methods.h"

#include <absl/strings/str_cat.h>

#include "solver/one_pass/one_pass.h"
#include "solver/rows/dense_rows.h"

namespace plenum {
namespace {

constexpr std::uint64_t kLargeBoards = 50'000'000;
constexpr std::uint64_t kBoardOfOnePass = 20;  // boards by rows that take as long

}  // namespace

absl::StatusOr<DenseMethod> dense_method(const Variant& variant) {
  const absl::StatusOr<RowGame> rows = RowGame::make(variant);
  const std::optional<std::string> obstacle = one_pass_obstacle(variant);
  if (rows.ok()) {
    const std::uint64_t boards = rows->index().boards() * rows->states();
    const bool few_arise = boards >= kLargeBoards && !obstacle && one_pass_boards(variant) * kBoardOfOnePass < boards;
    return few_arise ? DenseMethod::one_pass : DenseMethod::rows;
  }
  if (!obstacle) return DenseMethod::one_pass;
  return absl::UnimplementedError(
      absl::StrCat("not by rows, as ", std::string(rows.status().message()), "; nor in one pass, as ", *obstacle));
}

absl::StatusOr<std::shared_ptr<const DenseGame>> solve_dense(const Variant& variant, const Position& start,
                                                             const DenseOptions& options) {
  const absl::StatusOr<DenseMethod> method = dense_method(variant);
  if (!method.ok()) return method.status();
  if (*method == DenseMethod::rows) return solve_by_rows(variant, start, options);
  return solve_one_pass(variant, start, OnePassOptions{options});
}

absl::StatusOr<std::shared_ptr<const DenseGame>> open_dense(const Variant& variant, DenseMethod method,
                                                            std::shared_ptr<const TableReader> table) {
  if (method == DenseMethod::rows) return open_rows(variant, std::move(table));
  return open_one_pass(variant, std::move(table));
}

absl::StatusOr<DensePredictions> predict_dense(const Variant& variant) {
  const absl::StatusOr<DenseMethod> method = dense_method(variant);
  if (!method.ok()) return method.status();
  if (*method == DenseMethod::one_pass) return predict_one_pass(variant, variant.rules().start());
  const absl::StatusOr<RowGame> rows = RowGame::make(variant);
  if (!rows.ok()) return rows.status();
  const absl::StatusOr<DensePrediction> whole = predict_rows(*rows, {true, true});
  if (!whole.ok()) return whole.status();
  const absl::StatusOr<DensePrediction> values = predict_rows(*rows, {false, false});
  if (!values.ok()) return values.status();
  return DensePredictions{DenseMethod::rows, *whole, *values};
}

bool prefers_dense(const Variant& variant, std::uint64_t memory_bytes) {
  const absl::StatusOr<DenseMethod> method = dense_method(variant);
  if (!method.ok()) return false;
  if (*method == DenseMethod::one_pass) return prefers_one_pass(variant, variant.rules().start(), memory_bytes);
  return prefers_rows(*RowGame::make(variant));
}

}  // namespace plenum
