// SPDX-License-Identifier: Apache-2.0
// What is asked of single positions of one game: it is solved from its start once, and from elsewhere where a position cannot be
// reached from there.
//
//     Answers answers(variant, run);
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

class Answers {
 public:
  // Keeps references.
  Answers(const Variant& variant, Run& run) : game_(variant, variant.rules().start()), run_(run) {}

  // What a table holds, in place of solving. kFailedPrecondition if it has no values.
  absl::Status open(const OpenTable& table);
  absl::StatusOr<Answer> ask(const Position& position);

 private:
  Game game_;
  Run& run_;
  std::shared_ptr<const Result> result_;
};

}  // namespace plenum
