// SPDX-License-Identifier: Apache-2.0
// The positions of an index by their tiers.
//
// Header only: a template over the size of keys. Thread-safety: uses all cores; the result does not depend on their number.
// Cost: a position unpacked and its tier worked out; 4 bytes a position.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "solver/support/parallel.h"
#include "tables/index/sparse_index.h"

namespace plenum {

// `tier_key(position)` tells tiers apart, in their order. In a tier, addresses are by shard and place.
template <std::size_t kWords, typename TierKeyFn>
auto tier_lists(const SparseIndex<kWords>& index, const TierKeyFn& tier_key) {
  using TierKey = decltype(tier_key(Position()));
  struct Shard {
    std::map<TierKey, std::uint32_t> number;
    std::vector<std::uint32_t> number_of;  // by place
  };
  std::vector<Shard> shards(kShards);
  for_each_index(kShards, [&](std::size_t s) {
    Shard& shard = shards[s];
    shard.number_of.reserve(index.places(s));
    auto last = shard.number.end();  // neighbours are alike
    for (std::size_t place = 0; place < index.places(s); ++place) {
      const TierKey key = tier_key(index.packing().template unpack<kWords>(index.key(address(s, place))));
      if (last == shard.number.end() || last->first != key)
        last = shard.number.emplace(key, static_cast<std::uint32_t>(shard.number.size())).first;
      shard.number_of.push_back(last->second);
    }
  });
  std::map<TierKey, std::deque<Address>> out;
  for (std::size_t s = 0; s < kShards; ++s) {
    const Shard shard = std::move(shards[s]);
    std::vector<std::deque<Address>*> lists(shard.number.size());
    for (const auto& [key, number] : shard.number) lists[number] = &out[key];
    for (std::size_t place = 0; place < shard.number_of.size(); ++place)
      lists[shard.number_of[place]]->push_back(address(s, place));
  }
  return out;
}

}  // namespace plenum
