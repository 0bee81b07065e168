// SPDX-License-Identifier: Apache-2.0
#include "solver/bits/bit_check.h"

#include <algorithm>
#include <random>

#include <absl/strings/str_cat.h>

#include "variants/board/bits.h"
#include "variants/rows/placing_rules.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// Who wins, by the end or by the best reply: 1 the mover, -1 the opponent.
absl::StatusOr<int> worked_out(const Position& position, Judged& judged, const OutcomeFn& outcome) {
  judged.clear();
  judged.ask(position);
  judged.look(Judged::Wanted::all_replies);
  RETURN_IF_ERROR(judged.status(0));
  if (judged.ended(0)) return sign(judged.margin(0).margin.units);
  int best = -1;
  for (std::size_t r = 0; r < judged.replies().size; ++r) {
    const Position reply = judged.replies().at(r);
    best = std::max(best, reply.mover == position.mover ? outcome(reply) : -outcome(reply));
  }
  return best;
}

}  // namespace

std::vector<BitSample> bit_samples(const BitSets& sets, const BitSets::Tier& tier, const std::vector<Position>& states,
                                   std::size_t samples) {
  std::vector<BitSample> out;
  std::mt19937_64 random(static_cast<std::uint64_t>(tier.cells()));
  while (tier.size() > 0 && !states.empty() && out.size() < samples) {
    BitSample& sample = out.emplace_back();
    sample.number = static_cast<std::uint32_t>(random() % tier.size());
    // Any of the sets of its class.
    const CellSet seen = sets.apply(sets.plain()[random() % sets.plain().size()], tier.set(sample.number));
    sample.position = PlacingRules::position(seen, deposit(random() & ((std::uint64_t{1} << tier.cells()) - 1), seen),
                                             states[random() % states.size()]);
  }
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  return out;
}

absl::Status check_position(const Rules& rules, Judged& judged, const Position& position, const OutcomeFn& outcome) {
  ASSIGN_OR_RETURN(const int wanted, worked_out(position, judged, outcome));
  const int found = outcome(position);
  if (found == wanted) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(
      "solving by bits went wrong: ", rules.write(position), " is worth ", found, " to its mover, and its best move ",
      wanted, "\n  please report this game; --method search and --method graph are other ways"));
}

}  // namespace plenum
