// SPDX-License-Identifier: Apache-2.0
// Tiers: measures that no move lowers, derived from the moves, and with them the answer to "can it cycle, and why".
//
// A measure is a weighted sum over a position: stones by kind, numbers of the state, "some player is noted in a state".
// Measures are chosen one after the other: among all small weights, those that no remaining move can lower and that most
// moves must raise; moves that must raise one cannot lie on a cycle and are set aside; passes in a row come last. If no move
// is left, or only moves that carry pieces forward, by steps that never lead a piece back to a cell it has left, the game cannot
// go on for ever. Where that does not show it, larger weights and weights of cells are looked for (cycle_proof.h): all moves are set
// aside by these measures, or they are not used. Otherwise the moves left are the ones that may cycle.
//
// Of a piece game the measures are known: captures take men off, promotions pawns, and pawns go forward.
//
// The tier of a position is the vector of its measures, as one number in lexicographic order.
// Thread-safety: immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "variants/pieces/piece_set.h"

namespace plenum {

class SymmetryGroup;

struct Measure {
  std::string text;              // "stones", "x - o", "passer is noted"
  std::vector<int> kind_weight;  // by kind
  std::vector<int> slot_weight;  // by state slot (numbers)
  int noted_slot = -1;           // a player state that is not nobody
  // Of a measure that a linear program has found (cycle_proof.h): by kind and cell (empty: none), and by player state.
  bool found = false;
  std::vector<std::vector<int>> cell_weight;
  std::vector<int> noted_weight;
  bool partly = false;                 // some turns of moves that are not always raised by it are, and are set aside
  bool for_all_images = true;          // the same for all images of a position under the symmetries
  std::vector<std::string> raised_by;  // moves that always raise it
  std::int64_t least = 0;              // bounds of the sum
  std::int64_t greatest = 0;
};

class Tiers {
 public:
  virtual ~Tiers() = default;
  const std::vector<Measure>& measures() const { return measures_; }
  // Moves that may lie on a cycle, passes aside; empty: the game cannot cycle.
  const std::vector<std::string>& cycling() const { return cycling_; }
  bool acyclic() const { return cycling_.empty(); }
  // Measures that come after these in the proof that play cannot cycle, and are no part of the tier: they have too many values, or are
  // not the same for a position and its images under the symmetries.
  const std::vector<Measure>& further() const { return further_; }
  // Whether every move leads to a later tier.
  bool one_pass() const { return acyclic() && forward_.empty() && further_.empty(); }
  // "every placement adds a stone; ..." in words.
  std::string reason() const;

  virtual std::uint32_t tier(const Position& p) const = 0;
  std::uint32_t count() const { return count_; }  // tiers there may be

 protected:
  std::vector<Measure> measures_;
  std::vector<Measure> further_;
  std::vector<std::string> cycling_;
  std::vector<std::string> forward_;  // moves that cannot cycle because pieces only go forward by them
  bool passes_end_ = false;           // passes in a row are the last measure
  int passes_cap_ = 0;                // up to here they are part of the tier; 0: they are not
  std::uint32_t count_ = 1;
};

// By measures found as above. Positions are stored up to symmetries, so that tiers are the same for all images of a position.
std::unique_ptr<const Tiers> move_tiers(const RuleSet& rules, const SymmetryGroup& symmetries);
// Of a piece game.
std::unique_ptr<const Tiers> piece_tiers(const RuleSet& rules, std::shared_ptr<const PieceSet> pieces);

}  // namespace plenum
