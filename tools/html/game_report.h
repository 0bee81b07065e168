// SPDX-License-Identifier: Apache-2.0
// A solved game as a page in one file: what it is, what the numbers say, and the command for every number.
//
// Nothing in it depends on the time or on the machine: the same game gives the same bytes.
//
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/study/cycles.h"
#include "solver/study/histograms.h"
#include "tools/html/heat_report.h"
#include "tools/report/readings_report.h"

namespace plenum {

// What was found out, or why not, as a sentence.
template <typename T>
struct Found {
  std::optional<T> value = {};
  std::string why_not = {};
};

// A line of best play from some position on.
struct ReportedLine {
  std::string title;
  Position begin;
  BestLine line;
  std::string query;  // what comes behind the game to ask for it
};

struct GameReport {
  const Result* game = nullptr;
  std::string program;        // as the user calls it
  std::string arguments;      // the game, as typed
  std::string run;            // " --memory 2G", or whatever else the numbers depend on
  std::string solve_options;  // " --openings"
  std::string reason;         // for the method
  std::optional<Measures> measures = {};
  Found<Histograms> spread = {};
  Found<CycleStudy> cycles = {};
  Found<std::vector<Reading>> readings = {};  // none: its author left none open
  Found<SweptGames> sweep = {};
  std::vector<ReportedLine> lines = {};
  std::string no_lines = {};  // why there are none

  const Summary& summary() const { return game->summary(); }
  const Variant& variant() const { return game->variant(); }
  // "plenum solve GAME --json".
  std::string command(const std::string& verb, const std::string& more = "") const;
};

std::string report_html(const GameReport& report);

}  // namespace plenum
