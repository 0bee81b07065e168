// SPDX-License-Identifier: Apache-2.0
// The result of a solve as a page that a designer understands without the manual.
#pragma once

#include <optional>
#include <string>

#include "solver/result/summary.h"
#include "tools/report/json_report.h"

namespace plenum {

// Without `cost` the same whatever the run. How long wins take stands there where that was found out.
std::string page(const Summary& game, const std::optional<Cost>& cost, const Histograms* lengths = nullptr);
// A page that was written of the same game under another description, in the words of this one: its name and its readings.
std::string reworded_page(std::string page, const std::string& name, const Variant& variant);

// Two pages beside each other, columns aligned, for --against.
std::string side_by_side(const std::string& left, const std::string& right);

}  // namespace plenum
