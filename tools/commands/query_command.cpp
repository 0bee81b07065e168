// SPDX-License-Identifier: Apache-2.0
// plenum query: a position's value, that of each of its moves, and a line of best play.
#include <iostream>

#include <absl/strings/str_cat.h>

#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/console/progress.h"
#include "tools/report/answer_report.h"
#include "tools/session/answers.h"
#include "tools/session/common.h"
#include "tools/session/game_at.h"

namespace plenum {
namespace {

constexpr std::size_t kMostLine = std::size_t{1} << 20;  // bytes

// The next line of stdin, but no more than one byte too many.
bool next_line(std::string& line) {
  line.clear();
  std::streambuf& in = *std::cin.rdbuf();
  for (int c = in.sbumpc(); c != std::streambuf::traits_type::eof(); c = in.sbumpc()) {
    if (c == '\n') return true;
    line += std::streambuf::traits_type::to_char_type(c);
    if (line.size() > kMostLine) return true;
  }
  return !line.empty();
}

// A line of --stdin: a JSON object with "position" and "moves", or a position as it is written.
absl::Status read_line(const std::string& line, QueryArguments& arguments) {
  arguments.position = line;
  arguments.moves.clear();
  if (line.find('{') == std::string::npos) return absl::OkStatus();
  const Json asked = json_disproportion(line).empty() ? Json::parse(line, nullptr, false) : Json();
  const auto wrong = [&](const std::string& what) {
    return error_at(Span::whole("stdin", line), what, R"(write {"position": "...", "moves": "..."}, or a position)");
  };
  if (!asked.is_object()) return wrong("this is no JSON");
  arguments.position.clear();
  for (const auto& [key, value] : asked.items()) {
    if (key != "position" && key != "moves") return wrong(absl::StrCat("there is no key '", key, "' in a request"));
    if (!value.is_string() || (key == "position" && value.get_ref<const std::string&>().empty()))
      return wrong(absl::StrCat("'", key, "' is a text"));
    (key == "position" ? arguments.position : arguments.moves) = value.get<std::string>();
  }
  return absl::OkStatus();
}

int answer(const Variant& variant, const QueryArguments& arguments, Answers& answers) {
  const absl::StatusOr<Position> position = find_position(variant, arguments.position, arguments.moves);
  const bool one_line = arguments.from_stdin;
  const Headed headed = one_line ? Headed::no : Headed::yes;
  const auto fail = [&](const absl::Status& status) {
    if (one_line) std::cout << json_text({{"error", std::string(status.message())}}, -1) << "\n" << std::flush;
    return one_line ? static_cast<int>(exit_code(status)) : report(status);
  };
  if (!position.ok()) return fail(position.status());
  if (arguments.moves_only) {
    const absl::StatusOr<Json> moves = legal_moves_json(variant, *position, headed);
    if (!moves.ok()) return fail(moves.status());
    if (arguments.run.json || one_line) {
      std::cout << json_text(*moves, one_line ? -1 : 2) << "\n" << std::flush;
    } else {
      for (const Json& move : (*moves)["moves"]) std::cout << move["move"].get<std::string>() << "\n";
    }
    return kDone;
  }
  const absl::StatusOr<Answer> found = answers.ask(*position);
  if (!found.ok()) return fail(found.status());
  if (arguments.run.json || one_line) {
    std::cout << json_text(answer_json(variant, *found, headed), one_line ? -1 : 2) << "\n" << std::flush;
  } else {
    std::cout << answer_page(variant, *found);
  }
  return kDone;
}

}  // namespace

int query_command(const QueryArguments& arguments) {
  const bool from_table = is_table(arguments.game.variant);
  absl::StatusOr<OpenTable> table = absl::NotFoundError("");
  if (from_table) {
    table = open_table(arguments.game.variant);
    if (!table.ok()) return report(table.status());
    if (!arguments.game.board.empty() || !arguments.game.settings.empty())
      return report(
          absl::InvalidArgumentError("a table has its board and options already\n  leave out --board and --set"));
  }
  const absl::StatusOr<Variant> variant =
      from_table ? variant_of(*table) : make_game_at(arguments.game, arguments.position);
  if (!variant.ok()) return report(variant.status());
  Run run(arguments.run);
  Answers answers(*variant, run);
  if (from_table) {
    const absl::Status opened = answers.open(*table);
    if (!opened.ok()) return report(opened);
  }
  if (!arguments.from_stdin) return answer(*variant, arguments, answers);
  int worst = kDone;
  QueryArguments one = arguments;
  for (std::string line; next_line(line);) {
    if (line.size() > kMostLine)
      return report(absl::InvalidArgumentError(
          absl::StrCat("a line of stdin has more than ", kMostLine, " bytes, the most that a request can have")));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const absl::Status read = read_line(line, one);
    if (!read.ok()) {
      std::cout << json_text({{"error", std::string(read.message())}}, -1) << "\n" << std::flush;
      worst = kBadInput;
      continue;
    }
    worst = std::max(worst, answer(*variant, one, answers));
    if (interrupt_seen()) break;
  }
  return interrupt_seen() ? static_cast<int>(kInterrupted) : worst;
}

}  // namespace plenum
