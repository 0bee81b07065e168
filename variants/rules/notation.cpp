// SPDX-License-Identifier: Apache-2.0
// How moves are written, and in which order they are listed.
#include <algorithm>
#include <bit>

#include <absl/strings/str_cat.h>

#include "variants/rules/piece_rules.h"

namespace plenum {
namespace {

CellSet stones_of(const Position& position) {
  CellSet out = 0;
  for (const CellSet plane : position.planes) out |= plane;
  return out;
}

}  // namespace

std::string Rules::write_part(const Position& position, const MoveRule& rule, const Part& part) const {
  const Board& board = set_->board;
  if (rule.kind == MoveRule::Kind::pass) return "pass";
  if (rule.kind == MoveRule::Kind::remove) return board.cell_name(part.from) + "-off";
  if (rule.kind == MoveRule::Kind::move) return absl::StrCat(board.cell_name(part.from), "-", board.cell_name(part.to));
  std::string out;
  if (rule.choice) {
    const PlaneChoice& put = rule.put[part.choice];
    for (std::size_t k = 0; k < set_->kinds.size(); ++k) {
      const PlaneChoice plane = set_->plane_of(k);
      const bool same =
          position.mover == Player::first ? plane.if_first == put.if_first : plane.if_second == put.if_second;
      if (same) out = absl::StrCat(set_->kinds[k].letter, "@");
    }
  }
  if (rule.shaped) {
    const char* gap = "";
    for (CellSet rest = rule.placements[part.placement()]; rest != 0; rest &= rest - 1, gap = "+")
      absl::StrAppend(&out, gap, board.cell_name(static_cast<Cell>(std::countr_zero(rest))));
    return out;
  }
  return absl::StrCat(out, board.cell_name(part.to), (stones_of(position) & cell_bit(part.to)) != 0 ? "*" : "");
}

std::vector<std::string> Rules::spellings(const Move& move) const {
  return pieces_ ? pieces_->spellings(move) : std::vector<std::string>();
}

std::string Rules::write(const Position& position, const Move& move) const {
  if (pieces_) return pieces_->write(move);
  if (move.first.rule == kForcedPass) return "pass";
  const MoveRule* rule = &set_->moves[move.first.rule];
  std::string out = write_part(position, *rule, move.first);
  if (move.further[0].rule == kNoPart) return out;
  // As far as it shows in how a part is written, the board between the parts is what the bare moves make of it.
  Position between = position;
  Part last = move.first;
  for (const Part& part : move.further) {
    if (part.rule == kNoPart) break;
    CellSet filled = 0;
    CellSet emptied = 0;
    if (rule->shaped) {
      filled = rule->placements[last.placement()];
    } else {
      if (last.to != kNoCell) filled = cell_bit(last.to);
      if (last.from != kNoCell) emptied = cell_bit(last.from);
    }
    for (CellSet& plane : between.planes) plane &= ~(emptied | filled);
    between.planes[0] |= filled;
    rule = &set_->parts[part.rule];
    if (rule->kind == MoveRule::Kind::remove) {
      absl::StrAppend(&out, ",x", set_->board.cell_name(part.from));
    } else {
      absl::StrAppend(&out, ",", write_part(between, *rule, part));
    }
    last = part;
  }
  return out;
}

std::array<std::uint64_t, kMaxParts> Rules::board_order(const Move& move) const {
  const auto order = [](const Part& part) {
    if (part.rule == kNoPart) return std::uint64_t{0};
    const bool pass = part.from == kNoCell && part.to == kNoCell;
    const Cell first = part.from != kNoCell ? part.from : part.to;
    const std::uint64_t second = part.from != kNoCell ? std::uint64_t{part.to} + 1 : 0;
    return (std::uint64_t{pass ? 1U : 0U} << 40) | (std::uint64_t{first} << 32) | (second << 16) |
           (std::uint64_t{part.choice} << 8) | part.rule;
  };
  std::array<std::uint64_t, kMaxParts> out = {order(move.first)};
  for (std::size_t k = 0; k < move.further.size(); ++k) out[k + 1] = order(move.further[k]);
  return out;
}

bool Rules::in_pie(const Move& move) const {
  if (pieces_ || move.first.rule == kForcedPass) return false;
  const MoveRule& rule = set_->moves[move.first.rule];
  return std::find(set_->pie_moves.begin(), set_->pie_moves.end(), rule.name) != set_->pie_moves.end();
}

}  // namespace plenum
