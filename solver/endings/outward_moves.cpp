// SPDX-License-Identifier: Apache-2.0
#include "solver/endings/outward_moves.h"

#include <algorithm>
#include <bit>

#include "variants/text/status_macros.h"

namespace plenum {
namespace {

Cell cell_of(CellSet one) { return static_cast<Cell>(std::countr_zero(one)); }

}  // namespace

absl::Status OutwardMoves::look(const SliceRows& rows, const SliceRows::Row& row, CellSet legal, OutwardRow& out) {
  rows_ = &rows;
  row_ = &row;
  legal_ = legal;
  out_ = &out;
  for (std::size_t man = 0; man < men_->count(); ++man) {
    if (man == rows.loose() || men_->owner(man) != row.mover) continue;
    if (men_->promotes(man)) RETURN_IF_ERROR(steps(man));
    RETURN_IF_ERROR(captures(man));
  }
  if (rows.loose_moves(row, true)) RETURN_IF_ERROR(captures_of_loose());
  out.level &= ~out.won;
  out.lost &= ~(out.won | out.level);
  return absl::OkStatus();
}

OutwardMoves::Target OutwardMoves::make_target(Men taken, std::size_t promoted, std::size_t to_kind) const {
  const auto kind = [&](std::size_t man) { return man == promoted ? to_kind : men_->kind(man); };
  Material material;
  for (auto& men : material.men) men.resize(men_->set().kinds.size());
  for (std::size_t man = 0; man < men_->count(); ++man) {
    if ((taken >> man & 1) == 0) ++material.men[men_->owner(man)][kind(man)];
  }
  const EndingTables::Found found = tables_->find(material);
  Target out{found.table, found.turned, {}};
  if (found.table == nullptr) return out;
  Men used = taken;
  for (const EndingIndex::OneMan& wanted : found.table->index.men()) {
    const std::size_t owner = found.turned ? 1 - wanted.owner : wanted.owner;
    std::size_t man = 0;
    while ((used >> man & 1) != 0 || men_->owner(man) != owner || kind(man) != wanted.kind) ++man;
    used |= Men{1} << man;
    out.from.push_back(static_cast<std::uint8_t>(man));
  }
  return out;
}

absl::StatusOr<const OutwardMoves::Target*> OutwardMoves::target(Men taken, std::size_t promoted, std::size_t to_kind) {
  const std::array<std::uint64_t, 2> key = {taken, promoted << 32 | to_kind};
  auto found = targets_.find(key);
  if (found == targets_.end()) found = targets_.emplace(key, make_target(taken, promoted, to_kind)).first;
  const EndingTables::Table* table = found->second.table;
  if (table == nullptr || table->layers.codes.empty())
    return absl::InternalError("the material after a move has not been solved");
  return &found->second;
}

KnownEnding OutwardMoves::known(const Target& target, const std::array<Cell, kMaxCells>& cells,
                                std::size_t mover) const {
  std::array<Cell, kMaxCells> men;
  const std::size_t last = rows_->cells() - 1;
  for (std::size_t i = 0; i < target.from.size(); ++i) {
    const Cell cell = cells[target.from[i]];
    men[i] = target.turned ? static_cast<Cell>(last - cell) : cell;
  }
  const EndingIndex& index = target.table->index;
  const EndingIndex::Place place = index.place(men.data(), (mover != 0) != target.turned);
  return target.table->layers.at(index.base(place.slice) + place.local);
}

void OutwardMoves::enter(KnownEnding after, CellSet where) {
  if (!after.has_value()) return;
  OutwardRow& out = *out_;
  out.any |= where;
  out.moves += static_cast<std::uint64_t>(std::popcount(where));
  const auto plies = static_cast<std::uint16_t>(after.plies + 1);
  const auto keep = [&](CellSet& set, std::array<std::uint16_t, kMaxCells>& best, bool fewest) {
    for (CellSet rest = where; rest != 0; rest &= rest - 1) {
      const Cell cell = cell_of(rest);
      const bool better = fewest ? plies < best[cell] : plies > best[cell];
      if ((set >> cell & 1) == 0 || better) best[cell] = plies;
    }
    set |= where;
  };
  if (after.value() < 0) keep(out.won, out.won_plies, true);
  if (after.value() == 0) out.level |= where;
  if (after.value() > 0) keep(out.lost, out.lost_plies, false);
  const Facts facts = after.facts();
  if ((facts & kOtherEnds) != 0) out.ends |= where;
  if ((facts & kOtherForcesEnd) != 0) out.forces_end |= where;
  if ((facts & kEndReachable) != 0) out.end_reachable |= where;
  if ((facts & kMoverEnds) == 0) out.other_cannot_end |= where;
  if ((facts & kMoverForcesEnd) == 0) out.other_cannot_force |= where;
}

absl::Status OutwardMoves::take(const Move& move, CellSet open) {
  open &= legal_;
  if (open == 0) return absl::OkStatus();
  const PieceKind& kind = men_->set().kinds[men_->kind(move.man)];
  if (kind.promotions.empty() || (men_->set().last_rank[row_->mover] & cell_bit(move.to)) == 0) {
    ASSIGN_OR_RETURN(const Target* const to, target(move.taken, men_->count(), 0));
    return take_into(*to, move, open);
  }
  for (const std::size_t promotion : kind.promotions) {
    ASSIGN_OR_RETURN(const Target* const to, target(move.taken, move.man, promotion));
    RETURN_IF_ERROR(take_into(*to, move, open));
  }
  return absl::OkStatus();
}

absl::Status OutwardMoves::take_into(const Target& target, const Move& move, CellSet open) {
  std::array<Cell, kMaxCells> cells;
  std::copy(row_->cells.begin(), row_->cells.begin() + static_cast<std::ptrdiff_t>(men_->count()), cells.begin());
  const std::size_t loose = rows_->loose();
  cells[move.man] = move.to;
  if (move.man == loose) {  // wherever he comes from
    enter(known(target, cells, 1 - row_->mover), open);
    return absl::OkStatus();
  }
  for (CellSet rest = open; rest != 0; rest &= rest - 1) {
    cells[loose] = cell_of(rest);
    enter(known(target, cells, 1 - row_->mover), rest & -rest);
  }
  return absl::OkStatus();
}

void OutwardMoves::find_victims(Cell cell, bool with_loose, std::size_t player) {
  victims_.clear();
  const PieceSet& set = men_->set();
  std::array<int, 2> there = rows_->company(*row_, cell, SliceRows::kNobody);
  if (with_loose) there = rows_->with_loose(there);
  const int theirs = there[1 - player];
  if (theirs == 0 || !exposed(set, theirs, there[player])) return;
  const bool all = set.capture == CrowdCapture::all;
  Men together = 0;
  for (std::size_t man = 0; man < men_->count(); ++man) {
    const bool here = man == rows_->loose() ? with_loose : row_->cells[man] == cell;
    if (!here || men_->owner(man) == player) continue;
    if (men_->kind(man) == set.royal) {  // it is never taken; where it could be the position is not legal
      if (all) return;
      continue;
    }
    together |= Men{1} << man;
    if (all) continue;
    const auto alike = [&](Men other) {
      return men_->kind(static_cast<std::size_t>(std::countr_zero(other))) == men_->kind(man);
    };
    if (std::none_of(victims_.begin(), victims_.end(), alike)) victims_.push_back(Men{1} << man);
  }
  if (all && together != 0) victims_.push_back(together);
}

absl::Status OutwardMoves::captures(std::size_t man) {
  struct Reached {
    Cell to;
    CellSet open;
  };
  std::array<Reached, 2 * kMaxCells> reached;
  std::size_t count = 0;
  const std::size_t loose = rows_->loose();
  const bool takes_loose = men_->owner(loose) != row_->mover;
  // Men whose ways to a cell are several would take there several times.
  men_->ways(man).each(PieceWays::Direction::forward, row_->cells[man], row_->occupied,
                       [&](Cell to, CellSet, CellSet open) {
                         open &= legal_;
                         if (open == 0 || ((row_->occupied >> to & 1) == 0 && !takes_loose)) return;
                         for (std::size_t i = 0; i < count; ++i) {
                           if (reached[i].to == to) {
                             reached[i].open |= open;
                             return;
                           }
                         }
                         reached[count++] = {to, open};
                       });
  const CellSet leaves = rows_->may_leave_from(*row_, man);
  for (std::size_t i = 0; i < count; ++i) {
    const auto [to, open] = reached[i];
    for (const bool with_loose : {false, true}) {
      const CellSet where = open & leaves & (with_loose ? cell_bit(to) : ~cell_bit(to));
      if (where == 0) continue;
      find_victims(to, with_loose, row_->mover);
      for (const Men taken : victims_) RETURN_IF_ERROR(take({man, to, taken}, where));
    }
  }
  return absl::OkStatus();
}

absl::Status OutwardMoves::captures_of_loose() {
  const std::size_t loose = rows_->loose();
  const CellSet may_leave = rows_->loose_may_leave(*row_) & legal_;
  for (CellSet rest = row_->occupied; rest != 0; rest &= rest - 1) {
    const Cell to = cell_of(rest);
    const CellSet from = men_->ways(loose).sources(cell_bit(to), true, row_->occupied) & may_leave;
    if (from == 0) continue;
    find_victims(to, false, row_->mover);
    for (const Men taken : victims_) RETURN_IF_ERROR(take({loose, to, taken}, from));
  }
  return absl::OkStatus();
}

absl::Status OutwardMoves::steps(std::size_t man) {
  absl::Status status;
  rows_->each_step<PieceWays::Direction::forward>(*row_, man, [&](Cell to, CellSet open) {
    if (!status.ok()) return;
    CellSet passed = 0;
    if (may_be_passed(man, to)) {
      passed = open & legal_ & ~cell_bit(to);
      status = step_by_rules(man, to, passed);
    }
    if (status.ok()) status = take({man, to, 0}, open & ~passed);
  });
  return status;
}

bool OutwardMoves::may_be_passed(std::size_t man, Cell to) const {
  const PieceSet& set = men_->set();
  const PieceTables& tables = set.tables[row_->mover][men_->kind(man)];
  const Cell from = row_->cells[man];
  if (set.passed_plane < 0 || tables.double_to[from] != to || (row_->occupied >> to & 1) != 0) return false;
  for (std::size_t other = 0; other < men_->count(); ++other) {
    if (other != rows_->loose() && men_->owner(other) != row_->mover && men_->promotes(other) &&
        (men_->ways(other).captures_from(row_->cells[other]) >> tables.passed_over[from] & 1) != 0)
      return true;
  }
  return false;
}

absl::Status OutwardMoves::step_by_rules(std::size_t man, Cell to, CellSet open) {
  const PieceSet& set = men_->set();
  for (CellSet rest = open; rest != 0; rest &= rest - 1) {
    Position position;
    position.mover = row_->mover == 0 ? Player::first : Player::second;
    for (std::size_t one = 0; one < men_->count(); ++one)
      set.add(position, men_->owner(one) == row_->mover, men_->kind(one),
              one == rows_->loose() ? cell_of(rest) : row_->cells[one]);
    Position next;
    PieceBoard(set, position)
        .after({row_->cells[man], to, static_cast<std::uint8_t>(men_->kind(man)), kNoKind, Manner::quiet}, next);
    if (PieceBoard(set, next).other_in_check()) continue;
    ASSIGN_OR_RETURN(const KnownEnding after, tables_->known(next));
    enter(after, rest & -rest);
  }
  return absl::OkStatus();
}

}  // namespace plenum
