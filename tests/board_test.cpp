// SPDX-License-Identifier: Apache-2.0
// Boards: cells, names and neighbours of every shape, by hand and by coordinates; distances; what is refused and how.
#include "variants/board/board.h"

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/variants_testing.h"

namespace plenum::variants_testing::board_test {
namespace {

absl::StatusOr<Board> parse(const std::string& name) { return Board::parse(Span::whole("--board", name)); }
Board board(const std::string& name) { return sure(parse(name)); }

std::string all_names(const Board& b) { return names(b, b.all()); }
std::string around(const Board& b, const std::string& cell) { return names(b, b.adjacent()[*b.find_cell(cell)]); }

int edges(const Board& b) {
  int twice = 0;
  for (const CellSet around : b.adjacent()) twice += __builtin_popcountll(around);
  return twice / 2;
}

struct Shape {
  const char* name;
  int cells;
  int edges;
  int diameter;
  const char* cell_names;  // "" where there are too many to write down
};

const Shape kShapes[] = {
    {"square:1x1", 1, 0, 0, "a1"},
    {"square:3x2", 6, 7, 3, "a1 b1 c1 a2 b2 c2"},
    {"square:8x8", 64, 112, 14, ""},
    {"square:30x2", 60, 88, 30, ""},
    {"king:3x3", 9, 20, 2, "a1 b1 c1 a2 b2 c2 a3 b3 c3"},
    {"king:1x4", 4, 3, 3, "a1 a2 a3 a4"},
    {"hexhex:1", 1, 0, 0, "a1"},
    {"hexhex:2", 7, 12, 2, "a1 a2 b1 b2 b3 c1 c2"},
    {"hexhex:3", 19, 42, 4, "a1 a2 a3 b1 b2 b3 b4 c1 c2 c3 c4 c5 d1 d2 d3 d4 e1 e2 e3"},
    {"hexhex:4", 37, 90, 6, ""},
    {"hexhex:5", 61, 156, 8, ""},
    {"hexrect:3x2", 6, 9, 3, "a1 a2 a3 b1 b2 b3"},
    {"hexrect:1x3", 3, 2, 2, "a1 b1 c1"},
    {"path:1", 1, 0, 0, "1"},
    {"path:4", 4, 3, 3, "1 2 3 4"},
    {"path:64", 64, 63, 63, ""},
    {"cycle:1", 1, 0, 0, "1"},
    {"cycle:2", 2, 1, 1, "1 2"},
    {"cycle:3", 3, 3, 1, "1 2 3"},
    {"cycle:5", 5, 5, 2, "1 2 3 4 5"},
    {"torus:1x1", 1, 0, 0, "a1"},
    {"torus:2x1", 2, 1, 1, "a1 b1"},
    {"torus:2x2", 4, 4, 2, "a1 b1 a2 b2"},
    {"torus:1x5", 5, 5, 2, "a1 a2 a3 a4 a5"},
    {"torus:2x3", 6, 9, 2, "a1 b1 a2 b2 a3 b3"},
    {"torus:3x3", 9, 18, 2, "a1 b1 c1 a2 b2 c2 a3 b3 c3"},
    {"torus:8x8", 64, 128, 8, ""},
    {"cylinder:1x1", 1, 0, 0, "a1"},
    {"cylinder:2x1", 2, 1, 1, "a1 b1"},
    {"cylinder:3x1", 3, 3, 1, "a1 b1 c1"},
    {"cylinder:1x4", 4, 3, 3, "a1 a2 a3 a4"},
    {"cylinder:2x2", 4, 4, 2, "a1 b1 a2 b2"},
    {"cylinder:3x2", 6, 9, 2, "a1 b1 c1 a2 b2 c2"},
    {"cylinder:4x3", 12, 20, 4, ""},
    {"cylinder:8x8", 64, 120, 11, ""},
    {"edges:q", 1, 0, 0, "q"},
    {"edges:b-a a-c", 3, 2, 2, "b a c"},
    {"edges:a-b-c-a d", 4, 3, 1, "a b c d"},
    {"edges:a-b, a-b\n b-a", 2, 1, 1, "a b"},
};

TEST(Board, Shapes) {
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE(shape.name);
    const Board b = board(shape.name);
    EXPECT_EQ(b.size(), shape.cells);
    EXPECT_EQ(edges(b), shape.edges);
    EXPECT_EQ(b.diameter(), shape.diameter);
    if (*shape.cell_names != '\0') {
      EXPECT_EQ(all_names(b), shape.cell_names);
    }
  }
}

struct Neighbours {
  const char* board;
  const char* cell;
  const char* neighbours;
};

const Neighbours kNeighbours[] = {
    {"square:3x3", "b2", "b1 a2 c2 b3"},
    {"square:3x3", "a1", "b1 a2"},
    {"square:28x2", "ab2", "ab1 aa2"},
    {"king:3x3", "b2", "a1 b1 c1 a2 c2 a3 b3 c3"},
    {"king:3x3", "c1", "b1 b2 c2"},
    // Rows of 2, 3, 2 cells: b2 is in the middle.
    {"hexhex:2", "b2", "a1 a2 b1 b3 c1 c2"},
    {"hexhex:2", "a1", "a2 b1 b2"},
    {"hexhex:2", "b1", "a1 b2 c1"},
    {"hexhex:2", "c2", "b2 b3 c1"},
    {"hexhex:3", "c3", "b2 b3 c2 c4 d2 d3"},
    {"hexhex:3", "c1", "b1 c2 d1"},
    {"hexhex:3", "b2", "a1 a2 b1 b3 c2 c3"},
    {"hexhex:3", "d4", "c4 c5 d3 e3"},
    // Each row half a cell to the right of the row below.
    {"hexrect:3x3", "b2", "a2 a3 b1 b3 c1 c2"},
    {"hexrect:3x3", "a1", "a2 b1"},
    {"hexrect:3x3", "a3", "a2 b2 b3"},
    {"hexrect:3x3", "c1", "b1 b2 c2"},
    {"path:4", "1", "2"},
    {"path:4", "3", "2 4"},
    {"cycle:4", "1", "2 4"},
    {"cycle:2", "2", "1"},
    {"torus:3x3", "a1", "b1 c1 a2 a3"},
    {"torus:2x3", "a1", "b1 a2 a3"},
    {"torus:1x3", "a2", "a1 a3"},
    {"torus:4x2", "d2", "d1 a2 c2"},
    {"cylinder:4x3", "a1", "b1 d1 a2"},
    {"cylinder:4x3", "d2", "d1 a2 c2 d3"},
    {"cylinder:2x3", "a2", "a1 b2 a3"},
    {"cylinder:1x3", "a2", "a1 a3"},
    {"edges:a-b-c d-b", "b", "a c d"},
    {"edges:a-b-c d", "d", ""},
};

TEST(Board, NeighboursByHand) {
  for (const Neighbours& n : kNeighbours)
    EXPECT_EQ(around(board(n.board), n.cell), n.neighbours) << n.board << " " << n.cell;
}

struct DirectionCase {
  const char* board;
  const char* direction;
  const char* cell;
  const char* related;
};

const DirectionCase kDirections[] = {
    {"square:3x3", "up", "b2", "b3"},
    {"square:3x3", "up", "b3", ""},
    {"square:3x3", "down_left", "b2", "a1"},
    {"square:3x3", "diag", "b2", "a1 c1 a3 c3"},
    {"king:3x3", "orth", "b2", "b1 a2 c2 b3"},
    {"square:3x3", "king", "a1", "b1 a2 b2"},
    {"torus:3x3", "up", "b3", "b1"},
    {"torus:1x3", "right", "a2", ""},
    {"hexhex:2", "up_left", "b2", "c1"},
    {"hexhex:2", "up_right", "b2", "c2"},
    {"hexhex:2", "down_left", "b2", "a1"},
    {"hexhex:2", "down_right", "b1", "a1"},
    {"hexrect:2x2", "up_left", "a2", "b1"},
    {"hexrect:2x2", "up_left", "a1", ""},
    {"path:3", "right", "2", "3"},
    {"path:3", "right", "3", ""},
    {"cycle:3", "left", "1", "3"},
    {"cylinder:3x3", "up", "b3", ""},
    {"cylinder:3x3", "right", "c2", "a2"},
    {"cylinder:3x3", "left", "a2", "c2"},
    {"cylinder:3x3", "up_right", "c2", "a3"},
    {"cylinder:3x3", "down_left", "a1", ""},
    {"cylinder:3x3", "diag", "a1", "b2 c2"},
    {"cylinder:1x3", "left", "a2", ""},
    {"edges:a-b c", "adjacent", "a", "b"},
    {"edges:a-b c", "anywhere", "a", "b c"},
};

TEST(Board, Directions) {
  for (const DirectionCase& d : kDirections) {
    const Board b = board(d.board);
    ASSERT_NE(b.direction(d.direction), nullptr) << d.board << " " << d.direction;
    EXPECT_EQ(names(b, (*b.direction(d.direction))[*b.find_cell(d.cell)]), d.related)
        << d.board << " " << d.direction << " " << d.cell;
  }
  EXPECT_EQ(board("hexhex:2").direction("up"), nullptr);
  EXPECT_EQ(board("path:3").direction("up"), nullptr);
  EXPECT_EQ(board("edges:a-b").direction("right"), nullptr);
}

TEST(Board, RegionsAndCoordinates) {
  const Board s = board("square:3x4");
  EXPECT_EQ(names(s, *s.region("corner")), "a1 c1 a4 c4");
  EXPECT_EQ(names(s, s.all() & ~*s.region("edge")), "b2 b3");
  EXPECT_EQ(names(s, *s.region("top_edge")), "a4 b4 c4");
  EXPECT_EQ(names(s, *s.region("left_edge")), "a1 a2 a3 a4");
  EXPECT_EQ((*s.coordinate("column"))[*s.find_cell("c2")], 3);
  EXPECT_EQ((*s.coordinate("row"))[*s.find_cell("c2")], 2);
  EXPECT_EQ(s.dimension("width"), 3);
  EXPECT_EQ(s.dimension("height"), 4);
  const Board h = board("hexhex:3");
  EXPECT_EQ(names(h, h.all() & ~*h.region("edge")), "b2 b3 c2 c3 c4 d2 d3");
  EXPECT_EQ(names(h, *h.region("right_edge")), "a3 b4 c5 d4 e3");
  EXPECT_EQ(names(h, *h.region("corner")), "a1 a3 c1 c5 e1 e3");
  const Board r = board("hexrect:3x4");
  EXPECT_EQ(names(r, *r.region("corner")), "a1 a3 d1 d3");
  const Board one = board("hexhex:1");
  EXPECT_EQ(names(one, *one.region("corner")), "a1");
  const Board c = board("cylinder:3x3");
  EXPECT_EQ(names(c, *c.region("edge")), "a1 b1 c1 a3 b3 c3");
  EXPECT_EQ(names(c, *c.region("bottom_edge")), "a1 b1 c1");
  EXPECT_EQ(names(c, *c.region("top_edge")), "a3 b3 c3");
  EXPECT_FALSE(c.region("left_edge"));
  EXPECT_FALSE(c.region("corner"));
  EXPECT_EQ(c.dimension("width"), 3);
  EXPECT_EQ(c.dimension("height"), 3);
  EXPECT_FALSE(board("torus:3x3").region("edge"));
  EXPECT_FALSE(board("edges:a-b").region("edge"));
  EXPECT_EQ(board("edges:a-b").coordinate("row"), nullptr);
}

// Hexagons side by side have centres one cell apart, drawn in half cells and rows of height sqrt(3)/2.
TEST(Board, HexagonsByGeometry) {
  for (const char* name :
       {"hexhex:1", "hexhex:2", "hexhex:3", "hexhex:5", "hexrect:3x4", "hexrect:5x2", "hexrect:1x6"}) {
    const Board b = board(name);
    for (int c = 0; c < b.size(); ++c) {
      for (int d = 0; d < b.size(); ++d) {
        const auto [cx, cy] = b.place(static_cast<Cell>(c));
        const auto [dx, dy] = b.place(static_cast<Cell>(d));
        const double distance = std::hypot((cx - dx) / 2.0, (cy - dy) * std::sqrt(0.75));
        const bool near = std::abs(distance - 1) < 1e-9;
        EXPECT_EQ((b.adjacent()[static_cast<std::size_t>(c)] >> d & 1) != 0, near) << name << " " << c << " " << d;
      }
    }
  }
}

// Grids by counting: cell (x, y) of WxH.
TEST(Board, GridsByCoordinates) {
  for (int w = 1; w <= 5; ++w) {
    for (int h = 1; h <= 5; ++h) {
      for (const std::string shape : {"square", "king", "torus", "cylinder"}) {
        const Board b = board(shape + ":" + std::to_string(w) + "x" + std::to_string(h));
        const auto apart = [&](int p, int q, int n, bool ring) {
          return ring ? std::min(std::abs(p - q), n - std::abs(p - q)) : std::abs(p - q);
        };
        for (int c = 0; c < w * h; ++c) {
          for (int d = 0; d < w * h; ++d) {
            const int x = apart(c % w, d % w, w, shape == "torus" || shape == "cylinder");
            const int y = apart(c / w, d / w, h, shape == "torus");
            const bool near = shape == "king" ? std::max(x, y) == 1 : x + y == 1;
            EXPECT_EQ((b.adjacent()[static_cast<std::size_t>(c)] >> d & 1) != 0, near)
                << b.name() << " " << c << " " << d;
          }
        }
      }
    }
  }
}

TEST(Board, WhatHoldsForAll) {
  check(500, [] {
    const Board b = board(*boards(64));
    const auto n = static_cast<std::size_t>(b.size());
    // The canonical name gives the same board.
    const Board again = board(b.name());
    RC_ASSERT(again.name() == b.name());
    RC_ASSERT(all_names(again) == all_names(b));
    RC_ASSERT(again.adjacent() == b.adjacent());
    std::size_t in_rows = 0;
    for (const auto& row : b.rows()) in_rows += row.size();
    RC_ASSERT(in_rows == n);
    // Neighbours of each other, nobody their own; distances by Floyd and Warshall.
    const int far = std::numeric_limits<int>::max() / 2;
    std::vector<std::vector<int>> distance(n, std::vector<int>(n, far));
    for (std::size_t c = 0; c < n; ++c) {
      RC_ASSERT(b.find_cell(b.cell_name(static_cast<Cell>(c))) == static_cast<Cell>(c));
      RC_ASSERT((b.adjacent()[c] & ~b.all()) == 0u);
      for (std::size_t d = 0; d < n; ++d) {
        const bool near = (b.adjacent()[c] >> d & 1) != 0;
        RC_ASSERT(near == ((b.adjacent()[d] >> c & 1) != 0));
        if (near) distance[c][d] = 1;
      }
      RC_ASSERT((b.adjacent()[c] >> c & 1) == 0u);
      distance[c][c] = 0;
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t c = 0; c < n; ++c) {
        for (std::size_t d = 0; d < n; ++d) distance[c][d] = std::min(distance[c][d], distance[c][k] + distance[k][d]);
      }
    }
    int diameter = 0;
    for (const auto& row : distance) {
      for (const int d : row) diameter = d < far ? std::max(diameter, d) : diameter;
    }
    RC_ASSERT(b.diameter() == diameter);
    for (int reach = -1; reach <= diameter + 2; ++reach) {
      for (std::size_t c = 0; c < n; ++c) {
        CellSet expected = 0;
        for (std::size_t d = 0; d < n; ++d) {
          if (d != c && distance[c][d] <= reach) expected |= cell_bit(static_cast<Cell>(d));
        }
        RC_ASSERT(b.ball(reach, static_cast<Cell>(c)) == expected);
      }
    }
  });
}

TEST(Board, CanonicalNames) {
  const std::map<std::string, std::string> spellings = {
      {"square:03x4", "square:3x4"}, {"edges:a-b,b-c\n\td", "edges:a-b b-c d"}, {"edges: a-b-c ", "edges:a-b-c"}};
  for (const auto& [written, name] : spellings) EXPECT_EQ(board(written).name(), name);
}

struct Wrong {
  const char* name;
  const char* caret;    // what stands under it
  const char* message;  // part of it
  const char* advice;   // part of it
};

const Wrong kWrong[] = {
    {"sqare:3x3", "sqare", "there is no board 'sqare'", "did you mean 'square'? boards: square:WxH"},
    {"hexex:3", "hexex", "there is no board 'hexex'", "did you mean 'hexhex'?"},
    {"3x3", "3x3", "there is no board '3x3'", "boards: square:WxH, king:WxH, hexhex:N"},
    {"", "", "there is no board ''", "boards: "},
    {"square", "", "this is no size of a board", "write square:WxH, as in square:3x4"},
    {"square:", "", "this is no size of a board", "write square:WxH"},
    {"square:3", "3", "this is no size of a board", "write square:WxH"},
    {"square:3x", "", "this is no size of a board", "write square:WxH"},
    {"square:x3", "x", "this is no size of a board", "write square:WxH"},
    {"square:0x3", "0", "this is no size of a board", "from 1 on"},
    {"square:3x0", "0", "this is no size of a board", "write square:WxH"},
    {"square:3x-2", "-2", "this is no size of a board", "write square:WxH"},
    {"square:3x4x5", "4x5", "this is no size of a board", "write square:WxH"},
    {"square:3x4 ", "4 ", "this is no size of a board", "write square:WxH"},
    {"torus:ax3", "a", "this is no size of a board", "write torus:WxH, as in torus:3x4"},
    {"cylinder:3", "3", "this is no size of a board", "write cylinder:WxH, as in cylinder:3x4"},
    {"path:0", "0", "this is no size of a board", "write path:N, as in path:3"},
    {"path:3x3", "3x3", "this is no size of a board", "write path:N"},
    {"path:99999999999", "99999999999", "this is no size of a board", "write path:N"},
    {"hexhex:", "", "this is no size of a board", "write hexhex:N"},
    {"edges:", "", "a board needs a cell", "edges are written a-b b-c"},
    {"edges:a-a", "a", "cell 'a' is joined to itself", "no cell neighbours itself"},
    {"edges:a-b b-cc-cc", "cc", "cell 'cc' is joined to itself", "no cell neighbours itself"},
    {"edges:a-", "", "a cell's name is expected here", "edges are written a-b b-c"},
    {"edges:a- b", " ", "a cell's name is expected here", "a lone name is a cell without neighbours"},
    {"edges:-a", "-", "a cell's name is expected here", "edges are written"},
    {"edges:a+b", "+", "'+' does not belong in a list of edges", "names are of letters"},
    {"edges:a-b \xc3\xa9", "\xc3\xa9", "a cell's name is expected here", "edges are written"},
    {"edges:a\xc3\xa9-b", "\xc3\xa9", "'\xc3\xa9' does not belong in a list of edges", "names are of letters"},
    {"edges:a-pass", "pass", "a cell cannot be called 'pass'", "moves are written with this word"},
};

TEST(Board, Errors) {
  for (const Wrong& wrong : kWrong) {
    SCOPED_TRACE(wrong.name);
    const auto b = parse(wrong.name);
    ASSERT_FALSE(b.ok());
    EXPECT_EQ(b.status().code(), absl::StatusCode::kInvalidArgument);
    const std::string text(b.status().message());
    EXPECT_NE(text.find(wrong.message), std::string::npos) << text;
    EXPECT_NE(text.find(wrong.advice), std::string::npos) << text;
    EXPECT_EQ(under_caret(text), wrong.caret) << text;
  }
}

TEST(Board, TooLarge) {
  const std::map<std::string, std::string> too_large = {
      {"square:13x5", "65 cells"},
      {"king:9x8", "72 cells"},
      {"hexhex:6", "91 cells"},
      {"hexrect:65x1", "65 cells"},
      {"path:65", "65 cells"},
      {"cycle:1000000", "1000000 cells"},
      {"torus:100x100", "10000 cells"},
      {"cylinder:13x5", "65 cells"},
      {"square:2147483647x2147483647", "4611686014132420609 cells"},
      {"hexhex:2147483647", "13835058035954810887 cells"},
      {"hexhex:1800000000", "9719999994600000001 cells"},
  };
  for (const auto& [name, number] : too_large) {
    const auto b = parse(name);
    ASSERT_FALSE(b.ok()) << name;
    EXPECT_EQ(b.status().code(), absl::StatusCode::kResourceExhausted) << name;
    EXPECT_NE(b.status().message().find("this board has " + number + "; boards of up to 64 cells"), std::string::npos)
        << b.status();
  }
  std::string edges = "edges:";
  for (int c = 0; c < 65; ++c) edges += " n" + std::to_string(c);
  EXPECT_EQ(parse(edges).status().code(), absl::StatusCode::kResourceExhausted);
}

struct OwnWays {
  const char* edges;
  const char* lines;
  const char* round;       // a direction
  std::size_t ways;        // straight, with lines both ways
  const char* from_first;  // the cells one step from the first, by the word `lines`
};

const OwnWays kOwnWays[] = {
    {"a-b-c-d", "a-b-c", "a-b-c-d", 3, "b"},
    {"a-b-c-d", "a-b-c b-d", "", 4, "b"},
    {"a-b-c-d", "a-b, c-d", "", 2, "b"},      // lines apart go as one
    {"a-b-c-d", "a-b-c-d-a", "", 2, "b d"},   // a ring
    {"a-b-c-d", "a-c", "", 2, "c"},           // no edge
    {"a-b-c-d", "a-b", "a-b-a", 2 + 1, "b"},  // there and back
    {"a-b-c-d", "", "a-b c-d-c", 1, ""},
    {"a-b-c-d", "", "a-b b-c", 1, ""},
    {"a-b-c-d", "", "", 0, ""},
};

absl::StatusOr<Board> with_ways(const char* edges, const char* lines, const char* round) {
  Board::Extras extras;
  if (*lines != '\0') extras.lines = Span::whole("lines", lines);
  if (*round != '\0') extras.directions.push_back({Span::whole("name", "round"), Span::whole("round", round)});
  return Board::from_edges(Span::whole("edges", edges), extras);
}

TEST(Board, LinesAndDirectionsOfItsOwn) {
  for (const OwnWays& own : kOwnWays) {
    SCOPED_TRACE(std::string(own.lines) + " / " + own.round);
    const Board b = sure(with_ways(own.edges, own.lines, own.round));
    EXPECT_EQ(b.straight().size(), own.ways);
    const Relation* const lines = b.direction("lines");
    EXPECT_EQ(lines == nullptr ? "" : names(b, (*lines)[0]), own.from_first);
    EXPECT_EQ(b.direction("round") != nullptr, *own.round != '\0');
    EXPECT_EQ(b.straight("round").size(), *own.round == '\0' ? 0U : 1U);
  }
}

TEST(Board, StraightAmongNeighbours) {
  const Board b = sure(with_ways("a-b-c-d", "a-b-c a-d", "c-d-a"));
  EXPECT_EQ(b.straight().size(), 5U);
  EXPECT_EQ(b.straight("lines").size(), 4U);
  EXPECT_EQ(b.straight("adjacent").size(), 2U);  // a-d and d-a lead to no neighbours
  EXPECT_TRUE(sure(with_ways("a-b-c", "", "a-c")).straight("adjacent").empty());
}

TEST(Board, WrongLinesAndDirections) {
  const struct {
    const char* lines;
    const char* round;
    const char* caret;
    const char* message;
  } kWrongWays[] = {
      {"a-b-c-b", "", "a-b-c-b", "this line meets itself"},
      {"a-b-c-a-d", "", "a-b-c-a-d", "this line meets itself"},
      {"b-b-c", "", "b-b-c", "this line meets itself"},
      {"a", "", "a", "a line has two cells or more"},
      {"a-e", "", "e", "the board has no cell 'e'"},
      {"", "a-b a-c", "a-c", "'round' leads from a cell to two"},
      {"", "a-b c-b", "c-b", "'round' leads from a cell to two, from two to one"},
      {"", "a-a", "a-a", "or to itself"},
      {"", "a-b d", "d", "a direction leads from cell to cell"},
      {"", "a-x", "x", "the board has no cell 'x'"},
  };
  for (const auto& wrong : kWrongWays) {
    SCOPED_TRACE(std::string(wrong.lines) + " / " + wrong.round);
    const auto b = with_ways("a-b-c-d", wrong.lines, wrong.round);
    ASSERT_FALSE(b.ok());
    const std::string text(b.status().message());
    EXPECT_NE(text.find(wrong.message), std::string::npos) << text;
    EXPECT_EQ(under_caret(text), wrong.caret) << text;
  }
}

// A place of no cell once wrote beyond the board, and one of two was the first one's.
TEST(Board, APlaceIsThatOfOneCell) {
  for (const char* cell : {"", "-", "a-b", "a c"}) {
    SCOPED_TRACE(cell);
    Board::Extras extras;
    for (const char* name : {"a", "b", "c"}) extras.places.push_back({Span::whole("at", name), name[0] - 'a', 0});
    ASSERT_TRUE(Board::from_edges(Span::whole("edges", "a-b b-c"), extras).ok());
    extras.places.push_back({Span::whole("at", cell), 0, 1});
    const auto refused = Board::from_edges(Span::whole("edges", "a-b b-c"), extras);
    ASSERT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(refused.status().message().find("a place is that of one cell"), absl::string_view::npos);
  }
}

}  // namespace
}  // namespace plenum::variants_testing::board_test
