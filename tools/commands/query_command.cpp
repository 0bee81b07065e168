// SPDX-License-Identifier: Apache-2.0
// plenum query: a position's value, that of each of its moves, and a line of best play.
#include <iostream>
#include <optional>

#include <absl/strings/str_cat.h>

#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/console/progress.h"
#include "tools/report/answer_report.h"
#include "tools/session/answers.h"
#include "tools/session/common.h"
#include "tools/session/game_at.h"
#include "variants/text/status_macros.h"

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

// A line of --stdin is answered by one line of JSON.
void print_line(const Json& json) { std::cout << json_text(json, -1) << "\n" << std::flush; }

int fail_line(const absl::Status& status) {
  print_line({{"error", std::string(status.message())}});
  return exit_code(status);
}

absl::StatusOr<int> answer(const Variant& variant, const QueryArguments& arguments, Answers& answers) {
  ASSIGN_OR_RETURN(const Position position, find_position(variant, arguments.position, arguments.moves));
  const Headed headed = arguments.from_stdin ? Headed::no : Headed::yes;
  const bool as_json = arguments.run.json || arguments.from_stdin;
  Json json;
  std::string page;
  if (arguments.moves_only) {
    ASSIGN_OR_RETURN(json, legal_moves_json(variant, position, headed));
    for (const Json& move : json["moves"]) absl::StrAppend(&page, move["move"].get<std::string>(), "\n");
  } else {
    ASSIGN_OR_RETURN(const Answer found, answers.ask(position));
    if (as_json) {
      json = answer_json(variant, found, headed);
    } else {
      page = answer_page(variant, found);
    }
  }
  if (arguments.from_stdin) {
    print_line(json);
  } else {
    std::cout << (as_json ? json_page(json) : page);
  }
  return kDone;
}

}  // namespace

absl::StatusOr<int> query_command(const QueryArguments& arguments) {
  ASSIGN_OR_RETURN(const std::optional<OpenTable> table, named_table(arguments.game));
  ASSIGN_OR_RETURN(const Variant variant,
                   table ? variant_of(*table) : make_game_at(arguments.game, arguments.position));
  Run run(arguments.run);
  Answers answers(variant, run, arguments.from_stdin ? Asked::many : Asked::once);
  if (table) {
    RETURN_IF_ERROR(answers.open(*table));
  }
  if (!arguments.from_stdin) return answer(variant, arguments, answers);
  int worst = kDone;
  QueryArguments one = arguments;
  for (std::string line; next_line(line);) {
    if (line.size() > kMostLine)
      return absl::InvalidArgumentError(
          absl::StrCat("a line of stdin has more than ", kMostLine, " bytes, the most that a request can have"));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (const absl::Status read = read_line(line, one); !read.ok()) {
      worst = fail_line(read);
      continue;
    }
    const absl::StatusOr<int> code = answer(variant, one, answers);
    worst = std::max(worst, code.ok() ? *code : fail_line(code.status()));
    if (interrupt_seen()) break;
  }
  return interrupt_seen() ? static_cast<int>(kInterrupted) : worst;
}

}  // namespace plenum
