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

#include "solver/graph/edge_turn.h"
#include "solver/graph/expansion.h"
#include "solver/graph/found_positions.h"
#include "solver/graph/graph_writer.h"
#include "solver/graph/lifts.h"
#include "solver/graph/observed_tiers.h"
#include "solver/support/memory.h"
#include "solver/support/parallel.h"
#include "tables/index/sparse_index.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kBlock = kExpandedTogether;
constexpr std::size_t kBlocksPerRound = 64;
constexpr std::uint32_t kLookAhead = 8;  // what is looked up is brought near so many look-ups before
// What is held besides the graph and lifts: by random play fates, and for the tier at hand visits, systems of equations, moves of a
// component; by what solves it values, remoteness, facts, and for the tier at hand counters.
constexpr std::uint64_t kBytesInRandomPlay = 1;
constexpr double kBytesPerTierPosition = 120;
constexpr double kBytesPerTierEdge = 1;
constexpr std::uint64_t kBytesPerSolvedPosition = 9;
constexpr std::uint64_t kBytesPerPositionToSolve = 25;
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
        found_(Packing(rules_, !variant.symmetries().has_exchange())),
        counts_(rules_.set().layout, symmetries_.has_exchange()),
        rising_(observes() ? counts_.classes() : 0) {}

  absl::StatusOr<Enumeration> run(const Position& start);

 private:
  using Work = Expanded<kWords>;
  // The tier by the rules, and what was seen to rise inside it.
  using TierKey = std::pair<std::uint32_t, RisingSums::Value>;

  absl::Status expand(FoundBlock& block, Work& work);
  void put_in(std::size_t shard, std::span<FoundBlock> blocks);
  void note(std::size_t shard, const Position& canonical, std::int64_t margin);
  // How many positions may be expanded next within the memory given; an error if not even one block.
  absl::StatusOr<std::size_t> next_round() const;
  std::uint64_t need() const;
  Enumeration finish(Address start, GroupElement start_lift);
  // Whether tiers may be seen that the rules do not tell. Those of pieces are known, and pieces may share a cell.
  bool observes() const { return !tiers_.acyclic() && !rules_.set().moves.empty(); }
  void note_changes(std::size_t blocks);
  TierKey tier_key(std::uint32_t tier, CountWord counts) const { return {tier, rising_.value(counts)}; }
  // Whether positions with so many places to a shard leave room for the symmetry of an edge.
  bool fits(std::size_t places) const { return places < (std::size_t{1} << (kPlaceBits - symmetry_bits_)); }

  const Variant& variant_;
  const Rules& rules_;
  const SymmetryGroup& symmetries_;
  const Tiers& tiers_ = variant_.tiers();
  EnumerationLimits limits_;
  const EnumerationProgressFn& progress_;
  FoundPositions<kWords> found_;
  SparseIndex<kWords>& index_ = *found_.index;
  std::vector<Work> work_ = std::vector<Work>(kBlocksPerRound);
  std::size_t next_ = 0;
  std::uint64_t positions_ = 0;
  const int symmetry_bits_ = std::bit_width(symmetries_.size() - 1);
  std::uint64_t bytes_per_lifts_ = 1;
  bool joined_ = true;  // addresses and symmetries of the blocks at hand
  const StoneCounts counts_;
  RisingSums rising_;
  CountChanges changes_;  // that it has heard of
  Expander<kWords> expander_{variant_, index_.packing(), counts_};
};

template <std::size_t kWords>
void Enumerator<kWords>::note(std::size_t shard, const Position& canonical, std::int64_t margin) {
  found_.lists[shard].add(tiers_, symmetries_, canonical, margin, rising_.empty() ? 0 : counts_.of(canonical));
}

template <std::size_t kWords>
absl::Status Enumerator<kWords>::expand(FoundBlock& block, Work& work) {
  const auto parents = found_.queue.begin() + static_cast<std::ptrdiff_t>(block.begin);
  const auto key_of = [&](std::size_t i) -> const Key<kWords>& {
    return index_.key(parents[static_cast<std::ptrdiff_t>(i)]);
  };
  RETURN_IF_ERROR(
      expander_.expand(block.first.size() - 1, key_of, kShards, shard_of_hash, !rising_.empty(), block.first, work));
  block.edge.resize(work.key.size());
  return absl::OkStatus();
}

template <std::size_t kWords>
void Enumerator<kWords>::put_in(std::size_t shard, std::span<FoundBlock> blocks) {
  ShardList& list = found_.lists[shard];
  list.fresh.clear();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Work& work = work_[b];
    const std::uint32_t end = work.bin_begin[shard + 1];
    for (std::uint32_t k = work.bin_begin[shard]; k < end; ++k) {
      if (k + 2 * kLookAhead < end) index_.prefetch_slot(shard, work.hash[work.by_bin[k + 2 * kLookAhead]]);
      if (k + kLookAhead < end) index_.prefetch_key(shard, work.hash[work.by_bin[k + kLookAhead]]);
      const std::uint32_t i = work.by_bin[k];
      const auto inserted = index_.insert(shard, work.key[i], work.hash[i]);
      blocks[b].edge[i] = joined_ ? inserted.address << symmetry_bits_ | work.symmetry[i] : inserted.address;
      if (!inserted.fresh) continue;
      note(shard, index_.packing().template unpack<kWords>(work.key[i]), work.margin[i]);
      if (work.margin[i] == kGoesOn) list.fresh.push_back(inserted.address);
    }
  }
}

// The most that enumeration, the change to the final graph, and solving hold at once, if no further position were found.
template <std::size_t kWords>
std::uint64_t Enumerator<kWords>::need() const {
  std::uint64_t lists = found_.queue.size() * sizeof(Address) + found_.blocks.capacity() * sizeof(FoundBlock);
  std::map<TierKey, std::uint64_t> in_tier;
  for (const ShardList& l : found_.lists) {
    lists += l.bytes();
    for (const auto& [key, n] : l.in_tier) in_tier[tier_key(key.first, key.second)] += n;
  }
  std::uint64_t working = 0;
  for (const Work& w : work_) working += w.bytes();
  std::uint64_t widest = 0;
  for (const auto& [tier, n] : in_tier) widest = std::max(widest, n);
  const std::uint64_t edge = joined_ ? 4 : 6;
  const std::uint64_t kept = found_.edges * edge + next_ * 4;
  const std::uint64_t arrays = positions_ * (4 + 1 + 2);
  const double mean = next_ == 0 ? 0 : static_cast<double>(found_.edges) / static_cast<double>(next_);
  const std::uint64_t numbers = positions_ * (4 + 4) + 16 * widest;
  const std::uint64_t now = index_.bytes() + lists + kept + working;
  const std::uint64_t writing =
      positions_ * (4 + 2) + arrays + GraphWriter<kWords>::working_bytes(positions_, found_.edges, edge);
  const std::uint64_t finishing = index_.bytes() + lists + kept + std::max(numbers, writing);
  const std::uint64_t tier =
      static_cast<std::uint64_t>(static_cast<double>(widest) * (kBytesPerTierPosition + kBytesPerTierEdge * mean));
  const auto tier_edges = static_cast<EdgeIndex>(static_cast<double>(widest) * mean);
  const std::uint64_t turning =
      EdgeTurnShape(widest, widest, symmetry_bits_).held_twice(tier_edges, thread_count()) * edge;
  const std::uint64_t keys = positions_ * sizeof(Key<kWords>);
  const std::uint64_t lifts = positions_ * bytes_per_lifts_;
  const std::uint64_t lifting = widest * (bytes_per_lifts_ + 4);
  const std::uint64_t solving =
      keys + found_.edges * edge + arrays + lifts +
      std::max({lifting, turning + positions_ * kBytesInRandomPlay + tier,
                turning + positions_ * kBytesPerSolvedPosition + widest * kBytesPerPositionToSolve});
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
  const std::uint64_t waiting = found_.queue.size() - next_;
  const double moves =
      next_ == 0 ? rules_.board().size() : static_cast<double>(found_.edges) / static_cast<double>(next_);
  // What expanding one more position may take at worst: all its successors new, twice as many as is usual.
  const double each = (2 * moves + 1) * (kBytesPerNewPosition + 16 * kWords);
  const double left = (static_cast<double>(limits_.memory_bytes) - static_cast<double>(least)) / 2;
  const bool full = std::any_of(found_.lists.begin(), found_.lists.end(), [](const ShardList& l) {
    return l.end.size() + kBlock * kBlocksPerRound * 64 > kMaxPlaces;
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
  bytes_per_lifts_ = Lifts::bytes_per_position(symmetries_.size() / symmetries_.stabilizer(first).size());
  const Key<kWords> key = index_.packing().template pack<kWords>(first);
  const std::uint64_t hash = hash_key(key);
  const Address address = index_.insert(shard_of_hash(hash), key, hash).address;
  note(shard_of_hash(hash), first, end.ended ? end.margin.margin.units : kGoesOn);
  positions_ = 1;
  if (!end.ended) found_.queue.push_back(address);
  while (next_ < found_.queue.size()) {
    ASSIGN_OR_RETURN(const std::size_t round_size, next_round());
    if (progress_ && !progress_(positions_, "positions")) return absl::CancelledError("interrupted");
    if (positions_ > limits_.most_positions)
      return absl::OutOfRangeError(absl::StrCat("more than ", limits_.most_positions, " positions are reachable"));
    const std::size_t round = found_.blocks.size();
    for (const std::size_t round_end = next_ + round_size; next_ < round_end;) {
      const std::size_t count = std::min(kBlock, round_end - next_);
      found_.blocks.push_back({next_, std::vector<std::uint32_t>(count + 1, 0), {}, {}});
      next_ += count;
    }
    const std::span<FoundBlock> blocks(found_.blocks.begin() + static_cast<std::ptrdiff_t>(round), found_.blocks.end());
    for_each_index(blocks.size(), [&](std::size_t b) { work_[b].status = expand(blocks[b], work_[b]); });
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      RETURN_IF_ERROR(work_[b].status);
    }
    note_changes(blocks.size());
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      for (const auto& [parent, units] : work_[b].stuck) {
        const Address at = found_.queue[blocks[b].begin + parent];
        found_.lists[shard_of(at)].end[place_of(at)] = found_.lists[shard_of(at)].end_of_margin(units);
      }
    }
    std::size_t most = 0;
    for (const ShardList& list : found_.lists) most = std::max(most, list.end.size());
    for (const FoundBlock& block : blocks) most += block.edge.size();
    joined_ = joined_ && fits(most) && positions_ <= limits_.joined_positions;
    for_each_index(kShards, [&](std::size_t shard) { put_in(shard, blocks); });
    positions_ = 0;
    for (const ShardList& list : found_.lists) {
      found_.queue.insert(found_.queue.end(), list.fresh.begin(), list.fresh.end());
      positions_ += list.end.size();
    }
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      found_.edges += blocks[b].edge.size();
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
  GraphWriter<kWords> writer(found_, variant_, symmetry_bits_, limits_.joined_positions);
  Enumeration out;
  out.graph =
      writer.write([&](const Position& p) { return tier_key(tiers_.tier(p), rising_.empty() ? 0 : counts_.of(p)); });
  out.graph.start_lift = start_lift;
  out.graph.start = index_.index_of(start);
  index_.settle();
  release_free_memory();  // keys by shard
  out.store = std::move(found_.index);
  return out;
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
