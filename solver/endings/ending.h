// SPDX-License-Identifier: Apache-2.0
// Endings: every legal position of a material, solved with those that captures and promotions lead to.
//
//     absl::StatusOr<std::shared_ptr<const EndingTables>> tables = solve_ending(variant, {});   // of --set material=KRvK
//     (*tables)->value(position)
//
// A material is solved after all materials that its captures and promotions lead to; these are shared. Inside it slices (the
// places of the pawns, ending_index.h) are solved from the most advanced down (slice_solver.h): what a slice's moves lead to outside
// is known then.
//
// A right to capture en passant is not numbered: the position it stands in comes after a move of a pawn, so all its moves lead to
// what is solved, and its value is worked out from these where it is asked for.
//
// Invariants
//   - no byte depends on the number of threads;
//   - positions that are not legal, and images of others (EndingIndex::canonical), have no value.
//
// Thread-safety: solving uses all cores; solved tables are immutable.
// Memory: two bytes a position; while a slice is solved, some three bytes a placement of it (slice_rows.h).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/result/summary.h"
#include "solver/support/stop.h"
#include "tables/file/table_file.h"
#include "tables/index/ending_index.h"
#include "variants/pieces/piece_board.h"

namespace plenum {

inline constexpr std::uint32_t kMostEndingPlies = 255;  // a byte each

struct EndingProgress {
  std::string material;
  std::uint64_t positions = 0;  // solved, of all materials
  std::uint64_t of = 0;
};

// What a table says of a position: a byte with the mover's value in two bits and facts above, and the plies to the end where that is not 0.
struct KnownEnding {
  static constexpr std::uint8_t kLevel = 0;
  static constexpr std::uint8_t kWon = 1;
  static constexpr std::uint8_t kLost = 2;
  static constexpr std::uint8_t kNoValue = 3;  // not legal, or an image of another position
  static constexpr int kFactsShift = 2;

  std::uint8_t code = kNoValue;
  std::uint8_t plies = 0;

  static KnownEnding of(MarginRank value, Facts facts, std::uint8_t plies) {
    const std::uint8_t bits = value > 0 ? kWon : value < 0 ? kLost : kLevel;
    return {static_cast<std::uint8_t>(bits | facts << kFactsShift), plies};
  }
  bool has_value() const { return (code & 3U) != kNoValue; }
  MarginRank value() const { return (code & 3U) == kWon ? 1 : (code & 3U) == kLost ? -1 : 0; }
  Facts facts() const { return static_cast<Facts>(code >> kFactsShift); }
  friend bool operator==(const KnownEnding&, const KnownEnding&) = default;
};

// The bytes of one material, in the order of its EndingIndex.
struct EndingLayers {
  std::vector<std::uint8_t> codes;
  std::vector<std::uint8_t> plies;
  KnownEnding at(std::uint64_t number) const { return {codes[number], plies[number]}; }
};

// Those of a table; kDataLoss if its layers are not those of so many positions.
absl::StatusOr<EndingLayers> read_layers(const TableReader& table, std::uint64_t positions);

struct EndingOptions {
  // Materials solved before: nothing if there is none, or not of so many positions. Those solved now are offered to `keep`. If there are
  // both, and memory is too short for all tables at once, those that are not needed are given up, to be found again.
  std::function<std::optional<EndingLayers>(const std::string& material, std::uint64_t positions)> find = {};
  std::function<void(const std::string& material, const EndingLayers& layers)> keep = {};
  std::uint64_t memory_bytes = ~std::uint64_t{0};  // for the process as a whole
  // False: stop, and soon. Called by any of the threads at work, one at a time.
  std::function<bool(const EndingProgress&)> progress = {};
};

class EndingTables {
 public:
  // kNotFound: its material was not solved, or it is not legal. kUnimplemented: its table was given up for want of memory, which that of
  // the material asked for and of what one move leads to never is.
  absl::StatusOr<PositionValue> value(const Position& position) const;

  const Variant& variant() const { return *variant_; }
  const Material& material() const { return material_; }    // what was asked for
  EndingStatistics statistics(Stop* stop = nullptr) const;  // of that

  // All its legal positions, one for each class of images, in parts that may be looked at at the same time.
  struct Seen {
    Position position;
    PositionValue value;
    std::uint32_t images = 1;  // positions it stands for, itself included
  };
  std::size_t parts() const;
  void each(std::size_t part, const std::function<void(const Seen&)>& see) const;
  // The same without the positions, in the same order.
  void each_value(std::size_t part, const std::function<void(const PositionValue&, std::uint32_t images)>& see) const;
  // The bytes themselves: of the material asked for, by number; of any position of all materials.
  const EndingIndex& index() const { return find(material_).table->index; }
  KnownEnding at(std::uint64_t number) const { return find(material_).table->layers.at(number); }
  absl::StatusOr<KnownEnding> known(const Position& position) const;
  // Its number, if it is of the material asked for and no pawn may take in passing.
  std::optional<std::uint64_t> number(const Position& position) const;

  using Size = EndingSummary::Size;
  std::vector<Size> sizes() const;
  std::uint64_t bytes() const;
  std::uint64_t edges() const { return edges_; }  // moves looked at
  std::size_t found() const { return found_; }    // materials solved before
  // Stops counting when asked to; what it says of counts is not whole then.
  Summary summary(Stop* stop = nullptr) const;

 private:
  friend class EndingSolver;
  friend class OutwardMoves;
  struct Table {
    Table(const PieceSet& set, const Material& material) : index(set, material) {}
    EndingIndex index;
    EndingLayers layers;           // none: not solved yet, or given up for want of memory
    std::uint64_t with_value = 0;  // positions that have one
  };
  struct Found {
    const Table* table = nullptr;
    bool turned = false;
    std::uint64_t number(const Position& position) const {
      const EndingIndex::Place place = table->index.place(position, turned);
      return table->index.base(place.slice) + place.local;
    }
  };
  Found find(const Material& material) const;
  // Whether it has a right to capture en passant.
  bool may_pass(const Position& position) const {
    return set_->passed_plane >= 0 && position.planes[static_cast<std::size_t>(set_->passed_plane)] != 0;
  }
  // Of such a position: from its moves.
  absl::StatusOr<KnownEnding> worked_out(const Position& position) const;
  PositionValue value_of(KnownEnding known, const Position& position) const;
  // The same; whether the mover has no move is asked where what is known leaves that open.
  template <typename StuckFn>
  static PositionValue value_of(KnownEnding known, Player mover, const StuckFn& stuck) {
    const bool level = known.value() == 0;
    const bool ended = level ? known.facts() == facts_of_end(0) && stuck() : known.value() < 0 && known.plies == 0;
    return position_value({Margin{known.value()}}, {known.plies}, known.facts(), ended, mover);
  }
  Position exchanged_of(const Position& position) const;
  // A legal position of the table of the material asked for; of all of a part, one for each class of images.
  struct Placed {
    std::uint64_t number = 0;
    KnownEnding known;
    std::array<Cell, kMaxCells> men;  // EndingIndex::men
    bool second_moves = false;
    std::uint32_t images = 1;
    bool twice = false;  // it stands for the position with the players exchanged, too
  };
  template <typename See>
  void each_placed(const Found& found, std::size_t part, const See& see) const;
  MutualZugzwangs zugzwang(const Placed& placed, const Found& found) const;
  bool crowded(const Placed& placed) const;

  std::shared_ptr<const Variant> variant_;
  const PieceSet* set_ = nullptr;
  Material material_;
  bool exchangeable_ = false;  // a material stands for the one with the players exchanged
  std::map<Material, std::unique_ptr<Table>> tables_;
  std::uint64_t edges_ = 0;
  std::size_t found_ = 0;
};

// Whether a move leads to a position of the same material with the same pawns at the same places.
bool stays_in_slice(const PieceSet& set, const PieceMove& move);
// The material that a variant names: kInvalidArgument if it names none.
absl::StatusOr<Material> material_of(const Variant& variant);
// Whether the board turned round and the players exchanged leave the game as it is; a material then stands for the exchanged one.
bool players_exchangeable(const PieceSet& set);
// All materials that it leads to by captures and promotions, it first.
std::vector<Material> materials_from(const PieceSet& set, const Material& material, bool exchangeable);
// Those that it leads to by one move; perhaps some more.
std::vector<Material> materials_after(const PieceSet& set, const Material& material, bool exchangeable);
absl::StatusOr<std::shared_ptr<const EndingTables>> solve_ending(const Variant& variant, const EndingOptions& options);

}  // namespace plenum
