// SPDX-License-Identifier: Apache-2.0
// The result of a game solved by bits, as a page and as JSON; without cost the same whatever the run.
#pragma once

#include <optional>
#include <string>

#include "solver/bits/bit_pass.h"
#include "tools/report/json_report.h"

namespace plenum {

std::string bits_page(const BitGame& game, const std::optional<Cost>& cost);
Json bits_json(const BitGame& game, const std::optional<Cost>& cost);

}  // namespace plenum
