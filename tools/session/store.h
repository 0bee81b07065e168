// SPDX-License-Identifier: Apache-2.0
// Games solved by whatever method, with the tables that are kept of them: a table that is there is opened, a result that is new is written.
//
//     Store store;                                     // the cache folder; or a file by name, or nothing at all
//     absl::StatusOr<Solved> game = solve_stored(run, game, choice, wanted, store);
//
// What goes wrong with a table in the cache folder is a note; a table that was asked for by name has to work.
//
// Thread-safety: as Run.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "solver/study/move_counts.h"
#include "tools/console/game_arguments.h"
#include "tools/report/page_counts.h"
#include "tools/session/run.h"
#include "tools/session/tables.h"

namespace plenum {

// What find_lengths and find_measures will be asked for.
struct Counted {
  bool lengths = false;
  bool measures = false;
};

struct Store {
  std::string file = {};  // empty: the one in the cache folder
  bool none = false;      // not that either
  bool only = false;      // no table of another method than the choice's
  // If given, positions are looked at later for this alone.
  std::optional<Counted> counted = {};
};

struct Solved {
  std::shared_ptr<const Result> result;
  Choice choice;                           // what it was in the end
  std::string table;                       // where it is kept; empty: nowhere
  bool opened = false;                     // it was there
  std::optional<Histograms> lengths = {};  // how long wins take, once that was found out
  std::optional<Measures> measures = {};   // once they were

  pages::Studies studies() const { return {lengths ? &*lengths : nullptr, measures ? &*measures : nullptr}; }
};

// From another position than the game's start nothing is kept, nor taken: kInvalidArgument if a file is named.
absl::StatusOr<Solved> solve_stored(Run& run, const Game& game, Choice choice, const Wanted& wanted, const Store& store,
                                    std::uint64_t held_bytes = 0);
// What the cache folder has of this game, with values and remoteness; nothing if there is no sound table of it.
std::optional<Solved> find_stored(Run& run, const Game& game, const Wanted& wanted, std::uint64_t held_bytes = 0);
// Finds out how long wins take, by a look at every position; leaves that open where the method does not know it, and unless it is
// `asked` for where the look would take longer than the solve: of more than 200,000 positions by rows or in one pass.
absl::Status find_lengths(Run& run, Solved& solved, bool asked);
// Finds out what there is of measures (measures_of): where moves are not stored, of no more than kMostMeasured positions unless it is `asked`
// for.
absl::Status find_measures(Run& run, Solved& solved, bool asked);
// A game solved, as `solve` has it.
Json solved_json(const Solved& solved, const Cost& cost);
// The method of a name, which has to be one for this game: kInvalidArgument. kAuto: the one that the game takes.
absl::StatusOr<Choice> choice_by_name(const Run& run, const Game& game, const Wanted& wanted, const std::string& name);
// By the method that the game takes, with the tables in the cache folder or as `store` has it.
absl::StatusOr<Solved> solve_chosen(Run& run, const Game& game, const Wanted& wanted, std::uint64_t held_bytes = 0,
                                    const Store& store = {});

}  // namespace plenum
