// SPDX-License-Identifier: Apache-2.0
#include "solver/study/perft.h"

#include "solver/support/parallel.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// Depth first by batches, so that memory stays small and expansion is by many positions at a time.
absl::Status count(const Rules& rules, const PositionBatch& batch, int depth,
                   std::vector<std::unique_ptr<Rules::Scratch>>& scratch, std::uint64_t& nodes) {
  if (scratch.size() < static_cast<std::size_t>(depth)) scratch.resize(static_cast<std::size_t>(depth));
  auto& own = scratch[static_cast<std::size_t>(depth) - 1];
  if (!own) own = std::make_unique<Rules::Scratch>(rules);
  RETURN_IF_ERROR(rules.expand(batch, *own));
  if (depth == 1) {
    nodes += own->successors.size;
    return absl::OkStatus();
  }
  PositionBatch next(static_cast<int>(batch.planes.size()), static_cast<int>(batch.state.size()));
  const auto go_on = [&]() -> absl::Status {
    if (next.size == 0) return absl::OkStatus();
    absl::Status deeper = count(rules, next, depth - 1, scratch, nodes);
    next.clear();
    return deeper;
  };
  for (std::size_t i = 0; i < own->successors.size; ++i) {
    if (own->ended[i] == 0) next.push(own->successors.at(i));
    if (next.size < kLanes) continue;
    RETURN_IF_ERROR(go_on());
  }
  return go_on();
}

}  // namespace

absl::StatusOr<Perft> perft(const Rules& rules, const Position& position, int depth) {
  Perft out;
  ASSIGN_OR_RETURN(const EndState end, end_state(rules, position));
  if (depth == 0 || end.ended) {
    out.nodes = depth == 0 ? 1 : 0;
    return out;
  }
  ASSIGN_OR_RETURN(const std::vector<Successor> moves, successors(rules, position));
  out.divide.resize(moves.size());
  std::vector<absl::Status> status(moves.size());
  for_each_index(moves.size(), [&](std::size_t i) {
    const Successor& s = moves[i];
    out.divide[i] = {s.text, depth == 1 ? 1U : 0U};
    if (depth == 1 || s.ended) return;
    PositionBatch batch = rules.batch();
    batch.push(s.position);
    std::vector<std::unique_ptr<Rules::Scratch>> scratch;
    status[i] = count(rules, batch, depth - 1, scratch, out.divide[i].second);
  });
  for (std::size_t i = 0; i < moves.size(); ++i) {
    RETURN_IF_ERROR(status[i]);
    out.nodes += out.divide[i].second;
  }
  return out;
}

}  // namespace plenum
