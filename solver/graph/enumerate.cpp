// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/enumerate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <mutex>
#include <set>
#include <span>

#include <absl/container/flat_hash_map.h>
#include <absl/strings/str_cat.h>

#include "solver/graph/observed_tiers.h"
#include "solver/support/memory.h"
#include "solver/support/object_pool.h"
#include "solver/support/parallel.h"
#include "tables/index/sparse_index.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kBlock = kLanes;  // positions expanded together
constexpr std::size_t kBlocksPerRound = 64;
constexpr std::uint32_t kLookAhead = 8;  // what is looked up is brought near so many look-ups before
constexpr std::int64_t kGoesOn = std::numeric_limits<std::int64_t>::min();
// What solving holds besides the graph: values, remoteness, facts, lifts, visits for each position; and for the tier at
// hand its predecessors, counters, systems of equations.
constexpr std::uint64_t kBytesPerSolvedPosition = 28;
constexpr double kBytesPerTierPosition = 110;
constexpr double kBytesPerTierEdge = 4;
constexpr double kBytesPerNewPosition = 80;
constexpr double kLeastBytesPerEdge = 12;
constexpr std::uint64_t kFixedBytes = 9'000'000;  // threads, tables, libraries once used
constexpr std::uint64_t kRoundUp = 1'000'000;     // what is asked for is written in whole megabytes

template <std::size_t kWords>
class Enumerator {
 public:
  Enumerator(const Variant& variant, const EnumerationLimits& limits, const EnumerationProgressFn& progress)
      : variant_(variant),
        rules_(variant.rules()),
        symmetries_(variant.symmetries()),
        limits_(limits),
        progress_(progress),
        index_(std::make_unique<SparseIndex<kWords>>(Packing(rules_, !variant.symmetries().has_exchange()))),
        lists_(kShards),
        counts_(rules_.set().layout, symmetries_.has_exchange()),
        rising_(observes() ? counts_.classes() : 0) {}

  absl::StatusOr<Enumeration> run(const Position& start);

 private:
  // What one thread works with.
  struct Local {
    explicit Local(const Rules& rules) : parents(rules.batch()), scratch(rules) { parents.grow(kBlock); }
    PositionBatch parents;
    Rules::Scratch scratch;
    std::vector<std::uint32_t> slot;
    std::array<CountWord, kBlock> counts = {};  // of the parents
  };
  // What is kept of a block of expanded positions: queue_[begin..] and their successors in order.
  struct Block {
    std::size_t begin = 0;
    std::vector<std::uint32_t> first;    // parents + 1
    std::vector<std::uint32_t> edge;     // an address, and below it symmetry_bits_ bits of the symmetry
    std::vector<GroupElement> symmetry;  // where they do not fit into one
  };
  // What a block is worked out in; used again for another block in the next round.
  struct Work {
    std::vector<Key<kWords>> key;  // by successor
    std::vector<std::uint64_t> hash;
    std::vector<std::int64_t> margin;  // kGoesOn, or of an ended one
    std::vector<GroupElement> symmetry;
    std::vector<std::uint32_t> by_shard;  // successors sorted by shard
    std::array<std::uint32_t, kShards + 1> shard_begin = {};
    CountChanges changes;
    absl::Status status;
  };
  // What is known of the positions of a shard, by place.
  struct Lists {
    std::vector<std::int64_t> margin;
    std::vector<std::uint32_t> tier;
    std::vector<std::uint16_t> stabilizer;
    std::vector<Address> fresh;  // put in this round and not ended
    std::map<std::vector<GroupElement>, std::uint16_t> subgroups;
    std::map<std::pair<std::uint32_t, CountWord>, std::uint64_t> in_tier;
  };
  // The tier by the rules, and what was seen to rise inside it.
  using TierKey = std::pair<std::uint32_t, RisingSums::Value>;

  absl::Status expand(Block& block, Work& work);
  void put_in(std::size_t shard, std::span<Block> blocks);
  void note(std::size_t shard, const Position& canonical, std::int64_t margin);
  // How many positions may be expanded next within the memory given; an error if not even one block.
  absl::StatusOr<std::size_t> next_round() const;
  std::uint64_t need() const;
  Enumeration finish(Address start, GroupElement start_lift);
  // Whether tiers may be seen that the rules do not tell. Those of pieces are known, and pieces may share a cell.
  bool observes() const { return !variant_.tiers().acyclic() && !rules_.set().moves.empty(); }
  void note_changes(std::size_t blocks);
  TierKey tier_key(std::uint32_t tier, CountWord counts) const { return {tier, rising_.value(counts)}; }
  // Whether positions with so many places to a shard leave room for the symmetry of an edge.
  bool fits(std::size_t places) const { return places < (std::size_t{1} << (kPlaceBits - symmetry_bits_)); }
  void number_positions(PositionGraph& graph);
  void write_ends(PositionGraph& graph);
  void write_edges(PositionGraph& graph);

  const Variant& variant_;
  const Rules& rules_;
  const SymmetryGroup& symmetries_;
  EnumerationLimits limits_;
  const EnumerationProgressFn& progress_;
  std::unique_ptr<SparseIndex<kWords>> index_;
  std::vector<Lists> lists_;
  std::vector<Block> blocks_;
  std::vector<Work> work_ = std::vector<Work>(kBlocksPerRound);
  std::vector<Address> queue_;
  std::size_t next_ = 0;
  std::uint64_t positions_ = 0;
  std::uint64_t edges_ = 0;
  const int symmetry_bits_ = std::bit_width(symmetries_.size() - 1);
  bool joined_ = true;  // addresses and symmetries of the blocks at hand
  const StoneCounts counts_;
  RisingSums rising_;
  CountChanges changes_;  // that it has heard of
  ObjectPool<Local> locals_{[this] { return std::make_unique<Local>(rules_); }};
};

template <std::size_t kWords>
void Enumerator<kWords>::note(std::size_t shard, const Position& canonical, std::int64_t margin) {
  Lists& list = lists_[shard];
  list.margin.push_back(margin);
  list.tier.push_back(variant_.tiers().tier(canonical));
  ++list.in_tier[{list.tier.back(), rising_.empty() ? 0 : counts_.of(canonical)}];
  std::uint16_t number = 0;
  if (symmetries_.size() > 1) {
    std::vector<GroupElement> stabilizer = symmetries_.stabilizer(canonical);
    if (stabilizer.size() > 1) {
      const auto next = static_cast<std::uint16_t>(list.subgroups.size() + 1);
      number = list.subgroups.emplace(std::move(stabilizer), next).first->second;
    }
  }
  list.stabilizer.push_back(number);
}

template <std::size_t kWords>
absl::Status Enumerator<kWords>::expand(Block& block, Work& work) {
  const auto borrowed = locals_.borrow();
  Local& local = *borrowed;
  const Address* const parents = queue_.data() + block.begin;
  const std::size_t parent_count = block.first.size() - 1;
  for (std::size_t i = 0; i < parent_count; ++i) {
    local.parents.set(i, index_->packing().template unpack<kWords>(index_->key(parents[i])));
  }
  local.parents.size = parent_count;
  RETURN_IF_ERROR(rules_.expand(local.parents, local.scratch));
  const Rules::Scratch& s = local.scratch;
  const std::size_t n = s.successors.size;
  // Counting sort by parent: expand() goes move by move.
  for (std::size_t i = 0; i < n; ++i) ++block.first[s.parent[i] + 1];
  for (std::size_t p = 0; p < parent_count; ++p) block.first[p + 1] += block.first[p];
  local.slot.assign(block.first.begin(), block.first.end() - 1);
  work.key.resize(n);
  work.hash.resize(n);
  work.margin.resize(n);
  work.by_shard.resize(n);
  work.symmetry.resize(n);
  block.edge.resize(n);
  std::array<std::uint32_t, kShards> count = {};
  const bool observes = !rising_.empty();
  for (std::size_t p = 0; observes && p < parent_count; ++p) local.counts[p] = counts_.of(local.parents.at(p));
  Position successor;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t at = local.slot[s.parent[i]]++;
    s.successors.read(i, successor);
    const GroupElement element = symmetries_.canonicalize(successor);
    if (observes) work.changes.add(StoneCounts::change(local.counts[s.parent[i]], counts_.of(successor)));
    work.key[at] = index_->packing().template pack<kWords>(successor);
    work.hash[at] = hash_key(work.key[at]);
    work.margin[at] = s.ended[i] != 0 ? s.margin[i] : kGoesOn;
    work.symmetry[at] = element;
    ++count[shard_of_hash(work.hash[at])];
  }
  work.shard_begin[0] = 0;
  for (std::size_t k = 0; k < kShards; ++k) work.shard_begin[k + 1] = work.shard_begin[k] + count[k];
  std::array<std::uint32_t, kShards> fill;
  std::copy_n(work.shard_begin.begin(), kShards, fill.begin());
  for (std::size_t i = 0; i < n; ++i)
    work.by_shard[fill[shard_of_hash(work.hash[i])]++] = static_cast<std::uint32_t>(i);
  for (std::size_t p = 0; p < parent_count; ++p) {
    if (block.first[p] != block.first[p + 1]) continue;
    ASSIGN_OR_RETURN(const MoverValue stuck, rules_.stuck(local.parents.at(p)));
    lists_[shard_of(parents[p])].margin[place_of(parents[p])] = stuck.margin.units;
  }
  return absl::OkStatus();
}

template <std::size_t kWords>
void Enumerator<kWords>::put_in(std::size_t shard, std::span<Block> blocks) {
  Lists& list = lists_[shard];
  list.fresh.clear();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Work& work = work_[b];
    const std::uint32_t end = work.shard_begin[shard + 1];
    for (std::uint32_t k = work.shard_begin[shard]; k < end; ++k) {
      if (k + 2 * kLookAhead < end) index_->prefetch_slot(shard, work.hash[work.by_shard[k + 2 * kLookAhead]]);
      if (k + kLookAhead < end) index_->prefetch_key(shard, work.hash[work.by_shard[k + kLookAhead]]);
      const std::uint32_t i = work.by_shard[k];
      const auto inserted = index_->insert(shard, work.key[i], work.hash[i]);
      blocks[b].edge[i] = joined_ ? inserted.address << symmetry_bits_ | work.symmetry[i] : inserted.address;
      if (!inserted.fresh) continue;
      note(shard, index_->packing().template unpack<kWords>(work.key[i]), work.margin[i]);
      if (work.margin[i] == kGoesOn) list.fresh.push_back(inserted.address);
    }
  }
}

// The most that enumeration, the change to the final graph, and solving hold at once, if no further position were found.
template <std::size_t kWords>
std::uint64_t Enumerator<kWords>::need() const {
  std::uint64_t lists = queue_.capacity() * sizeof(Address) + blocks_.capacity() * sizeof(Block);
  std::map<TierKey, std::uint64_t> in_tier;
  for (const Lists& l : lists_) {
    lists += l.margin.capacity() * 8 + l.tier.capacity() * 4 + l.stabilizer.capacity() * 2 + l.fresh.capacity() * 4;
    for (const auto& [key, n] : l.in_tier) in_tier[tier_key(key.first, key.second)] += n;
  }
  std::uint64_t working = 0;
  for (const Work& w : work_)
    working += w.key.capacity() * sizeof(Key<kWords>) + w.hash.capacity() * 8 + w.margin.capacity() * 8 +
               w.by_shard.capacity() * 4 + w.symmetry.capacity() * 2;
  std::uint64_t widest = 0;
  for (const auto& [tier, n] : in_tier) widest = std::max(widest, n);
  const std::uint64_t edge = joined_ ? 4 : 6;
  const std::uint64_t kept = edges_ * edge + next_ * 4;
  const std::uint64_t graph = edges_ * edge + positions_ * (8 + 4 + 2);
  const double mean = next_ == 0 ? 0 : static_cast<double>(edges_) / static_cast<double>(next_);
  const std::uint64_t numbers = positions_ * 4;
  const std::uint64_t now = index_->bytes() + lists + kept + working;
  const std::uint64_t finishing = index_->bytes() + lists + kept + numbers + graph;
  const std::uint64_t tier =
      static_cast<std::uint64_t>(static_cast<double>(widest) * (kBytesPerTierPosition + kBytesPerTierEdge * mean));
  const std::uint64_t solving = index_->bytes() + graph + positions_ * kBytesPerSolvedPosition + tier;
  return base_memory() + limits_.held_bytes + kFixedBytes + std::max({now, finishing, solving}) / 16 * 19;
}

// What the moves of these blocks did to the numbers of stones.
template <std::size_t kWords>
void Enumerator<kWords>::note_changes(std::size_t blocks) {
  if (rising_.empty()) return;
  bool fresh = false;
  for (std::size_t b = 0; b < blocks; ++b) {
    for (const CountChange change : work_[b].changes.all()) fresh = changes_.add(change) || fresh;
  }
  if (fresh) rising_.note(changes_.all());
}

template <std::size_t kWords>
absl::StatusOr<std::size_t> Enumerator<kWords>::next_round() const {
  const std::uint64_t least = need();
  const std::uint64_t waiting = queue_.size() - next_;
  const double moves = next_ == 0 ? rules_.board().size() : static_cast<double>(edges_) / static_cast<double>(next_);
  // What expanding one more position may take at worst: all its successors new, twice as many as is usual.
  const double each = (2 * moves + 1) * (kBytesPerNewPosition + 16 * kWords);
  const double left = (static_cast<double>(limits_.memory_bytes) - static_cast<double>(least)) / 2;
  const bool full = std::any_of(lists_.begin(), lists_.end(), [](const Lists& l) {
    return l.margin.size() + kBlock * kBlocksPerRound * 64 > kMaxPlaces;
  });
  if (!full && left > 0 && (waiting == 0 || left >= each * kBlock)) {
    const auto blocks = static_cast<std::size_t>(std::min<double>(left / each / kBlock, kBlocksPerRound));
    return std::min<std::size_t>(waiting, blocks * kBlock);
  }
  const auto rest = static_cast<std::uint64_t>(
      std::max(static_cast<double>(waiting) * moves * kLeastBytesPerEdge, 2 * each * kBlock));
  return absl::ResourceExhaustedError(absl::StrCat(
      full ? "more positions than this index can number" : "memory", ": ", variant_.description().name, " on ",
      variant_.board().name(), ": ", positions_, " positions were found (up to symmetry) before the ",
      memory_text(limits_.memory_bytes), " given would have been used up",
      limits_.held_bytes == 0 ? "" : absl::StrCat(" (", memory_text(limits_.held_bytes), " of it by another game)"),
      "; ", waiting, " of them are not yet followed up, so it takes at least ", memory_text(least + rest + kRoundUp),
      " in all\n  give more with --memory, or take a smaller board with --board"));
}

template <std::size_t kWords>
absl::StatusOr<Enumeration> Enumerator<kWords>::run(const Position& start) {
  Position first = start;
  const GroupElement element = symmetries_.canonicalize(first);
  ASSIGN_OR_RETURN(const EndState end, end_state(rules_, start));
  const Key<kWords> key = index_->packing().template pack<kWords>(first);
  const std::uint64_t hash = hash_key(key);
  const Address address = index_->insert(shard_of_hash(hash), key, hash).address;
  note(shard_of_hash(hash), first, end.ended ? end.margin.margin.units : kGoesOn);
  positions_ = 1;
  if (!end.ended) queue_.push_back(address);
  while (next_ < queue_.size()) {
    ASSIGN_OR_RETURN(const std::size_t round_size, next_round());
    if (progress_ && !progress_(positions_, "positions")) return absl::CancelledError("interrupted");
    if (positions_ > limits_.most_positions)
      return absl::OutOfRangeError(absl::StrCat("more than ", limits_.most_positions, " positions are reachable"));
    const std::size_t round = blocks_.size();
    for (const std::size_t round_end = next_ + round_size; next_ < round_end;) {
      const std::size_t count = std::min(kBlock, round_end - next_);
      blocks_.push_back({next_, std::vector<std::uint32_t>(count + 1, 0), {}, {}});
      next_ += count;
    }
    const std::span<Block> blocks(blocks_.begin() + static_cast<std::ptrdiff_t>(round), blocks_.end());
    for_each_index(blocks.size(), [&](std::size_t b) { work_[b].status = expand(blocks[b], work_[b]); });
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      RETURN_IF_ERROR(work_[b].status);
    }
    note_changes(blocks.size());
    std::size_t most = 0;
    for (const Lists& list : lists_) most = std::max(most, list.margin.size());
    for (const Block& block : blocks) most += block.edge.size();
    joined_ = joined_ && fits(most) && positions_ <= limits_.joined_positions;
    for_each_index(kShards, [&](std::size_t shard) { put_in(shard, blocks); });
    positions_ = 0;
    for (const Lists& list : lists_) {
      queue_.insert(queue_.end(), list.fresh.begin(), list.fresh.end());
      positions_ += list.margin.size();
    }
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      edges_ += blocks[b].edge.size();
      if (!joined_) blocks[b].symmetry = work_[b].symmetry;
    }
  }
  RETURN_IF_ERROR(next_round().status());
  if (progress_ && !progress_(positions_, "graph")) return absl::CancelledError("interrupted");
  return finish(address, symmetries_.group().inverse(element));
}

template <std::size_t kWords>
Enumeration Enumerator<kWords>::finish(Address start, GroupElement start_lift) {
  work_.clear();
  work_.shrink_to_fit();
  Enumeration out;
  PositionGraph& graph = out.graph;
  graph.group = symmetries_.group();
  graph.start_lift = start_lift;
  number_positions(graph);
  write_ends(graph);
  write_edges(graph);
  release_free_memory();  // the blocks were many small pieces
  graph.start = index_->index_of(start);
  index_->settle();
  out.store = std::move(index_);
  return out;
}

// Final numbers: by tier, then by key, so that positions that differ little are near one another in memory.
template <std::size_t kWords>
void Enumerator<kWords>::number_positions(PositionGraph& graph) {
  std::map<TierKey, std::vector<Address>> tiers;
  for (std::size_t shard = 0; shard < kShards; ++shard) {
    for (std::size_t place = 0; place < lists_[shard].tier.size(); ++place) {
      const Address a = address(shard, place);
      const CountWord counts =
          rising_.empty() ? 0 : counts_.of(index_->packing().template unpack<kWords>(index_->key(a)));
      tiers[tier_key(lists_[shard].tier[place], counts)].push_back(a);
    }
    std::vector<std::uint32_t>().swap(lists_[shard].tier);
  }
  std::vector<std::vector<Address>*> members;
  PositionIndex total = 0;
  for (auto& [tier, list] : tiers) {
    graph.tier_begin.push_back(total);
    total += static_cast<PositionIndex>(list.size());
    members.push_back(&list);
  }
  graph.tier_begin.push_back(total);
  std::vector<std::vector<PositionIndex>> index_of(kShards);
  for (std::size_t shard = 0; shard < kShards; ++shard) index_of[shard].resize(index_->places(shard));
  for_each_index(members.size(), [&](std::size_t t) {
    std::vector<Address>& list = *members[t];
    std::vector<std::pair<Key<kWords>, Address>>
        sorted;  // the keys beside them: elsewhere each look at one would miss all caches
    sorted.reserve(list.size());
    for (const Address a : list) sorted.emplace_back(index_->key(a), a);
    std::vector<Address>().swap(list);
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const Address a = sorted[i].second;
      index_of[shard_of(a)][place_of(a)] = graph.tier_begin[t] + static_cast<PositionIndex>(i);
    }
  });
  index_->number(std::move(index_of));
}

// Margins as ranks, stabilizers as numbers of one list of subgroups.
template <std::size_t kWords>
void Enumerator<kWords>::write_ends(PositionGraph& graph) {
  const PositionIndex total = graph.tier_begin.back();
  std::set<std::int64_t> levels = {0};
  std::map<std::vector<GroupElement>, std::uint16_t> subgroup_number;
  for (const Lists& list : lists_) {
    for (const std::int64_t margin : list.margin) {
      if (margin != kGoesOn) levels.insert(std::abs(margin));
    }
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
  graph.end_rank.resize(total);
  if (symmetries_.size() > 1) graph.stabilizer.resize(total);
  for (std::size_t shard = 0; shard < kShards; ++shard) {
    Lists& list = lists_[shard];
    std::vector<std::uint16_t> renumber(list.subgroups.size() + 1, 0);
    for (const auto& [subgroup, number] : list.subgroups) renumber[number] = subgroup_number[subgroup];
    for (std::size_t place = 0; place < list.margin.size(); ++place) {
      const PositionIndex i = index_->index_of(address(shard, place));
      graph.end_rank[i] = list.margin[place] == kGoesOn ? kNotEnded : rank[list.margin[place]];
      if (!graph.stabilizer.empty()) graph.stabilizer[i] = renumber[list.stabilizer[place]];
    }
    list = Lists();
  }
}

template <std::size_t kWords>
void Enumerator<kWords>::write_edges(PositionGraph& graph) {
  const PositionIndex total = graph.tier_begin.back();
  graph.first_edge.assign(std::size_t{total} + 1, 0);
  for (const Block& block : blocks_) {
    for (std::size_t p = 0; p + 1 < block.first.size(); ++p)
      graph.first_edge[std::size_t{index_->index_of(queue_[block.begin + p])} + 1] =
          block.first[p + 1] - block.first[p];
  }
  for (std::size_t i = 0; i < total; ++i) graph.first_edge[i + 1] += graph.first_edge[i];
  graph.edge.resize(edges_);
  const bool joined = std::bit_width(total) + symmetry_bits_ <= 32 && total <= limits_.joined_positions;
  if (joined) graph.symmetry_bits = symmetry_bits_;
  if (!joined) graph.symmetry.resize(edges_);
  const std::uint32_t mask = (std::uint32_t{1} << symmetry_bits_) - 1;
  for_each_index(blocks_.size(), [&](std::size_t b) {
    Block& block = blocks_[b];
    for (std::size_t p = 0; p + 1 < block.first.size(); ++p) {
      const EdgeIndex to = graph.first_edge[index_->index_of(queue_[block.begin + p])];
      for (std::uint32_t e = block.first[p]; e < block.first[p + 1]; ++e) {
        const bool apart = !block.symmetry.empty();
        const Address address = apart ? block.edge[e] : block.edge[e] >> symmetry_bits_;
        const auto symmetry = apart ? block.symmetry[e] : static_cast<GroupElement>(block.edge[e] & mask);
        const PositionIndex q = index_->index_of(address);
        graph.edge[to + e - block.first[p]] = joined ? q << symmetry_bits_ | symmetry : q;
        if (!joined) graph.symmetry[to + e - block.first[p]] = symmetry;
      }
    }
    block = Block();
  });
  std::vector<Block>().swap(blocks_);
  std::vector<Address>().swap(queue_);
}

}  // namespace

absl::StatusOr<Enumeration> enumerate(const Variant& variant, const Position& start, const EnumerationLimits& limits,
                                      const EnumerationProgressFn& progress) {
  const int words = Packing(variant.rules(), !variant.symmetries().has_exchange()).words();
  if (words == 1) return Enumerator<1>(variant, limits, progress).run(start);
  if (words == 2) return Enumerator<2>(variant, limits, progress).run(start);
  if (words == 4) return Enumerator<4>(variant, limits, progress).run(start);
  return Enumerator<8>(variant, limits, progress).run(start);
}

}  // namespace plenum
