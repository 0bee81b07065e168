// SPDX-License-Identifier: Apache-2.0
#include "tools/html/picture.h"

#include <algorithm>
#include <cmath>

#include <absl/strings/str_cat.h>

#include "tools/html/board_plan.h"
#include "tools/html/board_svg.h"
#include "tools/html/chart_svg.h"
#include "tools/report/describe.h"
#include "variants/text/printable.h"

namespace plenum {
namespace {

// Six decimals are more than any screen shows.
double six_decimals(double value) { return std::round(value * 1e6) / 1e6 + 0.0; }
Json point_json(Point p) { return {six_decimals(p.x), six_decimals(p.y)}; }

Json board_json(const Variant& variant, const BoardPictures& pictures) {
  const Board& board = variant.board();
  const BoardPlan plan(board, variant.description().on_corner);
  Json cells = Json::array();
  for (int c = 0; c < board.size(); ++c) {
    const auto cell = static_cast<Cell>(c);
    cells.push_back({{"name", board.cell_name(cell)}, {"at", point_json(plan.centre(cell))}});
  }
  Json marks;
  for (const std::string& worth : worths())
    marks[worth] = {{"open", BoardPictures::mark({worth}, false)}, {"filled", BoardPictures::mark({worth}, true)}};
  return {{"name", board.name()},
          {"rows", board.rows()},  // as positions are written: the cells by number, the first row first
          {"cells", std::move(cells)},
          {"svg", pictures.board()},
          {"marks", std::move(marks)},
          {"arrow_number", BoardPictures::arrow_number()},
          {"parts", BoardPictures::arrow_heads() + bar_patterns()}};
}

bool is_crowd(const std::string& letters) { return character_end(letters, 0) < letters.size(); }

// A position and its moves, drawn.
class Drawing {
 public:
  Drawing(const Variant& variant, const Position& position)
      : variant_(variant), position_(position), pictures_(variant), letters_(variant.rules().letters(position)) {
    for (const std::string& letters : letters_) draw(letters);
  }

  Json move(const Move& move, const Position& after) {
    const std::vector<MoveStep> steps = variant_.rules().steps(position_, move);
    const std::vector<std::string> then = variant_.rules().letters(after);
    Json changed = Json::object();
    for (std::size_t c = 0; c < then.size(); ++c) {
      if (then[c] == letters_[c]) continue;
      changed[variant_.board().cell_name(static_cast<Cell>(c))] = then[c];
      draw(then[c]);
    }
    return {{"steps", steps_json(steps)}, {"changed", std::move(changed)}, {"arrows", pictures_.arrows(steps)}};
  }

  // With the men of the moves that were drawn.
  Json position() const { return {{"mover", player_word(position_.mover)}, {"cells", letters_}, {"crowds", crowds_}}; }

 private:
  void draw(const std::string& letters) {
    if (is_crowd(letters) && !crowds_.contains(letters)) crowds_[letters] = pictures_.men(letters);
  }

  Json steps_json(const std::vector<MoveStep>& steps) const {
    const auto name = [&](Cell c) { return variant_.board().cell_name(c); };
    return json_list(steps, [&](const MoveStep& step) -> Json {
      return {{"from", step.from == kNoCell ? Json() : Json(name(step.from))},
              {"to", json_list(step.to, name)},
              {"kind", step.kind.empty() ? Json() : Json(step.kind)}};
    });
  }

  const Variant& variant_;
  const Position& position_;
  BoardPictures pictures_;
  std::vector<std::string> letters_;
  Json crowds_ = Json::object();
};

Json kinds_json(const Variant& variant, const BoardPictures& pictures) {
  return json_list(variant.rule_set().kinds, [&](const KindDescription& kind) -> Json {
    return {{"name", kind.name},
            {"letter", kind.letter},
            {"owner", kind.owner ? Json(player_word(*kind.owner)) : Json()},
            {"picture", pictures.man_picture(kind.letter)},
            {"on_cell", pictures.men(kind.letter)}};
  });
}

}  // namespace

Json variant_json(const Variant& variant) {
  const Description& d = variant.description();
  const Rules& rules = variant.rules();
  const BoardPictures pictures(variant);
  Json flags = Json::array();
  for (const StateSlot& slot : variant.rule_set().slots) {
    if (slot.live) flags.push_back(slot.name);
  }
  Json out = headed_json(variant);
  out.update(
      {{"author", d.author},
       {"source", d.source},
       {"about", d.about},
       {"choices", option_list_json(variant)},
       {"kinds", kinds_json(variant, pictures)},
       {"players",
        {{"first", pictures.player_picture(Player::first)}, {"second", pictures.player_picture(Player::second)}}},
       {"flags", std::move(flags)},
       {"pieces", rules.pieces() != nullptr},
       {"crowds", rules.pieces() != nullptr && rules.pieces()->crowds()},
       {"has_start", rules.has_start()},
       {"start", rules.write(rules.start())},
       {"board", board_json(variant, pictures)}});
  return out;
}

Json drawn_moves_json(const Variant& variant, const Position& position, const std::vector<Successor>& moves) {
  Drawing drawing(variant, position);
  Json drawn = json_list(moves, [&](const Successor& move) { return drawing.move(move.move, move.position); });
  Json out = drawing.position();
  out["moves"] = std::move(drawn);
  return out;
}

Json drawn_answer_json(const Variant& variant, const Answer& answer) {
  Drawing drawing(variant, answer.position);
  Json moves = json_list(answer.moves, [&](const ValuedMove& move) {
    Json one = drawing.move(move.successor.move, move.successor.position);
    one["says"] = value_words(variant, move.after);
    return one;
  });
  Json out = drawing.position();
  out["says"] = value_words(variant, answer.value);
  out["moves"] = std::move(moves);
  return out;
}

absl::StatusOr<std::string> men_picture(const Variant& variant, const std::string& letters) {
  constexpr std::size_t kMostMen = 256;
  const auto& kinds = variant.rule_set().kinds;
  if (letters.empty() || letters.size() > kMostMen)
    return absl::InvalidArgumentError("'letters' names one man or more");
  for (std::size_t at = 0; at < letters.size();) {
    const std::size_t end = character_end(letters, at);
    const std::string letter = letters.substr(at, end - at);
    if (std::none_of(kinds.begin(), kinds.end(), [&](const KindDescription& kind) { return kind.letter == letter; }))
      return absl::InvalidArgumentError(absl::StrCat("no kind has the letter '", printable(letter), "'"));
    at = end;
  }
  return BoardPictures(variant).men(letters);
}

}  // namespace plenum
