// SPDX-License-Identifier: Apache-2.0
// A solved game: every position that can arise from a start with its value, and all that is counted over them.
//
//     absl::StatusOr<SolvedGame> game = solve_game(variant, variant.rules().start(), {});
//     game->value(position)->outcome
//
// All counts are of unreduced reachable positions; an ended position counts once for each player to move and flag. What is said
// to be first's or second's is meant as the players are, not as positions are stored.
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

#include "solver/components.h"
#include "solver/enumerate.h"
#include "solver/lifts.h"
#include "solver/random_play.h"
#include "solver/solution.h"
#include "variants/variant.h"

namespace plenum {

enum class Outcome { first, second, tie, cycle };

struct PositionValue {
  Outcome outcome = Outcome::tie;
  FirstValue margin;
  std::optional<Ply> plies;  // to the end where the margin is not 0; 0 at an ended position
  bool ended = false;
  bool forced_cycle = false;
  bool endless_first = false;  // first can make play go on for ever, at any price
  bool endless_second = false;
};

// A legal move and the value of the position after it.
struct ValuedMove {
  Successor successor;
  PositionValue after;
  bool keeps = false;  // the margin stays what it was
};

struct Opening {
  Move move;
  std::string text;
  PositionValue after;
  bool in_pie = false;
};

struct Pie {
  Margin margin;                      // first's: never above 0
  std::vector<std::string> openings;  // the fairest
};

struct Statistics {
  std::uint64_t reachable = 0;
  std::uint64_t canonical = 0;
  std::uint64_t ended = 0;
  // Not ended.
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::uint64_t tie = 0;
  std::uint64_t cycle = 0;
  std::uint64_t forced_cycle = 0;  // part of cycle
  std::map<FirstValue, std::uint64_t> margins;
  // Ended, by result.
  std::uint64_t ended_first = 0;
  std::uint64_t ended_tie = 0;
  std::uint64_t ended_second = 0;
  // Moves of positions that have not ended.
  std::uint64_t moves = 0;
  std::uint64_t most_moves = 0;

  std::uint64_t going_on() const { return first + second + tie + cycle; }
};

enum class Stage { enumerate, solve, components, random_play };
struct AnalysisProgress {
  Stage stage = Stage::enumerate;
  std::uint64_t done = 0;   // positions
  std::uint64_t total = 0;  // 0: unknown
};
// Returns false to stop: solve_game then returns kCancelled.
using AnalysisProgressFn = std::function<bool(const AnalysisProgress&)>;

// What is found out besides the values, what they can force, and all counts.
struct Extras {
  bool components = true;
  bool random_play = true;
};
inline constexpr Extras kValuesOnly = {false, false};

struct SolveOptions {
  EnumerationLimits limits;
  Extras extras;
  AnalysisProgressFn progress;
};

class SolvedGame {
 public:
  const Variant& variant() const { return *variant_; }
  const Position& start() const { return start_; }
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

  const PositionValue& start_value() const { return start_value_; }
  const std::vector<Opening>& openings() const { return openings_; }  // in board order
  const std::optional<Pie>& pie() const { return pie_; }
  const Statistics& statistics() const { return statistics_; }
  const std::optional<Components>& components() const { return components_; }
  const std::optional<RandomPlay>& random_play() const { return random_play_; }

 private:
  friend absl::StatusOr<SolvedGame> solve_game(const Variant& variant, const Position& start,
                                               const SolveOptions& options);
  void count();
  absl::Status find_openings();

  std::shared_ptr<const Variant> variant_;
  Position start_;
  std::shared_ptr<const PositionStore> store_;
  std::shared_ptr<const PositionGraph> graph_;
  std::shared_ptr<const Solution> solution_;
  std::shared_ptr<const Lifts> lifts_;
  PositionValue start_value_;
  std::vector<Opening> openings_;
  std::optional<Pie> pie_;
  Statistics statistics_;
  std::optional<Components> components_;
  std::optional<RandomPlay> random_play_;
};

absl::StatusOr<SolvedGame> solve_game(const Variant& variant, const Position& start, const SolveOptions& options);

}  // namespace plenum
