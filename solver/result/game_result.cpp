// SPDX-License-Identifier: Apache-2.0
#include "solver/result/game_result.h"

#include <algorithm>
#include <cstdlib>

#include "variants/text/status_macros.h"

namespace plenum {

PositionValue position_value(MoverValue margin, Ply remoteness, Facts facts, bool ended, Player mover) {
  const auto has = [&](Facts bits) { return (facts & bits) != 0; };
  const bool first_moves = mover == Player::first;
  PositionValue out;
  out.margin = to_first(margin, mover);
  out.ended = ended;
  const std::int64_t units = out.margin.margin.units;
  const bool cycle = units == 0 && !ended && !has(kMoverEnds | kOtherEnds);
  out.outcome = units > 0 ? Outcome::first : units < 0 ? Outcome::second : cycle ? Outcome::cycle : Outcome::tie;
  if (ended || units != 0) out.plies = remoteness;
  out.forced_cycle = cycle && !has(kEndReachable);
  const bool mover_endless = !ended && !has(kOtherForcesEnd);
  const bool other_endless = !ended && !has(kMoverForcesEnd);
  out.endless_first = first_moves ? mover_endless : other_endless;
  out.endless_second = first_moves ? other_endless : mover_endless;
  if (units != 0) return out;
  out.first_ends = has(first_moves ? kMoverEnds : kOtherEnds);
  out.second_ends = has(first_moves ? kOtherEnds : kMoverEnds);
  return out;
}

PositionValue acyclic_value(MoverValue margin, Player mover) {
  PositionValue out = position_value(margin, {}, facts_of_end(sign(margin.margin.units)), false, mover);
  out.plies.reset();
  return out;
}

void EndingCounts::add(const EndingCounts& other) {
  legal += other.legal;
  first += other.first;
  second += other.second;
  tie += other.tie;
  cycle += other.cycle;
  for (std::size_t who = 0; who < 2; ++who) {
    for (const auto& [plies, n] : other.remoteness[who]) remoteness[who][plies] += n;
  }
}

EndingSide EndingStatistics::to_move(Player player) const {
  EndingSide out;
  for (const auto& by_mover : sides) {
    out.all.add(by_mover[static_cast<std::size_t>(player)].all);
    out.canonical.add(by_mover[static_cast<std::size_t>(player)].canonical);
  }
  return out;
}

std::optional<std::uint32_t> EndingStatistics::longest(Player winner) const {
  std::optional<std::uint32_t> out;
  for (const auto& by_mover : sides) {
    for (const EndingSide& side : by_mover) {
      const auto& plies = side.all.remoteness[static_cast<std::size_t>(winner)];
      if (!plies.empty()) out = std::max(out.value_or(0), plies.rbegin()->first);
    }
  }
  return out;
}

std::optional<Pie> pie_of(const std::vector<Opening>& openings) {
  std::optional<Pie> out;
  for (const Opening& opening : openings) {
    if (!opening.in_pie) continue;
    if (opening.bounds) return std::nullopt;
    const Margin fair{-std::abs(opening.after.margin.margin.units)};
    if (!out || fair > out->margin) out = Pie{fair, {}};
    if (fair == out->margin) out->openings.push_back(opening.text);
  }
  return out;
}

absl::Status find_openings(const ValueFn& value, Summary& summary) {
  if (summary.start_value->ended) return absl::OkStatus();
  const Rules& rules = summary.variant->rules();
  ASSIGN_OR_RETURN(const std::vector<Successor> moves, successors(rules, summary.start));
  for (const Successor& s : moves)
    summary.openings.push_back({s.move, s.text, value(s.position), rules.in_pie(s.move)});
  // From elsewhere the first move is not the one that the pie is about.
  if (summary.variant->rule_set().pie && summary.start == rules.start()) summary.pie = pie_of(summary.openings);
  return absl::OkStatus();
}

absl::Status read_start(const AskValueFn& value, Summary& summary) {
  ASSIGN_OR_RETURN(summary.start_value, value(summary.start));
  absl::Status read = absl::OkStatus();
  const absl::Status opened = find_openings(
      [&](const Position& p) {
        const absl::StatusOr<PositionValue> after = value(p);
        if (!after.ok()) read = after.status();
        return after.ok() ? *after : PositionValue();
      },
      summary);
  return opened.ok() ? read : opened;
}

}  // namespace plenum
