// SPDX-License-Identifier: Apache-2.0
// Machine code against the interpreter's loops: random programs of all instructions, random batches of every size.
#include "variants/program/native.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "variants/program/kernels.h"
#include "variants/program/program.h"

namespace plenum::native_test {
namespace {

constexpr std::size_t kInputs = 5;

using Random = std::mt19937_64;

std::int64_t between(Random& random, std::int64_t least, std::int64_t greatest) {
  return std::uniform_int_distribution<std::int64_t>(least, greatest)(random);
}

struct RandomProgram {
  std::vector<Instruction> code;
  std::vector<std::uint64_t> tables;
  std::vector<std::uint16_t> outputs;
  std::vector<bool> is_number;
};

// Writes instructions that read only what was written before; registers are written again in loops alone.
class Writer {
 public:
  Writer(Random& random, bool narrow)
      : random_(random), width_(narrow ? 32 : 64), all_(narrow ? 0xFFFFFFFFU : ~std::uint64_t{0}) {}

  RandomProgram write(std::size_t length) {
    for (std::int32_t i = 0; i < 3; ++i) load(i);
    while (out_.code.size() < length) {
      if (between(random_, 0, 40) == 0) {
        loop();
      } else {
        straight();
      }
    }
    for (const std::uint16_t r : sets_) add_output(r, false);
    for (const std::uint16_t r : numbers_) add_output(r, true);
    return out_;
  }

 private:
  void add_output(std::uint16_t place, bool is_number) {
    if (between(random_, 0, 2) == 0) return;
    out_.outputs.push_back(place);
    out_.is_number.push_back(is_number);
  }
  std::uint64_t some_mask() {
    const std::uint64_t out = random_() & all_;
    return between(random_, 0, 3) == 0 ? out & random_() & random_() : out;
  }
  std::uint16_t one_of(const std::vector<std::uint16_t>& registers) {
    return registers[static_cast<std::size_t>(between(random_, 0, static_cast<std::int64_t>(registers.size()) - 1))];
  }
  std::uint16_t set() { return one_of(sets_); }
  std::uint16_t number() { return one_of(numbers_); }
  std::int64_t some_number() {
    switch (between(random_, 0, 3)) {
      case 0:
        return between(random_, -3, 3);
      case 1:
        return between(random_, -(std::int64_t{1} << 40), std::int64_t{1} << 40);
      default:
        return between(random_, -100, 100);
    }
  }
  std::int32_t table(std::size_t count) {
    const auto out = static_cast<std::int32_t>(out_.tables.size());
    for (std::size_t i = 0; i < count; ++i) out_.tables.push_back(some_mask());
    return out;
  }
  void load(std::int32_t input) {
    add({Opcode::load_cells, 0, 0, 0, 0, input, 0, 0});
    add({Opcode::number_input, 0, 0, 0, 0, input, 0, between(random_, -100, 100)});
  }
  void add(Instruction in) {
    const bool numeric = writes_number(in.op);
    in.d = numeric ? number_count_++ : set_count_++;
    (numeric ? numbers_ : sets_).push_back(in.d);
    // Nothing may overflow: only inputs, constants and counts are multiplied, and of these only small ones twice.
    const bool small = in.op == Opcode::number_input || in.op == Opcode::count;
    if (small) small_.push_back(in.d);
    if (small || in.op == Opcode::number_constant) factors_.push_back(in.d);
    out_.code.push_back(in);
  }

  void straight() {
    const auto op = static_cast<Opcode>(between(random_, 0, static_cast<int>(kOpcodes) - 1));
    if (op == Opcode::jump || op == Opcode::flood) return;
    Instruction in;
    in.op = op;
    in.mask = some_mask();
    in.value = some_number();
    in.a = set();
    in.b = set();
    in.c = set();
    switch (op) {
      case Opcode::load_cells:
      case Opcode::load_flag:
      case Opcode::number_input:
        in.imm = static_cast<std::int32_t>(between(random_, 0, kInputs - 1));
        in.value = between(random_, -100, 100);
        break;
      case Opcode::parity3:
        add(in);
        if (between(random_, 0, 1) == 0) return;
        in.op = Opcode::majority;
        break;
      case Opcode::shift:
      case Opcode::shift_or:
        in.imm = static_cast<std::int32_t>(between(random_, 1 - width_, width_ - 1));
        break;
      case Opcode::flood_shifts: {
        const auto count = static_cast<std::size_t>(between(random_, 1, 6));
        in.value = static_cast<std::int64_t>(count);
        in.mask = static_cast<std::uint64_t>(between(random_, 0, in.value));
        in.imm = table(2 * count);
        for (std::size_t k = 0; k < count; ++k)
          out_.tables[static_cast<std::size_t>(in.imm) + 2 * k] =
              static_cast<std::uint64_t>(between(random_, 1, width_ - 1));
        break;
      }
      case Opcode::cover:
      case Opcode::complete:
      case Opcode::pick: {
        const auto count = static_cast<std::size_t>(between(random_, 0, 9));
        in.imm = table(count);
        in.value = static_cast<std::int64_t>(count);
        for (std::size_t k = 0; k < count && op != Opcode::pick; ++k)
          out_.tables[static_cast<std::size_t>(in.imm) + k] &= random_() & random_();
        break;
      }
      case Opcode::lookup: {
        const auto count = static_cast<std::size_t>(between(random_, 0, 9));
        in.imm = table(count);
        in.mask = count;
        in.value = between(random_, -10, 10);
        in.a = number();
        for (std::size_t k = 0; k < count; ++k) out_.tables[static_cast<std::size_t>(in.imm) + k] &= 0xFFFF;
        break;
      }
      case Opcode::add_scaled:
        in.a = number();
        in.b = one_of(small_);
        break;
      case Opcode::product:
        in.a = one_of(factors_);
        in.b = one_of(small_);
        break;
      case Opcode::number_bit:
        in.imm = static_cast<std::int32_t>(between(random_, 0, 63));
        [[fallthrough]];
      case Opcode::number_at_least:
      case Opcode::number_equal:
      case Opcode::select:
      case Opcode::greatest:
      case Opcode::least:
      case Opcode::number_assign:
        in.a = number();
        in.b = number();
        break;
      default:
        break;
    }
    add(in);
  }

  // rest = a; repeat: rest loses its lowest cell, a sum grows by what depends on that; while rest has cells. Lanes that are done
  // may go round again, so nothing else of the loop is read after it.
  void loop() {
    add({Opcode::assign, 0, set(), 0, 0, 0, 0, 0});
    const std::uint16_t rest = sets_.back();
    add({Opcode::number_constant, 0, 0, 0, 0, 0, 0, 0});
    const std::uint16_t sum = numbers_.back();
    const std::vector<std::uint16_t> sets = sets_;
    const std::vector<std::uint16_t> numbers = numbers_;
    const std::vector<std::uint16_t> small = small_;
    const std::vector<std::uint16_t> factors = factors_;
    const auto begin = static_cast<std::int32_t>(out_.code.size());
    add({Opcode::lowest, 0, rest, 0, 0, 0, 0, 0});
    const std::uint16_t lowest = sets_.back();
    for (int k = 0; k < 4; ++k) straight();
    add({Opcode::conjunction, 0, set(), lowest, 0, 0, 0, 0});
    add({Opcode::count, 0, sets_.back(), 0, 0, 0, 0, 0});
    add({Opcode::add_scaled, 0, sum, numbers_.back(), 0, 0, 0, 3});
    out_.code.push_back({Opcode::number_assign, sum, numbers_.back(), 0, 0, 0, 0, 0});
    add({Opcode::difference, 0, rest, lowest, 0, 0, 0, 0});
    out_.code.push_back({Opcode::assign, rest, sets_.back(), 0, 0, 0, 0, 0});
    out_.code.push_back({Opcode::jump, 0, rest, 0, 0, begin, 0, 0});
    sets_ = sets;
    numbers_ = numbers;
    small_ = small;
    factors_ = factors;
  }

  Random& random_;
  int width_;
  std::uint64_t all_;
  std::vector<std::uint16_t> sets_;  // that may be read
  std::vector<std::uint16_t> numbers_;
  std::vector<std::uint16_t> small_;  // of these
  std::vector<std::uint16_t> factors_;
  std::uint16_t set_count_ = 0;
  std::uint16_t number_count_ = 0;
  RandomProgram out_;
};

struct Registers {
  Registers(std::size_t sets, std::size_t numbers) : work() { work.reserve(sets * kLanes * 8, numbers * kLanes); }
  Workspace work;
};

void check(Random& random, bool narrow) {
  const RandomProgram program = Writer(random, narrow).write(static_cast<std::size_t>(between(random, 10, 120)));
  const auto native = NativeProgram::make(program.code, program.outputs, program.is_number, narrow);
  ASSERT_NE(native, nullptr);
  for (int round = 0; round < 8; ++round) {
    const auto lanes = static_cast<std::size_t>(round == 0 ? kLanes : static_cast<std::size_t>(between(random, 1, 70)));
    std::array<std::vector<std::uint64_t>, kInputs> cells;
    std::array<std::vector<std::uint8_t>, kInputs> bytes;
    std::array<const std::uint64_t*, kInputs> cell_inputs;
    std::array<const std::uint8_t*, kInputs> byte_inputs;
    for (std::size_t i = 0; i < kInputs; ++i) {
      const bool sparse = between(random, 0, 1) == 0;
      for (std::size_t k = 0; k < lanes; ++k) {
        std::uint64_t word = narrow ? random() & 0xFFFFFFFFU : random();
        for (int thinned = 0; sparse && thinned < 2; ++thinned) word &= random();
        cells[i].push_back(word);
        bytes[i].push_back(static_cast<std::uint8_t>(between(random, 0, 1) == 0 ? 0 : random()));
      }
      cell_inputs[i] = cells[i].data();
      byte_inputs[i] = bytes[i].data();
    }
    Registers expected(program.code.size(), program.code.size());
    Registers found(program.code.size(), program.code.size());
    KernelFrame frame;
    frame.code = program.code.data();
    frame.length = program.code.size();
    frame.lanes = lanes;
    frame.cell_inputs = cell_inputs.data();
    frame.byte_inputs = byte_inputs.data();
    frame.tables = program.tables.data();
    frame.sets = expected.work.sets();
    frame.numbers = expected.work.numbers();
    choose_kernel(narrow)(frame);
    frame.sets = found.work.sets();
    frame.numbers = found.work.numbers();
    ASSERT_TRUE(native->run(frame));
    for (std::size_t r = 0; r < program.outputs.size(); ++r) {
      const std::size_t at = program.outputs[r] * kLanes;
      const std::size_t bytes_a_lane = program.is_number[r] || !narrow ? 8 : 4;
      const void* const left =
          program.is_number[r] ? static_cast<void*>(expected.work.numbers()) : expected.work.sets();
      const void* const right = program.is_number[r] ? static_cast<void*>(found.work.numbers()) : found.work.sets();
      for (std::size_t k = 0; k < lanes; ++k) {
        const std::size_t offset = (at + k) * bytes_a_lane;
        if (std::memcmp(static_cast<const char*>(left) + offset, static_cast<const char*>(right) + offset,
                        bytes_a_lane) == 0)
          continue;
        std::size_t writer = 0;
        for (std::size_t i = 0; i < program.code.size(); ++i) {
          const Instruction& in = program.code[i];
          if (in.op != Opcode::jump && in.d == program.outputs[r] && writes_number(in.op) == program.is_number[r])
            writer = i;
        }
        FAIL() << "register " << program.outputs[r] << ", lane " << k << " of " << lanes << ", written by instruction "
               << writer << ", opcode " << static_cast<int>(program.code[writer].op);
      }
    }
  }
}

class Native : public testing::TestWithParam<bool> {};

TEST_P(Native, DoesWhatTheInterpreterDoes) {
  if (!native_allowed()) GTEST_SKIP() << "no AVX2, or PLENUM_CPU names a level of the interpreter";
  const char* const seed = std::getenv("PLENUM_TEST_SEED");
  Random random(seed != nullptr ? std::stoull(seed) : 1);
  for (int i = 0; i < 400; ++i) {
    check(random, GetParam());
    if (HasFailure()) FAIL() << "program " << i;
  }
}

// All run it while one of them compiles it.
TEST_P(Native, IsCompiledWhileOthersRunIt) {
  if (!native_allowed()) GTEST_SKIP() << "no AVX2, or PLENUM_CPU names a level of the interpreter";
  Random random(3);
  const bool narrow = GetParam();
  for (int round = 0; round < 30; ++round) {
    const RandomProgram program = Writer(random, narrow).write(40);
    const auto native = NativeProgram::make(program.code, program.outputs, program.is_number, narrow);
    std::vector<std::uint64_t> cells(kLanes, 5);
    std::vector<std::uint8_t> bytes(kLanes, 1);
    const std::array<const std::uint64_t*, kInputs> cell_inputs = {cells.data(), cells.data(), cells.data(),
                                                                   cells.data(), cells.data()};
    const std::array<const std::uint8_t*, kInputs> byte_inputs = {bytes.data(), bytes.data(), bytes.data(),
                                                                  bytes.data(), bytes.data()};
    std::atomic<int> ran{0};
    std::atomic<int> differ{0};
    constexpr std::size_t kThreads = 3;
    std::vector<std::thread> threads;
    threads.reserve(kThreads);
    for (std::size_t t = 0; t < kThreads; ++t) {
      threads.emplace_back([&] {
        Registers registers(program.code.size(), program.code.size());
        KernelFrame frame;
        frame.code = program.code.data();
        frame.length = program.code.size();
        frame.lanes = 13;
        frame.cell_inputs = cell_inputs.data();
        frame.byte_inputs = byte_inputs.data();
        frame.tables = program.tables.data();
        frame.sets = registers.work.sets();
        frame.numbers = registers.work.numbers();
        // Until it has been compiled, and then some more.
        int here = 0;
        for (int k = 0; k < 1'000'000 && here < 100; ++k) {
          if (native->run(frame)) {
            ++here;
          } else {
            std::this_thread::yield();
          }
        }
        ran += here;
        Registers expected(program.code.size(), program.code.size());
        frame.sets = expected.work.sets();
        frame.numbers = expected.work.numbers();
        choose_kernel(narrow)(frame);
        for (std::size_t r = 0; r < program.outputs.size(); ++r) {
          if (!program.is_number[r]) continue;
          const std::size_t at = program.outputs[r] * kLanes;
          differ += std::memcmp(expected.work.numbers() + at, registers.work.numbers() + at, 13 * 8) != 0 ? 1 : 0;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(ran.load(), 100 * static_cast<int>(kThreads));
    EXPECT_EQ(differ.load(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, Native, testing::Bool(),
                         [](const auto& is_narrow) { return is_narrow.param ? "Narrow" : "Wide"; });

}  // namespace
}  // namespace plenum::native_test
