// SPDX-License-Identifier: Apache-2.0
// A row of positions: its conditions as columns of bits.
#include <algorithm>
#include <bit>

#include "variants/board/bits.h"
#include "variants/graph/enum_table.h"
#include "variants/rows/placing_rules.h"

namespace plenum {

PlacingRules::Row::Row(const PlacingRules& rules)
    : rules_(rules), graph_(rules.variant_.rule_set().graph), bit_of_(static_cast<std::size_t>(graph_.cells()), -1) {
  for (Context* context : {&before_, &placed_})
    context->memo.resize(rules.numbered_ * static_cast<std::size_t>(graph_.cells()));
}

void PlacingRules::Row::begin(CellSet occupied, Player mover) {
  occupied_ = occupied;
  first_moves_ = mover == Player::first;
  const int stones = std::popcount(occupied);
  const std::size_t words = std::max<std::uint64_t>(1, (std::uint64_t{1} << stones) / 64);
  for (Context* context : {&before_, &placed_}) {
    if (words != words_) context->words.clear();
    context->board_stamp = 0;
  }
  words_ = words;
  std::fill(bit_of_.begin(), bit_of_.end(), -1);
  int bit = 0;
  for (CellSet rest = occupied; rest != 0; rest &= rest - 1)
    bit_of_[static_cast<std::size_t>(std::countr_zero(rest))] = bit++;
}

void PlacingRules::Row::begin_context(Context& context, const Position& state, const Choice* choice, Cell to) {
  at_ = &context;
  const CellSet placed = choice != nullptr ? cell_bit(to) : 0;
  const bool same_board = context.board_stamp != 0 && context.choice == choice && context.placed == placed;
  if (same_board && context.state.state == state.state) return;
  context.state = state;
  context.state_stamp = ++stamps_;
  if (same_board) return;
  context.choice = choice;
  context.placed = placed;
  context.board_stamp = ++stamps_;
  context.used = 0;
}

std::uint64_t* PlacingRules::Row::fresh() {
  if (at_->used == at_->words.size()) at_->words.emplace_back(words_);
  return at_->words[at_->used++].data();
}

// A column as words.
const std::uint64_t* PlacingRules::Row::spelled(const Column& column) {
  if (column.kind() == Column::Kind::words) return column.words();
  std::uint64_t* const out = fresh();
  column.for_runs(words_,
                  [&](std::size_t from, std::size_t to, std::uint64_t mask) { std::fill(out + from, out + to, mask); });
  return out;
}

template <typename Combine>
Column PlacingRules::Row::joined(const Column& a, const Column& b, const Combine& combine) {
  if (a.kind() == Column::Kind::table && b.kind() == Column::Kind::table) {
    if (const auto both = Column::combined(a.table(), b.table(), combine)) return *both;
  }
  const std::uint64_t* const x = spelled(a);
  const std::uint64_t* const y = spelled(b);
  std::uint64_t* const out = fresh();
  for (std::size_t w = 0; w < words_; ++w) out[w] = combine(x[w], y[w]);
  return Column(out);
}

Column PlacingRules::Row::complement(const Column& a) {
  if (a.kind() == Column::Kind::table) {
    Column::Table out = a.table();
    out.bits = ~out.bits;
    return Column(out);
  }
  if (a.kind() != Column::Kind::words) return Column(a.none());
  std::uint64_t* const out = fresh();
  for (std::size_t w = 0; w < words_; ++w) out[w] = ~a.words()[w];
  return Column(out);
}

Column PlacingRules::Row::conjunction(const Column& a, const Column& b) {
  if (a.none() || b.none()) return Column(false);
  if (a.all()) return b;
  if (b.all()) return a;
  return joined(a, b, [](std::uint64_t x, std::uint64_t y) { return x & y; });
}

Column PlacingRules::Row::disjunction(const Column& a, const Column& b) {
  if (a.all() || b.all()) return Column(true);
  if (a.none()) return b;
  if (b.none()) return a;
  return joined(a, b, [](std::uint64_t x, std::uint64_t y) { return x | y; });
}

// What stands on a cell: the mover's kind is plane 0, the opponent's plane 1.
Column PlacingRules::Row::plane(int number, std::size_t cell, bool before) {
  const bool firsts = (number == 0) == first_moves_;
  if (!before && (at_->placed >> cell & 1) != 0) return Column((at_->choice->owner == Player::first) == firsts);
  if (bit_of_[cell] < 0) return Column(false);
  Column::Table out;
  out.count = 1;
  out.axes[0] = static_cast<std::uint8_t>(bit_of_[cell]);
  out.bits = firsts ? 0b10 : 0b01;
  return Column(out);
}

Column PlacingRules::Row::set(NodeId id, std::size_t cell) {
  const RuleNode& node = graph_.node(id);
  if (node.op == NodeOp::constant) return Column((node.value >> cell & 1) != 0);
  if (node.op == NodeOp::any || node.op == NodeOp::player_is) cell = 0;
  const std::size_t at = rules_.number_[static_cast<std::size_t>(id)] * static_cast<std::size_t>(graph_.cells()) + cell;
  const std::uint64_t stamp = rules_.reads_state_[static_cast<std::size_t>(id)] ? at_->state_stamp : at_->board_stamp;
  if (at_->memo[at].stamp == stamp) return at_->memo[at].column;
  const Column found = find_set(id, cell);
  at_->memo[at] = {stamp, found};
  return found;
}

// Cells outside which a set is empty, by a quick look.
CellSet PlacingRules::Row::within(NodeId id) const {
  const RuleNode& n = graph_.node(id);
  if (n.op == NodeOp::constant) return n.value;
  if (n.op == NodeOp::cell_input)
    return n.value == kPlaced ? at_->placed : n.value == kTaken ? 0 : occupied_ | at_->placed;
  CellSet out = graph_.all();
  if (n.op == NodeOp::conjunction) {
    for (const NodeId arg : n.args) out &= within(arg);
  }
  return out;
}

// Where one of these cells is in the set.
Column PlacingRules::Row::any_of(NodeId id, CellSet cells) {
  Column out(false);
  for (CellSet rest = cells; rest != 0 && !out.all(); rest &= rest - 1)
    out = disjunction(out, set(id, static_cast<std::size_t>(std::countr_zero(rest))));
  return out;
}

Column PlacingRules::Row::input(const RuleNode& n, std::size_t cell) {
  const int which = static_cast<int>(n.value);
  if (which == kPlaced) return Column((at_->placed >> cell & 1) != 0);
  if (which == kTaken) return Column(false);
  return which >= kPlanesBefore ? plane(which - kPlanesBefore, cell, true) : plane(which - kPlanes, cell, false);
}

// Where the cell is in all of the sets, or in any.
Column PlacingRules::Row::in_sets(const std::vector<NodeId>& sets, std::size_t cell, bool all) {
  Column out(all);
  for (std::size_t i = 0; i < sets.size() && !(all ? out.none() : out.all()); ++i) {
    const Column in = set(sets[i], cell);
    out = all ? conjunction(out, in) : disjunction(out, in);
  }
  return out;
}

// Where a mask with this cell lies wholly in the set.
Column PlacingRules::Row::cover(const RuleNode& n, std::size_t cell) {
  Column out(false);
  for (const CellSet mask : graph_.relation(n.relation)) {
    if ((mask >> cell & 1) == 0) continue;
    Column whole(true);
    for (CellSet rest = mask; rest != 0 && !whole.none(); rest &= rest - 1)
      whole = conjunction(whole, set(n.args[0], static_cast<std::size_t>(std::countr_zero(rest))));
    out = disjunction(out, whole);
  }
  return out;
}

Column PlacingRules::Row::at_least(const RuleNode& n, std::size_t cell) {
  const auto bound = static_cast<std::int64_t>(n.value);
  const RuleNode& counted = graph_.node(n.args[0]);
  if (n.args.size() == 1 && counted.op == NodeOp::near_count && n.coefficients[0] == (bound == 1 ? 1 : -1) &&
      (bound == 1 || bound == 0)) {  // some, or none
    const Column some = any_of(counted.args[0], graph_.relation(counted.relation)[cell]);
    return bound == 1 ? some : complement(some);
  }
  Column out(false);
  for (const auto& [value, where] : sum(n, cell, 0)) {
    if (value >= bound) out = disjunction(out, where);
  }
  return out;
}

Column PlacingRules::Row::player_is(const RuleNode& n, std::size_t cell) {
  Column out(false);
  const Values a = number(n.args[0], cell);
  for (const auto& [other, there] : number(n.args[1], cell)) {
    for (const auto& [value, where] : a) {
      if (value == other) out = disjunction(out, conjunction(where, there));
    }
  }
  return out;
}

// Where a cell is in a set; make() keeps other operators away.
struct PlacingRules::Row::SetColumns {
  using N = RuleNode;
  using Find = Column (*)(Row&, const N&, NodeId, std::size_t);
  static constexpr EnumTable<NodeOp, kNodeOps, Find> kTable{{
      {NodeOp::constant, [](Row&, const N& n, NodeId, std::size_t cell) { return Column((n.value >> cell & 1) != 0); }},
      {NodeOp::cell_input, [](Row& r, const N& n, NodeId, std::size_t cell) { return r.input(n, cell); }},
      {NodeOp::mover_is_first, [](Row& r, const N&, NodeId, std::size_t) { return Column(r.first_moves_); }},
      {NodeOp::bool_input,
       [](Row& r, const N& n, NodeId, std::size_t) { return Column(r.at_->state.state[n.value] != 0); }},
      {NodeOp::complement,
       [](Row& r, const N& n, NodeId, std::size_t cell) { return r.complement(r.set(n.args[0], cell)); }},
      {NodeOp::conjunction,
       [](Row& r, const N&, NodeId id, std::size_t cell) { return r.in_sets(r.args(id), cell, true); }},
      {NodeOp::disjunction,
       [](Row& r, const N&, NodeId id, std::size_t cell) { return r.in_sets(r.args(id), cell, false); }},
      {NodeOp::image, [](Row& r, const N& n, NodeId,
                         std::size_t cell) { return r.any_of(n.args[0], r.graph_.relation(n.relation)[cell]); }},
      {NodeOp::cover, [](Row& r, const N& n, NodeId, std::size_t cell) { return r.cover(n, cell); }},
      {NodeOp::any, [](Row& r, const N& n, NodeId, std::size_t) { return r.any_of(n.args[0], r.within(n.args[0])); }},
      {NodeOp::at_least, [](Row& r, const N& n, NodeId, std::size_t cell) { return r.at_least(n, cell); }},
      {NodeOp::player_is, [](Row& r, const N& n, NodeId, std::size_t cell) { return r.player_is(n, cell); }},
  }};
  static_assert(kTable.covers([](NodeOp op) { return traits(op).is_set() && worked_out_by_cell(op); }),
                "an operator of sets is not worked out by rows");
};

Column PlacingRules::Row::find_set(NodeId id, std::size_t cell) {
  const RuleNode& n = graph_.node(id);
  return SetColumns::kTable[n.op](*this, n, id, cell);
}

void PlacingRules::Row::put(Values& values, std::int64_t value, const Column& where) {
  if (where.none()) return;
  for (auto& [known, there] : values) {
    if (known != value) continue;
    there = disjunction(there, where);
    return;
  }
  values.emplace_back(value, where);
}

// How many of the cells are in the set.
PlacingRules::Row::Values PlacingRules::Row::held(NodeId id, CellSet cells) {
  Values out = {{0, Column(true)}};
  for (CellSet rest = cells; rest != 0; rest &= rest - 1) {
    const Column one = set(id, static_cast<std::size_t>(std::countr_zero(rest)));
    if (one.none()) continue;
    Values next;
    for (const auto& [value, where] : out) {
      put(next, value + 1, conjunction(where, one));
      put(next, value, conjunction(where, complement(one)));
    }
    out = std::move(next);
  }
  return out;
}

// What `combine` makes of two numbers.
template <typename Combine>
PlacingRules::Row::Values PlacingRules::Row::paired(const Values& a, const Values& b, const Combine& combine) {
  Values out;
  for (const auto& [value, where] : a) {
    for (const auto& [other, there] : b) put(out, combine(value, other), conjunction(where, there));
  }
  return out;
}

PlacingRules::Row::Values PlacingRules::Row::sum(const RuleNode& n, std::size_t cell, std::int64_t constant) {
  Values out = {{constant, Column(true)}};
  for (std::size_t i = 0; i < n.args.size(); ++i) {
    const std::int64_t weight = n.coefficients[i];
    out = paired(out, number(n.args[i], cell), [&](std::int64_t a, std::int64_t b) { return a + weight * b; });
  }
  return out;
}

PlacingRules::Row::Values PlacingRules::Row::select(const RuleNode& n, std::size_t cell) {
  const Column condition = set(n.args[0], cell);
  if (condition.all()) return number(n.args[1], cell);
  if (condition.none()) return number(n.args[2], cell);
  Values out;
  for (const auto& [value, where] : number(n.args[1], cell)) put(out, value, conjunction(where, condition));
  const Column otherwise = complement(condition);
  for (const auto& [value, where] : number(n.args[2], cell)) put(out, value, conjunction(where, otherwise));
  return out;
}

// What `combine` makes of a node's arguments, one after the other.
template <typename Combine>
PlacingRules::Row::Values PlacingRules::Row::folded(const RuleNode& n, std::size_t cell, const Combine& combine) {
  Values out = number(n.args[0], cell);
  for (std::size_t i = 1; i < n.args.size(); ++i) out = paired(out, number(n.args[i], cell), combine);
  return out;
}

PlacingRules::Row::Values PlacingRules::Row::lookup(const RuleNode& n, std::size_t cell) {
  Values out;
  for (const auto& [value, where] : number(n.args[0], cell)) {
    const std::int64_t at = value - static_cast<std::int64_t>(n.value);
    const bool inside = at >= 0 && at < static_cast<std::int64_t>(n.coefficients.size());
    put(out, inside ? n.coefficients[static_cast<std::size_t>(at)] : 0, where);
  }
  return out;
}

PlacingRules::Row::Values PlacingRules::Row::state_number(std::size_t slot) const {
  return {{at_->state.state[slot] + rules_.variant_.rule_set().slots[slot].range.least, Column(true)}};
}

// What a number is, or a player as 0, 1, 2, and where; make() keeps other operators away.
struct PlacingRules::Row::NumberValues {
  using N = RuleNode;
  using Find = Values (*)(Row&, const N&, std::size_t);
  static Values only(std::int64_t value) { return {{value, Column(true)}}; }
  static Values sum(Row& r, const N& n, std::size_t cell) { return r.sum(n, cell, static_cast<std::int64_t>(n.value)); }
  static Values select(Row& r, const N& n, std::size_t cell) { return r.select(n, cell); }
  static Values greatest(Row& r, const N& n, std::size_t cell) {
    return r.folded(n, cell, [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
  }
  static Values least(Row& r, const N& n, std::size_t cell) {
    return r.folded(n, cell, [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
  }
  static constexpr EnumTable<NodeOp, kNodeOps, Find> kTable{{
      {NodeOp::near_count,
       [](Row& r, const N& n, std::size_t cell) { return r.held(n.args[0], r.graph_.relation(n.relation)[cell]); }},
      {NodeOp::constant_field, [](Row&, const N& n, std::size_t cell) { return only(n.coefficients[cell]); }},
      {NodeOp::broadcast, [](Row& r, const N& n, std::size_t cell) { return r.number(n.args[0], cell); }},
      {NodeOp::select_field, select},
      {NodeOp::linear_field, sum},
      {NodeOp::greatest_field, greatest},
      {NodeOp::least_field, least},
      {NodeOp::count, [](Row& r, const N& n, std::size_t) { return r.held(n.args[0], r.graph_.all()); }},
      {NodeOp::number_input,
       [](Row& r, const N& n, std::size_t) { return r.state_number(n.value - kFirstStateInput); }},
      {NodeOp::product,
       [](Row& r, const N& n, std::size_t cell) {
         return r.folded(n, cell, [](std::int64_t a, std::int64_t b) { return a * b; });
       }},
      {NodeOp::lookup, [](Row& r, const N& n, std::size_t cell) { return r.lookup(n, cell); }},
      {NodeOp::select_number, select},
      {NodeOp::linear_number, sum},
      {NodeOp::greatest_number, greatest},
      {NodeOp::least_number, least},
      {NodeOp::player_constant, [](Row&, const N& n, std::size_t) { return only(static_cast<std::int64_t>(n.value)); }},
      {NodeOp::player_input, [](Row& r, const N& n, std::size_t) { return only(r.at_->state.state[n.value]); }},
      {NodeOp::select_player, select},
  }};
  static_assert(kTable.covers([](NodeOp op) { return !traits(op).is_set() && worked_out_by_cell(op); }),
                "an operator of numbers or players is not worked out by rows");
};

PlacingRules::Row::Values PlacingRules::Row::number(NodeId id, std::size_t cell) {
  const RuleNode& n = graph_.node(id);
  return NumberValues::kTable[n.op](*this, n, cell);
}

Column PlacingRules::Row::ended(const Position& state) {
  begin_context(before_, state, nullptr, kNoCell);
  return set(rules_.variant_.rule_set().ended, 0);
}

Column PlacingRules::Row::legal(const Choice& choice, Cell to, const Position& state) {
  const MoveRule& rule = rules_.variant_.rule_set().moves[choice.rule];
  begin_context(before_, state, nullptr, kNoCell);
  const Column may = set(rule.to, to);
  if (may.none() || graph_.is_true(rule.legal)) return may;
  begin_context(placed_, state, &choice, to);
  return conjunction(may, set(rule.legal, to));
}

const std::vector<PlacingRules::Row::After>& PlacingRules::Row::after(const Choice& choice, Cell to,
                                                                      const Position& state) {
  const RuleSet& rules = rules_.variant_.rule_set();
  const MoveRule& rule = rules.moves[choice.rule];
  begin_context(placed_, state, &choice, to);
  after_.clear();
  after_.push_back({state, Column(true)});
  for (std::size_t s = 0; s < rules.slots.size(); ++s) {
    const StateSlot& slot = rules.slots[s];
    if (!slot.live) continue;
    Values values;
    if (slot.type == StateDescription::Type::boolean) {
      const Column yes = set(rule.state_after[s], 0);
      put(values, 1, yes);
      put(values, 0, complement(yes));
    } else {
      values = number(rule.state_after[s], 0);
    }
    const std::int64_t least = slot.type == StateDescription::Type::number ? slot.range.least : 0;
    next_after_.clear();
    for (const After& one : after_) {
      for (const auto& [value, where] : values) {
        const Column both = conjunction(one.where, where);
        if (both.none()) continue;
        next_after_.push_back({one.state, both});
        next_after_.back().state.state[s] = static_cast<std::uint8_t>(value - least);
      }
    }
    std::swap(after_, next_after_);
  }
  for (After& one : after_) rules_.turn_over(one.state);
  return after_;
}

}  // namespace plenum
