// SPDX-License-Identifier: Apache-2.0
// A trap as a graph in a file, for Graphviz or for programs that study graphs.
//
// Vertices are the positions that are listed; edges the moves that keep the value. A vertex carries the position, who is
// to move, and how many of its moves lose; an edge carries the move.
#pragma once

#include <string>

#include "solver/study/traps.h"

namespace plenum {

enum class GraphFormat { dot, graphml };

// Errors: kResourceExhausted if the file cannot be written.
absl::Status write_graph(const Variant& variant, const Trap& trap, GraphFormat format, const std::string& file);

}  // namespace plenum
