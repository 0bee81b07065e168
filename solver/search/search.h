// SPDX-License-Identifier: Apache-2.0
// The value of single positions of games that cannot cycle, too large to enumerate: alpha-beta with a transposition table.
//
//     absl::StatusOr<std::unique_ptr<Search>> search = Search::make(variant, options);
//     absl::StatusOr<Interval> value = (*search)->value(variant.rules().start());
//
// Questions are null windows, "is it worth more than a?", asked by all threads at once over one shared table until least and greatest
// meet (MTD(f); Plaat et al. 1996). Threads keep apart by putting off moves that another is looking at (after Weill's
// ABDADA 1996, simplified by Kerrigan); one whose work has become pointless, because another has answered a question above
// it, drops it. A node's moves come with their positions already folded, probed and judged, since positions are expanded in batches:
// where a node is expected to be cut off its most promising move is expanded alone, then all the others together
// (young brothers wait; Feldmann et al. 1989), and each is known by its own moves before it is searched (enhanced transposition
// cut-offs; Schaeffer and Plaat 1996). Bounds come from the rules (ScoreBounds, WinningMoves) and so does the
// order of moves: by the score if the game ended there, and by what is proven of it.
//
// A table of bounds is sound only because a position's value does not depend on how it was reached: for games that may cycle make()
// refuses, and says which moves may repeat.
//
// Values and bounds proven do not depend on the number of threads; node counts and which of several bounds is proven first do.
// Thread-safety: one question at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "variants/rules/variant.h"

namespace plenum {

struct SearchProgress {
  Interval proven;               // of the position asked about, for its player to move
  std::uint64_t nodes = 0;       // positions whose moves were made
  std::uint64_t successors = 0;  // positions that these led to
  std::uint64_t question = 0;    // how many positions were asked about before this one
  double fill = 0;               // of the table
  std::uint64_t table_bytes = 0;
};
// Returns false to stop.
using SearchProgressFn = std::function<bool(const SearchProgress&)>;

struct SearchOptions {
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;  // for the table
  int threads = 1;
  SearchProgressFn progress;  // called a few times a second, from one thread at a time
};

class Search {
 public:
  // kFailedPrecondition for a game that may cycle.
  static absl::StatusOr<std::unique_ptr<Search>> make(const Variant& variant, const SearchOptions& options);
  virtual ~Search() = default;

  // Bounds of the position's value for its player to move, in units of Rules::denominator; equal unless stopped.
  // An error where a player is stuck and the description does not say what that means.
  virtual absl::StatusOr<Interval> value(const Position& position) = 0;
  // Whether it is more than `than`: bounds that answer that, unless stopped.
  virtual absl::StatusOr<Interval> compare(const Position& position, std::int64_t than) = 0;

  virtual SearchProgress progress() const = 0;
  virtual bool stopped() const = 0;
};

}  // namespace plenum
