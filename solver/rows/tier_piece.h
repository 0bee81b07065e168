// SPDX-License-Identifier: Apache-2.0
// Some tiers' bytes of a dense index in a checkpoint: saved when they are done, and taken up by the next run.
//
// Thread-safety: none.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solver/rows/row_sweep.h"
#include "tables/file/checkpoint.h"

namespace plenum {

// Boards from begin to end.
struct TierPiece {
  std::string name;
  BoardIndex begin = 0;
  BoardIndex end = 0;
};

// Layers of the whole board by name; of a piece they are kept state by state.
using NamedLayers = std::vector<std::pair<std::string, StateBytes*>>;

// False if it was not saved. `more`: a layer besides, of as many bytes.
bool load_piece(const Checkpoint& checkpoint, const TierPiece& piece, const NamedLayers& layers,
                std::span<std::uint8_t> more = {});
absl::Status save_piece(const Checkpoint& checkpoint, const TierPiece& piece, const NamedLayers& layers,
                        std::span<const std::uint8_t> more = {});

}  // namespace plenum
