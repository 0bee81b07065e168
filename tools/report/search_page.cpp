// SPDX-License-Identifier: Apache-2.0
#include "tools/report/search_page.h"

#include <algorithm>

#include <absl/strings/str_cat.h>

#include "solver/support/memory.h"
#include "tools/report/describe.h"
#include "tools/report/page_result.h"

namespace plenum {
namespace {

using namespace pages;  // NOLINT(google-build-using-namespace)

// The outcome and margin that a proven margin comes to; nothing where it is not exact.
std::optional<PositionValue> exact_value(const ProvenMargin& proven, bool ended) {
  if (!proven.exact()) return std::nullopt;
  PositionValue out;
  out.margin.margin = proven.least;
  out.outcome = proven.least.units > 0 ? Outcome::first : proven.least.units < 0 ? Outcome::second : Outcome::tie;
  out.ended = ended;
  return out;
}

// "first wins", "a tie" where that much is known of a margin, and "" where not even that.
std::string known_part(const Variant& variant, const ProvenMargin& proven) {
  const auto margin = [&](Margin m) { return variant.margin_text(m); };
  const std::string between =
      absl::StrCat("first's margin is ", margin(proven.least), " at least and ", margin(proven.greatest), " at most");
  if (proven.least.units > 0) return absl::StrCat("first wins; ", between);
  if (proven.greatest.units < 0) return absl::StrCat("second wins; ", between);
  return between;
}

std::string result_text(const Variant& variant, const SearchedGame& game) {
  const std::optional<PositionValue> value = exact_value(game.value, game.ended);
  if (!value) return absl::StrCat("not solved; what is proven: ", known_part(variant, game.value));
  if (value->margin.margin.units == 0) return game.ended ? "the game is over before the first move: a tie" : "a tie";
  return absl::StrCat(game.ended ? "the game is over before the first move: " : "",
                      wins_text(variant, value->margin.margin), game.ended ? "" : " at best play");
}

std::string pie_text(const Variant& variant, const Pie& pie) {
  std::vector<std::string> shown = pie.openings;
  if (shown.size() > kFairestShown) shown.resize(kFairestShown);
  std::string list = absl::StrCat(pie.openings.size() == 1 ? "the fairest opening: " : "the fairest openings: ",
                                  absl::StrJoin(shown, ", "));
  if (shown.size() < pie.openings.size()) absl::StrAppend(&list, " and ", pie.openings.size() - shown.size(), " more");
  return absl::StrCat(pie.margin.units == 0 ? "a tie" : absl::StrCat(wins_text(variant, pie.margin), " at best play"),
                      " (", list, ")");
}

std::string opening_sign(const Variant& variant, const ProvenMargin& after) {
  const std::optional<PositionValue> value = exact_value(after, false);
  return value ? sign_text(variant, *value) : "?";
}

double per_second(std::uint64_t n, const Cost& cost) { return static_cast<double>(n) / std::max(cost.seconds, 1e-9); }

}  // namespace

std::string search_page(const Variant& variant, const SearchedGame& game, const std::string& why, const Cost& cost) {
  Text out;
  const std::string title = absl::StrCat(variant.description().name, " on ", variant.board().name(), ": ");
  if (game.pie) {
    out.line(absl::StrCat(title, "with the pie, ", pie_text(variant, *game.pie), "."), 0, 2);
    out.line(absl::StrCat("Without the pie, ", result_text(variant, game), "."), 0, 2);
  } else {
    out.line(absl::StrCat(title, result_text(variant, game), "."), 0, 2);
  }
  out.line(
      absl::StrCat("Found by searching for the value of the start alone", why.empty() ? "" : absl::StrCat(": ", why),
                   ". How long it takes to win, all counts and draw rates are not known."),
      0, 2);
  if (variant.rule_set().pie && game.openings.empty() && !game.ended && !game.stopped)
    out.line("What the pie makes of it takes the value of every opening: --openings", 0, 2);
  if (!game.openings.empty()) {
    std::vector<ShownOpening> shown;
    bool all_exact = true;
    for (const SearchedOpening& opening : game.openings) {
      shown.push_back({opening.move, opening.text, opening_sign(variant, opening.after)});
      all_exact &= opening.after.exact();
    }
    write_openings(variant, game.start.mover, shown, out);
    if (!all_exact) out.line("(?: not solved)");
  }
  if (game.line) {
    out.section("A line of best play");
    out.line(line_words(game.line->moves));
    out.line(to_text(variant.rule_set(), game.line->end()));
  }
  write_readings(variant, out);
  const SearchProgress& work = game.work;
  out.section("Cost");
  out.line(absl::StrCat(count(work.nodes, "position"), " searched, ", number(work.successors), " met; ",
                        rounded(per_second(work.nodes, cost)), " and ", rounded(per_second(work.successors, cost)),
                        " a second"));
  out.line(absl::StrCat("table of ", memory_text(work.table_bytes), ", ", percent(work.fill), " full; peak memory ",
                        memory_text(cost.peak_bytes.value_or(0))));
  out.line(absl::StrCat(seconds(cost.seconds), " by the clock, ", seconds(cost.cpu_seconds.value_or(0)),
                        " of processor time, ",
                        count(static_cast<std::uint64_t>(std::max(cost.threads, 0)), "thread")));
  return out.text();
}

Json search_json(const Variant& variant, const SearchedGame& game, const Cost& cost) {
  const auto value_of = [&](const ProvenMargin& proven, bool ended) {
    Json out;
    const std::optional<PositionValue> value = exact_value(proven, ended);
    out["outcome"] = value ? Json(outcome_name(value->outcome)) : Json(nullptr);
    out["margin"] = value ? margin_json(variant, value->margin.margin) : Json(nullptr);
    out["plies"] = ended ? Json(0) : Json(nullptr);
    return out;
  };
  const auto proven_json = [&](const ProvenMargin& proven) {
    return Json{{"least", margin_json(variant, proven.least)}, {"greatest", margin_json(variant, proven.greatest)}};
  };
  Json out;
  out["schema"] = 1;
  out.update(game_json(variant));
  out["method"] = "search";
  out["cyclic"] = false;
  out["value"] = value_of(game.value, game.ended);
  out["proven"] = proven_json(game.value);
  out["pie"] = nullptr;
  if (game.pie) {
    out["pie"] = Json::object();
    out["pie"]["margin"] = margin_json(variant, game.pie->margin);
    out["pie"]["openings"] = game.pie->openings;
  }
  out["openings"] = nullptr;
  if (!game.openings.empty()) out["openings"] = Json::array();
  for (const SearchedOpening& opening : game.openings) {
    Json one;
    one["move"] = opening.text;
    one.update(value_of(opening.after, false));
    if (!opening.after.exact()) one["proven"] = proven_json(opening.after);
    out["openings"].push_back(std::move(one));
  }
  out["line"] = nullptr;
  if (game.line) {
    out["line"] = Json::array();
    for (const LineMove& move : game.line->moves) out["line"].push_back(move.text);
  }
  for (const char* key : {"positions", "margins", "ended_by"}) out[key] = nullptr;
  Json& rate = out["draw_rate"];
  rate["positions"] = nullptr;
  rate["openings"] = nullptr;
  const bool all_known = !game.openings.empty() && std::all_of(game.openings.begin(), game.openings.end(),
                                                               [](const auto& o) { return o.after.exact(); });
  if (all_known) {
    const auto level = std::count_if(game.openings.begin(), game.openings.end(),
                                     [](const auto& o) { return o.after.least.units == 0; });
    rate["openings"] = share(static_cast<std::uint64_t>(level), game.openings.size());
  }
  rate["ends"] = nullptr;
  rate["random_play"] = nullptr;
  for (const char* key : {"cycles", "random_play", "moves"}) out[key] = nullptr;
  Json& c = out["cost"];
  c = cost_json(cost);
  c["nodes"] = game.work.nodes;
  c["nodes_per_second"] = per_second(game.work.nodes, cost);
  c["successors"] = game.work.successors;
  c["table_bytes"] = game.work.table_bytes;
  c["table_fill"] = game.work.fill;
  return out;
}

}  // namespace plenum
