// SPDX-License-Identifier: Apache-2.0
// Some tiers' bytes of a dense index in a checkpoint: saved when they are done, and taken up by the next run, by however many ranks. A
// piece is the same, byte for byte, for any number of them.
//
// Thread-safety: collective, from the main thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solver/rows/row_mirror.h"
#include "tables/file/checkpoint.h"

namespace plenum {

// Boards from begin to end, of which this rank has its own.
struct TierPiece {
  // The tiers from `stones` to before `until`; named after the first.
  static TierPiece of(const std::string& kind, const DenseIndex& index, int stones, int until, const Ranks& ranks);
  std::string name;
  BoardIndex begin = 0;
  BoardIndex end = 0;
  std::vector<Share> own;
};

// Layers of the whole board by name; of a piece they are kept state by state.
using NamedLayers = std::vector<std::pair<std::string, BoardBytes*>>;

// False if it was not saved. `more`: a layer besides, of as many bytes, which the root has.
bool load_piece(const Checkpoint& checkpoint, const TierPiece& piece, const NamedLayers& layers,
                Ranks& ranks = Ranks::alone(), std::span<std::uint8_t> more = {});
absl::Status save_piece(const Checkpoint& checkpoint, const TierPiece& piece, const NamedLayers& layers,
                        Ranks& ranks = Ranks::alone(), std::span<const std::uint8_t> more = {});

}  // namespace plenum
