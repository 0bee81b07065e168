// SPDX-License-Identifier: Apache-2.0
// The ways of solving a game, what each needs and finds out, and which one a game takes.
//
//     const Game game(variant, variant.rules().start());
//     for (const Method* method : methods()) method->obstacle(game);     // why not, of those that cannot solve it
//     Choice choice = *choose(game, {.memory_bytes = memory});           // what solve takes by itself, with the reason
//     SharedResult result = *solve(game, choice, request);
//
// The choice depends on the game and on the memory there is, never on a clock or on the machine's load: estimates count positions and
// successors, and weigh them with times that were measured once.
//
// Thread-safety: methods() is immutable. A Game caches what is derived from it and belongs to one thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/cluster/ranks.h"
#include "solver/endings/ending.h"
#include "solver/graph/analysis.h"
#include "solver/graph/prediction.h"
#include "solver/result/result.h"
#include "solver/rows/row_game.h"
#include "solver/verify/verify.h"
#include "tables/file/checkpoint.h"

namespace plenum {

// What is solved: a variant from a position of it. Keeps a reference to the variant.
class Game {
 public:
  Game(const Variant& variant, const Position& start) : variant_(&variant), start_(start) {}
  const Variant& variant() const { return *variant_; }
  const Position& start() const { return start_; }
  // Whether it begins at another position than the game does. What each method makes of that its obstacle() says.
  bool begins_elsewhere() const { return !(start_ == variant_->rules().start()); }

  // Made when first asked for.
  const absl::StatusOr<std::shared_ptr<const RowGame>>& rows() const;
  const absl::StatusOr<std::shared_ptr<const RowGame>>& bit_rows() const;  // by bits
  // Of the reachable positions, by random games: so many that they can tell whether the positions fit into so much memory. The
  // same however often and for whatever else it was asked before.
  const absl::StatusOr<Guess>& guess(std::uint64_t memory_bytes) const;

 private:
  const Variant* variant_;
  Position start_;
  using Rows = std::optional<absl::StatusOr<std::shared_ptr<const RowGame>>>;
  const absl::StatusOr<std::shared_ptr<const RowGame>>& made(Rows& rows, RowGame::By by) const;
  mutable Rows rows_;
  mutable Rows bit_rows_;
  struct Guessed {
    std::uint64_t memory_bytes = 0;  // that it was made for
    absl::StatusOr<Guess> guess;
  };
  mutable std::optional<absl::StatusOr<Guess>> first_guess_;
  mutable std::optional<Guessed> guess_;
};

enum class MethodId { graph, rows, one_pass, bits, ending, search };

// What is asked for, besides the values of all positions.
struct Wanted {
  bool remoteness = true;     // and facts: what can be forced at any price
  bool table = false;         // a table of the result
  bool lookup = false;        // single positions are asked for later
  bool scan = false;          // all positions are looked at later
  bool openings = false;      // the values of all first moves, by whatever method
  Extras extras = {};         // what a graph alone tells
  bool only_outcome = false;  // who wins is all that is asked for
  bool all_margins = false;   // by bits: how many positions are worth each margin
  std::uint64_t memory_bytes =
      ~std::uint64_t{0};            // that may be used, for the process as a whole; of several ranks by each
  std::uint64_t scratch_bytes = 0;  // of these, on a disk (tables/scratch.h)
  int ranks = 1;                    // that solve it together, where the method offers that
};

// What a method finds out.
struct Offers {
  bool values = false;      // of every position, not of the start alone
  bool remoteness = false;  // and so lines of best play
  bool reachable = false;   // which positions are reachable, and their counts
  bool cycles = false;      // components of the positions that repeat; random play
  bool table = false;       // a table of its own can be written
  bool parts = false;       // parts of it are kept, which other games share
  bool kept = false;        // the table is written by itself, to the cache folder
  bool margins = false;     // by how much, not just who wins
  bool ranks = false;       // several ranks solve a game together, each with a part of it
};

// What a method takes.
struct Estimate {
  // What is solved one after the other, and kept so where the method offers parts: a material of an ending.
  struct Part {
    std::string name;
    std::uint64_t positions = 0;
    std::uint64_t bytes = 0;
  };
  double positions = 0;    // that it holds a value of
  double bytes = 0;        // of memory, for the process as a whole; of several ranks for each
  double table_bytes = 0;  // of the table before it is compressed; 0 where none is kept
  double cpu_seconds = 0;  // of all ranks together
  bool at_most = false;    // bounds; otherwise what is likely,
  bool at_least = false;   // or that it is more than this, which is more than may be used
  std::vector<Part> parts = {};
  double sent_bytes = 0;  // by each of several ranks to others
};

// How far a solve is: `what` is being done, to `done` of `of` (0: unknown) `things`; its time is told of `stage`, or else of `what`.
struct WorkProgress {
  std::string what;
  std::uint64_t done = 0;
  std::uint64_t of = 0;
  std::string things;
  std::string stage = {};
};
using WorkProgressFn = std::function<bool(const WorkProgress&)>;  // false: stop

// Where the materials of an ending are kept that other endings share: solved before, and offered when they are solved.
struct PartStore {
  std::function<std::optional<EndingLayers>(const std::string& material, std::uint64_t positions)> find;
  std::function<void(const std::string& material, const EndingLayers& layers)> keep;
};

// How a game is to be solved.
struct Request {
  Wanted wanted;
  std::uint64_t held_bytes = 0;  // of the memory that may be used, in other results
  std::uint64_t most_positions = ~std::uint64_t{0};
  int threads = 1;                         // of a search; the others take all that oneTBB has
  const Checkpoint* checkpoint = nullptr;  // finished tiers are kept there, and taken from there
  PartStore parts = {};
  // Those that solve it together, if the method offers that: solve() is then collective, and unless one rank solves it alone after all gives
  // each a PartedResult, or the same error. Progress is asked of the root alone.
  Ranks* ranks = &Ranks::alone();
  WorkProgressFn progress = {};
  // Whether more memory comes later if this is not enough: then no other method takes over for want of it.
  bool comes_again = false;

  std::uint64_t free_bytes() const { return wanted.memory_bytes - std::min(wanted.memory_bytes, held_bytes); }
};

class Method {
 public:
  Method(const Method&) = delete;
  Method& operator=(const Method&) = delete;
  virtual ~Method() = default;
  MethodId id() const { return id_; }
  std::string_view name() const { return name_; }    // on the command line
  std::string_view about() const { return about_; }  // what it does, as a clause
  Offers offers() const { return offers_; }
  // Why it cannot solve this game from this position, as a clause; nothing if it can. A game may turn out to have an obstacle only as
  // it is solved. What is counted, and what is said of the start, is then of that position and of what can be reached from it.
  virtual std::optional<std::string> obstacle(const Game& game) const = 0;
  // Nothing where it cannot be told before: how long a search takes. Requires that there is no obstacle.
  virtual absl::StatusOr<std::optional<Estimate>> estimate(const Game& game, const Wanted& wanted) const = 0;
  // kUnimplemented, with what stands in the way; kResourceExhausted, with need and allowance; kOutOfRange beyond most_positions (by graph);
  // kCancelled. A search that is stopped gives what was proven by then.
  virtual absl::StatusOr<SharedResult> solve(const Game& game, const Request& request) const = 0;
  // The result that a table holds, with the summary in it; kDataLoss if its layers are not those of this game.
  virtual absl::StatusOr<SharedResult> open(const Game& game, std::shared_ptr<TableReader> table, Summary summary,
                                            const Request& request) const;
  // The table of a result that was opened, held against the rules. What it says must not rest on the solver.
  virtual absl::StatusOr<Verification> verify(const Game& game, const TableReader& table, const Result& opened,
                                              const Request& request) const;

 protected:
  Method(MethodId id, std::string_view name, std::string_view about, Offers offers)
      : id_(id), name_(name), about_(about), offers_(offers) {}

 private:
  MethodId id_;
  std::string_view name_;
  std::string_view about_;
  Offers offers_;
};

// By MethodId.
std::span<const Method* const> methods();
const Method& method_of(MethodId id);
// None of that name.
const Method* find_method(std::string_view name);

struct Choice {
  MethodId method = MethodId::graph;
  std::string reason = {};  // a clause
  // Only if no more positions (up to symmetry) are reachable: how many there are is found out in trying.
  std::uint64_t most_positions = ~std::uint64_t{0};
  // Takes over where there are more, where memory runs out, or where an obstacle shows only as the game is solved.
  std::optional<MethodId> otherwise = {};

  // Whether a failure to solve it so lets `otherwise` take over. Not where a disk is full: that the next would find too.
  bool goes_on(const absl::Status& status) const;
};

// By the method of the choice, or where it fails by the one that takes over: the choice then says so. `note`, if there is one, hears of that.
// `by` solves in place of Method::solve.
using NoteFn = std::function<void(const std::string&)>;
using SolveFn = std::function<absl::StatusOr<SharedResult>(const Method&, const Request&)>;
absl::StatusOr<SharedResult> solve(const Game& game, Choice& choice, Request request, const NoteFn& note = {},
                                   const SolveFn& by = {});

// The method for a game within the memory that may be used: of those that find the value of every position and fit, the
// one that takes least, and of two that take about as long the one that finds out more; where none fits, bits, and then search.
absl::StatusOr<Choice> choose(const Game& game, const Wanted& wanted);
// Whether a single position of a game is better solved from there than with the whole game: that does not fit the memory, or is
// not solved at once. False at the start, and where only a whole material can be solved.
absl::StatusOr<bool> better_from(const Game& game, const Position& position, const Wanted& wanted);

}  // namespace plenum
