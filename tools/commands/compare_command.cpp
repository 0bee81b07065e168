// SPDX-License-Identifier: Apache-2.0
// plenum compare: what a change of rules does to the positions of one board.
#include <algorithm>
#include <iostream>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/report/compare_report.h"
#include "tools/session/common.h"
#include "tools/session/dimensions.h"
#include "tools/session/run.h"
#include "tools/session/store.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

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
  ASSIGN_OR_RETURN(Description first, load_game({arguments.a, "", {}}));
  ASSIGN_OR_RETURN(Description second, one_file ? first : load_game({arguments.b, "", {}}));
  Side a{std::move(first), {shell_word(arguments.a)}};
  Side b{std::move(second), {shell_word(one_file ? arguments.a : arguments.b)}};
  std::vector<Dimension> settings;
  bool pairs = false;
  for (const std::string& text : arguments.settings) {
    ASSIGN_OR_RETURN(const Dimension setting, split_setting(text));
    const std::string& name = setting.name;
    if (a.description.find_option(name) == nullptr && b.description.find_option(name) == nullptr)
      return wrong_setting(b.description, text);
    // threat=2 and threat=3 one after the other are the same as threat=2,3.
    auto known = std::find_if(settings.begin(), settings.end(), [&](const Dimension& d) { return d.name == name; });
    if (known == settings.end()) known = settings.insert(settings.end(), {name, {}});
    known->values.insert(known->values.end(), setting.values.begin(), setting.values.end());
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
      RETURN_IF_ERROR(side->set("board", arguments.board));
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
      RETURN_IF_ERROR(a.set(name, values.front()));
    }
    if (b.description.find_option(name) != nullptr) {
      RETURN_IF_ERROR(b.set(name, values.back()));
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

}  // namespace

absl::StatusOr<int> compare_command(const CompareArguments& arguments) {
  if (arguments.readings) return readings_command(arguments);
  ASSIGN_OR_RETURN(const auto sides, read_sides(arguments));
  const Side& a = sides.first;
  const Side& b = sides.second;
  Run run(arguments.run);
  const Wanted wanted = {.scan = true, .extras = kValuesOnly};
  ASSIGN_OR_RETURN(const Variant first, Variant::make(a.description));
  ASSIGN_OR_RETURN(const Variant second, Variant::make(b.description));
  const absl::StatusOr<Solved> in_a = solve_chosen(run, Game(first, first.rules().start()), wanted);
  if (!in_a.ok()) return of_side("A", a, in_a.status());
  const absl::StatusOr<Solved> in_b =
      solve_chosen(run, Game(second, second.rules().start()), wanted, in_a->result->bytes());
  if (!in_b.ok()) return of_side("B", b, in_b.status());
  const auto go_on = [&](std::uint64_t positions) { return run.show("comparing", positions, "positions"); };
  ASSIGN_OR_RETURN(const ComparisonReport found,
                   compare_games(*in_a->result, *in_b->result, static_cast<std::size_t>(arguments.show), go_on));
  if (arguments.run.json) {
    std::cout << json_page(comparison_json(found, run.cost()));
  } else {
    std::cout << comparison_page(found, [&](bool of_a, const std::string& position) {
      return of_a ? a.command(first.board(), "query", position) : b.command(second.board(), "query", position);
    });
  }
  return found.any_changed() ? kNegative : kDone;
}

}  // namespace plenum
