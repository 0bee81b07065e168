// SPDX-License-Identifier: Apache-2.0
// A solved game: every position reachable from a start with its value, and all that is counted over them.
//
//     absl::StatusOr<SolvedGame> game = solve_game(variant, variant.rules().start(), {});
//     game->value(position)->outcome
//
// Thread-safety: a SolvedGame is immutable; value() may be called from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/graph/enumerate.h"
#include "solver/graph/lifts.h"
#include "solver/graph/measure.h"
#include "solver/result/game_result.h"

namespace plenum {

struct AnalysisProgress {
  const char* what = "";
  std::uint64_t done = 0;   // positions
  std::uint64_t total = 0;  // 0: unknown
  const char* stage = "";   // of `what`, whose time is told; the stages of tiers take turns
};
// Returns false to stop: solve_game then returns kCancelled.
using AnalysisProgressFn = std::function<bool(const AnalysisProgress&)>;

// What is found out besides the values, what they can force, and all counts.
struct Extras {
  bool components = true;
  bool random_play = true;
  // Measures (solver/result/measures.h), if the graph has no more moves than that, or than ten times that where play cannot go round; they
  // take the components too.
  std::uint64_t most_measured_edges = 0;
};
inline constexpr Extras kValuesOnly = {false, false, 0};

struct SolveOptions {
  EnumerationLimits limits;
  Extras extras;
  AnalysisProgressFn progress;
};

class SolvedGame : public GameResult {
 public:
  const PositionStore& store() const { return *store_; }
  const PositionGraph& graph() const { return *graph_; }
  const Solution& solution() const { return *solution_; }
  const Lifts& lifts() const { return *lifts_; }

  // The value of any position that is a symmetric image of a reachable one; nullopt for others.
  std::optional<PositionValue> value(const Position& position) const;
  bool reachable(const Position& position) const;
  // The value of a reachable position; nullopt for others.
  std::optional<PositionValue> reachable_value(const Position& position) const;
  // Of a stored position or an image of it with `mover` to move.
  PositionValue value_of(PositionIndex p, Player mover) const;
  // Its moves in board order; none where it has ended. Requires that it has a value here.
  absl::StatusOr<std::vector<ValuedMove>> moves(const Position& position) const;
  // What it holds.
  std::uint64_t bytes() const;

 private:
  friend absl::StatusOr<SolvedGame> solve_game(const Variant& variant, const Position& start,
                                               const SolveOptions& options);
  void count();
  std::shared_ptr<const PositionStore> store_;
  std::shared_ptr<const PositionGraph> graph_;
  std::shared_ptr<const Solution> solution_;
  std::shared_ptr<const Lifts> lifts_;
};

absl::StatusOr<SolvedGame> solve_game(const Variant& variant, const Position& start, const SolveOptions& options);

// The measures of a game whose components are known, if its graph has no more than so many moves, or ten times as many where play cannot
// go round. Nothing of a larger one, where its equations could not be solved, or where `memory_bytes`, of which others hold
// `held_bytes`, are too few; if they are for kMeasureAll, kResourceExhausted. kCancelled if `go_on` says no.
absl::StatusOr<std::optional<Measures>> measure_play(const SolvedGame& game, std::uint64_t most_edges,
                                                     std::uint64_t memory_bytes, std::uint64_t held_bytes,
                                                     const std::function<bool()>& go_on);

}  // namespace plenum
