// SPDX-License-Identifier: Apache-2.0
// The inside of solving a game in one pass: what a thread works with, and the two passes over all boards.
// Private to solver/one_pass*.cpp.
#pragma once

#include <array>
#include <mutex>

#include "solver/one_pass.h"
#include "solver/pool.h"
#include "tables/dense_batch.h"

namespace plenum {

// Counts of unreduced positions, by code of the player to move, for first and for second to move.
struct OnePassTally {
  using ByCode = std::array<std::array<std::uint64_t, 2>, 256>;
  ByCode going_on = {};
  ByCode ended = {};
  std::uint64_t canonical = 0;
  std::uint64_t moves = 0;
  std::uint64_t most_moves = 0;
  void add(const OnePassTally& other);
  // Positions of one kind, so many of them with either player to move.
  void add(std::array<std::uint64_t, 2> positions, DenseCode code, bool over, std::uint32_t moves_of_each,
           bool counted);
  Statistics statistics() const;
};

// Whether a position with so many passes made has ended, whatever else.
inline bool ended_by_passes(const RuleSet& rules, int passes) {
  return rules.passes_live && rules.passes_end && passes == rules.passes_cap;
}

// 255 where the margin has no code.
inline DenseCode end_code(std::int64_t units) {
  return units > kMostUnits || units < -kMostUnits ? kNoValue : code_of_margin(units);
}

class OnePassSolver {
 public:
  OnePassSolver(OnePassGame& game, const OnePassOptions& options);
  // What can arise; then every code, and the statistics. What is returned: sets met that the index does not list; if there are any,
  // nothing found is of use.
  absl::StatusOr<std::vector<CellSet>> find_reached();
  absl::StatusOr<std::vector<CellSet>> find_values();

 private:
  struct Worker {
    explicit Worker(const OnePassGame& game);
    Rules::Scratch scratch;
    PositionBatch parents;  // kLanes long
    PlaceFinder places;
    std::uint32_t layer = ~std::uint32_t{0};  // that the parents' state is of
    std::vector<BoardIndex> board;            // by parent
    std::vector<std::uint32_t> sets;          // of its block
    std::vector<std::uint8_t> bits;           // by which it is reached
    std::vector<std::uint8_t> counted;
    std::vector<std::uint32_t> best;  // the least 256 * code + what prefers the right remoteness
    std::vector<DenseCode> worst;
    std::vector<std::uint32_t> moves;
    std::vector<std::uint8_t> ended;
    std::vector<std::int64_t> margin;
    std::vector<const DenseCode*> source;  // by successor
    std::vector<const std::uint8_t*> source_plies;
    const Block* images_of = nullptr;
    std::vector<BoardImage> images;  // of that block, by the symmetries of its set
    // Added to what all have found when a chunk is done.
    OnePassTally reached;
    OnePassTally whole;
    std::uint64_t positions = 0;
    std::uint64_t successors = 0;
    bool fell = false;       // some move led to no later tier
    bool worthless = false;  // some position that can arise has no value
  };
  // A layer of a tier.
  struct Part {
    std::uint32_t layer = 0;
    int stones = 0;
  };

  using Chunk = std::function<absl::Status(BoardIndex from, BoardIndex to, Worker& worker)>;
  std::vector<CellSet> take_missing();
  absl::Status for_chunks(OnePassProgress::Stage stage, int stones, const Chunk& chunk);
  void collect(Worker& w);
  void begin(std::uint32_t layer, Worker& w) const;
  void take(std::size_t slot, const BoardCursor& cursor, Worker& w) const;
  void keep(std::size_t from, std::size_t to, Worker& w) const;
  void score_stuck(Worker& w) const;
  const std::vector<BoardImage>& images(const Block& block, Worker& w) const;
  bool counted(const BoardCursor& cursor, std::uint32_t layer, Worker& w) const;
  void tally(std::size_t parent, DenseCode code, bool ended, Worker& w) const;

  absl::Status value_chunk(Part part, BoardIndex from, BoardIndex to, Worker& w);
  void evaluate(Part part, Worker& w);
  void evaluate_one_by_one(Part part, Worker& w);
  void find_sources(Part part, Worker& w);
  template <bool kPlies>
  void gather(Worker& w) const;
  void enter(Part part, std::size_t parent, DenseCode code, std::uint8_t plies, bool ended, Worker& w);

  absl::Status reach_chunk(Part part, BoardIndex from, BoardIndex to, Worker& w);
  absl::Status follow(Worker& w);
  absl::Status too_large(std::int64_t units) const;
  void mark(DenseIndex::Place place, std::uint8_t bits);
  void spread(Part part);

  OnePassGame& game_;
  const OnePassOptions& options_;
  const Rules& rules_;
  const DenseIndex& index_;
  bool exchanges_;
  bool reaching_;                      // it is known which positions can arise
  std::vector<std::uint32_t> layers_;  // fewest passes first
  std::vector<std::uint8_t> passes_;   // by layer
  std::vector<std::size_t> mover_;     // by layer: 1 where second is to move
  std::array<DenseCode, 256> itself_;
  Pool<Worker> workers_;
  std::uint64_t done_ = 0;
  std::mutex mutex_;  // for what follows
  OnePassTally reached_;
  OnePassTally whole_;
  std::vector<CellSet> missing_;
  std::uint64_t positions_ = 0;
  std::uint64_t successors_ = 0;
  bool fell_ = false;
  bool worthless_ = false;
};

}  // namespace plenum
