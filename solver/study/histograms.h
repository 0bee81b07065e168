// SPDX-License-Identifier: Apache-2.0
// How the positions of a solved game are spread: by margin, by plies to the end, by the stones on the board. By whatever method it was solved.
//
// Counted are unreduced positions that are reachable (of endings: legal) and have not ended.
//
// Thread-safety: the result does not depend on the number of threads. Cost: a look at each position, or at one of each class of images
// (Result::folds); uses all cores.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "solver/cluster/ranks.h"
#include "solver/result/result.h"

namespace plenum {

// A position from which nobody takes longer to win.
struct LongestWin {
  std::uint32_t plies = 0;
  Position position;  // one of them, whatever the method
};

struct Histograms {
  using Outcomes = std::array<std::uint64_t, 4>;  // by Outcome
  std::uint64_t positions = 0;
  std::uint64_t ended = 0;  // besides
  std::map<FirstValue, std::uint64_t> margins;
  std::map<std::uint32_t, std::uint64_t> plies;  // of positions whose remoteness is known
  std::map<int, Outcomes> stones;
  // By winner: the same plies, and the longest; nothing of a player who wins nowhere, or whose plies are not known.
  std::array<std::map<std::uint32_t, std::uint64_t>, 2> wins;
  std::array<std::optional<LongestWin>, 2> longest;
};

// `go_on` hears how many positions were looked at, and says whether to go on: kCancelled if not. kUnimplemented, as a clause, of a
// method that does not hand out its positions. Of several ranks collective: of a result that all have opened, each with its share of the
// looks, or have in parts (PartedResult); `go_on` is the root's.
absl::StatusOr<Histograms> histograms(const Result& game, Ranks& ranks = Ranks::alone(),
                                      const std::function<bool(std::uint64_t positions)>& go_on = {});

}  // namespace plenum
