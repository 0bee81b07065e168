// SPDX-License-Identifier: Apache-2.0
#include "tools/commands/cli.h"

#include <array>
#include <csignal>
#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <new>
#include <stdexcept>

#include <CLI/CLI.hpp>
#include <absl/strings/str_cat.h>

#include "solver/cluster/mpi_ranks.h"
#include "solver/method/method.h"
#include "solver/support/memory.h"
#include "tools/commands/cli_parts.h"
#include "tools/commands/commands.h"
#include "tools/commands/usage.h"
#include "tools/console/exit_codes.h"
#include "tools/console/last_words.h"
#include "tools/console/progress.h"
#include "tools/console/terminal.h"
#include "tools/session/common.h"
#include "variants/program/processor.h"
#include "variants/text/printable.h"

namespace plenum {
namespace {

// How to solve a game: "auto", or the name of a method; where values of all positions are needed, of one that keeps them.
void add_method(CLI::App& command, std::string& method, bool with_values = false) {
  std::vector<std::string> names = {kAuto};
  std::string about = "how to solve it: ";
  for (const Method* one : methods()) {
    if (with_values && !one->offers().values) continue;
    names.emplace_back(one->name());
    absl::StrAppend(&about, std::string(one->name()), ": ", std::string(one->about()), "; ");
  }
  command.add_option("--method", method, absl::StrCat(about, "auto: what the game allows and fits, as info says"))
      ->check(CLI::IsMember(names));
}

// Where the parser puts what each command is given.
struct AllArguments {
  SolveArguments solve;
  VerifyArguments verify;
  NewArguments begin;
  CheckArguments check;
  InfoArguments info;
  CountArguments count;
  QueryArguments query;
  ExportArguments exported;
  CyclesArguments cycles;
  ReachArguments reach;
  CompareArguments compare;
  ReportArguments report;
  SweepArguments sweep;
  ExploreArguments explore;
  PlayArguments play;
  TablesArguments tables;
  BenchArguments bench;
  ManualArguments manual;
};

using Chosen = std::function<absl::StatusOr<int>()>;  // the command to run

void add_solve(CLI::App& app, SolveArguments& solve, Chosen& chosen) {
  CLI::App* const solving = app.add_subcommand("solve", "solve a game: value, pie, openings, cycles, draw rates");
  add_game(*solving, solve.game);
  add_run(*solving, solve.run);
  add_scratch(*solving, solve.run);
  add_method(*solving, solve.method);
  add_begin(*solving, solve.position, solve.moves);
  solving
      ->add_option(
          "--table", solve.table,
          "keep the result in this file, or take it from there; run again to go on after a kill (rows, one-pass, bits)")
      ->type_name("FILE")
      ->check(filled());
  solving->add_flag("--no-table", solve.no_table, "keep no table in the cache folder, and take none from there")
      ->excludes("--table");
  solving->add_flag(
      "--no-remoteness", solve.no_remoteness,
      "by rows or in one pass: values, ties and cycles alone, by rows in half of the time; no plies, forced "
      "cycles, endless play");
  solving->add_option("--only", solve.only, "outcome: who wins, not by how much, as if the rules counted no more")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"outcome"}));
  solving->add_flag("--margins", solve.margins,
                    "by bits, where play may go on for ever: how many positions are won by each margin, not just by "
                    "those that tell the value of the start and of the openings");
  solving->add_flag("--openings", solve.openings,
                    "where the game is searched: the value after every first move, and with them the pie");
  solving->add_flag(
      "--measures", solve.measures,
      "what play is like, of a game of any size: critical positions, and by graph players who err, drama, skill; "
      "otherwise small games alone are measured");
  solving->add_flag("--lengths", solve.lengths,
                    "how long wins take, by rows or in one pass too where that is a look at more than 200,000 "
                    "positions; otherwise it is told anyway");
  solving
      ->add_option("--against", solve.against,
                   "print the page beside that of other options: 'default', or name=value; may be repeated")
      ->allow_extra_args(false);
  solving->callback([&] { chosen = [&] { return solve_command(solve); }; });
}

void add_verify(CLI::App& app, VerifyArguments& verify, Chosen& chosen) {
  CLI::App* const verifying =
      app.add_subcommand("verify",
                         "hold a table of a solved game against the rules, without trust in the solver that made it; "
                         "exit code 1 if something in it is wrong, 4 if the file is damaged");
  verifying->add_option("TABLE", verify.table, "the file")->required()->check(filled());
  add_run(*verifying, verify.run);
  verifying->callback([&] { chosen = [&] { return verify_command(verify); }; });
}

void add_new(CLI::App& app, NewArguments& begin, Chosen& chosen) {
  CLI::App* const beginning =
      app.add_subcommand("new", "write a first description to NAME.toml, ready to be changed; never over a file");
  beginning->add_option("NAME", begin.name, "the name of the game, in letters, digits and '-'")->required();
  beginning
      ->add_option("--like", begin.like,
                   "a tweak of this game instead, with its options and moves as comments: a "
                   "description's file, or the name of one in data/variants")
      ->type_name("VARIANT")
      ->check(filled());
  beginning->callback([&] { chosen = [&] { return new_command(begin); }; });
}

void add_check(CLI::App& app, CheckArguments& check, Chosen& chosen) {
  CLI::App* const checking = app.add_subcommand("check", "check descriptions and run the tests in them");
  checking->add_option("VARIANT", check.variants, "files or names")->required();
  checking->add_flag("--moves", check.moves,
                     "draw a move of each kind, before and after; not of piece games, which info --pieces draws");
  CLI::Option* const orders =
      checking
          ->add_option(
              "--orders", check.orders,
              "where effects go on by themselves (repeat, spread): make every move of every position with the cells "
              "changing one at a time, in this many orders, and compare")
          ->check(CLI::Range(1, 1000));
  checking->add_option("--board", check.board, "the board for --orders")->needs(orders)->check(filled());
  checking->add_option("--set", check.settings, "an option for --orders, name=value; may be repeated")
      ->needs(orders)
      ->allow_extra_args(false);
  add_run(*checking, check.run);
  checking->callback([&] { chosen = [&] { return check_command(check); }; });
}

void add_info(CLI::App& app, InfoArguments& info, Chosen& chosen) {
  CLI::App* const informing =
      app.add_subcommand("info", "show options, board, symmetries, tiers, whether play can cycle, and the size");
  add_game(*informing, info.game);
  informing->add_flag("--pieces", info.pieces, "of a piece game: how each piece goes, drawn");
  informing
      ->add_option(
          "--ranks", info.ranks,
          "predict what so many ranks would take, each with the memory of this machine: of memory, bytes sent, "
          "and time")
      ->check(CLI::Range(1, 1'000'000));
  informing->add_flag("--json", info.run.json, "print JSON");
  informing->callback([&] { chosen = [&] { return info_command(info); }; });
}

void add_count(CLI::App& app, CountArguments& count, Chosen& chosen) {
  CLI::App* const counting = app.add_subcommand("count", "count sequences of moves (perft)");
  add_game(*counting, count.game);
  add_run(*counting, count.run);
  counting->add_option("--depth", count.depth, "how many moves")->required()->check(CLI::Range(0, 1000));
  counting->add_option("--position", count.position, "from this position")->check(filled());
  counting->add_flag("--divide", count.divide, "split by first move");
  counting->callback([&] { chosen = [&] { return count_command(count); }; });
}

void add_query(CLI::App& app, QueryArguments& query, Chosen& chosen) {
  CLI::App* const querying =
      app.add_subcommand("query", "value of a position and of each of its moves, and a best line");
  add_game(*querying, query.game);
  add_run(*querying, query.run);
  CLI::Option* const position =
      querying->add_option("POSITION", query.position, "as in 'x1/3/2 2'; the start if not given")->check(filled());
  CLI::Option* const moves = querying->add_option("--moves", query.moves, "moves to play first, separated by spaces");
  querying->add_flag("--moves-only", query.moves_only, "list the legal moves without solving anything");
  querying
      ->add_flag("--stdin", query.from_stdin,
                 "answer a line of JSON for each line of stdin that is not empty: a position, or {\"position\": "
                 "\"...\", \"moves\": \"...\"}")
      ->excludes(position)
      ->excludes(moves);
  querying->callback([&] { chosen = [&] { return query_command(query); }; });
}

void add_export(CLI::App& app, ExportArguments& exported, Chosen& chosen) {
  CLI::App* const exporting = app.add_subcommand(
      "export", "write the positions of a solved game, or their moves, to a file for other programs");
  add_game(*exporting, exported.game);
  exporting->get_option("VARIANT")->description("a description's file, the name of one in data/variants, or a table");
  exporting
      ->add_option("-o,--output", exported.output,
                   "the file; its ending tells the format: .jsonl, .csv, .parquet, .graphml or .dot; - is stdout")
      ->required()
      ->type_name("FILE")
      ->check(filled());
  exporting->add_option("--format", exported.format, "the format, whatever the file's ending is; jsonl for stdout")
      ->check(CLI::IsMember({"jsonl", "csv", "parquet", "graphml", "dot"}));
  exporting->add_option("--rows", exported.rows, "a row for each of the positions (if not given), or of their moves")
      ->check(CLI::IsMember({"positions", "moves"}));
  exporting->add_flag("--unfold", exported.unfold,
                      "a row for every position; otherwise one stands for all its images under symmetries");
  add_threads_and_memory(*exporting, exported.run);
  add_progress(*exporting, exported.run);
  exporting->callback([&] { chosen = [&] { return export_command(exported); }; });
}

void add_cycles(CLI::App& app, CyclesArguments& cycles, Chosen& chosen) {
  CLI::App* const cycling = app.add_subcommand(
      "cycles", "whether play can go round, where, whether it can be forced, and a case to check by hand");
  add_game(*cycling, cycles.game);
  add_run(*cycling, cycles.run);
  add_method(*cycling, cycles.method, true);
  add_begin(*cycling, cycles.position, cycles.moves);
  cycling->add_option("--dot", cycles.dot, "write the smallest trap to this file as a graph for Graphviz")
      ->type_name("FILE")
      ->check(filled());
  cycling->add_option("--graphml", cycles.graphml, "the same as GraphML, for programs that study graphs")
      ->type_name("FILE")
      ->check(filled());
  cycling->callback([&] { chosen = [&] { return cycles_command(cycles); }; });
}

void add_reach(CLI::App& app, ReachArguments& reach, Chosen& chosen) {
  CLI::App* const reaching = app.add_subcommand(
      "reach",
      "the shortest line of moves to a position with a property, and how many there are; exit code 1 if there is none");
  add_game(*reaching, reach.game);
  add_run(*reaching, reach.run);
  reaching
      ->add_option("--goal", reach.goal,
                   "what the position has, true or false as in a description's keys: 'count(x) >= 5', 'passes == 1 & "
                   "!any(empty)'; mine are the stones of the player to move")
      ->required()
      ->type_name("EXPRESSION")
      ->check(filled());
  add_begin(*reaching, reach.position, reach.moves);
  reaching->add_option("--depth", reach.depth, "look no farther than so many plies")->check(CLI::Range(0, 1'000'000));
  reaching->callback([&] { chosen = [&] { return reach_command(reach); }; });
}

void add_compare(CLI::App& app, CompareArguments& compare, Chosen& chosen) {
  CLI::App* const comparing = app.add_subcommand(
      "compare",
      "what a change of rules does: two games on one board, position by position; exit code 1 if any changes value");
  comparing->add_option("A", compare.a, "a description's file, or the name of one in data/variants")
      ->required()
      ->type_name("VARIANT");
  comparing->add_option("B", compare.b, "another one; A with the settings if not given")->type_name("VARIANT");
  comparing->add_option("--board", compare.board, "the board of both; that of the descriptions if not given")
      ->check(filled());
  comparing
      ->add_option(
          "--set", compare.settings,
          "an option: name=value for both (with one description: for B, and A is as it is), or name=value,value, the "
          "first for A and the second for B (or name=value twice); may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUES");
  comparing->add_option("--show", compare.show, "how many positions that change are shown; 3 if not given")
      ->check(CLI::Range(0, 1000));
  CLI::Option* const readings = comparing->add_flag("--readings", compare.readings,
                                                    "compare A with each other reading that its author left open");
  comparing->add_flag("--all-options", compare.all_options, "with --readings: every option, not only those left open")
      ->needs(readings);
  add_run(*comparing, compare.run);
  comparing->callback([&] { chosen = [&] { return compare_command(compare); }; });
}

void add_report(CLI::App& app, ReportArguments& report, Chosen& chosen) {
  CLI::App* const reporting = app.add_subcommand(
      "report",
      "solve a game and write a page about it, in one file of HTML that is read without scripts and can be printed");
  add_game(*reporting, report.game);
  reporting->add_option("-o,--output", report.output, "the file to write")
      ->required()
      ->type_name("FILE")
      ->check(filled());
  reporting
      ->add_option("--vary", report.varied,
                   "what the maps vary: an option or the board and its values, name=value,value; once or twice; two "
                   "options of the game if not given")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUES");
  reporting->add_flag("--openings", report.openings,
                      "where the game is searched: the value after every first move, and with them the pie");
  reporting->add_flag("--in-full", report.in_full,
                      "also what takes long where there are more than 200,000 positions: how they are spread, where "
                      "they go round, other readings and rules");
  add_threads_and_memory(*reporting, report.run);
  add_progress(*reporting, report.run);
  reporting->callback([&] { chosen = [&] { return report_command(report); }; });
}

void add_sweep(CLI::App& app, SweepArguments& sweep, Chosen& chosen) {
  CLI::App* const sweeping = app.add_subcommand("sweep",
                                                "solve every combination of boards and options, a row each; go on "
                                                "where it was stopped; a row says what could not be "
                                                "solved, and the exit code is 0 if anything was");
  sweeping->add_option("VARIANT", sweep.variant, "a description's file, or the name of one in data/variants")
      ->required();
  sweeping->add_option("--board", sweep.boards, "boards, separated by commas; path:3..9 is a range")->check(filled());
  sweeping
      ->add_option("--set", sweep.settings, "an option and its values, name=value,value or name=1..3; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUES");
  sweeping->add_flag("--all-options", sweep.all_options, "all values of every option that is not set");
  CLI::Option* const csv = sweeping->add_flag("--csv", sweep.csv, "print CSV");
  sweeping->add_option("--html", sweep.html, "also write a page with maps over the options to this file")
      ->type_name("FILE")
      ->check(filled());
  sweeping->add_flag("--fresh", sweep.fresh, "solve again what is known from before");
  sweeping->add_flag("--no-cache", sweep.no_cache, "neither use nor keep results");
  add_run(*sweeping, sweep.run);
  csv->excludes("--json");
  sweeping->callback([&] { chosen = [&] { return sweep_command(sweep); }; });
}

void add_tables(CLI::App& app, TablesArguments& tables, Chosen& chosen) {
  CLI::App* const listing =
      app.add_subcommand("tables", "list the tables of solved games in the cache folder, or remove some");
  CLI::Option* const removing =
      listing->add_option("--remove", tables.remove, "remove these: files, hashes, or all of a variant")
          ->type_name("NAME");
  listing->add_flag("--remove-all", tables.remove_all, "remove all of them")->excludes(removing);
  listing->add_flag("--json", tables.json, "print JSON");
  listing->callback([&] { chosen = [&] { return tables_command(tables); }; });
}

void add_explore(CLI::App& app, ExploreArguments& explore, Chosen& chosen) {
  CLI::App* const exploring = app.add_subcommand(
      "explore", "look at games in a browser: play on a solved board, change a rule, and see what that changes");
  exploring->add_option(
      "VARIANT", explore.game.variant,
      "a description's file, the name of one in data/variants, or a table; the page asks if not given");
  exploring->add_option("--board", explore.game.board, Board::forms())->check(filled());
  exploring->add_option("--set", explore.game.settings, "an option of the variant, name=value; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  exploring->add_option("--port", explore.port, "the port to listen at; 7536 if not given, or one that is free")
      ->check(CLI::Range(0, 65535));
  exploring->add_flag("--no-open", explore.no_open, "open no browser; the address is printed anyway");
  exploring
      ->add_option("--save", explore.save,
                   "let the page write the description that is typed to this file; without it the page writes nothing")
      ->type_name("FILE")
      ->check(filled());
  add_threads_and_memory(*exploring, explore.run);
  exploring->callback([&] { chosen = [&] { return explore_command(explore); }; });
}

void add_play(CLI::App& app, PlayArguments& play, Chosen& chosen) {
  CLI::App* const playing = app.add_subcommand(
      "play", "play on the terminal, against perfect play or between two people; through a pipe too");
  add_game(*playing, play.game);
  playing->add_option("--position", play.position, "from this position; the start if not given")->check(filled());
  playing->add_option("--program", play.program, "what the program plays: first, second, both or nobody")
      ->check(CLI::IsMember({"first", "second", "both", "nobody"}));
  playing->add_flag("--values", play.values, "show the value of each position, and of the moves that are listed");
  add_threads_and_memory(*playing, play.run);
  playing->callback([&] { chosen = [&] { return play_command(play); }; });
}

void add_language(CLI::App& app, Chosen& chosen) {
  CLI::App* const speaking = app.add_subcommand("language", "print the reference of the description language");
  speaking->callback([&] { chosen = [] { return language_command(); }; });
}

void add_bench(CLI::App& app, BenchArguments& bench, Chosen& chosen) {
  CLI::App* const benching = app.add_subcommand(
      "bench", "time the program's parts; ends in a signature that only a change of results changes");
  benching->add_option("WORKLOAD", bench.workloads, "names of workloads; all that are short if not given");
  benching->add_option("--file", bench.file, "a list of workloads; the data folder's if not given");
  benching->add_flag("--long", bench.long_ones, "also the workloads that take minutes, or much memory");
  benching->add_flag("--choice", bench.choice,
                     "solve the games of the list by the method that each takes and by all others, and say whether the "
                     "choice is right; exit code 1 if one is not");
  add_run(*benching, bench.run);
  benching->callback([&] { chosen = [&] { return bench_command(bench); }; });
}

// For packages, not for people: not among what --help shows.
void add_manual(CLI::App& app, ManualArguments& manual, Chosen& chosen) {
  CLI::App* const describing = app.add_subcommand(
      "manual", "print the manual page, the completions for a shell, or the reference of the JSON that commands print");
  describing
      ->add_option("WHAT", manual.what,
                   "man, bash, zsh, fish; json: the reference of JSON; json-schema: the same for programs; variants: "
                   "the names of those there are")
      ->required()
      ->check(CLI::IsMember({"man", "bash", "zsh", "fish", "json", "json-schema", "variants"}));
  describing->group("");
  describing->callback([&] { chosen = [&] { return manual_command(manual, app); }; });
}

// The table of commands and options. Parsing fills `given` and makes `chosen` the command to run; both outlive the app.
void add_commands(CLI::App& app, AllArguments& given, Chosen& chosen) {
  app.description(
      "Plenum evaluates every position of a board game that a text file describes.\n"
      "Exit codes: 0 done; 1 a negative answer; 2 bad usage or description; 3 a limit; 4 a damaged table; 130 "
      "interrupted.");
  app.set_version_flag("--version", "plenum " PLENUM_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);

  add_solve(app, given.solve, chosen);
  add_verify(app, given.verify, chosen);
  add_new(app, given.begin, chosen);
  add_check(app, given.check, chosen);
  add_info(app, given.info, chosen);
  add_count(app, given.count, chosen);
  add_query(app, given.query, chosen);
  add_export(app, given.exported, chosen);
  add_cycles(app, given.cycles, chosen);
  add_reach(app, given.reach, chosen);
  add_compare(app, given.compare, chosen);
  add_report(app, given.report, chosen);
  add_sweep(app, given.sweep, chosen);
  add_explore(app, given.explore, chosen);
  add_play(app, given.play, chosen);
  add_tables(app, given.tables, chosen);
  add_language(app, chosen);
  add_bench(app, given.bench, chosen);
  add_manual(app, given.manual, chosen);
}

int parse_and_run(int argc, char** argv) {
  AllArguments given;
  Chosen chosen;
  CLI::App app;
  add_commands(app, given, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // help, version
    return usage_error(app, error, argc, argv);
  }
  // Other commands are the root's alone.
  Ranks& ranks = RanksOfRun::current();
  for (RunArguments* const run : {&given.solve.run, &given.sweep.run, &given.report.run, &given.compare.run})
    run->ranks = &ranks;
  const bool by_all = app.got_subcommand("solve") || app.got_subcommand("sweep") || app.got_subcommand("report") ||
                      (app.got_subcommand("compare") && given.compare.readings);
  if (!ranks.root() && !by_all) return kDone;
  return report(chosen());
}

}  // namespace

namespace {

// Of several ranks the others would wait for this one.
int end_with(int code, const std::string& why) {
  Ranks& ranks = RanksOfRun::current();
  if (ranks.several()) ranks.end_run(code, absl::StrCat("plenum: rank ", ranks.rank(), ": ", why));
  complain(why);
  return code;
}

}  // namespace

int run_cli(int argc, char** argv) {
  const PrintableOutput output;
  std::unique_ptr<LastWords> last_words;
  try {
    grow_stack();
    last_words = std::make_unique<LastWords>();
    base_memory();
    exit_on_interrupt();
    std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is an error of writing, not the program's end
    if (const absl::Status processor = check_processor(); !processor.ok()) return report(processor);
    const int code = parse_and_run(argc, argv);
    if (std::cout.flush()) return code;
    complain("the output could not be written: the disk is full, or stdout is closed");
    return kLimit;
  } catch (const std::bad_alloc&) {
    if (last_words != nullptr) return end_with(kLimit, last_words->no_memory());
    std::cerr << "plenum: memory: the machine has no more; it could not even begin\n";
    return kLimit;
  } catch (const std::runtime_error& error) {  // std::system_error among them, and what oneTBB throws
    return end_with(kLimit, absl::StrCat("the machine refuses what is needed: ", error.what(),
                                         "\n  use fewer --threads, give a lower --memory, or allow it more memory or "
                                         "more threads (ulimit -a shows what is allowed)"));
  } catch (const std::exception& error) {
    return end_with(kBadInput, error.what());
  }
}

}  // namespace plenum
