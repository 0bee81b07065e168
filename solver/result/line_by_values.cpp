// SPDX-License-Identifier: Apache-2.0
#include "solver/result/line_by_values.h"

#include <algorithm>
#include <map>
#include <string>

#include "variants/graph/position.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kMostPositions = 100'000;  // looked at for the end of a tie

bool ends_for(const PositionValue& value, Player player) {
  return player == Player::first ? value.first_ends : value.second_ends;
}

LineMove as_line(const ValuedMove& move) { return {move.successor.text, !move.keeps, move.successor.position}; }

// Breadth first over moves that keep a tie, and keep it a tie that `forcing` can end at their turns.
absl::StatusOr<BestLine> line_of_tie(const Result& game, const Position& start, Player forcing) {
  struct Node {
    Position position;
    std::size_t from = 0;
    LineMove move;
  };
  std::vector<Node> nodes = {{start, 0, {}}};
  std::map<std::string, bool> seen;
  const auto key = [&](const Position& p) { return game.variant().rules().write(p); };
  seen[key(start)] = true;
  for (std::size_t i = 0; i < nodes.size() && nodes.size() < kMostPositions; ++i) {
    ASSIGN_OR_RETURN(const std::vector<ValuedMove> moves, moves_by_values(game, nodes[i].position));
    for (const ValuedMove& move : moves) {
      if (!move.keeps || !ends_for(move.after, forcing)) continue;
      if (!seen.emplace(key(move.successor.position), true).second) continue;
      nodes.push_back({move.successor.position, i, as_line(move)});
      if (!move.after.ended) continue;
      BestLine out;
      for (std::size_t at = nodes.size() - 1; at != 0; at = nodes[at].from) out.moves.push_back(nodes[at].move);
      std::reverse(out.moves.begin(), out.moves.end());
      return out;
    }
  }
  return BestLine();
}

}  // namespace

absl::StatusOr<std::vector<ValuedMove>> moves_by_values(const Result& game, const Position& position) {
  std::vector<ValuedMove> out;
  ASSIGN_OR_RETURN(const PositionValue here, game.value(position));
  if (here.ended) return out;
  ASSIGN_OR_RETURN(std::vector<Successor> legal, successors(game.variant().rules(), position));
  std::vector<Position> next;
  next.reserve(legal.size());
  for (const Successor& s : legal) next.push_back(s.position);
  ASSIGN_OR_RETURN(const std::vector<std::optional<PositionValue>> after, game.values(next, Result::Among::all));
  for (std::size_t i = 0; i < legal.size(); ++i) {
    const std::optional<PositionValue>& value = after[i];
    if (!value) return game.value(next[i]).status();  // says why
    out.push_back({std::move(legal[i]), *value, value->margin == here.margin});
  }
  return out;
}

absl::StatusOr<BestLine> line_by_values(const Result& game, const Position& position) {
  ASSIGN_OR_RETURN(const PositionValue here, game.value(position));
  BestLine out;
  if (here.ended) return out;
  if (here.outcome == Outcome::tie) {
    const Player forcing = ends_for(here, position.mover) ? position.mover : other(position.mover);
    return line_of_tie(game, position, forcing);
  }
  const bool cycle = here.outcome == Outcome::cycle;
  if (!cycle && !here.plies) return out;
  std::vector<Position> met = {position};
  for (Position at = position;;) {
    ASSIGN_OR_RETURN(const std::vector<ValuedMove> moves, moves_by_values(game, at));
    const bool hurries = (here.outcome == Outcome::first) == (at.mover == Player::first);
    const ValuedMove* best = nullptr;
    for (const ValuedMove& move : moves) {
      if (!move.keeps || (cycle && move.after.outcome != Outcome::cycle)) continue;
      if (!cycle && !move.after.plies) continue;
      if (best == nullptr || (!cycle && (hurries ? move.after.plies->count < best->after.plies->count
                                                 : move.after.plies->count > best->after.plies->count)))
        best = &move;
    }
    if (best == nullptr) return out;
    at = best->successor.position;
    out.moves.push_back(as_line(*best));
    if (best->after.ended) return out;
    if (std::find(met.begin(), met.end(), at) != met.end()) {
      out.repeats = true;
      return out;
    }
    met.push_back(at);
  }
}

}  // namespace plenum
