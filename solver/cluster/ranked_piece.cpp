// SPDX-License-Identifier: Apache-2.0
#include "solver/cluster/ranked_piece.h"

#include <utility>

#include "variants/text/status_macros.h"

namespace plenum {

absl::Status save_ranked(const Checkpoint& checkpoint, const std::string& name, const std::string& header,
                         std::span<const RankedLayer> layers, Ranks& ranks) {
  absl::StatusOr<std::string> path = std::string();
  if (ranks.root()) path = checkpoint.new_piece(name);
  RETURN_IF_ERROR(ranks.agree(path.status()));
  RankedTable table(ranks);
  RETURN_IF_ERROR(table.create(*path, header));
  for (const RankedLayer& layer : layers) {
    RETURN_IF_ERROR(table.write(layer.name, layer.bytes, layer.own));
  }
  return table.finish(checkpoint.game());
}

std::optional<std::shared_ptr<TableReader>> load_ranked(const Checkpoint& checkpoint, const std::string& name,
                                                        Ranks& ranks) {
  std::optional<std::shared_ptr<TableReader>> out;
  if (ranks.root()) out = checkpoint.load(name);
  if (!ranks.any(out.has_value())) return std::nullopt;
  if (!ranks.root()) out = checkpoint.open_checked(name);
  if (ranks.any(!out.has_value())) return std::nullopt;
  return out;
}

}  // namespace plenum
