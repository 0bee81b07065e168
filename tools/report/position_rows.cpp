// SPDX-License-Identifier: Apache-2.0
#include "tools/report/position_rows.h"

#include "tools/report/csv.h"
#include "tools/report/describe.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

absl::StatusOr<std::vector<ValuedMove>> moves_of(const Result& game, const Result::Visit& seen) {
  if (seen.value.ended) return std::vector<ValuedMove>();
  return game.moves(seen.position);
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

Json position_row(const Result& game, const Result::Visit& seen) {
  const Rules& rules = game.variant().rules();
  const PositionValue& value = seen.value;
  const auto fact = [known = game.summary().facts_known](bool holds) { return known ? Json(holds) : Json(); };
  Json out = {{"position", rules.write(seen.position)},
              {"mover", player_word(seen.position.mover)},
              {"stones", rules.stones(seen.position)}};
  out.update(value_json(game.variant(), value));
  out["ended"] = value.ended;
  out["forced_cycle"] = fact(value.forced_cycle);
  out["endless_first"] = fact(value.endless_first);
  out["endless_second"] = fact(value.endless_second);
  out["first_ends"] = fact(value.first_ends);
  out["second_ends"] = fact(value.second_ends);
  out["images"] = seen.images;
  return out;
}

absl::StatusOr<std::vector<Json>> move_rows(const Result& game, const Result::Visit& seen) {
  ASSIGN_OR_RETURN(const std::vector<ValuedMove> moves, moves_of(game, seen));
  const Rules& rules = game.variant().rules();
  const std::string position = rules.write(seen.position);
  std::vector<Json> out;
  out.reserve(moves.size());
  for (const auto& [successor, after, keeps] : moves) {
    Json& row = out.emplace_back(Json{{"position", position},
                                      {"mover", player_word(seen.position.mover)},
                                      {"images", seen.images},
                                      {"move", successor.text},
                                      {"leads_to", rules.write(successor.position)},
                                      {"keeps", keeps}});
    row.update(value_json(game.variant(), after));
    row["ended"] = after.ended;
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

std::string row_as_csv(const Json& row) {
  std::vector<std::string> cells;
  cells.reserve(row.size());
  for (const Json& value : row)
    cells.push_back(value.is_null() ? "" : value.is_string() ? value.get<std::string>() : json_text(value, -1));
  return csv_row(cells);
}

std::string row_as_json(const Json& row) { return json_text(row, -1) + "\n"; }

}  // namespace plenum
