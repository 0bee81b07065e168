// SPDX-License-Identifier: Apache-2.0
// The pieces of a description, each with what it is and a drawing of how it goes: as a page, as JSON, and for the language's
// reference.
//
//     K  K                                Q  Q
//     royal                               . . . * . . .
//     castles with R                      . * . * . * .
//
// All pieces of [pieces], those that the game in hand has no use for too.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "tools/report/json_report.h"
#include "variants/rules/variant.h"

namespace plenum {

// Blocks of lines beside each other, as many as there is room for in a page's columns; long lines are wrapped, drawings are not
// so wide.
std::string beside(const std::vector<std::vector<std::string>>& blocks);
// A drawing, and what its marks mean below it, a line for each.
std::vector<std::string> drawn_lines(const std::string& drawing);

// kInvalidArgument: not a game of pieces.
absl::StatusOr<std::string> pieces_page(const Variant& variant);
absl::StatusOr<Json> pieces_json(const Variant& variant);

}  // namespace plenum
