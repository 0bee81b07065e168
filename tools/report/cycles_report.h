// SPDX-License-Identifier: Apache-2.0
// Where play goes round in a game, and a case to check by hand: as a page and as JSON.
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "solver/study/cycles.h"
#include "tools/report/json_report.h"

namespace plenum {

// Whether play can go round and what comes of it, as a clause.
std::string cycle_headline(const Summary& game, const CycleStudy& study);
// Why no trap is shown though there is one (CycleStudy::trap_not_found).
std::string no_trap_found();
Json cycle_study_json(const Summary& game, const CycleStudy& study, const Cost& cost);
std::string cycle_study_page(const Summary& game, const CycleStudy& study);

}  // namespace plenum
