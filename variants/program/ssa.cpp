// SPDX-License-Identifier: Apache-2.0
#include "variants/program/ssa.h"

#include <algorithm>
#include <array>

namespace plenum {

Register SsaCode::shared(const SsaInstruction& in) {
  const auto [found, fresh] = known_.try_emplace(in, static_cast<Register>(instructions_.size()));
  if (fresh) instructions_.push_back(in);
  return found->second;
}

Register SsaCode::own(const SsaInstruction& in) {
  instructions_.push_back(in);
  return static_cast<Register>(instructions_.size() - 1);
}

void SsaCode::close_loop(std::uint32_t begin, Register again) {
  own({Opcode::jump, again, kNone, kNone, static_cast<std::int32_t>(begin), 0, 0, kNone});
  loops_.push_back({begin, size() - 1});
}

SsaCode::Code SsaCode::allocate(const std::vector<Register>& results) const {
  Code out;
  std::vector<std::uint32_t> last(instructions_.size(), 0);
  const auto operands = [&](std::uint32_t i) {
    return std::array{instructions_[i].a, instructions_[i].b, instructions_[i].c, instructions_[i].target};
  };
  for (std::uint32_t i = 0; i < instructions_.size(); ++i) {
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
  std::vector<std::vector<Register>> dying(instructions_.size());
  for (Register r = 0; r < instructions_.size(); ++r) {
    if (last[r] != kNone && last[r] != 0) dying[last[r]].push_back(r);
  }
  std::vector<std::uint16_t> place(instructions_.size(), 0);
  std::vector<std::uint16_t> free_sets;
  std::vector<std::uint16_t> free_numbers;
  for (std::uint32_t i = 0; i < instructions_.size(); ++i) {
    const SsaInstruction& in = instructions_[i];
    const bool numeric = writes_number(in.op);
    std::vector<std::uint16_t>& pool = numeric ? free_numbers : free_sets;
    std::size_t& count = numeric ? out.number_registers : out.set_registers;
    if (in.target != kNone) {
      place[i] = place[in.target];
    } else if (in.op == Opcode::jump) {
      place[i] = 0;
    } else if (pool.empty()) {
      place[i] = static_cast<std::uint16_t>(count++);
    } else {
      place[i] = pool.back();
      pool.pop_back();
    }
    const auto read = [&](Register r) { return place[r == kNone ? i : r]; };
    out.instructions.push_back({in.op, place[i], read(in.a), read(in.b), read(in.c), in.imm, in.mask, in.value});
    // Never the register just written, so no loop reads what it writes.
    for (const Register r : dying[i])
      (writes_number(instructions_[r].op) ? free_numbers : free_sets).push_back(place[r]);
  }
  for (const Register r : results) out.outputs.push_back(place[r]);
  return out;
}

}  // namespace plenum
