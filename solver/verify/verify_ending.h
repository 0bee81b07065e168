// SPDX-License-Identifier: Apache-2.0
// A table of one material of an ending against the rules, without trust in the solver that made it.
//
// - Numbers: a place has a value exactly if its position is legal and no other place stands for it.
// - Local: value and remoteness of a position follow from those of its successors. A win or loss is proven so, since the plies fall
//   along the moves that keep it; and what is not won or lost then is level, since neither can leave that for the better.
// - Proven: who can force an end, at no loss or at any price, and what can be brought about together, is derived once more from
//   nothing, by sweeps until nothing changes, and has to be what the table says: round a cycle, claims that only agree with one another
//   would not be noticed.
// Positions of other materials, after captures and promotions, are taken as their tables say: those are for verifying by themselves.
//
// Moves are made by Rules::expand, not by what the solver makes them with. Thread-safety: uses all cores; the result does not depend on
// their number, `expanded` aside. Memory: a byte a position. Cost: 20 s of processor time for KQvKR on 8x8, which takes 0.8 s to solve.
#pragma once

#include <string>
#include <vector>

#include "solver/endings/ending.h"
#include "solver/verify/verify.h"

namespace plenum {

// Of the material that the tables were asked for. Progress: kCancelled if it says so.
absl::StatusOr<Verification> verify_ending(const EndingTables& tables, const VerifyProgressFn& progress);

}  // namespace plenum
