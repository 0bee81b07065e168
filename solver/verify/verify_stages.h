// SPDX-License-Identifier: Apache-2.0
// The inside of verify.h: what its stages share, and the stages.
//
// Invariants
//   - A node is a position with no pass made or one. Its claims are what it says can be brought about; `proven` are those that
//     are proven, and only ever grows.
//   - What a stage writes is a closure or belongs to one piece of work, so that no result depends on the order.
//
// Thread-safety: bodies of for_boards() run concurrently, each on boards of its own.
#pragma once

#include <atomic>
#include <mutex>
#include <set>
#include <tuple>
#include <vector>

#include "solver/dense/code_tally.h"
#include "solver/rows/row_reach.h"
#include "solver/support/object_pool.h"
#include "solver/verify/verify.h"
#include "solver/verify/verify_replies.h"

namespace plenum {

// Bits of what can be brought about, by the codes and facts of a position.
inline constexpr std::uint8_t kClaimDecided = 1;      // who wins, by how much
inline constexpr std::uint8_t kClaimMoverEnds = 2;    // level: the mover forces an end at no loss
inline constexpr std::uint8_t kClaimOtherEnds = 4;    // level: the other does
inline constexpr std::uint8_t kClaimMoverForces = 8;  // an end at any price
inline constexpr std::uint8_t kClaimOtherForces = 16;
inline constexpr std::uint8_t kClaimLevelEnd = 32;  // an end at 0 while both keep the value

// A position: what the table says, and what is proven of it.
struct VerifyNode {
  ValueByte code = kUnresolved;
  std::uint8_t facts = kRowNothingKnown;
  std::uint8_t plies = 0;
  std::uint8_t proven = 0;
};
static_assert(sizeof(VerifyNode) == 4);

// What is wrong at a place, before it is put into words.
struct Finding {
  VerifyKind kind = VerifyKind::value;
  std::uint32_t layer = 0;
  BoardIndex board = 0;
  std::uint8_t found = 0;
  std::uint8_t expected = 0;
  std::uint8_t code = 0;  // of the position, where facts are meant
  auto order() const { return std::tuple(kind, layer, board); }
  bool operator<(const Finding& other) const { return order() < other.order(); }
};

// What verifying takes where positions are numbered, by rows and in one pass.
class DenseVerifier {
 public:
  // With so many positions a board.
  DenseVerifier(const Variant& variant, const DenseIndex& index, std::uint32_t layers, const VerifyOptions& options)
      : variant_(variant), index_(index), layers_(layers), options_(options) {}

  void note(const Finding& finding);  // by any thread
  void count_expanded(std::uint64_t positions) { expanded_ += positions; }

 protected:
  // for_pieces() of boards, so many of which are done.
  absl::Status for_boards(const char* what, BoardIndex begin, BoardIndex end, std::uint64_t done, std::uint64_t of,
                          const std::function<absl::Status(BoardIndex from, BoardIndex to)>& look) const;
  // All that has been noted, in words: the first of what is wrong, in a fixed order, and how much is.
  using Words = std::function<std::string(const Finding& finding, std::uint8_t byte)>;
  Verification verification(const Words& words) const;

  const Variant& variant_;
  const DenseIndex& index_;
  const std::uint32_t layers_;

 private:
  const VerifyOptions& options_;
  std::atomic<std::uint64_t> expanded_{0};
  std::mutex lock_;  // for what follows
  std::uint64_t wrong_ = 0;
  std::set<Finding> first_;
};

// Boards with so many stones.
struct VerifyTier {
  int stones = 0;
  BoardIndex begin = 0;
  BoardIndex end = 0;
};

class VerifyRun : public DenseVerifier {
 public:
  VerifyRun(const VerifySpace& space, const VerifyOptions& options);

  const VerifySpace& space;
  std::vector<VerifyNode> nodes;
  std::vector<std::uint8_t> reached;  // as verify finds it
  bool facts = false;
  bool plies = false;

  std::size_t at(std::uint32_t state, BoardIndex board) const { return state * space.index.boards() + board; }
  VerifyTier tier(int stones) const { return {stones, space.index.begin(stones), space.index.begin(stones + 1)}; }
  const Block& block(const VerifyTier& tier, BoardIndex board) const {
    return space.index.blocks()[space.index.first_block(tier.stones) + ((board - tier.begin) >> tier.stones)];
  }

  using Body = std::function<absl::Status(Replies& replies, BoardIndex from, BoardIndex to)>;
  absl::Status for_boards(const char* what, const VerifyTier& tier, const Body& body);
  Verification verification() const;

 private:
  ObjectPool<Replies> replies_;
};

// Fills run.reached, from the start forwards.
absl::Status find_reached(VerifyRun& run);

// How many positions there are of what kind, reached or all.
struct Census {
  Statistics reachable;
  Statistics whole_board;
  std::uint64_t claims = 0;
};
// Codes, facts and plies of run.nodes, tier by tier from the most stones down.
absl::StatusOr<Census> check_nodes(VerifyRun& run);

// What stands somewhere, in words; the mover is the player to move there.
std::string code_words(const Variant& variant, ValueByte code);
std::string ply_words(std::uint8_t plies);

std::optional<std::size_t> find_layer(const TableReader& table, DenseLayer layer);
// A layer of the table, piece by piece: calls enter(place, byte), concurrently.
using EnterByteFn = std::function<void(std::uint64_t place, std::uint8_t byte)>;
absl::Status read_layer(const TableReader& table, std::size_t layer, const EnterByteFn& enter);

// Of a table of a game solved in one pass.
absl::StatusOr<Verification> verify_one_pass(const Variant& variant, const TableReader& table,
                                             const VerifyOptions& options);

// Claims of a position with these bytes; and with fewer, its bytes.
std::uint8_t claims_of(ValueByte code, std::uint8_t facts, bool with_facts);
VerifyNode node_of_end(ValueByte code, bool with_facts);

}  // namespace plenum
