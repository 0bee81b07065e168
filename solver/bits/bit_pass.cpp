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
#include "solver/cluster/ranked_piece.h"
#include "solver/support/memory.h"
#include "solver/support/parallel.h"
#include "variants/board/bits.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kClassesPerRound = 4096;  // between reports
constexpr std::size_t kRoundsPerTier = 64;      // what a round adds is in memory besides
constexpr std::size_t kLeastRoundBytes = std::size_t{1} << 18;
constexpr std::size_t kMostRoundBytes = std::size_t{8} << 20;
constexpr std::size_t kSharesPerRound = 64;
constexpr const char* kNotWon = "not-won";
constexpr const char* kLost = "lost";
constexpr const char* kCounts = "counts";
using KeptCounts = std::array<std::uint64_t, 4>;  // of a tier: won by first, by second, level; ended
// Positions of a tier that are worked out again.
constexpr std::uint64_t kPositionsPerSample = 100'000;
constexpr std::uint64_t kFewestSamples = 16;
constexpr std::uint64_t kMostPositionsChecked = 1000;

absl::Status too_little(const Variant& variant, std::uint64_t needed, std::uint64_t allowed) {
  return absl::ResourceExhaustedError(absl::StrCat(
      "memory: ", variant.description().name, " on ", variant.board().name(), " needs ", memory_text(needed),
      " (a bit or two for each position of a tier, and some more); ", memory_text(allowed),
      " may be used\n  give more with --memory, or take a smaller board with --board"));
}

std::string piece_name(int stones) { return absl::StrFormat("bits-%03d", stones); }
std::string layer_name(const char* what, std::size_t state) { return absl::StrCat(what, "-", state); }

}  // namespace

// Whether some position of the tier may be level: as one of the next is, or as the game may end or stand still before the board is full.
bool BitPass::may_be_level(int stones, const BitSets::Tier& sets, const Tier& next) {
  if (next.level()) return true;
  const RuleSet& rules = variant_.rule_set();
  if (!rules.always_a_move && rules.stuck != Stuck::loses && rules.stuck != Stuck::wins) return true;
  if (!over_possible(stones)) return false;
  PlacingRules::Row row(rules_);
  for (std::uint32_t n = 0; n < sets.size(); ++n) {
    row.begin(sets.set(n), mover_with(start_, stones));
    for (const Position& state : states_with(stones)) {
      if (!row.ended(state).none()) return true;
    }
  }
  return false;
}

// The classes of a tier are worked through some at a time; then what is needed no more is given back.
std::size_t BitPass::round_end(std::size_t from) const {
  const std::size_t row = tier_.words * sizeof(Word) * tier_.states.size();
  const std::size_t bytes = std::clamp(tier_.sets.size() * row / kRoundsPerTier, kLeastRoundBytes, kMostRoundBytes);
  std::size_t classes = std::clamp<std::size_t>(bytes / row, 1, kClassesPerRound);
  if (ranks_.several()) {
    // As many pieces for each.
    const std::size_t turn = share().ranks << tier_.states[0].not_won.shift();
    classes = (classes + turn - 1) / turn * turn;
  }
  return std::min<std::size_t>(tier_.sets.size(), from + classes);
}

// Of the next tier: rows that are needed for nothing from this class on. Of the first two tiers all are kept.
std::size_t BitPass::used_up(std::size_t number) const {
  if (next_.stones < 0 || tier_.stones == first_stones_) return 0;
  return next_.sets.first_needed(tier_.sets, static_cast<std::uint32_t>(number));
}

// Pieces of memory in use at once while the tier is solved, at the most.
std::uint64_t BitPass::peak_pieces() {
  const std::size_t ranks = share().ranks;
  std::uint64_t most = 0;
  own_pieces_ = 0;
  for (std::size_t from = 0; from < tier_.sets.size();) {
    const std::size_t to = round_end(from);
    std::uint64_t used = 0;
    std::uint64_t own = 0;
    const auto add = [&](std::size_t pieces) {
      used += pieces;
      own += (pieces + ranks - 1) / ranks;  // of each plane they go round
    };
    tier_.each([&](const BitPlane& plane) { add(plane.pieces_of(to)); });
    next_.each(
        [&](const BitPlane& plane) { add(plane.pieces_of(next_.sets.size()) - plane.given_with(used_up(from))); });
    most = std::max(most, used);
    own_pieces_ = std::max(own_pieces_, own);
    from = to;
  }
  // A rank keeps as many of others' pieces at the least.
  return ranks == 1 ? most : std::min(most, 2 * own_pieces_);
}

std::uint64_t BitPass::bytes_with(std::uint64_t pieces) const {
  return base_memory() + scratch_ + sets_.bytes(tier_.stones) + (next_.stones < 0 ? 0 : sets_.bytes(next_.stones)) +
         (ranks_.several() ? kBitsFetchBytes : 0) + pieces * pieces_.words() * sizeof(Word);
}

absl::Status BitPass::allow(std::uint64_t pieces) const {
  const std::uint64_t needed = bytes_with(pieces);
  return needed > options_.memory_bytes ? too_little(variant_, needed, options_.memory_bytes) : absl::OkStatus();
}

void BitPass::make_planes(bool level) {
  tier_.words = row_words(tier_.stones);
  const BitPlane plane(tier_.sets.size(), tier_.words, pieces_.words(), share());
  tier_.states.assign(states_with(tier_.stones).size(), {plane, level ? plane : BitPlane()});
}

absl::Status BitPass::begin_tier(int stones) {
  next_.each([&](BitPlane& plane) { plane.give(next_.sets.size(), pieces_); });
  fetched_.clear();
  next_ = std::move(tier_);
  tier_ = Tier();
  tier_.stones = stones;
  tier_.sets = sets_.tier(stones);
  make_planes(may_be_level(stones, tier_.sets, next_));
  if (tier_.states.empty()) return absl::OkStatus();
  RETURN_IF_ERROR(ranks_.agree(allow(peak_pieces())));
  const std::uint64_t positions = tiers_[static_cast<std::size_t>(stones - first_stones_)].positions;
  samples_ = bit_samples(sets_, tier_.sets, states_with(stones),
                         std::clamp(positions / kPositionsPerSample, kFewestSamples, kMostPositionsChecked));
  return absl::OkStatus();
}

absl::Status BitPass::solve_tier() {
  if (tier_.states.empty()) return absl::OkStatus();  // no play leads to so many stones
  BitTier& all = tiers_[static_cast<std::size_t>(tier_.stones - first_stones_)];
  std::vector<Counts> counts(tier_.states.size());
  for (std::size_t from = 0; from < tier_.sets.size();) {
    const std::size_t to = round_end(from);
    RETURN_IF_ERROR(solve_round(from, to, counts));
    from = to;
  }
  Counts sum;
  for (const Counts& one : counts) sum.add(one);
  const std::vector<std::uint64_t> of_all = ranks_.sums(std::array{sum.win, sum.lose, sum.level, sum.ended});
  sum = {of_all[0], of_all[1], of_all[2], of_all[3]};
  const bool by_first = all.mover == Player::first;
  all.first = by_first ? sum.win : sum.lose;
  all.second = by_first ? sum.lose : sum.win;
  all.level = sum.level;
  all.ended = sum.ended;
  if (sum.level == 0) {
    for (StatePlanes& planes : tier_.states) {
      if (!planes.lost.empty()) planes.lost.give(tier_.sets.size(), pieces_);
      planes.lost = BitPlane();
    }
  }
  return absl::OkStatus();
}

// Of several ranks each works on the rows that are its own.
absl::Status BitPass::solve_round(std::size_t from, std::size_t to, std::vector<Counts>& counts) {
  tier_.each([&](BitPlane& plane) { plane.take(to, pieces_); });
  fetch_for(from, to);
  std::mutex mutex;
  const std::size_t share = std::max<std::size_t>(1, (to - from) / kSharesPerRound);
  for_each_index((to - from + share - 1) / share, [&](std::size_t i) {
    const auto worker = workers_.borrow();
    std::vector<Counts> own(tier_.states.size());
    for (std::size_t n = from + i * share; n < std::min(to, from + (i + 1) * share); ++n) {
      if (is_own(n)) solve_block(static_cast<std::uint32_t>(n), *worker, own);
    }
    const std::lock_guard<std::mutex> lock(mutex);
    for (std::size_t s = 0; s < own.size(); ++s) counts[s].add(own[s]);
  });
  RETURN_IF_ERROR(ranks_.agree(check_samples(from, to)));
  const std::size_t given = used_up(to);
  next_.each([&](BitPlane& plane) { plane.give(given, pieces_); });
  done_ += (std::uint64_t{to - from} << tier_.stones) * tier_.states.size();
  const bool stop = ranks_.root() && !report(tier_.stones);
  return ranks_.any(stop) ? absl::CancelledError("interrupted") : absl::OkStatus();
}

void BitPass::begin() {
  for (const Symmetry& one : variant_.symmetries().elements()) {
    auto& image = images_.emplace_back();
    std::copy(one.permutation.begin(), one.permutation.end(), image.begin());
  }
  const int free = cells_ - first_stones_;
  std::uint64_t sets = 1;
  for (int stones = first_stones_; stones <= cells_; ++stones) {
    BitTier tier;
    tier.stones = stones;
    tier.mover = mover_with(start_, stones);
    tier.states = states_with(stones).size();
    tier.positions = tier.states * (sets << stones);
    tiers_.push_back(tier);
    scratch_ = std::max(scratch_, bits_scratch_bytes(cells_, tier.states));
    all_ += stored(stones);
    const auto added = static_cast<std::uint64_t>(stones - first_stones_);
    sets = sets * (static_cast<std::uint64_t>(free) - added) / (added + 1);
  }
}

absl::Status BitPass::save() {
  std::vector<KeptCounts> counts;
  for (const BitTier& tier : tiers_) counts.push_back({tier.first, tier.second, tier.level, tier.ended});
  const auto counted = counter_bytes(std::span<const KeptCounts>(counts));
  std::vector<RankedLayer> layers;
  layers.push_back({kCounts, counted.size(), {}});
  if (ranks_.root()) layers.back().own.push_back({0, counted});
  const auto add = [&](const std::string& name, const BitPlane& plane) {
    RankedLayer& layer = layers.emplace_back(RankedLayer{name, plane.all_bytes(), {}});
    for (const BitPlane::Part& part : plane.own()) layer.own.push_back({part.begin, part.bytes});
  };
  for (std::size_t s = 0; s < tier_.states.size(); ++s) {
    add(layer_name(kNotWon, s), tier_.states[s].not_won);
    if (tier_.level()) add(layer_name(kLost, s), tier_.states[s].lost);
  }
  RETURN_IF_ERROR(save_ranked(*options_.checkpoint, piece_name(tier_.stones), "", layers, ranks_));
  if (ranks_.root()) options_.checkpoint->remove(piece_name(tier_.stones + 1));
  return absl::OkStatus();
}

// The tier with so many stones, from the checkpoint.
bool BitPass::load(int stones) {
  const auto file = load_ranked(*options_.checkpoint, piece_name(stones), ranks_);
  if (!file) return false;
  const TableReader& piece = **file;
  std::vector<KeptCounts> counts(tiers_.size());
  bool sound = Checkpoint::read(piece, kCounts, counter_bytes(std::span(counts)));
  tier_.stones = stones;
  tier_.sets = sets_.tier(stones);
  make_planes(piece.find_layer(layer_name(kLost, 0)).has_value());  // then in every state, as Tier::level has it
  std::uint64_t pieces = 0;
  tier_.each([&](const BitPlane& plane) { pieces += plane.pieces_of(tier_.sets.size()) / share().ranks; });
  sound = sound && allow(pieces).ok();
  const auto read = [&](const std::string& name, BitPlane& to) {
    const auto layer = piece.find_layer(name);
    to.take(tier_.sets.size(), pieces_);
    if (!layer || piece.layers()[*layer].bytes != to.all_bytes()) return false;
    for (const BitPlane::Part& part : to.own()) {
      if (!piece.read(*layer, part.begin, part.bytes).ok()) return false;
    }
    return true;
  };
  for (std::size_t s = 0; s < tier_.states.size() && sound; ++s) {
    StatePlanes& planes = tier_.states[s];
    sound = read(layer_name(kNotWon, s), planes.not_won) &&
            (planes.lost.empty() || read(layer_name(kLost, s), planes.lost));
  }
  if (ranks_.any(!sound)) {
    tier_.each([&](BitPlane& plane) { plane.give(tier_.sets.size(), pieces_); });
    tier_ = Tier();
    return false;
  }
  for (std::size_t i = 0; i < tiers_.size(); ++i) {
    BitTier& all = tiers_[i];
    std::tie(all.first, all.second, all.level, all.ended) = std::tuple_cat(counts[i]);
  }
  for (int k = stones; k <= cells_; ++k) done_ += stored(k);
  return true;
}

// Of a position of the tier at hand or the next: 1 if its mover wins, -1 if they lose.
int BitPass::outcome(const Position& position) const {
  const bool of_first = position.mover == Player::first;
  const CellSet set = occupied_by(position);
  const Tier& tier = std::popcount(set) == tier_.stones ? tier_ : next_;
  const std::uint32_t number = tier.sets.number(set);
  const CellSet firsts = sets_.apply(tier.sets.to_class(set), position.planes[of_first ? 0 : 1]);
  const std::uint64_t at = extract(firsts, tier.sets.set(number));
  const States& states = states_with(tier.stones);
  std::size_t s = 0;
  while (states[s].state != position.state) ++s;
  const auto bit = [&](const BitPlane& plane) { return (plane.row(number)[at / 64] >> (at % 64) & 1) != 0; };
  return !bit(tier.states[s].not_won) ? 1 : bit(tier.lost(s)) ? -1 : 0;
}

// Of a position of the last two tiers that were worked out.
PositionValue BitPass::value(const Position& position) const {
  PositionValue out = acyclic_value({{outcome(position)}}, position.mover);
  const auto judged = judged_.borrow();
  judged->clear();
  judged->ask(position);
  judged->look(Judged::Wanted::no_replies);
  out.ended = judged->ended(0);
  return out;
}

// Some positions of the classes just worked out, by the rules one by one.
absl::Status BitPass::check_samples(std::size_t from, std::size_t to) {
  const auto judged = judged_.borrow();
  for (const BitSample& sample : samples_) {
    if (sample.number < from || sample.number >= to || !is_own(sample.number)) continue;
    RETURN_IF_ERROR(
        check_position(variant_.rules(), *judged, sample.position, [this](const Position& p) { return outcome(p); }));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const BitGame>> BitPass::run() {
  begin();
  int stones = cells_ + 1;
  // The tier that was done last before the solve was stopped; of the first two both are needed at the end.
  for (int k = first_stones_ + 1; options_.checkpoint != nullptr && k <= cells_ && stones > cells_; ++k) {
    if (load(k)) stones = k;
  }
  while (stones > first_stones_) {
    --stones;
    RETURN_IF_ERROR(begin_tier(stones));
    RETURN_IF_ERROR(solve_tier());
    if (options_.visit) options_.visit(stones, states_with(stones), value_fn());
    if (options_.checkpoint != nullptr && stones > first_stones_) {
      RETURN_IF_ERROR(save());
    }
  }
  fetch_all(tier_);
  if (next_.stones >= 0) fetch_all(next_);
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
  const std::uint64_t least = predict_bits(variant, start, options.ranks->size()).bytes;
  RETURN_IF_ERROR(options.ranks->agree(least > options.memory_bytes ? too_little(variant, least, options.memory_bytes)
                                                                    : absl::OkStatus()));
  return BitPass(variant, std::move(rules), start, options).run();
}

}  // namespace plenum
