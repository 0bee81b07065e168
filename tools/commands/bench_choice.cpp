// SPDX-License-Identifier: Apache-2.0
// plenum bench --choice: whether each game of a list takes the right method (solver/method/choose.cpp).
//
// A game is solved as `solve` does it, choosing and taking over included, and by every method that can, each from nothing and one after
// the other in this process, so that their times can be compared. The choice is right if
// - it takes at most kTimes the processor time, and kSeconds more, of the best method that tells at least as much, and
// - no method that tells more takes no longer, and
// - it is the one that the list has: the choice knows no clock, so it is the same on any machine.
// A method is stopped once it has taken kPatience times as long: how much longer it would take does not matter.
#include <algorithm>
#include <ctime>
#include <iostream>
#include <utility>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <absl/strings/str_join.h>

#include "solver/support/memory.h"
#include "tools/commands/bench_list.h"
#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/report/json_report.h"
#include "tools/session/common.h"
#include "tools/session/run.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr double kTimes = 1.25;
constexpr double kSeconds = 0.1;
constexpr double kPatience = 2;
constexpr double kPatienceSeconds = 0.5;
constexpr double kShort = 0.02;       // seconds: what takes less is repeated
constexpr std::size_t kRepeated = 5;  // times, of which the median counts

double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Whether a method finds out all that another does.
bool tells_as_much(const Method& a, const Method& b) {
  const Offers x = a.offers();
  const Offers y = b.offers();
  return x.values >= y.values && x.remoteness >= y.remoteness && x.reachable >= y.reachable && x.cycles >= y.cycles &&
         x.table >= y.table && x.margins >= y.margins;
}
bool tells_more(const Method& a, const Method& b) { return tells_as_much(a, b) && !tells_as_much(b, a); }

// How long a method took, choosing it included.
struct Taken {
  const Method* method = nullptr;
  double seconds = 0;
  double choosing = 0;
  bool stopped = false;  // it takes longer
  std::string problem;   // why it could not solve the game
  bool solved() const { return !stopped && problem.empty(); }
};

struct MeasuredChoice {
  const ChoiceCase* game = nullptr;
  const Method* chosen = nullptr;  // before another took over
  Taken taken;
  std::vector<Taken> each;        // method by itself
  const Taken* best = nullptr;    // of those that tell as much
  const Taken* faster = nullptr;  // the fastest of those that do not
  std::vector<std::string> wrong;
  double quotient() const { return best == nullptr ? 1 : taken.seconds / std::max(best->seconds, 1e-6); }
};

// The median of some takes where one is short. `once` solves the game anew.
template <typename Once>
absl::StatusOr<Taken> repeated(const Once& once) {
  std::vector<Taken> takes;
  do {
    release_free_memory();
    absl::StatusOr<Taken> taken = once();
    if (!taken.ok() || !taken->solved()) return taken;
    takes.push_back(*std::move(taken));
  } while (takes.size() < kRepeated && takes.back().seconds < kShort);
  std::sort(takes.begin(), takes.end(), [](const Taken& a, const Taken& b) { return a.seconds < b.seconds; });
  return takes[takes.size() / 2];
}

// As `solve` does it.
absl::StatusOr<Taken> take_chosen(const Variant& variant, const RunArguments& arguments, const Method*& chosen) {
  Run run(arguments);
  ASSIGN_OR_RETURN(const Request request, run.request({}));
  const double begin = processor_time();
  const Game game(variant, variant.rules().start());
  ASSIGN_OR_RETURN(Choice choice, run.choose(game, {}));
  Taken out;
  out.choosing = processor_time() - begin;
  chosen = &method_of(choice.method);
  const absl::StatusOr<std::shared_ptr<const Result>> result =
      solve(game, choice, request, {},
            [&](const Method& method, const Request& asked) { return run.solve(method, game, asked); });
  out.seconds = processor_time() - begin;  // before the result is given back
  RETURN_IF_ERROR(result.status());
  out.method = &method_of(choice.method);
  return out;
}

// By one method, for so many seconds at most.
absl::StatusOr<Taken> take(const Method& method, const Variant& variant, const RunArguments& arguments, double most) {
  Run run(arguments);
  ASSIGN_OR_RETURN(Request request, run.request({}));
  Taken out;
  out.method = &method;
  const double begin = processor_time();
  const WorkProgressFn shown = request.progress;
  request.progress = [&](const WorkProgress& p) {
    out.stopped = out.stopped || processor_time() - begin > most;
    return shown(p) && !out.stopped;
  };
  const absl::StatusOr<std::shared_ptr<const Result>> result =
      run.solve(method, Game(variant, variant.rules().start()), request);
  out.seconds = processor_time() - begin;
  const bool given_up = absl::IsCancelled(result.status()) || (result.ok() && (*result)->summary().stopped);
  if (given_up && !out.stopped) return absl::CancelledError("interrupted");
  if (!result.ok() && !out.stopped) out.problem = std::string(result.status().message());
  return out;
}

void judge(MeasuredChoice& it) {
  const Method& method = *it.taken.method;
  for (const Taken& other : it.each) {
    if (!other.solved()) continue;
    const Taken*& least = tells_as_much(*other.method, method) ? it.best : it.faster;
    if (least == nullptr || other.seconds < least->seconds) least = &other;
    if (tells_more(*other.method, method) && other.seconds <= it.taken.seconds)
      it.wrong.push_back(absl::StrCat(std::string(other.method->name()), " tells more and is as fast"));
  }
  if (it.best != nullptr && it.taken.seconds > kTimes * it.best->seconds + kSeconds)
    it.wrong.push_back(absl::StrCat(std::string(it.best->method->name()), " is faster"));
  if (it.chosen->name() != it.game->method) it.wrong.push_back(absl::StrCat("the list has ", it.game->method));
}

absl::StatusOr<MeasuredChoice> look_at(const ChoiceCase& game, RunArguments arguments) {
  MeasuredChoice out;
  out.game = &game;
  arguments.memory = game.memory;
  ASSIGN_OR_RETURN(const Variant variant, make_game(game.game));
  ASSIGN_OR_RETURN(out.taken, repeated([&] { return take_chosen(variant, arguments, out.chosen); }));
  const double most = kPatience * out.taken.seconds + kPatienceSeconds;
  for (const Method* method : methods()) {
    if (method == out.taken.method && method == out.chosen) {
      Taken alone = out.taken;
      alone.seconds -= std::exchange(alone.choosing, 0);
      out.each.push_back(alone);
      continue;
    }
    if (method->obstacle(Game(variant, variant.rules().start()))) continue;
    ASSIGN_OR_RETURN(out.each.emplace_back(), repeated([&] { return take(*method, variant, arguments, most); }));
  }
  judge(out);
  return out;
}

std::string name_of(const Taken& taken) { return std::string(taken.method->name()); }

std::string method_text(const MeasuredChoice& it) {
  const auto first = std::string(it.chosen->name());
  return it.chosen == it.taken.method ? first : absl::StrCat(first, ", ", name_of(it.taken));
}

std::string best_text(const Taken* taken) {
  return taken == nullptr ? "-" : absl::StrFormat("%s %.3f", name_of(*taken), taken->seconds);
}

Json measured_choice_json(const MeasuredChoice& it) {
  const auto method_json = [&](const Taken& other) -> Json {
    return {{"method", other.method->name()},
            {"tells_as_much", tells_as_much(*other.method, *it.taken.method)},
            {"cpu_seconds", other.problem.empty() ? Json(other.seconds) : Json()},
            {"stopped", other.stopped},
            {"problem", other.problem.empty() ? Json() : Json(other.problem)}};
  };
  return {{"name", it.game->name},
          {"method", it.chosen->name()},
          {"solved_by", it.taken.method->name()},
          {"cpu_seconds", it.taken.seconds},
          {"cpu_seconds_choosing", it.taken.choosing},
          {"each", json_list(it.each, method_json)},
          {"best", it.best == nullptr ? Json() : Json(it.best->method->name())},
          {"quotient", it.quotient()},
          {"right", it.wrong.empty()},
          {"wrong", it.wrong}};
}

constexpr const char* kRow = "%-40s %-16s %9s %9s  %-16s %9s  %-16s %s\n";

void print_row(const MeasuredChoice& it) {
  std::cout << absl::StrFormat(kRow, it.game->name, method_text(it), absl::StrFormat("%.3f", it.taken.choosing),
                               absl::StrFormat("%.3f", it.taken.seconds), best_text(it.best),
                               it.best == nullptr ? "-" : absl::StrFormat("%.2f", it.quotient()), best_text(it.faster),
                               it.wrong.empty() ? "yes" : absl::StrCat("no: ", absl::StrJoin(it.wrong, "; ")))
            << std::flush;
}

}  // namespace

absl::StatusOr<int> bench_choice(const BenchArguments& arguments) {
  ASSIGN_OR_RETURN(const std::vector<ChoiceCase> games, read_choice_cases(arguments.file));
  std::vector<std::string> names;
  names.reserve(games.size());
  for (const ChoiceCase& game : games) names.push_back(game.name);
  RETURN_IF_ERROR(check_names(arguments.workloads, names));
  Json out = headed_json();
  out["games"] = Json::array();
  std::size_t right = 0;
  if (!arguments.run.json) {
    std::cout << absl::StrFormat(kRow, "game", "chosen", "choosing", "CPU s", "best that tells", "quotient",
                                 "best that tells", "right");
    std::cout << absl::StrFormat(kRow, "", "", "", "in all", "as much, CPU s", "", "less, CPU s", "");
  }
  for (const ChoiceCase& game : games) {
    if (!is_wanted(arguments.workloads, game.name)) continue;
    ASSIGN_OR_RETURN(const MeasuredChoice measured, look_at(game, arguments.run));
    if (measured.wrong.empty()) ++right;
    out["games"].push_back(measured_choice_json(measured));
    if (!arguments.run.json) print_row(measured);
  }
  const std::size_t all = out["games"].size();
  out["right"] = right;
  out["all"] = all;
  std::cout << (arguments.run.json ? json_page(out)
                                   : absl::StrFormat("the choice is right for %d of %d games\n", right, all));
  return right == all ? kDone : kNegative;
}

}  // namespace plenum
