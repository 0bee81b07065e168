// SPDX-License-Identifier: Apache-2.0
// What solving a game in one pass finds, as it is kept in a checkpoint: tier by tier the bytes and the counts.
// Private to solver/one_pass*.cpp.
//
// A piece belongs to an index (to the sets it lists) and to what was asked for, as its header says; another's is not taken.
//
// Thread-safety: collective, from the main thread. The files are the same for any number of ranks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/cluster/ranked_piece.h"
#include "solver/dense/code_tally.h"
#include "solver/one_pass/one_pass.h"
#include "solver/one_pass/one_pass_window.h"
#include "tables/big_bytes.h"

namespace plenum {

// What the passes fill in: of several ranks each its own boards.
struct OnePassBytes {
  std::vector<BigBytes> codes;  // [layer][board]; empty: ended by passes, not kept
  std::vector<BigBytes> plies;
  std::vector<BigBytes> reached;  // [layer]; `bits` a board
  BoardIndex bits = 1;            // reached as it stands; exchanged
};

// What one tier comes to.
struct OnePassCounts {
  CodeTally reached;
  CodeTally whole;
  std::uint64_t positions = 0;
  std::uint64_t successors = 0;
  std::uint64_t worthless = 0;  // not 0: some reachable position has no value
  void add(const OnePassCounts& other);
};

// The sets of an index as bytes, and back; nullopt if they are not those of an index.
std::vector<std::uint8_t> bytes_of_sets(const DenseIndex& index);
std::optional<std::vector<CellSet>> read_sets(const TableReader& from, int cells);

class OnePassPieces {
 public:
  OnePassPieces(const OnePassOptions& options, const DenseIndex& index);

  // Boards begin to end are those of the tier. Loading adds to what is reached already, as all that is kept is.
  bool load_reached(int stones, BoardIndex begin, BoardIndex end, OnePassBytes& bytes, OnePassCounts& counts) const;
  absl::Status save_reached(int stones, BoardIndex begin, BoardIndex end, const OnePassBytes& bytes,
                            const OnePassCounts& counts) const;
  bool load_values(int stones, BoardIndex begin, BoardIndex end, OnePassBytes& bytes, OnePassCounts& counts) const;
  absl::Status save_values(int stones, BoardIndex begin, BoardIndex end, const OnePassBytes& bytes,
                           const OnePassCounts& counts) const;

  // The sets of the index that an earlier solve worked with.
  static std::optional<std::vector<CellSet>> load_sets(const OnePassOptions& options, int cells);
  absl::Status save_sets() const;

 private:
  std::shared_ptr<TableReader> load(const std::string& name, OnePassCounts& counts) const;
  bool or_own(const TableReader& piece, const char* name, std::uint64_t from, OnePassBytes& bytes) const;
  absl::Status save(const std::string& name, const OnePassCounts& counts, std::vector<RankedLayer> layers) const;
  std::string header(const std::string& name) const;

  const Checkpoint* checkpoint_;
  const DenseIndex& index_;
  Ranks& ranks_;
  Stripes boards_;
  std::string identity_;
};

}  // namespace plenum
