// SPDX-License-Identifier: Apache-2.0
// One slice of an ending, solved in rows (slice_rows.h) without a stored move.
//
// Values by retrograde analysis, ply by ply: what leads to positions lost in n plies is won; rows that lead to ones won in n plies
// are looked at again, whether all that is left is lost. Facts (solution.h) are two attractors and what can be reached, worked
// out the same way. Play ends only where the player to move cannot move, lost or level for that player: so wins take an odd
// number of plies and losses an even one.
//
// Thread-safety: one call at a time; uses all cores, and no byte depends on their number.
// Memory: kWords words a row, a byte a placement, and for each number of plies that occurs a bit a row.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "solver/endings/outward_moves.h"
#include "solver/endings/slice_rows.h"
#include "solver/support/object_pool.h"
#include "solver/support/stop.h"

namespace plenum {

// A set of rows that many threads may mark.
class MarkedRows {
 public:
  explicit MarkedRows(std::size_t rows) : words_((rows + 63) / 64) {}
  void mark(std::size_t row);
  std::vector<std::size_t> take();  // in order; there are none then

 private:
  std::vector<std::uint64_t> words_;
};

class SliceSolver {
 public:
  static constexpr std::size_t kWords = 13;

  SliceSolver(const SliceRows& rows, ObjectPool<OutwardMoves>& outward, Stop* stop);

  // Stopped, nothing is known. kUnimplemented where a win takes more plies than a byte holds.
  absl::Status solve();
  // Enters what is known of legal positions.
  void write(EndingLayers& layers) const;
  std::uint64_t moves() const { return moves_; }  // looked at

 private:
  using Row = SliceRows::Row;
  using Words = std::vector<std::uint64_t>;  // by row
  // Something that the player to move can force, or the other one can.
  struct Attractor {
    Words lacking;   // legal positions whose mover cannot, as far as is known
    Words other;     // where the other player can
    Words may_join;  // where nothing but moves inside the slice keeps the other player from it
  };
  struct News {
    std::size_t row = 0;
    CellSet positions = 0;
  };

  template <typename Body>
  void for_all_rows(const Body& body) const;
  template <typename Body>
  void for_rows(const std::vector<std::size_t>& numbers, const Body& body) const;

  void find_legal();
  absl::Status look_outward();
  void enter_outward(const Row& row, const OutwardRow& out);
  void find_values();
  std::vector<News> news(unsigned ply);
  void win_before(const News& lost, unsigned ply);
  void lose(std::size_t number, unsigned ply);
  void find_facts();
  void attract(Attractor& to);
  void join(Attractor& to, const std::vector<std::size_t>& numbers, Words& joined, MarkedRows& in) const;
  void spread_end();

  // For which cells of the loose man some move inside the slice leads into a set, as far as that is asked.
  CellSet leads_to(const Row& row, const Words& set, CellSet asked) const;
  std::uint64_t moves_inside(const Row& row) const;
  // Calls with rows and positions of theirs: all from which moves inside the slice lead to these positions.
  template <typename Visit>
  void each_before(std::size_t number, CellSet positions, const Visit& visit) const;
  CellSet at_ply(std::size_t number, CellSet of, unsigned ply) const;
  void enter_plies(std::size_t number, CellSet of, unsigned ply);
  void note(std::size_t number, unsigned ply);

  const SliceRows& rows_;
  ObjectPool<OutwardMoves>& outward_;
  Stop* stop_;
  Words legal_;
  Words open_;  // legal, and not won
  Words lost_;
  Words may_lose_;   // neither, and no move outward keeps it from being lost
  Words won_later_;  // by a move outward in so many plies, if not sooner
  Words stuck_;
  Attractor ends_;                                                     // an end at no loss
  Attractor forces_;                                                   // any end
  Words reaches_;                                                      // an end at 0
  std::vector<std::uint8_t> plies_;                                    // by row and cell
  std::array<std::unique_ptr<MarkedRows>, kMostEndingPlies + 1> due_;  // rows with news, by ply
  std::array<std::once_flag, kMostEndingPlies + 1> made_;
  std::mutex mutex_;
  std::atomic<bool> too_long_ = false;
  std::atomic<std::uint64_t> moves_ = 0;
};

}  // namespace plenum
