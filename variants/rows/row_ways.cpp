// SPDX-License-Identifier: Apache-2.0
// The moves of an occupied set one by one, with the conditions that decide whether they are there.
#include <algorithm>
#include <bit>
#include <numeric>

#include "variants/rows/row_rules.h"

namespace plenum {
namespace {

// The cells whose contents decide whether a cell is in a set, or what a number is, by structure: each node and cell once.
class Looks {
 public:
  explicit Looks(const RuleGraph& graph)
      : graph_(graph), known_(graph.size() * cells(), false), found_(graph.size() * cells(), 0) {}

  CellSet at(NodeId id, std::size_t cell) {
    const std::size_t k = static_cast<std::size_t>(id) * cells() + cell;
    if (!known_[k]) {
      found_[k] = find(graph_.node(id), cell);
      known_[k] = true;
    }
    return found_[k];
  }

 private:
  std::size_t cells() const { return static_cast<std::size_t>(graph_.cells()); }

  CellSet of_args(const RuleNode& n, CellSet around) {
    CellSet out = 0;
    for (const NodeId arg : n.args) {
      for (CellSet rest = around; rest != 0; rest &= rest - 1)
        out |= at(arg, static_cast<std::size_t>(std::countr_zero(rest)));
    }
    return out;
  }

  CellSet find(const RuleNode& n, std::size_t cell) {
    switch (traits(n.op).reach) {
      case NodeReach::nowhere:
        return n.op == NodeOp::cell_input && n.value < kOrigin ? cell_bit(static_cast<Cell>(cell)) : 0;
      case NodeReach::here:
        return of_args(n, cell_bit(static_cast<Cell>(cell)));
      case NodeReach::beside:
        return of_args(n, graph_.relation(n.relation)[cell]);
      case NodeReach::patterns: {
        CellSet around = 0;
        for (const CellSet mask : graph_.relation(n.relation)) {
          if ((mask >> cell & 1) != 0) around |= mask;
        }
        return of_args(n, around);
      }
      case NodeReach::board:
        return of_args(n, graph_.all());
      case NodeReach::far:
      case NodeReach::rounds:
        return graph_.all();
    }
    return graph_.all();
  }

  const RuleGraph& graph_;
  std::vector<bool> known_;
  std::vector<CellSet> found_;
};

}  // namespace

void RowRules::find_looked_at() {
  const RuleSet& rules = variant_.rule_set();
  Looks looks(rules.graph);
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
  std::vector<Cell> stay(static_cast<std::size_t>(graph.cells()));
  std::iota(stay.begin(), stay.end(), Cell{0});
  Linear negative = form;
  negative.constant = -negative.constant;
  for (auto& term : negative.terms) term.second = -term.second;
  out.same_for_both =
      graph.remap(std::vector<NodeId>{rules.margin}, stay, true)[0] == graph.of_form(negative, /*fields=*/false);
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

CellSet RowRules::looked_at(const RowWay::Condition& condition) const {
  const auto& by_cell = looked_at_[static_cast<std::size_t>(condition.set)];
  return by_cell[condition.cell];
}

std::optional<RowWay::Condition> RowRules::pass() const {
  if (pass_root_ < 0) return std::nullopt;
  return RowWay::Condition{pass_root_, 0, kNoCell};  // a truth: the same for every cell
}

void RowRules::ways(CellSet occupied, const WayFn& visit) const {
  const CellSet all = variant_.board().all();
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    const Rule& rule = rules_[r];
    const MoveRule& move = variant_.rule_set().moves[rule.number];
    RowWay way;
    way.move.rule = static_cast<std::uint8_t>(rule.number);
    if (move.kind != MoveRule::Kind::move) {
      for (const PlaneChoice& put : move.put) {
        way.move.put = put.if_first;
        for (CellSet rest = all; rest != 0; rest &= rest - 1) {
          way.move.to = static_cast<Cell>(std::countr_zero(rest));
          way.to = {rule.to, way.move.to, kNoCell};
          if (!visit(way)) return;
        }
      }
      continue;
    }
    const std::size_t distances = std::max<std::size_t>(1, move.reach.size());
    for (CellSet froms = occupied; froms != 0; froms &= froms - 1) {
      const auto from = static_cast<Cell>(std::countr_zero(froms));
      for (std::size_t d = 1; d <= distances; ++d) {
        // A carried stone comes to an empty cell: none leaves the board.
        CellSet there = range(move, from, occupied, rule.reach < 0 ? 0 : d) & ~occupied;
        for (; there != 0; there &= there - 1) {
          if (!visit(carried(r, from, static_cast<Cell>(std::countr_zero(there)), d))) return;
        }
      }
    }
  }
}

// The move of a carried stone between two cells, on the set as it is before.
std::optional<RowWay> RowRules::carry(std::size_t r, Cell from, Cell to, CellSet occupied) const {
  const Rule& rule = rules_[r];
  const MoveRule& move = variant_.rule_set().moves[rule.number];
  const std::size_t distances = std::max<std::size_t>(1, move.reach.size());
  for (std::size_t d = 1; d <= distances; ++d) {
    if ((range(move, from, occupied, rule.reach < 0 ? 0 : d) & cell_bit(to)) == 0) continue;
    return carried(r, from, to, d);
  }
  return std::nullopt;
}

RowWay RowRules::carried(std::size_t r, Cell from, Cell to, std::size_t distance) const {
  const Rule& rule = rules_[r];
  RowWay way;
  way.move = {static_cast<std::uint8_t>(rule.number), from, to, -1};
  way.from = RowWay::Condition{rule.reach < 0 ? rule.from : rule.reach + static_cast<int>(distance) - 1, from, kNoCell};
  way.to = rule.from_origin != nullptr ? RowWay::Condition{static_cast<int>(roots_.size() + r), to, from}
                                       : RowWay::Condition{rule.to, to, kNoCell};
  return way;
}

void RowRules::ways_back(CellSet occupied, const WayFn& visit) const {
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    const Rule& rule = rules_[r];
    const MoveRule& move = variant_.rule_set().moves[rule.number];
    if (move.kind != MoveRule::Kind::move) {
      for (const PlaneChoice& put : move.put) {
        for (CellSet rest = occupied; rest != 0; rest &= rest - 1) {
          const auto to = static_cast<Cell>(std::countr_zero(rest));
          const RowMove replace = {static_cast<std::uint8_t>(rule.number), kNoCell, to, put.if_first};
          if (!visit({replace, {rule.to, to, kNoCell}, {}})) return;
        }
      }
      continue;
    }
    for (CellSet tos = occupied; tos != 0; tos &= tos - 1) {
      const auto to = static_cast<Cell>(std::countr_zero(tos));
      for (CellSet froms = variant_.board().all() & ~occupied; froms != 0; froms &= froms - 1) {
        const auto from = static_cast<Cell>(std::countr_zero(froms));
        const CellSet before = (occupied & ~cell_bit(to)) | cell_bit(from);
        const std::optional<RowWay> way = carry(r, from, to, before);
        if (way && !visit(*way)) return;
      }
    }
  }
}

void RowRules::column(const RowWay::Condition& condition, CellSet occupied, Scratch& s,
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
