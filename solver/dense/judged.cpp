// SPDX-License-Identifier: Apache-2.0
#include "solver/dense/judged.h"

namespace plenum {

Judged::Judged(const Rules& rules) : rules_(rules), scratch_(rules), asked_(rules.batch()), going_(rules.batch()) {}

void Judged::look(std::span<const Position> positions, Replies keep) {
  keep_ = keep;
  replies_.clear();
  asked_.clear();
  for (const Position& p : positions) asked_.push(p);
  status_.assign(positions.size(), absl::OkStatus());
  rules_.judge(asked_, scratch_, ended_, margin_);
  going_.clear();
  asked_as_.clear();
  const bool always_a_move = rules_.set().always_a_move || rules_.set().stuck == Stuck::pass;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const bool kept = keep == Replies::after_pass && positions[i].passes > 0;
    if (ended_[i] != 0 || (always_a_move && !kept)) continue;
    going_.push(positions[i]);
    asked_as_.push_back(i);
  }
  if (going_.size == 0 || expand().ok()) return;
  // One of them has a move that makes no sense: which?
  const std::vector<std::size_t> all = asked_as_;
  for (const std::size_t i : all) {
    going_.clear();
    going_.push(positions[i]);
    asked_as_ = {i};
    const absl::Status done = expand();
    if (!done.ok()) status_[i] = done;
  }
}

absl::Status Judged::expand() {
  absl::Status done = rules_.expand(going_, scratch_);
  if (!done.ok()) return done;
  std::vector<bool> moves(going_.size, false);
  for (std::size_t r = 0; r < scratch_.successors.size; ++r) {
    const std::size_t parent = scratch_.parent[r];
    moves[parent] = true;
    if (keep_ == Replies::none || going_.passes[parent] == 0) continue;
    replies_.push_back(
        {asked_as_[parent], scratch_.ended[r] != 0, MoverValue{Margin{scratch_.margin[r]}}, scratch_.successors.at(r)});
  }
  for (std::size_t k = 0; k < going_.size; ++k) {
    if (moves[k]) continue;
    const std::size_t i = asked_as_[k];
    const absl::StatusOr<MoverValue> stuck = rules_.stuck(going_.at(k));
    status_[i] = stuck.status();
    ended_[i] = 1;
    margin_[i] = stuck.ok() ? stuck->margin.units : 0;
  }
  return absl::OkStatus();
}

}  // namespace plenum
