// SPDX-License-Identifier: Apache-2.0
// The inner loops of rule programs: one instruction over a batch of positions at a time.
//
// A program works on registers of kLanes words, one word a position: sets of cells (bit c for cell c; a truth value
// is all cells or none) and numbers. Each instruction is a tight loop that the compiler vectorises. The same loops are compiled
// for plain x86-64, for AVX2 (x86-64-v3) and for AVX-512 (x86-64-v4), and the best one the processor has is chosen when the
// program starts. The environment variable PLENUM_CPU=base|v3|v4 asks for less; without it, and with PLENUM_CPU=native,
// programs that run often are compiled to machine code instead (native.h).
//
// The files that hold these loops use no library templates, so that no code for a newer processor can leak into shared
// inline functions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace plenum {

inline constexpr std::size_t kLanes = 256;

enum class Opcode : std::uint8_t {
  load_cells,       // d = cell input `imm`
  load_flag,        // d = all cells where byte input `imm` is not 0
  constant,         // d = mask
  complement,       // d = ~a within mask
  conjunction,      // d = a & b
  disjunction,      // d = a | b
  difference,       // d = a & ~b
  parity2,          // d = a ^ b
  parity3,          // d = a ^ b ^ c
  majority,         // d = at least two of a, b, c
  mask,             // d = a & mask
  add_mask,         // d = a | mask
  shift,            // d = (a shifted by imm) & mask; positive is towards lower bits
  shift_or,         // d = b | ((a shifted by imm) & mask)
  any,              // d = mask where a is not empty
  flood,            // d = cells of a connected inside a to b; imm: first word of the relation in `tables`
  flood_shifts,     // the same by shifts: shifts and masks from imm on; value: how many, mask: of these to higher bits
  lowest,           // d = the lowest cell of a
  cover,            // d = union of the masks that lie wholly in a; imm: the first in `tables`, value: how many
  complete,         // d = the cells of b that alone are missing from a in some mask; imm, value as in cover
  pick,             // d = the first of the masks that meets a, within a; imm, value as in cover
  assign,           // d = a; the only one that writes a register again
  jump,             // goes on with instruction imm while some lane of a is not empty
  number_bit,       // d = mask where bit imm of number a is set
  number_at_least,  // d = mask where number a >= value
  number_equal,     // d = mask where numbers a and b are equal
  // numbers
  number_constant,  // d = value
  number_input,     // d = byte input `imm` + value
  count,            // d = cells in set a
  add_scaled,       // d = a + value * b
  product,          // d = a * b
  select,           // d = a where set c is not empty, else b
  lookup,           // d = tables[imm + a - value] where 0 <= a - value < mask, else 0
  greatest,         // d = the greater of a and b
  least,            // d = the lesser of a and b
  number_assign,    // d = a, like assign
};
inline constexpr std::size_t kOpcodes = static_cast<std::size_t>(Opcode::number_assign) + 1;
constexpr bool writes_number(Opcode op) { return op >= Opcode::number_constant; }

struct Instruction {
  Opcode op = Opcode::constant;
  std::uint16_t d = 0;
  std::uint16_t a = 0;
  std::uint16_t b = 0;
  std::uint16_t c = 0;
  std::int32_t imm = 0;
  std::uint64_t mask = 0;
  std::int64_t value = 0;
};

// One run over at most kLanes positions. Registers: `word_bytes` (4 or 8) bytes a lane for sets, 8 for numbers.
struct KernelFrame {
  const Instruction* code = nullptr;
  std::size_t length = 0;
  std::size_t lanes = 0;
  void* sets = nullptr;
  std::int64_t* numbers = nullptr;
  const std::uint64_t* const* cell_inputs = nullptr;
  const std::uint8_t* const* byte_inputs = nullptr;
  const std::uint64_t* tables = nullptr;
};

using Kernel = void (*)(const KernelFrame&);

// The best kernel for this processor; narrow: boards of up to 32 cells.
Kernel choose_kernel(bool narrow);
// Whether programs may be compiled to machine code (native.h), and whether at once.
bool native_allowed();
bool native_forced();
// Whether code for x86-64-v3 (AVX2) may run.
bool has_v3();
// Whether code for x86-64-v4 with VBMI, VPOPCNTDQ and GFNI may run: permutations of the bytes of a vector and of bits in them.
bool has_bit_vectors();
// What runs programs: "native", or what choose_kernel chose: "base", "v3" or "v4".
const char* kernel_name();

namespace kernels_base {
void run32(const KernelFrame& frame);
void run64(const KernelFrame& frame);
}  // namespace kernels_base
namespace kernels_v3 {
void run32(const KernelFrame& frame);
void run64(const KernelFrame& frame);
}  // namespace kernels_v3
namespace kernels_v4 {
void run32(const KernelFrame& frame);
void run64(const KernelFrame& frame);
}  // namespace kernels_v4

}  // namespace plenum
