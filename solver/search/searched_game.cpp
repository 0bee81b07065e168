// SPDX-License-Identifier: Apache-2.0
#include "solver/search/searched_game.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "variants/text/status_macros.h"

namespace plenum {
namespace {

ProvenMargin for_first(Interval bounds, Player mover) {
  if (mover == Player::first) return {{bounds.least}, {bounds.greatest}};
  return {{-bounds.greatest}, {-bounds.least}};
}

// The value that a proven margin comes to in a game without cycles; nothing where it is not exact.
std::optional<PositionValue> exact_value(const ProvenMargin& proven, bool ended) {
  if (!proven.exact()) return std::nullopt;
  PositionValue out = acyclic_value({proven.least}, Player::first);
  out.ended = ended;
  if (ended) out.plies = Ply{0};
  return out;
}

// The moves in the order in which a line prefers them: those that a search would try first, since the others have to be refuted.
absl::StatusOr<std::vector<Successor>> preferred(const Variant& variant, const Position& position) {
  const Rules& rules = variant.rules();
  absl::StatusOr<std::vector<Successor>> moves = successors(rules, position);
  if (!moves.ok() || moves->empty()) return moves;
  PositionBatch batch = rules.batch();
  for (const Successor& s : *moves) batch.push(s.position);
  Rules::Scratch scratch(rules);
  std::vector<std::int64_t> score;  // for the opponent
  rules.score(batch, scratch, score);
  RETURN_IF_ERROR(rules.expand(batch, scratch));
  std::vector<std::vector<Position>> different(moves->size());  // replies, symmetric ones counted once
  for (std::size_t i = 0; i < scratch.successors.size; ++i) {
    Position reply = scratch.successors.at(i);
    variant.symmetries().canonicalize(reply);
    std::vector<Position>& seen = different[scratch.parent[i]];
    if (std::find(seen.begin(), seen.end(), reply) == seen.end()) seen.push_back(reply);
  }
  std::vector<std::tuple<std::int64_t, std::size_t, std::size_t>> order;
  for (std::size_t i = 0; i < different.size(); ++i) order.emplace_back(score[i], different[i].size(), i);
  std::sort(order.begin(), order.end());
  std::vector<Successor> out;
  out.reserve(order.size());
  for (const auto& [worth, replies, i] : order) out.push_back(std::move((*moves)[i]));
  return out;
}

// A line of best play from a position of this value; nothing if it is stopped on the way.
absl::StatusOr<std::optional<Line>> best_line(const Variant& variant, const Position& start, std::int64_t value,
                                              Search& search) {
  Line out{start, {}};
  for (Position at = start;;) {
    ASSIGN_OR_RETURN(const std::vector<Successor> moves, preferred(variant, at));
    if (moves.empty()) return out;
    const Successor* chosen = nullptr;
    for (const Successor& s : moves) {
      // No move is worth more than the position: it keeps the value unless it is worth less.
      ASSIGN_OR_RETURN(const Interval after, s.ended ? Interval{s.margin.margin.units, s.margin.margin.units}
                                                     : search.compare(s.position, -value));
      if (search.stopped()) return std::nullopt;
      if (after.greatest > -value) continue;
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

absl::StatusOr<Summary> search_game(const Variant& variant, const Position& start, const SearchGameOptions& options) {
  const Rules& rules = variant.rules();
  ASSIGN_OR_RETURN(const std::unique_ptr<Search> search, Search::make(variant, options.search));
  Summary out;
  out.variant = std::make_shared<const Variant>(variant);
  out.method = "search";
  out.start = start;
  out.cyclic = false;
  out.remoteness_known = false;
  out.facts_known = false;
  ASSIGN_OR_RETURN(const EndState end, end_state(rules, start));
  ASSIGN_OR_RETURN(const Interval value, search->value(start));
  out.proven = for_first(value, start.mover);
  out.start_value = exact_value(*out.proven, end.ended);
  out.openings_known = options.openings && !end.ended && !search->stopped();
  if (out.openings_known) {
    ASSIGN_OR_RETURN(const std::vector<Successor> moves, successors(rules, start));
    for (const Successor& s : moves) {
      ASSIGN_OR_RETURN(const Interval after, search->value(s.position));
      const ProvenMargin proven = for_first(after, s.position.mover);
      const std::optional<PositionValue> exact = exact_value(proven, s.ended);
      out.openings.push_back({s.move, s.text, exact.value_or(PositionValue()), rules.in_pie(s.move),
                              exact ? std::nullopt : std::optional(proven)});
    }
    if (variant.rule_set().pie && out.start == rules.start()) out.pie = pie_of(out.openings);
  }
  if (options.line && !end.ended && out.proven->exact() && !search->stopped()) {
    ASSIGN_OR_RETURN(out.line, best_line(variant, start, value.least, *search));
  }
  const SearchProgress work = search->progress();
  out.work = SearchWork{work.nodes, work.successors, work.table_bytes, work.fill};
  out.stopped = search->stopped();
  return out;
}

}  // namespace plenum
