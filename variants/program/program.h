// SPDX-License-Identifier: Apache-2.0
// A rule program: chosen nodes of a rule graph compiled to instructions that run over batches of positions.
//
// Numbers per cell become bit slices: plane i of a field holds bit i of every cell's number, so that counting
// neighbours is a tree of full adders over shifted planes, and "number >= t" is an and/or chain over the slices. All
// thresholds on one linear form share its slices. Numbers of a position (counts, scores) are 64-bit integers a lane.
//
// Inputs and outputs are arrays of one entry a position. Cell inputs are numbered as in CellInput, byte inputs: 0 is
// "the mover is first" (0 or 1), then passes, then the state slots.
//
// Thread-safety: a Program is immutable; every thread runs it with a Workspace of its own.
// Cost: rules that compare two counts of neighbours on 19 cells take some 70 instructions, 2-3 ns a position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "variants/graph/rule_graph.h"
#include "variants/program/kernels.h"
#include "variants/program/native.h"

namespace plenum {

enum ByteInput : int { kMoverIsFirstByte = 0, kPassesByte = 1, kFirstStateByte = 2 };

struct ProgramInput {
  std::span<const std::uint64_t* const> cells;  // by CellInput; null where the program does not read it
  std::span<const std::uint8_t* const> bytes;   // by ByteInput
};

class Workspace {
 public:
  void reserve(std::size_t set_bytes, std::size_t numbers);
  void* sets() { return sets_.get(); }
  std::int64_t* numbers() { return numbers_.get(); }

 private:
  struct Free {
    void operator()(void* p) const;
  };
  std::unique_ptr<void, Free> sets_;
  std::unique_ptr<std::int64_t, Free> numbers_;
  std::size_t set_bytes_ = 0;
  std::size_t number_count_ = 0;
};

class Program {
 public:
  Program() = default;
  // Compiles the roots, sets or numbers. `offsets[i]` is added to byte input i where it is read as a number.
  Program(const RuleGraph& graph, std::span<const NodeId> roots, std::span<const Interval> number_bounds);

  // Runs over `lanes` <= kLanes positions; afterwards root r's results are at set(r) or number(r) of the workspace.
  void run(const ProgramInput& input, std::size_t lanes, Workspace& work) const;

  // What of its input it reads: null pointers will do for the rest.
  bool reads_cells(int input) const { return reads(Opcode::load_cells, input); }
  bool reads_byte(int input) const { return reads(Opcode::load_flag, input) || reads(Opcode::number_input, input); }

  std::size_t roots() const { return outputs_.size(); }
  // Copies a root's results: a set or truth value (all cells or none), or a number (a player as 0, 1, 2).
  void read_set(std::size_t root, std::size_t lanes, Workspace& work, std::uint64_t* out) const;
  void read_number(std::size_t root, std::size_t lanes, Workspace& work, std::int64_t* out) const;
  // The results of a set root as they stand in the workspace, 32 bits each; for boards of up to 32 cells.
  const std::uint32_t* narrow_set(std::size_t root, Workspace& work) const {
    return static_cast<const std::uint32_t*>(work.sets()) + outputs_[root] * kLanes;
  }

  std::size_t instructions() const { return code_.size(); }

 private:
  friend class ProgramBuilder;
  bool reads(Opcode op, int input) const;

  std::vector<Instruction> code_;
  std::vector<std::uint64_t> tables_;
  std::vector<std::uint16_t> outputs_;
  std::size_t set_registers_ = 0;
  std::size_t number_registers_ = 0;
  bool narrow_ = true;
  Kernel kernel_ = nullptr;
  std::shared_ptr<NativeProgram> native_;  // shared by copies; null if it is interpreted only
};

}  // namespace plenum
