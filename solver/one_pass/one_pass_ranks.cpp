// SPDX-License-Identifier: Apache-2.0
// Several ranks in one pass: boards are dealt out, and what a stripe of them reads of others is fetched before.
//
// A turn may add several stones, and its board's set need not hold the one before. Which blocks moves lead to is learned as it is seen, by
// the pass upwards and by the stripe at hand: a stripe that turns out to have read what was not fetched is worked out again.
#include <algorithm>

#include "solver/one_pass/one_pass_solver.h"

namespace plenum {

std::vector<BigBytes*> OnePassSolver::reached_layers(std::optional<int> passes) {
  std::vector<BigBytes*> out;
  for (std::size_t layer = 0; layer < work_.bytes.reached.size(); ++layer) {
    if (!passes || passes_[layer] == *passes) out.push_back(&work_.bytes.reached[layer]);
  }
  return out;
}

std::vector<BigBytes*> OnePassSolver::value_layers() {
  std::vector<BigBytes*> out;
  for (auto* const layers : {&work_.bytes.codes, &work_.bytes.plies}) {
    for (BigBytes& bytes : *layers) {
      if (!bytes.empty()) out.push_back(&bytes);
    }
  }
  return out;
}

// Collective: for own boards of a round, what they read of others.
void OnePassSolver::open_windows(Share round, Level level) {
  if (!ranks_.several()) return;
  const std::vector<Share> own = boards_.own(round);
  const bool reads = !work_.bytes.codes[level.front()].empty();
  values_there_.move_to(ranks_, reads ? blocks_read(index_, own, ahead_) : std::vector<BlockIndex>(), value_layers());
  // Of the images of a board some may be others' (counted()).
  if (reaching_ && options_.counts && !index_.folding().all) {
    const BlocksAhead images = {.steps = 0, .images = true};
    reached_there_.move_to(ranks_, blocks_read(index_, own, images), reached_layers(std::nullopt));
  }
}

// Collective: whether any rank read a board that was not there. Then more is fetched from now on.
absl::StatusOr<bool> OnePassSolver::misread(int stones) {
  if (!ranks_.several()) return false;
  BlocksAhead own = ahead_;
  bool missed = false;
  for (BlockIndex block = 0; block < met_.size(); ++block) {
    if (met_[block] == 0) continue;
    met_[block] = 0;
    if (values_there_.has(block)) continue;
    missed = true;
    const int more = index_.blocks()[block].stones - stones;
    if (more == 0 && !ahead_.images) {
      own.images = true;
    } else if (more > 0 && (ahead_.steps >> more & 1) == 0) {
      own.steps |= 1U << more;
    } else {
      own.all = true;
    }
  }
  if (!ranks_.any(missed)) return false;
  const bool learned = ranks_.any(!(own == ahead_));
  ahead_ = own;
  share_ahead();
  if (!learned) return absl::InternalError("a move leads to a board that was not fetched");
  return true;
}

// Collective: what one rank has learned all know.
void OnePassSolver::share_ahead() {
  ahead_.all = ranks_.any(ahead_.all);
  ahead_.images = ranks_.any(ahead_.images);
  for (const std::uint64_t steps : ranks_.gather(ahead_.steps)) ahead_.steps |= static_cast<std::uint32_t>(steps);
}

// Collective: what was reached of others is told them, on boards with from `stones` to before `until` stones.
void OnePassSolver::deliver(int stones, int until, std::optional<int> passes) {
  if (!ranks_.several()) return;
  std::vector<BlockIndex> added;
  for (int k = stones; k < until; ++k) {
    const std::size_t before = added.size();
    for (BlockIndex block = index_.first_block(k); block < index_.first_block(k + 1); ++block) {
      if (met_[block] == 0) continue;
      met_[block] = 0;
      added.push_back(block);
    }
    // Of all layers: reached from boards with a stone less than the fewest.
    if (added.size() > before && !passes) ahead_.steps |= 1U << (k - stones + 1);
  }
  const BoardIndex bits = work_.bytes.bits;
  deliver_stripes(ranks_, boards_.scaled(bits, 8), BlockWindow::bytes_of(index_, added, bits), reached_layers(passes));
}

// Collective.
void OnePassSolver::add_up_tier() {
  if (!ranks_.several()) return;
  OnePassCounts all;
  for (const Parcel& parcel : ranks_.gather(counter_bytes(std::span<const OnePassCounts>(&tier_, 1))))
    all.add(ParcelReader(parcel).get<OnePassCounts>());
  tier_ = all;
}

}  // namespace plenum
