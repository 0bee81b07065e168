// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/rules.h"

#include "variants/rules/cell_rules.h"

namespace plenum {

Rules::Scratch::Scratch(const Rules& rules) : successors(rules.batch()), space(rules.make_space()) { grow(4 * kLanes); }

void Rules::Scratch::grow(std::size_t wanted) {
  if (wanted <= successors.capacity()) return;
  successors.grow(wanted);
  parent.resize(successors.capacity());
  move.resize(successors.capacity());
}

absl::StatusOr<std::shared_ptr<const Rules>> Rules::compile(const Description& description, const Board& board,
                                                            const ChangeOrder& order, const std::optional<Span>& goal) {
  if (!description.pieces.empty()) return compile_pieces(description, board, goal);
  return CellRules::compile(description, board, order, goal);
}

ProgramInput program_input(const PositionBatch& batch, std::size_t begin, InputPointers& pointers) {
  pointers.cells.fill(nullptr);
  for (std::size_t p = 0; p < batch.planes.size(); ++p) pointers.cells[kPlanes + p] = batch.planes[p].data() + begin;
  pointers.bytes[kMoverIsFirstByte] = batch.mover_is_first.data() + begin;
  pointers.bytes[kPassesByte] = batch.passes.data() + begin;
  for (std::size_t k = 0; k < batch.state.size(); ++k)
    pointers.bytes[kFirstStateByte + k] = batch.state[k].data() + begin;
  return {pointers.cells, pointers.bytes};
}

std::array<std::uint64_t, kMaxParts> board_order(const Move& move) {
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

}  // namespace plenum
