// SPDX-License-Identifier: Apache-2.0
// A proof that play cannot go round for ever, for games whose moves no simple measure orders: weighted sums over the stones by kind, by
// row and column or by cell, over numbers of the state and over whether players are noted in it, with weights found by a linear program.
//
// What is proven, and why it is enough. A turn's change of the position is a sum of the small changes in turn_changes.h. A measure is a
// weighted sum that none of the changes still possible lowers. Round a circle of positions every sum comes back to what it was; so no
// change that raises a measure happens on a circle, and is set aside. A turn needs one change of each list that it surely makes: where
// one of its lists is set aside as a whole, the turn is not on a circle. This goes on until only passes are left, which the number of
// passes in a row must end (tiers.cpp sees to that), or until no measure raises anything: then there is no proof.
//
// Every measure is checked in whole numbers against every change before it is used. The changes are those of stones by their owner, not
// by who is to move, so it does not matter whose turn it is; a forced pass changes nothing and is a pass. Where positions are stored up to
// symmetries, the exchange of the players among them, a circle of stored positions, gone round as often as the symmetry that closes it
// asks for, is a circle of positions; so a proof for these is one for those. To rank stored positions a measure must be the
// same for all images of a position: the measures of all images are added up, which no change lowers either.
// Thread-safety: functions of their arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "variants/graph/move_deltas.h"
#include "variants/graph/position.h"
#include "variants/rules/symmetry.h"
#include "variants/rules/tiers.h"

namespace plenum {

// `measures` as they are chosen so far, which none of these moves lowers, and after them more that set aside all of these moves but
// passes; nullopt if there is no such proof. A measure given may turn out to be raised by more moves than it says.
std::optional<std::vector<Measure>> prove_acyclic(const RuleSet& rules, const SymmetryGroup& symmetries,
                                                  std::vector<std::size_t> moves, std::vector<Measure> measures);

// What a measure comes to in positions, without what has no weight. Thread-safety: immutable.
class MeasureReader {
 public:
  MeasureReader(const GameShape& shape, const Measure& measure);
  std::int64_t operator()(const Position& p) const;

 private:
  struct OfKind {
    PlaneChoice plane;
    std::int64_t weight = 0;
    std::vector<int> by_cell;  // empty: none
  };
  struct OfSlot {
    std::size_t slot = 0;
    std::int64_t weight = 0;
    std::int64_t noted = 0;  // of any value but nobody
  };
  std::int64_t constant_ = 0;
  std::vector<OfKind> kinds_;
  std::vector<OfSlot> slots_;
};

}  // namespace plenum
