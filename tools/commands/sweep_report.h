// SPDX-License-Identifier: Apache-2.0
// A sweep's rows as a table for people, as CSV, as JSON lines, as maps.
//
// Everything is read off a row's JSON (json_report.h), so that a result from the cache prints as a fresh one does.
#pragma once

#include <string>
#include <vector>

#include "tools/commands/sweep.h"
#include "tools/html/heat_report.h"

namespace plenum {

std::string sweep_table(const SweepGames& games, const std::vector<SweepRow>& rows);

std::string csv_heading(const SweepGames& games);
// Of game i.
std::string csv_line(const SweepGames& games, std::size_t i, const SweepRow& row);

// A row as one object: that of solve, or the options with "error" and "exit_code".
Json sweep_json(const SweepGames& games, std::size_t i, const SweepRow& row);

// For maps over the options (heat_report.h).
SweptGames swept_games(const SweepGames& games, const std::vector<SweepRow>& rows, const std::string& command);

}  // namespace plenum
