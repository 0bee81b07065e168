// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/code_rows.h"

#include <array>
#include <bit>
#include <cstring>

#include "variants/program/kernels.h"

namespace plenum {
namespace {

static_assert(std::endian::native == std::endian::little);

bool is_set(const std::uint64_t* bits, std::size_t i) { return (bits[i / 64] >> (i % 64) & 1) != 0; }

void lower_one(ValueByte x, ValueByte& least, ValueByte& all) {
  least = least < x ? least : x;
  all &= x;
}

// By eight bits: 255 in the bytes whose bit is clear.
constexpr std::array<std::uint64_t, 256> kClearBytes = [] {
  std::array<std::uint64_t, 256> out = {};
  for (std::size_t bits = 0; bits < 256; ++bits) {
    for (std::size_t i = 0; i < 8; ++i) out[bits] |= (bits >> i & 1) != 0 ? 0 : std::uint64_t{255} << (8 * i);
  }
  return out;
}();

}  // namespace

void lower_row(const ValueByte* row, const std::uint64_t* legal, std::size_t n, ValueByte* least, ValueByte* all) {
#if defined(__x86_64__)
  if (has_v3()) {
    code_rows_v3::lower(row, legal, n, least, all);
    return;
  }
#endif
  std::array<ValueByte, 64> illegal;
  for (std::size_t begin = 0; begin < n; begin += 64) {
    const std::uint64_t bits = legal[begin / 64];
    if (bits == 0) continue;
    for (std::size_t byte = 0; byte < 8; ++byte)
      std::memcpy(illegal.data() + 8 * byte, &kClearBytes[bits >> (8 * byte) & 255], 8);
    for (std::size_t i = 0; i < 64; ++i)
      lower_one(static_cast<ValueByte>(row[begin + i] | illegal[i]), least[begin + i], all[begin + i]);
  }
}

void lower_reversed(const ValueByte* row, const std::uint64_t* legal, std::size_t n, ValueByte* least, ValueByte* all) {
#if defined(__x86_64__)
  if (n >= 64 && has_v3()) {
    code_rows_v3::lower_reversed(row, legal, n, least, all);
    return;
  }
#endif
  for (std::size_t i = 0; i < n; ++i) {
    if (is_set(legal, i)) lower_one(row[n - 1 - i], least[i], all[i]);
  }
}

void lower_plies(const ValueByte* codes, const std::uint8_t* plies, const std::uint64_t* legal, std::size_t n,
                 const ValueByte* want, std::uint8_t* least, std::uint8_t* most) {
#if defined(__x86_64__)
  if (has_v3()) {
    code_rows_v3::lower_plies(codes, plies, legal, n, want, least, most);
    return;
  }
#endif
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_set(legal, i) || codes[i] != want[i]) continue;
    least[i] = least[i] < plies[i] ? least[i] : plies[i];
    most[i] = most[i] > plies[i] ? most[i] : plies[i];
  }
}

void close_row(const ValueByte* least, const ValueByte* all, std::size_t n, ValueByte* out) {
#if defined(__x86_64__)
  if (has_v3()) {
    code_rows_v3::close(least, all, n, out);
    return;
  }
#endif
  for (std::size_t i = 0; i < n; ++i) out[i] = code_from_successors(least[i], all[i]);
}

bool mask_row(const std::uint8_t* row, const std::uint64_t* legal, std::size_t n, std::uint8_t* out) {
#if defined(__x86_64__)
  if (has_v3()) return code_rows_v3::mask(row, legal, n, out);
#endif
  std::uint8_t any = 0;
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = is_set(legal, i) ? row[i] : std::uint8_t{0};
    any |= out[i];
  }
  return any != 0;
}

void add_bits(const std::uint64_t* bits, std::size_t n, std::uint8_t* count) {
#if defined(__x86_64__)
  if (has_v3()) {
    code_rows_v3::add_bits(bits, n, count);
    return;
  }
#endif
  for (std::size_t i = 0; i < n; ++i) count[i] = static_cast<std::uint8_t>(count[i] + (is_set(bits, i) ? 1 : 0));
}

}  // namespace plenum
