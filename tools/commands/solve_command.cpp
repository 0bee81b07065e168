// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>

#include <absl/strings/str_cat.h>

#include "solver/method/dense_methods.h"
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

absl::StatusOr<Shown> show_dense(Run& run, const Variant& variant, const SolveArguments& arguments) {
  const absl::StatusOr<KeptGame> kept =
      solve_kept(run, variant, !arguments.no_remoteness, {arguments.table, arguments.no_table});
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
  const bool asked = arguments.method == "search" || (arguments.index != "auto" && !arguments.index.empty());
  if (asked || !arguments.table.empty())
    return absl::InvalidArgumentError(
        "an ending is solved whole, with all it leads to, and kept by materials in the cache folder\n  leave out "
        "--method "
        "search, --index and --table");
  const absl::StatusOr<std::shared_ptr<const EndingTables>> solved =
      solve_ending_kept(run, variant, arguments.no_table);
  if (!solved.ok()) return solved.status();
  const EndingStatistics statistics = (*solved)->statistics();
  const Cost cost = run.cost();
  return Shown{ending_page(**solved, statistics, cost), ending_json(**solved, statistics, cost)};
}

// Whether a game is solved on a dense index: because it is asked for, a table is wanted, or it is better so.
absl::StatusOr<bool> takes_dense(const Run& run, const Variant& variant, const SolveArguments& arguments) {
  const auto refuse = [&](const std::string& what, const std::string& why, const std::string& hint) {
    return absl::InvalidArgumentError(
        absl::StrCat(variant.description().name, " on ", variant.board().name(), " ", what, why, "\n  ", hint));
  };
  const bool table = !arguments.table.empty();
  if (arguments.index == "sparse") {
    if (table)
      return refuse("is solved position by position with --index sparse", ", of which no table is kept",
                    "leave out --table, or --index sparse");
    return false;
  }
  if (arguments.index != "dense" && !table) return run.prefers_dense(variant);
  const absl::StatusOr<DenseMethod> method = dense_method(variant);
  if (method.ok()) return true;
  const std::string why(method.status().message());
  if (table)
    return refuse("cannot be kept in a table, as it cannot be solved with a dense index: ", why, "leave out --table");
  return refuse("cannot be solved with a dense index: ", why, "leave out --index dense");
}

absl::StatusOr<Shown> show(const Description& description, const SolveArguments& arguments) {
  Run run(arguments.run);
  const absl::StatusOr<Variant> variant = Variant::make(description);
  if (!variant.ok()) return variant.status();
  if (is_ending(*variant)) return show_ending(run, *variant, arguments);
  if (arguments.method == "search") return show_searched(run, *variant, arguments, "");
  if (arguments.index == "bits") {
    if (const auto why = bits_obstacle(*variant, variant->rules().start()))
      return absl::InvalidArgumentError(absl::StrCat(variant->description().name, " on ", variant->board().name(),
                                                     " cannot be solved by bits: ", *why,
                                                     "\n  leave out --index bits"));
    return show_bits(run, *variant, arguments);
  }
  const absl::StatusOr<bool> dense = takes_dense(run, *variant, arguments);
  if (!dense.ok()) return dense.status();
  if (*dense) return show_dense(run, *variant, arguments);
  const bool may_search = arguments.method == "auto" && variant->tiers().acyclic();
  if (may_search) {
    const absl::StatusOr<std::string> why = run.too_large(*variant, variant->rules().start());
    if (!why.ok()) return why.status();
    const absl::StatusOr<bool> bits = why->empty() ? false : run.prefers_bits(*variant);
    if (!bits.ok()) return bits.status();
    if (*bits) {
      run.note(absl::StrCat(*why, ": working out who wins every position, by bits and two tiers at a time"));
      return show_bits(run, *variant, arguments);
    }
    if (!why->empty()) return show_searched(run, *variant, arguments, *why);
  }
  const absl::StatusOr<SolvedGame> game = run.solve(*variant, variant->rules().start(), Extras());
  if (may_search && absl::IsResourceExhausted(game.status())) {
    run.note("the positions that can arise do not fit the memory: searching for the value of the start alone");
    return show_searched(run, *variant, arguments, "the positions that can arise do not fit the memory");
  }
  if (!game.ok()) return game.status();
  const Cost cost = run.cost();
  return Shown{page(*game, cost), solve_json(*game, cost)};
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
