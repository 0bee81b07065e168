// SPDX-License-Identifier: Apache-2.0
// plenum query: a position's value, that of each of its moves, and a line of best play.
#include <iostream>
#include <memory>
#include <optional>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

#include "solver/dense/line_by_values.h"
#include "solver/method/method.h"
#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/console/progress.h"
#include "tools/report/describe.h"
#include "tools/report/json_report.h"
#include "tools/session/common.h"
#include "tools/session/game_at.h"
#include "tools/session/kept_ending.h"
#include "tools/session/kept_game.h"
#include "tools/session/run.h"

namespace plenum {
namespace {

struct Answer {
  Position position;
  PositionValue value;
  std::optional<bool> reachable = false;  // nothing: not known
  std::vector<ValuedMove> moves;
  BestLine line;
};

// Solves from the start of the game once, and from elsewhere where a position cannot be reached from it.
class Answers {
 public:
  Answers(const Variant& variant, const RunArguments& run) : variant_(variant), run_(run) {}

  // From a table, or a game large enough to be solved on a dense index.
  void use(std::shared_ptr<const DenseGame> game) { dense_ = std::move(game); }

  // An ending's table.
  void use(const std::string& file) { file_ = file; }

  absl::StatusOr<Answer> ask(const Position& position) {
    if (!prepared_) {
      const absl::Status ready = prepare();
      if (!ready.ok()) return ready;
      prepared_ = true;
    }
    if (ending_ != nullptr) return ask_ending(position);
    if (searched_) return ask_search(position);
    if (dense_ != nullptr) {
      absl::StatusOr<Answer> out = ask_dense(position);
      if (!absl::IsNotFound(out.status())) return out;
      return ask_from(position);  // it is not among those that are reachable
    }
    if (!whole_->value(position)) return ask_from(position);
    absl::StatusOr<Answer> out = read(*whole_, *whole_lines_, position);
    if (out.ok()) out->reachable = whole_->reachable(position);
    return out;
  }

 private:
  // Solves the game by the method that it takes, or opens what is kept of it.
  absl::Status prepare() {
    if (dense_ != nullptr) return absl::OkStatus();
    const Game game(variant_, variant_.rules().start());
    if (!file_.empty() || is_ending(variant_)) return solve_by(Choice::of(MethodId::ending, ""));
    if (const std::optional<OpenTable> kept = find_kept(variant_)) {
      absl::StatusOr<std::shared_ptr<const DenseGame>> opened = game_of(*kept, variant_);
      if (opened.ok()) {
        dense_ = *std::move(opened);
        return absl::OkStatus();
      }
    }
    const absl::StatusOr<Choice> choice = run_.choose(game, {});
    if (!choice.ok()) return choice.status();
    absl::Status out = solve_by(*choice);
    if (choice->goes_on(out)) out = solve_by(Choice::of(*choice->otherwise, ""));
    return out;
  }

  absl::Status solve_by(const Choice& choice) {
    switch (choice.method) {
      case MethodId::graph: {
        absl::StatusOr<SolvedGame> game =
            run_.solve(variant_, variant_.rules().start(), kValuesOnly, 0, choice.most_positions);
        if (!game.ok()) return game.status();
        whole_ = std::make_unique<SolvedGame>(*std::move(game));
        whole_lines_ = std::make_unique<BestLines>(*whole_);
        return absl::OkStatus();
      }
      case MethodId::rows:
      case MethodId::one_pass: {
        const DenseMethod method = choice.method == MethodId::rows ? DenseMethod::rows : DenseMethod::one_pass;
        const absl::StatusOr<KeptGame> kept = solve_kept(run_, variant_, method, false, true, {});
        if (!kept.ok()) return kept.status();
        absl::StatusOr<std::shared_ptr<const DenseGame>> game = game_of(*kept, variant_);
        if (!game.ok()) return game.status();
        dense_ = *std::move(game);
        return absl::OkStatus();
      }
      case MethodId::ending: {
        absl::StatusOr<std::shared_ptr<const EndingTables>> solved =
            file_.empty() ? solve_ending_kept(run_, variant_, false) : open_ending(run_, variant_, file_);
        if (!solved.ok()) return solved.status();
        ending_ = *std::move(solved);
        return absl::OkStatus();
      }
      case MethodId::bits:  // keeps no values: a search answers
      case MethodId::search:
        searched_ = true;
        return absl::OkStatus();
    }
    return absl::InternalError("a method without answers");
  }

  static absl::StatusOr<Answer> read(const SolvedGame& game, BestLines& lines, const Position& position) {
    Answer out;
    out.position = position;
    out.value = *game.value(position);
    if (out.value.ended) return out;
    absl::StatusOr<std::vector<ValuedMove>> moves = game.moves(position);
    if (!moves.ok()) return moves.status();
    out.moves = *std::move(moves);
    absl::StatusOr<BestLine> line = lines.from(position);
    if (!line.ok()) return line.status();
    out.line = *std::move(line);
    return out;
  }

  // Solved from there.
  absl::StatusOr<Answer> ask_from(const Position& position) {
    const absl::StatusOr<SolvedGame> game = run_.solve(variant_, position, kValuesOnly);
    if (!game.ok()) return game.status();
    BestLines lines(*game);
    absl::StatusOr<Answer> out = read(*game, lines, position);
    if (out.ok()) out->reachable = false;
    return out;
  }

  // By asking for values one by one.
  absl::StatusOr<Answer> ask_values(const AskValueFn& ask, const Position& position) const {
    Answer out;
    out.position = position;
    const absl::StatusOr<PositionValue> value = ask(position);
    if (!value.ok()) return value.status();
    out.value = *value;
    absl::StatusOr<std::vector<ValuedMove>> moves = moves_by_values(variant_.rules(), ask, position);
    if (!moves.ok()) return moves.status();
    out.moves = *std::move(moves);
    absl::StatusOr<BestLine> line = line_by_values(variant_.rules(), ask, position);
    if (!line.ok()) return line.status();
    out.line = *std::move(line);
    return out;
  }

  absl::StatusOr<Answer> ask_dense(const Position& position) const {
    absl::StatusOr<Answer> out = ask_values([this](const Position& p) { return dense_->value(p); }, position);
    if (!out.ok()) return out;
    const absl::StatusOr<bool> reachable = dense_->reachable(position);
    if (!reachable.ok()) return reachable.status();
    out->reachable = *reachable;
    return out;
  }

  // All legal positions of an ending may be asked for, and what they lead to.
  absl::StatusOr<Answer> ask_ending(const Position& position) const {
    absl::StatusOr<Answer> out = ask_values([this](const Position& p) { return ending_->value(p); }, position);
    if (out.ok()) out->reachable = true;
    return out;
  }

  // A search from there, and of the position after each move. How long play takes, and whether the position is reachable, is not known.
  absl::StatusOr<Answer> ask_search(const Position& position) {
    const absl::StatusOr<SearchedGame> found = run_.search(variant_, position, true);
    if (!found.ok()) return found.status();
    if (found->stopped) return absl::CancelledError("interrupted");
    Answer out;
    out.position = position;
    out.value = value_of_search(found->value, found->ended);
    out.reachable = std::nullopt;
    if (found->ended) return out;
    const absl::StatusOr<std::vector<Successor>> moves = successors(variant_.rules(), position);
    if (!moves.ok()) return moves.status();
    for (std::size_t i = 0; i < moves->size(); ++i) {
      const PositionValue after = value_of_search(found->openings[i].after, false);
      out.moves.push_back({(*moves)[i], after, after.margin == out.value.margin});
    }
    if (found->line) out.line.moves = found->line->moves;
    return out;
  }

  static PositionValue value_of_search(const ProvenMargin& proven, bool ended) {
    PositionValue out;
    out.margin.margin = proven.least;
    out.outcome = proven.least.units > 0 ? Outcome::first : proven.least.units < 0 ? Outcome::second : Outcome::tie;
    out.ended = ended;
    return out;
  }

  const Variant& variant_;
  Run run_;
  bool prepared_ = false;
  bool searched_ = false;  // each position is searched for
  std::shared_ptr<const DenseGame> dense_;
  std::string file_;
  std::shared_ptr<const EndingTables> ending_;
  std::unique_ptr<SolvedGame> whole_;
  std::unique_ptr<BestLines> whole_lines_;
};

Json answer_json(const Variant& variant, const Answer& answer) {
  Json out;
  out["position"] = to_text(variant.rule_set(), answer.position);
  out["value"] = value_json(variant, answer.value);
  out["reachable"] = answer.reachable ? Json(*answer.reachable) : Json(nullptr);
  out["moves"] = Json::array();
  for (const auto& [successor, value, keeps] : answer.moves) {
    Json one;
    one["move"] = successor.text;
    one.update(value_json(variant, value));
    one["position"] = to_text(variant.rule_set(), successor.position);
    out["moves"].push_back(std::move(one));
  }
  out["line"] = Json::array();
  for (const LineMove& move : answer.line.moves) out["line"].push_back(move.text);
  out["line_repeats"] = answer.line.repeats;
  return out;
}

void print_answer(const Variant& variant, const Answer& answer) {
  std::cout << to_text(variant.rule_set(), answer.position) << "\n" << value_words(variant, answer.value) << "\n";
  if (answer.reachable == std::optional<bool>(false))
    std::cout << "(this position is not reachable from the start; solved from here)\n";
  for (const auto& [successor, value, keeps] : answer.moves)
    std::cout << absl::StrFormat("  %-10s %-32s %s\n", successor.text, value_words(variant, value),
                                 to_text(variant.rule_set(), successor.position));
  if (answer.line.moves.empty()) return;
  std::cout << "best line:";
  for (const LineMove& move : answer.line.moves) std::cout << " " << move.text;
  std::cout << (answer.line.repeats ? " (a position is repeated here)" : "") << "\n";
}

absl::StatusOr<Json> moves_only(const Variant& variant, const Position& position) {
  const absl::StatusOr<EndState> end = end_state(variant.rules(), position);
  if (!end.ok()) return end.status();
  Json out;
  out["position"] = to_text(variant.rule_set(), position);
  out["ended"] = end->ended;
  out["moves"] = Json::array();
  if (end->ended) return out;
  const absl::StatusOr<std::vector<Successor>> moves = successors(variant.rules(), position);
  if (!moves.ok()) return moves.status();
  for (const Successor& s : *moves)
    out["moves"].push_back({{"move", s.text}, {"position", to_text(variant.rule_set(), s.position)}});
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
    const absl::StatusOr<Json> moves = moves_only(variant, *position);
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
    std::cout << json_text(answer_json(variant, *found), one_line ? -1 : 2) << "\n" << std::flush;
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
  if (from_table && is_of_ending(*table)) {
    answers.use(table->path());
  } else if (from_table) {
    absl::StatusOr<std::shared_ptr<const DenseGame>> game = game_of(*table, *variant);
    if (!game.ok()) return report(game.status());
    answers.use(*std::move(game));
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
