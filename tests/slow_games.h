// SPDX-License-Identifier: Apache-2.0
// The whole moves of a game by an interpreter of the tests' own on Worlds (slow_world.h). random_games.h makes such games.
//
//     game.text;                     // the description
//     game.turns(world(board, p));   // what each move is written as, and the world it leads to
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/slow_expressions.h"

namespace plenum::slow {

inline CellSet stones(const World& w) { return w.board->all() & ~w.holding(kNothing); }

// Where a cell of a square board comes to be: turned left, right, round, or with its columns or its rows the other way round.
inline int turned(const Board& board, unsigned how, int c) {
  const int last = static_cast<int>(board.rows().size()) - 1;
  for (int y = 0; y <= last; ++y) {
    for (int x = 0; x <= last; ++x) {
      const auto cell = [&](int column, int line) {
        return static_cast<int>(board.rows()[static_cast<std::size_t>(line)][static_cast<std::size_t>(column)]);
      };
      if (cell(x, y) != c) continue;
      return how == 0   ? cell(last - y, x)
             : how == 1 ? cell(y, last - x)
             : how == 2 ? cell(last - x, last - y)
             : how == 3 ? cell(last - x, y)
                        : cell(x, last - y);
    }
  }
  return -1;
}

// A position as it is written.
inline std::string written(const World& w) {
  std::string out;
  for (std::size_t row = w.board->rows().size(); row-- > 0;) {
    int run = 0;
    for (const Cell c : w.board->rows()[row]) {
      const int kind = w.cells[c];
      if (kind == kNothing) {
        ++run;
        continue;
      }
      out += (run > 0 ? std::to_string(run) : "") + kLetters[kind];
      run = 0;
    }
    if (run > 0) out += std::to_string(run);
    if (row > 0) out += "/";
  }
  out += w.mover == 0 ? " 1" : " 2";
  if (w.flag) out += " flag=on";
  if (w.holder != 0) out += w.holder == 1 ? " holder=first" : " holder=second";
  if (w.passes != 0) out += " passes=" + std::to_string(w.passes);
  if (w.spent != std::array{0, 0}) out += " spent=" + std::to_string(w.spent[0]) + "," + std::to_string(w.spent[1]);
  if (w.total != 0) out += " total=" + std::to_string(w.total);
  return out;
}

struct EffectItem {
  std::string text;
  std::function<void(World&)> apply;
};

struct StepRule {
  enum class Kind { place, figure, move, remove, pass };
  enum class Way { anywhere, step, slide, far_slide, within, jump, distance };
  std::string name;
  Kind kind = Kind::pass;
  Way way = Way::anywhere;
  std::optional<Tree> when;
  Tree from;
  Tree to;
  std::optional<Tree> lift;
  Ways by;
  Tree within;
  Tree over;
  Tree distance;  // of a World with `along`
  std::string shape;
  std::string turns;
  std::vector<std::string> put;
  std::vector<EffectItem> then;
  std::optional<Tree> legal;
  std::vector<int> next;    // of these parts one follows
  std::vector<int> choose;  // of these numbers one is chosen
  bool optional = false;
  bool required = false;
};

inline int kind_of(const std::string& word, const World& w) {
  if (word == "mine") return w.mover;
  if (word == "theirs") return 1 - w.mover;
  if (word == "c") return w.mover == 0 ? kFirstsOwn : kSecondsOwn;
  const auto found = std::find(kKindNames.begin(), kKindNames.end(), word);
  return found == kKindNames.end() ? kNothing : static_cast<int>(found - kKindNames.begin());
}

struct Game {
  std::string text;
  std::vector<StepRule> moves;
  std::vector<StepRule> parts;
  std::optional<Tree> wins;
  std::optional<Tree> loses;
  std::string both = "mover_wins";
  std::string stuck = "loses";  // or "pass"
  int most_passes = 3;          // counted; 0 where nothing reads them
  bool any_order = false;       // some part has it: of ways to one position not all need be found

  using Turn = std::pair<std::string, World>;

  // All moves, as a set: equal ones that lead to the same are one.
  std::vector<Turn> turns(const World& before) const {
    World start = before;
    start.trail = 0;  // of the turn before
    std::vector<Turn> out;
    std::set<std::pair<std::string, std::string>> seen;
    for (const StepRule& move : moves) {
      std::vector<Turn> found;
      if (move.when && !move.when->truth(start)) continue;
      play(move, false, start, "", stones(start), found);
      for (auto& [name, w] : found) {
        w.passes =
            move.kind == StepRule::Kind::pass && move.choose.empty() ? std::min(start.passes + 1, most_passes) : 0;
        w.mover = w.viewer = 1 - w.mover;
        if (seen.emplace(name, written(w)).second) out.emplace_back(name, std::move(w));
      }
    }
    if (out.empty() && stuck == "pass") {
      World w = start;
      w.passes = std::min(start.passes + 1, most_passes);
      w.mover = w.viewer = 1 - w.mover;
      out.emplace_back("pass", std::move(w));
    }
    return out;
  }

  // How the position has ended, by how much for the player to move; nothing if it goes on.
  std::optional<int> end(const World& w) const {
    std::array<bool, 2> won = {};  // first, second
    for (const int who : {0, 1}) {
      World view = w;
      view.viewer = who;
      if (wins && wins->truth(view)) won[static_cast<std::size_t>(who)] = true;
      if (loses && loses->truth(view)) won[static_cast<std::size_t>(1 - who)] = true;
    }
    const bool mine = won[static_cast<std::size_t>(w.mover)];
    const bool theirs = won[static_cast<std::size_t>(1 - w.mover)];
    if (mine && theirs) return both == "tie" ? 0 : both == "mover_wins" ? -1 : 1;
    if (mine || theirs) return mine ? 1 : -1;
    if (w.passes == 3) return size_of(w.owned(w.mover)) - size_of(w.owned(1 - w.mover));
    return std::nullopt;
  }

 private:
  bool can_be_made(const StepRule& part, const World& w, CellSet shown) const {
    for (auto& [name, after, shown_after] : bare(part, true, w, shown)) {
      for (const EffectItem& item : part.then) item.apply(after);
      if (!part.legal || part.legal->truth(after)) return true;
    }
    return false;
  }
  // One part of a move and those after it. `shown`: what stands where as far as the notation is concerned.
  void play(const StepRule& rule, bool is_part, const World& w, const std::string& so_far, CellSet shown,
            std::vector<Turn>& out) const {
    for (auto& [name, after, shown_after] : bare(rule, is_part, w, shown)) {
      for (const EffectItem& item : rule.then) item.apply(after);
      if (rule.legal && !rule.legal->truth(after)) continue;
      const std::string here = so_far + (is_part ? "," : "") + name;
      bool made = false;
      bool optional = false;
      bool required = false;
      bool applies = false;
      for (const int index : rule.next) {
        const StepRule& next = parts[static_cast<std::size_t>(index)];
        if (next.when && !next.when->truth(after)) continue;
        applies = true;
        made |= can_be_made(next, after, shown_after);
        optional |= next.optional;
        required |= next.required;
        play(next, true, after, here, shown_after, out);
      }
      if (!applies || (made ? optional : !required)) out.emplace_back(here, after);
    }
  }

  struct Bare {
    std::string name;
    World after;
    CellSet shown;
  };

  static std::vector<Bare> bare(const StepRule& rule, bool is_part, const World& w, CellSet shown) {
    if (rule.choose.empty()) return without_choice(rule, is_part, w, shown);
    std::vector<Bare> out;
    for (const int chosen : rule.choose) {
      World with = w;
      with.chosen = chosen;
      for (Bare& one : without_choice(rule, is_part, with, shown)) {
        const bool alone = rule.kind == StepRule::Kind::pass;
        one.name = (alone ? "" : one.name + "=") + std::to_string(chosen);
        out.push_back(std::move(one));
      }
    }
    return out;
  }

  static std::vector<Bare> without_choice(const StepRule& rule, bool is_part, const World& w, CellSet shown) {
    std::vector<Bare> out;
    const auto name = [&](int c) { return w.board->cell_name(static_cast<Cell>(c)); };
    const auto bit = [](int c) { return cell_bit(static_cast<Cell>(c)); };
    const auto add = [&](const std::string& move, std::vector<int> cells, CellSet filled, CellSet emptied) {
      Bare one{move, w, (shown & ~emptied) | filled};
      one.after.before = w.cells;
      one.after.cells = std::move(cells);
      one.after.placed = filled;
      one.after.taken = stones(w) & ~stones(one.after);
      one.after.trail |= one.after.placed | one.after.taken;
      one.after.jumped = 0;
      one.after.changed = 0;
      one.after.origin = 0;
      out.push_back(std::move(one));
    };
    switch (rule.kind) {
      case StepRule::Kind::pass:
        add("pass", w.cells, 0, 0);
        break;
      case StepRule::Kind::remove:
        each(rule.from.set(w) & stones(w), [&](int c) {
          std::vector<int> cells = w.cells;
          cells[static_cast<std::size_t>(c)] = kNothing;
          add(is_part ? "x" + name(c) : name(c) + "-off", cells, 0, bit(c));
        });
        break;
      case StepRule::Kind::move:
        each(rule.from.set(w) & stones(w), [&](int c) {
          World leaving = w;
          leaving.origin = bit(c);
          each(rule.to.set(leaving) & range(rule, w, c), [&](int d) {
            std::vector<int> cells = w.cells;
            cells[static_cast<std::size_t>(d)] = cells[static_cast<std::size_t>(c)];
            cells[static_cast<std::size_t>(c)] = kNothing;
            add(name(c) + "-" + name(d), cells, bit(d), bit(c));
            if (rule.way == StepRule::Way::jump) out.back().after.jumped = jumped(rule, w, c, d);
          });
        });
        break;
      case StepRule::Kind::place:
      case StepRule::Kind::figure: {
        World lifted = w;
        const CellSet lift = rule.lift ? rule.lift->set(w) : 0;
        each(lift, [&](int c) { lifted.cells[static_cast<std::size_t>(c)] = kNothing; });
        const CellSet to = rule.to.set(lifted);
        std::set<CellSet> places;
        if (rule.kind == StepRule::Kind::place) {
          each(to, [&](int c) { places.insert(bit(c)); });
        } else {
          for (const CellSet figure : copies(*w.board, rule.shape, rule.turns)) {
            if ((figure & ~to) == 0) places.insert(figure);
          }
        }
        for (const std::string& kind : rule.put.empty() ? std::vector<std::string>{"mine"} : rule.put) {
          const bool plain = rule.put.empty() || (rule.put.size() == 1 && kind == "mine");
          for (const CellSet figure : places) {
            std::vector<int> cells = lifted.cells;
            std::string text = plain ? "" : std::string(1, kLetters[kind_of(kind, w)]) + "@";
            const char* gap = "";
            each(figure, [&](int c) {
              cells[static_cast<std::size_t>(c)] = kind_of(kind, w);
              text += gap + name(c);
              gap = "+";
            });
            if (rule.kind == StepRule::Kind::place && (figure & shown) != 0) text += "*";
            add(text, cells, figure, 0);
          }
        }
        break;
      }
    }
    return out;
  }

  static CellSet jumped(const StepRule& rule, const World& w, int c, int d) {
    CellSet out = 0;
    for (const std::string& direction : single_steps(*w.board, rule.by.of(w))) {
      const int first = step(*w.board, direction, c);
      if (first >= 0 && has(rule.over.set(w), first) && step(*w.board, direction, first) == d)
        out |= cell_bit(static_cast<Cell>(first));
    }
    return out;
  }

  static CellSet range(const StepRule& rule, const World& w, int c) {
    switch (rule.way) {
      case StepRule::Way::anywhere:
        break;
      case StepRule::Way::step:
        return beside(*w.board, rule.by.of(w), c);
      case StepRule::Way::slide: {
        CellSet out = 0;
        for (const std::string& direction : single_steps(*w.board, rule.by.of(w))) {
          CellSet way = 0;
          for (int at = step(*w.board, direction, c); at >= 0 && at != c && !has(way, at);
               at = step(*w.board, direction, at)) {
            way |= cell_bit(static_cast<Cell>(at));
            if (has(stones(w), at)) break;
          }
          out |= way;
        }
        return out;
      }
      case StepRule::Way::far_slide: {
        CellSet out = 0;
        for (const std::string& direction : single_steps(*w.board, rule.by.of(w))) {
          const CellSet way = ray(*w.board, cell_bit(static_cast<Cell>(c)), {direction}, w.board->all() & ~stones(w));
          each(way, [&](int d) {
            const int next = step(*w.board, direction, d);
            if (next < 0 || !has(way, next)) out |= cell_bit(static_cast<Cell>(d));
          });
        }
        return out;
      }
      case StepRule::Way::distance: {
        CellSet out = 0;
        for (const std::string& direction : single_steps(*w.board, rule.by.of(w))) {
          World line = w;
          line.origin = cell_bit(static_cast<Cell>(c));
          line.along = line.origin | ray(*w.board, line.origin, {direction}, w.board->all());
          each(w.board->all(), [&](int d) {
            if (has(ray(*w.board, cell_bit(static_cast<Cell>(d)), {direction}, w.board->all()), c))
              line.along |= cell_bit(static_cast<Cell>(d));
          });
          int left = static_cast<int>(rule.distance.value(line).number.top);
          int at = left > 0 && left <= w.board->size() ? step(*w.board, direction, c) : -1;
          for (; --left > 0 && at >= 0; at = step(*w.board, direction, at)) {
            if (!has(rule.over.set(w), at)) {
              at = -1;
              break;
            }
          }
          if (at >= 0 && at != c) out |= cell_bit(static_cast<Cell>(at));
        }
        return out;
      }
      case StepRule::Way::jump: {
        CellSet out = 0;
        for (const std::string& direction : single_steps(*w.board, rule.by.of(w))) {
          const int first = step(*w.board, direction, c);
          if (first < 0 || !has(rule.over.set(w), first)) continue;
          const int behind = step(*w.board, direction, first);
          if (behind >= 0 && behind != c) out |= cell_bit(static_cast<Cell>(behind));
        }
        return out;
      }
      case StepRule::Way::within: {
        CellSet out = cell_bit(static_cast<Cell>(c));
        const Value limit = rule.within.value(w);
        for (std::int64_t d = limit.field[static_cast<std::size_t>(c)].top; d > 0; --d) {
          CellSet next = out;
          each(out, [&](int at) { next |= beside(*w.board, {"adjacent"}, at); });
          if (next == out) break;
          out = next;
        }
        return out & ~cell_bit(static_cast<Cell>(c));
      }
    }
    return w.board->all() & ~cell_bit(static_cast<Cell>(c));
  }
};

}  // namespace plenum::slow
