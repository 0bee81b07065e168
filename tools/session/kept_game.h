// SPDX-License-Identifier: Apache-2.0
// A game on a dense index, from its table if there is one; solved and kept in one otherwise.
//
// What goes wrong with a table in the cache folder is only noted; a table that was asked for by name has to work.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tools/session/run.h"
#include "tools/session/tables.h"

namespace plenum {

struct TableChoice {
  std::string file;   // empty: the one in the cache folder
  bool none = false;  // not that either
};

template <typename Game>
struct Kept {
  std::optional<OpenTable> table;    // it was taken from here,
  std::shared_ptr<const Game> game;  // or solved now
  std::string path;                  // of the table; empty: none is kept
};
using KeptGame = Kept<DenseGame>;

absl::StatusOr<Kept<BitGame>> solve_bits_kept(Run& run, const Variant& variant, const TableChoice& choice);
// A table of the other method will do too unless `only`.
absl::StatusOr<KeptGame> solve_kept(Run& run, const Variant& variant, DenseMethod method, bool only, bool remoteness,
                                    const TableChoice& choice);
// The game, wherever it was taken from.
absl::StatusOr<std::shared_ptr<const DenseGame>> game_of(const KeptGame& kept, const Variant& variant);
// The table that the cache folder has of this game, if it has a sound one with remoteness.
std::optional<OpenTable> find_kept(const Variant& variant);

}  // namespace plenum
