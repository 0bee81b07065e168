// SPDX-License-Identifier: Apache-2.0
// What verify, tables and bench print, and the progress of a run.
#include "tools/report/json_reference.h"

namespace plenum::json_keys {
namespace {

JsonSection verified_tables() {
  return {
      "Tables verified",
      "A table is held against the rules, without trust in the solver.",
      {{"verify", object("verification"), "one object"}},
      {
          {"verification", "A table held against the rules.",
           headed({
               {"table", text(), "", "The file."},
               {"material", text(), "", "The material of the ending.", {.absent = "the game is no ending"}},
               {"stands_on", list(text()), "",
                "The materials whose tables are taken as they are; none but for endings."},
               {"verified", truth(), "", "Whether nothing is wrong."},
               {"solved_again", truth(), "", "Whether the game was solved again, as by bits no values are kept."},
               {"checked", object("checked_table"), "", "What was checked."},
               {"wrong", whole(), "mismatches", "The mismatches."},
               {"mismatches", list(either({object("mismatch"), object("result_mismatch")})), "", "The first of them."},
               {"cost", object("verify_cost"), "", "What the run took."},
           })},
          {"checked_table",
           "What was checked of a table.",
           {
               {"bytes", whole(), "bytes", "The size of the file."},
               {"boards", whole(), "boards", "The boards numbered.", {.null = "the game was solved again"}},
               {"positions", whole(), "positions", "The boards with every state of the flags."},
               {"after_pass", whole(), "positions", "The positions after a pass, derived from these."},
               {"remoteness", truth(), "", "Whether the table has remoteness."},
               {"facts", truth(), "", "Whether the table says who can force what."},
               {"claims", whole(), "positions", "The positions that say that something can be brought about."},
               {"reached", whole(), "positions", "The positions found again from the start."},
           }},
          {"mismatch",
           "A position of which the table says something wrong.",
           {
               {"what", word({"value", "remoteness", "facts", "claim", "reached"}), "", "What is wrong."},
               {"position", text(), "", "The position."},
               {"found", text(), "", "What the table says."},
               {"expected", text(), "", "What it should say."},
           }},
          {"result_mismatch",
           "An entry of the table's result that is wrong.",
           {
               {"what", word({"result"}), "", "Always `result`."},
               {"place", text(), "", "The place in the result, as a JSON pointer."},
               {"found", anything(), "", "What the table says."},
               {"expected", anything(), "", "What it should say."},
           }},
          {"verify_cost", "What verifying took.",
           joined(cost_keys(), {{"expanded", whole(), "positions",
                                 "The positions whose moves were made, each as often as it was."}})},
      },
  };
}

JsonSection kept_tables() {
  return {
      "Tables kept",
      "",
      {{"tables", object("tables"), "one object"}, {"tables --remove", object("removed_tables"), "one object"}},
      {
          {"tables",
           "The cache folder.",
           {
               schema_key(),
               {"folder", text(), "", "The folder."},
               {"tables", list(object("kept_table")), "", "The tables in it, by file."},
           }},
          {"removed_tables",
           "What was removed from the cache folder.",
           {
               schema_key(),
               {"folder", text(), "", "The folder."},
               {"removed", list(text()), "", "The files that are gone."},
               {"bytes", whole(), "bytes", "The size that they had together."},
           }},
          {"kept_table",
           "A table in the cache folder.",
           {
               {"file", text(), "", "The file."},
               {"bytes", whole(), "bytes", "The size of the file."},
               {"variant", text(), "", "The name of the game; empty if there is a problem."},
               {"board", text(), "", "The board; empty if there is a problem."},
               {"hash", text(), "", "The hash of the game; empty if there is a problem."},
               {"settings",
                map("option", "", text()),
                "",
                "The options that are not as the description has them.",
                {.absent = "there is a problem"}},
               {"problem", text(), "", "The reason why it cannot be used.", {.null = "there is none"}},
           }},
      },
  };
}

// A workload's name and what is measured of it.
std::vector<JsonKey> workload(const std::vector<JsonKey>& more) {
  return joined({{"name", text(), "", "The name of the workload."}}, more);
}

JsonObject solved_workload() {
  return {"bench_solve", "A game solved.",
          workload({{"seconds", number(), "seconds", "The time by the clock."},
                    {"cpu_seconds", number(), "seconds", "The processor time of all threads."},
                    {"positions_per_second", number(), "1/second", "The rate of unreduced positions."},
                    {"stored_positions", whole(), "positions", "The positions that a value was stored of."},
                    {"stored_per_second", number(), "1/second", "The rate of stored positions."},
                    {"peak_bytes", whole(), "bytes", "The most memory that the process held."},
                    {"bytes_per_position", number(), "bytes", "That memory by unreduced positions."},
                    {"bytes_per_stored", number(), "bytes", "That memory by stored positions."},
                    {"threads", whole(), "threads", "The threads that could be used."},
                    {"moves", whole(), "moves", "The moves looked at.", {.absent = "the game is no ending"}},
                    {"ns_per_stored", number(), "nanoseconds", "The processor time by stored positions."},
                    {"ns_per_move",
                     number(),
                     "nanoseconds",
                     "The processor time by moves.",
                     {.absent = "the game is no ending"}}})};
}

JsonObject searched_workload() {
  return {
      "bench_search", "A game searched.",
      workload(joined(cost_keys(), {{"nodes", whole(), "positions", "The positions whose moves were made."},
                                    {"nodes_per_second", number(), "1/second", "The rate of these."},
                                    {"successors", whole(), "positions", "The positions that the moves led to."},
                                    {"table_bytes", whole(), "bytes", "The size of the transposition table."},
                                    {"table_fill", number(), "share", "The share of the table that is filled."},
                                    {"ns_per_node", number(), "nanoseconds", "The processor time by positions."}}))};
}

JsonSection workloads() {
  return {
      "Workloads",
      "A workload is one of five kinds, each with an object of its own.",
      {{"bench", object("bench"), "one object"}},
      {
          {"bench",
           "Times of the program's parts.",
           {
               schema_key(),
               {"processor", processor(), "", "How rules are run."},
               {"workloads",
                list(either({object("bench_expand"), object("bench_solve"), object("bench_search"),
                             object("bench_dense"), object("bench_study")})),
                "", "The workloads, in the order of the list."},
               {"signature", text(), "", "A hash of all counts and values, which only a change of results changes."},
           }},
          {"bench_expand", "Rules run on positions of random games.",
           workload({{"positions", whole(), "positions", "The positions whose moves are made."},
                     {"successors", whole(), "positions", "The positions that the moves lead to."},
                     {"instructions", whole(), "instructions", "The length of the compiled rules."},
                     {"ns_per_position_sets", number(), "nanoseconds", "The time by positions, for the sets alone."},
                     {"ns_per_position", number(), "nanoseconds", "The time by positions."},
                     {"ns_per_successor", number(), "nanoseconds", "The time by successors."}})},
          solved_workload(),
          searched_workload(),
          {"bench_dense", "A game solved by rows, without a table.",
           workload({{"boards", number(), "boards", "The boards numbered, with every state of the flags."},
                     {"cpu_seconds_solve", number(), "seconds", "The processor time of the values."},
                     {"cpu_seconds_count", number(), "seconds", "The processor time of the counts."},
                     {"evaluations_per_board", number(), "", "How often a board is evaluated."},
                     {"ns_per_board", number(), "nanoseconds", "The processor time of the values by boards."},
                     {"ns_per_mapped_successor", number(), "nanoseconds", "The same by successors mapped."}})},
          {"bench_study", "The cycles of a solved game studied, or two solved games compared.",
           workload({{"seconds", number(), "seconds", "The time by the clock, without that of solving."},
                     {"positions", whole(), "positions", "The positions looked at."},
                     {"ns_per_position", number(), "nanoseconds", "The time by positions."}})},
      },
  };
}

JsonSection choices() {
  return {
      "Choices of a method",
      "",
      {{"bench --choice", object("bench_choice"), "one object"}},
      {
          {"bench_choice",
           "The methods that games take, held against what each of the others takes.",
           {
               schema_key(),
               {"games", list(object("measured_choice")), "", "The games, in the order of the list."},
               {"right", whole(), "games", "Those whose choice is right."},
               {"all", whole(), "games", "All of them."},
           }},
          {"measured_choice",
           "A game, the method chosen, and what each method takes.",
           {
               {"name", text(), "", "The game with its board and options."},
               {"method", method(), "", "The method chosen."},
               {"solved_by", method(), "", "The method that solved it: another one where that took over."},
               {"cpu_seconds", number(), "seconds", "The processor time of choosing and solving."},
               {"cpu_seconds_choosing", number(), "seconds", "The processor time of choosing."},
               {"each", list(object("measured_method")), "", "The methods that can solve the game."},
               {"best", method(), "", "The fastest that tells as much."},
               {"quotient", number(), "", "The processor time by that of the best."},
               {"right", truth(), "", "Whether the choice is right."},
               {"wrong", list(text()), "", "The reasons why it is not."},
           }},
          {"measured_method",
           "What a method takes.",
           {
               {"method", method(), "", "The method."},
               {"tells_as_much", truth(), "", "Whether it finds out as much as the one that solved the game."},
               {"cpu_seconds", number(), "seconds", "The processor time.", {.null = "there is a problem"}},
               {"stopped", truth(), "", "Whether it was stopped, as it took much longer."},
               {"problem", text(), "", "The reason why it did not solve the game.", {.null = "there is none"}},
           }},
      },
  };
}

JsonSection progress() {
  return {
      "Progress of a run",
      "This goes to stderr.",
      {{"--progress json, of any command that has it", object("progress"), "a line now and then"}},
      {
          {"progress",
           "How far a run is.",
           {
               {"stage", text(), "", "What is being done."},
               {"done", whole(), "`things`", "How much of it is done."},
               {"things", text(), "", "What is counted, in words."},
               {"total", whole(), "`things`", "How much there is to do.", {.null = "it is not known"}},
               {"per_second", whole(), "`things` per second", "The rate in this stage."},
               {"seconds", number(), "seconds", "The time since the run began."},
               {"seconds_left",
                number(),
                "seconds",
                "The time that is left at this rate.",
                {.null = "it is not known"}},
               {"bytes", whole(), "bytes", "The most memory that the process held."},
           }},
      },
  };
}

}  // namespace

std::vector<JsonSection> of_upkeep() { return {verified_tables(), kept_tables(), workloads(), choices(), progress()}; }

}  // namespace plenum::json_keys
