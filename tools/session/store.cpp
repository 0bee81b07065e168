// SPDX-License-Identifier: Apache-2.0
#include "tools/session/store.h"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "solver/bits/bit_rows.h"
#include "tables/file/files.h"
#include "tools/console/exit_codes.h"
#include "tools/session/parts.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::uint64_t kMostUnasked = 200'000;  // positions, looked at for how long wins take

using Opened = std::shared_ptr<const Result>;

// Whether find_lengths and find_measures look at positions, if they have no counts yet.
bool looks_for_lengths(const Summary& summary, bool asked) {
  const Offers offers = find_method(summary.method)->offers();
  if (!offers.values || !offers.remoteness || !summary.remoteness_known) return false;
  return asked || !offers.kept || summary.stored <= kMostUnasked;
}
bool looks_for_measures(const Summary& summary, bool asked) {
  const bool moves_stored = !find_method(summary.method)->offers().kept;
  return !summary.measures && (asked || moves_stored || summary.stored <= kMostMeasured);
}

// Counts plies, or moves, of all positions. Collective.
absl::Status count_lengths(Run& run, const Result& result, Ranks& ranks, Solved& out) {
  absl::StatusOr<Histograms> found = histograms(
      result, ranks, [&](std::uint64_t positions) { return run.show("counting plies", positions, "positions"); });
  run.finish();
  if (!found.ok()) return found.status();
  out.lengths = *std::move(found);
  return absl::OkStatus();
}
absl::Status count_measures(Run& run, const Result& result, bool asked, Ranks& ranks, Solved& out) {
  absl::StatusOr<std::optional<Measures>> found =
      measures_of(result, {.positions = asked ? kMeasureAll : kMostMeasured}, ranks,
                  [&](std::uint64_t positions) { return run.show("counting moves", positions, "positions"); });
  run.finish();
  if (!found.ok()) return found.status();
  out.measures = *std::move(found);
  return absl::OkStatus();
}

// One solve by one method, and its table.
class Keeping {
 public:
  Keeping(Run& run, const Game& game, const Method& method, const Request& request, const Store& store)
      : run_(run),
        ranks_(run.ranks()),
        game_(game),
        method_(method),
        request_(request),
        store_(store),
        asked_(!store.file.empty()) {
    const Offers offers = method.offers();
    if (asked_) {
      path_ = store.file;
    } else if (!store.none && offers.kept && !game.begins_elsewhere()) {
      path_ = ranks_.text_of_root(stored_table(game.variant().identity().hash, method));
    }
  }

  // Collective, and of several ranks for the root alone: the others get left_to_root().
  absl::StatusOr<Opened> run(Solved& out) {
    if (!path_.empty()) {
      absl::StatusOr<Opened> found = ranks_.root() ? find() : Opened();
      RETURN_IF_ERROR(ranks_.agree(found.status()));
      if (ranks_.any(*found != nullptr)) {
        out.table = path_;
        out.opened = true;
        return roots(std::move(found));
      }
      if (!asked_ && ranks_.root()) make_table_folder();
      RETURN_IF_ERROR(open_checkpoint());
    }
    absl::StatusOr<Opened> result = solve();
    if (!ranks_.several() || (result.ok() && !(*result)->whole())) return kept(std::move(result), out);
    return roots_alone([&] { return kept(std::move(result), out); });
  }

 private:
  // What was solved, with its table: collective where it is in parts, and otherwise of the root.
  absl::StatusOr<Opened> kept(absl::StatusOr<Opened> result, Solved& out) {
    if (!result.ok() || (*result)->summary().stopped) return result;
    const bool parted = !(*result)->whole();
    if (!path_.empty()) {
      run_.begin_stage("writing");
      const absl::Status written = parted ? write_table(ranks_, path_, **result) : write_table(path_, **result);
      run_.finish();
      if (!written.ok() && asked_) return as_full_disk(written);
      if (!written.ok()) give_up(written);
    }
    if (parted) {
      out.measures = (*result)->measured();
      if ((*result)->parts() != 0 && (*result)->summary().remoteness_known)
        RETURN_IF_ERROR(count_lengths(run_, **result, ranks_, out));
      result =
          path_.empty() && is_enough((*result)->summary(), out) ? roots(*std::move(result)) : together(**result, out);
    }
    if (checkpoint_ && ranks_.root()) static_cast<void>(checkpoint_->remove_all());
    out.table = path_;
    return result;
  }

  // Whether no position will be looked at.
  bool is_enough(const Summary& summary, const Solved& out) const {
    return store_.counted && !wants_lengths(summary, out) && !wants_measures(summary, out);
  }
  bool wants_lengths(const Summary& summary, const Solved& out) const {
    return store_.counted && !out.lengths && looks_for_lengths(summary, store_.counted->lengths);
  }
  bool wants_measures(const Summary& summary, const Solved& out) const {
    return store_.counted && !out.measures && looks_for_measures(summary, store_.counted->measures);
  }

  // What is solved, as a checkpoint has it.
  std::string checkpoint_text(bool remoteness) const {
    return absl::StrCat(game_.variant().identity().text, "remoteness=", remoteness,
                        " method=", std::string(method_.name()), " version=", kTableVersion, "\n");
  }

  void give_up(const absl::Status& status) {
    run_.note(absl::StrCat("no table is kept: ", std::string(status.message())));
    path_.clear();
  }

  // The table that is there, if it has what is wanted.
  absl::StatusOr<Opened> find() {
    absl::StatusOr<std::optional<OpenTable>> table = open_table_of(path_, game_.variant());
    absl::StatusOr<Opened> result = Opened();
    Request request = request_;
    if (store_.counted) request.wanted.scan |= store_.counted->lengths || store_.counted->measures;
    if (table.ok() && *table) result = result_of(**table, game_, request);
    for (const absl::Status& status : {table.status(), result.status()}) {
      if (!status.ok() && asked_) return status;
      if (!status.ok()) run_.note(absl::StrCat("solved again, since ", first_line(status)));
    }
    if (!table.ok() || !result.ok() || *result == nullptr) return Opened();
    const Method& of = *(*table)->header.method;
    const bool remoteness = (*result)->summary().remoteness_known;
    if (of.offers().values && !method_.offers().values)
      return absl::FailedPreconditionError(
          absl::StrCat(path_, ": this table, by ", std::string(of.name()), ", says more of the game than one by ",
                       std::string(method_.name()), " would\n  name another file with --table"));
    if (of.offers().values != method_.offers().values || (store_.only && &of != &method_)) return Opened();
    if (request_.wanted.remoteness && of.offers().remoteness && !remoteness) return Opened();
    const Summary& known = (*result)->summary();
    if (request_.wanted.extras.most_measured_edges == kMeasureAll && method_.offers().cycles &&
        !(known.measures && known.measures->from_start))
      return Opened();
    if (request_.wanted.all_margins && !of.offers().values && !has_all_margins(known)) return Opened();
    remove_pieces();
    return result;
  }

  // Of a solve that was killed after its table was there. One that began later, as it will say more than the table, goes on some other time: its
  // pieces are newer.
  void remove_pieces() const {
    const absl::StatusOr<std::string> file = followed(path_);
    if (!file.ok()) return;
    const std::string pieces = *file + ".partial";
    std::error_code error;
    if (!std::filesystem::exists(pieces, error)) return;
    const auto written = std::filesystem::last_write_time(*file, error);
    for (const auto& piece : std::filesystem::directory_iterator(pieces, error)) {
      if (error || piece.last_write_time(error) > written) return;
    }
    const absl::StatusOr<Checkpoint> left = Checkpoint::open(path_, checkpoint_text(request_.wanted.remoteness));
    if (left.ok()) static_cast<void>(left->remove_all());
  }

  // The root first: it clears away what was left.
  absl::Status open_checkpoint() {
    for (const bool roots_turn : {true, false}) {
      absl::StatusOr<Checkpoint> opened = absl::CancelledError();
      if (ranks_.root() == roots_turn) opened = Checkpoint::open(path_, checkpoint_text(request_.wanted.remoteness));
      const absl::Status status = ranks_.agree(ranks_.root() == roots_turn ? opened.status() : absl::OkStatus());
      if (!status.ok() && asked_) return as_full_disk(status);
      if (!status.ok()) {
        give_up(status);
        checkpoint_.reset();
        return absl::OkStatus();
      }
      if (opened.ok()) checkpoint_ = *std::move(opened);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Opened> solve() {
    Request request = request_;
    request.checkpoint = checkpoint_ ? &*checkpoint_ : nullptr;
    if (!store_.none) request.parts = part_store(run_, game_.variant(), method_);
    absl::StatusOr<Opened> out = solve_once(request);
    if (!checkpoint_ || asked_ || !is_full_disk(out.status())) return out;
    give_up(out.status());
    if (ranks_.root()) static_cast<void>(checkpoint_->remove_all());
    checkpoint_.reset();
    request.checkpoint = nullptr;
    return solve_once(request);
  }

  // By all ranks, if the method offers that and the game is one for it (kUnimplemented otherwise). If not, by the root, and the others
  // hear how it ends.
  absl::StatusOr<Opened> solve_once(Request request) {
    if (method_.offers().ranks || !ranks_.several()) {
      absl::StatusOr<Opened> out = run_.solve(method_, game_, request);
      if (!ranks_.several() || !absl::IsUnimplemented(out.status())) return out;
    }
    request.ranks = &Ranks::alone();
    request.wanted.ranks = 1;
    return roots_alone([&] { return run_.solve(method_, game_, request); });
  }

  // Collective: done by the root, while the others wait and hear how it ends.
  template <typename Work>
  absl::StatusOr<Opened> roots_alone(const Work& work) {
    absl::StatusOr<Opened> out = ranks_.root() ? work() : Opened();
    ranks_.meet();
    RETURN_IF_ERROR(ranks_.agree(out.status()));
    return roots(std::move(out));
  }

  absl::StatusOr<Opened> roots(absl::StatusOr<Opened> result) const {
    return ranks_.root() ? std::move(result) : left_to_root();
  }

  // What the ranks have in parts, as one result: from its table, or where none is kept from one that goes when it is read. All open it
  // if positions are counted, each with its share.
  absl::StatusOr<Opened> together(const Result& parts, Solved& out) {
    std::string path = path_;
    if (path.empty()) {
      path = passing_table(ranks_);
      RETURN_IF_ERROR(write_table(ranks_, path, parts));
    }
    const Summary& summary = parts.summary();
    const bool lengths = wants_lengths(summary, out);
    const bool measures = wants_measures(summary, out);
    Request request = request_;
    request.wanted.scan |= lengths || measures;
    const bool opens = ranks_.root() || lengths || measures;
    absl::StatusOr<std::shared_ptr<TableReader>> table = std::shared_ptr<TableReader>();
    if (opens) table = TableReader::open(path);
    const absl::Status found = ranks_.agree(table.status());
    if (path_.empty() && ranks_.root()) std::remove(path.c_str());
    RETURN_IF_ERROR(found);
    absl::StatusOr<Opened> result = Opened();
    if (opens) result = method_.open(game_, *std::move(table), summary, request);
    ranks_.meet();
    RETURN_IF_ERROR(ranks_.agree(result.status()));
    if (lengths) RETURN_IF_ERROR(count_lengths(run_, **result, ranks_, out));
    if (measures) RETURN_IF_ERROR(count_measures(run_, **result, store_.counted->measures, ranks_, out));
    return roots(std::move(result));
  }

  Run& run_;
  Ranks& ranks_;
  const Game& game_;
  const Method& method_;
  const Request& request_;
  const Store& store_;
  bool asked_;        // for the table, by name
  std::string path_;  // of it; empty: none is kept
  std::optional<Checkpoint> checkpoint_;
};

}  // namespace

std::optional<Solved> find_stored(Run& run, const Game& game, const Wanted& wanted, std::uint64_t held_bytes) {
  if (game.begins_elsewhere()) return std::nullopt;
  const std::string path = stored_table(game.variant().identity().hash);
  if (path.empty()) return std::nullopt;
  const absl::StatusOr<std::optional<OpenTable>> table = open_table_of(path, game.variant());
  if (!table.ok() || !*table || is_part(**table)) return std::nullopt;
  const absl::StatusOr<Request> request = run.request(wanted, held_bytes);
  if (!request.ok()) return std::nullopt;
  absl::StatusOr<Opened> result = result_of(**table, game, *request);
  if (!result.ok() || !(*result)->summary().remoteness_known) return std::nullopt;
  const Choice choice{.method = find_method((*result)->summary().method)->id(), .reason = "there is a table of it"};
  return Solved{*std::move(result), choice, "", true};
}

absl::StatusOr<Solved> solve_stored(Run& run, const Game& game, Choice choice, const Wanted& wanted, const Store& store,
                                    std::uint64_t held_bytes) {
  if (game.begins_elsewhere() && !store.file.empty())
    return absl::InvalidArgumentError(
        "a table is of a whole game, from its start\n  leave out --table, or --position and --moves");
  ASSIGN_OR_RETURN(Request request, run.request(wanted, held_bytes));
  Solved out;
  ASSIGN_OR_RETURN(out.result, solve(
                                   game, choice, request, [&](const std::string& text) { run.note(text); },
                                   [&](const Method& method, const Request& by) {
                                     return Keeping(run, game, method, by, store).run(out);
                                   }));
  out.choice = std::move(choice);
  return out;
}

absl::StatusOr<Choice> choice_by_name(const Run& run, const Game& game, const Wanted& wanted, const std::string& name) {
  if (name == kAuto) return run.choose(game, wanted);
  const Method& method = *find_method(name);
  const auto refuse = [&](const std::string& why) {
    return absl::InvalidArgumentError(
        absl::StrCat(why, "\n  leave out --method ", name, "; plenum info lists the methods"));
  };
  if (const auto why = method.obstacle(game))
    return refuse(absl::StrCat(game.variant().description().name, " on ", game.variant().board().name(),
                               " cannot be solved by ", name, ": ", *why));
  if (wanted.scan && !method.offers().values) {
    std::vector<std::string> keeping;
    for (const Method* other : methods()) {
      if (other->offers().values) keeping.emplace_back(other->name());
    }
    return refuse(absl::StrCat("this takes the values of all positions, which ", name, " does not keep; ",
                               absl::StrJoin(keeping, ", "), " do"));
  }
  return Choice{.method = method.id(), .reason = "it was asked for"};
}

absl::StatusOr<Solved> solve_chosen(Run& run, const Game& game, const Wanted& wanted, std::uint64_t held_bytes,
                                    const Store& store) {
  if (wanted.lookup && !store.none) {
    if (std::optional<Solved> found = find_stored(run, game, wanted, held_bytes)) return *std::move(found);
  }
  ASSIGN_OR_RETURN(const Choice choice, run.choose(game, wanted, held_bytes));
  return solve_stored(run, game, choice, wanted, store, held_bytes);
}

absl::Status find_lengths(Run& run, Solved& solved, bool asked) {
  if (solved.lengths || !looks_for_lengths(solved.result->summary(), asked)) return absl::OkStatus();
  return count_lengths(run, *solved.result, Ranks::alone(), solved);
}

absl::Status find_measures(Run& run, Solved& solved, bool asked) {
  return solved.measures ? absl::OkStatus() : count_measures(run, *solved.result, asked, Ranks::alone(), solved);
}

Json solved_json(const Solved& solved, const Cost& cost) {
  Json out = solve_json(solved.result->summary(), cost);
  if (solved.measures) out["measures"] = measures_json(solved.measures);
  out.update(lengths_json(solved.result->variant(), solved.lengths ? &*solved.lengths : nullptr));
  if (!solved.table.empty()) out["table"] = solved.table;
  out["cost"]["reason"] = solved.choice.reason;  // for the method
  return out;
}

}  // namespace plenum
