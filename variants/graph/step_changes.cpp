// SPDX-License-Identifier: Apache-2.0
#include "variants/graph/step_changes.h"

#include <algorithm>
#include <array>
#include <bit>

#include "variants/graph/cell_contents.h"

namespace plenum {
namespace {

constexpr std::size_t kMostWork = 1'500'000;  // nodes worked out, a fraction of a microsecond each
constexpr int kMostNarrowed = 4;  // cells that an effect may change, to ask of each what the move says of it
constexpr std::size_t kMostAlternatives = 16;  // of one bare move, by what the cells hold that surely change

std::size_t index_of(int cell) { return static_cast<std::size_t>(cell); }
CellSet cell_or_none(int cell) { return cell < 0 ? 0 : cell_bit(static_cast<Cell>(cell)); }

template <typename Function>
void each_cell(CellSet cells, const Function& function) {
  for (; cells != 0; cells &= cells - 1) function(std::countr_zero(cells));
}

// Each cell that may be in a set, with each of the first contents that it may hold then.
template <typename Function>  // function(content, cell)
void each_held(const CellBounds& bounds, NodeId set, const KnownCells& known, int contents, const Function& function) {
  for (int a = 0; a < contents; ++a)
    each_cell(bounds.of(set, a).may & known.holds[index_of(a)], [&](int cell) { function(a, cell); });
}

CountChange both_of(CountChange one, const CountChange& other) {
  for (const auto& [quantity, by] : other) add_amount(one, quantity, by);
  return one;
}

// The cells met from `cell` straight along a direction, and how far each is.
std::vector<Cell> straight_run(const Relation& direction, std::size_t cell) {
  std::vector<Cell> out;
  CellSet seen = cell_bit(static_cast<Cell>(cell));
  for (CellSet at = direction[cell]; at != 0 && (at & seen) == 0; at = direction[out.back()]) {
    out.push_back(static_cast<Cell>(std::countr_zero(at)));
    seen |= at;
  }
  return out;
}

std::size_t number_of_mover(Player mover) { return mover == Player::first ? 0 : 1; }

}  // namespace

// What an effect makes of cells.
struct StepReader::Effect {
  Effect(const RuleSet& of, const MoveRule& move, Player mover)
      : rules(of), rule(move), bounds(of, move.planes_after), nothing(of.layout.count()) {
    for (int p = 0; p < nothing; ++p) {
      const RuleNode& n = of.graph.node(move.planes_after[index_of(p)]);
      changes |= n.op != NodeOp::cell_input || n.value != static_cast<std::uint64_t>(kPlanes + p);
    }
    // What the clauses of effects, one after the other, may make of contents.
    for (int a = 0; a <= nothing; ++a) becomes.push_back(CellContents{1} << a);
    for (bool grown = true; grown;) {
      grown = false;
      for (const Transition& t : move.transitions) {
        const int to = plane_for(t.to, mover);
        for (CellContents& one : becomes) {
          const CellContents more = (one & t.from) != 0 ? one | CellContents{1} << (to < 0 ? nothing : to) : one;
          grown |= more != one;
          one = more;
        }
      }
    }
  }

  // What a cell that holds `content` after the bare move may hold after the effects.
  CellContents after(int cell, int content) const {
    CellContents out = 0;
    bool sure = false;
    const CellSet bit = cell_or_none(cell);
    for (int p = 0; p < nothing; ++p) {
      const SetBounds plane = bounds.of(rule.planes_after[index_of(p)], content);
      if ((plane.may & bit) != 0) out |= CellContents{1} << p;
      sure |= (plane.must & bit) != 0;
    }
    if (!sure) out |= CellContents{1} << nothing;
    return out & becomes[index_of(content)];
  }

  template <typename Function>
  void each_change(const KnownCells& known, const Function& function) const {
    for (int a = 0; a <= nothing; ++a) {
      each_cell(known.holds[index_of(a)], [&](int cell) {
        const CellContents out = after(cell, a);
        for (int b = 0; b <= nothing; ++b) {
          if (b != a && ((out >> b) & 1) != 0) function(cell, a, b);
        }
      });
    }
  }

  const RuleSet& rules;
  const MoveRule& rule;
  CellBounds bounds;
  int nothing;
  bool changes = false;
  std::vector<CellContents> becomes;
};

bool StepReader::spend(std::size_t runs, const CellBounds& bounds) {
  const std::size_t work = runs * bounds.nodes();
  if (spent_ + work > kMostWork) return false;
  spent_ += work;
  return true;
}

int StepReader::kind_of(int content, Player mover) const {
  for (std::size_t k = 0; content >= 0 && k < rules_.kinds.size(); ++k) {
    if (plane_for(rules_.plane_of(k), mover) == content) return static_cast<int>(k);
  }
  return -1;
}

void StepReader::add_stone(CountChange& change, int content, std::size_t cell, int by, Player mover) const {
  const int kind = kind_of(content, mover);
  if (kind >= 0) add_amount(change, quantities_.stone(index_of(kind), cell), by);
}

CountChange StepReader::change_of(const BareStep& step, Player mover) const {
  CountChange out;
  if (step.from >= 0) add_stone(out, step.carried, index_of(step.from), -1, mover);
  if (step.to >= 0) {
    add_stone(out, step.replaced, index_of(step.to), -1, mover);
    add_stone(out, step.put, index_of(step.to), 1, mover);
  }
  return out;
}

std::vector<BareStep> StepReader::places(const MoveRule& rule, Player mover) {
  std::vector<BareStep> out;
  CellBounds bounds(rules_, std::array{rule.to});
  const KnownCells known = KnownCells::nothing_known(rules_, mover);
  bounds.run(known);
  each_held(bounds, rule.to, known, rules_.layout.count() + 1, [&](int j, int cell) {
    BareStep step{-1, -1, cell, -1, j, known};
    step.before.set(static_cast<Cell>(cell), j);
    for (const PlaneChoice& put : rule.put) {
      step.put = plane_for(put, mover);
      out.push_back(step);
    }
  });
  return out;
}

CellSet StepReader::range(const MoveRule& rule, const CellBounds& from, std::size_t cell, Player mover) const {
  const std::size_t who = number_of_mover(mover);
  if (!rule.reach.empty()) {
    int farthest = 0;
    for (std::size_t d = 0; d < rule.reach.size(); ++d) {
      if (((from.whole(rule.reach[d]).may >> cell) & 1) != 0) farthest = static_cast<int>(d) + 1;
    }
    return rules_.board.ball(farthest, static_cast<Cell>(cell));
  }
  if (rule.step[who] >= 0) return rules_.graph.relation(rule.step[who])[cell];
  if (!rule.limited) return rules_.board.all() & ~cell_bit(static_cast<Cell>(cell));
  CellSet out = 0;
  for (const RelationId direction : rule.slide[who]) {
    for (const Cell at : straight_run(rules_.graph.relation(direction), cell)) out |= cell_bit(at);
  }
  return out;
}

// A piece slides over empty cells.
KnownCells StepReader::path_known(const MoveRule& rule, const BareStep& step, Player mover) const {
  KnownCells out = step.before;
  out.set(static_cast<Cell>(step.to), step.replaced);
  int ways = 0;
  CellSet path = 0;
  for (const RelationId direction : rule.slide[number_of_mover(mover)]) {
    const std::vector<Cell> run = straight_run(rules_.graph.relation(direction), index_of(step.from));
    const auto end = std::find(run.begin(), run.end(), static_cast<Cell>(step.to));
    if (end == run.end()) continue;
    ++ways;
    path = 0;
    for (auto at = run.begin(); at != end; ++at) path |= cell_bit(*at);
  }
  if (ways == 1 && rule.reach.empty() && rule.step[number_of_mover(mover)] < 0)
    each_cell(path, [&](int cell) { out.set(static_cast<Cell>(cell), rules_.layout.count()); });
  return out;
}

std::vector<BareStep> StepReader::carries(const MoveRule& rule, Player mover) {
  std::vector<BareStep> out;
  std::vector<NodeId> roots = rule.reach;
  roots.push_back(rule.from);
  CellBounds from(rules_, roots);
  CellBounds to(rules_, std::array{rule.to});
  const KnownCells unknown = KnownCells::nothing_known(rules_, mover);
  from.run(unknown);
  to.run(unknown);
  const bool each_origin = rule.to_reads_origin || rule.limited;
  each_held(from, rule.from, unknown, rules_.layout.count(), [&](int k, int cell) {
    BareStep step{cell, k, -1, k, -1, unknown};
    step.before.set(static_cast<Cell>(cell), k);
    const CellSet origin = cell_or_none(cell);
    step.before.origin = {origin, origin};
    if (each_origin) to.run(step.before);
    const CellSet far = range(rule, from, index_of(cell), mover);
    for (int j = 0; j <= rules_.layout.count(); ++j) {
      each_cell(to.of(rule.to, j).may & far & unknown.holds[index_of(j)], [&](int target) {
        BareStep whole = step;
        whole.to = target;
        whole.replaced = j;
        whole.before = path_known(rule, whole, mover);
        out.push_back(std::move(whole));
      });
    }
  });
  return out;
}

std::vector<BareStep> StepReader::removals(const MoveRule& rule, Player mover) {
  std::vector<BareStep> out;
  CellBounds from(rules_, std::array{rule.from});
  const KnownCells known = KnownCells::nothing_known(rules_, mover);
  from.run(known);
  each_held(from, rule.from, known, rules_.layout.count(), [&](int k, int cell) {
    BareStep step{cell, k, -1, -1, -1, known};
    step.before.set(static_cast<Cell>(cell), k);
    out.push_back(std::move(step));
  });
  return out;
}

// Each placement puts a stone on all of its cells; what may have stood there goes besides.
void StepReader::read_shapes(const MoveRule& rule, Player mover, StepChanges& out) {
  CellBounds bounds(rules_, std::array{rule.to});
  const KnownCells known = KnownCells::nothing_known(rules_, mover);
  bounds.run(known);
  const CellSet to = bounds.whole(rule.to).may;
  for (const CellSet shape : rule.placements) {
    if ((shape & ~to) != 0) continue;
    for (const PlaneChoice& put : rule.put) {
      CountChange change;
      each_cell(shape, [&](int cell) { add_stone(change, plane_for(put, mover), index_of(cell), 1, mover); });
      out.sure.insert(std::move(change));
    }
    for (int j = 0; j < rules_.layout.count(); ++j) {
      each_cell(bounds.of(rule.to, j).may & shape & known.holds[index_of(j)], [&](int cell) {
        CountChange change;
        add_stone(change, j, index_of(cell), -1, mover);
        out.besides.insert(std::move(change));
      });
    }
  }
}

void StepReader::add_state(const MoveRule& rule, StepChanges& out) const {
  CountChange sure;
  for (std::size_t s = 0; s < rules_.slots.size(); ++s) {
    const StateChange change = state_change(rules_, rule, s);
    add_within(quantities_.number(rules_, s), change.number, sure, out.besides);
    add_within(quantities_.noted(s), change.noted, sure, out.besides);
  }
  if (sure.empty()) return;
  std::set<CountChange> with;
  for (const CountChange& one : out.sure) with.insert(both_of(one, sure));
  out.sure = std::move(with);
}

void StepReader::add_lift(const MoveRule& rule, Player mover, StepChanges& out) {
  if (rule.lift < 0) return;
  CellBounds bounds(rules_, std::array{rule.lift});
  const KnownCells known = KnownCells::nothing_known(rules_, mover);
  bounds.run(known);
  each_held(bounds, rule.lift, known, rules_.layout.count(), [&](int a, int cell) {
    CountChange change;
    add_stone(change, a, index_of(cell), -1, mover);
    out.besides.insert(std::move(change));
  });
}

// The board after a bare step, with what it filled and emptied.
KnownCells StepReader::after(const BareStep& step) const {
  KnownCells out = step.before;
  out.held = out.holds;
  if (step.from >= 0) out.set(static_cast<Cell>(step.from), rules_.layout.count());
  if (step.to >= 0) out.set(static_cast<Cell>(step.to), step.put);
  const CellSet placed = cell_or_none(step.to);
  const CellSet taken = cell_or_none(step.from);
  out.touched = placed | taken;
  out.placed = {placed, placed};
  out.taken = {taken, taken};
  return out;
}

// What these cells must have held for the step to be possible: what 'to' does not allow is no longer said to be possible.
void StepReader::narrow(const MoveRule& rule, CellSet cells, BareStep& step) {
  if (step.to < 0) return;
  cells &= ~(cell_or_none(step.from) | cell_or_none(step.to));
  CellBounds to(rules_, std::array{rule.to});
  if (!spend(static_cast<std::size_t>(std::popcount(cells)) * step.before.holds.size(), to)) return;
  each_cell(cells, [&](int cell) {
    for (int a = 0; a <= rules_.layout.count(); ++a) {
      if ((step.before.holds[index_of(a)] & cell_or_none(cell)) == 0) continue;
      KnownCells one = step.before;
      one.set(static_cast<Cell>(cell), a);
      to.run(one);
      if ((to.of(rule.to, step.replaced).may & cell_or_none(step.to)) == 0)
        step.before.holds[index_of(a)] &= ~cell_or_none(cell);
    }
  });
}

// By cell, the one cell whose contents it comes to hold, whatever those are, if that is all the effect does and no two cells come to
// hold the same one's. Candidates are found by boards of two contents, where a cell's number is read bit by bit.
std::optional<StepReader::Copies> StepReader::copies(Effect& effect, const KnownCells& known) {
  const auto cells = index_of(rules_.board.size());
  std::vector<int> used;
  for (int a = 0; a <= effect.nothing; ++a) {
    if (known.holds[index_of(a)] != 0) used.push_back(a);
  }
  if (used.size() < 2 || !spend(8 + cells * used.size() * used.size(), effect.bounds)) return std::nullopt;
  Copies out(cells, 0);
  for (std::size_t bit = 1; bit < cells; bit *= 2) {
    KnownCells board = known;
    for (std::size_t c = 0; c < cells; ++c) board.set(static_cast<Cell>(c), used[(c & bit) != 0 ? 1 : 0]);
    effect.bounds.run(board);
    for (std::size_t c = 0; c < cells; ++c) {
      const CellContents now = effect.after(static_cast<int>(c), used[(c & bit) != 0 ? 1 : 0]);
      if (now != CellContents{1} << used[0] && now != CellContents{1} << used[1]) return std::nullopt;
      if (now == CellContents{1} << used[1]) out[c] |= bit;
    }
  }
  CellSet met = 0;
  for (const std::size_t source : out) {
    if (source >= cells) return std::nullopt;
    met |= cell_bit(static_cast<Cell>(source));
  }
  if (met != rules_.board.all()) return std::nullopt;
  for (std::size_t c = 0; c < cells; ++c) {
    for (const int own : used) {
      for (const int theirs : used) {
        if (out[c] == c && own != theirs) continue;
        KnownCells board = known;
        board.set(static_cast<Cell>(c), own);
        board.set(static_cast<Cell>(out[c]), theirs);
        effect.bounds.run(board);
        if (effect.after(static_cast<int>(c), own) != CellContents{1} << theirs) return std::nullopt;
      }
    }
  }
  return out;
}

void StepReader::add_effects(const MoveRule& rule, Player mover, StepChanges& out) {
  Effect effect(rules_, rule, mover);
  const auto as_they_are = [&] {
    for (const BareStep& step : out.bare) out.sure.insert(change_of(step, mover));
  };
  if (!effect.changes) return as_they_are();
  KnownCells known = KnownCells::nothing_known(rules_, mover);
  const auto exchange = [&](int cell, int a, int b) {
    CountChange change;
    add_stone(change, a, index_of(cell), -1, mover);
    add_stone(change, b, index_of(cell), 1, mover);
    return change;
  };
  if (const auto from = copies(effect, known)) {
    for (std::size_t c = 0; c < from->size(); ++c) {
      for (int a = 0; a < effect.nothing && (*from)[c] != c; ++a) {
        if (known.holds[index_of(a)] == 0) continue;
        CountChange change;
        add_stone(change, a, (*from)[c], -1, mover);
        add_stone(change, a, c, 1, mover);
        out.besides.insert(std::move(change));
      }
    }
    return as_they_are();
  }
  const bool one_by_one = rule.lift < 0 && !rule.shaped && spend(2 * out.bare.size(), effect.bounds);
  if (!one_by_one) {
    effect.bounds.run(known);
    effect.each_change(known, [&](int cell, int a, int b) { out.besides.insert(exchange(cell, a, b)); });
    return as_they_are();
  }
  for (BareStep& step : out.bare) {
    effect.bounds.run(after(step));
    CellSet touched = 0;
    effect.each_change(after(step), [&](int cell, int /*a*/, int /*b*/) { touched |= cell_or_none(cell); });
    if (std::popcount(touched) <= kMostNarrowed) narrow(rule, touched, step);
    known = after(step);
    effect.bounds.run(known);
    std::vector<std::vector<CountChange>> changed(index_of(rules_.board.size()));  // by cell
    effect.each_change(known, [&](int cell, int a, int b) {
      changed[index_of(cell)].push_back(exchange(cell, a, b));
      out.besides.insert(changed[index_of(cell)].back());
    });
    std::vector<CountChange> alternatives = {change_of(step, mover)};
    for (std::size_t c = 0; c < changed.size(); ++c) {
      if (changed[c].empty() || alternatives.size() * changed[c].size() > kMostAlternatives) continue;
      bool surely = true;
      for (int a = 0; a <= effect.nothing; ++a) {
        const bool may_hold = ((known.holds[index_of(a)] >> c) & 1) != 0;
        surely &= !may_hold || ((effect.after(static_cast<int>(c), a) >> a) & 1) == 0;
      }
      if (!surely) continue;
      std::vector<CountChange> longer;
      for (const CountChange& so_far : alternatives) {
        for (const CountChange& more : changed[c]) longer.push_back(both_of(so_far, more));
      }
      alternatives = std::move(longer);
    }
    out.sure.insert(alternatives.begin(), alternatives.end());
  }
}

StepChanges StepReader::read(const MoveRule& rule, Player mover) {
  StepChanges out;
  if (!rule.on_cells()) out.bare.push_back({-1, -1, -1, -1, -1, KnownCells::nothing_known(rules_, mover)});
  if (rule.kind == MoveRule::Kind::move) out.bare = carries(rule, mover);
  if (rule.kind == MoveRule::Kind::remove) out.bare = removals(rule, mover);
  if (rule.kind == MoveRule::Kind::place && rule.shaped) read_shapes(rule, mover, out);
  if (rule.kind == MoveRule::Kind::place && !rule.shaped) out.bare = places(rule, mover);
  add_lift(rule, mover, out);
  add_effects(rule, mover, out);
  add_state(rule, out);
  return out;
}

bool StepReader::always_followed(const MoveRule& before, std::vector<BareStep> steps, const MoveRule& part,
                                 Player mover) {
  const bool places = part.kind == MoveRule::Kind::place && !part.shaped && part.lift < 0;
  if (!places && part.kind != MoveRule::Kind::remove) return false;
  if (part.optional || !rules_.graph.is_true(part.legal) || before.lift >= 0 || before.shaped) return false;
  const NodeId choice = places ? part.to : part.from;
  CellBounds bounds(rules_, std::array{choice});
  Effect effect(rules_, before, mover);
  if (!spend(2 * steps.size(), bounds) || !spend(2 * steps.size(), effect.bounds)) return false;
  const auto followed = [&](const BareStep& step) {
    KnownCells known = after(step);
    if (effect.changes) {
      effect.bounds.run(known);
      std::vector<CellSet> later = known.holds;
      effect.each_change(known, [&](int cell, int /*a*/, int b) { later[index_of(b)] |= cell_or_none(cell); });
      known.holds = std::move(later);
    }
    bounds.run(known);
    return bounds.whole(choice).must != 0;
  };
  // The cells beside where the step ends are looked at more closely if need be.
  Relation beside = rules_.board.adjacent();
  for (const Relation& direction : rules_.board.straight()) beside = unite(beside, direction);
  return std::all_of(steps.begin(), steps.end(), [&](BareStep& step) {
    if (followed(step)) return true;
    if (step.to >= 0) narrow(before, beside[index_of(step.to)], step);
    return followed(step);
  });
}

}  // namespace plenum
