// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/best_line.h"

#include <set>

#include "variants/text/status_macros.h"

namespace plenum {

void BestLines::find_ranks() {
  const PositionGraph& graph = game_.graph();
  const Solution& solution = game_.solution();
  const std::size_t n = graph.size();
  mover_rank_.assign(n, kNever);
  other_rank_.assign(n, kNever);
  std::vector<EdgeIndex> first(n + 1, 0);
  for (EdgeIndex e = 0; e < graph.edge.size(); ++e) ++first[std::size_t{graph.successor(e)} + 1];
  for (std::size_t p = 0; p < n; ++p) first[p + 1] += first[p];
  std::vector<PositionIndex> predecessor(graph.edge.size());
  std::vector<EdgeIndex> at(first.begin(), first.end() - 1);
  std::vector<std::uint32_t> open(n);
  for (PositionIndex p = 0; p < n; ++p) {
    open[p] = static_cast<std::uint32_t>(graph.successors(p).size());
    for (const PositionIndex q : graph.successors(p)) predecessor[at[q]++] = p;
  }
  // Turn by turn outwards from what is an end at 0, or better than 0 for the one who forces.
  struct Reached {
    PositionIndex p;
    bool mover;
  };
  std::vector<Reached> queue;
  for (PositionIndex p = 0; p < n; ++p) {
    const MarginRank v = solution.value[p];
    if (v > 0 || (v == 0 && graph.ended(p))) {
      mover_rank_[p] = 0;
      queue.push_back({p, true});
    }
    if (v < 0 || (v == 0 && graph.ended(p))) {
      other_rank_[p] = 0;
      queue.push_back({p, false});
    }
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto [q, mover] = queue[i];
    for (EdgeIndex e = first[q]; e < first[std::size_t{q} + 1]; ++e) {
      const PositionIndex p = predecessor[e];
      if (!mover && mover_rank_[p] == kNever) {
        mover_rank_[p] = other_rank_[q] + 1;
        queue.push_back({p, true});
      } else if (mover && --open[p] == 0 && other_rank_[p] == kNever) {
        other_rank_[p] = mover_rank_[q] + 1;
        queue.push_back({p, false});
      }
    }
  }
}

std::uint32_t BestLines::rank(const Position& position, bool mover_forces) const {
  const auto p = game_.store().find(game_.variant().symmetries().canonical(position).position);
  if (!p) return kNever;
  return mover_forces ? mover_rank_[*p] : other_rank_[*p];
}

Player BestLines::forcing(const Position& position) {
  const auto here = game_.value(position);
  if (!here || here->ended || here->outcome != Outcome::tie) return position.mover;
  if (mover_rank_.empty()) find_ranks();
  return rank(position, true) != kNever ? position.mover : other(position.mover);
}

absl::StatusOr<std::vector<ValuedMove>> BestLines::best(const Position& position, Player forcing) {
  ASSIGN_OR_RETURN(std::vector<ValuedMove> moves, game_.moves(position));
  const PositionValue here = *game_.value(position);
  if (here.outcome == Outcome::tie && !here.ended && mover_rank_.empty()) find_ranks();
  const bool mover_forces = forcing == position.mover;
  std::vector<ValuedMove> out;
  std::int64_t most = 0;
  for (ValuedMove& move : moves) {
    if (!move.keeps) continue;
    std::int64_t preference = 0;
    if (here.plies) {
      const std::int64_t plies = move.after.plies ? move.after.plies->count : 0;
      preference = to_mover(here.margin, position.mover).margin.units > 0 ? -plies : plies;
    } else if (here.outcome == Outcome::tie) {
      const std::uint32_t left = rank(move.successor.position, !mover_forces);
      preference = mover_forces ? -std::int64_t{left} : std::int64_t{left};
    } else {  // nobody agrees to end it; there always is such a move
      preference = move.after.outcome == Outcome::cycle ? 1 : 0;
    }
    if (!out.empty() && preference < most) continue;
    if (preference > most) out.clear();
    most = preference;
    out.push_back(std::move(move));
  }
  return out;
}

absl::StatusOr<BestLine> BestLines::from(const Position& position) {
  BestLine out;
  Position at = position;
  std::set<std::string> seen;
  const Player force = forcing(position);
  for (;;) {
    if (!seen.insert(game_.variant().rules().write(at)).second) {
      out.repeats = true;
      return out;
    }
    ASSIGN_OR_RETURN(const std::vector<ValuedMove> moves, best(at, force));
    if (moves.empty()) return out;
    at = moves.front().successor.position;
    out.moves.push_back({moves.front().successor.text, false, at});
  }
}

}  // namespace plenum
