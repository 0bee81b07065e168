// SPDX-License-Identifier: Apache-2.0
// What moves lead to, by some boards of an index: how many successors there are, and on which sets of cells they stand.
//
// Thread-safety: pure; the same on any machine and for any rank. Cost: up to 50,000 positions expanded, some 30 ms.
#pragma once

#include "solver/one_pass/one_pass_window.h"

namespace plenum {

// How many successors a position has. Moves that go wrong count as none: they may only where nothing is reachable.
double sample_successors(const Variant& variant, const DenseIndex& index);
// What boards read of others. A guess from below: other boards may read more.
BlocksAhead sample_ahead(const Variant& variant, const DenseIndex& index);

}  // namespace plenum
