// SPDX-License-Identifier: Apache-2.0
// What is known of a game once it is solved, by whatever method: who wins, after which opening, and all that is counted.
//
// Every method fills in what it finds out and leaves the rest empty. Reports, tables and verification read nothing else.
//
// All counts are of unreduced positions; an ended position counts once for each player to move and flag. What is said
// to be first's or second's is meant as the players are, not as positions are stored.
//
// Thread-safety: immutable once made.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/result/measures.h"
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
  friend bool operator==(const PositionValue&, const PositionValue&) = default;
};

// What is known of a position seen from its mover (solution.h), as a value for people.
PositionValue position_value(MoverValue margin, Ply remoteness, Facts facts, bool ended, Player mover);
// The same where no play goes on for ever; whether it has ended, and the plies, are left to be said.
PositionValue acyclic_value(MoverValue margin, Player mover);

// A legal move and the value of the position after it.
struct ValuedMove {
  Successor successor;
  PositionValue after;
  bool keeps = false;  // the margin stays what it was
};

// A line of play: moves with the positions they lead to. Moves that are written alike may lead to different positions, so
// the positions say which is meant.
struct LineMove {
  std::string text;
  bool gives_away = false;  // the player who makes it could have kept a better value
  Position after;
};

struct Line {
  Position begin;
  std::vector<LineMove> moves;
  const Position& end() const { return moves.empty() ? begin : moves.back().after; }
};

// Of best play from a position on.
struct BestLine {
  std::vector<LineMove> moves;
  bool repeats = false;  // it stopped at a position met before
};

// What is proven of a margin, first's: exact where both are the same.
struct ProvenMargin {
  Margin least;
  Margin greatest;
  bool exact() const { return least == greatest; }
};

struct Opening {
  Move move;
  std::string text;
  PositionValue after;
  bool in_pie = false;
  std::optional<ProvenMargin> bounds = std::nullopt;  // where no more than this is proven; `after` says nothing then
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
  // Enters so many positions worth this; of their moves it says nothing, nor whether a cycle is forced.
  void add(Outcome outcome, FirstValue value, bool over, std::uint64_t positions) {
    if (positions == 0) return;
    reachable += positions;
    if (over) {
      ended += positions;
      (outcome == Outcome::first ? ended_first : outcome == Outcome::second ? ended_second : ended_tie) += positions;
      return;
    }
    std::uint64_t Statistics::*const by_outcome[] = {&Statistics::first, &Statistics::second, &Statistics::tie,
                                                     &Statistics::cycle};
    this->*by_outcome[static_cast<std::size_t>(outcome)] += positions;
    margins[value] += positions;
  }
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
struct RandomPlay : PlayResult {
  // None of the probabilities is off by more. Above 1e-10 only where a large tier could not be solved: then what is not
  // known should not be shown.
  double error = 0;
  bool known() const { return error <= 1e-9; }
};

// All positions with so many stones, of a game solved by bits.
struct BitTier {
  int stones = 0;
  Player mover = Player::first;
  std::uint64_t states = 1;     // that may be noted
  std::uint64_t positions = 0;  // unreduced, of all these states
  std::uint64_t first = 0;      // won by first; ended ones among them
  std::uint64_t second = 0;
  std::uint64_t level = 0;
  std::uint64_t ended = 0;
  // Of a game that may go round for ever. By the units that were asked for, from 1 on: positions that first, and that second, can end with
  // that margin or more; and of the level ones those that somebody can end.
  std::map<std::uint64_t, std::uint64_t> first_at_least;
  std::map<std::uint64_t, std::uint64_t> second_at_least;
  std::optional<std::uint64_t> tie;
};

struct EndingCounts {
  std::uint64_t legal = 0;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::uint64_t tie = 0;
  std::uint64_t cycle = 0;
  std::array<std::map<std::uint32_t, std::uint64_t>, 2> remoteness;  // by winner and plies

  void add(const EndingCounts& other);
};
// Unreduced, and up to the symmetries of the board that the men allow.
struct EndingSide {
  EndingCounts all;
  EndingCounts canonical;
};
// Placements of the men where each player does better if it is the other who has to move.
struct MutualZugzwangs {
  std::uint64_t first = 0;   // first wins if second is to move, and nobody does if first is
  std::uint64_t second = 0;  // likewise
  std::uint64_t both = 0;    // whoever is to move loses

  std::uint64_t sum() const { return first + second + both; }
  void add(const MutualZugzwangs& other) {
    first += other.first;
    second += other.second;
    both += other.both;
  }
};
struct EndingStatistics {
  std::array<std::array<EndingSide, 2>, 2> sides;  // [0: no cell holds two men, 1: some does][player to move]
  struct {
    MutualZugzwangs all;
    MutualZugzwangs canonical;
  } zugzwangs;
  EndingSide to_move(Player player) const;  // both together
  std::optional<std::uint32_t> longest(Player winner) const;
};

// What is known of a material, all of whose positions were solved.
struct EndingSummary {
  // Of it and all materials that it leads to: positions numbered, and those that have a value.
  struct Size {
    std::string material;
    std::uint64_t positions = 0;
    std::uint64_t legal = 0;
  };
  std::string material;
  bool crowds = false;  // whether a cell may hold two men
  EndingStatistics statistics;
  std::vector<Size> sizes;
  std::uint64_t bytes = 0;  // of the values
  std::uint64_t edges = 0;  // moves looked at
  std::size_t found = 0;    // materials solved before
};

// What a search did.
struct SearchWork {
  std::uint64_t nodes = 0;       // positions whose moves were made
  std::uint64_t successors = 0;  // positions that these led to
  std::uint64_t table_bytes = 0;
  double fill = 0;  // of the table
};

struct Summary {
  std::shared_ptr<const Variant> variant;
  std::string method = "graph";  // that found it
  Position start;
  std::optional<PositionValue> start_value;  // nothing of an ending, and where only bounds are proven
  std::vector<Opening> openings;             // in board order
  bool openings_known = true;
  std::optional<Pie> pie;
  std::optional<Statistics> statistics;   // of the reachable positions
  std::optional<Statistics> whole_board;  // of every way to fill the board, whoever is to move and whatever the flags
  std::optional<bool> cyclic;             // whether positions can repeat
  std::optional<Components> components;
  std::optional<RandomPlay> random_play;
  std::optional<Measures> measures;
  std::vector<BitTier> tiers;  // from the start's stones up, of a game solved by bits
  std::optional<EndingSummary> ending;
  std::optional<ProvenMargin> proven;  // of the start, by search
  std::optional<Line> line;            // of best play, to the end
  std::optional<SearchWork> work;
  std::uint64_t stored = 0;      // positions
  bool remoteness_known = true;  // how many plies it takes
  bool facts_known = true;       // forced cycles, and who can play for ever
  bool stopped = false;          // before all that was asked for was found out
};

}  // namespace plenum
