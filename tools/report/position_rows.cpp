// SPDX-License-Identifier: Apache-2.0
#include "tools/report/position_rows.h"

#include <utility>

#include "tools/report/csv.h"
#include "tools/report/describe.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kMostColumns = 13;

absl::StatusOr<std::vector<ValuedMove>> moves_of(const Result& game, const Result::Visit& seen) {
  if (seen.value.ended) return std::vector<ValuedMove>();
  return game.moves(seen.position);
}

// As value_json().
void add_value(const Variant& variant, const PositionValue& value, Row& to) {
  to.emplace_back(outcome_name(value.outcome));
  to.push_back(margin_json(variant, value.margin.margin));
  to.push_back(value.plies ? Json(value.plies->count) : Json());
}

}  // namespace

std::vector<RowColumn> columns_of(const Variant& variant, RowsOf rows) {
  using Type = ColumnType;
  const std::int64_t parts = variant.rules().denominator();
  const Type margin = parts == 1 ? Type::whole : parts == 2 ? Type::number : Type::text;
  if (rows == RowsOf::moves)
    return {{"position", Type::text}, {"mover", Type::text},  {"images", Type::whole}, {"move", Type::text},
            {"leads_to", Type::text}, {"keeps", Type::truth}, {"outcome", Type::text}, {"margin", margin},
            {"plies", Type::whole},   {"ended", Type::truth}};
  return {{"position", Type::text},
          {"mover", Type::text},
          {"stones", Type::whole},
          {"outcome", Type::text},
          {"margin", margin},
          {"plies", Type::whole},
          {"ended", Type::truth},
          {"forced_cycle", Type::truth},
          {"endless_first", Type::truth},
          {"endless_second", Type::truth},
          {"first_ends", Type::truth},
          {"second_ends", Type::truth},
          {"images", Type::whole}};
}

Row position_row(const Result& game, const Result::Visit& seen) {
  const Rules& rules = game.variant().rules();
  const PositionValue& value = seen.value;
  const auto fact = [known = game.summary().facts_known](bool holds) { return known ? Json(holds) : Json(); };
  Row out;
  out.reserve(kMostColumns);
  out.emplace_back(rules.write(seen.position));
  out.emplace_back(player_word(seen.position.mover));
  out.emplace_back(rules.stones(seen.position));
  add_value(game.variant(), value, out);
  out.emplace_back(value.ended);
  out.push_back(fact(value.forced_cycle));
  out.push_back(fact(value.endless_first));
  out.push_back(fact(value.endless_second));
  out.push_back(fact(value.first_ends));
  out.push_back(fact(value.second_ends));
  out.emplace_back(seen.images);
  return out;
}

absl::StatusOr<std::vector<Row>> move_rows(const Result& game, const Result::Visit& seen) {
  ASSIGN_OR_RETURN(const std::vector<ValuedMove> moves, moves_of(game, seen));
  const Rules& rules = game.variant().rules();
  const std::string position = rules.write(seen.position);
  std::vector<Row> out;
  out.reserve(moves.size());
  for (const auto& [successor, after, keeps] : moves) {
    Row& row = out.emplace_back();
    row.reserve(kMostColumns);
    row.emplace_back(position);
    row.emplace_back(player_word(seen.position.mover));
    row.emplace_back(seen.images);
    row.emplace_back(successor.text);
    row.emplace_back(rules.write(successor.position));
    row.emplace_back(keeps);
    add_value(game.variant(), after, row);
    row.emplace_back(after.ended);
  }
  return out;
}

absl::StatusOr<Json> moves_in_row(const Result& game, const Result::Visit& seen) {
  ASSIGN_OR_RETURN(const std::vector<ValuedMove> moves, moves_of(game, seen));
  return json_list(moves, [&](const ValuedMove& move) { return move_json(game.variant(), move); });
}

std::string head_as_csv(const std::vector<RowColumn>& columns) {
  std::vector<std::string> cells;
  cells.reserve(columns.size());
  for (const RowColumn& column : columns) cells.emplace_back(column.name);
  return csv_row(cells);
}

std::string row_as_csv(const Row& row) {
  std::string out;
  for (const Json& value : row) {
    if (&value != &row.front()) out += ',';
    if (value.is_string()) {
      append_csv_cell(out, value.get_ref<const std::string&>());
    } else if (!value.is_null()) {
      out += value.dump();
    }
  }
  return out += '\n';
}

Json row_as_json(const std::vector<RowColumn>& columns, Row row) {
  Json out = Json::object();
  for (std::size_t k = 0; k < columns.size(); ++k) out[std::string(columns[k].name)] = std::move(row[k]);
  return out;
}

}  // namespace plenum
