// SPDX-License-Identifier: Apache-2.0
#include "variants/pieces/piece_set.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace plenum {
namespace {

// Offsets on the board as they are for a player: second sees it turned around.
Offset seen_by(Player owner, Offset o) { return owner == Player::first ? o : Offset{-o.dx, -o.dy}; }

class Grid {
 public:
  Grid(int width, int height) : width_(width), height_(height) {}
  int cells() const { return width_ * height_; }
  // kNoCell beyond the edge.
  Cell after(Cell from, Offset o) const {
    const int x = from % width_ + o.dx;
    const int y = from / width_ + o.dy;
    if (x < 0 || x >= width_ || y < 0 || y >= height_) return kNoCell;
    return static_cast<Cell>(y * width_ + x);
  }
  Ray ray(Offset step, int range, CellSet origins) const {
    Ray out;
    out.rising = step.dy * width_ + step.dx > 0;
    for (int c = 0; c < cells(); ++c) {
      const auto from = static_cast<Cell>(c);
      if ((origins & cell_bit(from)) == 0) continue;
      Cell at = after(from, step);
      for (int n = 1; at != kNoCell && (range == 0 || n <= range); ++n, at = after(at, step))
        out.stops[from] |= cell_bit(at);
    }
    return out;
  }
  // From every cell back along the ride, those of its origins.
  Ray back_ray(Offset step, int range) const { return ray({-step.dx, -step.dy}, range, ~CellSet{0}); }

 private:
  int width_;
  int height_;
};

// All that a kind can do, from every cell, in a form in which equal means equal.
using Way = std::tuple<int, bool, bool, Cell, std::vector<CellSet>>;  // what it is, moves, captures, from, cells
std::set<Way> ways(const PieceSet& set, Player owner, std::size_t kind, const std::vector<Cell>& permutation) {
  std::set<Way> out;
  const PieceTables& t = set.tables[static_cast<std::size_t>(owner)][kind];
  const auto cells = static_cast<std::size_t>(set.width * set.height);
  for (std::size_t c = 0; c < cells; ++c) {
    const auto from = static_cast<Cell>(c);
    const Cell image = permutation[c];
    out.insert({0, true, false, image, {permute(t.move_leaps[c], permutation)}});
    out.insert({0, false, true, image, {permute(t.capture_leaps[c], permutation)}});
    for (const Ride& ride : t.rides) {
      const Ray& ray = set.rays[ride.ray];
      std::vector<CellSet> stops;
      for (CellSet rest = ray.stops[from]; rest != 0;) {
        const CellSet next = ray.nearest(from, rest);
        stops.push_back(permute(next, permutation));
        rest &= ~next;
      }
      if (!stops.empty()) out.insert({ride.over_hurdle ? 2 : 1, ride.moves, ride.captures, image, std::move(stops)});
    }
    for (const ConditionalStep& step : t.steps) {
      if (step.to[from] == 0) continue;
      out.insert({step.needs_empty ? 3 : 4,
                  step.moves,
                  step.captures,
                  image,
                  {permute(step.to[from], permutation), permute(step.between[from], permutation)}});
    }
    if (t.double_to[c] != kNoCell)
      out.insert(
          {5, true, false, image, {cell_bit(permutation[t.passed_over[c]]), cell_bit(permutation[t.double_to[c]])}});
  }
  return out;
}

}  // namespace

void PieceSet::set_planes() {
  // As many equal men on a cell as there is room for telling apart.
  for (std::size_t least = kMostMorePlanes; least > 0; --least) {
    own_planes_ = static_cast<int>(kinds.size());
    for (PieceKind& kind : kinds) {
      kind.more_planes.clear();
      const int there = std::max(kind.most[0], kind.most[1]);
      const int most = most_on_cell == 0 ? there : std::min(there, most_on_cell);
      const auto wanted = static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(std::max(0, most - 1))));
      const std::size_t most_planes =
          least == kMostMorePlanes && !joins_by_safety && !kind.promotions.empty() ? least + 1 : least;
      for (std::size_t k = 0; k < std::min(wanted, most_planes); ++k)
        kind.more_planes.push_back(static_cast<std::size_t>(own_planes_++));
    }
    if (2 * own_planes_ + 1 <= kMaxPlanes) return;
  }
}

namespace {

// One atom of one kind, as its owner sees it.
struct AtomOfKind {
  const BetzaAtom& atom;
  Player owner;
  std::size_t kind;
  Offset step;
  CellSet origins;  // where it may begin
};

// Calls with each cell that it begins on, and the cell one step on, if there is one.
template <typename Function>
void each_step(const Grid& grid, const AtomOfKind& g, const Function& function) {
  for (int c = 0; c < grid.cells(); ++c) {
    const auto from = static_cast<Cell>(c);
    const Cell to = grid.after(from, g.step);
    if (to != kNoCell && (g.origins & cell_bit(from)) != 0) function(from, to);
  }
}

// One step that depends on what is between.
void add_conditional(const Grid& grid, const AtomOfKind& g, PieceTables& t, AttackTables& attack) {
  const BetzaAtom& atom = g.atom;
  ConditionalStep one;
  ConditionalStep back;
  one.moves = atom.moves;
  one.captures = back.captures = atom.captures;
  one.needs_empty = back.needs_empty = atom.path == BetzaAtom::Path::lame;
  each_step(grid, g, [&](Cell from, Cell to) {
    one.to[from] = cell_bit(to);
    back.to[to] = cell_bit(from);
    for (const Offset& o : atom.between) {
      const Cell between = grid.after(from, seen_by(g.owner, o));
      if (between != kNoCell) one.between[from] |= cell_bit(between);
    }
    back.between[to] = one.between[from];
    if (atom.captures) attack.lines[to] |= one.between[from];
  });
  t.steps.push_back(one);
  if (atom.captures) attack.steppers.push_back({g.kind, back});
  attack.hurdles |= atom.path == BetzaAtom::Path::over && atom.captures;
}

void add_leaps(const Grid& grid, const AtomOfKind& g, PieceTables& t, AttackTables& attack) {
  each_step(grid, g, [&](Cell from, Cell to) {
    if (g.atom.moves) t.move_leaps[from] |= cell_bit(to);
    if (g.atom.captures) t.capture_leaps[from] |= cell_bit(to);
    if (g.atom.captures) attack.leapers[g.kind][to] |= cell_bit(from);
  });
}

void add_double_steps(const Grid& grid, const AtomOfKind& g, PieceTables& t) {
  each_step(grid, g, [&](Cell from, Cell over) {
    t.passed_over[from] = over;
    t.double_to[from] = grid.after(over, g.step);
  });
}

}  // namespace

void PieceSet::make_tables(const std::vector<std::vector<BetzaAtom>>& atoms) {
  atoms_ = atoms;
  const Grid grid(width, height);
  std::map<std::tuple<int, int, int, CellSet>, std::size_t> known;
  for (const Player owner : {Player::first, Player::second}) {
    const auto who = static_cast<std::size_t>(owner);
    tables[who].assign(kinds.size(), {});
    AttackTables& attack = attacks[who];
    attack = {};
    attack.leapers.assign(kinds.size(), {});
    std::map<std::tuple<int, int, int, bool, CellSet>, std::size_t> riders;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      PieceTables& t = tables[who][k];
      t.passed_over.fill(kNoCell);
      t.double_to.fill(kNoCell);
      for (const BetzaAtom& atom : atoms[k]) {
        const Offset step = seen_by(owner, atom.step);
        const CellSet origins = atom.initial ? home_rank[who] : ~CellSet{0};
        const AtomOfKind g{atom, owner, k, step, origins};
        if (atom.path == BetzaAtom::Path::lame || atom.path == BetzaAtom::Path::over) {
          add_conditional(grid, g, t, attack);
          continue;
        }
        if (atom.range == 1 && atom.path == BetzaAtom::Path::free) {
          add_leaps(grid, g, t, attack);
          continue;
        }
        const bool over = atom.path == BetzaAtom::Path::hurdle;
        const auto [ray, fresh] = known.try_emplace({step.dx, step.dy, atom.range, origins}, rays.size());
        if (fresh) rays.push_back(grid.ray(step, atom.range, origins));
        t.rides.push_back({ray->second, atom.moves, atom.captures, over});
        if (atom.initial && atom.range == 2 && atom.moves && !kinds[k].promotions.empty()) add_double_steps(grid, g, t);
        if (!atom.captures) continue;
        attack.hurdles |= over;
        const auto [group, first] =
            riders.try_emplace({step.dx, step.dy, atom.range, over, origins}, attack.riders.size());
        if (first) {
          attack.riders.push_back({grid.back_ray(step, atom.range), origins, over, {}});
          for (int c = 0; c < grid.cells(); ++c) {
            CellSet& stops = attack.riders.back().ray.stops[static_cast<std::size_t>(c)];
            attack.lines[static_cast<std::size_t>(c)] |= stops;
          }
        }
        attack.riders[group->second].kinds.push_back(k);
      }
    }
  }
}

int PieceSet::count(const Position& p, bool movers, std::size_t kind, Cell cell) const {
  if ((p.planes[plane(movers, kind)] & cell_bit(cell)) == 0) return 0;
  int out = 1;
  for (std::size_t k = 0; k < kinds[kind].more_planes.size(); ++k)
    out += static_cast<int>(p.planes[plane(movers, kinds[kind].more_planes[k])] >> cell & 1) << k;
  return out;
}

int PieceSet::count(const Position& p, bool movers, Cell cell) const {
  int out = 0;
  for (std::size_t k = 0; k < kinds.size(); ++k) out += count(p, movers, k, cell);
  return out;
}

int PieceSet::count(const Position& p, Cell cell) const { return count(p, true, cell) + count(p, false, cell); }

int PieceSet::count(const Position& p) const {
  int out = 0;
  const auto add = [&](CellSet men, std::size_t shift) {
    if (men != 0) out += std::popcount(men) << shift;
  };
  for (const bool movers : {true, false}) {
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const CellSet some = p.planes[plane(movers, k)];
      if (some == 0) continue;
      add(some, 0);
      for (std::size_t more = 0; more < kinds[k].more_planes.size(); ++more)
        add(p.planes[plane(movers, kinds[k].more_planes[more])], more);
    }
  }
  return out;
}

bool PieceSet::lawful(int movers, int others) const {
  if (movers + others < 2) return true;
  if (most_on_cell != 0 && movers + others > most_on_cell) return false;
  switch (company) {
    case Company::any:
      return true;
    case Company::same_owner:
      return movers == 0 || others == 0;
    case Company::both_owners:
      return movers != 0 && others != 0;
  }
  return true;
}

bool PieceSet::lawful(const Position& p) const {
  if (most_on_cell == 0 && company == Company::any) return true;
  for (CellSet rest = crowded(p); rest != 0; rest &= rest - 1) {
    const auto cell = static_cast<Cell>(std::countr_zero(rest));
    if (!lawful(count(p, true, cell), count(p, false, cell))) return false;
  }
  return true;
}

bool PieceSet::add(Position& p, bool movers, std::size_t kind, Cell cell) const {
  CellSet& some = p.planes[plane(movers, kind)];
  CellSet carry = some & cell_bit(cell);
  some |= cell_bit(cell);
  for (const std::size_t more : kinds[kind].more_planes) {
    CellSet& bits = p.planes[plane(movers, more)];
    const CellSet sum = bits ^ carry;
    carry &= bits;
    bits = sum;
  }
  return carry == 0;
}

void PieceSet::remove(Position& p, bool movers, std::size_t kind, Cell cell) const {
  CellSet borrow = cell_bit(cell);
  for (const std::size_t more : kinds[kind].more_planes) {
    if ((p.planes[plane(movers, more)] & cell_bit(cell)) != 0) borrow = 0;
  }
  if (borrow != 0) {  // the last of them
    p.planes[plane(movers, kind)] &= ~borrow;
    return;
  }
  borrow = cell_bit(cell);
  for (const std::size_t more : kinds[kind].more_planes) {
    CellSet& bits = p.planes[plane(movers, more)];
    const CellSet rest = borrow & ~bits;
    bits ^= borrow;
    borrow = rest;
  }
}

std::vector<Man> PieceSet::men_of(const Position& p) const {
  std::vector<Man> out;
  for (int c = 0; c < width * height; ++c) {
    for (const Player owner : {Player::first, Player::second}) {
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        const auto cell = static_cast<Cell>(c);
        for (int n = count(p, owner == p.mover, k, cell); n > 0; --n) out.push_back({owner, k, cell});
      }
    }
  }
  return out;
}

CellSet PieceSet::crowded(const Position& p) const {
  CellSet once = 0;
  CellSet twice = 0;
  for (int k = 0; k < 2 * own_planes_; ++k) {
    const CellSet men = p.planes[static_cast<std::size_t>(k)];
    if (k % own_planes_ < static_cast<int>(kinds.size())) {
      twice |= once & men;
      once |= men;
    } else {
      twice |= men;
    }
  }
  return twice;
}

bool PieceSet::symmetric(const std::vector<Cell>& permutation, bool exchange, std::vector<bool> used) const {
  for (bool more = true; more;) {  // what these may become, and so on
    more = false;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      for (const std::size_t to : kinds[k].promotions) {
        if (!used[k] || used[to]) continue;
        used[to] = true;
        more = true;
      }
    }
  }
  std::vector<Cell> identity(permutation.size());
  std::iota(identity.begin(), identity.end(), Cell{0});
  bool pawns = false;
  for (std::size_t k = 0; k < kinds.size(); ++k) pawns = pawns || (used[k] && !kinds[k].promotions.empty());
  for (const Player owner : {Player::first, Player::second}) {
    const Player image = exchange ? other(owner) : owner;
    const auto who = static_cast<std::size_t>(owner);
    const auto to = static_cast<std::size_t>(image);
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      if (used[k] && ways(*this, owner, k, permutation) != ways(*this, image, k, identity)) return false;
    }
    if (pawns && permute(last_rank[who], permutation) != last_rank[to]) return false;
    if (castling_slot < 0) continue;
    for (std::size_t side = 0; side < 2; ++side) {
      if (permutation[corners[who][side]] != corners[to][side]) return false;
    }
  }
  return true;
}

bool PieceSet::pawns_go_forward() const {
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (kinds[k].promotions.empty()) continue;
    for (const BetzaAtom& atom : atoms_[k]) {
      if (atom.step.dy <= 0) return false;
    }
  }
  return true;
}

}  // namespace plenum
