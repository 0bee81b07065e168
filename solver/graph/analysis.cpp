// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/analysis.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <utility>

#include <absl/strings/str_cat.h>

#include "solver/graph/components.h"
#include "solver/graph/position_counts.h"
#include "solver/graph/random_play.h"
#include "solver/graph/solve.h"
#include "solver/support/memory.h"
#include "solver/support/parallel.h"
#include "variants/text/status_macros.h"

namespace plenum {

PositionValue SolvedGame::value_of(PositionIndex p, Player mover) const {
  const Solution& s = *solution_;
  return position_value(graph_->margin(s.value[p]), s.remoteness[p], s.facts[p], graph_->ended(p), mover);
}

std::optional<PositionValue> SolvedGame::value(const Position& position) const {
  const auto found = store_->find(data_.variant->symmetries().canonical(position).position);
  if (!found) return std::nullopt;
  return value_of(*found, position.mover);
}

bool SolvedGame::reachable(const Position& position) const { return reachable_value(position).has_value(); }

std::optional<PositionValue> SolvedGame::reachable_value(const Position& position) const {
  const SymmetryGroup::Canonical canonical = data_.variant->symmetries().canonical(position);
  const auto found = store_->find(canonical.position);
  if (!found || !lifts_->contains(*found, data_.variant->symmetries().group().inverse(canonical.element)))
    return std::nullopt;
  return value_of(*found, position.mover);
}

absl::StatusOr<std::vector<ValuedMove>> SolvedGame::moves(const Position& position) const {
  std::vector<ValuedMove> out;
  const PositionValue here = *value(position);
  if (here.ended) return out;
  ASSIGN_OR_RETURN(std::vector<Successor> legal, successors(data_.variant->rules(), position));
  for (Successor& s : legal) {
    const PositionValue after = *value(s.position);
    out.push_back({std::move(s), after, after.margin == here.margin});
  }
  return out;
}

std::uint64_t SolvedGame::bytes() const {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  const PositionGraph& g = *graph_;
  return store_->bytes() + g.first_edge.bytes() + of(g.edge) + of(g.symmetry) + g.end_rank.bytes() + of(g.stabilizer) +
         of(solution_->value) + of(solution_->remoteness) + of(solution_->facts) + lifts_->bytes() +
         (data_.components ? of(data_.components->cycle_bits) : 0);
}

void SolvedGame::count() {
  // A stored position's player to move is first, unless the players cannot be exchanged and it says otherwise.
  const bool exchange = data_.variant->symmetries().has_exchange();
  const auto second_moves = [&](PositionIndex p) { return !exchange && store_->position(p).mover == Player::second; };
  const auto moves = [&](PositionIndex p) -> std::uint64_t { return graph_->successors(p).size(); };
  data_.statistics = count_positions(*graph_, *solution_, *lifts_, second_moves, moves);
}

absl::StatusOr<std::optional<Measures>> measure_play(const SolvedGame& game, std::uint64_t most_edges,
                                                     std::uint64_t memory_bytes, std::uint64_t held_bytes,
                                                     const std::function<bool()>& go_on) {
  const std::optional<bool> cyclic = game.summary().cyclic;
  if (!cyclic || most_edges == 0 || game.graph().edge.size() / (*cyclic ? 1 : 10) > most_edges) return std::nullopt;
  const std::uint64_t held = base_memory() + held_bytes + game.bytes();
  // Where play can go round, many small pieces of work are better than few.
  const bool together = !*cyclic && held + measuring_bytes(game.graph(), *cyclic, true, 1) <= memory_bytes;
  const auto needed_by = [&](std::size_t threads) {
    return held + measuring_bytes(game.graph(), *cyclic, together, threads);
  };
  std::size_t threads = worth_sharing(game.graph().edge.size()) ? thread_count() : 1;
  while (threads > 1 && needed_by(threads) > memory_bytes) --threads;
  if (needed_by(threads) > memory_bytes) {
    if (most_edges != kMeasureAll) return std::nullopt;
    return absl::ResourceExhaustedError(absl::StrCat("memory: to measure play takes some ", memory_text(needed_by(1)),
                                                     "; ", memory_text(memory_bytes),
                                                     " may be used\n  give more with --memory"));
  }
  Stop stop(go_on);
  std::optional<Measures> out;
  if (!stop.ask()) {
    out = measure(game.variant(), game.start(), game.store(), game.graph(), game.solution(), game.lifts(), *cyclic,
                  together, threads, &stop);
  }
  if (stop.stopped()) return absl::CancelledError("interrupted");
  return out;
}

absl::StatusOr<SolvedGame> solve_game(const Variant& variant, const Position& start, const SolveOptions& options) {
  const auto report = [&](const char* what, std::uint64_t done, std::uint64_t total, const char* stage) {
    return !options.progress || options.progress({what, done, total, stage});
  };
  ASSIGN_OR_RETURN(Enumeration found,
                   enumerate(variant, start, options.limits, [&](std::uint64_t positions, const char* stage) {
                     return report("finding positions", positions, 0, stage);
                   }));
  SolvedGame out;
  out.data_.variant = std::make_shared<const Variant>(variant);
  out.data_.start = start;
  out.store_ = std::move(found.store);
  const auto graph = std::make_shared<PositionGraph>(std::move(found.graph));
  out.graph_ = graph;
  const std::uint64_t total = out.graph_->size();
  if (!report("solving", 0, total, "counts")) return absl::CancelledError("interrupted");
  out.lifts_ = std::make_shared<const Lifts>(*out.graph_);
  out.data_.stored = total;
  // What takes most memory comes before there are values.
  std::vector<LargestComponent> largest;
  if (options.extras.components) {
    if (!report("finding cycles", 0, total, "components")) return absl::CancelledError("interrupted");
    out.data_.components = find_components(*out.graph_, *out.lifts_, &largest);
    out.data_.cyclic = out.data_.components->count > 0;
  }
  if (options.extras.random_play) {
    release_free_memory();
    if (!report("random play", 0, total, "random play")) return absl::CancelledError("interrupted");
    out.data_.random_play = random_play(*graph, largest);
    if (start.mover == Player::second) std::swap(out.data_.random_play->first, out.data_.random_play->second);
  }
  release_free_memory();
  SolveProgress solving;
  Stop stop([&] { return report("solving", solving.solved, total, solving.stage); });
  out.solution_ = std::make_shared<const Solution>(solve(*graph, &stop, &solving));
  if (stop.stopped() || !report("solving", total, total, "counts")) return absl::CancelledError("interrupted");
  out.count();
  ASSIGN_OR_RETURN(out.data_.measures, measure_play(out, options.extras.most_measured_edges,
                                                    options.limits.memory_bytes, options.limits.held_bytes, [&] {
                                                      return report("measuring", 0, out.graph_->size(), "measures");
                                                    }));
  // Last, since the first look-up makes the store list its keys.
  out.data_.start_value = *out.value(start);
  RETURN_IF_ERROR(find_openings([&](const Position& p) { return *out.value(p); }, out.data_));
  return out;
}

}  // namespace plenum
