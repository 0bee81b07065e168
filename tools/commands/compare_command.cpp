// SPDX-License-Identifier: Apache-2.0
// plenum compare: what a change of rules does to the positions of one board.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <iostream>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_replace.h>

#include "tools/commands/commands.h"
#include "tools/commands/readings.h"
#include "tools/console/exit_codes.h"
#include "tools/report/compare_report.h"
#include "tools/session/common.h"
#include "tools/session/dimensions.h"
#include "tools/session/run.h"
#include "tools/session/store.h"

namespace plenum {
namespace {

// As it has to be typed for a shell to take it as one word.
std::string shell_word(const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("_-./:=,+", c) != nullptr;
  });
  return plain ? text : absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

// One of the two games, and how to ask for it on the command line.
struct Side {
  Description description;
  std::vector<std::string> arguments;  // "mine.toml --set threat=2"

  std::string command(const Board& board, const std::string& verb, const std::string& position) const {
    return absl::StrCat(command_name(), " ", verb, " ", absl::StrJoin(arguments, " "), " ", shell_word(position),
                        " --board ", shell_word(board.name()));
  }
  absl::Status set(const std::string& name, const std::string& value) {
    if (name != "board") arguments.push_back("--set " + shell_word(absl::StrCat(name, "=", value)));
    return set_value(description, name, value);
  }
};

// The two games asked for. A setting with two values gives the first to A and the second to B.
absl::StatusOr<std::pair<Side, Side>> read_sides(const CompareArguments& arguments) {
  const bool one_file = arguments.b.empty();
  absl::StatusOr<Description> first = load_game({arguments.a, "", {}});
  if (!first.ok()) return first.status();
  absl::StatusOr<Description> second = one_file ? first : load_game({arguments.b, "", {}});
  if (!second.ok()) return second.status();
  Side a{*std::move(first), {shell_word(arguments.a)}};
  Side b{*std::move(second), {shell_word(one_file ? arguments.a : arguments.b)}};
  std::vector<Dimension> settings;
  bool pairs = false;
  for (const std::string& text : arguments.settings) {
    absl::StatusOr<Dimension> setting = split_setting(text);
    if (!setting.ok()) return setting.status();
    const std::string& name = setting->name;
    if (a.description.find_option(name) == nullptr && b.description.find_option(name) == nullptr)
      return wrong_setting(b.description, text);
    // threat=2 and threat=3 one after the other are the same as threat=2,3.
    auto known = std::find_if(settings.begin(), settings.end(), [&](const Dimension& d) { return d.name == name; });
    if (known == settings.end()) known = settings.insert(settings.end(), {name, {}});
    known->values.insert(known->values.end(), setting->values.begin(), setting->values.end());
    if (known->values.size() > 2)
      return error_at(Span::whole("--set", text),
                      absl::StrCat("this makes ", known->values.size(), " values of '", name, "'; two games take two"),
                      "the first is for A, the second for B; plenum sweep solves as many as you like");
    if (name == "board" && !arguments.board.empty())
      return error_at(Span::whole("--board", arguments.board), "the board is given twice, here and by --set", "");
    pairs = pairs || known->values.size() == 2;
  }
  if (!arguments.board.empty()) {
    const absl::StatusOr<Dimension> boards = read_boards(arguments.board);
    if (boards.ok() && boards->values.size() > 1)
      return error_at(Span::whole("--board", arguments.board), "two games are compared on one board",
                      "plenum sweep solves on as many as you like");
    for (Side* side : {&a, &b}) {
      const absl::Status set = side->set("board", arguments.board);
      if (!set.ok()) return set;
    }
  }
  for (const auto& [name, values] : settings) {
    const bool in_a = a.description.find_option(name) != nullptr;
    if (values.size() == 2 && (!in_a || b.description.find_option(name) == nullptr))
      return absl::InvalidArgumentError(absl::StrCat("option '", name, "' is ", in_a ? "A's" : "B's",
                                                     " alone, so it takes one value\n  write --set ", name, "=",
                                                     values[in_a ? 0 : 1]));
    // With one file and no pair, A is the game as the file has it.
    if (!(one_file && !pairs) && in_a) {
      const absl::Status set = a.set(name, values.front());
      if (!set.ok()) return set;
    }
    if (b.description.find_option(name) != nullptr) {
      const absl::Status set = b.set(name, values.back());
      if (!set.ok()) return set;
    }
  }
  return std::pair(std::move(a), std::move(b));
}

// An error met in solving, with the game that it is about.
absl::Status of_side(const std::string& name, const Side& side, const absl::Status& status) {
  if (absl::IsCancelled(status)) return status;
  return {status.code(), absl::StrCat(std::string(status.message()), "\n  (this is ", name, ", ",
                                      absl::StrJoin(side.arguments, " "), ")")};
}

// One of the games, all of whose values are looked at; `held` bytes are the other's.
absl::StatusOr<Solved> solve_side(Run& run, const Game& game, std::uint64_t held) {
  Wanted wanted;
  wanted.scan = true;
  wanted.extras = kValuesOnly;
  return solve_chosen(run, game, wanted, held);
}

}  // namespace

int compare_command(const CompareArguments& arguments) {
  if (arguments.readings) return readings_command(arguments);
  const absl::StatusOr<std::pair<Side, Side>> sides = read_sides(arguments);
  if (!sides.ok()) return report(sides.status());
  const Side& a = sides->first;
  const Side& b = sides->second;
  Run run(arguments.run);
  const absl::StatusOr<Variant> first = Variant::make(a.description);
  if (!first.ok()) return report(first.status());
  const absl::StatusOr<Variant> second = Variant::make(b.description);
  if (!second.ok()) return report(second.status());
  const absl::StatusOr<Solved> in_a = solve_side(run, Game(*first, first->rules().start()), 0);
  if (!in_a.ok()) return report(of_side("A", a, in_a.status()));
  const absl::StatusOr<Solved> in_b = solve_side(run, Game(*second, second->rules().start()), in_a->result->bytes());
  if (!in_b.ok()) return report(of_side("B", b, in_b.status()));
  const absl::StatusOr<ComparisonReport> found =
      compare_games(*in_a->result, *in_b->result, static_cast<std::size_t>(arguments.show),
                    [&](std::uint64_t positions) { return run.show("comparing", positions, "positions"); });
  if (!found.ok()) return report(found.status());
  if (arguments.run.json) {
    std::cout << json_text(comparison_json(*found, run.cost()), 2) << "\n";
  } else {
    std::cout << comparison_page(*found, [&](bool of_a, const std::string& position) {
      return of_a ? a.command(first->board(), "query", position) : b.command(second->board(), "query", position);
    });
  }
  return found->any_changed() ? kNegative : kDone;
}

}  // namespace plenum
