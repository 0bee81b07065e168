// SPDX-License-Identifier: Apache-2.0
// How a solved game ends when both players err: exact chances and expectations from the start.
//
// Play is a Markov chain. Its states are stored positions with who is to move there, first or second; a state that has not ended passes to
// its successors with the chances w of the mover's policy. Forwards, the expected visits v of states follow from the start,
// v(t) = [t is the start] + sum of w(s, t) v(s); whatever is counted by plies is a sum over them. Backwards, what happens after a state
// follows from its successors, x(s) = r(s) + sum of w(s, t) x(t). Both are systems of linear equations, which are solved component by
// component. From some states no end is reachable by moves that are made at all: there play is endless, and the value, a cycle's, changes
// no more.
//
// Method: components by strong_components.h; small ones by dense LU, others by BiCGSTAB, from Eigen, with corrections until the residual
// is below 1e-12 of the right side, or as near as rounding lets it come.
// Errors: a residual is at most 1e-9 of the right side, mostly 1e-12. What is lost forwards is mass: no chance is off by more than all
// residuals together. The tests find 1e-9 for chances.
// Thread-safety: immutable; results may be asked for from many threads, each of which works by itself. Cost: a pass over the edges of each
// state (two states a position) for kTogether results, four for measures; far more where components are large, which are iterated for each
// result. Memory: measuring_bytes() (measure.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "solver/result/measures.h"
#include "solver/result/solution.h"
#include "solver/support/stop.h"

namespace plenum {

// With probability `error` any move, otherwise one that keeps the value.
struct ErringPolicy {
  double error = 0;
  KeepingMove keeping = KeepingMove::any;
};

// How first errs, and second.
using ErringPair = std::array<ErringPolicy, 2>;

class ErringPlay {
 public:
  // Keeps references. `begins`: who is to move at the start; `unit`: what a unit of the graph's margins is worth.
  ErringPlay(const PositionGraph& graph, const Solution& solution, Player begins, double unit, Stop* stop = nullptr);

  // Of pairs that keep the value in the same way: where play cannot go round, many together take little longer than one. Nothing where
  // equations could not be solved, or `stop` said so.
  static constexpr std::size_t kTogether = 6;
  template <std::size_t kPairs>  // 1 or kTogether
  std::optional<std::array<PlayResult, kPairs>> results(const std::array<ErringPair, kPairs>& pairs) const;
  template <std::size_t kPairs>  // 1 or 2
  std::optional<std::array<PlayMeasures, kPairs>> measures(const std::array<ErringPair, kPairs>& pairs) const;

  // States in an order in which those of a later component lead to those of earlier ones, without those that are not reachable.
  const std::vector<std::uint32_t>& order() const { return order_; }
  static PositionIndex position(std::uint32_t state) { return state / 2; }

 private:
  template <std::size_t kCells>
  class Chain;  // of so many pairs of policies
  static std::uint32_t state(PositionIndex p, bool second_ply) { return 2 * p + (second_ply ? 1 : 0); }

  // In the order of order_: each leads to earlier ones alone.
  std::size_t components() const { return acyclic_ ? order_.size() : begins_at_.size() - 1; }
  std::uint32_t begins_at(std::size_t component) const {  // in order_
    return acyclic_ ? static_cast<std::uint32_t>(component) : begins_at_[component];
  }

  void order_states();
  bool order_by_numbers();
  void order_by_components();
  void list_moves();

  const PositionGraph& graph_;
  const Solution& solution_;
  const bool second_begins_;
  const double unit_;
  Stop* const stop_;
  std::vector<std::uint32_t> order_;       // states, component by component
  std::vector<std::uint32_t> begins_at_;   // in order_, of each component, where play can go round
  bool acyclic_ = false;                   // play cannot go round: every component is one state
  std::vector<std::uint64_t> first_move_;  // in next_, of each place in order_; none of those that have ended
  std::vector<std::uint32_t> next_;        // places in order_ of what the moves lead to
  // By place: how many moves keep the value as best play does, and in any way. They come first, in this order.
  std::vector<std::array<std::uint32_t, 2>> keeping_;
  std::vector<MarginRank> value_;  // by place, seen from the player who begins
  std::uint32_t start_ = 0;        // in order_
};

}  // namespace plenum
