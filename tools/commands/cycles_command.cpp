// SPDX-License-Identifier: Apache-2.0
// plenum cycles: whether play can go round, what that is worth, whether it can be forced, and a case to check by hand.
#include <iostream>

#include <absl/strings/str_cat.h>

#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/report/cycles_report.h"
#include "tools/report/describe.h"
#include "tools/report/graph_file.h"
#include "tools/session/common.h"
#include "tools/session/game_at.h"
#include "tools/session/run.h"
#include "tools/session/store.h"
#include "variants/text/status_macros.h"

namespace plenum {

namespace {

absl::Status no_trap_to_write(const CycleStudy& study, const Variant& variant, const std::string& file) {
  const char* why = "there is no trap on ";
  const char* hint = "without --dot and --graphml this command says what there is";
  if (study.trap_not_found) {
    why = "no trap was found on ";
  } else if (study.all.forced_cycle > 0) {
    why = "traps are not looked for among all positions of an ending on ";
    hint = "of one position, with --position or --set array, they are";
  }
  return absl::FailedPreconditionError(
      absl::StrCat(why, variant.board().name(), ", so there is no graph to write to ", file, "\n  ", hint));
}

}  // namespace

absl::StatusOr<int> cycles_command(const CyclesArguments& arguments) {
  ASSIGN_OR_RETURN(const Variant variant, make_game_at(arguments.game, arguments.position));
  ASSIGN_OR_RETURN(const Position start, begin_of(variant, arguments.position, arguments.moves));
  const bool asked = !arguments.position.empty() || !arguments.moves.empty();
  Run run(arguments.run);
  const Wanted wanted = {.scan = true, .extras = {.random_play = false}};
  const Game begun(variant, start);
  ASSIGN_OR_RETURN(const Choice choice, choice_by_name(run, begun, wanted, arguments.method));
  ASSIGN_OR_RETURN(const Solved solved, solve_stored(run, begun, choice, wanted, {.only = arguments.method != kAuto}));
  const Result& game = *solved.result;
  const auto go_on = [&](std::uint64_t positions) { return run.show("counting", positions, "positions"); };
  ASSIGN_OR_RETURN(const CycleStudy study, study_cycles(game, go_on));
  for (const auto& [file, format] :
       {std::pair{arguments.dot, GraphFormat::dot}, {arguments.graphml, GraphFormat::graphml}}) {
    if (file.empty()) continue;
    if (!study.trap) return no_trap_to_write(study, variant, file);
    RETURN_IF_ERROR(write_graph(variant, *study.trap, format, file));
  }
  if (arguments.run.json) {
    Json json = cycle_study_json(game.summary(), study, run.cost());
    if (asked) json["position"] = variant.rules().write(start);
    std::cout << json_page(json);
  } else {
    std::cout << (asked ? begun_at(variant, start) : "") << cycle_study_page(game.summary(), study);
  }
  return kDone;
}

}  // namespace plenum
