// SPDX-License-Identifier: Apache-2.0
// Successors written down, move rule by move rule: what stands where after the bare move.
#include <algorithm>
#include <bit>

#include "variants/rules/cell_rules.h"

namespace plenum {

void CellRules::generate(const Step& step, std::uint8_t number, const Source& at, Scratch& s) const {
  switch (step.rule->kind) {
    case MoveRule::Kind::place:
      place(step, number, at, s);
      break;
    case MoveRule::Kind::move:
      carry(step, number, at, s);
      break;
    case MoveRule::Kind::remove:
      lift(step, number, at, s);
      break;
    case MoveRule::Kind::choice:
    case MoveRule::Kind::pass: {
      const auto& when = at.sets[static_cast<std::size_t>(step.when)];
      for (std::size_t lane = 0; lane < at.lanes; ++lane) {
        if (when[lane] != 0) add_unchanged(at.batch, at.begin + lane, {{number, 0, kNoCell, kNoCell}, {}}, s);
      }
      break;
    }
  }
}

// What a bare move leaves as it is: state and whose turn it was; and the passes in a row, which a whole move raises or ends.
// Bytes may alias anything, so the arrays are told apart by hand for the compiler's sake.
void CellRules::copy_state(const PositionBatch& batch, std::size_t from, Passes passing, Scratch& s) const {
  PositionBatch& out = s.successors;
  const std::size_t end = out.size;
  if (from == end) return;
  const std::uint32_t* const parent = s.parent.data();
  const auto gather = [&](const std::vector<std::uint8_t>& source_array, std::vector<std::uint8_t>& target_array) {
    const std::uint8_t* const source = source_array.data();
    std::uint8_t* __restrict const target = target_array.data();
    if (std::equal(source, source + batch.size - 1, source + 1)) {  // as where one layer is solved
      std::fill(target + from, target + end, source[0]);
      return;
    }
    for (std::size_t i = from; i < end; ++i) target[i] = source[parent[i]];
  };
  for (std::size_t k = 0; k < batch.state.size(); ++k) gather(batch.state[k], out.state[k]);
  gather(batch.mover_is_first, out.mover_is_first);
  if (passing == Passes::end || !set().passes_live) {
    std::fill(out.passes.data() + from, out.passes.data() + end, std::uint8_t{0});
    return;
  }
  gather(batch.passes, out.passes);
  if (passing == Passes::stand) return;
  const auto cap = static_cast<std::uint8_t>(set().passes_cap);
  std::uint8_t* const passes = out.passes.data();
  for (std::size_t i = from; i < end; ++i) passes[i] = static_cast<std::uint8_t>(std::min<int>(passes[i] + 1, cap));
}

// The successors of one parent in which `plane` (or none) gains one of the cells of `to`, the cells `emptied` are,
// and whatever stood on the cell gained is gone.
void CellRules::write_successors(const PositionBatch& batch, std::size_t parent, int plane, CellSet emptied, CellSet to,
                                 Part move, Scratch& s) const {
  s.grow(s.successors.size + kMaxCells);
  const std::size_t first = s.successors.size;
  PackedMove* const moves = s.move.data() + first;
  std::uint32_t* const parents = s.parent.data() + first;
  std::size_t count = 0;
  for (CellSet rest = to; rest != 0; rest &= rest - 1, ++count) {
    move.to = static_cast<Cell>(std::countr_zero(rest));
    moves[count] = {move, {}};
    parents[count] = static_cast<std::uint32_t>(parent);
  }
  for (std::size_t p = 0; p < batch.planes.size(); ++p) {
    const CellSet kept = batch.planes[p][parent] & ~emptied;
    std::uint64_t* const out = s.successors.planes[p].data() + first;
    if (static_cast<int>(p) == plane) {
      for (std::size_t i = 0; i < count; ++i) out[i] = kept | cell_bit(moves[i].first.to);
    } else if ((kept & to) != 0) {
      for (std::size_t i = 0; i < count; ++i) out[i] = kept & ~cell_bit(moves[i].first.to);
    } else {
      for (std::size_t i = 0; i < count; ++i) out[i] = kept;
    }
  }
  s.successors.size += count;
}

void CellRules::place(const Step& step, std::uint8_t number, const Source& at, Scratch& s) const {
  const MoveRule& move = *step.rule;
  for (std::size_t lane = 0; lane < at.lanes; ++lane) {
    const CellSet to = at.sets[static_cast<std::size_t>(step.to)][lane];
    if (to == 0) continue;
    const std::size_t parent = at.begin + lane;
    const CellSet lifted = step.lift < 0 ? 0 : at.sets[static_cast<std::size_t>(step.lift)][lane];
    for (std::size_t choice = 0; choice < move.put.size(); ++choice) {
      const PlaneChoice& put = move.put[choice];
      const int plane = at.batch.mover_is_first[parent] != 0 ? put.if_first : put.if_second;
      const Part part = {number, static_cast<std::uint8_t>(choice), kNoCell, kNoCell};
      if (!move.shaped) {
        write_successors(at.batch, parent, plane, lifted, to, part, s);
        continue;
      }
      for (std::size_t k = 0; k < move.placements.size(); ++k) {
        if ((move.placements[k] & ~to) == 0) write_shape(at.batch, parent, plane, lifted, k, move, part, s);
      }
    }
  }
}

// The one successor in which `plane` gains all cells of a placement of the rule's shape.
void CellRules::write_shape(const PositionBatch& batch, std::size_t parent, int plane, CellSet emptied,
                            std::size_t placement, const MoveRule& rule, Part part, Scratch& s) const {
  const CellSet shape = rule.placements[placement];
  part.from = static_cast<Cell>(placement / 256);
  part.to = static_cast<Cell>(placement % 256);
  add_unchanged(batch, parent, {part, {}}, s);
  const std::size_t i = s.successors.size - 1;
  for (auto& stones : s.successors.planes) stones[i] &= ~(emptied | shape);
  s.successors.planes[static_cast<std::size_t>(plane)][i] |= shape;
}

void CellRules::carry_from(const PositionBatch& batch, std::size_t parent, Cell from, CellSet to, std::uint8_t number,
                           Scratch& s) const {
  if (to == 0) return;
  int plane = -1;
  for (std::size_t p = 0; p < batch.planes.size(); ++p) {
    if ((batch.planes[p][parent] & cell_bit(from)) != 0) plane = static_cast<int>(p);
  }
  if (plane < 0) return;  // nothing stands there
  write_successors(batch, parent, plane, cell_bit(from), to, {number, 0, from, kNoCell}, s);
}

// The cells a piece slides over, up to the first that is not empty and including it.
CellSet CellRules::slide_range(const Step& step, const Source& at, std::size_t lane, Cell from) const {
  CellSet stones = 0;
  for (const auto& plane : at.batch.planes) stones |= plane[at.begin + lane];
  CellSet out = 0;
  for (const RelationId id : step.rule->slide[at.batch.mover_is_first[at.begin + lane] != 0 ? 0 : 1]) {
    const Relation& direction = set().graph.relation(id);
    CellSet here = direction[from];
    CellSet passed = 0;
    while (here != 0 && (here & (passed | cell_bit(from))) == 0) {
      passed |= here;
      if ((here & stones) != 0) break;
      here = direction[static_cast<std::size_t>(std::countr_zero(here))];
    }
    out |= passed;
  }
  return out;
}

void CellRules::carry(const Step& step, std::uint8_t number, const Source& at, Scratch& s) const {
  const MoveRule& move = *step.rule;
  const PositionBatch& batch = at.batch;
  const auto& from_set = at.sets[static_cast<std::size_t>(step.from)];
  // Where a piece of one origin may go as far as distance is concerned, in rising order of origin sets.
  std::size_t waiting = 0;
  const auto flush = [&] {  // `to` depends on the origin: ask for each of them
    InputPointers pointers;
    const ProgramInput in = program_input(space(s).origins, 0, pointers);
    pointers.cells[kOrigin] = space(s).origin.data();
    pointers.cells[kPlaced] = space(s).origin_placed.data();
    pointers.cells[kTaken] = space(s).origin_taken.data();
    pointers.cells[kTrail] = space(s).origin_trail.data();
    step.from_origin->run(in, waiting, space(s).work);
    step.from_origin->read_set(0, waiting, space(s).work, space(s).destination.data());
    for (std::size_t k = 0; k < waiting; ++k) {
      carry_from(batch, space(s).origin_parent[k], static_cast<Cell>(std::countr_zero(space(s).origin[k])),
                 space(s).destination[k] & space(s).range[k], number, s);
    }
    waiting = 0;
  };
  const auto origin = [&](std::size_t lane, Cell from, CellSet range) {
    if (!move.to_reads_origin) {
      carry_from(batch, at.begin + lane, from, range & at.sets[static_cast<std::size_t>(step.to)][lane], number, s);
      return;
    }
    if (range == 0) return;
    space(s).origins.set(waiting, batch.at(at.begin + lane));
    space(s).origin[waiting] = cell_bit(from);
    if (at.placed != nullptr) {
      space(s).origin_placed[waiting] = at.placed[at.begin + lane];
      space(s).origin_taken[waiting] = at.taken[at.begin + lane];
      if (at.trail != nullptr) space(s).origin_trail[waiting] = at.trail[at.begin + lane];
    }
    space(s).range[waiting] = range;
    space(s).origin_parent[waiting] = static_cast<std::uint32_t>(at.begin + lane);
    if (++waiting == kLanes) flush();
  };
  for (std::size_t lane = 0; lane < at.lanes; ++lane) {
    if (!move.to_reads_origin && at.sets[static_cast<std::size_t>(step.to)][lane] == 0) continue;
    if (step.reach < 0) {
      const RelationId by = move.step[batch.mover_is_first[at.begin + lane] != 0 ? 0 : 1];
      for (CellSet rest = from_set[lane]; rest != 0; rest &= rest - 1) {
        const auto from = static_cast<Cell>(std::countr_zero(rest));
        const CellSet range = by >= 0                  ? set().graph.relation(by)[from]
                              : !move.limited          ? set().board.all() & ~cell_bit(from)
                              : !move.slide[0].empty() ? slide_range(step, at, lane, from)
                                                       : 0;
        origin(lane, from, range);
      }
      continue;
    }
    // reach[d] holds the cells whose piece may go at least d + 1: those of exactly that reach are not in the next.
    for (std::size_t d = 0; d < move.reach.size(); ++d) {
      const auto root = static_cast<std::size_t>(step.reach) + d;
      const CellSet farther = d + 1 < move.reach.size() ? at.sets[root + 1][lane] : 0;
      for (CellSet rest = at.sets[root][lane] & ~farther; rest != 0; rest &= rest - 1) {
        const auto from = static_cast<Cell>(std::countr_zero(rest));
        origin(lane, from, set().board.ball(static_cast<int>(d) + 1, from));
      }
    }
  }
  if (waiting > 0) flush();
}

void CellRules::lift(const Step& step, std::uint8_t number, const Source& at, Scratch& s) const {
  for (std::size_t lane = 0; lane < at.lanes; ++lane) {
    for (CellSet rest = at.sets[static_cast<std::size_t>(step.from)][lane]; rest != 0; rest &= rest - 1) {
      const CellSet bit = rest & -rest;
      write_successors(at.batch, at.begin + lane, -1, 0, bit, {number, 0, kNoCell, kNoCell}, s);
      Part& part = s.move[s.successors.size - 1].first;
      part.from = static_cast<Cell>(std::countr_zero(bit));
      part.to = kNoCell;
    }
  }
}

void CellRules::add_unchanged(const PositionBatch& batch, std::size_t parent, const PackedMove& move,
                              Scratch& s) const {
  s.grow(s.successors.size + 1);
  const std::size_t i = s.successors.size++;
  for (std::size_t p = 0; p < batch.planes.size(); ++p) s.successors.planes[p][i] = batch.planes[p][parent];
  s.parent[i] = static_cast<std::uint32_t>(parent);
  s.move[i] = move;
}

}  // namespace plenum
