// SPDX-License-Identifier: Apache-2.0
#include "solver/bit_pass.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <utility>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

#include "solver/bit_check.h"
#include "solver/bit_states.h"
#include "solver/memory.h"
#include "solver/parallel.h"
#include "solver/pool.h"
#include "tables/big_bytes.h"
#include "tables/bit_map.h"
#include "tables/bit_rows.h"
#include "variants/bits.h"

namespace plenum {
namespace {

using Word = std::uint64_t;
constexpr BlockIndex kBlocksPerRound = 1024;  // between reports
constexpr std::size_t kShortRun = 8;          // words
constexpr std::size_t kWordsJudged = 512;     // by one thread
constexpr const char* kCounts = "counts";
// Positions of a tier that are worked out again.
constexpr std::uint64_t kPositionsPerSample = 100'000;
constexpr std::uint64_t kFewestSamples = 16;
constexpr std::uint64_t kMostSamples = 1000;

// Values of a tier in one state. Without ties `lose` is empty: who does not win loses.
struct StateBits {
  Position state;
  BigBytes win;
  BigBytes lose;
  Word* wins(std::uint64_t word) { return reinterpret_cast<Word*>(win.data()) + word; }
  Word* losses(std::uint64_t word) { return reinterpret_cast<Word*>(lose.data()) + word; }
};

struct Tier {
  int stones = -1;
  std::vector<StateBits> states;
  std::uint64_t words = 1;  // of a row
  std::uint64_t bytes = 0;  // of all rows, in one state; the arrays may be longer
  BlockIndex first_block = 0;

  // Of a state that is among them.
  std::size_t number_of(const Position& state) const {
    std::size_t i = 0;
    while (states[i].state.state != state.state) ++i;
    return i;
  }
  bool level() const { return !states.empty() && !states[0].lose.empty(); }
};

struct Counts {
  std::uint64_t win = 0;
  std::uint64_t lose = 0;
  std::uint64_t level = 0;
  std::uint64_t ended = 0;
  void add(const Counts& other) {
    win += other.win;
    lose += other.lose;
    level += other.level;
    ended += other.ended;
  }
};

absl::Status too_little(const Variant& variant, std::uint64_t needed, std::uint64_t allowed) {
  return absl::ResourceExhaustedError(
      absl::StrCat("memory: ", variant.description().name, " on ", variant.board().name(), " needs ",
                   memory_text(needed), " (a bit or two for each position of two tiers); ", memory_text(allowed),
                   " may be used\n  give more with --memory, or take a smaller board with --board"));
}

class BitPass {
 public:
  BitPass(const Variant& variant, PlacingRules rules, const Position& start, const BitOptions& options)
      : variant_(variant),
        rules_(std::move(rules)),
        start_(start),
        options_(options),
        index_(bits_index(variant, start)),
        first_stones_(std::popcount(occupied_by(start))),
        states_(find_bit_states(variant_, rules_, start)),
        workers_([this] { return std::make_unique<Worker>(rules_); }),
        judges_([this] { return std::make_unique<Judge>(variant_); }) {}

  absl::StatusOr<std::shared_ptr<const BitGame>> run();

 private:
  struct Worker {
    explicit Worker(const PlacingRules& rules) : row(rules) {}
    PlacingRules::Row row;
    BitMap map;
    std::vector<std::vector<Word>> mapped_wins;  // by state of the next tier
    std::vector<std::vector<Word>> mapped_losses;
    std::vector<bool> is_mapped;
    std::vector<std::vector<Word>> win;    // by state
    std::vector<std::vector<Word>> saved;  // not lost: some move does not let the opponent win
    std::vector<std::vector<Word>> moved;
    std::vector<Word> special;      // ended, or without a move
    std::array<Word, 2> part = {};  // of a word
  };

  struct Half {
    const Word* wins = nullptr;
    const Word* losses = nullptr;  // null: who does not win loses
  };
  struct Judge {
    explicit Judge(const Variant& variant)
        : scratch(variant.rules()), batch(2, static_cast<int>(variant.rule_set().slots.size())) {
      batch.grow(kLanes);
    }
    Rules::Scratch scratch;
    PositionBatch batch;
    std::vector<std::uint64_t> rows;  // numbers in their row
    std::vector<std::uint8_t> ended;
    std::vector<std::int64_t> margin;
  };

  BlockIndex block_end(int stones) const { return index_.first_block(stones + 1); }
  bool report(int stones) const { return !options_.progress || options_.progress({"solving", done_, all_, stones}); }

  void begin();
  Tier tier_with(int stones) const;  // without arrays
  absl::Status take(BigBytes& array);
  void give_back(Tier& tier);
  absl::Status begin_tier(int stones, const Tier& next, Tier& tier);
  bool may_be_level(const Tier& tier, const Tier& next);
  absl::Status solve_tier(const Tier& next, Tier& tier);
  void solve_block(BlockIndex number, const Tier& next, Tier& tier, Worker& w, std::vector<Counts>& counts);
  Half half_of(Worker& w, const Tier& next, std::size_t state, BlockIndex block, Cell cell, Player owner) const;
  static void add_replies(const Half& half, const Column& where, std::size_t words, Worker& w, std::size_t state);
  void judge(const Block& block, const Position& state, bool stuck, const std::vector<Word>& which, Word* win,
             Word* saved);
  void judge_words(const Block& block, const Position& state, bool stuck, std::size_t begin, std::size_t end,
                   const std::vector<Word>& which, Word* win, Word* saved);
  absl::Status check(int stones) const;
  bool load(int stones);
  absl::Status save() const;
  PositionValue value(const Position& position) const;

  Variant variant_;
  PlacingRules rules_;
  Position start_;
  const BitOptions& options_;
  DenseIndex index_;
  int first_stones_;
  std::vector<States> states_;  // by stones
  std::vector<BitTier> tiers_;  // from the start's stones up
  Tier next_;                   // with a stone more
  Tier tier_;                   // the last that is done
  std::uint64_t longest_ = 0;   // bytes of an array
  std::uint64_t arrays_ = 0;
  std::uint64_t scratch_ = 0;  // bytes that threads hold
  std::vector<BigBytes> spare_;
  std::uint64_t done_ = 0;  // boards, of each state
  std::uint64_t all_ = 0;
  Pool<Worker> workers_;
  mutable Pool<Judge> judges_;
};

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

Tier BitPass::tier_with(int stones) const {
  Tier out;
  out.stones = stones;
  out.words = words_of(stones);
  out.first_block = index_.first_block(stones);
  out.bytes = (block_end(stones) - out.first_block) * out.words * sizeof(Word);
  for (const Position& state : states_[static_cast<std::size_t>(stones)]) out.states.push_back({state, {}, {}});
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
    absl::Status taken = take(bits.win);
    if (taken.ok() && level) taken = take(bits.lose);
    if (!taken.ok()) return taken;
  }
  return absl::OkStatus();
}

// Values after a stone on `cell` for its owner, by the numbers of this row: of the row of the larger set, the half where it is the
// owner's. Of few stones that is a part of a word.
BitPass::Half BitPass::half_of(Worker& w, const Tier& next, std::size_t state, BlockIndex block, Cell cell,
                               Player owner) const {
  const CellSet set = index_.blocks()[block].set;
  const std::uint64_t at = (index_.block_of(set | cell_bit(cell)) - next.first_block) * next.words;
  const StateBits& bits = next.states[state];
  if (!w.is_mapped[state]) {
    w.is_mapped[state] = true;
    const auto map = [&](const BigBytes& from, std::vector<Word>& to) {
      to.resize(std::max<std::size_t>(to.size(), next.words));
      w.map.apply(reinterpret_cast<const Word*>(from.data()) + at, to.data());
    };
    map(bits.win, w.mapped_wins[state]);
    if (next.level()) map(bits.lose, w.mapped_losses[state]);
  }
  const int stones = std::popcount(set);
  const bool high = owner == Player::first;
  const std::size_t skipped = high && stones >= 6 ? next.words / 2 : 0;
  Half out;
  out.wins = w.mapped_wins[state].data() + skipped;
  out.losses = next.level() ? w.mapped_losses[state].data() + skipped : nullptr;
  if (!high || stones >= 6) return out;
  w.part = {*out.wins >> (1U << stones), out.losses != nullptr ? *out.losses >> (1U << stones) : 0};
  return {w.part.data(), out.losses != nullptr ? &w.part[1] : nullptr};
}

// Where a move leads to these values: who makes it wins if the opponent loses, and is saved if the opponent does not win.
void BitPass::add_replies(const Half& half, const Column& where, std::size_t words, Worker& w, std::size_t state) {
  Word* const win = w.win[state].data();
  Word* const saved = w.saved[state].data();
  if (where.kind() == Column::Kind::words || (where.kind() == Column::Kind::table && where.run() < kShortRun)) {
    const Word* const masks = w.row.spelled(where);
    if (half.losses == nullptr) {
      bit_rows::join_complement(win, half.wins, words, masks);
    } else {
      bit_rows::join(win, half.losses, words, masks);
      bit_rows::join_complement(saved, half.wins, words, masks);
    }
    return;
  }
  where.for_runs(words, [&](std::size_t begin, std::size_t end, Word mask) {
    if (mask == 0) return;
    if (half.losses == nullptr) {
      bit_rows::join_complement(win + begin, half.wins + begin, end - begin, mask);
    } else {
      bit_rows::join(win + begin, half.losses + begin, end - begin, mask);
      bit_rows::join_complement(saved + begin, half.wins + begin, end - begin, mask);
    }
  });
}

void BitPass::solve_block(BlockIndex number, const Tier& next, Tier& tier, Worker& w, std::vector<Counts>& counts) {
  const Block& block = index_.blocks()[number];
  const int stones = tier.stones;
  const Player mover = mover_with(start_, stones);
  const SymmetryGroup& symmetries = index_.symmetries();
  const std::size_t words = tier.words;
  const Word last = stones >= 6 ? ~Word{0} : (Word{1} << (1 << stones)) - 1;
  w.row.begin(block.set, mover);
  const bool always = variant_.rule_set().always_a_move;
  for (auto* rows : {&w.win, &w.saved, &w.moved}) {
    rows->resize(std::max(rows->size(), tier.states.size()));
    for (std::size_t s = 0; s < tier.states.size(); ++s) (*rows)[s].assign(words, 0);
  }
  w.mapped_wins.resize(std::max(w.mapped_wins.size(), next.states.size()));
  w.mapped_losses.resize(w.mapped_wins.size());
  std::array<std::uint8_t, kMostBitAxes> from = {};
  for (CellSet rest = variant_.board().all() & ~block.set; rest != 0; rest &= rest - 1) {
    const auto cell = static_cast<Cell>(std::countr_zero(rest));
    const CellSet larger = block.set | cell_bit(cell);
    const BlockIndex target = index_.block_of(larger);
    const GroupElement g = index_.to_block(larger);
    const std::vector<Cell>& to = symmetries.elements()[g].permutation;
    const CellSet there = index_.blocks()[target].set;
    const auto rank = [&](Cell c) { return static_cast<std::uint8_t>(std::popcount(there & (cell_bit(to[c]) - 1))); };
    std::size_t axes = 0;
    for (CellSet own = block.set; own != 0; own &= own - 1)
      from[axes++] = rank(static_cast<Cell>(std::countr_zero(own)));
    from[axes++] = rank(cell);
    w.map.set({from.data(), axes});
    w.is_mapped.assign(next.states.size(), false);
    for (const PlacingRules::Choice& choice : rules_.choices(mover)) {
      for (std::size_t s = 0; s < tier.states.size(); ++s) {
        const Column legal = w.row.legal(choice, cell, tier.states[s].state);
        if (legal.none()) continue;
        if (!always) {
          Word* const moved = w.moved[s].data();
          if (legal.kind() == Column::Kind::words) {
            for (std::size_t i = 0; i < words; ++i) moved[i] |= legal.words()[i];
          } else {
            legal.for_runs(words, [&](std::size_t begin, std::size_t end, Word mask) {
              for (std::size_t i = begin; i < end; ++i) moved[i] |= mask;
            });
          }
        }
        for (const auto& after : w.row.after(choice, cell, tier.states[s].state)) {
          const Column where = w.row.both(after.where, legal);
          if (where.none()) continue;
          const Half half = half_of(w, next, next.number_of(after.state), number, cell, choice.owner);
          add_replies(half, where, words, w, s);
        }
      }
    }
  }
  const std::uint64_t at = (number - tier.first_block) * words;
  for (std::size_t s = 0; s < tier.states.size(); ++s) {
    StateBits& bits = tier.states[s];
    // Where nothing is level, who does not win loses.
    if (tier.level() && !next.level()) w.saved[s] = w.win[s];
    Word* const win = w.win[s].data();
    Word* const saved = tier.level() ? w.saved[s].data() : win;
    const Column ended = w.row.ended(tier.states[s].state);
    Counts found;
    w.special.assign(words, 0);
    for (const bool stuck : {false, true}) {
      if (stuck ? always : ended.none()) continue;
      const Word* const over = w.row.spelled(ended);
      w.special.resize(words);
      for (std::size_t i = 0; i < words; ++i) w.special[i] = stuck ? ~over[i] & ~w.moved[s][i] : over[i];
      w.special.back() &= last;
      const std::uint64_t special = bit_rows::count_ones(w.special.data(), words);
      found.ended += special;
      if (special > 0) judge(block, bits.state, stuck, w.special, win, saved);
    }
    Word* const win_row = bits.wins(at);
    std::copy_n(win, words, win_row);
    win_row[words - 1] &= last;
    found.win = bit_rows::count_ones(win_row, words);
    const std::uint64_t all = std::uint64_t{1} << stones;
    if (tier.level()) {
      Word* const lose_row = bits.losses(at);
      for (std::size_t i = 0; i < words; ++i) lose_row[i] = ~saved[i];
      lose_row[words - 1] &= last;
      found.lose = bit_rows::count_ones(lose_row, words);
    } else {
      found.lose = all - found.win;
    }
    found.level = all - found.win - found.lose;
    counts[s].win += found.win * block.sets;
    counts[s].lose += found.lose * block.sets;
    counts[s].level += found.level * block.sets;
    counts[s].ended += found.ended * block.sets;
  }
}

// What has ended, or has no move.
void BitPass::judge(const Block& block, const Position& state, bool stuck, const std::vector<Word>& which, Word* win,
                    Word* saved) {
  const std::size_t pieces = (which.size() + kWordsJudged - 1) / kWordsJudged;
  for_each_index(pieces, [&](std::size_t i) {
    judge_words(block, state, stuck, i * kWordsJudged, std::min(which.size(), (i + 1) * kWordsJudged), which, win,
                saved);
  });
}

void BitPass::judge_words(const Block& block, const Position& state, bool stuck, std::size_t begin, std::size_t end,
                          const std::vector<Word>& which, Word* win, Word* saved) {
  const Rules& rules = variant_.rules();
  const auto worker = judges_.borrow();
  Judge& j = *worker;
  const auto flush = [&] {
    j.batch.size = j.rows.size();
    if (!stuck) {
      rules.judge(j.batch, j.scratch, j.ended, j.margin);
    } else if (rules.set().stuck == Stuck::scores) {
      rules.score(j.batch, j.scratch, j.margin);
    } else {
      const Stuck how = rules.set().stuck;
      j.margin.assign(kLanes, how == Stuck::loses ? -1 : how == Stuck::wins ? 1 : 0);
    }
    for (std::size_t i = 0; i < j.rows.size(); ++i) {
      const Word bit = Word{1} << (j.rows[i] % 64);
      Word& won = win[j.rows[i] / 64];
      Word& kept = saved[j.rows[i] / 64];
      won = j.margin[i] > 0 ? won | bit : won & ~bit;
      kept = j.margin[i] > 0 || (j.margin[i] == 0 && saved != win) ? kept | bit : kept & ~bit;
    }
    j.rows.clear();
  };
  for (std::size_t w = begin; w < end; ++w) {
    for (Word rest = which[w]; rest != 0; rest &= rest - 1) {
      const std::uint64_t row = 64 * w + static_cast<std::uint64_t>(std::countr_zero(rest));
      j.batch.set(j.rows.size(), PlacingRules::position(block.set, deposit(row, block.set), state));
      j.rows.push_back(row);
      if (j.rows.size() == kLanes) flush();
    }
  }
  if (!j.rows.empty()) flush();
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
    tier.states = states_[static_cast<std::size_t>(stones)].size();
    for (BlockIndex b = index_.first_block(stones); b < block_end(stones); ++b)
      tier.positions += tier.states * (std::uint64_t{index_.blocks()[b].sets} << stones);
    tiers_.push_back(tier);
    longest_ = std::max(longest_, tier_with(stones).bytes);
    scratch_ = std::max(scratch_, bits_scratch_bytes(index_.cells(), tier.states));
    all_ += (std::uint64_t{block_end(stones) - index_.first_block(stones)} << stones) * tier.states;
  }
}

std::string piece_name(int stones) { return absl::StrFormat("bits-%03d", stones); }
std::string layer_name(const char* what, std::size_t state) { return absl::StrCat(what, "-", state); }

absl::Status BitPass::save() const {
  const auto bytes_of = [&](const BigBytes& bytes) { return std::span(bytes.data(), tier_.bytes); };
  std::vector<Checkpoint::Layer> layers;
  layers.emplace_back(kCounts,
                      std::span(reinterpret_cast<const std::uint8_t*>(tiers_.data()), tiers_.size() * sizeof(BitTier)));
  for (std::size_t s = 0; s < tier_.states.size(); ++s) {
    layers.emplace_back(layer_name("win", s), bytes_of(tier_.states[s].win));
    if (tier_.level()) layers.emplace_back(layer_name("lose", s), bytes_of(tier_.states[s].lose));
  }
  absl::Status saved = options_.checkpoint->save(piece_name(tier_.stones), "", layers);
  if (saved.ok()) options_.checkpoint->remove(piece_name(tier_.stones + 1));
  return saved;
}

// The tier with so many stones, from the checkpoint.
bool BitPass::load(int stones) {
  const auto file = options_.checkpoint->load(piece_name(stones));
  if (!file) return false;
  const TableReader& piece = **file;
  const auto read = [&](const std::string& name, std::span<std::uint8_t> to) {
    const auto layer = piece.find_layer(name);
    return layer && piece.layers()[*layer].bytes == to.size() && piece.read(*layer, 0, to).ok();
  };
  std::vector<BitTier> tiers(tiers_.size());
  if (!read(kCounts, {reinterpret_cast<std::uint8_t*>(tiers.data()), tiers.size() * sizeof(BitTier)})) return false;
  Tier tier = tier_with(stones);
  for (std::size_t s = 0; s < tier.states.size(); ++s) {
    StateBits& bits = tier.states[s];
    if (!take(bits.win).ok() || !read(layer_name("win", s), {bits.win.data(), tier.bytes})) return false;
    if (!piece.find_layer(layer_name("lose", s))) continue;
    if (!take(bits.lose).ok() || !read(layer_name("lose", s), {bits.lose.data(), tier.bytes})) return false;
  }
  tiers_ = std::move(tiers);
  tier_ = std::move(tier);
  for (int k = stones; k <= index_.cells(); ++k)
    done_ += (std::uint64_t{block_end(k) - index_.first_block(k)} << k) * states_[static_cast<std::size_t>(k)].size();
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
  PositionValue out;
  out.margin = to_first(MoverValue{{wins ? 1 : loses ? -1 : 0}}, position.mover);
  const std::int64_t units = out.margin.margin.units;
  out.outcome = units > 0 ? Outcome::first : units < 0 ? Outcome::second : Outcome::tie;
  out.first_ends = out.second_ends = units == 0;
  const auto judge = judges_.borrow();
  judge->batch.set(0, position);
  judge->batch.size = 1;
  const Rules& rules = variant_.rules();
  rules.judge(judge->batch, judge->scratch, judge->ended, judge->margin);
  out.ended =
      judge->ended[0] != 0 || (rules.expand(judge->batch, judge->scratch).ok() && judge->scratch.successors.size == 0);
  return out;
}

// Some positions of the tier, by the rules one by one.
absl::Status BitPass::check(int stones) const {
  const std::uint64_t positions = tiers_[static_cast<std::size_t>(stones - first_stones_)].positions;
  const auto samples = static_cast<int>(std::clamp(positions / kPositionsPerSample, kFewestSamples, kMostSamples));
  return check_samples(index_, variant_, states_[static_cast<std::size_t>(stones)], stones, samples,
                       [&](const Position& p) { return value(p); });
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
    absl::Status done = begin_tier(stones, next_, tier_);
    if (done.ok()) done = solve_tier(next_, tier_);
    if (done.ok()) done = check(stones);
    if (done.ok() && options_.visit)
      options_.visit(stones, states_[static_cast<std::size_t>(stones)], [&](const Position& p) { return value(p); });
    if (done.ok() && options_.checkpoint != nullptr && stones > first_stones_) done = save();
    if (!done.ok()) return done;
  }
  GameResult::Data data;
  data.variant = std::make_shared<const Variant>(variant_);
  data.start = start_;
  data.start_value = value(start_);
  data.stored = all_;
  data.facts_known = false;
  absl::Status found = find_openings([&](const Position& p) { return value(p); }, data);
  if (!found.ok()) return found;
  return std::make_shared<const BitGame>(std::move(data), tiers_);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const BitGame>> solve_bits(const Variant& variant, const Position& start,
                                                          const BitOptions& options) {
  if (const auto why = bits_obstacle(variant, start)) return absl::UnimplementedError(*why);
  absl::StatusOr<PlacingRules> rules = PlacingRules::make(variant);
  if (!rules.ok()) return rules.status();
  const std::uint64_t least = predict_bits(variant, start).bytes;
  if (least > options.memory_bytes) return too_little(variant, least, options.memory_bytes);
  return BitPass(variant, *std::move(rules), start, options).run();
}

}  // namespace plenum
