// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/row_moves.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "tables/rows/bit_gather.h"

namespace plenum {

RowMoveFinder::RowMoveFinder(const RowRules& rules) : rules_(rules), scratch_(rules) {
  if (!ConditionTables::obstacle(rules)) tables_.emplace(rules);
}

std::uint64_t RowMoveFinder::scratch_bytes(const RowRules& rules, std::uint64_t positions) {
  // From tables: the columns of two conditions.
  return ConditionTables::obstacle(rules) ? rules.scratch_bytes(positions) : positions / 64 * 2 * sizeof(std::uint64_t);
}

void RowMoveFinder::find(CellSet occupied, RowMoves& out) {
  if (!tables_) return rules_.find(occupied, scratch_, out);
  out.positions = std::size_t{1} << std::popcount(occupied);
  out.words = (out.positions + 63) / 64;
  out.moves.clear();
  out.legal.clear();
  out.passes.clear();
  std::uint8_t axis = 0;
  for (CellSet rest = occupied; rest != 0; rest &= rest - 1)
    axes_[static_cast<std::size_t>(std::countr_zero(rest))] = axis++;
  tables_->begin(occupied);
  if (const auto pass = rules_.pass()) spell(tables_->table(*pass, occupied), out, out.passes);
  find_ways(occupied, true, out);
  out.adding = out.moves.size();
  find_ways(occupied, false, out);
}

void RowMoveFinder::find_ways(CellSet occupied, bool adding, RowMoves& out) {
  rules_.ways(occupied, [&](const RowWays& ways) {
    if (ways.from && adding) return true;
    const ConditionTables::Table& from = tables_->from(ways);
    if (from.none) return true;
    if (!from.all) spell(from, out, from_);
    const CellSet there = ways.from ? ways.to : adding ? ways.to & ~occupied : ways.to & occupied;
    for (CellSet rest = there; rest != 0; rest &= rest - 1) {
      const auto cell = static_cast<Cell>(std::countr_zero(rest));
      const ConditionTables::Table& to = tables_->to(ways, cell);
      if (to.none) continue;
      const Column* legal = &from_;
      if (!to.all || from.all) {
        spell(to, out, to_);
        if (!from.all) std::transform(to_.begin(), to_.end(), from_.begin(), to_.begin(), std::bit_and<>());
        legal = &to_;
      }
      if (std::all_of(legal->begin(), legal->end(), [](std::uint64_t word) { return word == 0; })) continue;
      out.moves.push_back({ways.rule, ways.origin(), cell, ways.put});
      out.legal.insert(out.legal.end(), legal->begin(), legal->end());
    }
    return true;
  });
}

void RowMoveFinder::spell(const ConditionTables::Table& table, const RowMoves& row, Column& out) {
  spelled_.spell(table.truth, axes_);
  out.resize(row.words);
  if (row.words < kVectorWords) {
    std::copy_n(spelled_.words.begin(), row.words, out.begin());
    if (row.positions < 64) out[0] &= (std::uint64_t{1} << row.positions) - 1;
    return;
  }
  parts_.resize(row.words / kVectorWords);
  for (std::size_t v = 0; v < parts_.size(); ++v) {
    const std::size_t high = kVectorAxes + static_cast<std::size_t>(std::countr_zero(v | parts_.size()));
    parts_[v] = v == 0 ? 0 : parts_[v & (v - 1)] + spelled_.weight[high];
    std::copy_n(spelled_.words.begin() + static_cast<std::ptrdiff_t>(parts_[v] * kVectorWords), kVectorWords,
                out.begin() + static_cast<std::ptrdiff_t>(v * kVectorWords));
  }
}

}  // namespace plenum
