// SPDX-License-Identifier: Apache-2.0
// Which sets of cells can be occupied: found by making the moves of some positions of each set, from the start's on.
//
// What is found is a guess from below, the same for any number of threads; who uses it has to notice a successor on another set.
// Thread-safety: uses all cores. Cost: `samples` positions expanded a set, more where sets are few.
#pragma once

#include <span>
#include <vector>

#include "tables/index/dense_index.h"

namespace plenum {

// The least of each class, by stones, then in rising order. `known` sets are taken to be reachable too. Requires that no move lessens the
// number of stones.
std::vector<CellSet> find_sets(const Variant& variant, const Folding& folding, const Position& start,
                               std::span<const CellSet> known, std::size_t samples);

}  // namespace plenum
