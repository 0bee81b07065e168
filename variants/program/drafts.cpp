// SPDX-License-Identifier: Apache-2.0
#include "variants/program/drafts.h"

#include <algorithm>
#include <array>

namespace plenum {

Register Drafts::shared(const Draft& draft) {
  const auto [found, fresh] = known_.try_emplace(draft, static_cast<Register>(drafts_.size()));
  if (fresh) drafts_.push_back(draft);
  return found->second;
}

Register Drafts::own(const Draft& draft) {
  drafts_.push_back(draft);
  return static_cast<Register>(drafts_.size() - 1);
}

void Drafts::close_loop(std::uint32_t begin, Register again) {
  own({Opcode::jump, again, kNone, kNone, static_cast<std::int32_t>(begin), 0, 0, kNone});
  loops_.push_back({begin, size() - 1});
}

Drafts::Code Drafts::allocate(const std::vector<Register>& results) const {
  Code out;
  std::vector<std::uint32_t> last(drafts_.size(), 0);
  const auto operands = [&](std::uint32_t i) {
    return std::array{drafts_[i].a, drafts_[i].b, drafts_[i].c, drafts_[i].target};
  };
  for (std::uint32_t i = 0; i < drafts_.size(); ++i) {
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
  std::vector<std::vector<Register>> dying(drafts_.size());
  for (Register r = 0; r < drafts_.size(); ++r) {
    if (last[r] != kNone && last[r] != 0) dying[last[r]].push_back(r);
  }
  std::vector<std::uint16_t> place(drafts_.size(), 0);
  std::vector<std::uint16_t> free_sets;
  std::vector<std::uint16_t> free_numbers;
  for (std::uint32_t i = 0; i < drafts_.size(); ++i) {
    const Draft& draft = drafts_[i];
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
    for (const Register r : dying[i]) (writes_number(drafts_[r].op) ? free_numbers : free_sets).push_back(place[r]);
  }
  for (const Register r : results) out.outputs.push_back(place[r]);
  return out;
}

}  // namespace plenum
