// SPDX-License-Identifier: Apache-2.0
// plenum query: a position's value, that of each of its moves, and a line of best play.
#include <iostream>
#include <memory>
#include <optional>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

#include "solver/method/method.h"
#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/console/progress.h"
#include "tools/report/describe.h"
#include "tools/report/json_report.h"
#include "tools/session/common.h"
#include "tools/session/game_at.h"
#include "tools/session/parts.h"
#include "tools/session/run.h"
#include "tools/session/store.h"

namespace plenum {
namespace {

struct Answer {
  Position position;
  PositionValue value;
  std::optional<bool> reachable;  // nothing: not known
  std::vector<ValuedMove> moves;
  BestLine line;
};

// Solves from the start of the game once, and from elsewhere where a position cannot be reached from it.
class Answers {
 public:
  Answers(const Variant& variant, const RunArguments& run) : game_(variant, variant.rules().start()), run_(run) {}

  // What a table holds, in place of solving.
  absl::Status open(const OpenTable& table) {
    absl::StatusOr<Request> request = run_.request(wanted());
    if (!request.ok()) return request.status();
    request->parts = part_store(run_, game_.variant(), *table.header.method);
    absl::StatusOr<std::shared_ptr<const Result>> opened = result_of(table, game_, *request);
    if (!opened.ok()) return opened.status();
    if (!table.header.method->offers().values)
      return absl::FailedPreconditionError(
          absl::StrCat(table.path(), ": this game was solved by ", std::string(table.header.method->name()),
                       ", and the values of its positions were not kept\n  name the game in place of the table"));
    result_ = *std::move(opened);
    return absl::OkStatus();
  }

  absl::StatusOr<Answer> ask(const Position& position) {
    if (result_ == nullptr) {
      const absl::StatusOr<Solved> solved = solve_chosen(run_, game_, wanted());
      if (!solved.ok()) return solved.status();
      result_ = solved->result;
    }
    absl::StatusOr<Answer> out = read(*result_, position);
    if (!absl::IsNotFound(out.status()) || method_of_result().offers().parts) return out;
    // It is not among the positions that were solved.
    const Game from(game_.variant(), position);
    const absl::StatusOr<Solved> solved = solve_stored(run_, from, choose_elsewhere(), wanted(), {}, result_->bytes());
    if (!solved.ok()) return solved.status();
    out = read(*solved->result, position);
    if (out.ok()) out->reachable = false;
    return out;
  }

 private:
  static Wanted wanted() {
    Wanted out;
    out.lookup = true;
    out.extras = kValuesOnly;
    return out;
  }

  const Method& method_of_result() const { return *find_method(result_->summary().method); }

  static absl::StatusOr<Answer> read(const Result& result, const Position& position) {
    Answer out;
    out.position = position;
    const absl::StatusOr<PositionValue> value = result.value(position);
    if (!value.ok()) return value.status();
    out.value = *value;
    const absl::StatusOr<bool> reachable = result.reachable(position);
    if (reachable.ok()) out.reachable = *reachable;
    if (!reachable.ok() && !absl::IsUnimplemented(reachable.status())) return reachable.status();
    if (out.value.ended) return out;
    absl::StatusOr<std::vector<ValuedMove>> moves = result.moves(position);
    if (!moves.ok()) return moves.status();
    out.moves = *std::move(moves);
    absl::StatusOr<BestLine> line = result.line(position);
    if (!line.ok()) return line.status();
    out.line = *std::move(line);
    return out;
  }

  Game game_;
  Run run_;
  std::shared_ptr<const Result> result_;
};

// A line of --stdin does without what is the same for all of them.
Json begun_json(const Variant& variant, bool one_line) { return one_line ? Json() : headed_json(variant); }

Json answer_json(const Variant& variant, const Answer& answer, bool one_line) {
  Json out = begun_json(variant, one_line);
  out["position"] = variant.rules().write(answer.position);
  out["value"] = value_json(variant, answer.value);
  out["reachable"] = answer.reachable ? Json(*answer.reachable) : Json(nullptr);
  out["moves"] = Json::array();
  for (const auto& [successor, value, keeps] : answer.moves) {
    Json one;
    one["move"] = successor.text;
    one.update(value_json(variant, value));
    one["keeps"] = keeps;
    one["position"] = variant.rules().write(successor.position);
    out["moves"].push_back(std::move(one));
  }
  out["line"] = Json::array();
  for (const LineMove& move : answer.line.moves) out["line"].push_back(move.text);
  out["line_repeats"] = answer.line.repeats;
  return out;
}

void print_answer(const Variant& variant, const Answer& answer) {
  std::cout << variant.rules().write(answer.position) << "\n" << value_words(variant, answer.value) << "\n";
  if (answer.reachable == std::optional<bool>(false))
    std::cout << "(this position is not reachable from the start; solved from here)\n";
  for (const auto& [successor, value, keeps] : answer.moves)
    std::cout << absl::StrFormat("  %-10s %-32s %s\n", successor.text, value_words(variant, value),
                                 variant.rules().write(successor.position));
  if (answer.line.moves.empty()) return;
  std::cout << "best line:";
  for (const LineMove& move : answer.line.moves) std::cout << " " << move.text;
  std::cout << (answer.line.repeats ? " (a position is repeated here)" : "") << "\n";
}

absl::StatusOr<Json> moves_only(const Variant& variant, const Position& position, bool one_line) {
  const absl::StatusOr<EndState> end = end_state(variant.rules(), position);
  if (!end.ok()) return end.status();
  Json out = begun_json(variant, one_line);
  out["position"] = variant.rules().write(position);
  out["ended"] = end->ended;
  out["moves"] = Json::array();
  if (end->ended) return out;
  const absl::StatusOr<std::vector<Successor>> moves = successors(variant.rules(), position);
  if (!moves.ok()) return moves.status();
  for (const Successor& s : *moves)
    out["moves"].push_back({{"move", s.text}, {"position", variant.rules().write(s.position)}});
  return out;
}

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
  const auto fail = [&](const absl::Status& status) {
    if (one_line) std::cout << json_text({{"error", std::string(status.message())}}, -1) << "\n" << std::flush;
    return one_line ? static_cast<int>(exit_code(status)) : report(status);
  };
  if (!position.ok()) return fail(position.status());
  if (arguments.moves_only) {
    const absl::StatusOr<Json> moves = moves_only(variant, *position, one_line);
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
    std::cout << json_text(answer_json(variant, *found, one_line), one_line ? -1 : 2) << "\n" << std::flush;
  } else {
    print_answer(variant, *found);
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
  Answers answers(*variant, arguments.run);
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
