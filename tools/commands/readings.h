// SPDX-License-Identifier: Apache-2.0
// A game against each of its other readings: what compare --readings and report find out.
#pragma once

#include <vector>

#include "tools/report/readings_report.h"
#include "tools/session/run.h"

namespace plenum {

// What the base has to be solved with.
inline constexpr Wanted kAllValues = {.scan = true, .extras = kValuesOnly};

// The options that the author left open, or all, with each other value than the description's; nothing is found out yet.
absl::StatusOr<std::vector<Reading>> other_readings(const Description& game, bool all_options);
// Solves each and compares it with the base; what goes wrong with one stands there. kCancelled if interrupted.
absl::Status compare_readings(Run& run, const Result& base, std::vector<Reading>& readings);

}  // namespace plenum
