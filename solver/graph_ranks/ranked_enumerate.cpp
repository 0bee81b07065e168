// SPDX-License-Identifier: Apache-2.0
#include "solver/graph_ranks/ranked_enumerate.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>

#include <absl/strings/str_cat.h>

#include "solver/graph/expansion.h"
#include "solver/graph/lifts.h"
#include "solver/graph_ranks/ranked_numbering.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// Enough for all threads; of three rounds at a time, each block takes some 400 kB.
constexpr std::size_t kLeastBlocksARound = 16;
constexpr std::size_t kMostBlocksARound = 64;
constexpr std::size_t kRankedLookAhead = 8;
constexpr std::uint64_t kRankedFixedBytes = 20'000'000;  // MPI, mail, threads
constexpr std::uint64_t kRankedRoundUp = 1'000'000;
// What solving holds of a position besides its key: ends, values, facts, rows, lifts, counts of inner edges; and of one of the largest tier.
constexpr std::uint64_t kRankedPositionBytes = 4 + 1 + 2 + 9 + 4 + 4;
constexpr std::uint64_t kRankedTierPositionBytes = 60;
constexpr double kRankedNewPositionBytes = 80;

// Other bits of the hash than tell shard and slot.
std::size_t rank_of_hash(std::uint64_t hash, std::size_t ranks) {
  return static_cast<std::size_t>(((hash >> 20 & 0xFFFF'FFFF) * ranks) >> 32);
}

// Successors of a block that belong to one rank, as they are sent.
template <std::size_t kWords>
class SentBlock {
 public:
  // Of bins [first_bin, first_bin + kShards) of what was worked out.
  static void write(const Expanded<kWords>& work, std::size_t first_bin, Parcel& to) {
    const std::uint32_t begin = work.bin_begin[first_bin];
    const std::uint32_t end = work.bin_begin[first_bin + kShards];
    for (std::size_t k = 0; k <= kShards; ++k) put(to, work.bin_begin[first_bin + k] - begin);
    std::vector<End> ends;
    std::size_t at = to.size();
    to.resize(at + (end - begin) * sizeof(Key<kWords>));
    for (std::uint32_t k = begin; k < end; ++k, at += sizeof(Key<kWords>)) {
      const std::uint32_t i = work.by_bin[k];
      std::memcpy(to.data() + at, &work.key[i], sizeof(Key<kWords>));
      if (work.margin[i] != kGoesOn) ends.push_back({k - begin, work.margin[i]});
    }
    put(to, static_cast<std::uint32_t>(ends.size()));
    put(to, std::span<const End>(ends));
  }
  // At most.
  static std::size_t bytes(const Expanded<kWords>& work, std::size_t first_bin) {
    const std::size_t keys = work.bin_begin[first_bin + kShards] - work.bin_begin[first_bin];
    return (kShards + 2) * 4 + keys * sizeof(Key<kWords>) + std::min<std::size_t>(keys, work.ended) * sizeof(End);
  }
  explicit SentBlock(ParcelReader& reader) : begins_(reader.bytes((kShards + 1) * 4)) {
    keys_ = reader.bytes(size() * sizeof(Key<kWords>));
    const auto ended = reader.get<std::uint32_t>();
    ends_ = reader.bytes(ended * sizeof(End));
  }
  std::uint32_t begin(std::size_t shard) const { return read<std::uint32_t>(begins_, shard); }
  std::size_t size() const { return begin(kShards); }
  Key<kWords> key(std::size_t i) const { return read<Key<kWords>>(keys_, i); }
  // Of the block's keys from one on: kGoesOn of those where play has not ended. `i` rises from call to call.
  class Margins {
   public:
    explicit Margins(const SentBlock& block, std::size_t from) : ends_(block.ends_) {
      std::size_t end = ends_.size() / sizeof(End);
      while (next_ < end) {
        const std::size_t middle = next_ + (end - next_) / 2;
        if (read<End>(ends_, middle).at < from) {
          next_ = middle + 1;
        } else {
          end = middle;
        }
      }
    }
    std::int64_t of(std::size_t i) {
      for (; (next_ + 1) * sizeof(End) <= ends_.size(); ++next_) {
        const End one = read<End>(ends_, next_);
        if (one.at >= i) return one.at == i ? one.margin : kGoesOn;
      }
      return kGoesOn;
    }

   private:
    std::span<const std::uint8_t> ends_;
    std::size_t next_ = 0;
  };

 private:
#pragma pack(push, 1)
  struct End {
    std::uint32_t at;
    std::int64_t margin;
  };
#pragma pack(pop)
  template <typename T>
  static T read(std::span<const std::uint8_t> from, std::size_t i) {
    T out;
    std::memcpy(&out, from.data() + i * sizeof(T), sizeof(T));
    return out;
  }
  std::span<const std::uint8_t> begins_;
  std::span<const std::uint8_t> keys_;
  std::span<const std::uint8_t> ends_;
};

template <std::size_t kWords>
class RankedEnumerator {
 public:
  RankedEnumerator(const Variant& variant, const RankedLimits& limits, Ranks& ranks,
                   const EnumerationProgressFn& progress)
      : variant_(variant),
        symmetries_(variant.symmetries()),
        limits_(limits),
        ranks_(ranks),
        n_(static_cast<std::size_t>(ranks.size())),
        progress_(progress),
        found_(Packing(variant.rules(), !variant.symmetries().has_exchange())),
        counts_(variant.rules().set().layout, symmetries_.has_exchange()),
        rising_(observes() ? counts_.classes() : 0) {}

  absl::StatusOr<RankedGraph> run(const Position& start);

 private:
  using Work = Expanded<kWords>;
  // Blocks that are expanded together. The keys of their successors go to the ranks that these belong to, which answer where they are.
  struct Round {
    std::vector<Work> work;
    std::size_t begin = 0;  // among all blocks
    std::size_t blocks = 0;
    std::size_t positions = 0;  // in these blocks
    std::unique_ptr<Ranks::Exchange> keys;
    std::unique_ptr<Ranks::Exchange> answers;
  };
  // Of one rank; what all have to agree on before a round.
  struct State {
    std::uint64_t waiting = 0;  // positions, and those of its last round until their successors are put in
    std::uint64_t positions = 0;
    std::uint64_t edges = 0;
    std::uint64_t need = 0;
    std::uint64_t memory = 0;
    std::uint64_t cancelled = 0;
    std::uint64_t failed = 0;
  };

  bool observes() const { return !variant_.tiers().acyclic() && !variant_.rules().set().moves.empty(); }
  void note(std::size_t shard, const Key<kWords>& key, std::int64_t margin);
  void expand(Round& round);
  std::vector<Parcel> keys_to_send(const Round& round);
  void settle(Round& round, std::uint64_t on_their_way);
  absl::Status find_all();
  void put_in(std::size_t shard, const std::vector<SentBlock<kWords>>& blocks, std::span<Address* const> to);
  absl::StatusOr<bool> join(Round& round);
  absl::StatusOr<bool> meet(const char* stage);
  State state(std::uint64_t on_their_way, const char* stage);
  absl::StatusOr<bool> judge(std::span<const State> of_ranks);
  std::uint64_t need() const;
  RankedTierKey tier_key(const Position& p) const {
    return {variant_.tiers().tier(p), rising_.value(rising_.empty() ? 0 : counts_.of(p))};
  }

  const Variant& variant_;
  const SymmetryGroup& symmetries_;
  const RankedLimits& limits_;
  Ranks& ranks_;
  const std::size_t n_;
  const EnumerationProgressFn& progress_;
  RankedFinds<kWords> found_;
  SparseIndex<kWords>& index_ = *found_.index;
  std::array<Round, 3>
      rounds_;  // in turn: while one is expanded, the keys of one and the answers to one are on their way
  const std::size_t a_round_ =
      kExpandedTogether * std::clamp(4 * thread_count(), kLeastBlocksARound, kMostBlocksARound);
  std::size_t next_ = 0;
  std::uint64_t own_ = 0;
  std::uint64_t positions_ = 0;  // of all ranks
  std::uint64_t bytes_per_lifts_ = 1;
  const StoneCounts counts_;
  RisingSums rising_;
  CountChanges changes_;
  bool wide_ = false;     // codes of the last blocks
  absl::Status failure_;  // of this rank, which the others have not heard of
  Expander<kWords> expander_{variant_, index_.packing(), counts_};
};

template <std::size_t kWords>
void RankedEnumerator<kWords>::note(std::size_t shard, const Key<kWords>& key, std::int64_t margin) {
  const Position canonical = index_.packing().template unpack<kWords>(key);
  found_.lists[shard].add(variant_.tiers(), variant_.symmetries(), canonical, margin,
                          rising_.empty() ? 0 : counts_.of(canonical));
}

// Expands the next positions of the queue, in blocks.
template <std::size_t kWords>
void RankedEnumerator<kWords>::expand(Round& round) {
  std::vector<Work>& work = round.work;
  round.begin = found_.blocks.size();
  const std::size_t end = std::min(found_.queue.size(), next_ + a_round_);
  round.positions = end - next_;
  while (next_ < end) {
    const std::size_t n = std::min(kExpandedTogether, end - next_);
    found_.blocks.push_back({next_, std::vector<std::uint32_t>(n + 1, 0), {}});
    next_ += n;
  }
  round.blocks = found_.blocks.size() - round.begin;
  work.resize(std::max(work.size(), round.blocks));
  const auto bin = [&](std::uint64_t hash) { return rank_of_hash(hash, n_) * kShards + shard_of_hash(hash); };
  for_each_index(round.blocks, [&](std::size_t b) {
    RankedBlock& block = found_.blocks[round.begin + b];
    const auto parents = found_.queue.begin() + static_cast<std::ptrdiff_t>(block.begin);
    const auto key_of = [&](std::size_t i) -> const Key<kWords>& {
      return index_.key(parents[static_cast<std::ptrdiff_t>(i)]);
    };
    work[b].status =
        expander_.expand(block.first.size() - 1, key_of, n_ * kShards, bin, !rising_.empty(), block.first, work[b]);
  });
  bool fresh = false;
  for (std::size_t b = 0; b < round.blocks; ++b) {
    RankedBlock& block = found_.blocks[round.begin + b];
    if (!work[b].status.ok()) {
      if (failure_.ok()) failure_ = work[b].status;
      work[b] = Work();  // nothing came of it
      work[b].bin_begin.assign(n_ * kShards + 1, 0);
      std::fill(block.first.begin(), block.first.end(), 0);
    }
    for (const auto& [parent, units] : work[b].stuck) {
      const Address at = found_.queue[block.begin + parent];
      found_.lists[shard_of(at)].end[place_of(at)] = found_.lists[shard_of(at)].end_of_margin(units);
    }
    for (const CountChange change : work[b].changes.all()) fresh = changes_.add(change) || fresh;
    found_.edges += work[b].key.size();
  }
  if (fresh && !rising_.empty()) rising_.note(changes_.all());
}

template <std::size_t kWords>
std::vector<Parcel> RankedEnumerator<kWords>::keys_to_send(const Round& round) {
  std::vector<Parcel> out(n_);
  for_each_index(n_, [&](std::size_t r) {
    std::size_t bytes = 0;
    for (std::size_t b = 0; b < round.blocks; ++b) bytes += SentBlock<kWords>::bytes(round.work[b], r * kShards);
    out[r].reserve(bytes);
    for (std::size_t b = 0; b < round.blocks; ++b) SentBlock<kWords>::write(round.work[b], r * kShards, out[r]);
  });
  return out;
}

template <std::size_t kWords>
void RankedEnumerator<kWords>::put_in(std::size_t shard, const std::vector<SentBlock<kWords>>& blocks,
                                      std::span<Address* const> to) {
  ShardList& list = found_.lists[shard];
  list.fresh.clear();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const SentBlock<kWords>& block = blocks[b];
    const std::uint32_t end = block.begin(shard + 1);
    typename SentBlock<kWords>::Margins margins(block, block.begin(shard));
    for (std::uint32_t k = block.begin(shard); k < end; ++k) {
      if (k + 2 * kRankedLookAhead < end) index_.prefetch_slot(shard, hash_key(block.key(k + 2 * kRankedLookAhead)));
      if (k + kRankedLookAhead < end) index_.prefetch_key(shard, hash_key(block.key(k + kRankedLookAhead)));
      const Key<kWords> key = block.key(k);
      const auto inserted = index_.insert(shard, key, hash_key(key));
      to[b][k] = inserted.address;
      if (!inserted.fresh) continue;
      const std::int64_t margin = margins.of(k);
      note(shard, index_.key(inserted.address), margin);
      if (margin == kGoesOn) list.fresh.push_back(inserted.address);
    }
  }
}

// Puts in what others found, and answers where it is.
template <std::size_t kWords>
void RankedEnumerator<kWords>::settle(Round& round, std::uint64_t on_their_way) {
  const std::vector<Parcel> came = std::exchange(round.keys, nullptr)->finish();
  std::vector<SentBlock<kWords>> sent;
  std::vector<Parcel> answers(n_);
  std::vector<Address*> at;  // in these, for each block
  for (std::size_t r = 0; r < n_; ++r) {
    const std::size_t first = sent.size();
    std::size_t keys = 0;
    for (ParcelReader reader(came[r]); !reader.empty();) keys += sent.emplace_back(reader).size();
    answers[r].resize(sizeof(State) + keys * sizeof(Address));
    auto* next = reinterpret_cast<Address*>(answers[r].data() + sizeof(State));
    for (std::size_t b = first; b < sent.size(); ++b) {
      at.push_back(next);
      next += sent[b].size();
    }
  }
  for_each_index(kShards, [&](std::size_t shard) { put_in(shard, sent, at); });
  own_ = 0;
  for (const ShardList& list : found_.lists) {
    found_.queue.insert(found_.queue.end(), list.fresh.begin(), list.fresh.end());
    own_ += list.end.size();
  }
  const State own = state(on_their_way, "positions");
  for (Parcel& answer : answers) std::memcpy(answer.data(), &own, sizeof(State));
  round.answers = ranks_.begin_exchange(std::move(answers));
}

// Where the successors of the round's blocks are, as their ranks answer in the order in which they were asked. Whether there is more to do.
template <std::size_t kWords>
absl::StatusOr<bool> RankedEnumerator<kWords>::join(Round& round) {
  const std::vector<Parcel> came = std::exchange(round.answers, nullptr)->finish();
  std::vector<State> states;
  std::vector<std::span<const std::uint8_t>> answers;
  for (const Parcel& parcel : came) {
    ParcelReader reader(parcel);
    states.push_back(reader.get<State>());
    answers.push_back(reader.bytes(reader.left()));
  }
  std::vector<std::size_t> next(n_, 0);
  for (std::size_t b = 0; b < round.blocks; ++b) {
    const Work& work = round.work[b];
    EdgeCodes& edge = found_.blocks[round.begin + b].edge;
    Address most = 0;
    for (std::size_t r = 0; r < n_; ++r) {
      const std::size_t n = work.bin_begin[(r + 1) * kShards] - work.bin_begin[r * kShards];
      for (std::size_t k = 0; k < n; ++k) {
        Address a;
        std::memcpy(&a, answers[r].data() + (next[r] + k) * sizeof(Address), sizeof(Address));
        most = std::max(most, a);
      }
    }
    edge.assign(work.key.size(), EdgeCoding(ranks_.size(), symmetries_.size(), most, limits_.least_wide));
    wide_ = wide_ || edge.coding().wide();
    for (std::size_t r = 0; r < n_; ++r) {
      for (std::uint32_t k = work.bin_begin[r * kShards]; k < work.bin_begin[(r + 1) * kShards]; ++k, ++next[r]) {
        Address a;
        std::memcpy(&a, answers[r].data() + next[r] * sizeof(Address), sizeof(Address));
        edge.set(work.by_bin[k], {r, a, false, work.symmetry[work.by_bin[k]]});
      }
    }
  }
  return judge(states);
}

// The most that finding positions, the change to the final graph, and solving hold at once, if no further position were found.
template <std::size_t kWords>
std::uint64_t RankedEnumerator<kWords>::need() const {
  std::uint64_t lists = found_.queue.size() * sizeof(Address) + next_ * 4;
  for (const ShardList& l : found_.lists) lists += l.bytes();
  std::uint64_t working = 0;
  for (const Round& round : rounds_) {
    for (const Work& w : round.work) working += 2 * w.bytes();
  }
  std::map<RankedTierKey, std::uint64_t> in_tier;
  for (const ShardList& l : found_.lists) {
    for (const auto& [key, n] : l.in_tier) in_tier[{key.first, rising_.value(key.second)}] += n;
  }
  std::uint64_t widest = 0;
  for (const auto& [tier, n] : in_tier) widest = std::max(widest, n);
  const std::uint64_t kept = found_.edges * (wide_ ? 8 : 4);
  const std::uint64_t now = index_.bytes() + lists + kept + working;
  const std::uint64_t keys = own_ * static_cast<std::uint64_t>(std::max(1, (index_.packing().bits() + 7) / 8));
  // Numbers of others' positions, own ones on their way to others, and which are wanted: of all, no more than twice as many as are asked for.
  const std::uint64_t fetched = 4 * kept / kFetchedRounds / n_ * (n_ - 1) + positions_ / 4;
  const std::uint64_t numbering = kept + lists + fetched + own_ * (sizeof(Key<kWords>) + 8) +
                                  std::max(widest * (2 * sizeof(Key<kWords>) + 32), keys + own_ * 7);
  // The inner edges of the largest tier are there turned round as well.
  const double part = own_ == 0 ? 0 : static_cast<double>(widest) / static_cast<double>(own_);
  const std::uint64_t tier =
      static_cast<std::uint64_t>(static_cast<double>(kept) * part) + widest * kRankedTierPositionBytes;
  const std::uint64_t told = std::min(positions_, found_.edges);  // before tiers are looked at (ranked_lifts.cpp)
  const std::uint64_t solving = keys + kept + own_ * (kRankedPositionBytes + bytes_per_lifts_) + std::max(tier, told);
  return base_memory() + limits_.of_rank.held_bytes + kRankedFixedBytes + std::max({now, numbering, solving}) / 16 * 17;
}

template <std::size_t kWords>
typename RankedEnumerator<kWords>::State RankedEnumerator<kWords>::state(std::uint64_t on_their_way,
                                                                         const char* stage) {
  // Before all ranks have heard of this, one round more is expanded, and then perhaps another.
  const std::size_t unheard = 2 * a_round_;
  const double moves =
      next_ == 0 ? variant_.rules().board().size() : static_cast<double>(found_.edges) / static_cast<double>(next_);
  const std::size_t next_rounds = std::min(found_.queue.size() - next_, unheard);
  const auto more = static_cast<std::uint64_t>(static_cast<double>(next_rounds) * (moves + 1) *
                                               (kRankedNewPositionBytes / 4 + 16 * kWords));
  const bool full = std::any_of(found_.lists.begin(), found_.lists.end(),
                                [unheard](const ShardList& l) { return l.end.size() + unheard * 64 > kMaxPlaces; });
  if (full && failure_.ok())
    failure_ = absl::ResourceExhaustedError("more positions than the index of a rank can number");
  return {.waiting = found_.queue.size() - next_ + on_their_way,
          .positions = own_,
          .edges = found_.edges,
          .need = need() + more,
          .memory = limits_.of_rank.memory_bytes,
          .cancelled = ranks_.root() && progress_ && !progress_(positions_, stage) ? 1U : 0U,
          .failed = failure_.ok() ? 0U : 1U};
}

// The same on all ranks: whether any position waits, or the error that ends it.
template <std::size_t kWords>
absl::StatusOr<bool> RankedEnumerator<kWords>::judge(std::span<const State> of_ranks) {
  State all = {.memory = ~std::uint64_t{0}};
  bool beyond = false;
  for (const State& one : of_ranks) {
    all.waiting += one.waiting;
    all.positions += one.positions;
    all.edges += one.edges;
    beyond = beyond || one.need > one.memory;
    all.need = std::max(all.need, one.need);
    all.memory = std::min(all.memory, one.memory);
    all.cancelled += one.cancelled;
    all.failed += one.failed;
  }
  positions_ = all.positions;
  if (all.failed != 0) return ranks_.agree(failure_);
  if (all.cancelled != 0) return absl::CancelledError("interrupted");
  if (positions_ > limits_.of_rank.most_positions)
    return absl::OutOfRangeError(
        absl::StrCat("more than ", limits_.of_rank.most_positions, " positions are reachable"));
  if (beyond) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "memory: ", variant_.description().name, " on ", variant_.board().name(), ": ", positions_,
        " positions were found (up to symmetry) before the ", memory_text(all.memory), " given to each of ", n_,
        " ranks would have been used up; ", all.waiting, " of them are not yet followed up, so it takes at least ",
        memory_text(all.need + all.waiting / n_ * 12 + kRankedRoundUp),
        " for each\n  give more with --memory, take more ranks, or a smaller board with --board"));
  }
  if (all.waiting == 0 && all.edges < limits_.least_moves)
    return absl::UnimplementedError("a game with so few moves is solved by one rank");
  return all.waiting != 0;
}

template <std::size_t kWords>
absl::StatusOr<bool> RankedEnumerator<kWords>::meet(const char* stage) {
  Parcel own;
  put(own, state(0, stage));
  std::vector<State> states;
  for (const Parcel& parcel : ranks_.gather(own)) states.push_back(ParcelReader(parcel).get<State>());
  return judge(states);
}

// Round after round. Each takes three turns (expand, settle, join), so that no rank waits for what another is still working on.
template <std::size_t kWords>
absl::Status RankedEnumerator<kWords>::find_all() {
  ASSIGN_OR_RETURN(bool more, meet("positions"));
  for (std::size_t k = 0; more; ++k) {
    Round& round = rounds_[k % 3];
    expand(round);
    round.keys = ranks_.begin_exchange(keys_to_send(round));
    if (k > 0) settle(rounds_[(k - 1) % 3], round.positions);
    if (k > 1) {
      ASSIGN_OR_RETURN(more, join(rounds_[(k - 2) % 3]));
    }
  }
  for (Round& round : rounds_) round = Round();  // nothing came of the last ones
  return absl::OkStatus();
}

template <std::size_t kWords>
absl::StatusOr<RankedGraph> RankedEnumerator<kWords>::run(const Position& start) {
  Position first = start;
  const GroupElement element = symmetries_.canonicalize(first);
  ASSIGN_OR_RETURN(const EndState end, end_state(variant_.rules(), start));
  bytes_per_lifts_ = Lifts::bytes_per_position(symmetries_.size() / symmetries_.stabilizer(first).size());
  const Key<kWords> key = index_.packing().template pack<kWords>(first);
  const std::uint64_t hash = hash_key(key);
  const std::size_t start_rank = rank_of_hash(hash, n_);
  Address address = 0;
  if (start_rank == static_cast<std::size_t>(ranks_.rank())) {
    address = index_.insert(shard_of_hash(hash), key, hash).address;
    note(shard_of_hash(hash), key, end.ended ? end.margin.margin.units : kGoesOn);
    own_ = 1;
    if (!end.ended) found_.queue.push_back(address);
  }
  RETURN_IF_ERROR(find_all());
  RETURN_IF_ERROR(meet("graph").status());
  // What any rank has seen.
  Parcel changes;
  put(changes, std::span<const CountChange>(changes_.all()));
  for (const Parcel& parcel : ranks_.gather(changes)) {
    for (ParcelReader reader(parcel); !reader.empty();) changes_.add(reader.get<CountChange>());
  }
  if (observes()) rising_.note(changes_.all());
  RankedNumbering<kWords> numbering(found_, variant_, limits_, ranks_);
  RankedGraph out = numbering.write([&](const Position& p) { return tier_key(p); }, start_rank, address);
  out.start_lift = symmetries_.group().inverse(element);
  return out;
}

}  // namespace

absl::StatusOr<RankedGraph> ranked_enumerate(const Variant& variant, const Position& start, const RankedLimits& limits,
                                             Ranks& ranks, const EnumerationProgressFn& progress) {
  const int words = Packing(variant.rules(), !variant.symmetries().has_exchange()).words();
  if (words == 1) return RankedEnumerator<1>(variant, limits, ranks, progress).run(start);
  if (words == 2) return RankedEnumerator<2>(variant, limits, ranks, progress).run(start);
  if (words == 4) return RankedEnumerator<4>(variant, limits, ranks, progress).run(start);
  return RankedEnumerator<8>(variant, limits, ranks, progress).run(start);
}

}  // namespace plenum
