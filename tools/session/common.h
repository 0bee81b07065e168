// SPDX-License-Identifier: Apache-2.0
// What several commands do: say what failed, and find the position that is asked for.
#pragma once

#include <string>

#include "solver/cluster/ranks.h"
#include "variants/rules/variant.h"

namespace plenum {

// The exit code of a command, or of what kept it from having one, which is said on stderr.
int report(const absl::StatusOr<int>& code);

// The position written, or the start if `text` is empty, after the moves in `moves`.
absl::StatusOr<Position> find_position(const Variant& variant, const std::string& text, const std::string& moves);
// Where a game begins to be solved: the same, and the start of an ending too, which has no position to begin with.
absl::StatusOr<Position> begin_of(const Variant& variant, const std::string& text, const std::string& moves);
// Collective: all ranks have read the same game, with the same options; otherwise all fail.
absl::Status agree_on_game(Ranks& ranks, const absl::StatusOr<Description>& game);
absl::StatusOr<Position> play(const Variant& variant, Position position, const Span& moves);

}  // namespace plenum
