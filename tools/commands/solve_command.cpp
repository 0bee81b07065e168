// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>

#include <absl/strings/str_cat.h>

#include "solver/method/method.h"
#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/report/bits_report.h"
#include "tools/report/ending_report.h"
#include "tools/report/json_report.h"
#include "tools/report/page.h"
#include "tools/report/search_page.h"
#include "tools/session/common.h"
#include "tools/session/kept_ending.h"
#include "tools/session/kept_game.h"
#include "tools/session/run.h"

namespace plenum {
namespace {

// A game solved whole or searched, as it is shown.
struct Shown {
  std::string page;
  Json json;
  int code = kDone;
};

absl::StatusOr<Shown> show_searched(Run& run, const Variant& variant, const SolveArguments& arguments,
                                    const std::string& why) {
  const absl::StatusOr<SearchedGame> game = run.search(variant, variant.rules().start(), arguments.openings);
  if (!game.ok()) return game.status();
  Shown out;
  out.page = search_page(variant, *game, why, run.cost());
  out.json = search_json(variant, *game, run.cost());
  out.code = game->stopped ? kInterrupted : kDone;
  return out;
}

// As the variant asked for has it: what the table is of is the same game, perhaps under another name and in other words.
Shown show_table(const OpenTable& table, const Variant& variant, const Run& run) {
  Shown out;
  out.json = table.footer.result;
  out.json.update(game_json(variant));
  out.json["table"] = table.path();
  add_cost(run.cost(), out.json);
  out.page = absl::StrCat(reworded_page(table.footer.page, table.header.variant, variant), "  taken from ",
                          table.path(), "\n");
  return out;
}

absl::StatusOr<Shown> show_dense(Run& run, const Variant& variant, DenseMethod method,
                                 const SolveArguments& arguments) {
  const absl::StatusOr<KeptGame> kept = solve_kept(run, variant, method, arguments.method != kAuto,
                                                   !arguments.no_remoteness, {arguments.table, arguments.no_table});
  if (!kept.ok()) return kept.status();
  if (kept->table) return show_table(*kept->table, variant, run);
  const Cost cost = run.cost();
  Shown out{page(*kept->game, cost), solve_json(*kept->game, cost)};
  if (!kept->path.empty()) out.json["table"] = kept->path;
  return out;
}

absl::StatusOr<Shown> show_bits(Run& run, const Variant& variant, const SolveArguments& arguments) {
  const absl::StatusOr<Kept<BitGame>> kept = solve_bits_kept(run, variant, {arguments.table, arguments.no_table});
  if (!kept.ok()) return kept.status();
  if (kept->table) return show_table(*kept->table, variant, run);
  const Cost cost = run.cost();
  Shown out{bits_page(*kept->game, cost), bits_json(*kept->game, cost)};
  if (!kept->path.empty()) out.json["table"] = kept->path;
  return out;
}

absl::StatusOr<Shown> show_ending(Run& run, const Variant& variant, const SolveArguments& arguments) {
  if (!arguments.table.empty())
    return absl::InvalidArgumentError(
        "an ending is kept by materials in the cache folder, with all it leads to\n  leave out --table");
  const absl::StatusOr<std::shared_ptr<const EndingTables>> solved =
      solve_ending_kept(run, variant, arguments.no_table);
  if (!solved.ok()) return solved.status();
  const EndingStatistics statistics = (*solved)->statistics();
  const Cost cost = run.cost();
  return Shown{ending_page(**solved, statistics, cost), ending_json(**solved, statistics, cost)};
}

absl::StatusOr<Shown> show_graph(Run& run, const Game& game, std::uint64_t most_positions) {
  const absl::StatusOr<SolvedGame> solved = run.solve(game.variant(), game.start(), Extras(), 0, most_positions);
  if (!solved.ok()) return solved.status();
  const Cost cost = run.cost();
  return Shown{page(*solved, cost), solve_json(*solved, cost)};
}

// The method that was asked for by name, or the one that the game takes.
absl::StatusOr<Choice> chosen(const Run& run, const Game& game, const SolveArguments& arguments) {
  if (arguments.method == kAuto) return run.choose(game, {!arguments.no_remoteness, !arguments.table.empty()});
  const Method& method = *find_method(arguments.method);
  const auto refuse = [&](const std::string& why, const std::string& hint) {
    return absl::InvalidArgumentError(
        absl::StrCat(game.variant().description().name, " on ", game.variant().board().name(), " ", why, "\n  ", hint));
  };
  if (const auto why = method.obstacle(game))
    return refuse(absl::StrCat("cannot be solved by ", arguments.method, ": ", *why),
                  absl::StrCat("leave out --method ", arguments.method, "; plenum info lists the methods"));
  if (!arguments.table.empty() && !method.offers().table)
    return refuse(absl::StrCat("is solved by ", arguments.method, ", of which no table is kept"),
                  absl::StrCat("leave out --table, or --method ", arguments.method));
  return Choice::of(method.id(), "it was asked for");
}

absl::StatusOr<Shown> show_by(Run& run, const Game& game, const Choice& choice, const SolveArguments& arguments) {
  const Variant& variant = game.variant();
  switch (choice.method) {
    case MethodId::graph:
      return show_graph(run, game, choice.most_positions);
    case MethodId::rows:
      return show_dense(run, variant, DenseMethod::rows, arguments);
    case MethodId::one_pass:
      return show_dense(run, variant, DenseMethod::one_pass, arguments);
    case MethodId::bits:
      return show_bits(run, variant, arguments);
    case MethodId::ending:
      return show_ending(run, variant, arguments);
    case MethodId::search:
      return show_searched(run, variant, arguments, arguments.method == kAuto ? choice.reason : "");
  }
  return absl::InternalError("a method without a way to show it");
}

absl::StatusOr<Shown> show(const Description& description, const SolveArguments& arguments) {
  Run run(arguments.run);
  const absl::StatusOr<Variant> variant = Variant::make(description);
  if (!variant.ok()) return variant.status();
  const Game game(*variant, variant->rules().start());
  absl::StatusOr<Choice> choice = chosen(run, game, arguments);
  if (!choice.ok()) return choice.status();
  absl::StatusOr<Shown> out = show_by(run, game, *choice, arguments);
  if (choice->goes_on(out.status())) {
    const bool memory = absl::IsResourceExhausted(out.status());
    const Choice next = Choice::of(*choice->otherwise, memory ? "the reachable positions do not fit the memory"
                                                              : std::string(out.status().message()));
    run.note(absl::StrCat(next.reason, ": solving by ", std::string(method_of(next.method).name())));
    choice = next;
    out = show_by(run, game, *choice, arguments);
  }
  if (!out.ok()) return out;
  out->page += absl::StrCat("  solved by ", out->json["method"].get<std::string>(), ": ", choice->reason, "\n");
  out->json["cost"]["reason"] = choice->reason;  // for the method
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
