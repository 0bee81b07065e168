// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/row_stages.h"

#include <algorithm>

#include "solver/rows/code_rows.h"

namespace plenum {
namespace {

std::size_t padded(std::size_t n) { return (n + 63) / 64 * 64; }

void make_room(StateBytes& bytes, std::uint32_t states, std::size_t size) {
  bytes.resize(states);
  for (Bytes& b : bytes) b.resize(std::max(b.size(), padded(size)));
}

// Where the bytes of the successors by a move are.
class Sources {
 public:
  Sources(const RowGame& game, const RowBlock& rows) : game_(game), rows_(rows) {}
  const std::uint8_t* operator()(const StateBytes& bytes, std::size_t move, std::uint32_t state) const {
    return bytes[game_.next_state(rows_.moves.moves[move].rule, state)].data() +
           game_.index().blocks()[rows_.target[move]].base;
  }
  // The next row comes from anywhere in memory, and in no order that the processor would guess.
  void prefetch(const StateBytes& bytes, std::size_t move) const {
    if (move >= rows_.moves.moves.size()) return;
    const std::size_t size = std::size_t{1} << rows_.bits[move].inputs;
    for (std::uint32_t state = 0; state < game_.states(); ++state) {
      const std::uint8_t* const next = (*this)(bytes, move, state);
      for (std::size_t at = 0; at < size; at += 64) __builtin_prefetch(next + at);
    }
  }

 private:
  const RowGame& game_;
  const RowBlock& rows_;
};

using AskedRows = std::span<const std::uint32_t>;

// Calls f(row) for the rows asked for.
template <typename F>
void for_rows(std::size_t size, AskedRows asked, const F& f) {
  if (asked.empty()) {
    for (std::size_t i = 0; i < size; ++i) f(i);
  }
  for (const std::uint32_t i : asked) f(std::size_t{i});
}

bool has_bit(const std::uint64_t* bits, std::size_t i) { return (bits[i / 64] >> (i % 64) & 1) != 0; }

// Goes over the successors, of which these bytes are read. Where rows are asked for, calls one(source, move, row, number of the
// successor) for those that have a move; else all(source, move, map, legal), once a move.
template <typename One, typename All>
void for_successors(const RowGame& game, const RowBlock& rows, AskedRows asked,
                    std::initializer_list<const StateBytes*> read, const One& one, const All& all) {
  const Sources source(game, rows);
  for (std::size_t m = 0; m < rows.moves.moves.size(); ++m) {
    const std::uint64_t* const legal = rows.moves.legal.data() + m * rows.moves.words;
    if (asked.empty()) {
      for (const StateBytes* bytes : read) source.prefetch(*bytes, m + 1);
      all(source, m, RowMap(rows.bits[m]), legal);
      continue;
    }
    const RowNumber input = RowNumber::input(rows.bits[m]);
    for (const std::uint32_t row : asked) {
      if (has_bit(legal, row)) one(source, m, std::size_t{row}, std::size_t{input(row)});
    }
  }
}

// What the stages have in common.
class TableStage : public RowStage {
 public:
  TableStage(const RowGame& game, const RowTier& tier, const DenseValues& values, const StateBytes& passed)
      : game_(game), tier_(tier), values_(values), passed_codes_(passed) {}

 protected:
  void begin(const RowBlock& rows) {
    size_ = rows.moves.positions;
    make_room(result_, states_, size_);
    make_room(passed_, states_, size_);
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
  const std::uint32_t states_ = game_.states();
  const bool passes_ = game_.has_passes();
  std::size_t size_ = 0;  // of the row at hand
};

// The least and the "and" of the successors' bytes, passes aside.
class Gathered {
 public:
  void run(const RowGame& game, const RowBlock& rows, AskedRows asked, const StateBytes& bytes) {
    const std::size_t size = rows.moves.positions;
    const std::uint32_t states = game.states();
    row_.resize(std::max(row_.size(), padded(size)));
    for (StateBytes* to : {&least, &all}) {
      make_room(*to, states, size);
      for (Bytes& b : *to) std::fill_n(b.begin(), padded(size), kNoSuccessor);
    }
    const auto one = [&](const Sources& source, std::size_t m, std::size_t row, std::size_t input) {
      for (std::uint32_t state = 0; state < states; ++state) {
        const std::uint8_t byte = source(bytes, m, state)[input];
        least[state][row] = std::min(least[state][row], byte);
        all[state][row] &= byte;
      }
    };
    for_successors(game, rows, asked, {&bytes}, one,
                   [&](const Sources& source, std::size_t m, const RowMap& map, const std::uint64_t* legal) {
                     for (std::uint32_t state = 0; state < states; ++state) {
                       map.gather(source(bytes, m, state), row_.data(), rows.sparse[m] ? legal : nullptr);
                       code_rows().lower(row_.data(), legal, size, least[state].data(), all[state].data());
                     }
                   });
  }
  StateBytes least;  // [state][row]
  StateBytes all;

 private:
  Bytes row_;
};

class CodeStage final : public TableStage {
 public:
  using TableStage::TableStage;

  void evaluate(const RowBlock& rows, AskedRows asked) override {
    begin(rows);
    at_.run(game_, rows, asked, values_.codes);
    const CodeRows& on_rows = code_rows();
    const std::uint64_t* const may = pass_bits(rows);
    const auto close = [&](const Bytes& least, const Bytes& all, std::uint32_t state, Bytes& out) {
      on_rows.close(least.data(), all.data(), size_, out.data());
      const ValueByte* const ends = rows.ends_in(state);
      for (std::size_t i = 0; ends != nullptr && i < size_; ++i) out[i] = ends[i] != 0 ? ends[i] : out[i];
    };
    for (std::uint32_t state = 0; state < states_ && passes_; ++state) {
      least_.assign(at_.least[state].begin(), at_.least[state].end());
      all_.assign(at_.all[state].begin(), at_.all[state].end());
      on_rows.lower(rows.pass_ends[state].data(), may, size_, least_.data(), all_.data());
      close(least_, all_, state, passed_[state]);
    }
    for (std::uint32_t state = 0; state < states_; ++state) {
      // A pass leads to the same stones, seen by the other player: the row's complement.
      if (passes_) {
        on_rows.lower_reversed(passed_[game_.after_pass(state)].data(), may, size_, at_.least[state].data(),
                               at_.all[state].data());
      }
      close(at_.least[state], at_.all[state], state, result_[state]);
    }
  }

  // It changes the least or the "and" only if it was one of the least, is less, or if all that is level counts.
  bool touched(const Change& change, std::uint8_t here, ValueByte /*code*/) const override {
    if (is_level(here)) return change.was <= kMostLevel || change.is <= kMostLevel;
    const ValueByte least = negated(here);
    return change.was <= least || change.is < least;
  }

 private:
  Gathered at_;
  Bytes least_;
  Bytes all_;
};

class FactStage final : public TableStage {
 public:
  using TableStage::TableStage;

  void evaluate(const RowBlock& rows, AskedRows asked) override {
    begin(rows);
    at_.run(game_, rows, asked, values_.facts);
    const std::size_t last = size_ - 1;
    const std::uint64_t* const may = pass_bits(rows);
    const auto enter = [&](std::uint32_t state, const auto& code, const auto& after_pass, Bytes& to) {
      std::uint8_t* const out = to.data();
      const std::uint8_t* const all = at_.all[state].data();
      const ValueByte* const ends = rows.ends_in(state);
      for_rows(size_, asked, [&](std::size_t i) {
        const std::uint8_t pass = may != nullptr && has_bit(may, i) ? after_pass(i) : kNoSuccessor;
        out[i] = ends != nullptr && ends[i] != 0 ? row_facts_of_end(ends[i]) : row_facts(all[i] & pass, code(i));
      });
    };
    for (std::uint32_t state = 0; state < states_ && passes_; ++state) {
      const ValueByte* const codes = passed_codes(rows, state);
      const ValueByte* const ends = rows.pass_ends[state].data();
      enter(
          state, [&](std::size_t i) { return codes[i]; }, [&](std::size_t i) { return row_facts_of_end(ends[i]); },
          passed_[state]);
    }
    for (std::uint32_t state = 0; state < states_; ++state) {
      const ValueByte* const here = codes(rows, state);
      const std::uint8_t* const after = passes_ ? passed_[game_.after_pass(state)].data() : nullptr;
      enter(
          state, [&](std::size_t i) { return here[last - i]; }, [&](std::size_t i) { return after[last - i]; },
          result_[state]);
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
  Gathered at_;
};

// Of the successors that keep the value: the fewest plies and the most.
struct Plies {
  StateBytes want;  // [state][row]: the code of such a successor
  StateBytes least;
  StateBytes most;

  void begin(std::uint32_t states, std::size_t size) {
    for (StateBytes* bytes : {&want, &least, &most}) {
      make_room(*bytes, states, size);
      for (Bytes& b : *bytes) std::fill_n(b.begin(), padded(size), bytes == &least ? kUnknownPlies : std::uint8_t{0});
    }
  }
  void take(std::uint32_t state, std::size_t i, ValueByte code, std::uint8_t plies) {
    if (code != want[state][i]) return;
    least[state][i] = std::min(least[state][i], plies);
    most[state][i] = std::max(most[state][i], plies);
  }
};

constexpr ValueByte wanted(ValueByte code) { return is_level(code) ? 0 : negated(code); }

class PlyStage final : public TableStage {
 public:
  using TableStage::TableStage;

  void evaluate(const RowBlock& rows, AskedRows asked) override {
    begin(rows);
    const std::size_t last = size_ - 1;
    for (Bytes* row : {&codes_, &plies_}) row->resize(std::max(row->size(), padded(size_)));
    before_.begin(states_, size_);
    if (passes_) after_.begin(states_, size_);
    for (std::uint32_t state = 0; state < states_; ++state) {
      const ValueByte* const here = codes(rows, state);
      for (std::size_t i = 0; i < size_; ++i) before_.want[state][i] = wanted(here[last - i]);
      if (!passes_) continue;
      const ValueByte* const there = passed_codes(rows, state);
      for (std::size_t i = 0; i < size_; ++i) after_.want[state][i] = wanted(there[i]);
    }
    gather(rows, asked);
    const std::uint64_t* const may = pass_bits(rows);
    for (std::uint32_t state = 0; state < states_ && passes_; ++state) {
      for_rows(size_, asked, [&](std::size_t i) {
        if (has_bit(may, i)) after_.take(state, i, rows.pass_ends[state][i], 0);
      });
      const ValueByte* const there = passed_codes(rows, state);
      close(
          rows, asked, after_, state, [&](std::size_t i) { return there[i]; }, passed_[state]);
    }
    for (std::uint32_t state = 0; state < states_; ++state) {
      if (passes_) {
        const std::uint32_t next = game_.after_pass(state);
        const ValueByte* const there = passed_codes(rows, next);
        for_rows(size_, asked, [&](std::size_t i) {
          if (has_bit(may, i)) before_.take(state, i, there[last - i], passed_[next][last - i]);
        });
      }
      const ValueByte* const here = codes(rows, state);
      close(
          rows, asked, before_, state, [&](std::size_t i) { return here[last - i]; }, result_[state]);
    }
  }

  // Plies only fall.
  bool touched(const Change& change, std::uint8_t here, ValueByte code) const override {
    if (is_level(code) || change.code != wanted(code)) return false;
    if (wins(code)) return change.is + 1 < here;
    return here == kUnknownPlies ? change.was >= kUnknownPlies - 1 : change.was + 1 == here;
  }

 private:
  void gather(const RowBlock& rows, AskedRows asked) {
    const auto one = [&](const Sources& source, std::size_t m, std::size_t row, std::size_t input) {
      for (std::uint32_t state = 0; state < states_; ++state) {
        const ValueByte code = source(values_.codes, m, state)[input];
        const std::uint8_t plies = source(values_.plies, m, state)[input];
        before_.take(state, row, code, plies);
        if (passes_) after_.take(state, row, code, plies);
      }
    };
    const auto all = [&](const Sources& source, std::size_t m, const RowMap& map, const std::uint64_t* legal) {
      const std::uint64_t* const wanted_rows = rows.sparse[m] ? legal : nullptr;
      for (std::uint32_t state = 0; state < states_; ++state) {
        map.gather(source(values_.codes, m, state), codes_.data(), wanted_rows);
        map.gather(source(values_.plies, m, state), plies_.data(), wanted_rows);
        for (Plies* p : {&before_, &after_}) {
          if (p == &after_ && !passes_) continue;
          code_rows().lower_plies(codes_.data(), plies_.data(), legal, size_, p->want[state].data(),
                                  p->least[state].data(), p->most[state].data());
        }
      }
    };
    for_successors(game_, rows, asked, {&values_.codes, &values_.plies}, one, all);
  }

  template <typename CodeAt>
  void close(const RowBlock& rows, AskedRows asked, const Plies& p, std::uint32_t state, const CodeAt& code,
             Bytes& to) const {
    std::uint8_t* const out = to.data();
    const std::uint8_t* const least = p.least[state].data();
    const std::uint8_t* const most = p.most[state].data();
    const ValueByte* const ends = rows.ends_in(state);
    for_rows(size_, asked, [&](std::size_t i) {
      const bool ended = ends != nullptr && ends[i] != 0;
      out[i] = ended ? 0 : row_plies(code(i), least[i], most[i]);
    });
  }

  Bytes codes_;
  Bytes plies_;
  Plies before_;
  Plies after_;
};

}  // namespace

std::unique_ptr<RowStage> make_stage(DenseLayer layer, const RowGame& game, const RowTier& tier,
                                     const DenseValues& values, const StateBytes& passed) {
  if (layer == DenseLayer::codes) return std::make_unique<CodeStage>(game, tier, values, passed);
  if (layer == DenseLayer::facts) return std::make_unique<FactStage>(game, tier, values, passed);
  return std::make_unique<PlyStage>(game, tier, values, passed);
}

}  // namespace plenum
