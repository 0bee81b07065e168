// SPDX-License-Identifier: Apache-2.0
// What the rules say of many positions at once: which of them have ended and how, and what the others lead to.
//
//     Judged judged(rules);
//     judged.look(positions, Judged::Replies::after_pass);      // at most kMost
//     judged.ended(i); judged.margin(i); judged.replies();
//
// Whether there is a move at all is found out only where the description leaves it open.
//
// Thread-safety: one belongs to one thread. Cost: some 20 ns a position, and 20 ns a reply where there are replies to find; more for a
// position without a move that is scored.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"

#include "variants/rules/position_text.h"
#include "variants/rules/rules.h"

namespace plenum {

class Judged {
 public:
  static constexpr std::size_t kMost = 256;
  struct Reply {
    std::size_t parent = 0;
    bool ended = false;
    MoverValue margin;  // where ended, for the player to move there
    Position position;
  };
  enum class Replies { none, after_pass };  // which are kept: of no position, or of those that follow a pass

  explicit Judged(const Rules& rules);

  void look(std::span<const Position> positions, Replies keep);
  bool ended(std::size_t i) const { return ended_[i] != 0; }
  MoverValue margin(std::size_t i) const { return MoverValue{Margin{margin_[i]}}; }
  // Where the rules make no sense: a move drives a number out of its range, or nothing is said about having no move.
  const absl::Status& status(std::size_t i) const { return status_[i]; }
  std::span<const Reply> replies() const { return replies_; }

 private:
  absl::Status expand();

  const Rules& rules_;
  Rules::Scratch scratch_;
  PositionBatch asked_;
  PositionBatch going_;
  Replies keep_ = Replies::none;
  std::vector<std::size_t> asked_as_;  // by position of going_
  std::vector<std::uint8_t> ended_;
  std::vector<std::int64_t> margin_;
  std::vector<absl::Status> status_;
  std::vector<Reply> replies_;
};

}  // namespace plenum
