// SPDX-License-Identifier: Apache-2.0
// A summary as a table keeps it: everything that a solve found out, in units of the rules, so that any page or JSON can be made of it.
//
//     const Json kept = summary_to_json(result.summary());
//     const Summary same = *summary_of_json(kept, game);
//
// Not kept: what only a run has (work, bounds, a line), the components' positions, and what follows from the rest (the openings' moves
// and texts, the pie). The key "value" is the start's: "outcome", "units" (first's margin), "plies" and "facts", a text of what holds:
// "ended", "forced", "endless-first", "endless-second", "first-ends", "second-ends".
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "solver/method/method.h"
#include "tables/file/json_text.h"

namespace plenum {

Json summary_to_json(const Summary& summary);
// kInvalidArgument, with a clause, for whatever summary_to_json() does not write of this game.
absl::StatusOr<Summary> summary_of_json(const Json& json, const Game& game, const Method& method);

// Where a summary in a table says something else than one that was found again.
struct SummaryMismatch {
  std::string place;  // a JSON pointer: "/reachable/tie"
  Json found;
  Json expected;
};
// Numbers that are not whole may differ by 1e-9, of 1 or of the greater one.
std::vector<SummaryMismatch> compare_summaries(const Json& found, const Json& expected);

}  // namespace plenum
