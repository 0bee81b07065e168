// SPDX-License-Identifier: Apache-2.0
#include "tools/explore/games.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <absl/strings/str_join.h>
#include <xxhash.h>

#include "solver/study/move_counts.h"
#include "tools/session/tables.h"
#include "variants/text/document.h"
#include "variants/text/printable.h"
#include "variants/text/status_macros.h"
#include "variants/text/text_file.h"

namespace plenum {
namespace {

// What is found out when a game is solved for the explorer: everything, for any position. Measures come later.
Wanted everything() {
  Wanted out;
  out.lookup = true;
  out.scan = true;
  return out;
}

bool has_values(const Result& result) { return find_method(result.summary().method)->offers().values; }

// What a description extends, as it names that.
absl::StatusOr<std::optional<std::string>> named_base(const SourceText& text) {
  return guard([&]() -> std::optional<std::string> {
    const DocumentNode tree = parse_document(std::make_shared<const SourceText>(text));
    const DocumentNode* node = tree.find("extends");
    return node == nullptr || node->text() == nullptr ? std::nullopt : std::optional(*node->text());
  });
}

}  // namespace

void ReadingRight::lock() {
  std::unique_lock lock(mutex_);
  returned_.wait(lock, [&] { return !taken_; });
  taken_ = true;
}

bool ReadingRight::try_lock_for(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  if (!returned_.wait_for(lock, time, [&] { return !taken_; })) return false;
  return taken_ = true;
}

void ReadingRight::unlock() {
  const std::lock_guard lock(mutex_);
  taken_ = false;
  returned_.notify_one();
}

std::shared_ptr<const Result> HeldGame::result() const {
  const std::lock_guard lock(mutex_);
  return result_;
}

std::shared_ptr<const Json> HeldGame::statistics() const {
  const std::lock_guard lock(mutex_);
  return measured_ ? statistics_ : nullptr;
}

std::optional<Measures> HeldGame::measures() const {
  const std::lock_guard lock(mutex_);
  return measures_;
}

absl::StatusOr<Answer> HeldGame::read(const Position& position) const {
  const std::shared_ptr<const Result> result = this->result();
  if (result == nullptr) return absl::UnavailableError("the game is not solved");
  if (!has_values(*result)) return absl::UnavailableError("it takes a search");
  const std::unique_lock right(reading_, std::chrono::milliseconds(500));
  if (!right) return absl::UnavailableError("the game is being looked through");
  return read_answer(*result, position);
}

std::optional<Games::Added> Games::find_added(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  for (const Added& one : added_) {
    if (one.name == name) return one;
  }
  return std::nullopt;
}

std::string Games::add_file(const std::string& path) {
  // If it cannot be read, that is said when it is asked for.
  const absl::StatusOr<std::string> text = read_text_file(path);
  const absl::StatusOr<std::optional<std::string>> base =
      text.ok() ? named_base({path, *text, true}) : absl::StatusOr<std::optional<std::string>>(std::nullopt);
  const std::lock_guard lock(mutex_);
  added_.push_back({Added::Kind::file, std::filesystem::path(path).filename().string(), path});
  added_.back().base = base.ok() ? *base : std::nullopt;
  return added_.back().name;
}

absl::StatusOr<std::string> Games::add_table(const std::string& path) {
  ASSIGN_OR_RETURN(const OpenTable table, open_table(path));
  ASSIGN_OR_RETURN(const Variant variant, variant_of(table));
  const std::lock_guard lock(mutex_);
  added_.push_back({Added::Kind::table, std::filesystem::path(path).filename().string(), path, "",
                    variant.description(), table.header.hash});
  return added_.back().name;
}

std::string Games::add_draft(const std::string& text) {
  std::string name = absl::StrFormat("draft-%016x", XXH3_64bits(text.data(), text.size()));
  const std::lock_guard lock(mutex_);
  const auto drafts = [](const Added& one) { return one.kind == Added::Kind::draft; };
  std::erase_if(added_, [&](const Added& one) { return one.name == name; });
  if (std::count_if(added_.begin(), added_.end(), drafts) >= static_cast<std::ptrdiff_t>(kMostDrafts))
    added_.erase(std::find_if(added_.begin(), added_.end(), drafts));
  added_.push_back({Added::Kind::draft, name, "", text});
  return name;
}

std::vector<std::string> Games::names() const {
  std::vector<std::string> out;
  {
    const std::lock_guard lock(mutex_);
    for (const Added& one : added_) {
      if (one.kind != Added::Kind::draft) out.push_back(one.name);
    }
  }
  for (std::string& name : variant_names(data_folder())) out.push_back(std::move(name));
  return out;
}

// What is typed may extend what comes with the program, and what a file that the user named extends; but not name other files: errors
// would show what is in them.
absl::StatusOr<Description> Games::describe_draft(const std::string& text) const {
  const SourceText source{"description", text, true};
  ASSIGN_OR_RETURN(const std::optional<std::string> base, named_base(source));
  const std::vector<std::string> known = variant_names(data_folder());
  std::string beside;
  if (base) {
    const std::lock_guard lock(mutex_);
    for (const Added& one : added_) {
      if (one.kind == Added::Kind::file && one.base == *base)
        beside = std::filesystem::absolute(one.path).parent_path().string();
    }
  }
  if (base && beside.empty() && std::find(known.begin(), known.end(), *base) == known.end())
    return absl::InvalidArgumentError(absl::StrCat(
        "'extends' names '", printable(*base),
        "', and in the page only games that come with the program can be extended, and what a file extends "
        "that was named on the command line\n  ",
        suggestion(*base, known, "one of")));
  return parse_description(source, data_folder(), beside);
}

absl::StatusOr<Description> Games::describe(const std::string& name) const {
  if (const std::optional<Added> added = find_added(name)) {
    switch (added->kind) {
      case Added::Kind::draft:
        return describe_draft(added->text);
      case Added::Kind::file:
        return load_description(added->path, data_folder());
      case Added::Kind::table:
        return *added->description;
    }
  }
  // Nothing but what is listed: a name is no path.
  const std::vector<std::string> known = names();
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    return absl::NotFoundError(
        absl::StrCat("there is no variant '", name, "'\n  ", suggestion(name, known, "there are")));
  }
  return load_description(name, data_folder());
}

absl::StatusOr<std::string> Games::text_of(const std::string& name) const {
  const absl::StatusOr<Description> description = describe(name);
  const std::optional<Added> added = find_added(name);
  if (added && added->kind == Added::Kind::draft) return added->text;
  if (!description.ok()) return description.status();
  if (added && added->kind == Added::Kind::table) return description->document;
  return read_text_file(description->path);
}

std::shared_ptr<HeldGame> Games::hold(const std::string& asked, std::shared_ptr<HeldGame> game) {
  const std::lock_guard lock(mutex_);
  // It may have been asked for by other words: what stands at its default may be said or not.
  for (const auto& [words, held] : games_) {
    if (held->key() == game->key()) game = held;
  }
  games_.emplace_front(asked, std::move(game));
  if (games_.size() > kMostGames) games_.pop_back();
  return games_.front().second;
}

absl::StatusOr<std::shared_ptr<HeldGame>> Games::find(const GameArguments& arguments) {
  const std::optional<Added> added = find_added(arguments.variant);
  // It is read each time, since files change; compiling is what takes time.
  ASSIGN_OR_RETURN(Description description, describe(arguments.variant));
  RETURN_IF_ERROR(set_options(description, arguments));
  std::vector<std::string> settings = arguments.settings;
  std::sort(settings.begin(), settings.end());
  const std::string asked = absl::StrCat(arguments.variant, "\n", arguments.board, "\n", absl::StrJoin(settings, "\n"),
                                         "\n", description.document);
  {
    const std::lock_guard lock(mutex_);
    const auto known =
        std::find_if(games_.begin(), games_.end(), [&](const auto& game) { return game.first == asked; });
    if (known != games_.end()) {
      games_.splice(games_.begin(), games_, known);
      return games_.front().second;
    }
  }
  ASSIGN_OR_RETURN(Variant variant, Variant::make(description));
  Store store;
  store.none = added && added->kind == Added::Kind::draft;  // what is typed leaves nothing on the disk
  const bool in_table = added && added->kind == Added::Kind::table && added->hash == variant.identity().hash;
  return hold(asked, std::make_shared<HeldGame>(std::move(variant), store, in_table ? added->path : ""));
}

bool Games::is_at_hand(const HeldGame& game) const {
  if (game.result() != nullptr || !game.table_.empty()) return true;
  std::error_code error;
  const std::string stored = game.store_.none ? "" : stored_table(game.variant().identity().hash);
  return !stored.empty() && std::filesystem::is_regular_file(stored, error);
}

std::uint64_t Games::make_room(const HeldGame& wanted, std::uint64_t memory) {
  const std::lock_guard lock(mutex_);
  std::uint64_t out = 0;
  std::set<const HeldGame*> seen = {&wanted};  // the same game may have been asked for by several words
  for (const auto& [key, game] : games_) {
    if (!seen.insert(game.get()).second) continue;
    const std::lock_guard held(game->mutex_);
    if (game->result_ == nullptr) continue;
    const std::uint64_t bytes = game->result_->bytes();
    if (out + bytes > memory / 2) {
      game->result_.reset();
    } else {
      out += bytes;
    }
  }
  return out;
}

absl::StatusOr<Solved> Games::solve_or_open(Run& run, const HeldGame& game, std::uint64_t held_bytes) const {
  if (!game.table_.empty()) {
    const absl::StatusOr<OpenTable> table = open_table(game.table_);
    if (!table.ok()) return table.status();
    if (table->header.hash == game.variant().identity().hash) {
      ASSIGN_OR_RETURN(const Request request, run.request(everything(), held_bytes));
      ASSIGN_OR_RETURN(std::shared_ptr<const Result> result, result_of(*table, game.game_, request));
      const Choice choice{.method = table->header.method->id(), .reason = "there is a table of it"};
      return Solved{std::move(result), choice, game.table_, true};
    }
  }
  return solve_chosen(run, game.game_, everything(), held_bytes, game.store_);
}

absl::Status Games::solve(HeldGame& game, Watcher& watcher) {
  if (game.result() != nullptr) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::uint64_t memory, memory_limit(run_));
  const std::uint64_t held = make_room(game, memory);
  Run run(run_, watcher);
  ASSIGN_OR_RETURN(const Solved solved, solve_or_open(run, game, held));
  if (solved.result->summary().stopped) return absl::CancelledError("cancelled");
  const std::lock_guard lock(game.mutex_);
  game.result_ = solved.result;
  if (!game.measured_) game.statistics_ = std::make_shared<const Json>(solved_json(solved, run.cost()));
  return absl::OkStatus();
}

absl::Status Games::measure(HeldGame& game, Watcher& watcher) {
  RETURN_IF_ERROR(solve(game, watcher));
  const std::shared_ptr<const Result> result = game.result();
  if (game.statistics() != nullptr) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::uint64_t memory, memory_limit(run_));
  MeasureLimits limits;
  limits.edges = kMeasuredEdges;
  limits.memory_bytes = memory;
  limits.held_bytes = make_room(game, memory);
  Run run(run_, watcher);
  ASSIGN_OR_RETURN(std::optional<Measures> measures,
                   measures_of(*result, limits, Ranks::alone(),
                               [&](std::uint64_t positions) { return run.show("measuring", positions, "positions"); }));
  const std::lock_guard lock(game.mutex_);
  game.measured_ = true;
  game.measures_ = std::move(measures);
  Json with = *game.statistics_;
  with["measures"] = measures_json(game.measures_);
  game.statistics_ = std::make_shared<const Json>(std::move(with));
  return absl::OkStatus();
}

absl::StatusOr<Answer> Games::ask(HeldGame& game, const Position& position, Watcher& watcher) {
  RETURN_IF_ERROR(solve(game, watcher));
  const std::shared_ptr<const Result> result = game.result();
  {
    const auto reading = game.reading();
    absl::StatusOr<Answer> out = read_answer(*result, position);
    if (!lies_elsewhere(*result, out.status())) return out;
  }
  ASSIGN_OR_RETURN(const std::uint64_t memory, memory_limit(run_));
  Run run(run_, watcher);
  Store nowhere;
  nowhere.none = true;
  const Game from(game.variant(), position);
  const std::uint64_t held = make_room(game, memory) + result->bytes();
  ASSIGN_OR_RETURN(const Solved solved, solve_chosen(run, from, wanted_for_answers(), held, nowhere));
  absl::StatusOr<Answer> out = read_answer(*solved.result, position);
  if (out.ok()) out->reachable = false;
  return out;
}

}  // namespace plenum
