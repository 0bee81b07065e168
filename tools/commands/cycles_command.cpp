// SPDX-License-Identifier: Apache-2.0
// plenum cycles: whether play can go round, what that is worth, whether it can be forced, and a case to check by hand.
#include <iostream>

#include <absl/strings/str_cat.h>

#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/report/cycles_report.h"
#include "tools/report/graph_file.h"
#include "tools/session/common.h"
#include "tools/session/run.h"
#include "tools/session/store.h"

namespace plenum {

int cycles_command(const CyclesArguments& arguments) {
  const absl::StatusOr<Variant> variant = make_game(arguments.game);
  if (!variant.ok()) return report(variant.status());
  Run run(arguments.run);
  Wanted wanted;
  wanted.scan = true;
  wanted.extras = {.random_play = false};
  const Game asked(*variant, variant->rules().start());
  const absl::StatusOr<Solved> solved = solve_chosen(run, asked, wanted);
  if (!solved.ok()) return report(solved.status());
  const Result& game = *solved->result;
  const absl::StatusOr<CycleStudy> study =
      study_cycles(game, [&](std::uint64_t positions) { return run.show("counting", positions, "positions"); });
  if (!study.ok()) return report(study.status());
  for (const auto& [file, format] :
       {std::pair{arguments.dot, GraphFormat::dot}, {arguments.graphml, GraphFormat::graphml}}) {
    if (file.empty()) continue;
    const absl::Status written =
        study->trap ? write_graph(*variant, *study->trap, format, file)
                    : absl::FailedPreconditionError(absl::StrCat(
                          "there is no trap on ", variant->board().name(), ", so there is no graph to write to ", file,
                          "\n  without --dot and --graphml this command says what there is"));
    if (!written.ok()) return report(written);
  }
  if (arguments.run.json) {
    std::cout << json_text(cycle_study_json(game.summary(), *study, run.cost()), 2) << "\n";
  } else {
    std::cout << cycle_study_page(game.summary(), *study);
  }
  return kDone;
}

}  // namespace plenum
