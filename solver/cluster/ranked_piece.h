// SPDX-License-Identifier: Apache-2.0
// Pieces of a checkpoint that all ranks write and read together: the same file as one process writes (tables/file/checkpoint.h).
//
// Thread-safety: collective, from the main thread; what they give is the same on all ranks.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solver/cluster/ranked_table.h"
#include "tables/file/checkpoint.h"

namespace plenum {

struct RankedLayer {
  std::string name;
  std::uint64_t bytes = 0;   // of all ranks
  std::vector<Segment> own;  // in rising order
};

absl::Status save_ranked(const Checkpoint& checkpoint, const std::string& name, const std::string& header,
                         std::span<const RankedLayer> layers, Ranks& ranks);
// None if it was not saved, or is damaged. The root alone reads all of it, to know that it is sound; whoever reads a part of it
// afterwards is told if that is not.
std::optional<std::shared_ptr<TableReader>> load_ranked(const Checkpoint& checkpoint, const std::string& name,
                                                        Ranks& ranks);

}  // namespace plenum
