// SPDX-License-Identifier: Apache-2.0
// plenum sweep: every combination of boards and options solved, a row each.
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "tools/commands/commands.h"
#include "tools/commands/sweep_report.h"
#include "tools/console/progress.h"
#include "tools/console/terminal.h"
#include "tools/report/file_output.h"
#include "tools/report/page_text.h"
#include "tools/session/common.h"
#include "tools/session/dimensions.h"
#include "tools/session/run.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// All that is varied: the board first, then options in the order given, then the others if all are wanted.
absl::StatusOr<std::vector<Dimension>> read_dimensions(const Description& game, const SweepArguments& arguments) {
  std::vector<Dimension> out;
  if (!arguments.boards.empty()) {
    ASSIGN_OR_RETURN(Dimension boards, read_boards(arguments.boards));
    out.push_back(std::move(boards));
  }
  for (const std::string& setting : arguments.settings) {
    ASSIGN_OR_RETURN(Dimension dimension, read_dimension(game, setting));
    for (const Dimension& known : out) {
      if (known.name == dimension.name)
        return error_at(Span::whole("--set", setting).part(0, dimension.name.size()),
                        absl::StrCat("'", dimension.name, "' is given twice"), "separate its values by commas");
    }
    out.push_back(std::move(dimension));
  }
  if (arguments.all_options) {
    for (const Option& option : game.options) {
      const bool given = std::any_of(out.begin(), out.end(), [&](const Dimension& d) { return d.name == option.name; });
      if (given || option.name == "board") continue;
      ASSIGN_OR_RETURN(Dimension values, all_values(option));
      if (!values.values.empty()) out.push_back(std::move(values));
    }
  }
  return out;
}

// The command that solves the same games, for the page.
std::string command_of(const SweepArguments& arguments) {
  std::string out = as_typed({arguments.variant, arguments.boards, arguments.settings});
  if (arguments.all_options) out += " --all-options";
  if (!arguments.run.memory.empty()) absl::StrAppend(&out, " --memory ", shell_word(arguments.run.memory));
  return absl::StrCat(command_name(), " sweep ", out, " --json");
}

absl::Status check_number(const std::vector<Dimension>& dimensions) {
  double combinations = 1;
  for (const Dimension& d : dimensions) combinations *= static_cast<double>(d.values.size());
  if (combinations <= kMostCombinations) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrFormat("these are %.3g combinations; %d at most are solved in one sweep\n  give fewer values, or leave "
                      "out --all-options",
                      combinations, kMostCombinations));
}

// Prints rows in their order as soon as all before them are there.
class RowPrinter {
 public:
  RowPrinter(const SweepArguments& arguments, const SweepGames& games) : arguments_(arguments), games_(games) {}
  void print(const std::vector<SweepRow>& rows) {
    if (!arguments_.csv && !arguments_.run.json) return;
    for (; next_ < rows.size() && rows[next_].state != SweepRow::State::waiting; ++next_) {
      std::cout << (arguments_.csv ? csv_line(games_, next_, rows[next_])
                                   : json_text(sweep_json(games_, next_, rows[next_]), -1) + "\n");
    }
    std::cout << std::flush;
  }
  // After an interrupt: what came later than a row that is missing.
  void print_rest(const std::vector<SweepRow>& rows) {
    for (; next_ < rows.size(); ++next_) {
      print(rows);
      if (next_ >= rows.size()) break;
    }
  }

 private:
  const SweepArguments& arguments_;
  const SweepGames& games_;
  std::size_t next_ = 0;
};

// What the columns are, and what went wrong, for people.
void print_notes(const std::vector<SweepRow>& rows, const ResultCache& cache, double seconds) {
  std::size_t solved = 0;
  std::size_t known = 0;
  std::size_t waiting = 0;
  std::vector<const SweepRow*> failed;
  for (const SweepRow& row : rows) {
    known += row.known && row.state == SweepRow::State::solved ? 1 : 0;
    solved += row.state == SweepRow::State::solved && !row.known ? 1 : 0;
    waiting += row.state == SweepRow::State::waiting ? 1 : 0;
    if (row.state == SweepRow::State::failed) failed.push_back(&row);
  }
  pages::Text out;
  out.raw("");
  out.line(
      "value, pie: for first, +N wins by N, = a tie, ~ a cycle; open: share of first moves that win, are level, lose "
      "for first; ties, cycles, forced: of the positions that have not ended, of an ending of all legal ones; rand, "
      "length: games played at random, their results and plies; moves: in a position, on average",
      0, 0);
  out.line(absl::StrCat(pages::count(rows.size(), "game"), ": ", solved, " solved now, ", known, " known from before, ",
                        failed.size(), " not solved", waiting > 0 ? absl::StrCat(", ", waiting, " not reached") : "",
                        "; ", pages::seconds(seconds)),
           0, 0);
  out.line(cache.available() ? absl::StrCat("results are kept in ", cache.folder())
                             : absl::StrCat("results are not kept: ", cache.problem()),
           0, 0);
  std::cout << out.text();
  if (!failed.empty()) std::cout << "\nthe first that was not solved:\n" << failed.front()->error << "\n";
}

}  // namespace

absl::StatusOr<int> sweep_command(const SweepArguments& arguments) {
  const absl::StatusOr<Description> loaded = load_game({arguments.variant, "", {}});
  RETURN_IF_ERROR(agree_on_game(*arguments.run.ranks, loaded));
  const Description& game = *loaded;
  ASSIGN_OR_RETURN(std::vector<Dimension> dimensions, read_dimensions(game, arguments));
  RETURN_IF_ERROR(check_number(dimensions));
  const SweepGames games{game, std::move(dimensions)};
  std::unique_ptr<FileOutput> page;
  absl::Status begun;
  if (!arguments.html.empty() && arguments.run.ranks->root()) {
    absl::StatusOr<std::unique_ptr<FileOutput>> created = FileOutput::create(arguments.html);
    begun = created.status();
    if (created.ok()) page = *std::move(created);
  }
  RETURN_IF_ERROR(arguments.run.ranks->agree(begun));
  ASSIGN_OR_RETURN(const std::uint64_t memory, memory_limit(arguments.run));
  SweepSettings settings;
  settings.memory = memory;
  settings.threads = usable_threads(arguments.run);
  settings.cache = arguments.no_cache ? ResultCache::none() : ResultCache::open();
  settings.fresh = arguments.fresh;
  if (!settings.cache.available() && !arguments.no_cache)
    complain(absl::StrCat("results will not be kept: ", settings.cache.problem()));

  settings.ranks = arguments.run.ranks;
  const bool alone = !settings.ranks->several();
  std::optional<Run> run;  // begins threads, which processes for single games must not inherit
  if (alone) run.emplace(arguments.run);
  const auto begin = std::chrono::steady_clock::now();
  ProgressDisplay display(arguments.run.progress);
  settings.note = complain;
  RowPrinter printer(arguments, games);
  if (arguments.csv) std::cout << csv_heading(games);
  const std::vector<SweepRow> rows =
      sweep(games, settings, [&](const std::vector<SweepRow>& so_far, const SweepProgress& progress) {
        printer.print(so_far);
        return display.show("solving", progress.done, so_far.size(),
                            absl::StrCat("games (", pages::number(progress.positions), " positions at hand)"));
      });
  display.finish();
  if (!settings.ranks->root()) return left_to_root();
  printer.print_rest(rows);
  if (!arguments.csv && !arguments.run.json) {
    std::cout << game.name << "\n" << sweep_table(games, rows);
    print_notes(rows, settings.cache, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  if (interrupt_seen()) {
    complain(absl::StrCat("interrupted; ", settings.cache.available()
                                               ? "what was solved is kept, and the same command goes on from there"
                                               : "nothing is kept: " + settings.cache.problem()));
    return kInterrupted;
  }
  if (page != nullptr) {
    page->stream() << sweep_html(swept_games(games, rows, command_of(arguments)));
    RETURN_IF_ERROR(page->commit());
  }
  const bool any =
      std::any_of(rows.begin(), rows.end(), [](const SweepRow& r) { return r.state == SweepRow::State::solved; });
  return any ? kDone : rows.front().code;
}

}  // namespace plenum
