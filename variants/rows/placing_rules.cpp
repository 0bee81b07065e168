// SPDX-License-Identifier: Apache-2.0
#include "variants/rows/placing_rules.h"

#include <algorithm>
#include <bit>

#include <absl/strings/str_cat.h>

#include "variants/board/bits.h"

namespace plenum {
namespace {

// What cannot be worked out a cell at a time, in words; empty for the rest.
std::string obstacle_of(const RuleNode& n) {
  switch (n.op) {
    case NodeOp::joined:
    case NodeOp::ray:
    case NodeOp::between:
    case NodeOp::completing:
    case NodeOp::pick:
      return "looks along lines or connections";
    case NodeOp::part_input:
    case NodeOp::loop_input:
    case NodeOp::loop_set:
    case NodeOp::loop:
    case NodeOp::fold_sum:
    case NodeOp::fold_max:
    case NodeOp::fold_min:
      return "looks at groups, or repeats something";
    case NodeOp::cell_input:
      return n.value == kOrigin || n.value == kChanged ? "looks at where a piece comes from" : "";
    case NodeOp::number_input:
      return n.value == kPassesInput ? "looks at passes" : "";
    default:
      return "";
  }
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
  if (rule.next >= 0 || rule.lift >= 0 || rule.shaped) return "does more than to put one stone";
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
  if (rules.pieces) return no("its pieces move");
  if (rules.layout.count() != 2) return no("there are not two kinds of stones, one of each player");
  const std::vector<Interval> inputs = rules.number_bounds();
  const Interval margins = rules.graph.bounds(rules.margin, inputs);
  if (!rules.outcome_only && (margins.least < -1 || margins.greatest > 1))
    return no("it counts by how much a player wins");
  if (rules.passes_live) return no("passes are counted");
  if (rules.stuck == Stuck::pass) return no("who cannot move passes");
  if (rules.stuck == Stuck::unstated && !rules.always_a_move) return no("it is not known that there is always a move");
  if (variant.rules().merges_moves()) return no("different rules may make one move");
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
    bool reads = n.op == NodeOp::number_input || n.op == NodeOp::bool_input || n.op == NodeOp::player_input;
    for (const NodeId arg : n.args) {
      size[id] += size[static_cast<std::size_t>(arg)];
      reads = reads || out.reads_state_[static_cast<std::size_t>(arg)];
    }
    out.reads_state_[id] = reads;
    if (n.op != NodeOp::conjunction && n.op != NodeOp::disjunction) continue;
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
  switch (n.op) {
    case NodeOp::player_constant:
      return {static_cast<std::int64_t>(n.value)};
    case NodeOp::player_input:
    case NodeOp::bool_input:
      return {state.state[n.value]};
    case NodeOp::number_input:
      return {state.state[n.value - kFirstStateInput] +
              variant_.rule_set().slots[n.value - kFirstStateInput].range.least - least};
    case NodeOp::constant:
      return {graph.is_true(id) ? 1 : 0};
    case NodeOp::select_player:
    case NodeOp::select_number: {
      std::vector<std::int64_t> out = possible(n.args[1], slot, state);
      const std::vector<std::int64_t> no = possible(n.args[2], slot, state);
      out.insert(out.end(), no.begin(), no.end());
      std::sort(out.begin(), out.end());
      out.erase(std::unique(out.begin(), out.end()), out.end());
      return out;
    }
    default:
      break;
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
