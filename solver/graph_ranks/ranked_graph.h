// SPDX-License-Identifier: Apache-2.0
// A rank's part of the graph of stored positions (tables/position_graph.h): some positions of every tier, with all their moves.
//
// A tier's positions are numbered as in the graph of one process, by their keys, and every rank has a piece of these numbers. Small tiers
// are dealt out evenly; pieces of the others take about as much work (tier_shares.h), and begin at whole multiples of kParallelGrain, so
// that sums over them can be taken in the order in which one process takes them. A rank calls its own positions by place: tier after tier, in the order of their numbers.
//
// An edge is a code: the rank that has the position it leads to, the place there, whether play has ended there, and the symmetry. Codes
// take 4 bytes, or 8 where places are too many.
//
// Thread-safety: plain data.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/support/memory.h"
#include "tables/position_graph.h"

namespace plenum {

struct RankedEdge {
  std::size_t rank = 0;
  PositionIndex place = 0;
  bool ended = false;
  GroupElement symmetry = kIdentity;
};

// How codes are laid out, from the highest bit: rank, place, ended, symmetry.
class EdgeCoding {
 public:
  EdgeCoding() = default;
  EdgeCoding(int ranks, std::size_t symmetries, std::uint64_t places, std::size_t least_wide)
      : symmetry_bits_(std::bit_width(symmetries - 1)) {
    const int rank_bits = std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1))));
    wide_ = places >= least_wide || std::bit_width(places) + rank_bits + 1 + symmetry_bits_ > 32;
    rank_shift_ = (wide_ ? 64 : 32) - rank_bits;
  }
  bool wide() const { return wide_; }
  std::uint64_t code(const RankedEdge& e) const {
    return static_cast<std::uint64_t>(e.rank) << rank_shift_ |
           (std::uint64_t{e.place} << 1 | (e.ended ? 1 : 0)) << symmetry_bits_ | e.symmetry;
  }
  RankedEdge edge(std::uint64_t code) const {
    const std::uint64_t rest = code & ((std::uint64_t{1} << rank_shift_) - 1);
    return {code >> rank_shift_, static_cast<PositionIndex>(rest >> (symmetry_bits_ + 1)),
            (rest >> symmetry_bits_ & 1) != 0,
            static_cast<GroupElement>(rest & ((std::uint64_t{1} << symmetry_bits_) - 1))};
  }

 private:
  int symmetry_bits_ = 0;
  int rank_shift_ = 31;
  bool wide_ = false;
};

class EdgeCodes {
 public:
  void assign(std::size_t size, const EdgeCoding& coding) {
    coding_ = coding;
    if (coding.wide()) {
      wide_.resize(size);
    } else {
      narrow_.resize(size);
    }
  }
  std::size_t size() const { return coding_.wide() ? wide_.size() : narrow_.size(); }
  std::size_t bytes() const { return narrow_.capacity() * 4 + wide_.capacity() * 8; }
  const EdgeCoding& coding() const { return coding_; }
  RankedEdge operator[](std::size_t i) const { return coding_.edge(coding_.wide() ? wide_[i] : narrow_[i]); }
  void set(std::size_t i, const RankedEdge& e) { set_code(i, coding_.code(e)); }
  std::uint64_t code(std::size_t i) const { return coding_.wide() ? wide_[i] : narrow_[i]; }
  // Where it is: 8 bytes where the coding is wide, 4 otherwise.
  const void* at(std::size_t i) const {
    return coding_.wide() ? static_cast<const void*>(&wide_[i]) : static_cast<const void*>(&narrow_[i]);
  }
  void set_code(std::size_t i, std::uint64_t code) {
    if (coding_.wide()) {
      wide_[i] = code;
    } else {
      narrow_[i] = static_cast<std::uint32_t>(code);
    }
  }
  // Of one, in bytes.
  std::size_t code_bytes() const { return coding_.wide() ? sizeof(std::uint64_t) : sizeof(std::uint32_t); }
  std::uint8_t* bytes_at(std::size_t i) {
    return coding_.wide() ? reinterpret_cast<std::uint8_t*>(wide_.data() + i)
                          : reinterpret_cast<std::uint8_t*>(narrow_.data() + i);
  }
  // visit(edge) for those from `begin` to `end`.
  template <typename Visit>
  void each(std::size_t begin, std::size_t end, const Visit& visit) const {
    const EdgeCoding coding = coding_;
    if (coding.wide()) {
      for (std::size_t i = begin; i < end; ++i) visit(coding.edge(wide_[i]));
    } else {
      const std::uint32_t* const codes = narrow_.data();
      for (std::size_t i = begin; i < end; ++i) visit(coding.edge(codes[i]));
    }
  }
  // Gives back the memory of those from `begin` to `end`: they are not read any more.
  void release(std::size_t begin, std::size_t end) {
    if (coding_.wide()) {
      release_pages(wide_.data() + begin, (end - begin) * sizeof(std::uint64_t));
    } else {
      release_pages(narrow_.data() + begin, (end - begin) * sizeof(std::uint32_t));
    }
  }
  void clear() {
    UnsetVector<std::uint32_t>().swap(narrow_);
    UnsetVector<std::uint64_t>().swap(wide_);
  }

 private:
  EdgeCoding coding_;
  UnsetVector<std::uint32_t> narrow_;
  UnsetVector<std::uint64_t> wide_;
};

struct RankedGraph {
  std::vector<std::vector<PositionIndex>> begin;  // by rank and tier: its first place there; tiers + 1
  RowOffsets first_edge;                          // by place + 1
  EdgeCodes edge;
  EndRanks end_rank;                      // by place
  std::vector<std::uint16_t> stabilizer;  // by place, or empty
  std::vector<std::uint8_t> keys;         // by place: the packed position, as in a table
  std::size_t key_bytes = 1;
  std::vector<std::vector<GroupElement>> subgroups = {{kIdentity}};
  std::vector<Margin> level = {Margin{0}};
  Group group;
  std::size_t rank = 0;  // this one
  // On all ranks.
  RankedEdge start;
  std::vector<GroupElement> start_stabilizer;
  GroupElement start_lift = kIdentity;
  std::uint64_t positions = 0;
  std::uint64_t edges = 0;

  std::size_t size() const { return end_rank.size(); }
  std::size_t ranks() const { return begin.size(); }
  std::size_t tiers() const { return begin.front().size() - 1; }
  PositionIndex tier_begin(std::size_t t) const { return begin[rank][t]; }
  PositionIndex tier_end(std::size_t t) const { return begin[rank][t + 1]; }
  bool ended(PositionIndex p) const { return end_rank.ended(p); }
  std::uint32_t degree(PositionIndex p) const { return static_cast<std::uint32_t>(first_edge[p + 1] - first_edge[p]); }
  std::span<const GroupElement> stabilizer_of(PositionIndex p) const {
    return subgroups[stabilizer.empty() ? 0 : stabilizer[p]];
  }
  // visit(edge) for those from p.
  template <typename Visit>
  void each_edge(PositionIndex p, const Visit& visit) const {
    edge.each(first_edge[p], first_edge[p + 1], visit);
  }
  // Whether all positions are no more than the edges of a rank in the mean: something of each can be held beside these. The same on all ranks.
  bool edges_outnumber_positions() const { return positions <= edges / ranks(); }
  // Positions, and those of the tier, by rank.
  std::vector<std::uint64_t> sizes() const {
    std::vector<std::uint64_t> out;
    for (const auto& of_rank : begin) out.push_back(of_rank.back());
    return out;
  }
  std::vector<std::uint64_t> tier_sizes(std::size_t t) const {
    std::vector<std::uint64_t> out;
    for (const auto& of_rank : begin) out.push_back(of_rank[t + 1] - of_rank[t]);
    return out;
  }
  // Positions of the tier, and of these the ones that lower ranks have.
  std::uint64_t tier_size(std::size_t t) const { return before(ranks(), t); }
  std::uint64_t before(std::size_t of_rank, std::size_t t) const {
    std::uint64_t sum = 0;
    for (std::size_t r = 0; r < of_rank; ++r) sum += begin[r][t + 1] - begin[r][t];
    return sum;
  }
  MoverValue margin(MarginRank of) const {
    return {of >= 0 ? level[static_cast<std::size_t>(of)] : -level[static_cast<std::size_t>(-of)]};
  }
};

// Which edges from a tier stay inside it.
class TierPlaces {
 public:
  TierPlaces(const RankedGraph& graph, std::size_t tier) {
    for (const auto& of_rank : graph.begin) {
      begin_.push_back(of_rank[tier]);
      end_.push_back(of_rank[tier + 1]);
    }
  }
  // Whether an edge from the tier leads to a position of it that has not ended: no successor lies in a lower tier.
  bool inner(const RankedEdge& e) const { return !e.ended && e.place < end_[e.rank]; }
  // Of an inner edge: the place among its rank's positions of the tier.
  PositionIndex at(const RankedEdge& e) const { return e.place - begin_[e.rank]; }

 private:
  std::vector<PositionIndex> begin_;  // by rank
  std::vector<PositionIndex> end_;
};

}  // namespace plenum
