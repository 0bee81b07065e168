// SPDX-License-Identifier: Apache-2.0
// The result of a solve as a page that a designer understands without the manual.
#pragma once

#include <optional>
#include <string>

#include "solver/result/summary.h"
#include "tools/report/json_report.h"
#include "tools/report/page_counts.h"

namespace plenum {

// Without `cost` the same whatever the run. What a look at all positions found stands there where there was one.
std::string page(const Summary& game, const std::optional<Cost>& cost, const pages::Studies& studies = {});
// A page that was written of the same game under another description, in the words of this one: its name and its readings.
std::string reworded_page(std::string page, const std::string& name, const Variant& variant);

// Two pages beside each other, columns aligned, for --against.
std::string side_by_side(const std::string& left, const std::string& right);

}  // namespace plenum
