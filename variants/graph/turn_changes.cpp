// SPDX-License-Identifier: Apache-2.0
#include "variants/graph/turn_changes.h"

#include <algorithm>
#include <set>

#include "variants/graph/step_changes.h"

namespace plenum {
namespace {

// All parts that may follow a move, each once.
std::vector<int> parts_behind(const RuleSet& rules, const MoveRule& rule) {
  std::vector<int> out = rule.next;
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const int next : rules.parts[static_cast<std::size_t>(out[i])].next) {
      if (std::find(out.begin(), out.end(), next) == out.end()) out.push_back(next);
    }
  }
  return out;
}

TurnChanges turn_by_kind(const RuleSet& rules, const Quantities& quantities, std::size_t move, Player mover) {
  TurnChanges out{move, mover, {}, {}};
  std::set<CountChange> sure;
  std::set<CountChange> besides;
  for (const MoveDelta& delta : move_deltas(rules, rules.moves[move], mover)) {
    CountChange one;
    for (std::size_t k = 0; k < delta.kinds.size(); ++k)
      add_within(quantities.stone(k, 0), delta.kinds[k], one, besides);
    for (std::size_t s = 0; s < delta.slots.size(); ++s) {
      add_within(quantities.number(rules, s), delta.slots[s], one, besides);
      add_within(quantities.noted(s), delta.noted[s], one, besides);
    }
    for (const auto& [from, to] : delta.flows) {
      CountChange flow;
      if (from >= 0) add_amount(flow, quantities.stone(static_cast<std::size_t>(from), 0), -1);
      if (to >= 0) add_amount(flow, quantities.stone(static_cast<std::size_t>(to), 0), 1);
      besides.insert(std::move(flow));
    }
    sure.insert(std::move(one));
  }
  out.sure.emplace_back(sure.begin(), sure.end());
  out.besides.assign(besides.begin(), besides.end());
  return out;
}

TurnChanges turn_by_cell(StepReader& reader, const RuleSet& rules, std::size_t move, Player mover) {
  TurnChanges out{move, mover, {}, {}};
  std::set<CountChange> besides;
  const auto take = [&](const StepChanges& step, bool surely, bool again) {
    if (surely) out.sure.emplace_back(step.sure.begin(), step.sure.end());
    if (!surely || again) besides.insert(step.sure.begin(), step.sure.end());
    besides.insert(step.besides.begin(), step.besides.end());
  };
  const MoveRule& rule = rules.moves[move];
  const StepChanges own = reader.read(rule, mover);
  take(own, true, false);
  for (const int number : parts_behind(rules, rule)) {
    const MoveRule& part = rules.parts[static_cast<std::size_t>(number)];
    const bool only_one = rule.next.size() == 1 && rule.next[0] == number;
    const bool surely = only_one && ((part.required && rules.graph.is_true(part.when)) ||
                                     reader.always_followed(rule, own.bare, part, mover));
    take(reader.read(part, mover), surely, part.repeats);
  }
  out.besides.assign(besides.begin(), besides.end());
  return out;
}

bool is_bare(const MoveRule& rule) { return rule.on_cells() && !rule.has_effect && rule.next.empty() && rule.lift < 0; }

}  // namespace

void add_amount(CountChange& change, std::size_t quantity, std::int64_t by) {
  const auto at = std::lower_bound(change.begin(), change.end(), quantity,
                                   [](const auto& entry, std::size_t wanted) { return entry.first < wanted; });
  if (at == change.end() || at->first != quantity) {
    if (by != 0) change.insert(at, {quantity, by});
  } else if ((at->second += by) == 0) {
    change.erase(at);
  }
}

void add_within(std::size_t quantity, const Interval& by, CountChange& sure, std::set<CountChange>& besides) {
  const std::int64_t nearest = by.least > 0 ? by.least : std::min<std::int64_t>(by.greatest, 0);
  add_amount(sure, quantity, nearest);
  if (by.greatest > nearest) besides.insert({{quantity, 1}});
  if (by.least < nearest) besides.insert({{quantity, -1}});
}

std::size_t Quantities::number(const RuleSet& rules, std::size_t slot) const {
  const int partner = rules.slots[slot].partner;
  return kinds * places + (partner >= 0 ? std::min(slot, static_cast<std::size_t>(partner)) : slot);
}

Quantities quantities_by_kind(const RuleSet& rules) { return {rules.kinds.size(), 1, rules.slots.size()}; }

Quantities quantities_by_cell(const RuleSet& rules) {
  return {rules.kinds.size(), static_cast<std::size_t>(rules.board.size()), rules.slots.size()};
}

std::vector<TurnChanges> changes_by_kind(const RuleSet& rules, const std::vector<std::size_t>& moves) {
  const Quantities quantities = quantities_by_kind(rules);
  std::vector<TurnChanges> out;
  for (const std::size_t move : moves) {
    for (const Player mover : {Player::first, Player::second})
      out.push_back(turn_by_kind(rules, quantities, move, mover));
  }
  return out;
}

std::optional<std::vector<TurnChanges>> changes_by_cell(const RuleSet& rules, const std::vector<std::size_t>& moves) {
  const Quantities quantities = quantities_by_cell(rules);
  StepReader reader(rules, quantities);
  std::vector<TurnChanges> out;
  std::set<CountChange> bare;
  for (const bool first_those : {true, false}) {
    for (const std::size_t move : moves) {
      if (is_bare(rules.moves[move]) != first_those) continue;
      for (const Player mover : {Player::first, Player::second}) {
        out.push_back(turn_by_cell(reader, rules, move, mover));
        if (first_those) bare.insert(out.back().sure[0].begin(), out.back().sure[0].end());
      }
    }
    for (const CountChange& one : bare) {
      CountChange change = one;
      for (auto& [quantity, by] : change) by = -by;
      if (bare.find(change) != bare.end()) return std::nullopt;
    }
  }
  return out;
}

}  // namespace plenum
