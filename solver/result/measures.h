// SPDX-License-Identifier: Apache-2.0
// What a solved game is like to play: exact versions of what others estimate from sampled games.
//
// A value is a margin at best play of both; ties and cycles are both worth 0. A move keeps the value if the position after it is worth as
// much as the one before. A player who errs with probability e makes any move at random with probability e, all moves equally likely, and
// otherwise a move that keeps the value.
//
// Sources of the notions: Browne, Automatic Generation and Evaluation of Recombination Games (2008), who samples drama, decisiveness, lead
// changes and duration; Thompson, Defining the Abstract (2000), for depth, clarity, drama and decisiveness. data/guide/measures.md gives the
// formulas.
//
// Thread-safety: plain data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace plenum {

class Ranks;

// Unreduced positions that have not ended, reachable ones (of an ending: legal ones), by what their moves do.
struct MoveCounts {
  std::uint64_t positions = 0;
  std::uint64_t decided = 0;   // worth more or less than 0
  std::uint64_t single = 0;    // with one legal move
  std::uint64_t critical = 0;  // with more, of which one alone keeps the value
  std::uint64_t quiet = 0;     // with more, all of which keep it
  std::uint64_t moves = 0;     // legal ones, of all these positions
  std::uint64_t keeping = 0;   // and those that keep the value

  // Of so many positions alike.
  static MoveCounts of(std::uint64_t positions, bool decided, std::uint64_t moves, std::uint64_t keeping) {
    const auto where = [&](bool holds) { return holds ? positions : 0; };
    return {positions,
            where(decided),
            where(moves == 1),
            where(moves > 1 && keeping == 1),
            where(moves > 1 && keeping == moves),
            moves * positions,
            keeping * positions};
  }
  MoveCounts& operator+=(const MoveCounts& more) {
    positions += more.positions;
    decided += more.decided;
    single += more.single;
    critical += more.critical;
    quiet += more.quiet;
    moves += more.moves;
    keeping += more.keeping;
    return *this;
  }
};

// How games from the start go on average: chances add up to 1, the rest are expected numbers.
struct PlayResult {
  double first = 0;
  double tie = 0;
  double second = 0;
  double endless = 0;
  std::optional<double> plies;  // to the end; nothing where play may never end
};
struct PlayMeasures {
  PlayResult result;
  double decisive_ply = 0;  // plies made until the value changes for the last time
  double changes = 0;       // of the value
  double amount = 0;        // of all changes together, in margins
  double lead_changes =
      0;  // from a position that one player wins to one that the other wins, with only level ones in between
};

// Which of the moves that keep the value a player makes who does not err.
enum class KeepingMove {
  quickest,
  any
};  // as best play does (wins soonest, loses latest), or each with the same chance

// results[i][j]: first errs with probability errors[i], second with errors[j].
struct ErrorGrid {
  std::vector<double> errors;
  std::vector<std::vector<PlayResult>> quickest;
  std::vector<std::vector<PlayResult>> any;
};

// What takes the graph of positions: all that is about games from the start.
struct StartMeasures {
  // The chance with which both players err in `erring`.
  static constexpr double kUsualError = 0.1;

  std::map<std::uint32_t, MoveCounts> by_plies;  // from the start, by the shortest way
  PlayMeasures random;                           // both make any move at random
  PlayMeasures erring;  // both err with kUsualError, and otherwise make any move that keeps the value
  ErrorGrid grid;
  double skill = 0;  // 2 s - 1; s: what the quickest play scores against random moves, as first and second on average
  std::optional<std::string> lines;  // from the start to an end, as a decimal number; nothing where play can go round
};

struct Measures {
  MoveCounts all;
  std::map<int, MoveCounts> by_stones;  // on the board
  std::optional<StartMeasures> from_start = {};
};
// By position alone, from what each rank counted by the stones on the board. Collective.
Measures measures_of_ranks(const std::map<int, MoveCounts>& own, Ranks& ranks);

}  // namespace plenum
