// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/row_game.h"

#include <algorithm>
#include <array>
#include <bit>

#include <absl/strings/str_cat.h>

#include "variants/board/bits.h"
#include "variants/rules/cell_rules.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

int rank(CellSet set, Cell cell) { return std::popcount(set & (cell_bit(cell) - 1)); }

// What a position carries besides stones and passes, in so many ways.
double count_states(const RuleSet& rules) {
  double out = 1;
  for (const StateSlot& slot : rules.slots) {
    if (slot.live) out *= static_cast<double>(std::max<std::int64_t>(3, slot.range.greatest - slot.range.least + 1));
  }
  return out;
}

CellSet occupied_after(const Block& block, const RowMove& move) {
  CellSet out = block.set;
  if (move.from != kNoCell) out &= ~cell_bit(move.from);
  return out | cell_bit(move.to);
}

// Whether it pays to look which stretches of 16 positions have the move at all.
bool is_sparse(const std::uint64_t* legal, std::size_t words) {
  std::size_t empty = 0;
  for (std::size_t w = 0; w < words; ++w) {
    for (int quarter = 0; quarter < 64; quarter += 16) empty += (legal[w] >> quarter & 0xFFFF) == 0 ? 1 : 0;
  }
  return empty > words * 4 / 2;
}

// Bits that are the same in the numbers of all positions that have the move: a stone that moves is its mover's, and so on.
void fix_bits(const std::uint64_t* legal, std::size_t words, RowBits& bits) {
  constexpr int kInWord = kAxisBits.size();
  std::uint64_t some = 0;
  std::uint32_t ones = 0;  // bits that are set somewhere
  std::uint32_t clear = 0;
  for (std::size_t w = 0; w < words; ++w) {
    if (legal[w] == 0) continue;
    some |= legal[w];
    ones |= static_cast<std::uint32_t>(w << kInWord);
    clear |= static_cast<std::uint32_t>(~w << kInWord);
  }
  for (int bit = 0; bit < kInWord; ++bit) {
    const std::uint64_t pattern = kAxisBits[static_cast<std::size_t>(bit)];
    if ((some & pattern) != 0) ones |= std::uint32_t{1} << bit;
    if ((some & ~pattern) != 0) clear |= std::uint32_t{1} << bit;
  }
  const std::uint32_t all = (std::uint32_t{1} << bits.outputs) - 1;
  bits.fixed = ~(ones & clear) & all;
  bits.fixed_value = ones & bits.fixed;
}

}  // namespace

std::uint64_t RowBlock::bytes() const {
  std::uint64_t out = moves.legal.capacity() * sizeof(std::uint64_t) + moves.moves.capacity() * sizeof(RowMove) +
                      moves.passes.capacity() * sizeof(std::uint64_t) + target.capacity() * sizeof(BlockIndex) +
                      bits.capacity() * (sizeof(RowBits) + sizeof(RowFold));  // on any machine
  for (const auto* list : {&ends, &pass_ends}) {
    for (const auto& codes : *list) out += codes.capacity();
  }
  return out + sizeof(RowBlock);
}

RowGame::Worker::Worker(const RowGame& game)
    : moves_(*game.rules_),
      scratch_(game.variant().rules()),
      batch_(2, static_cast<int>(game.variant().rule_set().slots.size())) {
  batch_.grow(kLanes);
}

RowGame::RowGame(RowRules rules, const Variant& variant)
    : rules_(std::make_shared<const RowRules>(std::move(rules))),
      index_(std::make_shared<const DenseIndex>(variant, Folding::everything(variant))) {
  const RuleSet& set = variant.rule_set();
  states_ = index_->layers() / (set.passes_live ? static_cast<std::uint32_t>(set.passes_cap) + 1 : 1);
}

absl::Status RowGame::check_start(const SymmetryGroup& symmetries, const Position& start) {
  for (std::size_t g = 0; g < symmetries.size(); ++g) {
    if (!symmetries.elements()[g].exchange && symmetries.apply(static_cast<GroupElement>(g), start) != start)
      return absl::UnimplementedError("the start is not the same under all symmetries of the board");
  }
  return absl::OkStatus();
}

absl::Status RowGame::check_bytes(const Variant& variant) {
  if (const auto why = DenseIndex::obstacle(variant)) return absl::UnimplementedError(*why);
  const RuleSet& set = variant.rule_set();
  const Interval bounds = set.graph.bounds(set.margin, set.number_bounds());
  const bool by_one =
      set.tiebreak >= 0 || set.stuck == Stuck::loses || set.stuck == Stuck::wins;  // 1, whatever the score
  if (!set.outcome_only && std::max({-bounds.least, bounds.greatest, by_one ? set.denominator : 0}) > kMostUnits)
    return absl::UnimplementedError(absl::StrCat("margins may be greater than ", kMostUnits, "/", set.denominator));
  return absl::OkStatus();
}

absl::StatusOr<RowGame> RowGame::make(const Variant& variant, By by) {
  constexpr double kMostStates = 65'536;
  if (by == By::bytes) {
    RETURN_IF_ERROR(check_bytes(variant));
  }
  if (variant.board().size() > DenseIndex::kMostSetCells)
    return absl::UnimplementedError(absl::StrCat("the board has more than ", DenseIndex::kMostSetCells, " cells"));
  if (count_states(variant.rule_set()) > kMostStates)
    return absl::UnimplementedError("there is too much to be noted besides the stones");
  ASSIGN_OR_RETURN(RowRules rules, RowRules::make(variant));
  RETURN_IF_ERROR(check_start(variant.symmetries(), variant.rules().start()));
  RowGame out(std::move(rules), variant);
  RETURN_IF_ERROR(out.learn_states());
  return out;
}

// What each rule makes of each state. It depends neither on the board nor on passes (RowRules).
absl::Status RowGame::learn_states() {
  const RuleSet& set = variant().rule_set();
  PositionBatch batch(2, static_cast<int>(set.slots.size()));
  for (std::uint32_t state = 0; state < states_; ++state) {
    Position p;
    index_->read_layer(layer(state, 0), p);
    batch.push(p);
  }
  Rules::Scratch scratch(variant().rules());
  next_state_.reserve(set.moves.size() * states_);
  for (std::size_t rule = 0; rule < set.moves.size(); ++rule) {
    RETURN_IF_ERROR(variant().rules().cells()->change_state(rule, batch, scratch));
    for (std::uint32_t state = 0; state < states_; ++state) {
      Position after = scratch.successors.at(state);
      after.mover = Player::first;
      next_state_.push_back(index_->layer(after) % states_);
    }
  }
  return absl::OkStatus();
}

RowBits RowGame::forward(const Block& block, const RowMove& move, const Block& target) const {
  RowBits out;
  out.inputs = target.stones;
  out.outputs = block.stones;
  const CellSet after = occupied_after(block, move);
  const std::vector<Cell>& image = variant().symmetries().elements()[index_->to_block(after)].permutation;
  for (CellSet rest = after; rest != 0; rest &= rest - 1) {
    const auto cell = static_cast<Cell>(std::countr_zero(rest));
    std::int8_t& source = out.source[static_cast<std::size_t>(rank(target.set, image[cell]))];
    if (cell != move.to) {
      source = static_cast<std::int8_t>(rank(block.set, cell));
    } else if (move.from != kNoCell) {
      source = static_cast<std::int8_t>(rank(block.set, move.from));
    } else {
      source = move.put == 0 ? RowBits::kSet : RowBits::kClear;
    }
  }
  return out;
}

RowBits RowGame::backward(const Block& block, const RowMove& move, const Block& target, bool taken) const {
  const RowBits there = forward(block, move, target);
  RowBits out;
  out.inputs = there.outputs;
  out.outputs = there.inputs;
  out.source.fill(taken ? RowBits::kSet : RowBits::kClear);  // of rows' bits that the successor does not show
  for (int i = 0; i < there.inputs; ++i) {
    const std::int8_t source = there.source[static_cast<std::size_t>(i)];
    if (source >= 0) {
      out.source[static_cast<std::uint8_t>(source)] = static_cast<std::int8_t>(i);
    } else {
      out.fixed |= std::uint32_t{1} << i;
      if (source == RowBits::kSet) out.fixed_value |= std::uint32_t{1} << i;
    }
  }
  return out;
}

absl::Status RowGame::build(BlockIndex number, Worker& worker, RowBlock& out) const {
  const Block& block = index_->blocks()[number];
  out.block = number;
  worker.moves_.find(block.set, out.moves);
  out.target.clear();
  out.target.reserve(out.moves.moves.size());
  out.bits.clear();
  out.bits.reserve(out.moves.moves.size());
  out.folds.reserve(block.stones >= RowFold::kLaneBits ? out.moves.moves.size() : 0);
  out.sparse.assign(out.moves.moves.size(), false);
  out.folds.clear();
  out.kept.clear();
  for (std::size_t m = 0; m < out.moves.moves.size(); ++m) {
    const RowMove& move = out.moves.moves[m];
    const CellSet after = occupied_after(block, move);
    if (std::popcount(after) < block.stones) return absl::InternalError("a move takes a stone off the board");
    out.target.push_back(index_->block_of(after));
    out.bits.push_back(forward(block, move, index_->blocks()[out.target.back()]));
    fix_bits(out.moves.legal.data() + m * out.moves.words, out.moves.words, out.bits.back());
    out.sparse[m] = is_sparse(out.moves.legal.data() + m * out.moves.words, out.moves.words);
    if (RowFold::can(out.bits.back())) out.folds.emplace_back(out.bits.back());
    for (std::uint32_t state = 0; state < states_; ++state) {
      if (next_state(move.rule, state) >= states_)
        return absl::InternalError("it is not known what a move makes of the state");
    }
  }
  return find_ends(block, worker, out);
}

// Positions begin.. begin + lanes of a row into the batch, batches of a row one after the other.
void RowGame::Worker::fill(const RowGame& game, const Block& block, std::size_t begin, std::size_t lanes,
                           std::uint32_t layer, bool exchanged) {
  if (begin == 0) {
    Position p;
    game.index_->read_layer(layer, p);
    batch_.size = lanes;
    for (std::size_t k = 0; k < lanes; ++k) batch_.set(k, p);
  }
  RowRules::planes(block.set, begin, lanes, batch_.planes[exchanged ? 1 : 0].data(),
                   batch_.planes[exchanged ? 0 : 1].data());
}

void RowGame::score(const Block& block, std::uint32_t layer, bool exchanged, Worker& w,
                    std::vector<ValueByte>& out) const {
  margins(block, layer, exchanged, w, w.margins_);
  out.resize((w.margins_.size() + 63) / 64 * 64);  // read in steps of 64
  std::transform(w.margins_.begin(), w.margins_.end(), out.begin(), code_of_margin);
}

void RowGame::margins(const Block& block, std::uint32_t layer, bool exchanged, Worker& w,
                      std::vector<std::int64_t>& out) const {
  const std::size_t size = index_->size(block);
  out.resize(size);
  for (std::size_t begin = 0; begin < size; begin += kLanes) {
    const std::size_t lanes = std::min(kLanes, size - begin);
    w.fill(*this, block, begin, lanes, layer, exchanged);
    variant().rules().score(w.batch_, w.scratch_, w.margin_);
    std::copy_n(w.margin_.begin(), lanes, out.begin() + static_cast<std::ptrdiff_t>(begin));
  }
}

void RowGame::judge(const Block& block, std::uint32_t state, Worker& w, std::vector<std::uint8_t>& ended,
                    std::vector<std::int64_t>& margin) const {
  const std::size_t size = index_->size(block);
  ended.resize(size);
  margin.resize(size);
  for (std::size_t begin = 0; begin < size; begin += kLanes) {
    const std::size_t lanes = std::min(kLanes, size - begin);
    w.fill(*this, block, begin, lanes, layer(state, 0), false);
    variant().rules().judge(w.batch_, w.scratch_, w.ended_, w.margin_);
    std::copy_n(w.ended_.begin(), lanes, ended.begin() + static_cast<std::ptrdiff_t>(begin));
    std::copy_n(w.margin_.begin(), lanes, margin.begin() + static_cast<std::ptrdiff_t>(begin));
  }
}

absl::StatusOr<MoverValue> RowGame::stuck(const Block& block, std::uint32_t state, std::uint64_t row) const {
  Position p;
  index_->read_layer(layer(state, 0), p);
  RowRules::planes(block.set, row, p.planes.data());
  return variant().rules().stuck(p);
}

absl::Status RowGame::find_ends(const Block& block, Worker& w, RowBlock& out) const {
  const std::size_t size = out.moves.positions;
  out.ends.assign(rules_->ends_without_passes() ? states_ : 0, {});
  out.pass_ends.assign(has_passes() ? states_ : 0, {});
  for (std::uint32_t state = 0; state < states_ && !out.pass_ends.empty(); ++state) {
    const std::uint32_t after = next_state(static_cast<std::size_t>(rules_->pass_rule()), state);
    if (after >= states_) return absl::InternalError("it is not known what a pass makes of the state");
    score(block, layer(after, 2), true, w, out.pass_ends[state]);
  }
  for (std::uint32_t state = 0; state < out.ends.size(); ++state) {
    std::vector<ValueByte>& codes = out.ends[state];
    codes.assign(size, 0);
    judge(block, state, w, w.all_ended_, w.margins_);
    bool any = false;
    for (std::size_t row = 0; row < size; ++row) {
      if (w.all_ended_[row] == 0) continue;
      codes[row] = code_of_margin(w.margins_[row]);
      any = true;
    }
    if (!any) codes.clear();
  }
  // Who has no move.
  std::vector<std::uint64_t> some = out.moves.passes;
  some.resize(out.moves.words, 0);
  for (std::size_t i = 0; i < out.moves.legal.size(); ++i) some[i % out.moves.words] |= out.moves.legal[i];
  for (std::size_t row = 0; row < size; ++row) {
    if ((some[row / 64] >> (row % 64) & 1) != 0) continue;
    out.ends.resize(states_);
    for (std::uint32_t state = 0; state < states_; ++state) {
      std::vector<ValueByte>& codes = out.ends[state];
      if (!codes.empty() && codes[row] != 0) continue;
      ASSIGN_OR_RETURN(const MoverValue value, stuck(block, state, row));
      codes.resize(size, 0);
      codes[row] = code_of_margin(value.margin.units);
    }
  }
  if (std::all_of(out.ends.begin(), out.ends.end(), [](const auto& codes) { return codes.empty(); })) out.ends.clear();
  return absl::OkStatus();
}

}  // namespace plenum
