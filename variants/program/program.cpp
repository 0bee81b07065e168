// SPDX-License-Identifier: Apache-2.0
#include "variants/program/program.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace plenum {

namespace {

// Whole lines of the cache; std::bad_alloc where there is no memory.
void* aligned(std::size_t bytes) {
  constexpr std::size_t kAlign = 64;
  void* const out = std::aligned_alloc(kAlign, (std::max<std::size_t>(bytes, 1) + kAlign - 1) / kAlign * kAlign);
  if (out == nullptr) throw std::bad_alloc();
  return out;
}

}  // namespace

void Workspace::Free::operator()(void* p) const { std::free(p); }

void Workspace::reserve(std::size_t set_bytes, std::size_t numbers) {
  if (set_bytes > set_bytes_) {
    sets_.reset(aligned(set_bytes));
    set_bytes_ = set_bytes;
  }
  if (numbers > number_count_) {
    numbers_.reset(static_cast<std::int64_t*>(aligned(numbers * sizeof(std::int64_t))));
    number_count_ = numbers;
  }
}

bool Program::reads(Opcode op, int input) const {
  return std::any_of(code_.begin(), code_.end(), [&](const Instruction& in) { return in.op == op && in.imm == input; });
}

void Program::run(const ProgramInput& input, std::size_t lanes, Workspace& work) const {
  const std::size_t word = narrow_ ? sizeof(std::uint32_t) : sizeof(std::uint64_t);
  work.reserve(set_registers_ * kLanes * word, number_registers_ * kLanes);
  KernelFrame frame;
  frame.code = code_.data();
  frame.length = code_.size();
  frame.lanes = lanes;
  frame.sets = work.sets();
  frame.numbers = work.numbers();
  frame.cell_inputs = input.cells.data();
  frame.byte_inputs = input.bytes.data();
  frame.tables = tables_.data();
  if (native_ == nullptr || !native_->run(frame)) kernel_(frame);
}

void Program::read_set(std::size_t root, std::size_t lanes, Workspace& work, std::uint64_t* out) const {
  const std::size_t at = outputs_[root] * kLanes;
  if (narrow_) {
    const auto* from = static_cast<const std::uint32_t*>(work.sets()) + at;
    std::copy(from, from + lanes, out);
  } else {
    std::memcpy(out, static_cast<const std::uint64_t*>(work.sets()) + at, lanes * sizeof(std::uint64_t));
  }
}

void Program::read_number(std::size_t root, std::size_t lanes, Workspace& work, std::int64_t* out) const {
  std::memcpy(out, work.numbers() + outputs_[root] * kLanes, lanes * sizeof(std::int64_t));
}

}  // namespace plenum
