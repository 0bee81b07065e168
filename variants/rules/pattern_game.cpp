// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/pattern_game.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "variants/graph/cell_contents.h"
#include "variants/graph/deciding_cells.h"

namespace plenum {
namespace {

constexpr int kMine = 0;
constexpr int kTheirs = 1;

// Whether all that the roots depend on is what stands on cells now.
bool read_cells_alone(const RuleGraph& graph, std::span<const NodeId> roots) {
  const std::vector<NodeId> nodes = graph.reachable(roots);
  return std::all_of(nodes.begin(), nodes.end(), [&](NodeId id) {
    const RuleNode& n = graph.node(id);
    const NodeInput reads = traits(n.op).reads;
    if (reads == NodeInput::cells) return n.value <= kTheirs;
    return reads == NodeInput::nothing && traits(n.op).reach != NodeReach::rounds;
  });
}

// How a set changes where stones are added, none taken off.
enum class SetTrend { same, rises, falls, unknown };

SetTrend trend_of(const RuleGraph& graph, NodeId id) {
  const RuleNode& n = graph.node(id);
  const NodeTraits& t = traits(n.op);
  if (n.op == NodeOp::cell_input) return SetTrend::rises;
  if (n.args.empty()) return t.reads == NodeInput::nothing ? SetTrend::same : SetTrend::unknown;
  SetTrend out = SetTrend::same;
  for (std::size_t i = 0; i < n.args.size(); ++i) {
    SetTrend of = trend_of(graph, n.args[i]);
    if (of == SetTrend::same) continue;
    const char sign = t.trend(i) == 'w' ? (n.coefficients[i] < 0 ? '-' : '+') : t.trend(i);
    if (of == SetTrend::unknown || (sign != '+' && sign != '-')) return SetTrend::unknown;
    if (sign == '-') of = of == SetTrend::rises ? SetTrend::falls : SetTrend::rises;
    if (out != SetTrend::same && out != of) return SetTrend::unknown;
    out = of;
  }
  return out;
}

// Whether a stone put anywhere takes no cell but its own out of the set.
bool loses_its_own_alone(const RuleGraph& graph, NodeId id) {
  const RuleNode& n = graph.node(id);
  const auto for_all = [&](const auto& test) { return std::all_of(n.args.begin(), n.args.end(), test); };
  const SetTrend trend = trend_of(graph, id);
  if (trend == SetTrend::same || trend == SetTrend::rises) return true;
  if (n.op == NodeOp::conjunction || n.op == NodeOp::disjunction)
    return for_all([&](NodeId arg) { return loses_its_own_alone(graph, arg); });
  if (n.op != NodeOp::complement) return false;
  // Cells with no stone of some planes.
  const RuleNode& stones = graph.node(n.args[0]);
  if (stones.op == NodeOp::cell_input) return true;
  return stones.op == NodeOp::disjunction && std::all_of(stones.args.begin(), stones.args.end(), [&](NodeId arg) {
           return graph.node(arg).op == NodeOp::cell_input;
         });
}

// What a completed pattern of the player not to move is worth to him; nothing unless the game then ends, and ends so only.
std::optional<std::int64_t> worth_of_any(const RuleSet& set, RuleGraph& graph,
                                         const std::vector<PatternTruth>& patterns) {
  KnownTruths none;
  for (const PatternTruth& p : patterns) none[p.any] = false;
  if (!graph.is_false(replaced(graph, set.ended, none))) return std::nullopt;
  std::optional<std::int64_t> worth;
  for (const PatternTruth& p : patterns) {
    if (!graph.is_true(replaced(graph, set.ended, {{p.any, true}}))) return std::nullopt;
    if (p.plane != kTheirs) continue;
    // The mover has none: the game would have ended before.
    KnownTruths truths = {{p.any, true}};
    for (const PatternTruth& other : patterns) {
      if (other.plane == kMine) truths[other.any] = false;
    }
    const Interval margin = graph.bounds(replaced(graph, set.margin, truths), set.number_bounds());
    if (margin.greatest >= 0 || (margin.least != margin.greatest && !set.outcome_only)) return std::nullopt;
    const std::int64_t found = set.outcome_only ? 1 : -margin.greatest;
    if (worth && *worth != found) return std::nullopt;
    worth = found;
  }
  return worth;
}

// The masks of all patterns of a plane, sorted, each once.
std::vector<CellSet> masks_of(const RuleGraph& graph, const std::vector<PatternTruth>& patterns, int plane) {
  std::vector<CellSet> out;
  for (const PatternTruth& p : patterns) {
    if (p.plane != plane) continue;
    const Relation& masks = graph.relation(graph.node(p.cover).relation);
    out.insert(out.end(), masks.begin(), masks.end());
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// Whether `cell` is open for each way to fill it and another: nothing, mine or theirs on each, in this order, the other's last.
std::array<bool, 9> open_by_contents(const RuleSet& set, const Program& program, Cell cell, Cell other) {
  PositionBatch boards(set.layout.count(), 0);
  for (int own = 0; own < 3; ++own) {
    for (int below = 0; below < 3; ++below) {
      Position p;
      if (own > 0) p.planes[static_cast<std::size_t>(own - 1)] |= cell_bit(cell);
      if (below > 0) p.planes[static_cast<std::size_t>(below - 1)] |= cell_bit(other);
      boards.push(p);
    }
  }
  std::array<std::uint64_t, kLanes> open = {};
  Workspace work;
  InputPointers pointers;
  program.run(program_input(boards, 0, pointers), boards.size, work);
  program.read_set(0, boards.size, work, open.data());
  std::array<bool, 9> out = {};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = (open[i] & cell_bit(cell)) != 0;
  return out;
}

std::vector<std::vector<Cell>> chains_of(const RuleSet& set, const RuleGraph& graph, NodeId to) {
  constexpr std::array<bool, 9> kWhenEmpty = {true, true, true};
  constexpr std::array<bool, 9> kAbove = {false, true, true};
  const std::array<NodeId, 1> roots = {to};
  const Program program(graph, roots, set.number_bounds());
  DecidingCells deciding(graph);
  const auto cells = static_cast<std::size_t>(graph.cells());
  std::vector<Cell> next(cells, kNoCell);
  std::vector<Cell> lowest;
  for (std::size_t c = 0; c < cells; ++c) {
    const auto cell = static_cast<Cell>(c);
    const CellSet others = deciding.at(to, c) & ~cell_bit(cell);
    if (std::popcount(others) > 1) return {};
    const Cell other = others == 0 ? cell : static_cast<Cell>(std::countr_zero(others));
    if (others == 0) {
      const std::array<bool, 9> open = open_by_contents(set, program, cell, cell);
      // Both were put on the one cell: what agrees counts.
      if (!open[0] || open[4] || open[8]) return {};
      lowest.push_back(cell);
      continue;
    }
    const std::array<bool, 9> open = open_by_contents(set, program, cell, other);
    if (open == kWhenEmpty) {
      lowest.push_back(cell);
    } else if (open == kAbove && next[other] == kNoCell) {
      next[other] = cell;
    } else {
      return {};
    }
  }
  std::vector<std::vector<Cell>> out;
  std::size_t covered = 0;
  for (const Cell cell : lowest) {
    std::vector<Cell> chain;
    for (Cell at = cell; at != kNoCell; at = next[at]) chain.push_back(at);
    covered += chain.size();
    out.push_back(std::move(chain));
  }
  if (covered != cells) return {};  // cells that wait for one another
  return out;
}

}  // namespace

std::optional<int> plain_placement(const RuleSet& set, const MoveRule& rule) {
  const bool bare = rule.kind == MoveRule::Kind::place && !rule.limited && !rule.shaped && rule.placements.empty() &&
                    rule.lift < 0 && !rule.has_effect && !rule.to_reads_origin && rule.next.empty() &&
                    rule.transitions.empty();
  if (!bare || rule.put.size() != 1 || rule.put[0].if_first != rule.put[0].if_second || rule.put[0].if_first < 0)
    return std::nullopt;
  if ((contents(set, rule.to) & ~nothing_bit(set)) != 0) return std::nullopt;
  return rule.put[0].if_first;
}

std::vector<PatternTruth> patterns_of(const RuleSet& set, const RuleGraph& graph, std::span<const NodeId> roots) {
  std::vector<PatternTruth> out;
  for (const NodeId id : graph.reachable(roots)) {
    const RuleNode& any = graph.node(id);
    if (any.op != NodeOp::any) continue;
    const RuleNode& cover = graph.node(any.args[0]);
    if (cover.op != NodeOp::cover) continue;
    const RuleNode& stones = graph.node(cover.args[0]);
    const auto plane = static_cast<int>(stones.value);
    if (stones.op == NodeOp::cell_input && plane < set.layout.count()) out.push_back({id, any.args[0], plane});
  }
  return out;
}

NodeId substituted(RuleGraph& graph, NodeId root, const absl::flat_hash_map<NodeId, NodeId>& by) {
  absl::flat_hash_map<NodeId, NodeId> made;
  const std::array<NodeId, 1> roots = {root};
  for (const NodeId id : graph.reachable(roots)) {
    if (const auto other = by.find(id); other != by.end()) {
      made[id] = other->second;
      continue;
    }
    RuleNode node = graph.node(id);
    if (node.args.empty()) {
      made[id] = id;
      continue;
    }
    for (NodeId& arg : node.args) arg = made.at(arg);
    made[id] = graph.make(std::move(node));
  }
  return made.at(root);
}

NodeId replaced(RuleGraph& graph, NodeId root, const KnownTruths& truths) {
  absl::flat_hash_map<NodeId, NodeId> by;
  for (const auto& [id, value] : truths) by[id] = graph.truth(value);
  return substituted(graph, root, by);
}

std::optional<PatternGame> pattern_game(const Rules& rules, RuleGraph& graph) {
  const RuleSet& set = rules.set();
  if (set.ended < 0 || set.margin < 0 || set.tiebreak >= 0 || set.moves.empty()) return std::nullopt;
  if (set.layout.count() != 2 || set.layout.own != 1 || !set.slots.empty() || set.passes_live) return std::nullopt;
  std::vector<NodeId> open;
  for (const MoveRule& rule : set.moves) {
    if (plain_placement(set, rule) != kMine) return std::nullopt;
    open.push_back(rule.to);
  }
  PatternGame out;
  out.to = graph.disjunction(open);
  const NodeId mine = graph.cell_input(kPlanes + kMine);
  const NodeId theirs = graph.cell_input(kPlanes + kTheirs);
  if (substituted(graph, out.to, {{mine, theirs}, {theirs, mine}}) != out.to) return std::nullopt;
  const std::vector<NodeId> roots = {set.ended, set.margin, out.to};
  if (!read_cells_alone(graph, roots)) return std::nullopt;
  const std::vector<NodeId> ends = {set.ended, set.margin};
  const std::vector<PatternTruth> patterns = patterns_of(set, graph, ends);
  out.masks = masks_of(graph, patterns, kTheirs);
  if (out.masks.empty() || out.masks != masks_of(graph, patterns, kMine)) return std::nullopt;
  const std::optional<std::int64_t> worth = worth_of_any(set, graph, patterns);
  if (!worth) return std::nullopt;
  out.worth = *worth;
  // Nothing else is worth more.
  const bool decides = (set.stuck == Stuck::loses || set.stuck == Stuck::wins) && out.worth >= set.denominator;
  if (set.stuck != Stuck::ties && !decides) return std::nullopt;
  out.keeps_open = loses_its_own_alone(graph, out.to);
  out.ties_when_full = set.stuck == Stuck::ties;
  out.chains = chains_of(set, graph, out.to);
  return out;
}

}  // namespace plenum
