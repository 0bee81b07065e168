// SPDX-License-Identifier: Apache-2.0
// What a description says of a board of its own besides the edges: lines, directions, regions, and where cells are drawn.
#include <algorithm>
#include <bit>
#include <map>

#include <absl/strings/str_cat.h>

#include "variants/board/board.h"

namespace plenum {
namespace {

// Calls f(word) for each run of characters that are part of a word.
template <typename IsPart, typename F>
void for_words(const Span& list, const IsPart& is_part, const F& f) {
  const std::string_view text = list.text();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t begin = i;
    while (i < text.size() && is_part(text[i])) ++i;
    if (i > begin) f(list.part(begin, i - begin));
  }
}

template <typename F>
void for_chains(const Span& list, const F& f) {
  for_words(
      list, [](char c) { return std::isspace(static_cast<unsigned char>(c)) == 0 && c != ','; }, f);
}

CellSet set_of(const std::vector<Cell>& cells) {
  CellSet out = 0;
  for (const Cell c : cells) out |= cell_bit(c);
  return out;
}

// Adds the steps from each cell of a chain to the next. False if a cell then has two steps from it or to it, or one to
// itself.
bool add_chain(const std::vector<Cell>& cells, Relation& steps) {
  for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
    const CellSet to = cell_bit(cells[i + 1]);
    const bool led_to = std::any_of(steps.begin(), steps.end(), [&](CellSet s) { return (s & to) != 0; });
    if (cells[i] == cells[i + 1] || (led_to && steps[cells[i]] != to) || (steps[cells[i]] & ~to) != 0) return false;
    steps[cells[i]] = to;
  }
  return true;
}

}  // namespace

absl::StatusOr<Board> Board::from_edges(const Span& edges, const Extras& extras) {
  return guard([&] {
    Board board;
    board.build_edges(edges);
    board.finish();
    board.add_extras(extras);
    return board;
  });
}

std::vector<Cell> Board::read_cells(const Span& list) const {
  std::vector<Cell> out;
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for_words(list, is_part, [&](const Span& word) {
    const std::string_view name = word.text();
    const auto cell = find_cell(name);
    if (!cell) {
      std::vector<std::string> names;
      for (const CellInfo& info : cells_) names.push_back(info.name);
      fail_at(word, absl::StrCat("the board has no cell '", std::string(name), "'"), suggestion(name, names, "cells"));
    }
    out.push_back(*cell);
  });
  return out;
}

void Board::add_lines(const Span& list) {
  std::vector<std::pair<CellSet, Relation>> along;  // of lines that share no cell
  Relation both(cells_.size());
  for_chains(list, [&](const Span& line) {
    const std::vector<Cell> cells = read_cells(line);
    const CellSet held = set_of(cells);
    if (std::popcount(held) < 2) fail_at(line, "a line has two cells or more", "write lines = \"a-b-c c-d-e\"");
    Relation one(cells_.size());
    if (!add_chain(cells, one))
      fail_at(line, "this line meets itself", "only its ends may be one cell: then it is a ring");
    lines_.push_back(held);
    both = unite(both, unite(one, transposed(one)));
    const auto apart = std::find_if(along.begin(), along.end(), [&](const auto& l) { return (l.first & held) == 0; });
    if (apart == along.end()) {
      along.emplace_back(held, std::move(one));
    } else {
      apart->first |= held;
      apart->second = unite(apart->second, one);
    }
  });
  for (const auto& [held, one] : along) {
    for (const Relation& way : {one, transposed(one)}) {
      if (std::find(ways_.begin(), ways_.end(), way) == ways_.end()) ways_.push_back(way);
    }
  }
  if (!lines_.empty()) set_direction("lines", std::move(both));
}

void Board::add_direction(const Extras::Named& direction) {
  const std::string name(direction.name.text());
  if (this->direction(name) != nullptr)
    fail_at(direction.name, absl::StrCat("the board already has a direction '", name, "'"), "choose another name");
  Relation steps(cells_.size());
  for_chains(direction.cells, [&](const Span& chain) {
    const std::vector<Cell> cells = read_cells(chain);
    if (cells.size() < 2) fail_at(chain, "a direction leads from cell to cell", "write round = \"a-b-c\"");
    if (!add_chain(cells, steps))
      fail_at(chain, absl::StrCat("'", name, "' leads from a cell to two, from two to one, or to itself"),
              "a direction has one step from a cell and one to it: make two of it and join them, a | b");
  });
  steps_.push_back(name);
  set_direction(name, std::move(steps));
}

void Board::add_extras(const Extras& extras) {
  if (extras.lines) add_lines(*extras.lines);
  for (const Extras::Named& direction : extras.directions) add_direction(direction);
  for (const Extras::Named& region : extras.regions) {
    const std::string name(region.name.text());
    if (direction(name) != nullptr)
      fail_at(region.name, absl::StrCat("'", name, "' is a direction of the board"), "choose another name");
    regions_.emplace_back(name, set_of(read_cells(region.cells)));
  }
  if (extras.places.empty()) return;
  std::vector<bool> placed(cells_.size(), false);
  std::map<std::pair<int, int>, Cell> taken;
  for (const Extras::Place& place : extras.places) {
    const CellSet cell = set_of(read_cells(place.cell));
    if (std::popcount(cell) != 1) fail_at(place.cell, "a place is that of one cell", "write at = { a = [0, 1] }");
    const auto c = static_cast<Cell>(std::countr_zero(cell));
    if (!taken.emplace(std::pair(place.x, place.y), c).second)
      fail_at(place.cell, "two cells are drawn at the same place", "");
    placed[c] = true;
    cells_[c].half_x = 2 * place.x;
    cells_[c].y = place.y;
  }
  const auto missing = std::find(placed.begin(), placed.end(), false);
  if (missing != placed.end()) {
    fail_at(extras.places.front().cell,
            absl::StrCat("cell '", cells_[static_cast<std::size_t>(missing - placed.begin())].name, "' has no place"),
            "give one to every cell or to none");
  }
  drawable_ = true;
}

}  // namespace plenum
