// SPDX-License-Identifier: Apache-2.0
#include "solver/result/game_result.h"

#include <cstdlib>

namespace plenum {

absl::Status find_openings(const ValueFn& value, GameResult::Data& data) {
  if (data.start_value.ended) return absl::OkStatus();
  const Rules& rules = data.variant->rules();
  const absl::StatusOr<std::vector<Successor>> moves = successors(rules, data.start);
  if (!moves.ok()) return moves.status();
  for (const Successor& s : *moves) data.openings.push_back({s.move, s.text, value(s.position), rules.in_pie(s.move)});
  if (!data.variant->rule_set().pie) return absl::OkStatus();
  for (const Opening& opening : data.openings) {
    if (!opening.in_pie) continue;
    const Margin fair{-std::abs(opening.after.margin.margin.units)};
    if (!data.pie || fair > data.pie->margin) data.pie = Pie{fair, {}};
    if (fair == data.pie->margin) data.pie->openings.push_back(opening.text);
  }
  return absl::OkStatus();
}

}  // namespace plenum
