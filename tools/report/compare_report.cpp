// SPDX-License-Identifier: Apache-2.0
#include "tools/report/compare_report.h"

#include <algorithm>
#include <array>
#include <map>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>

#include "tools/report/describe.h"
#include "tools/report/page.h"
#include "tools/report/page_text.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

using namespace pages;  // NOLINT(google-build-using-namespace)

// ------------------------------------------------------------------------------------------------------ JSON

// Changes between a tie and a cycle.
std::uint64_t between_levels(const Comparison& c) {
  const auto at = [&](Outcome a, Outcome b) {
    return c.outcomes[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  };
  return at(Outcome::tie, Outcome::cycle) + at(Outcome::cycle, Outcome::tie);
}

Json side_json(const Summary& game) {
  const Variant& variant = *game.variant;
  Json out = game_json(variant);
  out["method"] = game.method;
  out["value"] = value_or_null(variant, game.start_value);
  out["pie"] = pie_json(variant, game.pie);
  out["reachable"] = positions_of(game);
  return out;
}

Json changes_json(const Comparison& c) {
  return {{"common", c.common},
          {"changed", c.changed},
          {"changed_winner", c.changed - between_levels(c)},
          {"changed_plies", c.plies},
          {"outcomes", outcomes_json(c)}};
}

// ------------------------------------------------------------------------------------------------------ page

void write_results(const ComparisonReport& f, Text& out) {
  const Summary& in_a = f.a->summary();
  const Summary& in_b = f.b->summary();
  if (!in_a.start_value || !in_b.start_value) return;  // endings
  out.section("Best play from the start");
  const auto both = [&](const std::string& what, const std::string& a, const std::string& b) {
    out.line(absl::StrCat(what, a == b ? a + " in both" : absl::StrCat(a, " in A, ", b, " in B")), 2, 8);
  };
  both("", value_words(f.a->variant(), *in_a.start_value), value_words(f.b->variant(), *in_b.start_value));
  const auto pie = [](const Summary& game) {
    return game.pie ? absl::StrCat(game.variant->margin_text(game.pie->margin), " (",
                                   absl::StrJoin(game.pie->openings, " "), ")")
                    : std::string("none");
  };
  if (in_a.pie || in_b.pie) both("with the pie, for first (fairest openings): ", pie(in_a), pie(in_b));
  std::vector<std::pair<std::string, std::vector<std::string>>> changes;  // those that change alike together
  std::size_t changed = 0;
  std::size_t in_both = 0;
  std::vector<std::string> only[2];
  for (const ComparedOpening& o : f.openings) {
    in_both += o.a && o.b ? 1 : 0;
    if (!o.a || !o.b) only[o.a ? 0 : 1].push_back(o.text);
    if (!o.changed) continue;
    ++changed;
    const std::string change =
        absl::StrCat(value_words(f.a->variant(), *o.a), " -> ", value_words(f.b->variant(), *o.b));
    auto known = std::find_if(changes.begin(), changes.end(), [&](const auto& c) { return c.first == change; });
    if (known == changes.end()) known = changes.insert(changes.end(), {change, {}});
    known->second.push_back(o.text);
  }
  out.line(in_both == 0
               ? std::string("no first move is the same in both")
               : absl::StrCat("of the ", count(in_both, "first move"), " that both have, ",
                              changed == 0 ? "none" : number(changed), changed < 2 ? " changes" : " change", " value"));
  for (const auto& [change, moves] : changes) out.line(absl::StrCat(absl::StrJoin(moves, " "), ": ", change), 4, 8);
  for (const int side : {0, 1}) {
    if (!only[side].empty())
      out.line(absl::StrCat("first moves of ", side == 0 ? "A" : "B", " alone: ", absl::StrJoin(only[side], " ")), 2,
               8);
  }
}

// Of an ending: for each player to move.
void write_movers(const ComparisonReport& f, Text& out) {
  for (const Player player : {Player::first, Player::second}) {
    const Comparison& c = f.by_kind.by_mover[static_cast<std::size_t>(player)];
    out.raw("");
    out.line(absl::StrCat(player == Player::first ? "white" : "black", " to move: ", number(c.common), " positions, ",
                          number(c.changed - between_levels(c)), " change who wins"));
    write_outcomes(c, out);
  }
}

void write_changes(const ComparisonReport& f, Text& out) {
  const Comparison& c = f.counts;
  const std::optional<EndingSummary>& ending = f.a->summary().ending;
  out.section(ending ? absl::StrCat("Positions of ", ending->material) : "Positions");
  out.line(absl::StrCat(number(c.common), ending ? " are legal in both; " : " are reachable in both; ",
                        number(positions_of(f.a->summary()) - c.common), " in A alone, ",
                        number(positions_of(f.b->summary()) - c.common), " in B alone"));
  if (c.common == 0) {
    out.line(
        "so no position could be compared: the games start differently, or their kinds of stones have other letters");
    return;
  }
  out.line(c.changed == 0 ? std::string("none of those in both changes value")
                          : absl::StrCat(number(c.changed), " of those in both ", c.changed == 1 ? "changes" : "change",
                                         " value (", percent(share(c.changed, c.common)),
                                         "): ", number(c.changed - c.same_outcome), " the outcome, ",
                                         number(c.same_outcome), " the margin alone"));
  if (const std::uint64_t levels = between_levels(c); levels > 0)
    out.line(absl::StrCat(number(c.changed - c.same_outcome - levels), " of these change who wins, ", number(levels),
                          " between ties and cycles alone"));
  if (c.plies > 0)
    out.line(absl::StrCat("of the others, ", number(c.plies), c.plies == 1 ? " takes" : " take", " longer or shorter"));
  if (c.forced > 0) out.line(absl::StrCat(number(c.forced), " are cycles in both, forced in one alone"));
  if (c.ended > 0)
    out.line(absl::StrCat("in ", number(c.ended), " of those in both the game is over by the rules of one alone"));
  if (ending) {
    write_movers(f, out);
  } else {
    write_outcomes(c, out);
  }
}

void write_examples(const ComparisonReport& f, Text& out) {
  if (f.examples.empty()) return;
  out.section("One of each kind that changes, the most frequent kinds first, with the moves that differ");
  out.line("(keeps): the move keeps the value");
  for (const ComparedPosition& example : f.examples) {
    const auto in_a = static_cast<std::size_t>(example.a.outcome);
    const auto in_b = static_cast<std::size_t>(example.b.outcome);
    out.raw("");
    out.line(absl::StrCat(f.a->variant().rules().write(example.position), "   one of ",
                          count(f.counts.outcomes[in_a][in_b], "position")));
    write_both({f.a->variant(), f.b->variant()}, example, out);
  }
}

void write_parting(const ComparisonReport& f, Text& out) {
  if (!f.a->summary().start_value) return;  // an ending
  out.section("Where best play parts");
  if (!f.same_start) {
    out.line("at once: the games do not start from the same position");
  } else if (!f.parting) {
    out.line("nowhere: a line of best play is the same in both");
  } else {
    const Parting& p = *f.parting;
    out.line(absl::StrCat(p.line.empty() ? std::string("on the first move")
                                         : absl::StrCat("after ", absl::StrJoin(p.line, " "), " (best in both)"),
                          ", in ", f.a->variant().rules().write(p.at.position)));
    const auto words = [](const std::vector<std::string>& moves) {
      return moves.empty() ? "nothing, the game is over" : absl::StrJoin(moves, " ");
    };
    out.line(absl::StrCat("best in A: ", words(p.best_a)));
    out.line(absl::StrCat("best in B: ", words(p.best_b)));
    const bool alike = std::any_of(p.best_a.begin(), p.best_a.end(), [&](const std::string& move) {
      return std::find(p.best_b.begin(), p.best_b.end(), move) != p.best_b.end();
    });
    if (alike) out.line("(moves written alike lead to different positions)");
  }
}

void write_nearest(const ComparisonReport& f, const QueryCommandFn& query, Text& out) {
  if (f.nearest.empty() && f.counts.changed > 0 && f.a->summary().start_value)
    out.line(absl::StrCat("none of the ", number(Result::kMostLooked), " positions nearest the start changes value"));
  if (f.nearest.empty()) return;
  out.section(absl::StrCat("The ", f.nearest.size() == 1 ? "position" : count(f.nearest.size(), "position"),
                           " nearest the start that ", f.nearest.size() == 1 ? "changes" : "change",
                           " value, with the moves that differ"));
  out.line("(keeps): the move keeps the value; *: this line is not the same in both");
  for (const Change& change : f.nearest) {
    const std::string position = f.a->variant().rules().write(change.at.position);
    out.raw("");
    out.line(absl::StrCat(position, "   ", player_word(change.at.position.mover), " to move, ",
                          change.line.moves.empty() ? std::string("the start")
                                                    : absl::StrCat("after ", line_words(change.line.moves)),
                          change.line_in_b ? "" : " (not the way there in B)"),
             2, 4);
    write_both({f.a->variant(), f.b->variant()}, change.at, out);
  }
  const ComparedPosition& first = f.nearest.front().at;
  out.section("To see more of a position");
  out.raw("  " + query(true, f.a->variant().rules().write(first.position)));
  out.raw("  " + query(false, f.b->variant().rules().write(first.in_b)));
}

}  // namespace

std::uint64_t positions_of(const Summary& game) {
  if (game.statistics) return game.statistics->reachable;
  const EndingStatistics& s = game.ending->statistics;
  return s.to_move(Player::first).all.legal + s.to_move(Player::second).all.legal;
}

bool ComparisonReport::any_changed() const {
  return counts.changed > 0 || start_changed ||
         std::any_of(openings.begin(), openings.end(), [](const ComparedOpening& o) { return o.changed; });
}

absl::StatusOr<ComparisonReport> compare_games(const Result& a, const Result& b, std::size_t most,
                                               const std::function<bool(std::uint64_t)>& go_on) {
  ASSIGN_OR_RETURN(const ComparedGames games, ComparedGames::make(a, b));
  ComparisonReport out;
  out.a = &a;
  out.b = &b;
  out.rules = differences(a.variant().identity(), b.variant().identity());
  ASSIGN_OR_RETURN(out.by_kind, games.count(go_on));
  out.counts = out.by_kind.both();
  out.same_start = games.same_start();
  if (!a.summary().start_value || !b.summary().start_value) {
    ASSIGN_OR_RETURN(out.examples, games.examples(out.by_kind, most));
    return out;
  }
  out.start_changed = !games.same_value(*a.summary().start_value, *b.summary().start_value);
  out.openings = games.openings();
  if (out.same_start) {
    ASSIGN_OR_RETURN(out.parting, games.parting());
  }
  if (out.counts.changed > 0) {
    ASSIGN_OR_RETURN(out.nearest, games.nearest_changes(most, go_on));
    if (out.nearest.empty()) {  // they lie too deep
      ASSIGN_OR_RETURN(out.examples, games.examples(out.by_kind, most));
    }
  }
  return out;
}

Json comparison_json(const ComparisonReport& f, const Cost& cost) {
  const Comparison& c = f.counts;
  Json out = headed_json();
  out["a"] = side_json(f.a->summary());
  out["b"] = side_json(f.b->summary());
  out["board"] = f.a->variant().board().name();
  const std::optional<EndingSummary>& ending = f.a->summary().ending;
  if (ending) out["material"] = ending->material;
  out["differences"] = differences_json(f.rules);
  out["positions"] = {{"common", c.common},
                      {"only_a", positions_of(f.a->summary()) - c.common},
                      {"only_b", positions_of(f.b->summary()) - c.common}};
  out.update({{"any_changed", f.any_changed()},
              {"changed", c.changed},
              {"changed_outcome", c.changed - c.same_outcome},
              {"changed_winner", c.changed - c.same_outcome - between_levels(c)},
              {"changed_margin", c.same_outcome},
              {"changed_plies", c.plies},
              {"changed_forced", c.forced},
              {"ended_in_one", c.ended},
              {"outcomes", outcomes_json(c)}});
  if (ending) {
    out["white_to_move"] = changes_json(f.by_kind.by_mover[0]);
    out["black_to_move"] = changes_json(f.by_kind.by_mover[1]);
  }
  out["start_changed"] = f.a->summary().start_value ? Json(f.start_changed) : Json(nullptr);
  out["openings"] = json_list(f.openings, [&](const ComparedOpening& o) -> Json {
    return {{"move", o.text},
            {"a", value_or_null(f.a->variant(), o.a)},
            {"b", value_or_null(f.b->variant(), o.b)},
            {"changed", o.changed}};
  });
  const auto at = [&](const ComparedPosition& p) { return position_json({f.a->variant(), f.b->variant()}, p); };
  out["parting"] = f.parting ? at(f.parting->at) : Json();
  if (f.parting)
    out["parting"].update({{"line", f.parting->line}, {"best_a", f.parting->best_a}, {"best_b", f.parting->best_b}});
  out["nearest"] = json_list(f.nearest, [&](const Change& change) {
    Json one = at(change.at);
    one.update({{"line", line_json(change.line.moves)}, {"line_in_b", change.line_in_b}});
    return one;
  });
  out["examples"] = json_list(f.examples, at);
  out["cost"] = cost_json(cost);
  return out;
}

std::string comparison_page(const ComparisonReport& f, const QueryCommandFn& query) {
  Text out;
  write_rules({f.a->variant(), f.b->variant()}, f.rules, out);
  write_results(f, out);
  write_changes(f, out);
  write_parting(f, out);
  write_nearest(f, query, out);
  write_examples(f, out);
  return out.text();
}

}  // namespace plenum
