// SPDX-License-Identifier: Apache-2.0
// Numbers what ranks have found, and sends positions and edges to the ranks that have these numbers.
//
// In each tier positions are sorted by key: a sample of the keys says which rank counts which of them; that rank tells their numbers.
// Then each position goes to the rank that has its number, and its edges follow, once it is known where they lead. Edges are never held
// twice: blocks of them are given back as they are sent, and what comes is put where it will be, part by part (coming_rows.h).
//
// Header only: templates over the size of keys. Thread-safety: collective. Source: sample sort.
// Cost: about 40 ns an edge.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdlib>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "solver/graph/tier_lists.h"
#include "solver/graph_ranks/coming_rows.h"
#include "solver/graph_ranks/fetched.h"
#include "solver/graph_ranks/ranked_enumerate.h"
#include "solver/graph_ranks/tier_shares.h"
#include "solver/support/memory.h"
#include "solver/support/parallel.h"

namespace plenum {

// The tier by the rules, and what was seen to rise inside it.
struct RankedTierKey {
  std::uint32_t tier = 0;
  RisingSums::Value sums = {};
  friend auto operator<=>(const RankedTierKey&, const RankedTierKey&) = default;
};

template <std::size_t kWords>
class RankedNumbering {
 public:
  RankedNumbering(RankedFinds<kWords>& found, const Variant& variant, const RankedLimits& limits, Ranks& ranks)
      : found_(found),
        index_(*found.index),
        variant_(variant),
        limits_(limits),
        ranks_(ranks),
        n_(static_cast<std::size_t>(ranks.size())) {}

  // Takes all of `found`. `tier_key(position)` tells tiers apart, in their order; `start` is an address of rank `start_rank`.
  template <typename TierKeyFn>
  RankedGraph write(const TierKeyFn& tier_key, std::size_t start_rank, Address start) {
    graph_.group = variant_.symmetries().group();
    graph_.rank = static_cast<std::size_t>(ranks_.rank());
    graph_.edges = ranks_.sum(found_.edges);
    index_.end_inserting();
    release_free_memory();
    list_tiers(tier_key);
    deal_out();
    number();
    agree_on_ends();
    send_positions(start_rank, start);
    send_degrees();
    send_edges();
    release_free_memory();
    return std::move(graph_);
  }

 private:
  static constexpr std::size_t kSortedTogether = std::size_t{1} << 18;  // positions of a rank, if tiers are small
  static constexpr std::size_t kSamples = 128;
  static constexpr std::size_t kBlocksAtATime = 64;
  static constexpr std::size_t kBytesBetweenReleases = 16'000'000;

  struct Sorted {
    Key<kWords> key;
    std::uint32_t tier;
    std::uint32_t of = 0;  // an address, or where it came
    friend bool operator<(const Sorted& a, const Sorted& b) {
      return a.tier != b.tier ? a.tier < b.tier : a.key < b.key;
    }
  };

  template <typename TierKeyFn>
  void list_tiers(const TierKeyFn& tier_key) {
    auto own = tier_lists(index_, tier_key);
    std::size_t before = 0;
    for (std::size_t shard = 0; shard < kShards; ++shard) {
      first_[shard] = before;
      before += index_.places(shard);
    }
    places_ = before;
    Parcel keys;
    for (const auto& [key, list] : own) put(keys, key);
    std::set<RankedTierKey> all;
    for (const Parcel& parcel : ranks_.gather(keys)) {
      for (ParcelReader reader(parcel); !reader.empty();) all.insert(reader.get<RankedTierKey>());
    }
    std::vector<std::uint64_t> sizes;
    for (const RankedTierKey& key : all) {
      const auto at = own.find(key);
      members_.push_back(at == own.end() ? std::deque<Address>() : std::move(at->second));
      sizes.push_back(members_.back().size());
    }
    sizes_ = ranks_.sums(sizes);
  }

  void deal_out() {
    graph_.begin.assign(n_, {0});
    std::vector<bool> large;
    for (const std::uint64_t size : sizes_) large.push_back(size >= limits_.least_grained);
    const TierSample<kWords> sample(found_, members_, large, ranks_);
    for (std::size_t t = 0; t < sizes_.size(); ++t) {
      const auto ends = share_ends(sizes_[t], large[t] ? kParallelGrain : 1, n_, sample.of(t));
      for (std::size_t r = 0; r < n_; ++r) {
        const std::uint64_t size = ends[r] - (r == 0 ? 0 : ends[r - 1]);
        graph_.begin[r].push_back(graph_.begin[r].back() + static_cast<PositionIndex>(size));
      }
    }
    std::uint64_t most = 0;
    for (const auto& begin : graph_.begin) most = std::max<std::uint64_t>(most, begin.back());
    for (const std::uint64_t size : sizes_) graph_.positions += size;
    coding_ = EdgeCoding(ranks_.size(), variant_.symmetries().size(), most, limits_.least_wide);
    number_.assign(places_, coding_);
  }

  void number() {
    for (std::size_t t = 0, end = 0; t < sizes_.size(); t = end) {
      std::uint64_t together = 0;
      for (; end < sizes_.size() && (end == t || together + sizes_[end] / n_ <= kSortedTogether); ++end)
        together += sizes_[end] / n_;
      number_tiers(t, end);
    }
    std::vector<std::deque<Address>>().swap(members_);
    release_free_memory();
  }

  void number_tiers(std::size_t from, std::size_t to) {
    std::vector<Sorted> own;
    for (std::size_t t = from; t < to; ++t) {
      for (const Address a : members_[t]) own.push_back({index_.key(a), static_cast<std::uint32_t>(t), a});
      std::deque<Address>().swap(members_[t]);
    }
    std::sort(own.begin(), own.end());
    const std::vector<Sorted> splits = sample(own);
    std::vector<Parcel> parcels(n_);
    for (std::size_t r = 0, begin = 0; r < n_; ++r) {
      const auto until = r + 1 == n_ ? own.end() : std::lower_bound(own.begin(), own.end(), splits[r]);
      const auto end = static_cast<std::size_t>(until - own.begin());
      put(parcels[r], std::span<const Sorted>(own).subspan(begin, end - begin));
      begin = end;
    }
    std::vector<Sorted> here;
    std::vector<std::size_t> came;  // ends of what each rank sent, which is in order
    std::vector<Parcel> sent = ranks_.exchange(std::move(parcels));
    std::size_t all_sent = 0;
    for (const Parcel& parcel : sent) all_sent += parcel.size() / sizeof(Sorted);
    here.reserve(all_sent);
    for (Parcel& parcel : sent) {
      for (ParcelReader reader(parcel); !reader.empty();) {
        here.push_back(reader.get<Sorted>());
        here.back().of = static_cast<std::uint32_t>(here.size() - 1);
      }
      came.push_back(here.size());
      Parcel().swap(parcel);
    }
    for (std::size_t r = 1; r < n_; ++r) {
      const auto middle = here.begin() + static_cast<std::ptrdiff_t>(came[r - 1]);
      std::inplace_merge(here.begin(), middle, here.begin() + static_cast<std::ptrdiff_t>(came[r]));
    }
    std::vector<std::uint64_t> in_tier(to - from, 0);
    for (const Sorted& s : here) ++in_tier[s.tier - from];
    std::vector<std::uint64_t> next(to - from, 0);  // numbers that lower ranks give
    Parcel counts;
    put(counts, std::span<const std::uint64_t>(in_tier));
    const std::vector<Parcel> all = ranks_.gather(counts);
    for (std::size_t r = 0; r < graph_.rank; ++r) {
      ParcelReader reader(all[r]);
      for (std::uint64_t& sum : next) sum += reader.get<std::uint64_t>();
    }
    std::vector<std::uint32_t> numbers(here.size());
    for (const Sorted& s : here) numbers[s.of] = static_cast<std::uint32_t>(next[s.tier - from]++);
    Mail<std::uint32_t> answers(ranks_);
    for (std::size_t r = 0, i = 0; r < n_; ++r) {
      for (; i < came[r]; ++i) answers.add(r, numbers[i]);
    }
    std::size_t i = 0;
    for (const Letters<std::uint32_t>& letters : answers.exchange()) {
      for (std::size_t k = 0; k < letters.size(); ++k, ++i) enter_number(own[i].of, own[i].tier, letters[k]);
    }
  }

  // What each rank but the last has less than.
  std::vector<Sorted> sample(const std::vector<Sorted>& own) {
    Parcel some;
    for (std::size_t k = 0; k < std::min(own.size(), kSamples); ++k)
      put(some, own[k * own.size() / std::min(own.size(), kSamples)]);
    std::vector<Sorted> all;
    for (const Parcel& parcel : ranks_.gather(some)) {
      for (ParcelReader reader(parcel); !reader.empty();) all.push_back(reader.get<Sorted>());
    }
    std::sort(all.begin(), all.end());
    std::vector<Sorted> out;
    for (std::size_t r = 1; r < n_; ++r) out.push_back(all[r * all.size() / n_]);
    return out;
  }

  void enter_number(Address a, std::size_t tier, std::uint64_t number) {
    std::size_t r = 0;
    for (; number >= graph_.begin[r][tier + 1] - graph_.begin[r][tier]; ++r)
      number -= graph_.begin[r][tier + 1] - graph_.begin[r][tier];
    const bool ended = found_.lists[shard_of(a)].end[place_of(a)] != 0;
    number_.set(number_of(a), {r, graph_.begin[r][tier] + static_cast<PositionIndex>(number), ended, kIdentity});
  }
  RankedEdge numbered(Address a) const { return number_[number_of(a)]; }

  // Margins as ranks, stabilizers as numbers of one list of subgroups: the same on all ranks.
  void agree_on_ends() {
    Parcel own_margins;
    Parcel own_subgroups;
    for (const ShardList& list : found_.lists) {
      put(own_margins, std::span<const std::int64_t>(list.margins));
      for (const auto& [subgroup, ignored] : list.subgroups) {
        put(own_subgroups, static_cast<std::uint64_t>(subgroup.size()));
        put(own_subgroups, std::span<const GroupElement>(subgroup));
      }
    }
    std::set<std::int64_t> levels = {0};
    for (const Parcel& parcel : ranks_.gather(own_margins)) {
      for (ParcelReader reader(parcel); !reader.empty();) levels.insert(std::abs(reader.get<std::int64_t>()));
    }
    std::set<std::vector<GroupElement>> subgroups;
    for (const Parcel& parcel : ranks_.gather(own_subgroups)) {
      for (ParcelReader reader(parcel); !reader.empty();)
        subgroups.insert(reader.get_all<GroupElement>(reader.get<std::uint64_t>()));
    }
    graph_.level.clear();
    for (const std::int64_t units : levels) {
      rank_of_margin_[units] = static_cast<MarginRank>(graph_.level.size());
      rank_of_margin_[-units] = -static_cast<MarginRank>(graph_.level.size());
      graph_.level.push_back(Margin{units});
    }
    for (const auto& subgroup : subgroups) {
      subgroup_number_[subgroup] = static_cast<std::uint16_t>(graph_.subgroups.size());
      graph_.subgroups.push_back(subgroup);
    }
  }

  void send_positions(std::size_t start_rank, Address start) {
    const PositionIndex own = graph_.begin[graph_.rank].back();
    graph_.key_bytes = static_cast<std::size_t>(std::max(1, (index_.packing().bits() + 7) / 8));
    graph_.keys.resize(own * graph_.key_bytes);
    graph_.end_rank.assign(own, static_cast<MarginRank>(graph_.level.size()));
    if (variant_.symmetries().size() > 1) graph_.stabilizer.resize(own);
    Parcel first;
    if (start_rank == graph_.rank) {
      put(first, numbered(start));
      const auto fixing = variant_.symmetries().stabilizer(index_.packing().template unpack<kWords>(index_.key(start)));
      put(first, std::span<const GroupElement>(fixing));
    }
    first = ranks_.broadcast(static_cast<int>(start_rank), std::move(first));
    ParcelReader reader(first);
    graph_.start = reader.get<RankedEdge>();
    graph_.start_stabilizer = reader.get_all<GroupElement>(reader.left() / sizeof(GroupElement));
    for (std::size_t shard = 0; shard < kShards; ++shard) send_shard(shard);
    found_.index.reset();
    std::vector<ShardList>().swap(found_.lists);
    release_free_memory();
  }

  void send_shard(std::size_t shard) {
    ShardList& list = found_.lists[shard];
    std::vector<MarginRank> rank_of(list.margins.size() + 1, kNotEnded);
    for (std::size_t i = 0; i < list.margins.size(); ++i) rank_of[i + 1] = rank_of_margin_[list.margins[i]];
    std::vector<std::uint16_t> renumber(list.subgroups.size() + 1, 0);
    for (const auto& [subgroup, number] : list.subgroups) renumber[number] = subgroup_number_[subgroup];
    in_rounds(ranks_, list.end.size(), [&](std::size_t from, std::size_t to) {
      std::vector<Parcel> parcels(n_);
      for (std::size_t place = from; place < to; ++place) {
        const Address a = address(shard, place);
        const RankedEdge e = numbered(a);
        Parcel& parcel = parcels[e.rank];
        put(parcel, e.place);
        put(parcel, rank_of[list.end[place]]);
        put(parcel, renumber[list.stabilizer[place]]);
        const Key<kWords>& key = index_.key(a);
        put(parcel, std::span(reinterpret_cast<const std::uint8_t*>(key.data()), graph_.key_bytes));
      }
      for (const Parcel& parcel : ranks_.exchange(std::move(parcels))) {
        for (ParcelReader reader(parcel); !reader.empty();) {
          const auto p = reader.get<PositionIndex>();
          graph_.end_rank.set(p, reader.get<MarginRank>());
          const auto stabilizer = reader.get<std::uint16_t>();
          if (!graph_.stabilizer.empty()) graph_.stabilizer[p] = stabilizer;
          const auto key = reader.bytes(graph_.key_bytes);
          std::copy(key.begin(), key.end(), graph_.keys.begin() + static_cast<std::ptrdiff_t>(p * graph_.key_bytes));
        }
      }
    });
  }

  void send_degrees() {
    std::vector<std::uint32_t> degree(graph_.size(), 0);
    Mail<std::uint64_t> mail(ranks_);
    const auto write = [&](std::size_t from, std::size_t to) {
      for (std::size_t b = from; b < to; ++b) {
        const RankedBlock& block = found_.blocks[b];
        for (std::size_t p = 0; p + 1 < block.first.size(); ++p) {
          const RankedEdge parent = numbered(found_.queue[block.begin + p]);
          mail.add(parent.rank, std::uint64_t{parent.place} << 32 | (block.first[p + 1] - block.first[p]));
        }
      }
    };
    const auto read = [&](const std::vector<Letters<std::uint64_t>>& came) {
      for (const Letters<std::uint64_t>& letters : came) {
        for (std::size_t i = 0; i < letters.size(); ++i)
          degree[letters[i] >> 32] = static_cast<std::uint32_t>(letters[i]);
      }
    };
    mail.in_pieces(found_.blocks.size(), write, read, 4 * kBlocksAtATime);
    graph_.first_edge = RowOffsets::of_lengths(degree);
    graph_.edge.assign(graph_.first_edge.back(), coding_);
  }

  void send_edges() {
    coming_.emplace(graph_);
    if (coding_.wide()) {
      send_in_rounds<std::uint64_t>();
    } else {
      send_in_rounds<std::uint32_t>();
    }
    std::deque<RankedBlock>().swap(found_.blocks);
    std::deque<Address>().swap(found_.queue);
    number_.clear();
    coming_->put_in_order();
    coming_.reset();
  }

  // Asks where the edges of many blocks lead, and sends them on some blocks at a time.
  template <typename Code>
  void send_in_rounds() {
    std::vector<std::uint64_t> sizes;
    Parcel own;
    put(own, std::span<const std::size_t>(first_));
    for (const Parcel& parcel : ranks_.gather(own))
      first_of_.push_back(ParcelReader(parcel).get_all<std::size_t>(kShards));
    for (const std::uint64_t places : ranks_.gather(places_)) sizes.push_back(places);
    Fetched<Code> elsewhere(sizes, found_.edges / kFetchedRounds, ranks_);
    Mail<std::uint32_t> rows(ranks_);
    std::size_t freed = 0;
    const auto write = [&](std::size_t from, std::size_t to) {
      add_rows(from, to, elsewhere, rows);
      for (std::size_t b = from; b < to; ++b) {
        freed += found_.blocks[b].edge.bytes();
        found_.blocks[b] = {};
      }
      if (freed < kBytesBetweenReleases) return;
      release_free_memory();  // the blocks were many small pieces
      freed = 0;
    };
    const auto read = [&](const std::vector<Letters<std::uint32_t>>& came) { read_rows(came); };
    const std::size_t blocks = found_.blocks.size();
    const std::size_t a_round = blocks / kFetchedRounds / kBlocksAtATime * kBlocksAtATime + kBlocksAtATime;
    in_rounds(
        ranks_, blocks,
        [&](std::size_t from, std::size_t to) {
          elsewhere.clear();
          elsewhere.want([&](const auto& want) {
            for (std::size_t b = from; b < to; ++b) {
              const EdgeCodes& edge = found_.blocks[b].edge;
              edge.each(0, edge.size(), [&](const RankedEdge& e) {
                if (e.rank != graph_.rank) want(e.rank, place_in(e.rank, e.place));
              });
            }
          });
          elsewhere.fetch([&](PositionIndex place) { return static_cast<Code>(number_.code(place)); });
          rows.in_pieces(
              to - from, [&](std::size_t begin, std::size_t end) { write(from + begin, from + end); }, read,
              kBlocksAtATime);
        },
        a_round);
  }
  // Among all of a rank's.
  PositionIndex place_in(std::size_t rank, Address a) const {
    return static_cast<PositionIndex>(first_of_[rank][shard_of(a)] + place_of(a));
  }

  // To those that have the positions they start from.
  template <typename Code>
  void add_rows(std::size_t from, std::size_t to, const Fetched<Code>& elsewhere, Mail<std::uint32_t>& rows) {
    Row<Code> row;
    Row<Code> ahead;  // the next one is looked up before this one is written: each look may miss the caches
    bool looked_up = false;
    for (std::size_t b = from; b < to; ++b) {
      const RankedBlock& block = found_.blocks[b];
      for (std::size_t p = 0; p + 1 < block.first.size(); ++p) {
        ahead.parent = numbered(found_.queue[block.begin + p]);
        ahead.targets.clear();
        block.edge.each(block.first[p], block.first[p + 1], [&](const RankedEdge& e) {
          const void* const code =
              e.rank == graph_.rank ? number_.at(number_of(e.place)) : elsewhere.at(e.rank, place_in(e.rank, e.place));
          __builtin_prefetch(code);
          ahead.targets.push_back({code, e.symmetry});
        });
        std::swap(row, ahead);
        if (looked_up) send_row(ahead, rows);
        looked_up = true;
      }
    }
    if (looked_up) send_row(row, rows);
  }
  void read_rows(const std::vector<Letters<std::uint32_t>>& came) {
    for (const Letters<std::uint32_t>& letters : came) {
      for (std::size_t i = 0; i < letters.size();) {
        const PositionIndex p = letters[i++];
        EdgeIndex& place = coming_->begin(p);
        for (std::uint32_t left = graph_.degree(p); left > 0; --left)
          graph_.edge.set_code(place++, read_code(letters, i));
      }
    }
  }

  // The edges of a position: where the codes of what they lead to are.
  template <typename Code>
  struct Row {
    struct Target {
      const void* code = nullptr;
      GroupElement symmetry = kIdentity;
      std::uint64_t edge() const {
        Code out = 0;
        std::memcpy(&out, code, sizeof out);
        return out | symmetry;
      }
    };
    RankedEdge parent;
    std::vector<Target> targets;
  };
  template <typename Code>
  void send_row(const Row<Code>& row, Mail<std::uint32_t>& rows) {
    if (row.parent.rank == graph_.rank) {
      EdgeIndex& place = coming_->begin(row.parent.place);
      for (const auto& target : row.targets) graph_.edge.set_code(place++, target.edge());
      return;
    }
    rows.add(row.parent.rank, row.parent.place);
    for (const auto& target : row.targets) add_code(rows, row.parent.rank, target.edge());
  }

  std::size_t number_of(Address a) const { return first_[shard_of(a)] + place_of(a); }
  void add_code(Mail<std::uint32_t>& to, std::size_t rank, std::uint64_t code) const {
    to.add(rank, static_cast<std::uint32_t>(code));
    if (coding_.wide()) to.add(rank, static_cast<std::uint32_t>(code >> 32));
  }
  std::uint64_t read_code(const Letters<std::uint32_t>& from, std::size_t& i) const {
    std::uint64_t code = from[i++];
    if (coding_.wide()) code |= std::uint64_t{from[i++]} << 32;
    return code;
  }

  RankedFinds<kWords>& found_;
  SparseIndex<kWords>& index_;
  const Variant& variant_;
  const RankedLimits& limits_;
  Ranks& ranks_;
  const std::size_t n_;
  RankedGraph graph_;
  EdgeCoding coding_;
  std::size_t first_[kShards] = {};                 // of each shard, in number_
  std::vector<std::vector<std::size_t>> first_of_;  // the same of each rank
  std::size_t places_ = 0;
  std::vector<std::deque<Address>> members_;  // of each tier
  std::vector<std::uint64_t> sizes_;          // of each tier, on all ranks
  EdgeCodes number_;                          // by address
  absl::flat_hash_map<std::int64_t, MarginRank> rank_of_margin_;
  std::map<std::vector<GroupElement>, std::uint16_t> subgroup_number_;
  std::optional<ComingRows> coming_;
};

}  // namespace plenum
