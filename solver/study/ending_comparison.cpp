// SPDX-License-Identifier: Apache-2.0
#include "solver/study/ending_comparison.h"

#include <algorithm>
#include <map>
#include <optional>

#include "solver/dense/line_by_values.h"
#include "solver/support/parallel.h"

namespace plenum {
namespace {

constexpr std::size_t kGroup = 64;  // parts compared together

// A position that changes, and how soon it is decided in one of the games.
struct Example {
  std::uint32_t plies = 0;
  Position position;
};

struct Partial {
  std::array<Comparison, 2> counts;
  std::array<std::array<std::optional<Example>, kOutcomes>, kOutcomes> examples;
};

absl::StatusOr<ComparedPosition> in_detail(const EndingTables& a, const EndingTables& b, const PositionMap& map,
                                           const Position& position) {
  ComparedPosition out;
  out.position = position;
  out.in_b = *map(position);
  const auto side = [](const EndingTables& game, const Position& p, PositionValue& value) {
    const absl::StatusOr<PositionValue> here = game.value(p);
    if (here.ok()) value = *here;
    return moves_by_values(
        game.variant().rules(), [&](const Position& q) { return game.value(q); }, p);
  };
  const absl::StatusOr<std::vector<ValuedMove>> in_a = side(a, out.position, out.a);
  if (!in_a.ok()) return in_a.status();
  const absl::StatusOr<std::vector<ValuedMove>> in_b = side(b, out.in_b, out.b);
  if (!in_b.ok()) return in_b.status();
  for (const ValuedMove& move : *in_a) out.moves.push_back({move.successor.text, move.after, {}, move.keeps, false});
  for (const ValuedMove& move : *in_b) {
    auto known = std::find_if(out.moves.begin(), out.moves.end(),
                              [&](const ComparedMove& m) { return m.text == move.successor.text; });
    if (known == out.moves.end())
      known = out.moves.insert(out.moves.end(), {move.successor.text, {}, {}, false, false});
    known->b = move.after;
    known->keeps_b = move.keeps;
  }
  return out;
}

}  // namespace

Comparison EndingComparison::both() const {
  Comparison out = counts[0];
  out += counts[1];
  return out;
}

absl::StatusOr<EndingComparison> compare_endings(const EndingTables& a, const EndingTables& b, std::size_t most) {
  const RuleSet& in_a = a.variant().rule_set();
  const RuleSet& in_b = b.variant().rule_set();
  if (in_a.board.name() != in_b.board.name() ||
      to_text(*in_a.pieces, a.material()) != to_text(*in_b.pieces, b.material()))
    return absl::InvalidArgumentError("two endings are compared on one board and with one material");
  const PositionMap map(in_a, in_b);
  std::vector<Partial> partial((a.parts() + kGroup - 1) / kGroup);
  for_each_index(partial.size(), [&](std::size_t g) {
    Partial& to = partial[g];
    for (std::size_t part = g * kGroup; part < std::min(a.parts(), (g + 1) * kGroup); ++part) {
      a.each(part, [&](const EndingTables::Seen& seen) {
        const std::optional<Position> there = map(seen.position);
        if (!there) return;
        const absl::StatusOr<PositionValue> value = b.value(*there);
        if (!value.ok()) return;  // not legal there
        Comparison& c = to.counts[static_cast<std::size_t>(seen.position.mover)];
        const auto was = static_cast<std::size_t>(seen.outcome);
        const auto is = static_cast<std::size_t>(value->outcome);
        c.common += seen.images;
        c.outcomes[was][is] += seen.images;
        const auto won = [](Outcome o) { return o == Outcome::first || o == Outcome::second; };
        const bool level = !won(seen.outcome) && !won(value->outcome);
        if (was == is) {
          c.plies += won(seen.outcome) && value->plies->count != seen.plies ? seen.images : 0;
          return;
        }
        c.changed += seen.images;
        const std::uint32_t soonest = level ? 0
                                      : won(seen.outcome) && won(value->outcome)
                                          ? std::min(seen.plies, value->plies->count)
                                      : won(seen.outcome) ? seen.plies
                                                          : value->plies->count;
        std::optional<Example>& known = to.examples[was][is];
        if (!known || soonest < known->plies) known = Example{soonest, seen.position};
      });
    }
  });
  EndingComparison out;
  Partial all;
  for (const Partial& one : partial) {
    for (std::size_t who = 0; who < 2; ++who) out.counts[who] += one.counts[who];
    for (std::size_t was = 0; was < kOutcomes; ++was) {
      for (std::size_t is = 0; is < kOutcomes; ++is) {
        const std::optional<Example>& example = one.examples[was][is];
        std::optional<Example>& known = all.examples[was][is];
        if (example && (!known || example->plies < known->plies)) known = example;
      }
    }
  }
  const auto legal = [](const EndingTables& game) {
    const EndingStatistics s = game.statistics();
    return s.to_move(Player::first).all.legal + s.to_move(Player::second).all.legal;
  };
  out.legal = {legal(a), legal(b)};
  const Comparison both = out.both();
  std::vector<std::pair<std::uint64_t, const Example*>> kinds;
  for (std::size_t was = 0; was < kOutcomes; ++was) {
    for (std::size_t is = 0; is < kOutcomes; ++is) {
      if (all.examples[was][is]) kinds.emplace_back(both.outcomes[was][is], &*all.examples[was][is]);
    }
  }
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  for (std::size_t i = 0; i < std::min(most, kinds.size()); ++i) {
    absl::StatusOr<ComparedPosition> example = in_detail(a, b, map, kinds[i].second->position);
    if (!example.ok()) return example.status();
    out.examples.push_back(*std::move(example));
  }
  return out;
}

}  // namespace plenum
