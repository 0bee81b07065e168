// SPDX-License-Identifier: Apache-2.0
// Which thresholds are asked to know what is wanted of the start and its openings, and what the answers come to.
//
// A positive threshold t tells of a position whether its mover wins by t or more, and whether the other player does; 0 tells who can force
// an end. The first question is 1: who wins. Then the threshold that splits most of what is open, where a margin t is taken to be as
// likely as 1/t^2: from below by doubling, then by bisection, as most openings of most games are worth little. What is known of the start
// bounds the openings, and the other way round.
//
// Private to solver/bits/bit_row*.cpp. Thread-safety: as of a container.
#pragma once

#include <optional>
#include <vector>

#include "solver/result/game_result.h"
#include "variants/rules/rules.h"

namespace plenum {

class BitQuestions {
 public:
  BitQuestions(const Variant& variant, const Position& start) : variant_(variant), start_(start) {}
  // Finds the openings. The rules may say of the start that it makes no sense.
  absl::Status begin();
  // The start, and what openings lead to, each once; none that has ended.
  const std::vector<Position>& positions() const { return positions_; }
  std::size_t size() const { return positions_.size(); }

  // What to ask next; nothing where all is known.
  std::optional<std::int64_t> next(bool all_margins) const;
  // By position: whether its mover can force it, and whether the other can.
  void answer(std::int64_t threshold, const std::vector<bool>& can);
  // To the i-th threshold.
  const std::vector<bool>& answers(std::size_t i) const { return answers_[i].can; }
  // The value of the start, the openings and the pie; where not all is known, what is proven.
  void write(Summary& summary) const;

  // The greatest margin there may be, in units.
  static std::int64_t most_units(const Variant& variant);
  // How many thresholds will be asked, as a rule.
  static double expected(const Variant& variant, bool all_margins, bool only_outcome);

 private:
  struct Known {
    std::int64_t least = 0;  // of the mover's margin
    std::int64_t most = 0;
    bool mover_ends = false;  // at 0 or better
    bool other_ends = false;
  };
  struct Answer {
    std::int64_t threshold = 0;
    std::vector<bool> can;
  };
  struct Begun {
    Successor successor;
    std::optional<std::size_t> position;  // none: it has ended
    MoverValue value;                     // then
  };
  bool asked(std::int64_t threshold) const;
  void share_bounds();
  std::optional<std::int64_t> bisect() const;
  // Nothing where its margin is not known, or whether it is a tie or a cycle.
  std::optional<PositionValue> value(std::size_t i) const;
  ProvenMargin proven(std::size_t i) const;

  const Variant& variant_;
  Position start_;
  std::optional<MoverValue> ended_;  // the start has
  std::vector<Begun> openings_;
  std::vector<Position> positions_;
  std::vector<Known> known_;
  std::vector<Answer> answers_;
};

}  // namespace plenum
