// SPDX-License-Identifier: Apache-2.0
// A made-up game in which players are left without a move.
#pragma once

namespace plenum::variants_testing {

// Who has more stones may pass, and may leave the other without a move.
inline constexpr const char* kStuckAfterPass = R"toml(
name = "Stuck"
[options]
board = { default = "path:5" }
[moves.place]
to = "empty & near(theirs) < 2"
[moves.slide]
from = "mine"
step = "adjacent"
to   = "empty"
[moves.pass]
when = "count(mine) > count(theirs)"
[end]
when  = "passes == 2"
score = "count(mine)"
stuck = "loses"
)toml";

}  // namespace plenum::variants_testing
