// SPDX-License-Identifier: Apache-2.0
// The positions of a solved game, and their moves, as rows of named columns: what `export` writes.
//
// What is not known is null. Margins are first's and written as in all JSON (json_report.h): whole numbers, numbers where there are
// halves, texts "p/q" where there are other fractions.
//
// Thread-safety: pure functions. Cost: a row of values takes some µs less than a JSON object, whose keys are texts of their own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "solver/result/result.h"
#include "tools/report/json_report.h"

namespace plenum {

enum class ColumnType { text, truth, whole, number };
struct RowColumn {
  std::string_view name;
  ColumnType type = ColumnType::text;
};
enum class RowsOf { positions, moves };
std::vector<RowColumn> columns_of(const Variant& variant, RowsOf rows);

// A value for each column, in their order; neither objects nor lists.
using Row = std::vector<Json>;
// The row of a position.
Row position_row(const Result& game, const Result::Visit& seen);
// A row for each of its moves; none where the game has ended.
absl::StatusOr<std::vector<Row>> move_rows(const Result& game, const Result::Visit& seen);
// The moves as `query` has them in its JSON; none where the game has ended.
absl::StatusOr<Json> moves_in_row(const Result& game, const Result::Visit& seen);

// Lines with their ends. In CSV what is not known is empty.
std::string head_as_csv(const std::vector<RowColumn>& columns);
std::string row_as_csv(const Row& row);
// An object with the columns as keys, in their order.
Json row_as_json(const std::vector<RowColumn>& columns, Row row);

}  // namespace plenum
