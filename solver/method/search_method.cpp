// SPDX-License-Identifier: Apache-2.0
// Alpha-beta search (solver/search): the start, and each position that is asked for.
#include <algorithm>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <absl/strings/str_join.h>

#include "solver/endings/ending.h"
#include "solver/method/all_methods.h"
#include "solver/search/searched_game.h"
#include "solver/support/memory.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::uint64_t kSearchBytes = 4'000'000;  // of a thread, besides the table

absl::StatusOr<Summary> searched(const Variant& variant, const Position& start, bool openings, const Request& request) {
  // What is asked for in no order at all is of no use on a disk.
  const std::uint64_t memory = request.free_bytes() - std::min(request.free_bytes(), request.wanted.scratch_bytes);
  const std::uint64_t base = base_memory() + kSearchBytes * static_cast<std::uint64_t>(request.threads);
  if (memory < 2 * base) {
    return absl::ResourceExhaustedError(
        absl::StrCat("memory: searching needs at least ", memory_text(2 * base), "; ", memory_text(memory),
                     " may be used\n  give more with --memory, or use fewer --threads"));
  }
  release_free_memory();  // of an enumeration that did not fit
  SearchGameOptions options;
  options.openings = openings;
  options.search.memory_bytes = memory - base;
  options.search.threads = request.threads;
  const bool first_moves = start.mover == Player::first;
  options.search.progress = [&](const SearchProgress& p) {
    if (!request.progress) return true;
    const auto text = [&](std::int64_t units) { return variant.margin_text({units}); };
    return request.progress({"searching", p.nodes, 0,
                             absl::StrFormat("nodes; %s is worth %s to %s to %s so far; table %.0f %% of %s",
                                             p.question == 0 ? "the start" : absl::StrCat("position ", p.question),
                                             text(p.proven.least), text(p.proven.greatest),
                                             p.question > 0 ? "its mover"
                                             : first_moves  ? "first"
                                                            : "second",
                                             100 * p.fill, memory_text(p.table_bytes))});
  };
  return search_game(variant, start, options);
}

// Each position that is asked for is searched, with its moves; the last one is remembered.
class SearchResult final : public Result {
 public:
  SearchResult(Summary summary, Request request) : Result(std::move(summary)), request_(std::move(request)) {}

  absl::StatusOr<PositionValue> value(const Position& position) const override {
    ASSIGN_OR_RETURN(const Summary* const found, ask(position));
    return *found->start_value;
  }
  absl::StatusOr<bool> reachable(const Position& /*position*/) const override {
    return absl::UnimplementedError("a search does not find out which positions are reachable");
  }
  absl::StatusOr<std::vector<ValuedMove>> moves(const Position& position) const override {
    ASSIGN_OR_RETURN(const Summary* const found, ask(position));
    std::vector<ValuedMove> out;
    if (found->start_value->ended) return out;
    ASSIGN_OR_RETURN(std::vector<Successor> moves, successors(variant().rules(), position));
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const PositionValue& after = found->openings[i].after;
      out.push_back({std::move(moves[i]), after, after.margin == found->start_value->margin});
    }
    return out;
  }
  absl::StatusOr<BestLine> line(const Position& position) const override {
    ASSIGN_OR_RETURN(const Summary* const found, ask(position));
    BestLine out;
    if (found->line) out.moves = found->line->moves;
    return out;
  }

 private:
  absl::StatusOr<const Summary*> ask(const Position& position) const {
    if (!asked_ || !(asked_->start == position)) {
      ASSIGN_OR_RETURN(Summary found, searched(variant(), position, true, request_));
      if (found.stopped) return absl::CancelledError("interrupted");
      asked_ = std::move(found);
    }
    return &*asked_;
  }

  Request request_;
  mutable std::optional<Summary> asked_;
};

class SearchMethod final : public Method {
 public:
  SearchMethod()
      : Method(MethodId::search, "search", "the value of the start alone, by alpha-beta search", {.margins = true}) {}
  std::optional<std::string> obstacle(const Game& game) const override {
    if (!game.variant().tiers().acyclic() && !start_obstacle(game))
      return absl::StrCat("play may go round by ", absl::StrJoin(game.variant().tiers().cycling(), ", "),
                          ", and what a position is worth may then depend on how it was reached (graph-history "
                          "interaction)");
    return start_obstacle(game);
  }
  absl::StatusOr<std::optional<Estimate>> estimate(const Game&, const Wanted&) const override {
    return std::optional<Estimate>();
  }
  absl::StatusOr<SharedResult> solve(const Game& game, const Request& request) const override {
    Summary summary;
    if (request.wanted.lookup) {  // whoever asks for single positions need not wait for the start
      summary.variant = std::make_shared<const Variant>(game.variant());
      summary.method = name();
      summary.start = game.start();
      summary.openings_known = false;
    } else {
      ASSIGN_OR_RETURN(summary, searched(game.variant(), game.start(), request.wanted.openings, request));
    }
    return std::make_shared<const SearchResult>(std::move(summary), request);
  }
};

}  // namespace

const Method& search_method() {
  static const SearchMethod method;
  return method;
}

}  // namespace plenum
