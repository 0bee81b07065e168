// SPDX-License-Identifier: Apache-2.0
#include "solver/endings/piece_ways.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace plenum {
namespace {

Cell lowest_cell(CellSet set) { return static_cast<Cell>(std::countr_zero(set)); }

std::pair<int, int> offset_between(const PieceSet& set, Cell from, Cell to) {
  return {set.x(to) - set.x(from), set.y(to) - set.y(from)};
}

}  // namespace

PieceWays::PieceWays(const PieceSet& set, std::size_t owner, std::size_t kind) {
  const PieceTables& tables = set.tables[owner][kind];
  const int cells = set.width * set.height;
  add_leaps(set, tables);
  for (const Ride& ride : tables.rides) {
    const Ray& ray = set.rays[ride.ray];
    Fill fill{0, 0, 0, 0, ride.moves, ride.captures, ride.over_hurdle};
    std::pair<int, int> step;
    for (int c = 0; c < cells; ++c) {
      const auto from = static_cast<Cell>(c);
      if (ray.stops[from] == 0) continue;
      fill.origins |= cell_bit(from);
      fill.range = std::max(fill.range, std::popcount(ray.stops[from]));
      step = offset_between(set, from, lowest_cell(ray.nearest(from, ~CellSet{0})));
    }
    if (fill.range > 0) add(set, step.first, step.second, fill);
  }
  for (const ConditionalStep& step : tables.steps) add_step(set, step);
}

void PieceWays::add_leaps(const PieceSet& set, const PieceTables& tables) {
  std::map<std::pair<int, int>, std::array<CellSet, 2>> origins;  // of moves and of captures
  for (int c = 0; c < set.width * set.height; ++c) {
    const auto from = static_cast<Cell>(c);
    for (const std::size_t captures : {0U, 1U}) {
      for (CellSet to = captures != 0 ? tables.capture_leaps[from] : tables.move_leaps[from]; to != 0; to &= to - 1)
        origins[offset_between(set, from, lowest_cell(to))][captures] |= cell_bit(from);
    }
  }
  for (const auto& [step, from] : origins) {
    const CellSet both = from[0] & from[1];
    if (both != 0) add(set, step.first, step.second, {0, 0, 1, both, true, true, false});
    if (from[0] != both) add(set, step.first, step.second, {0, 0, 1, from[0] & ~both, true, false, false});
    if (from[1] != both) add(set, step.first, step.second, {0, 0, 1, from[1] & ~both, false, true, false});
  }
}

void PieceWays::add(const PieceSet& set, int dx, int dy, Fill fill) {
  const auto on_board = [&](int x, int y) { return x >= 0 && x < set.width && y >= 0 && y < set.height; };
  fill.shift = dy * set.width + dx;
  for (int c = 0; c < set.width * set.height; ++c) {
    const auto at = static_cast<Cell>(c);
    if (on_board(set.x(at) - dx, set.y(at) - dy)) fill.back_steps |= cell_bit(at);
    for (const bool back : {false, true}) {
      if (!back && (fill.origins & cell_bit(at)) == 0) continue;
      Lane lane;
      const int sign = back ? -1 : 1;
      for (int n = 1; n <= fill.range && on_board(set.x(at) + sign * n * dx, set.y(at) + sign * n * dy); ++n)
        lane.cells.push_back(static_cast<Cell>(c + sign * n * fill.shift));
      lane.moves = fill.moves;
      lane.captures = fill.captures;
      lane.over_hurdle = fill.over_hurdle;
      if (back) lane.counted = fill.origins;
      CellSet reached = 0;
      for (const Cell cell : lane.cells) reached |= cell_bit(cell);
      if (!back && fill.captures) captures_from_[at] |= reached;
      if ((reached & lane.counted) != 0) lanes_[back ? 1 : 0][at].push_back(std::move(lane));
    }
  }
  split_ = split_ || fill.moves != fill.captures;
  fills_.push_back(fill);
}

void PieceWays::add_step(const PieceSet& set, const ConditionalStep& step) {
  for (int c = 0; c < set.width * set.height; ++c) {
    const auto from = static_cast<Cell>(c);
    if (step.to[from] == 0) continue;
    const Cell to = lowest_cell(step.to[from]);
    Lane lane{{to}, ~CellSet{0}, step.moves, step.captures, false, true, step.needs_empty, step.between[from]};
    lanes_[0][from].push_back(lane);
    lane.cells = {from};
    lanes_[1][to].push_back(std::move(lane));
    if (step.captures) captures_from_[from] |= step.to[from];
  }
  split_ = split_ || step.moves != step.captures;
  steps_.push_back(step);
}

}  // namespace plenum
