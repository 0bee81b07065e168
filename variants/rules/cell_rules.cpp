// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/cell_rules.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <absl/container/flat_hash_map.h>
#include <absl/strings/str_cat.h>

#include "variants/graph/cell_contents.h"
#include "variants/rules/goal.h"
#include "variants/rules/tiers.h"
#include "variants/text/status_macros.h"

namespace plenum {

CellRules::Space::Space(const CellRules& rules)
    : before(static_cast<std::size_t>(rules.set().layout.count()), std::vector<std::uint64_t>(kLanes)),
      passes_before(kLanes),
      sets(rules.moves_.roots(), std::vector<std::uint64_t>(kLanes)),
      destination(kLanes),
      numbers(kLanes),
      origins(rules.batch()),
      origin(kLanes),
      origin_placed(kLanes),
      origin_taken(kLanes),
      origin_trail(kLanes),
      range(kLanes),
      origin_parent(kLanes) {
  origins.grow(kLanes);
}

void CellRules::find(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Scratch& s) const {
  InputPointers pointers;
  moves_.run(program_input(batch, begin, pointers), lanes, space(s).work);
  for (std::size_t r = 0; r < moves_.roots(); ++r) moves_.read_set(r, lanes, space(s).work, space(s).sets[r].data());
}

void CellRules::find_sets(const PositionBatch& batch, Scratch& s) const {
  for (std::size_t begin = 0; begin < batch.size; begin += kLanes)
    find(batch, begin, std::min(kLanes, batch.size - begin), s);
}

absl::Status CellRules::expand(const PositionBatch& batch, Scratch& s) const {
  s.successors.clear();
  s.long_moves.clear();
  for (std::size_t begin = 0; begin < batch.size; begin += kLanes) {
    const std::size_t lanes = std::min(kLanes, batch.size - begin);
    const std::size_t first = s.successors.size;
    find(batch, begin, lanes, s);
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      const std::size_t from = s.successors.size;
      generate(steps_[k], static_cast<std::uint8_t>(k), {batch, begin, lanes, space(s).sets}, s);
      const MoveRule& rule = *steps_[k].rule;
      copy_state(batch, from,
                 rule.kind == MoveRule::Kind::pass ? Passes::rise
                 : !rule.next.empty()              ? Passes::stand
                                                   : Passes::end,
                 s);
      RETURN_IF_ERROR(finish(steps_[k], batch, from, s));
      if (rule.next.empty()) continue;
      RETURN_IF_ERROR(go_on(rule.next, 0, from, s));
      std::fill(s.successors.passes.data() + from, s.successors.passes.data() + s.successors.size, std::uint8_t{0});
    }
    if (set().stuck == Stuck::pass) {
      std::vector<bool> moved(lanes, false);
      for (std::size_t i = first; i < s.successors.size; ++i) moved[s.parent[i] - begin] = true;
      const std::size_t from = s.successors.size;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        if (!moved[lane]) add_unchanged(batch, begin + lane, {{kForcedPass, 0, kNoCell, kNoCell}, {}}, s);
      }
      copy_state(batch, from, Passes::rise, s);
    }
  }
  if (may_repeat_) merge_equal(batch, s);
  end_turn(s);
  judge(s.successors, s, s.ended, s.margin);
  return absl::OkStatus();
}

absl::Status CellRules::change_state(std::size_t rule, const PositionBatch& batch, Scratch& s) const {
  s.successors.clear();
  for (std::size_t i = 0; i < batch.size; ++i)
    add_unchanged(batch, i, {{static_cast<std::uint8_t>(rule), 0, kNoCell, kNoCell}, {}}, s);
  copy_state(batch, 0, Passes::end, s);
  RETURN_IF_ERROR(finish(steps_[rule], batch, 0, s));
  end_turn(s);
  return absl::OkStatus();
}

// Effects of the moves made from `from` on, and which of them are legal. `batch` holds their parents.
absl::Status CellRules::finish(const Step& step, const PositionBatch& batch, std::size_t from, Scratch& s,
                               const std::uint64_t* trail_before) const {
  if (!step.effect && step.rule->next.empty()) return absl::OkStatus();
  PositionBatch& out = s.successors;
  if (space(s).placed.size() < out.capacity()) {
    space(s).placed.resize(out.capacity());
    space(s).taken.resize(out.capacity());
    space(s).legal.resize(out.capacity());
    if (reads_trail_) space(s).trail.resize(out.capacity());
  }
  bool all_legal = true;
  for (std::size_t begin = from; begin < out.size; begin += kLanes) {
    const std::size_t lanes = std::min(kLanes, out.size - begin);
    std::uint64_t* const placed = space(s).placed.data() + begin;
    std::uint64_t* const taken = space(s).taken.data() + begin;
    for (std::size_t k = 0; step.reads_placed && k < lanes; ++k) {
      const Part& part = s.move[begin + k].first;
      placed[k] = step.rule->shaped    ? step.rule->placements[part.placement()]
                  : part.to == kNoCell ? 0
                                       : cell_bit(part.to);
    }
    if (step.reads_taken) {  // what was emptied and not filled again
      std::fill_n(taken, lanes, std::uint64_t{0});
      for (const auto& plane : batch.planes) {
        for (std::size_t k = 0; k < lanes; ++k) taken[k] |= plane[s.parent[begin + k]];
      }
      for (const auto& plane : out.planes) {
        for (std::size_t k = 0; k < lanes; ++k) taken[k] &= ~plane[begin + k];
      }
    }
    for (std::size_t k = 0; reads_trail_ && !step.rule->next.empty() && k < lanes; ++k) {
      const CellSet before = trail_before == nullptr ? 0 : trail_before[s.parent[begin + k]];
      space(s).trail[begin + k] = before | placed[k] | taken[k];
    }
    if (!step.effect) continue;
    RETURN_IF_ERROR(apply_effect(step, batch, begin, lanes, s));
    if (!step.effect->legal) continue;
    all_legal &= std::all_of(space(s).legal.begin() + static_cast<std::ptrdiff_t>(begin),
                             space(s).legal.begin() + static_cast<std::ptrdiff_t>(begin + lanes),
                             [](std::uint8_t one) { return one != 0; });
  }
  if (!all_legal) drop_illegal(from, s);
  return absl::OkStatus();
}

absl::Status CellRules::apply_effect(const Step& step, const PositionBatch& batch, std::size_t begin, std::size_t lanes,
                                     Scratch& s) const {
  InputPointers pointers;
  const ProgramInput in = program_input(s.successors, begin, pointers);
  const std::uint32_t* const parent = s.parent.data() + begin;
  const StepEffect& effect = *step.effect;
  const Program& program = effect.program;
  for (const std::size_t p : effect.planes_before) {
    for (std::size_t k = 0; k < lanes; ++k) space(s).before[p][k] = batch.planes[p][parent[k]];
    pointers.cells[kPlanesBefore + p] = space(s).before[p].data();
  }
  if (effect.reads_passes) {
    for (std::size_t k = 0; k < lanes; ++k) space(s).passes_before[k] = batch.passes[parent[k]];
    pointers.bytes[kPassesByte] = space(s).passes_before.data();
  }
  pointers.cells[kPlaced] = space(s).placed.data() + begin;
  pointers.cells[kTaken] = space(s).taken.data() + begin;
  std::vector<std::uint64_t>& cells = space(s).destination;
  program.run(in, lanes, space(s).work);
  if (effect.invalid) {
    program.read_set(*effect.invalid, lanes, space(s).work, cells.data());
    for (std::size_t k = 0; k < lanes; ++k) {
      if (cells[k] == 0) continue;
      const Position before = batch.at(parent[k]);
      return absl::InvalidArgumentError(
          absl::StrCat("the move ", write_part(before, *step.rule, s.move[begin + k].first), " of '", step.rule->name,
                       "' drives a number of the state out of its range, from the position\n    ", write(before),
                       "\n  widen the range under [state], or guard the assignment with if"));
    }
  }
  if (effect.legal) {
    program.read_set(*effect.legal, lanes, space(s).work, cells.data());
    for (std::size_t k = 0; k < lanes; ++k) space(s).legal[begin + k] = cells[k] != 0 ? 1 : 0;
  }
  for (const auto& [plane, root] : effect.planes)
    program.read_set(root, lanes, space(s).work, s.successors.planes[plane].data() + begin);
  for (const auto& [slot, root] : effect.state) {
    const StateSlot& state = set().slots[slot];
    std::uint8_t* const to = s.successors.state[slot].data() + begin;
    if (state.type == StateDescription::Type::boolean) {
      program.read_set(root, lanes, space(s).work, cells.data());
      for (std::size_t k = 0; k < lanes; ++k) to[k] = cells[k] != 0 ? 1 : 0;
    } else {
      program.read_number(root, lanes, space(s).work, space(s).numbers.data());
      const std::int64_t least = state.type == StateDescription::Type::number ? state.range.least : 0;
      for (std::size_t k = 0; k < lanes; ++k) to[k] = static_cast<std::uint8_t>(space(s).numbers[k] - least);
    }
  }
  return absl::OkStatus();
}

void CellRules::drop_illegal(std::size_t from, Scratch& s) const {
  std::size_t kept = from;
  for (std::size_t i = from; i < s.successors.size; ++i) {
    if (space(s).legal[i] == 0) continue;
    if (kept != i) {
      s.successors.copy(i, kept);
      s.parent[kept] = s.parent[i];
      s.move[kept] = s.move[i];
      space(s).placed[kept] = space(s).placed[i];
      space(s).taken[kept] = space(s).taken[i];
      if (reads_trail_) space(s).trail[kept] = space(s).trail[i];
    }
    ++kept;
  }
  s.successors.size = kept;
}

// The other player is to move: what was mine is theirs.
void CellRules::end_turn(Scratch& s) const {
  PositionBatch& b = s.successors;
  for (int p = 0; p < set().layout.own; ++p)
    std::swap(b.planes[static_cast<std::size_t>(p)], b.planes[static_cast<std::size_t>(p + set().layout.own)]);
  const std::size_t size = b.size;
  std::uint8_t* const first = b.mover_is_first.data();
  for (std::size_t i = 0; i < size; ++i) first[i] ^= 1U;
  for (std::size_t k = 0; k < set().slots.size(); ++k) {
    const StateSlot& slot = set().slots[k];
    if (slot.type == StateDescription::Type::player) {
      std::uint8_t* const who = b.state[k].data();  // 1 and 2 change places
      for (std::size_t i = 0; i < size; ++i) who[i] = static_cast<std::uint8_t>(who[i] == 0 ? 0 : 3 - who[i]);
    } else if (slot.partner > static_cast<int>(k)) {
      std::swap(b.state[k], b.state[static_cast<std::size_t>(slot.partner)]);
    }
  }
}

namespace {

// Equal for positions that are.
std::uint64_t hash_of(const PositionBatch& b, std::size_t i) {
  std::uint64_t out = b.passes[i];
  const auto mix = [&](std::uint64_t with) {
    out = (out ^ with) * 0x9E3779B97F4A7C15;
    out ^= out >> 32;
  };
  for (const auto& plane : b.planes) mix(plane[i]);
  for (const auto& slot : b.state) mix(slot[i]);
  return out;
}

bool same_position(const PositionBatch& b, std::size_t i, std::size_t k) {
  const auto same = [&](const auto& column) { return column[i] == column[k]; };
  return same(b.passes) && same(b.mover_is_first) && std::all_of(b.planes.begin(), b.planes.end(), same) &&
         std::all_of(b.state.begin(), b.state.end(), same);
}

}  // namespace

// Rule (7) of a turn: two moves of one position that are written alike and lead to one position are one move. Texts take long, so they are
// compared only where two moves lead to one position.
void CellRules::merge_equal(const PositionBatch& batch, Scratch& s) const {
  constexpr std::uint32_t kNoMove = ~std::uint32_t{0};
  absl::flat_hash_map<std::uint64_t, std::uint32_t> last;  // of the moves kept with a hash
  std::vector<std::uint32_t> before;  // by move kept, the one with its hash that was kept before it
  last.reserve(s.successors.size);
  before.reserve(s.successors.size);
  const auto text = [&](std::size_t i) { return write(batch.at(s.parent[i]), s.move_of(i)); };
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < s.successors.size; ++i) {
    const std::uint64_t hash = hash_of(s.successors, i) + s.parent[i];
    std::uint32_t& newest = last.try_emplace(hash, kNoMove).first->second;
    const auto is_known = [&] {
      for (std::uint32_t k = newest; k != kNoMove; k = before[k]) {
        if (s.parent[k] == s.parent[i] && same_position(s.successors, k, i) && text(k) == text(i)) return true;
      }
      return false;
    };
    if (is_known()) continue;
    s.successors.copy(i, kept);
    s.parent[kept] = s.parent[i];
    s.move[kept] = s.move[i];
    before.push_back(newest);
    newest = kept++;
  }
  s.successors.size = kept;
}

void CellRules::judge(const PositionBatch& batch, Scratch& s, std::vector<std::uint8_t>& ended,
                      std::vector<std::int64_t>& margin) const {
  if (ended.size() < batch.size) ended.resize(batch.capacity());
  if (margin.size() < batch.size) margin.resize(batch.capacity());
  for (std::size_t begin = 0; begin < batch.size; begin += kLanes) {
    judge(batch, begin, std::min(kLanes, batch.size - begin), s, ended.data() + begin, margin.data() + begin);
  }
}

void CellRules::judge(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Scratch& s, std::uint8_t* ended,
                      std::int64_t* margin) const {
  InputPointers pointers;
  ended_.run(program_input(batch, begin, pointers), lanes, space(s).work);
  ended_.read_set(0, lanes, space(s).work, space(s).destination.data());
  std::size_t count = 0;
  for (std::size_t k = 0; k < lanes; ++k) {
    ended[k] = space(s).destination[k] != 0 ? 1 : 0;
    if (ended[k] == 0) continue;
    space(s).origin_parent[count] = static_cast<std::uint32_t>(k);
    space(s).origins.set(count++, batch.at(begin + k));
  }
  if (count == 0) return;
  run_score(space(s).origins, 0, count, s, space(s).numbers.data());
  for (std::size_t k = 0; k < count; ++k) margin[space(s).origin_parent[k]] = space(s).numbers[k];
}

void CellRules::score(const PositionBatch& batch, Scratch& s, std::vector<std::int64_t>& margin) const {
  if (margin.size() < batch.size) margin.resize(batch.capacity());
  for (std::size_t begin = 0; begin < batch.size; begin += kLanes)
    run_score(batch, begin, std::min(kLanes, batch.size - begin), s, margin.data() + begin);
}

// The margins of positions begin..begin + lanes, ties broken, as if all of them had ended.
void CellRules::run_score(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Scratch& s,
                          std::int64_t* margin) const {
  InputPointers pointers;
  score_.run(program_input(batch, begin, pointers), lanes, space(s).work);
  score_.read_number(0, lanes, space(s).work, margin);
  if (set().tiebreak >= 0) {
    std::array<std::int64_t, kLanes> tiebreak;
    score_.read_number(1, lanes, space(s).work, tiebreak.data());
    for (std::size_t k = 0; k < lanes; ++k) {
      if (margin[k] == 0) margin[k] = sign(tiebreak[k]) * set().denominator;
    }
  }
  if (set().outcome_only) std::transform(margin, margin + lanes, margin, sign);
}

absl::StatusOr<MoverValue> CellRules::stuck(const Position& position) const {
  const std::int64_t one = set().denominator;
  switch (set().stuck) {
    case Stuck::loses:
      return MoverValue{{-one}};
    case Stuck::wins:
      return MoverValue{{one}};
    case Stuck::ties:
      return MoverValue{{0}};
    case Stuck::scores: {
      PositionBatch batch = this->batch();
      batch.push(position);
      Scratch s(*this);
      std::int64_t margin = 0;
      run_score(batch, 0, 1, s, &margin);
      return MoverValue{{margin}};
    }
    case Stuck::pass:
    case Stuck::unstated:
      break;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the player to move has no move, and the description does not say what that means, on ",
                   board().name(), " in the position\n    ", write(position),
                   "\n  add stuck = \"loses\" (or wins, ties, scores, pass) under [end]"));
}

int CellRules::stones(const Position& position) const { return std::popcount(occupied_cells(position)); }

std::string CellRules::always_a_move() const {
  if (set().always_a_move) return "Yes";
  if (set().stuck == Stuck::unstated)
    return "That is not proven, and the description does not say what it means to have none";
  return "Not proven; the description says what it means to have none";
}

std::unique_ptr<const Tiers> CellRules::tiers(const SymmetryGroup& symmetries) const {
  return move_tiers(set(), symmetries);
}

std::unique_ptr<const GoalBound> CellRules::goal_bound() const { return count_goal_bound(set()); }

double CellRules::most_placements(const Position& /*start*/) const {
  return std::pow(static_cast<double>(set().kinds.size() + 1), board().size());
}

}  // namespace plenum
