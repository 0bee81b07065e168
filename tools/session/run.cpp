// SPDX-License-Identifier: Apache-2.0
#include "tools/session/run.h"

#include <algorithm>
#include <thread>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <tbb/global_control.h>
#include <tbb/info.h>

#include "solver/graph/prediction.h"
#include "solver/support/memory.h"
#include "solver/support/threads.h"
#include "tables/scratch.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr double kManyPositions = 3e8;  // more than this takes minutes, if all of them are reachable

}  // namespace

int wanted_threads(const RunArguments& arguments) {
  if (arguments.threads > 0) return arguments.threads;
  // Ranks on one machine share its cores, unless each was given cores of its own.
  const int cores = tbb::info::default_concurrency();
  const bool own = cores < static_cast<int>(std::thread::hardware_concurrency());
  return own ? cores : std::max(1, cores / arguments.ranks->on_this_machine());
}

int usable_threads(const RunArguments& arguments) { return threads_to_be_had(wanted_threads(arguments)); }

absl::Status begin_scratch(const RunArguments& arguments) {
  if (arguments.scratch.empty() || Scratch::active()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::uint64_t memory, memory_limit(arguments));
  const absl::Status begun = Scratch::begin(arguments.scratch, memory, arguments.ranks->on_this_machine());
  return begun.ok()
             ? begun
             : absl::ResourceExhaustedError(absl::StrCat(
                   std::string(begun.message()), "\n  --scratch takes a folder on a disk where files can be made"));
}

Run::Run(const RunArguments& arguments) : Run(arguments, std::make_unique<ProgressDisplay>(arguments.progress)) {}

Run::Run(const RunArguments& arguments, std::unique_ptr<Watcher> watcher) : Run(arguments, *watcher) {
  own_watcher_ = std::move(watcher);
}

Run::Run(const RunArguments& arguments, Watcher& watcher)
    : arguments_(arguments),
      thread_count_(usable_threads(arguments)),
      watcher_(watcher),
      start_(std::chrono::steady_clock::now()),
      cpu_start_(StageTimes::process_seconds()) {
  limit_threads(thread_count_);
  begin_threads();
  if (thread_count_ < wanted_threads(arguments))
    note(absl::StrCat("only ", thread_count_, thread_count_ == 1 ? " thread" : " threads",
                      " can be had here: memory or threads are limited (ulimit -a)"));
}

absl::StatusOr<Request> Run::request(const Wanted& wanted, std::uint64_t held_bytes) {
  ASSIGN_OR_RETURN(const std::uint64_t memory, memory_limit(arguments_));
  Request out;
  out.wanted = wanted;
  out.wanted.scratch_bytes = Scratch::room();
  out.wanted.memory_bytes = memory + out.wanted.scratch_bytes;
  out.held_bytes = held_bytes;
  out.threads = thread_count_;
  out.ranks = arguments_.ranks;
  out.wanted.ranks = arguments_.ranks->size();
  out.progress = [this](const WorkProgress& p) {
    stages_.begin(p.stage.empty() ? p.what : p.stage);
    return watcher_.show(p.what, p.done, p.of, p.things);
  };
  return out;
}

void Run::note_size(const Variant& variant, const Position& start) {
  const double most = predict(variant, start).most_positions;
  if (most <= kManyPositions) return;
  note(
      absl::StrFormat("%s on %s: up to %.2g positions may be reachable; if this takes too long, give a smaller board "
                      "with --board",
                      variant.description().name, variant.board().name(), most));
}

absl::StatusOr<std::shared_ptr<const Result>> Run::solve(const Method& method, const Game& game,
                                                         const Request& request) {
  if (method.offers().cycles && request.most_positions == ~std::uint64_t{0}) note_size(game.variant(), game.start());
  // Until the method asks whether to go on, an interrupt ends the program at once, unless there is something to keep.
  if (request.checkpoint == nullptr) watcher_.look_away();
  stages_.begin("preparing");
  absl::StatusOr<std::shared_ptr<const Result>> out = method.solve(game, request);
  finish();
  return out;
}

absl::StatusOr<PositionValue> Run::value(const Variant& variant, const Position& at) {
  Wanted wanted;
  wanted.extras = kValuesOnly;
  ASSIGN_OR_RETURN(const Request request, this->request(wanted));
  const auto result = solve(method_of(MethodId::graph), Game(variant, at), request);
  if (!result.ok()) return result.status();
  return *(*result)->summary().start_value;
}

absl::StatusOr<Choice> Run::choose(const Game& game, Wanted wanted, std::uint64_t held_bytes) const {
  ASSIGN_OR_RETURN(wanted.memory_bytes, memory_limit(arguments_));
  wanted.scratch_bytes = Scratch::room();
  wanted.memory_bytes += wanted.scratch_bytes;
  wanted.memory_bytes -= std::min(wanted.memory_bytes, held_bytes);
  Ranks& ranks = *arguments_.ranks;
  wanted.ranks = ranks.size();
  absl::StatusOr<Choice> out = plenum::choose(game, wanted);
  if (!ranks.several()) return out;
  // Ranks may have other memory, and so other opinions: the root's counts.
  RETURN_IF_ERROR(ranks.agree(ranks.root() ? out.status() : absl::OkStatus()));
  if (!out.ok()) out = Choice();
  Parcel told;
  put(told, out->method);
  put(told, out->most_positions);
  put(told, out->otherwise.has_value());
  put(told, out->otherwise.value_or(MethodId::graph));
  const Parcel heard = ranks.broadcast(0, std::move(told));
  ParcelReader reader(heard);
  out->method = reader.get<MethodId>();
  out->most_positions = reader.get<std::uint64_t>();
  const bool goes_on = reader.get<bool>();
  const auto otherwise = reader.get<MethodId>();
  out->otherwise = goes_on ? std::optional(otherwise) : std::nullopt;
  return out;
}

absl::StatusOr<bool> Run::better_from(const Game& game, const Position& position, Wanted wanted) const {
  ASSIGN_OR_RETURN(wanted.memory_bytes, memory_limit(arguments_));
  return plenum::better_from(game, position, wanted);
}

absl::Status Run::check(const TableReader& table) {
  absl::Status out = table.check(
      [this](std::uint64_t done, std::uint64_t all) { return watcher_.show("reading", done, all, "bytes"); });
  watcher_.finish();
  return out;
}

absl::StatusOr<Verification> Run::verify(const Method& method, const Game& game, const TableReader& table,
                                         const Result& opened) {
  ASSIGN_OR_RETURN(const Request request, this->request({}));
  absl::StatusOr<Verification> out = method.verify(game, table, opened, request);
  watcher_.finish();
  return out;
}

absl::StatusOr<Reach> Run::reach(const Variant& variant, const Position& start, std::optional<int> depth) {
  ASSIGN_OR_RETURN(const std::uint64_t memory, memory_limit(arguments_));
  ReachOptions options;
  options.memory_bytes = memory;
  options.depth = depth;
  options.progress = [this](const ReachProgress& p) {
    return watcher_.show("searching", p.positions, 0, absl::StrCat("positions, ply ", p.plies));
  };
  absl::StatusOr<Reach> out = plenum::reach(variant, Goal(variant.rules()), start, options);
  watcher_.finish();
  return out;
}

Cost Run::cost() const {
  Cost out;
  out.stages = stages_.all();
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  out.cpu_seconds = StageTimes::process_seconds() - cpu_start_;
  out.peak_bytes = peak_memory();
  out.threads = thread_count_;
  return out;
}

}  // namespace plenum
