// SPDX-License-Identifier: Apache-2.0
#include "tools/report/answer_report.h"

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

#include "tools/report/describe.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

Json begun(const Variant& variant, Headed headed) { return headed == Headed::yes ? headed_json(variant) : Json(); }

}  // namespace

Json answer_json(const Variant& variant, const Answer& answer, Headed headed) {
  Json out = begun(variant, headed);
  out["position"] = variant.rules().write(answer.position);
  out["value"] = value_json(variant, answer.value);
  out["reachable"] = or_null(answer.reachable);
  out["solved_from"] = answer.begun ? Json(variant.rules().write(*answer.begun)) : Json();
  out["moves"] = json_list(answer.moves, [&](const ValuedMove& move) { return move_json(variant, move); });
  out["line"] = line_json(answer.line.moves);
  out["line_repeats"] = answer.line.repeats;
  return out;
}

std::string answer_page(const Variant& variant, const Answer& answer) {
  std::string out =
      absl::StrCat(variant.rules().write(answer.position), "\n", value_words(variant, answer.value), "\n");
  if (answer.reachable == std::optional<bool>(false))
    out += "(this position is not reachable from the start; solved from here)\n";
  if (!answer.reachable && answer.begun && !(*answer.begun == variant.rules().start()))
    absl::StrAppend(&out, "(solved from ",
                    *answer.begun == answer.position ? "here" : variant.rules().write(*answer.begun),
                    "; whether it is reachable from the start is not known)\n");
  for (const auto& [successor, value, keeps] : answer.moves)
    absl::StrAppendFormat(&out, "  %-10s %-32s %s\n", successor.text, value_words(variant, value),
                          variant.rules().write(successor.position));
  if (answer.line.moves.empty()) return out;
  out += "best line:";
  for (const LineMove& move : answer.line.moves) absl::StrAppend(&out, " ", move.text);
  absl::StrAppend(&out, answer.line.repeats ? " (a position is repeated here)" : "", "\n");
  return out;
}

absl::StatusOr<Json> legal_moves_json(const Variant& variant, const Position& position, Headed headed) {
  ASSIGN_OR_RETURN(const EndState end, end_state(variant.rules(), position));
  Json out = begun(variant, headed);
  out["position"] = variant.rules().write(position);
  out["ended"] = end.ended;
  out["moves"] = Json::array();
  if (end.ended) return out;
  ASSIGN_OR_RETURN(const std::vector<Successor> moves, successors(variant.rules(), position));
  for (const Successor& s : moves)
    out["moves"].push_back({{"move", s.text}, {"position", variant.rules().write(s.position)}});
  return out;
}

}  // namespace plenum
