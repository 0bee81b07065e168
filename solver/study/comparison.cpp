// SPDX-License-Identifier: Apache-2.0
#include "solver/study/comparison.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include <absl/strings/str_cat.h>

#include "solver/graph/best_line.h"
#include "solver/support/parallel.h"

namespace plenum {
namespace {

std::size_t index_of(Player mover) { return mover == Player::first ? 0 : 1; }

// What a slot holds at the start, as it is stored where `mover` is to move.
std::uint8_t start_of(const RuleSet& rules, std::size_t slot, Player mover) {
  const std::uint8_t start = start_position(rules).state[slot];
  const bool player = rules.slots[slot].type == StateDescription::Type::player;
  return player && start != 0 && mover == Player::second ? static_cast<std::uint8_t>(3 - start) : start;
}

}  // namespace

PositionMap::PositionMap(const RuleSet& from, const RuleSet& to)
    : planes_(from.layout.count()), passes_from_(from.passes_live), most_passes_(to.passes_live ? to.passes_cap : 0) {
  for (auto& planes : plane_) planes.fill(-1);
  if (from.pieces && to.pieces) {
    pieces_from_ = from.pieces;
    pieces_to_ = to.pieces;
  }
  for (std::size_t k = 0; k < from.kinds.size(); ++k) {
    for (std::size_t other = 0; other < to.kinds.size(); ++other) {
      if (from.kinds[k].letter != to.kinds[other].letter) continue;
      const PlaneChoice here = from.plane_of(k);
      const PlaneChoice there = to.plane_of(other);
      plane_[0][static_cast<std::size_t>(here.if_first)] = there.if_first;
      plane_[1][static_cast<std::size_t>(here.if_second)] = there.if_second;
    }
  }
  // Of a number kept for each player, the mover's slot corresponds to the mover's.
  const auto corresponds = [](const RuleSet& a, std::size_t i, const RuleSet& b, std::size_t k) {
    const StateSlot& x = a.slots[i];
    const StateSlot& y = b.slots[k];
    return x.live && y.live && x.written == y.written && x.type == y.type && x.each == y.each &&
           (!x.each || (x.partner > static_cast<int>(i)) == (y.partner > static_cast<int>(k)));
  };
  const auto slot_of = [](const RuleSet& rules, std::size_t i) {
    Slot out;
    out.live = rules.slots[i].live;
    out.start[0] = start_of(rules, i, Player::first);
    out.start[1] = start_of(rules, i, Player::second);
    return out;
  };
  for (std::size_t i = 0; i < from.slots.size(); ++i) {
    Slot slot = slot_of(from, i);
    for (std::size_t k = 0; k < to.slots.size(); ++k) {
      if (!corresponds(from, i, to, k)) continue;
      slot.to = static_cast<int>(k);
      const bool number = to.slots[k].type == StateDescription::Type::number;
      slot.shift = number ? from.slots[i].range.least - to.slots[k].range.least : 0;
      slot.most = number ? to.slots[k].range.greatest - to.slots[k].range.least : 2;
    }
    slots_.push_back(slot);
  }
  for (std::size_t k = 0; k < to.slots.size(); ++k) {
    bool known = false;
    for (std::size_t i = 0; i < from.slots.size(); ++i) known = known || corresponds(from, i, to, k);
    if (known || !to.slots[k].live) continue;
    fresh_.push_back(slot_of(to, k));
    fresh_.back().to = static_cast<int>(k);
  }
}

// Man by man.
bool PositionMap::map_men(const Position& p, Position& out) const {
  for (const Man& man : pieces_from_->men_of(p)) {
    const std::string& letter = pieces_from_->kinds[man.kind].letter;
    const auto kind = std::find_if(pieces_to_->kinds.begin(), pieces_to_->kinds.end(),
                                   [&](const PieceKind& k) { return k.letter == letter; });
    if (kind == pieces_to_->kinds.end()) return false;
    if (!pieces_to_->crowds && pieces_to_->count(out, man.cell) > 0) return false;
    const bool movers = man.owner == p.mover;
    if (!pieces_to_->add(out, movers, static_cast<std::size_t>(kind - pieces_to_->kinds.begin()), man.cell))
      return false;
  }
  if (pieces_from_->passed_plane < 0) return true;
  const CellSet passed = p.planes[static_cast<std::size_t>(pieces_from_->passed_plane)];
  if (passed != 0 && pieces_to_->passed_plane < 0) return false;
  if (passed != 0) out.planes[static_cast<std::size_t>(pieces_to_->passed_plane)] = passed;
  return true;
}

std::optional<Position> PositionMap::operator()(const Position& p) const {
  Position out;
  out.mover = p.mover;
  const std::size_t mover = index_of(p.mover);
  if (pieces_from_ && !map_men(p, out)) return std::nullopt;
  for (std::size_t k = 0; k < static_cast<std::size_t>(planes_) && !pieces_from_; ++k) {
    if (p.planes[k] == 0) continue;
    const int to = plane_[mover][k];
    if (to < 0) return std::nullopt;
    out.planes[static_cast<std::size_t>(to)] = p.planes[k];
  }
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (!slot.live) continue;
    if (slot.to < 0) {
      if (p.state[i] != slot.start[mover]) return std::nullopt;
      continue;
    }
    const std::int64_t value = p.state[i] + slot.shift;
    if (value < 0 || value > slot.most) return std::nullopt;
    out.state[static_cast<std::size_t>(slot.to)] = static_cast<std::uint8_t>(value);
  }
  for (const Slot& slot : fresh_) out.state[static_cast<std::size_t>(slot.to)] = slot.start[mover];
  if (passes_from_ && p.passes > most_passes_) return std::nullopt;
  out.passes = passes_from_ ? p.passes : std::uint8_t{0};
  return out;
}

Comparison& Comparison::operator+=(const Comparison& other) {
  common += other.common;
  changed += other.changed;
  same_outcome += other.same_outcome;
  plies += other.plies;
  forced += other.forced;
  ended += other.ended;
  for (std::size_t i = 0; i < kOutcomes; ++i) {
    for (std::size_t k = 0; k < kOutcomes; ++k) outcomes[i][k] += other.outcomes[i][k];
  }
  return *this;
}

absl::StatusOr<ComparedGames> ComparedGames::make(const SolvedGame& a, const SolvedGame& b) {
  const Board& board = a.variant().board();
  const Board& other = b.variant().board();
  bool same = board.size() == other.size() && board.rows() == other.rows();
  for (int c = 0; same && c < board.size(); ++c)
    same = board.cell_name(static_cast<Cell>(c)) == other.cell_name(static_cast<Cell>(c));
  if (same) return ComparedGames(a, b);
  return absl::InvalidArgumentError(absl::StrCat("the games are on different boards: ", board.name(), " and ",
                                                 other.name(), "\n  give one board for both with --board"));
}

// Margins are fractions with a denominator each: equal if they are so in lowest terms.
bool ComparedGames::same_value(const PositionValue& a, const PositionValue& b) const {
  const auto lowest = [](Margin margin, std::int64_t denominator) {
    const std::int64_t common = std::max<std::int64_t>(1, std::gcd(margin.units, denominator));
    return std::pair(margin.units / common, denominator / common);
  };
  return a.outcome == b.outcome && lowest(a.margin.margin, a_->variant().rules().denominator()) ==
                                       lowest(b.margin.margin, b_->variant().rules().denominator());
}

std::optional<PositionValue> ComparedGames::value_in_b(const Position& position) const {
  const std::optional<Position> there = map_(position);
  return there ? b_->reachable_value(*there) : std::nullopt;
}

Comparison ComparedGames::count() const {
  const PositionGraph& graph = a_->graph();
  const SymmetryGroup& symmetries = a_->variant().symmetries();
  return chunked_sum<Comparison>(graph.size(), [&](std::size_t from, std::size_t to) {
    Comparison sum;
    for (std::size_t i = from; i < to; ++i) {
      const auto p = static_cast<PositionIndex>(i);
      const Position stored = a_->store().position(p);
      const auto stabilizer = graph.stabilizer_of(p);
      for (std::size_t element = 0; element < symmetries.size(); ++element) {
        const auto g = static_cast<GroupElement>(element);
        // Each image once: by the least of the elements that make it.
        const bool least = std::all_of(stabilizer.begin(), stabilizer.end(),
                                       [&](GroupElement x) { return graph.group.multiply(g, x) >= g; });
        if (!least || !a_->lifts().contains(p, g)) continue;
        const Position position = symmetries.apply(g, stored);
        const std::optional<PositionValue> b = value_in_b(position);
        if (!b) continue;
        const PositionValue a = a_->value_of(p, position.mover);
        ++sum.common;
        ++sum.outcomes[static_cast<std::size_t>(a.outcome)][static_cast<std::size_t>(b->outcome)];
        if (!same_value(a, *b)) {
          ++sum.changed;
          sum.same_outcome += a.outcome == b->outcome ? 1 : 0;
        } else {
          sum.plies += a.plies != b->plies ? 1 : 0;
          sum.forced += a.forced_cycle != b->forced_cycle ? 1 : 0;
        }
        sum.ended += a.ended != b->ended ? 1 : 0;
      }
    }
    return sum;
  });
}

std::vector<ComparedOpening> ComparedGames::openings() const {
  std::vector<ComparedOpening> out;
  for (const Opening& opening : a_->openings()) out.push_back({opening.text, opening.after, std::nullopt, false});
  for (const Opening& opening : b_->openings()) {
    auto known = std::find_if(out.begin(), out.end(), [&](const auto& o) { return o.text == opening.text; });
    if (known == out.end()) {
      out.push_back({opening.text, std::nullopt, opening.after, false});
    } else {
      known->b = opening.after;
      known->changed = !same_value(*known->a, opening.after);
    }
  }
  return out;
}

absl::StatusOr<ComparedPosition> ComparedGames::compare(const Position& position) const {
  const Position there = *map_(position);
  ComparedPosition out{position, there, *a_->value(position), *b_->value(there), {}};
  const absl::StatusOr<std::vector<ValuedMove>> in_a = a_->moves(position);
  if (!in_a.ok()) return in_a.status();
  const absl::StatusOr<std::vector<ValuedMove>> in_b = b_->moves(there);
  if (!in_b.ok()) return in_b.status();
  // Moves correspond if they are written alike and lead to the same position; else those that are at least written alike.
  std::vector<bool> taken(in_b->size(), false);
  std::vector<std::size_t> partner(in_a->size(), in_b->size());
  for (const bool exactly : {true, false}) {
    for (std::size_t i = 0; i < in_a->size(); ++i) {
      const Successor& a = (*in_a)[i].successor;
      for (std::size_t k = 0; k < in_b->size() && partner[i] == in_b->size(); ++k) {
        const Successor& b = (*in_b)[k].successor;
        if (taken[k] || a.text != b.text || (exactly && !same(a.position, b.position))) continue;
        taken[k] = true;
        partner[i] = k;
      }
    }
  }
  for (std::size_t i = 0; i < in_a->size(); ++i) {
    const ValuedMove& move = (*in_a)[i];
    out.moves.push_back({move.successor.text, move.after, std::nullopt, move.keeps, false});
    if (partner[i] == in_b->size()) continue;
    out.moves.back().b = (*in_b)[partner[i]].after;
    out.moves.back().keeps_b = (*in_b)[partner[i]].keeps;
  }
  for (std::size_t k = 0; k < in_b->size(); ++k) {
    const ValuedMove& move = (*in_b)[k];
    if (!taken[k]) out.moves.push_back({move.successor.text, std::nullopt, move.after, false, move.keeps});
  }
  return out;
}

absl::StatusOr<bool> ComparedGames::playable_in_b(const Line& line) const {
  Position there = b_->start();
  if (!same(line.begin, there)) return false;
  for (const LineMove& move : line.moves) {
    const absl::StatusOr<std::vector<ValuedMove>> moves = b_->moves(there);
    if (!moves.ok()) return moves.status();
    const auto made = std::find_if(moves->begin(), moves->end(), [&](const ValuedMove& m) {
      return m.successor.text == move.text && same(move.after, m.successor.position);
    });
    if (made == moves->end()) return false;
    there = made->successor.position;
  }
  return true;
}

absl::StatusOr<std::vector<Change>> ComparedGames::nearest_changes(std::size_t most) const {
  const SymmetryGroup& symmetries = a_->variant().symmetries();
  const ShortestLines lines(*a_, ShortestLines::Fold::none);
  std::set<std::pair<PositionIndex, PositionIndex>> shown;  // stored in a and in b
  absl::StatusOr<std::vector<Line>> found = lines.find(
      [&](PositionIndex p, GroupElement g) {
        const Position position = symmetries.apply(g, a_->store().position(p));
        const std::optional<PositionValue> b = value_in_b(position);
        if (!b || same_value(a_->value_of(p, position.mover), *b)) return false;
        // Its images in both games are no news.
        const auto q = b_->store().find(b_->variant().symmetries().canonical(*map_(position)).position);
        return shown.emplace(p, *q).second;
      },
      most);
  if (!found.ok()) return found.status();
  std::vector<Change> out;
  for (Line& line : *found) {
    absl::StatusOr<ComparedPosition> at = compare(line.end());
    if (!at.ok()) return at.status();
    const absl::StatusOr<bool> playable = playable_in_b(line);
    if (!playable.ok()) return playable.status();
    out.push_back({std::move(line), *playable, *std::move(at)});
  }
  return out;
}

absl::StatusOr<std::optional<Parting>> ComparedGames::parting() const {
  BestLines best_a(*a_);
  BestLines best_b(*b_);
  Position at = a_->start();
  Position there = b_->start();
  const Player force_a = best_a.forcing(at);
  const Player force_b = best_b.forcing(there);
  Parting out;
  std::set<std::string> seen;
  while (same(at, there) && seen.insert(to_text(a_->variant().rule_set(), at)).second) {
    const absl::StatusOr<std::vector<ValuedMove>> in_a = best_a.best(at, force_a);
    if (!in_a.ok()) return in_a.status();
    const absl::StatusOr<std::vector<ValuedMove>> in_b = best_b.best(there, force_b);
    if (!in_b.ok()) return in_b.status();
    const ValuedMove* next_a = nullptr;
    const ValuedMove* next_b = nullptr;
    for (const ValuedMove& a : *in_a) {
      const auto b = std::find_if(in_b->begin(), in_b->end(), [&](const ValuedMove& m) {
        return m.successor.text == a.successor.text && same(a.successor.position, m.successor.position);
      });
      if (b == in_b->end()) continue;
      next_a = &a;
      next_b = &*b;
      break;
    }
    if (next_a == nullptr) {
      if (in_a->empty() && in_b->empty()) return std::optional<Parting>();  // ended in both
      absl::StatusOr<ComparedPosition> parted = compare(at);
      if (!parted.ok()) return parted.status();
      out.at = *std::move(parted);
      for (const ValuedMove& move : *in_a) out.best_a.push_back(move.successor.text);
      for (const ValuedMove& move : *in_b) out.best_b.push_back(move.successor.text);
      return std::optional<Parting>(std::move(out));
    }
    out.line.push_back(next_a->successor.text);
    const Position next = next_a->successor.position;
    there = next_b->successor.position;
    at = next;
  }
  return std::optional<Parting>();
}

}  // namespace plenum
