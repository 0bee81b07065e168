// SPDX-License-Identifier: Apache-2.0
// All positions reachable from a start, as a graph of stored positions: parallel breadth-first enumeration.
//
// A round takes some thousands of positions off the queue. First, in parallel by blocks of positions: expand them, bring the
// successors to canonical form, pack them. Then, in parallel by shards of the index: look each up or put it in. The order in
// which anything is put in depends on the blocks alone, so numbers are the same for any number of threads.
//
// Memory: kept within `memory_bytes`, counting what solving will need as well; enumeration stops before passing it, with
// kResourceExhausted, how many positions were found and what the rest would at least need.
// Source: sharded frontier search as in Korf and Schultze.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tables/position_graph.h"
#include "tables/position_store.h"
#include "variants/rules/variant.h"

namespace plenum {

struct EnumerationLimits {
  std::uint64_t memory_bytes = ~std::uint64_t{0};  // for the process as a whole
  std::uint64_t held_bytes = 0;                    // of these, what other games hold meanwhile
  // Stored, up to symmetry: with more it stops with kOutOfRange.
  std::uint64_t most_positions = ~std::uint64_t{0};
  // With more, edges keep their symmetries apart from where they lead. So they do anyway where there is no room: this is for tests.
  std::uint64_t joined_positions = ~std::uint64_t{0};
};

// Hears how many positions are stored so far, and what is being done; false: stop (then enumerate returns kCancelled).
using EnumerationProgressFn = std::function<bool(std::uint64_t positions, const char* stage)>;

struct Enumeration {
  std::unique_ptr<PositionStore> store;
  PositionGraph graph;
};

absl::StatusOr<Enumeration> enumerate(const Variant& variant, const Position& start, const EnumerationLimits& limits,
                                      const EnumerationProgressFn& progress = {});

}  // namespace plenum
