// SPDX-License-Identifier: Apache-2.0
// Instructions before they have registers: a list in single-assignment form, and the giving out of registers by last use.
//
// An instruction's number names the register it writes. Those that read and do the same are one. Loops are the exception: what
// goes round is copied before the loop and assigned to at its end, by instructions that are never shared.
// Private to variants/. Thread-safety: none.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "variants/program/kernels.h"

namespace plenum {

using Register = std::uint32_t;  // the instruction that writes it
inline constexpr Register kNone = ~Register{0};

struct SsaInstruction {
  Opcode op;
  Register a = kNone;
  Register b = kNone;
  Register c = kNone;
  std::int32_t imm = 0;
  std::uint64_t mask = 0;
  std::int64_t value = 0;
  Register target = kNone;  // of an assignment: the register it writes again
  friend bool operator==(const SsaInstruction&, const SsaInstruction&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const SsaInstruction& d) {
    return H::combine(std::move(h), d.op, d.a, d.b, d.c, d.imm, d.mask, d.value, d.target);
  }
};

class SsaCode {
 public:
  Register shared(const SsaInstruction& in);
  Register own(const SsaInstruction& in);
  std::uint32_t size() const { return static_cast<std::uint32_t>(instructions_.size()); }
  // What was written from `begin` on is run again while `again` has a cell in some lane.
  void close_loop(std::uint32_t begin, Register again);

  struct Code {
    std::vector<Instruction> instructions;
    std::vector<std::uint16_t> outputs;  // the registers of `results`, which keep them to the end
    std::size_t set_registers = 0;
    std::size_t number_registers = 0;
  };
  Code allocate(const std::vector<Register>& results) const;

 private:
  struct Range {
    std::uint32_t begin;
    std::uint32_t end;
  };
  std::vector<SsaInstruction> instructions_;
  absl::flat_hash_map<SsaInstruction, Register> known_;
  std::vector<Range> loops_;  // inner ones first
};

}  // namespace plenum
