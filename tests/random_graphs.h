// SPDX-License-Identifier: Apache-2.0
// Random graphs of positions for property tests: drafts that any numbers describe, so that rapidcheck can shrink them.
//
// A draft is a list of positions with raw numbers; building takes each number modulo what it may be. Dropping
// positions or edges and making numbers smaller always gives a valid graph again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tables/position_graph.h"
#include "tests/property.h"
#include "tests/reference.h"

namespace plenum::random_graphs {

struct DraftPosition {
  unsigned kind = 0;    // small: ended
  unsigned margin = 0;  // of the end
  std::vector<unsigned> edges;
};

struct Draft {
  unsigned tiers = 1;
  unsigned levels = 1;       // distinct margins besides 0
  unsigned inner_share = 0;  // of 8 edges, how many stay in their tier; 9: none goes back, an acyclic graph
  unsigned ended_share = 0;  // of 256 positions
  std::vector<DraftPosition> positions;
};

std::ostream& operator<<(std::ostream& out, const Draft& draft);

rc::Gen<Draft> drafts();
// A large one, without rapidcheck.
Draft large_draft(std::mt19937_64& random, std::size_t positions, unsigned inner_share);

// Tiers of equal size, successors in the own tier or any later one, duplicate and self edges among them. The start is
// position 0; some positions of the first tiers cannot be reached from it.
PositionGraph build(const Draft& draft);

// A graph with a symmetry group, and the unreduced graph it stands for: position (i, coset g K_i) is the lift g of stored
// position i, whose stabilizer is K_i.
struct SymmetricGame {
  PositionGraph graph;
  reference::Digraph unreduced;
  std::size_t start = 0;
  std::vector<std::vector<std::size_t>> vertex;  // vertex[i][g]: the unreduced position of the lift g
};

// `number` picks one of group_count() small groups; kinds pick stabilizers.
SymmetricGame build_symmetric(const Draft& draft, unsigned number);
unsigned group_count();

}  // namespace plenum::random_graphs
