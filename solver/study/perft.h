// SPDX-License-Identifier: Apache-2.0
// Perft: how many sequences of moves of a given length there are, the standard check of a move generator.
//
// Sequences that end earlier do not count. Moves that differ in notation are different, also where they lead to one position.
// Thread-safety: uses all cores. Cost: one expansion for every sequence one shorter.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "variants/rules/variant.h"

namespace plenum {

struct Perft {
  std::uint64_t nodes = 0;
  std::vector<std::pair<std::string, std::uint64_t>> divide;  // by first move, in board order
};

// `depth` >= 0; at depth 0 the only sequence is the empty one.
absl::StatusOr<Perft> perft(const Rules& rules, const Position& position, int depth);

}  // namespace plenum
