// SPDX-License-Identifier: Apache-2.0
#include "solver/dense/parted_bytes.h"

#include <algorithm>

namespace plenum {

absl::StatusOr<std::uint8_t> PartedBytes::at(DenseLayer layer, std::uint32_t part, std::uint64_t byte) const {
  const std::vector<Segment>& own = of(layer)[part].own;
  const auto after = std::upper_bound(own.begin(), own.end(), byte,
                                      [](std::uint64_t at, const Segment& segment) { return at < segment.begin; });
  const Segment* const segment = after == own.begin() ? nullptr : &*std::prev(after);
  const bool here = segment != nullptr && byte - segment->begin < segment->bytes.size();
  // One rank has it.
  return static_cast<std::uint8_t>(ranks_.sum(here ? segment->bytes[byte - segment->begin] : 0));
}

PartedBytes::Part PartedBytes::whole(DenseLayer layer) const {
  Part out;
  for (const Part& part : of(layer)) {
    for (const Segment& segment : part.own) out.own.push_back({out.bytes + segment.begin, segment.bytes});
    out.bytes += part.bytes;
  }
  return out;
}

}  // namespace plenum
