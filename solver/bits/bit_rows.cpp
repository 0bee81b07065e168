// SPDX-License-Identifier: Apache-2.0
#include "solver/bits/bit_rows.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <map>
#include <random>
#include <utility>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

#include "solver/bits/bit_questions.h"
#include "solver/bits/bit_row_prediction.h"
#include "solver/bits/bit_row_solver.h"
#include "solver/cluster/ranked_piece.h"
#include "solver/dense/judged.h"
#include "solver/support/memory.h"
#include "solver/support/parallel.h"
#include "tables/rows/bit_kernels.h"
#include "variants/board/bits.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// Positions of a tier that are worked out again.
constexpr std::uint64_t kPositionsPerSpot = 100'000;
constexpr std::uint64_t kFewestSpots = 16;
constexpr std::uint64_t kMostSpots = 500;
// What is on its way between ranks while there are copies: what is new, twice as much as planes where it is single words, both ways.
constexpr std::uint64_t kExchangeBytes = 4 * kRowExchangeBytes;
constexpr const char* kThresholds = "thresholds";
constexpr const char* kAnswers = "answers";
constexpr const char* kTierCounts = "counts";
constexpr const char* kFinished = "bits-finished";

// Named by the threshold, not by how many were asked before it: with all_margins others are asked.
std::string tier_piece(std::int64_t threshold, int stones) {
  return absl::StrFormat("bits-by-%d-%03d", threshold, stones);
}
std::string plane_layer(std::size_t state) { return absl::StrCat("planes-", state); }

// Positions of a tier: whose mover can force what was asked, whose other player can, and where either can (asked of 0 alone).
struct Counts {
  std::uint64_t won = 0;
  std::uint64_t kept = 0;
  std::uint64_t either = 0;
  Counts& operator+=(const Counts& x) {
    won += x.won;
    kept += x.kept;
    either += x.either;
    return *this;
  }
};

class BitRows {
 public:
  BitRows(std::shared_ptr<const RowGame> rows, const Position& start, const BitRowOptions& options)
      : rows_(std::move(rows)),
        start_(start),
        options_(options),
        ranks_(*options.ranks),
        rules_(*rows_),
        least_stones_(std::popcount(start.planes[0] | start.planes[1])),
        questions_(rows_->variant(), start) {}

  absl::StatusOr<std::shared_ptr<const BitGame>> run();

 private:
  const DenseIndex& index() const { return rows_->index(); }
  int cells() const { return index().cells(); }
  std::size_t number(int stones) const { return static_cast<std::size_t>(stones - least_stones_); }

  // The last finished tier, and the one above it.
  struct Tiers {
    BitRowTier here;
    BitRowTier above;
    bool full = false;  // there is none above
  };

  std::uint64_t needed() const;  // bytes
  absl::Status check_memory() const;
  absl::Status ask(std::int64_t threshold);
  absl::Status solve_tier(BitRowSolver& solver);
  void count(const BitRowTier& tier, std::int64_t threshold);
  static bool is_own(const RowGame& rows, const Tiers& tiers, const Position& position);
  std::vector<Position> samples(const BitRowTier& tier) const;
  absl::Status check(const BitRowSolver& solver, Tiers& tiers) const;
  absl::Status check(const BitRowSolver& solver, const Tiers& tiers, const Position& position, Judged& judged) const;
  template <typename F>
  void with_read(const BitRowSolver& solver, Tiers& tiers, std::vector<Position> positions, const F& f) const;
  std::vector<bool> answers(const BitRowSolver& solver, Tiers& tiers) const;
  bool forced(const BitRowSolver& solver, const Tiers& tiers, const Position& position, Player who) const;
  absl::Status save_tier(const BitRowTier& tier) const;
  bool load_tier(BitRowTier& tier, int stones);
  absl::Status save_finished() const;
  void load_finished();
  bool keep_now(std::chrono::steady_clock::time_point kept_at) const;
  Summary summary() const;

  std::shared_ptr<const RowGame> rows_;
  Position start_;
  const BitRowOptions& options_;
  Ranks& ranks_;
  BitRowRules rules_;
  int least_stones_;
  BitQuestions questions_;
  std::vector<BitTier> tiers_;  // from the start's stones up
  std::vector<std::int64_t> asked_;
  std::vector<std::vector<Counts>> counts_;  // by what was asked, and by tier
  struct Finished {
    std::vector<bool> answers;
    std::vector<Counts> counts;  // by tier
  };
  std::map<std::int64_t, Finished> finished_;  // by threshold: from the checkpoint, not asked yet
  std::uint64_t done_ = 0;                     // boards, of this threshold
  std::uint64_t all_ = 0;
  ObjectPool<BitRowWorker> workers_{[this] { return std::make_unique<BitRowWorker>(rules_); }};
};

std::uint64_t BitRows::needed() const {
  return base_memory() + bit_row_bytes(*rows_, rules_, least_stones_, ranks_.size());
}

absl::Status BitRows::check_memory() const {
  if (needed() <= options_.memory_bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      "memory: ", rows_->variant().description().name, " on ", rows_->variant().board().name(), " needs ",
      memory_text(needed()), " (some bits for each position of two tiers); ", memory_text(options_.memory_bytes),
      " may be used\n  give more with --memory, or take a smaller board with --board"));
}

absl::Status BitRows::solve_tier(BitRowSolver& solver) {
  const std::string what = absl::StrCat("who can end by ", rows_->variant().margin_text({asked_.back()}), " or better");
  return solver.solve([&] {
    return !options_.progress || options_.progress({what.c_str(), done_, all_, solver.tier().stones()});
  });
}

// How many positions of the tier have what was asked.
void BitRows::count(const BitRowTier& tier, std::int64_t threshold) {
  Counts all;
  for (std::uint32_t s = 0; s < rows_->states(); ++s) {
    all += chunked_sum<Counts>(tier.deal().own(), [&](std::size_t from, std::size_t to) {
      Counts out;
      for (std::size_t k = from; k < to; ++k) {
        const std::size_t i = tier.deal().number(k);
        const std::uint64_t sets = index().blocks()[tier.first_block() + i].sets;
        const BitWord* const not_won = tier.planes(s, i);
        const BitWord* const kept = not_won + tier.words();
        const std::uint64_t lost = bit_kernels().count_ones(not_won, tier.words());
        out.won += sets * ((std::uint64_t{1} << tier.stones()) - lost);
        out.kept += sets * bit_kernels().count_ones(kept, tier.words());
        if (threshold != 0) continue;
        std::uint64_t neither = 0;
        for (std::size_t w = 0; w < tier.words(); ++w)
          neither += static_cast<std::uint64_t>(
              std::popcount(not_won[w] & ~exchanged_word(kept, tier.words(), tier.stones(), w)));
        out.either += sets * ((std::uint64_t{1} << tier.stones()) - neither);
      }
      return out;
    });
  }
  const std::vector<std::uint64_t> sums = ranks_.sums(std::vector<std::uint64_t>{all.won, all.kept, all.either});
  counts_.back()[number(tier.stones())] = {sums[0], sums[1], sums[2]};
}

bool BitRows::forced(const BitRowSolver& solver, const Tiers& tiers, const Position& position, Player who) const {
  const int stones = std::popcount(position.planes[0] | position.planes[1]);
  if (!tiers.full && stones == tiers.above.stones()) return forced_in(*rows_, tiers.above, position, who);
  return solver.forced(position, who);
}

// Whether its block is this rank's, in whichever of the two tiers it is.
bool BitRows::is_own(const RowGame& rows, const Tiers& tiers, const Position& position) {
  const CellSet set = position.planes[0] | position.planes[1];
  const BitRowTier& tier = std::popcount(set) == tiers.here.stones() ? tiers.here : tiers.above;
  return tier.deal().is_own(tier.number(rows.index().block_of(set)));
}

// Collective. Calls f(position) for those of the positions that are this rank's, some at a time, where what their blocks read of others' is
// there.
template <typename F>
void BitRows::with_read(const BitRowSolver& solver, Tiers& tiers, std::vector<Position> positions, const F& f) const {
  std::erase_if(positions, [&](const Position& p) { return !is_own(*rows_, tiers, p); });
  if (!ranks_.several()) {
    for (const Position& p : positions) f(p);
    return;
  }
  constexpr std::uint64_t kBytesAtOnce = 32'000'000;
  const std::uint64_t of_one =
      std::uint64_t{rows_->states()} *
      (static_cast<unsigned>(cells()) * tiers.above.block_bytes() +
       (solver.has_copies() ? 0 : static_cast<unsigned>(cells() * cells()) * tiers.here.block_bytes()));
  const std::size_t at_once = std::max<std::uint64_t>(1, kBytesAtOnce / std::max<std::uint64_t>(1, of_one));
  for (std::size_t begin = 0; ranks_.any(begin < positions.size());) {
    const std::size_t end = std::min(positions.size(), begin + at_once);
    std::vector<std::uint8_t> here(tiers.here.blocks());
    std::vector<std::uint8_t> above(tiers.above.blocks());
    for (std::size_t i = begin; i < end; ++i) {
      const CellSet set = positions[i].planes[0] | positions[i].planes[1];
      if (std::popcount(set) != tiers.here.stones()) continue;
      solver.mark_read(tiers.here.number(index().block_of(set)), here, tiers.full ? nullptr : &above);
    }
    std::optional<BitRowCopies> copies_here;
    std::optional<BitRowCopies> copies_above;
    if (!solver.has_copies()) copies_here.emplace(tiers.here, here);
    if (!tiers.full) copies_above.emplace(tiers.above, above);
    for (; begin < end; ++begin) f(positions[begin]);
  }
}

// By position that is asked about: whether its mover can force it, and whether the other can.
std::vector<bool> BitRows::answers(const BitRowSolver& solver, Tiers& tiers) const {
  std::vector<std::uint64_t> can(2 * questions_.size());
  with_read(solver, tiers, questions_.positions(), [&](const Position& p) {
    const auto& all = questions_.positions();
    const auto at = static_cast<std::size_t>(std::find(all.begin(), all.end(), p) - all.begin());
    can[2 * at] = forced(solver, tiers, p, p.mover) ? 1 : 0;
    can[2 * at + 1] = forced(solver, tiers, p, other(p.mover)) ? 1 : 0;
  });
  std::vector<bool> out;
  for (const std::uint64_t yes : ranks_.sums(can)) out.push_back(yes != 0);
  return out;
}

std::vector<Position> BitRows::samples(const BitRowTier& tier) const {
  const int stones = tier.stones();
  const BlockIndex begin = index().first_block(stones);
  const BlockIndex blocks = index().first_block(stones + 1) - begin;
  const std::uint64_t positions = std::uint64_t{blocks} << stones;
  const std::uint64_t samples = std::clamp(positions / kPositionsPerSpot, kFewestSpots, kMostSpots);
  std::mt19937_64 random(static_cast<std::uint64_t>(stones));
  std::vector<Position> out;
  for (std::uint64_t n = 0; n < samples; ++n) {
    const CellSet set = index().blocks()[begin + static_cast<BlockIndex>(random() % blocks)].set;
    const auto& plain = index().folding().plain;
    const CellSet seen = index().symmetries().apply(plain[random() % plain.size()], set);
    Position p;
    index().read_layer(rows_->layer(static_cast<std::uint32_t>(random() % rows_->states()), 0), p);
    RowRules::planes(seen, random() & ((std::uint64_t{1} << stones) - 1), p.planes.data());
    out.push_back(p);
  }
  return out;
}

// Some positions of the tier by the rules, one by one: what a player can force follows from what can be forced after a move.
absl::Status BitRows::check(const BitRowSolver& solver, Tiers& tiers) const {
  Judged judged(rows_->variant().rules());
  absl::Status out;
  with_read(solver, tiers, samples(tiers.here), [&](const Position& p) {
    if (out.ok()) out = check(solver, tiers, p, judged);
  });
  return ranks_.agree(out);
}

absl::Status BitRows::check(const BitRowSolver& solver, const Tiers& tiers, const Position& position,
                            Judged& judged) const {
  const std::int64_t threshold = asked_.back();
  judged.clear();
  judged.ask(position);
  judged.look(Judged::Wanted::all_replies);
  RETURN_IF_ERROR(judged.status(0));
  for (const Player who : {Player::first, Player::second}) {
    const std::int64_t sign = position.mover == who ? 1 : -1;
    bool wanted = position.mover != who;
    if (judged.ended(0)) {
      wanted = sign * judged.margin(0).margin.units >= threshold;
    } else {
      for (std::size_t r = 0; r < judged.replies().size; ++r) {
        const Position reply = judged.replies().at(r);
        const bool good = judged.reply_ended(r) ? -sign * judged.reply_margin(r).margin.units >= threshold
                                                : forced(solver, tiers, reply, who);
        if (good == (position.mover == who)) wanted = good;
      }
    }
    if (wanted != forced(solver, tiers, position, who))
      return absl::InternalError(
          absl::StrCat("solving by bits went wrong: of ", rows_->variant().rules().write(position), ", whether ",
                       who == Player::first ? "first" : "second", " can force at least ", threshold,
                       " does not follow from its moves", "\n  please report this game; --method rows is another way"));
  }
  return absl::OkStatus();
}

absl::Status BitRows::save_tier(const BitRowTier& tier) const {
  const auto counts = counter_bytes(std::span(counts_.back()));
  std::vector<RankedLayer> layers = {{kTierCounts, counts.size(), {}}};
  if (ranks_.root()) layers.back().own.push_back({0, counts});
  for (std::size_t s = 0; s < tier.all_planes().size(); ++s) {
    RankedLayer& layer = layers.emplace_back(RankedLayer{plane_layer(s), tier.all_planes()[s].size(), {}});
    tier.deal().for_own([&](std::size_t begin, std::size_t end) {
      const std::uint64_t at = begin * tier.block_bytes();
      layer.own.push_back({at, {tier.all_planes()[s].data() + at, (end - begin) * tier.block_bytes()}});
    });
  }
  RETURN_IF_ERROR(save_ranked(*options_.checkpoint, tier_piece(asked_.back(), tier.stones()), "", layers, ranks_));
  for (int k = tier.stones() + 1; k <= cells() && ranks_.root(); ++k)
    options_.checkpoint->remove(tier_piece(asked_.back(), k));
  return absl::OkStatus();
}

bool BitRows::load_tier(BitRowTier& tier, int stones) {
  const auto file = load_ranked(*options_.checkpoint, tier_piece(asked_.back(), stones), ranks_);
  if (!file) return false;
  bool sound = Checkpoint::read(**file, kTierCounts, counter_bytes(std::span(counts_.back())));
  tier = BitRowTier(*rows_, stones, ranks_);
  tier.make_planes(rows_->states());
  for (std::size_t s = 0; s < rows_->states(); ++s) {
    BigBytes& planes = tier.all_planes()[s];
    const auto layer = (*file)->find_layer(plane_layer(s));
    sound = sound && layer && (*file)->layers()[*layer].bytes == planes.size();
    tier.deal().for_own([&](std::size_t begin, std::size_t end) {
      const std::uint64_t at = begin * tier.block_bytes();
      sound = sound && (*file)->read(*layer, at, {planes.data() + at, (end - begin) * tier.block_bytes()}).ok();
    });
  }
  if (!ranks_.any(!sound)) return true;
  tier = BitRowTier();  // its planes take no memory while it is solved
  return false;
}

// Whether a tier has taken long enough, by the root's clock.
bool BitRows::keep_now(std::chrono::steady_clock::time_point kept_at) const {
  return options_.checkpoint != nullptr &&
         ranks_.any(ranks_.root() && std::chrono::steady_clock::now() - kept_at >= options_.keep_after);
}

// Thresholds, what they answered, and their counts, which all ranks have: the root writes them. Those that nobody asks now may be asked when this
// is taken up with other options.
absl::Status BitRows::save_finished() const {
  std::vector<std::uint8_t> answers;
  std::vector<Counts> counts;
  std::vector<std::int64_t> thresholds = asked_;
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    for (const bool yes : questions_.answers(i)) answers.push_back(yes ? 1 : 0);
    counts.insert(counts.end(), counts_[i].begin(), counts_[i].end());
  }
  for (const auto& [threshold, one] : finished_) {
    thresholds.push_back(threshold);
    for (const bool yes : one.answers) answers.push_back(yes ? 1 : 0);
    counts.insert(counts.end(), one.counts.begin(), one.counts.end());
  }
  const std::vector<Checkpoint::Layer> layers = {{kThresholds, counter_bytes(std::span(std::as_const(thresholds)))},
                                                 {kAnswers, std::span(std::as_const(answers))},
                                                 {kTierCounts, counter_bytes(std::span(std::as_const(counts)))}};
  RETURN_IF_ERROR(options_.checkpoint->save(kFinished, "", layers));
  for (int k = least_stones_; k <= cells(); ++k) options_.checkpoint->remove(tier_piece(asked_.back(), k));
  return absl::OkStatus();
}

void BitRows::load_finished() {
  const auto file = load_ranked(*options_.checkpoint, kFinished, ranks_);
  if (!file) return;
  const auto layer = (*file)->find_layer(kThresholds);
  if (ranks_.any(!layer)) return;
  std::vector<std::int64_t> asked((*file)->layers()[*layer].bytes / sizeof(std::int64_t));
  std::vector<std::uint8_t> answers(asked.size() * 2 * questions_.size());
  std::vector<Counts> counts(asked.size() * tiers_.size());
  const bool sound = Checkpoint::read(**file, kThresholds, counter_bytes(std::span(asked))) &&
                     Checkpoint::read(**file, kAnswers, answers) &&
                     Checkpoint::read(**file, kTierCounts, counter_bytes(std::span(counts)));
  if (ranks_.any(!sound)) return;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto part = [&](const auto& all, std::size_t each) {
      const auto from = all.begin() + static_cast<std::ptrdiff_t>(i * each);
      return std::pair(from, from + static_cast<std::ptrdiff_t>(each));
    };
    const auto [yes, no_more] = part(answers, 2 * questions_.size());
    const auto [count, last] = part(counts, tiers_.size());
    finished_[asked[i]] = {{yes, no_more}, {count, last}};
  }
}

absl::Status BitRows::ask(std::int64_t threshold) {
  asked_.push_back(threshold);
  counts_.emplace_back(tiers_.size());
  done_ = 0;
  Tiers tiers;
  BitRowTier& tier = tiers.here;
  int stones = cells() + 1;
  for (int k = least_stones_ + 1; options_.checkpoint != nullptr && k <= cells() && stones > cells(); ++k) {
    if (load_tier(tier, k)) stones = k;
  }
  for (int k = stones; k <= cells(); ++k) done_ += std::uint64_t{BitRowTier(*rows_, k).blocks()} << k;
  auto kept_at = std::chrono::steady_clock::now();
  while (stones > least_stones_) {
    --stones;
    tiers.full = stones == cells();
    tiers.above = std::move(tier);
    tier = BitRowTier(*rows_, stones, ranks_);
    BitRowSolver solver(rules_, threshold, tiers.full ? nullptr : &tiers.above, tier, workers_);
    solver.let_copies_take(options_.memory_bytes - std::min(options_.memory_bytes, needed() + kExchangeBytes));
    RETURN_IF_ERROR(solve_tier(solver));
    count(tier, threshold);
    RETURN_IF_ERROR(check(solver, tiers));
    done_ += std::uint64_t{tier.blocks()} << stones;
    if (stones == least_stones_) {
      questions_.answer(threshold, answers(solver, tiers));
    } else if (keep_now(kept_at)) {
      RETURN_IF_ERROR(save_tier(tier));
      kept_at = std::chrono::steady_clock::now();
    }
    tier.drop_rest();
  }
  if (options_.checkpoint == nullptr) return absl::OkStatus();
  return ranks_.agree(ranks_.root() ? save_finished() : absl::OkStatus());
}

absl::StatusOr<std::shared_ptr<const BitGame>> BitRows::run() {
  RETURN_IF_ERROR(ranks_.agree(check_memory()));
  RETURN_IF_ERROR(questions_.begin());
  for (int k = least_stones_; k <= cells(); ++k) {
    BitTier tier;
    tier.stones = k;
    tier.mover = Player::first;
    tier.states = rows_->states();
    for (BlockIndex b = index().first_block(k); b < index().first_block(k + 1); ++b)
      tier.positions += tier.states * (std::uint64_t{index().blocks()[b].sets} << k);
    all_ += std::uint64_t{BitRowTier(*rows_, k).blocks()} << k;
    tiers_.push_back(tier);
  }
  if (options_.checkpoint != nullptr) load_finished();
  bool stopped = false;
  while (const std::optional<std::int64_t> next = questions_.next(options_.all_margins)) {
    if (const auto known = finished_.find(*next); known != finished_.end()) {
      asked_.push_back(*next);
      counts_.push_back(std::move(known->second.counts));
      questions_.answer(*next, known->second.answers);
      finished_.erase(known);
      continue;
    }
    const absl::Status asked = ask(*next);
    stopped = absl::IsCancelled(asked) && asked_.size() > 1;
    if (stopped) break;
    RETURN_IF_ERROR(asked);
  }
  if (stopped) {  // what was answered before stands
    asked_.pop_back();
    counts_.pop_back();
  }
  Summary out = summary();
  out.stopped = stopped;
  return std::make_shared<const BitGame>(std::move(out));
}

Summary BitRows::summary() const {
  Summary out;
  out.method = "bits";
  out.variant = std::make_shared<const Variant>(rows_->variant());
  out.start = start_;
  out.stored = all_ * rows_->states();
  out.remoteness_known = false;
  out.facts_known = false;
  questions_.write(out);
  out.tiers = tiers_;
  for (std::size_t t = 0; t < tiers_.size(); ++t) {
    BitTier& tier = out.tiers[t];
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      if (asked_[i] == 0) continue;
      const auto units = static_cast<std::uint64_t>(asked_[i]);
      tier.first_at_least[units] = counts_[i][t].won;
      tier.second_at_least[units] = counts_[i][t].kept;
    }
    tier.first = tier.first_at_least.at(1);
    tier.second = tier.second_at_least.at(1);
    tier.level = tier.positions - tier.first - tier.second;
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      if (asked_[i] == 0) tier.tie = counts_[i][t].either - tier.first - tier.second;
    }
  }
  return out;
}

}  // namespace

std::optional<std::string> bit_rows_obstacle(const RowGame& rows, const Position& start) {
  if (start.passes != 0) return "it starts after a pass";
  return RowMasks::obstacle(rows.rules());
}

bool has_all_margins(const Summary& summary) {
  const auto most = static_cast<std::uint64_t>(BitQuestions::most_units(*summary.variant));
  return std::all_of(summary.tiers.begin(), summary.tiers.end(), [&](const BitTier& tier) {
    return tier.first_at_least.empty() || (tier.first_at_least.size() == most && tier.tie);
  });
}

absl::StatusOr<std::shared_ptr<const BitGame>> solve_bit_rows(std::shared_ptr<const RowGame> rows,
                                                              const Position& start, const BitRowOptions& options) {
  if (const auto why = bit_rows_obstacle(*rows, start)) return absl::UnimplementedError(*why);
  return BitRows(std::move(rows), start, options).run();
}

}  // namespace plenum
