// SPDX-License-Identifier: Apache-2.0
// The moves of an occupied set one by one, with the conditions that decide whether they are there.
#include <algorithm>
#include <bit>

#include "variants/graph/deciding_cells.h"
#include "variants/rows/row_rules.h"

namespace plenum {
namespace {

// What a node is for the player who is not to move; of nodes that read nothing but cells.
NodeId seen_by_other(RuleGraph& graph, const PlaneLayout& layout, NodeId root) {
  std::vector<NodeId> made(graph.size(), -1);
  for (const NodeId id : graph.reachable(std::vector<NodeId>{root})) {
    RuleNode node = graph.node(id);
    for (NodeId& arg : node.args) arg = made[static_cast<std::size_t>(arg)];
    if (node.op == NodeOp::cell_input && node.value < kMaxPlanes)
      node.value = static_cast<std::uint64_t>(layout.swapped(static_cast<int>(node.value)));
    made[static_cast<std::size_t>(id)] = graph.make(std::move(node));
  }
  return made[static_cast<std::size_t>(root)];
}

}  // namespace

void RowRules::find_looked_at() {
  const RuleSet& rules = variant_.rule_set();
  DecidingCells looks(rules.graph);
  const auto add = [&](NodeId root) {
    std::vector<CellSet>& by_cell = looked_at_.emplace_back();
    for (int cell = 0; cell < variant_.board().size(); ++cell)
      by_cell.push_back(looks.at(root, static_cast<std::size_t>(cell)));
  };
  for (const NodeId root : roots_) add(root);
  for (const Rule& rule : rules_) add(rules.moves[rule.number].to);
  for (const NodeId root : score_roots_) add(root);
}

void RowRules::find_score() {
  const RuleSet& rules = variant_.rule_set();
  if (rules.tiebreak >= 0) return;
  RowScore out;
  const Linear form = rules.graph.as_form(rules.margin);
  out.constant = form.constant;
  for (const auto& [id, weight] : form.terms) {
    const RuleNode& node = rules.graph.node(id);
    if (node.op != NodeOp::count) return;
    const std::vector<NodeId> read = rules.graph.reachable(std::vector<NodeId>{id});
    for (const NodeId one : read) {
      const NodeInput reads = traits(rules.graph.node(one).op).reads;
      if (reads != NodeInput::nothing && reads != NodeInput::cells) return;
    }
    out.counts.push_back({static_cast<int>(roots_.size() + rules_.size() + score_roots_.size()), weight});
    score_roots_.push_back(node.args[0]);
  }
  RuleGraph graph = rules.graph;
  Linear negative = form;
  negative.constant = -negative.constant;
  for (auto& term : negative.terms) term.second = -term.second;
  out.same_for_both = seen_by_other(graph, rules.layout, rules.margin) == graph.of_form(negative, /*fields=*/false);
  if (!score_roots_.empty())
    score_program_ = std::make_shared<const Program>(rules.graph, score_roots_, rules.number_bounds());
  score_ = std::move(out);
}

std::pair<const Program*, std::size_t> RowRules::root_of(std::size_t set) const {
  if (set < roots_.size()) return {program_.get(), set};
  set -= roots_.size();
  if (set < rules_.size()) return {rules_[set].from_origin.get(), 0};
  return {score_program_.get(), set - rules_.size()};
}

CellSet RowRules::looked_at(const RowWays::Condition& condition) const {
  const auto& by_cell = looked_at_[static_cast<std::size_t>(condition.set)];
  return by_cell[condition.cell];
}

std::optional<RowWays::Condition> RowRules::pass() const {
  if (pass_root_ < 0) return std::nullopt;
  return RowWays::Condition{pass_root_, 0, kNoCell};  // a truth: the same for every cell
}

void RowRules::ways(CellSet occupied, WayFn visit) const {
  const CellSet all = variant_.board().all();
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    const Rule& rule = rules_[r];
    const MoveRule& move = variant_.rule_set().moves[rule.number];
    if (move.kind != MoveRule::Kind::move) {
      for (const PlaneChoice& put : move.put) {
        if (!visit({static_cast<std::uint8_t>(rule.number), put.if_first, {}, all, rule.to, false})) return;
      }
      continue;
    }
    const std::size_t distances = std::max<std::size_t>(1, move.reach.size());
    for (CellSet froms = occupied; froms != 0; froms &= froms - 1) {
      const auto from = static_cast<Cell>(std::countr_zero(froms));
      for (std::size_t d = 1; d <= distances; ++d) {
        // A carried stone comes to an empty cell: none leaves the board.
        const CellSet there = range(move, from, occupied, rule.reach < 0 ? 0 : d) & ~occupied;
        if (there != 0 && !visit(carried(r, from, d, there))) return;
      }
    }
  }
}

RowWays RowRules::carried(std::size_t r, Cell from, std::size_t distance, CellSet to) const {
  const Rule& rule = rules_[r];
  RowWays out;
  out.rule = static_cast<std::uint8_t>(rule.number);
  out.from =
      RowWays::Condition{rule.reach < 0 ? rule.from : rule.reach + static_cast<int>(distance) - 1, from, kNoCell};
  out.to = to;
  out.reads_origin = rule.from_origin != nullptr;
  out.to_set = out.reads_origin ? static_cast<int>(roots_.size() + r) : rule.to;
  return out;
}

void RowRules::ways_back(CellSet occupied, WayFn visit) const {
  const auto cells = static_cast<std::size_t>(variant_.board().size());
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    const Rule& rule = rules_[r];
    const MoveRule& move = variant_.rule_set().moves[rule.number];
    if (move.kind != MoveRule::Kind::move) {
      for (const PlaneChoice& put : move.put) {
        if (!visit({static_cast<std::uint8_t>(rule.number), put.if_first, {}, occupied, rule.to, false})) return;
      }
      continue;
    }
    for (CellSet froms = variant_.board().all() & ~occupied; froms != 0; froms &= froms - 1) {
      const auto from = static_cast<Cell>(std::countr_zero(froms));
      for (CellSet tos = occupied; tos != 0; tos &= tos - 1) {
        const auto to = static_cast<Cell>(std::countr_zero(tos));
        const CellSet before = (occupied & ~cell_bit(to)) | cell_bit(from);
        const std::size_t d = rule.slides ? ((range(move, from, before, 0) & cell_bit(to)) != 0 ? 1 : 0)
                                          : rule.distance[from * cells + to];
        if (d != 0 && !visit(carried(r, from, d, cell_bit(to)))) return;
      }
    }
  }
}

// How far it is between two cells for a move that does not depend on what stands between them; 0: it does not go there.
void RowRules::find_distances() {
  const auto cells = static_cast<std::size_t>(variant_.board().size());
  for (Rule& rule : rules_) {
    const MoveRule& move = variant_.rule_set().moves[rule.number];
    if (move.kind != MoveRule::Kind::move) continue;
    rule.slides = rule.reach < 0 && move.step[0] < 0 && move.limited;
    rule.distance.assign(cells * cells, 0);
    for (std::size_t from = 0; from < cells && !rule.slides; ++from) {
      for (std::size_t d = std::max<std::size_t>(1, move.reach.size()); d > 0; --d) {
        const CellSet there = range(move, static_cast<Cell>(from), 0, rule.reach < 0 ? 0 : d);
        for (CellSet rest = there; rest != 0; rest &= rest - 1)
          rule.distance[from * cells + static_cast<std::size_t>(std::countr_zero(rest))] = static_cast<std::uint8_t>(d);
      }
    }
  }
}

void RowRules::column(const RowWays::Condition& condition, CellSet occupied, Scratch& s,
                      std::vector<std::uint64_t>& out) const {
  const std::size_t positions = std::size_t{1} << std::popcount(occupied);
  out.assign((positions + 63) / 64, 0);
  const auto [program, root] = root_of(static_cast<std::size_t>(condition.set));
  InputPointers pointers;
  for (std::size_t begin = 0; begin < positions; begin += kLanes) {
    const std::size_t lanes = std::min(kLanes, positions - begin);
    planes(occupied, begin, lanes, s.batch_.planes[0].data(), s.batch_.planes[1].data());
    const ProgramInput in = program_input(s.batch_, 0, pointers);
    if (condition.origin != kNoCell) {
      pointers.cells[kOrigin] = s.origin_.data();
      std::fill(s.origin_.begin(), s.origin_.end(), cell_bit(condition.origin));
    }
    program->run(in, lanes, s.work_);
    const std::uint32_t* const sets = program->narrow_set(root, s.work_);
    for (std::size_t k = 0; k < lanes; ++k)
      out[(begin + k) / 64] |= std::uint64_t{sets[k] >> condition.cell & 1} << ((begin + k) % 64);
  }
}

}  // namespace plenum
