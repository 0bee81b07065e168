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
  if (const Summary& from = result.summary(); from.start_value) out.begun = from.start;
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

absl::StatusOr<SharedResult> values_in(Run& run, const Game& game, const OpenTable& table, const Wanted& wanted) {
  ASSIGN_OR_RETURN(Request request, run.request(wanted));
  request.parts = part_store(run, game.variant(), *table.header.method);
  ASSIGN_OR_RETURN(SharedResult opened, result_of(table, game, request));
  if (!table.header.method->offers().values)
    return absl::FailedPreconditionError(
        absl::StrCat(table.path(), ": this game was solved by ", std::string(table.header.method->name()),
                     ", and the values of its positions were not kept\n  name the game in place of the table"));
  return opened;
}

absl::Status Answers::open(const OpenTable& table) {
  ASSIGN_OR_RETURN(whole_, values_in(run_, game_, table, wanted_for_answers()));
  return absl::OkStatus();
}

absl::Status Answers::solve_whole(const Position& asked) {
  if (std::optional<Solved> found = find_stored(run_, game_, wanted_for_answers())) {
    whole_ = found->result;
    return absl::OkStatus();
  }
  if (!many_) {
    ASSIGN_OR_RETURN(const bool from_there, run_.better_from(game_, asked, wanted_for_answers()));
    if (from_there) return absl::ResourceExhaustedError("it is better solved from there");
  }
  const absl::StatusOr<Solved> solved = solve_chosen(run_, game_, wanted_for_answers());
  if (solved.ok()) whole_ = solved->result;
  return solved.status();
}

absl::StatusOr<Answer> Answers::ask(const Position& position) {
  if (whole_ == nullptr && no_whole_.ok()) {
    const absl::Status status = solve_whole(position);
    if (absl::IsResourceExhausted(status) && !(position == game_.start())) {
      no_whole_ = status;
    } else if (!status.ok()) {
      return status;
    }
  }
  if (whole_ != nullptr) {
    absl::StatusOr<Answer> out = read_answer(*whole_, position);
    if (!lies_elsewhere(*whole_, out.status())) return out;
  }
  absl::StatusOr<Answer> out = absl::NotFoundError("");
  if (part_ != nullptr) out = read_answer(*part_, position);
  if (absl::IsNotFound(out.status())) {
    part_ = nullptr;
    const std::uint64_t held = whole_ == nullptr ? 0 : whole_->bytes();
    ASSIGN_OR_RETURN(const Solved solved,
                     solve_chosen(run_, Game(game_.variant(), position), wanted_for_answers(), held));
    part_ = solved.result;
    out = read_answer(*part_, position);
  }
  if (!out.ok()) return out;
  out->reachable = whole_ == nullptr ? std::nullopt : std::optional(false);
  return out;
}

}  // namespace plenum
