// SPDX-License-Identifier: Apache-2.0
// Lines of best play.
//
// Every move keeps the value. Where it is not 0, the player it favours hurries and the other delays, so the line is as long as
// the remoteness. In a tie the player who can force an end does so: they follow the rank of that attractor, which falls with
// every turn, so that the line does end. In a cycle both stay in
// cycles, and the line stops at the first repeated position.
//
// Thread-safety: one thread at a time. The ranks are built when a tie is first met (12 bytes an edge, 20 a position while
// they are built, 8 a position afterwards).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/graph/analysis.h"
#include "solver/result/summary.h"

namespace plenum {

class BestLines {
 public:
  explicit BestLines(const SolvedGame& game) : game_(game) {}  // keeps a reference
  // From a position that has a value in the game.
  absl::StatusOr<BestLine> from(const Position& position);

  // Who brings the end about along a line from here, where it is a tie: the player to move if both can.
  Player forcing(const Position& position);
  // All moves that are equally good, in board order; none if the game has ended. `forcing` is that of the line's beginning.
  absl::StatusOr<std::vector<ValuedMove>> best(const Position& position, Player forcing);

 private:
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};
  void find_ranks();
  std::uint32_t rank(const Position& position, bool mover_forces) const;

  const SolvedGame& game_;
  // Empty until they are asked for.
  std::vector<std::uint32_t> mover_rank_;  // turns until the mover has forced an end worth at least 0 to them
  std::vector<std::uint32_t> other_rank_;
};

}  // namespace plenum
