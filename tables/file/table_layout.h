// SPDX-License-Identifier: Apache-2.0
// The fixed parts of a table file, shared by its writer and its reader; table_file.h has the whole layout.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include <xxhash.h>

namespace plenum {

// Structures are written as they lie in memory.
static_assert(std::endian::native == std::endian::little, "table files are little-endian");

inline constexpr std::uint32_t kTableFormatVersion = 1;
inline constexpr std::array<char, 8> kTableMagic = {'P', 'L', 'E', 'N', 'U', 'M', 'T', 'B'};
inline constexpr std::array<char, 8> kTableEndMagic = {'P', 'L', 'E', 'N', 'U', 'M', 'T', 'E'};
inline constexpr std::uint64_t kMostHeaderBytes = std::uint64_t{64} << 20;
inline constexpr std::uint32_t kMostNameBytes = 255;
inline constexpr std::uint32_t kLeastBlockBytes = 256;
inline constexpr std::uint32_t kMostBlockBytes = std::uint32_t{1} << 20;
inline constexpr std::size_t kChecksumBytes = 8;

struct TablePrologue {
  std::array<char, 8> magic = kTableMagic;
  std::uint32_t version = kTableFormatVersion;
  std::uint32_t block_bytes = 0;
  std::uint64_t header_bytes = 0;
  std::uint64_t header_checksum = 0;
  std::uint64_t checksum = 0;  // of what stands before it
};
static_assert(sizeof(TablePrologue) == 40 && std::has_unique_object_representations_v<TablePrologue>);

struct TableTrailer {
  std::uint64_t index_begin = 0;
  std::uint64_t footer_begin = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t index_checksum = 0;
  std::uint64_t footer_checksum = 0;
  std::uint64_t checksum = 0;  // of what stands before it
  std::array<char, 8> magic = kTableEndMagic;
};
static_assert(sizeof(TableTrailer) == 56 && std::has_unique_object_representations_v<TableTrailer>);

inline constexpr bool valid_block_bytes(std::uint32_t bytes) {
  return std::has_single_bit(bytes) && bytes >= kLeastBlockBytes && bytes <= kMostBlockBytes;
}

// Errors show it as it is.
inline bool valid_layer_name(std::string_view name) {
  return !name.empty() && name.size() <= kMostNameBytes &&
         std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

inline std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

inline std::uint64_t checksum_of(std::span<const std::uint8_t> bytes, std::uint64_t seed = 0) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

// Of the bytes of a structure that stand before its own checksum.
template <typename Part>
std::uint64_t own_checksum(const Part& part) {
  return checksum_of({reinterpret_cast<const std::uint8_t*>(&part), offsetof(Part, checksum)});
}

}  // namespace plenum
