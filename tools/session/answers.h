// SPDX-License-Identifier: Apache-2.0
// What is asked of single positions of one game. It is solved from its start once; a position is solved from there if it cannot be
// reached from the start, if the whole game does not fit the memory, or if it is the only one and the whole takes longer than a moment.
//
//     Answers answers(variant, run, Asked::many);
//     absl::StatusOr<Answer> answer = answers.ask(position);
//
// Thread-safety: belongs to one thread.
#pragma once

#include <memory>

#include "tools/report/answer_report.h"
#include "tools/session/store.h"

namespace plenum {

// A position with its value, its moves and a line, as a result has them. kNotFound if it is none of those that were solved.
absl::StatusOr<Answer> read_answer(const Result& result, const Position& position);
// Whether that means that the position has to be solved by itself. An ending has all there are.
bool lies_elsewhere(const Result& result, const absl::Status& status);
// What a solve has to find out for that.
Wanted wanted_for_answers();

// What a table holds. kFailedPrecondition if it has no values.
absl::StatusOr<SharedResult> values_in(Run& run, const Game& game, const OpenTable& table, const Wanted& wanted);

enum class Asked { once, many };

class Answers {
 public:
  // Keeps references.
  Answers(const Variant& variant, Run& run, Asked asked)
      : game_(variant, variant.rules().start()), run_(run), many_(asked == Asked::many) {}

  // What a table holds, in place of solving. kFailedPrecondition if it has no values.
  absl::Status open(const OpenTable& table);
  absl::StatusOr<Answer> ask(const Position& position);

 private:
  // kResourceExhausted where the position that is asked for has to be solved by itself.
  absl::Status solve_whole(const Position& asked);

  Game game_;
  Run& run_;
  bool many_;
  std::shared_ptr<const Result> whole_;
  absl::Status no_whole_;               // why there is none
  std::shared_ptr<const Result> part_;  // from the last position that had to be solved by itself
};

}  // namespace plenum
