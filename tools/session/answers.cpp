// SPDX-License-Identifier: Apache-2.0
#include "tools/session/answers.h"

#include <absl/strings/str_cat.h>

#include "tools/session/parts.h"

namespace plenum {

Wanted wanted_for_answers() {
  Wanted out;
  out.lookup = true;
  out.extras = kValuesOnly;
  return out;
}

absl::StatusOr<Answer> read_answer(const Result& result, const Position& position) {
  Answer out;
  out.position = position;
  const absl::StatusOr<PositionValue> value = result.value(position);
  if (!value.ok()) return value.status();
  out.value = *value;
  const absl::StatusOr<bool> reachable = result.reachable(position);
  if (reachable.ok()) out.reachable = *reachable;
  if (!reachable.ok() && !absl::IsUnimplemented(reachable.status())) return reachable.status();
  if (out.value.ended) return out;
  absl::StatusOr<std::vector<ValuedMove>> moves = result.moves(position);
  if (!moves.ok()) return moves.status();
  out.moves = *std::move(moves);
  absl::StatusOr<BestLine> line = result.line(position);
  if (!line.ok()) return line.status();
  out.line = *std::move(line);
  return out;
}

bool lies_elsewhere(const Result& result, const absl::Status& status) {
  return absl::IsNotFound(status) && !find_method(result.summary().method)->offers().parts;
}

absl::Status Answers::open(const OpenTable& table) {
  absl::StatusOr<Request> request = run_.request(wanted_for_answers());
  if (!request.ok()) return request.status();
  request->parts = part_store(run_, game_.variant(), *table.header.method);
  absl::StatusOr<std::shared_ptr<const Result>> opened = result_of(table, game_, *request);
  if (!opened.ok()) return opened.status();
  if (!table.header.method->offers().values)
    return absl::FailedPreconditionError(
        absl::StrCat(table.path(), ": this game was solved by ", std::string(table.header.method->name()),
                     ", and the values of its positions were not kept\n  name the game in place of the table"));
  result_ = *std::move(opened);
  return absl::OkStatus();
}

absl::StatusOr<Answer> Answers::ask(const Position& position) {
  if (result_ == nullptr) {
    const absl::StatusOr<Solved> solved = solve_chosen(run_, game_, wanted_for_answers());
    if (!solved.ok()) return solved.status();
    result_ = solved->result;
  }
  absl::StatusOr<Answer> out = read_answer(*result_, position);
  if (!lies_elsewhere(*result_, out.status())) return out;
  const Game from(game_.variant(), position);
  const absl::StatusOr<Solved> solved =
      solve_stored(run_, from, choose_elsewhere(), wanted_for_answers(), {}, result_->bytes());
  if (!solved.ok()) return solved.status();
  out = read_answer(*solved->result, position);
  if (out.ok()) out->reachable = false;
  return out;
}

}  // namespace plenum
