// SPDX-License-Identifier: Apache-2.0
#include "solver/search/searched_game.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace plenum {
namespace {

ProvenMargin for_first(Interval bounds, Player mover) {
  if (mover == Player::first) return {{bounds.least}, {bounds.greatest}};
  return {{-bounds.greatest}, {-bounds.least}};
}

// The moves in the order in which a line prefers them: those that a search would try first, since the others have to be refuted.
absl::StatusOr<std::vector<Successor>> preferred(const Variant& variant, const Position& position) {
  const Rules& rules = variant.rules();
  absl::StatusOr<std::vector<Successor>> moves = successors(rules, position);
  if (!moves.ok() || moves->empty()) return moves;
  PositionBatch batch(rules.set().layout.count(), static_cast<int>(rules.set().slots.size()));
  for (const Successor& s : *moves) batch.push(s.position);
  Rules::Scratch scratch(rules);
  std::vector<std::int64_t> score;  // for the opponent
  rules.score(batch, scratch, score);
  if (absl::Status done = rules.expand(batch, scratch); !done.ok()) return done;
  std::vector<std::vector<Position>> different(moves->size());  // replies, symmetric ones counted once
  for (std::size_t i = 0; i < scratch.successors.size; ++i) {
    Position reply = scratch.successors.at(i);
    variant.symmetries().canonicalize(reply);
    std::vector<Position>& seen = different[scratch.parent[i]];
    if (std::find(seen.begin(), seen.end(), reply) == seen.end()) seen.push_back(reply);
  }
  std::vector<std::size_t> order(moves->size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(score[a], different[a].size()) < std::pair(score[b], different[b].size());
  });
  std::vector<Successor> out;
  out.reserve(order.size());
  for (const std::size_t i : order) out.push_back((*moves)[i]);
  return out;
}

// A line of best play from a position of this value; nothing if it is stopped on the way.
absl::StatusOr<std::optional<Line>> best_line(const Variant& variant, const Position& start, std::int64_t value,
                                              Search& search) {
  Line out{start, {}};
  for (Position at = start;;) {
    const absl::StatusOr<std::vector<Successor>> moves = preferred(variant, at);
    if (!moves.ok()) return moves.status();
    if (moves->empty()) return out;
    const Successor* chosen = nullptr;
    for (const Successor& s : *moves) {
      // No move is worth more than the position: it keeps the value unless it is worth less.
      absl::StatusOr<Interval> after =
          s.ended ? Interval{s.margin.margin.units, s.margin.margin.units} : search.compare(s.position, -value);
      if (!after.ok()) return after.status();
      if (search.stopped()) return std::nullopt;
      if (after->greatest > -value) continue;
      chosen = &s;
      break;
    }
    if (chosen == nullptr) return absl::InternalError("no move keeps the value that was found");
    out.moves.push_back({chosen->text, false, chosen->position});
    if (chosen->ended) return out;
    at = chosen->position;
    value = -value;
  }
}

}  // namespace

std::optional<Pie> pie_of(const std::vector<SearchedOpening>& openings) {
  std::optional<Pie> out;
  for (const SearchedOpening& opening : openings) {
    if (!opening.in_pie) continue;
    if (!opening.after.exact()) return std::nullopt;
    const Margin fair{-std::abs(opening.after.least.units)};
    if (!out || fair > out->margin) out = Pie{fair, {}};
    if (fair == out->margin) out->openings.push_back(opening.text);
  }
  return out;
}

absl::StatusOr<SearchedGame> search_game(const Variant& variant, const Position& start,
                                         const SearchGameOptions& options) {
  const Rules& rules = variant.rules();
  absl::StatusOr<std::unique_ptr<Search>> search = Search::make(variant, options.search);
  if (!search.ok()) return search.status();
  SearchedGame out;
  out.start = start;
  const absl::StatusOr<EndState> end = end_state(rules, start);
  if (!end.ok()) return end.status();
  out.ended = end->ended;
  const absl::StatusOr<Interval> value = (*search)->value(start);
  if (!value.ok()) return value.status();
  out.value = for_first(*value, start.mover);
  if (options.openings && !out.ended && !(*search)->stopped()) {
    const absl::StatusOr<std::vector<Successor>> moves = successors(rules, start);
    if (!moves.ok()) return moves.status();
    for (const Successor& s : *moves) {
      const absl::StatusOr<Interval> after = (*search)->value(s.position);
      if (!after.ok()) return after.status();
      out.openings.push_back({s.move, s.text, for_first(*after, s.position.mover), rules.in_pie(s.move)});
    }
    if (variant.rule_set().pie) out.pie = pie_of(out.openings);
  }
  if (options.line && !out.ended && out.value.exact() && !(*search)->stopped()) {
    absl::StatusOr<std::optional<Line>> line = best_line(variant, start, value->least, **search);
    if (!line.ok()) return line.status();
    out.line = *std::move(line);
  }
  out.work = (*search)->progress();
  out.stopped = (*search)->stopped();
  return out;
}

}  // namespace plenum
