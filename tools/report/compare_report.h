// SPDX-License-Identifier: Apache-2.0
// What is found out by comparing two games, and how it is shown: as JSON and as a page.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solver/study/comparison.h"
#include "tools/report/compare_parts.h"

namespace plenum {

// Unreduced: reachable ones, of an ending legal ones.
std::uint64_t positions_of(const Summary& game);

// Everything that is shown.
struct ComparisonReport {
  const Result* a = nullptr;
  const Result* b = nullptr;
  std::vector<Difference> rules;
  ComparedCounts by_kind;
  Comparison counts;  // of both movers
  bool same_start = false;
  bool start_changed = false;
  std::vector<ComparedOpening> openings;
  std::optional<Parting> parting;
  std::vector<Change> nearest;
  std::vector<ComparedPosition> examples;  // of an ending, which has no start to be near to

  // Whether a common position changes value, or the start, or what an opening leads to; these need not be common.
  bool any_changed() const;
};

// At most `most` positions that change. Keeps references to the games.
absl::StatusOr<ComparisonReport> compare_games(const Result& a, const Result& b, std::size_t most,
                                               const std::function<bool(std::uint64_t positions)>& go_on = {});

Json comparison_json(const ComparisonReport& findings, const Cost& cost);

// The command that asks for a position of A (first) or B.
using QueryCommandFn = std::function<std::string(bool first, const std::string& position)>;
std::string comparison_page(const ComparisonReport& findings, const QueryCommandFn& query);

}  // namespace plenum
