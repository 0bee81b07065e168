// SPDX-License-Identifier: Apache-2.0
#include "solver/dense/dense_game.h"

namespace plenum {

absl::Status read_start(const DenseGame& game, GameResult::Data& data) {
  const absl::StatusOr<PositionValue> value = game.value(data.start);
  if (!value.ok()) return value.status();
  data.start_value = *value;
  absl::Status read = absl::OkStatus();
  const absl::Status opened = find_openings(
      [&](const Position& p) {
        const absl::StatusOr<PositionValue> after = game.value(p);
        if (!after.ok()) read = after.status();
        return after.ok() ? *after : PositionValue();
      },
      data);
  return opened.ok() ? read : opened;
}

}  // namespace plenum
