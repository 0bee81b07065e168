// SPDX-License-Identifier: Apache-2.0
// Counts of positions as verify finds them. The solvers have counts of their own.
// Thread-safety: as of an array.
#pragma once

#include <algorithm>
#include <array>

#include "solver/dense/value_byte.h"
#include "solver/result/game_result.h"

namespace plenum {

// Positions by code, ended or not, and by whom they are reached: 1 with first to move, 2 with second, 3 both.
struct VerifyTally {
  std::array<std::array<std::array<std::uint64_t, 4>, 256>, 2> by_code = {};
  std::uint64_t forced_cycle = 0;
  std::uint64_t canonical = 0;
  std::uint64_t moves = 0;
  std::uint64_t most_moves = 0;

  void enter(ValueByte code, bool ended, std::uint8_t movers, std::uint64_t boards, std::uint64_t its_moves,
             bool forced) {
    const std::uint64_t times = boards * (movers == 3 ? 2 : 1);
    by_code[ended ? 1 : 0][code][movers] += boards;
    if (ended) return;
    if (forced) forced_cycle += times;
    moves += its_moves * times;
    most_moves = std::max(most_moves, its_moves);
  }
  void add(const VerifyTally& other) {
    for (std::size_t e = 0; e < 2; ++e) {
      for (std::size_t c = 0; c < 256; ++c) {
        for (std::size_t m = 0; m < 4; ++m) by_code[e][c][m] += other.by_code[e][c][m];
      }
    }
    forced_cycle += other.forced_cycle;
    canonical += other.canonical;
    moves += other.moves;
    most_moves = std::max(most_moves, other.most_moves);
  }

  Statistics statistics() const {
    Statistics out;
    out.canonical = canonical;
    out.moves = moves;
    out.most_moves = most_moves;
    out.forced_cycle = forced_cycle;
    for (std::size_t c = 0; c < 256; ++c) {
      for (std::size_t m = 1; m < 4; ++m) {
        for (const Player mover : {Player::first, Player::second}) {
          if ((m >> (mover == Player::second ? 1 : 0) & 1) == 0) continue;
          enter(static_cast<ValueByte>(c), mover, by_code[0][c][m], by_code[1][c][m], out);
        }
      }
    }
    return out;
  }

 private:
  static void enter(ValueByte code, Player mover, std::uint64_t going, std::uint64_t ended, Statistics& out) {
    const FirstValue value = to_first(MoverValue{{units_of(code)}}, mover);
    const std::int64_t units = value.margin.units;
    out.reachable += going + ended;
    out.ended += ended;
    (units > 0 ? out.ended_first : units < 0 ? out.ended_second : out.ended_tie) += ended;
    if (going == 0) return;
    (units > 0 ? out.first : units < 0 ? out.second : code == kUnresolved ? out.cycle : out.tie) += going;
    out.margins[value] += going;
  }
};

}  // namespace plenum
