// SPDX-License-Identifier: Apache-2.0
// plenum info: what a variant is, before anything is solved.
#include <iostream>

#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/report/info_report.h"
#include "tools/report/piece_page.h"
#include "variants/text/status_macros.h"

namespace plenum {

absl::StatusOr<int> info_command(const InfoArguments& arguments) {
  ASSIGN_OR_RETURN(const Variant variant, make_game(arguments.game));
  if (arguments.pieces && arguments.run.json) {
    Json out = headed_json(variant);
    ASSIGN_OR_RETURN(out["pieces"], pieces_json(variant));
    std::cout << json_page(out);
    return kDone;
  }
  if (arguments.pieces) {
    ASSIGN_OR_RETURN(const std::string page, pieces_page(variant));
    std::cout << page;
    return kDone;
  }
  ASSIGN_OR_RETURN(const std::uint64_t memory, memory_limit(arguments.run));
  std::cout << (arguments.run.json ? json_page(info_json(variant, memory, arguments.ranks))
                                   : info_page(variant, memory, arguments.ranks));
  return kDone;
}

}  // namespace plenum
