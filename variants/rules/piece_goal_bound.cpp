// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/piece_goal_bound.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "variants/graph/junction.h"

namespace plenum {

class PieceGoalBound::Reader {
 public:
  Reader(const RuleSet& rules, Player mover, PieceGoalBound& out) : rules_(rules), mover_(mover), out_(out) {}

  // A truth, or that it does not hold.
  std::size_t truth(NodeId id, bool holds) {
    return read(id, holds, [&](const RuleNode& n, bool positive) {
      if (n.op != NodeOp::any || !positive) return constant(true);
      const std::size_t of = read(n.args[0], true, [&](const RuleNode& set, bool in) { return cells(set, in); });
      return add({Node::Op::some, 0, 0, 0, {of}});
    });
  }

 private:
  std::size_t add(Node node) {
    out_.nodes_.push_back(std::move(node));
    return out_.nodes_.size() - 1;
  }
  std::size_t constant(bool all) { return add({Node::Op::constant, 0, 0, all ? rules_.graph.all() : 0, {}}); }

  // What is joined by & | !, of what `atom` makes of the rest.
  template <typename Atom>
  std::size_t read(NodeId id, bool holds, const Atom& atom) {
    const Junction j = junction(rules_.graph, id, holds, mover_);
    switch (j.kind) {
      case Junction::Kind::always:
        return constant(true);
      case Junction::Kind::never:
        return constant(false);
      case Junction::Kind::all:
      case Junction::Kind::any: {
        Node node{j.kind == Junction::Kind::all ? Node::Op::all : Node::Op::any, 0, 0, 0, {}};
        for (const NodeId part : j.parts) node.parts.push_back(read(part, j.holds, atom));
        return add(std::move(node));
      }
      case Junction::Kind::atom:
        break;
    }
    return atom(rules_.graph.node(j.node), j.holds);
  }

  // Cells that are in a set, or not in it.
  std::size_t cells(const RuleNode& n, bool in) {
    if (n.op == NodeOp::constant)
      return add({Node::Op::constant, 0, 0, in ? n.value : rules_.graph.all() & ~n.value, {}});
    if (n.op != NodeOp::cell_input || !in) return constant(true);
    const auto own = static_cast<std::size_t>(rules_.layout.own);
    const auto plane = static_cast<std::size_t>(n.value - kPlanes);
    const bool movers = plane < own;
    const std::size_t kind = plane % std::max<std::size_t>(own, 1);
    if (plane >= 2 * own || kind >= out_.set_->kinds.size()) return constant(true);
    return man(movers == (mover_ == Player::first) ? 0 : 1, kind);
  }

  std::size_t man(std::size_t owner, std::size_t kind) {
    const std::vector<PieceKind>& kinds = out_.set_->kinds;
    const bool may_appear = std::any_of(kinds.begin(), kinds.end(), [&](const PieceKind& k) {
      return std::find(k.promotions.begin(), k.promotions.end(), kind) != k.promotions.end();
    });
    // What the king castles with goes where it could not go by itself.
    const bool carried = out_.set_->castling_slot >= 0 && out_.set_->castles_with(kind);
    if (may_appear || carried) return constant(true);
    out_.informative_ = true;
    return add({Node::Op::man, owner, kind, 0, {}});
  }

  const RuleSet& rules_;
  Player mover_;
  PieceGoalBound& out_;
};

PieceGoalBound::PieceGoalBound(const RuleSet& rules, const PieceSet& pieces) : set_(&pieces) {
  find_distances();
  for (const Player mover : {Player::first, Player::second})
    root_[static_cast<std::size_t>(mover)] = Reader(rules, mover, *this).truth(rules.goal, true);
}

// Breadth first over all that the powers reach, whatever stands on the board.
void PieceGoalBound::find_distances() {
  const auto cells = static_cast<std::size_t>(set_->width * set_->height);
  for (std::size_t owner = 0; owner < 2; ++owner) {
    for (std::size_t kind = 0; kind < set_->kinds.size(); ++kind) {
      const PieceTables& t = set_->tables[owner][kind];
      ByCell next = {};
      for (std::size_t from = 0; from < cells; ++from) {
        next[from] = t.move_leaps[from] | t.capture_leaps[from];
        for (const Ride& ride : t.rides) next[from] |= set_->rays[ride.ray].stops[from];
        for (const ConditionalStep& step : t.steps) next[from] |= step.to[from];
        if (!set_->kinds[kind].royal || set_->castling_slot < 0) continue;
        for (const int step : {-2, 2}) {  // castling
          const int x = set_->x(static_cast<Cell>(from)) + step;
          if (x >= 0 && x < set_->width) next[from] |= cell_bit(static_cast<Cell>(static_cast<int>(from) + step));
        }
      }
      ByCellAndCell& by = distance_[owner].emplace_back();
      for (std::size_t from = 0; from < cells; ++from) {
        by[from].fill(kFar);
        CellSet met = cell_bit(static_cast<Cell>(from));
        CellSet layer = met;
        for (std::uint8_t moves = 0; layer != 0; ++moves) {
          CellSet after = 0;
          for (CellSet rest = layer; rest != 0; rest &= rest - 1) {
            const auto at = static_cast<std::size_t>(std::countr_zero(rest));
            by[from][at] = moves;
            after |= next[at];
          }
          layer = after & ~met;
          met |= layer;
        }
      }
    }
  }
}

PieceGoalBound::Needs PieceGoalBound::needs(std::size_t node, const Position& position) const {
  const Node& n = nodes_[node];
  Needs out;
  switch (n.op) {
    case Node::Op::man: {
      auto& by = out.by[n.owner];
      by.fill(kFar);
      const bool movers = (n.owner == 0) == (position.mover == Player::first);
      for (CellSet rest = position.planes[set_->plane(movers, n.kind)]; rest != 0; rest &= rest - 1) {
        const auto& from = distance_[n.owner][n.kind][static_cast<std::size_t>(std::countr_zero(rest))];
        for (std::size_t c = 0; c < by.size(); ++c) by[c] = std::min(by[c], from[c]);
      }
      return out;
    }
    case Node::Op::constant:
      for (std::size_t c = 0; c < kMaxCells; ++c) {
        if ((n.cells >> c & 1) == 0) out.by[0][c] = out.by[1][c] = kFar;
      }
      return out;
    case Node::Op::all:
    case Node::Op::any: {
      const bool all = n.op == Node::Op::all;
      if (!all) out.by[0].fill(kFar), out.by[1].fill(kFar);
      for (const std::size_t part : n.parts) {
        const Needs of = needs(part, position);
        for (std::size_t who = 0; who < 2; ++who) {
          for (std::size_t c = 0; c < kMaxCells; ++c)
            out.by[who][c] = all ? std::max(out.by[who][c], of.by[who][c]) : std::min(out.by[who][c], of.by[who][c]);
        }
      }
      return out;
    }
    default:
      return out;
  }
}

int PieceGoalBound::plies(std::size_t node, const Position& position) const {
  const Node& n = nodes_[node];
  switch (n.op) {
    case Node::Op::constant:
      return n.cells == 0 ? kNever : 0;
    case Node::Op::some: {
      const Needs of = needs(n.parts[0], position);
      const std::size_t mover = static_cast<std::size_t>(position.mover);
      int out = kNever;
      for (std::size_t c = 0; c < kMaxCells; ++c) {
        const int mine = of.by[mover][c];
        const int theirs = of.by[1 - mover][c];
        if (mine >= kFar || theirs >= kFar) continue;
        out = std::min(out, std::max(2 * mine - 1, 2 * theirs));
      }
      return std::max(out, 0);
    }
    case Node::Op::all:
    case Node::Op::any: {
      const bool all = n.op == Node::Op::all;
      int out = all ? 0 : kNever;
      for (const std::size_t part : n.parts) {
        const int of = plies(part, position);
        out = all ? std::max(out, of) : std::min(out, of);
      }
      return out;
    }
    default:
      return 0;
  }
}

// Whoever is to move when the goal holds.
int PieceGoalBound::plies(const Position& position) const {
  return std::min(plies(root_[0], position), plies(root_[1], position));
}

}  // namespace plenum
