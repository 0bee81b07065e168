// SPDX-License-Identifier: Apache-2.0
// What a change of rules does: two solved games on one board, position by position, by whatever method each was solved.
//
//     absl::StatusOr<ComparedGames> games = ComparedGames::make(a, b);
//     const ComparedCounts all = *games->count();
//     if (all.both().changed > 0) auto first = games->nearest_changes(3);
//
// Positions are the same if they agree in what stands on the cells, by its letters, in who is to move, and in all flags by name
// and value. A flag that only one game has must be at its start. Counted are unreduced positions that are reachable in both games (of
// endings: legal), ended ones too. A value is an outcome with its margin; how many plies it takes, and whether a cycle is forced, are
// counted apart.
//
// Thread-safety: ComparedGames is immutable; count() uses all cores, its result does not depend on their number.
// Cost: count() looks at one position of each class of images that are alike in both games (Result::folds).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solver/result/result.h"

namespace plenum {

// Positions of one game as positions of another, on the same board.
class PositionMap {
 public:
  PositionMap(const Rules& from, const Rules& to);
  // Nothing if the other game has no such position.
  std::optional<Position> operator()(const Position& p) const;

 private:
  // Of a slot: its place in the other game, -1 if it has none; what may be stored, and what that is there.
  struct Slot {
    int to = -1;
    std::uint8_t start[2] = {0, 0};  // as stored where first, where second is to move
    std::int64_t shift = 0;
    std::int64_t most = 0;
    bool live = false;
  };
  bool map_men(const Position& p, Position& out) const;

  std::shared_ptr<const PieceSet> pieces_from_;  // of two piece games
  std::shared_ptr<const PieceSet> pieces_to_;
  std::array<std::array<int, kMaxPlanes>, 2> plane_;  // by player to move and plane; -1: there is none
  std::vector<Slot> slots_;
  std::vector<Slot> fresh_;  // slots that only the other game has
  int planes_ = 0;
  bool passes_from_ = false;
  int most_passes_ = 0;
};

inline constexpr std::size_t kOutcomes = 4;  // as in Outcome

struct Comparison {
  std::uint64_t common = 0;
  std::uint64_t changed = 0;       // another outcome or another margin
  std::uint64_t same_outcome = 0;  // part of changed: the margin alone
  std::uint64_t plies = 0;         // not changed, but it takes longer or shorter
  std::uint64_t forced = 0;        // a cycle in both, forced in one of them
  std::uint64_t ended = 0;         // ended in one of them only
  std::array<std::array<std::uint64_t, kOutcomes>, kOutcomes> outcomes = {};  // [in a][in b]
  Comparison& operator+=(const Comparison& other);
};

// A position that changes, and how soon it is decided in one of the games.
struct ChangeExample {
  std::uint32_t plies = 0;
  Position position;
};

struct ComparedCounts {
  std::array<Comparison, 2> by_mover;
  // One of each kind that changes, [in a][in b]: the one decided soonest, and then met first.
  std::array<std::array<std::optional<ChangeExample>, kOutcomes>, kOutcomes> examples;
  Comparison both() const;
};

// An opening of one game or of both.
struct ComparedOpening {
  std::string text;
  std::optional<PositionValue> a;
  std::optional<PositionValue> b;
  bool changed = false;  // a value of both
};

// A move of one game or of both: written alike, and leading to the same position where there is a choice.
struct ComparedMove {
  std::string text;
  std::optional<PositionValue> a;  // after it; nothing where it is not legal
  std::optional<PositionValue> b;
  bool keeps_a = false;
  bool keeps_b = false;
};

struct ComparedPosition {
  Position position;  // as it is in the first game
  Position in_b;      // as it is in the second: written, it may lack a flag or have one more
  PositionValue a;
  PositionValue b;
  std::vector<ComparedMove> moves;
};

struct Change {
  Line line;               // from the start, by moves of the first game
  bool line_in_b = false;  // and of the second
  ComparedPosition at;
};

// Where best play parts: no move is best in both games.
struct Parting {
  std::vector<std::string> line;  // moves that are best in both
  ComparedPosition at;
  std::vector<std::string> best_a;
  std::vector<std::string> best_b;
};

class ComparedGames {
 public:
  // Keeps references. Errors: the boards differ, or the materials of two endings.
  static absl::StatusOr<ComparedGames> make(const Result& a, const Result& b);

  // False from `go_on`: kCancelled. kUnimplemented where one of the games has no values of its positions.
  absl::StatusOr<ComparedCounts> count(const std::function<bool(std::uint64_t positions)>& go_on = {}) const;
  // At most `most`, the most frequent kinds first.
  absl::StatusOr<std::vector<ComparedPosition>> examples(const ComparedCounts& counts, std::size_t most) const;
  std::vector<ComparedOpening> openings() const;
  // At most `most` positions that change value, those nearest the start; of images of one another in both games, one.
  // False from `go_on`: kCancelled.
  absl::StatusOr<std::vector<Change>> nearest_changes(
      std::size_t most, const std::function<bool(std::uint64_t positions)>& go_on = {}) const;
  // Whether the games begin with the same position.
  bool same_start() const;
  // Nothing where best play is the same to its end, or to the first position that comes back; or the starts differ.
  absl::StatusOr<std::optional<Parting>> parting() const;

  bool same_value(const PositionValue& a, const PositionValue& b) const;

 private:
  ComparedGames(const Result& a, const Result& b) : a_(&a), b_(&b), map_(a.variant().rules(), b.variant().rules()) {}
  bool same(const Position& in_a, const Position& in_b) const { return map_(in_a) == std::optional<Position>(in_b); }
  // The values in b of positions of a that are reachable in b.
  absl::StatusOr<std::vector<std::optional<PositionValue>>> values_in_b(std::span<const Position> positions) const;
  Result::Fold fold() const;
  void add(const Result::Visit& seen, const PositionValue& b, ComparedCounts& to) const;
  absl::StatusOr<ComparedPosition> compare(const Position& position) const;
  absl::StatusOr<bool> playable_in_b(const Line& line) const;

  const Result* a_;
  const Result* b_;
  PositionMap map_;
};

}  // namespace plenum
