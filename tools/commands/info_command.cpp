// SPDX-License-Identifier: Apache-2.0
// plenum info: what a variant is, before anything is solved.
#include <iostream>

#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/report/info_report.h"
#include "tools/report/piece_page.h"
#include "tools/session/common.h"

namespace plenum {
namespace {

int show_pieces(const Variant& variant, bool json) {
  if (json) {
    absl::StatusOr<Json> pieces = pieces_json(variant);
    if (!pieces.ok()) return report(pieces.status());
    Json out = headed_json(variant);
    out["pieces"] = *std::move(pieces);
    std::cout << json_text(out, 2) << "\n";
    return kDone;
  }
  const absl::StatusOr<std::string> page = pieces_page(variant);
  if (!page.ok()) return report(page.status());
  std::cout << *page;
  return kDone;
}

}  // namespace

int info_command(const InfoArguments& arguments) {
  const absl::StatusOr<Variant> variant = make_game(arguments.game);
  if (!variant.ok()) return report(variant.status());
  if (arguments.pieces) return show_pieces(*variant, arguments.run.json);
  const absl::StatusOr<std::uint64_t> memory = memory_limit(arguments.run);
  if (!memory.ok()) return report(memory.status());
  if (arguments.run.json) {
    std::cout << json_text(info_json(*variant, *memory), 2) << "\n";
  } else {
    std::cout << info_page(*variant, *memory);
  }
  return kDone;
}

}  // namespace plenum
