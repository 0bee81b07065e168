// SPDX-License-Identifier: Apache-2.0
// A trap as a graph: its positions in a circle, by their numbers, and the moves that keep.
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "solver/study/cycles.h"

namespace plenum {

// Positions of a trap that is drawn.
inline constexpr std::size_t kMostNodes = 60;

// In SVG, each position in a group with its place in the list, from 0, as data-node; empty if they are more than kMostNodes.
std::string trap_graph(const Trap& trap);

}  // namespace plenum
