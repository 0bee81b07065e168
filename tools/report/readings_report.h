// SPDX-License-Identifier: Apache-2.0
// What each other reading of a game's rules changes, and how it is shown: as JSON and as a page.
//
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/study/comparison.h"
#include "tools/console/exit_codes.h"
#include "tools/report/json_report.h"

namespace plenum {

// An option with another value than in the game itself, and what that changes.
struct Reading {
  std::string option;
  std::string value;
  std::string error = {};  // where it cannot be solved
  ExitCode code = kDone;
  std::string start_words = {};
  bool start_changed = false;
  bool winner_changed = false;  // who wins, or that nobody does
  std::size_t openings_changed = 0;
  std::size_t openings = 0;  // first moves of both
  bool pie_changed = false;
  Comparison counts = {};
  std::uint64_t reachable = 0;

  std::string name() const { return option + "=" + value; }
  bool any_changed() const { return counts.changed > 0 || start_changed || openings_changed > 0; }
  // The first of these that changes.
  std::string verdict() const;
};

Json readings_json(const Summary& base, const std::vector<Reading>& readings);
std::string readings_page(const Summary& base, const std::vector<Reading>& readings);

}  // namespace plenum
