// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/row_stages.h"

#include <algorithm>

#include "solver/rows/code_rows.h"

namespace plenum {
namespace {

// Where who is to move has no move, the game is over, with no pass made or one.
const std::vector<ValueByte>* ends_of(const RowBlock& rows, std::uint32_t state) {
  return rows.ends.empty() || rows.ends[state].empty() ? nullptr : &rows.ends[state];
}

void enter_ends(const RowBlock& rows, std::uint32_t state, std::size_t size, ValueByte* codes) {
  const std::vector<ValueByte>* const ends = ends_of(rows, state);
  for (std::size_t i = 0; ends != nullptr && i < size; ++i) codes[i] = (*ends)[i] != 0 ? (*ends)[i] : codes[i];
}

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

// Calls f(row, number of the successor) for the rows asked for that have a move.
template <typename F>
void for_inputs(const RowBlock& rows, std::size_t move, AskedRows asked, const F& f) {
  const std::uint64_t* const legal = rows.moves.legal.data() + move * rows.moves.words;
  const RowNumber input = RowNumber::input(rows.bits[move]);
  for (const std::uint32_t row : asked) {
    if (has_bit(legal, row)) f(std::size_t{row}, std::size_t{input(row)});
  }
}

// The least and the "and" of the successors' bytes, passes aside.
class Gathered {
 public:
  void run(const RowGame& game, const RowBlock& rows, AskedRows asked, const StateBytes& bytes) {
    const std::size_t size = rows.moves.positions;
    const std::uint32_t states = game.states();
    row_.resize(std::max(row_.size(), padded(size)));
    make_room(least, states, size);
    make_room(all, states, size);
    for (std::uint32_t state = 0; state < states; ++state) {
      std::fill_n(least[state].begin(), padded(size), kNoSuccessor);
      std::fill_n(all[state].begin(), padded(size), kNoSuccessor);
    }
    const Sources source(game, rows);
    for (std::size_t m = 0; m < rows.moves.moves.size(); ++m) {
      const std::uint64_t* const legal = rows.moves.legal.data() + m * rows.moves.words;
      if (!asked.empty()) {
        for_inputs(rows, m, asked, [&](std::size_t row, std::size_t input) {
          for (std::uint32_t state = 0; state < states; ++state) {
            const std::uint8_t byte = source(bytes, m, state)[input];
            least[state][row] = std::min(least[state][row], byte);
            all[state][row] &= byte;
          }
        });
        continue;
      }
      source.prefetch(bytes, m + 1);
      const RowMap map(rows.bits[m]);
      for (std::uint32_t state = 0; state < states; ++state) {
        map.gather(source(bytes, m, state), row_.data(), rows.sparse[m] ? legal : nullptr);
        lower_row(row_.data(), legal, size, least[state].data(), all[state].data());
      }
    }
  }
  StateBytes least;  // [state][row]
  StateBytes all;

 private:
  Bytes row_;
};

class CodeStage final : public RowStage {
 public:
  CodeStage(const RowGame& game, const DenseValues& values) : game_(game), values_(values) {}

  void evaluate(const RowBlock& rows, AskedRows asked) override {
    const std::size_t size = rows.moves.positions;
    const std::uint32_t states = game_.states();
    make_room(result_, states, size);
    make_room(passed_, states, size);
    at_.run(game_, rows, asked, values_.codes);
    if (game_.has_passes()) {
      const std::uint64_t* const may = rows.moves.passes.data();
      for (std::uint32_t state = 0; state < states; ++state) {
        least_.assign(at_.least[state].begin(), at_.least[state].end());
        all_.assign(at_.all[state].begin(), at_.all[state].end());
        lower_row(rows.pass_ends[state].data(), may, size, least_.data(), all_.data());
        close_row(least_.data(), all_.data(), size, passed_[state].data());
        enter_ends(rows, state, size, passed_[state].data());
      }
      // A pass leads to the same stones, seen by the other player: the row's complement.
      for (std::uint32_t state = 0; state < states; ++state)
        lower_reversed(passed_[game_.after_pass(state)].data(), may, size, at_.least[state].data(),
                       at_.all[state].data());
    }
    for (std::uint32_t state = 0; state < states; ++state) {
      close_row(at_.least[state].data(), at_.all[state].data(), size, result_[state].data());
      enter_ends(rows, state, size, result_[state].data());
    }
  }

  // It changes the least or the "and" only if it was one of the least, is less, or if all that is level counts.
  bool touched(const Change& change, std::uint8_t here, ValueByte /*code*/) const override {
    if (is_level(here)) return change.was <= kMostLevel || change.is <= kMostLevel;
    const ValueByte least = negated(here);
    return change.was <= least || change.is < least;
  }

 private:
  const RowGame& game_;
  const DenseValues& values_;
  Gathered at_;
  Bytes least_;
  Bytes all_;
};

constexpr std::uint8_t row_facts_of_end(ValueByte end) {
  return static_cast<std::uint8_t>(kRowMoverForcesEnd | (is_level(end) ? 0 : kRowNoLevelEnd));
}

constexpr std::uint8_t facts_from(std::uint8_t all, ValueByte code) {
  const bool level_end = (all & kRowNoLevelEnd) == 0 && is_level(code);
  return static_cast<std::uint8_t>(((all & kRowOtherCannotForceEnd) == 0 ? kRowMoverForcesEnd : 0) |
                                   ((all & kRowMoverForcesEnd) != 0 ? 0 : kRowOtherCannotForceEnd) |
                                   (level_end ? 0 : kRowNoLevelEnd));
}

class FactStage final : public RowStage {
 public:
  FactStage(const RowGame& game, const RowTier& tier, const DenseValues& values, const StateBytes& passed)
      : game_(game), tier_(tier), values_(values), passed_codes_(passed) {}

  void evaluate(const RowBlock& rows, AskedRows asked) override {
    const std::size_t size = rows.moves.positions;
    const std::uint32_t states = game_.states();
    make_room(result_, states, size);
    make_room(passed_, states, size);
    at_.run(game_, rows, asked, values_.facts);
    const auto may = [&](std::size_t i) { return has_bit(rows.moves.passes.data(), i); };
    for (std::uint32_t state = 0; state < states && game_.has_passes(); ++state) {
      const ValueByte* const codes = passed_codes_[state].data() + tier_.local(rows);
      const ValueByte* const ends = rows.pass_ends[state].data();
      const std::uint8_t* const all = at_.all[state].data();
      const std::vector<ValueByte>* const stuck = ends_of(rows, state);
      for_rows(size, asked, [&](std::size_t i) {
        const std::uint8_t after = may(i) ? row_facts_of_end(ends[i]) : kNoSuccessor;
        const bool over = stuck != nullptr && (*stuck)[i] != 0;
        passed_[state][i] = over ? row_facts_of_end((*stuck)[i]) : facts_from(all[i] & after, codes[i]);
      });
    }
    const BoardIndex base = game_.index().blocks()[rows.block].base;
    for (std::uint32_t state = 0; state < states; ++state) {
      const ValueByte* const codes = values_.codes[state].data() + base;
      const std::uint8_t* const all = at_.all[state].data();
      const std::uint8_t* const after = game_.has_passes() ? passed_[game_.after_pass(state)].data() : nullptr;
      const std::vector<ValueByte>* const ends = ends_of(rows, state);
      for_rows(size, asked, [&](std::size_t i) {
        const std::uint8_t pass = after != nullptr && may(i) ? after[size - 1 - i] : kNoSuccessor;
        std::uint8_t facts = facts_from(all[i] & pass, codes[size - 1 - i]);
        if (ends != nullptr && (*ends)[i] != 0) facts = row_facts_of_end((*ends)[i]);
        result_[state][i] = facts;
      });
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
  const RowGame& game_;
  const RowTier& tier_;
  const DenseValues& values_;
  const StateBytes& passed_codes_;
  Gathered at_;
};

// Of the successors that keep the value: the fewest plies and the most.
struct Plies {
  StateBytes want;  // [state][row]: the code of such a successor
  StateBytes least;
  StateBytes most;

  void begin(std::uint32_t states, std::size_t size) {
    for (StateBytes* bytes : {&want, &least, &most}) make_room(*bytes, states, size);
    for (std::uint32_t state = 0; state < states; ++state) {
      std::fill_n(want[state].begin(), padded(size), std::uint8_t{0});
      std::fill_n(least[state].begin(), padded(size), kUnknownPlies);
      std::fill_n(most[state].begin(), padded(size), std::uint8_t{0});
    }
  }
  void take(std::uint32_t state, std::size_t i, ValueByte code, std::uint8_t plies) {
    if (code != want[state][i]) return;
    least[state][i] = std::min(least[state][i], plies);
    most[state][i] = std::max(most[state][i], plies);
  }
};

constexpr ValueByte wanted(ValueByte code) { return is_level(code) ? 0 : negated(code); }

class PlyStage final : public RowStage {
 public:
  PlyStage(const RowGame& game, const RowTier& tier, const DenseValues& values, const StateBytes& passed)
      : game_(game), tier_(tier), values_(values), passed_codes_(passed) {}

  void evaluate(const RowBlock& rows, AskedRows asked) override {
    const std::size_t size = rows.moves.positions;
    const std::uint32_t states = game_.states();
    const bool passes = game_.has_passes();
    const BoardIndex base = game_.index().blocks()[rows.block].base;
    for (Bytes* row : {&codes_, &plies_}) row->resize(std::max(row->size(), padded(size)));
    make_room(result_, states, size);
    make_room(passed_, states, size);
    before_.begin(states, size);
    if (passes) after_.begin(states, size);
    for (std::uint32_t state = 0; state < states; ++state) {
      const ValueByte* const here = values_.codes[state].data() + base;
      for (std::size_t i = 0; i < size; ++i) before_.want[state][i] = wanted(here[size - 1 - i]);
      if (!passes) continue;
      const ValueByte* const there = passed_codes_[state].data() + tier_.local(rows);
      for (std::size_t i = 0; i < size; ++i) after_.want[state][i] = wanted(there[i]);
    }
    const Sources source(game_, rows);
    for (std::size_t m = 0; m < rows.moves.moves.size(); ++m) {
      const std::uint64_t* const legal = rows.moves.legal.data() + m * rows.moves.words;
      if (!asked.empty()) {
        for_inputs(rows, m, asked, [&](std::size_t row, std::size_t input) {
          for (std::uint32_t state = 0; state < states; ++state) {
            const ValueByte code = source(values_.codes, m, state)[input];
            const std::uint8_t plies = source(values_.plies, m, state)[input];
            before_.take(state, row, code, plies);
            if (passes) after_.take(state, row, code, plies);
          }
        });
        continue;
      }
      source.prefetch(values_.codes, m + 1);
      source.prefetch(values_.plies, m + 1);
      const RowMap map(rows.bits[m]);
      for (std::uint32_t state = 0; state < states; ++state) {
        map.gather(source(values_.codes, m, state), codes_.data(), rows.sparse[m] ? legal : nullptr);
        map.gather(source(values_.plies, m, state), plies_.data(), rows.sparse[m] ? legal : nullptr);
        for (Plies* p : {&before_, &after_}) {
          if (p == &after_ && !passes) continue;
          lower_plies(codes_.data(), plies_.data(), legal, size, p->want[state].data(), p->least[state].data(),
                      p->most[state].data());
        }
      }
    }
    const auto may = [&](std::size_t i) { return has_bit(rows.moves.passes.data(), i); };
    for (std::uint32_t state = 0; state < states && passes; ++state) {
      const ValueByte* const ends = rows.pass_ends[state].data();
      for_rows(size, asked, [&](std::size_t i) {
        if (may(i)) after_.take(state, i, ends[i], 0);
      });
      close(after_, state, passed_codes_[state].data() + tier_.local(rows), false, asked, passed_[state]);
      clear_ends(rows, state, size, passed_[state]);
    }
    for (std::uint32_t state = 0; state < states; ++state) {
      if (passes) {
        const std::uint32_t next = game_.after_pass(state);
        const ValueByte* const there = passed_codes_[next].data() + tier_.local(rows);
        for_rows(size, asked, [&](std::size_t i) {
          if (may(i)) before_.take(state, i, there[size - 1 - i], passed_[next][size - 1 - i]);
        });
      }
      close(before_, state, values_.codes[state].data() + base, true, asked, result_[state]);
      clear_ends(rows, state, size, result_[state]);
    }
  }

  // Plies only fall.
  bool touched(const Change& change, std::uint8_t here, ValueByte code) const override {
    if (is_level(code) || change.code != wanted(code)) return false;
    if (code > kMostLevel) return change.is + 1 < here;
    return here == kUnknownPlies ? change.was >= kUnknownPlies - 1 : change.was + 1 == here;
  }

 private:
  void close(const Plies& p, std::uint32_t state, const ValueByte* codes, bool reversed, AskedRows asked,
             Bytes& out) const {
    const std::size_t size = tier_.positions();
    for_rows(size, asked, [&](std::size_t i) {
      const ValueByte code = codes[reversed ? size - 1 - i : i];
      const std::uint8_t plies = code > kMostLevel ? p.least[state][i] : p.most[state][i];
      out[i] = is_level(code) ? 0 : plies >= kUnknownPlies - 1 ? kUnknownPlies : static_cast<std::uint8_t>(plies + 1);
    });
  }

  static void clear_ends(const RowBlock& rows, std::uint32_t state, std::size_t size, Bytes& plies) {
    const std::vector<ValueByte>* const ends = ends_of(rows, state);
    for (std::size_t i = 0; ends != nullptr && i < size; ++i) plies[i] = (*ends)[i] != 0 ? 0 : plies[i];
  }

  const RowGame& game_;
  const RowTier& tier_;
  const DenseValues& values_;
  const StateBytes& passed_codes_;
  Bytes codes_;
  Bytes plies_;
  Plies before_;
  Plies after_;
};

}  // namespace

std::unique_ptr<RowStage> make_code_stage(const RowGame& game, const DenseValues& values) {
  return std::make_unique<CodeStage>(game, values);
}
std::unique_ptr<RowStage> make_fact_stage(const RowGame& game, const RowTier& tier, const DenseValues& values,
                                          const StateBytes& passed) {
  return std::make_unique<FactStage>(game, tier, values, passed);
}
std::unique_ptr<RowStage> make_ply_stage(const RowGame& game, const RowTier& tier, const DenseValues& values,
                                         const StateBytes& passed) {
  return std::make_unique<PlyStage>(game, tier, values, passed);
}

}  // namespace plenum
