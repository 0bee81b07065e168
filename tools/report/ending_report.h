// SPDX-License-Identifier: Apache-2.0
// The result of an ending as a page and as JSON; without cost the same whatever the run.
#pragma once

#include <optional>
#include <string>

#include "solver/endings/ending.h"
#include "tools/report/json_report.h"

namespace plenum {

std::string ending_page(const EndingTables& tables, const EndingStatistics& statistics,
                        const std::optional<Cost>& cost);
Json ending_json(const EndingTables& tables, const EndingStatistics& statistics, const std::optional<Cost>& cost);

}  // namespace plenum
