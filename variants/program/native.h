// SPDX-License-Identifier: Apache-2.0
// Machine code for rule programs, for processors with AVX2: what the interpreter's loops (kernels.h) do, without the cost of
// interpreting. Positions are taken a vector at a time, through the whole program, with sets in the processor's registers.
//
// A program is compiled once it has been run often enough for that to pay. Some instructions have no code here (see
// `supports`); a program with one of them stays with the interpreter, as do all where the system gives no executable memory,
// and where PLENUM_CPU names a level of the interpreter. PLENUM_CPU=native compiles every program at its first run.
//
// Thread-safety: all threads may run the same program, also while one of them compiles it.
// Cost: compiling takes a few hundred microseconds a program.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "variants/program/kernels.h"
#include "variants/program/native_writer.h"

namespace plenum {

class NativeProgram {
 public:
  // For a program with these results; null if it cannot or shall not be compiled.
  static std::unique_ptr<NativeProgram> make(std::span<const Instruction> code, std::span<const std::uint16_t> outputs,
                                             const std::vector<bool>& is_number, bool narrow);
  ~NativeProgram();
  NativeProgram(const NativeProgram&) = delete;
  NativeProgram& operator=(const NativeProgram&) = delete;

  // Runs the program as the interpreter would. False if it is not compiled yet, or could not be.
  bool run(const KernelFrame& frame);

 private:
  NativeProgram(std::span<const Instruction> code, std::span<const std::uint16_t> outputs,
                const std::vector<bool>& is_number, bool narrow, std::uint32_t patience);
  std::vector<NativeOutput> outputs_;
  std::vector<std::uint16_t> cell_inputs_;
  std::vector<std::uint16_t> byte_inputs_;
  bool narrow_ = true;
  std::uint32_t patience_ = 0;  // runs before it is compiled
  std::atomic<std::uint32_t> runs_{0};
  std::atomic<NativeCode> code_{nullptr};
};

}  // namespace plenum
