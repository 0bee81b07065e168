// SPDX-License-Identifier: Apache-2.0
// Programs from rule graphs: numbers for each cell, in bit slices, and what compares them.
#include <algorithm>
#include <bit>
#include <cstdlib>

#include "variants/program/program_builder.h"

namespace plenum {

struct ProgramBuilder::FieldInstructions {
  using B = ProgramBuilder;
  using N = RuleNode;
  static constexpr Table<Slices> kTable{{
      {NodeOp::near_count, [](B& b, const N& n, NodeId) { return b.near_count(n); }},
      {NodeOp::constant_field, [](B& b, const N& n, NodeId) { return b.constant_slices(n.coefficients); }},
      {NodeOp::broadcast, [](B& b, const N& n, NodeId) { return b.broadcast(n); }},
      {NodeOp::select_field,
       [](B& b, const N& n, NodeId) {
         const Register condition = b.set(n.args[0]);
         const Slices yes = b.slices(n.args[1]);
         return b.select_slices(condition, yes, b.slices(n.args[2]));
       }},
      {NodeOp::linear_field, [](B& b, const N&, NodeId id) { return b.sum(b.graph_.as_form(id)); }},
      {NodeOp::greatest_field, [](B& b, const N& n, NodeId) { return b.extreme_slices(n, true); }},
      {NodeOp::least_field, [](B& b, const N& n, NodeId) { return b.extreme_slices(n, false); }},
  }};
  static_assert(kTable.covers([](NodeOp op) { return traits(op).is_field(); }),
                "an operator of fields has no instructions");
};

ProgramBuilder::Slices ProgramBuilder::slices(NodeId id) {
  return remember(&Known::fields, FieldInstructions::kTable, id);
}

// Sums columns of equal weight with full and half adders until each has one slice.
std::vector<Register> ProgramBuilder::compress(std::vector<std::vector<Register>> columns) {
  std::vector<Register> out;
  for (std::size_t w = 0; w < columns.size(); ++w) {
    while (columns[w].size() > 1) {
      if (w + 1 == columns.size()) columns.emplace_back();
      std::vector<Register>& now = columns[w];
      const Register x = now[0];
      const Register y = now[1];
      if (now.size() == 2) {
        now = {emit2(Opcode::parity2, x, y)};
        columns[w + 1].push_back(emit2(Opcode::conjunction, x, y));
      } else {
        const Register z = now[2];
        now.erase(now.begin(), now.begin() + 3);
        now.push_back(emit({.op = Opcode::parity3, .a = x, .b = y, .c = z}));
        columns[w + 1].push_back(emit({.op = Opcode::majority, .a = x, .b = y, .c = z}));
      }
    }
    out.push_back(columns[w].empty() ? constant_set(0) : columns[w][0]);
  }
  return out;
}

ProgramBuilder::Slices ProgramBuilder::near_count(const RuleNode& n) {
  const Register from = set(n.args[0]);
  std::vector<std::vector<Register>> columns(1);
  for (const auto& group : addends_of(graph_.relation(n.relation))) {
    Register sum = kNone;
    for (const ShiftMask& step : group) sum = shifted(from, step, sum);
    columns[0].push_back(sum);
  }
  return {compress(std::move(columns)), 0};
}

ProgramBuilder::Slices ProgramBuilder::constant_slices(const std::vector<std::int64_t>& values) {
  Slices out;
  out.offset = *std::min_element(values.begin(), values.end());
  const auto span = static_cast<std::uint64_t>(*std::max_element(values.begin(), values.end()) - out.offset);
  for (int bit = 0; bit < static_cast<int>(std::bit_width(span)); ++bit) {
    CellSet mask = 0;
    for (std::size_t c = 0; c < values.size(); ++c) {
      if (((static_cast<std::uint64_t>(values[c] - out.offset) >> bit) & 1) != 0)
        mask |= cell_bit(static_cast<Cell>(c));
    }
    out.bits.push_back(constant_set(mask));
  }
  return out;
}

ProgramBuilder::Slices ProgramBuilder::broadcast(const RuleNode& n) {
  const Interval range = graph_.bounds(n.args[0], bounds_);
  const Register lowest = emit({.op = Opcode::number_constant, .value = -range.least});
  const Register one = number(n.args[0]);
  const Register shifted_up = emit({.op = Opcode::add_scaled, .a = lowest, .b = one, .value = 1});
  Slices out{{}, range.least};
  const auto width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(range.greatest - range.least)));
  for (int bit = 0; bit < width; ++bit) {
    out.bits.push_back(emit({.op = Opcode::number_bit, .a = shifted_up, .imm = bit, .mask = all_}));
  }
  return out;
}

// Where the condition, a set of cells or a truth, holds, these numbers, and elsewhere those.
ProgramBuilder::Slices ProgramBuilder::select_slices(Register condition, const Slices& plain_yes,
                                                     const Slices& plain_no) {
  // Offsets may lie below the least value there can be, so they are compared themselves.
  const std::int64_t least = std::min(plain_yes.offset, plain_no.offset);
  const Slices yes = rebased(plain_yes, least);
  const Slices no = rebased(plain_no, least);
  Slices out{{}, least};
  const Register zero = constant_set(0);
  for (std::size_t i = 0; i < std::max(yes.bits.size(), no.bits.size()); ++i) {
    const Register y = emit2(Opcode::conjunction, i < yes.bits.size() ? yes.bits[i] : zero, condition);
    const Register x = emit({.op = Opcode::difference, .a = i < no.bits.size() ? no.bits[i] : zero, .b = condition});
    out.bits.push_back(emit2(Opcode::disjunction, x, y));
  }
  return out;
}

// Of two numbers a is not less where adding a, the complement of b and 1 carries out of the highest bit.
ProgramBuilder::Slices ProgramBuilder::extreme_slices(const RuleNode& n, bool greatest) {
  Slices out = slices(n.args[0]);
  for (std::size_t arg = 1; arg < n.args.size(); ++arg) {
    const Slices other = slices(n.args[arg]);
    const std::int64_t offset = std::min(out.offset, other.offset);
    const Slices a = rebased(out, offset);
    const Slices b = rebased(other, offset);
    const Register zero = constant_set(0);
    Register not_less = constant_set(all_);
    for (std::size_t i = 0; i < std::max(a.bits.size(), b.bits.size()); ++i) {
      const Register y = complement(i < b.bits.size() ? b.bits[i] : zero);
      not_less = emit({.op = Opcode::majority, .a = i < a.bits.size() ? a.bits[i] : zero, .b = y, .c = not_less});
    }
    out = greatest ? select_slices(not_less, a, b) : select_slices(not_less, b, a);
  }
  return out;
}

// The same numbers with a lower offset.
ProgramBuilder::Slices ProgramBuilder::rebased(const Slices& s, std::int64_t offset) {
  if (s.offset == offset) return s;
  std::vector<std::vector<Register>> columns;
  for (const Register bit : s.bits) columns.push_back({bit});
  add_constant(columns, static_cast<std::uint64_t>(s.offset - offset));
  return {compress(std::move(columns)), offset};
}

void ProgramBuilder::add_constant(std::vector<std::vector<Register>>& columns, std::uint64_t value) {
  for (std::size_t bit = 0; bit < static_cast<std::size_t>(std::bit_width(value)); ++bit) {
    if (columns.size() <= bit) columns.resize(bit + 1);
    if (((value >> bit) & 1) != 0) columns[bit].push_back(constant_set(all_));
  }
}

// A linear form: -k x is k times the complement of x's slices, less k (2^width - 1).
ProgramBuilder::Slices ProgramBuilder::sum(const Linear& form) {
  Slices out{{}, form.constant};
  std::vector<std::vector<Register>> columns;
  for (const auto& [id, coefficient] : form.terms) {
    const Slices part = slices(id);
    out.offset += coefficient * part.offset;
    const auto factor = static_cast<std::uint64_t>(std::abs(coefficient));
    for (std::size_t bit = 0; bit < part.bits.size(); ++bit) {
      Register r = part.bits[bit];
      if (coefficient < 0) r = complement(r);
      for (std::size_t k = 0; (factor >> k) != 0; ++k) {
        if (((factor >> k) & 1) == 0) continue;
        if (columns.size() <= bit + k) columns.resize(bit + k + 1);
        columns[bit + k].push_back(r);
      }
    }
    if (coefficient < 0) out.offset += coefficient * ((std::int64_t{1} << part.bits.size()) - 1);
  }
  out.bits = compress(std::move(columns));
  return out;
}

Register ProgramBuilder::at_least(const RuleNode& n) {
  if (!n.args.empty() && traits(graph_.node(n.args[0]).op).is_field()) return fields_at_least(n);
  return emit({.op = Opcode::number_at_least,
               .a = number(weighted_args(n)),
               .mask = all_,
               .value = static_cast<std::int64_t>(n.value)});
}

Register ProgramBuilder::fields_at_least(const RuleNode& n) {
  const auto bound = static_cast<std::int64_t>(n.value);
  const Linear form = weighted_args(n);
  const RuleNode& first = graph_.node(n.args[0]);
  if (form.terms.size() == 1 && form.terms[0].second == 1 && first.op == NodeOp::near_count && bound == 1)
    return image(graph_.relation(first.relation), set(first.args[0]));
  auto found = known_.sums.find(form.terms);
  if (found == known_.sums.end()) found = known_.sums.emplace(form.terms, sum(form)).first;
  const Slices& total = found->second;
  const std::int64_t target = bound - total.offset;
  if (target <= 0) return constant_set(all_);
  const auto t = static_cast<std::uint64_t>(target);
  if (static_cast<std::size_t>(std::bit_width(t)) > total.bits.size()) return constant_set(0);
  Register out = kNone;
  for (std::size_t bit = static_cast<std::size_t>(std::countr_zero(t)); bit < total.bits.size(); ++bit) {
    const Opcode op = ((t >> bit) & 1) != 0 ? Opcode::conjunction : Opcode::disjunction;
    out = out == kNone ? total.bits[bit] : emit2(op, total.bits[bit], out);
  }
  return out;
}

}  // namespace plenum
