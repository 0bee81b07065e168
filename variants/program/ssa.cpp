// SPDX-License-Identifier: Apache-2.0
#include "variants/program/ssa.h"

#include <algorithm>
#include <array>

namespace plenum {

Register SsaCode::shared(const SsaInstruction& draft) {
  const auto [found, fresh] = known_.try_emplace(draft, static_cast<Register>(code_so_far_.size()));
  if (fresh) code_so_far_.push_back(draft);
  return found->second;
}

Register SsaCode::own(const SsaInstruction& draft) {
  code_so_far_.push_back(draft);
  return static_cast<Register>(code_so_far_.size() - 1);
}

void SsaCode::close_loop(std::uint32_t begin, Register again) {
  own({Opcode::jump, again, kNone, kNone, static_cast<std::int32_t>(begin), 0, 0, kNone});
  loops_.push_back({begin, size() - 1});
}

SsaCode::Code SsaCode::allocate(const std::vector<Register>& results) const {
  Code out;
  std::vector<std::uint32_t> last(code_so_far_.size(), 0);
  const auto operands = [&](std::uint32_t i) {
    return std::array{code_so_far_[i].a, code_so_far_[i].b, code_so_far_[i].c, code_so_far_[i].target};
  };
  for (std::uint32_t i = 0; i < code_so_far_.size(); ++i) {
    for (const Register r : operands(i)) {
      if (r != kNone) last[r] = i;
    }
  }
  // What a loop reads and does not write itself is read again in its next round; inner loops come first in the list.
  for (const Range& range : loops_) {
    for (std::uint32_t i = range.begin; i <= range.end; ++i) {
      for (const Register r : operands(i)) {
        if (r != kNone && r < range.begin) last[r] = std::max(last[r], range.end);
      }
    }
  }
  for (const Register r : results) last[r] = kNone;
  std::vector<std::vector<Register>> dying(code_so_far_.size());
  for (Register r = 0; r < code_so_far_.size(); ++r) {
    if (last[r] != kNone && last[r] != 0) dying[last[r]].push_back(r);
  }
  std::vector<std::uint16_t> place(code_so_far_.size(), 0);
  std::vector<std::uint16_t> free_sets;
  std::vector<std::uint16_t> free_numbers;
  for (std::uint32_t i = 0; i < code_so_far_.size(); ++i) {
    const SsaInstruction& draft = code_so_far_[i];
    const bool numeric = writes_number(draft.op);
    std::vector<std::uint16_t>& pool = numeric ? free_numbers : free_sets;
    std::size_t& count = numeric ? out.number_registers : out.set_registers;
    if (draft.target != kNone) {
      place[i] = place[draft.target];
    } else if (draft.op == Opcode::jump) {
      place[i] = 0;
    } else if (pool.empty()) {
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
    out.instructions.push_back(instruction);
    // Never the register just written, so no loop reads what it writes.
    for (const Register r : dying[i])
      (writes_number(code_so_far_[r].op) ? free_numbers : free_sets).push_back(place[r]);
  }
  for (const Register r : results) out.outputs.push_back(place[r]);
  return out;
}

}  // namespace plenum
