// SPDX-License-Identifier: Apache-2.0
#include "solver/study/reach.h"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <span>

#include <absl/strings/str_cat.h>

#include "solver/support/memory.h"
#include "solver/support/object_pool.h"
#include "solver/support/parallel.h"
#include "tables/index/sparse_index.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kReachBlock = kLanes;  // positions expanded together
constexpr std::size_t kReachBlocksPerRound = 64;
constexpr std::uint64_t kReachFixedBytes = 9'000'000;  // threads, libraries once used
constexpr int kLeastWorthLimiting = 2;                 // plies; nearer goals are found at once
constexpr std::uint64_t kCostlyPly = 4;                // times as many positions

absl::uint128 add_saturating(absl::uint128 a, absl::uint128 b) { return a + b < a ? absl::Uint128Max() : a + b; }

template <std::size_t kWords>
class GoalSearch {
 public:
  GoalSearch(const Variant& variant, const Goal& goal, const Position& start, const ReachOptions& options)
      : variant_(variant),
        rules_(variant.rules()),
        symmetries_(variant.symmetries()),
        goal_(goal),
        start_(start),
        options_(options),
        bound_(variant.rules().goal_bound()),
        packing_(rules_, !symmetries_.has_exchange()),
        work_(kReachBlocksPerRound),
        fresh_(kShards) {
    const bool symmetric = symmetries_.stabilizer(start).size() == symmetries_.size();
    counts_unreduced_ = symmetric && !symmetries_.has_exchange();
  }

  absl::StatusOr<Reach> run();

 private:
  // What one thread works with.
  struct Local {
    explicit Local(const Rules& rules) : batch(rules.batch()), scratch(rules) { batch.grow(kReachBlock); }
    PositionBatch batch;
    Rules::Scratch scratch;
    Workspace work;
    std::vector<std::uint8_t> flags;
  };
  struct Reached {
    Key<kWords> key;
    std::uint64_t hash;
    bool ended;
  };
  // What a block of positions is expanded into; used again in the next round.
  struct Work {
    std::vector<Reached> successors;
    std::vector<std::uint32_t> by_shard;
    std::array<std::uint32_t, kShards + 1> shard_begin = {};
    std::uint64_t cut = 0;
    bool too_far = false;  // a successor was dropped that a higher limit would keep
    absl::Status status;
  };
  struct Fresh {
    std::vector<Address> going_on;
    std::uint64_t unreduced = 0;
  };
  struct Layer {
    std::array<std::size_t, kShards> begin = {};  // places in each shard
    std::size_t queue = 0;                        // the first of its positions that go on
    std::uint64_t size = 0;
  };
  using Counts = std::vector<std::vector<absl::uint128>>;  // by shard and place in the layer

  // Calls visit(parent, canonical successor, whether it has ended) for every move of the positions at `parents`.
  template <typename Visit>
  absl::Status expand(std::span<const Address> parents, Local& local, const Visit& visit) {
    local.batch.size = parents.size();
    for (std::size_t i = 0; i < parents.size(); ++i)
      local.batch.set(i, packing_.template unpack<kWords>(index_->key(parents[i])));
    RETURN_IF_ERROR(rules_.expand(local.batch, local.scratch));
    Position successor;
    for (std::size_t i = 0; i < local.scratch.successors.size; ++i) {
      local.scratch.successors.read(i, successor);
      symmetries_.canonicalize(successor);
      visit(local.scratch.parent[i], successor, local.scratch.ended[i] != 0);
    }
    return absl::OkStatus();
  }

  enum class Outcome { found, exhausted, limited };
  absl::StatusOr<Outcome> search(std::optional<int> limit);
  void begin_layer();
  bool scan();
  absl::Status expand_layer(std::optional<int> limit);
  void expand_block(std::span<const Address> parents, std::optional<int> limit, Work& work);
  void put_in(std::size_t shard, std::size_t blocks);
  std::uint64_t need(std::uint64_t index_bytes, std::uint64_t more) const;
  std::size_t blocks_that_fit(std::size_t wanted) const;
  absl::Status check_memory(std::size_t blocks) const;
  absl::Status stopped() const;
  absl::Status trace(Reach& out);
  absl::Status trace_layer(std::size_t layer, const Counts& next, Counts& now);
  absl::StatusOr<Line> first_line() const;

  std::size_t end_of(std::size_t layer, std::size_t shard) const {
    return layer + 1 < layers_.size() ? layers_[layer + 1].begin[shard] : index_->places(shard);
  }
  std::optional<Address> locate(const Position& canonical) const {
    const Key<kWords> key = packing_.template pack<kWords>(canonical);
    return index_->locate(key, hash_key(key));
  }
  std::string what_is_proven() const {
    if (proven_ < 0) return "";
    return absl::StrCat("; it is proven that no line of ", proven_, proven_ == 1 ? " ply" : " plies",
                        " or fewer leads to the goal");
  }

  const Variant& variant_;
  const Rules& rules_;
  const SymmetryGroup& symmetries_;
  const Goal& goal_;
  const Position& start_;
  const ReachOptions& options_;
  std::unique_ptr<const GoalBound> bound_;
  Packing packing_;
  bool counts_unreduced_ = false;

  // Of the search by one limit.
  std::unique_ptr<SparseIndex<kWords>> index_;
  std::vector<Layer> layers_;
  std::vector<Address> queue_;  // positions that go on, layer by layer
  std::uint64_t positions_ = 0;
  std::uint64_t unreduced_ = 0;
  std::uint64_t cut_ = 0;
  bool too_far_ = false;

  int proven_ = -1;  // plies of which there is no line to the goal
  std::vector<Work> work_;
  std::vector<Fresh> fresh_;                        // by shard
  std::vector<std::vector<std::uint8_t>> is_goal_;  // of the last layer scanned, by shard and place in it
  std::vector<std::vector<std::uint8_t>> on_line_;  // by shard and place: on a shortest line to the goal
  ObjectPool<Local> locals_{[this] { return std::make_unique<Local>(rules_); }};
};

// What is held, and what tracing the lines back will take: counts of two layers, a byte a position.
template <std::size_t kWords>
std::uint64_t GoalSearch<kWords>::need(std::uint64_t index_bytes, std::uint64_t more) const {
  std::uint64_t widest = 0;
  for (std::size_t i = 0; i < layers_.size(); ++i)
    widest = std::max(widest, layers_[i].size + (i + 1 < layers_.size() ? layers_[i + 1].size : more));
  std::uint64_t working = 0;
  for (const Work& w : work_) working += w.successors.capacity() * sizeof(Reached) + w.by_shard.capacity() * 4;
  const std::uint64_t queue = std::max<std::uint64_t>(queue_.capacity(), 2 * (queue_.size() + more)) * sizeof(Address);
  const std::uint64_t tracing = positions_ + more + widest * sizeof(absl::uint128);
  return base_memory() + kReachFixedBytes + (index_bytes + queue + working + tracing) / 16 * 17;
}

// How many blocks may be expanded at a time so that their successors take no more than a quarter of what is left.
template <std::size_t kWords>
std::size_t GoalSearch<kWords>::blocks_that_fit(std::size_t wanted) const {
  const std::uint64_t used = need(index_->bytes(), 0);
  const std::uint64_t left = options_.memory_bytes > used ? (options_.memory_bytes - used) / 4 : 0;
  const std::uint64_t each = kReachBlock * static_cast<std::uint64_t>(rules_.board().size()) * (sizeof(Reached) + 4);
  return std::clamp<std::uint64_t>(left / each, 1, std::min(wanted, kReachBlocksPerRound));
}

template <std::size_t kWords>
absl::Status GoalSearch<kWords>::check_memory(std::size_t blocks) const {
  std::uint64_t index_bytes = 0;
  std::uint64_t more = 0;
  bool full = false;
  for (std::size_t shard = 0; shard < kShards; ++shard) {
    std::size_t here = 0;
    for (std::size_t b = 0; b < blocks; ++b) here += work_[b].shard_begin[shard + 1] - work_[b].shard_begin[shard];
    full |= index_->places(shard) + here > kMaxPlaces;
    index_bytes += index_->bytes_after(shard, here);
    more += here;
  }
  if (!full && need(index_bytes, more) <= options_.memory_bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      full ? "more positions than this index can number" : "memory", ": ", variant_.description().name, " on ",
      variant_.board().name(), ": ", positions_, positions_ == 1 ? " position was found" : " positions were found",
      " (up to symmetry) before the ", memory_text(options_.memory_bytes), " given would have been used up",
      what_is_proven(), "\n  give more with --memory, or look less far with --depth"));
}

template <std::size_t kWords>
absl::Status GoalSearch<kWords>::stopped() const {
  return absl::CancelledError(absl::StrCat("interrupted", what_is_proven()));
}

template <std::size_t kWords>
void GoalSearch<kWords>::begin_layer() {
  layers_.emplace_back();
  for (std::size_t shard = 0; shard < kShards; ++shard) layers_.back().begin[shard] = index_->places(shard);
  layers_.back().queue = queue_.size();
}

// Whether the goal holds somewhere in the last layer.
template <std::size_t kWords>
bool GoalSearch<kWords>::scan() {
  const std::size_t last = layers_.size() - 1;
  is_goal_.assign(kShards, {});
  for_each_index(kShards, [&](std::size_t shard) {
    const std::size_t begin = layers_[last].begin[shard];
    const std::size_t end = end_of(last, shard);
    if (begin == end) return;
    const auto local = locals_.borrow();
    is_goal_[shard].reserve(end - begin);
    for (std::size_t from = begin; from < end; from += kReachBlock) {
      const std::size_t count = std::min(kReachBlock, end - from);
      local->batch.size = count;
      for (std::size_t i = 0; i < count; ++i)
        local->batch.set(i, packing_.template unpack<kWords>(index_->key(address(shard, from + i))));
      goal_.holds(local->batch, local->work, local->flags);
      is_goal_[shard].insert(is_goal_[shard].end(), local->flags.begin(),
                             local->flags.begin() + static_cast<std::ptrdiff_t>(count));
    }
  });
  return std::any_of(is_goal_.begin(), is_goal_.end(), [](const std::vector<std::uint8_t>& shard) {
    return std::any_of(shard.begin(), shard.end(), [](std::uint8_t one) { return one != 0; });
  });
}

template <std::size_t kWords>
void GoalSearch<kWords>::expand_block(std::span<const Address> parents, std::optional<int> limit, Work& work) {
  work.successors.clear();
  work.cut = 0;
  work.too_far = false;
  const bool bounded = options_.use_bound && bound_->informative();
  const int made = static_cast<int>(layers_.size()) - 1;  // plies to a successor: its layer has begun
  std::array<std::uint32_t, kShards> count = {};
  const auto local = locals_.borrow();
  work.status = expand(parents, *local, [&](std::uint32_t /*parent*/, const Position& successor, bool ended) {
    if (bounded) {
      const int left = bound_->plies(successor);
      const bool never = left == GoalBound::kNever || (ended && left > 0);
      const bool far = !never && limit && left > *limit - made;
      work.cut += never || far ? 1 : 0;
      work.too_far |= far;
      if (never || far) return;
    }
    const Key<kWords> key = packing_.template pack<kWords>(successor);
    work.successors.push_back({key, hash_key(key), ended});
    ++count[shard_of_hash(work.successors.back().hash)];
  });
  work.shard_begin[0] = 0;
  for (std::size_t k = 0; k < kShards; ++k) work.shard_begin[k + 1] = work.shard_begin[k] + count[k];
  std::array<std::uint32_t, kShards> fill;
  std::copy_n(work.shard_begin.begin(), kShards, fill.begin());
  work.by_shard.resize(work.successors.size());
  for (std::size_t i = 0; i < work.successors.size(); ++i)
    work.by_shard[fill[shard_of_hash(work.successors[i].hash)]++] = static_cast<std::uint32_t>(i);
}

template <std::size_t kWords>
void GoalSearch<kWords>::put_in(std::size_t shard, std::size_t blocks) {
  Fresh& fresh = fresh_[shard];
  fresh.going_on.clear();
  fresh.unreduced = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    const Work& work = work_[b];
    for (std::uint32_t k = work.shard_begin[shard]; k < work.shard_begin[shard + 1]; ++k) {
      const Reached& s = work.successors[work.by_shard[k]];
      const auto inserted = index_->insert(shard, s.key, s.hash);
      if (!inserted.fresh) continue;
      if (!s.ended) fresh.going_on.push_back(inserted.address);
      if (counts_unreduced_ && symmetries_.size() > 1)
        fresh.unreduced += symmetries_.size() / symmetries_.stabilizer(packing_.template unpack<kWords>(s.key)).size();
    }
  }
}

// The layer after the last one, which has begun and is empty yet.
template <std::size_t kWords>
absl::Status GoalSearch<kWords>::expand_layer(std::optional<int> limit) {
  const std::size_t end = layers_.back().queue;
  for (std::size_t next = layers_[layers_.size() - 2].queue; next < end;) {
    if (options_.progress && !options_.progress({static_cast<int>(layers_.size()) - 1, positions_})) return stopped();
    const std::size_t blocks = blocks_that_fit((end - next + kReachBlock - 1) / kReachBlock);
    const std::size_t begin = next;
    next = std::min(end, begin + blocks * kReachBlock);
    for_each_index(blocks, [&](std::size_t b) {
      const std::size_t from = std::min(next, begin + b * kReachBlock);
      expand_block({queue_.data() + from, std::min(kReachBlock, next - from)}, limit, work_[b]);
    });
    for (std::size_t b = 0; b < blocks; ++b) {
      RETURN_IF_ERROR(work_[b].status);
      cut_ += work_[b].cut;
      too_far_ |= work_[b].too_far;
    }
    RETURN_IF_ERROR(check_memory(blocks));
    for_each_index(kShards, [&](std::size_t shard) { put_in(shard, blocks); });
    std::uint64_t found = 0;
    for (std::size_t shard = 0; shard < kShards; ++shard) {
      queue_.insert(queue_.end(), fresh_[shard].going_on.begin(), fresh_[shard].going_on.end());
      found += index_->places(shard);
      unreduced_ += fresh_[shard].unreduced;
    }
    layers_.back().size += found - positions_;
    positions_ = found;
  }
  return absl::OkStatus();
}

// Breadth first, over positions from which the goal can be reached within the limit as far as the bound knows.
template <std::size_t kWords>
absl::StatusOr<typename GoalSearch<kWords>::Outcome> GoalSearch<kWords>::search(std::optional<int> limit) {
  index_ = std::make_unique<SparseIndex<kWords>>(packing_);
  layers_.clear();
  queue_.clear();
  cut_ = 0;
  too_far_ = false;
  begin_layer();
  Position first = start_;
  symmetries_.canonicalize(first);
  const Key<kWords> key = packing_.template pack<kWords>(first);
  const Address at = index_->insert(shard_of_hash(hash_key(key)), key, hash_key(key)).address;
  positions_ = unreduced_ = layers_.back().size = 1;
  PositionBatch batch = rules_.batch();
  batch.push(start_);
  Rules::Scratch scratch(rules_);
  std::vector<std::uint8_t> ended;
  std::vector<std::int64_t> margin;
  rules_.judge(batch, scratch, ended, margin);
  if (ended[0] == 0) queue_.push_back(at);
  for (;;) {
    if (scan()) return Outcome::found;
    const int plies = static_cast<int>(layers_.size()) - 1;
    proven_ = std::max(proven_, plies);
    const bool goes_on = layers_.back().queue < queue_.size();
    if (!goes_on && !too_far_) return Outcome::exhausted;
    if (!goes_on || (limit && plies >= *limit)) {
      proven_ = std::max(proven_, *limit);
      return Outcome::limited;
    }
    begin_layer();
    RETURN_IF_ERROR(expand_layer(limit));
  }
}

template <std::size_t kWords>
absl::StatusOr<Reach> GoalSearch<kWords>::run() {
  Reach out;
  const int least = options_.use_bound && !goal_.holds(start_) ? bound_->plies(start_) : 0;
  const bool stepwise = least >= kLeastWorthLimiting && least != GoalBound::kNever;
  std::optional<int> limit = options_.depth;
  if (stepwise) limit = std::min(least, options_.depth.value_or(least));
  // Steps grow as long as a ply more costs little: they are what is searched in vain beyond the goal.
  std::uint64_t before = 0;
  for (int step = 1;;) {
    ASSIGN_OR_RETURN(const Outcome outcome, search(limit));
    if (outcome == Outcome::found) {
      RETURN_IF_ERROR(trace(out));
    }
    out.exhausted = outcome == Outcome::exhausted || (outcome == Outcome::limited && least == GoalBound::kNever);
    if (outcome != Outcome::limited || out.exhausted || (options_.depth && *limit >= *options_.depth)) break;
    limit = std::min(*limit + step, options_.depth.value_or(*limit + step));
    step = positions_ > kCostlyPly * before ? 1 : 2 * step;
    before = positions_;
  }
  out.proven_plies = proven_;
  out.looked_at = positions_;
  if (symmetries_.size() == 1) {
    out.unreduced = positions_;
  } else if (counts_unreduced_) {
    out.unreduced = unreduced_;
  }
  out.moves_cut = cut_;
  return out;
}

// From the last layer, where the goal holds, back to the start: how many lines lead on from each position.
template <std::size_t kWords>
absl::Status GoalSearch<kWords>::trace(Reach& out) {
  work_.clear();
  on_line_.assign(kShards, {});
  Counts next(kShards);
  for (std::size_t shard = 0; shard < kShards; ++shard) {
    on_line_[shard].assign(index_->places(shard), 0);
    const std::size_t begin = layers_.back().begin[shard];
    for (std::size_t i = 0; i < is_goal_[shard].size(); ++i) {
      next[shard].emplace_back(is_goal_[shard][i]);
      on_line_[shard][begin + i] = is_goal_[shard][i];
    }
  }
  for (std::size_t layer = layers_.size() - 1; layer-- > 0;) {
    if (options_.progress && !options_.progress({static_cast<int>(layer), positions_})) return stopped();
    Counts now(kShards);
    for (std::size_t shard = 0; shard < kShards; ++shard)
      now[shard].assign(end_of(layer, shard) - layers_[layer].begin[shard], 0);
    RETURN_IF_ERROR(trace_layer(layer, next, now));
    next = std::move(now);
  }
  for (const auto& shard : next) {
    for (const absl::uint128& count : shard) out.lines = count;  // the start is the only one of its layer
  }
  ASSIGN_OR_RETURN(out.line, first_line());
  return absl::OkStatus();
}

template <std::size_t kWords>
absl::Status GoalSearch<kWords>::trace_layer(std::size_t layer, const Counts& next, Counts& now) {
  const std::size_t begin = layers_[layer].queue;
  const std::size_t end = layers_[layer + 1].queue;
  const std::size_t blocks = (end - begin + kReachBlock - 1) / kReachBlock;
  std::vector<absl::Status> status(blocks);
  for_each_index(blocks, [&](std::size_t b) {
    const std::span<const Address> parents(queue_.data() + begin + b * kReachBlock,
                                           std::min(kReachBlock, end - begin - b * kReachBlock));
    const auto local = locals_.borrow();
    status[b] = expand(parents, *local, [&](std::uint32_t parent, const Position& successor, bool /*ended*/) {
      const std::optional<Address> to = locate(successor);
      if (!to) return;
      const std::size_t shard = shard_of(*to);
      const std::size_t place = place_of(*to);
      if (place < layers_[layer + 1].begin[shard] || place >= end_of(layer + 1, shard)) return;
      const absl::uint128 lines = next[shard][place - layers_[layer + 1].begin[shard]];
      if (lines == 0) return;
      const Address from = parents[parent];
      absl::uint128& sum = now[shard_of(from)][place_of(from) - layers_[layer].begin[shard_of(from)]];
      sum = add_saturating(sum, lines);
      on_line_[shard_of(from)][place_of(from)] = 1;
    });
  });
  for (const absl::Status& one : status) RETURN_IF_ERROR(one);
  return absl::OkStatus();
}

template <std::size_t kWords>
absl::StatusOr<Line> GoalSearch<kWords>::first_line() const {
  Line out;
  out.begin = start_;
  for (std::size_t layer = 1; layer < layers_.size(); ++layer) {
    ASSIGN_OR_RETURN(const std::vector<Successor> moves, successors(rules_, out.end()));
    const auto chosen = std::find_if(moves.begin(), moves.end(), [&](const Successor& s) {
      const std::optional<Address> at = locate(symmetries_.canonical(s.position).position);
      if (!at || on_line_[shard_of(*at)][place_of(*at)] == 0) return false;
      const std::size_t place = place_of(*at);
      return place >= layers_[layer].begin[shard_of(*at)] && place < end_of(layer, shard_of(*at));
    });
    if (chosen == moves.end()) return absl::InternalError("a line leaves the positions looked at");
    out.moves.push_back({chosen->text, false, chosen->position});
  }
  return out;
}

}  // namespace

absl::StatusOr<Reach> reach(const Variant& variant, const Goal& goal, const Position& start,
                            const ReachOptions& options) {
  const int words = Packing(variant.rules(), !variant.symmetries().has_exchange()).words();
  if (words == 1) return GoalSearch<1>(variant, goal, start, options).run();
  if (words == 2) return GoalSearch<2>(variant, goal, start, options).run();
  if (words == 4) return GoalSearch<4>(variant, goal, start, options).run();
  return GoalSearch<8>(variant, goal, start, options).run();
}

}  // namespace plenum
