// SPDX-License-Identifier: Apache-2.0
#include "tools/session/suggestions.h"

#include <algorithm>
#include <set>

#include <absl/strings/str_cat.h>

#include "solver/study/random_games.h"
#include "tools/report/describe.h"
#include "tools/report/draw.h"
#include "tools/session/lost_symmetry.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kDrawnColumns = 44;  // of a board
constexpr std::size_t kMostTried = 64;     // settings

class Suggestions {
 public:
  explicit Suggestions(const Description& description) : description_(description) {}

  std::vector<std::string> all() {
    const absl::StatusOr<Variant> variant = Variant::make(description_);
    if (!variant.ok() || !variant->rules().has_start()) return {};
    make_settings();
    const absl::StatusOr<RandomGames> games = play_random_games(*variant);
    if (games.ok()) {
      on_moves(*variant, *games);
      on_ends(*variant, *games);
    }
    on_settings(*variant);
    on_state(*variant);
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

  // Names of moves, or of parts, that were legal somewhere.
  static void add_legal(const Variant& variant, const RandomGames& games, bool part, std::set<std::string>& to) {
    const auto& rules = part ? variant.rule_set().parts : variant.rule_set().moves;
    const auto& seen = part ? games.parts : games.moves;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i]) to.insert(rules[i].name);
    }
  }

  // Those that are there by default and are legal with no value of any option.
  void on_moves(const Variant& variant, const RandomGames& games) {
    for (const bool part : {false, true}) {
      std::set<std::string> legal;
      add_legal(variant, games, part, legal);
      const auto& rules = part ? variant.rule_set().parts : variant.rule_set().moves;
      const auto all_legal = [&] {
        return std::all_of(rules.begin(), rules.end(), [&](const auto& rule) { return legal.count(rule.name) > 0; });
      };
      for (const Setting& setting : settings_) {
        if (variant.rules().pieces() != nullptr || all_legal()) break;
        const absl::StatusOr<RandomGames> others = play_random_games(setting.variant);
        if (others.ok()) add_legal(setting.variant, *others, part, legal);
      }
      for (const MoveDescription& one : part ? description_.parts : description_.moves) {
        const bool there =
            std::any_of(rules.begin(), rules.end(), [&](const auto& rule) { return rule.name == one.name; });
        if (there && legal.count(one.name) == 0)
          add(one.span, absl::StrCat("'", one.name, "' was never legal ", met(games)),
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

  // With each other value of each option.
  void make_settings() {
    std::size_t tried = 0;
    for (const Option& option : description_.options) {
      for (const std::string& value : option.values()) {
        if (option.name == "board" || value == to_text(option.value) || ++tried > kMostTried) continue;
        Description own = description_;
        if (!own.set_option(Span::whole("option", absl::StrCat(option.name, "=", value))).ok()) continue;
        absl::StatusOr<Variant> variant = Variant::make(own);
        if (variant.ok() && variant->rules().has_start())
          settings_.push_back({option.span, absl::StrCat(option.name, "=", value), *std::move(variant)});
      }
    }
  }

  // Whether there is a first move.
  void on_settings(const Variant& variant) {
    for (const Setting& setting : settings_) {
      if (nobody_moves(setting.variant))
        add(setting.span, absl::StrCat("with ", setting.text, " there is no move at the start"), "");
    }
    if (nobody_moves(variant))
      add(description_.moves.empty() ? description_.end.span : description_.moves.front().span,
          "there is no move at the start", "see the position with: plenum query FILE --moves-only");
  }

  // State that a position carries under no setting, since no rule reads it.
  void on_state(const Variant& variant) {
    std::set<std::string> carried;
    const auto take = [&](const Variant& one) {
      for (const StateSlot& slot : one.rule_set().slots) {
        if (slot.live) carried.insert(slot.name);
      }
    };
    take(variant);
    for (const Setting& setting : settings_) take(setting.variant);
    for (const StateDescription& state : description_.state) {
      if (carried.count(state.name) == 0)
        add(state.span, absl::StrCat("no rule reads '", state.name, "'"),
            "positions do not carry it, and it changes nothing");
    }
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

  void on_symmetry(const Variant& variant) {
    if (const auto lost = find_lost_symmetry(description_, variant)) add(lost->span, lost->what, lost->advice);
  }

  struct Setting {
    Span span;  // of the option
    std::string text;
    Variant variant;
  };

  const Description& description_;
  std::vector<Setting> settings_;
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
