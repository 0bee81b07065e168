// SPDX-License-Identifier: Apache-2.0
// What a description says of a board of its own besides the edges: lines, regions, and where cells are drawn.
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

CellSet Board::read_cells(const Span& list) const {
  CellSet out = 0;
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for_words(list, is_part, [&](const Span& word) {
    const std::string_view name = word.text();
    const auto cell = find_cell(name);
    if (!cell) {
      std::vector<std::string> names;
      for (const CellInfo& info : cells_) names.push_back(info.name);
      fail_at(word, absl::StrCat("the board has no cell '", std::string(name), "'"), suggestion(name, names, "cells"));
    }
    out |= cell_bit(*cell);
  });
  return out;
}

void Board::add_extras(const Extras& extras) {
  if (extras.lines) {
    const auto is_part = [](char c) { return std::isspace(static_cast<unsigned char>(c)) == 0 && c != ','; };
    for_words(*extras.lines, is_part, [&](const Span& line) {
      const CellSet cells = read_cells(line);
      if (std::popcount(cells) < 2) fail_at(line, "a line has two cells or more", "write lines = \"a-b-c c-d-e\"");
      lines_.push_back(cells);
    });
  }
  for (const auto& [name, list] : extras.regions) regions_.emplace_back(name, read_cells(list));
  if (extras.places.empty()) return;
  std::vector<bool> placed(cells_.size(), false);
  std::map<std::pair<int, int>, Cell> taken;
  for (const Extras::Place& place : extras.places) {
    const CellSet cell = read_cells(place.cell);
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
