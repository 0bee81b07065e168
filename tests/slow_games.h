// SPDX-License-Identifier: Apache-2.0
// Random games of a few templates, and their whole moves by an interpreter of the tests' own on Worlds (slow_world.h).
//
// Templates: placements (with lift, several kinds, figures), moves (steps, slides, within a distance, anywhere), removals,
// passes; each with effects of every sort, a condition, a judgement, further parts that may be optional; and ends.
//
//     const Game game = random_game(ground(9), wishes);
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
      out += (run > 0 ? std::to_string(run) : "") + "xony"[kind];
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
  enum class Way { anywhere, step, slide, within };
  std::string name;
  Kind kind = Kind::pass;
  Way way = Way::anywhere;
  std::optional<Tree> when;
  Tree from;
  Tree to;
  std::optional<Tree> lift;
  Ways by;
  Tree within;
  std::string shape;
  std::string turns;
  std::vector<std::string> put;
  std::vector<EffectItem> then;
  std::optional<Tree> legal;
  int next = -1;
  bool optional = false;
};

inline int kind_of(const std::string& word, const World& w) {
  if (word == "mine") return w.mover;
  if (word == "theirs") return 1 - w.mover;
  return word == "x" ? kFirsts : word == "o" ? kSeconds : word == "n" ? kNobodys : word == "y" ? kFirstsToo : kNothing;
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

  using Turn = std::pair<std::string, World>;

  // All moves, as a set: equal ones that lead to the same are one.
  std::vector<Turn> turns(const World& start) const {
    std::vector<Turn> out;
    std::set<std::pair<std::string, std::string>> seen;
    for (const StepRule& move : moves) {
      std::vector<Turn> found;
      if (move.when && !move.when->truth(start)) continue;
      play(move, false, start, "", stones(start), found);
      for (auto& [name, w] : found) {
        w.passes = move.kind == StepRule::Kind::pass ? std::min(start.passes + 1, most_passes) : 0;
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
  // One part of a move and those after it. `shown`: what stands where as far as the notation is concerned.
  void play(const StepRule& rule, bool is_part, const World& w, const std::string& so_far, CellSet shown,
            std::vector<Turn>& out) const {
    for (auto& [name, after, shown_after] : bare(rule, is_part, w, shown)) {
      for (const EffectItem& item : rule.then) item.apply(after);
      if (rule.legal && !rule.legal->truth(after)) continue;
      const std::string here = so_far + (is_part ? "," : "") + name;
      std::vector<Turn> further;
      const StepRule* next = rule.next < 0 ? nullptr : &parts[static_cast<std::size_t>(rule.next)];
      const bool applies = next != nullptr && (!next->when || next->when->truth(after));
      if (applies) play(*next, true, after, here, shown_after, further);
      if (!applies || next->optional || further.empty()) out.emplace_back(here, after);
      out.insert(out.end(), further.begin(), further.end());
    }
  }

  struct Bare {
    std::string name;
    World after;
    CellSet shown;
  };

  static std::vector<Bare> bare(const StepRule& rule, bool is_part, const World& w, CellSet shown) {
    std::vector<Bare> out;
    const auto name = [&](int c) { return w.board->cell_name(static_cast<Cell>(c)); };
    const auto bit = [](int c) { return cell_bit(static_cast<Cell>(c)); };
    const auto add = [&](const std::string& move, std::vector<int> cells, CellSet filled, CellSet emptied) {
      Bare one{move, w, (shown & ~emptied) | filled};
      one.after.before = w.cells;
      one.after.cells = std::move(cells);
      one.after.placed = filled;
      one.after.taken = stones(w) & ~stones(one.after);
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
            std::string text = plain ? "" : std::string(1, "xony"[kind_of(kind, w)]) + "@";
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

struct Wishes {
  bool parts = true;
  bool ends = true;
  int depth = 2;  // of expressions
};

class GameMaker {
 public:
  GameMaker(const Ground& ground, const Wishes& wishes) : ground_(ground), wishes_(wishes), maker_(ground.board) {
    maker_.with_lines = ground.with_lines;
    maker_.with_passes = true;
    maker_.several = ground.several;
  }

  Game make() {
    Game game;
    std::string rules;
    const int parts = wishes_.parts ? static_cast<int>(*below(3)) : 0;
    const unsigned moves = 1 + *below(3);
    for (unsigned k = 0; k < moves; ++k) {
      game.moves.push_back(rule("m" + std::to_string(k), false));
      // The first move goes on to the first part, that to the second; others as it comes.
      StepRule& move = game.moves.back();
      if (parts > 0 && k == 0 && move.kind == StepRule::Kind::pass) move = placement("m0", false);
      if (parts > 0 && move.kind != StepRule::Kind::pass && (k == 0 || *below(2) == 0)) move.next = 0;
      rules += "[moves." + move.name + "]\n" + body_[move.name] + (move.next >= 0 ? "next = \"p0\"\n" : "");
    }
    for (int k = 0; k < parts; ++k) {
      const std::string name = "p" + std::to_string(k);
      game.parts.push_back(rule(name, true));
      StepRule& part = game.parts.back();
      part.optional = *below(3) == 0;
      if (k + 1 < parts) part.next = k + 1;
      rules += "[parts." + name + "]\n" + body_[name] + (part.optional ? "optional = true\n" : "") +
               (part.next >= 0 ? "next = \"p" + std::to_string(k + 1) + "\"\n" : "");
    }
    std::string end = "[end]\nwhen = \"passes == 3\"\nscore = \"count(mine)\"\n";
    if (*below(4) == 0) game.stuck = "pass";
    end += "stuck = \"" + game.stuck + "\"\n";
    maker_.place = {};
    if (wishes_.ends && *below(2) == 0) {
      game.wins = maker_.make('t', wishes_.depth);
      end += "wins = \"" + game.wins->text + "\"\n";
    }
    if (wishes_.ends && *below(4) == 0) {
      game.loses = maker_.make('t', wishes_.depth);
      end += "loses = \"" + game.loses->text + "\"\n";
    }
    if (game.wins || game.loses) {
      game.both = std::array{"mover_wins", "mover_loses", "tie"}[*below(3)];
      end += "both = \"" + game.both + "\"\n";
    }
    game.text = "name = \"T\"\n" + ground_.text + kinds_and_state(ground_) + maker_.definitions() + rules +
                "[moves.note]\nwhen = \"" + kReadsTheState + "\"\n" + end;
    return game;
  }

 private:
  Tree expression(char type, const Place& place, int depth) {
    maker_.place = place;
    return maker_.make(type, depth);
  }
  // Mostly the likely cells and a condition, else anything.
  Tree cells(const std::string& likely, const Place& place) {
    Tree rest = expression('s', place, *below(2) == 0 ? 1 : wishes_.depth);
    if (*below(4) == 0) return rest;
    Tree base = word(likely);
    if (place.placed && !place.changed && *below(3) == 0) {
      const bool placed = *below(2) == 0;
      base = {std::string("near(") + (placed ? "placed" : "taken") + ", anywhere) > 0", [=](const World& w) {
                const CellSet done = placed ? w.placed : w.taken;
                return set_of(size_of(done) == 1 ? w.board->all() & ~done : done == 0 ? 0 : w.board->all());
              }};
    }
    if (*below(3) == 0) return base;
    const bool meet = *below(3) != 0;
    return {base.text + (meet ? " & " : " | ") + rest.text,
            [=](const World& w) { return set_of(meet ? base.set(w) & rest.set(w) : base.set(w) | rest.set(w)); }};
  }
  static Tree word(const std::string& name) {
    return {name, [name](const World& w) {
              if (name == "stones") return set_of(stones(w));
              if (name == "mine" || name == "theirs") return set_of(w.owned(name == "mine" ? w.mover : 1 - w.mover));
              return set_of(w.holding(kind_of(name, w)));
            }};
  }

  std::string some_kind() const {
    if (ground_.several) return std::array{"x", "y", "o", "n"}[*below(4)];
    return std::array{"mine", "theirs", "x", "o", "n"}[*below(5)];
  }

  StepRule placement(const std::string& name, bool is_part) { return rule(name, is_part, 0); }

  StepRule rule(const std::string& name, bool is_part, int wanted = -1) {
    StepRule out;
    out.name = name;
    const Place place{false, is_part, false, false};
    std::string body;
    if (*below(3) == 0) {
      out.when = expression('t', place, wishes_.depth);
      body += "when = \"" + out.when->text + "\"\n";
    }
    switch (wanted >= 0 ? static_cast<unsigned>(wanted) : *below(is_part ? 7 : 8)) {
      case 0:
      case 1:
      case 2: {
        out.kind = maker_.shapes_possible() && *below(3) == 0 ? StepRule::Kind::figure : StepRule::Kind::place;
        if (out.kind == StepRule::Kind::figure) {
          std::tie(out.shape, out.turns) = maker_.figure();
          if (*below(5) == 0) out.shape = "x";
          body += "shape = \"" + out.shape + "\"\nturns = \"" + out.turns + "\"\n";
        }
        out.to = cells("empty", place);
        body += "to = \"" + out.to.text + "\"\n";
        if (*below(4) == 0) {
          out.lift = cells("mine", place);
          body += "lift = \"" + out.lift->text + "\"\n";
        }
        for (unsigned k = (ground_.several ? 1 : 0) + *below(3); k > 0; --k) out.put.push_back(some_kind());
        if (!out.put.empty()) {
          body += "put = [";
          for (const std::string& kind : out.put) body += "\"" + kind + "\", ";
          body += "]\n";
        }
        break;
      }
      case 3:
      case 4:
      case 5:
        out.kind = StepRule::Kind::move;
        out.from = cells("mine", place);
        out.to = cells("empty", {true, is_part, false, false});
        body += "from = \"" + out.from.text + "\"\nto = \"" + out.to.text + "\"\n";
        body += way(out, place);
        break;
      case 6:
        out.kind = StepRule::Kind::remove;
        out.from = cells(*below(2) == 0 ? "mine" : "theirs", place);
        body += "from = \"" + out.from.text + "\"\n";
        break;
      default:
        break;
    }
    const Place after{false, true, true, true};
    std::string items;
    for (unsigned k = *below(2) * *below(4); k > 0; --k) {
      out.then.push_back(effect(after));
      items += (items.empty() ? "\"" : ", \"") + out.then.back().text + "\"";
    }
    if (!items.empty()) body += "then = [" + items + "]\n";
    if (*below(3) == 0) {
      out.legal = expression('t', after, wishes_.depth);
      if (*below(2) == 0) {
        const Tree of = expression('s', after, 1);
        out.legal = Tree{"any(placed & " + of.text + ")",
                         [=](const World& w) { return truth_of((w.placed & of.set(w)) != 0); }};
      }
      body += "legal = \"" + out.legal->text + "\"\n";
    }
    body_[name] = body;
    return out;
  }

  std::string way(StepRule& out, const Place& place) {
    switch (*below(4)) {
      case 0:
        out.way = StepRule::Way::step;
        out.by = maker_.directions(false);
        return "step = \"" + out.by.text + "\"\n";
      case 1:
        if (!maker_.straight_possible()) return "";
        out.way = StepRule::Way::slide;
        out.by = maker_.directions(true);
        return "slide = \"" + out.by.text + "\"\n";
      case 2: {
        out.way = StepRule::Way::within;
        const Tree near = expression('s', place, 1);
        out.within = {"near(" + near.text + ") + 1", [=](const World& w) {
                        Value v;
                        each(w.board->all(), [&](int c) {
                          v.field.push_back(whole(1 + size_of(beside(*w.board, {"adjacent"}, c) & near.set(w))));
                        });
                        return v;
                      }};
        return "within = \"" + out.within.text + "\"\n";
      }
      default:
        return "";
    }
  }

  struct Change {
    std::string text;
    Tree set;
    std::string kind;
  };

  // A change by which cells only ever go on in `order`, so that it cannot go round.
  Change onward(const Place& place, const std::vector<std::string>& order) {
    const auto last = static_cast<unsigned>(order.size()) - 1;
    const unsigned from = *below(last);
    const unsigned to = from + 1 + *below(last - from);
    const Tree base = word(order[from]);
    Tree rest = expression('s', place, wishes_.depth);
    const Tree set{base.text + " & " + rest.text, [=](const World& w) { return set_of(base.set(w) & rest.set(w)); }};
    return {set.text + " -> " + order[to], set, order[to]};
  }

  // One round of changes: all read the board as it stands, and the earlier wins. Whether anything changed.
  static CellSet change(World& w, const std::vector<Change>& changes, CellSet within) {
    const World then = w;
    CellSet asked = 0;
    CellSet changed = 0;
    for (const Change& one : changes) {
      each(one.set.set(then) & within & ~asked, [&](int c) {
        asked |= cell_bit(static_cast<Cell>(c));
        int& here = w.cells[static_cast<std::size_t>(c)];
        if (here != kind_of(one.kind, w)) changed |= cell_bit(static_cast<Cell>(c));
        here = kind_of(one.kind, w);
      });
    }
    w.changed |= changed;
    return changed;
  }

  EffectItem effect(const Place& place) {
    EffectItem out;
    std::optional<Tree> guard;
    if (*below(3) == 0) guard = expression('t', place, wishes_.depth);
    const std::string prefix = guard ? "if " + guard->text + ": " : "";
    std::vector<std::string> order = {"mine", "theirs", "n", "empty"};
    if (ground_.several) order = {"x", "y", "o", "n", "empty"};
    for (auto k = static_cast<unsigned>(order.size()) - 1; k > 0; --k) std::swap(order[k], order[*below(k + 1)]);
    std::vector<Change> changes;
    switch (*below(5)) {
      case 0: {
        for (unsigned k = 1 + *below(2); k > 0; --k) changes.push_back(onward(place, order));
        out.text = prefix + "repeat: " + joined(changes);
        out.apply = [=](World& w) {
          if (guard && !guard->truth(w)) return;
          while (change(w, changes, w.board->all()) != 0) {
          }
        };
        return out;
      }
      case 1: {
        const Tree from = expression('s', place, 1);
        const bool plain = *below(2) == 0;
        const Ways by = plain ? Ways{"", [](const World&) { return Words{"adjacent"}; }} : maker_.directions(false);
        changes.push_back(onward(place, order));
        out.text = prefix + "spread from " + from.text + (plain ? "" : " by " + by.text) + ": " + joined(changes);
        out.apply = [=](World& w) {
          if (guard && !guard->truth(w)) return;
          CellSet wave = from.set(w);
          while (wave != 0) {
            CellSet next = 0;
            each(wave, [&](int c) { next |= beside(*w.board, by.of(w), c); });
            wave = change(w, changes, next);
          }
        };
        return out;
      }
      default:
        break;
    }
    std::vector<EffectItem> assignments;
    for (unsigned k = *below(3); k > 0; --k) {
      const Tree set = cells("theirs", place);
      const std::string kind = *below(6) == 0 ? "empty" : some_kind();
      changes.push_back({set.text + " -> " + kind, set, kind});
    }
    if (changes.empty() || *below(3) == 0) assignments.push_back(assignment(place));
    out.text = prefix + joined(changes);
    for (const EffectItem& one : assignments) out.text += (changes.empty() ? "" : ", ") + one.text;
    out.apply = [=](World& w) {
      if (guard && !guard->truth(w)) return;
      World state = w;
      for (const EffectItem& one : assignments) one.apply(state);
      change(w, changes, w.board->all());
      w.holder = state.holder;
      w.spent = state.spent;
      w.total = state.total;
      w.flag = state.flag;
    };
    return out;
  }
  static std::string joined(const std::vector<Change>& changes) {
    std::string out;
    for (const Change& one : changes) out += (out.empty() ? "" : ", ") + one.text;
    return out;
  }

  EffectItem assignment(const Place& place) {
    switch (*below(4)) {
      case 0: {
        const Tree who = expression('p', place, 1);
        return {"holder = " + who.text, [=](World& w) { w.holder = who.value(w).player; }};
      }
      case 1: {
        const Tree b = expression('t', place, wishes_.depth);
        return {"flag = " + b.text, [=](World& w) { w.flag = b.truth(w); }};
      }
      case 2:
        return {"spent = (if spent < 5 then spent + 1 else 0)", [](World& w) {
                  int& mine = w.spent[static_cast<std::size_t>(w.mover)];
                  mine = mine < 5 ? mine + 1 : 0;
                }};
      default: {
        const Tree b = expression('t', place, 1);
        const int n = static_cast<int>(*below(7)) - 3;
        return {"total = (if " + b.text + " then " + std::to_string(n) + " else total)",
                [=](World& w) { w.total = b.truth(w) ? n : w.total; }};
      }
    }
  }

  const Ground& ground_;
  Wishes wishes_;
  Maker maker_;
  std::map<std::string, std::string> body_;
};

inline Game random_game(const Ground& ground, const Wishes& wishes) { return GameMaker(ground, wishes).make(); }

}  // namespace plenum::slow
