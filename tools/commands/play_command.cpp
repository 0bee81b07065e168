// SPDX-License-Identifier: Apache-2.0
// plenum play: a game on the terminal, against perfect play or between two people; through a pipe too.
#include <algorithm>
#include <iostream>
#include <optional>
#include <set>
#include <vector>

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/console/progress.h"
#include "tools/report/describe.h"
#include "tools/report/page_text.h"
#include "tools/session/answers.h"
#include "tools/session/common.h"
#include "tools/session/game_at.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr const char* kHelp =
    "  MOVE      play it, as it is listed\n"
    "  moves     the legal moves\n"
    "  values    show values, or show them no longer\n"
    "  hint      a best move\n"
    "  undo      take back the last move, with the program's answer to it\n"
    "  position  the position as it is written\n"
    "  help      this list\n"
    "  quit      leave\n";

class Match {
 public:
  Match(const Variant& variant, const PlayArguments& arguments, Answers& answers, const Position& start)
      : variant_(variant), arguments_(arguments), answers_(answers), line_{start}, values_(arguments.values) {}

  // Until the game has ended, or nothing more is to be read. The exit code.
  absl::StatusOr<int> run() {
    show();
    for (;;) {
      ASSIGN_OR_RETURN(const bool over, ended());
      if (over) return kDone;
      if (arguments_.program == "both" && !met_.insert(variant_.rules().write(at())).second) {
        std::cout << "\nthis position was there before: so play goes round for ever\n";
        return kDone;
      }
      const absl::Status done = to_play() ? answer_move() : read_word();
      if (interrupt_seen() || absl::IsCancelled(done)) return kInterrupted;
      RETURN_IF_ERROR(done);
      if (left_) return kDone;
    }
  }

 private:
  const Position& at() const { return line_.back(); }
  bool to_play() const { return arguments_.program == player_word(at().mover) || arguments_.program == "both"; }

  void show() const {
    std::cout << "\n";
    const std::vector<std::string> board = draw_position(variant_, at(), pages::kPageColumns - 2);
    for (const std::string& row : board) std::cout << "  " << row << "\n";
    if (board.empty()) std::cout << "  " << variant_.rules().write(at()) << "\n";
  }

  absl::StatusOr<bool> ended() {
    ASSIGN_OR_RETURN(const EndState end, end_state(variant_.rules(), at()));
    if (!end.ended) {
      ASSIGN_OR_RETURN(const std::vector<Successor> moves, successors(variant_.rules(), at()));
      if (!moves.empty()) return false;
    }
    ASSIGN_OR_RETURN(const Answer answer, answers_.ask(at()));
    std::cout << "\n" << value_words(variant_, answer.value) << "\n";
    return true;
  }

  // The program's move: the first of a best line.
  absl::Status answer_move() {
    ASSIGN_OR_RETURN(const std::string best, best_move());
    ASSIGN_OR_RETURN(const Successor move, find_move(variant_.rules(), at(), Span::whole("move", best)));
    std::cout << "\n" << player_word(at().mover) << " plays " << move.text << "\n";
    line_.push_back(move.position);
    show();
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> best_move() {
    ASSIGN_OR_RETURN(const Answer answer, answers_.ask(at()));
    if (!answer.line.moves.empty()) return answer.line.moves.front().text;
    // Without remoteness there is no line: any move that keeps the value.
    const auto keeps = std::find_if(answer.moves.begin(), answer.moves.end(), [](const auto& m) { return m.keeps; });
    return (keeps == answer.moves.end() ? answer.moves.front() : *keeps).successor.text;
  }

  absl::Status read_word() {
    if (values_) {
      ASSIGN_OR_RETURN(const Answer answer, answers_.ask(at()));
      std::cout << value_words(variant_, answer.value) << "\n";
    }
    std::cout << player_word(at().mover) << "> " << std::flush;
    std::string word;
    if (!std::getline(std::cin, word)) {
      std::cout << "\n";
      left_ = true;
      return absl::OkStatus();
    }
    word = std::string(absl::StripAsciiWhitespace(word));
    if (word.empty()) return absl::OkStatus();
    if (word == "quit" || word == "exit") {
      left_ = true;
    } else if (word == "help" || word == "?") {
      std::cout << kHelp;
    } else if (word == "moves") {
      return list_moves();
    } else if (word == "values") {
      values_ = !values_;
    } else if (word == "position") {
      std::cout << variant_.rules().write(at()) << "\n";
    } else if (word == "undo") {
      take_back();
    } else if (word == "hint") {
      ASSIGN_OR_RETURN(const std::string best, best_move());
      std::cout << best << "\n";
    } else {
      const absl::StatusOr<Successor> move = find_move(variant_.rules(), at(), Span::whole("move", word));
      if (!move.ok()) {
        std::cout << move.status().message() << "\n  moves lists the legal moves, help what else can be typed\n";
        return absl::OkStatus();
      }
      line_.push_back(move->position);
      show();
    }
    return absl::OkStatus();
  }

  void take_back() {
    const std::size_t before = line_.size();
    while (line_.size() > 1) {
      line_.pop_back();
      if (!to_play()) break;
    }
    std::cout << (line_.size() == before ? "there is nothing to take back\n" : "");
    show();
  }

  absl::Status list_moves() {
    if (values_) {
      ASSIGN_OR_RETURN(const Answer answer, answers_.ask(at()));
      for (const ValuedMove& move : answer.moves)
        std::cout << "  " << pad_right(move.successor.text, 10) << " " << value_words(variant_, move.after)
                  << (move.keeps ? "" : "  (?)") << "\n";
      return absl::OkStatus();
    }
    ASSIGN_OR_RETURN(const std::vector<Successor> moves, successors(variant_.rules(), at()));
    std::vector<std::string> texts;
    texts.reserve(moves.size());
    for (const Successor& move : moves) texts.push_back(move.text);
    std::cout << "  " << absl::StrJoin(texts, " ") << "\n";
    return absl::OkStatus();
  }

  const Variant& variant_;
  const PlayArguments& arguments_;
  Answers& answers_;
  std::vector<Position> line_;
  std::set<std::string> met_;  // where the program plays both sides
  bool values_;
  bool left_ = false;
};

}  // namespace

absl::StatusOr<int> play_command(const PlayArguments& arguments) {
  ASSIGN_OR_RETURN(const Variant variant, make_game_at(arguments.game, arguments.position));
  ASSIGN_OR_RETURN(const Position start, find_position(variant, arguments.position, ""));
  std::cout << variant.description().name << " on " << variant.board().name() << "; help lists what can be typed\n";
  Run run(arguments.run);
  exit_on_interrupt();  // while nothing is solved, it ends the program
  Answers answers(variant, run, Asked::many);
  return Match(variant, arguments, answers, start).run();
}

}  // namespace plenum
