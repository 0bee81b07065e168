// SPDX-License-Identifier: Apache-2.0
// plenum compare --readings: what each reading that an author left open changes.
#include "tools/commands/readings.h"

#include <algorithm>
#include <iostream>
#include <numeric>

#include <absl/strings/str_cat.h>

#include "solver/study/comparison.h"
#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/console/terminal.h"
#include "tools/report/compare_report.h"
#include "tools/report/describe.h"
#include "tools/session/common.h"
#include "tools/session/dimensions.h"
#include "tools/session/store.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

absl::Status compare(Run& run, const Result& base, const Description& other, Reading& out) {
  ASSIGN_OR_RETURN(const Variant variant, Variant::make(other));
  ASSIGN_OR_RETURN(const Solved solved,
                   solve_chosen(run, Game(variant, variant.rules().start()), kAllValues, base.bytes()));
  const Result& game = *solved.result;
  ASSIGN_OR_RETURN(const ComparedGames games, ComparedGames::make(base, game));
  if (const std::optional<PositionValue>& start = game.summary().start_value) {
    out.start_words = value_words(variant, *start);
    out.start_changed = !games.same_value(*base.summary().start_value, *start);
    out.winner_changed = base.summary().start_value->outcome != start->outcome;
  }
  for (const ComparedOpening& opening : games.openings()) {
    out.openings += opening.a && opening.b ? 1 : 0;
    out.openings_changed += opening.changed ? 1 : 0;
  }
  const auto pie_text = [](const Summary& g) { return g.pie ? g.variant->margin_text(g.pie->margin) : std::string(); };
  out.pie_changed = pie_text(base.summary()) != pie_text(game.summary());
  const auto go_on = [&](std::uint64_t positions) { return run.show("comparing", positions, "positions"); };
  ASSIGN_OR_RETURN(const ComparedCounts counts, games.count(go_on));
  out.counts = counts.both();
  out.reachable = positions_of(game.summary());
  return absl::OkStatus();
}

absl::Status compare(Run& run, const Result& base, Reading& reading) {
  Description other = base.variant().description();
  absl::Status done = set_value(other, reading.option, reading.value);
  if (done.ok()) done = compare(run, base, other, reading);
  if (absl::IsCancelled(done)) return done;
  reading.error = std::string(done.message());
  reading.code = exit_code(done);
  return absl::OkStatus();
}

// What was found out of a reading, on its way to another process.
struct FoundOut {
  Comparison counts;
  std::uint64_t reachable = 0;
  std::uint64_t openings = 0;
  std::uint64_t openings_changed = 0;
  ExitCode code = kDone;
  bool start_changed = false;
  bool winner_changed = false;
  bool pie_changed = false;
};

std::string parcel_text(const Reading& reading) {
  Parcel out;
  put(out, FoundOut{reading.counts, reading.reachable, reading.openings, reading.openings_changed, reading.code,
                    reading.start_changed, reading.winner_changed, reading.pie_changed});
  put(out, static_cast<std::uint64_t>(reading.start_words.size()));
  put(out, std::span<const char>(reading.start_words));
  put(out, std::span<const char>(reading.error));
  return {out.begin(), out.end()};
}

void read(const std::string& text, Reading& out) {
  ParcelReader from({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  const auto found = from.get<FoundOut>();
  out.counts = found.counts;
  out.reachable = found.reachable;
  out.openings = found.openings;
  out.openings_changed = found.openings_changed;
  out.code = found.code;
  out.start_changed = found.start_changed;
  out.winner_changed = found.winner_changed;
  out.pie_changed = found.pie_changed;
  const std::vector<char> words = from.get_all<char>(from.get<std::uint64_t>());
  out.start_words.assign(words.begin(), words.end());
  const std::vector<char> error = from.get_all<char>(from.left());
  out.error.assign(error.begin(), error.end());
}

// In a process of its own.
void compare_alone(RunArguments arguments, const Description& base, Reading& reading) {
  const absl::Status done = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::uint64_t memory, memory_limit(arguments));
    arguments.memory = absl::StrCat(memory);
    arguments.threads = usable_threads(arguments);
    arguments.progress = "none";
    arguments.ranks = &Ranks::alone();
    Run run(arguments);
    ASSIGN_OR_RETURN(const Variant variant, Variant::make(base));
    ASSIGN_OR_RETURN(const Solved solved, solve_chosen(run, Game(variant, variant.rules().start()), kAllValues));
    return compare(run, *solved.result, reading);
  }();
  if (done.ok()) return;
  reading.error = std::string(done.message());
  reading.code = exit_code(done);
}

}  // namespace

absl::StatusOr<std::vector<Reading>> other_readings(const Description& game, bool all_options) {
  std::vector<Reading> out;
  for (const Option& option : game.options) {
    if (option.name == "board" || (!option.left_open && !all_options)) continue;
    ASSIGN_OR_RETURN(const Dimension values, all_values(option));
    for (const std::string& value : values.values) {
      if (value != to_text(option.value)) out.push_back({.option = option.name, .value = value});
    }
  }
  return out;
}

absl::Status compare_readings(Run& run, const Result& base, std::vector<Reading>& readings) {
  for (Reading& reading : readings) {
    RETURN_IF_ERROR(compare(run, base, reading));
  }
  return absl::OkStatus();
}

void compare_readings(const RunArguments& arguments, const Description& base, std::vector<Reading>& readings,
                      FarmRoot root) {
  std::vector<std::size_t> jobs(readings.size());
  std::iota(jobs.begin(), jobs.end(), std::size_t{0});
  root.done = [&](std::size_t i, const absl::StatusOr<std::string>& text) {
    if (text.ok()) {
      read(*text, readings[i]);
    } else {
      readings[i].error = std::string(text.status().message());
      readings[i].code = exit_code(text.status());
    }
  };
  const auto work = [&](std::size_t i) {
    compare_alone(arguments, base, readings[i]);
    return parcel_text(readings[i]);
  };
  run_farm(*arguments.ranks, jobs, work, root);
}

absl::StatusOr<int> readings_command(const CompareArguments& arguments) {
  if (!arguments.b.empty()) {
    return absl::InvalidArgumentError(
        "--readings takes one VARIANT: it compares the game with its own other readings\n  leave out '" + arguments.b +
        "', or --readings");
  }
  const absl::StatusOr<Description> loaded = load_game({arguments.a, arguments.board, arguments.settings});
  RETURN_IF_ERROR(agree_on_game(*arguments.run.ranks, loaded));
  const Description& described = *loaded;
  ASSIGN_OR_RETURN(std::vector<Reading> readings, other_readings(described, arguments.all_options));
  if (readings.empty()) {
    return absl::InvalidArgumentError(
        arguments.all_options
            ? absl::StrCat(described.name, " has no option but the board, so there is nothing to compare")
            : absl::StrCat("the author of ", described.name, " left no option open, as far as its description says\n  ",
                           "--all-options tries every option; plenum info ", arguments.a, " lists them"));
  }
  RunArguments own = arguments.run;
  if (own.ranks->several()) {
    // Before this process begins threads of its own.
    ProgressDisplay display(own.progress);
    compare_readings(own, described, readings, {.done = {}, .note = complain, .go_on = [&](std::size_t done) {
                                                  return display.show("comparing", done, readings.size(), "readings");
                                                }});
    if (!own.ranks->root()) return left_to_root();
    if (interrupt_seen()) return absl::CancelledError("interrupted");
    own.ranks = &Ranks::alone();
  }
  Run run(own);
  ASSIGN_OR_RETURN(const Variant variant, Variant::make(described));
  ASSIGN_OR_RETURN(const Solved solved, solve_chosen(run, Game(variant, variant.rules().start()), kAllValues));
  if (!arguments.run.ranks->several()) RETURN_IF_ERROR(compare_readings(run, *solved.result, readings));
  const Summary& base = solved.result->summary();
  std::cout << (arguments.run.json ? json_page(readings_json(base, readings)) : readings_page(base, readings));
  if (std::any_of(readings.begin(), readings.end(), [](const Reading& r) { return r.any_changed(); })) return kNegative;
  // That nothing changes is not known while some of it could not be solved.
  for (const Reading& reading : readings) {
    if (!reading.error.empty()) return reading.code;
  }
  return kDone;
}

}  // namespace plenum
