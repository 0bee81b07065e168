// SPDX-License-Identifier: Apache-2.0
// A variant on a board, ready to be solved: description, compiled rules, symmetries and tiers in one value.
//
//     absl::StatusOr<Variant> v = Variant::make(description);
//
// Thread-safety: immutable; copies share what is large, and whichever thread asks for the tiers first finds them for all.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "variants/language/identity.h"
#include "variants/rules/rules.h"
#include "variants/rules/symmetry.h"
#include "variants/rules/tiers.h"

namespace plenum {

class Variant {
 public:
  // The board and options are the description's. Errors are for people; kResourceExhausted for a board too large. With
  // a `goal` (goal.h) positions carry what it reads, and symmetries leave it as it is too.
  static absl::StatusOr<Variant> make(const Description& description, const std::optional<Span>& goal = std::nullopt);

  const Description& description() const { return *description_; }
  const Rules& rules() const { return *rules_; }
  const RuleSet& rule_set() const { return rules_->set(); }
  const Board& board() const { return rules_->board(); }
  const SymmetryGroup& symmetries() const { return *symmetries_; }
  const Tiers& tiers() const;  // found when they are first asked for, which may take seconds
  const GameIdentity& identity() const { return identity_; }

  // A margin as it is shown: "3", "-1/2" -> "-0.5", "7/3".
  std::string margin_text(Margin m) const;

  // The same variant without its symmetries, for comparison.
  Variant without_symmetries() const;

 private:
  struct LaterTiers;
  std::shared_ptr<const Description> description_;
  std::shared_ptr<const Rules> rules_;
  std::shared_ptr<const SymmetryGroup> symmetries_;
  std::shared_ptr<LaterTiers> tiers_;
  GameIdentity identity_;
};

// The legal moves of a position that has not ended, in board order, with what they lead to.
struct Successor {
  Move move;
  std::string text;
  Position position;
  bool ended = false;
  MoverValue margin;  // where ended, for the player to move there
};
absl::StatusOr<std::vector<Successor>> successors(const Rules& rules, const Position& position);

// Whether the position has ended by the rules (moves aside), and how; and how it stands where no move is left.
struct EndState {
  bool ended = false;
  MoverValue margin;
};
absl::StatusOr<EndState> end_state(const Rules& rules, const Position& position);

// The successor by the move written `text`; an error with a suggestion if there is none.
absl::StatusOr<Successor> find_move(const Rules& rules, const Position& position, const Span& text);

}  // namespace plenum
