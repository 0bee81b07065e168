// SPDX-License-Identifier: Apache-2.0
#include "solver/result/measures.h"

#include "solver/cluster/ranks.h"

namespace plenum {

Measures measures_of_ranks(const std::map<int, MoveCounts>& own, Ranks& ranks) {
  Parcel bytes;
  for (const auto& [stones, counts] : own) {
    put(bytes, stones);
    put(bytes, counts);
  }
  Measures out;
  for (const Parcel& parcel : ranks.gather(bytes)) {
    for (ParcelReader reader(parcel); !reader.empty();) {
      const int stones = reader.get<int>();
      const auto counts = reader.get<MoveCounts>();
      out.by_stones[stones] += counts;
      out.all += counts;
    }
  }
  return out;
}

}  // namespace plenum
