// SPDX-License-Identifier: Apache-2.0
// A solved game as JSON: one object for all methods, null where a method does not find it out.
#include <absl/strings/str_cat.h>

#include "tools/report/json_report.h"

namespace plenum {
namespace {

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json statistics_json(const Statistics& s, bool facts_known) {
  Json out;
  out["reachable"] = s.reachable;
  out["canonical"] = s.canonical;
  out["ended"] = s.ended;
  out["first"] = s.first;
  out["second"] = s.second;
  out["tie"] = s.tie;
  out["cycle"] = s.cycle;
  out["forced_cycle"] = facts_known ? Json(s.forced_cycle) : Json(nullptr);
  return out;
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

Json tier_counts_json(const BitTier& tier) {
  Json out;
  out["positions"] = tier.positions;
  out["first"] = tier.first;
  out["second"] = tier.second;
  out["tie"] = tier.level;
  out["ended"] = tier.ended;
  return out;
}

Json tiers_json(const std::vector<BitTier>& tiers) {
  Json out = Json::array();
  for (const BitTier& tier : tiers) {
    Json one;
    one["stones"] = tier.stones;
    one["mover"] = tier.mover == Player::first ? "first" : "second";
    one["states"] = tier.states;
    one.update(tier_counts_json(tier));
    out.push_back(std::move(one));
  }
  return out;
}

Json ending_counts_json(const EndingCounts& counts) {
  Json out;
  out["legal"] = counts.legal;
  out["first"] = counts.first;
  out["second"] = counts.second;
  out["tie"] = counts.tie;
  out["cycle"] = counts.cycle;
  out["draw"] = counts.tie + counts.cycle;
  return out;
}

Json remoteness_json(const EndingCounts& counts) {
  Json out;
  for (const std::size_t who : {0U, 1U}) {
    Json& plies = out[who == 0 ? "first" : "second"];
    plies = Json::object();
    for (const auto& [n, positions] : counts.remoteness[who]) plies[absl::StrCat(n)] = positions;
  }
  return out;
}

Json ending_side_json(const EndingSide& side) {
  Json out = ending_counts_json(side.all);
  out["canonical"] = ending_counts_json(side.canonical);
  out["canonical"]["remoteness"] = remoteness_json(side.canonical);
  out["remoteness"] = remoteness_json(side.all);
  return out;
}

Json longest_json(const EndingStatistics& statistics) {
  Json out;
  for (const Player player : {Player::first, Player::second}) {
    const std::optional<std::uint32_t> plies = statistics.longest(player);
    out[player == Player::first ? "first" : "second"] = plies ? Json(*plies) : Json(nullptr);
  }
  return out;
}

// By player to move, and apart for positions with crowded cells and without.
Json ending_positions_json(const EndingSummary& ending) {
  const EndingStatistics& s = ending.statistics;
  const auto pair = [](Json& to, const EndingSide& white, const EndingSide& black) {
    to["white_to_move"] = ending_side_json(white);
    to["black_to_move"] = ending_side_json(black);
  };
  Json out;
  pair(out, s.to_move(Player::first), s.to_move(Player::second));
  out["longest"] = longest_json(s);
  pair(out["crowd_free"], s.sides[0][0], s.sides[0][1]);
  if (ending.crowds) pair(out["crowded"], s.sides[1][0], s.sides[1][1]);
  return out;
}

Json start_json(const Summary& game) {
  if (game.start_value) return value_json(*game.variant, *game.start_value);
  if (!game.proven) return nullptr;  // an ending has no start
  Json out;
  for (const char* key : {"outcome", "margin", "plies"}) out[key] = nullptr;
  return out;
}

Json proven_json(const Variant& variant, const ProvenMargin& proven) {
  return {{"least", margin_json(variant, proven.least)}, {"greatest", margin_json(variant, proven.greatest)}};
}

Json pie_json(const Summary& game) {
  if (!game.pie) return nullptr;
  Json out;
  out["margin"] = margin_json(*game.variant, game.pie->margin);
  out["openings"] = game.pie->openings;
  return out;
}

Json openings_json(const Summary& game) {
  if (!game.openings_known) return nullptr;
  Json out = Json::array();
  for (const Opening& opening : game.openings) {
    Json one;
    one["move"] = opening.text;
    if (opening.bounds) {
      for (const char* key : {"outcome", "margin", "plies"}) one[key] = nullptr;
      one["proven"] = proven_json(*game.variant, *opening.bounds);
    } else {
      one.update(value_json(*game.variant, opening.after));
    }
    out.push_back(std::move(one));
  }
  return out;
}

Json draw_rate_json(const Summary& game) {
  if (game.ending) return nullptr;
  const DrawRates rates = draw_rates(game);
  Json out;
  out["positions"] = or_null(rates.positions);
  out["openings"] = or_null(rates.openings);
  out["ends"] = or_null(rates.ends);
  out["random_play"] = or_null(rates.random_play);
  return out;
}

Json cycles_json(const Summary& game) {
  if (!game.statistics) return nullptr;
  Json out;
  const std::optional<Components>& components = game.components;
  out["components"] = components ? Json(components->count) : Json(nullptr);
  out["largest"] = components ? Json(components->largest) : Json(nullptr);
  out["positions"] = components ? Json(components->positions) : Json(nullptr);
  const auto known = [&](bool fact) { return game.facts_known ? Json(fact) : Json(nullptr); };
  out["endless"]["first"] = known(game.start_value->endless_first);
  out["endless"]["second"] = known(game.start_value->endless_second);
  return out;
}

Json random_play_json(const Summary& game) {
  if (!game.random_play || !game.random_play->known()) return nullptr;
  const RandomPlay& random = *game.random_play;
  Json out;
  out["first"] = random.first;
  out["tie"] = random.tie;
  out["second"] = random.second;
  out["endless"] = random.endless;
  out["plies"] = or_null(random.plies);
  return out;
}

Json moves_json(const Summary& game) {
  if (!game.statistics) return nullptr;
  const Statistics& s = *game.statistics;
  Json out;
  out["mean"] =
      s.going_on() == 0 ? Json(nullptr) : Json(static_cast<double>(s.moves) / static_cast<double>(s.going_on()));
  out["max"] = s.most_moves;
  return out;
}

void add_ending_tables(const EndingSummary& ending, Json& out) {
  out["tables"] = Json::array();
  for (const EndingSummary::Size& size : ending.sizes)
    out["tables"].push_back({{"material", size.material}, {"positions", size.positions}, {"legal", size.legal}});
  out["bytes"] = ending.bytes;
}

// Unreduced positions: reachable ones, or where that is not known of the whole board; legal ones of an ending.
std::uint64_t counted(const Summary& game) {
  if (game.statistics) return game.statistics->reachable;
  if (!game.ending) return whole_of(game.tiers).positions;
  const EndingStatistics& s = game.ending->statistics;
  return s.to_move(Player::first).all.legal + s.to_move(Player::second).all.legal;
}

void add_search_cost(const SearchWork& work, const Cost& cost, Json& c) {
  c = cost_json(cost);
  c["nodes"] = work.nodes;
  c["nodes_per_second"] = static_cast<double>(work.nodes) / std::max(cost.seconds, 1e-9);
  c["successors"] = work.successors;
  c["table_bytes"] = work.table_bytes;
  c["table_fill"] = work.fill;
}

void add_cost(const Summary& game, const Cost& cost, Json& c) {
  const std::uint64_t positions = counted(game);
  const auto rate_of = [&](std::uint64_t n) { return cost.seconds > 0 ? static_cast<double>(n) / cost.seconds : 0.0; };
  const auto bytes_each = [&](std::uint64_t n) {
    return cost.peak_bytes && n > 0 ? Json(static_cast<double>(*cost.peak_bytes) / static_cast<double>(n))
                                    : Json(nullptr);
  };
  c = Json::object();
  c["seconds"] = cost.seconds;
  c["cpu_seconds"] = or_null(cost.cpu_seconds);
  c["positions_per_second"] = rate_of(positions);
  c["stored_positions"] = game.stored;
  c["stored_per_second"] = rate_of(game.stored);
  c["peak_bytes"] = cost.peak_bytes ? Json(*cost.peak_bytes) : Json(nullptr);
  c["bytes_per_position"] = bytes_each(positions);
  c["bytes_per_stored"] = bytes_each(game.stored);
  c["threads"] = cost.threads;
}

}  // namespace

BitTier whole_of(const std::vector<BitTier>& tiers) {
  BitTier out;
  for (const BitTier& tier : tiers) {
    out.positions += tier.positions;
    out.first += tier.first;
    out.second += tier.second;
    out.level += tier.level;
    out.ended += tier.ended;
  }
  return out;
}

Json solve_json(const Summary& game, const std::optional<Cost>& cost) {
  const Variant& variant = *game.variant;
  Json out = headed_json(variant);
  out["method"] = game.method;
  if (game.ending) out["material"] = game.ending->material;
  out["cyclic"] = game.cyclic ? Json(*game.cyclic) : Json(nullptr);
  out["value"] = start_json(game);
  if (game.proven) out["proven"] = proven_json(variant, *game.proven);
  out["pie"] = pie_json(game);
  out["openings"] = openings_json(game);
  if (game.work) out["line"] = nullptr;
  if (game.line) {
    out["line"] = Json::array();
    for (const LineMove& move : game.line->moves) out["line"].push_back(move.text);
  }
  const std::optional<Statistics>& s = game.statistics;
  out["positions"] = s ? statistics_json(*s, game.facts_known) : Json(nullptr);
  if (game.ending) {
    out["positions"] = ending_positions_json(*game.ending);
    out["longest"] = longest_json(game.ending->statistics);
  }
  out["margins"] = s ? margins_json(variant, *s) : Json(nullptr);
  out["ended_by"] = s ? ended_by_json(*s) : Json(nullptr);
  out["draw_rate"] = draw_rate_json(game);
  out["cycles"] = cycles_json(game);
  out["random_play"] = random_play_json(game);
  out["moves"] = moves_json(game);
  if (game.whole_board) out["whole_board"] = whole_board_json(variant, *game.whole_board, game.facts_known);
  if (!game.tiers.empty()) {
    out["tiers"] = tiers_json(game.tiers);
    out["whole_board"] = tier_counts_json(whole_of(game.tiers));
  }
  if (game.ending) add_ending_tables(*game.ending, out);
  out["cost"]["stored_positions"] = game.stored;
  if (cost && game.work) {
    add_search_cost(*game.work, *cost, out["cost"]);
  } else if (cost) {
    add_cost(game, *cost, out["cost"]);
  }
  if (game.ending) out["cost"]["moves"] = game.ending->edges;
  return out;
}

}  // namespace plenum
