// SPDX-License-Identifier: Apache-2.0
#include "variants/board/board.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>

namespace plenum {
namespace {

// Files a..z, then aa, ab, ...
std::string letters(int n) {
  std::string out;
  for (++n; n > 0; n = (n - 1) / 26) out.insert(out.begin(), static_cast<char>('a' + (n - 1) % 26));
  return out;
}

// The numbers after the colon: "3x4" or "9".
std::vector<int> sizes(const Span& span, std::string_view text, std::size_t offset, std::size_t count,
                       std::string_view shape) {
  std::vector<int> out;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t end = i + 1 < count ? text.find('x', begin) : text.size();
    int value = 0;
    const std::string_view digits =
        end == std::string_view::npos ? text.substr(begin) : text.substr(begin, end - begin);
    if (end == std::string_view::npos || !absl::SimpleAtoi(std::string(digits), &value) || value < 1 ||
        digits.find_first_not_of("0123456789") != std::string_view::npos) {
      const std::string form = count == 2 ? absl::StrCat(std::string(shape), ":WxH, as in ", std::string(shape), ":3x4")
                                          : absl::StrCat(std::string(shape), ":N, as in ", std::string(shape), ":3");
      fail_at(span.part(offset + begin, std::max<std::size_t>(1, digits.size())),
              "this is no size of a board: a whole number from 1 on is expected here", absl::StrCat("write ", form));
    }
    out.push_back(value);
    begin = end + 1;
  }
  return out;
}

void check_size(const Span& span, std::uint64_t cells) {
  if (cells <= kMaxCells) return;
  const absl::Status shown = error_at(
      span, absl::StrCat("this board has ", cells, " cells; boards of up to ", kMaxCells, " cells are supported"));
  throw DescriptionError{absl::ResourceExhaustedError(shown.message())};
}

}  // namespace

Relation unite(const Relation& a, const Relation& b) {
  Relation out(a.size());
  for (std::size_t c = 0; c < a.size(); ++c) out[c] = a[c] | b[c];
  return out;
}

Relation transposed(const Relation& relation) {
  Relation out(relation.size());
  for (std::size_t c = 0; c < relation.size(); ++c) {
    for (CellSet rest = relation[c]; rest != 0; rest &= rest - 1)
      out[static_cast<std::size_t>(std::countr_zero(rest))] |= cell_bit(static_cast<Cell>(c));
  }
  return out;
}

// Rows of cells two half columns apart, each so far from the left.
void Board::add_rows(const std::vector<int>& lengths, const std::vector<int>& shifts, CellName name_of) {
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const auto y = static_cast<int>(i);
    rows_.emplace_back();
    for (int x = 0; x < lengths[i]; ++x) {
      rows_.back().push_back(static_cast<Cell>(cells_.size()));
      add_cell(name_of(x, y), shifts[i] + 2 * x, y);
    }
  }
}

// The cells that are one of these steps away. Steps lead round a board of `round_x` half columns, `round_y` rows; 0: they end.
Relation Board::add_steps(std::span<const Step> steps, int round_x, int round_y) {
  Relation all(cells_.size());
  for (const Step& step : steps) {
    Relation one(cells_.size());
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      int x = cells_[c].half_x + step.half_x;
      int y = cells_[c].y + step.y;
      if (round_x > 0) x = (x + round_x) % round_x;
      if (round_y > 0) y = (y + round_y) % round_y;
      for (std::size_t to = 0; to < cells_.size(); ++to) {
        if (to != c && cells_[to].half_x == x && cells_[to].y == y) one[c] = cell_bit(static_cast<Cell>(to));
      }
    }
    all = unite(all, one);
    steps_.emplace_back(step.name);
    set_direction(step.name, std::move(one));
  }
  return all;
}

// The regions along the border. Rows that are rings end nowhere.
void Board::add_sides(bool corners, bool rings) {
  CellSet left = 0;
  CellSet right = 0;
  CellSet bottom = 0;
  CellSet top = 0;
  for (const auto& row : rows_) {
    left |= cell_bit(row.front());
    right |= cell_bit(row.back());
  }
  for (const Cell c : rows_.front()) bottom |= cell_bit(c);
  for (const Cell c : rows_.back()) top |= cell_bit(c);
  if (rings) {
    regions_ = {{"edge", bottom | top}, {"bottom_edge", bottom}, {"top_edge", top}};
    return;
  }
  regions_ = {{"edge", left | right | bottom | top}};
  if (corners) {
    CellSet corner = (left | right) & (bottom | top);
    for (std::size_t y = 1; y + 1 < rows_.size(); ++y) {  // where the sides stick out
      const bool widest = rows_[y].size() > std::max(rows_[y - 1].size(), rows_[y + 1].size());
      if (widest) corner |= cell_bit(rows_[y].front()) | cell_bit(rows_[y].back());
    }
    regions_.emplace_back("corner", corner);
  }
  regions_.insert(regions_.end(),
                  {{"left_edge", left}, {"right_edge", right}, {"bottom_edge", bottom}, {"top_edge", top}});
}

void Board::build_grid(int width, int height, bool wraps_x, bool wraps_y, bool diagonals, bool lettered) {
  static constexpr std::array<Step, 4> kOrth = {{{"right", 2, 0}, {"left", -2, 0}, {"up", 0, 1}, {"down", 0, -1}}};
  static constexpr std::array<Step, 4> kDiag = {
      {{"up_right", 2, 1}, {"up_left", -2, 1}, {"down_right", 2, -1}, {"down_left", -2, -1}}};
  const std::vector<int> lengths(static_cast<std::size_t>(height), width);
  const int round_x = wraps_x ? 2 * width : 0;
  const int round_y = wraps_y ? height : 0;
  if (!lettered) {  // a path or a cycle has only left and right
    add_rows(lengths, {0}, [](int x, int) { return absl::StrCat(x + 1); });
    adjacent_ = add_steps(std::span(kOrth).first(2), round_x, round_y);
  } else {
    add_rows(lengths, std::vector<int>(lengths.size(), 0),
             [](int x, int y) { return absl::StrCat(letters(x), y + 1); });
    const Relation orth = add_steps(kOrth, round_x, round_y);
    const Relation diag = add_steps(kDiag, round_x, round_y);
    const Relation king = unite(orth, diag);
    adjacent_ = diagonals ? king : orth;
    set_direction("orth", orth);
    set_direction("diag", diag);
    set_direction("king", king);
    coordinates_.emplace_back("row", std::vector<int>());
    for (const CellInfo& cell : cells_) coordinates_.back().second.push_back(cell.y + 1);
    dimensions_.emplace_back("height", height);
    if (!wraps_y) add_sides(true, wraps_x);
  }
  coordinates_.emplace_back("column", std::vector<int>());
  for (const CellInfo& cell : cells_) coordinates_.back().second.push_back(cell.half_x / 2 + 1);
  dimensions_.emplace_back("width", width);
}

void Board::build_hex(const std::vector<int>& row_lengths, const std::vector<int>& row_shifts) {
  static constexpr std::array<Step, 6> kSteps = {{{"right", 2, 0},
                                                  {"left", -2, 0},
                                                  {"up_right", 1, 1},
                                                  {"up_left", -1, 1},
                                                  {"down_right", 1, -1},
                                                  {"down_left", -1, -1}}};
  look_ = Look::hexagons;
  add_rows(row_lengths, row_shifts, [](int x, int y) { return absl::StrCat(letters(y), x + 1); });
  adjacent_ = add_steps(kSteps, 0, 0);
  coordinates_.emplace_back("row", std::vector<int>());
  for (const CellInfo& cell : cells_) coordinates_.back().second.push_back(cell.y + 1);
  dimensions_ = {{"height", static_cast<int>(row_lengths.size())}};
  add_sides(true, false);
}

void Board::build_edges(const Span& span) {
  const std::string_view edges = span.text();
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::map<std::string, std::size_t, std::less<>> number;
  std::vector<std::string> canonical;
  std::size_t i = 0;
  const auto is_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto is_gap = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ','; };
  const auto sign_at = [&](std::size_t at) {  // its bytes, if it is not ASCII
    std::size_t bytes = 1;
    while (at + bytes < edges.size() && (static_cast<unsigned char>(edges[at + bytes]) & 0xC0U) == 0x80U) ++bytes;
    return bytes;
  };
  while (i < edges.size()) {
    if (is_gap(edges[i])) {
      ++i;
      continue;
    }
    std::size_t previous = std::string_view::npos;
    std::string chain;
    for (bool more = true; more;) {
      const std::size_t begin = i;
      while (i < edges.size() && is_name(edges[i])) ++i;
      if (i == begin) {
        fail_at(span.part(begin, sign_at(begin)), "a cell's name is expected here",
                "edges are written a-b b-c, or as a chain a-b-c; a lone name is a cell without neighbours");
      }
      const std::string name(edges.substr(begin, i - begin));
      if (name == "pass" || name == "off") {
        fail_at(span.part(begin, name.size()), absl::StrCat("a cell cannot be called '", name, "'"),
                "moves are written with this word");
      }
      const auto [found, fresh] = number.emplace(name, number.size());
      if (fresh) {
        check_size(span, number.size());
        add_cell(name, 2 * static_cast<int>(found->second), 0);
      }
      if (previous == found->second) {
        fail_at(span.part(begin, name.size()), absl::StrCat("cell '", name, "' is joined to itself"),
                "no cell neighbours itself");
      }
      if (previous != std::string_view::npos) pairs.emplace_back(previous, found->second);
      absl::StrAppend(&chain, previous == std::string_view::npos ? "" : "-", name);
      previous = found->second;
      more = i < edges.size() && edges[i] == '-';
      if (more) ++i;
    }
    if (i < edges.size() && !is_gap(edges[i])) {
      const std::size_t bytes = sign_at(i);
      fail_at(span.part(i, bytes),
              absl::StrCat("'", std::string(edges.substr(i, bytes)), "' does not belong in a list of edges"),
              "names are of letters, digits and _; edges are written a-b b-c");
    }
    canonical.push_back(chain);
  }
  if (cells_.empty()) fail_at(span, "a board needs a cell", "edges are written a-b b-c");
  adjacent_.assign(cells_.size(), 0);
  for (const auto& [a, b] : pairs) {
    adjacent_[a] |= cell_bit(static_cast<Cell>(b));
    adjacent_[b] |= cell_bit(static_cast<Cell>(a));
  }
  rows_.emplace_back(cells_.size());
  std::iota(rows_.back().begin(), rows_.back().end(), Cell{0});
  drawable_ = false;
  look_ = Look::points;
  name_ = "edges:";
  for (std::size_t k = 0; k < canonical.size(); ++k) absl::StrAppend(&name_, k == 0 ? "" : " ", canonical[k]);
}

void Board::finish() {
  const auto n = static_cast<std::size_t>(size());
  set_direction("adjacent", adjacent_);
  Relation anywhere(n);
  for (std::size_t c = 0; c < n; ++c) anywhere[c] = all() & ~cell_bit(static_cast<Cell>(c));
  set_direction("anywhere", anywhere);
  balls_.emplace_back(n, CellSet{0});
  Relation reached(n);
  for (std::size_t c = 0; c < n; ++c) reached[c] = cell_bit(static_cast<Cell>(c));
  for (;;) {
    Relation next = reached;
    for (std::size_t c = 0; c < n; ++c) {
      for (CellSet rest = reached[c]; rest != 0; rest &= rest - 1) next[c] |= adjacent_[std::countr_zero(rest)];
    }
    if (next == reached) break;
    reached = next;
    ++diameter_;
    for (std::size_t c = 0; c < n; ++c) next[c] &= ~cell_bit(static_cast<Cell>(c));
    balls_.push_back(next);
  }
}

// A shape whose boards are given by numbers.
struct Board::Shape {
  BoardShape shown;
  std::size_t numbers;
  std::uint64_t (*cells)(std::uint64_t first, std::uint64_t second);  // fits, as numbers have 31 bits
  void (*build)(Board& board, int first, int second);                 // makes the cells and their neighbours
  std::string name() const { return shown.form.substr(0, shown.form.find(':')); }
};

const std::vector<Board::Shape>& Board::builders() {
  const auto one = [](std::uint64_t n, std::uint64_t) { return n; };
  const auto product = [](std::uint64_t w, std::uint64_t h) { return w * h; };
  static const std::vector<Shape> all = {
      {{"square:WxH", "4 neighbours a cell"},
       2,
       product,
       [](Board& b, int w, int h) { b.build_grid(w, h, false, false, false, true); }},
      {{"king:WxH", "8 neighbours"},
       2,
       product,
       [](Board& b, int w, int h) { b.build_grid(w, h, false, false, true, true); }},
      {{"hexhex:N", "a hexagon of hexagons, N cells a side"},
       1,
       [](std::uint64_t n, std::uint64_t) { return 3 * n * (n - 1) + 1; },
       [](Board& b, int n, int) {
         std::vector<int> lengths;
         std::vector<int> shifts;
         for (int y = 0; y < 2 * n - 1; ++y) {
           shifts.push_back(std::abs(y - (n - 1)));
           lengths.push_back(2 * n - 1 - shifts.back());
         }
         b.build_hex(lengths, shifts);
       }},
      {{"hexrect:WxH", "a parallelogram of hexagons"},
       2,
       product,
       [](Board& b, int w, int h) {
         std::vector<int> shifts(static_cast<std::size_t>(h));
         std::iota(shifts.begin(), shifts.end(), 0);
         b.build_hex(std::vector<int>(shifts.size(), w), shifts);
       }},
      {{"path:N", "a line of cells"},
       1,
       one,
       [](Board& b, int n, int) { b.build_grid(n, 1, false, false, false, false); }},
      {{"cycle:N", "a ring of cells"},
       1,
       one,
       [](Board& b, int n, int) { b.build_grid(n, 1, true, false, false, false); }},
      {{"torus:WxH", "4 neighbours, round the edges too"},
       2,
       product,
       [](Board& b, int w, int h) { b.build_grid(w, h, true, true, false, true); }},
      {{"cylinder:WxH", "4 neighbours; rows are rings"},
       2,
       product,
       [](Board& b, int w, int h) { b.build_grid(w, h, true, false, false, true); }},
  };
  return all;
}

std::string Board::forms() {
  std::string out;
  for (const BoardShape& shape : Board::shapes())
    absl::StrAppend(&out, out.empty() ? "" : &shape == &Board::shapes().back() ? " or " : ", ", shape.form);
  return out;
}

const std::vector<BoardShape>& Board::shapes() {
  static const std::vector<BoardShape> all = [] {
    std::vector<BoardShape> out;
    for (const Shape& shape : builders()) out.push_back(shape.shown);
    out.push_back({"edges:a-b b-c", "any graph"});
    return out;
  }();
  return all;
}

absl::StatusOr<Board> Board::parse(const Span& span) {
  return guard([&]() -> Board {
    const std::string_view text = span.text();
    const std::size_t colon = text.find(':');
    const std::string name(text.substr(0, colon));
    const std::string_view rest = colon == std::string_view::npos ? "" : text.substr(colon + 1);
    Board board;
    if (name == "edges") {
      board.build_edges(span.part(text.size() - rest.size(), rest.size()));
      board.finish();
      return board;
    }
    const auto shape =
        std::find_if(builders().begin(), builders().end(), [&](const Shape& s) { return s.name() == name; });
    if (shape == builders().end()) {
      std::vector<std::string> plain;
      for (const BoardShape& one : Board::shapes()) plain.emplace_back(one.form.substr(0, one.form.find(':')));
      const std::string close = nearest(name, plain);
      std::string advice = absl::StrCat("boards: ", forms());
      if (!close.empty() && close != name) advice = absl::StrCat("did you mean '", close, "'? ", advice);
      if (!text.empty() && text.find_first_not_of("0123456789x") == std::string_view::npos)  // "3x3" alone
        advice = absl::StrCat("did you mean '", builders().front().name(), ":", std::string(text), "'? ", advice);
      fail_at(span.part(0, std::max<std::size_t>(1, name.size())), absl::StrCat("there is no board '", name, "'"),
              advice);
    }
    std::vector<int> n =
        sizes(span, rest, colon == std::string_view::npos ? text.size() : colon + 1, shape->numbers, name);
    board.name_ = absl::StrCat(name, ":", absl::StrJoin(n, "x"));
    n.resize(2);
    check_size(span, shape->cells(static_cast<std::uint64_t>(n[0]), static_cast<std::uint64_t>(n[1])));
    shape->build(board, n[0], n[1]);
    board.finish();
    return board;
  });
}

std::optional<Cell> Board::find_cell(std::string_view name) const {
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    if (cells_[c].name == name) return static_cast<Cell>(c);
  }
  return std::nullopt;
}

namespace {
template <typename Value>
const Value* lookup(const std::vector<std::pair<std::string, Value>>& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.first == name; });
  return found == table.end() ? nullptr : &found->second;
}
template <typename Value>
std::vector<std::string> names_of(const std::vector<std::pair<std::string, Value>>& table) {
  std::vector<std::string> out;
  out.reserve(table.size());
  for (const auto& entry : table) out.push_back(entry.first);
  return out;
}
}  // namespace

const Relation* Board::direction(std::string_view name) const { return lookup(directions_, name); }
std::vector<std::string> Board::direction_names() const { return names_of(directions_); }

std::vector<Relation> Board::straight(std::string_view neighbourhood) const {
  const Relation* within = neighbourhood.empty() ? nullptr : direction(neighbourhood);
  if (neighbourhood == "anywhere" || (within == nullptr && !neighbourhood.empty())) return {};
  if (neighbourhood == "lines") return ways_;
  // A direction by its own name is straight also where the board is too narrow for a step in it.
  if (std::find(steps_.begin(), steps_.end(), neighbourhood) != steps_.end()) return {*within};
  std::vector<Relation> out;
  // A direction belongs to a neighbourhood that has all its steps, if it has any.
  const auto add = [&](const Relation& one) {
    bool inside = std::any_of(one.begin(), one.end(), [](CellSet s) { return s != 0; });
    for (std::size_t c = 0; c < one.size() && within != nullptr; ++c) inside &= (one[c] & ~(*within)[c]) == 0;
    if (inside && std::find(out.begin(), out.end(), one) == out.end()) out.push_back(one);
  };
  for (const std::string& name : steps_) add(*direction(name));
  for (const Relation& way : ways_) add(way);
  if (out.empty() && look_ != Look::points) out.emplace_back(cells_.size(), 0);  // no room: one that leads nowhere
  return out;
}

const std::vector<int>* Board::coordinate(std::string_view name) const { return lookup(coordinates_, name); }
std::optional<int> Board::dimension(std::string_view name) const {
  const int* found = lookup(dimensions_, name);
  return found ? std::optional<int>(*found) : std::nullopt;
}
std::optional<CellSet> Board::region(std::string_view name) const {
  const CellSet* found = lookup(regions_, name);
  return found ? std::optional<CellSet>(*found) : std::nullopt;
}
std::vector<std::string> Board::region_names() const { return names_of(regions_); }

}  // namespace plenum
