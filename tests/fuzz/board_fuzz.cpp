// SPDX-License-Identifier: Apache-2.0
// Boards: a name or edges on the first line; then edges' lines, regions and places, a line each: "lines TEXT", "region NAME TEXT",
// "at CELL X Y".
#include <algorithm>
#include <bit>
#include <cstdlib>

#include <absl/strings/str_cat.h>

#include "tests/fuzz/fuzz.h"

namespace plenum::fuzz {
namespace {

void check(const Board& board) {
  const int cells = board.size();
  require(cells >= 1 && cells <= kMaxCells, "a board of no cells or of too many");
  std::vector<int> seen(static_cast<std::size_t>(cells));
  for (const std::vector<Cell>& row : board.rows()) {
    for (const Cell c : row) ++seen[c];
  }
  for (int c = 0; c < cells; ++c) {
    const auto cell = static_cast<Cell>(c);
    require(seen[cell] == 1, "a cell that is not in one row");
    require(board.find_cell(board.cell_name(cell)) == cell, "a name that is not its cell's: " + board.cell_name(cell));
    require((board.adjacent()[cell] & cell_bit(cell)) == 0, "a cell beside itself");
    for (CellSet left = board.adjacent()[cell]; left != 0; left &= left - 1)
      require((board.adjacent()[static_cast<std::size_t>(std::countr_zero(left))] & cell_bit(cell)) != 0,
              "neighbours one way");
    require((board.ball(board.diameter(), cell) & ~board.all()) == 0, "cells beyond the board");
  }
  for (const CellSet line : board.lines()) require(std::popcount(line) >= 2, "a line of one cell");
  for (const Relation& way : board.straight()) {
    for (const Relation& one : {way, transposed(way)}) {
      for (int c = 0; c < board.size(); ++c) {
        const CellSet there = one[static_cast<std::size_t>(c)];
        require(std::popcount(there) <= 1 && there != cell_bit(static_cast<Cell>(c)), "a straight way that is none");
      }
    }
  }
  for (const std::string& name : board.direction_names()) require(board.direction(name) != nullptr, name);
  for (const std::string& name : board.region_names()) require(board.region(name).has_value(), name);
}

Board::Extras extras(Input& in) {
  Board::Extras out;
  while (!in.empty()) {
    const std::string line = in.line();
    const Span span = Span::whole("extras", line);
    const std::size_t first = std::min(line.find(' '), line.size());
    const std::size_t second = std::min(line.find(' ', first + 1), line.size());
    const std::string word = line.substr(0, first);
    if (word == "lines") out.lines = span.part(first, line.size() - first);
    if (first == line.size()) continue;
    const std::string name = line.substr(first + 1, second - first - 1);
    const Board::Extras::Named named{Span::whole("name", name), span.part(second, line.size() - second)};
    if (word == "region") out.regions.push_back(named);
    if (word == "direction") out.directions.push_back(named);
    if (word == "at") {
      char* end = nullptr;
      const long x = std::strtol(line.c_str() + second, &end, 10);
      const long y = std::strtol(end, &end, 10);
      // As descriptions have them.
      const auto inside = [](long n) { return static_cast<int>(std::clamp(n, 0L, 60L)); };
      out.places.push_back({Span::whole("at", name), inside(x), inside(y)});
    }
  }
  return out;
}

}  // namespace
}  // namespace plenum::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plenum;
  fuzz::Input in(data, size);
  const std::string text = in.line();
  const absl::StatusOr<Board> board = Board::parse(Span::whole("board", text));
  if (board.ok()) {
    fuzz::check(*board);
    const Board again = fuzz::sure(Board::parse(Span::whole("board", board->name())), board->name());
    fuzz::require(again.name() == board->name() && again.adjacent() == board->adjacent(), board->name());
    fuzz::require(again.rows() == board->rows(), "other rows of " + board->name());
    const absl::StatusOr<Description> description = fuzz::described(absl::StrCat(
        "name = \"On it\"\noptions.board = { default = ", fuzz::quoted_toml(text),
        " }\nmoves.place.to = \"empty\"\nend.when = \"!any(empty)\"\nend.score = \"count(groups(mine))\"\n"));
    const absl::StatusOr<Variant> variant = description.ok() ? Variant::make(*description) : description.status();
    if (!variant.ok()) fuzz::fail("taken by itself and not in a game: " + std::string(variant.status().message()));
    fuzz::check_play(*variant, variant->rules().start(), in);
  } else {
    fuzz::for_people(board.status());
  }
  fuzz::Input more(data, size);
  const std::string edges = more.line();
  const absl::StatusOr<Board> drawn = Board::from_edges(Span::whole("edges", edges), fuzz::extras(more));
  if (!drawn.ok()) return fuzz::for_people(drawn.status());
  fuzz::check(*drawn);
  return 0;
}
