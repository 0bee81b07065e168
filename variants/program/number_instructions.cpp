// SPDX-License-Identifier: Apache-2.0
// Programs from rule graphs: numbers of a position, players, and loops.
#include <algorithm>

#include "variants/program/program_builder.h"

namespace plenum {

struct ProgramBuilder::NumberInstructions {
  using B = ProgramBuilder;
  using N = RuleNode;
  static constexpr Table<Register> kTable{{
      {NodeOp::count, [](B& b, const N& n, NodeId) { return b.emit({.op = Opcode::count, .a = b.set(n.args[0])}); }},
      {NodeOp::number_input,
       [](B& b, const N& n, NodeId) {
         return b.emit({.op = Opcode::number_input,
                        .imm = kPassesByte + static_cast<int>(n.value),
                        .value = b.bounds_[n.value].least});
       }},
      {NodeOp::product,
       [](B& b, const N& n, NodeId) {
         const Register one = b.number(n.args[0]);
         return b.emit2(Opcode::product, one, b.number(n.args[1]));
       }},
      {NodeOp::lookup, [](B& b, const N& n, NodeId) { return b.lookup(n); }},
      {NodeOp::fold_sum, [](B& b, const N& n, NodeId) { return b.fold(n); }},
      {NodeOp::fold_max, [](B& b, const N& n, NodeId) { return b.fold(n); }},
      {NodeOp::fold_min, [](B& b, const N& n, NodeId) { return b.fold(n); }},
      {NodeOp::select_number, [](B& b, const N& n, NodeId) { return b.select_number(n); }},
      {NodeOp::linear_number, [](B& b, const N&, NodeId id) { return b.number(b.graph_.as_form(id)); }},
      {NodeOp::greatest_number, [](B& b, const N& n, NodeId) { return b.extreme_number(n, Opcode::greatest); }},
      {NodeOp::least_number, [](B& b, const N& n, NodeId) { return b.extreme_number(n, Opcode::least); }},
      // players
      {NodeOp::player_constant,
       [](B& b, const N& n, NodeId) { return b.constant_number(static_cast<std::int64_t>(n.value)); }},
      {NodeOp::player_input,
       [](B& b, const N& n, NodeId) {
         return b.emit({.op = Opcode::number_input, .imm = kFirstStateByte + static_cast<int>(n.value)});
       }},
      {NodeOp::select_player, [](B& b, const N& n, NodeId) { return b.select_number(n); }},
  }};
  static_assert(kTable.covers([](NodeOp op) {
    return traits(op).type == NodeType::number || traits(op).type == NodeType::player;
  }),
                "an operator of numbers or players has no instructions");
};

Register ProgramBuilder::number(NodeId id) { return remember(&Known::numbers, NumberInstructions::kTable, id); }

Register ProgramBuilder::number(const Linear& form) {
  Register out = emit({.op = Opcode::number_constant, .value = form.constant});
  for (const auto& [id, coefficient] : form.terms) {
    const Register part = number(id);
    out = emit({.op = Opcode::add_scaled, .a = out, .b = part, .value = coefficient});
  }
  return out;
}

Register ProgramBuilder::lookup(const RuleNode& n) {
  std::vector<CellSet> words;
  for (const std::int64_t v : n.coefficients) words.push_back(static_cast<CellSet>(v));
  const Register at = number(n.args[0]);
  return emit({.op = Opcode::lookup,
               .a = at,
               .imm = table(words),
               .mask = words.size(),
               .value = static_cast<std::int64_t>(n.value)});
}

Register ProgramBuilder::extreme_number(const RuleNode& n, Opcode op) {
  Register out = number(n.args[0]);
  for (std::size_t i = 1; i < n.args.size(); ++i) out = emit2(op, out, number(n.args[i]));
  return out;
}

Register ProgramBuilder::select_number(const RuleNode& n) {
  const Register condition = set(n.args[0]);
  const Register yes = number(n.args[1]);
  return emit({.op = Opcode::select, .a = yes, .b = number(n.args[2]), .c = condition});
}

void ProgramBuilder::assign(Opcode op, Register target, Register from) {
  if (target != from) code_.own({op, from, kNone, kNone, 0, 0, 0, target});
}

void ProgramBuilder::bind(NodeOp input, std::uint64_t value, Register r) {
  for (NodeId id = 0; id < static_cast<NodeId>(graph_.size()); ++id) {
    if (graph_.node(id).op == input && graph_.node(id).value == value) loop_inputs_[id] = r;
  }
}

// What was found out while a loop's own inputs had a meaning is forgotten when it ends; and before it begins, if they have one
// already: where a definition's argument goes through parts, its loop may stand inside another of its level.
template <typename Body>
auto ProgramBuilder::inside_loop(NodeOp input, std::uint64_t first, std::uint64_t count, Body&& body) {
  const Known known = known_;
  const auto inputs = loop_inputs_;
  const bool bound = std::any_of(inputs.begin(), inputs.end(), [&](const auto& one) {
    const RuleNode& n = graph_.node(one.first);
    return n.op == input && n.value - first < count;
  });
  if (bound) known_ = {};
  auto out = body();
  known_ = known;
  loop_inputs_ = inputs;
  return out;
}

const std::vector<Register>& ProgramBuilder::loop(NodeId id) {
  if (const auto found = known_.loop_results.find(id); found != known_.loop_results.end()) return found->second;
  const RuleNode& n = graph_.node(id);
  const std::size_t count = n.value;
  const auto level = static_cast<int>(n.coefficients[0]);
  std::vector<Register> carried;
  for (std::size_t i = 0; i < count; ++i) carried.push_back(set(n.args[i]));
  for (Register& r : carried) r = copy(Opcode::assign, r);
  const auto begin = code_.size();
  const std::uint64_t first = 256U * static_cast<unsigned>(level);
  std::vector<Register> out = inside_loop(NodeOp::loop_input, first, count, [&] {
    for (std::size_t i = 0; i < count; ++i) bind(NodeOp::loop_input, first + i, carried[i]);
    std::vector<Register> next;
    for (std::size_t i = 0; i < count; ++i) next.push_back(set(n.args[count + i]));
    const Register again = set(n.args[2 * count]);
    // All are read before any is written.
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_carried = std::find(carried.begin(), carried.end(), next[i]) != carried.end();
      if (is_carried && next[i] != carried[i]) next[i] = copy(Opcode::assign, next[i]);
    }
    const Register kept =
        std::find(carried.begin(), carried.end(), again) == carried.end() ? again : copy(Opcode::assign, again);
    for (std::size_t i = 0; i < count; ++i) assign(Opcode::assign, carried[i], next[i]);
    code_.close_loop(begin, kept);
    std::vector<Register> results;
    results.reserve(count);
    for (const Register r : carried) results.push_back(copy(Opcode::assign, r));
    return results;
  });
  return known_.loop_results[id] = std::move(out);
}

// Over the components of a set: take one, work out the body, add, until none is left.
Register ProgramBuilder::fold(const RuleNode& n) {
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  const Register whole = set(n.args[0]);
  const Register rest = copy(Opcode::assign, whole);
  const std::int64_t start = n.op == NodeOp::fold_sum ? 0 : n.op == NodeOp::fold_max ? -kFar : kFar;
  const Register neutral = emit({.op = Opcode::number_constant, .value = start});
  const Register total = copy(Opcode::number_assign, neutral);
  const auto begin = code_.size();
  const Register out = inside_loop(NodeOp::part_input, n.value, 1, [&] {
    const Register lowest = emit({.op = Opcode::lowest, .a = rest});
    const Register part = flood(rest, lowest, graph_.relation(n.relation));
    bind(NodeOp::part_input, n.value, part);
    const Register body = number(n.args[1]);
    const Register counted = emit({.op = Opcode::select, .a = body, .b = neutral, .c = part});
    const Register sum = n.op == NodeOp::fold_sum
                             ? emit({.op = Opcode::add_scaled, .a = total, .b = counted, .value = 1})
                             : emit2(n.op == NodeOp::fold_max ? Opcode::greatest : Opcode::least, total, counted);
    const Register left = emit({.op = Opcode::difference, .a = rest, .b = part});
    assign(Opcode::number_assign, total, sum);
    assign(Opcode::assign, rest, left);
    code_.close_loop(begin, left);
    return copy(Opcode::number_assign, total);
  });
  if (n.op == NodeOp::fold_sum) return out;
  const Register zero = emit({.op = Opcode::number_constant});
  return emit({.op = Opcode::select, .a = out, .b = zero, .c = whole});
}

}  // namespace plenum
