// SPDX-License-Identifier: Apache-2.0
// Writes what enumeration has found as a graph: final numbers, ends, edges.
//
// Edges are most of what there is, so they are never held twice. Blocks come in the order of the queue. At first their edges are
// put where a part of the graph of kPart positions will be, in the order in which they come, and each block is given back; then each part is put
// in order by itself. What has not been written to takes no memory.
//
// Header only: templates over the size of keys. Thread-safety: uses all cores; the result does not depend on their number.
// Cost: about 10 ns an edge; besides edges 2 bytes a position, and the edges of a few parts.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "solver/graph/found_positions.h"
#include "solver/graph/tier_lists.h"
#include "solver/support/memory.h"
#include "solver/support/parallel.h"
#include "tables/position_graph.h"
#include "variants/rules/variant.h"

namespace plenum {

template <std::size_t kWords>
class GraphWriter {
 public:
  // `symmetry_bits`: below an address in a block. With more positions than `joined_positions` symmetries are kept apart.
  GraphWriter(FoundPositions<kWords>& found, const Variant& variant, int symmetry_bits, std::uint64_t joined_positions)
      : found_(found),
        index_(*found.index),
        variant_(variant),
        symmetry_bits_(symmetry_bits),
        joined_positions_(joined_positions) {}

  // Takes all of `found` but the index, which it settles. `tier_key(position)` tells tiers apart, in their order.
  template <typename TierKey>
  PositionGraph write(const TierKey& tier_key) {
    PositionGraph graph;
    graph.group = variant_.symmetries().group();
    number_positions(graph, tier_key);
    write_ends(graph);
    write_edges(graph);
    release_free_memory();
    return graph;
  }

 private:
  static constexpr int kPartBits = 14;
  static constexpr std::size_t kPart = std::size_t{1} << kPartBits;
  static constexpr std::size_t kBlocksAtATime = 128;
  static constexpr std::size_t kBytesBetweenReleases = 16'000'000;

 public:
  // What writing so many edges of so many positions holds besides them and `found`.
  static std::uint64_t working_bytes(std::uint64_t positions, EdgeIndex edges, std::size_t bytes_per_edge) {
    const std::uint64_t all = edges * bytes_per_edge;
    const std::uint64_t at_a_time = positions <= kPart ? 1 : positions / kPart;
    return std::min(all, all / at_a_time * thread_count()) + std::min<std::uint64_t>(all, kBytesBetweenReleases);
  }

 private:
  // Final numbers: by tier, then by key, so that positions that differ little are near one another in memory.
  template <typename TierKey>
  void number_positions(PositionGraph& graph, const TierKey& tier_key) {
    index_.end_inserting();
    release_free_memory();
    auto tiers = tier_lists(index_, tier_key);
    std::vector<std::deque<Address>*> members;
    PositionIndex total = 0;
    for (auto& [tier, list] : tiers) {
      graph.tier_begin.push_back(total);
      total += static_cast<PositionIndex>(list.size());
      members.push_back(&list);
    }
    graph.tier_begin.push_back(total);
    std::vector<std::vector<PositionIndex>> index_of(kShards);
    for (std::size_t shard = 0; shard < kShards; ++shard) index_of[shard].resize(index_.places(shard));
    for_each_index(members.size(), [&](std::size_t t) {
      std::deque<Address>& list = *members[t];
      // The keys beside them: elsewhere each look at one would miss all caches.
      std::vector<std::pair<Key<kWords>, Address>> sorted;
      sorted.reserve(list.size());
      for (const Address a : list) sorted.emplace_back(index_.key(a), a);
      std::deque<Address>().swap(list);
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t i = 0; i < sorted.size(); ++i) {
        const Address a = sorted[i].second;
        index_of[shard_of(a)][place_of(a)] = graph.tier_begin[t] + static_cast<PositionIndex>(i);
      }
    });
    index_.number(std::move(index_of));
  }

  // Margins as ranks, stabilizers as numbers of one list of subgroups.
  void write_ends(PositionGraph& graph) {
    const PositionIndex total = graph.tier_begin.back();
    std::set<std::int64_t> levels = {0};
    std::map<std::vector<GroupElement>, std::uint16_t> subgroup_number;
    for (const ShardList& list : found_.lists) {
      for (const std::int64_t margin : list.margins) levels.insert(std::abs(margin));
      for (const auto& [subgroup, ignored] : list.subgroups) subgroup_number.emplace(subgroup, 0);
    }
    graph.level.clear();
    absl::flat_hash_map<std::int64_t, MarginRank> rank;
    for (const std::int64_t units : levels) {
      rank[units] = static_cast<MarginRank>(graph.level.size());
      rank[-units] = -static_cast<MarginRank>(graph.level.size());
      graph.level.push_back(Margin{units});
    }
    for (auto& [subgroup, number] : subgroup_number) {
      number = static_cast<std::uint16_t>(graph.subgroups.size());
      graph.subgroups.push_back(subgroup);
    }
    graph.end_rank.assign(total, static_cast<MarginRank>(graph.level.size()));
    if (variant_.symmetries().size() > 1) graph.stabilizer.resize(total);
    for (std::size_t shard = 0; shard < kShards; ++shard) {
      ShardList& list = found_.lists[shard];
      std::vector<MarginRank> rank_of(list.margins.size() + 1, kNotEnded);
      for (std::size_t i = 0; i < list.margins.size(); ++i) rank_of[i + 1] = rank[list.margins[i]];
      std::vector<std::uint16_t> renumber(list.subgroups.size() + 1, 0);
      for (const auto& [subgroup, number] : list.subgroups) renumber[number] = subgroup_number[subgroup];
      for (std::size_t place = 0; place < list.end.size(); ++place) {
        const PositionIndex i = index_.index_of(address(shard, place));
        graph.end_rank.set(i, rank_of[list.end[place]]);
        if (!graph.stabilizer.empty()) graph.stabilizer[i] = renumber[list.stabilizer[place]];
      }
      list = ShardList();
    }
    release_free_memory();
  }

  void write_edges(PositionGraph& graph) {
    const PositionIndex total = graph.tier_begin.back();
    graph.first_edge.assign(std::size_t{total} + 1, found_.edges);
    for (const FoundBlock& block : found_.blocks) {
      for (std::size_t p = 0; p + 1 < block.first.size(); ++p)
        graph.first_edge.set(std::size_t{number_of(block, p)} + 1, block.first[p + 1] - block.first[p]);
    }
    for (std::size_t i = 0; i < total; ++i) graph.first_edge.set(i + 1, graph.first_edge[i + 1] + graph.first_edge[i]);
    graph.edge.resize(found_.edges);
    const bool joined = std::bit_width(total) + symmetry_bits_ <= 32 && total <= joined_positions_;
    if (joined) graph.symmetry_bits = symmetry_bits_;
    if (!joined) graph.symmetry.resize(found_.edges);
    gather_parts(graph);
    for_each_index(order_.size(), [&](std::size_t part) { put_in_order(graph, part); });
  }

  PositionIndex number_of(const FoundBlock& block, std::size_t parent) const {
    return index_.index_of(found_.queue[block.begin + parent]);
  }

  // Puts the edges of each position into its part, and notes in which order.
  void gather_parts(PositionGraph& graph) {
    const std::size_t total = graph.tier_begin.back();
    order_.resize((total + kPart - 1) / kPart);
    std::vector<EdgeIndex> next;
    for (std::size_t part = 0; part < order_.size(); ++part) next.push_back(graph.first_edge[part << kPartBits]);
    std::vector<std::vector<EdgeIndex>> to;
    std::uint64_t freed = 0;
    for (std::size_t begin = 0; begin < found_.blocks.size(); begin += kBlocksAtATime) {
      const std::size_t blocks = std::min(kBlocksAtATime, found_.blocks.size() - begin);
      to.resize(blocks);
      for (std::size_t b = 0; b < blocks; ++b) {
        const FoundBlock& block = found_.blocks[begin + b];
        freed += block.edge.size() * 4;
        to[b].clear();
        for (std::size_t p = 0; p + 1 < block.first.size(); ++p) {
          const PositionIndex number = number_of(block, p);
          const std::size_t part = number >> kPartBits;
          to[b].push_back(next[part]);
          next[part] += block.first[p + 1] - block.first[p];
          order_[part].push_back(static_cast<std::uint16_t>(number % kPart));
        }
      }
      for_each_index(blocks, [&](std::size_t b) { put_in_part(graph, found_.blocks[begin + b], to[b]); });
      if (freed < kBytesBetweenReleases && begin + blocks < found_.blocks.size()) continue;
      release_free_memory();  // the blocks were many small pieces
      freed = 0;
    }
    std::vector<FoundBlock>().swap(found_.blocks);
    std::deque<Address>().swap(found_.queue);
  }

  void put_in_part(PositionGraph& graph, FoundBlock& block, const std::vector<EdgeIndex>& to) const {
    const std::uint32_t mask = (std::uint32_t{1} << symmetry_bits_) - 1;
    const bool joined = graph.symmetry.empty();
    const bool apart = !block.symmetry.empty();
    for (std::size_t p = 0; p < to.size(); ++p) {
      EdgeIndex at = to[p];
      for (std::uint32_t e = block.first[p]; e < block.first[p + 1]; ++e, ++at) {
        const Address address = apart ? block.edge[e] : block.edge[e] >> symmetry_bits_;
        const auto symmetry = apart ? block.symmetry[e] : static_cast<GroupElement>(block.edge[e] & mask);
        const PositionIndex q = index_.index_of(address);
        graph.edge[at] = joined ? q << symmetry_bits_ | symmetry : q;
        if (!joined) graph.symmetry[at] = symmetry;
      }
    }
    block = FoundBlock();
  }

  void put_in_order(PositionGraph& graph, std::size_t part) {
    const std::size_t begin = part << kPartBits;
    const std::size_t end = std::min<std::size_t>(begin + kPart, graph.tier_begin.back());
    const EdgeIndex first = graph.first_edge[begin];
    const EdgeIndex last = graph.first_edge[end];
    const auto arrange = [&](auto& edges) {
      const std::vector<typename std::decay_t<decltype(edges)>::value_type> came(
          edges.begin() + static_cast<std::ptrdiff_t>(first), edges.begin() + static_cast<std::ptrdiff_t>(last));
      auto from = came.begin();
      for (const std::uint16_t p : order_[part]) {
        const auto degree = static_cast<std::ptrdiff_t>(graph.first_edge[begin + p + 1] - graph.first_edge[begin + p]);
        std::copy_n(from, degree, edges.begin() + static_cast<std::ptrdiff_t>(graph.first_edge[begin + p]));
        from += degree;
      }
    };
    arrange(graph.edge);
    if (!graph.symmetry.empty()) arrange(graph.symmetry);
    std::vector<std::uint16_t>().swap(order_[part]);
  }

  FoundPositions<kWords>& found_;
  SparseIndex<kWords>& index_;
  const Variant& variant_;
  const int symmetry_bits_;
  const std::uint64_t joined_positions_;
  std::vector<std::vector<std::uint16_t>> order_;  // of each part: its positions in the order of the queue
};

}  // namespace plenum
