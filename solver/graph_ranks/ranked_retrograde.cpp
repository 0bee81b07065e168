// SPDX-License-Identifier: Apache-2.0
// Values and remoteness of one tier that ranks share (retrograde.cpp of the room graph, step by step).
//
// The ranks take the same steps: for each margin from the largest, the plies from the fewest that any rank has something at. What a step
// tells the predecessors on other ranks arrives before the next one, so that the first value found is the exact one, as there.
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "solver/graph/outside.h"
#include "solver/graph_ranks/ranked_values.h"

namespace plenum {
namespace {

constexpr std::int32_t kDone = std::numeric_limits<std::int32_t>::min() / 2;  // stays negative when it is counted down
constexpr std::uint64_t kNothing = ~std::uint64_t{0};
constexpr std::uint64_t kStepsBetweenAsks = 64;

class RankedRetrograde {
 public:
  RankedRetrograde(const RankedGraph& graph, const RankedTier& tier, std::span<const std::uint32_t> open,
                   Solution& solution, Ranks& ranks, const std::function<bool()>& go_on)
      : graph_(graph),
        tier_(tier),
        solution_(solution),
        ranks_(ranks),
        go_on_(go_on),
        open_(open.begin(), open.end()),
        mail_(ranks) {}

  bool run() {
    for (PositionIndex i = 0; i < tier_.size(); ++i) {
      if (graph_.ended(tier_.begin() + i)) open_[i] = kDone;
    }
    sort_by_floor();
    for (std::size_t t = graph_.level.size() - 1; t > 0; --t) {
      if (!resolve_level(static_cast<MarginRank>(t))) return false;
    }
    for (PositionIndex i = 0; i < tier_.size(); ++i) {
      if (open_[i] >= 0) enter(i, 0, {});
    }
    return true;
  }

 private:
  struct Step {
    std::vector<PositionIndex> seeds;     // wins through outside successors, unless resolved before
    std::vector<PositionIndex> resolved;  // entered already
  };

  void sort_by_floor() {
    by_floor_.resize(graph_.level.size());
    for (PositionIndex i = 0; i < tier_.size(); ++i) {
      if (open_[i] >= 0 && floor(i) != kNoFloor && floor(i) != 0)
        by_floor_[static_cast<std::size_t>(std::abs(floor(i)))].push_back(i);
    }
  }

  bool resolve_level(MarginRank t) {
    for (const PositionIndex p : std::exchange(by_floor_[static_cast<std::size_t>(t)], {})) {
      if (open_[p] < 0) continue;
      if (floor(p) == t) step(floor_plies(p)).seeds.push_back(p);
      if (floor(p) == -t && open_[p] == 0) {
        const Ply plies = floor_plies(p);
        resolve(p, -t, plies);
        step(plies).resolved.push_back(p);
      }
    }
    for (std::uint64_t from = 0;;) {
      while (from < steps_.size() && steps_[from].seeds.empty() && steps_[from].resolved.empty()) ++from;
      const std::vector<std::uint64_t> all = ranks_.gather(from < steps_.size() ? from : kNothing);
      const std::uint64_t now = *std::min_element(all.begin(), all.end());
      if (now == kNothing) break;
      if (++taken_ % kStepsBetweenAsks == 0 && !go_on_()) return false;
      take(t, {static_cast<std::uint32_t>(now)});
      from = now + 1;
    }
    steps_.clear();
    return true;
  }

  void take(MarginRank t, Ply ply) {
    Step now;
    if (ply.count < steps_.size()) now = std::exchange(steps_[ply.count], {});
    for (const PositionIndex p : now.seeds) {
      if (open_[p] < 0) continue;
      resolve(p, t, ply);
      now.resolved.push_back(p);
    }
    const auto hear = [&](PositionIndex p, bool loses) {
      if (loses) {
        lose_through(p, t, ply);
      } else {
        win_through(p, t, ply);
      }
    };
    const auto tell = [&](std::size_t i) {
      const bool loses = solution_.value[tier_.begin() + now.resolved[i]] == t;  // for its predecessors
      for (const std::uint32_t source : tier_.predecessors(now.resolved[i])) {
        const RankedTier::Member p = tier_.member(source);
        if (p.rank == graph_.rank) {
          hear(p.at, loses);
        } else {
          mail_.add(p.rank, p.at << 1 | (loses ? 1 : 0));
        }
      }
    };
    mail_.in_rounds(now.resolved.size(), tell,
                    [&](PositionIndex told, std::size_t /*rank*/) { hear(told >> 1, (told & 1) != 0); });
  }

  MarginRank floor(PositionIndex p) const { return solution_.value[tier_.begin() + p]; }
  Ply floor_plies(PositionIndex p) const { return solution_.remoteness[tier_.begin() + p]; }
  Step& step(Ply ply) {
    if (ply.count >= steps_.size()) steps_.resize(ply.count + 1);
    return steps_[ply.count];
  }
  void resolve(PositionIndex p, MarginRank value, Ply plies) {
    open_[p] = kDone;
    enter(p, value, plies);
  }
  void enter(PositionIndex p, MarginRank value, Ply plies) {
    solution_.value[tier_.begin() + p] = value;
    solution_.remoteness[tier_.begin() + p] = plies;
  }

  // A successor of p is a loss by t: p wins by t.
  void win_through(PositionIndex p, MarginRank t, Ply ply) {
    if (open_[p] < 0) return;
    resolve(p, t, ply.next());
    step(ply.next()).resolved.push_back(p);
  }
  // A successor of p is a win by t: if nothing else is left, p loses by t.
  void lose_through(PositionIndex p, MarginRank t, Ply ply) {
    if (open_[p]-- != 1 || floor(p) > -t) return;
    const Ply plies = floor(p) == -t ? std::max(ply.next(), floor_plies(p)) : ply.next();
    resolve(p, -t, plies);
    step(plies).resolved.push_back(p);
  }

  const RankedGraph& graph_;
  const RankedTier& tier_;
  Solution& solution_;
  Ranks& ranks_;
  const std::function<bool()>& go_on_;
  std::vector<std::int32_t> open_;  // inner successors that are not (yet) wins of the opponent
  std::vector<std::vector<PositionIndex>> by_floor_;
  std::vector<Step> steps_;   // by ply
  Mail<PositionIndex> mail_;  // places in the tier of predecessors, and below them whether they lose through it
  std::uint64_t taken_ = 0;
};

}  // namespace

bool ranked_retrograde(const RankedGraph& graph, const RankedTier& tier, std::span<const std::uint32_t> open,
                       Solution& solution, Ranks& ranks, const std::function<bool()>& go_on) {
  return RankedRetrograde(graph, tier, open, solution, ranks, go_on).run();
}

}  // namespace plenum
