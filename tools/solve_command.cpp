// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

#include "tools/commands.h"
#include "tools/exit_codes.h"
#include "tools/json_report.h"
#include "tools/page.h"
#include "tools/run.h"
#include "tools/search_page.h"
#include "tools/tables.h"

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

bool has_layers(const OpenTable& table, const RowOptions& options) {
  return (!options.facts || table.reader->find_layer("facts")) && (!options.plies || table.reader->find_layer("plies"));
}

absl::StatusOr<Shown> show_table(const OpenTable& table, const Run& run) {
  Shown out;
  const auto result = table.footer.find("result");
  if (result == table.footer.end() || !result->is_object() || !result->contains("positions") || table.page().empty())
    return absl::DataLossError(absl::StrCat(table.reader->path(), ": the table has no result"));
  out.json = *result;
  out.json["table"] = table.reader->path();
  add_cost(run.cost(), out.json);
  out.page = absl::StrCat(table.page(), "  taken from ", table.reader->path(), "\n");
  return out;
}

// Solved on a dense index: taken from the table if there is one, and kept in it. What goes wrong with a table in the cache folder
// is only noted.
absl::StatusOr<Shown> show_dense(Run& run, const Variant& variant, const SolveArguments& arguments) {
  const RowOptions options = {!arguments.no_remoteness, !arguments.no_remoteness};
  const bool asked = !arguments.table.empty();
  std::string path = asked ? arguments.table : arguments.no_table ? "" : stored_table(variant.hash());
  const auto give_up = [&](const absl::Status& status) {
    run.note(absl::StrCat("no table is kept: ", std::string(status.message())));
    path.clear();
  };
  if (!path.empty()) {
    const absl::StatusOr<std::optional<OpenTable>> table = open_table_of(path, variant);
    if (!table.ok() && asked) return table.status();
    if (!table.ok()) run.note(absl::StrCat("solved again, since ", std::string(table.status().message())));
    if (table.ok() && *table && has_layers(**table, options)) return show_table(**table, run);
    if (!asked) make_table_folder();
  }
  std::optional<Checkpoint> checkpoint;
  if (!path.empty()) {
    absl::StatusOr<Checkpoint> opened = Checkpoint::open(
        path,
        absl::StrCat(variant.description().canonical_text(), "facts=", options.facts, " plies=", options.plies, "\n"));
    if (!opened.ok() && asked) return opened.status();
    if (opened.ok()) {
      checkpoint = *std::move(opened);
    } else {
      give_up(opened.status());
    }
  }
  const absl::StatusOr<DenseGame> game = run.solve_dense(variant, options, checkpoint ? &*checkpoint : nullptr);
  if (!game.ok()) return game.status();
  if (!path.empty()) {
    const absl::Status written = write_table(path, *game, page_without_cost(*game), solve_json(*game, std::nullopt));
    if (!written.ok() && asked) return written;
    if (!written.ok()) give_up(written);
  }
  if (checkpoint) static_cast<void>(checkpoint->remove_all());
  const Cost cost = run.cost();
  Shown out{page(*game, cost), solve_json(*game, cost)};
  if (!path.empty()) out.json["table"] = path;
  return out;
}

absl::StatusOr<Shown> show(const Description& description, const SolveArguments& arguments) {
  Run run(arguments.run);
  const absl::StatusOr<Variant> variant = Variant::make(description);
  if (!variant.ok()) return variant.status();
  if (arguments.method == "search") return show_searched(run, *variant, arguments, "");
  if (arguments.index != "sparse") {
    const absl::StatusOr<RowGame> rows = RowGame::make(*variant);
    if (rows.ok() && (arguments.index == "dense" || prefers_dense(*rows))) return show_dense(run, *variant, arguments);
    if (arguments.index == "dense") {
      return absl::InvalidArgumentError(absl::StrCat(
          variant->description().name, " on ", variant->board().name(), " cannot be solved with a dense index: ",
          std::string(rows.status().message()), "\n  leave out --index dense"));
    }
  }
  const bool may_search = arguments.method == "auto" && variant->tiers().acyclic();
  if (may_search) {
    const absl::StatusOr<std::string> why = run.too_large(*variant, variant->rules().start());
    if (!why.ok()) return why.status();
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
    std::cout << (arguments.run.json ? game->json.dump(2) + "\n" : game->page);
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
    std::cout << game->json.dump(2) << "\n";
  } else {
    std::cout << side_by_side(game->page, against->page);
  }
  return std::max(game->code, against->code);
}

}  // namespace plenum
