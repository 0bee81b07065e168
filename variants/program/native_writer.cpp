// SPDX-License-Identifier: Apache-2.0
#include "variants/program/native_writer.h"

#if defined(__x86_64__)

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <vector>

#define ASMJIT_STATIC  // here, and not for the whole target, so that tables and solver can read the same precompiled headers
#include <asmjit/x86.h>

#include "variants/graph/enum_table.h"
#include "variants/program/native_vectors.h"

namespace plenum {
namespace {

namespace x86 = asmjit::x86;

// Leaked on purpose: programs that live as long as the process may still hold code of it.
asmjit::JitRuntime& runtime() {
  static auto* const the = new asmjit::JitRuntime();
  return *the;
}

// Writes the code of one program.
class NativeWriter : private NativeVectors {
 public:
  NativeWriter(asmjit::CodeHolder* holder, const KernelFrame& frame, bool narrow)
      : NativeVectors(holder, narrow), frame_(frame) {}

  // Of instructions that have code; the others are left to the interpreter.
  static bool has_code(Opcode op);

  // False if it could not be written.
  bool write(std::span<const NativeOutput> outputs) {
    asmjit::FuncNode* const function = cc_.addFunc(asmjit::FuncSignatureT<void, const NativeCall*>());
    if (function == nullptr) return false;  // no memory
    function->frame().setAvxEnabled();      // else only half of a vector is kept where registers run out
    function->frame().setAvxCleanup();
    const x86::Gp call = cc_.newIntPtr();
    function->setArg(0, call);
    cells_ = pointer_at(call, offsetof(NativeCall, cells));
    bytes_ = pointer_at(call, offsetof(NativeCall, bytes));
    tables_ = pointer_at(call, offsetof(NativeCall, tables));
    set_results_ = pointer_at(call, offsetof(NativeCall, sets));
    number_results_ = pointer_at(call, offsetof(NativeCall, numbers));
    const x86::Gp lanes = pointer_at(call, offsetof(NativeCall, lanes));
    lane_ = cc_.newIntPtr();
    cc_.xor_(lane_, lane_);
    make_registers();
    const asmjit::Label next = cc_.newLabel();
    cc_.bind(next);
    std::vector<asmjit::Label> labels(frame_.length);
    for (std::size_t i = 0; i < frame_.length; ++i) {
      if (frame_.code[i].op == Opcode::jump) labels[static_cast<std::size_t>(frame_.code[i].imm)] = cc_.newLabel();
    }
    for (std::size_t i = 0; i < frame_.length; ++i) {
      const Instruction& in = frame_.code[i];
      if (labels[i].isValid()) cc_.bind(labels[i]);
      if (in.op == Opcode::jump) {
        cc_.vptest(set(in.a), set(in.a));
        cc_.jnz(labels[static_cast<std::size_t>(in.imm)]);
        before_ = nullptr;
        continue;
      }
      write(in);
      before_ = labels[i].isValid() ? nullptr : &in;
    }
    for (const NativeOutput& output : outputs) {
      const auto at = static_cast<std::int32_t>(output.place * kLanes);
      if (output.is_number) {
        for (int p = 0; p < parts_; ++p)
          cc_.vmovdqu(x86::ptr(number_results_, lane_, 3, at * 8 + p * static_cast<int>(kBytes)),
                      number(output.place, p));
      } else {
        cc_.vmovdqu(narrow_ ? x86::ptr(set_results_, lane_, 2, at * 4) : x86::ptr(set_results_, lane_, 3, at * 8),
                    set(output.place));
      }
    }
    cc_.add(lane_, narrow_ ? 8 : 4);
    cc_.cmp(lane_, lanes);
    cc_.jb(next);
    cc_.ret();
    cc_.endFunc();
    return cc_.finalize() == asmjit::kErrorOk;
  }

 private:
  struct Instructions;
  void write(const Instruction& in);

  void make_registers() {
    std::size_t sets = 0;
    std::size_t numbers = 0;
    for (std::size_t i = 0; i < frame_.length; ++i) {
      const Instruction& in = frame_.code[i];
      if (in.op == Opcode::jump) continue;
      std::size_t& count = writes_number(in.op) ? numbers : sets;
      count = std::max<std::size_t>(count, in.d + 1U);
    }
    for (std::size_t i = 0; i < sets; ++i) sets_.push_back(cc_.newYmm());
    for (std::size_t i = 0; i < numbers; ++i) numbers_.push_back({cc_.newYmm(), cc_.newYmm()});
  }

  const x86::Ymm& set(std::uint16_t r) const { return sets_[r]; }
  const x86::Ymm& number(std::uint16_t r, int part) const { return numbers_[r][static_cast<std::size_t>(part)]; }

  x86::Gp pointer_at(const x86::Gp& base, std::size_t offset) {
    const x86::Gp out = cc_.newIntPtr();
    cc_.mov(out, x86::ptr(base, static_cast<std::int32_t>(offset)));
    return out;
  }
  // Input `imm` of those.
  x86::Gp input(const x86::Gp& inputs, const Instruction& in) {
    return pointer_at(inputs, static_cast<std::size_t>(in.imm) * sizeof(void*));
  }

  // Cells in each word, by a table of the counts of four bits.
  void count(const Instruction& in) {
    const x86::Ymm nibbles = loaded(bytes({15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15}));
    const x86::Ymm counts = loaded(bytes({0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4}));
    const x86::Ymm low = cc_.newYmm();
    const x86::Ymm high = cc_.newYmm();
    cc_.vpand(low, set(in.a), nibbles);
    cc_.vpsrld(high, set(in.a), 4);
    cc_.vpand(high, high, nibbles);
    cc_.vpshufb(low, counts, low);
    cc_.vpshufb(high, counts, high);
    cc_.vpaddb(low, low, high);
    if (!narrow_) {
      cc_.vpsadbw(number(in.d, 0), low, zero());
      return;
    }
    const x86::Ymm ones = loaded(bytes({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
    const x86::Ymm one_words = loaded(bytes({1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0}));
    cc_.vpmaddubsw(low, low, ones);
    cc_.vpmaddwd(low, low, one_words);
    const std::array<x86::Ymm, 2> parts = widened(low);
    for (int p = 0; p < 2; ++p) cc_.vmovdqa(number(in.d, p), parts[static_cast<std::size_t>(p)]);
  }

  void flood_by_shifts(const Instruction& in) {
    const std::uint64_t* const steps = frame_.tables + in.imm;
    const x86::Ymm reached = cc_.newYmm();
    const x86::Ymm before = cc_.newYmm();
    const x86::Ymm moved = cc_.newYmm();
    cc_.vpand(reached, set(in.a), set(in.b));
    const asmjit::Label again = cc_.newLabel();
    cc_.bind(again);
    cc_.vmovdqa(before, reached);
    for (std::int64_t k = 0; k < in.value; ++k) {
      const auto by = static_cast<int>(steps[2 * k]);
      shift(moved, reached, k < static_cast<std::int64_t>(in.mask) ? -by : by);
      cc_.vpand(moved, moved, words(steps[2 * k + 1]));
      cc_.vpand(moved, moved, set(in.a));
      cc_.vpor(reached, reached, moved);
    }
    cc_.vpxor(before, before, reached);
    cc_.vptest(before, before);
    cc_.jnz(again);
    cc_.vmovdqa(set(in.d), reached);
  }

  void look_up(const Instruction& in) {
    for (int p = 0; p < parts_; ++p) {
      const x86::Ymm at = cc_.newYmm();
      const x86::Ymm inside = cc_.newYmm();
      const x86::Ymm below = cc_.newYmm();
      cc_.vpsubq(at, number(in.a, p), loaded(integers(in.value)));
      cc_.vpcmpgtq(inside, loaded(integers(static_cast<std::int64_t>(in.mask))), at);
      cc_.vpcmpgtq(below, zero(), at);
      cc_.vpandn(inside, below, inside);
      const x86::Ymm found = zero();
      cc_.vpgatherqq(found, x86::ptr(tables_, at, 3, in.imm * 8), inside);
      cc_.vmovdqa(number(in.d, p), found);
    }
  }

  // The greater or the lesser of two numbers.
  void choose(const Instruction& in, bool greater) {
    for (int p = 0; p < parts_; ++p) {
      const x86::Ymm first_greater = cc_.newYmm();
      cc_.vpcmpgtq(first_greater, number(in.a, p), number(in.b, p));
      const x86::Ymm& yes = number(greater ? in.a : in.b, p);
      const x86::Ymm& no = number(greater ? in.b : in.a, p);
      cc_.vpblendvb(number(in.d, p), no, yes, first_greater);
    }
  }

  void cover(const Instruction& in) {
    const x86::Ymm out = zero();
    for (std::int64_t k = 0; k < in.value; ++k) {
      const x86::Mem one = words(frame_.tables[in.imm + k]);
      const x86::Ymm held = cc_.newYmm();
      cc_.vpand(held, set(in.a), one);
      narrow_ ? cc_.vpcmpeqd(held, held, one) : cc_.vpcmpeqq(held, held, one);
      cc_.vpand(held, held, one);
      cc_.vpor(out, out, held);
    }
    cc_.vmovdqa(set(in.d), out);
  }

  void complete(const Instruction& in) {
    const x86::Ymm out = zero();
    const x86::Ymm minus_one = cc_.newYmm();
    cc_.vpcmpeqd(minus_one, minus_one, minus_one);
    for (std::int64_t k = 0; k < in.value; ++k) {
      const x86::Ymm missing = cc_.newYmm();
      const x86::Ymm others = cc_.newYmm();  // but the lowest
      cc_.vpandn(missing, set(in.a), words(frame_.tables[in.imm + k]));
      narrow_ ? cc_.vpaddd(others, missing, minus_one) : cc_.vpaddq(others, missing, minus_one);
      cc_.vpand(others, others, missing);
      cc_.vpand(missing, missing, where_empty(others));
      cc_.vpor(out, out, missing);
    }
    cc_.vpand(set(in.d), out, set(in.b));
  }

  // The last first, so that what the earlier ones meet takes its place.
  void pick(const Instruction& in) {
    const x86::Ymm out = zero();
    for (std::int64_t k = in.value - 1; k >= 0; --k) {
      const x86::Ymm held = cc_.newYmm();
      cc_.vpand(held, set(in.a), words(frame_.tables[in.imm + k]));
      cc_.vpand(out, out, where_empty(held));
      cc_.vpor(out, out, held);
    }
    cc_.vmovdqa(set(in.d), out);
  }

  void load_cells(const Instruction& in) {
    const x86::Gp from = input(cells_, in);
    if (!narrow_) {
      cc_.vmovdqu(set(in.d), x86::ptr(from, lane_, 3));
      return;
    }
    const x86::Ymm lower = cc_.newYmm();
    cc_.vmovdqu(lower, x86::ptr(from, lane_, 3));
    cc_.vshufps(lower, lower, x86::ptr(from, lane_, 3, kBytes), 0x88);
    cc_.vpermq(set(in.d), lower, 0xD8);
  }

  void load_flag(const Instruction& in) {
    const x86::Gp from = input(bytes_, in);
    const x86::Ymm read = cc_.newYmm();
    narrow_ ? cc_.vpmovzxbd(read, x86::ptr(from, lane_)) : cc_.vpmovzxbq(read, x86::ptr(from, lane_));
    cc_.vpandn(set(in.d), where_empty(read), words(in.mask));
  }

  void load_number(const Instruction& in) {
    const x86::Gp from = input(bytes_, in);
    for (int p = 0; p < parts_; ++p) {
      const x86::Ymm read = cc_.newYmm();
      cc_.vpmovzxbq(read, x86::ptr(from, lane_, 0, p * 4));
      cc_.vpaddq(number(in.d, p), read, integers(in.value));
    }
  }

  void add_scaled(const Instruction& in) {
    for (int p = 0; p < parts_; ++p) {
      const x86::Ymm& a = number(in.a, p);
      const x86::Ymm& b = number(in.b, p);
      if (in.value == 1) {
        cc_.vpaddq(number(in.d, p), a, b);
      } else if (in.value == -1) {
        cc_.vpsubq(number(in.d, p), a, b);
      } else {
        const x86::Ymm scaled = cc_.newYmm();
        multiply(scaled, b, loaded(integers(in.value)));
        cc_.vpaddq(number(in.d, p), a, scaled);
      }
    }
  }

  // A set where a comparison of numbers holds.
  template <typename Compare>
  void flag_from(const Instruction& in, const Compare& compare) {
    std::array<x86::Ymm, 2> parts;
    for (int p = 0; p < parts_; ++p) {
      parts[static_cast<std::size_t>(p)] = cc_.newYmm();
      compare(parts[static_cast<std::size_t>(p)], p);
    }
    cc_.vpand(set(in.d), joined(parts), words(in.mask));
  }

  // Whether the instruction before this one added the same three: then a ^ b is at hand.
  bool second_half(const Instruction& in) const {
    return before_ != nullptr && before_->op == Opcode::parity3 && before_->a == in.a && before_->b == in.b &&
           before_->c == in.c;
  }

  void add_three(const Instruction& in) {
    either_ = cc_.newYmm();
    cc_.vpxor(either_, set(in.a), set(in.b));
    cc_.vpxor(set(in.d), either_, set(in.c));
  }

  void majority(const Instruction& in) {
    const x86::Ymm both = cc_.newYmm();
    if (!second_half(in)) {
      either_ = cc_.newYmm();
      cc_.vpxor(either_, set(in.a), set(in.b));
    }
    cc_.vpand(either_, either_, set(in.c));
    cc_.vpand(both, set(in.a), set(in.b));
    cc_.vpor(set(in.d), both, either_);
  }

  void shift_masked(const Instruction& in, bool onto) {
    const x86::Ymm moved = cc_.newYmm();
    shift(moved, set(in.a), in.imm);
    cc_.vpand(onto ? moved : set(in.d), moved, words(in.mask));
    if (onto) cc_.vpor(set(in.d), moved, set(in.b));
  }

  void lowest(const Instruction& in) {
    const x86::Ymm negative = zero();
    narrow_ ? cc_.vpsubd(negative, negative, set(in.a)) : cc_.vpsubq(negative, negative, set(in.a));
    cc_.vpand(set(in.d), set(in.a), negative);
  }

  void number_at_least(const Instruction& in) {
    std::array<x86::Ymm, 2> below;
    for (int p = 0; p < parts_; ++p) {
      below[static_cast<std::size_t>(p)] = loaded(integers(in.value));
      cc_.vpcmpgtq(below[static_cast<std::size_t>(p)], below[static_cast<std::size_t>(p)], number(in.a, p));
    }
    cc_.vpandn(set(in.d), joined(below), words(in.mask));
  }

  void number_bit(const Instruction& in) {
    flag_from(in, [&](const x86::Ymm& d, int p) {  // to the sign, and compared with 0
      cc_.vpsllq(d, number(in.a, p), static_cast<std::uint32_t>(63 - in.imm));
      cc_.vpcmpgtq(d, zero(), d);
    });
  }

  void number_equal(const Instruction& in) {
    flag_from(in, [&](const x86::Ymm& d, int p) { cc_.vpcmpeqq(d, number(in.a, p), number(in.b, p)); });
  }

  void select(const Instruction& in) {
    const std::array<x86::Ymm, 2> empty = widened(where_empty(set(in.c)));
    for (int p = 0; p < parts_; ++p)
      cc_.vpblendvb(number(in.d, p), number(in.a, p), number(in.b, p), empty[static_cast<std::size_t>(p)]);
  }

  template <typename Make>
  void each_part(const Make& make) {
    for (int p = 0; p < parts_; ++p) make(p);
  }

  const KernelFrame& frame_;
  x86::Gp cells_;
  x86::Gp bytes_;
  x86::Gp tables_;
  x86::Gp set_results_;
  x86::Gp number_results_;
  x86::Gp lane_;
  std::vector<x86::Ymm> sets_;
  std::vector<std::array<x86::Ymm, 2>> numbers_;
  const Instruction* before_ = nullptr;  // the one just written, if this one always follows it
  x86::Ymm either_;                      // a ^ b of the last parity3
};

// The code of each instruction.
struct NativeWriter::Instructions {
  using W = NativeWriter;
  using In = Instruction;
  static constexpr EnumTable<Opcode, kOpcodes, void (*)(W&, const In&)> kTable{{
      {Opcode::load_cells, [](W& w, const In& in) { w.load_cells(in); }},
      {Opcode::load_flag, [](W& w, const In& in) { w.load_flag(in); }},
      {Opcode::constant, [](W& w, const In& in) { w.cc_.vmovdqu(w.set(in.d), w.words(in.mask)); }},
      {Opcode::complement, [](W& w, const In& in) { w.cc_.vpxor(w.set(in.d), w.set(in.a), w.words(in.mask)); }},
      {Opcode::conjunction, [](W& w, const In& in) { w.cc_.vpand(w.set(in.d), w.set(in.a), w.set(in.b)); }},
      {Opcode::disjunction, [](W& w, const In& in) { w.cc_.vpor(w.set(in.d), w.set(in.a), w.set(in.b)); }},
      {Opcode::difference, [](W& w, const In& in) { w.cc_.vpandn(w.set(in.d), w.set(in.b), w.set(in.a)); }},
      {Opcode::parity2, [](W& w, const In& in) { w.cc_.vpxor(w.set(in.d), w.set(in.a), w.set(in.b)); }},
      {Opcode::parity3, [](W& w, const In& in) { w.add_three(in); }},
      {Opcode::majority, [](W& w, const In& in) { w.majority(in); }},
      {Opcode::mask, [](W& w, const In& in) { w.cc_.vpand(w.set(in.d), w.set(in.a), w.words(in.mask)); }},
      {Opcode::add_mask, [](W& w, const In& in) { w.cc_.vpor(w.set(in.d), w.set(in.a), w.words(in.mask)); }},
      {Opcode::shift, [](W& w, const In& in) { w.shift_masked(in, false); }},
      {Opcode::shift_or, [](W& w, const In& in) { w.shift_masked(in, true); }},
      {Opcode::any,
       [](W& w, const In& in) { w.cc_.vpandn(w.set(in.d), w.where_empty(w.set(in.a)), w.words(in.mask)); }},
      {Opcode::flood_shifts, [](W& w, const In& in) { w.flood_by_shifts(in); }},
      {Opcode::lowest, [](W& w, const In& in) { w.lowest(in); }},
      {Opcode::cover, [](W& w, const In& in) { w.cover(in); }},
      {Opcode::complete, [](W& w, const In& in) { w.complete(in); }},
      {Opcode::pick, [](W& w, const In& in) { w.pick(in); }},
      {Opcode::assign, [](W& w, const In& in) { w.cc_.vmovdqa(w.set(in.d), w.set(in.a)); }},
      {Opcode::number_bit, [](W& w, const In& in) { w.number_bit(in); }},
      {Opcode::number_at_least, [](W& w, const In& in) { w.number_at_least(in); }},
      {Opcode::number_equal, [](W& w, const In& in) { w.number_equal(in); }},
      // numbers
      {Opcode::number_constant,
       [](W& w, const In& in) { w.each_part([&](int p) { w.cc_.vmovdqu(w.number(in.d, p), w.integers(in.value)); }); }},
      {Opcode::number_input, [](W& w, const In& in) { w.load_number(in); }},
      {Opcode::count, [](W& w, const In& in) { w.count(in); }},
      {Opcode::add_scaled, [](W& w, const In& in) { w.add_scaled(in); }},
      {Opcode::product,
       [](W& w, const In& in) {
         w.each_part([&](int p) { w.multiply(w.number(in.d, p), w.number(in.a, p), w.number(in.b, p)); });
       }},
      {Opcode::select, [](W& w, const In& in) { w.select(in); }},
      {Opcode::lookup, [](W& w, const In& in) { w.look_up(in); }},
      {Opcode::greatest, [](W& w, const In& in) { w.choose(in, true); }},
      {Opcode::least, [](W& w, const In& in) { w.choose(in, false); }},
      {Opcode::number_assign,
       [](W& w, const In& in) { w.each_part([&](int p) { w.cc_.vmovdqa(w.number(in.d, p), w.number(in.a, p)); }); }},
  }};
  static_assert(kTable.covers([](Opcode op) { return op != Opcode::flood && op != Opcode::jump; }),
                "an instruction has no code: give it some, or name it here, and programs with it are interpreted");
};

bool NativeWriter::has_code(Opcode op) { return op == Opcode::jump || Instructions::kTable.has(op); }
void NativeWriter::write(const Instruction& in) { Instructions::kTable[in.op](*this, in); }

}  // namespace

NativeCode write_native(const KernelFrame& frame, std::span<const NativeOutput> outputs, bool narrow) {
  // Where memory runs out while it is being set up, asmjit aborts: so see that there is enough for that.
  constexpr std::size_t kRoom = std::size_t{2} << 20;
  char* volatile const room = new (std::nothrow) char[kRoom];  // volatile: not left out
  if (room == nullptr) return nullptr;
  delete[] room;
  asmjit::CodeHolder holder;
  if (holder.init(runtime().environment()) != asmjit::kErrorOk) return nullptr;
  if (!NativeWriter(&holder, frame, narrow).write(outputs)) return nullptr;
  NativeCode code = nullptr;
  return runtime().add(&code, &holder) == asmjit::kErrorOk ? code : nullptr;
}

void release_native(NativeCode code) { runtime().release(code); }
bool has_native_code(Opcode op) { return NativeWriter::has_code(op); }

}  // namespace plenum

#else

namespace plenum {

NativeCode write_native(const KernelFrame&, std::span<const NativeOutput>, bool) { return nullptr; }
void release_native(NativeCode) {}
bool has_native_code(Opcode) { return false; }

}  // namespace plenum

#endif
