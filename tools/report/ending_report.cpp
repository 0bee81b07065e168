// SPDX-License-Identifier: Apache-2.0
#include "tools/report/ending_report.h"

#include <algorithm>

#include <absl/strings/str_cat.h>

#include "solver/support/memory.h"
#include "tools/report/page_result.h"

namespace plenum {
namespace {

using namespace pages;  // NOLINT(google-build-using-namespace)

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

bool with_crowds(const EndingTables& tables) { return tables.variant().rule_set().pieces->crowds; }

std::string to_move(Player player) { return player == Player::first ? "white to move" : "black to move"; }

void write_ending_counts(const std::string& what, const EndingCounts& counts, std::size_t width, Text& out) {
  const auto part = [&](std::uint64_t n) { return pad_left(percent(share(n, counts.legal)), 8); };
  out.raw(absl::StrCat("  ", pad_right(what, 28), pad_left(number(counts.legal), width), "  first ", part(counts.first),
                       "  second ", part(counts.second), "  tie ", part(counts.tie), "  cycle ", part(counts.cycle)));
}

}  // namespace

std::string ending_page(const EndingTables& tables, const EndingStatistics& statistics,
                        const std::optional<Cost>& cost) {
  const Variant& variant = tables.variant();
  const PieceSet& set = *variant.rule_set().pieces;
  Text out;
  out.line(absl::StrCat(variant.description().name, " on ", variant.board().name(), ": ",
                        to_text(set, tables.material()), ", every legal position of it"),
           0, 2);
  out.line(
      "White is first. A win is by mate; play that never ends is a draw, called a cycle where neither player can make "
      "it end.",
      0, 2);
  out.section("Who wins");
  const std::array<EndingSide, 2> sides = {statistics.to_move(Player::first), statistics.to_move(Player::second)};
  const std::size_t width = number(std::max(sides[0].all.legal, sides[1].all.legal)).size();
  for (const Player player : {Player::first, Player::second}) {
    const auto who = static_cast<std::size_t>(player);
    write_ending_counts(to_move(player), sides[who].all, width, out);
    if (with_crowds(tables)) {
      write_ending_counts("  no two men on a cell", statistics.sides[0][who].all, width, out);
      write_ending_counts("  some share a cell", statistics.sides[1][who].all, width, out);
    }
    write_ending_counts("  up to symmetry", sides[who].canonical, width, out);
  }
  out.section("How long a win takes at most");
  for (const Player player : {Player::first, Player::second}) {
    const std::optional<std::uint32_t> longest = statistics.longest(player);
    out.line(absl::StrCat(player_name(player), ": ", longest ? plies(*longest) : "never wins"));
  }
  write_readings(variant, out);
  out.section("Size and cost");
  std::uint64_t numbered = 0;
  std::uint64_t legal = 0;
  const std::vector<EndingTables::Size> sizes = tables.sizes();
  for (const EndingTables::Size& size : sizes) {
    numbered += size.positions;
    legal += size.legal;
  }
  if (tables.found() > 0)
    out.line(absl::StrCat("tables of ", number(tables.found()), " of these materials were there already"));
  out.line(absl::StrCat(
      count(sizes.size(), "material"), " solved, those that arise from it included: ", number(numbered),
      " positions numbered, ", number(legal), " of them legal; ", memory_text(tables.bytes()), ", ",
      rounded(static_cast<double>(tables.bytes()) / static_cast<double>(std::max<std::uint64_t>(1, legal))),
      " bytes a legal position"));
  if (!cost) return out.text();
  std::string rate;
  if (tables.edges() > 0) {
    const double each = 1e9 * cost->cpu_seconds.value_or(0) / static_cast<double>(tables.edges());
    rate = absl::StrCat("; ", rounded(each), " ns a move");
  }
  out.line(absl::StrCat(seconds(cost->seconds), " by the clock, ", seconds(cost->cpu_seconds.value_or(0)),
                        " of processor time, ", count(static_cast<std::uint64_t>(std::max(cost->threads, 0)), "thread"),
                        rate));
  out.line(absl::StrCat("peak memory ", memory_text(cost->peak_bytes.value_or(0))));
  return out.text();
}

Json ending_json(const EndingTables& tables, const EndingStatistics& statistics, const std::optional<Cost>& cost) {
  const Variant& variant = tables.variant();
  Json out;
  out["schema"] = 1;
  out.update(game_json(variant));
  out["method"] = "ending";
  out["material"] = to_text(*variant.rule_set().pieces, tables.material());
  const std::array<EndingSide, 2> sides = {statistics.to_move(Player::first), statistics.to_move(Player::second)};
  out["cyclic"] = nullptr;
  out["value"] = nullptr;  // an ending has no start
  out["pie"] = nullptr;
  out["openings"] = Json::array();
  const auto pair = [&](Json& to, const auto& of) {
    to["white_to_move"] = ending_side_json(of[0]);
    to["black_to_move"] = ending_side_json(of[1]);
  };
  Json& positions = out["positions"];
  pair(positions, sides);
  Json longest;
  for (const Player player : {Player::first, Player::second}) {
    const std::optional<std::uint32_t> plies = statistics.longest(player);
    longest[player_name(player)] = plies ? Json(*plies) : Json(nullptr);
  }
  positions["longest"] = longest;
  pair(positions["crowd_free"], statistics.sides[0]);
  if (with_crowds(tables)) pair(positions["crowded"], statistics.sides[1]);
  out["longest"] = longest;
  for (const char* key : {"margins", "ended_by", "draw_rate", "cycles", "random_play", "moves"}) out[key] = nullptr;
  out["tables"] = Json::array();
  for (const EndingTables::Size& size : tables.sizes())
    out["tables"].push_back({{"material", size.material}, {"positions", size.positions}, {"legal", size.legal}});
  out["bytes"] = tables.bytes();
  std::uint64_t stored = 0;
  for (const EndingTables::Size& size : tables.sizes()) stored += size.positions;
  out["cost"]["stored_positions"] = stored;
  if (cost) add_cost(*cost, out);
  out["cost"]["moves"] = tables.edges();
  return out;
}

}  // namespace plenum
