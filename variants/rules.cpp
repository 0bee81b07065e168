// SPDX-License-Identifier: Apache-2.0
#include "variants/rules.h"

#include <algorithm>
#include <bit>

#include <absl/container/flat_hash_set.h>
#include <absl/strings/str_cat.h>

#include "variants/contents.h"

namespace plenum {
namespace {

int sign(std::int64_t v) { return (v > 0) - (v < 0); }

// Two rules whose moves could be written alike, so that equal moves must be merged.
bool may_coincide(const RuleSet& rules, const MoveRule& a, const MoveRule& b) {
  if (a.kind != b.kind) return false;
  if (a.kind != MoveRule::Kind::place) return true;
  const bool same_kind = std::any_of(a.put.begin(), a.put.end(), [&](const PlaneChoice& p) {
    return std::any_of(b.put.begin(), b.put.end(),
                       [&](const PlaneChoice& q) { return p.if_first == q.if_first || p.if_second == q.if_second; });
  });
  return same_kind && (contents(rules, a.to) & contents(rules, b.to)) != 0;
}

}  // namespace

Rules::Scratch::Scratch(const Rules& rules)
    : successors(rules.set().layout.count(), static_cast<int>(rules.set().slots.size())),
      before_(rules.set().layout.count(), static_cast<int>(rules.set().slots.size())),
      sets_(rules.moves_.roots(), std::vector<std::uint64_t>(kLanes)),
      destination_(kLanes),
      numbers_(kLanes),
      origins_(rules.set().layout.count(), static_cast<int>(rules.set().slots.size())),
      origin_(kLanes),
      range_(kLanes),
      origin_parent_(kLanes) {
  grow(4 * kLanes);
  origins_.grow(kLanes);
}

void Rules::Scratch::grow(std::size_t wanted) {
  if (wanted <= successors.capacity()) return;
  successors.grow(wanted);
  parent.resize(successors.capacity());
  move.resize(successors.capacity());
}

absl::StatusOr<Rules> Rules::compile(const Description& description, const Board& board) {
  absl::StatusOr<RuleSet> elaborated = elaborate(description, board);
  if (!elaborated.ok()) return elaborated.status();
  if (elaborated->layout.count() > kMaxPlanes || elaborated->slots.size() > static_cast<std::size_t>(kMaxSlots) ||
      elaborated->moves.size() > 200) {
    return error_at(description.end.span, "this game has too many kinds, state variables or moves",
                    absl::StrCat("at most ", kMaxSlots, " state variables and 200 moves"));
  }
  Rules out;
  out.set_ = std::make_shared<const RuleSet>(*std::move(elaborated));
  const RuleSet& set = *out.set_;
  const std::vector<Interval> bounds = set.number_bounds();
  std::vector<NodeId> roots;
  for (const MoveRule& rule : set.moves) {
    out.first_root_.push_back(roots.size());
    out.from_origin_.push_back(nullptr);
    out.effects_.push_back(nullptr);
    if (rule.kind == MoveRule::Kind::pass) roots.push_back(rule.when);
    if (rule.from >= 0) roots.push_back(rule.from);
    if (rule.to >= 0 && !rule.to_reads_origin) roots.push_back(rule.to);
    roots.insert(roots.end(), rule.reach.begin(), rule.reach.end());
    if (rule.to_reads_origin)
      out.from_origin_.back() = std::make_unique<Program>(set.graph, std::vector<NodeId>{rule.to}, bounds);
    if (rule.has_effect) {
      std::vector<NodeId> after = {rule.invalid};
      after.insert(after.end(), rule.planes_after.begin(), rule.planes_after.end());
      for (std::size_t s = 0; s < set.slots.size(); ++s) {
        if (set.slots[s].live) after.push_back(rule.state_after[s]);
      }
      out.effects_.back() = std::make_unique<Program>(set.graph, after, bounds);
    }
  }
  out.moves_ = Program(set.graph, roots, bounds);
  out.ended_ = Program(set.graph, std::vector<NodeId>{set.ended}, bounds);
  std::vector<NodeId> score = {set.margin};
  if (set.tiebreak >= 0) score.push_back(set.tiebreak);
  out.score_ = Program(set.graph, score, bounds);
  for (std::size_t a = 0; a < set.moves.size(); ++a) {
    const std::vector<PlaneChoice>& put = set.moves[a].put;  // a kind may be listed twice, as "mine" and by name
    for (std::size_t i = 0; i < put.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k)
        out.may_repeat_ |= put[i].if_first == put[k].if_first || put[i].if_second == put[k].if_second;
    }
    for (std::size_t b = 0; b < a; ++b) out.may_repeat_ |= may_coincide(set, set.moves[a], set.moves[b]);
  }
  return out;
}

ProgramInput Rules::input(const PositionBatch& batch, std::size_t begin, std::vector<const std::uint64_t*>& cells,
                          std::vector<const std::uint8_t*>& bytes) const {
  cells.assign(kCellInputs, nullptr);
  for (std::size_t p = 0; p < batch.planes.size(); ++p) cells[kPlanes + p] = batch.planes[p].data() + begin;
  bytes.clear();
  bytes.push_back(batch.mover_is_first.data() + begin);
  bytes.push_back(batch.passes.data() + begin);
  for (const auto& slot : batch.state) bytes.push_back(slot.data() + begin);
  return {cells, bytes};
}

void Rules::find_sets(const PositionBatch& batch, Scratch& s) const {
  std::vector<const std::uint64_t*> cells;
  std::vector<const std::uint8_t*> bytes;
  for (std::size_t begin = 0; begin < batch.size; begin += kLanes) {
    moves_.run(input(batch, begin, cells, bytes), std::min(kLanes, batch.size - begin), s.work_);
  }
}

absl::Status Rules::expand(const PositionBatch& batch, Scratch& s) const {
  s.successors.clear();
  std::vector<const std::uint64_t*> cells;
  std::vector<const std::uint8_t*> bytes;
  for (std::size_t begin = 0; begin < batch.size; begin += kLanes) {
    const std::size_t lanes = std::min(kLanes, batch.size - begin);
    const std::size_t first = s.successors.size;
    moves_.run(input(batch, begin, cells, bytes), lanes, s.work_);
    for (std::size_t r = 0; r < moves_.roots(); ++r) moves_.read_set(r, lanes, s.work_, s.sets_[r].data());
    for (std::size_t rule = 0; rule < set_->moves.size(); ++rule) {
      const std::size_t from = s.successors.size;
      write_moves(batch, begin, lanes, rule, first_root_[rule], s);
      if (!set_->moves[rule].has_effect) continue;
      absl::Status done = apply_effect(batch, rule, from, s);
      if (!done.ok()) return done;
    }
    if (set_->stuck == Stuck::pass) {
      std::vector<bool> moved(lanes, false);
      for (std::size_t i = first; i < s.successors.size; ++i) moved[s.parent[i] - begin] = true;
      const std::size_t from = s.successors.size;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        if (!moved[lane]) add_pass(batch, begin + lane, kForcedPass, s);
      }
      copy_state(batch, from, true, s);
    }
  }
  if (may_repeat_) merge_equal(batch, s);
  end_turn(s);
  judge(s.successors, s, s.ended, s.margin);
  return absl::OkStatus();
}

void Rules::write_moves(const PositionBatch& batch, std::size_t begin, std::size_t lanes, std::size_t rule,
                        std::size_t root, Scratch& s) const {
  const std::size_t from = s.successors.size;
  const bool passes = set_->moves[rule].kind == MoveRule::Kind::pass;
  switch (set_->moves[rule].kind) {
    case MoveRule::Kind::place:
      place(batch, begin, lanes, rule, root, s);
      break;
    case MoveRule::Kind::move:
      carry(batch, begin, lanes, rule, root, s);
      break;
    case MoveRule::Kind::remove:
      lift(batch, begin, lanes, rule, root, s);
      break;
    case MoveRule::Kind::pass:
      pass(batch, begin, lanes, rule, root, s);
      break;
  }
  copy_state(batch, from, passes, s);
}

// What a bare move leaves as it is: state and whose turn it was; and the passes it makes or ends.
// Bytes may alias anything, so the arrays are told apart by hand for the compiler's sake.
void Rules::copy_state(const PositionBatch& batch, std::size_t from, bool passing, Scratch& s) const {
  PositionBatch& out = s.successors;
  const std::size_t end = out.size;
  const std::uint32_t* const parent = s.parent.data();
  const auto gather = [&](const std::vector<std::uint8_t>& source_array, std::vector<std::uint8_t>& target_array) {
    const std::uint8_t* const source = source_array.data();
    std::uint8_t* __restrict const target = target_array.data();
    for (std::size_t i = from; i < end; ++i) target[i] = source[parent[i]];
  };
  for (std::size_t k = 0; k < batch.state.size(); ++k) gather(batch.state[k], out.state[k]);
  gather(batch.mover_is_first, out.mover_is_first);
  if (!passing || !set_->passes_live) {
    std::fill(out.passes.data() + from, out.passes.data() + end, std::uint8_t{0});
    return;
  }
  gather(batch.passes, out.passes);
  const auto cap = static_cast<std::uint8_t>(set_->passes_cap);
  std::uint8_t* const passes = out.passes.data();
  for (std::size_t i = from; i < end; ++i) passes[i] = static_cast<std::uint8_t>(std::min<int>(passes[i] + 1, cap));
}

// The successors of one parent in which `plane` (or none) gains one of the cells of `to`, the cell `from` (or none) is emptied,
// and whatever stood on the cell gained is gone.
void Rules::write_successors(const PositionBatch& batch, std::size_t parent, int plane, CellSet from, CellSet to,
                             Move move, Scratch& s) const {
  s.grow(s.successors.size + kMaxCells);
  const std::size_t first = s.successors.size;
  Move* const moves = s.move.data() + first;
  std::uint32_t* const parents = s.parent.data() + first;
  std::size_t count = 0;
  for (CellSet rest = to; rest != 0; rest &= rest - 1, ++count) {
    move.to = static_cast<Cell>(std::countr_zero(rest));
    moves[count] = move;
    parents[count] = static_cast<std::uint32_t>(parent);
  }
  for (std::size_t p = 0; p < batch.planes.size(); ++p) {
    const CellSet kept = batch.planes[p][parent] & ~from;
    std::uint64_t* const out = s.successors.planes[p].data() + first;
    if (static_cast<int>(p) == plane) {
      for (std::size_t i = 0; i < count; ++i) out[i] = kept | cell_bit(moves[i].to);
    } else if ((kept & to) != 0) {
      for (std::size_t i = 0; i < count; ++i) out[i] = kept & ~cell_bit(moves[i].to);
    } else {
      for (std::size_t i = 0; i < count; ++i) out[i] = kept;
    }
  }
  s.successors.size += count;
}

void Rules::place(const PositionBatch& batch, std::size_t begin, std::size_t lanes, std::size_t rule, std::size_t root,
                  Scratch& s) const {
  const MoveRule& move = set_->moves[rule];
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const CellSet to = s.sets_[root][lane];
    if (to == 0) continue;
    for (std::size_t choice = 0; choice < move.put.size(); ++choice) {
      const PlaneChoice& put = move.put[choice];
      const int plane = batch.mover_is_first[begin + lane] != 0 ? put.if_first : put.if_second;
      write_successors(batch, begin + lane, plane, 0, to,
                       {static_cast<std::uint8_t>(rule), static_cast<std::uint8_t>(choice), kNoCell, kNoCell}, s);
    }
  }
}

void Rules::carry_from(const PositionBatch& batch, std::size_t parent, Cell from, CellSet to, std::size_t rule,
                       Scratch& s) const {
  if (to == 0) return;
  int plane = -1;
  for (std::size_t p = 0; p < batch.planes.size(); ++p) {
    if ((batch.planes[p][parent] & cell_bit(from)) != 0) plane = static_cast<int>(p);
  }
  write_successors(batch, parent, plane, cell_bit(from), to, {static_cast<std::uint8_t>(rule), 0, from, kNoCell}, s);
}

void Rules::carry(const PositionBatch& batch, std::size_t begin, std::size_t lanes, std::size_t rule, std::size_t root,
                  Scratch& s) const {
  const MoveRule& move = set_->moves[rule];
  const Board& board = set_->board;
  const std::size_t to_root = root + 1;
  const std::size_t reach_root = move.to_reads_origin ? root + 1 : root + 2;
  // Where a piece of one origin may go as far as distance is concerned, in rising order of origin sets.
  std::size_t waiting = 0;
  const auto flush = [&] {  // `to` depends on the origin: ask for each of them
    std::vector<const std::uint64_t*> cells;
    std::vector<const std::uint8_t*> bytes;
    ProgramInput in = input(s.origins_, 0, cells, bytes);
    cells[kOrigin] = s.origin_.data();
    in.cells = cells;
    from_origin_[rule]->run(in, waiting, s.work_);
    from_origin_[rule]->read_set(0, waiting, s.work_, s.destination_.data());
    for (std::size_t k = 0; k < waiting; ++k) {
      carry_from(batch, s.origin_parent_[k], static_cast<Cell>(std::countr_zero(s.origin_[k])),
                 s.destination_[k] & s.range_[k], rule, s);
    }
    waiting = 0;
  };
  const auto origin = [&](std::size_t lane, Cell from, CellSet range) {
    if (!move.to_reads_origin) {
      carry_from(batch, begin + lane, from, range & s.sets_[to_root][lane], rule, s);
      return;
    }
    if (range == 0) return;
    s.origins_.set(waiting, batch.at(begin + lane));
    s.origin_[waiting] = cell_bit(from);
    s.range_[waiting] = range;
    s.origin_parent_[waiting] = static_cast<std::uint32_t>(begin + lane);
    if (++waiting == kLanes) flush();
  };
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if (!move.to_reads_origin && s.sets_[to_root][lane] == 0) continue;
    if (!move.limited || move.step >= 0) {
      for (CellSet rest = s.sets_[root][lane]; rest != 0; rest &= rest - 1) {
        const auto from = static_cast<Cell>(std::countr_zero(rest));
        const CellSet range = move.step >= 0 ? set_->graph.relation(move.step)[from] : board.all() & ~cell_bit(from);
        origin(lane, from, range);
      }
      continue;
    }
    // reach[d] holds the cells whose piece may go at least d + 1: those of exactly that reach are not in the next.
    for (std::size_t d = 0; d < move.reach.size(); ++d) {
      const CellSet farther = d + 1 < move.reach.size() ? s.sets_[reach_root + d + 1][lane] : 0;
      for (CellSet rest = s.sets_[reach_root + d][lane] & ~farther; rest != 0; rest &= rest - 1) {
        const auto from = static_cast<Cell>(std::countr_zero(rest));
        origin(lane, from, board.ball(static_cast<int>(d) + 1, from));
      }
    }
  }
  if (waiting > 0) flush();
}

void Rules::lift(const PositionBatch& batch, std::size_t begin, std::size_t lanes, std::size_t rule, std::size_t root,
                 Scratch& s) const {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (CellSet rest = s.sets_[root][lane]; rest != 0; rest &= rest - 1) {
      const CellSet bit = rest & -rest;
      write_successors(batch, begin + lane, -1, 0, bit, {static_cast<std::uint8_t>(rule), 0, kNoCell, kNoCell}, s);
      s.move[s.successors.size - 1].from = static_cast<Cell>(std::countr_zero(bit));
      s.move[s.successors.size - 1].to = kNoCell;
    }
  }
}

void Rules::add_pass(const PositionBatch& batch, std::size_t parent, std::uint8_t rule, Scratch& s) const {
  s.grow(s.successors.size + 1);
  const std::size_t i = s.successors.size++;
  for (std::size_t p = 0; p < batch.planes.size(); ++p) s.successors.planes[p][i] = batch.planes[p][parent];
  s.parent[i] = static_cast<std::uint32_t>(parent);
  s.move[i] = {rule, 0, kNoCell, kNoCell};
}

void Rules::pass(const PositionBatch& batch, std::size_t begin, std::size_t lanes, std::size_t rule, std::size_t root,
                 Scratch& s) const {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if (s.sets_[root][lane] != 0) add_pass(batch, begin + lane, static_cast<std::uint8_t>(rule), s);
  }
}

absl::Status Rules::apply_effect(const PositionBatch& batch, std::size_t rule, std::size_t from, Scratch& s) const {
  std::vector<const std::uint64_t*> cells;
  std::vector<const std::uint8_t*> bytes;
  s.before_.grow(kLanes);
  s.placed_.resize(kLanes);
  s.taken_.resize(kLanes);
  std::vector<std::uint64_t> set(kLanes);
  for (std::size_t begin = from; begin < s.successors.size; begin += kLanes) {
    const std::size_t lanes = std::min(kLanes, s.successors.size - begin);
    for (std::size_t k = 0; k < lanes; ++k) {
      const Move& move = s.move[begin + k];
      s.before_.set(k, batch.at(s.parent[begin + k]));
      s.placed_[k] = move.to == kNoCell ? 0 : cell_bit(move.to);
      s.taken_[k] = move.from == kNoCell ? 0 : cell_bit(move.from);
    }
    ProgramInput in = input(s.successors, begin, cells, bytes);
    for (std::size_t p = 0; p < s.before_.planes.size(); ++p) cells[kPlanesBefore + p] = s.before_.planes[p].data();
    cells[kPlaced] = s.placed_.data();
    cells[kTaken] = s.taken_.data();
    bytes[kPassesByte] = s.before_.passes.data();  // as before the move
    in.cells = cells;
    in.bytes = bytes;
    const Program& program = *effects_[rule];
    program.run(in, lanes, s.work_);
    program.read_set(0, lanes, s.work_, set.data());
    for (std::size_t k = 0; k < lanes; ++k) {
      if (set[k] == 0) continue;
      const Position parent = batch.at(s.parent[begin + k]);
      return absl::InvalidArgumentError(
          absl::StrCat("the move ", write(parent, s.move[begin + k]), " of '", set_->moves[rule].name,
                       "' drives a number of the state out of its range, from the position\n    ",
                       to_text(*set_, parent), "\n  widen the range under [state], or guard the assignment with if"));
    }
    std::size_t root = 1;
    for (auto& plane : s.successors.planes) {
      program.read_set(root++, lanes, s.work_, set.data());
      std::copy(set.begin(), set.begin() + static_cast<std::ptrdiff_t>(lanes),
                plane.begin() + static_cast<std::ptrdiff_t>(begin));
    }
    for (std::size_t slot = 0; slot < set_->slots.size(); ++slot) {
      const StateSlot& state = set_->slots[slot];
      if (!state.live) continue;
      if (state.type == StateDescription::Type::boolean) {
        program.read_set(root++, lanes, s.work_, set.data());
        for (std::size_t k = 0; k < lanes; ++k) s.successors.state[slot][begin + k] = set[k] != 0 ? 1 : 0;
      } else {
        program.read_number(root++, lanes, s.work_, s.numbers_.data());
        for (std::size_t k = 0; k < lanes; ++k)
          s.successors.state[slot][begin + k] = static_cast<std::uint8_t>(
              s.numbers_[k] - (state.type == StateDescription::Type::number ? state.range.least : 0));
      }
    }
  }
  return absl::OkStatus();
}

// The other player is to move: what was mine is theirs.
void Rules::end_turn(Scratch& s) const {
  PositionBatch& b = s.successors;
  for (int p = 0; p < set_->layout.own; ++p)
    std::swap(b.planes[static_cast<std::size_t>(p)], b.planes[static_cast<std::size_t>(p + set_->layout.own)]);
  const std::size_t size = b.size;
  std::uint8_t* const first = b.mover_is_first.data();
  for (std::size_t i = 0; i < size; ++i) first[i] ^= 1U;
  for (std::size_t k = 0; k < set_->slots.size(); ++k) {
    const StateSlot& slot = set_->slots[k];
    if (slot.type == StateDescription::Type::player) {
      std::uint8_t* const who = b.state[k].data();  // 1 and 2 change places
      for (std::size_t i = 0; i < size; ++i) who[i] = static_cast<std::uint8_t>(who[i] == 0 ? 0 : 3 - who[i]);
    } else if (slot.partner > static_cast<int>(k)) {
      std::swap(b.state[k], b.state[static_cast<std::size_t>(slot.partner)]);
    }
  }
}

// Rule (7) of a turn: two moves of one position that are written alike and lead to one position are one move.
void Rules::merge_equal(const PositionBatch& batch, Scratch& s) const {
  absl::flat_hash_set<std::string> seen;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < s.successors.size; ++i) {
    const Position result = s.successors.at(i);
    std::string key =
        absl::StrCat(s.parent[i], " ", write(batch.at(s.parent[i]), s.move[i]), " ", to_text(*set_, result));
    if (!seen.insert(std::move(key)).second) continue;
    s.successors.set(kept, result);
    s.parent[kept] = s.parent[i];
    s.move[kept] = s.move[i];
    ++kept;
  }
  s.successors.size = kept;
}

void Rules::judge(const PositionBatch& batch, Scratch& s, std::vector<std::uint8_t>& ended,
                  std::vector<std::int64_t>& margin) const {
  if (ended.size() < batch.size) ended.resize(batch.capacity());
  if (margin.size() < batch.size) margin.resize(batch.capacity());
  for (std::size_t begin = 0; begin < batch.size; begin += kLanes) {
    judge(batch, begin, std::min(kLanes, batch.size - begin), s, ended.data() + begin, margin.data() + begin);
  }
}

void Rules::judge(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Scratch& s, std::uint8_t* ended,
                  std::int64_t* margin) const {
  std::vector<const std::uint64_t*> cells;
  std::vector<const std::uint8_t*> bytes;
  ended_.run(input(batch, begin, cells, bytes), lanes, s.work_);
  ended_.read_set(0, lanes, s.work_, s.destination_.data());
  std::size_t count = 0;
  for (std::size_t k = 0; k < lanes; ++k) {
    ended[k] = s.destination_[k] != 0 ? 1 : 0;
    if (ended[k] == 0) continue;
    s.origin_parent_[count] = static_cast<std::uint32_t>(k);
    s.origins_.set(count++, batch.at(begin + k));
  }
  if (count == 0) return;
  score_.run(input(s.origins_, 0, cells, bytes), count, s.work_);
  score_.read_number(0, count, s.work_, s.numbers_.data());
  for (std::size_t k = 0; k < count; ++k) margin[s.origin_parent_[k]] = s.numbers_[k];
  if (set_->tiebreak >= 0) {
    score_.read_number(1, count, s.work_, s.numbers_.data());
    for (std::size_t k = 0; k < count; ++k) {
      std::int64_t& m = margin[s.origin_parent_[k]];
      if (m == 0) m = sign(s.numbers_[k]) * set_->denominator;
    }
  }
  if (set_->outcome_only) {
    for (std::size_t k = 0; k < count; ++k) margin[s.origin_parent_[k]] = sign(margin[s.origin_parent_[k]]);
  }
}

absl::StatusOr<MoverValue> Rules::stuck(const Position& position) const {
  const std::int64_t one = set_->denominator;
  switch (set_->stuck) {
    case Stuck::loses:
      return MoverValue{{-one}};
    case Stuck::wins:
      return MoverValue{{one}};
    case Stuck::ties:
      return MoverValue{{0}};
    case Stuck::scores: {
      PositionBatch batch(set_->layout.count(), static_cast<int>(set_->slots.size()));
      batch.push(position);
      Scratch s(*this);
      std::vector<const std::uint64_t*> cells;
      std::vector<const std::uint8_t*> bytes;
      score_.run(input(batch, 0, cells, bytes), 1, s.work_);
      std::int64_t margin = 0;
      score_.read_number(0, 1, s.work_, &margin);
      if (margin == 0 && set_->tiebreak >= 0) {
        score_.read_number(1, 1, s.work_, &margin);
        margin = sign(margin) * one;
      }
      return MoverValue{{set_->outcome_only ? sign(margin) : margin}};
    }
    case Stuck::pass:
    case Stuck::unstated:
      break;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "the player to move has no move, and the description does not say what that means, in the position\n    ",
      to_text(*set_, position), "\n  add stuck = \"loses\" (or wins, ties, scores, pass) under [end]"));
}

std::string Rules::write(const Position& position, const Move& move) const {
  if (move.rule == kForcedPass || set_->moves[move.rule].kind == MoveRule::Kind::pass) return "pass";
  const MoveRule& rule = set_->moves[move.rule];
  const Board& board = set_->board;
  if (rule.kind == MoveRule::Kind::remove) return board.cell_name(move.from) + "-off";
  if (rule.kind == MoveRule::Kind::move) return absl::StrCat(board.cell_name(move.from), "-", board.cell_name(move.to));
  std::string out;
  if (rule.choice) {
    const PlaneChoice& put = rule.put[move.choice];
    for (std::size_t k = 0; k < set_->kinds.size(); ++k) {
      const PlaneChoice plane = set_->plane_of(k);
      const bool same =
          position.mover == Player::first ? plane.if_first == put.if_first : plane.if_second == put.if_second;
      if (same) out = absl::StrCat(set_->kinds[k].letter, "@");
    }
  }
  CellSet stones = 0;
  for (const CellSet plane : position.planes) stones |= plane;
  return absl::StrCat(out, board.cell_name(move.to), (stones & cell_bit(move.to)) != 0 ? "*" : "");
}

std::uint64_t Rules::board_order(const Move& move) const {
  const bool pass = move.from == kNoCell && move.to == kNoCell;
  const Cell first = move.from != kNoCell ? move.from : move.to;
  const std::uint64_t second = move.from != kNoCell ? std::uint64_t{move.to} + 1 : 0;
  return (std::uint64_t{pass ? 1U : 0U} << 40) | (std::uint64_t{first} << 32) | (second << 16) |
         (std::uint64_t{move.choice} << 8) | move.rule;
}

bool Rules::in_pie(const Move& move) const {
  if (move.rule == kForcedPass) return false;
  const MoveRule& rule = set_->moves[move.rule];
  return std::find(set_->pie_moves.begin(), set_->pie_moves.end(), rule.name) != set_->pie_moves.end();
}

}  // namespace plenum
