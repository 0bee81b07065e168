// SPDX-License-Identifier: Apache-2.0
// What is known of a game once it is solved: who wins, after which opening, and all that is counted.
//
// All counts are of unreduced positions; an ended position counts once for each player to move and flag. What is said
// to be first's or second's is meant as the players are, not as positions are stored.
//
// Thread-safety: immutable once made.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/result/solution.h"
#include "variants/rules/variant.h"

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
  // Worth 0: who can force an end at 0 or better for themselves.
  bool first_ends = false;
  bool second_ends = false;
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

// Strongly connected components of the positions that can be reached (components.h).
struct Components {
  std::uint64_t count = 0;                       // components with a cycle
  std::uint64_t largest = 0;                     // positions in the largest
  std::uint64_t positions = 0;                   // positions in all of them
  std::map<std::uint64_t, std::uint64_t> sizes;  // how many there are of each size
  std::vector<std::uint64_t> cycle_bits;

  // Whether stored position p is reachable and lies on a cycle (then all its reachable lifts do).
  bool on_cycle(PositionIndex p) const { return (cycle_bits[p / 64] >> p % 64 & 1) != 0; }
};

// Every move chosen with equal chance (random_play.h).
struct RandomPlay {
  // Probabilities of the results; they add up to 1.
  double first = 0;
  double tie = 0;
  double second = 0;
  double endless = 0;
  // Expected plies to the end; nullopt if endless > 0.
  std::optional<double> plies;
  // None of the probabilities is off by more. Above 1e-10 only where a large tier could not be solved: then what is not
  // known should not be shown.
  double error = 0;
};

class GameResult {
 public:
  // What a solver fills in.
  struct Data {
    std::shared_ptr<const Variant> variant;
    std::string method = "graph";  // that found it
    Position start;
    PositionValue start_value;
    std::vector<Opening> openings;
    std::optional<Pie> pie;
    Statistics statistics;
    std::optional<Statistics> whole_board;
    std::optional<Components> components;
    std::optional<RandomPlay> random_play;
    std::uint64_t stored = 0;
    bool facts_known = true;
  };
  GameResult() = default;
  explicit GameResult(Data data) : data_(std::move(data)) {}

  const Variant& variant() const { return *data_.variant; }
  const std::string& method_name() const { return data_.method; }
  const Position& start() const { return data_.start; }
  const PositionValue& start_value() const { return data_.start_value; }
  const std::vector<Opening>& openings() const { return data_.openings; }  // in board order
  const std::optional<Pie>& pie() const { return data_.pie; }
  // Of the positions that can arise.
  const Statistics& statistics() const { return data_.statistics; }
  // Of every way to fill the board, whoever is to move and whatever is noted; where all of these were solved.
  const std::optional<Statistics>& whole_board() const { return data_.whole_board; }
  const std::optional<Components>& components() const { return data_.components; }
  const std::optional<RandomPlay>& random_play() const { return data_.random_play; }
  std::uint64_t stored() const { return data_.stored; }  // positions
  // Whether forced cycles and who can play for ever were found out.
  bool facts_known() const { return data_.facts_known; }

 protected:
  Data data_;
};

// The value of a position after a move, by whatever has it.
using ValueFn = std::function<PositionValue(const Position&)>;
// The legal first moves with their values, and what they mean for the pie: fills openings and pie.
absl::Status find_openings(const ValueFn& value, GameResult::Data& data);

}  // namespace plenum
