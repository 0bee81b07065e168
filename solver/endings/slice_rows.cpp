// SPDX-License-Identifier: Apache-2.0
#include "solver/endings/slice_rows.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace plenum {

EndingMen::EndingMen(const PieceSet& set, const EndingIndex& index) : set_(&set), index_(&index) {
  const auto& men = index.men();
  distinct_.reserve(men.size());
  for (std::size_t i = 0; i < men.size(); ++i) {
    std::size_t same = 0;
    while (men[same].owner != men[i].owner || men[same].kind != men[i].kind) ++same;
    if (same == i) distinct_.emplace_back(set, men[i].owner, men[i].kind);
    ways_.push_back(same == i ? &distinct_.back() : ways_[same]);
  }
  const auto& symmetry = index.symmetry();
  const auto cells = static_cast<std::size_t>(set.width * set.height);
  const auto number_of = [&](const auto& image) {
    const auto is = [&](const EndingIndex::Permutation& one) {
      for (std::size_t c = 0; c < cells; ++c)
        if (one[c] != image(c)) return false;
      return true;
    };
    return static_cast<std::size_t>(std::find_if(symmetry.begin(), symmetry.end(), is) - symmetry.begin());
  };
  for (const EndingIndex::Permutation& by : symmetry) {
    for (const EndingIndex::Permutation& then : symmetry)
      both_.push_back(number_of([&](std::size_t c) { return then[by[c]]; }));
    const auto undone = std::find_if(symmetry.begin(), symmetry.end(), [&](const EndingIndex::Permutation& back) {
      for (std::size_t c = 0; c < cells; ++c)
        if (back[by[c]] != c) return false;
      return true;
    });
    inverse_.push_back(static_cast<std::size_t>(undone - symmetry.begin()));
    auto& words = carried_.emplace_back();
    for (std::size_t byte = 0; byte < 8; ++byte) {
      for (std::size_t bits = 0; bits < 256; ++bits) {
        words[byte][bits] = 0;
        for (std::size_t bit = 0; bit < 8 && 8 * byte + bit < cells; ++bit)
          if ((bits >> bit & 1) != 0) words[byte][bits] |= cell_bit(by[8 * byte + bit]);
      }
    }
  }
}

std::uint64_t EndingMen::carry(std::uint64_t word, std::size_t symmetry) const {
  if (symmetry == 0) return word;
  std::uint64_t out = 0;
  for (std::size_t byte = 0; word != 0; ++byte, word >>= 8) out |= carried_[symmetry][byte][word & 255];
  return out;
}

Entry entry(const PieceSet& set, int mine, int theirs) {
  const int all = mine + theirs;
  if (all == 0) return Entry::by_move;
  if (set.joins_by_safety) {
    if (theirs == 0) return Entry::no;
    return all >= 2 ? Entry::by_either : Entry::by_move_alone;
  }
  if (set.most_on_cell != 0 && all >= set.most_on_cell) return Entry::no;
  switch (set.company) {
    case Company::any:
      return Entry::by_move;
    case Company::same_owner:
      return theirs == 0 ? Entry::by_move : Entry::no;
    case Company::both_owners:
      return theirs > 0 ? Entry::by_move : Entry::no;
  }
  return Entry::no;
}

bool may_leave(const PieceSet& set, int mine, int theirs) {
  return set.company != Company::both_owners || mine != 1 || theirs < 2;
}

bool exposed(const PieceSet& set, int mine, int theirs) {
  if (mine + theirs == 1) return true;
  switch (set.capture) {
    case CrowdCapture::none:
      return false;
    case CrowdCapture::all:  // who is left is the capturer's
      return set.company != Company::both_owners;
    case CrowdCapture::one:
      return set.company == Company::any || (set.company == Company::both_owners && mine >= 2);
  }
  return false;
}

double rows_of(const PieceSet& set, const EndingIndex& index, std::uint32_t slice) {
  const double cells = set.width * set.height;
  double out = 2;
  if (index.others_begin() == index.men().size()) return out * cells;
  for (std::size_t man = index.others_begin() + 1; man < index.men().size(); ++man) out *= cells;
  return out * static_cast<double>(index.pairs(slice).least.size());
}

SliceRows::SliceRows(const EndingMen& men, std::uint32_t slice)
    : men_(&men),
      slice_(slice),
      cells_(static_cast<std::size_t>(men.set().width * men.set().height)),
      loose_(men.count() - 1),
      others_begin_(men.index().others_begin()),
      crowds_(men.set().crowds()) {
  const std::vector<Cell>& pawns = men.index().pawns(slice);
  std::copy(pawns.begin(), pawns.end(), begin_.begin() + 2);
  if (others_begin_ == men.count()) {
    loose_ = 1;
    blocks_ = cells_;
  } else {
    pairs_ = &men.index().pairs(slice);
    blocks_ = pairs_->least.size();
    for (std::size_t man = loose_; man-- > others_begin_;) {
      stride_[man] = static_cast<std::ptrdiff_t>(in_block_);
      in_block_ *= cells_;
    }
  }
  half_ = blocks_ * in_block_;
}

void SliceRows::read(std::size_t number, Row& out) const {
  out.number = number;
  out.mover = number >= half_ ? 1 : 0;
  const std::size_t at = number - (out.mover != 0 ? half_ : 0);
  out.block = at / in_block_;
  out.others = at % in_block_;
  if (pairs_ == nullptr) {
    out.cells[0] = static_cast<Cell>(out.block);
  } else {
    std::tie(out.cells[0], out.cells[1]) = pairs_->least[out.block];
  }
  for (std::size_t man = 2; man < others_begin_; ++man) out.cells[man] = begin_[man];
  std::size_t rest = out.others;
  for (std::size_t man = loose_; man-- > others_begin_;) {
    out.cells[man] = static_cast<Cell>(rest % cells_);
    rest /= cells_;
  }
  out.occupied = 0;
  for (std::size_t man = 0; man < men_->count(); ++man) {
    if (man != loose_) out.occupied |= cell_bit(out.cells[man]);
  }
}

std::size_t SliceRows::carried(const Row& row, std::size_t symmetry) const {
  const EndingIndex::Permutation& by = men_->index().symmetry()[symmetry];
  std::size_t out = 0;
  for (std::size_t man = others_begin_; man < loose_; ++man) out = out * cells_ + by[row.cells[man]];
  return out;
}

std::array<int, 2> SliceRows::company(const Row& row, Cell cell, std::size_t but) const {
  std::array<int, 2> out = {0, 0};
  if ((row.occupied >> cell & 1) == 0) return out;
  for (std::size_t man = 0; man < men_->count(); ++man) {
    if (man != loose_ && man != but && row.cells[man] == cell) ++out[men_->owner(man)];
  }
  return out;
}

CellSet SliceRows::entered(const Row& row, std::size_t man, Cell cell, CellSet moves, CellSet captures) const {
  const PieceSet& set = men_->set();
  const std::size_t owner = men_->owner(man);
  const auto ways = [&](const std::array<int, 2>& there) -> CellSet {
    switch (entry(set, there[owner], there[1 - owner])) {
      case Entry::no:
        return 0;
      case Entry::by_move:
        return moves;
      case Entry::by_either:
        return moves | captures;
      case Entry::by_move_alone:
        return moves & ~captures;
    }
    return 0;
  };
  const std::array<int, 2> fixed = company(row, cell, man);
  return (ways(fixed) & ~cell_bit(cell)) | (ways(with_loose(fixed)) & cell_bit(cell));
}

CellSet SliceRows::left(const Row& row, std::size_t man, Cell cell) const {
  const PieceSet& set = men_->set();
  if (set.company != Company::both_owners) return ~CellSet{0};
  const std::size_t owner = men_->owner(man);
  const std::array<int, 2> fixed = company(row, cell, man);
  const std::array<int, 2> more = with_loose(fixed);
  return there_or_not(cell, may_leave(set, more[owner] + 1, more[1 - owner]),
                      may_leave(set, fixed[owner] + 1, fixed[1 - owner]));
}

CellSet SliceRows::loose_may_leave(const Row& row) const {
  const PieceSet& set = men_->set();
  CellSet out = ~CellSet{0};
  if (set.company != Company::both_owners) return out;
  const std::size_t owner = men_->owner(loose_);
  for (CellSet rest = row.occupied; rest != 0; rest &= rest - 1) {
    const std::array<int, 2> there = company(row, static_cast<Cell>(std::countr_zero(rest)), kNobody);
    if (!may_leave(set, there[owner] + 1, there[1 - owner])) out &= ~(rest & -rest);
  }
  return out;
}

// Of these cells, where he comes by his power to move; the other power is not told from it.
CellSet SliceRows::loose_may_enter(const Row& row, CellSet targets) const {
  if (!crowds_) return targets;
  const std::size_t owner = men_->owner(loose_);
  for (CellSet rest = targets & row.occupied; rest != 0; rest &= rest - 1) {
    const std::array<int, 2> there = company(row, static_cast<Cell>(std::countr_zero(rest)), kNobody);
    const Entry how = entry(men_->set(), there[owner], there[1 - owner]);
    if (how == Entry::no || how == Entry::by_move_alone) targets &= ~(rest & -rest);
  }
  return targets;
}

CellSet SliceRows::loose_sources(const Row& row, CellSet targets) const {
  if (men_->by_two_powers(loose_)) return loose_sources_by_two_powers(row, targets);
  return men_->ways(loose_).sources(loose_may_enter(row, targets), false, row.occupied) & loose_may_leave(row);
}

std::uint64_t SliceRows::loose_count(const Row& row, CellSet from, CellSet targets) const {
  if (!men_->by_two_powers(loose_))
    return men_->ways(loose_).count(from & loose_may_leave(row), loose_may_enter(row, targets), row.occupied);
  std::uint64_t out = 0;
  for (; targets != 0; targets &= targets - 1)
    out += static_cast<std::uint64_t>(std::popcount(from & loose_sources(row, targets & -targets)));
  return out;
}

// By safety alone, where everybody may leave.
CellSet SliceRows::loose_sources_by_two_powers(const Row& row, CellSet targets) const {
  const PieceWays& ways = men_->ways(loose_);
  const std::size_t owner = men_->owner(loose_);
  CellSet out = ways.sources(targets & ~row.occupied, false, row.occupied);
  for (CellSet rest = targets & row.occupied; rest != 0; rest &= rest - 1) {
    const CellSet one = rest & -rest;
    const std::array<int, 2> there = company(row, static_cast<Cell>(std::countr_zero(one)), kNobody);
    const Entry how = entry(men_->set(), there[owner], there[1 - owner]);
    if (how == Entry::no) continue;
    const CellSet by_move = ways.sources(one, false, row.occupied);
    const CellSet by_capture = ways.sources(one, true, row.occupied);
    out |= how == Entry::by_either ? by_move | by_capture : by_move & ~by_capture;
  }
  return out;
}

CellSet SliceRows::lawful(const Row& row) const {
  const PieceSet& set = men_->set();
  CellSet out = board();
  for (CellSet rest = row.occupied; rest != 0; rest &= rest - 1) {
    const auto cell = static_cast<Cell>(std::countr_zero(rest));
    const std::array<int, 2> there = company(row, cell, kNobody);
    const std::array<int, 2> more = with_loose(there);
    out &= there_or_not(cell, set.lawful(more[0], more[1]), set.lawful(there[0], there[1]));
  }
  return out;
}

// Where the loose man has to stand for a fixed one to attack that cell.
CellSet SliceRows::attacked_by(const Row& row, std::size_t man, Cell king) const {
  const Cell at = row.cells[man];
  const PieceWays& ways = men_->ways(man);
  if ((ways.captures_from(at) >> king & 1) == 0) return 0;
  CellSet out = 0;
  ways.each(PieceWays::Direction::forward, at, row.occupied, [&](Cell to, CellSet, CellSet captures) {
    if (to == king) out |= captures;
  });
  return out & left(row, man, at);
}

CellSet SliceRows::in_check(const Row& row, std::size_t player) const {
  const PieceSet& set = men_->set();
  const std::size_t by = 1 - player;
  CellSet out = 0;
  if (loose_ == player) {  // its king is everywhere
    for (std::size_t man = 0; man < men_->count(); ++man) {
      if (man == loose_ || men_->owner(man) != by) continue;
      CellSet reached = 0;
      men_->ways(man).each(PieceWays::Direction::forward, row.cells[man], row.occupied,
                           [&](Cell to, CellSet, CellSet captures) { reached |= captures & cell_bit(to); });
      const std::array<int, 2> there = company(row, row.cells[man], kNobody);
      if (may_leave(set, there[by], there[player])) out |= reached;
    }
    for (CellSet rest = out & row.occupied; rest != 0; rest &= rest - 1) {
      const std::array<int, 2> there = company(row, static_cast<Cell>(std::countr_zero(rest)), kNobody);
      if (!exposed(set, there[player] + 1, there[by])) out &= ~(rest & -rest);
    }
    return out;
  }
  const Cell king = row.cells[player];
  for (std::size_t man = 0; man < men_->count(); ++man) {
    if (man != loose_ && men_->owner(man) == by) out |= attacked_by(row, man, king);
  }
  if (men_->owner(loose_) == by)
    out |= men_->ways(loose_).sources(cell_bit(king), true, row.occupied) & loose_may_leave(row);
  const std::array<int, 2> there = company(row, king, kNobody);
  const std::array<int, 2> more = with_loose(there);
  return out & there_or_not(king, exposed(set, more[player], more[by]), exposed(set, there[player], there[by]));
}

}  // namespace plenum
