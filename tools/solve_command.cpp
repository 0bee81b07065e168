// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "tools/commands.h"
#include "tools/exit_codes.h"
#include "tools/json_report.h"
#include "tools/page.h"
#include "tools/run.h"

namespace plenum {

int solve_command(const SolveArguments& arguments) {
  absl::StatusOr<Description> described = load_game(arguments.game);
  if (!described.ok()) return report(described.status());
  Run run(arguments.run);
  absl::StatusOr<SolvedGame> game = run.solve(*described);
  if (!game.ok()) return report(game.status());
  const Cost cost = run.cost();
  if (arguments.against.empty()) {
    std::cout << (arguments.run.json ? solve_json(*game, cost).dump(2) + "\n" : page(*game, cost));
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
  if (arguments.run.json) {
    Json out = solve_json(*game, cost);
    out["against"] = solve_json(*against, second.cost());
    std::cout << out.dump(2) << "\n";
    return kDone;
  }
  std::cout << side_by_side(page(*game, cost), page(*against, second.cost()));
  return kDone;
}

}  // namespace plenum
