// SPDX-License-Identifier: Apache-2.0
#include "tools/html/picture.h"

#include <bit>
#include <cmath>

#include "tools/html/board_plan.h"
#include "tools/report/describe.h"

namespace plenum {
namespace {

// Six decimals are more than any screen shows.
double six_decimals(double value) { return std::round(value * 1e6) / 1e6 + 0.0; }
Json point_json(Point p) { return {six_decimals(p.x), six_decimals(p.y)}; }

class Picture {
 public:
  Picture(const Board& board, bool on_corner) : board_(board), plan_(board, on_corner) {}

  Json json() const {
    Json cells = Json::array();
    for (int c = 0; c < board_.size(); ++c) cells.push_back(cell_json(static_cast<Cell>(c)));
    return {{"name", board_.name()},
            {"look", board_.look() == Board::Look::squares    ? "squares"
                     : board_.look() == Board::Look::hexagons ? "hexagons"
                                                              : "points"},
            {"on_corner", plan_.turned()},
            {"rows", board_.rows()},  // as positions are written: the cells by number, the first row first
            {"cells", std::move(cells)}};
  }

 private:
  Json cell_json(Cell cell) const {
    Json adjacent = Json::array();
    for (CellSet rest = board_.adjacent()[cell]; rest != 0; rest &= rest - 1)
      adjacent.push_back(board_.cell_name(static_cast<Cell>(std::countr_zero(rest))));
    return {{"name", board_.cell_name(cell)},
            {"at", point_json(plan_.centre(cell))},
            {"outline", json_list(plan_.outline(cell), point_json)},
            {"adjacent", std::move(adjacent)}};
  }

  const Board& board_;
  BoardPlan plan_;
};

Json cells_json(const Variant& variant, const Position& position) { return variant.rules().letters(position); }

Json steps_json(const Variant& variant, const Position& position, const Move& move) {
  const auto name = [&](Cell c) { return variant.board().cell_name(c); };
  return json_list(variant.rules().steps(position, move), [&](const MoveStep& step) -> Json {
    return {{"from", step.from == kNoCell ? Json() : Json(name(step.from))},
            {"to", json_list(step.to, name)},
            {"kind", step.kind.empty() ? Json() : Json(step.kind)}};
  });
}

Json drawn_move_json(const Variant& variant, const Position& position, const Successor& move) {
  return {{"steps", steps_json(variant, position, move.move)}, {"cells", cells_json(variant, move.position)}};
}

}  // namespace

Json variant_json(const Variant& variant) {
  const Description& d = variant.description();
  const Rules& rules = variant.rules();
  const auto kind_json = [](const KindDescription& kind) -> Json {
    return {
        {"name", kind.name}, {"letter", kind.letter}, {"owner", kind.owner ? Json(player_word(*kind.owner)) : Json()}};
  };
  Json flags = Json::array();
  for (const StateSlot& slot : variant.rule_set().slots) {
    if (slot.live) flags.push_back(slot.name);
  }
  Json out = headed_json(variant);
  out.update({{"author", d.author},
              {"source", d.source},
              {"about", d.about},
              {"choices", option_list_json(variant)},
              {"kinds", json_list(variant.rule_set().kinds, kind_json)},
              {"flags", std::move(flags)},
              {"pieces", rules.pieces() != nullptr},
              {"crowds", rules.pieces() != nullptr && rules.pieces()->crowds()},
              {"has_start", rules.has_start()},
              {"start", rules.write(rules.start())},
              {"board", Picture(variant.board(), d.on_corner).json()}});
  return out;
}

Json drawn_position_json(const Variant& variant, const Position& position) {
  return {{"mover", player_word(position.mover)}, {"cells", cells_json(variant, position)}};
}

Json drawn_moves_json(const Variant& variant, const Position& position, const std::vector<Successor>& moves) {
  Json out = drawn_position_json(variant, position);
  out["moves"] = json_list(moves, [&](const Successor& move) { return drawn_move_json(variant, position, move); });
  return out;
}

Json drawn_answer_json(const Variant& variant, const Answer& answer) {
  Json out = drawn_position_json(variant, answer.position);
  out["says"] = value_words(variant, answer.value);
  out["moves"] = json_list(answer.moves, [&](const ValuedMove& move) {
    Json one = drawn_move_json(variant, answer.position, move.successor);
    one["says"] = value_words(variant, move.after);
    return one;
  });
  return out;
}

}  // namespace plenum
