// SPDX-License-Identifier: Apache-2.0
#include "solver/bits/bit_pass.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <tuple>
#include <utility>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

#include "solver/bits/bit_check.h"
#include "solver/bits/bit_pass_solver.h"
#include "solver/support/memory.h"
#include "solver/support/parallel.h"
#include "variants/board/bits.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr BlockIndex kBlocksPerRound = 1024;  // between reports
constexpr const char* kCounts = "counts";
using KeptCounts = std::array<std::uint64_t, 4>;  // of a tier: won by first, by second, level; ended
// Positions of a tier that are worked out again.
constexpr std::uint64_t kPositionsPerSample = 100'000;
constexpr std::uint64_t kFewestSamples = 16;
constexpr std::uint64_t kMostPositionsChecked = 1000;

absl::Status too_little(const Variant& variant, std::uint64_t needed, std::uint64_t allowed) {
  return absl::ResourceExhaustedError(
      absl::StrCat("memory: ", variant.description().name, " on ", variant.board().name(), " needs ",
                   memory_text(needed), " (a bit or two for each position of two tiers); ", memory_text(allowed),
                   " may be used\n  give more with --memory, or take a smaller board with --board"));
}

std::string piece_name(int stones) { return absl::StrFormat("bits-%03d", stones); }
std::string layer_name(const char* what, std::size_t state) { return absl::StrCat(what, "-", state); }

}  // namespace

// Whether some position of the tier may be level: as one of the next is, or as the game may end or stand still before the board is full.
bool BitPass::may_be_level(const Tier& tier, const Tier& next) {
  if (next.level()) return true;
  const RuleSet& rules = variant_.rule_set();
  if (!rules.always_a_move && rules.stuck != Stuck::loses && rules.stuck != Stuck::wins) return true;
  PlacingRules::Row row(rules_);
  for (BlockIndex b = tier.first_block; b < block_end(tier.stones); ++b) {
    row.begin(index_.blocks()[b].set, mover_with(start_, tier.stones));
    for (const StateBits& bits : tier.states) {
      if (!row.ended(bits.state).none()) return true;
    }
  }
  return false;
}

BitPass::Tier BitPass::tier_with(int stones) const {
  Tier out;
  out.stones = stones;
  out.words = words_of(stones);
  out.first_block = index_.first_block(stones);
  out.bytes = (block_end(stones) - out.first_block) * out.words * sizeof(Word);
  for (const Position& state : states_with(stones)) out.states.push_back({state, {}, {}});
  return out;
}

// All arrays are as long as any tier needs, so that they can be used again: fresh memory costs more than what is written there.
absl::Status BitPass::take(BigBytes& array) {
  if (!spare_.empty()) {
    array = std::move(spare_.back());
    spare_.pop_back();
    return absl::OkStatus();
  }
  ++arrays_;
  const std::uint64_t needed = base_memory() + index_.bytes() + scratch_ + arrays_ * longest_;
  if (needed > options_.memory_bytes) return too_little(variant_, needed, options_.memory_bytes);
  array = BigBytes(longest_);
  return absl::OkStatus();
}

void BitPass::give_back(Tier& tier) {
  for (StateBits& bits : tier.states) {
    for (BigBytes* array : {&bits.win, &bits.lose}) {
      if (!array->empty()) spare_.push_back(std::move(*array));
      *array = BigBytes();
    }
  }
  tier = Tier();
}

absl::Status BitPass::begin_tier(int stones, const Tier& next, Tier& tier) {
  tier = tier_with(stones);
  const bool level = may_be_level(tier, next);
  for (StateBits& bits : tier.states) {
    RETURN_IF_ERROR(take(bits.win));
    if (level) {
      RETURN_IF_ERROR(take(bits.lose));
    }
  }
  return absl::OkStatus();
}

absl::Status BitPass::solve_tier(const Tier& next, Tier& tier) {
  BitTier& all = tiers_[static_cast<std::size_t>(tier.stones - first_stones_)];
  std::mutex mutex;
  std::vector<Counts> counts(tier.states.size());
  const BlockIndex end = block_end(tier.stones);
  for (BlockIndex from = tier.first_block; from < end;) {
    const BlockIndex to = std::min<BlockIndex>(end, from + kBlocksPerRound);
    for_each_index(to - from, [&](std::size_t i) {
      const auto worker = workers_.borrow();
      std::vector<Counts> own(tier.states.size());
      solve_block(from + static_cast<BlockIndex>(i), next, tier, *worker, own);
      const std::lock_guard<std::mutex> lock(mutex);
      for (std::size_t s = 0; s < own.size(); ++s) counts[s].add(own[s]);
    });
    done_ += (std::uint64_t{to - from} << tier.stones) * tier.states.size();
    from = to;
    if (!report(tier.stones)) return absl::CancelledError("interrupted");
  }
  Counts sum;
  for (const Counts& one : counts) sum.add(one);
  const bool by_first = all.mover == Player::first;
  all.first = by_first ? sum.win : sum.lose;
  all.second = by_first ? sum.lose : sum.win;
  all.level = sum.level;
  all.ended = sum.ended;
  if (sum.level == 0) {
    for (StateBits& bits : tier.states) {
      if (!bits.lose.empty()) spare_.push_back(std::move(bits.lose));
      bits.lose = BigBytes();
    }
  }
  return absl::OkStatus();
}

void BitPass::begin() {
  for (int stones = first_stones_; stones <= index_.cells(); ++stones) {
    BitTier tier;
    tier.stones = stones;
    tier.mover = mover_with(start_, stones);
    tier.states = states_with(stones).size();
    for (BlockIndex b = index_.first_block(stones); b < block_end(stones); ++b)
      tier.positions += tier.states * (std::uint64_t{index_.blocks()[b].sets} << stones);
    tiers_.push_back(tier);
    longest_ = std::max(longest_, tier_with(stones).bytes);
    scratch_ = std::max(scratch_, bits_scratch_bytes(index_.cells(), tier.states));
    all_ += stored(stones);
  }
}

absl::Status BitPass::save() const {
  const auto bytes_of = [&](const BigBytes& bytes) { return std::span(bytes.data(), tier_.bytes); };
  std::vector<Checkpoint::Layer> layers;
  std::vector<KeptCounts> counts;
  for (const BitTier& tier : tiers_) counts.push_back({tier.first, tier.second, tier.level, tier.ended});
  layers.emplace_back(kCounts, counter_bytes(std::span(counts)));
  for (std::size_t s = 0; s < tier_.states.size(); ++s) {
    layers.emplace_back(layer_name("win", s), bytes_of(tier_.states[s].win));
    if (tier_.level()) layers.emplace_back(layer_name("lose", s), bytes_of(tier_.states[s].lose));
  }
  RETURN_IF_ERROR(options_.checkpoint->save(piece_name(tier_.stones), "", layers));
  options_.checkpoint->remove(piece_name(tier_.stones + 1));
  return absl::OkStatus();
}

// The tier with so many stones, from the checkpoint.
bool BitPass::load(int stones) {
  const auto file = options_.checkpoint->load(piece_name(stones));
  if (!file) return false;
  const TableReader& piece = **file;
  std::vector<KeptCounts> counts(tiers_.size());
  if (!Checkpoint::read(piece, kCounts, counter_bytes(std::span(counts)))) return false;
  Tier tier = tier_with(stones);
  const bool level = piece.find_layer(layer_name("lose", 0)).has_value();  // then in every state, as Tier::level has it
  for (std::size_t s = 0; s < tier.states.size(); ++s) {
    StateBits& bits = tier.states[s];
    const auto read = [&](const char* what, BigBytes& to) {
      return take(to).ok() && Checkpoint::read(piece, layer_name(what, s), {to.data(), tier.bytes});
    };
    if (!read("win", bits.win) || (level && !read("lose", bits.lose))) return false;
  }
  for (std::size_t i = 0; i < tiers_.size(); ++i) {
    BitTier& all = tiers_[i];
    std::tie(all.first, all.second, all.level, all.ended) = std::tuple_cat(counts[i]);
  }
  tier_ = std::move(tier);
  for (int k = stones; k <= index_.cells(); ++k) done_ += stored(k);
  return true;
}

// Of a position of the last two tiers that were worked out.
PositionValue BitPass::value(const Position& position) const {
  const bool of_first = position.mover == Player::first;
  const CellSet set = occupied_by(position);
  const Tier& tier = std::popcount(set) == tier_.stones ? tier_ : next_;
  const Position there = index_.symmetries().apply(index_.to_block(set), position);
  const BlockIndex block = index_.block_of(set);
  const std::uint64_t row = extract(there.planes[of_first ? 0 : 1], index_.blocks()[block].set);
  const StateBits& bits = tier.states[tier.number_of(there)];
  const std::uint64_t at = 64 * (block - tier.first_block) * tier.words + row;
  const auto bit = [&](const BigBytes& bytes) { return (bytes[at / 8] >> (at % 8) & 1) != 0; };
  const bool wins = bit(bits.win);
  const bool loses = tier.level() ? bit(bits.lose) : !wins;
  PositionValue out = acyclic_value({{wins ? 1 : loses ? -1 : 0}}, position.mover);
  const auto judged = judged_.borrow();
  judged->clear();
  judged->ask(position);
  judged->look(Judged::Wanted::no_replies);
  out.ended = judged->ended(0);
  return out;
}

// Some positions of the tier, by the rules one by one.
absl::Status BitPass::check(int stones) const {
  const std::uint64_t positions = tiers_[static_cast<std::size_t>(stones - first_stones_)].positions;
  const auto samples =
      static_cast<int>(std::clamp(positions / kPositionsPerSample, kFewestSamples, kMostPositionsChecked));
  return check_samples(index_, variant_, states_with(stones), stones, samples, value_fn());
}

absl::StatusOr<std::shared_ptr<const BitGame>> BitPass::run() {
  begin();
  int stones = index_.cells() + 1;
  // The tier that was done last before the solve was stopped; of the first two both are needed at the end.
  for (int k = first_stones_ + 1; options_.checkpoint != nullptr && k <= index_.cells() && stones > index_.cells();
       ++k) {
    if (load(k)) stones = k;
  }
  while (stones > first_stones_) {
    --stones;
    give_back(next_);
    next_ = std::move(tier_);
    RETURN_IF_ERROR(begin_tier(stones, next_, tier_));
    RETURN_IF_ERROR(solve_tier(next_, tier_));
    RETURN_IF_ERROR(check(stones));
    if (options_.visit) options_.visit(stones, states_with(stones), value_fn());
    if (options_.checkpoint != nullptr && stones > first_stones_) {
      RETURN_IF_ERROR(save());
    }
  }
  GameResult::Data data;
  data.method = "bits";
  data.variant = std::make_shared<const Variant>(variant_);
  data.start = start_;
  data.start_value = value(start_);
  data.stored = all_;
  data.remoteness_known = false;
  data.facts_known = false;
  RETURN_IF_ERROR(find_openings(value_fn(), data));
  data.tiers = tiers_;
  data.cyclic = false;
  return std::make_shared<const BitGame>(std::move(data));
}

absl::StatusOr<std::shared_ptr<const BitGame>> solve_bits(const Variant& variant, const Position& start,
                                                          const BitOptions& options) {
  if (const auto why = bits_obstacle(variant, start)) return absl::UnimplementedError(*why);
  ASSIGN_OR_RETURN(PlacingRules rules, PlacingRules::make(variant));
  const std::uint64_t least = predict_bits(variant, start).bytes;
  if (least > options.memory_bytes) return too_little(variant, least, options.memory_bytes);
  return BitPass(variant, std::move(rules), start, options).run();
}

}  // namespace plenum
