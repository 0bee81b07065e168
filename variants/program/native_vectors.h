// SPDX-License-Identifier: Apache-2.0
// What machine code does with vectors of words, in terms of AVX2: constants, comparisons, shifts, widening, products. Private to
// native_writer.cpp.
//
// Sets are vectors of 32-bit or 64-bit words; numbers, always 64 bits wide, take two vectors where words are narrow: of the lower
// lanes and of the upper ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <asmjit/x86.h>

namespace plenum {

class NativeVectors {
 public:
  static constexpr std::size_t kBytes = 32;

  NativeVectors(asmjit::CodeHolder* holder, bool narrow) : cc_(holder), narrow_(narrow), parts_(narrow ? 2 : 1) {}

 protected:
  // Constants in every lane.
  asmjit::x86::Mem words(std::uint64_t value) {
    return integers(static_cast<std::int64_t>(narrow_ ? (value & 0xFFFFFFFFU) * 0x100000001U : value));
  }
  asmjit::x86::Mem integers(std::int64_t value) {
    std::array<std::int64_t, 4> all;
    all.fill(value);
    return cc_.newConst(asmjit::ConstPoolScope::kLocal, all.data(), kBytes);
  }
  asmjit::x86::Mem bytes(const std::array<std::uint8_t, 16>& pattern) {
    std::array<std::uint8_t, kBytes> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = pattern[i % pattern.size()];
    return cc_.newConst(asmjit::ConstPoolScope::kLocal, all.data(), kBytes);
  }
  asmjit::x86::Ymm zero() {
    const asmjit::x86::Ymm out = cc_.newYmm();
    cc_.vpxor(out, out, out);
    return out;
  }
  asmjit::x86::Ymm loaded(const asmjit::x86::Mem& constant) {
    const asmjit::x86::Ymm out = cc_.newYmm();
    cc_.vmovdqu(out, constant);
    return out;
  }

  // All ones in the words that are 0.
  asmjit::x86::Ymm where_empty(const asmjit::x86::Ymm& a) {
    const asmjit::x86::Ymm out = zero();
    narrow_ ? cc_.vpcmpeqd(out, out, a) : cc_.vpcmpeqq(out, out, a);
    return out;
  }

  void shift(const asmjit::x86::Ymm& d, const asmjit::x86::Ymm& a, int to_lower) {
    const auto by = static_cast<std::uint32_t>(std::abs(to_lower));
    if (narrow_) {
      to_lower >= 0 ? cc_.vpsrld(d, a, by) : cc_.vpslld(d, a, by);
    } else {
      to_lower >= 0 ? cc_.vpsrlq(d, a, by) : cc_.vpsllq(d, a, by);
    }
  }

  // 64-bit words to words of sets: the lower halves of both parts, in the order of lanes.
  asmjit::x86::Ymm joined(const std::array<asmjit::x86::Ymm, 2>& parts) {
    if (!narrow_) return parts[0];
    const asmjit::x86::Ymm out = cc_.newYmm();
    cc_.vshufps(out, parts[0], parts[1], 0x88);
    cc_.vpermq(out, out, 0xD8);
    return out;
  }

  // The other way round, signs kept.
  std::array<asmjit::x86::Ymm, 2> widened(const asmjit::x86::Ymm& a) {
    if (!narrow_) return {a, a};
    const asmjit::x86::Ymm lower = cc_.newYmm();
    const asmjit::x86::Ymm upper = cc_.newYmm();
    cc_.vpmovsxdq(lower, a.xmm());
    const asmjit::x86::Xmm half = cc_.newXmm();
    cc_.vextracti128(half, a, 1);
    cc_.vpmovsxdq(upper, half);
    return {lower, upper};
  }

  // d = low 64 bits of a * b.
  void multiply(const asmjit::x86::Ymm& d, const asmjit::x86::Ymm& a, const asmjit::x86::Ymm& b) {
    const asmjit::x86::Ymm cross = cc_.newYmm();
    const asmjit::x86::Ymm other = cc_.newYmm();
    cc_.vpsrlq(cross, a, 32);
    cc_.vpmuludq(cross, cross, b);
    cc_.vpsrlq(other, b, 32);
    cc_.vpmuludq(other, other, a);
    cc_.vpaddq(cross, cross, other);
    cc_.vpsllq(cross, cross, 32);
    cc_.vpmuludq(other, a, b);
    cc_.vpaddq(d, cross, other);
  }

  asmjit::x86::Compiler cc_;
  bool narrow_;
  int parts_;  // vectors that a number takes
};

}  // namespace plenum
