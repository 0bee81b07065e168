// SPDX-License-Identifier: Apache-2.0
// From nodes of a rule graph to instructions. Private to variants/program.
//
// Each operator of the graph has an entry in one of three tables: of sets (program_builder.cpp), of numbers for each cell
// (field_instructions.cpp) and of numbers and players (number_instructions.cpp). Loops are the only place where a register is
// written twice: what goes round in one is copied into registers of its own before it, and assigned to at its end.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "variants/board/shifts.h"
#include "variants/graph/enum_table.h"
#include "variants/program/program.h"
#include "variants/program/ssa.h"

namespace plenum {

// Writes instructions for all that the roots need.
class ProgramBuilder {
 public:
  ProgramBuilder(const RuleGraph& graph, std::span<const Interval> bounds)
      : graph_(graph), bounds_(bounds), all_(graph.all()) {}

  Program build(std::span<const NodeId> roots);

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
  // The instructions of each operator.
  template <typename Result>
  using Table = EnumTable<NodeOp, kNodeOps, Result (*)(ProgramBuilder&, const RuleNode&, NodeId)>;
  struct SetInstructions;
  struct FieldInstructions;
  struct NumberInstructions;

  // What is known of a node, or what the table finds out now. That may find out more, so the place is looked up again.
  template <typename What>
  What remember(absl::flat_hash_map<NodeId, What> Known::*known, const Table<What>& table, NodeId id) {
    const auto& list = known_.*known;
    if (const auto found = list.find(id); found != list.end()) return found->second;
    const RuleNode& n = graph_.node(id);
    What out = table[n.op](*this, n, id);
    (known_.*known).emplace(id, out);
    return out;
  }
  bool is_set(NodeId id) const { return traits(graph_.node(id).op).is_set(); }

  Register emit(const SsaInstruction& in) { return code_.shared(in); }
  Register emit2(Opcode op, Register a, Register b) {
    return emit({.op = op, .a = std::min(a, b), .b = std::max(a, b)});
  }
  std::int32_t table(const std::vector<CellSet>& words);

  // Sets.
  Register set(NodeId id);
  Register flag(int byte) { return emit({.op = Opcode::load_flag, .imm = byte, .mask = all_}); }
  Register complement(Register a) { return emit({.op = Opcode::complement, .a = a, .mask = all_}); }
  Register constant_set(CellSet mask) { return emit({.op = Opcode::constant, .mask = mask}); }
  Register shifted(Register from, const ShiftMask& step, Register onto);
  Register conjunction(const RuleNode& n);
  Register disjunction(const RuleNode& n);
  Register image(const Relation& relation, Register from);
  Register flood(Register within, Register seed, const Relation& relation);
  static std::map<CellSet, CellSet> figures_of(const std::vector<CellSet>& masks);
  std::vector<Register> at_places(CellSet figure, Register held);
  Register moved_back(Register from, int by, CellSet places, Register onto);
  Register cover_figures(const std::map<CellSet, CellSet>& figures, Register held, bool lowest);
  Register complete_figures(const std::map<CellSet, CellSet>& figures, Register held, Register free);
  Register masks(Opcode op, const RuleNode& n, NodeId others);
  Register any(const RuleNode& n);
  struct Runs {
    Relation direction;
    int longest;
  };
  static std::vector<Runs> runs_of(const Relation& direction);
  template <typename Add>
  Register over_runs(RelationId direction, const Add& add);
  Register ray(const RuleNode& n);
  Register between(const RuleNode& n);
  Register at_least(const RuleNode& n);
  Register fields_at_least(const RuleNode& n);

  // Loops.
  Register copy(Opcode assign, Register from) { return code_.own({.op = assign, .a = from}); }
  void assign(Opcode op, Register target, Register from);
  void bind(NodeOp input, std::uint64_t value, Register r);
  template <typename Body>
  auto inside_loop(NodeOp input, std::uint64_t first, std::uint64_t count, Body&& body);
  const std::vector<Register>& loop(NodeId id);
  Register fold(const RuleNode& n);

  // Numbers for each cell.
  Slices slices(NodeId id);
  std::vector<Register> compress(std::vector<std::vector<Register>> columns);
  Slices near_count(const RuleNode& n);
  Slices constant_slices(const std::vector<std::int64_t>& values);
  Slices broadcast(const RuleNode& n);
  Slices select_slices(Register condition, const Slices& yes, const Slices& no);
  Slices extreme_slices(const RuleNode& n, bool greatest);
  Slices rebased(const Slices& s, std::int64_t offset);
  void add_constant(std::vector<std::vector<Register>>& columns, std::uint64_t value);
  Slices sum(const Linear& form);

  // Numbers, and players as 0, 1, 2.
  Register number(NodeId id);
  Register number(const Linear& form);
  Register constant_number(std::int64_t value) { return emit({.op = Opcode::number_constant, .value = value}); }
  Register extreme_number(const RuleNode& n, Opcode op);
  Register select_number(const RuleNode& n);
  Register lookup(const RuleNode& n);

  const RuleGraph& graph_;
  std::span<const Interval> bounds_;
  CellSet all_;
  SsaCode code_;
  Known known_;
  std::map<NodeId, Register> loop_inputs_;  // of the loops at hand
  std::vector<std::uint64_t> tables_;
  std::map<std::vector<CellSet>, std::int32_t> known_tables_;
};

}  // namespace plenum
