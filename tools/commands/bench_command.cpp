// SPDX-License-Identifier: Apache-2.0
// plenum bench: workloads from a list (data/bench.json), times, and one signature.
//
// "expand": positions from random games, expanded in batches over and over: nanoseconds a position and a successor.
// "solve": a game solved by a "method" (graph unless it says another): seconds, memory, nanoseconds for each thing that it works on;
// everything, or without remoteness ("values_alone"), or the outcome alone ("only": "outcome"); by bits with all margins ("margins").
// "cycles": what a solved game's cycles are, traps and lines among it: nanoseconds a position.
// "compare": a game compared with the same under another setting ("other"): nanoseconds a position that both have.
// What is "long" is timed if it is asked for.
// The signature mixes all counts and values, no times: it changes only if results do.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <iostream>
#include <random>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

#include "solver/rows/row_game.h"
#include "solver/rows/row_reach.h"
#include "solver/rows/row_solver.h"
#include "solver/study/comparison.h"
#include "solver/study/cycles.h"
#include "solver/support/memory.h"
#include "tools/commands/bench_list.h"
#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/report/json_report.h"
#include "tools/session/common.h"
#include "tools/session/run.h"
#include "variants/rules/cell_rules.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kPositions = 64 * kLanes;

class Signature {
 public:
  void mix(std::uint64_t v) {
    state_ = (state_ ^ v) * 0x9E3779B97F4A7C15ULL;
    state_ ^= state_ >> 29;
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x243F6A8885A308D3ULL;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Positions met in random games, the same in every run: as many games as a batch has lanes, played side by side.
absl::StatusOr<std::vector<PositionBatch>> random_positions(const Rules& rules) {
  std::mt19937_64 random(1);
  std::vector<PositionBatch> out;
  Rules::Scratch scratch(rules);
  PositionBatch games = rules.batch();
  for (std::size_t lane = 0; lane < kLanes; ++lane) games.push(rules.start());
  while (out.size() * kLanes < kPositions) {
    out.push_back(games);
    RETURN_IF_ERROR(rules.expand(games, scratch));
    std::vector<std::vector<std::size_t>> choices(kLanes);
    for (std::size_t i = 0; i < scratch.successors.size; ++i) choices[scratch.parent[i]].push_back(i);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::vector<std::size_t>& moves = choices[lane];
      const std::size_t next = moves.empty() ? 0 : moves[random() % moves.size()];
      const bool over = moves.empty() || scratch.ended[next] != 0;
      games.set(lane, over ? rules.start() : scratch.successors.at(next));
    }
  }
  return out;
}

// What is measured of a workload, and the same in words.
struct Measured {
  Json numbers;
  std::string words;
};

absl::StatusOr<Measured> bench_expand(const Variant& variant, Signature& signature) {
  const Rules& rules = variant.rules();
  ASSIGN_OR_RETURN(const std::vector<PositionBatch> batches, random_positions(rules));
  const CellRules* const cells = rules.cells();  // pieces are not found by sets
  const std::size_t instructions = cells == nullptr ? 0 : cells->instructions();
  Rules::Scratch scratch(rules);
  std::uint64_t moves = 0;
  double best = 1e9;
  double best_sets = 1e9;
  const auto begin = std::chrono::steady_clock::now();
  for (int round = 0; round < 5 || seconds_since(begin) < 0.5; ++round) {
    moves = 0;
    auto start = std::chrono::steady_clock::now();
    for (const PositionBatch& batch : batches) {
      RETURN_IF_ERROR(rules.expand(batch, scratch));
      moves += scratch.successors.size;
    }
    best = std::min(best, seconds_since(start));
    start = std::chrono::steady_clock::now();
    for (const PositionBatch& batch : batches) {
      if (cells != nullptr) cells->find_sets(batch, scratch);
    }
    best_sets = std::min(best_sets, seconds_since(start));
  }
  for (const PositionBatch& batch : batches) {
    RETURN_IF_ERROR(rules.expand(batch, scratch));
    signature.mix(scratch.successors.size);
    for (std::size_t i = 0; i < scratch.successors.size; ++i) {
      for (const auto& plane : scratch.successors.planes) signature.mix(plane[i]);
    }
  }
  const double sets = best_sets * 1e9 / static_cast<double>(kPositions);
  const double each = best * 1e9 / static_cast<double>(kPositions);
  const double successor = best * 1e9 / static_cast<double>(moves);
  return Measured{
      {{"positions", kPositions},
       {"successors", moves},
       {"instructions", instructions},
       {"ns_per_position_sets", sets},
       {"ns_per_position", each},
       {"ns_per_successor", successor}},
      absl::StrFormat("%.2f ns a position for the sets (%d instructions), %.1f ns a position, %.2f ns a successor",
                      sets, instructions, each, successor)};
}

void mix_statistics(const Statistics& s, Signature& signature) {
  for (const std::uint64_t n :
       {s.reachable, s.canonical, s.ended, s.first, s.second, s.tie, s.cycle, s.forced_cycle, s.moves})
    signature.mix(n);
  for (const auto& [margin, n] : s.margins) {
    signature.mix(static_cast<std::uint64_t>(margin.margin.units));
    signature.mix(n);
  }
}

void mix_ending(const EndingStatistics& statistics, Signature& signature) {
  for (const Player player : {Player::first, Player::second}) {
    const EndingCounts counts = statistics.to_move(player).all;
    for (const std::uint64_t n : {counts.legal, counts.first, counts.second, counts.tie, counts.cycle})
      signature.mix(n);
    for (const auto& by_winner : counts.remoteness) {
      for (const auto& [plies, n] : by_winner) signature.mix(n * 1000 + plies);
    }
  }
}

// All that was found out.
void mix_summary(const Summary& game, Signature& signature) {
  if (game.statistics) mix_statistics(*game.statistics, signature);
  for (const BitTier& tier : game.tiers) {
    for (const std::uint64_t n : {tier.positions, tier.first, tier.second, tier.level}) signature.mix(n);
  }
  if (game.ending) mix_ending(game.ending->statistics, signature);
  if (game.proven) signature.mix(static_cast<std::uint64_t>(game.proven->least.units));
  if (game.line) signature.mix(game.line->moves.size());
  if (game.start_value && game.start_value->plies) signature.mix(game.start_value->plies->count);
}

// A game solved by one method, from nothing.
absl::StatusOr<Measured> bench_solve(const Variant& variant, const Method& method, const Wanted& wanted,
                                     const RunArguments& arguments, Signature& signature) {
  Run run(arguments);
  const Game game(variant, variant.rules().start());
  ASSIGN_OR_RETURN(const Request request, run.request(wanted));
  ASSIGN_OR_RETURN(const std::shared_ptr<const Result> result, run.solve(method, game, request));
  const Summary& summary = result->summary();
  const Json full = solve_json(summary, run.cost());
  mix_summary(summary, signature);
  Measured out;
  Json& n = out.numbers;
  n = full["cost"];
  const double cpu = std::max(n["cpu_seconds"].get<double>(), 1e-9);
  out.words = absl::StrFormat("%.2f s wall, %.2f s CPU, %s", n["seconds"].get<double>(), cpu,
                              memory_text(n["peak_bytes"].get<std::uint64_t>()));
  const auto rate = [&](std::uint64_t count, const char* key, const char* things) {
    n[key] = cpu * 1e9 / static_cast<double>(std::max<std::uint64_t>(count, 1));
    absl::StrAppendFormat(&out.words, ", %.2f M %s, %.1f ns of CPU each", static_cast<double>(count) / 1e6, things,
                          n[key].get<double>());
  };
  if (summary.stored > 0) rate(summary.stored, "ns_per_stored", "positions up to symmetry");
  if (summary.work) rate(summary.work->nodes, "ns_per_node", "nodes");
  if (summary.ending) rate(summary.ending->edges, "ns_per_move", "moves");
  return out;
}

// By rows on a dense index: values, then what can be forced and remoteness, then what can be reached and all counts.
absl::StatusOr<Measured> bench_dense(const Variant& variant, const RunArguments& arguments, Signature& signature) {
  const Run run(arguments);  // so many threads
  ASSIGN_OR_RETURN(const RowGame game, RowGame::make(variant));
  DenseValues values;
  const auto cpu = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  double begin = cpu();
  ASSIGN_OR_RETURN(const RowCosts costs, solve_rows(game, {false, false}, nullptr, values, {}));
  const double solving = cpu() - begin;
  begin = cpu();
  BoardBytes reached;
  ASSIGN_OR_RETURN(const RowCounts counts, count_rows(game, variant.rules().start(), values, nullptr, reached, {}));
  const double counting = cpu() - begin;
  for (const std::uint64_t n : {counts.reachable.reachable, counts.reachable.canonical, counts.reachable.first,
                                counts.reachable.tie, counts.reachable.cycle, counts.all.tie, counts.all.moves})
    signature.mix(n);
  const auto boards = static_cast<double>(game.index().boards() * game.states());
  const double evaluations = static_cast<double>(costs.evaluated) / boards;
  const double ns_per_board = solving * 1e9 / boards;
  const double ns_per_successor = solving * 1e9 / static_cast<double>(costs.mapped);
  return Measured{
      {{"boards", boards},
       {"cpu_seconds_solve", solving},
       {"cpu_seconds_count", counting},
       {"evaluations_per_board", evaluations},
       {"ns_per_board", ns_per_board},
       {"ns_per_mapped_successor", ns_per_successor}},
      absl::StrFormat(
          "CPU: values %.2f s, counts %.2f s; %.0f ns a board, %.1f evaluations of it, %.2f ns a successor mapped",
          solving, counting, ns_per_board, evaluations, ns_per_successor)};
}

// For work on games that are solved already: nanoseconds by the clock for each of so many positions.
Measured timed(double seconds, std::uint64_t positions) {
  const double each = seconds * 1e9 / static_cast<double>(std::max<std::uint64_t>(positions, 1));
  return {{{"seconds", seconds}, {"positions", positions}, {"ns_per_position", each}},
          absl::StrFormat("%.3f s wall, %.1f ns a position (%u positions)", seconds, each, positions)};
}

absl::StatusOr<Measured> bench_cycles(const Variant& variant, const Method& method, const RunArguments& arguments,
                                      Signature& signature) {
  Run run(arguments);
  ASSIGN_OR_RETURN(const Request request, run.request({.extras = {.random_play = false}}));
  ASSIGN_OR_RETURN(const auto game, run.solve(method, Game(variant, variant.rules().start()), request));
  const Summary& summary = game->summary();
  const auto start = std::chrono::steady_clock::now();
  ASSIGN_OR_RETURN(const CycleStudy study, study_cycles(*game));
  const double seconds = seconds_since(start);
  for (const std::uint64_t n : {study.traps.count, study.traps.positions}) signature.mix(n);
  for (const auto& [size, count] : summary.components->sizes) signature.mix(size * 31 + count);
  return timed(seconds, summary.statistics->reachable);
}

absl::StatusOr<Measured> bench_compare(const Variant& variant, const Variant& other, const Method& method,
                                       const RunArguments& arguments, Signature& signature) {
  Run run(arguments);
  ASSIGN_OR_RETURN(const Request request, run.request({.extras = kValuesOnly}));
  ASSIGN_OR_RETURN(const auto a, run.solve(method, Game(variant, variant.rules().start()), request));
  ASSIGN_OR_RETURN(const auto b, run.solve(method, Game(other, other.rules().start()), request));
  ASSIGN_OR_RETURN(const ComparedGames games, ComparedGames::make(*a, *b));
  const auto start = std::chrono::steady_clock::now();
  ASSIGN_OR_RETURN(const ComparedCounts counted, games.count());
  const Comparison counts = counted.both();
  const double seconds = seconds_since(start);
  for (const std::uint64_t n : {counts.common, counts.changed, counts.same_outcome, counts.plies}) signature.mix(n);
  return timed(seconds, counts.common);
}

// One workload of the list.
absl::StatusOr<Measured> bench_one(const Json& item, const RunArguments& run, Signature& signature) {
  GameArguments game{item.value("variant", ""), item.value("board", ""), item.value("set", std::vector<std::string>())};
  ASSIGN_OR_RETURN(Description described, load_game(game));
  const bool outcome = item.value("only", "") == "outcome";
  if (outcome) RETURN_IF_ERROR(described.count_outcome_alone());
  ASSIGN_OR_RETURN(const Variant variant, Variant::make(described));
  const std::string what = item.value("what", "solve");
  if (what == "expand") return bench_expand(variant, signature);
  if (what == "dense") return bench_dense(variant, run, signature);
  const std::string by = item.value("method", "graph");
  const Method* method = find_method(by);
  if (method == nullptr) return absl::InvalidArgumentError(absl::StrCat("there is no method '", by, "'"));
  if (what == "cycles") return bench_cycles(variant, *method, run, signature);
  const Wanted wanted = {.remoteness = !item.value("values_alone", false),
                         .only_outcome = outcome,
                         .all_margins = item.value("margins", false)};
  if (what == "solve") return bench_solve(variant, *method, wanted, run, signature);
  if (what != "compare")
    return absl::InvalidArgumentError(absl::StrCat("there is no workload of the kind '", what, "'"));
  game.settings = item.value("other", std::vector<std::string>());
  ASSIGN_OR_RETURN(const Variant other, make_game(game));
  return bench_compare(variant, other, *method, run, signature);
}

}  // namespace

absl::StatusOr<int> bench_command(const BenchArguments& arguments) {
  if (arguments.choice) return bench_choice(arguments);
  ASSIGN_OR_RETURN(const Json list, read_bench_list(arguments.file, "workloads"));
  Signature signature;
  Json out = headed_json();
  out["processor"] = kernel_name();
  out["workloads"] = Json::array();
  std::vector<std::string> names;
  for (const Json& item : list) names.push_back(item.value("name", ""));
  RETURN_IF_ERROR(check_names(arguments.workloads, names));
  if (!arguments.run.json)
    std::cout << absl::StrFormat("%-28s %s\n", "workload", absl::StrCat("(", kernel_name(), ")"));
  for (const Json& item : list) {
    const std::string name = item.value("name", "");
    const bool left_out = arguments.workloads.empty() && !arguments.long_ones && item.value("long", false);
    if (left_out || !is_wanted(arguments.workloads, name)) continue;
    ASSIGN_OR_RETURN(const Measured result, bench_one(item, arguments.run, signature));
    if (!arguments.run.json) std::cout << absl::StrFormat("%-28s %s\n", name, result.words);
    out["workloads"].push_back({{"name", name}});
    out["workloads"].back().update(result.numbers);
  }
  out["signature"] = absl::StrFormat("%016x", signature.value());
  std::cout << (arguments.run.json ? json_page(out)
                                   : absl::StrFormat("signature %s\n", out["signature"].get<std::string>()));
  return kDone;
}

}  // namespace plenum
