// SPDX-License-Identifier: Apache-2.0
// The shortest lines of play from the start of a solved game to positions of some kind.
//
// Breadth first over the graph, each position as the stored one p with the group element g that it is the image of, so that
// the lines are of positions as they are and not up to symmetry. Among lines of equal length one with the fewest moves
// that give value away is taken, then the one found first; so a line does not depend on the number of threads.
//
//     ShortestLines lines(game, ShortestLines::Fold::up_to_symmetry);
//     auto found = lines.find([&](PositionIndex p, GroupElement) { return wanted(p); }, 1);
//
// Thread-safety: keeps a reference to the game; find() may be called from any thread.
// Cost: 12 bytes a position visited and a bit a position of the game; about 20 ns a move followed.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "solver/graph/analysis.h"
#include "solver/result/summary.h"

namespace plenum {

class ShortestLines {
 public:
  // Whether a position may stand for its symmetric images: then the goal may not tell them apart.
  enum class Fold { up_to_symmetry, none };
  // Of the position g p.
  using Goal = std::function<bool(PositionIndex p, GroupElement g)>;

  ShortestLines(const SolvedGame& game, Fold fold) : game_(game), fold_(fold) {}

  // Lines to at most `most` goals, the nearest first. Errors: none but those of making moves.
  absl::StatusOr<std::vector<Line>> find(const Goal& goal, std::size_t most) const;

 private:
  // Of the breadth-first search; `parent` is the place of another one.
  struct Node {
    PositionIndex p;
    std::uint32_t parent;
    GroupElement g;
    std::uint16_t mistakes;
  };
  std::uint64_t key(PositionIndex p, GroupElement g) const;
  absl::StatusOr<Line> trace(const std::vector<Node>& nodes, std::size_t end) const;

  const SolvedGame& game_;
  Fold fold_;
};

}  // namespace plenum
