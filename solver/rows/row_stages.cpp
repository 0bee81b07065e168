// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/row_stages.h"

#include <algorithm>
#include <initializer_list>

#include "solver/rows/row_successors.h"

namespace plenum {
namespace {

// What the stages have in common.
class TableStage : public RowStage {
 public:
  TableStage(const RowGame& game, const RowTier& tier, const DenseValues& values, const StateBytes& passed,
             AddedFolds* added)
      : game_(game), tier_(tier), values_(values), passed_codes_(passed), added_(added) {}

 protected:
  void begin(const RowBlock& rows) {
    size_ = rows.moves.positions;
    make_rows(result_, states_, size_);
    make_rows(passed_, states_, size_);
    make_row(room_, size_);
  }
  void fill_rows(StateBytes& rows, std::uint8_t byte) const {
    make_rows(rows, states_, size_);
    for (Bytes& row : rows) std::fill_n(row.begin(), padded_row(size_), byte);
  }
  // Folds the successors of all moves into rows that begin as `none`. What moves that add a stone lead to does not change while the tier
  // is solved, so it is folded once.
  template <typename FoldFn>
  void gather_moves(const RowBlock& rows, AskedRows asked, std::initializer_list<StateBytes*> to, std::uint8_t none,
                    const FoldFn& fold) {
    for (StateBytes* bytes : to) make_rows(*bytes, states_, size_);
    const bool kept = asked.empty() && added_ != nullptr && rows.moves.adding != 0;
    if (!kept || !added_->load(tier_, rows, to)) {
      for (StateBytes* bytes : to) fill_rows(*bytes, none);
      fold(MoveRange{0, rows.moves.adding});
      if (kept) added_->keep(tier_, rows, to);
    }
    fold(MoveRange{rows.moves.adding, rows.moves.moves.size()});
  }
  const ValueByte* codes(const RowBlock& rows, std::uint32_t state) const {
    return values_.codes[state].data() + game_.index().blocks()[rows.block].base;
  }
  const ValueByte* passed_codes(const RowBlock& rows, std::uint32_t state) const {
    return passed_codes_[state].data() + tier_.local(rows);
  }
  // Null: nobody may pass.
  const std::uint64_t* pass_bits(const RowBlock& rows) const { return passes_ ? rows.moves.passes.data() : nullptr; }

  const RowGame& game_;
  const RowTier& tier_;
  const DenseValues& values_;
  const StateBytes& passed_codes_;
  AddedFolds* const added_;  // null: nothing is kept
  const std::uint32_t states_ = game_.states();
  const bool passes_ = game_.has_passes();
  std::size_t size_ = 0;  // of the row at hand
  Bytes room_;
};

class CodeStage final : public TableStage {
 public:
  using TableStage::TableStage;

  void evaluate(const RowBlock& rows, AskedRows asked) override {
    begin(rows);
    gather(rows, asked);
    const CodeRows& on_rows = code_rows();
    const std::uint64_t* const may = pass_bits(rows);
    const auto close = [&](const Bytes& least, const Bytes& all, std::uint32_t state, Bytes& out) {
      on_rows.close(least.data(), all.data(), size_, out.data());
      const ValueByte* const ends = rows.ends_in(state);
      for (std::size_t i = 0; ends != nullptr && i < size_; ++i) out[i] = ends[i] != 0 ? ends[i] : out[i];
    };
    for (std::uint32_t state = 0; state < states_ && passes_; ++state) {
      after_least_ = least_[state];
      after_all_ = all_[state];
      on_rows.lower(rows.pass_ends[state].data(), may, size_, after_least_.data(), after_all_.data());
      close(after_least_, after_all_, state, passed_[state]);
    }
    for (std::uint32_t state = 0; state < states_; ++state) {
      // A pass leads to the same stones, seen by the other player: the row's complement.
      if (passes_) {
        on_rows.lower_reversed(passed_[game_.after_pass(state)].data(), may, size_, least_[state].data(),
                               all_[state].data());
      }
      close(least_[state], all_[state], state, result_[state]);
    }
  }

  // It changes the least or the "and" only if it was one of the least, is less, or if all that is level counts.
  bool touched(const Change& change, std::uint8_t here, ValueByte /*code*/) const override {
    if (is_level(here)) return change.was <= kMostLevel || change.is <= kMostLevel;
    const ValueByte least = negated(here);
    return change.was <= least || change.is < least;
  }

 private:
  // Passes aside.
  void gather(const RowBlock& rows, AskedRows asked) {
    const auto one = [&](std::uint32_t state, std::size_t row, std::uint8_t byte) {
      least_[state][row] = std::min(least_[state][row], byte);
      all_[state][row] &= byte;
    };
    gather_moves(rows, asked, {&least_, &all_}, kNoSuccessor, [&](MoveRange moves) {
      for_successors(
          game_, rows, moves, asked, values_.codes, room_.data(), one,
          [&](std::uint32_t state, const MoveReader& reader, const std::uint8_t* in, const std::uint64_t* legal) {
            reader.lower(in, legal, least_[state].data(), all_[state].data());
          });
    });
  }

  StateBytes least_;  // [state][row]
  StateBytes all_;
  Bytes after_least_;  // after a pass
  Bytes after_all_;
};

class FactStage final : public TableStage {
 public:
  using TableStage::TableStage;

  void evaluate(const RowBlock& rows, AskedRows asked) override {
    begin(rows);
    gather(rows, asked);
    const CodeRows& on_rows = code_rows();
    const std::uint64_t* const may = pass_bits(rows);
    const auto close = [&](const Bytes& all, std::uint32_t state, Bytes& out) {
      on_rows.close_facts(all.data(), codes_.data(), size_, out.data());
      const ValueByte* const ends = rows.ends_in(state);
      for (std::size_t i = 0; ends != nullptr && i < size_; ++i)
        out[i] = ends[i] != 0 ? row_facts_of_end(ends[i]) : out[i];
    };
    for (Bytes* row : {&codes_, &ends_}) make_row(*row, size_);
    for (std::uint32_t state = 0; state < states_ && passes_; ++state) {
      on_rows.end_facts(rows.pass_ends[state].data(), size_, ends_.data());
      after_all_ = all_[state];
      on_rows.lower_all(ends_.data(), may, size_, after_all_.data());
      std::copy_n(passed_codes(rows, state), size_, codes_.data());
      close(after_all_, state, passed_[state]);
    }
    for (std::uint32_t state = 0; state < states_; ++state) {
      if (passes_) on_rows.lower_all_reversed(passed_[game_.after_pass(state)].data(), may, size_, all_[state].data());
      on_rows.reverse(codes(rows, state), size_, codes_.data());
      close(all_[state], state, result_[state]);
    }
  }

  // Each bit of a successor clears or sets one here, and once only.
  bool touched(const Change& change, std::uint8_t here, ValueByte code) const override {
    const int changed = change.was ^ change.is;
    return ((changed & kRowMoverForcesEnd) != 0 && (here & kRowOtherCannotForceEnd) != 0) ||
           ((changed & kRowOtherCannotForceEnd) != 0 && (here & kRowMoverForcesEnd) == 0) ||
           ((changed & kRowNoLevelEnd) != 0 && (here & kRowNoLevelEnd) != 0 && is_level(code));
  }

 private:
  void gather(const RowBlock& rows, AskedRows asked) {
    const auto one = [&](std::uint32_t state, std::size_t row, std::uint8_t byte) { all_[state][row] &= byte; };
    gather_moves(rows, asked, {&all_}, kNoSuccessor, [&](MoveRange moves) {
      for_successors(game_, rows, moves, asked, values_.facts, room_.data(), one,
                     [&](std::uint32_t state, const MoveReader& reader, const std::uint8_t* in,
                         const std::uint64_t* legal) { reader.lower_all(in, legal, all_[state].data()); });
    });
  }

  StateBytes all_;  // [state][row]
  Bytes after_all_;
  Bytes ends_;
  Bytes codes_;  // of the positions at hand
};

constexpr ValueByte wanted_code(ValueByte code) { return is_level(code) ? 0 : negated(code); }

// Successors' plies count as they are where a position is won, and as 255 less them where it is lost: so the least is what follows in
// both cases, the fewest or the most. What is not won and not lost has none.
class PlyStage final : public TableStage {
 public:
  PlyStage(const RowGame& game, const RowTier& tier, const DenseValues& values, const StateBytes& passed,
           const StateBytes& best, AddedFolds* added)
      : TableStage(game, tier, values, passed, added), best_(best) {}

  void evaluate(const RowBlock& rows, AskedRows asked) override {
    begin(rows);
    for (Bytes* row : {&want_, &after_codes_, &after_plies_, &least_here_}) make_row(*row, size_);
    make_rows(best_here_, states_, size_);
    make_rows(codes_, states_, size_);
    make_rows(flip_, states_, size_);
    for (std::uint32_t state = 0; state < states_; ++state) {
      std::copy_n(best_[state].data() + tier_.local(rows), size_, best_here_[state].data());
      code_rows().wanted(best_here_[state].data(), size_, want_.data(), flip_[state].data());
    }
    gather(rows, asked);
    const std::uint64_t* const may = pass_bits(rows);
    for (std::uint32_t state = 0; state < states_ && passes_; ++state) {
      std::copy_n(passed_codes(rows, state), size_, codes_[state].data());
      begin_close(state);
      std::fill_n(after_plies_.begin(), padded_row(size_), std::uint8_t{0});
      take_pass(rows.pass_ends[state].data(), may, state);
      close(rows, state, passed_[state]);
    }
    for (std::uint32_t state = 0; state < states_; ++state) {
      code_rows().reverse(codes(rows, state), size_, codes_[state].data());
      begin_close(state);
      if (passes_) {
        const std::uint32_t next = game_.after_pass(state);
        code_rows().reverse(passed_codes(rows, next), size_, after_codes_.data());
        code_rows().reverse(passed_[next].data(), size_, after_plies_.data());
        take_pass(after_codes_.data(), may, state);
      }
      close(rows, state, result_[state]);
    }
  }

  // Plies only fall.
  bool touched(const Change& change, std::uint8_t here, ValueByte code) const override {
    if (is_level(code) || change.code != wanted_code(code)) return false;
    if (wins(code)) return change.is + 1 < here;
    return here == kUnknownPlies ? change.was >= kUnknownPlies - 1 : change.was + 1 == here;
  }

 private:
  // Of the moves that keep the best value.
  void gather(const RowBlock& rows, AskedRows asked) {
    const auto one = [&](std::uint32_t state, std::size_t row, std::uint8_t byte) {
      const auto plies = static_cast<std::uint8_t>(byte ^ flip_[state][row]);
      least_[state][row] = std::min(least_[state][row], plies);
    };
    gather_moves(rows, asked, {&least_}, kUnknownPlies, [&](MoveRange moves) {
      for_successors(
          game_, rows, moves, asked, values_.plies, room_.data(), one,
          [&](std::uint32_t state, const MoveReader& reader, const std::uint8_t* in, const std::uint64_t* kept) {
            reader.lower_flipped(in, kept, flip_[state].data(), least_[state].data());
          });
    });
  }
  // What moves say of positions of these codes: nothing where a pass is better.
  void begin_close(std::uint32_t state) {
    code_rows().wanted(codes_[state].data(), size_, want_.data(), flip_[state].data());
    code_rows().where_equal(codes_[state].data(), best_here_[state].data(), least_[state].data(), size_,
                            least_here_.data());
  }
  // A pass to positions of these codes and of after_plies_.
  void take_pass(const ValueByte* after, const std::uint64_t* may, std::uint32_t state) {
    passing_.assign(may, may + (size_ + 63) / 64);
    code_rows().keep_equal(after, want_.data(), size_, passing_.data());
    code_rows().lower_flipped(after_plies_.data(), passing_.data(), size_, flip_[state].data(), least_here_.data());
  }
  void close(const RowBlock& rows, std::uint32_t state, Bytes& out) const {
    code_rows().close_plies(least_here_.data(), flip_[state].data(), codes_[state].data(), size_, out.data());
    const ValueByte* const ends = rows.ends_in(state);
    for (std::size_t i = 0; ends != nullptr && i < size_; ++i) out[i] = ends[i] != 0 ? 0 : out[i];
  }

  const StateBytes& best_;  // row_best.h
  StateBytes least_;        // [state][row]
  StateBytes best_here_;
  StateBytes codes_;
  StateBytes flip_;
  Bytes want_;
  Bytes least_here_;
  Bytes after_codes_;
  Bytes after_plies_;
  std::vector<std::uint64_t> passing_;
};

}  // namespace

AddedFolds::AddedFolds(const RowTier& tier, std::uint32_t states, DenseLayer layer)
    : kept_(tier.size(), 0), rows_(bytes(layer) * states, Bytes(tier.size() * tier.positions())) {}

bool AddedFolds::load(const RowTier& tier, const RowBlock& rows, std::initializer_list<StateBytes*> to) const {
  if (kept_[tier.own(rows)] == 0) return false;
  auto from = rows_.begin();
  for (StateBytes* const bytes : to) {
    for (Bytes& row : *bytes) std::copy_n((from++)->data() + tier.local(rows), tier.positions(), row.data());
  }
  return true;
}

void AddedFolds::keep(const RowTier& tier, const RowBlock& rows, std::initializer_list<StateBytes*> from) {
  auto to = rows_.begin();
  for (const StateBytes* const bytes : from) {
    for (const Bytes& row : *bytes) std::copy_n(row.data(), tier.positions(), (to++)->data() + tier.local(rows));
  }
  kept_[tier.own(rows)] = 1;
}

std::unique_ptr<RowStage> make_stage(DenseLayer layer, const RowGame& game, const RowTier& tier,
                                     const DenseValues& values, const StateBytes& passed, const StateBytes& best,
                                     AddedFolds* added) {
  if (layer == DenseLayer::codes) return std::make_unique<CodeStage>(game, tier, values, passed, added);
  if (layer == DenseLayer::facts) return std::make_unique<FactStage>(game, tier, values, passed, added);
  return std::make_unique<PlyStage>(game, tier, values, passed, best, added);
}

}  // namespace plenum
