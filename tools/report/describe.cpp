// SPDX-License-Identifier: Apache-2.0
#include "tools/report/describe.h"

#include <cstdlib>

#include <absl/strings/str_cat.h>

#include "tools/report/draw.h"

namespace plenum {

std::string player_word(Player player) { return player == Player::first ? "first" : "second"; }

std::string value_words(const Variant& variant, const PositionValue& value) {
  std::string out;
  const std::string margin =
      variant.rule_set().outcome_only
          ? ""
          : absl::StrCat(" by ", variant.margin_text(Margin{std::abs(value.margin.margin.units)}));
  switch (value.outcome) {
    case Outcome::first:
      out = absl::StrCat("first wins", margin);
      break;
    case Outcome::second:
      out = absl::StrCat("second wins", margin);
      break;
    case Outcome::tie:
      out = "a tie";
      break;
    case Outcome::cycle:
      out = value.forced_cycle ? "a forced cycle" : "a cycle";
      break;
  }
  if (value.ended) return "ended: " + out;
  if (value.plies) absl::StrAppend(&out, " in ", value.plies->count, value.plies->count == 1 ? " ply" : " plies");
  return out;
}

std::vector<std::string> draw_position(const Variant& variant, const Position& position, std::size_t columns) {
  return draw(variant.board(), variant.rules().letters(position), columns);
}

std::string begun_at(const Variant& variant, const Position& start) {
  return absl::StrCat("From ", variant.rules().write(start), ", ", player_word(start.mover),
                      " to move: what is called the start below is this position.\n");
}

std::string line_words(const std::vector<LineMove>& moves) {
  std::string out;
  for (const LineMove& move : moves)
    absl::StrAppend(&out, out.empty() ? "" : " ", move.text, move.gives_away ? "?" : "");
  return out;
}

}  // namespace plenum
