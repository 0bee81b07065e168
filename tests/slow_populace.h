// SPDX-License-Identifier: Apache-2.0
// The rules of Populace once more, straight from how they are told, in plain loops over cells: for tests to compare with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "variants/board/board.h"

namespace plenum {

// Cells: 0 empty, 1 first's stone, 2 second's.
struct SlowPopulace {
  struct Options {
    int threat = 2;
    bool button = false;
    std::string move_to = "any";
    bool move = true;
    bool replace = true;
    std::vector<std::string> settings() const {
      return {"threat=" + std::to_string(threat), std::string("button=") + (button ? "on" : "off"),
              "move_to=" + move_to, std::string("move=") + (move ? "on" : "off"),
              std::string("replace=") + (replace ? "on" : "off")};
    }
  };
  struct State {
    std::vector<int> cells;
    int mover = 1;
    int passes = 0;
    int holder = 0;
  };

  const Board& board;
  Options options;
  std::vector<std::vector<int>> distance;  // -1 where there is no way

  SlowPopulace(const Board& b, Options o) : board(b), options(std::move(o)) {
    const auto n = static_cast<std::size_t>(b.size());
    for (std::size_t from = 0; from < n; ++from) {
      std::vector<int> steps(n, -1);
      steps[from] = 0;
      for (int d = 0; d < b.size(); ++d) {
        for (std::size_t c = 0; c < n; ++c) {
          for (std::size_t next = 0; next < n && steps[c] == d; ++next) {
            if (beside(c, next) && steps[next] < 0) steps[next] = d + 1;
          }
        }
      }
      distance.push_back(steps);
    }
  }
  bool beside(std::size_t a, std::size_t b) const { return (board.adjacent()[a] >> b & 1) != 0; }
  int stones_near(const State& s, std::size_t c, int who) const {
    int out = 0;
    for (std::size_t d = 0; d < s.cells.size(); ++d) out += beside(c, d) && s.cells[d] == who ? 1 : 0;
    return out;
  }
  bool placeable(const State& s, std::size_t c) const {
    const int own = stones_near(s, c, s.mover);
    const int others = stones_near(s, c, 3 - s.mover);
    return own > others || own + others == 0;
  }
  bool may_land(State s, std::size_t from, std::size_t to) const {
    if (options.move_to == "any") return true;
    if (options.move_to == "no_drop_lifted") s.cells[from] = 0;
    return !placeable(s, to);
  }
  std::vector<std::pair<std::string, State>> moves(const State& s) const {
    std::vector<std::pair<std::string, State>> out;
    const auto name = [&](std::size_t c) { return board.cell_name(static_cast<Cell>(c)); };
    const auto add = [&](const std::string& text, std::size_t from, std::size_t to) {
      State next = s;
      next.passes = 0;
      if (from < s.cells.size()) next.cells[from] = 0;
      next.cells[to] = s.mover;
      next.mover = 3 - s.mover;
      out.emplace_back(text, next);
    };
    const std::size_t none = s.cells.size();
    for (std::size_t c = 0; c < s.cells.size(); ++c) {
      const int surplus = stones_near(s, c, s.mover) - stones_near(s, c, 3 - s.mover);
      if (s.cells[c] == 0 && placeable(s, c)) add(name(c), none, c);
      if (s.cells[c] == 3 - s.mover && options.replace && surplus >= options.threat) add(name(c) + "*", none, c);
      if (s.cells[c] != s.mover || !options.move) continue;
      for (std::size_t to = 0; to < s.cells.size(); ++to) {
        const bool near = distance[c][to] > 0 && distance[c][to] <= surplus + 1;
        if (s.cells[to] == 0 && near && may_land(s, c, to)) add(name(c) + "-" + name(to), c, to);
      }
    }
    State passed = s;
    passed.mover = 3 - s.mover;
    ++passed.passes;
    if (options.button && s.holder == 0) passed.holder = s.mover;
    out.emplace_back("pass", passed);
    return out;
  }
  // Of who is to move, in half points.
  int margin(const State& s) const {
    int out = 0;
    for (const int who : {1, 2}) {
      int score = s.holder == who ? 1 : 0;
      for (std::size_t c = 0; c < s.cells.size(); ++c) {
        const bool controls = s.cells[c] == 0 && stones_near(s, c, who) > stones_near(s, c, 3 - who);
        score += s.cells[c] == who || controls ? 2 : 0;
      }
      out += who == s.mover ? score : -score;
    }
    return out;
  }
  std::string text(const State& s) const {
    std::string out;
    for (std::size_t row = board.rows().size(); row-- > 0;) {
      int run = 0;
      for (const Cell c : board.rows()[row]) {
        if (s.cells[c] == 0) {
          ++run;
          continue;
        }
        if (run > 0) out += std::to_string(run);
        run = 0;
        out += s.cells[c] == 1 ? 'x' : 'o';
      }
      if (run > 0) out += std::to_string(run);
      if (row > 0) out += '/';
    }
    out += s.mover == 1 ? " 1" : " 2";
    if (s.holder != 0) out += s.holder == 1 ? " button=first" : " button=second";
    if (s.passes != 0) out += " passes=" + std::to_string(s.passes);
    return out;
  }
  std::uint64_t perft(const State& s, int depth) const {
    if (depth == 0 || s.passes == 2) return depth == 0 ? 1 : 0;
    std::uint64_t out = 0;
    for (const auto& [move, next] : moves(s)) out += perft(next, depth - 1);
    return out;
  }
};

}  // namespace plenum
