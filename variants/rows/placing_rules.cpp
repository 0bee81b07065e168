// SPDX-License-Identifier: Apache-2.0
#include "variants/rows/placing_rules.h"

#include <algorithm>
#include <bit>

#include <absl/strings/str_cat.h>

#include "variants/board/bits.h"
#include "variants/rules/cell_rules.h"

namespace plenum {
namespace {

// What cannot be worked out a cell at a time, in words; empty for the rest.
std::string obstacle_of(const RuleNode& n) {
  if (n.op == NodeOp::cell_input && (n.value == kOrigin || n.value == kChanged))
    return "looks at where a piece comes from";
  if (n.op == NodeOp::number_input && n.value == kPassesInput) return "looks at passes";
  switch (traits(n.op).reach) {
    case NodeReach::nowhere:
    case NodeReach::here:
    case NodeReach::beside:
    case NodeReach::patterns:
    case NodeReach::board:
      return "";
    case NodeReach::far:
      return "looks along lines or connections";
    case NodeReach::rounds:
      return "looks at groups, or repeats something";
  }
  return "";
}

std::string obstacle_of(const RuleGraph& graph, std::vector<NodeId> roots) {
  std::erase_if(roots, [](NodeId id) { return id < 0; });
  for (const NodeId id : graph.reachable(roots)) {
    if (std::string why = obstacle_of(graph.node(id)); !why.empty()) return why;
  }
  return "";
}

std::string obstacle_of(const RuleSet& rules, const MoveRule& rule) {
  if (rule.kind != MoveRule::Kind::place) return "does not put a stone on an empty cell";
  if (!rule.next.empty() || rule.lift >= 0 || rule.shaped) return "does more than to put one stone";
  RuleGraph graph = rules.graph;  // to ask for nodes that exist
  const NodeId empty = graph.complement(graph.disjunction({graph.cell_input(kPlanes), graph.cell_input(kPlanes + 1)}));
  if (rule.to != empty && graph.conjunction({rule.to, empty}) != rule.to) return "may replace a stone";
  for (std::size_t p = 0; p < rule.planes_after.size(); ++p) {
    if (rule.planes_after[p] != graph.cell_input(kPlanes + static_cast<int>(p))) return "changes other cells";
  }
  if (!graph.is_false(rule.invalid)) return "may drive a number of the state out of its range";
  std::vector<NodeId> roots = {rule.to, rule.legal};
  for (std::size_t s = 0; s < rules.slots.size(); ++s) {
    if (rules.slots[s].live) roots.push_back(rule.state_after[s]);
  }
  return obstacle_of(graph, roots);
}

}  // namespace

absl::StatusOr<PlacingRules> PlacingRules::make(const Variant& variant) {
  const auto no = [](const std::string& why) { return absl::UnimplementedError(why); };
  const RuleSet& rules = variant.rule_set();
  if (variant.rules().cells() == nullptr) return no("its pieces move");
  if (rules.layout.count() != 2) return no("there are not two kinds of stones, one of each player");
  const std::vector<Interval> inputs = rules.number_bounds();
  const Interval margins = rules.graph.bounds(rules.margin, inputs);
  if (!rules.outcome_only && (margins.least < -1 || margins.greatest > 1))
    return no("it counts by how much a player wins");
  if (rules.passes_live) return no("passes are counted");
  if (rules.stuck == Stuck::pass) return no("who cannot move passes");
  if (rules.stuck == Stuck::unstated && !rules.always_a_move) return no("it is not known that there is always a move");
  if (variant.rules().cells()->merges_moves()) return no("different rules may make one move");
  PlacingRules out(variant);
  for (std::size_t k = 0; k < rules.moves.size(); ++k) {
    const MoveRule& rule = rules.moves[k];
    if (const std::string why = obstacle_of(rules, rule); !why.empty())
      return no(absl::StrCat("the move '", rule.name, "' ", why));
    for (std::size_t c = 0; c < rule.put.size(); ++c) {
      for (const bool first : {true, false}) {
        const int plane = first ? rule.put[c].if_first : rule.put[c].if_second;
        const bool owned_by_first = (plane == 0) == first;
        out.choices_[first ? 0 : 1].push_back({k, c, owned_by_first ? Player::first : Player::second});
      }
    }
  }
  if (const std::string why = obstacle_of(rules.graph, {rules.ended}); !why.empty())
    return no(absl::StrCat("the end of the game ", why));
  std::vector<NodeId> roots = {rules.ended};
  for (const MoveRule& rule : rules.moves) {
    roots.insert(roots.end(), {rule.to, rule.legal});
    roots.insert(roots.end(), rule.state_after.begin(), rule.state_after.end());
  }
  std::erase_if(roots, [](NodeId id) { return id < 0; });
  out.number_.resize(rules.graph.size());
  for (const NodeId id : rules.graph.reachable(roots))
    out.number_[static_cast<std::size_t>(id)] = static_cast<std::uint32_t>(out.numbered_++);
  // Arguments come before their users.
  out.reads_state_.resize(rules.graph.size());
  std::vector<double> size(rules.graph.size(), 1);
  for (std::size_t id = 0; id < rules.graph.size(); ++id) {
    const RuleNode& n = rules.graph.node(static_cast<NodeId>(id));
    out.args_.push_back(n.args);
    bool reads = traits(n.op).reads == NodeInput::state;
    for (const NodeId arg : n.args) {
      size[id] += size[static_cast<std::size_t>(arg)];
      reads = reads || out.reads_state_[static_cast<std::size_t>(arg)];
    }
    out.reads_state_[id] = reads;
    if (traits(n.op).cellwise == nullptr || !traits(n.op).commutes) continue;
    std::stable_sort(out.args_.back().begin(), out.args_.back().end(), [&](NodeId a, NodeId b) {
      return size[static_cast<std::size_t>(a)] < size[static_cast<std::size_t>(b)];
    });
  }
  return out;
}

Position PlacingRules::position(CellSet occupied, CellSet firsts, const Position& like) {
  Position out = like;
  const bool first = like.mover == Player::first;
  out.planes[first ? 0 : 1] = firsts;
  out.planes[first ? 1 : 0] = occupied & ~firsts;
  return out;
}

// The other player is to move: what was mine is theirs.
void PlacingRules::turn_over(Position& p) const {
  const RuleSet& rules = variant_.rule_set();
  p.mover = p.mover == Player::first ? Player::second : Player::first;
  for (std::size_t s = 0; s < rules.slots.size(); ++s) {
    const StateSlot& slot = rules.slots[s];
    std::uint8_t& who = p.state[s];
    if (slot.type == StateDescription::Type::player) {
      who = static_cast<std::uint8_t>(who == 0 ? 0 : 3 - who);
    } else if (slot.partner > static_cast<int>(s)) {
      std::swap(who, p.state[static_cast<std::size_t>(slot.partner)]);
    }
  }
}

// The values that a node may have for a slot, as they are stored.
std::vector<std::int64_t> PlacingRules::possible(NodeId id, const StateSlot& slot, const Position& state) const {
  const RuleGraph& graph = variant_.rule_set().graph;
  const RuleNode& n = graph.node(id);
  const std::int64_t least = slot.type == StateDescription::Type::number ? slot.range.least : 0;
  if (n.op == NodeOp::player_constant) return {static_cast<std::int64_t>(n.value)};
  if (n.op == NodeOp::constant) return {graph.is_true(id) ? 1 : 0};
  if (const auto read = slot_read(n))
    return {state.state[*read] + variant_.rule_set().slots[*read].range.least - least};
  if (traits(n.op).chooses()) {
    std::vector<std::int64_t> out = possible(n.args[1], slot, state);
    const std::vector<std::int64_t> no = possible(n.args[2], slot, state);
    out.insert(out.end(), no.begin(), no.end());
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }
  const std::int64_t most = slot.type == StateDescription::Type::player    ? 2
                            : slot.type == StateDescription::Type::boolean ? 1
                                                                           : slot.range.greatest - least;
  std::vector<std::int64_t> out;
  for (std::int64_t v = 0; v <= most; ++v) out.push_back(v);
  return out;
}

std::vector<Position> PlacingRules::possible_after(const Position& state) const {
  const RuleSet& rules = variant_.rule_set();
  std::vector<Position> all;
  for (const Choice& choice : choices(state.mover)) {
    std::vector<Position> found = {state};
    for (std::size_t s = 0; s < rules.slots.size(); ++s) {
      if (!rules.slots[s].live) continue;
      std::vector<Position> next;
      for (const std::int64_t value : possible(rules.moves[choice.rule].state_after[s], rules.slots[s], state)) {
        for (Position p : found) {
          p.state[s] = static_cast<std::uint8_t>(value);
          next.push_back(p);
        }
      }
      found = std::move(next);
    }
    all.insert(all.end(), found.begin(), found.end());
  }
  for (Position& p : all) turn_over(p);
  return all;
}

}  // namespace plenum
