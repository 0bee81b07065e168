// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/row_sweep.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "solver/rows/code_rows.h"
#include "solver/support/object_pool.h"
#include "solver/support/parallel.h"
#include "variants/board/bits.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kWordBits = 64;
// Whole blocks are evaluated faster than such a part of their rows one by one: where rows are folded in as they are read, and where not.
constexpr std::size_t kManyFolded = 100;
constexpr std::size_t kManyRows = 10;
// Of several ranks: after how many parts of its blocks, in a round, each tells the others what has changed.
constexpr std::size_t kParts = 8;
constexpr std::size_t kChangeBytes = 5;  // of a change that is told: place and byte
// To find, tell and enter a change takes as long as to copy so many bytes.
constexpr std::size_t kBytesOfChange = 16;
constexpr std::uint32_t kAllBytes = ~std::uint32_t{0};

std::uint64_t reversed_edges(std::uint64_t word) {
  for (std::size_t k = 0; k < kAxisBits.size(); ++k)
    word = (word & kAxisBits[k]) >> (1U << k) | (word & ~kAxisBits[k]) << (1U << k);
  return word;
}

// Adds the rows after a pass, which are numbered backwards.
void add_backwards(std::uint64_t* words, std::size_t rows) {
  if (rows < kWordBits) {
    *words |= reversed_edges(*words) >> (kWordBits - rows);
    return;
  }
  const std::size_t n = rows / kWordBits;
  for (std::size_t w = 0; w < n / 2; ++w) {
    words[w] |= reversed_edges(words[n - 1 - w]);
    words[n - 1 - w] = reversed_edges(words[w]);
  }
  if (n == 1) words[0] |= reversed_edges(words[0]);
}

std::size_t count_different(const std::uint8_t* a, const std::uint8_t* b, std::size_t n) {
  constexpr std::size_t kPiece = 128;  // so that a byte can count
  std::size_t out = 0;
  for (std::size_t begin = 0; begin < n; begin += kPiece) {
    const std::size_t end = std::min(n, begin + kPiece);
    std::uint8_t some = 0;
    for (std::size_t i = begin; i < end; ++i) some = static_cast<std::uint8_t>(some + (a[i] != b[i] ? 1 : 0));
    out += some;
  }
  return out;
}

// Calls fn(place) where they differ, in rising order. Most of them do not, a word at a time.
template <typename Fn>
void for_different(const std::uint8_t* a, const std::uint8_t* b, std::size_t n, const Fn& fn) {
  std::size_t i = 0;
  for (; i + sizeof(std::uint64_t) <= n; i += sizeof(std::uint64_t)) {
    std::uint64_t one = 0;
    std::uint64_t other = 0;
    std::memcpy(&one, a + i, sizeof one);
    std::memcpy(&other, b + i, sizeof other);
    if (one == other) continue;
    for (std::size_t k = i; k < i + sizeof one; ++k) {
      if (a[k] != b[k]) fn(k);
    }
  }
  for (; i < n; ++i) {
    if (a[i] != b[i]) fn(i);
  }
}

class Sweep {
 public:
  Sweep(const RowGame& game, const RowTier& tier, const SweepTask& task)
      : game_(game),
        tier_(tier),
        task_(task),
        bytes_(*task.bytes),
        passed_(*task.passed),
        states_(game.states()),
        size_(tier.positions()),
        words_(std::max<std::size_t>(1, size_ / kWordBits)),
        dirty_(tier.size(), 1),
        changes_(tier.all()),
        stages_(task.make) {
    for (std::uint32_t state = 0; state < states_; ++state) {
      for (std::size_t k = 0; k < tier.size(); ++k) std::fill_n(at(state, k), size_, task.unknown);
    }
    tier.here().fill(bytes_, task.unknown);
    passed_.assign(game.has_passes() ? states_ : 0, Bytes(tier.size() * size_, task.unknown));
  }

  absl::StatusOr<RowCosts> run() {
    const auto all = static_cast<double>(tier_.all() * size_ * states_);
    double changed = all;
    while (changed > task_.few * all) {
      if (!evaluate_blocks(false, changed)) return absl::CancelledError("interrupted");
    }
    asked_.assign(tier_.size() * words_, 0);
    if (!evaluate_blocks(true, changed)) return absl::CancelledError("interrupted");
    for (follow_back(); tier_.ranks().any(any_asked()); follow_back()) {
      ask();
      evaluate_asked();
      if (!share(true)) return absl::CancelledError("interrupted");
    }
    return costs_;
  }

 private:
  struct Change {
    std::uint32_t state = 0;
    std::uint32_t board = 0;  // of its block
    std::uint8_t was = 0;
    std::uint8_t is = 0;
    ValueByte code = 0;  // of the position
  };

  // Blocks are own ones; `number`s are of all blocks of the tier.
  std::uint8_t* at(std::uint32_t state, std::size_t block) const { return bytes_[state].data() + tier_.base(block); }
  const ValueByte* codes(std::uint32_t state, std::size_t block) const {
    return (task_.codes != nullptr ? *task_.codes : bytes_)[state].data() + tier_.base(block);
  }
  const ValueByte* passed_codes(std::uint32_t state, std::size_t block) const {
    return (task_.passed_codes != nullptr ? *task_.passed_codes : passed_)[state].data() + block * size_;
  }
  void spent(std::size_t block, std::size_t rows) {
    costs_.evaluated += rows * states_;
    costs_.mapped += rows * states_ * tier_.block(block).moves.moves.size();
  }

  // Once over the blocks that are dirty; `all_changed`: how many bytes change, of all ranks.
  bool evaluate_blocks(bool listed, double& all_changed) {
    const std::size_t parts =
        tier_.here().empty() ? 1 : std::max(kParts, tier_.all() * size_ * states_ / kRowExchangeBytes);
    std::uint64_t changed = 0;
    for (std::size_t part = 0; part < parts; ++part) {
      evaluate_part(tier_.size() * part / parts, tier_.size() * (part + 1) / parts, listed);
      if (!share(listed)) return false;
      changed += changed_all_;
    }
    all_changed = static_cast<double>(changed);
    return true;
  }

  // Once over the dirty ones of blocks from `next` to `end`, some at a time: from the table as it is; then what has changed is entered.
  void evaluate_part(std::size_t next, std::size_t end, bool listed) {
    constexpr std::size_t kStagedBytes = std::size_t{1} << 20;
    constexpr std::size_t kMostStaged = 64;
    const std::size_t staged = std::clamp<std::size_t>(kStagedBytes / (size_ * states_), 4, kMostStaged);
    fresh_.resize(staged, Bytes(size_ * states_));
    std::vector<std::size_t> changed(staged);
    std::vector<std::uint32_t> chosen;
    while (next < end) {
      if (!ask()) return;
      chosen.clear();
      for (; next < end && chosen.size() < staged; ++next) {
        if (dirty_[next] == 0) continue;
        dirty_[next] = 0;
        chosen.push_back(static_cast<std::uint32_t>(next));
      }
      for_each_index(chosen.size(), [&](std::size_t k) { changed[k] = evaluate_block(chosen[k], fresh_[k], listed); });
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        spent(chosen[k], size_);
        if (changed[k] == 0) continue;
        changed_ += changed[k];
        for (std::uint32_t state = 0; state < states_; ++state)
          std::memcpy(at(state, chosen[k]), fresh_[k].data() + state * size_, size_);
        const std::size_t number = tier_.number(chosen[k]);
        for (const std::uint32_t reader : tier_.readers(number)) dirty_[reader] = 1;
        if (!tier_.here().readers(chosen[k]).empty()) to_share_.push_back(chosen[k]);
      }
    }
  }

  // Into `fresh`; how many bytes change. They are listed too if that is asked for, or if others read them and they are few.
  std::size_t evaluate_block(std::uint32_t block, Bytes& fresh, bool listed) {
    const auto stage = stages_.borrow();
    stage->evaluate(tier_.block(block), {});
    std::size_t changed = 0;
    for (std::uint32_t state = 0; state < states_; ++state) {
      std::uint8_t* const to = fresh.data() + state * size_;
      code_rows().reverse(stage->result(state), size_, to);
      changed += count_different(to, at(state, block), size_);
      if (!passed_.empty()) std::memcpy(passed_[state].data() + block * size_, stage->passed(state), size_);
    }
    const bool shared = !tier_.here().readers(block).empty() && changed * kBytesOfChange < size_ * states_ &&
                        size_ * states_ < kAllBytes;
    for (std::uint32_t state = 0; state < states_ && changed != 0 && (listed || shared); ++state) {
      const std::uint8_t* const is = fresh.data() + state * size_;
      const std::uint8_t* const was = at(state, block);
      const ValueByte* const code = task_.codes != nullptr ? codes(state, block) : is;
      std::vector<Change>& changes = changes_[tier_.number(block)];
      for_different(was, is, size_, [&](std::size_t board) {
        changes.push_back({state, static_cast<std::uint32_t>(board), was[board], is[board], code[board]});
      });
    }
    return changed;
  }

  void list(std::uint32_t block, std::uint32_t state, std::size_t board, std::uint8_t was, std::uint8_t is) {
    if (was == is) return;
    const ValueByte code = task_.codes != nullptr ? codes(state, block)[board] : is;
    changes_[tier_.number(block)].push_back({state, static_cast<std::uint32_t>(board), was, is, code});
  }

  // False: to be stopped. The others hear of that with what is shared next.
  bool ask() {
    stopped_ = stopped_ || (tier_.ranks().root() && !task_.go_on());
    return !stopped_;
  }

  // Collective: enters what others have changed in blocks that own ones read, and tells them likewise; changes are listed, or only bytes
  // are entered.  False: to be stopped.
  bool share(bool listed) {
    struct Head {
      std::uint64_t changed = 0;
      std::uint64_t stopped = 0;
    };
    std::vector<Parcel> to(static_cast<std::size_t>(tier_.ranks().size()));
    std::vector<std::size_t> bytes(to.size(), sizeof(Head));
    for (const std::uint32_t block : to_share_) {
      for (const std::uint32_t r : tier_.here().readers(block)) bytes[r] += told_bytes(block, listed);
    }
    for (std::size_t r = 0; r < to.size(); ++r) {
      to[r].reserve(bytes[r]);
      put(to[r], Head{changed_, stopped_ ? 1U : 0U});
    }
    for (const std::uint32_t block : to_share_) {
      for (const std::uint32_t r : tier_.here().readers(block)) put_block(to[r], block, listed);
    }
    if (!listed) {
      for (const std::uint32_t block : to_share_) changes_[tier_.number(block)].clear();
    }
    to_share_.clear();
    changed_all_ = 0;
    for (const Parcel& parcel : tier_.ranks().exchange(std::move(to))) {
      ParcelReader reader(parcel);
      const auto head = reader.get<Head>();
      changed_all_ += head.changed;
      stopped_ = stopped_ || head.stopped != 0;
      while (!reader.empty()) enter_block(reader, listed);
    }
    changed_ = 0;
    return !stopped_;
  }

  std::size_t told_bytes(std::uint32_t block, bool listed) const {
    const std::size_t changes = changes_[tier_.number(block)].size();
    return 2 * sizeof(std::uint32_t) + (listed         ? changes * sizeof(Change)
                                        : changes != 0 ? changes * kChangeBytes
                                                       : size_ * states_);
  }

  // Number, how many changes, and these; or all bytes.
  void put_block(Parcel& to, std::uint32_t block, bool listed) const {
    const std::size_t number = tier_.number(block);
    put(to, static_cast<std::uint32_t>(number));
    const std::vector<Change>& changes = changes_[number];
    if (listed || !changes.empty()) {
      put(to, static_cast<std::uint32_t>(changes.size()));
      if (listed) return put(to, std::span<const Change>(changes));
      for (const Change& c : changes) {
        put(to, static_cast<std::uint32_t>(c.state * size_ + c.board));
        put(to, c.is);
      }
      return;
    }
    put(to, kAllBytes);
    for (std::uint32_t state = 0; state < states_; ++state)
      put(to, std::span<const std::uint8_t>(at(state, block), size_));
  }

  void enter_block(ParcelReader& from, bool listed) {
    const std::size_t number = from.get<std::uint32_t>();
    const auto count = from.get<std::uint32_t>();
    const auto row = [&](std::size_t state) { return bytes_[state].data() + tier_.begin() + number * size_; };
    for (const std::uint32_t reader : tier_.readers(number)) dirty_[reader] = 1;
    if (count == kAllBytes) {
      for (std::uint32_t state = 0; state < states_; ++state) std::memcpy(row(state), from.bytes(size_).data(), size_);
    } else if (listed) {
      changes_[number] = from.get_all<Change>(count);
      for (const Change& c : changes_[number]) row(c.state)[c.board] = c.is;
    } else {
      for (std::uint32_t n = 0; n < count; ++n) {
        const std::size_t place = from.get<std::uint32_t>();
        row(place / size_)[place % size_] = from.get<std::uint8_t>();
      }
    }
  }

  bool any_asked() const { return std::find(dirty_.begin(), dirty_.end(), 1) != dirty_.end(); }

  // Once over the rows asked for, from the table as it is; then what has changed is entered.
  void evaluate_asked() {
    std::vector<std::uint32_t> chosen;
    for (std::size_t i = 0; i < tier_.size(); ++i) {
      if (dirty_[i] != 0) chosen.push_back(static_cast<std::uint32_t>(i));
    }
    std::vector<std::size_t> evaluated(chosen.size());
    for_each_index(chosen.size(), [&](std::size_t k) { evaluated[k] = evaluate_asked(chosen[k]); });
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      spent(chosen[k], evaluated[k]);
      const std::vector<Change>& changes = changes_[tier_.number(chosen[k])];
      for (const Change& c : changes) at(c.state, chosen[k])[c.board] = c.is;
      if (!changes.empty() && !tier_.here().readers(chosen[k]).empty()) to_share_.push_back(chosen[k]);
    }
  }

  std::size_t evaluate_asked(std::uint32_t block) {
    std::uint64_t* const asked = asked_.data() + block * words_;
    if (!passed_.empty()) add_backwards(asked, size_);
    std::vector<std::uint32_t> rows;
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t rest = asked[w]; rest != 0; rest &= rest - 1)
        rows.push_back(static_cast<std::uint32_t>(w * kWordBits + static_cast<std::size_t>(std::countr_zero(rest))));
    }
    const auto stage = stages_.borrow();
    const bool all = rows.size() > size_ / (tier_.block(block).folds.empty() ? kManyRows : kManyFolded);
    stage->evaluate(tier_.block(block), all ? std::span<const std::uint32_t>() : rows);
    for (const std::uint32_t row : rows) {
      const std::size_t board = size_ - 1 - row;
      for (std::uint32_t state = 0; state < states_; ++state) {
        list(block, state, board, at(state, block)[board], stage->result(state)[row]);
        if (!passed_.empty()) passed_[state][block * size_ + row] = stage->passed(state)[row];
      }
    }
    return all ? size_ : rows.size();
  }

  // Asks for the rows that what has changed leads back to.
  void follow_back() {
    std::fill(asked_.begin(), asked_.end(), 0);
    for_each_index(tier_.size(), [&](std::size_t i) {
      dirty_[i] = 0;
      const RowBlock& rows = tier_.block(i);
      const auto stage = stages_.borrow();
      for (std::size_t m = 0; m < rows.moves.moves.size(); ++m) {
        const BlockIndex target = rows.target[m] - tier_.first();
        if (target < tier_.all() && !changes_[target].empty()) follow_back(i, m, target, *stage);
      }
    });
    for (auto& changes : changes_) changes.clear();
  }

  void follow_back(std::size_t block, std::size_t move, std::size_t target, const RowStage& stage) {
    const RowBlock& rows = tier_.block(block);
    const RowsBefore before(rows.bits[move]);
    for (const Change& c : changes_[target]) {
      before(c.board, [&](std::uint32_t row) {
        const RowStage::Change change = {c.was, c.is, c.code};
        for (std::uint32_t state = 0; state < states_; ++state) {
          if (game_.next_state(rows.moves.moves[move].rule, state) != c.state) continue;
          if ((rows.where(move, state)[row / kWordBits] >> (row % kWordBits) & 1) == 0) continue;
          if (!touches(stage, change, block, state, row)) continue;
          asked_[block * words_ + row / kWordBits] |= std::uint64_t{1} << (row % kWordBits);
          dirty_[block] = 1;
        }
      });
    }
  }

  bool touches(const RowStage& stage, const RowStage::Change& change, std::size_t block, std::uint32_t state,
               std::size_t row) const {
    const std::size_t board = size_ - 1 - row;
    if (stage.touched(change, at(state, block)[board], codes(state, block)[board])) return true;
    return !passed_.empty() &&
           stage.touched(change, passed_[state][block * size_ + row], passed_codes(state, block)[row]);
  }

  const RowGame& game_;
  const RowTier& tier_;
  const SweepTask& task_;
  BoardBytes& bytes_;
  StateBytes& passed_;
  std::uint32_t states_;
  std::size_t size_;
  std::size_t words_;                // of rows of a block
  std::vector<std::uint8_t> dirty_;  // by block
  // By number: when changes are followed back; and between two exchanges, of blocks that others read and where few have changed.
  std::vector<std::vector<Change>> changes_;
  std::vector<std::uint64_t> asked_;  // when changes are followed back: rows, by block
  std::vector<Bytes> fresh_;
  std::vector<std::uint32_t> to_share_;  // blocks that others read and that have changed since the last exchange
  std::uint64_t changed_ = 0;            // bytes, since then
  std::uint64_t changed_all_ = 0;        // before it, of all ranks
  bool stopped_ = false;
  ObjectPool<RowStage> stages_;
  RowCosts costs_;
};

}  // namespace

absl::StatusOr<RowCosts> sweep(const RowGame& game, const RowTier& tier, const SweepTask& task) {
  ASSIGN_OR_RETURN(RowCosts out, Sweep(game, tier, task).run());
  out.most_bytes = tier.bytes();
  return out;
}

}  // namespace plenum
