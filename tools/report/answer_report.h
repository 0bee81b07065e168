// SPDX-License-Identifier: Apache-2.0
// What is known of one position: its value, its moves, a line of best play. As a page and as JSON.
//
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/result/game_result.h"
#include "tools/report/json_report.h"

namespace plenum {

struct Answer {
  Position position;
  PositionValue value;
  std::optional<bool> reachable;  // from the game's start; nothing: not known
  std::optional<Position>
      begun;  // where the solve began that knows it; nothing where it was all positions of a material
  std::vector<ValuedMove> moves;  // in board order
  BestLine line;
};

// Whether the JSON says which game it is about. A line of --stdin does without what is the same for all of them.
enum class Headed { no, yes };
Json answer_json(const Variant& variant, const Answer& answer, Headed headed);
std::string answer_page(const Variant& variant, const Answer& answer);

// The position with its legal moves, without values.
absl::StatusOr<Json> legal_moves_json(const Variant& variant, const Position& position, Headed headed);

}  // namespace plenum
