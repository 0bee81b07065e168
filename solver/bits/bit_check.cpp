// SPDX-License-Identifier: Apache-2.0
#include "solver/bits/bit_check.h"

#include <algorithm>
#include <random>

#include <absl/strings/str_cat.h>

#include "solver/dense/judged.h"
#include "variants/board/bits.h"
#include "variants/rows/placing_rules.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// Who wins, by the end or by the best reply: 1 the mover, -1 the opponent.
absl::StatusOr<int> worked_out(const Position& position, Judged& judged, const ValueFn& value) {
  judged.clear();
  judged.ask(position);
  judged.look(Judged::Wanted::all_replies);
  RETURN_IF_ERROR(judged.status(0));
  if (judged.ended(0)) return sign(judged.margin(0).margin.units);
  const int own = position.mover == Player::first ? 1 : -1;
  int best = -1;
  for (std::size_t r = 0; r < judged.replies().size; ++r)
    best = std::max(best, own * sign(value(judged.replies().at(r)).margin.margin.units));
  return best;
}

}  // namespace

absl::Status check_samples(const DenseIndex& index, const Variant& variant, const std::vector<Position>& states,
                           int stones, int samples, const ValueFn& value) {
  Judged judged(variant.rules());
  std::mt19937_64 random(static_cast<std::uint64_t>(stones));
  const BlockIndex begin = index.first_block(stones);
  const BlockIndex blocks = index.first_block(stones + 1) - begin;
  if (blocks == 0 || states.empty()) return absl::OkStatus();
  for (int n = 0; n < samples; ++n) {
    const CellSet set = index.blocks()[begin + static_cast<BlockIndex>(random() % blocks)].set;
    // Any of the sets of its class.
    const auto& plain = index.folding().plain;
    const CellSet seen = index.symmetries().apply(plain[random() % plain.size()], set);
    const Position p = PlacingRules::position(seen, deposit(random() & ((std::uint64_t{1} << stones) - 1), seen),
                                              states[random() % states.size()]);
    ASSIGN_OR_RETURN(const int wanted, worked_out(p, judged, value));
    const int found = (p.mover == Player::first ? 1 : -1) * sign(value(p).margin.margin.units);
    if (found != wanted)
      return absl::InternalError(
          absl::StrCat("solving by bits went wrong: ", variant.rules().write(p), " is worth ", found,
                       " to its mover, and its best move ", wanted,
                       "\n  please report this game; --method search and --method graph are other ways"));
  }
  return absl::OkStatus();
}

}  // namespace plenum
