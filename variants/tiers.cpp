// SPDX-License-Identifier: Apache-2.0
#include "variants/tiers.h"

#include <algorithm>
#include <bit>
#include <optional>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "variants/contents.h"

namespace plenum {
namespace {

constexpr std::int64_t kMaxTiers = 1'000'000;

// A kind's plane for a given mover.
int plane_for(const PlaneChoice& plane, Player mover) {
  return mover == Player::first ? plane.if_first : plane.if_second;
}

// The kind on a plane for a given mover; nullopt for a plane that no kind of that owner uses.
std::optional<std::size_t> kind_on(const RuleSet& rules, int plane, Player mover) {
  for (std::size_t k = 0; k < rules.kinds.size(); ++k) {
    if (plane_for(rules.plane_of(k), mover) == plane) return k;
  }
  return std::nullopt;
}

// The change of "somebody is noted" that an assigned player node can make: +1 only, if it is never nobody.
Interval noted_change(const RuleGraph& graph, NodeId after, int slot) {
  const RuleNode& n = graph.node(after);
  if (n.op == NodeOp::player_input && n.value == static_cast<std::uint64_t>(slot)) return {0, 0};
  if (n.op == NodeOp::player_constant) return n.value == 0 ? Interval{-1, 0} : Interval{0, 1};
  if (n.op == NodeOp::select_player) {
    const Interval a = noted_change(graph, n.args[1], slot);
    const Interval b = noted_change(graph, n.args[2], slot);
    return {std::min(a.least, b.least), std::max(a.greatest, b.greatest)};
  }
  return {-1, 1};
}

// The change of a number: assigned `old + constant`, old, or a choice of such; else anything.
Interval number_change(const RuleSet& rules, NodeId after, std::size_t slot) {
  const RuleNode& n = rules.graph.node(after);
  if (n.op == NodeOp::select_number) {
    const Interval a = number_change(rules, n.args[1], slot);
    const Interval b = number_change(rules, n.args[2], slot);
    return {std::min(a.least, b.least), std::max(a.greatest, b.greatest)};
  }
  const Linear form = rules.graph.as_form(after);
  if (form.terms.size() == 1 && form.terms[0].second == 1) {
    const RuleNode& old = rules.graph.node(form.terms[0].first);
    if (old.op == NodeOp::number_input && old.value == kFirstStateInput + slot) return {form.constant, form.constant};
  }
  const std::int64_t span = rules.slots[slot].range.greatest - rules.slots[slot].range.least;
  return {-span, span};
}

// Whether weights are the same for the kinds of both players, so that exchanging the players changes nothing.
bool treats_alike(const RuleSet& rules, const std::vector<int>& weights) {
  std::vector<int> by_plane(static_cast<std::size_t>(rules.layout.count()), 0);
  for (std::size_t k = 0; k < weights.size(); ++k)
    by_plane[static_cast<std::size_t>(rules.plane_of(k).if_first)] = weights[k];
  for (int p = 0; p < rules.layout.count(); ++p) {
    if (by_plane[static_cast<std::size_t>(p)] != by_plane[static_cast<std::size_t>(rules.layout.swapped(p))])
      return false;
  }
  return true;
}

}  // namespace

// One part of a move, by what it puts and what the cells it touches hold before: a combination each.
std::vector<Tiers::Change> Tiers::part_changes(const RuleSet& rules, const MoveRule& move, Player mover) {
  std::vector<Change> out;
  const int nothing = rules.layout.count();
  const Contents only_nothing = nothing_bit(rules);
  const auto kind_at = [&](int plane) {
    const auto kind = plane < 0 || plane == nothing ? std::nullopt : kind_on(rules, plane, mover);
    return kind ? static_cast<int>(*kind) : -1;
  };
  Change base;
  base.kinds.assign(rules.kinds.size(), {0, 0});
  const auto add_flow = [&](Contents from, int to) {
    for (int plane = 0; plane <= nothing; ++plane) {
      if (((from >> plane) & 1) != 0 && plane != (to < 0 ? nothing : to))
        base.flows.emplace_back(kind_at(plane), kind_at(to));
    }
  };
  for (const Transition& t : move.transitions) add_flow(t.from, plane_for(t.to, mover));
  if (move.lift >= 0) add_flow(contents(rules, move.lift), -1);
  for (std::size_t s = 0; s < rules.slots.size(); ++s) {
    const StateSlot& slot = rules.slots[s];
    base.slots.push_back({0, 0});
    base.noted.push_back({0, 0});
    if (!slot.live || !move.has_effect) continue;
    if (slot.type == StateDescription::Type::number) base.slots.back() = number_change(rules, move.state_after[s], s);
    if (slot.type == StateDescription::Type::player)
      base.noted.back() = noted_change(rules.graph, move.state_after[s], static_cast<int>(s));
  }
  const std::size_t puts = move.kind == MoveRule::Kind::place ? move.put.size() : 1;
  const std::int64_t cells = move.placements.empty() ? 1 : std::popcount(move.placements[0]);
  const Contents at_to = move.to >= 0 ? contents(rules, move.to) : only_nothing;
  const Contents at_from = move.from >= 0 ? contents(rules, move.from) : only_nothing;
  for (std::size_t choice = 0; choice < puts; ++choice) {
    for (int to = 0; to <= nothing; ++to) {
      if (((at_to >> to) & 1) == 0) continue;
      for (int from = 0; from <= nothing; ++from) {
        if (((at_from >> from) & 1) == 0) continue;
        Change change = base;
        const auto add = [&](int plane, std::int64_t least, std::int64_t greatest) {
          const int kind = kind_at(plane);
          if (kind < 0) return;
          change.kinds[static_cast<std::size_t>(kind)].least += least;
          change.kinds[static_cast<std::size_t>(kind)].greatest += greatest;
        };
        // The cells of a shape may hold different things.
        if (move.to >= 0) add(to, -cells, cells == 1 ? -1 : 0);
        if (move.kind == MoveRule::Kind::place) add(plane_for(move.put[choice], mover), cells, cells);
        if (move.kind == MoveRule::Kind::remove) add(from, -1, -1);
        if (cells > 1) {
          for (int other = 0; other < nothing; ++other) {
            if (other != to && ((at_to >> other) & 1) != 0) add(other, -cells, 0);
          }
        }
        out.push_back(std::move(change));
      }
    }
  }
  return out;
}

// A whole move: its first part, and each further one made or left out.
std::vector<Tiers::Change> Tiers::changes(const RuleSet& rules, const MoveRule& move) {
  std::vector<Change> out;
  for (const Player mover : {Player::first, Player::second}) {
    std::vector<Change> whole = part_changes(rules, move, mover);
    for (int next = move.next; next >= 0; next = rules.parts[static_cast<std::size_t>(next)].next) {
      const std::vector<Change> further = part_changes(rules, rules.parts[static_cast<std::size_t>(next)], mover);
      const std::size_t before = whole.size();
      for (std::size_t i = 0; i < before; ++i) {
        for (const Change& more : further) {
          Change sum = whole[i];
          const auto add = [](std::vector<Interval>& to, const std::vector<Interval>& by) {
            for (std::size_t k = 0; k < to.size(); ++k) {
              to[k].least += by[k].least;
              to[k].greatest += by[k].greatest;
            }
          };
          add(sum.kinds, more.kinds);
          add(sum.slots, more.slots);
          add(sum.noted, more.noted);
          sum.flows.insert(sum.flows.end(), more.flows.begin(), more.flows.end());
          whole.push_back(std::move(sum));
        }
      }
    }
    out.insert(out.end(), whole.begin(), whole.end());
  }
  return out;
}

Tiers::Tiers(const RuleSet& rules, bool exchangeable) {
  for (std::size_t k = 0; k < rules.kinds.size(); ++k) plane_of_.push_back(rules.plane_of(k));
  for (const StateSlot& slot : rules.slots) slot_offset_.push_back(slot.range.least);

  std::vector<Measure> candidates;
  std::size_t combinations = 1;
  for (std::size_t k = 0; k < rules.kinds.size(); ++k) combinations *= 3;
  for (std::size_t code = 0; code < combinations; ++code) {
    Measure m;
    std::size_t rest = code;
    std::vector<std::string> up;
    std::vector<std::string> down;
    for (std::size_t k = 0; k < rules.kinds.size(); ++k, rest /= 3) {
      const int weight = rest % 3 == 2 ? -1 : static_cast<int>(rest % 3);
      m.kind_weight.push_back(weight);
      if (weight > 0) up.push_back(rules.kinds[k].name);
      if (weight < 0) down.push_back(rules.kinds[k].name);
    }
    if (up.empty() && down.empty()) continue;
    if (exchangeable && !treats_alike(rules, m.kind_weight)) continue;
    const std::vector<std::string>& named = up.empty() ? down : up;
    const std::string counted = named.size() == rules.kinds.size() ? "stones" : absl::StrJoin(named, " + ");
    const std::string less =
        up.empty() || down.empty() ? "" : absl::StrCat(" less that of ", absl::StrJoin(down, " + "));
    m.text = absl::StrCat("the number of ", counted, less, up.empty() ? ", falling" : "");
    m.slot_weight.assign(rules.slots.size(), 0);
    m.least = down.empty() ? 0 : -rules.board.size();
    m.greatest = up.empty() ? 0 : rules.board.size();
    candidates.push_back(std::move(m));
  }
  // Fewer signs first, all stones before some.
  std::stable_sort(candidates.begin(), candidates.end(), [](const Measure& a, const Measure& b) {
    const auto key = [](const Measure& m) {
      const auto minus = std::count(m.kind_weight.begin(), m.kind_weight.end(), -1);
      const auto zero = std::count(m.kind_weight.begin(), m.kind_weight.end(), 0);
      return std::pair(minus, zero);
    };
    return key(a) < key(b);
  });
  for (std::size_t s = 0; s < rules.slots.size(); ++s) {
    const StateSlot& slot = rules.slots[s];
    if (!slot.live) continue;
    Measure m;
    m.kind_weight.assign(rules.kinds.size(), 0);
    m.slot_weight.assign(rules.slots.size(), 0);
    if (slot.type == StateDescription::Type::player) {
      m.noted_slot = static_cast<int>(s);
      m.text = absl::StrCat("whether a player is noted in '", slot.name, "'");
      m.greatest = 1;
      candidates.push_back(m);
    } else if (slot.type == StateDescription::Type::number &&
               (slot.partner < 0 || slot.partner > static_cast<int>(s))) {
      const std::int64_t both = slot.partner < 0 ? 1 : 2;
      for (const int weight : {-1, 1}) {
        m.slot_weight[s] = weight;
        if (slot.partner >= 0) m.slot_weight[static_cast<std::size_t>(slot.partner)] = weight;
        m.text = absl::StrCat("the number '", slot.name, weight < 0 ? "', falling" : "'");
        m.least = weight * both * (weight < 0 ? slot.range.greatest : slot.range.least);
        m.greatest = weight * both * (weight < 0 ? slot.range.least : slot.range.greatest);
        candidates.push_back(m);
      }
    }
  }

  std::vector<std::vector<Change>> effects;
  for (const MoveRule& move : rules.moves) effects.push_back(changes(rules, move));
  const auto bounds = [&](const Measure& m, const Change& c) {
    Interval out{0, 0};
    const auto add = [&](int weight, const Interval& by) {
      out.least += weight > 0 ? weight * by.least : weight * by.greatest;
      out.greatest += weight > 0 ? weight * by.greatest : weight * by.least;
    };
    for (std::size_t k = 0; k < m.kind_weight.size(); ++k) add(m.kind_weight[k], c.kinds[k]);
    const auto weight = [&](int kind) { return kind < 0 ? 0 : m.kind_weight[static_cast<std::size_t>(kind)]; };
    for (const auto& [from, to] : c.flows) {  // any number of cells
      const int gain = weight(to) - weight(from);
      (gain > 0 ? out.greatest : out.least) += gain * rules.board.size();
    }
    for (std::size_t s = 0; s < m.slot_weight.size(); ++s) add(m.slot_weight[s], c.slots[s]);
    if (m.noted_slot >= 0) add(1, c.noted[static_cast<std::size_t>(m.noted_slot)]);
    return out;
  };

  std::vector<std::size_t> remaining(rules.moves.size());
  for (std::size_t i = 0; i < remaining.size(); ++i) remaining[i] = i;
  for (;;) {
    const Measure* best = nullptr;
    std::vector<std::size_t> best_strict;
    bool best_useful = false;
    for (const Measure& m : candidates) {
      std::vector<std::size_t> strict;
      bool falls = false;
      bool useful = false;
      for (const std::size_t move : remaining) {
        bool always = true;
        for (const Change& c : effects[move]) {
          const Interval by = bounds(m, c);
          falls |= by.least < 0;
          always &= by.least > 0;
          useful |= by.greatest > 0;
        }
        if (always) strict.push_back(move);
      }
      const bool taken =
          std::any_of(measures_.begin(), measures_.end(), [&](const Measure& t) { return t.text == m.text; });
      if (falls || taken) continue;
      if (best == nullptr || strict.size() > best_strict.size() ||
          (strict.size() == best_strict.size() && useful && !best_useful)) {
        best = &m;
        best_strict = strict;
        best_useful = useful;
      }
    }
    if (best == nullptr || (best_strict.empty() && !best_useful)) break;
    const std::int64_t span = best->greatest - best->least + 1;
    if (static_cast<std::int64_t>(count_) * span > kMaxTiers) break;
    count_ = static_cast<std::uint32_t>(count_ * span);
    measures_.push_back(*best);
    for (const std::size_t move : best_strict) {
      measures_.back().raised_by.push_back(rules.moves[move].name);
      std::erase(remaining, move);
    }
  }
  // Passes alone cannot cycle where enough of them end the game: each raises the number of passes in a row.
  const bool only_passes = std::all_of(remaining.begin(), remaining.end(),
                                       [&](std::size_t m) { return rules.moves[m].kind == MoveRule::Kind::pass; });
  const bool may_pass = !remaining.empty() || rules.stuck == Stuck::pass;
  const bool passes_end = rules.passes_live && rules.passes_end;
  if (only_passes && may_pass && passes_end) {
    passes_cap_ = rules.passes_cap;
    count_ *= static_cast<std::uint32_t>(passes_cap_ + 1);
    remaining.clear();
  }
  for (const std::size_t move : remaining) {
    if (rules.moves[move].kind != MoveRule::Kind::pass || only_passes) cycling_.push_back(rules.moves[move].name);
  }
  if (rules.stuck == Stuck::pass && only_passes && !passes_end) cycling_.emplace_back("pass (forced)");
}

std::string Tiers::reason() const {
  std::vector<std::string> parts;
  for (const Measure& m : measures_) {
    if (!m.raised_by.empty())
      parts.push_back(absl::StrCat(absl::StrJoin(m.raised_by, ", "), m.raised_by.size() == 1 ? " raises " : " raise ",
                                   m.text, ", which no move lowers"));
  }
  if (passes_cap_ > 0) parts.emplace_back("passes in a row end the game");
  if (!cycling_.empty()) parts.push_back(absl::StrCat("nothing rises for sure with: ", absl::StrJoin(cycling_, ", ")));
  return absl::StrJoin(parts, "; ");
}

std::uint32_t Tiers::tier(const Position& p) const {
  std::int64_t out = 0;
  for (const Measure& m : measures_) {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < m.kind_weight.size(); ++k) {
      if (m.kind_weight[k] != 0)
        sum += m.kind_weight[k] * std::popcount(p.planes[static_cast<std::size_t>(plane_for(plane_of_[k], p.mover))]);
    }
    for (std::size_t s = 0; s < m.slot_weight.size(); ++s) {
      if (m.slot_weight[s] != 0) sum += m.slot_weight[s] * (p.state[s] + slot_offset_[s]);
    }
    if (m.noted_slot >= 0) sum += p.state[static_cast<std::size_t>(m.noted_slot)] != 0 ? 1 : 0;
    out = out * (m.greatest - m.least + 1) + (sum - m.least);
  }
  if (passes_cap_ > 0) out = out * (passes_cap_ + 1) + p.passes;
  return static_cast<std::uint32_t>(out);
}

}  // namespace plenum
