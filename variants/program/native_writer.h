// SPDX-License-Identifier: Apache-2.0
// The code of one program, written by asmjit: whole vectors of positions at a time, sets in the processor's registers.
// Thread-safety: any thread may write and release code at any time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "variants/program/kernels.h"

namespace plenum {

// What the code reads: input i of lane k at cells[i][k], and so on; whole vectors only.
struct NativeCall {
  const std::uint64_t* const* cells = nullptr;
  const std::uint8_t* const* bytes = nullptr;
  void* sets = nullptr;  // register r's lane k at r * kLanes + k, as in the interpreter; of those asked for
  std::int64_t* numbers = nullptr;
  const std::uint64_t* tables = nullptr;
  std::size_t lanes = 0;  // a multiple of kNativeLanes, or of half as many where sets are wide; not 0
};
inline constexpr std::size_t kNativeLanes = 8;

struct NativeOutput {
  std::uint16_t place = 0;
  bool is_number = false;
};

using NativeCode = void (*)(const NativeCall*);

// Null if it could not be written, or the system gives no executable memory. Needs AVX2, and code for all
// instructions.
NativeCode write_native(const KernelFrame& frame, std::span<const NativeOutput> outputs, bool narrow);
void release_native(NativeCode code);
// Whether there is code for it at all; a program with other instructions is interpreted.
bool has_native_code(Opcode op);

}  // namespace plenum
