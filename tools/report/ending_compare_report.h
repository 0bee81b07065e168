// SPDX-License-Identifier: Apache-2.0
// Two endings compared, as JSON and as a page.
#pragma once

#include <string>

#include "solver/study/ending_comparison.h"
#include "tools/report/json_report.h"

namespace plenum {

Json ending_comparison_json(const EndingTables& a, const EndingTables& b, const EndingComparison& found,
                            const Cost& cost);
std::string ending_comparison_page(const EndingTables& a, const EndingTables& b, const EndingComparison& found);

}  // namespace plenum
