// SPDX-License-Identifier: Apache-2.0
#include "solver/search/search.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <random>
#include <thread>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "solver/search/search_engine.h"
#include "solver/support/parallel.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace searching {
namespace {

constexpr int kMostWalks = 4;  // of a worker
constexpr const char* kNoMemory =
    "memory: the machine has no more for a search\n  give a lower --memory, or use fewer --threads";
constexpr const char* kNoThread =
    "threads: the machine lets a search have none; memory or threads are limited (ulimit -a shows how)\n  allow it "
    "more, "
    "or give a lower --memory";

// Address space for what a thread needs besides the table: a stack of 8 MiB and what it allocates. It is held while the table, which takes
// all that it can get, is made.
constexpr std::uint64_t kRoomBytes = std::uint64_t{14} << 20;

// Whether positions that have not ended differ in score: found out by a few random games.
absl::StatusOr<bool> scores_differ(const Variant& variant) {
  constexpr int kGames = 64;
  constexpr int kPlies = 200;
  const Rules& rules = variant.rules();
  Rules::Scratch scratch(rules);
  PositionBatch games = variant.rules().batch();
  std::mt19937_64 random(1);
  for (int g = 0; g < kGames; ++g) games.push(rules.start());
  std::vector<std::int64_t> score;
  for (int ply = 0; ply < kPlies && games.size > 0; ++ply) {
    RETURN_IF_ERROR(rules.expand(games, scratch));
    const PositionBatch& next = scratch.successors;
    rules.score(next, scratch, score);
    std::vector<std::vector<std::size_t>> going_on(games.size);
    for (std::size_t i = 0; i < next.size; ++i) {
      if (scratch.ended[i] != 0) continue;
      if (score[i] != 0) return true;
      going_on[scratch.parent[i]].push_back(i);
    }
    games.clear();
    for (const auto& moves : going_on) {
      if (!moves.empty()) games.push(next.at(moves[random() % moves.size()]));
    }
  }
  return false;
}

template <std::size_t kWords>
class Driver final : public Search {
 public:
  // Gives the room free once the table is made.
  Driver(const Variant& variant, const SearchOptions& options, bool scores_order, std::optional<LazyMemory>& room)
      : variant_(variant), options_(options), engine_(variant_, options) {
    room.reset();
    engine_.scores_order = scores_order;
    engine_.most_walks = kMostWalks;
    // As many as there is memory for, one of them at least.
    for (int i = 0; i < options.threads; ++i) {
      try {
        workers_.push_back(std::make_unique<Worker<kWords>>(engine_));
      } catch (const std::bad_alloc&) {
        if (i == 0) throw;
        break;
      }
    }
  }

  absl::StatusOr<Interval> value(const Position& position) override {
    absl::StatusOr<Interval> bounds = open_position(position);
    if (!bounds.ok()) return bounds;
    std::int64_t than = std::clamp<std::int64_t>(0, bounds->least, std::max(bounds->least, bounds->greatest - 1));
    while (!known(*bounds) && !stopped_) {
      absl::StatusOr<Interval> found = ask(than);
      if (!found.ok()) return found;
      *bounds = meet(*bounds, *found);
      if (bounds->least > bounds->greatest)
        return absl::InternalError("a search has proven bounds that contradict one another");
      than = bounds->least > than ? bounds->least : bounds->greatest - 1;
    }
    return bounds;
  }

  absl::StatusOr<Interval> compare(const Position& position, std::int64_t than) override {
    absl::StatusOr<Interval> bounds = open_position(position);
    if (!bounds.ok() || !is_open(*bounds, than) || stopped_) return bounds;
    absl::StatusOr<Interval> found = ask(than);
    if (!found.ok()) return found;
    return meet(*bounds, *found);
  }

  SearchProgress progress() const override {
    SearchProgress out;
    out.proven = proven_;
    out.question = positions_ == 0 ? 0 : positions_ - 1;
    out.nodes = engine_.nodes;
    out.successors = engine_.successors;
    out.fill = static_cast<double>(engine_.taken) / static_cast<double>(engine_.table.capacity());
    out.table_bytes = engine_.table.bytes();
    return out;
  }
  bool stopped() const override { return stopped_; }

 private:
  // What is known of a position before it is searched; if it is not all, the question is about it from now on.
  absl::StatusOr<Interval> open_position(const Position& position) {
    ++positions_;
    ASSIGN_OR_RETURN(const EndState end, end_state(variant_.rules(), position));
    if (end.ended) return Interval{end.margin.margin.units, end.margin.margin.units};
    Worker<kWords>& worker = *workers_[0];
    if (!worker.moves_of(position, engine_.root, engine_.moves)) return worker.status();
    if (engine_.moves.empty()) {
      ASSIGN_OR_RETURN(const MoverValue stuck, variant_.rules().stuck(position));
      return Interval{stuck.margin.units, stuck.margin.units};
    }
    Interval whole = engine_.score_bounds.everywhere();
    proven_ = engine_.table.probe(engine_.root.mixed, whole);
    return proven_;
  }

  // Whether the position is worth more than that: bounds that say so, or the weaker ones that were proven when it was stopped.
  absl::StatusOr<Interval> ask(std::int64_t than) {
    engine_.than = than;
    engine_.over = false;
    engine_.answered = false;
    engine_.busy.clear();
    engine_.meeting = std::make_unique<std::barrier<typename Engine<kWords>::Grow>>(
        static_cast<std::ptrdiff_t>(workers_.size()), typename Engine<kWords>::Grow{&engine_});
    std::mutex mutex;
    std::condition_variable done;
    bool no_memory = false;
    std::size_t at_work = workers_.size();
    const auto leave = [&](std::size_t count) {
      const std::lock_guard<std::mutex> lock(mutex);
      at_work -= count;
      if (at_work == 0) done.notify_one();
    };
    std::vector<std::thread> threads;
    threads.reserve(workers_.size());
    for (const auto& worker : workers_) {
      try {
        threads.emplace_back([&, w = worker.get()] {
          try {
            w->work();
          } catch (const std::bad_alloc&) {
            w->fail_for_memory();
            engine_.meeting->arrive_and_drop();
          }
          leave(1);
        });
      } catch (...) {  // no more threads to be had: std::system_error, or std::bad_alloc
        break;
      }
    }
    // Those that have none are not waited for.
    for (std::size_t i = threads.size(); i < workers_.size(); ++i) engine_.meeting->arrive_and_drop();
    leave(workers_.size() - threads.size());
    if (threads.empty()) return absl::ResourceExhaustedError(kNoThread);
    {
      constexpr std::chrono::milliseconds kLook(100);
      std::unique_lock<std::mutex> lock(mutex);
      try {
        while (!done.wait_for(lock, kLook, [&] { return at_work == 0; })) {
          if (!options_.progress || options_.progress(progress())) continue;
          stopped_ = true;
          engine_.over = true;
        }
      } catch (const std::bad_alloc&) {  // while progress was written
        no_memory = true;
        engine_.over = true;
      }
    }
    for (std::thread& thread : threads) thread.join();
    workers_.resize(threads.size());
    for (const auto& worker : workers_) no_memory = no_memory || worker->no_memory();
    if (no_memory) return absl::ResourceExhaustedError(kNoMemory);
    for (const auto& worker : workers_) {
      if (!worker->status().ok()) return worker->status();
    }
    const Interval whole = engine_.score_bounds.everywhere();
    const Interval found = engine_.answered ? engine_.answer : engine_.table.probe(engine_.root.mixed, whole);
    proven_ = meet(proven_, found);
    return found;
  }

  Variant variant_;
  SearchOptions options_;
  Engine<kWords> engine_;
  std::vector<std::unique_ptr<Worker<kWords>>> workers_;
  Interval proven_;
  std::uint64_t positions_ = 0;
  bool stopped_ = false;
};

}  // namespace

}  // namespace searching

absl::StatusOr<std::unique_ptr<Search>> Search::make(const Variant& variant, const SearchOptions& options) {
  if (!variant.tiers().acyclic()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "search: play may go round in ", variant.description().name, " on ", variant.board().name(),
        ", since nothing keeps these moves from being repeated: ", absl::StrJoin(variant.tiers().cycling(), ", "),
        "\n  what a position is worth may then depend on how it was reached (graph-history interaction), and a table "
        "of "
        "values found on the way would be wrong\n  solve it by --method graph, or take these moves away or "
        "limit them with an option"));
  }
  ASSIGN_OR_RETURN(const bool scores, searching::scores_differ(variant));
  const int bits = Packing(variant.rules(), !variant.symmetries().has_exchange()).bits();
  SearchOptions possible = options;
  try {
    // Where address space is limited, fewer threads.
    std::optional<LazyMemory> room;
    possible.threads = std::max(1, options.threads);
    while (true) {
      const std::uint64_t wanted = searching::kRoomBytes * static_cast<std::uint64_t>(possible.threads);
      if (room.emplace(wanted).bytes() >= wanted) break;
      if (--possible.threads == 0) return absl::ResourceExhaustedError(searching::kNoMemory);
    }
    if (bits <= 64) return std::make_unique<searching::Driver<1>>(variant, possible, scores, room);
    if (bits <= 128) return std::make_unique<searching::Driver<2>>(variant, possible, scores, room);
    if (bits <= 256) return std::make_unique<searching::Driver<4>>(variant, possible, scores, room);
    return std::make_unique<searching::Driver<8>>(variant, possible, scores, room);
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(searching::kNoMemory);
  }
}

}  // namespace plenum
