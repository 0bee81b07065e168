// SPDX-License-Identifier: Apache-2.0
#include "solver/endings/slice_solver.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include <absl/strings/str_cat.h>

#include "solver/support/parallel.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

using std::memory_order_relaxed;

// Takes bits out of a word that others change too, or puts them in: those that were there, or were not.
CellSet take_out(std::uint64_t& word, CellSet bits) {
  const std::atomic_ref<std::uint64_t> shared(word);
  if ((shared.load(memory_order_relaxed) & bits) == 0) return 0;  // mostly, and a locked instruction is saved
  return shared.fetch_and(~bits, memory_order_relaxed) & bits;
}
CellSet put_in(std::uint64_t& word, CellSet bits) {
  const std::atomic_ref<std::uint64_t> shared(word);
  if ((~shared.load(memory_order_relaxed) & bits) == 0) return 0;
  return ~shared.fetch_or(bits, memory_order_relaxed) & bits;
}

// Which of eight bytes are that one: a bit each.
std::uint64_t equal_bytes(const std::uint8_t* bytes, unsigned byte) {
  constexpr std::uint64_t kLow = 0x7f7f7f7f7f7f7f7f;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, 8);
  word ^= 0x0101010101010101 * byte;
  const std::uint64_t zero = ~(((word & kLow) + kLow) | word | kLow);  // the high bit of each byte that is 0
  return (zero >> 7) * 0x0102040810204080 >> 56;
}

}  // namespace

void MarkedRows::mark(std::size_t row) { put_in(words_[row / 64], std::uint64_t{1} << row % 64); }

std::vector<std::size_t> MarkedRows::take() {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    for (std::uint64_t rest = std::exchange(words_[i], 0); rest != 0; rest &= rest - 1)
      out.push_back(64 * i + static_cast<std::size_t>(std::countr_zero(rest)));
  }
  return out;
}

SliceSolver::SliceSolver(const SliceRows& rows, ObjectPool<OutwardMoves>& outward, Stop* stop)
    : rows_(rows), outward_(outward), stop_(stop) {
  for (Words* const words : {&legal_, &lost_, &may_lose_, &won_later_, &stuck_, &ends_.lacking, &ends_.may_join,
                             &forces_.lacking, &forces_.may_join, &reaches_})
    words->assign(rows.size(), 0);
  plies_.assign(rows.size() * rows.cells() + 64, 0);  // read in words of eight
}

template <typename Body>
void SliceSolver::for_all_rows(const Body& body) const {
  for_ranges(0, rows_.size(), stop_, [&](auto, std::size_t from, std::size_t to) {
    Row row;
    for (std::size_t number = from; number < to; ++number) {
      rows_.read(number, row);
      body(row);
    }
  });
}

template <typename Body>
void SliceSolver::for_rows(const std::vector<std::size_t>& numbers, const Body& body) const {
  for_ranges(0, numbers.size(), stop_, [&](auto, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) body(numbers[i]);
  });
}

absl::Status SliceSolver::solve() {
  find_legal();
  if (stop_->stopped()) return absl::OkStatus();
  open_ = legal_;
  RETURN_IF_ERROR(look_outward());
  if (!stop_->stopped()) find_values();
  if (!stop_->stopped()) find_facts();
  if (!too_long_ || stop_->stopped()) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat("a win takes more than ", kMostEndingPlies, " plies in ",
                                               to_text(rows_.men().set(), rows_.men().index().material())));
}

void SliceSolver::find_legal() {
  for_ranges(0, rows_.half(), stop_, [&](auto, std::size_t from, std::size_t to) {
    Row row;
    for (std::size_t number = from; number < to; ++number) {
      rows_.read(number, row);
      const CellSet lawful = rows_.lawful(row);
      if (lawful == 0) continue;
      legal_[number] = lawful & ~rows_.in_check(row, 1);
      legal_[rows_.turned(row)] = lawful & ~rows_.in_check(row, 0);
    }
  });
}

CellSet SliceSolver::leads_to(const Row& row, const Words& set, CellSet asked) const {
  CellSet out = 0;
  rows_.each_move<PieceWays::Direction::forward>(row, [&](std::size_t to, CellSet open, std::size_t symmetry) {
    out |= open & rows_.men().carry_back(set[to], symmetry);
  });
  if ((asked & ~out) != 0 && rows_.loose_moves(row, true)) out |= rows_.loose_sources(row, set[rows_.turned(row)]);
  return out & asked;
}

template <typename Visit>
void SliceSolver::each_before(std::size_t number, CellSet positions, const Visit& visit) const {
  if (positions == 0) return;
  Row row;
  rows_.read(number, row);
  rows_.each_move<PieceWays::Direction::back>(row, [&](std::size_t from, CellSet open, std::size_t symmetry) {
    const CellSet there = positions & open;
    if (there != 0) visit(from, rows_.men().carry(there, symmetry));
  });
  if (!rows_.loose_moves(row, false)) return;
  const CellSet there = rows_.loose_sources(row, positions);
  if (there != 0) visit(rows_.turned(row), there);
}

std::uint64_t SliceSolver::moves_inside(const Row& row) const {
  const CellSet legal = legal_[row.number];
  std::uint64_t out = 0;
  rows_.each_move<PieceWays::Direction::forward>(row, [&](std::size_t to, CellSet open, std::size_t symmetry) {
    out += static_cast<std::uint64_t>(std::popcount(legal & open & rows_.men().carry_back(legal_[to], symmetry)));
  });
  if (rows_.loose_moves(row, true)) out += rows_.loose_count(row, legal, legal_[rows_.turned(row)]);
  return out;
}

CellSet SliceSolver::at_ply(std::size_t number, CellSet of, unsigned ply) const {
  const std::uint8_t* const bytes = plies_.data() + number * rows_.cells();
  CellSet out = 0;
  for (std::size_t at = 0; of >> at != 0; at += 8) {
    if ((of >> at & 255) != 0) out |= equal_bytes(bytes + at, ply) << at;
    if (at == 56) break;
  }
  return out & of;
}

void SliceSolver::enter_plies(std::size_t number, CellSet of, unsigned ply) {
  std::uint8_t* const bytes = plies_.data() + number * rows_.cells();
  for (; of != 0; of &= of - 1) bytes[std::countr_zero(of)] = static_cast<std::uint8_t>(ply);
}

// That a row has news at that ply.
void SliceSolver::note(std::size_t number, unsigned ply) {
  if (ply > kMostEndingPlies) {
    too_long_ = true;
    return;
  }
  std::call_once(made_[ply], [&] { due_[ply] = std::make_unique<MarkedRows>(rows_.size()); });
  due_[ply]->mark(number);
}

absl::Status SliceSolver::look_outward() {
  absl::Status status;
  std::size_t first_wrong = rows_.size();  // so that which error it is does not depend on threads
  for_ranges(0, rows_.size(), stop_, [&](auto, std::size_t from, std::size_t to) {
    const auto outward = outward_.borrow();
    Row row;
    std::uint64_t moves = 0;
    for (std::size_t number = from; number < to; ++number) {
      if (legal_[number] == 0) continue;
      rows_.read(number, row);
      OutwardRow out;
      if (const absl::Status one = outward->look(rows_, row, legal_[number], out); !one.ok()) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (number < first_wrong) status = one;
        first_wrong = std::min(first_wrong, number);
        return;
      }
      enter_outward(row, out);
      moves += out.moves + moves_inside(row);
    }
    moves_ += moves;
  });
  return status;
}

void SliceSolver::enter_outward(const Row& row, const OutwardRow& out) {
  const std::size_t number = row.number;
  const CellSet legal = legal_[number];
  const CellSet inside = leads_to(row, legal_, legal);
  const CellSet stuck = legal & ~inside & ~out.any;
  // In check is who may not be left so by the other player.
  const CellSet mated = rows_.men().set().stalemate_loses ? stuck : stuck & ~legal_[rows_.turned(row)];
  const CellSet level_end = stuck & ~mated;
  const CellSet lost = out.lost & ~inside;
  stuck_[number] = stuck;
  won_later_[number] = out.won;
  lost_[number] = mated | lost;
  may_lose_[number] = legal & ~(out.won | out.level | level_end | lost_[number]);
  ends_.lacking[number] = legal & ~(out.ends | level_end);
  ends_.may_join[number] = legal & ~(out.other_cannot_end | stuck);
  forces_.lacking[number] = legal & ~(out.forces_end | stuck);
  forces_.may_join[number] = legal & ~(out.other_cannot_force | stuck);
  reaches_[number] = level_end | out.end_reachable;
  if (mated != 0) note(number, 0);
  for (const bool won : {true, false}) {
    for (CellSet rest = won ? out.won : out.lost; rest != 0; rest &= rest - 1) {
      const auto cell = static_cast<std::size_t>(std::countr_zero(rest));
      const unsigned plies = won ? out.won_plies[cell] : out.lost_plies[cell];
      if (plies > kMostEndingPlies) too_long_ = true;
      enter_plies(number, rest & -rest, plies);
      if (won || (lost & rest & -rest) != 0) note(number, plies);
    }
  }
}

void SliceSolver::find_values() {
  MarkedRows asked(rows_.size());
  for (unsigned ply = 0; ply <= kMostEndingPlies; ++ply) {
    if (due_[ply] == nullptr) continue;
    if (stop_->ask()) return;
    const std::vector<News> all = news(ply);
    due_[ply].reset();
    for_ranges(0, all.size(), stop_, [&](auto, std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        if (ply % 2 == 0) {
          win_before(all[i], ply);
        } else {
          each_before(all[i].row, all[i].positions, [&](std::size_t before, CellSet positions) {
            if ((may_lose_[before] & positions) != 0) asked.mark(before);
          });
        }
      }
    });
    if (ply % 2 != 0) for_rows(asked.take(), [&](std::size_t number) { lose(number, ply); });
  }
}

// What is won or lost in that many plies, by rows. Enters what is won by moves outward.
std::vector<SliceSolver::News> SliceSolver::news(unsigned ply) {
  const std::vector<std::size_t> numbers = due_[ply]->take();
  std::vector<News> out(numbers.size());
  for_ranges(0, numbers.size(), stop_, [&](auto, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const std::size_t number = numbers[i];
      if (ply % 2 != 0) open_[number] &= ~at_ply(number, won_later_[number] & open_[number], ply);
      const CellSet among = ply % 2 != 0 ? legal_[number] & ~open_[number] : lost_[number];
      out[i] = {number, at_ply(number, among, ply)};
    }
  });
  return out;
}

void SliceSolver::win_before(const News& lost, unsigned ply) {
  each_before(lost.row, lost.positions, [&](std::size_t before, CellSet positions) {
    const CellSet won = take_out(open_[before], positions);
    if (won == 0) return;
    enter_plies(before, won, ply + 1);
    note(before, ply + 1);
  });
}

// Looks again at a row that leads to positions won in that many plies.
void SliceSolver::lose(std::size_t number, unsigned ply) {
  const CellSet asked = may_lose_[number] & open_[number];
  may_lose_[number] = asked;
  if (asked == 0) return;
  Row row;
  rows_.read(number, row);
  const CellSet lost = asked & ~leads_to(row, open_, asked);
  may_lose_[number] &= ~lost;
  lost_[number] |= lost;
  for (CellSet rest = lost; rest != 0; rest &= rest - 1) {
    const auto cell = static_cast<std::size_t>(std::countr_zero(rest));
    const unsigned outward = plies_[number * rows_.cells() + cell];
    const unsigned plies = std::max(ply + 1, outward);
    enter_plies(number, rest & -rest, plies);
    note(number, plies);
  }
}

void SliceSolver::find_facts() {
  ends_.other = std::move(may_lose_);
  forces_.other = std::move(won_later_);
  for_ranges(0, rows_.size(), stop_, [&](auto, std::size_t from, std::size_t to) {
    for (std::size_t number = from; number < to; ++number) {
      const CellSet level = open_[number] & ~lost_[number];
      ends_.lacking[number] &= open_[number];
      forces_.lacking[number] &= open_[number];
      ends_.other[number] = forces_.other[number] = lost_[number] | stuck_[number];
      ends_.may_join[number] &= level;
      forces_.may_join[number] &= ~lost_[number];
      reaches_[number] &= level;
    }
  });
  attract(ends_);
  attract(forces_);
  spread_end();
}

// To begin with, whoever wins can force it, and so is known of positions before those that are lost.
void SliceSolver::attract(Attractor& to) {
  Words joined(rows_.size());   // the other player can, since a moment ago
  Words changed(rows_.size());  // the mover can
  MarkedRows in_joined(rows_.size());
  MarkedRows in_changed(rows_.size());
  MarkedRows asked(rows_.size());
  for (std::size_t number = 0; number < rows_.size(); ++number) {
    joined[number] = stuck_[number] & ~lost_[number];
    if (joined[number] != 0) in_joined.mark(number);
    if (to.may_join[number] != 0) asked.mark(number);
  }
  while (!stop_->ask()) {
    for_rows(in_joined.take(), [&](std::size_t number) {
      each_before(number, std::exchange(joined[number], 0), [&](std::size_t before, CellSet positions) {
        const CellSet can = take_out(to.lacking[before], positions);
        if (can == 0) return;
        put_in(changed[before], can);
        in_changed.mark(before);
      });
    });
    for_rows(in_changed.take(), [&](std::size_t number) {
      each_before(number, std::exchange(changed[number], 0), [&](std::size_t before, CellSet positions) {
        if ((to.may_join[before] & positions) != 0) asked.mark(before);
      });
    });
    const std::vector<std::size_t> numbers = asked.take();
    if (numbers.empty()) return;
    join(to, numbers, joined, in_joined);
  }
}

void SliceSolver::join(Attractor& to, const std::vector<std::size_t>& numbers, Words& joined, MarkedRows& in) const {
  for_rows(numbers, [&](std::size_t number) {
    Row row;
    rows_.read(number, row);
    const CellSet asked = to.may_join[number];
    const CellSet can = asked & ~leads_to(row, to.lacking, asked);
    if (can == 0) return;
    to.may_join[number] &= ~can;
    to.other[number] |= can;
    joined[number] = can;
    in.mark(number);
  });
}

// Back from ends at 0, by moves that keep the value.
void SliceSolver::spread_end() {
  Words fresh = reaches_;
  MarkedRows in_fresh(rows_.size());
  for (std::size_t number = 0; number < rows_.size(); ++number) {
    if (fresh[number] != 0) in_fresh.mark(number);
  }
  for (std::vector<std::size_t> numbers = in_fresh.take(); !numbers.empty() && !stop_->ask();
       numbers = in_fresh.take()) {
    for_rows(numbers, [&](std::size_t number) {
      const CellSet news = std::atomic_ref<std::uint64_t>(fresh[number]).exchange(0, memory_order_relaxed);
      each_before(number, news, [&](std::size_t before, CellSet positions) {
        const CellSet reach = put_in(reaches_[before], positions & open_[before] & ~lost_[before]);
        if (reach == 0) return;
        put_in(fresh[before], reach);
        in_fresh.mark(before);
      });
    });
  }
}

void SliceSolver::write(EndingLayers& layers) const {
  const EndingIndex& index = rows_.men().index();
  const std::uint64_t base = index.base(rows_.slice());
  for_ranges(0, index.one_sided() ? rows_.half() : rows_.size(), stop_, [&](auto, std::size_t from, std::size_t to) {
    Row row;
    for (std::size_t number = from; number < to; ++number) {
      rows_.read(number, row);
      const CellSet won = legal_[number] & ~open_[number];
      for (CellSet rest = legal_[number]; rest != 0; rest &= rest - 1) {
        const auto cell = static_cast<Cell>(std::countr_zero(rest));
        const auto bit = [&](CellSet set, Facts fact) { return (set >> cell & 1) != 0 ? fact : Facts{0}; };
        const int facts = bit(~ends_.lacking[number], kMoverEnds) | bit(ends_.other[number], kOtherEnds) |
                          bit(reaches_[number], kEndReachable) | bit(~forces_.lacking[number], kMoverForcesEnd) |
                          bit(forces_.other[number], kOtherForcesEnd);
        const MarginRank value = (won >> cell & 1) != 0 ? 1 : (lost_[number] >> cell & 1) != 0 ? -1 : 0;
        const std::uint8_t plies = value == 0 ? 0 : plies_[number * rows_.cells() + cell];
        const KnownEnding known = KnownEnding::of(value, static_cast<Facts>(facts), plies);
        row.cells[rows_.loose()] = cell;
        // Images write the same bytes.
        const std::uint64_t at = base + index.place(row.cells.data(), row.mover != 0).local;
        std::atomic_ref<std::uint8_t>(layers.codes[at]).store(known.code, memory_order_relaxed);
        std::atomic_ref<std::uint8_t>(layers.plies[at]).store(known.plies, memory_order_relaxed);
      }
    }
  });
}

}  // namespace plenum
