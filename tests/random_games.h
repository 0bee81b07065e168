// SPDX-License-Identifier: Apache-2.0
// Random games of a few templates, with their moves by the tests' own interpreter (slow_games.h).
//
// Templates: placements (with lift, several kinds, figures), moves (steps, slides, within a distance, anywhere), removals,
// passes; each with effects of every sort, a condition, a judgement, further parts that may be optional; and ends.
//
//     const Game game = random_game(ground(9), wishes);
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/slow_games.h"

namespace plenum::slow {

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
    maker_.rich = ground.rich;
  }

  Game make() {
    Game game;
    std::string rules;
    const int parts = wishes_.parts ? static_cast<int>(*below(3)) : 0;
    // The last part may be followed by itself or the one before it.
    const int back = parts > 0 && *below(2) == 0 ? static_cast<int>(*below(static_cast<unsigned>(parts))) : -1;
    // Behind the first part there may be a choice of parts.
    const bool fork = parts > 1 && *below(3) == 0;
    const unsigned moves = 1 + *below(3);
    for (unsigned k = 0; k < moves; ++k) {
      game.moves.push_back(rule("m" + std::to_string(k), false));
      // The first move goes on to the first part, that to the second; others as it comes.
      StepRule& move = game.moves.back();
      if (parts > 0 && k == 0 && move.kind == StepRule::Kind::pass) move = placement("m0", false);
      if (parts > 0 && (move.kind != StepRule::Kind::pass || !move.choose.empty()) && (k == 0 || *below(2) == 0))
        move.next = {0};
      if (!move.next.empty() && fork) move.next.push_back(1);
      rules += "[moves." + move.name + "]\n" + body_[move.name] + names_of(move.next);
    }
    for (int k = 0; k < parts; ++k) {
      const std::string name = "p" + std::to_string(k);
      in_circle_ = back >= 0 && k >= back;
      game.parts.push_back(rule(name, true));
      in_circle_ = false;
      StepRule& part = game.parts.back();
      const unsigned how = *below(4);
      part.optional = how == 0;
      part.required = how == 1;
      if (k + 1 < parts) part.next = {k + 1};
      if (k + 1 == parts && back >= 0) part.next = {back};
      rules += "[parts." + name + "]\n" + body_[name] + (part.optional ? "optional = true\n" : "") +
               (part.required ? "required = true\n" : "") + names_of(part.next);
      if (*below(4) == 0) {
        rules += "any_order = true\n";
        game.any_order = true;
      }
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
    const std::string start = *below(4) == 0 ? "[start]\nbegins = \"second\"\n" : "";
    game.text = "name = \"T\"\n" + ground_.text + kinds_and_state(ground_) + start + maker_.definitions() + rules +
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
              if (name == "p") return set_of(w.piles());
              if (name == "mine" || name == "theirs") return set_of(w.owned(name == "mine" ? w.mover : 1 - w.mover));
              return set_of(w.holding(kind_of(name, w)));
            }};
  }

  static std::string names_of(const std::vector<int>& parts) {
    std::string out;
    for (const int part : parts) out += (out.empty() ? "next = [\"p" : ", \"p") + std::to_string(part) + "\"";
    return out.empty() ? "" : out + "]\n";
  }
  // Of parts that may follow one another in a circle: each goes where the turn has not been, and so often at most.
  Tree off_trail(const Tree& of) const {
    if (!in_circle_) return of;
    return {"(" + of.text + ") & !trail", [of](const World& w) { return set_of(of.set(w) & ~w.trail); }};
  }
  static Tree shorter_than(int cells, const std::optional<Tree>& and_this) {
    return {(and_this ? "(" + and_this->text + ") & " : "") + "count(trail) < " + std::to_string(cells),
            [=](const World& w) { return truth_of(size_of(w.trail) < cells && (!and_this || and_this->truth(w))); }};
  }

  static Tree word_of_placed() {
    return {"placed", [](const World& w) { return set_of(w.placed); }};
  }

  // Whether "mine" could be any of several kinds.
  bool kinds_apart() const { return ground_.several || ground_.rich; }
  std::string some_kind() const {
    if (ground_.rich) {
      return std::array{
          "x", "o", "n", "c", "first_c", "second_c", "p_1", "p_2", "p_3", ground_.several ? "y" : "o"}[*below(10)];
    }
    if (ground_.several) return std::array{"x", "y", "o", "n"}[*below(4)];
    return std::array{"mine", "theirs", "x", "o", "n"}[*below(5)];
  }

  StepRule placement(const std::string& name, bool is_part) { return rule(name, is_part, 0); }

  StepRule rule(const std::string& name, bool is_part, int wanted = -1) {
    StepRule out;
    out.name = name;
    const Place place{false, is_part, false, false};
    std::string body;
    if (*below(3) == 0) out.when = expression('t', place, wishes_.depth);
    if (in_circle_) out.when = shorter_than(static_cast<int>(1 + *below(3)), out.when);
    if (out.when) body += "when = \"" + out.when->text + "\"\n";
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
        out.to = off_trail(cells("empty", place));
        body += "to = \"" + out.to.text + "\"\n";
        if (*below(4) == 0) {
          out.lift = cells("mine", place);
          body += "lift = \"" + out.lift->text + "\"\n";
        }
        for (unsigned k = (kinds_apart() ? 1 : 0) + *below(3); k > 0; --k) out.put.push_back(some_kind());
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
        out.to = off_trail(cells("empty", {true, is_part, false, false}));
        body += "from = \"" + out.from.text + "\"\nto = \"" + out.to.text + "\"\n";
        body += way(out, place);
        break;
      case 6:
        out.kind = StepRule::Kind::remove;
        out.from = off_trail(cells(*below(2) == 0 ? "mine" : "theirs", place));
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
    if (out.way == StepRule::Way::jump && plain_over_ && *below(3) != 0) {
      const std::string kind = *below(3) == 0 ? some_kind() : "empty";
      const Tree jumped{"jumped", [](const World& w) { return set_of(w.jumped); }};
      out.then.insert(out.then.begin(), {"jumped -> " + kind, [=](World& w) {
                                           change(w, {{"", jumped, kind}}, w.board->all());
                                         }});
      items = "\"" + out.then.front().text + "\"" + (items.empty() ? "" : ", ") + items;
    }
    if (*below(6) == 0) {
      out.choose = {2, 5};
      body += "choose = [2, 5]\n";
      out.then.push_back({"if chosen == 5: placed -> n", [](World& w) {
                            if (w.chosen == 5) change(w, {{"", word_of_placed(), "n"}}, w.board->all());
                          }});
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
    switch (*below(7)) {
      case 5: {
        if (!maker_.straight_possible()) return "";
        out.way = StepRule::Way::distance;
        out.by = maker_.directions(true);
        const Tree what = expression('s', place, 1);
        out.distance = {"count(along & " + what.text + ")",
                        [=](const World& w) { return number_of(whole(size_of(w.along & what.set(w)))); }};
        const bool any = *below(2) == 0;
        const Tree over = expression('s', place, 1);
        out.over = {over.text, [=](const World& w) { return set_of(any ? w.board->all() : over.set(w)); }};
        return "jump = \"" + out.by.text + "\"\ndistance = \"" + out.distance.text + "\"\n" +
               (any ? "" : "over = \"" + out.over.text + "\"\n");
      }
      case 6:
        if (!maker_.straight_possible()) return "";
        out.way = StepRule::Way::far_slide;
        out.by = maker_.directions(true);
        return "slide = \"" + out.by.text + "\"\nfar = true\n";
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
      case 3: {
        if (!maker_.straight_possible()) return "";
        out.way = StepRule::Way::jump;
        out.by = maker_.directions(true);
        plain_over_ = *below(2) == 0;  // it does not ask for the part before
        const Tree over = expression('s', plain_over_ ? Place{} : place, 1);
        out.over = {"stones & " + over.text, [=](const World& w) { return set_of(stones(w) & over.set(w)); }};
        return "jump = \"" + out.by.text + "\"\nover = \"" + out.over.text + "\"\n";
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
    if (ground_.rich) order = {"x", "o", "n", "first_c", "second_c", "p_1", "p_2", "p_3", "empty"};
    if (ground_.rich && *below(4) == 0) return piled(prefix, guard, place);
    for (auto k = static_cast<unsigned>(order.size()) - 1; k > 0; --k) std::swap(order[k], order[*below(k + 1)]);
    std::vector<Change> changes;
    switch (*below(7)) {
      case 5:
        if (!maker_.named_steps().empty()) return carried(prefix, guard, place);
        break;
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
  // Piles come to be so high.
  EffectItem piled(const std::string& prefix, const std::optional<Tree>& guard, const Place& place) {
    const Tree set = cells("p", place);
    const Tree of = expression('s', place, 1);
    const unsigned how = *below(4);
    maker_.place = place;
    const Tree heights = maker_.heights(1);
    const std::string amount = std::array<std::string, 4>{"2", "min(3, pile + 1)", "min(3, count(" + of.text + "))",
                                                          "min(3, " + heights.text + ")"}[how];
    return {prefix + set.text + " -> p of " + amount, [=](World& w) {
              if (guard && !guard->truth(w)) return;
              const World then = w;
              each(set.set(then), [&](int c) {
                const auto i = static_cast<std::size_t>(c);
                const int high = how == 0   ? 2
                                 : how == 1 ? std::min(3, height_of(then.cells[i]) + 1)
                                 : how == 2
                                     ? std::min(3, size_of(of.set(then)))
                                     : static_cast<int>(std::min<std::int64_t>(3, heights.value(then).field[i].top));
                w.cells[i] = high == 0 ? static_cast<int>(kNothing) : kPiles + high - 1;
                if (w.cells[i] != then.cells[i]) w.changed |= cell_bit(static_cast<Cell>(c));
              });
            }};
  }

  // What stands on some cells goes one step, or on a square board is turned.
  EffectItem carried(const std::string& prefix, const std::optional<Tree>& guard, const Place& place) {
    const Words steps = maker_.named_steps();
    const std::vector<Cell>& row = ground_.board.rows()[0];
    const std::size_t side = ground_.board.rows().size();
    const bool square = ground_.board.coordinate("row") != nullptr && ground_.board.coordinate("column") != nullptr &&
                        side == row.size();
    const bool turns = square && *below(2) == 0;
    const Tree set =
        turns ? Tree{"cells", [](const World& w) { return set_of(w.board->all()); }} : expression('s', place, 1);
    const unsigned how = *below(5);
    const std::string by =
        turns ? std::array{"turn_left", "turn_right", "turn_round", "mirror_columns", "mirror_rows"}[how]
              : steps[*below(static_cast<unsigned>(steps.size()))];
    const auto to = [=](const Board& board, int c) { return turns ? turned(board, how, c) : step(board, by, c); };
    return {prefix + "carry " + set.text + " by " + by, [=](World& w) {
              if (guard && !guard->truth(w)) return;
              const World then = w;
              const CellSet inside = set.set(then);
              each(inside, [&](int c) { w.cells[static_cast<std::size_t>(c)] = kNothing; });
              each(inside, [&](int c) {
                const int there = to(*w.board, c);
                if (there >= 0 && has(inside, there))
                  w.cells[static_cast<std::size_t>(there)] = then.cells[static_cast<std::size_t>(c)];
              });
              each(inside, [&](int c) {
                if (w.cells[static_cast<std::size_t>(c)] != then.cells[static_cast<std::size_t>(c)])
                  w.changed |= cell_bit(static_cast<Cell>(c));
              });
            }};
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
  bool plain_over_ = false;
  bool in_circle_ = false;  // the part at hand may be made again in the same turn
};

inline Game random_game(const Ground& ground, const Wishes& wishes) { return GameMaker(ground, wishes).make(); }

}  // namespace plenum::slow
