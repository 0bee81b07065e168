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

namespace plenum {

int count_command(const CountArguments& arguments) {
  const absl::StatusOr<Variant> variant = make_game_at(arguments.game, arguments.position);
  if (!variant.ok()) return report(variant.status());
  const absl::StatusOr<Position> position = find_position(*variant, arguments.position, "");
  if (!position.ok()) return report(position.status());
  const Run run(arguments.run);
  exit_on_interrupt();  // counting keeps nothing that an orderly end would save
  const absl::StatusOr<Perft> counted = perft(variant->rules(), *position, arguments.depth);
  if (!counted.ok()) return report(counted.status());
  if (arguments.run.json) {
    Json out = headed_json(*variant);
    out["position"] = variant->rules().write(*position);
    out["depth"] = arguments.depth;
    out["nodes"] = counted->nodes;
    if (arguments.divide) {
      out["divide"] = Json::object();
      for (const auto& [move, nodes] : counted->divide) out["divide"][move] = nodes;
    }
    std::cout << json_text(out, 2) << "\n";
    return kDone;
  }
  if (arguments.divide) {
    for (const auto& [move, nodes] : counted->divide) std::cout << move << "\t" << nodes << "\n";
  }
  std::cout << counted->nodes << "\n";
  return kDone;
}

}  // namespace plenum
