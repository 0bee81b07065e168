// SPDX-License-Identifier: Apache-2.0
// plenum report: a game solved, and what there is to say of it as a page in one file.
#include <algorithm>
#include <iostream>
#include <memory>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "tools/commands/commands.h"
#include "tools/commands/readings.h"
#include "tools/commands/sweep.h"
#include "tools/commands/sweep_report.h"
#include "tools/console/exit_codes.h"
#include "tools/console/terminal.h"
#include "tools/html/game_report.h"
#include "tools/report/file_output.h"
#include "tools/report/page_text.h"
#include "tools/session/common.h"
#include "tools/session/run.h"
#include "tools/session/store.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::uint64_t kMostFoundOut = 200'000;  // stored positions of which everything is found out unasked
constexpr std::size_t kMostSwept = 24;            // games
constexpr std::size_t kMostValues = 8;            // of an option that is varied unasked

// Two options with few values, those that the author left open before the others.
absl::StatusOr<std::vector<Dimension>> varied_options(const ReportArguments& arguments, const Description& described) {
  std::vector<Dimension> out;
  for (const std::string& text : arguments.varied) {
    const std::string name = text.substr(0, text.find('='));
    if (std::any_of(out.begin(), out.end(), [&](const Dimension& d) { return d.name == name; }))
      return error_at(Span::whole("--vary", text), absl::StrCat("'", name, "' is given twice"),
                      "separate its values by commas");
    if (name == "board" && text.size() > name.size()) {
      ASSIGN_OR_RETURN(out.emplace_back(), read_boards(text.substr(name.size() + 1)));
    } else {
      ASSIGN_OR_RETURN(out.emplace_back(), read_dimension(described, text));
    }
  }
  if (out.size() > 2)
    return absl::InvalidArgumentError(
        "a map has two sides\n  give --vary once or twice; plenum sweep --html takes more");
  if (!out.empty()) return out;
  std::size_t games = 1;
  for (const bool open : {true, false}) {
    for (const Option& option : described.options) {
      const std::vector<std::string> values = option.values();
      if (out.size() == 2 || option.name == "board" || option.left_open != open || values.size() < 2 ||
          values.size() > kMostValues || games * values.size() > kMostSwept)
        continue;
      out.push_back({option.name, values});
      games *= values.size();
    }
  }
  return out;
}

// Finds out what a report says, part by part.
class Findings {
 public:
  Findings(const ReportArguments& arguments, const Description& described, Run& run)
      : arguments_(arguments), described_(described), run_(run) {}
  Findings(const Findings&) = delete;
  Findings& operator=(const Findings&) = delete;
  // What was not found out, other ranks need not wait for.
  ~Findings() {
    for (; farms_left_ > 0 && several(); --farms_left_) run_farm(ranks(), {}, {}, farm_root());
  }

  absl::StatusOr<GameReport> all(Solved& solved) {
    GameReport out;
    solved_ = &solved;
    out.game = solved.result.get();
    out.program = command_name();
    out.arguments = as_typed(arguments_.game);
    if (!arguments_.run.memory.empty()) out.run = " --memory " + shell_word(arguments_.run.memory);
    if (arguments_.openings) out.solve_options = " --openings";
    out.reason = solved.choice.reason;
    RETURN_IF_ERROR(spread(out));
    RETURN_IF_ERROR(find_measures(run_, *solved_, too_much("").empty()));
    out.measures = solved_->measures;
    RETURN_IF_ERROR(cycles(out));
    RETURN_IF_ERROR(lines(out));
    RETURN_IF_ERROR(readings(out));
    RETURN_IF_ERROR(sweep_rules(out));
    return out;
  }

 private:
  const Result& game() const { return *solved_->result; }
  const Summary& summary() const { return game().summary(); }
  Offers offers() const { return find_method(summary().method)->offers(); }
  // Why not everything is found out; empty if it is.
  std::string too_much(const std::string& what) const {
    if (!offers().values)
      return absl::StrCat("Solved by ", summary().method, ", which keeps no values of positions: ", what,
                          " is not known.");
    if (arguments_.in_full || summary().stored <= kMostFoundOut) return "";
    return absl::StrCat("There are ", pages::number(summary().stored), " stored positions: ", what,
                        " is not looked at unless it is asked for, by --in-full.");
  }

  absl::Status spread(GameReport& out) {
    out.spread.why_not = too_much("how they are spread");
    if (!out.spread.why_not.empty()) return absl::OkStatus();
    RETURN_IF_ERROR(find_lengths(run_, *solved_, true));
    out.spread.value = solved_->lengths;
    if (!out.spread.value) out.spread.why_not = "How they are spread is not known of this method.";
    return absl::OkStatus();
  }

  absl::Status cycles(GameReport& out) {
    out.cycles.why_not = too_much("where play goes round");
    if (!out.cycles.why_not.empty()) return absl::OkStatus();
    const auto go_on = [&](std::uint64_t positions) { return run_.show("counting", positions, "positions"); };
    absl::StatusOr<CycleStudy> study = study_cycles(game(), go_on);
    if (absl::IsCancelled(study.status())) return study.status();
    if (study.ok()) {
      out.cycles.value = *std::move(study);
    } else {
      out.cycles.why_not =
          absl::StrCat("Where play goes round is not known: ", std::string(study.status().message()), ".");
    }
    return absl::OkStatus();
  }

  absl::Status add_line(GameReport& out, const std::string& title, const Position& begin,
                        const std::string& query) const {
    for (const ReportedLine& known : out.lines) {
      if (known.begin == begin) return absl::OkStatus();
    }
    absl::StatusOr<BestLine> line = game().line(begin);
    if (absl::IsCancelled(line.status())) return line.status();
    if (line.ok() && !line->moves.empty()) out.lines.push_back({title, begin, *std::move(line), query});
    return absl::OkStatus();
  }

  absl::Status lines(GameReport& out) {
    const Summary& s = summary();
    const Variant& variant = game().variant();
    if (s.line) out.lines.push_back({"From the start", s.line->begin, {s.line->moves, false}, ""});
    out.no_lines = "No line of best play is known: it takes the values of all positions, and how many plies they last.";
    if (!offers().values || !s.remoteness_known) return absl::OkStatus();
    if (s.start_value && !s.line) {
      RETURN_IF_ERROR(add_line(out, "From the start", s.start, ""));
    }
    if (s.pie && !s.pie->openings.empty()) RETURN_IF_ERROR(fairest(out));
    if (!out.spread.value) return absl::OkStatus();
    for (const Player player : {Player::first, Player::second}) {
      const auto& longest = out.spread.value->longest[static_cast<std::size_t>(player)];
      if (longest)
        RETURN_IF_ERROR(add_line(out, absl::StrCat("The longest win of ", player == Player::first ? "first" : "second"),
                                 longest->position, shell_word(variant.rules().write(longest->position))));
    }
    return absl::OkStatus();
  }

  absl::Status fairest(GameReport& out) const {
    const std::string& move = summary().pie->openings.front();
    const Variant& variant = game().variant();
    ASSIGN_OR_RETURN(const Successor made, find_move(variant.rules(), summary().start, Span::whole("move", move)));
    if (made.ended) return absl::OkStatus();
    return add_line(out, absl::StrCat("After ", move, ", the fairest opening under the pie"), made.position,
                    "--moves " + shell_word(move));
  }

  absl::Status readings(GameReport& out) {
    ASSIGN_OR_RETURN(std::vector<Reading> all, other_readings(described_, false));
    if (!all.empty()) out.readings.why_not = too_much("what other readings change");
    if (!out.readings.why_not.empty()) return absl::OkStatus();
    if (several()) {
      --farms_left_;
      compare_readings(arguments_.run, described_, all, farm_root());
      if (interrupt_seen()) return absl::CancelledError("interrupted: nothing was written");
    } else {
      RETURN_IF_ERROR(compare_readings(run_, game(), all));
    }
    run_.finish();
    out.readings.value = std::move(all);
    return absl::OkStatus();
  }

  // The command that solves the same games.
  std::string sweep_command_of(const std::vector<Dimension>& dimensions) const {
    GameArguments fixed = arguments_.game;
    std::string more;
    for (const Dimension& d : dimensions) {
      std::erase_if(fixed.settings, [&](const std::string& s) { return s.substr(0, s.find('=')) == d.name; });
      if (d.name == "board") fixed.board.clear();
      absl::StrAppend(&more, d.name == "board" ? " --board " : " --set ",
                      shell_word(absl::StrCat(d.name == "board" ? "" : d.name + "=", absl::StrJoin(d.values, ","))));
    }
    return absl::StrCat(command_name(), " sweep ", as_typed(fixed), more, " --json");
  }

  absl::Status sweep_rules(GameReport& out) {
    ASSIGN_OR_RETURN(const std::vector<Dimension> dimensions, varied_options(arguments_, described_));
    if (dimensions.empty()) {
      out.sweep.why_not =
          "The game has no options with few values. Boards are compared by --vary board=…, or by plenum sweep.";
      return absl::OkStatus();
    }
    if (arguments_.varied.empty()) out.sweep.why_not = too_much("what other rules make of it");
    if (!out.sweep.why_not.empty()) return absl::OkStatus();
    const SweepGames games{described_, dimensions};
    if (games.size() > kMostCombinations)
      return absl::InvalidArgumentError("--vary makes too many games\n  give fewer values");
    SweepSettings settings;
    ASSIGN_OR_RETURN(const std::uint64_t memory, memory_limit(arguments_.run));
    settings.memory = memory - std::min(memory, game().bytes());
    settings.threads = usable_threads(arguments_.run);
    settings.cache = ResultCache::open();
    if (several()) {
      // Readings come before, if any are looked at.
      for (; farms_left_ > 1; --farms_left_) run_farm(ranks(), {}, {}, farm_root());
      --farms_left_;
      settings.ranks = &ranks();
      settings.root_works = false;
      settings.note = farm_root().note;
    }
    const std::vector<SweepRow> rows = sweep(games, settings, [&](const auto&, const SweepProgress& progress) {
      return run_.show("solving other rules", progress.done, "games");
    });
    run_.finish();
    if (interrupt_seen()) return absl::CancelledError("interrupted: nothing was written");
    out.sweep.value = swept_games(games, rows, sweep_command_of(dimensions));
    return absl::OkStatus();
  }

  Ranks& ranks() const { return *arguments_.run.ranks; }
  bool several() const { return ranks().several(); }
  // The root has begun threads, so that it gives games out and solves none.
  FarmRoot farm_root() {
    return {.done = {},
            .note = complain,
            .go_on = [this](std::size_t done) { return run_.show("comparing readings", done, "readings"); },
            .works = false};
  }

  const ReportArguments& arguments_;
  const Description& described_;
  Run& run_;
  int farms_left_ = 2;  // of several ranks: readings, and other rules
  Solved* solved_ = nullptr;
};

// What another rank than the root does: it compares readings and solves under other rules, if the root asks for that.
absl::Status serve_report(const ReportArguments& arguments, const Description& described) {
  ASSIGN_OR_RETURN(std::vector<Reading> all, other_readings(described, false));
  compare_readings(arguments.run, described, all, {});
  const absl::StatusOr<std::vector<Dimension>> dimensions = varied_options(arguments, described);
  const SweepGames games{described, dimensions.ok() ? *dimensions : std::vector<Dimension>()};
  SweepSettings settings;
  ASSIGN_OR_RETURN(settings.memory, memory_limit(arguments.run));
  settings.threads = usable_threads(arguments.run);
  settings.cache = ResultCache::open();
  settings.ranks = arguments.run.ranks;
  sweep(games, settings, {});
  return left_to_root();
}

}  // namespace

absl::StatusOr<int> report_command(const ReportArguments& arguments) {
  const absl::StatusOr<Description> loaded = load_game(arguments.game);
  RETURN_IF_ERROR(agree_on_game(*arguments.run.ranks, loaded));
  const Description& described = *loaded;
  ASSIGN_OR_RETURN(const Variant variant, Variant::make(described));
  if (!arguments.run.ranks->root()) return serve_report(arguments, described);
  RunArguments own = arguments.run;
  own.ranks = &Ranks::alone();
  Run run(own);
  Findings findings(arguments, described,
                    run);  // however it ends, the other ranks hear that nothing more is to be done
  ASSIGN_OR_RETURN(const std::unique_ptr<FileOutput> file, FileOutput::create(arguments.output));
  const Wanted wanted = {.openings = arguments.openings,
                         .extras = {.most_measured_edges = arguments.in_full ? kMeasureAll : kMeasuredEdges}};
  ASSIGN_OR_RETURN(Solved solved, solve_chosen(run, Game(variant, variant.rules().start()), wanted));
  if (solved.result->summary().stopped) return absl::CancelledError("interrupted: nothing was written");
  ASSIGN_OR_RETURN(const GameReport report, findings.all(solved));
  const std::string html = report_html(report);
  file->stream() << html;
  RETURN_IF_ERROR(file->commit());
  std::cout << arguments.output << ": " << pages::number(html.size()) << " bytes\n";
  return kDone;
}

}  // namespace plenum
