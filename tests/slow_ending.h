// SPDX-License-Identifier: Apache-2.0
// Endings solved on slow_chess, straight from the definitions: for tests to compare with.
//
// All legal positions of a material are laid out, man by man, and whatever arises from them by moves is added. Then the whole
// is swept until nothing changes: n-th sweep, what is decided in n plies; then who can force an end at 0 or better.
//
//     const auto ending = Ending::solve(rules, "KPvKP");
//     ending->tally(Origin::laid_out, /*white=*/true, /*crowded=*/false).first;  // positions
//
// Legal is: no pawn on its first or last rank, the side not to move not in check, on every square men who may share it; men of
// one letter and side are alike. Values are first's (white's); remoteness is in plies. About 15 microseconds a position
// on 4x4 and a few hundred bytes: some ten million positions (KPvKP on 5x5) are the end of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tests/slow_chess.h"

namespace plenum::slow_chess {

struct Value {
  int outcome = 0;              // +1 first wins, -1 second does
  int plies = 0;                // to the end, if somebody wins
  bool first_can_end = false;   // first can force an end at 0 or better: F
  bool second_can_end = false;  // second likewise: S

  bool is_tie() const { return outcome == 0 && (first_can_end || second_can_end); }
  bool is_cycle() const { return outcome == 0 && !is_tie(); }
  friend bool operator==(const Value&, const Value&) = default;
};

struct Tally {
  std::uint64_t legal = 0, first = 0, second = 0, tie = 0, cycle = 0;
  std::map<int, std::uint64_t> first_plies, second_plies;  // won positions by remoteness

  std::uint64_t draw() const { return tie + cycle; }
  void add(const Value& value);
};

// Where a position comes from; each is of one kind.
enum class Origin {
  laid_out,    // legal, without an en passant square
  en_passant,  // legal, with one, after a double step that taken back leaves a legal position
  // Likewise, but the step taken back leaves the side to move now in check, so that it can never have been made.
  en_passant_unmade,
  // Of less material or more pieces. Also positions of the same material not in the above: there must be none.
  arisen,
};

class Ending {
 public:
  // Nothing if the material is not written as "KPvKP", each side with one king.
  static std::optional<Ending> solve(const Rules& rules, const std::string& material);

  const Tally& tally(Origin origin, bool white, bool crowded) const;
  // The most plies to a win of either player over all that is legal; -1 if there is none.
  int longest(bool first) const;

  std::size_t size() const { return keys_.size(); }
  Position position(std::size_t i) const;
  const Value& value(std::size_t i) const { return values_[i]; }
  Origin origin(std::size_t i) const { return origins_[i]; }
  std::optional<std::size_t> find(const Position& position) const;
  // Positions that arose with the material of the start.
  std::uint64_t strays() const { return strays_; }

 private:
  explicit Ending(const Rules& rules) : rules_(rules) {}

  std::size_t add(const Position& position, Origin origin);
  void lay_out(Position& position, const std::string& men, std::size_t next, int least);
  void add_legal(const Position& position);
  void add_moves();
  void find_outcomes();
  void find_ends(bool first);
  void count(const std::string& men);

  Rules rules_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<const std::string*> keys_;
  std::vector<Origin> origins_;
  std::vector<std::uint64_t> begins_;  // of each position's successors, and the end of the last
  std::vector<std::uint32_t> successors_;
  std::vector<std::uint8_t> white_, check_;
  std::vector<Value> values_;
  std::array<Tally, 16> tallies_;
  std::uint64_t strays_ = 0;
};

}  // namespace plenum::slow_chess
