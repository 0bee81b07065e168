// SPDX-License-Identifier: Apache-2.0
#include "solver/bits/bit_questions.h"

#include <algorithm>
#include <cmath>

#include "solver/dense/judged.h"
#include "variants/text/status_macros.h"

namespace plenum {

std::int64_t BitQuestions::most_units(const Variant& variant) {
  const RuleSet& set = variant.rule_set();
  if (set.outcome_only) return 1;
  const Interval bounds = set.graph.bounds(set.margin, set.number_bounds());
  return std::max({-bounds.least, bounds.greatest, set.denominator});
}

double BitQuestions::expected(const Variant& variant, bool all_margins, bool only_outcome) {
  const double most = only_outcome ? 1 : static_cast<double>(most_units(variant));
  return 1 + (all_margins ? most : std::ceil(std::log2(most + 1)));
}

absl::Status BitQuestions::begin() {
  Judged judged(variant_.rules());
  judged.ask(start_);
  judged.look(Judged::Wanted::no_replies);
  RETURN_IF_ERROR(judged.status(0));
  const std::int64_t most = most_units(variant_);
  const auto add = [&](const Position& p) {
    const auto found = std::find(positions_.begin(), positions_.end(), p);
    const auto at = static_cast<std::size_t>(found - positions_.begin());
    if (found != positions_.end()) return at;
    positions_.push_back(p);
    known_.push_back({-most, most});
    return at;
  };
  if (judged.ended(0)) {
    ended_ = judged.margin(0);
    return absl::OkStatus();
  }
  add(start_);
  ASSIGN_OR_RETURN(const std::vector<Successor> moves, successors(variant_.rules(), start_));
  for (const Successor& s : moves) {
    judged.clear();
    judged.ask(s.position);
    judged.look(Judged::Wanted::no_replies);
    RETURN_IF_ERROR(judged.status(0));
    Begun& one = openings_.emplace_back();
    one.successor = s;
    if (judged.ended(0)) {
      one.value = judged.margin(0);
    } else {
      one.position = add(s.position);
    }
  }
  return absl::OkStatus();
}

bool BitQuestions::asked(std::int64_t threshold) const {
  return std::any_of(answers_.begin(), answers_.end(), [&](const Answer& a) { return a.threshold == threshold; });
}

void BitQuestions::answer(std::int64_t threshold, const std::vector<bool>& can) {
  answers_.push_back({threshold, can});
  for (std::size_t i = 0; i < known_.size(); ++i) {
    Known& k = known_[i];
    if (threshold == 0) {
      k.mover_ends = can[2 * i];
      k.other_ends = can[2 * i + 1];
      continue;
    }
    if (can[2 * i]) {
      k.least = std::max(k.least, threshold);
    } else {
      k.most = std::min(k.most, threshold - 1);
    }
    if (can[2 * i + 1]) {
      k.most = std::min(k.most, -threshold);
    } else {
      k.least = std::max(k.least, 1 - threshold);
    }
  }
  share_bounds();
}

// The start is worth what its best opening is.
void BitQuestions::share_bounds() {
  if (openings_.empty()) return;
  Known best{-most_units(variant_), -most_units(variant_)};
  for (const Begun& o : openings_) {
    // Of the player who moves at the start.
    const std::int64_t least = o.position ? -known_[*o.position].most : -o.value.margin.units;
    const std::int64_t most = o.position ? -known_[*o.position].least : -o.value.margin.units;
    best.least = std::max(best.least, least);
    best.most = std::max(best.most, most);
  }
  Known& start = known_[0];
  start.least = std::max(start.least, best.least);
  start.most = std::min(start.most, best.most);
  for (const Begun& o : openings_) {
    if (o.position) known_[*o.position].least = std::max(known_[*o.position].least, -start.most);
  }
}

std::optional<std::int64_t> BitQuestions::bisect() const {
  std::optional<std::int64_t> best;
  double best_split = 0;
  for (std::int64_t t = 2; t <= most_units(variant_); ++t) {
    std::int64_t split = 0;
    for (const Known& k : known_) {
      const std::int64_t least = k.least > 0 ? k.least : -k.most;
      const std::int64_t most = k.least > 0 ? k.most : -k.least;
      if (least < t && t <= most) split += std::min(t - least, most - t + 1);
    }
    const double likely = static_cast<double>(split) / static_cast<double>(t * t);
    if (likely > best_split) {
      best = t;
      best_split = likely;
    }
  }
  return best;
}

std::optional<std::int64_t> BitQuestions::next(bool all_margins) const {
  if (!asked(1)) return 1;
  if (const auto t = bisect()) return t;
  for (std::int64_t t = most_units(variant_); all_margins && t > 1; --t) {
    if (!asked(t)) return t;
  }
  const bool level =
      std::any_of(known_.begin(), known_.end(), [](const Known& k) { return k.least == 0 && k.most == 0; });
  if (!asked(0) && (level || all_margins)) return 0;
  return std::nullopt;
}

std::optional<PositionValue> BitQuestions::value(std::size_t i) const {
  const Known& k = known_[i];
  if (k.least != k.most || (k.least == 0 && !asked(0))) return std::nullopt;
  const Facts facts = k.least != 0
                          ? facts_of_end(sign(k.least))
                          : static_cast<Facts>((k.mover_ends ? kMoverEnds : 0) | (k.other_ends ? kOtherEnds : 0) |
                                               kEndReachable | kMoverForcesEnd | kOtherForcesEnd);
  PositionValue out = position_value({{k.least}}, {}, facts, false, positions_[i].mover);
  out.plies.reset();
  return out;
}

ProvenMargin BitQuestions::proven(std::size_t i) const {
  const Known& k = known_[i];
  if (positions_[i].mover == Player::first) return {Margin{k.least}, Margin{k.most}};
  return {Margin{-k.most}, Margin{-k.least}};
}

void BitQuestions::write(Summary& summary) const {
  if (ended_) {
    summary.start_value = acyclic_value(*ended_, start_.mover);
    summary.start_value->ended = true;
    return;
  }
  summary.start_value = value(0);
  if (!summary.start_value) summary.proven = proven(0);
  for (const Begun& o : openings_) {
    const Successor& s = o.successor;
    Opening& opening = summary.openings.emplace_back();
    opening.move = s.move;
    opening.text = s.text;
    opening.in_pie = variant_.rules().in_pie(s.move);
    if (!o.position) {
      opening.after = acyclic_value(o.value, s.position.mover);
      opening.after.ended = true;
    } else if (const auto known = value(*o.position)) {
      opening.after = *known;
    } else {
      opening.bounds = proven(*o.position);
    }
  }
  if (variant_.rule_set().pie && start_ == variant_.rules().start()) summary.pie = pie_of(summary.openings);
}

}  // namespace plenum
