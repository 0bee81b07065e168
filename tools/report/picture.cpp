// SPDX-License-Identifier: Apache-2.0
#include "tools/report/picture.h"

#include <bit>
#include <cmath>
#include <numbers>

#include "tools/report/describe.h"

namespace plenum {
namespace {

struct Point {
  double x = 0;
  double y = 0;
};

// Six decimals are more than any screen shows.
double six_decimals(double value) { return std::round(value * 1e6) / 1e6 + 0.0; }
Json point_json(Point p) { return {six_decimals(p.x), six_decimals(p.y)}; }

// The corners of a regular polygon round a centre, the first at this angle.
std::vector<Point> polygon(Point centre, int corners, double radius, double first_angle) {
  std::vector<Point> out;
  for (int k = 0; k < corners; ++k) {
    const double angle = first_angle + 2 * std::numbers::pi * k / corners;
    out.push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
  }
  return out;
}

class Picture {
 public:
  Picture(const Board& board, bool on_corner)
      : board_(board), turned_(on_corner && board.look() == Board::Look::squares) {}

  Json json() const {
    Json cells = Json::array();
    for (int c = 0; c < board_.size(); ++c) cells.push_back(cell_json(static_cast<Cell>(c)));
    return {{"name", board_.name()},
            {"look", board_.look() == Board::Look::squares    ? "squares"
                     : board_.look() == Board::Look::hexagons ? "hexagons"
                                                              : "points"},
            {"on_corner", turned_},
            {"rows", board_.rows()},  // as positions are written: the cells by number, the first row first
            {"cells", std::move(cells)}};
  }

 private:
  Json cell_json(Cell cell) const {
    Json adjacent = Json::array();
    for (CellSet rest = board_.adjacent()[cell]; rest != 0; rest &= rest - 1)
      adjacent.push_back(board_.cell_name(static_cast<Cell>(std::countr_zero(rest))));
    return {{"name", board_.cell_name(cell)},
            {"at", point_json(centre(cell))},
            {"outline", json_list(outline(centre(cell)), point_json)},
            {"adjacent", std::move(adjacent)}};
  }

  Point centre(Cell c) const {
    const auto [half_x, row] = board_.place(c);
    const double x = half_x / 2.0;
    const double y = row;
    if (board_.look() == Board::Look::hexagons) return {x, -y * std::sqrt(3) / 2};
    if (turned_) return {(x - y) / std::sqrt(2), -(x + y) / std::sqrt(2)};
    if (board_.look() == Board::Look::points && !board_.drawable()) {  // a ring, the first cell on top
      const double cells = board_.size();
      const double radius = board_.size() < 3 ? 1 : 1.2 / (2 * std::sin(std::numbers::pi / cells));
      const double angle = 2 * std::numbers::pi * c / cells;
      return {radius * std::sin(angle), -radius * std::cos(angle)};
    }
    return {x, -y};
  }

  std::vector<Point> outline(Point centre) const {
    constexpr double kPoint = 0.36;  // radius
    constexpr int kRound = 16;       // corners
    switch (board_.look()) {
      case Board::Look::hexagons:
        return polygon(centre, 6, 1 / std::sqrt(3), std::numbers::pi / 6);
      case Board::Look::points:
        return polygon(centre, kRound, kPoint, 0);
      case Board::Look::squares:
        break;
    }
    return polygon(centre, 4, std::sqrt(0.5), turned_ ? 0 : std::numbers::pi / 4);
  }

  const Board& board_;
  bool turned_;
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
