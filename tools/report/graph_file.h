// SPDX-License-Identifier: Apache-2.0
// Positions and moves as a graph in a file, for Graphviz or for programs that study graphs: a trap, or all positions of a small game.
//
// Written by Boost.Graph, whose vertices and edges carry the same properties in both formats; in DOT each has a label besides.
//
// Thread-safety: belongs to one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/study/traps.h"
#include "tools/report/position_rows.h"

namespace plenum {

enum class GraphFormat { dot, graphml };

// The positions that are listed, and the moves that keep the value. A vertex carries the position, who is to move, and how many of its
// moves lose; an edge carries the move. Errors: kResourceExhausted if the file cannot be written.
absl::Status write_graph(const Variant& variant, const Trap& trap, GraphFormat format, const std::string& file);

// The positions of a solved game and the moves between them.
struct StoredGraph {
  static constexpr std::size_t kMostPositions = 100'000;
  static constexpr std::size_t kMostMoves = 2'000'000;
  struct Move {
    std::size_t from = 0;  // by number of the position
    std::size_t to = 0;
    std::string text;
    bool keeps = false;
  };
  std::vector<Result::Visit> positions;
  std::vector<Move> moves;
  std::uint64_t outside = 0;  // moves that lead to none of them
};
// With Fold::images a move leads to the position that stands for the image. kResourceExhausted if there is more than a graph may
// have; kCancelled once `go_on`, which hears how many positions were looked at, is false; otherwise as Result::each.
absl::StatusOr<StoredGraph> stored_graph(const Result& game, Result::Fold fold,
                                         const std::function<bool(std::uint64_t)>& go_on);
absl::Status write_graph(const Variant& variant, const StoredGraph& graph, GraphFormat format, const std::string& file);

}  // namespace plenum
