// SPDX-License-Identifier: Apache-2.0
// The symmetries of a game: found on the board, proven on the rules, and positions brought to canonical form by them.
//
// Candidates are the automorphisms of the board's graph (nauty), each with and without exchanging the players. A candidate is
// accepted if the rules, rewritten by it, are the same nodes of the rule graph (RuleGraph::remap): a proof, since the nodes are
// normalised by valid laws only; a symmetry that such a proof misses is not used. Only the rules must be symmetric, not the start.
//
// A position's canonical form is the least among its images with `first` to move where an exchange is known, by the set of occupied
// cells, then by planes. Up to kTableCells cells one look-up by the occupied set tells the permutation that brings it to its
// least image, and only sets with symmetries of their own need a minimum over those.
//
// Thread-safety: immutable after construction.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "variants/board/group.h"
#include "variants/graph/position.h"
#include "variants/graph/rule_set.h"

namespace plenum {

class Rules;

inline constexpr std::size_t kMaxGroup = 1024;  // boards with more automorphisms keep those that fix some cells

struct Symmetry {
  std::vector<Cell> permutation;  // cell c goes to permutation[c]
  bool exchange = false;
};

// The automorphisms of the board's graph, identity first, at most `limit`: if there are more, the ones that fix as few of
// the first cells as needed. `complete` tells whether these are all.
struct Automorphisms {
  std::vector<std::vector<Cell>> permutations;
  bool complete = true;
};
Automorphisms automorphisms(const Board& board, std::size_t limit);

class SymmetryGroup {
 public:
  // Only the identity.
  static SymmetryGroup trivial(const Rules& rules);
  // All symmetries found.
  static SymmetryGroup find(const Rules& rules);

  const Group& group() const { return group_; }
  const std::vector<Symmetry>& elements() const { return elements_; }
  std::size_t size() const { return elements_.size(); }
  // What these elements do to the cells.
  std::vector<std::vector<Cell>> permutations(const std::vector<GroupElement>& of) const;
  bool has_exchange() const { return exchange_ != kIdentity; }
  bool board_complete() const { return board_complete_; }

  Position apply(GroupElement g, const Position& p) const;
  CellSet apply(GroupElement g, CellSet set) const {
    const auto& bytes = lookup_[g];
    CellSet out = 0;
    for (std::size_t b = 0; b < bytes.size(); ++b) out |= bytes[b][(set >> (8 * b)) & 0xFF];
    return out;
  }

  struct Canonical {
    Position position;
    GroupElement element = kIdentity;  // position = element applied to what was given
  };
  Canonical canonical(const Position& p) const {
    Canonical out{p, kIdentity};
    out.element = canonicalize(out.position);
    return out;
  }
  // The same in place; returns the element.
  GroupElement canonicalize(Position& p) const;
  // The elements that leave a position as it is; none of them exchanges the players.
  std::vector<GroupElement> stabilizer(const Position& p) const;

 private:
  static constexpr int kTableCells = 20;

  SymmetryGroup(const RuleSet& rules, std::vector<Symmetry> elements, bool board_complete);
  void build_table();

  PlaneLayout layout_;
  int cells_ = 0;
  std::vector<Symmetry> elements_;
  std::vector<GroupElement> plain_;  // those that do not exchange
  GroupElement exchange_ = kIdentity;
  bool exchange_is_plain_ = false;  // the exchange alone, the board as it stands
  Group group_;
  bool board_complete_ = true;
  std::vector<std::vector<std::array<CellSet, 256>>> lookup_;  // [element][byte of the set][its value]
  std::vector<GroupElement> to_least_;                         // by occupied set: to its least image
  std::vector<std::uint16_t> least_stabilizer_;         // by occupied set, if it is least: number of its stabilizer
  std::vector<std::vector<GroupElement>> stabilizers_;  // plain subgroups; 0 is trivial
};

}  // namespace plenum
