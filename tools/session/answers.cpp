// SPDX-License-Identifier: Apache-2.0
#include "tools/session/answers.h"

#include <absl/strings/str_cat.h>

#include "tools/session/parts.h"
#include "variants/text/status_macros.h"

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
  ASSIGN_OR_RETURN(out.value, result.value(position));
  const absl::StatusOr<bool> reachable = result.reachable(position);
  if (reachable.ok()) out.reachable = *reachable;
  if (!reachable.ok() && !absl::IsUnimplemented(reachable.status())) return reachable.status();
  if (out.value.ended) return out;
  ASSIGN_OR_RETURN(out.moves, result.moves(position));
  ASSIGN_OR_RETURN(out.line, result.line(position));
  return out;
}

bool lies_elsewhere(const Result& result, const absl::Status& status) {
  return absl::IsNotFound(status) && !find_method(result.summary().method)->offers().parts;
}

absl::Status Answers::open(const OpenTable& table) {
  ASSIGN_OR_RETURN(Request request, run_.request(wanted_for_answers()));
  request.parts = part_store(run_, game_.variant(), *table.header.method);
  ASSIGN_OR_RETURN(std::shared_ptr<const Result> opened, result_of(table, game_, request));
  if (!table.header.method->offers().values)
    return absl::FailedPreconditionError(
        absl::StrCat(table.path(), ": this game was solved by ", std::string(table.header.method->name()),
                     ", and the values of its positions were not kept\n  name the game in place of the table"));
  result_ = std::move(opened);
  return absl::OkStatus();
}

absl::StatusOr<Answer> Answers::ask(const Position& position) {
  if (result_ == nullptr) {
    ASSIGN_OR_RETURN(const Solved solved, solve_chosen(run_, game_, wanted_for_answers()));
    result_ = solved.result;
  }
  absl::StatusOr<Answer> out = read_answer(*result_, position);
  if (!lies_elsewhere(*result_, out.status())) return out;
  const Game from(game_.variant(), position);
  ASSIGN_OR_RETURN(const Solved solved,
                   solve_stored(run_, from, choose_elsewhere(), wanted_for_answers(), {}, result_->bytes()));
  out = read_answer(*solved.result, position);
  if (out.ok()) out->reachable = false;
  return out;
}

}  // namespace plenum
