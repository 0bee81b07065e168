// SPDX-License-Identifier: Apache-2.0
// A row of positions: its conditions as columns of bits.
#include <algorithm>
#include <bit>

#include "variants/board/bits.h"
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
  positions_ = std::uint64_t{1} << stones;
  const std::size_t words = std::max<std::uint64_t>(1, positions_ / 64);
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
Column PlacingRules::Row::combined(const Column& a, const Column& b, const Combine& combine) {
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
  return combined(a, b, [](std::uint64_t x, std::uint64_t y) { return x & y; });
}

Column PlacingRules::Row::disjunction(const Column& a, const Column& b) {
  if (a.all() || b.all()) return Column(true);
  if (a.none()) return b;
  if (b.none()) return a;
  return combined(a, b, [](std::uint64_t x, std::uint64_t y) { return x | y; });
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
  switch (n.op) {
    case NodeOp::constant:
      return n.value;
    case NodeOp::cell_input:
      return n.value == kPlaced ? at_->placed : n.value == kTaken ? 0 : occupied_ | at_->placed;
    case NodeOp::conjunction: {
      CellSet out = graph_.all();
      for (const NodeId arg : n.args) out &= within(arg);
      return out;
    }
    default:
      return graph_.all();
  }
}

// Where one of these cells is in the set.
Column PlacingRules::Row::any_of(NodeId id, CellSet cells) {
  Column out(false);
  for (CellSet rest = cells; rest != 0 && !out.all(); rest &= rest - 1)
    out = disjunction(out, set(id, static_cast<std::size_t>(std::countr_zero(rest))));
  return out;
}

Column PlacingRules::Row::find_set(NodeId id, std::size_t cell) {
  const RuleNode& n = graph_.node(id);
  const std::vector<NodeId>& args = rules_.args_[static_cast<std::size_t>(id)];
  switch (n.op) {
    case NodeOp::cell_input: {
      const int which = static_cast<int>(n.value);
      if (which == kPlaced) return Column((at_->placed >> cell & 1) != 0);
      if (which == kTaken) return Column(false);
      return which >= kPlanesBefore ? plane(which - kPlanesBefore, cell, true) : plane(which - kPlanes, cell, false);
    }
    case NodeOp::mover_is_first:
      return Column(first_moves_);
    case NodeOp::bool_input:
      return Column(at_->state.state[n.value] != 0);
    case NodeOp::complement:
      return complement(set(n.args[0], cell));
    case NodeOp::conjunction: {
      Column out(true);
      for (std::size_t i = 0; i < args.size() && !out.none(); ++i) out = conjunction(out, set(args[i], cell));
      return out;
    }
    case NodeOp::disjunction: {
      Column out(false);
      for (std::size_t i = 0; i < args.size() && !out.all(); ++i) out = disjunction(out, set(args[i], cell));
      return out;
    }
    case NodeOp::image:
      return any_of(n.args[0], graph_.relation(n.relation)[cell]);
    case NodeOp::cover: {
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
    case NodeOp::any:
      return any_of(n.args[0], within(n.args[0]));
    case NodeOp::at_least: {
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
    case NodeOp::player_is: {
      Column out(false);
      const Values a = number(n.args[0], cell);
      for (const auto& [other, there] : number(n.args[1], cell)) {
        for (const auto& [value, where] : a) {
          if (value == other) out = disjunction(out, conjunction(where, there));
        }
      }
      return out;
    }
    default:
      return Column(false);  // make() keeps the others away
  }
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

// How many of these hold.
PlacingRules::Row::Values PlacingRules::Row::counted(const std::vector<Column>& columns) {
  Values out = {{0, Column(true)}};
  for (const Column& one : columns) {
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

PlacingRules::Row::Values PlacingRules::Row::selected(const Column& condition, const Values& yes, const Values& no) {
  Values out;
  for (const auto& [value, where] : yes) put(out, value, conjunction(where, condition));
  const Column otherwise = complement(condition);
  for (const auto& [value, where] : no) put(out, value, conjunction(where, otherwise));
  return out;
}

PlacingRules::Row::Values PlacingRules::Row::sum(const RuleNode& n, std::size_t cell, std::int64_t constant) {
  Values out = {{constant, Column(true)}};
  for (std::size_t i = 0; i < n.args.size(); ++i) {
    const Values term = number(n.args[i], cell);
    Values next;
    for (const auto& [value, where] : out) {
      for (const auto& [more, there] : term) put(next, value + n.coefficients[i] * more, conjunction(where, there));
    }
    out = std::move(next);
  }
  return out;
}

PlacingRules::Row::Values PlacingRules::Row::number(NodeId id, std::size_t cell) {
  const RuleNode& n = graph_.node(id);
  const auto only = [](std::int64_t value) { return Values{{value, Column(true)}}; };
  const auto held = [&](CellSet cells) {
    std::vector<Column> columns;
    for (CellSet rest = cells; rest != 0; rest &= rest - 1)
      columns.push_back(set(n.args[0], static_cast<std::size_t>(std::countr_zero(rest))));
    return counted(columns);
  };
  switch (n.op) {
    case NodeOp::near_count:
      return held(graph_.relation(n.relation)[cell]);
    case NodeOp::count:
      return held(graph_.all());
    case NodeOp::constant_field:
      return only(n.coefficients[cell]);
    case NodeOp::broadcast:
      return number(n.args[0], cell);
    case NodeOp::linear_field:
    case NodeOp::linear_number:
      return sum(n, cell, static_cast<std::int64_t>(n.value));
    case NodeOp::select_field:
    case NodeOp::select_number:
    case NodeOp::select_player: {
      const Column condition = set(n.args[0], cell);
      if (condition.all()) return number(n.args[1], cell);
      if (condition.none()) return number(n.args[2], cell);
      return selected(condition, number(n.args[1], cell), number(n.args[2], cell));
    }
    case NodeOp::number_input: {
      const std::size_t slot = n.value - kFirstStateInput;
      return only(at_->state.state[slot] + rules_.variant_.rule_set().slots[slot].range.least);
    }
    case NodeOp::player_constant:
      return only(static_cast<std::int64_t>(n.value));
    case NodeOp::player_input:
      return only(at_->state.state[n.value]);
    case NodeOp::product: {
      Values out;
      const Values b = number(n.args[1], cell);
      for (const auto& [value, where] : number(n.args[0], cell)) {
        for (const auto& [factor, there] : b) put(out, value * factor, conjunction(where, there));
      }
      return out;
    }
    case NodeOp::lookup: {
      Values out;
      for (const auto& [value, where] : number(n.args[0], cell)) {
        const std::int64_t at = value - static_cast<std::int64_t>(n.value);
        const bool inside = at >= 0 && at < static_cast<std::int64_t>(n.coefficients.size());
        put(out, inside ? n.coefficients[static_cast<std::size_t>(at)] : 0, where);
      }
      return out;
    }
    default:
      return {};  // make() keeps the others away
  }
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
