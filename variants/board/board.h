// SPDX-License-Identifier: Apache-2.0
// A board: up to 64 named cells and who neighbours whom.
//
// Named shapes ("square:3x4", "king:3x3", "hexhex:3", "hexrect:3x4", "path:9", "cycle:5", "torus:4x4",
// "cylinder:4x3") or any graph by its edges ("edges:a-b b-c-d e": a chain of dashes joins neighbours, a lone name is an
// isolated cell). A cell is a number 0..size-1, in board order: row by row from the bottom for the named shapes (a1, b1, ...;
// on hexagons rows have the letters, a1, a2, ...; on paths and cycles 1, 2, ...), order of first appearance for edge lists.
// A set of cells is one 64-bit word, bit c for cell c.
//
// A Relation gives for each cell the set of cells related to it: its neighbours (`adjacent`), the cell above it
// (`up`), every other cell (`anywhere`). A direction never relates a cell to itself, and a neighbour met twice by
// wrapping counts once. A straight direction has at most one step from each cell and one to it.
//
// Thread-safety: immutable after construction.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "variants/text/diagnostic.h"

namespace plenum {

using Cell = std::uint8_t;
using CellSet = std::uint64_t;
inline constexpr int kMaxCells = 64;
inline constexpr Cell kNoCell = 255;

constexpr CellSet cell_bit(Cell c) { return CellSet{1} << c; }

using Relation = std::vector<CellSet>;

// A shape that boards are named by, for help texts: how it is written, and what neighbours cells have.
struct BoardShape {
  std::string form;   // "square:WxH"
  std::string about;  // "4 neighbours"
};

class Board {
 public:
  // All shapes there are, edge lists last.
  static const std::vector<BoardShape>& shapes();
  // "square:WxH, king:WxH, ... or edges:a-b b-c".
  static std::string forms();

  // The board that `span` describes; errors point into `span` and say which shapes there are. A board of more than
  // 64 cells is kResourceExhausted, with the number.
  static absl::StatusOr<Board> parse(const Span& span);
  // The same from a list of edges alone, "a-b b-c"; with lines ("a-b-c c-d-e"), straight directions and regions by name,
  // and where cells are drawn (columns from the left, rows from the bottom), if they are given.
  struct Extras {
    std::optional<Span> lines;
    struct Named {
      Span name;
      Span cells;  // a list of them; of a direction, in chains
    };
    std::vector<Named> directions;
    std::vector<Named> regions;
    struct Place {
      Span cell;
      int x = 0;
      int y = 0;
    };
    std::vector<Place> places;
  };
  static absl::StatusOr<Board> from_edges(const Span& edges, const Extras& extras);

  // The name in its one canonical spelling; parse(name()) gives an equal board.
  const std::string& name() const { return name_; }
  int size() const { return static_cast<int>(cells_.size()); }
  CellSet all() const { return size() == kMaxCells ? ~CellSet{0} : (CellSet{1} << size()) - 1; }

  const std::string& cell_name(Cell c) const { return cells_[c].name; }
  std::optional<Cell> find_cell(std::string_view name) const;

  // Rows from the first (bottom) to the last, cells from the left: how positions are written and drawn.
  const std::vector<std::vector<Cell>>& rows() const { return rows_; }
  // Where a cell is drawn, in half cells from the left and rows from the bottom.
  std::pair<int, int> place(Cell c) const { return {cells_[c].half_x, cells_[c].y}; }
  bool drawable() const { return drawable_; }
  // How a picture shows cells: squares; hexagons, in rows that lie half a cell beside each other; or points that lines join.
  enum class Look { squares, hexagons, points };
  Look look() const { return look_; }

  const Relation& adjacent() const { return adjacent_; }
  // A direction or neighbourhood of this shape by name, and the names there are.
  const Relation* direction(std::string_view name) const;
  std::vector<std::string> direction_names() const;
  // The straight directions, of one cell each, that a neighbourhood is made of ("orth": up, down, left, right);
  // all there are for no name. None where a board has no straight directions. The lines that the board declares are
  // straight both ways; lines that share no cell are one direction.
  std::vector<Relation> straight(std::string_view neighbourhood = "") const;
  // The cells of the lines that the board declares, each at least two.
  const std::vector<CellSet>& lines() const { return lines_; }
  // A number that each cell has by its place ("row", "column"), 1-based; or one of the board ("width", "height").
  const std::vector<int>* coordinate(std::string_view name) const;
  std::optional<int> dimension(std::string_view name) const;
  // A region by name ("edge", "corner", "top_edge"...).
  std::optional<CellSet> region(std::string_view name) const;
  std::vector<std::string> region_names() const;

  // ball(d, c): the cells at graph distance 1..d from c, c itself excluded; d is clipped to the diameter.
  CellSet ball(int d, Cell c) const {
    return d <= 0 ? 0 : balls_[static_cast<std::size_t>(d > diameter_ ? diameter_ : d)][c];
  }
  int diameter() const { return diameter_; }  // the greatest finite distance

 private:
  struct CellInfo {
    std::string name;
    int half_x = 0;
    int y = 0;
  };

  void add_cell(std::string name, int half_x, int y) { cells_.push_back({std::move(name), half_x, y}); }
  void set_direction(std::string name, Relation relation) {
    directions_.emplace_back(std::move(name), std::move(relation));
  }
  void add_extras(const Extras& extras);
  void add_lines(const Span& list);
  void add_direction(const Extras::Named& direction);
  std::vector<Cell> read_cells(const Span& list) const;
  struct Shape;
  static const std::vector<Shape>& builders();
  // A straight direction, in half columns and rows.
  struct Step {
    const char* name;
    int half_x;
    int y;
  };
  using CellName = std::string (*)(int x, int y);
  void add_rows(const std::vector<int>& lengths, const std::vector<int>& shifts, CellName name_of);
  Relation add_steps(std::span<const Step> steps, int round_x, int round_y);
  void add_sides(bool corners, bool rings);
  void build_grid(int width, int height, bool wraps_x, bool wraps_y, bool diagonals, bool lettered);
  void build_hex(const std::vector<int>& row_lengths, const std::vector<int>& row_shifts);
  void build_edges(const Span& span);
  void finish();

  std::string name_;
  std::vector<CellInfo> cells_;
  std::vector<std::vector<Cell>> rows_;
  bool drawable_ = true;
  Look look_ = Look::squares;
  Relation adjacent_;
  std::vector<std::pair<std::string, Relation>> directions_;
  std::vector<std::string> steps_;  // the straight ones among them
  std::vector<CellSet> lines_;
  std::vector<Relation> ways_;  // straight along the lines
  std::vector<std::pair<std::string, std::vector<int>>> coordinates_;
  std::vector<std::pair<std::string, int>> dimensions_;
  std::vector<std::pair<std::string, CellSet>> regions_;
  std::vector<std::vector<CellSet>> balls_;  // [distance][cell]
  int diameter_ = 0;
};

Relation unite(const Relation& a, const Relation& b);
Relation transposed(const Relation& relation);  // the other way round

}  // namespace plenum
