// SPDX-License-Identifier: Apache-2.0
// A solved game as JSON: one object for all methods, null where a method does not find it out.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <absl/strings/str_cat.h>

#include "tools/console/last_words.h"
#include "tools/report/describe.h"
#include "tools/report/json_report.h"

namespace plenum {
namespace {

Json statistics_json(const Statistics& s, bool facts_known) {
  return {{"reachable", s.reachable}, {"canonical", s.canonical},
          {"ended", s.ended},         {"first", s.first},
          {"second", s.second},       {"tie", s.tie},
          {"cycle", s.cycle},         {"forced_cycle", facts_known ? Json(s.forced_cycle) : Json()}};
}

Json margins_json(const Variant& variant, const Statistics& s) {
  Json out = Json::object();
  for (const auto& [margin, n] : s.margins) out[variant.margin_text(margin.margin)] = n;
  return out;
}

Json ended_by_json(const Statistics& s) {
  return {{"first", s.ended_first}, {"tie", s.ended_tie}, {"second", s.ended_second}};
}

// The same counts over every way to fill the board.
Json whole_board_json(const Variant& variant, const Statistics& s, bool facts_known) {
  Json out = statistics_json(s, facts_known);
  out["positions"] = s.reachable;
  out.erase("reachable");
  out["ended_by"] = ended_by_json(s);
  out["margins"] = margins_json(variant, s);
  return out;
}

// Level positions that nobody can end; nothing where that was not asked.
std::optional<std::uint64_t> cycles_of(const BitTier& tier) {
  if (tier.first_at_least.empty()) return 0;
  return tier.tie ? std::optional(tier.level - *tier.tie) : std::nullopt;
}

Json tier_counts_json(const BitTier& tier) {
  return {{"positions", tier.positions},
          {"first", tier.first},
          {"second", tier.second},
          {"tie", or_null(tier.first_at_least.empty() ? std::optional(tier.level) : tier.tie)},
          {"cycle", or_null(cycles_of(tier))},
          {"ended", tier.ended}};
}

Json at_least_json(const Variant& variant, const BitTier& tier) {
  Json out = Json::object();
  for (const auto& [units, n] : tier.first_at_least) {
    out[variant.margin_text({static_cast<std::int64_t>(units)})] = {{"first", n},
                                                                    {"second", tier.second_at_least.at(units)}};
  }
  return out;
}

Json tiers_json(const Variant& variant, const std::vector<BitTier>& tiers) {
  return json_list(tiers, [&](const BitTier& tier) {
    Json one = {{"stones", tier.stones}, {"mover", player_word(tier.mover)}, {"states", tier.states}};
    one.update(tier_counts_json(tier));
    if (!tier.first_at_least.empty()) one["at_least"] = at_least_json(variant, tier);
    return one;
  });
}

Json ending_counts_json(const EndingCounts& counts) {
  return {{"legal", counts.legal}, {"first", counts.first}, {"second", counts.second},
          {"tie", counts.tie},     {"cycle", counts.cycle}, {"draw", counts.tie + counts.cycle}};
}

Json remoteness_json(const EndingCounts& counts) {
  return {{"first", counts_json(counts.remoteness[0])}, {"second", counts_json(counts.remoteness[1])}};
}

Json ending_side_json(const EndingSide& side) {
  Json out = ending_counts_json(side.all);
  out["canonical"] = ending_counts_json(side.canonical);
  out["canonical"]["remoteness"] = remoteness_json(side.canonical);
  out["remoteness"] = remoteness_json(side.all);
  return out;
}

Json zugzwangs_json(const EndingStatistics& statistics) {
  const auto counts = [](const MutualZugzwangs& z) {
    return Json{{"first", z.first}, {"second", z.second}, {"both", z.both}};
  };
  Json out = counts(statistics.zugzwangs.all);
  out["canonical"] = counts(statistics.zugzwangs.canonical);
  return out;
}

// By player to move, and apart for positions with crowded cells and without.
Json longest_json(const EndingStatistics& statistics) {
  return {{"first", or_null(statistics.longest(Player::first))},
          {"second", or_null(statistics.longest(Player::second))}};
}

Json ending_positions_json(const EndingSummary& ending) {
  const EndingStatistics& s = ending.statistics;
  const auto pair = [](Json& to, const EndingSide& white, const EndingSide& black) {
    to["white_to_move"] = ending_side_json(white);
    to["black_to_move"] = ending_side_json(black);
  };
  Json out;
  pair(out, s.to_move(Player::first), s.to_move(Player::second));
  out["longest"] = longest_json(s);
  out["mutual_zugzwangs"] = zugzwangs_json(s);
  pair(out["crowd_free"], s.sides[0][0], s.sides[0][1]);
  if (ending.crowds) pair(out["crowded"], s.sides[1][0], s.sides[1][1]);
  return out;
}

Json no_value() { return {{"outcome", nullptr}, {"margin", nullptr}, {"plies", nullptr}}; }

Json start_json(const Summary& game) {
  if (game.start_value) return value_json(*game.variant, *game.start_value);
  return game.proven ? no_value() : Json();  // an ending has no start
}

Json proven_json(const Variant& variant, const ProvenMargin& proven) {
  return {{"least", margin_json(variant, proven.least)}, {"greatest", margin_json(variant, proven.greatest)}};
}

Json openings_json(const Summary& game) {
  if (!game.openings_known) return nullptr;
  return json_list(game.openings, [&](const Opening& opening) {
    Json one = {{"move", opening.text}};
    one.update(opening.bounds ? no_value() : value_json(*game.variant, opening.after));
    if (opening.bounds) one["proven"] = proven_json(*game.variant, *opening.bounds);
    return one;
  });
}

Json draw_rate_json(const Summary& game) {
  if (game.ending) return nullptr;
  const DrawRates rates = draw_rates(game);
  return {{"positions", or_null(rates.positions)},
          {"openings", or_null(rates.openings)},
          {"ends", or_null(rates.ends)},
          {"random_play", or_null(rates.random_play)}};
}

Json cycles_json(const Summary& game) {
  if (!game.statistics) return nullptr;
  const std::optional<Components>& c = game.components;
  const auto known = [&](bool fact) { return game.facts_known ? Json(fact) : Json(); };
  return {{"components", c ? Json(c->count) : Json()},
          {"largest", c ? Json(c->largest) : Json()},
          {"positions", c ? Json(c->positions) : Json()},
          {"endless",
           {{"first", known(game.start_value->endless_first)}, {"second", known(game.start_value->endless_second)}}}};
}

Json play_json(const PlayResult& result) {
  return {{"first", result.first},
          {"tie", result.tie},
          {"second", result.second},
          {"endless", result.endless},
          {"plies", or_null(result.plies)}};
}

Json random_play_json(const Summary& game) {
  return game.random_play && game.random_play->known() ? play_json(*game.random_play) : Json();
}

Json move_counts_json(const MoveCounts& counts) {
  return {{"positions", counts.positions}, {"decided", counts.decided},
          {"single", counts.single},       {"critical", counts.critical},
          {"quiet", counts.quiet},         {"moves", counts.moves},
          {"keeping", counts.keeping},     {"keeping_mean", or_null(part_of(counts.keeping, counts.positions))}};
}

template <typename Key>
Json move_counts_json(const std::map<Key, MoveCounts>& counts) {
  Json out = Json::object();
  for (const auto& [key, n] : counts) out[absl::StrCat(key)] = move_counts_json(n);
  return out;
}

Json play_json(const PlayMeasures& play) {
  Json out = play_json(play.result);
  out["decisive_ply"] = play.decisive_ply;
  out["changes"] = play.changes;
  out["amount"] = play.amount;
  out["lead_changes"] = play.lead_changes;
  return out;
}

Json grid_json(const std::vector<std::vector<PlayResult>>& grid) {
  return json_list(grid, [](const std::vector<PlayResult>& row) {
    return json_list(row, [](const PlayResult& result) { return play_json(result); });
  });
}

Json erring_json(const PlayMeasures& play) {
  Json out = play_json(play);
  out["error"] = StartMeasures::kUsualError;
  return out;
}

Json grid_json(const ErrorGrid& grid) {
  return {{"errors", grid.errors}, {"quickest", grid_json(grid.quickest)}, {"any", grid_json(grid.any)}};
}

Json balance_json(const Summary& game) {
  const std::optional<Balance> balance = balance_of(game);
  if (!balance) return nullptr;
  Json out;
  for (const auto& [outcome, n] : balance->openings) out["openings"][outcome_name(outcome)] = n;
  out["second_best"] = balance->second_best ? margin_json(*game.variant, *balance->second_best) : Json();
  return out;
}

Json moves_json(const Summary& game) {
  if (!game.statistics) return nullptr;
  const Statistics& s = *game.statistics;
  const std::optional<double> mean = part_of(s.moves, s.going_on());
  return {{"mean", or_null(mean)}, {"max", s.most_moves}};
}

void add_ending_tables(const EndingSummary& ending, Json& out) {
  out["tables"] = json_list(ending.sizes, [](const EndingSummary::Size& size) -> Json {
    return {{"material", size.material}, {"positions", size.positions}, {"legal", size.legal}};
  });
  out["bytes"] = ending.bytes;
}

// Unreduced positions: reachable ones, or where that is not known of the whole board; legal ones of an ending.
std::uint64_t counted(const Summary& game) {
  if (game.statistics) return game.statistics->reachable;
  if (!game.ending) return whole_of(game.tiers).positions;
  const EndingStatistics& s = game.ending->statistics;
  return s.to_move(Player::first).all.legal + s.to_move(Player::second).all.legal;
}

Json stages_json(const Cost& cost) {
  return json_list(cost.stages, [](const StageTime& s) {
    return Json{{"stage", s.stage}, {"seconds", s.seconds}, {"cpu_seconds", s.cpu_seconds}};
  });
}

Json search_cost_json(const SearchWork& work, const Cost& cost) {
  Json out = cost_json(cost);
  if (!cost.stages.empty()) out["stages"] = stages_json(cost);
  out.update({{"nodes", work.nodes},
              {"nodes_per_second", static_cast<double>(work.nodes) / std::max(cost.seconds, 1e-9)},
              {"successors", work.successors},
              {"table_bytes", work.table_bytes},
              {"table_fill", work.fill}});
  return out;
}

Json solving_cost_json(const Summary& game, const Cost& cost) {
  const std::uint64_t positions = counted(game);
  const auto rate_of = [&](std::uint64_t n) { return cost.seconds > 0 ? static_cast<double>(n) / cost.seconds : 0.0; };
  const auto bytes_each = [&](std::uint64_t n) {
    return cost.peak_bytes && n > 0 ? Json(static_cast<double>(*cost.peak_bytes) / static_cast<double>(n)) : Json();
  };
  Json out = {{"seconds", cost.seconds},
              {"cpu_seconds", or_null(cost.cpu_seconds)},
              {"positions_per_second", rate_of(positions)},
              {"stored_positions", game.stored},
              {"stored_per_second", rate_of(game.stored)},
              {"peak_bytes", or_null(cost.peak_bytes)},
              {"bytes_per_position", bytes_each(positions)},
              {"bytes_per_stored", bytes_each(game.stored)},
              {"threads", cost.threads}};
  if (!cost.stages.empty()) out["stages"] = stages_json(cost);
  return out;
}

constexpr std::size_t kRoom = std::size_t{4} << 20;  // bytes

}  // namespace

Json measures_json(const std::optional<Measures>& measures) {
  if (!measures) return nullptr;
  const std::optional<StartMeasures>& from = measures->from_start;
  const auto known = [&](const auto& make) { return from ? Json(make(*from)) : Json(); };
  return {{"positions", move_counts_json(measures->all)},
          {"by_stones", move_counts_json(measures->by_stones)},
          {"by_plies", known([](const StartMeasures& m) { return move_counts_json(m.by_plies); })},
          {"random", known([](const StartMeasures& m) { return play_json(m.random); })},
          {"erring", known([](const StartMeasures& m) { return erring_json(m.erring); })},
          {"grid", known([](const StartMeasures& m) { return grid_json(m.grid); })},
          {"skill", known([](const StartMeasures& m) { return Json(m.skill); })},
          {"lines", known([](const StartMeasures& m) { return or_null(m.lines); })}};
}

std::optional<Balance> balance_of(const Summary& game) {
  const auto proven = [](const Opening& opening) { return opening.bounds.has_value(); };
  if (!game.openings_known || game.openings.empty() || std::any_of(game.openings.begin(), game.openings.end(), proven))
    return std::nullopt;
  Balance out;
  for (const Outcome outcome : {Outcome::first, Outcome::second, Outcome::tie, Outcome::cycle})
    out.openings[outcome] = 0;
  std::set<std::int64_t> values;
  const int sign = game.start.mover == Player::first ? 1 : -1;
  for (const Opening& opening : game.openings) {
    ++out.openings[opening.after.outcome];
    values.insert(sign * opening.after.margin.margin.units);
  }
  if (values.size() > 1) out.second_best = Margin{sign * *std::next(values.rbegin())};
  return out;
}

BitTier whole_of(const std::vector<BitTier>& tiers) {
  BitTier out;
  for (const BitTier& tier : tiers) {
    out.positions += tier.positions;
    out.first += tier.first;
    out.second += tier.second;
    out.level += tier.level;
    out.ended += tier.ended;
    if (tier.tie) out.tie = out.tie.value_or(0) + *tier.tie;
    for (const auto& [units, n] : tier.first_at_least) out.first_at_least[units] += n;
    for (const auto& [units, n] : tier.second_at_least) out.second_at_least[units] += n;
  }
  return out;
}

Json solve_json(const Summary& game, const std::optional<Cost>& cost) {
  // JSON takes memory even to be let go, and would end the program where there is none: what it takes is there, or it is not begun.
  require_room(kRoom);
  const Variant& variant = *game.variant;
  Json out = headed_json(variant);
  out["method"] = game.method;
  if (game.ending) out["material"] = game.ending->material;
  out["cyclic"] = or_null(game.cyclic);
  out["value"] = start_json(game);
  if (game.proven) out["proven"] = proven_json(variant, *game.proven);
  out["pie"] = pie_json(variant, game.pie);
  out["openings"] = openings_json(game);
  if (game.work || game.line) out["line"] = game.line ? line_json(game.line->moves) : Json();
  const std::optional<Statistics>& s = game.statistics;
  out["positions"] = s ? statistics_json(*s, game.facts_known) : Json();
  if (game.ending) {
    out["positions"] = ending_positions_json(*game.ending);
  }
  out["margins"] = s ? margins_json(variant, *s) : Json();
  out["ended_by"] = s ? ended_by_json(*s) : Json();
  out["draw_rate"] = draw_rate_json(game);
  out["cycles"] = cycles_json(game);
  out["random_play"] = random_play_json(game);
  out["moves"] = moves_json(game);
  out["balance"] = balance_json(game);
  out["measures"] = measures_json(game.measures);
  if (game.whole_board) out["whole_board"] = whole_board_json(variant, *game.whole_board, game.facts_known);
  if (!game.tiers.empty()) {
    out["tiers"] = tiers_json(variant, game.tiers);
    const BitTier all = whole_of(game.tiers);
    out["whole_board"] = tier_counts_json(all);
    if (!all.first_at_least.empty()) out["whole_board"]["at_least"] = at_least_json(variant, all);
  }
  if (game.ending) add_ending_tables(*game.ending, out);
  out["cost"]["stored_positions"] = game.stored;
  if (cost) out["cost"] = game.work ? search_cost_json(*game.work, *cost) : solving_cost_json(game, *cost);
  if (game.ending) out["cost"]["moves"] = game.ending->edges;
  return out;
}

}  // namespace plenum
