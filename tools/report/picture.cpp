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
    Json out;
    out["name"] = board_.name();
    out["look"] = board_.look() == Board::Look::squares    ? "squares"
                  : board_.look() == Board::Look::hexagons ? "hexagons"
                                                           : "points";
    out["on_corner"] = turned_;
    out["rows"] = Json::array();  // as positions are written: the cells by number, the first row first
    for (const std::vector<Cell>& row : board_.rows()) {
      Json cells = Json::array();
      for (const Cell c : row) cells.push_back(static_cast<int>(c));
      out["rows"].push_back(std::move(cells));
    }
    out["cells"] = Json::array();
    for (int c = 0; c < board_.size(); ++c) {
      const auto cell = static_cast<Cell>(c);
      Json one;
      one["name"] = board_.cell_name(cell);
      one["at"] = point_json(centre(cell));
      one["outline"] = Json::array();
      for (const Point& corner : outline(centre(cell))) one["outline"].push_back(point_json(corner));
      one["adjacent"] = Json::array();
      for (CellSet rest = board_.adjacent()[cell]; rest != 0; rest &= rest - 1)
        one["adjacent"].push_back(board_.cell_name(static_cast<Cell>(std::countr_zero(rest))));
      out["cells"].push_back(std::move(one));
    }
    return out;
  }

 private:
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
  Json out = Json::array();
  for (const MoveStep& step : variant.rules().steps(position, move)) {
    Json one;
    one["from"] = step.from == kNoCell ? Json(nullptr) : Json(name(step.from));
    one["to"] = Json::array();
    for (const Cell c : step.to) one["to"].push_back(name(c));
    one["kind"] = step.kind.empty() ? Json(nullptr) : Json(step.kind);
    out.push_back(std::move(one));
  }
  return out;
}

Json drawn_move_json(const Variant& variant, const Position& position, const Successor& move) {
  Json out;
  out["steps"] = steps_json(variant, position, move.move);
  out["cells"] = cells_json(variant, move.position);
  return out;
}

}  // namespace

Json variant_json(const Variant& variant) {
  const Description& d = variant.description();
  Json out = headed_json(variant);
  out["author"] = d.author;
  out["source"] = d.source;
  out["about"] = d.about;
  out["choices"] = option_list_json(variant);
  out["kinds"] = Json::array();
  for (const KindDescription& kind : variant.rule_set().kinds) {
    Json one;
    one["name"] = kind.name;
    one["letter"] = kind.letter;
    one["owner"] = kind.owner ? Json(player_word(*kind.owner)) : Json(nullptr);
    out["kinds"].push_back(std::move(one));
  }
  out["flags"] = Json::array();
  for (const StateSlot& slot : variant.rule_set().slots) {
    if (slot.live) out["flags"].push_back(slot.name);
  }
  out["pieces"] = variant.rules().pieces() != nullptr;
  out["crowds"] = variant.rules().pieces() != nullptr && variant.rules().pieces()->crowds;
  out["has_start"] = variant.rules().has_start();
  out["start"] = variant.rules().write(variant.rules().start());
  out["board"] = Picture(variant.board(), d.on_corner).json();
  return out;
}

Json drawn_position_json(const Variant& variant, const Position& position) {
  Json out;
  out["mover"] = player_word(position.mover);
  out["cells"] = cells_json(variant, position);
  return out;
}

Json drawn_moves_json(const Variant& variant, const Position& position, const std::vector<Successor>& moves) {
  Json out = drawn_position_json(variant, position);
  out["moves"] = Json::array();
  for (const Successor& move : moves) out["moves"].push_back(drawn_move_json(variant, position, move));
  return out;
}

Json drawn_answer_json(const Variant& variant, const Answer& answer) {
  Json out = drawn_position_json(variant, answer.position);
  out["says"] = value_words(variant, answer.value);
  out["moves"] = Json::array();
  for (const ValuedMove& move : answer.moves) {
    Json one = drawn_move_json(variant, answer.position, move.successor);
    one["says"] = value_words(variant, move.after);
    out["moves"].push_back(std::move(one));
  }
  return out;
}

}  // namespace plenum
