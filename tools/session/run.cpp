// SPDX-License-Identifier: Apache-2.0
#include "tools/session/run.h"

#include <algorithm>
#include <ctime>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <tbb/global_control.h>
#include <tbb/info.h>

#include "solver/graph/prediction.h"
#include "solver/method/dense_methods.h"
#include "solver/support/memory.h"
#include "solver/support/threads.h"

namespace plenum {
namespace {

constexpr double kManyPositions = 3e8;             // more than this takes minutes, if all of them arise
constexpr std::uint64_t kSearchBytes = 4'000'000;  // of a thread, besides the table

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

int wanted_threads(const RunArguments& arguments) {
  return arguments.threads > 0 ? arguments.threads : tbb::info::default_concurrency();
}

int usable_threads(const RunArguments& arguments) { return threads_to_be_had(wanted_threads(arguments)); }

Run::Run(const RunArguments& arguments)
    : arguments_(arguments),
      thread_count_(usable_threads(arguments)),
      progress_(arguments.progress),
      start_(std::chrono::steady_clock::now()),
      cpu_start_(cpu_seconds()) {
  limit_threads(thread_count_);
  begin_threads();
  if (thread_count_ < wanted_threads(arguments))
    note(absl::StrCat("only ", thread_count_, thread_count_ == 1 ? " thread" : " threads",
                      " can be had here: memory or threads are limited (ulimit -a)"));
}

absl::StatusOr<SolvedGame> Run::solve(const Description& description, Extras extras) {
  absl::StatusOr<Variant> variant = Variant::make(description);
  if (!variant.ok()) return variant.status();
  return solve(*variant, variant->rules().start(), extras);
}

absl::StatusOr<SolvedGame> solve_within(const Variant& variant, const Position& start, Extras extras,
                                        const EnumerationLimits& limits, const AnalysisProgressFn& progress) {
  const std::uint64_t memory = limits.memory_bytes;
  const std::uint64_t held = limits.held_bytes;
  if (is_ending(variant) && start == variant.rules().start())
    return absl::InvalidArgumentError(
        "an ending has no position to begin with: it is solved by 'solve', asked by 'query', compared by 'compare'\n  "
        "leave "
        "out the material for the game from its array");
  const Prediction least = predict(variant, start);
  if (least.least_bytes + static_cast<double>(held) > static_cast<double>(memory)) {
    return absl::ResourceExhaustedError(
        absl::StrCat("memory: ", variant.description().name, " on ", variant.board().name(), " needs at least ",
                     memory_text_of(least.least_bytes), "; ", memory_text(memory), " may be used",
                     held == 0 ? "" : absl::StrCat(", and another game holds ", memory_text(held), " of it"), "\n  ",
                     least.reason, "\n  give more with --memory, or take a smaller board with --board"));
  }
  SolveOptions options;
  options.limits = limits;
  options.extras = extras;
  options.progress = progress;
  return solve_game(variant, start, options);
}

absl::StatusOr<SolvedGame> Run::solve(const Variant& variant, const Position& start, Extras extras, std::uint64_t held,
                                      std::uint64_t most_positions) {
  const absl::StatusOr<std::uint64_t> memory = memory_limit(arguments_);
  if (!memory.ok()) return memory.status();
  if (const double most = predict(variant, start).most_positions;
      most > kManyPositions && most_positions == ~std::uint64_t{0}) {
    progress_.note(absl::StrFormat(
        "%s on %s: up to %.2g positions may arise; if this takes too long, give a smaller board with --board",
        variant.description().name, variant.board().name(), most));
  }
  absl::StatusOr<SolvedGame> out = solve_within(variant, start, extras, {*memory, held, most_positions},
                                                [this](const AnalysisProgress& p) { return progress_(p); });
  progress_.finish();
  return out;
}

absl::StatusOr<std::shared_ptr<const DenseGame>> Run::solve_dense(const Variant& variant, DenseMethod method,
                                                                  bool remoteness, const Checkpoint* checkpoint) {
  const absl::StatusOr<std::uint64_t> memory = memory_limit(arguments_);
  if (!memory.ok()) return memory.status();
  DenseOptions dense;
  dense.remoteness = remoteness;
  dense.memory_bytes = *memory;
  dense.checkpoint = checkpoint;
  dense.progress = [this](const DenseProgress& p) { return show(p); };
  absl::StatusOr<std::shared_ptr<const DenseGame>> out =
      plenum::solve_dense(variant, variant.rules().start(), method, dense);
  progress_.finish();
  return out;
}

absl::StatusOr<Choice> Run::choose(const Game& game, const Wanted& wanted) const {
  const absl::StatusOr<std::uint64_t> memory = memory_limit(arguments_);
  if (!memory.ok()) return memory.status();
  return plenum::choose(game, wanted, *memory);
}

absl::StatusOr<std::shared_ptr<const BitGame>> Run::solve_bits(const Variant& variant, const Checkpoint* checkpoint) {
  const absl::StatusOr<std::uint64_t> memory = memory_limit(arguments_);
  if (!memory.ok()) return memory.status();
  BitOptions options;
  options.memory_bytes = *memory;
  options.checkpoint = checkpoint;
  options.progress = [this](const DenseProgress& p) { return show(p); };
  absl::StatusOr<std::shared_ptr<const BitGame>> out = plenum::solve_bits(variant, variant.rules().start(), options);
  progress_.finish();
  return out;
}

absl::StatusOr<std::shared_ptr<const EndingTables>> Run::solve_ending(const Variant& variant, EndingOptions options) {
  const absl::StatusOr<std::uint64_t> memory = memory_limit(arguments_);
  if (!memory.ok()) return memory.status();
  options.memory_bytes = *memory;
  // Before there is anything to keep, and once all of it is kept, an interrupt may end the program at once: numbering positions and
  // counting results take a while, and nothing asks there.
  if (!interrupt_seen()) exit_on_interrupt();
  bool watching = false;
  options.progress = [&](const EndingProgress& p) {
    if (!watching) ProgressDisplay::watch();
    watching = true;
    return progress_.show(absl::StrCat("solving ", p.material), p.positions, p.of, "positions");
  };
  absl::StatusOr<std::shared_ptr<const EndingTables>> out = plenum::solve_ending(variant, options);
  progress_.finish();
  exit_on_interrupt();
  if (out.ok() && interrupt_seen()) return absl::CancelledError("interrupted");
  return out;
}

bool Run::show(const DenseProgress& p) {
  return progress_.show(
      p.what, p.boards, p.of,
      absl::StrCat("boards, those with ", p.stones, p.stones == 1 ? " stone" : " stones", " at hand"));
}

absl::Status Run::check(const TableReader& table) {
  absl::Status out = table.check(
      [this](std::uint64_t done, std::uint64_t all) { return progress_.show("reading", done, all, "bytes"); });
  progress_.finish();
  return out;
}

absl::StatusOr<Verification> Run::verify(const Variant& variant, const TableReader& table) {
  const absl::StatusOr<std::uint64_t> memory = memory_limit(arguments_);
  if (!memory.ok()) return memory.status();
  VerifyOptions options;
  options.memory_bytes = *memory;
  options.progress = [this](const VerifyProgress& p) { return show(p); };
  absl::StatusOr<Verification> out = verify_table(variant, table, options);
  progress_.finish();
  return out;
}

absl::StatusOr<EndingVerification> Run::verify(const EndingTables& tables) {
  absl::StatusOr<EndingVerification> out = verify_ending(tables, [this](const VerifyProgress& p) { return show(p); });
  progress_.finish();
  return out;
}

bool Run::show(const VerifyProgress& p) {
  return progress_.show(
      absl::StrCat("verifying ", p.what), p.boards, p.of,
      absl::StrCat("boards, those with ", p.stones, p.stones == 1 ? " stone" : " stones", " at hand"));
}

absl::StatusOr<Reach> Run::reach(const Variant& variant, const Position& start, std::optional<int> depth) {
  const absl::StatusOr<std::uint64_t> memory = memory_limit(arguments_);
  if (!memory.ok()) return memory.status();
  ReachOptions options;
  options.memory_bytes = *memory;
  options.depth = depth;
  options.progress = [this](const ReachProgress& p) {
    return progress_.show("searching", p.positions, 0, absl::StrCat("positions, ply ", p.plies));
  };
  absl::StatusOr<Reach> out = plenum::reach(variant, Goal(variant.rules()), start, options);
  progress_.finish();
  return out;
}

absl::StatusOr<SearchedGame> Run::search(const Variant& variant, const Position& start, bool openings) {
  const absl::StatusOr<std::uint64_t> memory = memory_limit(arguments_);
  if (!memory.ok()) return memory.status();
  const std::uint64_t base = base_memory() + kSearchBytes * static_cast<std::uint64_t>(thread_count_);
  if (*memory < 2 * base) {
    return absl::ResourceExhaustedError(
        absl::StrCat("memory: searching needs at least ", memory_text(2 * base), "; ", memory_text(*memory),
                     " may be used\n  give more with --memory, or use fewer --threads"));
  }
  release_free_memory();  // of an enumeration that did not fit
  SearchGameOptions options;
  options.openings = openings;
  options.search.memory_bytes = *memory - base;
  options.search.threads = thread_count_;
  const bool first_moves = start.mover == Player::first;
  options.search.progress = [&](const SearchProgress& p) {
    const auto text = [&](std::int64_t units) { return variant.margin_text({units}); };
    return progress_.show("searching", p.nodes, 0,
                          absl::StrFormat("nodes; %s is worth %s to %s to %s so far; table %.0f %% of %s",
                                          p.question == 0 ? "the start" : absl::StrCat("position ", p.question),
                                          text(p.proven.least), text(p.proven.greatest),
                                          p.question > 0 ? "its mover"
                                          : first_moves  ? "first"
                                                         : "second",
                                          100 * p.fill, memory_text(p.table_bytes)));
  };
  absl::StatusOr<SearchedGame> out = search_game(variant, start, options);
  progress_.finish();
  return out;
}

Cost Run::cost() const {
  Cost out;
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  out.cpu_seconds = cpu_seconds() - cpu_start_;
  out.peak_bytes = peak_memory();
  out.threads = thread_count_;
  return out;
}

}  // namespace plenum
