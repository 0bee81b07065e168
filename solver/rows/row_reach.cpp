// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/row_reach.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>

#include "solver/rows/code_rows.h"
#include "solver/rows/row_stages.h"
#include "solver/rows/tier_piece.h"
#include "solver/support/object_pool.h"
#include "solver/support/parallel.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::uint8_t kNoPass = 3;    // bits of positions with no pass made
constexpr std::uint8_t kOnePass = 12;  // with one

// Where a symmetry takes each bit of a numeral of a set that it leaves as it is.
std::vector<int> images_of_bits(const Symmetry& symmetry, CellSet set) {
  std::vector<int> out;
  for (CellSet rest = set; rest != 0; rest &= rest - 1) {
    const Cell image = symmetry.permutation[static_cast<std::size_t>(std::countr_zero(rest))];
    out.push_back(std::popcount(set & (cell_bit(image) - 1)));
  }
  return out;
}

constexpr std::uint8_t exchanged(std::uint8_t bits) {
  return static_cast<std::uint8_t>((bits & 0x15) << 1 | (bits & 0x2A) >> 1);
}

// Sends what is reached in one tier on, into it and into those above. What is sent into blocks of other ranks lies in their places here,
// until it is delivered: in the tier itself after each round, in the next one when the tier is done.
class Reach {
 public:
  Reach(const RowGame& game, BoardBytes& reached) : game_(game), reached_(reached) {}

  // Collective.
  void close(const RowTier& tier) {
    dirty_ = std::vector<std::atomic<std::uint8_t>>(tier.size());
    here_ = std::vector<std::atomic<std::uint8_t>>(tier.all());
    above_ = std::vector<std::atomic<std::uint8_t>>(tier.above().deal().blocks());
    sent_.assign(game_.states(), Bytes(tier.size() * tier.positions()));
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t i = 0; i < tier.size(); ++i) {
      if (any(tier, i)) chosen.push_back(i);
    }
    ObjectPool<Buffers> buffers([] { return std::make_unique<Buffers>(); });
    while (tier.ranks().any(!chosen.empty())) {
      for_each_index(chosen.size(), [&](std::size_t k) {
        const auto own = buffers.borrow();
        send(tier, chosen[k], *own);
      });
      chosen.clear();
      tier.here().deliver(reached_, taken(here_), [&](std::size_t k) { dirty_[k] = 1; });
      for (std::uint32_t i = 0; i < tier.size(); ++i) {
        if (dirty_[i].exchange(0) != 0) chosen.push_back(i);
      }
    }
    tier.here().release(reached_);
    tier.above().deliver(reached_, taken(above_), [](std::size_t /*k*/) {});
    tier.above().release(reached_);
  }

 private:
  struct Buffers {
    StateBytes rows;  // [state]: bits of positions that moves lead on to, none where the game has ended
    Bytes masked;
  };

  using Marks = std::vector<std::atomic<std::uint8_t>>;  // by block
  static std::vector<std::uint8_t> taken(Marks& marks) {
    std::vector<std::uint8_t> out(marks.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = marks[i].exchange(0);
    return out;
  }

  bool any(const RowTier& tier, std::uint32_t i) const {
    return std::any_of(reached_.begin(), reached_.end(), [&](const BigBytes& bytes) {
      const std::uint8_t* const begin = bytes.data() + tier.base(i);
      return std::any_of(begin, begin + tier.positions(), [](std::uint8_t b) { return b != 0; });
    });
  }
  std::mutex& lock_of(BlockIndex block) { return locks_[block % locks_.size()]; }

  // A move leads to one image of a position; the set's own symmetries lead to the others.
  void mirror(const Block& block, Bytes& copy) {
    const SymmetryGroup& symmetries = game_.index().symmetries();
    for (std::size_t g = 0; g < symmetries.size(); ++g) {
      const Symmetry& symmetry = symmetries.elements()[g];
      if (symmetry.exchange || g == kIdentity) continue;
      if (symmetries.apply(static_cast<GroupElement>(g), block.set) != block.set) continue;
      RowBits bits;
      bits.inputs = bits.outputs = block.stones;
      const std::vector<int> images = images_of_bits(symmetry, block.set);
      std::copy(images.begin(), images.end(), bits.source.begin());
      const RowMap map(bits);
      for (BigBytes& bytes : reached_) {
        std::uint8_t* const at = bytes.data() + block.base;
        copy.assign(at, at + game_.index().size(block));
        map.gather_or(copy.data(), at);
      }
    }
  }

  // Passes, which stay in the block; then what stands there, by row.
  void take(const RowBlock& rows, Buffers& own) {
    const std::lock_guard<std::mutex> lock(lock_of(rows.block));
    if (const Block& block = game_.index().blocks()[rows.block]; block.stabilizer > 1) mirror(block, own.masked);
    const std::size_t size = rows.moves.positions;
    const BoardIndex base = game_.index().blocks()[rows.block].base;
    const std::uint32_t states = game_.states();
    const auto ended = [&](std::uint32_t state, std::size_t row) {
      const ValueByte* const ends = rows.ends_in(state);
      return ends != nullptr && ends[row] != 0;
    };
    for (const std::uint8_t from : {kNoPass, kOnePass}) {
      if (!game_.has_passes()) break;
      for (std::uint32_t state = 0; state < states; ++state) {
        const std::uint8_t* const at = reached_[state].data() + base;
        std::uint8_t* const to = reached_[game_.after_pass(state)].data() + base;
        for (std::size_t row = 0; row < size; ++row) {
          const std::uint8_t bits = at[size - 1 - row] & from;
          if (bits == 0 || (rows.moves.passes[row / 64] >> (row % 64) & 1) == 0 || ended(state, row)) continue;
          to[row] = static_cast<std::uint8_t>(to[row] | exchanged(bits) << 2);
        }
      }
    }
    own.rows.resize(states);
    for (std::uint32_t state = 0; state < states; ++state) {
      const std::uint8_t* const at = reached_[state].data() + base;
      own.rows[state].resize(std::max<std::size_t>(64, size));
      for (std::size_t row = 0; row < size; ++row) {
        const std::uint8_t bits = at[size - 1 - row];
        own.rows[state][row] = exchanged((bits | bits >> 2) & kNoPass);
      }
      for (std::size_t row = 0; row < size && !rows.ends.empty(); ++row) {
        if (ended(state, row)) own.rows[state][row] = 0;
      }
    }
  }

  // Leaves what was not sent on before; whether there is any.
  bool leave_new(const RowTier& tier, std::uint32_t i, Buffers& own) {
    std::uint8_t any = 0;
    for (std::uint32_t state = 0; state < game_.states(); ++state) {
      std::uint8_t* const sent = sent_[state].data() + i * tier.positions();
      std::uint8_t* const row = own.rows[state].data();
      for (std::size_t k = 0; k < tier.positions(); ++k) {
        row[k] = static_cast<std::uint8_t>(row[k] & ~sent[k]);
        sent[k] |= row[k];
        any |= row[k];
      }
    }
    return any != 0;
  }

  void send(const RowTier& tier, std::uint32_t i, Buffers& own) {
    const RowBlock& rows = tier.block(i);
    const Block& block = game_.index().blocks()[rows.block];
    take(rows, own);
    if (!leave_new(tier, i, own)) return;
    own.masked.resize(std::max<std::size_t>(64, rows.moves.positions));
    for (std::size_t m = 0; m < rows.moves.moves.size(); ++m) {
      const RowMove& move = rows.moves.moves[m];
      const Block& target = game_.index().blocks()[rows.target[m]];
      const std::uint64_t* const legal = rows.moves.legal.data() + m * rows.moves.words;
      const bool takes = RowGame::takes(block, move);
      const std::uint32_t bit = std::uint32_t{1} << (takes ? std::popcount(block.set & (cell_bit(move.to) - 1)) : 0);
      std::array<std::optional<RowMap>, 2> maps;  // by whether the stone there is one that is taken
      for (std::uint32_t state = 0; state < game_.states(); ++state) {
        if (!code_rows().mask(own.rows[state].data(), legal, rows.moves.positions, own.masked.data())) continue;
        std::uint8_t* const to = reached_[game_.next_state(move.rule, state)].data() + target.base;
        for (const bool taken : {false, true}) {
          if (!takes && taken) continue;
          if (takes && (rows.bits[m].fixed & bit) != 0 && ((rows.bits[m].fixed_value & bit) != 0) != taken) continue;
          std::optional<RowMap>& map = maps[taken ? 1 : 0];
          if (!map) map.emplace(game_.backward(block, move, target, taken));
          const std::lock_guard<std::mutex> lock(lock_of(rows.target[m]));
          const bool fresh = map->gather_or(own.masked.data(), to);
          if (fresh) mark(tier, rows.target[m]);
        }
      }
    }
  }

  // There is something new there.
  void mark(const RowTier& tier, BlockIndex block) {
    if (!tier.here().has(block)) {
      above_[block - tier.above().first()] = 1;
    } else if (const RowDeal& deal = tier.here().deal(); deal.is_own(block - tier.first())) {
      dirty_[deal.local(block - tier.first())] = 1;
    } else {
      here_[block - tier.first()] = 1;
    }
  }

  const RowGame& game_;
  BoardBytes& reached_;
  std::array<std::mutex, 1024> locks_;
  Marks dirty_;  // own blocks
  Marks here_;   // of others
  Marks above_;
  StateBytes sent_;  // of this tier, by state, block and row
};

// How many positions there are of each code, reached as they stand (1), exchanged (2), or both (3), after so many passes.
struct Tally {
  static constexpr std::size_t kEnded = 3;  // in place of passes: ended though no two were made
  std::array<std::uint64_t, std::size_t{4}* 256 * 4> by_code = {};
  std::array<std::uint64_t, 4> forced_cycles = {};
  std::uint64_t canonical = 0;
  std::uint64_t moves = 0;
  std::uint64_t most_moves = 0;

  static std::size_t place(std::size_t passes, std::size_t code, std::size_t lifts) {
    return (passes * 256 + code) * 4 + lifts;
  }
  void add(const Tally& other, std::uint64_t times) {
    for (std::size_t i = 0; i < by_code.size(); ++i) by_code[i] += times * other.by_code[i];
    for (std::size_t b = 0; b < 4; ++b) forced_cycles[b] += times * other.forced_cycles[b];
    canonical += other.canonical;
    moves += times * other.moves;
    most_moves = std::max(most_moves, other.most_moves);
  }
};

// Whether each numeral of a set is the least of its images under the symmetries that leave the set as it is.
std::vector<bool> least_numerals(const SymmetryGroup& symmetries, const Block& block, std::size_t size) {
  std::vector<bool> out(size, true);
  for (std::size_t g = 0; g < symmetries.size(); ++g) {
    const Symmetry& symmetry = symmetries.elements()[g];
    if (symmetry.exchange || symmetries.apply(static_cast<GroupElement>(g), block.set) != block.set) continue;
    const std::vector<int> to = images_of_bits(symmetry, block.set);
    std::vector<std::uint32_t> image(size, 0);
    for (std::size_t i = 1; i < size; ++i) {
      image[i] = image[i & (i - 1)] | std::uint32_t{1} << to[static_cast<std::size_t>(std::countr_zero(i))];
      if (image[i] < i) out[i] = false;
    }
  }
  return out;
}

class Counter {
 public:
  Counter(const RowGame& game, const DenseValues& values, const BoardBytes& reached, const RowTier& tier,
          const StateBytes& passed)
      : game_(game), values_(values), reached_(reached), tier_(tier), passed_(passed), worker_(game) {
    if (!values.facts.empty()) facts_ = make_stage(DenseLayer::facts, game, tier, values, passed, {});
  }

  void count(std::uint32_t i, Tally& reachable, Tally& all) {
    const RowBlock& rows = tier_.block(i);
    const Block& block = game_.index().blocks()[rows.block];
    const std::size_t size = tier_.positions();
    count_moves(rows);
    std::vector<bool> least;
    if (block.stabilizer > 1) least = least_numerals(game_.index().symmetries(), block, size);
    Tally own;
    Tally whole;
    facts_known_ = false;
    for (std::uint32_t state = 0; state < game_.states(); ++state) {
      if (game_.has_passes()) game_.score(block, game_.layer(state, 2), false, worker_, ended_);
      const std::uint8_t* const bits = reached_[state].data() + block.base;
      const ValueByte* const codes = values_.codes[state].data() + block.base;
      const ValueByte* const passed = game_.has_passes() ? passed_[state].data() + tier_.local(rows) : nullptr;
      const ValueByte* const ends = rows.ends_in(state);
      for (std::size_t row = 0; row < size; ++row) {
        const std::size_t board = size - 1 - row;
        const bool is_least = least.empty() || least[board];
        const bool ended = ends != nullptr && ends[row] != 0;
        enter(rows, state, row, codes[board], 0, ended, bits[board] & 3U, is_least, own);
        enter(rows, state, row, codes[board], 0, ended, 3, is_least, whole);
        if (passed == nullptr) continue;
        enter(rows, state, row, passed[row], 1, ended, bits[board] >> 2 & 3U, is_least, own);
        enter(rows, state, row, passed[row], 1, ended, 3, is_least, whole);
        enter(rows, state, row, ended_[row], 2, false, bits[board] >> 4 & 3U, is_least, own);
        enter(rows, state, row, ended_[row], 2, false, 3, is_least, whole);
      }
    }
    reachable.add(own, block.sets);
    all.add(whole, block.sets);
  }

 private:
  void count_moves(const RowBlock& rows) {
    moves_.assign(std::max<std::size_t>(64, tier_.positions()), 0);
    for (std::size_t m = 0; m < rows.moves.moves.size(); ++m)
      code_rows().add_bits(rows.moves.legal.data() + m * rows.moves.words, tier_.positions(), moves_.data());
    if (!rows.moves.passes.empty()) code_rows().add_bits(rows.moves.passes.data(), tier_.positions(), moves_.data());
  }

  void enter(const RowBlock& rows, std::uint32_t state, std::size_t row, ValueByte code, std::size_t passes, bool ended,
             std::uint32_t lifts, bool is_least, Tally& to) {
    if (lifts == 0) return;
    if (is_least) ++to.canonical;
    ++to.by_code[Tally::place(ended ? Tally::kEnded : passes, code, lifts)];
    if (ended || passes == 2) return;
    const std::uint64_t moves = moves_[row];
    to.moves += moves * (lifts == 3 ? 2 : 1);
    to.most_moves = std::max(to.most_moves, moves);
    if (code == kUnresolved && facts_ != nullptr && no_level_end(rows, state, row, passes)) ++to.forced_cycles[lifts];
  }

  bool no_level_end(const RowBlock& rows, std::uint32_t state, std::size_t row, std::size_t passes) {
    if (passes == 0) {
      const Block& block = game_.index().blocks()[rows.block];
      return (values_.facts[state][block.base + tier_.positions() - 1 - row] & kRowNoLevelEnd) != 0;
    }
    if (!facts_known_) facts_->evaluate(rows, {});
    facts_known_ = true;
    return (facts_->passed(state)[row] & kRowNoLevelEnd) != 0;
  }

  const RowGame& game_;
  const DenseValues& values_;
  const BoardBytes& reached_;
  const RowTier& tier_;
  const StateBytes& passed_;
  RowGame::Worker worker_;
  std::unique_ptr<RowStage> facts_;
  bool facts_known_ = false;
  Bytes ended_;
  Bytes moves_;
};

// As first sees it: of a code's mover where the position is as it stands, of the other where it is exchanged.
Statistics statistics_of(const Tally& t, bool with_facts) {
  Statistics out;
  out.canonical = t.canonical;
  out.moves = t.moves;
  out.most_moves = t.most_moves;
  const auto lifts = [](std::size_t b) { return std::uint64_t{b == 3 ? 2U : 1U}; };
  const auto enter = [&](std::size_t code, std::size_t b, std::uint64_t n, bool ended) {
    if (n == 0) return;
    const auto c = static_cast<ValueByte>(code);
    const std::int64_t units = units_of(c);
    out.reachable += n * lifts(b);
    if (ended) out.ended += n * lifts(b);
    for (const bool exchanged : {false, true}) {
      if ((b >> (exchanged ? 1 : 0) & 1) == 0) continue;
      const std::int64_t for_first = exchanged ? -units : units;
      if (ended) {
        (for_first > 0 ? out.ended_first : for_first < 0 ? out.ended_second : out.ended_tie) += n;
        continue;
      }
      if (units == 0) {
        (c == kUnresolved ? out.cycle : out.tie) += n;
      } else {
        (for_first > 0 ? out.first : out.second) += n;
      }
      out.margins[FirstValue{Margin{for_first}}] += n;
    }
  };
  for (std::size_t c = 0; c < 256; ++c) {
    for (std::size_t b = 1; b < 4; ++b) {
      for (std::size_t passes = 0; passes <= Tally::kEnded; ++passes)
        enter(c, b, t.by_code[Tally::place(passes, c, b)], passes >= 2);
    }
  }
  for (std::size_t b = 1; b < 4 && with_facts; ++b) out.forced_cycle += lifts(b) * t.forced_cycles[b];
  return out;
}

}  // namespace

namespace {

// The own blocks of a tier, of which what is read of others is there only meanwhile.
void count_tier(const RowGame& game, const RowTier& tier, DenseValues& values, const BoardBytes& reached,
                std::span<Tally> to) {
  StateBytes passed;
  {
    const RowMirrors mirrors(tier, values.codes, RowMirrors::Of::both);
    passed = passed_codes(game, tier, values);
  }
  const RowMirrors mirrors(tier, values.facts, RowMirrors::Of::both);
  ObjectPool<Counter> counters([&] { return std::make_unique<Counter>(game, values, reached, tier, passed); });
  std::mutex lock;
  const std::size_t each = pieces(tier.size(), 1);
  for_each_index((tier.size() + each - 1) / each, [&](std::size_t k) {
    const auto counter = counters.borrow();
    const auto own = std::make_unique<std::array<Tally, 2>>();
    for (std::size_t i = k * each; i < std::min(tier.size(), (k + 1) * each); ++i)
      counter->count(static_cast<std::uint32_t>(i), (*own)[0], (*own)[1]);
    const std::lock_guard<std::mutex> guard(lock);
    for (std::size_t i = 0; i < own->size(); ++i) to[i].add((*own)[i], 1);
  });
}

// Of all ranks together, on every rank.
std::vector<Tally> sum_tallies(Ranks& ranks, std::span<const Tally> own) {
  std::vector<Tally> out(own.size());
  for (const Parcel& parcel : ranks.gather(counter_bytes(own))) {
    const std::vector<Tally> one = ParcelReader(parcel).get_all<Tally>(own.size());
    for (std::size_t i = 0; i < own.size(); ++i) out[i].add(one[i], 1);
  }
  return out;
}

}  // namespace

absl::StatusOr<RowCounts> count_rows(const RowGame& game, const Position& start, DenseValues& values,
                                     const Checkpoint* checkpoint, BoardBytes& reached, const RowProgressFn& progress,
                                     Ranks& ranks) {
  const DenseIndex& index = game.index();
  RETURN_IF_ERROR(RowGame::check_start(index.symmetries(), start));
  reached = make_board_bytes(game.states(), index.boards());
  const DenseIndex::Place place = index.place(start);
  for (const Share& own : own_boards(index, 0, index.cells() + 1, ranks)) {
    if (place.board < own.begin || place.board >= own.end) continue;
    reached[place.layer % game.states()][place.board] =
        reached_bit(static_cast<int>(place.layer / game.states()), start.mover == Player::second);
  }
  // Of the tiers done, reached and all; kept with them in a checkpoint, of all ranks together, and taken up by the root.
  std::vector<Tally> tallies(2);
  const NamedLayers layers = {{"reached", &reached}};
  bool resumes = checkpoint != nullptr;
  Reach reach(game, reached);
  for (int stones = 0; stones <= index.cells(); ++stones) {
    // With what was sent on to the next tier.
    const TierPiece piece = TierPiece::of("count", index, stones, stones + 2, ranks);
    if (resumes && load_piece(*checkpoint, piece, layers, ranks, counter_bytes(std::span(tallies)))) continue;
    resumes = false;
    ASSIGN_OR_RETURN(const RowTier tier, RowTier::make(game, stones, ranks));
    if (tier.all() == 0) continue;
    reach.close(tier);
    count_tier(game, tier, values, reached, tallies);
    if (checkpoint != nullptr) {
      const std::vector<Tally> all = sum_tallies(ranks, tallies);
      RETURN_IF_ERROR(save_piece(*checkpoint, piece, layers, ranks, counter_bytes(std::span(all))));
    }
    const auto goes_on = [&] { return !progress || progress({stones, index.begin(stones + 1), index.boards()}); };
    if (ranks.any(ranks.root() && !goes_on())) return absl::CancelledError("interrupted");
  }
  const std::vector<Tally> all = sum_tallies(ranks, tallies);
  return RowCounts{statistics_of(all[0], !values.facts.empty()), statistics_of(all[1], !values.facts.empty())};
}

}  // namespace plenum
