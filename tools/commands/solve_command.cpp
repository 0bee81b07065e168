// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>

#include <absl/strings/str_cat.h>

#include "solver/method/method.h"
#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/report/json_report.h"
#include "tools/report/page.h"
#include "tools/session/common.h"
#include "tools/session/run.h"
#include "tools/session/store.h"

namespace plenum {
namespace {

// A game solved whole or searched, as it is shown.
struct Shown {
  std::string page;
  Json json;
  int code = kDone;
};

Wanted wanted_by(const SolveArguments& arguments) {
  Wanted out;
  out.remoteness = !arguments.no_remoteness;
  out.table = !arguments.table.empty();
  out.openings = arguments.openings;
  return out;
}

// The method that was asked for by name, or the one that the game takes.
absl::StatusOr<Choice> chosen(const Run& run, const Game& game, const Wanted& wanted, const SolveArguments& arguments) {
  const bool by_name = arguments.method != kAuto;
  const absl::StatusOr<Choice> choice =
      by_name ? Choice{.method = find_method(arguments.method)->id(), .reason = "it was asked for"}
              : run.choose(game, wanted);
  if (!choice.ok()) return choice;
  const Method& method = method_of(choice->method);
  const auto name = std::string(method.name());
  const auto refuse = [&](const std::string& why, const std::string& hint) {
    return absl::InvalidArgumentError(
        absl::StrCat(game.variant().description().name, " on ", game.variant().board().name(), " ", why, "\n  ", hint));
  };
  const auto why = by_name ? method.obstacle(game) : std::nullopt;
  if (why)
    return refuse(absl::StrCat("cannot be solved by ", name, ": ", *why),
                  absl::StrCat("leave out --method ", name, "; plenum info lists the methods"));
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
  Run run(arguments.run);
  const absl::StatusOr<Variant> variant = Variant::make(description);
  if (!variant.ok()) return variant.status();
  const Game game(*variant, variant->rules().start());
  const Wanted wanted = wanted_by(arguments);
  const absl::StatusOr<Choice> choice = chosen(run, game, wanted, arguments);
  if (!choice.ok()) return choice.status();
  const absl::StatusOr<Solved> solved =
      solve_stored(run, game, *choice, wanted, {arguments.table, arguments.no_table, arguments.method != kAuto});
  if (!solved.ok()) return solved.status();
  const Summary& summary = solved->result->summary();
  const Cost cost = run.cost();
  Shown out;
  out.page = page(summary, solved->opened ? std::nullopt : std::optional(cost));
  if (solved->opened) absl::StrAppend(&out.page, "  taken from ", solved->table, "\n");
  absl::StrAppend(&out.page, "  solved by ", summary.method, ": ", solved->choice.reason, "\n");
  out.json = solved_json(*solved, cost);
  out.code = summary.stopped ? kInterrupted : kDone;
  return out;
}

}  // namespace

int solve_command(const SolveArguments& arguments) {
  absl::StatusOr<Description> described = load_game(arguments.game);
  if (!described.ok()) return report(described.status());
  absl::StatusOr<Shown> game = show(*described, arguments);
  if (!game.ok()) return report(game.status());
  if (arguments.against.empty()) {
    std::cout << (arguments.run.json ? json_text(game->json, 2) + "\n" : game->page);
    return game->code;
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
  const absl::StatusOr<Shown> against = show(other, arguments);
  if (!against.ok()) return report(against.status());
  if (arguments.run.json) {
    game->json["against"] = against->json;
    std::cout << json_text(game->json, 2) << "\n";
  } else {
    std::cout << side_by_side(game->page, against->page);
  }
  return std::max(game->code, against->code);
}

}  // namespace plenum
