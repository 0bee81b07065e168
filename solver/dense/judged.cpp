// SPDX-License-Identifier: Apache-2.0
#include "solver/dense/judged.h"

#include <algorithm>
#include <utility>

namespace plenum {

Judged::Judged(const Rules& rules) : rules_(rules), scratch_(rules), asked_(rules.batch()), going_(rules.batch()) {
  asked_.grow(kMost);
  going_.grow(kMost);
}

void Judged::look(Wanted wanted) {
  status_.assign(size(), absl::OkStatus());
  moves_.assign(size(), 0);
  rules_.judge(asked_, scratch_, ended_, margin_);
  going_.clear();
  going_as_.clear();
  const bool always_a_move = rules_.set().always_a_move || rules_.set().stuck == Stuck::pass;
  for (std::size_t i = 0; i < size(); ++i) {
    if (ended(i)) continue;
    const bool replies = wanted == Wanted::all_replies || wanted == Wanted::moves_alone ||
                         (wanted == Wanted::after_pass && asked_.passes[i] > 0);
    if (replies || !always_a_move) go_on(i);
  }
  if (!expand().ok()) expand_sound_ones();
  for (std::size_t r = 0; r < replies().size; ++r) ++moves_[parent(r)];
  if (wanted == Wanted::moves_alone) return;
  for (const std::size_t i : going_as_) {
    if (moves_[i] > 0) continue;
    const absl::StatusOr<MoverValue> stuck = rules_.stuck(asked_.at(i));
    status_[i] = stuck.status();
    ended_[i] = 1;
    margin_[i] = stuck.ok() ? stuck->margin.units : 0;
  }
}

void Judged::go_on(std::size_t i) {
  going_.push(asked_.at(i));
  going_as_.push_back(i);
}

absl::Status Judged::expand() {
  scratch_.successors.clear();
  return going_.size == 0 ? absl::OkStatus() : rules_.expand(going_, scratch_);
}

// One of them has a move that makes no sense: which?
void Judged::expand_sound_ones() {
  const std::vector<std::size_t> all = std::exchange(going_as_, {});
  std::vector<std::size_t> sound;
  for (const std::size_t i : all) {
    going_.clear();
    going_.push(asked_.at(i));
    status_[i] = expand();
    if (status_[i].ok()) sound.push_back(i);
  }
  going_.clear();
  for (const std::size_t i : sound) go_on(i);
  const absl::Status done = expand();
  if (done.ok()) return;
  // That cannot be: what positions lead to does not depend on their company.
  for (const std::size_t i : sound) status_[i] = done;
  scratch_.successors.clear();
  going_as_.clear();
}

void score_stuck(const Rules& rules, const PositionBatch& positions, Rules::Scratch& scratch,
                 std::vector<std::int64_t>& margin) {
  const std::int64_t one = rules.denominator();
  const Stuck stuck = rules.set().stuck;
  if (stuck == Stuck::scores) {
    rules.score(positions, scratch, margin);
  } else {
    margin.assign(std::max(margin.size(), kLanes), stuck == Stuck::loses ? -one : stuck == Stuck::wins ? one : 0);
  }
}

}  // namespace plenum
