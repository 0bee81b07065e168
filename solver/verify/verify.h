// SPDX-License-Identifier: Apache-2.0
// Trust in a table of values that needs no trust in the solver that made it: every byte is held against the rules.
//
//     absl::StatusOr<Verification> found = verify_table(variant, *reader, {});
//     found->holds()                                           // whether nothing is wrong
//
// Positions are expanded by Rules::expand, one by one as the description has them, and not by the rows that the solver works
// with, so that what is wrong there is found here. Why this is enough:
//   - Local: each code, fact and remoteness is what follows from those of the successors. So nobody can do better than the table
//     says: play that keeps to the table never gets there.
//   - Proven: what a code or fact says can be brought about is proven from the ends of the game backwards, by verify's own fixpoint
//     from nothing; a claim that rests on itself round a cycle is never entered. Only positions whose claims are not proven
//     yet are looked at again, until nothing changes: claims that are not made need no proof, as a set that is its own
//     consequence contains the least such set. Where there is remoteness it proves decided values, as it falls along the play (a
//     greater margin first, then plies).
//   - Reached: found again from the start, forwards; and everything counted anew.
// Positions after one pass are not in a table: they are derived from their successors, and then treated as all others.
//
// Where the game was solved in one pass (verify_one_pass.cpp) every move leads to a later tier, which is checked too, so that the local
// part is a proof by itself. Positions without a value have a reply without one, or no rule; none of them is reached.
//
// A position is expanded twice (reached, local), and again as often as the proof of its claims has to wait.
// Thread-safety: uses all cores. The result is the same for any number of threads, `expanded` aside.
// Memory: 5 bytes a board and state, 4 more for the largest tier where there are passes; of one pass 3 bytes a board.
// Cost: some 20 ns a reply; two to three times the processor time of the solver, which has rows to work with; of one pass, three to four times.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "solver/dense/dense_game.h"
#include "tables/file/table_file.h"

namespace plenum {

using VerifyProgress = DenseProgress;
using VerifyProgressFn = DenseProgressFn;

struct VerifyOptions {
  std::uint64_t memory_bytes = ~std::uint64_t{0};  // for the process as a whole
  VerifyProgressFn progress;
};

// In the order in which mismatches are listed.
enum class VerifyKind { value, remoteness, facts, proven, reached };
const char* verify_kind_name(VerifyKind kind);

struct Mismatch {
  VerifyKind kind = VerifyKind::value;
  std::string position;
  std::string found;     // what stands there
  std::string expected;  // what follows
};

struct Mismatches {
  static constexpr std::size_t kShown = 10;
  std::uint64_t wrong = 0;      // how many there are
  std::vector<Mismatch> first;  // the first of them, in a fixed order
  void note(Mismatch mismatch) {
    ++wrong;
    if (first.size() < kShown) first.push_back(std::move(mismatch));
  }
  // Those that follow these in the order.
  void add(const Mismatches& next) {
    wrong += next.wrong;
    first.insert(first.end(), next.first.begin(),
                 next.first.begin() + static_cast<std::ptrdiff_t>(std::min(next.first.size(), kShown - first.size())));
  }
};

struct Verification : Mismatches {
  std::uint64_t boards = 0;  // numbered: up to the symmetries of the occupied set
  std::uint64_t positions = 0;
  std::uint64_t after_pass = 0;  // derived
  bool facts = false;            // whether the table has them
  bool remoteness = false;
  bool one_pass = false;       // nothing goes round in this game
  std::uint64_t claims = 0;    // positions that say that something can be brought about
  std::uint64_t expanded = 0;  // positions, each as often as it was looked at
  std::uint64_t reached = 0;   // positions of the index, with the mover as either player
  Statistics reachable;        // counted anew
  std::optional<Statistics> whole_board;
  std::optional<Summary> summary;      // found again; nothing where the table has none
  bool solved_again = false;           // since no values were kept
  std::vector<std::string> stands_on;  // parts that were taken as they are, for verifying by themselves
  bool holds() const { return wrong == 0; }
};

// The table is one of a game solved on a dense index (its layers are those of DenseLayer), and `variant` is its game.
// kUnimplemented for games that have no such tables; kDataLoss if a block is damaged or a layer has another length;
// kResourceExhausted with what is needed; kCancelled.
absl::StatusOr<Verification> verify_table(const Variant& variant, const TableReader& table,
                                          const VerifyOptions& options);

}  // namespace plenum
