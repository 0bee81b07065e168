// SPDX-License-Identifier: Apache-2.0
#include <absl/strings/str_format.h>
#include <tbb/global_control.h>
#include <tbb/info.h>

#include <chrono>
#include <ctime>
#include <iostream>

#include "solver/memory.h"
#include "tools/commands.h"
#include "tools/exit_codes.h"
#include "tools/json_report.h"
#include "tools/page.h"
#include "tools/progress.h"
#include "tools/run.h"

namespace plenum {

int solve_command(const SolveArguments& arguments) {
  absl::StatusOr<Description> described = load_game(arguments.game);
  if (!described.ok()) return report(described.status());
  Run run(arguments.run);
  absl::StatusOr<SolvedGame> game = run.solve(*described);
  if (!game.ok()) return report(game.status());
  const Cost cost = run.cost();
  if (arguments.run.json) {
    std::cout << solve_json(*game, cost).dump(2) << "\n";
    return kDone;
  }
  if (arguments.against.empty()) {
    std::cout << page(*game, cost);
    return kDone;
  }
  Description other = *described;
  for (const std::string& setting : arguments.against) {
    if (setting == "default") {
      for (Option& option : other.options) {
        if (option.name != "board") option.value = option.initial;
      }
      continue;
    }
    const absl::Status set = other.set_option(Span::whole("--against", setting));
    if (!set.ok()) return report(set);
  }
  Run second(arguments.run);
  absl::StatusOr<SolvedGame> against = second.solve(other);
  if (!against.ok()) return report(against.status());
  std::cout << side_by_side(page(*game, cost), page(*against, second.cost()));
  return kDone;
}

}  // namespace plenum
