// SPDX-License-Identifier: Apache-2.0
// Which unreduced positions are reachable: for each stored position p the set {g in G : g p is reachable}.
//
// Positions are stored up to symmetry, but counts are of unreduced ones, and orbit sizes alone count too much: on an
// empty board the second player is never to move. So a set of group elements (the lifts) is carried along the
// edges: from the start, a lift g of p gives the lift g h^-1 of q for an edge p -> q with symmetry h.
//
// The set is a union of cosets S g, S the stabilizer of the start (an element of S maps what is reachable
// to what is reachable), and closed under the stabilizer of p on the right. It is stored as one bit a coset: mostly
// 1, or 2 where the players are exchanged too. Up to 8 cosets take a byte a position, more take words of 64 bits.
//
// Invariants
//   - elements of a stabilizer never exchange the players (the mover would change);
//   - hence a coset, and a lift, either exchanges or does not, whichever element stands for it.
//
// Thread-safety: immutable after construction; built in one thread.
// Cost: about 4 ns an edge for one coset, each further one that arrives later looks at the edges again. While it is built, as much
// again as for the positions of the largest tier, and 4 bytes for each of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tables/position_graph.h"

namespace plenum {

class Lifts {
 public:
  explicit Lifts(const PositionGraph& graph);  // keeps a reference to `graph`

  // The number of distinct reachable unreduced positions g p, with exchanges(g) false and true.
  std::uint64_t as_stored(PositionIndex p) const { return positions(p, false); }
  std::uint64_t exchanged(PositionIndex p) const { return positions(p, true); }
  std::uint64_t count(PositionIndex p) const { return elements(p) / graph_->stabilizer_of(p).size(); }
  // The number of group elements g for which g p is reachable.
  std::uint64_t elements(PositionIndex p) const;
  bool reached(PositionIndex p) const { return elements(p) != 0; }
  // Whether g p is reachable.
  bool contains(PositionIndex p, GroupElement g) const { return bit(p, coset_of_[g]); }
  // Of so many cosets, for a position.
  static constexpr std::size_t bytes_per_position(std::size_t cosets) {
    return cosets <= 8 ? 1 : (cosets + 63) / 64 * sizeof(std::uint64_t);
  }
  std::size_t bytes() const { return bytes_.capacity() + words_.capacity() * sizeof(std::uint64_t); }
  // The number of cosets S\G.
  std::size_t cosets() const { return representative_.size(); }
  std::size_t coset_of(GroupElement g) const { return coset_of_[g]; }
  // The coset S g x for the coset S g.
  std::size_t multiply(std::size_t coset, GroupElement x) const {
    return coset_of_[graph_->group.multiply(representative_[coset], x)];
  }
  // The coset that an edge with this symmetry leads to.
  std::size_t along(std::size_t coset, GroupElement symmetry) const {
    return multiply(coset, graph_->group.inverse(symmetry));
  }
  // The number of distinct unreduced positions g p with g in these cosets, which are closed under the stabilizer of p.
  std::uint64_t images(PositionIndex p, std::size_t cosets) const {
    return cosets * stabilizer_size_ / graph_->stabilizer_of(p).size();
  }

 private:
  void number_cosets();
  void reach_narrow();
  void reach_wide();
  std::uint64_t positions(PositionIndex p, bool exchanges) const;
  bool bit(PositionIndex p, std::size_t coset) const {
    return narrow() ? (bytes_[p] >> coset & 1) != 0 : (words_[p * width_ + coset / 64] >> coset % 64 & 1) != 0;
  }
  bool narrow() const { return cosets() <= 8; }

  const PositionGraph* graph_;
  std::size_t stabilizer_size_ = 1;  // of S
  std::vector<std::uint16_t> coset_of_;
  std::vector<GroupElement> representative_;
  std::vector<std::uint8_t> bytes_;   // one a position, up to 8 cosets
  std::vector<std::uint64_t> words_;  // width_ a position, otherwise
  std::size_t width_ = 0;
};

}  // namespace plenum
