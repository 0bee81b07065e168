// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>

#include <absl/strings/str_cat.h>

#include "solver/method/method.h"
#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/report/describe.h"
#include "tools/report/json_report.h"
#include "tools/report/page.h"
#include "tools/session/common.h"
#include "tools/session/game_at.h"
#include "tools/session/run.h"
#include "tools/session/store.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// A game solved whole or searched, as it is shown.
struct Shown {
  std::string page;
  Json json;
  int code = kDone;
};

// What the game is solved by, if that can do all that is asked for.
absl::StatusOr<Choice> chosen(const Run& run, const Game& game, const Wanted& wanted, const SolveArguments& arguments) {
  const bool by_name = arguments.method != kAuto;
  ASSIGN_OR_RETURN(const Choice choice, choice_by_name(run, game, wanted, arguments.method));
  const Method& method = method_of(choice.method);
  const auto name = std::string(method.name());
  const auto refuse = [&](const std::string& why, const std::string& hint) {
    return absl::InvalidArgumentError(
        absl::StrCat(game.variant().description().name, " on ", game.variant().board().name(), " ", why, "\n  ", hint));
  };
  if (wanted.table && method.offers().parts)
    return refuse(
        absl::StrCat("is solved by ", name, ", and kept by materials in the cache folder, with all it leads to"),
        "leave out --table");
  if (wanted.table && !method.offers().table)
    return refuse(absl::StrCat("is solved by ", name, ", of which no table is kept"),
                  absl::StrCat("leave out --table", by_name ? absl::StrCat(", or --method ", name) : ""));
  return choice;
}

absl::StatusOr<Shown> show(const Description& description, const SolveArguments& arguments) {
  RETURN_IF_ERROR(arguments.run.ranks->agree(begin_scratch(arguments.run)));
  Run run(arguments.run);
  ASSIGN_OR_RETURN(const Variant variant, Variant::make(description));
  ASSIGN_OR_RETURN(const Position start, begin_of(variant, arguments.position, arguments.moves));
  const bool asked = !arguments.position.empty() || !arguments.moves.empty();
  const Game game(variant, start);
  const Extras extras = {.most_measured_edges = arguments.measures ? kMeasureAll : kMeasuredEdges};
  const Wanted wanted = {.remoteness = !arguments.no_remoteness,
                         .table = !arguments.table.empty(),
                         .scan = arguments.measures,
                         .openings = arguments.openings,
                         .extras = extras,
                         .only_outcome = !arguments.only.empty(),
                         .all_margins = arguments.margins};
  ASSIGN_OR_RETURN(const Choice choice, chosen(run, game, wanted, arguments));
  ASSIGN_OR_RETURN(Solved solved,
                   solve_stored(run, game, choice, wanted,
                                {arguments.table, arguments.no_table, arguments.method != kAuto || arguments.measures,
                                 Counted{arguments.lengths, arguments.measures}}));
  const Summary& summary = solved.result->summary();
  if (!summary.stopped) {
    RETURN_IF_ERROR(find_lengths(run, solved, arguments.lengths));
    RETURN_IF_ERROR(find_measures(run, solved, arguments.measures));
  }
  const Cost cost = run.cost();
  Json json = solved_json(solved, cost);
  if (asked) json["position"] = variant.rules().write(start);
  return Shown{absl::StrCat(asked ? begun_at(variant, start) : "",
                            page(summary, solved.opened ? std::nullopt : std::optional(cost), solved.studies()),
                            solved.opened ? absl::StrCat("  taken from ", solved.table, "\n") : "", "  solved by ",
                            summary.method, ": ", solved.choice.reason, "\n"),
               std::move(json), summary.stopped ? kInterrupted : kDone};
}

}  // namespace

absl::StatusOr<int> solve_command(const SolveArguments& arguments) {
  absl::StatusOr<Description> loaded = load_game_at(arguments.game, arguments.position);
  RETURN_IF_ERROR(agree_on_game(*arguments.run.ranks, loaded));
  Description& described = *loaded;
  if (!arguments.only.empty()) RETURN_IF_ERROR(described.count_outcome_alone());
  absl::StatusOr<Shown> shown = show(described, arguments);
  const bool goes_on = absl::IsAborted(shown.status()) && !arguments.against.empty();  // with the other ranks
  if (!arguments.against.empty())
    RETURN_IF_ERROR(arguments.run.ranks->agree(goes_on ? absl::OkStatus() : shown.status()));
  if (!shown.ok() && !goes_on) return shown.status();
  if (arguments.against.empty()) {
    const Shown& game = *shown;
    std::cout << (arguments.run.json ? json_page(game.json) : game.page);
    return game.code;
  }
  Description other = described;
  for (const std::string& setting : arguments.against) {
    if (setting == "default") {
      for (Option& option : other.options) {
        if (option.name != "board") option.value = option.initial;
      }
      continue;
    }
    RETURN_IF_ERROR(other.set_option(Span::whole("--against", setting)));
  }
  ASSIGN_OR_RETURN(const Shown against, show(other, arguments));
  Shown& game = *shown;
  game.json["against"] = against.json;
  std::cout << (arguments.run.json ? json_page(game.json) : side_by_side(game.page, against.page));
  return std::max(game.code, against.code);
}

}  // namespace plenum
