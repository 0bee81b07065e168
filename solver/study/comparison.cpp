// SPDX-License-Identifier: Apache-2.0
#include "solver/study/comparison.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include <absl/strings/str_cat.h>

#include "solver/study/look_through.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

std::size_t index_of(Player mover) { return mover == Player::first ? 0 : 1; }

// What a slot holds at the start, as it is stored where `mover` is to move.
std::uint8_t start_of(const Rules& rules, std::size_t slot, Player mover) {
  const Position at_start = rules.start();
  const std::uint8_t start = at_start.state[slot];
  const bool player = rules.set().slots[slot].type == StateDescription::Type::player;
  return player && start != 0 && mover != at_start.mover ? static_cast<std::uint8_t>(3 - start) : start;
}

}  // namespace

PositionMap::PositionMap(const Rules& rules_from, const Rules& rules_to)
    : planes_(rules_from.set().layout.count()), passes_from_(rules_from.set().passes_live) {
  const GameShape& from = rules_from.set();
  const GameShape& to = rules_to.set();
  if (to.passes_live) most_passes_ = to.passes_cap;
  for (auto& planes : plane_) planes.fill(-1);
  pieces_from_ = rules_from.pieces();
  pieces_to_ = rules_to.pieces();
  if (!pieces_from_ || !pieces_to_) pieces_from_ = pieces_to_ = nullptr;
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
  const auto corresponds = [](const GameShape& a, std::size_t i, const GameShape& b, std::size_t k) {
    const StateSlot& x = a.slots[i];
    const StateSlot& y = b.slots[k];
    return x.live && y.live && x.written == y.written && x.type == y.type && x.each == y.each &&
           (!x.each || (x.partner > static_cast<int>(i)) == (y.partner > static_cast<int>(k)));
  };
  const auto slot_of = [](const Rules& rules, std::size_t i) {
    Slot out;
    out.live = rules.set().slots[i].live;
    out.start[0] = start_of(rules, i, Player::first);
    out.start[1] = start_of(rules, i, Player::second);
    return out;
  };
  for (std::size_t i = 0; i < from.slots.size(); ++i) {
    Slot slot = slot_of(rules_from, i);
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
    fresh_.push_back(slot_of(rules_to, k));
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
    const bool movers = man.owner == p.mover;
    if (!pieces_to_->add(out, movers, static_cast<std::size_t>(kind - pieces_to_->kinds.begin()), man.cell))
      return false;
  }
  if (!pieces_to_->lawful(out)) return false;
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

Comparison ComparedCounts::both() const {
  Comparison out = by_mover[0];
  out += by_mover[1];
  return out;
}

absl::StatusOr<ComparedGames> ComparedGames::make(const Result& a, const Result& b) {
  const std::optional<EndingSummary>& of_a = a.summary().ending;
  const std::optional<EndingSummary>& of_b = b.summary().ending;
  if (of_a.has_value() != of_b.has_value())
    return absl::InvalidArgumentError(
        "one of the games is an ending and the other is not\n  give the material of both, as in --set material=KRvK");
  if (of_a && of_a->material != of_b->material)
    return absl::InvalidArgumentError(absl::StrCat("the endings are of different materials: ", of_a->material, " and ",
                                                   of_b->material, "\n  give one for both with --set material=..."));
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

bool ComparedGames::same_start() const {
  return a_->summary().start_value && b_->summary().start_value && same(a_->summary().start, b_->summary().start);
}

absl::StatusOr<std::vector<std::optional<PositionValue>>> ComparedGames::values_in_b(
    std::span<const Position> positions) const {
  std::vector<Position> there;
  std::vector<std::size_t> place;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    std::optional<Position> mapped = map_(positions[i]);
    if (!mapped) continue;
    there.push_back(*mapped);
    place.push_back(i);
  }
  ASSIGN_OR_RETURN(const std::vector<std::optional<PositionValue>> found, b_->values(there, Result::Among::reachable));
  std::vector<std::optional<PositionValue>> out(positions.size());
  for (std::size_t k = 0; k < place.size(); ++k) out[place[k]] = found[k];
  return out;
}

// Images that are alike in the first game count as one if they are so in the second.
Result::Fold ComparedGames::fold() const {
  const std::vector<std::vector<Cell>> in_b = b_->folds();
  for (const std::vector<Cell>& permutation : a_->folds()) {
    if (std::find(in_b.begin(), in_b.end(), permutation) == in_b.end()) return Result::Fold::none;
  }
  return Result::Fold::images;
}

void ComparedGames::add(const Result::Visit& seen, const PositionValue& b, ComparedCounts& to) const {
  const PositionValue& a = seen.value;
  const auto was = static_cast<std::size_t>(a.outcome);
  const auto is = static_cast<std::size_t>(b.outcome);
  Comparison& sum = to.by_mover[index_of(seen.position.mover)];
  sum.common += seen.images;
  sum.outcomes[was][is] += seen.images;
  sum.ended += a.ended != b.ended ? seen.images : 0;
  if (same_value(a, b)) {
    sum.plies += a.plies != b.plies ? seen.images : 0;
    sum.forced += a.forced_cycle != b.forced_cycle ? seen.images : 0;
    return;
  }
  sum.changed += seen.images;
  sum.same_outcome += was == is ? seen.images : 0;
  std::uint32_t soonest = a.plies && b.plies ? std::min(a.plies->count, b.plies->count)
                          : a.plies          ? a.plies->count
                          : b.plies          ? b.plies->count
                                             : 0;
  std::optional<ChangeExample>& known = to.examples[was][is];
  if (!known || soonest < known->plies) known = ChangeExample{soonest, seen.position};
}

absl::StatusOr<ComparedCounts> ComparedGames::count(const GoOnFn& go_on) const {
  if (a_->parts() != 0 && b_->parts() == 0) return b_->each(0, Result::Fold::none, {});
  const auto see = [&](std::span<const Result::Visit> seen, ComparedCounts& to) -> absl::Status {
    std::vector<Position> positions;
    positions.reserve(seen.size());
    for (const Result::Visit& visit : seen) positions.push_back(visit.position);
    ASSIGN_OR_RETURN(const auto b, values_in_b(positions));
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (b[i]) add(seen[i], *b[i], to);
    }
    return absl::OkStatus();
  };
  ASSIGN_OR_RETURN(const auto groups, look_through<ComparedCounts>(*a_, fold(), go_on, see));
  ComparedCounts out;
  for (const ComparedCounts& group : groups) {
    for (std::size_t who = 0; who < 2; ++who) out.by_mover[who] += group.by_mover[who];
    for (std::size_t was = 0; was < kOutcomes; ++was) {
      for (std::size_t is = 0; is < kOutcomes; ++is) {
        const std::optional<ChangeExample>& example = group.examples[was][is];
        std::optional<ChangeExample>& known = out.examples[was][is];
        if (example && (!known || example->plies < known->plies)) known = example;
      }
    }
  }
  return out;
}

absl::StatusOr<std::vector<ComparedPosition>> ComparedGames::examples(const ComparedCounts& counts,
                                                                      std::size_t most) const {
  const Comparison both = counts.both();
  std::vector<std::pair<std::uint64_t, const ChangeExample*>> kinds;
  for (std::size_t was = 0; was < kOutcomes; ++was) {
    for (std::size_t is = 0; is < kOutcomes; ++is) {
      if (counts.examples[was][is]) kinds.emplace_back(both.outcomes[was][is], &*counts.examples[was][is]);
    }
  }
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  std::vector<ComparedPosition> out;
  for (std::size_t i = 0; i < std::min(most, kinds.size()); ++i) {
    ASSIGN_OR_RETURN(out.emplace_back(), compare(kinds[i].second->position));
  }
  return out;
}

std::vector<ComparedOpening> ComparedGames::openings() const {
  std::vector<ComparedOpening> out;
  for (const Opening& opening : a_->summary().openings)
    out.push_back({opening.text, opening.after, std::nullopt, false});
  for (const Opening& opening : b_->summary().openings) {
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
  ASSIGN_OR_RETURN(const PositionValue value_a, a_->value(position));
  ASSIGN_OR_RETURN(const PositionValue value_b, b_->value(there));
  ComparedPosition out{position, there, value_a, value_b, {}};
  ASSIGN_OR_RETURN(const std::vector<ValuedMove> in_a, a_->moves(position));
  ASSIGN_OR_RETURN(const std::vector<ValuedMove> in_b, b_->moves(there));
  // Moves correspond if they are written alike and lead to the same position; else those that are at least written alike.
  std::vector<bool> taken(in_b.size(), false);
  std::vector<std::size_t> partner(in_a.size(), in_b.size());
  for (const bool exactly : {true, false}) {
    for (std::size_t i = 0; i < in_a.size(); ++i) {
      const Successor& a = in_a[i].successor;
      for (std::size_t k = 0; k < in_b.size() && partner[i] == in_b.size(); ++k) {
        const Successor& b = in_b[k].successor;
        if (taken[k] || a.text != b.text || (exactly && !same(a.position, b.position))) continue;
        taken[k] = true;
        partner[i] = k;
      }
    }
  }
  for (std::size_t i = 0; i < in_a.size(); ++i) {
    const ValuedMove& move = in_a[i];
    out.moves.push_back({move.successor.text, move.after, std::nullopt, move.keeps, false});
    if (partner[i] == in_b.size()) continue;
    out.moves.back().b = in_b[partner[i]].after;
    out.moves.back().keeps_b = in_b[partner[i]].keeps;
  }
  for (std::size_t k = 0; k < in_b.size(); ++k) {
    const ValuedMove& move = in_b[k];
    if (!taken[k]) out.moves.push_back({move.successor.text, std::nullopt, move.after, false, move.keeps});
  }
  return out;
}

absl::StatusOr<bool> ComparedGames::playable_in_b(const Line& line) const {
  Position there = b_->summary().start;
  if (!same(line.begin, there)) return false;
  for (const LineMove& move : line.moves) {
    ASSIGN_OR_RETURN(const std::vector<ValuedMove> moves, b_->moves(there));
    const auto made = std::find_if(moves.begin(), moves.end(), [&](const ValuedMove& m) {
      return m.successor.text == move.text && same(move.after, m.successor.position);
    });
    if (made == moves.end()) return false;
    there = made->successor.position;
  }
  return true;
}

absl::StatusOr<std::vector<Change>> ComparedGames::nearest_changes(
    std::size_t most, const std::function<bool(std::uint64_t)>& go_on) const {
  std::set<std::pair<std::string, std::string>> shown;  // as they are folded in a and in b
  std::uint64_t looked = 0;
  const auto folded = [](const Result& game, const Position& p) {
    return game.variant().rules().write(game.variant().symmetries().canonical(p).position);
  };
  const auto changes = [&](const Position& position) -> absl::StatusOr<bool> {
    if (go_on && !go_on(++looked)) return absl::CancelledError("interrupted");
    ASSIGN_OR_RETURN(const auto b, values_in_b({&position, 1}));
    if (!b.front()) return false;
    ASSIGN_OR_RETURN(const PositionValue a, a_->value(position));
    if (same_value(a, *b.front())) return false;
    // Its images in both games are no news.
    return shown.emplace(folded(*a_, position), folded(*b_, *map_(position))).second;
  };
  ASSIGN_OR_RETURN(std::vector<Line> found, a_->shortest_lines(changes, most));
  std::vector<Change> out;
  for (Line& line : found) {
    ASSIGN_OR_RETURN(ComparedPosition at, compare(line.end()));
    ASSIGN_OR_RETURN(const bool playable, playable_in_b(line));
    out.push_back({std::move(line), playable, std::move(at)});
  }
  return out;
}

absl::StatusOr<std::optional<Parting>> ComparedGames::parting() const {
  Position at = a_->summary().start;
  Position there = b_->summary().start;
  ASSIGN_OR_RETURN(const Player force_a, a_->forcing(at));
  ASSIGN_OR_RETURN(const Player force_b, b_->forcing(there));
  Parting out;
  std::set<std::string> seen;
  while (same(at, there) && seen.insert(a_->variant().rules().write(at)).second) {
    ASSIGN_OR_RETURN(const std::vector<ValuedMove> in_a, a_->best_moves(at, force_a));
    ASSIGN_OR_RETURN(const std::vector<ValuedMove> in_b, b_->best_moves(there, force_b));
    const ValuedMove* next_a = nullptr;
    const ValuedMove* next_b = nullptr;
    for (const ValuedMove& a : in_a) {
      const auto b = std::find_if(in_b.begin(), in_b.end(), [&](const ValuedMove& m) {
        return m.successor.text == a.successor.text && same(a.successor.position, m.successor.position);
      });
      if (b == in_b.end()) continue;
      next_a = &a;
      next_b = &*b;
      break;
    }
    if (next_a == nullptr) {
      if (in_a.empty() && in_b.empty()) return std::optional<Parting>();  // ended in both
      ASSIGN_OR_RETURN(out.at, compare(at));
      for (const ValuedMove& move : in_a) out.best_a.push_back(move.successor.text);
      for (const ValuedMove& move : in_b) out.best_b.push_back(move.successor.text);
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
