// SPDX-License-Identifier: Apache-2.0
#include "solver/graph_ranks/ranked_solve.h"

#include <bit>
#include <cstdlib>
#include <map>

#include "solver/graph/graph_table.h"
#include "solver/graph/position_counts.h"
#include "solver/graph_ranks/mail.h"
#include "solver/graph_ranks/ranked_components.h"
#include "solver/graph_ranks/ranked_layers.h"
#include "solver/graph_ranks/ranked_lifts.h"
#include "solver/graph_ranks/ranked_moves.h"
#include "solver/graph_ranks/ranked_play.h"
#include "solver/graph_ranks/ranked_values.h"
#include "solver/support/memory.h"
#include "tables/index/packing.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::uint64_t kManyPositions = 100'000;  // of a tier: what it took is given back to the system at once

// Whether a place in a tier fits beside a rank in a source (ranked_tier.h).
absl::Status check_tiers(const RankedGraph& graph) {
  const auto rank_bits = std::bit_width(graph.ranks() - 1);
  for (std::size_t t = 0; t < graph.tiers(); ++t) {
    for (std::size_t r = 0; r < graph.ranks(); ++r) {
      const std::uint64_t size = graph.begin[r][t + 1] - graph.begin[r][t];
      if (std::bit_width(size) + rank_bits > 32)
        return absl::ResourceExhaustedError("a tier has more positions than can be numbered by so many ranks");
    }
  }
  return absl::OkStatus();
}

class RankedAnalysis {
 public:
  RankedAnalysis(const Variant& variant, const Position& start, const RankedOptions& options, Ranks& ranks)
      : variant_(variant), start_(start), options_(options), ranks_(ranks) {}
  absl::StatusOr<RankedSolved> run();

 private:
  // The root's answer, on all ranks.
  bool report(const char* what, std::uint64_t done, const char* stage) {
    const bool stop = ranks_.root() && options_.progress && !options_.progress({what, done, graph_.positions, stage});
    return !ranks_.any(stop);
  }
  Statistics own_counts(const Solution& solution, const RankedLifts& lifts) const;
  Statistics counts(const Solution& solution, const RankedLifts& lifts);
  absl::Status read_values(const RankedLayers& layers, Summary& summary);
  bool look_at_play(std::span<const std::uint32_t> inner, const RankedLifts& lifts, const Solution& solution,
                    Summary& summary);

  const Variant& variant_;
  const Position start_;
  const RankedOptions& options_;
  Ranks& ranks_;
  RankedGraph graph_;
};

// Of this rank's positions.
Statistics RankedAnalysis::own_counts(const Solution& solution, const RankedLifts& lifts) const {
  const Packing packing(variant_.rules(), !variant_.symmetries().has_exchange());
  const bool exchange = variant_.symmetries().has_exchange();
  const auto second_moves = [&](PositionIndex p) {
    if (exchange) return false;
    Key<8> key = {};
    std::memcpy(key.data(), graph_.keys.data() + p * graph_.key_bytes, graph_.key_bytes);
    return packing.unpack<8>(key).mover == Player::second;
  };
  const auto moves = [&](PositionIndex p) { return graph_.degree(p); };
  return count_positions(graph_, solution, lifts, second_moves, moves);
}

Statistics RankedAnalysis::counts(const Solution& solution, const RankedLifts& lifts) {
  static constexpr std::uint64_t Statistics::*kSums[] = {
      &Statistics::reachable, &Statistics::canonical,   &Statistics::ended,     &Statistics::first,
      &Statistics::second,    &Statistics::tie,         &Statistics::cycle,     &Statistics::forced_cycle,
      &Statistics::moves,     &Statistics::ended_first, &Statistics::ended_tie, &Statistics::ended_second};
  const Statistics own = own_counts(solution, lifts);
  Parcel bytes;
  for (const auto member : kSums) put(bytes, own.*member);
  put(bytes, own.most_moves);
  for (const auto& [value, n] : own.margins) {
    put(bytes, value.margin.units);
    put(bytes, n);
  }
  Statistics out;
  for (const Parcel& parcel : ranks_.gather(bytes)) {
    ParcelReader reader(parcel);
    for (const auto member : kSums) out.*member += reader.get<std::uint64_t>();
    out.most_moves = std::max(out.most_moves, reader.get<std::uint64_t>());
    while (!reader.empty()) {
      const FirstValue value{Margin{reader.get<std::int64_t>()}};
      out.margins[value] += reader.get<std::uint64_t>();
    }
  }
  return out;
}

// The values of the start and of what the first moves lead to, from the ranks that have them.
absl::Status RankedAnalysis::read_values(const RankedLayers& layers, Summary& summary) {
  std::vector<Position> positions = {start_};
  ASSIGN_OR_RETURN(const EndState end, end_state(variant_.rules(), start_));
  if (!end.ended) {
    ASSIGN_OR_RETURN(const std::vector<Successor> next, successors(variant_.rules(), start_));
    for (const Successor& s : next) positions.push_back(s.position);
  }
  Parcel own;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::optional<std::size_t> found = layers.own().find(variant_.symmetries().canonical(positions[i]).position);
    if (!found) continue;
    put(own, i);
    put(own, layers.own().value(*found, positions[i].mover));
  }
  std::vector<std::optional<PositionValue>> values(positions.size());
  for (const Parcel& parcel : ranks_.gather(own)) {
    for (ParcelReader reader(parcel); !reader.empty();) {
      const auto i = reader.get<std::size_t>();
      values[i] = reader.get<PositionValue>();
    }
  }
  return read_start(
      [&](const Position& p) -> absl::StatusOr<PositionValue> {
        for (std::size_t i = 0; i < positions.size(); ++i) {
          if (positions[i] == p && values[i]) return *values[i];
        }
        return absl::InternalError("a first move leads to no position that was found");
      },
      summary);
}

// Components and random play, from the first tier on. False: interrupted.
bool RankedAnalysis::look_at_play(std::span<const std::uint32_t> inner, const RankedLifts& lifts,
                                  const Solution& solution, Summary& summary) {
  if (!options_.extras.components && !options_.extras.random_play) return true;
  release_free_memory();
  RankedComponents components(graph_, lifts, ranks_);
  RankedPlay play(graph_, solution, options_.least_shared_equations, ranks_);
  std::vector<std::uint32_t> component;
  std::uint64_t done = 0;
  for (std::size_t t = 0; t < graph_.tiers(); ++t) {
    if (!report("finding cycles", done, "components")) return false;
    RankedTier tier(graph_, t, inner, options_.extras.random_play, ranks_);
    const RankedLargest largest = components.add(tier, component);
    if (options_.extras.random_play) {
      if (!report("random play", done, "random play")) return false;
      play.pass(tier, component, largest);
    }
    done += graph_.tier_size(t);
    // This is the last look at edges.
    graph_.edge.release(graph_.first_edge[graph_.tier_begin(t)], graph_.first_edge[graph_.tier_end(t)]);
    if (graph_.tier_size(t) > kManyPositions) release_free_memory();
  }
  if (options_.extras.components) {
    summary.components = components.all();
    summary.cyclic = summary.components->count > 0;
  }
  if (options_.extras.random_play) {
    summary.random_play = play.result();
    if (start_.mover == Player::second) std::swap(summary.random_play->first, summary.random_play->second);
  }
  return true;
}

absl::StatusOr<RankedSolved> RankedAnalysis::run() {
  ASSIGN_OR_RETURN(
      graph_,
      ranked_enumerate(variant_, start_, options_.limits, ranks_, [&](std::uint64_t positions, const char* stage) {
        return !options_.progress || options_.progress({"finding positions", positions, 0, stage});
      }));
  RETURN_IF_ERROR(ranks_.agree(check_tiers(graph_)));
  bool whole = true;
  const RankedProgressFn go_on = [&](const char* stage, std::uint64_t done) {
    whole = whole && report("solving", done, stage);
    return whole;
  };
  Summary summary;
  summary.variant = std::make_shared<const Variant>(variant_);
  summary.start = start_;
  summary.stored = graph_.positions;
  const std::vector<std::uint32_t> inner = count_inner(graph_, ranks_);
  release_free_memory();
  const Solution solution = ranked_values(graph_, inner, ranks_, go_on);
  if (!whole || !go_on("counts", graph_.positions)) return absl::CancelledError("interrupted");
  release_free_memory();
  const RankedLifts lifts(graph_, ranks_);
  release_free_memory();
  summary.statistics = counts(solution, lifts);
  Measures moves = ranked_moves(variant_, graph_, solution, lifts, ranks_);
  if (!look_at_play(inner, lifts, solution, summary)) return absl::CancelledError("interrupted");

  graph_.edge.clear();
  release_free_memory();
  ASSIGN_OR_RETURN(std::shared_ptr<const RankedLayers> layers,
                   RankedLayers::of(variant_, graph_, solution, lifts, ranks_));
  RETURN_IF_ERROR(read_values(*layers, summary));
  return RankedSolved{std::move(summary), std::move(layers), std::move(moves)};
}

}  // namespace

absl::StatusOr<RankedSolved> ranked_solve(const Variant& variant, const Position& start, const RankedOptions& options,
                                          Ranks& ranks) {
  return RankedAnalysis(variant, start, options, ranks).run();
}

}  // namespace plenum
