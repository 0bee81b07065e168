// SPDX-License-Identifier: Apache-2.0
// A game with several kinds, state of every type and moves of every sort: for whatever reads and writes positions and moves.
#pragma once

#include <string>

namespace plenum::variants_testing {

// Its description, on `board`.
inline std::string rich_game(const std::string& board) {
  return "name = \"Rich\"\n[options]\nboard = { default = \"" + board + R"toml(" }
[kinds]
black = { owner = "first", letter = "B" }
white = "second"
red   = "nobody"
tall  = "first"
[state]
holder = { type = "player", written = "passer", start = "first" }
spent  = { type = "number", each = true, range = [-2, 9], start = 3 }
total  = { type = "number", range = [-3, 3], start = 0 }
flag   = { type = "bool", start = "true" }
[moves.place]
to  = "cells & (flag | holder == me | spent + total > -99)"
put = ["black", "white", "red", "tall"]
[moves.go]
from = "mine | red"
to   = "!mine"
then = ["if any(taken & red): total = if total < 3 then total + 1 else total", "if any(taken & theirs): holder = me"]
next = "more"
[moves.lift]
from = "theirs"
then = "flag = !flag"
[moves.pass]
[parts.more]
from     = "theirs & near(placed) > 0"
optional = true
[end]
when  = "passes == 3"
score = "count(mine)"
)toml";
}

}  // namespace plenum::variants_testing
