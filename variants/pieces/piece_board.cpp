// SPDX-License-Identifier: Apache-2.0
#include "variants/pieces/piece_board.h"

#include <algorithm>
#include <bit>

namespace plenum {
namespace {

Cell first_cell(CellSet set) { return static_cast<Cell>(std::countr_zero(set)); }

}  // namespace

PieceBoard::PieceBoard(const PieceSet& set, const Position& position) : set_(&set), position_(&position) {
  const std::size_t kinds = set.kinds.size();
  for (std::size_t k = 0; k < kinds; ++k) {
    const CellSet own = men(true, k);
    const CellSet their = men(false, k);
    mine_twice_ |= mine_ & own;
    theirs_twice_ |= theirs_ & their;
    mine_ |= own;
    theirs_ |= their;
  }
  const auto own_planes = static_cast<std::size_t>(set.own_planes());
  for (std::size_t k = kinds; k < own_planes; ++k) {
    mine_twice_ |= position.planes[k];
    theirs_twice_ |= position.planes[k + own_planes];
  }
  crowds_ = mine_twice_ | theirs_twice_ | (mine_ & theirs_);
  occupied_ = mine_ | theirs_;
  const CellSet king = men(true, set.royal);
  if (king != 0) {
    king_ = first_cell(king);
    king_alone_ = (king & crowds_) == 0;
    checked_ = (king & ~(crowds_ & ~takeable(true))) != 0 && attacked(king_, true, {occupied_});
  }
}

CellSet PieceBoard::held(bool movers) const {
  if (set_->company != Company::both_owners) return 0;
  return movers ? mine_ & ~mine_twice_ & theirs_twice_ : theirs_ & ~theirs_twice_ & mine_twice_;
}

CellSet PieceBoard::takeable(bool movers) const {
  const CellSet there = crowds_ & (movers ? mine_ : theirs_);
  switch (set_->capture) {
    case CrowdCapture::none:
      return 0;
    case CrowdCapture::all:  // who is left is the capturer's
      return set_->company == Company::both_owners ? 0 : there;
    case CrowdCapture::one:
      if (set_->company == Company::any) return there;
      return set_->company == Company::same_owner ? 0 : there & (movers ? mine_twice_ : theirs_twice_);
  }
  return 0;
}

CellSet PieceBoard::joinable() const {
  CellSet out = set_->company == Company::any          ? occupied_
                : set_->company == Company::same_owner ? mine_ & ~theirs_
                                                       : theirs_;
  if (set_->most_on_cell == 0) return out;
  if (set_->most_on_cell == 1) return 0;
  if (set_->most_on_cell == 2) return out & ~crowds_;
  for (CellSet rest = out & crowds_; rest != 0; rest &= rest - 1) {
    if (set_->count(*position_, first_cell(rest)) >= set_->most_on_cell) out &= ~(rest & -rest);
  }
  return out;
}

std::vector<std::size_t> PieceBoard::choices(Cell crowd) const {
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < set_->kinds.size(); ++k) {
    if (k != set_->royal && (men(false, k) & cell_bit(crowd)) != 0) out.push_back(k);
  }
  return out;
}

bool PieceBoard::attacked(Cell cell, bool by_other, const Change& change) const {
  const AttackTables& by = set_->attacks[owner(!by_other)];
  const CellSet alive = change.alive & ~held(!by_other);
  for (std::size_t k = 0; k < by.leapers.size(); ++k) {
    if ((by.leapers[k][cell] & men(!by_other, k) & alive) != 0) return true;
  }
  for (const AttackTables::Riders& riders : by.riders) {
    CellSet who = 0;
    for (const std::size_t k : riders.kinds) who |= men(!by_other, k);
    who &= alive & riders.origins & riders.ray.stops[cell];
    if (who == 0) continue;
    const CellSet seen =
        riders.over_hurdle ? riders.ray.beyond(cell, change.occupied) : riders.ray.reach(cell, change.occupied);
    if ((seen & who) != 0) return true;
  }
  for (const AttackTables::Stepper& one : by.steppers) {
    if ((one.step.to[cell] & men(!by_other, one.kind) & alive) == 0) continue;
    const CellSet between = one.step.between[cell] & change.occupied;
    if (one.step.needs_empty ? between == 0 : between != 0) return true;
  }
  return false;
}

bool PieceBoard::attacked_king(bool movers) const {
  if (movers) return checked_;
  const CellSet king = men(false, set_->royal);
  return (king & ~(crowds_ & ~takeable(false))) != 0 && attacked(first_cell(king), false, {occupied_});
}

PieceTables::Reach PieceBoard::reach(std::size_t kind, Cell from) const {
  const PieceTables& t = set_->tables[owner(true)][kind];
  PieceTables::Reach out{t.move_leaps[from], t.capture_leaps[from]};
  for (const Ride& ride : t.rides) {
    const Ray& ray = set_->rays[ride.ray];
    const CellSet stops = ride.over_hurdle ? ray.beyond(from, occupied_) : ray.reach(from, occupied_);
    if (ride.moves) out.moves |= stops;
    if (ride.captures) out.captures |= stops;
  }
  for (const ConditionalStep& step : t.steps) {
    const CellSet between = step.between[from] & occupied_;
    if (step.needs_empty ? between != 0 : between == 0) continue;
    if (step.moves) out.moves |= step.to[from];
    if (step.captures) out.captures |= step.to[from];
  }
  return out;
}

bool PieceBoard::legal(const PieceMove& move) const {
  if (king_ == kNoCell) return true;
  const AttackTables& by = set_->attacks[owner(false)];
  const bool royal = move.kind == set_->royal;
  const CellSet from = cell_bit(move.from);
  const CellSet to = cell_bit(move.to);
  const bool by_law = set_->crowds() && !set_->joins_by_safety;
  if (!checked_ && !royal && move.manner != Manner::en_passant && move.from != king_) {
    const CellSet lines = by.lines[king_];
    const bool frees = by_law && (move.to == king_ || (held(false) & from) != 0);
    if ((lines & from) == 0 && (!by.hurdles || (lines & to) == 0) && !frees) return true;
  }
  if (by_law) return legal_by_law(move);
  if (royal && move.manner == Manner::join) return true;  // among others
  Change after{occupied_};
  if ((crowds_ & from) == 0) after.occupied &= ~from;
  after.occupied |= to;
  if (move.manner == Manner::capture) after.alive = ~to;
  if (move.manner == Manner::en_passant) {
    after.alive = ~cell_bit(passed_pawn());
    after.occupied &= after.alive;
  }
  Cell king = king_;
  if (royal) {
    king = move.to;
  } else if (move.from == king_) {
    if (set_->count(*position_, king_) > 2) return true;
  } else if (!king_alone_ || move.to == king_) {
    return true;
  }
  return !attacked(king, true, after);
}

void PieceBoard::moves(std::vector<PieceMove>& out) const {
  out.clear();
  const bool safety = set_->joins_by_safety;
  const CellSet lone = theirs_ & ~crowds_;
  const CellSet by_either = safety ? theirs_ & crowds_ : 0;
  const CellSet by_move = safety ? 0 : joinable();
  const CellSet takeable_crowds = takeable(false);
  const CellSet their_king = men(false, set_->royal);
  const CellSet held_here = held(true);
  const CellSet last_rank = set_->last_rank[owner(true)];
  for (std::size_t k = 0; k < set_->kinds.size(); ++k) {
    const std::vector<std::size_t>& promotions = set_->kinds[k].promotions;
    for (CellSet rest = men(true, k) & ~held_here; rest != 0; rest &= rest - 1) {
      const Cell from = first_cell(rest);
      const PieceTables::Reach at = reach(k, from);
      const auto add = [&](CellSet cells, Manner manner, std::uint8_t taken = kNoKind) {
        for (; cells != 0; cells &= cells - 1) {
          PieceMove move{from, first_cell(cells), static_cast<std::uint8_t>(k), kNoKind, manner, taken};
          if (!legal(move)) continue;
          if (promotions.empty() || (last_rank & cells & -cells) == 0) {
            out.push_back(move);
            continue;
          }
          for (const std::size_t to : promotions) {
            move.promotion = static_cast<std::uint8_t>(to);
            out.push_back(move);
          }
        }
      };
      add(at.moves & ~occupied_, Manner::quiet);
      add(at.captures & lone & ~their_king, Manner::capture);
      add(safety ? ((at.moves | at.captures) & by_either) | (at.moves & ~at.captures & lone) : at.moves & by_move,
          Manner::join);
      const CellSet crowds = at.captures & takeable_crowds;
      if (crowds == 0) continue;
      if (set_->capture == CrowdCapture::all) {
        add(crowds, Manner::capture);
        continue;
      }
      for (CellSet one = crowds; one != 0; one &= one - 1) {
        const std::vector<std::size_t> kinds = choices(first_cell(one));
        for (const std::size_t taken : kinds)
          add(one & -one, Manner::capture, kinds.size() == 1 ? kNoKind : static_cast<std::uint8_t>(taken));
      }
    }
  }
  if (set_->passed_plane >= 0 && position_->planes[static_cast<std::size_t>(set_->passed_plane)] != 0)
    add_en_passant(out);
  if (set_->castling_slot >= 0 && position_->state[static_cast<std::size_t>(set_->castling_slot)] != 0)
    add_castling(out);
}

bool PieceBoard::has_move() const {
  thread_local std::vector<PieceMove> list;
  moves(list);
  return !list.empty();
}

Cell PieceBoard::passed_pawn() const {
  const Cell passed = first_cell(position_->planes[static_cast<std::size_t>(set_->passed_plane)]);
  for (std::size_t k = 0; k < set_->kinds.size(); ++k) {
    const PieceTables& t = set_->tables[owner(false)][k];
    for (CellSet rest = set_->home_rank[owner(false)]; rest != 0; rest &= rest - 1) {
      const Cell home = first_cell(rest);
      if (t.passed_over[home] == passed && t.double_to[home] != kNoCell &&
          (men(false, k) & cell_bit(t.double_to[home])) != 0)
        return t.double_to[home];
    }
  }
  return passed;
}

void PieceBoard::add_en_passant(std::vector<PieceMove>& out) const {
  const CellSet passed = position_->planes[static_cast<std::size_t>(set_->passed_plane)];
  for (std::size_t k = 0; k < set_->kinds.size(); ++k) {
    if (set_->kinds[k].promotions.empty()) continue;
    for (CellSet rest = men(true, k) & ~held(true); rest != 0; rest &= rest - 1) {
      const Cell from = first_cell(rest);
      if ((reach(k, from).captures & passed) == 0) continue;
      const PieceMove move{from, first_cell(passed), static_cast<std::uint8_t>(k), kNoKind, Manner::en_passant};
      if (legal(move)) out.push_back(move);
    }
  }
}

// The king on its way: alone on `to`, while these cells are left and those filled.
bool PieceBoard::may_pass(Cell king, Cell to, CellSet left_behind, CellSet filled) const {
  return !attacked(to, true, {(occupied_ & ~cell_bit(king) & ~left_behind) | filled | cell_bit(to)});
}

void PieceBoard::add_castling(std::vector<PieceMove>& out) const {
  if (king_ == kNoCell || !king_alone_ || checked_) return;
  const int rights = position_->state[static_cast<std::size_t>(set_->castling_slot)];
  for (std::size_t side = 0; side < 2; ++side) {
    if ((rights >> side & 1) == 0) continue;
    const Cell corner = set_->corners[owner(true)][side];
    const CellSet corner_bit = cell_bit(corner);
    const bool partner = set_->castling_partner(*position_, true, corner) < set_->kinds.size();
    if (!partner || (crowds_ & corner_bit) != 0) continue;
    const int step = side == 0 ? 1 : -1;
    CellSet between = 0;
    for (int c = king_ + step; c != corner; c += step) between |= cell_bit(static_cast<Cell>(c));
    const auto over = static_cast<Cell>(king_ + step);
    const auto to = static_cast<Cell>(king_ + 2 * step);
    if ((between & occupied_) != 0 || (between & cell_bit(to)) == 0) continue;
    if (!may_pass(king_, over, 0, 0) || !may_pass(king_, to, corner_bit, cell_bit(over))) continue;
    out.push_back({king_, to, static_cast<std::uint8_t>(set_->royal), kNoKind, Manner::castle});
  }
}

void PieceBoard::take(const PieceMove& move, Position& out) const {
  const Cell cell = move.manner == Manner::en_passant ? passed_pawn() : move.to;
  if (set_->capture == CrowdCapture::one && (crowds_ & cell_bit(cell)) != 0) {
    set_->remove(out, true, move.taken == kNoKind ? choices(cell).front() : move.taken, cell);
    return;
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(set_->own_planes()); ++k) out.planes[k] &= ~cell_bit(cell);
}

// `out` has the opponent's men as the mover's. A right goes with the king, and with any man on the corner that castles.
[[gnu::always_inline]] inline void PieceBoard::change_rights(const PieceMove& move, Position& out) const {
  const PieceSet& set = *set_;
  const auto slot = static_cast<std::size_t>(set.castling_slot);
  std::uint8_t mine = position_->state[slot];
  std::uint8_t theirs = position_->state[slot + 1];
  out.state[slot] = theirs;
  out.state[slot + 1] = mine;
  if ((mine | theirs) == 0) return;
  if (move.kind == set.royal) mine = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    const auto bit = static_cast<std::uint8_t>(1U << side);
    if (move.from == set.corners[owner(true)][side] && set.castles_with(move.kind))
      mine &= static_cast<std::uint8_t>(~bit);
    const bool one_of_them = move.taken != kNoKind && !set.castles_with(move.taken);
    if (move.manner == Manner::capture && move.to == set.corners[owner(false)][side] && !one_of_them)
      theirs &= static_cast<std::uint8_t>(~bit);
  }
  out.state[slot] = theirs;
  out.state[slot + 1] = mine;
}

[[gnu::always_inline]] inline bool PieceBoard::carry_out(const PieceMove& move, Position& out) const {
  const PieceSet& set = *set_;
  const auto own_planes = static_cast<std::size_t>(set.own_planes());
  // Turned round at once: what was the mover's is the other's.
  for (std::size_t k = 0; k < own_planes; ++k) {
    out.planes[k] = position_->planes[k + own_planes];
    out.planes[k + own_planes] = position_->planes[k];
  }
  out.mover = other(position_->mover);
  const bool movers = false;
  if (move.manner == Manner::capture || move.manner == Manner::en_passant) take(move, out);
  set.remove(out, movers, move.kind, move.from);
  const bool fits = set.add(out, movers, move.promotion == kNoKind ? move.kind : move.promotion, move.to);
  if (set.castling_slot >= 0) {
    change_rights(move, out);
    if (move.manner == Manner::castle) {
      const bool right = move.to > move.from;
      const Cell corner = set.corners[owner(true)][right ? 0 : 1];
      const std::size_t rook = set.castling_partner(*position_, true, corner);
      set.remove(out, movers, rook, corner);
      set.add(out, movers, rook, static_cast<Cell>(right ? move.to - 1 : move.to + 1));
    }
  }
  if (set.passed_plane >= 0) out.planes[static_cast<std::size_t>(set.passed_plane)] = 0;
  return fits;
}

// Company may shelter a king or expose it, and free or hold those around it. Apart, for legal() is asked of every move.
[[gnu::noinline]] bool PieceBoard::legal_by_law(const PieceMove& move) const {
  Position next;
  carry_out(move, next);
  return !PieceBoard(*set_, next).other_in_check();
}

bool PieceBoard::after(const PieceMove& move, Position& out) const {
  const PieceSet& set = *set_;
  const bool fits = carry_out(move, out);
  if (set.passed_plane < 0 || move.manner != Manner::quiet || set.kinds[move.kind].promotions.empty()) return fits;
  const PieceTables& t = set.tables[owner(true)][move.kind];
  if (t.double_to[move.from] != move.to) return fits;
  // It counts only where it can be captured so.
  CellSet& passed = out.planes[static_cast<std::size_t>(set.passed_plane)];
  passed = cell_bit(t.passed_over[move.from]);
  const PieceBoard next(set, out);
  thread_local std::vector<PieceMove> replies;
  replies.clear();
  next.add_en_passant(replies);
  if (replies.empty()) passed = 0;
  return fits;
}

}  // namespace plenum
