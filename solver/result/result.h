// SPDX-License-Identifier: Apache-2.0
// What every method hands out: a summary, and what can be asked of single positions.
//
//     SharedResult game = *method.solve(game, request);     // solver/method/method.h
//     game->summary().start_value;
//     game->value(position);
//
// A method that does not know something says so with kUnimplemented; the message is a clause, "by bits no values are kept".
//
// Thread-safety: summary(), value(), reachable(), values(), each(), each_value() and each_moves() may be called from any thread, but for
// those of a search; the rest belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/result/game_result.h"

namespace plenum {

class EndingTables;
class RankedTable;
class SolvedGame;

// Takes the layers of a table piece by piece: a name that differs from the last begins a new layer.
using LayerSink = std::function<absl::Status(std::string_view layer, std::span<const std::uint8_t> bytes)>;

// What a table numbers: so many boards in so many states each.
struct TableShape {
  std::uint64_t boards = 0;
  std::uint64_t states = 1;
};

class Result {
 public:
  explicit Result(Summary summary) : summary_(std::move(summary)) {}
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;
  virtual ~Result() = default;

  const Summary& summary() const { return summary_; }
  const Variant& variant() const { return *summary_.variant; }

  // kNotFound: it is none of the positions that were solved, so it is not reachable.
  virtual absl::StatusOr<PositionValue> value(const Position& position) const = 0;
  // From the start of the game.
  virtual absl::StatusOr<bool> reachable(const Position& position) const = 0;
  // In board order; none where the game has ended.
  virtual absl::StatusOr<std::vector<ValuedMove>> moves(const Position& position) const;
  // Of best play. Where the value is not 0, the player it favours hurries and the other delays, by remoteness. In a tie the player who can
  // force an end keeps that up, and the line is a shortest one to an end in which every move keeps the value. In a cycle both stay in cycles,
  // and the line stops at the first repeated position. Empty where the remoteness that it follows was left out, or a tie's end was
  // not found among many positions.
  virtual absl::StatusOr<BestLine> line(const Position& position) const;

  // The values of many positions, in their order: where no position is stored this is many times faster than value() one by one. Nothing of
  // positions that have none (kNotFound) or, if that is asked, that are not reachable; a reachable one without a value is an error.
  enum class Among { all, reachable };
  virtual absl::StatusOr<std::vector<std::optional<PositionValue>>> values(std::span<const Position> positions,
                                                                           Among among) const;
  // The moves that are equally good, in board order: where somebody wins they hurry and the other delays; in a tie they keep what
  // `forcing` can force, in a cycle they stay in cycles.
  virtual absl::StatusOr<std::vector<ValuedMove>> best_moves(const Position& position, Player forcing) const;
  // Who forces the end where it is a tie: the player to move if both can.
  absl::StatusOr<Player> forcing(const Position& position) const;

  // The shortest lines of play from the start to positions for which `goal` holds, at most `most`, the nearest first; of those of equal
  // length the ones with the fewest moves that give value away. Where no graph is stored only so many positions are looked at
  // (kMostLooked), so that there may be more. An error from `goal` ends it.
  using GoalFn = std::function<absl::StatusOr<bool>(const Position&)>;
  static constexpr std::size_t kMostLooked = 500'000;
  virtual absl::StatusOr<std::vector<Line>> shortest_lines(const GoalFn& goal, std::size_t most) const;

  // Every reachable position with its value (every legal one of an ending), in parts that may be looked at at the same time: all of them, or
  // at least one of each class of those that are images of one another under folds(), with how many positions it stands for. An error from
  // `visit` ends it.
  struct Visit {
    Position position;
    PositionValue value;
    std::uint32_t images = 1;
  };
  using VisitFn = std::function<absl::Status(std::span<const Visit>)>;
  enum class Fold { none, images };
  virtual std::size_t parts() const { return 0; }
  virtual absl::Status each(std::size_t part, Fold fold, const VisitFn& visit) const;
  // What each() visits with Fold::images, in that order, without the positions themselves: for counts.
  struct Glance {
    PositionValue value;
    std::uint32_t images = 1;
    int stones = 0;  // on the board
  };
  using GlanceFn = std::function<absl::Status(std::span<const Glance>)>;
  virtual absl::Status each_value(std::size_t part, const GlanceFn& see) const;
  // The same positions, but for those that have ended, by what their moves do.
  struct MoveGlance {
    MoveCounts counts;  // of all the images
    std::uint32_t images = 1;
    int stones = 0;
  };
  using MoveGlanceFn = std::function<absl::Status(std::span<const MoveGlance>)>;
  virtual absl::Status each_moves(std::size_t part, const MoveGlanceFn& see) const;
  // Symmetries of the board under which the images of a reachable position are reachable and have its value: a group, as permutations
  // of cells (Symmetry::permutation).
  virtual std::vector<std::vector<Cell>> folds() const { return {}; }

  // Measures that were found as it was solved.
  virtual std::optional<Measures> measured() const { return summary_.measures; }

  // What a table keeps of it: of this shape, layer by layer.
  virtual TableShape shape() const { return {summary_.stored, 1}; }
  virtual absl::Status write_layers(const LayerSink& sink) const;
  // Whether all of it is here. Otherwise other ranks have the rest: no single position can be looked at until the ranks have written the
  // table together, which is collective, and opened it; each() hands out this rank's positions, where it has parts.
  virtual bool whole() const { return true; }
  virtual absl::Status write_layers(RankedTable& table) const;

  // Bytes of memory that it holds.
  virtual std::uint64_t bytes() const { return 0; }
  // The positions with the moves between them; null where they are not stored.
  virtual const SolvedGame* graph() const { return nullptr; }
  // The tables of an ending; null of other games.
  virtual const EndingTables* ending() const { return nullptr; }

 protected:
  // Hands things out some at a time, as many as stay in the first cache.
  template <typename Seen>
  class Batches {
   public:
    using TakeFn = std::function<absl::Status(std::span<const Seen>)>;
    explicit Batches(const TakeFn& take) : take_(take) { seen_.reserve(kMostSeen); }
    absl::Status add(const Seen& seen) {
      seen_.push_back(seen);
      return seen_.size() < kMostSeen ? absl::OkStatus() : flush();
    }
    absl::Status flush() {
      if (seen_.empty()) return absl::OkStatus();
      absl::Status out = take_(seen_);
      seen_.clear();
      return out;
    }

   private:
    static constexpr std::size_t kMostSeen = 64;
    const TakeFn& take_;
    std::vector<Seen> seen_;
  };
  using Visits = Batches<Visit>;

 private:
  Summary summary_;
};
using SharedResult = std::shared_ptr<const Result>;

}  // namespace plenum
