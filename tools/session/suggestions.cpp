// SPDX-License-Identifier: Apache-2.0
#include "tools/session/suggestions.h"

#include <algorithm>
#include <functional>

#include <absl/strings/str_cat.h>

#include "solver/study/random_games.h"
#include "tools/report/describe.h"
#include "tools/report/draw.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kDrawnColumns = 44;  // of a board
constexpr std::size_t kMostTried = 64;     // settings, and rules left out

class Suggestions {
 public:
  explicit Suggestions(const Description& description) : description_(description) {}

  std::vector<std::string> all() {
    const absl::StatusOr<Variant> variant = Variant::make(description_);
    if (!variant.ok() || !variant->rules().has_start()) return {};
    const absl::StatusOr<RandomGames> games = play_random_games(*variant);
    if (games.ok()) {
      on_moves(*variant, *games);
      on_ends(*variant, *games);
    }
    on_settings();
    if (variant->rules().pieces() == nullptr) on_symmetry(*variant);
    return std::move(out_);
  }

 private:
  void add(const Span& span, const std::string& what, const std::string& advice) {
    out_.emplace_back(error_at(span, what, advice).message());
  }

  static std::string met(const RandomGames& games) {
    return absl::StrCat("in ", games.games, " random games (", games.positions, " positions)");
  }

  void on_moves(const Variant& variant, const RandomGames& games) {
    for (const bool part : {false, true}) {
      const auto& rules = part ? variant.rule_set().parts : variant.rule_set().moves;
      const auto& seen = part ? games.parts : games.moves;
      for (std::size_t i = 0; i < seen.size(); ++i) {
        const auto& written = part ? description_.parts : description_.moves;
        const auto found = std::find_if(written.begin(), written.end(),
                                        [&](const MoveDescription& one) { return one.name == rules[i].name; });
        if (!seen[i] && found != written.end())
          add(found->span, absl::StrCat("'", found->name, "' was never legal ", met(games)),
              "look at its from, to, when and legal; a [[test]] with a position and 'legal' shows where it should be");
      }
    }
  }

  // The first key of [end] that ends the game by itself.
  const Expression* ending_rule() const {
    for (const ExpressionPtr& rule : {description_.end.wins, description_.end.loses, description_.end.when}) {
      if (rule != nullptr) return rule.get();
    }
    return nullptr;
  }

  void on_ends(const Variant& variant, const RandomGames& games) {
    if (games.stuck && variant.rule_set().stuck == Stuck::unstated)
      add(description_.end.span,
          absl::StrCat("a player may have no move, as in ", variant.rules().write(*games.stuck),
                       ", and nothing says what becomes of them"),
          "write stuck = \"loses\" (or wins, ties, scores, pass) in [end]");
    const Expression* const rule = ending_rule();
    if (games.games == 0 || rule == nullptr || games.ended_by_rule > 0) return;
    const bool all_stuck = games.unfinished == 0;
    add(rule->span,
        all_stuck ? absl::StrCat("this never ended a game ", met(games), ": all ended without a move")
                  : absl::StrCat("this never ended a game ", met(games), ", and ", games.unfinished,
                                 " were not over after ", RandomGames::kMostPlies, " plies"),
        "an end is looked at after each move, seen from the player to move then: mine and theirs have changed places");
  }

  // Whether there is a first move, with each value of each option.
  void on_settings() {
    std::size_t tried = 0;
    for (const Option& option : description_.options) {
      for (const std::string& value : option.values()) {
        if (option.name == "board" || value == to_text(option.value) || ++tried > kMostTried) continue;
        Description own = description_;
        if (!own.set_option(Span::whole("option", absl::StrCat(option.name, "=", value))).ok()) continue;
        const absl::StatusOr<Variant> variant = Variant::make(own);
        if (variant.ok() && nobody_moves(*variant))
          add(option.span, absl::StrCat("with ", option.name, "=", value, " there is no move at the start"), "");
      }
    }
    const absl::StatusOr<Variant> variant = Variant::make(description_);
    if (variant.ok() && nobody_moves(*variant))
      add(description_.moves.empty() ? description_.end.span : description_.moves.front().span,
          "there is no move at the start", "see the position with: plenum query FILE --moves-only");
  }

  static bool nobody_moves(const Variant& variant) {
    if (!variant.rules().has_start()) return false;
    const Position start = variant.rules().start();
    const absl::StatusOr<EndState> end = end_state(variant.rules(), start);
    if (!end.ok()) return false;
    if (end->ended) return true;
    const absl::StatusOr<std::vector<Successor>> moves = successors(variant.rules(), start);
    return moves.ok() && moves->empty();
  }

  // The one rule without which the game has more symmetries, if there is just one.
  void on_symmetry(const Variant& variant) {
    struct Rule {
      Span span;
      std::string name;
      std::function<void(Description&)> leave_out;
    };
    std::vector<Rule> rules;
    for (std::size_t i = 0; i < description_.moves.size() && description_.moves.size() > 1; ++i) {
      const MoveDescription& move = description_.moves[i];
      rules.push_back({move.span, absl::StrCat("the move '", move.name, "'"),
                       [i](Description& own) { own.moves.erase(own.moves.begin() + static_cast<std::ptrdiff_t>(i)); }});
    }
    for (std::size_t i = 0; i < description_.start.size(); ++i) {
      rules.push_back({description_.start[i].first, "this part of the start",
                       [i](Description& own) { own.start.erase(own.start.begin() + static_cast<std::ptrdiff_t>(i)); }});
    }
    const std::pair<const char*, ExpressionPtr EndDescription::*> ends[] = {{"wins", &EndDescription::wins},
                                                                            {"loses", &EndDescription::loses},
                                                                            {"when", &EndDescription::when},
                                                                            {"score", &EndDescription::score},
                                                                            {"tiebreak", &EndDescription::tiebreak}};
    for (const auto& [name, rule] : ends) {
      if (description_.end.*rule == nullptr) continue;
      rules.push_back({(description_.end.*rule)->span, absl::StrCat("'", name, "'"),
                       [rule = rule](Description& own) { own.end.*rule = nullptr; }});
    }
    if (rules.size() < 2 || rules.size() > kMostTried) return;
    std::vector<std::pair<const Rule*, std::size_t>> culprits;
    for (const Rule& rule : rules) {
      Description own = description_;
      rule.leave_out(own);
      const absl::StatusOr<Variant> without = Variant::make(own);
      if (without.ok() && without->symmetries().size() > variant.symmetries().size())
        culprits.emplace_back(&rule, without->symmetries().size());
    }
    if (culprits.size() != 1) return;
    add(culprits[0].first->span,
        absl::StrCat("without ", culprits[0].first->name, " the game would have ", culprits[0].second,
                     " symmetries, not ", variant.symmetries().size()),
        "if that is not meant, look for a cell, a row or a direction that is named here and has an image");
  }

  const Description& description_;
  std::vector<std::string> out_;
};

// Both boards, line by line.
std::vector<std::string> both_boards(const Variant& variant, const Position& before, const Position& after) {
  const std::vector<std::string> left = draw_position(variant, before, kDrawnColumns);
  const std::vector<std::string> right = draw_position(variant, after, kDrawnColumns);
  std::size_t width = 0;
  for (const std::string& line : left) width = std::max(width, display_width(line));
  std::vector<std::string> out;
  for (std::size_t i = 0; i < left.size() && i < right.size(); ++i)
    out.push_back(absl::StrCat(pad_right(left[i], width), i == left.size() / 2 ? "  ->  " : "      ", right[i]));
  return out;
}

}  // namespace

std::vector<std::string> suggestions(const Description& description) { return Suggestions(description).all(); }

absl::StatusOr<std::vector<DrawnMove>> draw_moves(const Description& description) {
  ASSIGN_OR_RETURN(const Variant variant, Variant::make(description));
  std::vector<DrawnMove> out;
  if (!variant.rules().has_start() || variant.rules().pieces() != nullptr) return out;
  ASSIGN_OR_RETURN(const RandomGames games, play_random_games(variant));
  const auto draw_one = [&](const std::string& name, const std::optional<RandomGames::Example>& seen) {
    DrawnMove& one = out.emplace_back();
    one.name = name;
    if (!seen) return;
    one.move = seen->move.text;
    one.before = variant.rules().write(seen->before);
    one.after = variant.rules().write(seen->move.position);
    one.lines = both_boards(variant, seen->before, seen->move.position);
  };
  for (std::size_t i = 0; i < games.moves.size(); ++i) draw_one(variant.rule_set().moves[i].name, games.moves[i]);
  for (std::size_t i = 0; i < games.parts.size(); ++i) draw_one(variant.rule_set().parts[i].name, games.parts[i]);
  return out;
}

Json move_drawings_json(const std::vector<DrawnMove>& moves) {
  return json_list(moves, [](const DrawnMove& one) -> Json {
    const auto text = [](const std::string& written) { return written.empty() ? Json() : Json(written); };
    return {{"name", one.name}, {"move", text(one.move)}, {"before", text(one.before)}, {"after", text(one.after)}};
  });
}

}  // namespace plenum
