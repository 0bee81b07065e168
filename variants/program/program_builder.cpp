// SPDX-License-Identifier: Apache-2.0
// From nodes of a rule graph to instructions. Loops are the only place where a register is written twice: what goes round in
// one is copied into registers of its own before it, and assigned to at its end.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>

#include <absl/container/flat_hash_map.h>

#include "variants/board/shifts.h"
#include "variants/program/drafts.h"
#include "variants/program/program.h"

namespace plenum {

// Writes drafts of instructions for all that the roots need.
class ProgramBuilder {
 public:
  ProgramBuilder(const RuleGraph& graph, std::span<const Interval> bounds)
      : graph_(graph), bounds_(bounds), all_(graph.all()) {}

  Program build(std::span<const NodeId> roots) {
    Program out;
    std::vector<Register> results;
    std::vector<bool> is_number;
    for (const NodeId root : roots) {
      is_number.push_back(!is_set(root));
      results.push_back(is_set(root) ? set(root) : number(root));
    }
    Drafts::Code code = drafts_.allocate(results);
    out.code_ = std::move(code.instructions);
    out.outputs_ = std::move(code.outputs);
    out.set_registers_ = code.set_registers;
    out.number_registers_ = code.number_registers;
    out.tables_ = std::move(tables_);
    out.cells_ = graph_.cells();
    out.narrow_ = graph_.cells() <= 32;
    out.kernel_ = choose_kernel(out.narrow_);
    out.native_ = NativeProgram::make(out.code_, out.outputs_, is_number, out.narrow_);
    return out;
  }

 private:
  // A number for each cell in bit slices: value = offset + sum of 2^i * slice[i].
  struct Slices {
    std::vector<Register> bits;
    std::int64_t offset = 0;
  };
  struct Known {
    absl::flat_hash_map<NodeId, Register> sets;
    absl::flat_hash_map<NodeId, Slices> fields;
    std::map<std::vector<std::pair<NodeId, std::int64_t>>, Slices> sums;
    absl::flat_hash_map<NodeId, Register> numbers;
    std::map<NodeId, std::vector<Register>> loop_results;
  };
  bool is_set(NodeId id) const { return graph_.node(id).op <= NodeOp::player_is; }

  Register emit(const Draft& draft) { return drafts_.shared(draft); }
  Register emit2(Opcode op, Register a, Register b) {
    return emit({op, std::min(a, b), std::max(a, b), kNone, 0, 0, 0});
  }

  Register shifted(Register from, const ShiftMask& step, Register onto) {
    if (onto == kNone) return emit({Opcode::shift, from, kNone, kNone, step.shift, step.mask, 0});
    return emit({Opcode::shift_or, from, onto, kNone, step.shift, step.mask, 0});
  }

  Register constant_set(CellSet mask) { return emit({Opcode::constant, kNone, kNone, kNone, 0, mask, 0}); }

  // What is known of a node, or what `make` finds out now. Making may find out more, so the place is looked up again.
  template <typename What, typename Make>
  What remember(absl::flat_hash_map<NodeId, What> Known::*known, NodeId id, Make make) {
    const auto& list = known_.*known;
    if (const auto found = list.find(id); found != list.end()) return found->second;
    What out = (this->*make)(graph_.node(id), id);
    (known_.*known).emplace(id, out);
    return out;
  }

  Register set(NodeId id) { return remember(&Known::sets, id, &ProgramBuilder::make_set); }

  Register make_set(const RuleNode& n, NodeId id) {
    switch (n.op) {
      case NodeOp::constant:
        return constant_set(n.value);
      case NodeOp::cell_input:
        return emit({Opcode::load_cells, kNone, kNone, kNone, static_cast<int>(n.value), 0, 0});
      case NodeOp::mover_is_first:
        return emit({Opcode::load_flag, kNone, kNone, kNone, kMoverIsFirstByte, all_, 0});
      case NodeOp::bool_input:
        return emit({Opcode::load_flag, kNone, kNone, kNone, kFirstStateByte + static_cast<int>(n.value), all_, 0});
      case NodeOp::complement:
        return emit({Opcode::complement, set(n.args[0]), kNone, kNone, 0, all_, 0});
      case NodeOp::conjunction:
        return conjunction(n);
      case NodeOp::disjunction: {
        Register out = kNone;
        CellSet extra = 0;
        for (const NodeId arg : n.args) {
          if (graph_.node(arg).op == NodeOp::constant) {
            extra |= graph_.node(arg).value;
            continue;
          }
          const Register r = set(arg);
          out = out == kNone ? r : emit2(Opcode::disjunction, out, r);
        }
        return extra == 0 ? out : emit({Opcode::add_mask, out, kNone, kNone, 0, extra, 0});
      }
      case NodeOp::image:
        return image(n.relation, n.args[0]);
      case NodeOp::joined: {
        const Register within = set(n.args[0]);
        const Register seed = set(n.args[1]);
        return flood(within, seed, graph_.relation(n.relation));
      }
      case NodeOp::cover:
      case NodeOp::pick: {
        const std::vector<CellSet>& masks = graph_.relation(n.relation);
        return emit({n.op == NodeOp::cover ? Opcode::cover : Opcode::pick, set(n.args[0]), kNone, kNone, table(masks),
                     0, static_cast<std::int64_t>(masks.size())});
      }
      case NodeOp::completing: {
        const std::vector<CellSet>& masks = graph_.relation(n.relation);
        const Register held = set(n.args[0]);
        return emit(
            {Opcode::complete, held, set(n.args[1]), kNone, table(masks), 0, static_cast<std::int64_t>(masks.size())});
      }
      case NodeOp::ray:
        return ray(n);
      case NodeOp::between:
        return between(n);
      case NodeOp::part_input:
      case NodeOp::loop_input:
        return loop_inputs_.at(id);
      case NodeOp::loop_set:
        return loop(n.args[0])[n.value];
      case NodeOp::any:
        return emit({Opcode::any, set(n.args[0]), kNone, kNone, 0, all_, 0});
      case NodeOp::at_least:
        return at_least(n);
      case NodeOp::player_is: {
        const Register a = number(n.args[0]);
        const Register b = number(n.args[1]);
        return emit({Opcode::number_equal, a, b, kNone, 0, all_, 0});
      }
      default:
        std::abort();  // `id` is a number: is_set() keeps those away
    }
  }

  std::int32_t table(const std::vector<CellSet>& words) {
    const auto [found, fresh] = known_tables_.emplace(words, static_cast<std::int32_t>(tables_.size()));
    if (fresh) tables_.insert(tables_.end(), words.begin(), words.end());
    return found->second;
  }

  Register flood(Register within, Register seed, const Relation& relation) {
    constexpr std::size_t kMostShifts = 12;  // more of them cost more than going from cell to cell
    std::vector<ShiftMask> steps = shifts_of(transposed(relation));
    if (steps.size() > kMostShifts) return emit({Opcode::flood, within, seed, kNone, table(relation), 0, 0});
    std::vector<CellSet> words;  // by rising shift: those to higher cells come first
    for (const ShiftMask& step : steps) {
      words.push_back(static_cast<CellSet>(std::abs(step.shift)));
      words.push_back(step.mask);
    }
    const auto rising = static_cast<std::uint64_t>(
        std::count_if(steps.begin(), steps.end(), [](const ShiftMask& step) { return step.shift < 0; }));
    return emit(
        {Opcode::flood_shifts, within, seed, kNone, table(words), rising, static_cast<std::int64_t>(steps.size())});
  }

  // Cells in the longest straight run along a direction, which leads from a cell to one other at most.
  static int longest_run(const Relation& direction) {
    int longest = 1;
    for (std::size_t c = 0; c < direction.size(); ++c) {
      int length = 1;
      for (CellSet at = direction[c], seen = cell_bit(static_cast<Cell>(c)); at != 0 && (seen & at) == 0; ++length) {
        seen |= at;
        at = direction[static_cast<std::size_t>(std::countr_zero(at))];
      }
      longest = std::max(longest, length);
    }
    return longest;
  }

  // The cells one step along `direction` from those of `from`.
  Register step(const Relation& direction, Register from) {
    Register out = kNone;
    for (const auto& group : addends_of(transposed(direction))) {
      for (const ShiftMask& one : group) out = shifted(from, one, out);
    }
    return out == kNone ? constant_set(0) : out;
  }

  Register ray(const RuleNode& n) {
    const Relation& direction = graph_.relation(n.relation);
    const Register through = set(n.args[1]);
    Register wave = set(n.args[0]);
    Register out = kNone;
    for (int i = 1; i < longest_run(direction); ++i) {
      wave = emit2(Opcode::conjunction, through, step(direction, wave));
      out = out == kNone ? wave : emit2(Opcode::disjunction, out, wave);
    }
    return out == kNone ? constant_set(0) : out;
  }

  // After i steps from one end and at most n - 1 - i from the other; so that no cell is used twice where the board wraps.
  Register between(const RuleNode& n) {
    const Relation& direction = graph_.relation(n.relation);
    const Relation back = transposed(direction);
    const int longest = longest_run(direction);
    const Register through = set(n.args[1]);
    std::vector<Register> far;  // [j]: within j + 1 steps of the other end
    for (Register wave = set(n.args[2]); static_cast<int>(far.size()) + 2 < longest;) {
      wave = emit2(Opcode::conjunction, through, step(back, wave));
      far.push_back(far.empty() ? wave : emit2(Opcode::disjunction, far.back(), wave));
    }
    Register out = kNone;
    Register wave = set(n.args[0]);
    for (; !far.empty(); far.pop_back()) {
      wave = emit2(Opcode::conjunction, through, step(direction, wave));
      const Register both = emit2(Opcode::conjunction, wave, far.back());
      out = out == kNone ? both : emit2(Opcode::disjunction, out, both);
    }
    return out == kNone ? constant_set(0) : out;
  }

  Register copy(Opcode assign, Register from) { return drafts_.own({assign, from, kNone, kNone, 0, 0, 0, kNone}); }
  void assign(Opcode op, Register target, Register from) {
    if (target != from) drafts_.own({op, from, kNone, kNone, 0, 0, 0, target});
  }

  // What was found out while a loop's own inputs had a meaning is forgotten when it ends; and before it begins, if they have one
  // already: where a definition's argument goes through parts, its loop may stand inside another of its level.
  template <typename Body>
  auto inside_loop(NodeOp input, std::uint64_t first, std::uint64_t count, Body&& body) {
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

  const std::vector<Register>& loop(NodeId id) {
    if (const auto found = known_.loop_results.find(id); found != known_.loop_results.end()) return found->second;
    const RuleNode& n = graph_.node(id);
    const std::size_t count = n.value;
    const auto level = static_cast<int>(n.coefficients[0]);
    std::vector<Register> carried;
    for (std::size_t i = 0; i < count; ++i) carried.push_back(set(n.args[i]));
    for (Register& r : carried) r = copy(Opcode::assign, r);
    const auto begin = drafts_.size();
    const std::uint64_t first = 256U * static_cast<unsigned>(level);
    std::vector<Register> out = inside_loop(NodeOp::loop_input, first, count, [&] {
      for (std::size_t i = 0; i < count; ++i) {
        for (NodeId input = 0; input < static_cast<NodeId>(graph_.size()); ++input) {
          const RuleNode& candidate = graph_.node(input);
          if (candidate.op == NodeOp::loop_input && candidate.value == first + i) loop_inputs_[input] = carried[i];
        }
      }
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
      drafts_.close_loop(begin, kept);
      std::vector<Register> results;
      results.reserve(count);
      for (const Register r : carried) results.push_back(copy(Opcode::assign, r));
      return results;
    });
    return known_.loop_results[id] = std::move(out);
  }

  // Over the components of a set: take one, work out the body, add, until none is left.
  Register fold(const RuleNode& n) {
    constexpr std::int64_t kFar = std::int64_t{1} << 62;
    const Register whole = set(n.args[0]);
    const Register rest = copy(Opcode::assign, whole);
    const std::int64_t start = n.op == NodeOp::fold_sum ? 0 : n.op == NodeOp::fold_max ? -kFar : kFar;
    const Register neutral = emit({Opcode::number_constant, kNone, kNone, kNone, 0, 0, start});
    const Register total = copy(Opcode::number_assign, neutral);
    const auto begin = drafts_.size();
    const Register out = inside_loop(NodeOp::part_input, n.value, 1, [&] {
      const Register lowest = emit({Opcode::lowest, rest, kNone, kNone, 0, 0, 0});
      const Register part = flood(rest, lowest, graph_.relation(n.relation));
      for (NodeId input = 0; input < static_cast<NodeId>(graph_.size()); ++input) {
        if (graph_.node(input).op == NodeOp::part_input && graph_.node(input).value == n.value)
          loop_inputs_[input] = part;
      }
      const Register body = number(n.args[1]);
      const Register counted = emit({Opcode::select, body, neutral, part, 0, 0, 0});
      const Register sum = n.op == NodeOp::fold_sum
                               ? emit({Opcode::add_scaled, total, counted, kNone, 0, 0, 1})
                               : emit2(n.op == NodeOp::fold_max ? Opcode::greatest : Opcode::least, total, counted);
      const Register left = emit({Opcode::difference, rest, part, kNone, 0, 0, 0});
      assign(Opcode::number_assign, total, sum);
      assign(Opcode::assign, rest, left);
      drafts_.close_loop(begin, left);
      return copy(Opcode::number_assign, total);
    });
    if (n.op == NodeOp::fold_sum) return out;
    const Register zero = emit({Opcode::number_constant, kNone, kNone, kNone, 0, 0, 0});
    return emit({Opcode::select, out, zero, whole, 0, 0, 0});
  }

  Register conjunction(const RuleNode& n) {
    Register out = kNone;
    CellSet mask = all_;
    std::vector<Register> negated;
    for (const NodeId arg : n.args) {
      const RuleNode& part = graph_.node(arg);
      if (part.op == NodeOp::constant) {
        mask &= part.value;
      } else if (part.op == NodeOp::complement) {
        negated.push_back(set(part.args[0]));
      } else {
        const Register r = set(arg);
        out = out == kNone ? r : emit2(Opcode::conjunction, out, r);
      }
    }
    if (out == kNone) {  // only complements: !(a | b) once
      Register either = negated[0];
      for (std::size_t i = 1; i < negated.size(); ++i) either = emit2(Opcode::disjunction, either, negated[i]);
      out = emit({Opcode::complement, either, kNone, kNone, 0, all_, 0});
    } else {
      for (const Register r : negated) out = emit({Opcode::difference, out, r, kNone, 0, 0, 0});
    }
    return mask == all_ ? out : emit({Opcode::mask, out, kNone, kNone, 0, mask, 0});
  }

  Register image(RelationId relation, NodeId of) {
    const Register from = set(of);
    Register out = kNone;
    for (const auto& group : addends_of(graph_.relation(relation))) {
      for (const ShiftMask& step : group) out = shifted(from, step, out);
    }
    return out == kNone ? constant_set(0) : out;
  }

  // Sums columns of equal weight with full and half adders until each has one slice.
  std::vector<Register> compress(std::vector<std::vector<Register>> columns) {
    std::vector<Register> out;
    for (std::size_t w = 0; w < columns.size(); ++w) {
      while (columns[w].size() > 1) {
        std::vector<Register>& column = columns[w];
        if (w + 1 == columns.size()) columns.emplace_back();
        std::vector<Register>& now = columns[w];
        static_cast<void>(column);
        const Register x = now[0];
        const Register y = now[1];
        if (now.size() == 2) {
          now = {emit2(Opcode::parity2, x, y)};
          columns[w + 1].push_back(emit2(Opcode::conjunction, x, y));
        } else {
          const Register z = now[2];
          now.erase(now.begin(), now.begin() + 3);
          now.push_back(emit({Opcode::parity3, x, y, z, 0, 0, 0}));
          columns[w + 1].push_back(emit({Opcode::majority, x, y, z, 0, 0, 0}));
        }
      }
      out.push_back(columns[w].empty() ? constant_set(0) : columns[w][0]);
    }
    return out;
  }

  Slices constant_slices(const std::vector<std::int64_t>& values) {
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

  Slices slices(NodeId id) { return remember(&Known::fields, id, &ProgramBuilder::make_slices); }

  Slices make_slices(const RuleNode& n, NodeId id) {
    switch (n.op) {
      case NodeOp::near_count: {
        const Register from = set(n.args[0]);
        std::vector<std::vector<Register>> columns(1);
        for (const auto& group : addends_of(graph_.relation(n.relation))) {
          Register sum = kNone;
          for (const ShiftMask& step : group) sum = shifted(from, step, sum);
          columns[0].push_back(sum);
        }
        return {compress(std::move(columns)), 0};
      }
      case NodeOp::constant_field:
        return constant_slices(n.coefficients);
      case NodeOp::broadcast: {
        const Interval range = graph_.bounds(n.args[0], bounds_);
        const Register lowest = emit({Opcode::number_constant, kNone, kNone, kNone, 0, 0, -range.least});
        const Register one = number(n.args[0]);
        const Register shifted_up = emit({Opcode::add_scaled, lowest, one, kNone, 0, 0, 1});
        Slices out{{}, range.least};
        const auto width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(range.greatest - range.least)));
        for (int bit = 0; bit < width; ++bit) {
          out.bits.push_back(emit({Opcode::number_bit, shifted_up, kNone, kNone, bit, all_, 0}));
        }
        return out;
      }
      case NodeOp::select_field: {
        const Register condition = set(n.args[0]);
        const Slices plain_yes = slices(n.args[1]);
        const Slices plain_no = slices(n.args[2]);
        // Offsets may lie below the least value there can be, so they are compared themselves.
        const std::int64_t least = std::min(plain_yes.offset, plain_no.offset);
        const Slices yes = rebased(plain_yes, least);
        const Slices no = rebased(plain_no, least);
        Slices out{{}, least};
        const Register zero = constant_set(0);
        for (std::size_t i = 0; i < std::max(yes.bits.size(), no.bits.size()); ++i) {
          const Register y = emit2(Opcode::conjunction, i < yes.bits.size() ? yes.bits[i] : zero, condition);
          const Register x =
              emit({Opcode::difference, i < no.bits.size() ? no.bits[i] : zero, condition, kNone, 0, 0, 0});
          out.bits.push_back(emit2(Opcode::disjunction, x, y));
        }
        return out;
      }
      default:
        return sum(graph_.as_form(id));
    }
  }

  // The same numbers with a lower offset.
  Slices rebased(const Slices& s, std::int64_t offset) {
    if (s.offset == offset) return s;
    std::vector<std::vector<Register>> columns;
    for (const Register bit : s.bits) columns.push_back({bit});
    add_constant(columns, static_cast<std::uint64_t>(s.offset - offset));
    return {compress(std::move(columns)), offset};
  }

  void add_constant(std::vector<std::vector<Register>>& columns, std::uint64_t value) {
    for (std::size_t bit = 0; bit < static_cast<std::size_t>(std::bit_width(value)); ++bit) {
      if (columns.size() <= bit) columns.resize(bit + 1);
      if (((value >> bit) & 1) != 0) columns[bit].push_back(constant_set(all_));
    }
  }

  // A linear form: -k x is k times the complement of x's slices, less k (2^width - 1).
  Slices sum(const Linear& form) {
    Slices out{{}, form.constant};
    std::vector<std::vector<Register>> columns;
    for (const auto& [id, coefficient] : form.terms) {
      const Slices part = slices(id);
      out.offset += coefficient * part.offset;
      const auto factor = static_cast<std::uint64_t>(std::abs(coefficient));
      for (std::size_t bit = 0; bit < part.bits.size(); ++bit) {
        Register r = part.bits[bit];
        if (coefficient < 0) r = emit({Opcode::complement, r, kNone, kNone, 0, all_, 0});
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

  Register at_least(const RuleNode& n) {
    const NodeOp kind = graph_.node(n.args[0]).op;
    const auto bound = static_cast<std::int64_t>(n.value);
    const bool fields = kind >= NodeOp::near_count && kind <= NodeOp::linear_field;
    Linear form;
    for (std::size_t i = 0; i < n.args.size(); ++i) add_term(form, n.args[i], n.coefficients[i]);
    if (!fields) return emit({Opcode::number_at_least, number(form), kNone, kNone, 0, all_, bound});
    if (form.terms.size() == 1 && form.terms[0].second == 1 && kind == NodeOp::near_count && bound == 1) {
      return image(graph_.node(n.args[0]).relation, graph_.node(n.args[0]).args[0]);
    }
    Slices total;
    if (const auto found = known_.sums.find(form.terms); found != known_.sums.end()) {
      total = found->second;
    } else {
      total = sum(form);
      known_.sums.emplace(form.terms, total);
    }
    const std::int64_t target = bound - total.offset;
    if (target <= 0) return constant_set(all_);
    const auto t = static_cast<std::uint64_t>(target);
    if (static_cast<std::size_t>(std::bit_width(t)) > total.bits.size()) return constant_set(0);
    Register out = kNone;
    for (std::size_t bit = static_cast<std::size_t>(std::countr_zero(t)); bit < total.bits.size(); ++bit) {
      const Register slice = total.bits[bit];
      if (out == kNone) {
        out = slice;
      } else {
        out = emit2(((t >> bit) & 1) != 0 ? Opcode::conjunction : Opcode::disjunction, slice, out);
      }
    }
    return out;
  }

  Register number(const Linear& form) {
    Register out = emit({Opcode::number_constant, kNone, kNone, kNone, 0, 0, form.constant});
    for (const auto& [id, coefficient] : form.terms) {
      const Register part = number(id);
      out = emit({Opcode::add_scaled, out, part, kNone, 0, 0, coefficient});
    }
    return out;
  }

  Register number(NodeId id) { return remember(&Known::numbers, id, &ProgramBuilder::make_number); }

  Register make_number(const RuleNode& n, NodeId id) {
    switch (n.op) {
      case NodeOp::fold_sum:
      case NodeOp::fold_max:
      case NodeOp::fold_min:
        return fold(n);
      case NodeOp::lookup: {
        std::vector<CellSet> words;
        for (const std::int64_t v : n.coefficients) words.push_back(static_cast<CellSet>(v));
        const Register at = number(n.args[0]);
        return emit({Opcode::lookup, at, kNone, kNone, table(words), words.size(), static_cast<std::int64_t>(n.value)});
      }
      case NodeOp::count:
        return emit({Opcode::count, set(n.args[0]), kNone, kNone, 0, 0, 0});
      case NodeOp::number_input:
        return emit({Opcode::number_input, kNone, kNone, kNone, kPassesByte + static_cast<int>(n.value), 0,
                     bounds_[n.value].least});
      case NodeOp::player_input:
        return emit({Opcode::number_input, kNone, kNone, kNone, kFirstStateByte + static_cast<int>(n.value), 0, 0});
      case NodeOp::player_constant:
        return emit({Opcode::number_constant, kNone, kNone, kNone, 0, 0, static_cast<std::int64_t>(n.value)});
      case NodeOp::product: {
        const Register a = number(n.args[0]);
        const Register b = number(n.args[1]);
        return emit2(Opcode::product, a, b);
      }
      case NodeOp::select_number:
      case NodeOp::select_player: {
        const Register condition = set(n.args[0]);
        const Register yes = number(n.args[1]);
        const Register no = number(n.args[2]);
        return emit({Opcode::select, yes, no, condition, 0, 0, 0});
      }
      default:
        return number(graph_.as_form(id));
    }
  }

  const RuleGraph& graph_;
  std::span<const Interval> bounds_;
  CellSet all_;
  Drafts drafts_;
  Known known_;
  std::map<NodeId, Register> loop_inputs_;  // of the loops at hand
  std::vector<std::uint64_t> tables_;
  std::map<std::vector<CellSet>, std::int32_t> known_tables_;
};

Program::Program(const RuleGraph& graph, std::span<const NodeId> roots, std::span<const Interval> number_bounds) {
  *this = ProgramBuilder(graph, number_bounds).build(roots);
}

}  // namespace plenum
