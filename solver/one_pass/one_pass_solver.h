// SPDX-License-Identifier: Apache-2.0
// The inside of solving a game in one pass: what a thread works with, and the two passes over all boards.
// Private to solver/one_pass*.cpp.
#pragma once

#include <array>
#include <mutex>
#include <optional>

#include "solver/one_pass/one_pass.h"
#include "solver/one_pass/one_pass_kept.h"
#include "solver/one_pass/one_pass_window.h"
#include "solver/support/object_pool.h"
#include "tables/big_bytes.h"
#include "tables/index/dense_batch.h"

namespace plenum {

struct OnePassWork {
  std::shared_ptr<const Variant> variant;
  Position start;
  std::shared_ptr<const DenseIndex> index;
  BlocksAhead ahead;  // of several ranks what samples read of others
  OnePassBytes bytes;
  std::vector<std::uint8_t> sets;  // of the index, as they are kept
  Statistics statistics;
  std::optional<Statistics> whole_board;
  OnePassCosts costs;
  std::uint8_t reached(DenseIndex::Place place) const;
};

// Whether a position with so many passes made has ended, whatever else.
inline bool ended_by_passes(const RuleSet& rules, int passes) {
  return rules.passes_live && rules.passes_end && passes == rules.passes_cap;
}

// 255 where the margin has no code.
inline ValueByte end_code(std::int64_t units) {
  return units > kMostUnits || units < -kMostUnits ? kNoValue : code_of_margin(units);
}

class OnePassSolver {
 public:
  OnePassSolver(OnePassWork& work, const OnePassOptions& options);
  // What is reachable; then every code, and the statistics. What is returned: sets met that the index does not list; if there are any,
  // nothing found is of use.
  absl::StatusOr<std::vector<CellSet>> find_reached();
  absl::StatusOr<std::vector<CellSet>> find_values();

 private:
  struct Worker {
    explicit Worker(const OnePassWork& work);
    Rules::Scratch scratch;
    PositionBatch parents;  // kLanes long
    PlaceFinder places;
    std::uint32_t layer = ~std::uint32_t{0};  // that the parents' state is of
    std::vector<BoardIndex> board;            // by parent
    std::vector<std::uint32_t> sets;          // of its block
    std::vector<std::uint8_t> bits;           // by which it is reached
    std::vector<std::uint8_t> counted;
    std::vector<std::uint32_t> best;  // the least 256 * code + what prefers the right remoteness
    std::vector<ValueByte> worst;
    std::vector<std::uint32_t> moves;
    std::vector<std::uint8_t> ended;
    std::vector<std::int64_t> margin;
    std::vector<const ValueByte*> source;  // by successor
    std::vector<const std::uint8_t*> source_plies;
    const Block* images_of = nullptr;
    std::vector<BoardImage> images;  // of that block, by the symmetries of its set
    // Added to what all have found when a chunk is done.
    OnePassCounts counts;
    bool fell = false;        // some move led to no later tier
    std::uint64_t round = 0;  // since which `places` has told what it met
  };
  // A layer of a tier.
  struct Part {
    std::uint32_t layer = 0;
    int stones = 0;
  };

  // What a pass does with a tier, the boards from `begin` to `end`: takes it from the checkpoint, or finds it and puts it there.
  struct TierWork {
    std::function<bool(int stones, BoardIndex begin, BoardIndex end)> load;
    std::function<absl::Status(int stones)> find;
    std::function<absl::Status(int stones, BoardIndex begin, BoardIndex end)> save;
  };
  using Chunk = std::function<absl::Status(BoardIndex from, BoardIndex to, Worker& worker)>;
  // Layers with the same number of passes, which do not read each other where the stones are the same.
  using Level = std::span<const std::uint32_t>;
  // Of several ranks (one_pass_ranks.cpp).
  std::vector<BigBytes*> reached_layers(std::optional<int> passes);
  std::vector<BigBytes*> value_layers();
  void open_windows(Share round, Level level);
  absl::StatusOr<bool> misread(int stones);
  void share_ahead();
  void deliver(int stones, int until, std::optional<int> passes);
  void add_up_tier();

  std::vector<CellSet> take_missing();
  bool report(const char* what, int stones) const;
  absl::Status agree(const absl::Status& own, const char* what, int stones) const;
  absl::Status for_tier(const char* what, int stones, const TierWork& work, OnePassCounts& all);
  absl::Status for_chunks(const char* what, int stones, Share boards, const Chunk& chunk);
  void collect(Worker& w);
  void begin(std::uint32_t layer, Worker& w) const;
  void take(std::size_t slot, const BoardCursor& cursor, Worker& w) const;
  void keep(std::size_t from, std::size_t to, Worker& w) const;
  const std::vector<BoardImage>& images(const Block& block, Worker& w) const;
  bool counted(const BoardCursor& cursor, std::uint32_t layer, Worker& w) const;
  void tally(std::size_t parent, ValueByte code, bool ended, Worker& w) const;

  absl::Status value_tier(const char* what, int stones);
  absl::Status value_round(const char* what, int stones, Share round, Level level);
  absl::Status value_chunk(Part part, BoardIndex from, BoardIndex to, Worker& w);
  void evaluate(Part part, Worker& w);
  void evaluate_one_by_one(Part part, Worker& w);
  void find_sources(Part part, Worker& w);
  template <bool kPlies>
  void gather(Worker& w) const;
  void enter(Part part, std::size_t parent, ValueByte code, std::uint8_t plies, bool ended, Worker& w);

  absl::Status reach_tier(const char* what, int stones);
  absl::Status reach_chunk(Part part, BoardIndex from, BoardIndex to, Worker& w);
  absl::Status follow(Worker& w);
  absl::Status too_large(std::int64_t units) const;
  void mark(DenseIndex::Place place, unsigned bits);
  void spread(Part part);

  OnePassWork& work_;
  const OnePassOptions& options_;
  Ranks& ranks_;
  const Rules& rules_;
  const DenseIndex& index_;
  const Stripes boards_;
  bool exchanges_;
  bool reaching_;                      // it is known which positions are reachable
  std::vector<std::uint32_t> layers_;  // fewest passes first
  std::vector<std::uint8_t> passes_;   // by layer
  std::vector<bool> second_moves_;     // by layer
  std::vector<Level> levels_;          // of `layers_`
  std::array<ValueByte, 256> itself_;
  OnePassPieces pieces_;
  ObjectPool<Worker> workers_;
  std::uint64_t done_ = 0;
  BlocksAhead ahead_;          // what boards read of others, as far as has been seen
  BlockWindow values_there_;   // of others' values
  BlockWindow reached_there_;  // of what is reached there
  std::uint64_t round_ = 0;    // calls of for_chunks()
  std::mutex mutex_;           // for what follows
  OnePassCounts tier_;         // of the tier at hand
  std::vector<CellSet> missing_;
  bool fell_ = false;
  std::vector<std::uint8_t> met_;  // by block: whether moves led there; of several ranks
};

}  // namespace plenum
