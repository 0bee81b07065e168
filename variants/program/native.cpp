// SPDX-License-Identifier: Apache-2.0
#include "variants/program/native.h"

#include <algorithm>
#include <array>

namespace plenum {
namespace {

constexpr std::uint32_t kPatience = 200;  // runs; programs that run seldom are not worth compiling
constexpr std::int64_t kMostMasks = 256;  // of cover and its like, each of which is written out
constexpr std::size_t kMostInstructions = 20000;
constexpr std::size_t kMostInputs = 256;

bool supports(const Instruction& in) {
  const bool reads_input = in.op == Opcode::load_cells || in.op == Opcode::load_flag || in.op == Opcode::number_input;
  if (reads_input && (in.imm < 0 || static_cast<std::size_t>(in.imm) >= kMostInputs)) return false;
  const bool reads_masks = in.op == Opcode::cover || in.op == Opcode::complete || in.op == Opcode::pick;
  return has_native_code(in.op) && (!reads_masks || in.value <= kMostMasks);
}

void add_once(std::vector<std::uint16_t>& to, std::int32_t input) {
  const auto one = static_cast<std::uint16_t>(input);
  if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(one);
}

}  // namespace

NativeProgram::~NativeProgram() {
  if (code_ != nullptr) release_native(code_);
}

NativeProgram::NativeProgram(std::span<const Instruction> code, std::span<const std::uint16_t> outputs,
                             const std::vector<bool>& is_number, bool narrow, std::uint32_t patience)
    : narrow_(narrow), patience_(patience) {
  for (const Instruction& in : code) {
    if (in.op == Opcode::load_cells) add_once(cell_inputs_, in.imm);
    if (in.op == Opcode::load_flag || in.op == Opcode::number_input) add_once(byte_inputs_, in.imm);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs_.push_back({outputs[i], is_number[i]});
}

std::unique_ptr<NativeProgram> NativeProgram::make(std::span<const Instruction> code,
                                                   std::span<const std::uint16_t> outputs,
                                                   const std::vector<bool>& is_number, bool narrow) {
  if (!native_allowed() || code.size() > kMostInstructions || !std::all_of(code.begin(), code.end(), supports))
    return nullptr;
  const std::uint32_t patience = native_forced() ? 0 : kPatience;
  return std::unique_ptr<NativeProgram>(new NativeProgram(code, outputs, is_number, narrow, patience));
}

bool NativeProgram::run(const KernelFrame& frame) {
  NativeCode code = code_.load(std::memory_order_acquire);
  if (code == nullptr) {
    // The one whose run is the last to wait compiles it; if that fails, nobody tries again.
    if (runs_.load(std::memory_order_relaxed) > patience_ || runs_.fetch_add(1) != patience_) return false;
    code = write_native(frame, outputs_, narrow_);
    code_.store(code, std::memory_order_release);
    if (code == nullptr) return false;
  }
  const std::size_t vector = narrow_ ? kNativeLanes : kNativeLanes / 2;
  NativeCall call;
  call.cells = frame.cell_inputs;
  call.bytes = frame.byte_inputs;
  call.sets = frame.sets;
  call.numbers = frame.numbers;
  call.tables = frame.tables;
  call.lanes = frame.lanes / vector * vector;
  if (call.lanes > 0) code(&call);
  const std::size_t begin = call.lanes;
  const std::size_t rest = frame.lanes - begin;
  if (rest == 0) return true;
  // The last vector is filled up with copies of the last position.
  std::array<std::array<std::uint64_t, kNativeLanes>, kMostInputs> cells;
  std::array<std::array<std::uint8_t, kNativeLanes>, kMostInputs> bytes;
  std::array<const std::uint64_t*, kMostInputs> cell_inputs;
  std::array<const std::uint8_t*, kMostInputs> byte_inputs;
  const auto fill = [&](const auto& inputs, const auto* const* from, auto& copies, auto& pointers) {
    for (const std::uint16_t input : inputs) {
      const auto* const source = from[input] + begin;
      auto& copy = copies[input];
      for (std::size_t k = 0; k < kNativeLanes; ++k) copy[k] = source[std::min(k, rest - 1)];
      pointers[input] = copy.data();
    }
  };
  fill(cell_inputs_, frame.cell_inputs, cells, cell_inputs);
  fill(byte_inputs_, frame.byte_inputs, bytes, byte_inputs);
  call.cells = cell_inputs.data();
  call.bytes = byte_inputs.data();
  // A program without sets, or without numbers, has no place for them.
  if (frame.sets != nullptr)
    call.sets = static_cast<char*>(frame.sets) + begin * (narrow_ ? sizeof(std::uint32_t) : sizeof(std::uint64_t));
  if (frame.numbers != nullptr) call.numbers = frame.numbers + begin;
  call.lanes = vector;
  code(&call);
  return true;
}

}  // namespace plenum
