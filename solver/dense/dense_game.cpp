// SPDX-License-Identifier: Apache-2.0
#include "solver/dense/dense_game.h"

#include <algorithm>

namespace plenum {

absl::StatusOr<std::vector<std::optional<PositionValue>>> DenseGame::values(std::span<const Position> positions) const {
  std::vector<std::optional<PositionValue>> out(positions.size());
  const auto judged = judged_.borrow();
  for (std::size_t begin = 0; begin < positions.size(); begin += Judged::kMost) {
    const std::size_t count = std::min(Judged::kMost, positions.size() - begin);
    judged->clear();
    for (const Position& p : positions.subspan(begin, count)) judged->ask(p);
    judged->look(wanted());
    absl::Status done = read_values(positions.subspan(begin, count), *judged, std::span(out).subspan(begin, count));
    if (!done.ok()) return done;
  }
  return out;
}

absl::StatusOr<PositionValue> DenseGame::value(const Position& position) const {
  const absl::StatusOr<std::vector<std::optional<PositionValue>>> found = values({&position, 1});
  if (!found.ok()) return found.status();
  if (found->front()) return *found->front();
  return absl::NotFoundError("this position has no value: it is not reachable from the start");
}

}  // namespace plenum
