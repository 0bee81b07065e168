// SPDX-License-Identifier: Apache-2.0
// Several ranks in one pass: boards are dealt out, and what a tier reads of others is fetched before, tier by tier.
//
// A turn may add several stones. How many it may is learned as it is seen, by the pass upwards and by the tier at hand: a tier that turns
// out to have read one which was not fetched is worked out again.
#include <algorithm>

#include "solver/one_pass/one_pass_solver.h"

namespace plenum {

Stripes board_stripes(const DenseIndex& index, const Ranks& ranks) {
  constexpr BoardIndex kLongest = 32'768;
  constexpr BoardIndex kOfEachRank = 64;  // at least, where there are so many boards
  constexpr BoardIndex kByte = 8;
  const BoardIndex wanted = index.boards() / (static_cast<BoardIndex>(ranks.size()) * kOfEachRank) / kByte * kByte;
  return {std::clamp(wanted, kByte, kLongest), ranks};
}

std::vector<BigBytes*> OnePassSolver::layers_of(std::vector<BigBytes>& layers, std::optional<int> passes) const {
  std::vector<BigBytes*> out;
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    if (!layers[layer].empty() && (!passes || passes_[layer] == *passes)) out.push_back(&layers[layer]);
  }
  return out;
}

// Collective.
void OnePassSolver::fetch_values(int stones, std::optional<int> passes) {
  if (!ranks_.several()) return;
  for (auto* const bytes : {&work_.bytes.codes, &work_.bytes.plies})
    fetch_stripes(ranks_, boards_, index_.begin(stones), index_.begin(stones + 1), layers_of(*bytes, passes));
  held_[static_cast<std::size_t>(stones)] = passes ? Held::some : Held::all;
}

// Collective: the tiers that moves of this one lead to.
void OnePassSolver::fetch_ahead(int stones) {
  for (int later = stones + 1; later <= index_.cells(); ++later) {
    if ((steps_ >> (later - stones) & 1) != 0 && held_[static_cast<std::size_t>(later)] != Held::all)
      fetch_values(later, std::nullopt);
  }
}

// Collective: by how many stones turns from this tier have added. Whether there are more than were known.
bool OnePassSolver::learn_steps(int stones) {
  std::uint32_t all = led_ >> stones;
  led_ = 0;
  if (!ranks_.several()) return false;
  for (const std::uint64_t one : ranks_.gather(std::uint64_t{all})) all |= static_cast<std::uint32_t>(one);
  all &= ~std::uint32_t{1};
  const bool more = (all & ~steps_) != 0;
  steps_ |= all;
  return more;
}

// What the tier before this one does not read.
void OnePassSolver::release_values(int stones) {
  for (int later = stones; later <= index_.cells(); ++later) {
    Held& held = held_[static_cast<std::size_t>(later)];
    if (held == Held::nothing || steps_ >> (later - stones + 1) != 0) continue;
    for (auto* const bytes : {&work_.bytes.codes, &work_.bytes.plies})
      release_stripes(boards_, index_.begin(later), index_.begin(later + 1), layers_of(*bytes, std::nullopt));
    held = Held::nothing;
  }
}

// Collective: what was reached of others is told them, or what is reached there is fetched.
void OnePassSolver::share_reached(int stones, std::optional<int> passes, bool fetched) {
  if (!ranks_.several()) return;
  OnePassBytes& bytes = work_.bytes;
  const std::uint64_t begin = index_.begin(stones) * bytes.bits / 8;
  const std::uint64_t end = (index_.begin(stones + 1) * bytes.bits + 7) / 8;
  const auto share = fetched ? &fetch_stripes : &deliver_stripes;
  share(ranks_, boards_.scaled(bytes.bits, 8), begin, end, layers_of(bytes.reached, passes));
}

// Collective: what was reached with more stones.
void OnePassSolver::deliver_ahead(int stones) {
  for (int later = stones + 1; later <= index_.cells() && ranks_.several(); ++later) {
    if ((steps_ >> (later - stones) & 1) != 0) share_reached(later, std::nullopt, false);
  }
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
