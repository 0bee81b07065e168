// SPDX-License-Identifier: Apache-2.0
#include "variants/rows/row_rules.h"

#include <algorithm>
#include <bit>

#include <absl/strings/str_cat.h>

#include "variants/board/bits.h"
#include "variants/rows/columns.h"
#include "variants/rules/cell_rules.h"

namespace plenum {
namespace {

bool reads_cells(const RuleNode& n) { return traits(n.op).reads == NodeInput::cells; }

bool reads_state(const RuleNode& n) {
  const NodeInput reads = traits(n.op).reads;
  return reads == NodeInput::state || reads == NodeInput::mover;
}

bool reads_passes(const RuleNode& n) { return n.op == NodeOp::number_input && n.value == kPassesInput; }

template <typename Test>
bool any_node(const RuleGraph& graph, std::vector<NodeId> roots, const Test& test) {
  std::erase_if(roots, [](NodeId id) { return id < 0; });
  const std::vector<NodeId> nodes = graph.reachable(roots);
  return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return test(graph.node(id)); });
}

// What keeps a rule from being worked out by rows; empty if nothing does.
std::string row_obstacle(const RuleSet& rules, const MoveRule& rule) {
  const std::string name = absl::StrCat("the move '", rule.name, "' ");
  if (!rule.next.empty()) return absl::StrCat(name, "has further parts");
  if (rule.shaped) return absl::StrCat(name, "places a shape");
  if (rule.lift >= 0) return absl::StrCat(name, "lifts stones");
  if (rule.kind == MoveRule::Kind::choice) return absl::StrCat(name, "is a choice alone");
  if (rule.kind == MoveRule::Kind::remove) return absl::StrCat(name, "takes stones off");
  std::vector<NodeId> roots = {rule.when, rule.from, rule.to};
  roots.insert(roots.end(), rule.reach.begin(), rule.reach.end());
  if (any_node(rules.graph, roots, reads_state))
    return absl::StrCat(name, "depends on passes, state or who is to move");
  if (!rule.has_effect) return "";
  RuleGraph graph = rules.graph;  // to ask for nodes that exist
  for (std::size_t p = 0; p < rule.planes_after.size(); ++p) {
    if (rule.planes_after[p] != graph.cell_input(kPlanes + static_cast<int>(p)))
      return absl::StrCat(name, "changes other cells");
  }
  if (!graph.is_true(rule.legal) || !graph.is_false(rule.invalid))
    return absl::StrCat(name, "may be illegal by what it brings about");
  const auto reads_more = [](const RuleNode& n) { return reads_cells(n) || reads_passes(n); };
  for (std::size_t s = 0; s < rules.slots.size(); ++s) {
    if (rules.slots[s].live && any_node(graph, {rule.state_after[s]}, reads_more))
      return absl::StrCat(name, "changes the state by what stands on the board, or by passes");
  }
  return "";
}

}  // namespace

RowRules::Scratch::Scratch(const RowRules& rules)
    : batch_(2, static_cast<int>(rules.variant_.rule_set().slots.size())), origin_(kLanes) {
  batch_.grow(kLanes);
  batch_.size = kLanes;
  std::fill(batch_.mover_is_first.begin(), batch_.mover_is_first.end(), std::uint8_t{1});
  for (auto& slot : batch_.state) std::fill(slot.begin(), slot.end(), std::uint8_t{0});
  std::fill(batch_.passes.begin(), batch_.passes.end(), std::uint8_t{0});
  columns_.resize(rules.program_->roots());
}

absl::StatusOr<RowRules> RowRules::make(const Variant& variant) {
  const auto no = [](const std::string& why) { return absl::UnimplementedError(why); };
  const RuleSet& rules = variant.rule_set();
  if (variant.rules().cells() == nullptr) return no("its pieces go by powers of their own");
  if (rules.layout.count() != 2) return no("there are more than two kinds of stones");
  if (rules.board.size() > 32) return no("the board has more than 32 cells");
  bool plain_exchange = false;
  for (const Symmetry& s : variant.symmetries().elements()) {
    bool identity = s.exchange;
    for (std::size_t c = 0; c < s.permutation.size(); ++c) identity = identity && s.permutation[c] == c;
    plain_exchange = plain_exchange || identity;
  }
  if (!plain_exchange) return no("the players cannot be exchanged");
  if (rules.stuck == Stuck::pass) return no("who cannot move passes");
  if (rules.stuck == Stuck::unstated && !rules.always_a_move) return no("it is not known that there is always a move");
  if (variant.rules().cells()->merges_moves()) return no("different rules may make one move");
  const std::vector<Measure>& measures = variant.tiers().measures();
  if (measures.empty() || measures[0].kind_weight.empty() || measures[0].noted_slot >= 0 ||
      !std::all_of(measures[0].kind_weight.begin(), measures[0].kind_weight.end(), [](int w) { return w == 1; }))
    return no("stones may leave the board");
  RowRules out(variant);
  std::vector<NodeId> roots;
  const auto root = [&](NodeId id) {
    roots.push_back(id);
    return static_cast<int>(roots.size()) - 1;
  };
  const std::vector<Interval> bounds = rules.number_bounds();
  for (std::size_t k = 0; k < rules.moves.size(); ++k) {
    const MoveRule& rule = rules.moves[k];
    if (const std::string why = row_obstacle(rules, rule); !why.empty()) return no(why);
    if (rule.kind == MoveRule::Kind::pass) {
      if (out.pass_rule_ >= 0) return no("there are several ways to pass");
      out.pass_rule_ = static_cast<int>(k);
      out.pass_root_ = root(rule.when);
      continue;
    }
    Rule made;
    made.number = k;
    if (rule.from >= 0) made.from = root(rule.from);
    if (rule.to_reads_origin) {
      made.from_origin = std::make_shared<const Program>(rules.graph, std::vector<NodeId>{rule.to}, bounds);
    } else {
      made.to = root(rule.to);
    }
    if (!rule.reach.empty()) made.reach = static_cast<int>(roots.size());
    roots.insert(roots.end(), rule.reach.begin(), rule.reach.end());
    out.rules_.push_back(std::move(made));
  }
  if (out.pass_rule_ >= 0 && !(rules.passes_end && rules.passes_live && rules.passes_cap == 2))
    return no("two passes in a row do not end the game");
  if (rules.stuck == Stuck::scores && out.pass_rule_ >= 0 &&
      any_node(rules.graph, {rules.margin, rules.tiebreak}, reads_passes))
    return no("what it is worth to have no move depends on passes");
  out.ends_without_passes_ = any_node(rules.graph, {rules.ended}, [](const RuleNode& n) {
    return reads_cells(n) || (reads_state(n) && !reads_passes(n));
  });
  if (out.ends_without_passes_ && rules.passes_live) return no("the game ends by passes and otherwise");
  out.program_ = std::make_shared<const Program>(rules.graph, roots, bounds);
  out.roots_ = std::move(roots);
  out.find_distances();
  out.find_score();
  out.find_looked_at();
  return out;
}

std::uint64_t RowRules::scratch_bytes(std::uint64_t positions) const {
  const auto cells = static_cast<std::uint64_t>(variant_.board().size());
  std::uint64_t columns = cells * program_->roots();
  for (const Rule& rule : rules_) columns += rule.from_origin != nullptr ? cells * cells : 0;
  return columns * (positions + 63) / 64 * sizeof(std::uint64_t);
}

void RowRules::planes(CellSet occupied, std::uint64_t row, CellSet* planes) {
  planes[0] = deposit(row, occupied);
  planes[1] = occupied & ~planes[0];
}

void RowRules::planes(CellSet occupied, std::uint64_t begin, std::size_t lanes, CellSet* mine, CellSet* theirs) {
  if (begin == 0) {
    for (std::size_t k = 0; k < lanes; ++k) mine[k] = deposit(k, occupied);
  } else {  // the low bits are the same for every batch; only the cells of the high ones change
    const CellSet low = deposit(kLanes - 1, occupied);
    const CellSet high = deposit(begin, occupied);
    for (std::size_t k = 0; k < lanes; ++k) mine[k] = (mine[k] & low) | high;
  }
  for (std::size_t k = 0; k < lanes; ++k) theirs[k] = occupied & ~mine[k];
}

// Where a piece on `from` may go as far as distance and obstacles are concerned.
CellSet RowRules::range(const MoveRule& rule, Cell from, CellSet occupied, std::size_t distance) const {
  const RuleSet& rules = variant_.rule_set();
  if (distance > 0)
    return rules.board.ball(static_cast<int>(distance), from) & ~rules.board.ball(static_cast<int>(distance) - 1, from);
  if (rule.step[0] >= 0) return rules.graph.relation(rule.step[0])[from];
  if (!rule.limited) return rules.board.all() & ~cell_bit(from);
  CellSet out = 0;
  for (const RelationId id : rule.slide[0]) {
    const Relation& direction = rules.graph.relation(id);
    CellSet here = direction[from];
    CellSet passed = 0;
    while (here != 0 && (here & (passed | cell_bit(from))) == 0) {
      passed |= here;
      if ((here & occupied) != 0) break;
      here = direction[static_cast<std::size_t>(std::countr_zero(here))];
    }
    out |= passed;
  }
  return out;
}

void RowRules::add(RowMove move, const std::uint64_t* a, const std::uint64_t* b, RowMoves& out) const {
  const std::size_t at = out.legal.size();
  out.legal.resize(at + out.words);
  std::uint64_t any = 0;
  for (std::size_t w = 0; w < out.words; ++w) {
    const std::uint64_t both = b == nullptr ? a[w] : a[w] & b[w];
    out.legal[at + w] = both;
    any |= both;
  }
  if (any == 0) {
    out.legal.resize(at);
  } else {
    out.moves.push_back(move);
  }
}

void RowRules::find(CellSet occupied, Scratch& s, RowMoves& out) const {
  out.positions = std::size_t{1} << std::popcount(occupied);
  out.words = (out.positions + 63) / 64;
  out.moves.clear();
  out.legal.clear();
  const auto cells = static_cast<std::size_t>(variant_.board().size());
  for (auto& column : s.columns_) column.resize(cells * out.words);
  s.reached_.resize(rules_.size());
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    if (rules_[r].from_origin != nullptr) s.reached_[r].resize(cells * cells * out.words);
  }
  InputPointers pointers;
  for (std::size_t begin = 0; begin < out.positions; begin += kLanes) {
    const std::size_t lanes = std::min(kLanes, out.positions - begin);
    planes(occupied, begin, lanes, s.batch_.planes[0].data(), s.batch_.planes[1].data());
    const ProgramInput in = program_input(s.batch_, 0, pointers);
    program_->run(in, lanes, s.work_);
    const std::size_t word = begin / 64;
    for (std::size_t r = 0; r < s.columns_.size(); ++r) {
      to_columns(program_->narrow_set(r, s.work_), lanes, static_cast<int>(cells), out.words,
                 s.columns_[r].data() + word);
    }
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      if (rules_[r].from_origin == nullptr) continue;
      pointers.cells[kOrigin] = s.origin_.data();
      for (CellSet rest = occupied; rest != 0; rest &= rest - 1) {
        const auto from = static_cast<std::size_t>(std::countr_zero(rest));
        std::fill(s.origin_.begin(), s.origin_.end(), rest & -rest);
        rules_[r].from_origin->run(in, lanes, s.work_);
        to_columns(rules_[r].from_origin->narrow_set(0, s.work_), lanes, static_cast<int>(cells), out.words,
                   s.reached_[r].data() + from * cells * out.words + word);
      }
    }
  }
  out.passes.clear();
  if (pass_root_ >= 0) {
    const auto& when = s.columns_[static_cast<std::size_t>(pass_root_)];
    out.passes.assign(when.begin(), when.begin() + static_cast<std::ptrdiff_t>(out.words));
  }
  const auto find_put = [&](CellSet where) {
    for (const Rule& rule : rules_) {
      const MoveRule& move = variant_.rule_set().moves[rule.number];
      if (move.kind == MoveRule::Kind::move) continue;
      for (const PlaneChoice& put : move.put) {
        for (CellSet rest = where; rest != 0; rest &= rest - 1) {
          const auto to = static_cast<std::size_t>(std::countr_zero(rest));
          add({static_cast<std::uint8_t>(rule.number), kNoCell, static_cast<Cell>(to), put.if_first},
              s.columns_[static_cast<std::size_t>(rule.to)].data() + to * out.words, nullptr, out);
        }
      }
    }
  };
  find_put(variant_.board().all() & ~occupied);
  out.adding = out.moves.size();
  find_put(occupied);
  for (const Rule& rule : rules_) {
    if (variant_.rule_set().moves[rule.number].kind == MoveRule::Kind::move) find_carried(rule, occupied, s, out);
  }
}

void RowRules::find_carried(const Rule& rule, CellSet occupied, Scratch& s, RowMoves& out) const {
  const MoveRule& move = variant_.rule_set().moves[rule.number];
  const auto cells = static_cast<std::size_t>(variant_.board().size());
  for (CellSet froms = occupied; froms != 0; froms &= froms - 1) {
    const auto from = static_cast<std::size_t>(std::countr_zero(froms));
    const std::size_t distances = std::max<std::size_t>(1, move.reach.size());
    for (std::size_t d = 1; d <= distances; ++d) {
      const std::size_t root =
          rule.reach < 0 ? static_cast<std::size_t>(rule.from) : static_cast<std::size_t>(rule.reach) + d - 1;
      const std::uint64_t* const may = s.columns_[root].data() + from * out.words;
      if (std::all_of(may, may + out.words, [](std::uint64_t w) { return w == 0; })) break;
      const CellSet there = range(move, static_cast<Cell>(from), occupied, rule.reach < 0 ? 0 : d);
      for (CellSet rest = there; rest != 0; rest &= rest - 1) {
        const auto to = static_cast<std::size_t>(std::countr_zero(rest));
        const std::uint64_t* const legal =
            rule.from_origin != nullptr
                ? s.reached_[static_cast<std::size_t>(&rule - rules_.data())].data() + (from * cells + to) * out.words
                : s.columns_[static_cast<std::size_t>(rule.to)].data() + to * out.words;
        add({static_cast<std::uint8_t>(rule.number), static_cast<Cell>(from), static_cast<Cell>(to), -1}, may, legal,
            out);
      }
    }
  }
}

}  // namespace plenum
