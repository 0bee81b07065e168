// SPDX-License-Identifier: Apache-2.0
// One solve or search as the command line asks for it: threads, memory, progress, and what it cost.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "solver/bits/bit_pass.h"
#include "solver/dense/dense_game.h"
#include "solver/endings/ending.h"
#include "solver/graph/analysis.h"
#include "solver/method/method.h"
#include "solver/search/searched_game.h"
#include "solver/study/reach.h"
#include "solver/verify/verify.h"
#include "solver/verify/verify_ending.h"
#include "tools/console/game_arguments.h"
#include "tools/console/progress.h"
#include "tools/report/json_report.h"

namespace plenum {

// Solves within so much memory for the process as a whole, of which other games hold `held` bytes; refuses before it begins where that is known not to be enough.
absl::StatusOr<SolvedGame> solve_within(const Variant& variant, const Position& start, Extras extras,
                                        const EnumerationLimits& limits, const AnalysisProgressFn& progress);

// How many threads are asked for, and how many of them can be had (solver/support/threads.h).
int wanted_threads(const RunArguments& arguments);
int usable_threads(const RunArguments& arguments);

// Thread-safety: one at a time. The threads of the last one made are those that oneTBB may take from then on.
class Run {
 public:
  explicit Run(const RunArguments& arguments);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  absl::StatusOr<SolvedGame> solve(const Description& description, Extras extras = {});
  // Within the memory that is asked for; `held` bytes of it are another game's.
  absl::StatusOr<SolvedGame> solve(const Variant& variant, const Position& start, Extras extras, std::uint64_t held = 0,
                                   std::uint64_t most_positions = ~std::uint64_t{0});
  // The method for a game within the memory that is asked for.
  absl::StatusOr<Choice> choose(const Game& game, const Wanted& wanted) const;
  // All boards, in memory; with a checkpoint, finished tiers are kept there.
  absl::StatusOr<std::shared_ptr<const DenseGame>> solve_dense(const Variant& variant, DenseMethod method,
                                                               bool remoteness, const Checkpoint* checkpoint);
  // All boards, a bit or two each and two tiers at a time.
  absl::StatusOr<std::shared_ptr<const BitGame>> solve_bits(const Variant& variant, const Checkpoint* checkpoint);
  // All positions of the material that the variant names.
  absl::StatusOr<std::shared_ptr<const EndingTables>> solve_ending(const Variant& variant, EndingOptions options);
  // Reads all of a table: kDataLoss if it is damaged anywhere. And holds it against the rules.
  absl::Status check(const TableReader& table);
  absl::StatusOr<Verification> verify(const Variant& variant, const TableReader& table);
  absl::StatusOr<EndingVerification> verify(const EndingTables& tables);
  // To the goal that the variant was made with.
  absl::StatusOr<Reach> reach(const Variant& variant, const Position& start, std::optional<int> depth);
  // The value by search: of the start, of all openings if asked, a line of best play.
  absl::StatusOr<SearchedGame> search(const Variant& variant, const Position& start, bool openings);
  void note(const std::string& text) { progress_.note(text); }
  Cost cost() const;

 private:
  bool show(const DenseProgress& p);
  bool show(const VerifyProgress& p);

  RunArguments arguments_;
  int thread_count_ = 1;
  ProgressDisplay progress_;
  std::chrono::steady_clock::time_point start_;
  double cpu_start_ = 0;
};

}  // namespace plenum
