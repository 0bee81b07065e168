// SPDX-License-Identifier: Apache-2.0
// What cells of a set can hold, by structure alone: `empty & near(mine) > 0` holds nothing, `theirs | empty` the opponent's
// stones or nothing. Tiers, and whether two moves can coincide, are derived from it.
#pragma once

#include <cstdint>

#include "variants/graph/rule_set.h"

namespace plenum {

// Bit p: a stone of plane p; the bit after the last plane: nothing.
using Contents = std::uint32_t;

inline Contents nothing_bit(const RuleSet& rules) { return Contents{1} << rules.layout.count(); }

// All that cells of the set `id` may hold on the board as it stands; never too little.
Contents contents(const RuleSet& rules, NodeId id);

}  // namespace plenum
