// SPDX-License-Identifier: Apache-2.0
#include "solver/result/result.h"

#include <algorithm>
#include <set>
#include <string>

#include <absl/container/flat_hash_map.h>

#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kMostPositions = 100'000;  // looked at for the end of a tie

bool ends_for(const PositionValue& value, Player player) {
  return player == Player::first ? value.first_ends : value.second_ends;
}

Player forcing_of(const PositionValue& tie, Player mover) { return ends_for(tie, mover) ? mover : other(mover); }

// Of two moves of a position worth something, the one that its mover prefers; of one worth nothing, none.
std::int64_t preference_of(const PositionValue& here, const ValuedMove& move, Player mover, Player forcing) {
  if (here.plies) {
    const std::int64_t plies = move.after.plies ? move.after.plies->count : 0;
    return to_mover(here.margin, mover).margin.units > 0 ? -plies : plies;
  }
  if (here.outcome == Outcome::cycle) return move.after.outcome == Outcome::cycle ? 1 : 0;
  if (here.outcome != Outcome::tie) return 0;
  return ends_for(move.after, forcing) ? 1 : 0;
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
  const auto key = [&](const Position& p) { return game.variant().rules().write(p); };
  std::set<std::string> seen = {key(start)};
  for (std::size_t i = 0; i < nodes.size() && nodes.size() < kMostPositions; ++i) {
    ASSIGN_OR_RETURN(const std::vector<ValuedMove> moves, game.moves(nodes[i].position));
    for (const ValuedMove& move : moves) {
      if (!move.keeps || !ends_for(move.after, forcing)) continue;
      if (!seen.insert(key(move.successor.position)).second) continue;
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

absl::StatusOr<std::vector<std::optional<PositionValue>>> Result::values(std::span<const Position> positions,
                                                                         Among among) const {
  std::vector<std::optional<PositionValue>> out(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (among == Among::reachable) {
      const absl::StatusOr<bool> is = reachable(positions[i]);
      if (absl::IsNotFound(is.status())) continue;
      if (!is.ok()) return is.status();
      if (!*is) continue;
    }
    const absl::StatusOr<PositionValue> found = value(positions[i]);
    if (absl::IsNotFound(found.status()) && among == Among::all) continue;
    if (!found.ok()) return found.status();
    out[i] = *found;
  }
  return out;
}

absl::Status Result::each_value(std::size_t part, const GlanceFn& see) const {
  std::vector<Glance> glances;
  return each(part, Fold::images, [&](std::span<const Visit> visits) {
    glances.clear();
    for (const Visit& visit : visits)
      glances.push_back({visit.value, visit.images, variant().rules().stones(visit.position)});
    return see(glances);
  });
}

absl::Status Result::each_moves(std::size_t part, const MoveGlanceFn& see) const {
  const Rules& rules = variant().rules();
  Rules::Scratch scratch(rules);
  PositionBatch batch = rules.batch();
  std::vector<const Visit*> open;
  std::vector<Position> next;
  std::vector<MoveGlance> glances;
  return each(part, Fold::images, [&](std::span<const Visit> visits) -> absl::Status {
    batch.clear();
    open.clear();
    next.clear();
    for (const Visit& visit : visits) {
      if (visit.value.ended) continue;
      batch.push(visit.position);
      open.push_back(&visit);
    }
    if (open.empty()) return absl::OkStatus();
    RETURN_IF_ERROR(rules.expand(batch, scratch));
    for (std::size_t i = 0; i < scratch.successors.size; ++i) next.push_back(scratch.successors.at(i));
    ASSIGN_OR_RETURN(const std::vector<std::optional<PositionValue>> after, values(next, Among::all));
    std::vector<std::uint64_t> moves(open.size(), 0);
    std::vector<std::uint64_t> keeping(open.size(), 0);
    for (std::size_t i = 0; i < next.size(); ++i) {
      const std::uint32_t from = scratch.parent[i];
      if (!after[i]) return value(next[i]).status();  // says why
      ++moves[from];
      if (after[i]->margin == open[from]->value.margin) ++keeping[from];
    }
    glances.clear();
    for (std::size_t i = 0; i < open.size(); ++i) {
      const Visit& visit = *open[i];
      const bool decided = visit.value.margin.margin.units != 0;
      glances.push_back(
          {MoveCounts::of(visit.images, decided, moves[i], keeping[i]), visit.images, rules.stones(visit.position)});
    }
    return see(glances);
  });
}

absl::StatusOr<std::vector<ValuedMove>> Result::moves(const Position& position) const {
  std::vector<ValuedMove> out;
  ASSIGN_OR_RETURN(const PositionValue here, value(position));
  if (here.ended) return out;
  ASSIGN_OR_RETURN(std::vector<Successor> legal, successors(variant().rules(), position));
  std::vector<Position> next;
  next.reserve(legal.size());
  for (const Successor& s : legal) next.push_back(s.position);
  ASSIGN_OR_RETURN(const std::vector<std::optional<PositionValue>> after, values(next, Among::all));
  for (std::size_t i = 0; i < legal.size(); ++i) {
    const std::optional<PositionValue>& then = after[i];
    if (!then) return value(next[i]).status();  // says why
    out.push_back({std::move(legal[i]), *then, then->margin == here.margin});
  }
  return out;
}

absl::StatusOr<BestLine> Result::line(const Position& position) const {
  ASSIGN_OR_RETURN(const PositionValue here, value(position));
  BestLine out;
  if (here.ended) return out;
  if (here.outcome == Outcome::tie) return line_of_tie(*this, position, forcing_of(here, position.mover));
  const bool cycle = here.outcome == Outcome::cycle;
  if (!cycle && !here.plies) return out;
  std::vector<Position> met = {position};
  for (Position at = position;;) {
    ASSIGN_OR_RETURN(const std::vector<ValuedMove> all, moves(at));
    const ValuedMove* best = nullptr;
    std::int64_t most = 0;
    for (const ValuedMove& move : all) {
      if (!move.keeps || (cycle ? move.after.outcome != Outcome::cycle : !move.after.plies)) continue;
      const std::int64_t preference = preference_of(here, move, at.mover, at.mover);
      if (best != nullptr && preference <= most) continue;
      best = &move;
      most = preference;
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

absl::StatusOr<Player> Result::forcing(const Position& position) const {
  ASSIGN_OR_RETURN(const PositionValue here, value(position));
  return here.ended || here.outcome != Outcome::tie ? position.mover : forcing_of(here, position.mover);
}

absl::StatusOr<std::vector<ValuedMove>> Result::best_moves(const Position& position, Player forcing) const {
  ASSIGN_OR_RETURN(const PositionValue here, value(position));
  ASSIGN_OR_RETURN(std::vector<ValuedMove> all, moves(position));
  std::vector<ValuedMove> out;
  std::int64_t most = 0;
  for (ValuedMove& move : all) {
    if (!move.keeps) continue;
    const std::int64_t preference = preference_of(here, move, position.mover, forcing);
    if (!out.empty() && preference < most) continue;
    if (preference > most) out.clear();
    most = preference;
    out.push_back(std::move(move));
  }
  return out;
}

// Breadth first, by the rules.
absl::StatusOr<std::vector<Line>> Result::shortest_lines(const GoalFn& goal, std::size_t most) const {
  struct Node {
    Position position;
    std::size_t from = 0;
    std::string text;
    bool gives_away = false;
    std::size_t mistakes = 0;
  };
  std::vector<Node> nodes;
  std::vector<std::size_t> goals;
  absl::flat_hash_map<std::string, std::size_t> known;  // places in `nodes`, by what is written
  const auto name = [&](const Position& p) { return variant().rules().write(p); };
  nodes.push_back({summary_.start, 0, "", false, 0});
  known[name(summary_.start)] = 0;
  for (std::size_t begin = 0; begin < nodes.size() && goals.size() < most && nodes.size() < kMostLooked;) {
    const std::size_t end = nodes.size();
    const std::size_t nearer = goals.size();
    for (std::size_t i = begin; i < end; ++i) {
      ASSIGN_OR_RETURN(const bool found, goal(nodes[i].position));
      if (found) goals.push_back(i);
    }
    std::stable_sort(goals.begin() + static_cast<std::ptrdiff_t>(nearer), goals.end(),
                     [&](std::size_t a, std::size_t b) { return nodes[a].mistakes < nodes[b].mistakes; });
    for (std::size_t i = begin; i < end && goals.size() < most; ++i) {
      ASSIGN_OR_RETURN(const std::vector<ValuedMove> next, moves(nodes[i].position));
      for (const ValuedMove& move : next) {
        Node to{move.successor.position, i, move.successor.text, !move.keeps, nodes[i].mistakes + (move.keeps ? 0 : 1)};
        const auto [place, fresh] = known.emplace(name(to.position), nodes.size());
        if (fresh) {
          nodes.push_back(std::move(to));
        } else if (place->second >= end && to.mistakes < nodes[place->second].mistakes) {
          nodes[place->second] = std::move(to);
        }
      }
    }
    begin = end;
  }
  if (goals.size() > most) goals.resize(most);
  std::vector<Line> out;
  for (const std::size_t end : goals) {
    Line line{summary_.start, {}};
    for (std::size_t i = end; i != 0; i = nodes[i].from)
      line.moves.push_back({nodes[i].text, nodes[i].gives_away, nodes[i].position});
    std::reverse(line.moves.begin(), line.moves.end());
    out.push_back(std::move(line));
  }
  return out;
}

absl::Status Result::each(std::size_t /*part*/, Fold /*fold*/, const VisitFn& /*visit*/) const {
  return absl::UnimplementedError("the values of its positions were not kept");
}

absl::Status Result::write_layers(const LayerSink& /*sink*/) const { return absl::OkStatus(); }

absl::Status Result::write_layers(RankedTable& /*table*/) const {
  return absl::FailedPreconditionError("all of it is with this rank");
}

}  // namespace plenum
