// SPDX-License-Identifier: Apache-2.0
// What verifying a table of any kind takes: all cores, memory, and what follows from the replies to a position.
// Thread-safety: plain data and functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "absl/status/status.h"

#include "solver/result/solution.h"

namespace plenum {

inline constexpr std::uint64_t kVerifiedPiece = 1024;  // of places, looked at in one go

// Calls look(from, to) for pieces of the places from begin to end, on all cores, and go_on(at) now and then. The error of the first piece
// that has one; kCancelled where go_on says false.
absl::Status for_pieces(std::uint64_t begin, std::uint64_t end, const std::function<bool(std::uint64_t at)>& go_on,
                        const std::function<absl::Status(std::uint64_t from, std::uint64_t to)>& look);

// kResourceExhausted if it is more than is allowed. `needs`: "needs" or "needs more than".
absl::Status allow_verifying(const Variant& variant, const char* needs, std::uint64_t bytes, std::uint64_t allowed);

// The best of the replies to a position for its mover, and how long play takes: who wins wants the fewest plies, who loses the most.
struct BestReply {
  bool any = false;
  std::int64_t value = 0;  // to the mover
  std::uint32_t fewest = 0;
  std::uint32_t most = 0;
  void take(std::int64_t reply, std::uint32_t its_plies) {
    if (!any || reply > value) {
      *this = {true, reply, its_plies, its_plies};
    } else if (reply == value) {
      fewest = std::min(fewest, its_plies);
      most = std::max(most, its_plies);
    }
  }
  std::uint32_t plies() const { return value == 0 ? 0 : 1 + (value > 0 ? fewest : most); }
};

}  // namespace plenum
