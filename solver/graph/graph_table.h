// SPDX-License-Identifier: Apache-2.0
// The values of a graph without its moves: every stored position with what is known of it, found by its key. What a table keeps of a
// game that was solved by storing its positions.
//
//     const GraphTable table = GraphTable::of(game);
//     if (const auto i = table.find(canonical)) table.value(*i, position.mover)
//
// Layers, each with an entry a position, in the order of the keys (as bytes); numbers are little-endian:
//     positions   the packed canonical position (tables/index/packing.h), as many bytes as that takes
//     margins     the mover's margin in units, 4 bytes
//     plies       remoteness, 4 bytes
//     facts       bits of Facts (solver/result/solution.h), and 128 where the game has ended
//     reached     a bit for each symmetry g of the game: whether g p is reachable
//
// Invariants: keys rise strictly. The bytes do not depend on the number of threads.
// Thread-safety: immutable.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solver/graph/analysis.h"
#include "solver/result/result.h"
#include "tables/file/table_file.h"
#include "tables/index/packing.h"

namespace plenum {

inline constexpr std::array<const char*, 5> kGraphLayers = {"positions", "margins", "plies", "facts", "reached"};
inline constexpr std::uint8_t kGraphEndedBit = 128;  // of facts

// What layers have of a position.
struct GraphRecord {
  std::span<const std::uint8_t> key;
  std::int32_t margin = 0;
  std::uint32_t plies = 0;
  std::uint8_t facts = 0;
  std::span<const std::uint8_t> reached;
};

class GraphTable {
 public:
  // To be filled in by set(): of all positions of a game, or of those whose keys lie next to one another.
  GraphTable(const Variant& variant, std::size_t positions);
  // Requires that keys rise, and that their spans are as long as the layers' entries.
  void set(std::size_t i, const GraphRecord& record);
  // kOutOfRange for margins that do not fit their bytes.
  static absl::StatusOr<GraphTable> of(const SolvedGame& game);
  // kDataLoss where the layers are not those of such a table; kResourceExhausted beyond so much memory for the process as a whole.
  static absl::StatusOr<GraphTable> read(const Variant& variant, const TableReader& table, std::uint64_t memory_bytes);
  absl::Status write(const LayerSink& sink) const;
  // Of each of kGraphLayers: its bytes, and how many of them a position has.
  std::array<std::span<const std::uint8_t>, kGraphLayers.size()> layers() const;
  std::uint64_t layer_bytes(std::size_t layer) const {
    return std::array<std::uint64_t, kGraphLayers.size()>{key_bytes_, 4, 4, 1, group_bytes_}[layer];
  }

  std::size_t size() const { return facts_.size(); }
  // Of a position in canonical form.
  std::optional<std::size_t> find(const Position& canonical) const;
  // Canonical; of a forged table perhaps no position of the game.
  Position position(std::size_t i) const;
  MoverValue margin(std::size_t i) const { return {{margins_[i]}}; }
  Ply plies(std::size_t i) const { return {plies_[i]}; }
  Facts facts(std::size_t i) const { return static_cast<Facts>(facts_[i] & ~kEndedBit); }
  bool ended(std::size_t i) const { return (facts_[i] & kEndedBit) != 0; }
  bool reached(std::size_t i, GroupElement g) const { return (reached_[i * group_bytes_ + g / 8] >> (g % 8) & 1) != 0; }
  PositionValue value(std::size_t i, Player mover) const {
    return position_value(margin(i), plies(i), facts(i), ended(i), mover);
  }
  std::uint64_t bytes() const;

 private:
  static constexpr std::uint8_t kEndedBit = kGraphEndedBit;
  static constexpr std::size_t kWords = 8;  // the largest key

  Key<kWords> key_of(const Position& canonical) const { return packing_.pack<kWords>(canonical); }
  const std::uint8_t* key(std::size_t i) const { return keys_.data() + i * key_bytes_; }

  Packing packing_;
  std::size_t key_bytes_;
  std::size_t group_bytes_;
  std::vector<std::uint8_t> keys_;
  std::vector<std::int32_t> margins_;
  std::vector<std::uint32_t> plies_;
  std::vector<std::uint8_t> facts_;
  std::vector<std::uint8_t> reached_;
};

}  // namespace plenum
