// SPDX-License-Identifier: Apache-2.0
// What enumeration has found, before it is written as a graph: positions by address, their edges in the order of the queue.
//
// Header only: data. Thread-safety: a shard's list belongs to one thread, and so does a block.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "solver/graph/expansion.h"
#include "solver/graph/observed_tiers.h"
#include "tables/index/sparse_index.h"
#include "variants/board/group.h"
#include "variants/rules/variant.h"

namespace plenum {

// What is known of the positions of a shard, by place. Moved, not copied: last_tier points into in_tier.
struct ShardList {
  ShardList() = default;
  ShardList(ShardList&&) = default;
  ShardList& operator=(ShardList&&) = default;
  std::vector<std::uint32_t> end;  // 0: play goes on; else one more than the place of its margin in `margins`
  std::vector<std::uint16_t> stabilizer;
  std::vector<std::int64_t> margins;  // the different ones that ended positions have, in units
  // Few. An absl::flat_hash_map that finds no memory cannot be destroyed (raw_hash_set::resize in abseil 20220623).
  std::map<std::int64_t, std::uint32_t> margin_place;
  std::vector<Address> fresh;  // put in this round and not ended
  std::map<std::vector<GroupElement>, std::uint16_t> subgroups;
  using Tier = std::pair<std::uint32_t, CountWord>;
  std::map<Tier, std::uint64_t> in_tier;
  std::pair<const Tier, std::uint64_t>* last_tier = nullptr;  // of in_tier: neighbours are alike

  // A position that was put in, at the next place: its margin, or kGoesOn; its numbers of stones, where they are looked at.
  void add(const Tiers& tiers, const SymmetryGroup& symmetries, const Position& canonical, std::int64_t margin,
           CountWord counts) {
    end.push_back(margin == kGoesOn ? 0 : end_of_margin(margin));
    const Tier tier = {tiers.tier(canonical), counts};
    if (last_tier == nullptr || last_tier->first != tier) last_tier = &*in_tier.try_emplace(tier).first;
    ++last_tier->second;
    std::uint16_t number = 0;
    if (symmetries.size() > 1) {
      std::vector<GroupElement> leaving = symmetries.stabilizer(canonical);
      if (leaving.size() > 1) {
        const auto next = static_cast<std::uint16_t>(subgroups.size() + 1);
        number = subgroups.emplace(std::move(leaving), next).first->second;
      }
    }
    stabilizer.push_back(number);
  }
  std::uint32_t end_of_margin(std::int64_t units) {
    const auto [at, fresh_margin] = margin_place.emplace(units, static_cast<std::uint32_t>(margins.size() + 1));
    if (fresh_margin) margins.push_back(units);
    return at->second;
  }
  std::uint64_t bytes() const {
    return end.capacity() * 4 + stabilizer.capacity() * 2 + fresh.capacity() * 4 + margins.capacity() * 32;
  }
};

// A block of expanded positions: queue[begin..] and their successors in order.
struct FoundBlock {
  std::size_t begin = 0;
  std::vector<std::uint32_t> first;    // parents + 1
  std::vector<std::uint32_t> edge;     // an address, and below it the bits of the symmetry
  std::vector<GroupElement> symmetry;  // where they do not fit into one
};

template <std::size_t kWords, typename Blocks = std::vector<FoundBlock>>
struct FoundPositions {
  explicit FoundPositions(Packing packing)
      : index(std::make_unique<SparseIndex<kWords>>(std::move(packing))), lists(kShards) {}

  std::unique_ptr<SparseIndex<kWords>> index;
  std::vector<ShardList> lists;
  std::deque<Address> queue;  // all that have not ended, in the order in which they were expanded
  Blocks blocks;
  std::uint64_t edges = 0;
};

}  // namespace plenum
