// SPDX-License-Identifier: Apache-2.0
// plenum reach: the shortest lines of moves to a position with a property, how many there are, or that there is none.
#include <iostream>
#include <sstream>

#include <absl/strings/str_cat.h>

#include "solver/study/reach.h"
#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/report/describe.h"
#include "tools/report/json_report.h"
#include "tools/report/page_text.h"
#include "tools/session/common.h"
#include "tools/session/game_at.h"
#include "tools/session/run.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

using namespace pages;  // NOLINT(google-build-using-namespace)

constexpr std::uint64_t kLargestExactNumber = std::uint64_t{1} << 53;  // that every reader of JSON keeps as it is

std::string text_of(absl::uint128 n) {
  std::ostringstream out;
  out << n;
  return out.str();
}

std::string number_of_lines(const Reach& found) {
  std::string digits = text_of(found.lines);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return absl::StrCat(found.lines == absl::Uint128Max() ? "at least " : "", digits);
}

Json lines_json(const Reach& found) {
  if (found.lines <= kLargestExactNumber) return absl::Uint128Low64(found.lines);
  return absl::StrCat(found.lines == absl::Uint128Max() ? "at least " : "", text_of(found.lines));
}

Json reach_json(const Variant& variant, const ReachArguments& arguments, const Position& start, const Reach& found,
                const Cost& cost) {
  const auto& line = found.line;
  Json out = headed_json(variant);
  out.update(
      {{"goal", arguments.goal},
       {"from", variant.rules().write(start)},
       {"reached", line.has_value()},
       {"plies", line ? Json(line->moves.size()) : Json()},
       {"lines", line ? lines_json(found) : Json(0)},
       {"line", line ? line_json(line->moves) : Json()},
       {"position", line ? Json(variant.rules().write(line->end())) : Json()},
       {"proven", line ? Json() : Json(found.exhausted ? "exhausted" : "depth")},
       {"depth", or_null(arguments.depth)},
       {"positions",
        {{"looked_at", found.looked_at}, {"unreduced", or_null(found.unreduced)}, {"moves_cut", found.moves_cut}}},
       {"cost", cost_json(cost)}});
  return out;
}

std::string reach_headline(const Reach& found) {
  if (!found.line) {
    return found.exhausted ? "the goal is never reached, by any moves"
                           : absl::StrCat("the goal is not reached within ", plies(found.proven_plies));
  }
  const std::size_t length = found.line->moves.size();
  if (length == 0) return "the goal is met already";
  return absl::StrCat("the goal is reached after ", plies(length), ", in ",
                      found.lines == 1 ? "one line" : absl::StrCat(number_of_lines(found), " lines"));
}

std::string reach_page(const Variant& variant, const ReachArguments& arguments, const Position& start,
                       const Reach& found, const Cost& cost) {
  Text out;
  out.line(absl::StrCat(variant.description().name, " on ", variant.board().name(), ": ", reach_headline(found), "."),
           0, 2);
  out.raw(absl::StrCat("  the goal: ", arguments.goal));
  const std::string from = variant.rules().write(start);
  if (found.line && !found.line->moves.empty()) {
    out.line(absl::StrCat(found.lines == 1 ? "the line" : "the first line in board order", ": ",
                          line_words(found.line->moves)));
  }
  out.line(absl::StrCat("from ", from, found.line ? " to " + variant.rules().write(found.line->end()) : ""));
  if (found.line) {
    out.raw("");
    for (const std::string& line : draw_position(variant, found.line->end(), kPageColumns - 4)) out.raw("    " + line);
    out.line(absl::StrCat(player_word(found.line->end().mover), " to move"), 4);
    out.raw("");
  }
  std::string looked = count(found.looked_at, "position was", "positions were");
  absl::StrAppend(&looked, " looked at");
  if (!found.unreduced) absl::StrAppend(&looked, ", up to symmetry");
  if (found.unreduced && *found.unreduced != found.looked_at)
    absl::StrAppend(&looked, ", which stand for ", number(*found.unreduced), " by symmetry");
  if (found.moves_cut > 0)
    absl::StrAppend(&looked, "; ", count(found.moves_cut, "move was", "moves were"),
                    " not followed, as counting shows that the goal is too far after them");
  out.line(absl::StrCat(looked, "; ", seconds(cost.seconds)));
  return out.text();
}

}  // namespace

absl::StatusOr<int> reach_command(const ReachArguments& arguments) {
  ASSIGN_OR_RETURN(const Description described, load_game_at(arguments.game, arguments.position));
  ASSIGN_OR_RETURN(const Variant variant, Variant::make(described, Span::whole("--goal", arguments.goal)));
  ASSIGN_OR_RETURN(const Position start, find_position(variant, arguments.position, arguments.moves));
  Run run(arguments.run);
  ASSIGN_OR_RETURN(const Reach found, run.reach(variant, start, arguments.depth));
  std::cout << (arguments.run.json ? json_page(reach_json(variant, arguments, start, found, run.cost()))
                                   : reach_page(variant, arguments, start, found, run.cost()));
  return found.line ? kDone : kNegative;
}

}  // namespace plenum
