// SPDX-License-Identifier: Apache-2.0
#include "tools/report/bits_report.h"

#include <algorithm>

#include <absl/strings/str_cat.h>

#include "solver/support/memory.h"
#include "tools/report/page_result.h"

namespace plenum {
namespace {

using namespace pages;  // NOLINT(google-build-using-namespace)

BitTier sum_of(const std::vector<BitTier>& tiers) {
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

void write_tiers(const BitGame& game, Text& out) {
  out.section("Who wins, by the number of stones");
  out.line("(of all ways to colour so many cells, with whatever may be noted then; they need not arise in play)");
  std::size_t width = 0;
  for (const BitTier& tier : game.tiers()) width = std::max(width, number(tier.positions).size());
  for (const BitTier& tier : game.tiers()) {
    const auto part = [&](std::uint64_t n) { return pad_left(percent(share(n, tier.positions)), 8); };
    std::string line = absl::StrCat("  ", pad_left(absl::StrCat(tier.stones), 3), ", ",
                                    tier.mover == Player::first ? "first " : "second",
                                    " to move: ", pad_left(number(tier.positions), width), "  first ", part(tier.first),
                                    "  second ", part(tier.second));
    if (tier.level > 0) absl::StrAppend(&line, "  tied ", part(tier.level));
    out.raw(line);
  }
  const BitTier all = sum_of(game.tiers());
  out.line(absl::StrCat(count(all.positions, "position"), " in all: ", number(all.first), " are won by first, ",
                        number(all.second), " by second, ", count(all.level, "tie"), "; ", number(all.ended),
                        " of them have ended"));
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

}  // namespace

std::string bits_page(const BitGame& game, const std::optional<Cost>& cost) {
  const Variant& variant = game.variant();
  Text out;
  write_result(game, out);
  out.line(
      "Found by working out who wins every position, by bits and two tiers at a time. How long it takes to win, and "
      "which positions can arise, is not known.",
      0, 2);
  write_openings(variant, game.start().mover, shown_openings(game), out);
  write_tiers(game, out);
  write_readings(variant, out);
  out.section("Size and cost");
  out.line(absl::StrCat(count(game.stored(), "position"), " up to the symmetries of their cells"));
  if (!cost) return out.text();
  const double rate = static_cast<double>(game.stored()) / std::max(cost->seconds, 1e-9);
  out.line(absl::StrCat(seconds(cost->seconds), " by the clock, ", seconds(cost->cpu_seconds.value_or(0)),
                        " of processor time, ", count(static_cast<std::uint64_t>(std::max(cost->threads, 0)), "thread"),
                        "; ", rounded(rate), " of these positions a second"));
  out.line(absl::StrCat("peak memory ", memory_text(cost->peak_bytes.value_or(0))));
  return out.text();
}

Json bits_json(const BitGame& game, const std::optional<Cost>& cost) {
  const Variant& variant = game.variant();
  Json out;
  out["schema"] = 1;
  out.update(game_json(variant));
  out["method"] = "bits";
  out["cyclic"] = false;
  out["value"] = value_json(variant, game.start_value());
  out["pie"] = pie_json(game);
  out["openings"] = openings_json(game);
  for (const char* key : {"positions", "margins", "ended_by"}) out[key] = nullptr;
  Json& rate = out["draw_rate"];
  for (const char* key : {"positions", "openings", "ends", "random_play"}) rate[key] = nullptr;
  if (const auto level = draw_rates(game).openings) rate["openings"] = *level;
  for (const char* key : {"cycles", "random_play", "moves"}) out[key] = nullptr;
  out["tiers"] = Json::array();
  for (const BitTier& tier : game.tiers()) {
    Json one;
    one["stones"] = tier.stones;
    one["mover"] = tier.mover == Player::first ? "first" : "second";
    one["states"] = tier.states;
    one.update(tier_counts_json(tier));
    out["tiers"].push_back(std::move(one));
  }
  out["whole_board"] = tier_counts_json(sum_of(game.tiers()));
  out["cost"]["stored_positions"] = game.stored();
  if (cost) add_cost(*cost, out);
  return out;
}

}  // namespace plenum
