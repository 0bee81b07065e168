// SPDX-License-Identifier: Apache-2.0
// What cells of a set can hold, by structure alone: `empty & near(mine) > 0` holds nothing, `theirs | empty` the opponent's
// stones or nothing. Tiers, whether two moves can coincide, and how far a goal is, are derived from it.
#pragma once

#include <cstdint>
#include <optional>

#include "variants/graph/rule_set.h"

namespace plenum {

// Bit p: a stone of plane p; the bit after the last plane: nothing.
using CellContents = std::uint32_t;

inline CellContents nothing_bit(const RuleSet& rules) { return CellContents{1} << rules.layout.count(); }
inline CellContents all_contents(const RuleSet& rules) { return (nothing_bit(rules) << 1) - 1; }

// What the cells of a set hold: every cell with any of `least` is in it, every cell in it has any of `most`.
struct Held {
  CellContents least = 0;
  CellContents most = 0;
};

// Of the set `id` on the board as it stands, whoever is to move or where `mover` is.
Held held(const RuleSet& rules, NodeId id, std::optional<Player> mover = std::nullopt);

// All that cells of the set `id` may hold on the board as it stands; never too little.
inline CellContents contents(const RuleSet& rules, NodeId id) { return held(rules, id).most; }

}  // namespace plenum
