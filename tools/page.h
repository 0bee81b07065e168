// SPDX-License-Identifier: Apache-2.0
// The result of a solve as a page that a designer understands without the manual.
#pragma once

#include <string>

#include "solver/analysis.h"
#include "tools/json_report.h"

namespace plenum {

std::string page(const SolvedGame& game, const Cost& cost);

// Two pages beside each other, columns aligned, for --against.
std::string side_by_side(const std::string& left, const std::string& right);

}  // namespace plenum
