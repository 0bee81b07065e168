// SPDX-License-Identifier: Apache-2.0
// A solved game with its summary: what the games solved by each method have in common.
//
// Thread-safety: immutable once made.
#pragma once

#include <functional>
#include <utility>

#include "solver/result/summary.h"

namespace plenum {

class GameResult {
 public:
  using Data = Summary;  // what a solver fills in
  GameResult() = default;
  explicit GameResult(Data data) : data_(std::move(data)) {}

  const Summary& summary() const { return data_; }
  const Variant& variant() const { return *data_.variant; }
  const Position& start() const { return data_.start; }
  const PositionValue& start_value() const { return *data_.start_value; }
  const std::vector<Opening>& openings() const { return data_.openings; }
  const std::optional<Pie>& pie() const { return data_.pie; }
  const Statistics& statistics() const { return *data_.statistics; }
  const std::optional<Statistics>& whole_board() const { return data_.whole_board; }
  const std::optional<Components>& components() const { return data_.components; }
  const std::optional<RandomPlay>& random_play() const { return data_.random_play; }
  std::uint64_t stored() const { return data_.stored; }
  bool facts_known() const { return data_.facts_known; }

 protected:
  Data data_;
};

// The value of a position after a move, by whatever has it.
using ValueFn = std::function<PositionValue(const Position&)>;
// The same where the value may not be there.
using AskValueFn = std::function<absl::StatusOr<PositionValue>(const Position&)>;
// The value of the start and those of the openings: fills them in.
absl::Status read_start(const AskValueFn& value, Summary& summary);
// The legal first moves with their values, and what they mean for the pie: fills openings and pie.
absl::Status find_openings(const ValueFn& value, Summary& summary);
// The pie, by the values of the openings; nothing unless all that it is about are known.
std::optional<Pie> pie_of(const std::vector<Opening>& openings);

}  // namespace plenum
