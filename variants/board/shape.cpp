// SPDX-License-Identifier: Apache-2.0
#include "variants/board/shape.h"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include <absl/strings/str_cat.h>

namespace plenum {
namespace {

using CellOffset = std::pair<int, int>;  // columns to the right, rows up

std::vector<CellOffset> parse(std::string_view shape, const Span& span) {
  std::vector<CellOffset> out;
  int x = 0;
  int y = 0;
  for (const char c : shape) {
    if (c == '/') {
      x = 0;
      --y;
    } else if (c == 'x') {
      out.emplace_back(x++, y);
    } else if (c == '.') {
      ++x;
    } else {
      fail_at(span, absl::StrCat("'", std::string(1, c), "' does not belong in a shape"),
              "a shape is rows of x and . from the top, with / between: x./x./xx");
    }
  }
  if (out.empty()) fail_at(span, "a shape has a cell or more", "as in x./x./xx");
  const auto [first_x, first_y] = out.front();  // counted from its first cell, whatever dots stand around it
  for (auto& [dx, dy] : out) {
    dx -= first_x;
    dy -= first_y;
  }
  return out;
}

// The cell that lies so far from `c`, if there is one; sets with nothing in them end a walk.
CellSet walk(const Relation* positive, const Relation* negative, CellSet at, int steps) {
  const Relation* direction = steps > 0 ? positive : negative;
  for (int i = std::abs(steps); i > 0 && at != 0; --i)
    at = direction == nullptr ? 0 : (*direction)[static_cast<std::size_t>(std::countr_zero(at))];
  return at;
}

}  // namespace

std::vector<CellSet> placements(const Board& board, std::string_view shape, const Span& shape_span,
                                std::string_view turns, const Span& turns_span) {
  const std::vector<CellOffset> plain = parse(shape, shape_span);
  const std::vector<std::string> known = {"none", "rotate", "all"};
  if (std::find(known.begin(), known.end(), turns) == known.end())
    fail_at(turns_span, absl::StrCat("'", std::string(turns), "' is no way to turn a shape"),
            suggestion(turns, known, "there are"));
  const Relation* const right = board.direction("right");
  const Relation* const left = board.direction("left");
  const Relation* const up = board.direction("up");
  const Relation* const down = board.direction("down");
  const bool flat = std::all_of(plain.begin(), plain.end(), [](const CellOffset& o) { return o.second == 0; });
  if (board.look() == Board::Look::points || right == nullptr || (up == nullptr && (!flat || turns != "none")))
    fail_at(shape_span, absl::StrCat("shapes cannot be placed on the board ", board.name()),
            "they need a board of squares");
  std::set<CellSet> out;
  std::vector<CellOffset> turned = plain;
  const int quarter_turns = turns == "none" ? 1 : 4;
  for (int over = 0; over < (turns == "all" ? 2 : 1); ++over) {
    for (int quarter = 0; quarter < quarter_turns; ++quarter) {
      for (int c = 0; c < board.size(); ++c) {
        CellSet covered = 0;
        for (const auto& [dx, dy] : turned)
          covered |= walk(up, down, walk(right, left, cell_bit(static_cast<Cell>(c)), dx), dy);
        if (static_cast<std::size_t>(std::popcount(covered)) == plain.size()) out.insert(covered);
      }
      for (auto& [dx, dy] : turned) dx = std::exchange(dy, -dx);
    }
    for (auto& [dx, dy] : turned) dx = -dx;
  }
  return {out.begin(), out.end()};
}

}  // namespace plenum
