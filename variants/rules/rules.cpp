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

Move Rules::Scratch::move_of(std::size_t i) const {
  const PackedMove& packed = move[i];
  Move out{packed.first, {}};
  if (packed.further[0].rule == kLongMove) {
    out.further = long_moves[packed.further[0].list()];
    return out;
  }
  for (const Part& part : packed.further) {
    if (part.rule != kNoPart) out.further.push_back(part);
  }
  return out;
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

std::vector<std::uint64_t> board_order(const Move& move) {
  const auto order = [](const Part& part) {
    const bool pass = part.from == kNoCell && part.to == kNoCell;
    const Cell first = part.from != kNoCell ? part.from : part.to;
    const std::uint64_t second = part.from != kNoCell ? std::uint64_t{part.to} + 1 : 0;
    return (std::uint64_t{pass ? 1U : 0U} << 40) | (std::uint64_t{first} << 32) | (second << 16) |
           (std::uint64_t{part.choice} << 8) | part.rule;
  };
  std::vector<std::uint64_t> out = {order(move.first)};
  for (const Part& part : move.further) out.push_back(order(part));
  return out;
}

}  // namespace plenum
