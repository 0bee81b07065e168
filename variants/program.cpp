// SPDX-License-Identifier: Apache-2.0
#include "variants/program.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>

#include <absl/container/flat_hash_map.h>

namespace plenum {

// Emits instructions in single-assignment form, then gives registers out by last use.
class ProgramBuilder {
 public:
  ProgramBuilder(const RuleGraph& graph, std::span<const Interval> bounds)
      : graph_(graph), bounds_(bounds), all_(graph.all()) {}

  Program build(std::span<const NodeId> roots) {
    Program out;
    std::vector<std::uint32_t> results;
    for (const NodeId root : roots) {
      std::uint32_t result = is_set(root) ? set(root) : number(root);
      // Every root gets a register of its own that stays to the end.
      results.push_back(result);
    }
    allocate(results, out);
    out.tables_ = std::move(tables_);
    out.cells_ = graph_.cells();
    out.narrow_ = graph_.cells() <= 32;
    out.kernel_ = choose_kernel(out.narrow_);
    return out;
  }

 private:
  using Register = std::uint32_t;  // before allocation: the instruction that writes it
  static constexpr Register kNone = ~Register{0};

  struct Draft {
    Opcode op;
    Register a = kNone;
    Register b = kNone;
    Register c = kNone;
    std::int32_t imm = 0;
    std::uint64_t mask = 0;
    std::int64_t value = 0;
    friend bool operator==(const Draft&, const Draft&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Draft& d) {
      return H::combine(std::move(h), d.op, d.a, d.b, d.c, d.imm, d.mask, d.value);
    }
  };
  // A number for each cell in bit slices: value = offset + sum of 2^i * slice[i].
  struct Slices {
    std::vector<Register> bits;
    std::int64_t offset = 0;
  };
  struct ShiftMask {
    int shift;
    CellSet mask;
  };

  bool is_set(NodeId id) const { return graph_.node(id).op <= NodeOp::player_is; }

  Register emit(const Draft& draft) {
    const auto [found, fresh] = known_.try_emplace(draft, static_cast<Register>(drafts_.size()));
    if (fresh) drafts_.push_back(draft);
    return found->second;
  }
  Register emit2(Opcode op, Register a, Register b) {
    return emit({op, std::min(a, b), std::max(a, b), kNone, 0, 0, 0});
  }

  // A relation as few "shift and mask" steps as possible: by distance in cell numbers, and distances whose
  // target cells are disjoint share an addend.
  std::vector<std::vector<ShiftMask>> addends(RelationId id) const {
    std::map<int, CellSet> by_shift;
    const Relation& relation = graph_.relation(id);
    for (std::size_t c = 0; c < relation.size(); ++c) {
      for (CellSet rest = relation[c]; rest != 0; rest &= rest - 1) {
        by_shift[std::countr_zero(rest) - static_cast<int>(c)] |= cell_bit(static_cast<Cell>(c));
      }
    }
    std::vector<ShiftMask> steps;
    steps.reserve(by_shift.size());
    for (const auto& [shift, mask] : by_shift) steps.push_back({shift, mask});
    std::stable_sort(steps.begin(), steps.end(), [](const ShiftMask& a, const ShiftMask& b) {
      return std::popcount(a.mask) > std::popcount(b.mask);
    });
    std::vector<std::vector<ShiftMask>> out;
    std::vector<CellSet> used;
    for (const ShiftMask& step : steps) {
      std::size_t k = 0;
      while (k < out.size() && (used[k] & step.mask) != 0) ++k;
      if (k == out.size()) {
        out.emplace_back();
        used.push_back(0);
      }
      out[k].push_back(step);
      used[k] |= step.mask;
    }
    return out;
  }

  Register shifted(Register from, const ShiftMask& step, Register onto) {
    if (onto == kNone) return emit({Opcode::shift, from, kNone, kNone, step.shift, step.mask, 0});
    return emit({Opcode::shift_or, from, onto, kNone, step.shift, step.mask, 0});
  }

  Register constant_set(CellSet mask) { return emit({Opcode::constant, kNone, kNone, kNone, 0, mask, 0}); }

  Register set(NodeId id) {
    if (const auto found = sets_.find(id); found != sets_.end()) return found->second;
    const Register out = make_set(graph_.node(id), id);
    sets_.emplace(id, out);
    return out;
  }

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
        const auto first = static_cast<std::int32_t>(tables_.size());
        const Relation& relation = graph_.relation(n.relation);
        tables_.insert(tables_.end(), relation.begin(), relation.end());
        const Register within = set(n.args[0]);
        const Register seed = set(n.args[1]);
        return emit({Opcode::flood, within, seed, kNone, first, 0, 0});
      }
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
    static_cast<void>(id);
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
    for (const auto& group : addends(relation)) {
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

  Slices slices(NodeId id) {
    if (const auto found = fields_.find(id); found != fields_.end()) return found->second;
    Slices out = make_slices(graph_.node(id), id);
    fields_.emplace(id, out);
    return out;
  }

  Slices make_slices(const RuleNode& n, NodeId id) {
    switch (n.op) {
      case NodeOp::near_count: {
        const Register from = set(n.args[0]);
        std::vector<std::vector<Register>> columns(1);
        for (const auto& group : addends(n.relation)) {
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
    if (const auto found = sums_.find(form.terms); found != sums_.end()) {
      total = found->second;
    } else {
      total = sum(form);
      sums_.emplace(form.terms, total);
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

  Register number(NodeId id) {
    const RuleNode& n = graph_.node(id);
    switch (n.op) {
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

  static bool writes_number(Opcode op) { return op >= Opcode::number_constant; }
  static bool reads_number(Opcode op, int operand) {
    if (op == Opcode::number_bit || op == Opcode::number_at_least || op == Opcode::number_equal) return true;
    if (op == Opcode::count) return false;
    return writes_number(op) && !(op == Opcode::select && operand == 2);
  }

  void allocate(const std::vector<Register>& results, Program& out) {
    std::vector<std::uint32_t> last(drafts_.size(), 0);
    for (std::uint32_t i = 0; i < drafts_.size(); ++i) {
      for (const Register r : {drafts_[i].a, drafts_[i].b, drafts_[i].c}) {
        if (r != kNone) last[r] = i;
      }
    }
    for (const Register r : results) last[r] = kNone;
    std::vector<std::uint16_t> place(drafts_.size(), 0);
    std::vector<std::uint16_t> free_sets;
    std::vector<std::uint16_t> free_numbers;
    for (std::uint32_t i = 0; i < drafts_.size(); ++i) {
      const Draft& draft = drafts_[i];
      const bool numeric = writes_number(draft.op);
      std::vector<std::uint16_t>& pool = numeric ? free_numbers : free_sets;
      std::size_t& count = numeric ? out.number_registers_ : out.set_registers_;
      if (pool.empty()) {
        place[i] = static_cast<std::uint16_t>(count++);
      } else {
        place[i] = pool.back();
        pool.pop_back();
      }
      Instruction instruction;
      instruction.op = draft.op;
      instruction.d = place[i];
      instruction.a = draft.a == kNone ? place[i] : place[draft.a];
      instruction.b = draft.b == kNone ? place[i] : place[draft.b];
      instruction.c = draft.c == kNone ? place[i] : place[draft.c];
      instruction.imm = draft.imm;
      instruction.mask = draft.mask;
      instruction.value = draft.value;
      out.code_.push_back(instruction);
      // Operands used here for the last time; never the register just written, so no loop reads what it writes.
      std::vector<Register> ended;
      for (const Register r : {draft.a, draft.b, draft.c}) {
        if (r != kNone && last[r] == i && std::find(ended.begin(), ended.end(), r) == ended.end()) ended.push_back(r);
      }
      for (const Register r : ended) (writes_number(drafts_[r].op) ? free_numbers : free_sets).push_back(place[r]);
    }
    for (const Register r : results) out.outputs_.push_back(place[r]);
  }

  const RuleGraph& graph_;
  std::span<const Interval> bounds_;
  CellSet all_;
  std::vector<Draft> drafts_;
  absl::flat_hash_map<Draft, Register> known_;
  absl::flat_hash_map<NodeId, Register> sets_;
  absl::flat_hash_map<NodeId, Slices> fields_;
  std::map<std::vector<std::pair<NodeId, std::int64_t>>, Slices> sums_;
  std::vector<std::uint64_t> tables_;
};

Program::Program(const RuleGraph& graph, std::span<const NodeId> roots, std::span<const Interval> number_bounds) {
  *this = ProgramBuilder(graph, number_bounds).build(roots);
}

void Workspace::Free::operator()(void* p) const { std::free(p); }

void Workspace::reserve(std::size_t set_bytes, std::size_t numbers) {
  constexpr std::size_t kAlign = 64;
  const auto rounded = [](std::size_t bytes) {
    return (std::max<std::size_t>(bytes, 1) + kAlign - 1) / kAlign * kAlign;
  };
  if (set_bytes > set_bytes_) {
    sets_.reset(std::aligned_alloc(kAlign, rounded(set_bytes)));
    set_bytes_ = set_bytes;
  }
  if (numbers > number_count_) {
    numbers_.reset(static_cast<std::int64_t*>(std::aligned_alloc(kAlign, rounded(numbers * sizeof(std::int64_t)))));
    number_count_ = numbers;
  }
}

void Program::run(const ProgramInput& input, std::size_t lanes, Workspace& work) const {
  const std::size_t word = narrow_ ? sizeof(std::uint32_t) : sizeof(std::uint64_t);
  work.reserve(set_registers_ * kLanes * word, number_registers_ * kLanes);
  KernelFrame frame;
  frame.code = code_.data();
  frame.length = code_.size();
  frame.lanes = lanes;
  frame.sets = work.sets();
  frame.numbers = work.numbers();
  frame.cell_inputs = input.cells.data();
  frame.byte_inputs = input.bytes.data();
  frame.tables = tables_.data();
  frame.cells = cells_;
  kernel_(frame);
}

void Program::read_set(std::size_t root, std::size_t lanes, Workspace& work, std::uint64_t* out) const {
  const std::size_t at = outputs_[root] * kLanes;
  if (narrow_) {
    const auto* from = static_cast<const std::uint32_t*>(work.sets()) + at;
    std::copy(from, from + lanes, out);
  } else {
    std::memcpy(out, static_cast<const std::uint64_t*>(work.sets()) + at, lanes * sizeof(std::uint64_t));
  }
}

void Program::read_number(std::size_t root, std::size_t lanes, Workspace& work, std::int64_t* out) const {
  std::memcpy(out, work.numbers() + outputs_[root] * kLanes, lanes * sizeof(std::int64_t));
}

}  // namespace plenum
