// SPDX-License-Identifier: Apache-2.0
// plenum compare --readings: what each reading that an author left open changes.

#include <iostream>

#include <absl/strings/str_cat.h>

#include "solver/study/comparison.h"
#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/report/compare_report.h"
#include "tools/report/describe.h"
#include "tools/report/json_report.h"
#include "tools/report/page_text.h"
#include "tools/session/common.h"
#include "tools/session/dimensions.h"
#include "tools/session/run.h"
#include "tools/session/store.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// An option with another value than in the game itself, and what that changes.
struct Reading {
  std::string option;
  std::string value;
  std::string error;  // where it cannot be solved
  ExitCode code = kDone;
  std::string start_words;
  bool start_changed = false;
  std::size_t openings_changed = 0;
  std::size_t openings = 0;  // first moves of both
  bool pie_changed = false;
  Comparison counts;
  std::uint64_t reachable = 0;

  // The first of these that changes.
  std::string verdict() const {
    if (!error.empty()) return "unknown";
    if (start_changed) return "the start";
    if (openings_changed > 0) return "some opening";
    return counts.changed > 0 ? "some position" : "nothing";
  }
};

constexpr Wanted kAllValues = {.scan = true, .extras = kValuesOnly};

absl::Status compare(Run& run, const Result& base, const Description& other, Reading& out) {
  ASSIGN_OR_RETURN(const Variant variant, Variant::make(other));
  ASSIGN_OR_RETURN(const Solved solved,
                   solve_chosen(run, Game(variant, variant.rules().start()), kAllValues, base.bytes()));
  const Result& game = *solved.result;
  ASSIGN_OR_RETURN(const ComparedGames games, ComparedGames::make(base, game));
  if (const std::optional<PositionValue>& start = game.summary().start_value) {
    out.start_words = value_words(variant, *start);
    out.start_changed = !games.same_value(*base.summary().start_value, *start);
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

Json reading_json(const Reading& r) {
  Json out = {{"option", r.option}, {"value", r.value}, {"changes", r.verdict()}};
  out.update(r.error.empty() ? Json{{"start_changed", r.start_changed},
                                    {"start", r.start_words},
                                    {"openings", r.openings},
                                    {"openings_changed", r.openings_changed},
                                    {"pie_changed", r.pie_changed},
                                    {"common", r.counts.common},
                                    {"changed", r.counts.changed},
                                    {"reachable", r.reachable}}
                             : Json{{"error", r.error}, {"exit_code", static_cast<int>(r.code)}});
  return out;
}

std::string readings_page(const Summary& base, const std::vector<Reading>& readings) {
  pages::Text out;
  const Variant& variant = *base.variant;
  out.line(absl::StrCat(variant.description().name, " on ", variant.board().name(), ": ",
                        base.start_value ? value_words(variant, *base.start_value) : base.ending->material),
           0, 2);
  out.raw("");
  std::size_t width = 7;
  std::size_t start = 5;
  for (const Reading& r : readings) {
    width = std::max(width, r.option.size() + 1 + r.value.size());
    start = std::max(start, r.start_changed ? r.start_words.size() : 4);
  }
  const auto row = [&](const std::string& name, const std::string& verdict, const std::string& value,
                       const std::string& openings, const std::string& pie, const std::string& positions) {
    out.raw(absl::StrCat("  ", pad_right(name, width), "  ", pad_right(verdict, 13), "  ", pad_right(value, start),
                         "  ", pad_left(openings, 9), "  ", pad_right(pie, 7), "  ", positions));
  };
  row("reading", "changes", "start", "openings", "pie", "positions");
  for (const Reading& r : readings) {
    const std::string name = absl::StrCat(r.option, "=", r.value);
    if (!r.error.empty()) {
      out.raw(absl::StrCat("  ", pad_right(name, width), "  ", r.error.substr(0, r.error.find('\n'))));
      continue;
    }
    row(name, r.verdict(), r.start_changed ? r.start_words : "same",
        absl::StrCat(r.openings_changed, " of ", r.openings), r.pie_changed ? "changes" : "same",
        absl::StrCat(pages::number(r.counts.changed), " of ", pages::number(r.counts.common), " (",
                     pages::percent(pages::share(r.counts.changed, r.counts.common)), ")"));
  }
  out.raw("");
  out.line(
      "openings: first moves of both games that change value; positions: those reachable in both that do; this is "
      "about "
      "this board alone",
      0, 0);
  for (const Reading& r : readings) {
    if (r.error.empty()) continue;
    out.raw("\nthe first that could not be solved:\n" + r.error);
    break;
  }
  return out.text();
}

}  // namespace

absl::StatusOr<int> readings_command(const CompareArguments& arguments) {
  if (!arguments.b.empty()) {
    return absl::InvalidArgumentError(
        "--readings takes one VARIANT: it compares the game with its own other readings\n  leave out '" + arguments.b +
        "', or --readings");
  }
  ASSIGN_OR_RETURN(const Description described, load_game({arguments.a, arguments.board, arguments.settings}));
  std::vector<Reading> readings;
  for (const Option& option : described.options) {
    if (option.name == "board" || (!option.left_open && !arguments.all_options)) continue;
    ASSIGN_OR_RETURN(const Dimension values, all_values(option));
    for (const std::string& value : values.values) {
      if (value == to_text(option.value)) continue;
      readings.emplace_back();
      readings.back().option = option.name;
      readings.back().value = value;
    }
  }
  if (readings.empty()) {
    return absl::InvalidArgumentError(
        arguments.all_options
            ? absl::StrCat(described.name, " has no option but the board, so there is nothing to compare")
            : absl::StrCat("the author of ", described.name, " left no option open, as far as its description says\n  ",
                           "--all-options tries every option; plenum info ", arguments.a, " lists them"));
  }
  Run run(arguments.run);
  ASSIGN_OR_RETURN(const Variant variant, Variant::make(described));
  ASSIGN_OR_RETURN(const Solved solved, solve_chosen(run, Game(variant, variant.rules().start()), kAllValues));
  const Result& base = *solved.result;
  bool any = false;
  for (Reading& reading : readings) {
    Description other = described;
    absl::Status done = set_value(other, reading.option, reading.value);
    if (done.ok()) done = compare(run, base, other, reading);
    if (absl::IsCancelled(done)) return done;
    reading.error = std::string(done.message());
    reading.code = exit_code(done);
    any = any || reading.counts.changed > 0 || reading.start_changed || reading.openings_changed > 0;
  }
  if (arguments.run.json) {
    Json out = headed_json(variant);
    out["value"] = value_or_null(variant, base.summary().start_value);
    out["reachable"] = positions_of(base.summary());
    out["readings"] = json_list(readings, reading_json);
    std::cout << json_page(out);
  } else {
    std::cout << readings_page(base.summary(), readings);
  }
  if (any) return kNegative;
  // That nothing changes is not known while some of it could not be solved.
  for (const Reading& reading : readings) {
    if (!reading.error.empty()) return reading.code;
  }
  return kDone;
}

}  // namespace plenum
