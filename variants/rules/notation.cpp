// SPDX-License-Identifier: Apache-2.0
// How moves by rules about cells are written.
#include <algorithm>
#include <bit>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "variants/rules/cell_rules.h"

namespace plenum {

std::string CellRules::letter_put(const Position& position, const MoveRule& rule, const Part& part) const {
  const PlaneChoice& put = rule.put[part.choice];
  std::string out;
  for (std::size_t k = 0; k < set().kinds.size(); ++k) {
    const PlaneChoice plane = set().plane_of(k);
    const bool same =
        position.mover == Player::first ? plane.if_first == put.if_first : plane.if_second == put.if_second;
    if (same) out = set().kinds[k].letter;
  }
  return out;
}

std::string CellRules::write_part(const Position& position, const MoveRule& rule, const Part& part) const {
  const Board& board = set().board;
  if (!rule.on_cells()) return rule.kind == MoveRule::Kind::pass ? "pass" : rule.chosen;
  const std::string chosen = rule.chosen.empty() ? "" : absl::StrCat("=", rule.chosen);
  if (rule.kind == MoveRule::Kind::remove) return absl::StrCat(board.cell_name(part.from), "-off", chosen);
  if (rule.kind == MoveRule::Kind::move)
    return absl::StrCat(board.cell_name(part.from), "-", board.cell_name(part.to), chosen);
  std::string out = rule.choice ? absl::StrCat(letter_put(position, rule, part), "@") : "";
  if (rule.shaped) {
    const char* gap = "";
    for (CellSet rest = rule.placements[part.placement()]; rest != 0; rest &= rest - 1, gap = "+")
      absl::StrAppend(&out, gap, board.cell_name(static_cast<Cell>(std::countr_zero(rest))));
    return out + chosen;
  }
  const bool covers = (occupied_cells(position) & cell_bit(part.to)) != 0;
  return absl::StrCat(out, board.cell_name(part.to), covers ? "*" : "", chosen);
}

template <typename Function>
void CellRules::each_part(const Move& move, const Function& function) const {
  if (move.first.rule == kForcedPass) return;
  function(set().moves[move.first.rule], move.first);
  for (const Part& part : move.further) function(set().parts[part.rule], part);
}

std::string CellRules::write(const Position& position, const Move& move) const {
  if (move.first.rule == kForcedPass) return "pass";
  std::string out;
  // As far as it shows in how a part is written, the board between the parts is what the bare moves make of it.
  Position between = position;
  each_part(move, [&](const MoveRule& rule, const Part& part) {
    if (!out.empty() && rule.kind == MoveRule::Kind::remove) {
      absl::StrAppend(&out, ",x", set().board.cell_name(part.from), rule.chosen.empty() ? "" : "=", rule.chosen);
    } else {
      absl::StrAppend(&out, out.empty() ? "" : ",", write_part(between, rule, part));
    }
    CellSet filled = 0;
    CellSet emptied = 0;
    if (rule.shaped) {
      filled = rule.placements[part.placement()];
    } else {
      if (part.to != kNoCell) filled = cell_bit(part.to);
      if (part.from != kNoCell) emptied = cell_bit(part.from);
    }
    for (CellSet& plane : between.planes) plane &= ~(emptied | filled);
    between.planes[0] |= filled;
  });
  return out;
}

std::string CellRules::rule_names(const Move& move) const {
  std::vector<std::string> names;
  each_part(move, [&](const MoveRule& rule, const Part&) { names.push_back(rule.name); });
  return absl::StrJoin(names, ",");
}

std::vector<MoveStep> CellRules::steps(const Position& position, const Move& move) const {
  std::vector<MoveStep> out;
  each_part(move, [&](const MoveRule& rule, const Part& part) {
    if (!rule.on_cells()) return;
    MoveStep& step = out.emplace_back();
    if (!rule.shaped) step.from = part.from;
    if (rule.shaped) {
      for (CellSet rest = rule.placements[part.placement()]; rest != 0; rest &= rest - 1)
        step.to.push_back(static_cast<Cell>(std::countr_zero(rest)));
    } else if (rule.kind != MoveRule::Kind::remove) {
      step.to.push_back(part.to);
    }
    if (rule.choice) step.kind = letter_put(position, rule, part);
  });
  return out;
}

bool CellRules::in_pie(const Move& move) const {
  if (move.first.rule == kForcedPass) return false;
  const MoveRule& rule = set().moves[move.first.rule];
  return std::find(set().pie_moves.begin(), set().pie_moves.end(), rule.name) != set().pie_moves.end();
}

}  // namespace plenum
