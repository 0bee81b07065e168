// SPDX-License-Identifier: Apache-2.0
// What expressions mean, for tests only: a board as a list of kinds, and the words of the language by walking over it cell by cell.
//
// It shares with variants/ only the board's steps ("the cell to the right of c") and neighbours. Numbers are exact fractions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/variants_testing.h"

namespace plenum::slow {

using variants_testing::below;

__extension__ using Wide = __int128;

struct Fraction {
  std::int64_t top = 0;
  std::int64_t bottom = 1;

  static Fraction of(Wide top, Wide bottom) {
    Wide a = top < 0 ? -top : top;
    Wide b = bottom;
    while (b != 0) {
      const Wide rest = a % b;
      a = b;
      b = rest;
    }
    return {static_cast<std::int64_t>(top / a), static_cast<std::int64_t>(bottom / a)};
  }
  friend Fraction operator+(const Fraction& a, const Fraction& b) {
    return of(static_cast<Wide>(a.top) * b.bottom + static_cast<Wide>(b.top) * a.bottom,
              static_cast<Wide>(a.bottom) * b.bottom);
  }
  friend Fraction operator*(const Fraction& a, const Fraction& b) {
    return of(static_cast<Wide>(a.top) * b.top, static_cast<Wide>(a.bottom) * b.bottom);
  }
  friend Fraction operator-(const Fraction& a) { return {-a.top, a.bottom}; }
  friend Fraction operator-(const Fraction& a, const Fraction& b) { return a + -b; }
  friend bool operator<(const Fraction& a, const Fraction& b) {
    return static_cast<Wide>(a.top) * b.bottom < static_cast<Wide>(b.top) * a.bottom;
  }
  friend bool operator==(const Fraction& a, const Fraction& b) = default;
};

inline Fraction whole(std::int64_t n) { return {n, 1}; }

struct Value {
  CellSet set = 0;
  std::vector<Fraction> field;
  Fraction number;
  bool truth = false;
  int player = 0;  // 0 nobody, 1 first, 2 second
};

// What a name stands for: a part of a set, or a definition's parameter, which before(...) reads on the board before the move.
struct Local {
  Value value;
  std::function<Value()> before;
};

// The last are what each player has, and piles of one, two and three.
enum Kind : int {
  kNothing = -1,
  kFirsts = 0,
  kSeconds = 1,
  kNobodys = 2,
  kFirstsToo = 3,
  kFirstsOwn = 4,
  kSecondsOwn = 5,
  kPiles = 6
};
inline const std::vector<std::string> kKindNames = {"x", "o", "n", "y", "first_c", "second_c", "p_1", "p_2", "p_3"};
inline constexpr const char* kLetters = "xonyCcabd";

inline int height_of(int kind) { return kind == kNothing ? 0 : std::max(1, kind - kPiles + 1); }

// A position, who looks at it, and what a move has done so far.
struct World {
  const Board* board = nullptr;
  std::vector<int> cells;  // a Kind each
  int mover = 0;           // 0 first, 1 second
  int viewer = 0;          // "me"
  int holder = 0;          // 0 nobody, 1 first, 2 second
  std::array<int, 2> spent = {};
  int total = 0;
  bool flag = false;
  int passes = 0;

  std::vector<int> before;
  CellSet placed = 0;
  CellSet taken = 0;
  CellSet trail = 0;   // what the parts of this turn have placed and taken
  CellSet jumped = 0;  // by the last part
  int chosen = 0;      // with it
  CellSet along = 0;   // the line that a distance is asked for
  CellSet changed = 0;
  CellSet origin = 0;
  std::map<std::string, Local> locals;

  CellSet holding(int kind) const {
    CellSet out = 0;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (cells[c] == kind) out |= cell_bit(static_cast<Cell>(c));
    }
    return out;
  }
  CellSet owned(int who) const {
    return who == 0 ? holding(kFirsts) | holding(kFirstsToo) | holding(kFirstsOwn)
                    : holding(kSeconds) | holding(kSecondsOwn);
  }
  CellSet piles() const { return holding(kPiles) | holding(kPiles + 1) | holding(kPiles + 2); }
};

inline World on_board_before(const World& w) {
  World then = w;
  then.cells = w.before;
  for (auto& [name, local] : then.locals) {
    if (local.before) local.value = local.before();
  }
  return then;
}

inline bool has(CellSet set, int c) { return (set >> c & 1) != 0; }
inline int size_of(CellSet set) { return __builtin_popcountll(set); }
template <typename Function>
void each(CellSet set, const Function& function) {
  for (int c = 0; c < kMaxCells; ++c) {
    if (has(set, c)) function(c);
  }
}

// The names of the single steps that the board has: "line:K" is the K-th way along the lines it declares.
inline std::vector<std::string> all_steps(const Board& board) {
  const std::set<std::string> joined = {"adjacent", "anywhere", "orth", "diag", "king", "lines"};
  std::vector<std::string> out;
  for (const std::string& name : board.direction_names()) {
    if (joined.count(name) == 0) out.push_back(name);
  }
  for (std::size_t k = 0; board.direction("lines") != nullptr && k < board.straight("lines").size(); ++k)
    out.push_back("line:" + std::to_string(k));
  return out;
}

// The cells in a direction; "back:D" is the other way round.
inline CellSet in_direction(const Board& board, const std::string& direction, int c) {
  if (direction.substr(0, 5) == "line:")
    return board.straight("lines")[std::stoul(direction.substr(5))][static_cast<std::size_t>(c)];
  if (direction.substr(0, 5) != "back:") return (*board.direction(direction))[static_cast<std::size_t>(c)];
  CellSet out = 0;
  each(board.all(), [&](int from) {
    if (has(in_direction(board, direction.substr(5), from), c)) out |= cell_bit(static_cast<Cell>(from));
  });
  return out;
}

// The single steps that a word for directions is made of.
inline std::vector<std::string> steps_of(const Board& board, const std::string& word) {
  const std::string shape = board.name().substr(0, board.name().find(':'));
  std::vector<std::string> all = all_steps(board);
  if (word == "king") return all;
  if (word == "orth" || (word == "adjacent" && (shape == "square" || shape == "torus" || shape == "cylinder")))
    return {"left", "right", "up", "down"};
  if (word == "diag") return {"up_left", "up_right", "down_left", "down_right"};
  if (word == "lines") std::erase_if(all, [](const std::string& name) { return name.substr(0, 5) != "line:"; });
  if (word == "adjacent") {  // those that lead to neighbours only
    std::erase_if(all, [&](const std::string& name) {
      bool beside = true;
      each(board.all(), [&](int c) {
        beside &= (in_direction(board, name, c) & ~board.adjacent()[static_cast<std::size_t>(c)]) == 0;
      });
      return !beside;
    });
  }
  return word == "adjacent" || word == "lines" ? all : std::vector<std::string>{word};
}

// The one cell in a direction, or -1.
inline int step(const Board& board, const std::string& direction, int c) {
  const CellSet there = in_direction(board, direction, c);
  return there == 0 ? -1 : __builtin_ctzll(there);
}

using Words = std::vector<std::string>;  // directions

inline CellSet beside(const Board& board, const Words& directions, int c) {
  CellSet out = 0;
  for (const std::string& one : directions) out |= in_direction(board, one, c);
  return out;
}

inline Words single_steps(const Board& board, const Words& directions) {
  Words out;
  for (const std::string& one : directions) {
    for (const std::string& name : steps_of(board, one)) out.push_back(name);
  }
  return out;
}

inline CellSet line(const Board& board, CellSet s, int k, const Words& directions) {
  CellSet out = 0;
  for (const std::string& direction : single_steps(board, directions)) {
    each(s, [&](int c) {
      CellSet run = 0;
      for (int at = c; at >= 0 && has(s, at) && !has(run, at) && size_of(run) < k; at = step(board, direction, at))
        run |= cell_bit(static_cast<Cell>(at));
      if (size_of(run) == k) out |= run;
    });
  }
  return out;
}

inline CellSet covered(const std::vector<CellSet>& figures, CellSet s) {
  CellSet out = 0;
  for (const CellSet figure : figures) out |= (figure & ~s) == 0 ? figure : 0;
  return out;
}

inline CellSet between(const Board& board, CellSet a, CellSet s, CellSet b, const Words& directions) {
  CellSet out = 0;
  for (const std::string& direction : single_steps(board, directions)) {
    each(a, [&](int c) {
      CellSet run = 0;
      for (int at = step(board, direction, c); at >= 0 && at != c && !has(run, at); at = step(board, direction, at)) {
        if (has(b, at)) out |= run;
        if (!has(s, at)) break;
        run |= cell_bit(static_cast<Cell>(at));
      }
    });
  }
  return out;
}

inline CellSet ray(const Board& board, CellSet from, const Words& directions, CellSet through) {
  CellSet out = 0;
  for (const std::string& direction : single_steps(board, directions)) {
    each(from, [&](int c) {
      CellSet run = 0;
      for (int at = step(board, direction, c); at >= 0 && at != c && !has(run, at) && has(through, at);
           at = step(board, direction, at))
        run |= cell_bit(static_cast<Cell>(at));
      out |= run;
    });
  }
  return out;
}

// Where the copies of a figure lie: rows of x and . from the top.
inline std::vector<CellSet> copies(const Board& board, const std::string& shape, const std::string& turns) {
  std::vector<std::pair<int, int>> cells;  // to the right, down
  int x = 0;
  int y = 0;
  for (const char sign : shape) {
    if (sign == 'x') cells.emplace_back(x, y);
    ++x;
    if (sign == '/') {
      x = 0;
      ++y;
    }
  }
  std::vector<CellSet> out;
  for (int turn = 0; turn < (turns == "none" ? 1 : turns == "rotate" ? 4 : 8); ++turn) {
    for (int c = 0; c < board.size(); ++c) {  // where its first cell lies
      CellSet figure = 0;
      for (const auto& [right, down] : cells) {
        int dx = right - cells[0].first;
        int dy = down - cells[0].second;
        if (turn >= 4) dx = -dx;
        for (int quarter = turn % 4; quarter > 0; --quarter) {
          const int old = dx;
          dx = -dy;
          dy = old;
        }
        int at = c;
        for (; dx != 0 && at >= 0; dx += dx > 0 ? -1 : 1) at = step(board, dx > 0 ? "right" : "left", at);
        for (; dy != 0 && at >= 0; dy += dy > 0 ? -1 : 1) at = step(board, dy > 0 ? "down" : "up", at);
        if (at >= 0) figure |= cell_bit(static_cast<Cell>(at));
      }
      if (size_of(figure) == static_cast<int>(cells.size())) out.push_back(figure);
    }
  }
  return out;
}

// The cells of s that `seed`, a part of it, is connected to inside s, in the directions from each cell on.
inline CellSet flood(const Board& board, CellSet s, CellSet seed, const Words& directions) {
  CellSet out = seed & s;
  for (CellSet last = ~out; last != out;) {
    last = out;
    each(last, [&](int c) { out |= beside(board, directions, c) & s; });
  }
  return out;
}

inline std::vector<CellSet> groups(const Board& board, CellSet s, const Words& directions) {
  std::vector<CellSet> out;
  for (CellSet rest = s; rest != 0;) {
    CellSet group = rest & -rest;
    for (CellSet last = 0; last != group;) {
      last = group;
      for (int c = 0; c < board.size(); ++c) {  // either way
        if (has(s, c) && (beside(board, directions, c) & last) != 0) group |= cell_bit(static_cast<Cell>(c));
        if (has(last, c)) group |= beside(board, directions, c) & s;
      }
    }
    out.push_back(group);
    rest &= ~group;
  }
  return out;
}

// The board of a random game: any shape, or a list of edges with lines of its own.
struct Ground {
  std::string text;  // the lines of the description
  Board board;
  bool with_lines = false;
  bool several = false;  // first has two kinds
  bool rich = false;     // both have a kind c, and there are piles
};

// Steps from cell to cell, none from one or to one twice.
inline std::string random_chains(const Board& board) {
  std::vector<int> order;
  each(board.all(), [&](int c) { order.insert(order.begin() + *below(static_cast<unsigned>(order.size() + 1)), c); });
  std::string out = board.cell_name(static_cast<Cell>(order[0]));
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= order.size(); ++i) {
    const bool ends = i == order.size() || (i > begin + 1 && i + 1 < order.size() && *below(3) == 0);
    if (ends && *below(2) == 0) out += "-" + board.cell_name(static_cast<Cell>(order[begin]));  // a ring
    if (i == order.size()) break;
    out += (ends ? " " : "-") + board.cell_name(static_cast<Cell>(order[i]));
    if (ends) begin = i;
  }
  return out;
}

inline Ground ground(unsigned most) {
  const std::string name = *variants_testing::boards(most);
  const Board board = variants_testing::sure(Board::parse(Span::whole("board", name)));
  if (name.substr(0, 6) != "edges:" || board.size() < 2)
    return {"[options]\nboard = { default = \"" + name + "\" }\n", board, false};
  std::string lines;
  for (unsigned k = 1 + *below(4); k > 0; --k) {
    std::string one;
    int cells = 0;
    for (int c = 0; c < board.size(); ++c) {
      if (*below(2) == 0 && (cells >= 2 || board.size() - c > 2)) continue;
      one += (one.empty() ? "" : "-") + board.cell_name(static_cast<Cell>(c));
      ++cells;
    }
    if (cells >= 2) lines += (lines.empty() ? "" : " ") + one;
  }
  Board::Extras extras;
  extras.lines = Span::whole("lines", lines);
  std::string directions;
  for (const char* way : {"round", "across"}) {
    if (*below(2) == 0) continue;
    const std::string steps = random_chains(board);
    extras.directions.push_back({Span::whole("name", way), Span::whole("directions", steps)});
    directions += std::string(directions.empty() ? "" : ", ") + way + " = \"" + steps + "\"";
  }
  const Board lined = variants_testing::sure(Board::from_edges(Span::whole("edges", name.substr(6)), extras));
  return {
      "[board]\nedges = \"" + name.substr(6) + "\"\nlines = \"" + lines + "\"\ndirections = { " + directions + " }\n",
      lined, true};
}

// The kinds and the state that the random expressions speak of.
inline std::string kinds_and_state(const Ground& ground) {
  return std::string("[kinds]\nx = \"first\"\no = \"second\"\nn = \"nobody\"\n") +
         (ground.several ? "y = \"first\"\n" : "") +
         (ground.rich ? "c = { owner = \"each\" }\np = { owner = \"nobody\", pile = 3, letters = \"abd\" }\n" : "") +
         R"toml([state]
holder = { type = "player" }
spent  = { type = "number", each = true, range = [0, 5] }
total  = { type = "number", range = [-3, 3], start = 0 }
flag   = { type = "bool" }
)toml";
}
// A condition that never holds and reads all of the state, so that none of it is left out of positions.
inline const char* const kReadsTheState = "any(none) | holder == me & spent + total > 99 & flag";

// The game, or nothing where the numbers become too large for it; nor, if that `may_go_round`, where its effects are not
// known to end.
inline std::optional<Variant> compiled(const std::string& text, bool may_go_round = false) {
  absl::StatusOr<Variant> made = variants_testing::make(text);
  if (made.ok()) return *std::move(made);
  const std::string message(made.status().message());
  RC_LOG(message);
  // With several kinds of a player, "x" could be any of them as far as the structure of an expression tells.
  if (may_go_round && message.find("could go round for ever") != std::string::npos &&
      (text.find("y = \"first\"") != std::string::npos || text.find("c = { owner") != std::string::npos))
    return std::nullopt;
  RC_ASSERT(message.find("too large") != std::string::npos || message.find("too many digits") != std::string::npos);
  return std::nullopt;
}

// The same position as a World, from what it holds for the player to move.
inline World world(const RuleSet& rules, const Position& p) {
  const Board& board = rules.board;
  World w;
  w.board = &board;
  w.mover = w.viewer = p.mover == Player::first ? 0 : 1;
  w.cells.assign(static_cast<std::size_t>(board.size()), kNothing);
  for (std::size_t k = 0; k < rules.kinds.size(); ++k) {
    const PlaneChoice plane = rules.plane_of(k);
    each(p.planes[static_cast<std::size_t>(w.mover == 0 ? plane.if_first : plane.if_second)], [&](int c) {
      const auto name = std::find(kKindNames.begin(), kKindNames.end(), rules.kinds[k].name);
      w.cells[static_cast<std::size_t>(c)] = static_cast<int>(name - kKindNames.begin());
    });
  }
  const auto absolute = [&](int who) { return who == 0 ? 0 : who == 1 ? w.mover + 1 : 2 - w.mover; };
  w.holder = absolute(p.state[0]);
  w.spent[static_cast<std::size_t>(w.mover)] = p.state[1];
  w.spent[static_cast<std::size_t>(1 - w.mover)] = p.state[2];
  w.total = p.state[3] - 3;
  w.flag = p.state[4] != 0;
  w.passes = p.passes;
  w.before = w.cells;
  return w;
}

}  // namespace plenum::slow
