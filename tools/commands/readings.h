// SPDX-License-Identifier: Apache-2.0
// A game against each of its other readings: what compare --readings and report find out.
#pragma once

#include <vector>

#include "solver/cluster/farm.h"
#include "tools/report/readings_report.h"
#include "tools/session/run.h"

namespace plenum {

// What the base has to be solved with.
inline constexpr Wanted kAllValues = {.scan = true, .extras = kValuesOnly};

// The options that the author left open, or all, with each other value than the description's; nothing is found out yet.
absl::StatusOr<std::vector<Reading>> other_readings(const Description& game, bool all_options);
// Solves each and compares it with the base; what goes wrong with one stands there. kCancelled if interrupted.
absl::Status compare_readings(Run& run, const Result& base, std::vector<Reading>& readings);
// The same by ranks, each of which solves the base too: collective; the root's readings are filled in. `root`: what it asks and hears.
void compare_readings(const RunArguments& arguments, const Description& base, std::vector<Reading>& readings,
                      FarmRoot root);

}  // namespace plenum
