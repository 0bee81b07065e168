// SPDX-License-Identifier: Apache-2.0
// plenum count: perft.
#include <iostream>

#include "solver/study/perft.h"
#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/console/progress.h"
#include "tools/report/json_report.h"
#include "tools/session/common.h"
#include "tools/session/game_at.h"
#include "tools/session/run.h"
#include "variants/text/status_macros.h"

namespace plenum {

absl::StatusOr<int> count_command(const CountArguments& arguments) {
  ASSIGN_OR_RETURN(const Variant variant, make_game_at(arguments.game, arguments.position));
  ASSIGN_OR_RETURN(const Position position, find_position(variant, arguments.position, ""));
  const Run run(arguments.run);
  exit_on_interrupt();  // counting keeps nothing that an orderly end would save
  ASSIGN_OR_RETURN(const Perft counted, perft(variant.rules(), position, arguments.depth));
  if (arguments.run.json) {
    Json out = headed_json(variant);
    out["position"] = variant.rules().write(position);
    out["depth"] = arguments.depth;
    out["nodes"] = counted.nodes;
    if (arguments.divide) out["divide"] = counts_json(counted.divide);
    std::cout << json_page(out);
    return kDone;
  }
  if (arguments.divide) {
    for (const auto& [move, nodes] : counted.divide) std::cout << move << "\t" << nodes << "\n";
  }
  std::cout << counted.nodes << "\n";
  return kDone;
}

}  // namespace plenum
