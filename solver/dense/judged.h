// SPDX-License-Identifier: Apache-2.0
// What the rules say of many positions at once: which of them have ended and how, and what the others lead to.
//
//     Judged judged(rules);
//     judged.clear();
//     judged.ask(position);                                         // at most kMost
//     judged.look(Judged::Wanted::after_pass);
//     judged.ended(0); judged.margin(0);
//     judged.replies().at(r); judged.parent(r);                     // replies come in any order
//
// Whether there is a move at all is found out only where the description leaves it open. A position whose moves make no sense has
// a status of its own, and neither an end nor replies. One that has no move where nothing is said about that has a status too; it has
// ended, and its margin says nothing.
//
// Thread-safety: one belongs to one thread. Cost: some 20 ns a position, and 20 ns a reply where there are replies to find; more for a
// position without a move that is scored.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/status.h"

#include "variants/rules/rules.h"

namespace plenum {

class Judged {
 public:
  static constexpr std::size_t kMost = 256;
  // The replies to no position, to those that follow a pass, to all. Those to others may be there too. moves_alone: all replies, and no
  // word on positions without one, which have not ended then.
  enum class Wanted { no_replies, after_pass, all_replies, moves_alone };

  explicit Judged(const Rules& rules);

  void clear() { asked_.clear(); }
  void ask(const Position& position) { asked_.push(position); }
  std::size_t size() const { return asked_.size; }
  bool full() const { return asked_.size == kMost; }
  const PositionBatch& asked() const { return asked_; }

  void look(Wanted wanted);

  bool ended(std::size_t i) const { return ended_[i] != 0; }
  MoverValue margin(std::size_t i) const { return MoverValue{Margin{margin_[i]}}; }  // where ended
  // Where the rules make no sense: a move drives a number out of its range, or nothing is said about having no move.
  const absl::Status& status(std::size_t i) const { return status_[i]; }

  const PositionBatch& replies() const { return scratch_.successors; }
  std::size_t parent(std::size_t r) const { return going_as_[scratch_.parent[r]]; }
  bool reply_ended(std::size_t r) const { return scratch_.ended[r] != 0; }
  MoverValue reply_margin(std::size_t r) const { return MoverValue{Margin{scratch_.margin[r]}}; }  // where ended
  std::uint32_t moves(std::size_t i) const { return moves_[i]; }  // replies of a position whose replies were wanted

 private:
  void go_on(std::size_t i);
  absl::Status expand();
  void expand_sound_ones();

  const Rules& rules_;
  Rules::Scratch scratch_;
  PositionBatch asked_;
  PositionBatch going_;                // those that are expanded
  std::vector<std::size_t> going_as_;  // and which they are
  std::vector<std::uint8_t> ended_;
  std::vector<std::int64_t> margin_;
  std::vector<std::uint32_t> moves_;
  std::vector<absl::Status> status_;
};

// The margins of positions as those are judged that have no move, where the description says how.
void score_stuck(const Rules& rules, const PositionBatch& positions, Rules::Scratch& scratch,
                 std::vector<std::int64_t>& margin);

}  // namespace plenum
