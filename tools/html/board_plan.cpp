// SPDX-License-Identifier: Apache-2.0
#include "tools/html/board_plan.h"

#include <cmath>
#include <numbers>

namespace plenum {
namespace {

// The corners of a regular polygon round a centre, the first at this angle.
std::vector<Point> polygon(Point centre, int corners, double radius, double first_angle) {
  std::vector<Point> out;
  for (int k = 0; k < corners; ++k) {
    const double angle = first_angle + 2 * std::numbers::pi * k / corners;
    out.push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
  }
  return out;
}

}  // namespace

Point BoardPlan::centre(Cell c) const {
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

std::vector<Point> BoardPlan::outline(Cell c) const {
  constexpr double kPoint = 0.36;  // radius
  constexpr int kRound = 16;       // corners
  switch (board_.look()) {
    case Board::Look::hexagons:
      return polygon(centre(c), 6, 1 / std::sqrt(3), std::numbers::pi / 6);
    case Board::Look::points:
      return polygon(centre(c), kRound, kPoint, 0);
    case Board::Look::squares:
      break;
  }
  return polygon(centre(c), 4, std::sqrt(0.5), turned_ ? 0 : std::numbers::pi / 4);
}

}  // namespace plenum
