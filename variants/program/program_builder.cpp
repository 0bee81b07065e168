// SPDX-License-Identifier: Apache-2.0
// Programs from rule graphs: sets and truth values.
#include "variants/program/program_builder.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <utility>

namespace plenum {

Program ProgramBuilder::build(std::span<const NodeId> roots) {
  Program out;
  std::vector<Register> results;
  std::vector<bool> is_number;
  for (const NodeId root : roots) {
    is_number.push_back(!is_set(root));
    results.push_back(is_set(root) ? set(root) : number(root));
  }
  SsaCode::Code code = code_.allocate(results);
  out.code_ = std::move(code.instructions);
  out.outputs_ = std::move(code.outputs);
  out.set_registers_ = code.set_registers;
  out.number_registers_ = code.number_registers;
  out.tables_ = std::move(tables_);
  out.narrow_ = graph_.cells() <= 32;
  out.kernel_ = choose_kernel(out.narrow_);
  out.native_ = NativeProgram::make(out.code_, out.outputs_, is_number, out.narrow_);
  return out;
}

struct ProgramBuilder::SetInstructions {
  using B = ProgramBuilder;
  using N = RuleNode;
  static constexpr Table<Register> kTable{{
      {NodeOp::constant, [](B& b, const N& n, NodeId) { return b.constant_set(n.value); }},
      {NodeOp::cell_input,
       [](B& b, const N& n, NodeId) { return b.emit({.op = Opcode::load_cells, .imm = static_cast<int>(n.value)}); }},
      {NodeOp::mover_is_first, [](B& b, const N&, NodeId) { return b.flag(kMoverIsFirstByte); }},
      {NodeOp::bool_input,
       [](B& b, const N& n, NodeId) { return b.flag(kFirstStateByte + static_cast<int>(n.value)); }},
      {NodeOp::complement, [](B& b, const N& n, NodeId) { return b.complement(b.set(n.args[0])); }},
      {NodeOp::conjunction, [](B& b, const N& n, NodeId) { return b.conjunction(n); }},
      {NodeOp::disjunction, [](B& b, const N& n, NodeId) { return b.disjunction(n); }},
      {NodeOp::image,
       [](B& b, const N& n, NodeId) { return b.image(b.graph_.relation(n.relation), b.set(n.args[0])); }},
      {NodeOp::joined,
       [](B& b, const N& n, NodeId) {
         const Register within = b.set(n.args[0]);
         return b.flood(within, b.set(n.args[1]), b.graph_.relation(n.relation));
       }},
      {NodeOp::cover, [](B& b, const N& n, NodeId) { return b.masks(Opcode::cover, n, -1); }},
      {NodeOp::ray, [](B& b, const N& n, NodeId) { return b.ray(n); }},
      {NodeOp::between, [](B& b, const N& n, NodeId) { return b.between(n); }},
      {NodeOp::completing, [](B& b, const N& n, NodeId) { return b.masks(Opcode::complete, n, n.args[1]); }},
      {NodeOp::pick, [](B& b, const N& n, NodeId) { return b.masks(Opcode::pick, n, -1); }},
      {NodeOp::part_input, [](B& b, const N&, NodeId id) { return b.loop_inputs_.at(id); }},
      {NodeOp::loop_input, [](B& b, const N&, NodeId id) { return b.loop_inputs_.at(id); }},
      {NodeOp::loop_set, [](B& b, const N& n, NodeId) { return b.loop(n.args[0])[n.value]; }},
      {NodeOp::any, [](B& b, const N& n, NodeId) { return b.any(n); }},
      {NodeOp::at_least, [](B& b, const N& n, NodeId) { return b.at_least(n); }},
      {NodeOp::player_is,
       [](B& b, const N& n, NodeId) {
         const Register one = b.number(n.args[0]);
         return b.emit({.op = Opcode::number_equal, .a = one, .b = b.number(n.args[1]), .mask = b.all_});
       }},
  }};
  static_assert(kTable.covers([](NodeOp op) { return traits(op).is_set(); }),
                "an operator of sets has no instructions");
};

Register ProgramBuilder::set(NodeId id) { return remember(&Known::sets, SetInstructions::kTable, id); }

std::int32_t ProgramBuilder::table(const std::vector<CellSet>& words) {
  const auto [found, fresh] = known_tables_.emplace(words, static_cast<std::int32_t>(tables_.size()));
  if (fresh) tables_.insert(tables_.end(), words.begin(), words.end());
  return found->second;
}

// The masks by figure: one moved to the lowest cell, and the cells to which it is moved back. None where that is no cheaper than mask
// by mask.
std::map<CellSet, CellSet> ProgramBuilder::figures_of(const std::vector<CellSet>& masks) {
  std::map<CellSet, CellSet> out;
  for (const CellSet mask : masks) {
    if (mask == 0) return {};
    const int lowest = std::countr_zero(mask);
    out[mask >> lowest] |= cell_bit(static_cast<Cell>(lowest));
  }
  std::size_t cells = 0;
  for (const auto& [figure, places] : out) cells += static_cast<std::size_t>(std::popcount(figure));
  return cells < masks.size() ? out : std::map<CellSet, CellSet>();
}

// For each cell of a figure the set, moved so that the figure's places are those of its lowest cells.
std::vector<Register> ProgramBuilder::at_places(CellSet figure, Register held) {
  std::vector<Register> out;
  for (CellSet rest = figure; rest != 0; rest &= rest - 1) {
    const int by = std::countr_zero(rest);
    out.push_back(by == 0 ? held : shifted(held, {by, all_}, kNone));
  }
  return out;
}

Register ProgramBuilder::moved_back(Register from, int by, CellSet places, Register onto) {
  const CellSet mask = places << by & all_;
  if (by != 0) return shifted(from, {-by, mask}, onto);
  const Register there = emit({.op = Opcode::mask, .a = from, .mask = mask});
  return onto == kNone ? there : emit2(Opcode::disjunction, there, onto);
}

// Where figures lie wholly in the set: their lowest cells, or all cells.
Register ProgramBuilder::cover_figures(const std::map<CellSet, CellSet>& figures, Register held, bool lowest) {
  Register out = kNone;
  for (const auto& [figure, places] : figures) {
    Register all = kNone;
    for (const Register there : at_places(figure, held))
      all = all == kNone ? there : emit2(Opcode::conjunction, all, there);
    for (CellSet rest = lowest ? 1 : figure; rest != 0; rest &= rest - 1)
      out = moved_back(all, std::countr_zero(rest), places, out);
  }
  return out;
}

// The cells of `free` that alone are missing from the set in some figure.
Register ProgramBuilder::complete_figures(const std::map<CellSet, CellSet>& figures, Register held, Register free) {
  Register out = kNone;
  for (const auto& [figure, places] : figures) {
    const std::vector<Register> there = at_places(figure, held);
    const std::size_t n = there.size();
    std::vector<Register> after(n, kNone);  // all from the next one on
    for (std::size_t i = n - 1; i > 0; --i)
      after[i - 1] = after[i] == kNone ? there[i] : emit2(Opcode::conjunction, there[i], after[i]);
    Register before = kNone;
    CellSet rest = figure;
    for (std::size_t i = 0; i < n; ++i, rest &= rest - 1) {
      Register others = before;
      if (after[i] != kNone) others = others == kNone ? after[i] : emit2(Opcode::conjunction, others, after[i]);
      if (others == kNone) others = constant_set(all_);  // a figure of one cell
      out = moved_back(others, std::countr_zero(rest), places, out);
      before = before == kNone ? there[i] : emit2(Opcode::conjunction, before, there[i]);
    }
  }
  return emit({.op = Opcode::difference, .a = emit2(Opcode::conjunction, out, free), .b = held});
}

// Of operators that read a list of masks; `others`: their second argument. Where few figures lie in many places they are shifted, all
// places at once.
Register ProgramBuilder::masks(Opcode op, const RuleNode& n, NodeId others) {
  const std::vector<CellSet>& masks = graph_.relation(n.relation);
  const Register held = set(n.args[0]);
  if (op == Opcode::pick) {
    CellSet next = 1;
    const bool rising =
        std::all_of(masks.begin(), masks.end(), [&](CellSet one) { return one == std::exchange(next, next << 1); });
    if (rising && masks.size() == static_cast<std::size_t>(graph_.cells()))
      return emit({.op = Opcode::lowest, .a = held});
  } else {
    const std::map<CellSet, CellSet> figures = figures_of(masks);
    if (!figures.empty())
      return op == Opcode::cover ? cover_figures(figures, held, false) : complete_figures(figures, held, set(others));
  }
  return emit({.op = op,
               .a = held,
               .b = others < 0 ? kNone : set(others),
               .imm = table(masks),
               .value = static_cast<std::int64_t>(masks.size())});
}

// Whether there is any; of a cover of figures that are shifted, their lowest cells will do.
Register ProgramBuilder::any(const RuleNode& n) {
  const RuleNode& of = graph_.node(n.args[0]);
  if (of.op == NodeOp::cover) {
    const std::map<CellSet, CellSet> figures = figures_of(graph_.relation(of.relation));
    if (!figures.empty())
      return emit({.op = Opcode::any, .a = cover_figures(figures, set(of.args[0]), true), .mask = all_});
  }
  return emit({.op = Opcode::any, .a = set(n.args[0]), .mask = all_});
}

Register ProgramBuilder::shifted(Register from, const ShiftMask& step, Register onto) {
  if (onto == kNone) return emit({.op = Opcode::shift, .a = from, .imm = step.shift, .mask = step.mask});
  return emit({.op = Opcode::shift_or, .a = from, .b = onto, .imm = step.shift, .mask = step.mask});
}

Register ProgramBuilder::conjunction(const RuleNode& n) {
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
    out = complement(either);
  } else {
    for (const Register r : negated) out = emit({.op = Opcode::difference, .a = out, .b = r});
  }
  return mask == all_ ? out : emit({.op = Opcode::mask, .a = out, .mask = mask});
}

Register ProgramBuilder::disjunction(const RuleNode& n) {
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
  return extra == 0 ? out : emit({.op = Opcode::add_mask, .a = out, .mask = extra});
}

// The cells that are related to some of `from`.
Register ProgramBuilder::image(const Relation& relation, Register from) {
  Register out = kNone;
  for (const auto& group : addends_of(relation)) {
    for (const ShiftMask& step : group) out = shifted(from, step, out);
  }
  return out == kNone ? constant_set(0) : out;
}

Register ProgramBuilder::flood(Register within, Register seed, const Relation& relation) {
  constexpr std::size_t kMostShifts = 12;  // more of them cost more than going from cell to cell
  std::vector<ShiftMask> steps = shifts_of(transposed(relation));
  if (steps.size() > kMostShifts) return emit({.op = Opcode::flood, .a = within, .b = seed, .imm = table(relation)});
  std::vector<CellSet> words;  // by rising shift: those to higher cells come first
  for (const ShiftMask& step : steps) {
    words.push_back(static_cast<CellSet>(std::abs(step.shift)));
    words.push_back(step.mask);
  }
  const auto rising = static_cast<std::uint64_t>(
      std::count_if(steps.begin(), steps.end(), [](const ShiftMask& step) { return step.shift < 0; }));
  return emit({.op = Opcode::flood_shifts,
               .a = within,
               .b = seed,
               .imm = table(words),
               .mask = rising,
               .value = static_cast<std::int64_t>(steps.size())});
}

// The chains of a direction, which leads from a cell to one other at most, and its rings, those of one length together;
// for each how many cells lie on its longest run.
std::vector<ProgramBuilder::Runs> ProgramBuilder::runs_of(const Relation& direction) {
  std::map<std::pair<bool, int>, Runs> out;  // by whether it is a ring, and of which length
  for (std::size_t c = 0; c < direction.size(); ++c) {
    int length = 1;
    CellSet at = direction[c];
    for (CellSet seen = cell_bit(static_cast<Cell>(c)); at != 0 && (seen & at) == 0; ++length) {
      seen |= at;
      at = direction[static_cast<std::size_t>(std::countr_zero(at))];
    }
    Runs& runs = out.try_emplace({at != 0, at != 0 ? length : 0}, Runs{Relation(direction.size()), 1}).first->second;
    runs.direction[c] = direction[c];
    runs.longest = std::max(runs.longest, length);
  }
  std::vector<Runs> list;
  for (auto& [kind, runs] : out) {
    if (runs.longest > 1) list.push_back(std::move(runs));
  }
  return list;
}

// The union of what each kind of runs adds to `out`.
template <typename Add>
Register ProgramBuilder::over_runs(RelationId direction, const Add& add) {
  Register out = kNone;
  for (const Runs& runs : runs_of(graph_.relation(direction)))
    add(runs, [&](Register more) { out = out == kNone ? more : emit2(Opcode::disjunction, out, more); });
  return out == kNone ? constant_set(0) : out;
}

Register ProgramBuilder::ray(const RuleNode& n) {
  const Register through = set(n.args[1]);
  const Register from = set(n.args[0]);
  return over_runs(n.relation, [&](const Runs& runs, const auto& unite) {
    const Relation back = transposed(runs.direction);  // whose image is a step along the direction
    Register wave = from;
    for (int i = 1; i < runs.longest; ++i) {
      wave = emit2(Opcode::conjunction, through, image(back, wave));
      unite(wave);
    }
  });
}

// After i steps from one end and at most n - 1 - i from the other; so that no cell is used twice where the board wraps.
Register ProgramBuilder::between(const RuleNode& n) {
  const Register through = set(n.args[1]);
  const Register to = set(n.args[2]);
  const Register from = set(n.args[0]);
  return over_runs(n.relation, [&](const Runs& runs, const auto& unite) {
    const Relation back = transposed(runs.direction);
    std::vector<Register> far;  // [j]: within j + 1 steps of the other end
    for (Register wave = to; static_cast<int>(far.size()) + 2 < runs.longest;) {
      wave = emit2(Opcode::conjunction, through, image(runs.direction, wave));
      far.push_back(far.empty() ? wave : emit2(Opcode::disjunction, far.back(), wave));
    }
    for (Register wave = from; !far.empty(); far.pop_back()) {
      wave = emit2(Opcode::conjunction, through, image(back, wave));
      unite(emit2(Opcode::conjunction, wave, far.back()));
    }
  });
}

Program::Program(const RuleGraph& graph, std::span<const NodeId> roots, std::span<const Interval> number_bounds) {
  *this = ProgramBuilder(graph, number_bounds).build(roots);
}

}  // namespace plenum
