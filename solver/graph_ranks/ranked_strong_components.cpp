// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>
#include <utility>

#include "solver/graph_ranks/ranked_components.h"

namespace plenum {
namespace {

#pragma pack(push, 1)
struct ColourNews {
  PositionIndex at;
  std::uint32_t colour;
};
struct WalkNews {
  PositionIndex at;
  GroupElement potential;
};
#pragma pack(pop)

// Of the tier's positions, which ones their ranks have been told of. A bit each.
class ToldPlaces {
 public:
  explicit ToldPlaces(std::span<const std::uint64_t> sizes) {
    for (const std::uint64_t size : sizes) words_.emplace_back((size + 63) / 64, 0);
  }
  // Whether this is the first time.
  bool tell(std::size_t rank, PositionIndex at) {
    std::uint64_t& word = words_[rank][at / 64];
    const std::uint64_t bit = std::uint64_t{1} << at % 64;
    const bool first = (word & bit) == 0;
    word |= bit;
    return first;
  }

 private:
  std::vector<std::vector<std::uint64_t>> words_;  // by rank
};

class StrongComponents {
 public:
  StrongComponents(const RankedGraph& graph, const RankedTier& tier, KnownSubgroups& known, Ranks& ranks)
      : graph_(graph),
        tier_(tier),
        places_(graph, tier.tier()),
        known_(known),
        ranks_(ranks),
        component_(tier.size(), kAlone),
        alive_(tier.size(), 0) {}

  std::vector<std::uint32_t> run() {
    for (PositionIndex i = 0; i < tier_.size(); ++i) alive_[i] = graph_.ended(tier_.begin() + i) ? 0 : kAlive;
    bool left = trim();
    // Large components one by one, as long as they are.
    while (left && take_from_pivot()) {
    }
    while (left && trim()) take_colours();
    return std::move(component_);
  }

 private:
  enum : std::uint8_t { kForwards = 1, kBackwards = 2, kAlive = 4 };
  static constexpr std::uint64_t kLargePart = 8;  // so many times a component is more than what was left

  template <typename Visit>  // visit(rank, place in the tier)
  void successors(PositionIndex i, const Visit& visit) const {
    graph_.each_edge(tier_.begin() + i, [&](const RankedEdge& e) {
      if (places_.inner(e)) visit(e.rank, places_.at(e));
    });
  }
  template <typename Visit>
  void predecessors(PositionIndex i, const Visit& visit) const {
    for (const std::uint32_t source : tier_.predecessors(i)) {
      const RankedTier::Member p = tier_.member(source);
      visit(p.rank, p.at);
    }
  }
  std::uint32_t own_number(PositionIndex i) const { return tier_.source({graph_.rank, i}); }

  // Takes out what has no predecessor or no successor among what is left. Whether something is left.
  bool trim() {
    std::vector<std::uint32_t> in(tier_.size(), 0);
    std::vector<std::uint32_t> out(tier_.size(), 0);
    std::vector<PositionIndex> gone;
    Mail<PositionIndex> mail(ranks_);  // a place, and below it whether a successor of it is meant
    const auto tell = [&](PositionIndex i, const auto& hear) {
      const auto say = [&](std::size_t rank, PositionIndex at, PositionIndex what) {
        if (rank == graph_.rank) {
          hear(at << 1 | what, rank);
        } else {
          mail.add(rank, at << 1 | what);
        }
      };
      successors(i, [&](std::size_t rank, PositionIndex at) { say(rank, at, 0); });
      predecessors(i, [&](std::size_t rank, PositionIndex at) { say(rank, at, 1); });
    };
    std::vector<PositionIndex> left;
    for (PositionIndex i = 0; i < tier_.size(); ++i) {
      if (alive_[i] != 0) left.push_back(i);
    }
    if (whole_) {
      // Nothing of what leads anywhere inside is gone.
      for (const PositionIndex i : left) {
        in[i] = static_cast<std::uint32_t>(tier_.predecessors(i).size());
        successors(i, [&](std::size_t, PositionIndex) { ++out[i]; });
      }
    } else {
      const auto count = [&](PositionIndex one, std::size_t /*rank*/) { ++((one & 1) != 0 ? out : in)[one >> 1]; };
      mail.in_rounds(
          left.size(), [&](std::size_t k) { tell(left[k], count); }, count);
    }
    whole_ = false;
    for (const PositionIndex i : left) {
      if (in[i] != 0 && out[i] != 0) continue;
      alive_[i] = 0;
      gone.push_back(i);
    }
    const auto lose = [&](PositionIndex one, std::size_t /*rank*/) {
      const PositionIndex at = one >> 1;
      if (alive_[at] == 0 || --((one & 1) != 0 ? out : in)[at] != 0) return;
      alive_[at] = 0;
      gone.push_back(at);
    };
    mail.until_done(
        gone, [&](PositionIndex i) { tell(i, lose); }, lose);
    return ranks_.any(std::find(alive_.begin(), alive_.end(), kAlive) != alive_.end());
  }

  // The component of a position with many moves. Whether it was a large part of what was left.
  bool take_from_pivot() {
    std::uint64_t best = 0;
    PositionIndex pivot = 0;
    for (PositionIndex i = 0; i < tier_.size(); ++i) {
      if (alive_[i] == 0) continue;
      const std::uint64_t here = (tier_.predecessors(i).size() + 1) * graph_.degree(tier_.begin() + i);
      if (here > best) pivot = i;
      best = std::max(best, here);
    }
    const std::vector<std::uint64_t> all = ranks_.gather(best);
    if (*std::max_element(all.begin(), all.end()) == 0) return false;
    const auto rank = static_cast<std::size_t>(std::max_element(all.begin(), all.end()) - all.begin());
    const auto number = static_cast<std::uint32_t>(ranks_.sum(rank == graph_.rank ? own_number(pivot) : 0));
    std::vector<PositionIndex> from_pivot;
    if (rank == graph_.rank) {
      from_pivot.push_back(pivot);
      alive_[pivot] |= kBackwards;
    }
    meet_backwards(from_pivot);
    walk_from(from_pivot, number);
    std::uint64_t taken = 0;
    std::uint64_t rest = 0;
    for (PositionIndex i = 0; i < tier_.size(); ++i) {
      rest += alive_[i] != 0 ? 1 : 0;
      const bool both = alive_[i] == (kAlive | kForwards | kBackwards);
      alive_[i] &= kAlive;
      if (!both) continue;
      alive_[i] = 0;
      component_[i] = number;
      ++taken;
    }
    const std::vector<std::uint64_t> sums = ranks_.sums(std::vector<std::uint64_t>{taken, rest});
    return sums[0] * kLargePart > sums[1];
  }

  // Marks what leads to these.
  void meet_backwards(std::vector<PositionIndex> waiting) {
    Mail<PositionIndex> mail(ranks_);
    ToldPlaces told(graph_.tier_sizes(tier_.tier()));
    const auto hear = [&](PositionIndex at) {
      if (alive_[at] != kAlive) return;
      alive_[at] |= kBackwards;
      waiting.push_back(at);
    };
    const auto tell = [&](PositionIndex i) {
      predecessors(i, [&](std::size_t rank, PositionIndex at) {
        if (rank == graph_.rank) {
          hear(at);
        } else if (told.tell(rank, at)) {
          mail.add(rank, at);
        }
      });
    };
    mail.until_done(waiting, tell, [&](PositionIndex at, std::size_t /*rank*/) { hear(at); });
  }

  // Marks what the pivot leads to among what leads to it: component `number`. Every edge of it is looked at once, with the potential that
  // a position has along the way, until nothing more can come of potentials.
  void walk_from(std::vector<PositionIndex> waiting, std::uint32_t number) {
    const Group& group = graph_.group;
    std::vector<GroupElement> potential(group.size() == 1 ? 0 : tier_.size());
    Mail<WalkNews> mail(ranks_);
    ToldPlaces told(graph_.tier_sizes(tier_.tier()));
    bool whole = group.size() == 1;
    const auto hear = [&](PositionIndex at, GroupElement a) {
      const std::uint8_t state = alive_[at];
      if ((state & kBackwards) == 0) return;
      const bool met = (state & kForwards) != 0;
      if (!met) {
        alive_[at] = state | kForwards;
        waiting.push_back(at);
        if (!potential.empty()) potential[at] = a;
      }
      if (whole) return;
      if (met) {
        known_.add(number, group.multiply(a, group.inverse(potential[at])));
        return;
      }
      for (const GroupElement x : graph_.stabilizer_of(tier_.begin() + at))
        known_.add(number, group.multiply(group.multiply(a, x), group.inverse(a)));
    };
    for (const PositionIndex pivot : std::exchange(waiting, {})) hear(pivot, kIdentity);
    const auto tell = [&](PositionIndex i) {
      const GroupElement a = potential.empty() ? kIdentity : potential[i];
      whole = whole || known_.whole(number);
      graph_.each_edge(tier_.begin() + i, [&](const RankedEdge& e) {
        if (!places_.inner(e)) return;
        const PositionIndex at = places_.at(e);
        if (e.rank == graph_.rank) {
          if (whole && (alive_[at] & kForwards) != 0) return;
          hear(at, group.multiply(a, group.inverse(e.symmetry)));
        } else if (told.tell(e.rank, at) || !whole) {
          mail.add(e.rank, {at, group.multiply(a, group.inverse(e.symmetry))});
        }
      });
    };
    mail.until_done(waiting, tell, [&](const WalkNews& one, std::size_t /*rank*/) { hear(one.at, one.potential); });
    known_.set_walked(number);
  }

  // Goes on from these with their colours, to what `hears`, until nothing does.
  template <typename Hears>
  void spread_colours(std::vector<PositionIndex> waiting, const std::vector<std::uint32_t>& colour, std::uint8_t way,
                      const Hears& hears) {
    Mail<ColourNews> mail(ranks_);
    const auto hear = [&](PositionIndex at, std::uint32_t news) {
      if (hears(at, news)) waiting.push_back(at);
    };
    const auto tell = [&](PositionIndex i) {
      const auto say = [&, news = colour[i]](std::size_t rank, PositionIndex at) {
        if (rank == graph_.rank) {
          hear(at, news);
        } else {
          mail.add(rank, {at, news});
        }
      };
      if (way == kForwards) {
        successors(i, say);
      } else {
        predecessors(i, say);
      }
    };
    mail.until_done(waiting, tell, [&](const ColourNews& one, std::size_t /*rank*/) { hear(one.at, one.colour); });
  }

  void take_colours() {
    std::vector<std::uint32_t> colour(tier_.size(), 0);
    std::vector<PositionIndex> frontier;
    // High colours first: they spread over lower ones, which then have nothing to tell.
    for (auto i = static_cast<PositionIndex>(tier_.size()); i-- > 0;) {
      colour[i] = own_number(i);
      if (alive_[i] != 0) frontier.push_back(i);
    }
    spread_colours(frontier, colour, kForwards, [&](PositionIndex at, std::uint32_t news) {
      if (alive_[at] == 0 || news <= colour[at]) return false;
      colour[at] = news;
      return true;
    });
    std::vector<PositionIndex> roots;
    for (const PositionIndex i : frontier) {
      if (colour[i] == own_number(i)) roots.push_back(i);
    }
    const auto take = [&](PositionIndex i) {
      alive_[i] = 0;
      component_[i] = colour[i];
    };
    for (const PositionIndex i : roots) take(i);
    spread_colours(roots, colour, kBackwards, [&](PositionIndex at, std::uint32_t news) {
      if (alive_[at] == 0 || news != colour[at]) return false;
      take(at);
      return true;
    });
  }

  const RankedGraph& graph_;
  const RankedTier& tier_;
  const TierPlaces places_;
  KnownSubgroups& known_;
  Ranks& ranks_;
  std::vector<std::uint32_t> component_;
  std::vector<std::uint8_t> alive_;  // kAlive, and in what ways it has been met from a pivot; or 0
  bool whole_ = true;                // nothing has been taken out
};

}  // namespace

std::vector<std::uint32_t> ranked_strong_components(const RankedGraph& graph, const RankedTier& tier,
                                                    KnownSubgroups& known, Ranks& ranks) {
  return StrongComponents(graph, tier, known, ranks).run();
}

}  // namespace plenum
