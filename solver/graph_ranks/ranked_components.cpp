// SPDX-License-Identifier: Apache-2.0
#include "solver/graph_ranks/ranked_components.h"

#include <algorithm>
#include <map>
#include <memory>

#include <absl/container/flat_hash_map.h>

#include "solver/graph_ranks/mail.h"

namespace plenum {
namespace {

#pragma pack(push, 1)
// Along an edge inside a component one arrives at a position with this potential.
struct PotentialNews {
  PositionIndex at;
  std::uint32_t component;
  GroupElement potential;
};
struct GeneratorNews {
  PositionIndex root;
  GroupElement element;
};
struct MemberNews {
  PositionIndex root;
  std::uint64_t members;
  std::uint64_t shares;  // the sum of |group| / |stabilizer|
};
#pragma pack(pop)

// Walks from the roots of all components of a tier that have not been walked through, at the same time.
void walk_components(const RankedGraph& graph, const RankedTier& tier, std::span<const std::uint32_t> component,
                     KnownSubgroups& known, Ranks& ranks) {
  const Group& group = graph.group;
  if (group.size() == 1) return;
  struct Walked {
    std::uint32_t component;
    GroupElement potential = kIdentity;
    bool placed = false;
  };
  std::vector<Walked> walked(tier.size());  // side by side: a look at one misses the caches
  for (PositionIndex i = 0; i < tier.size(); ++i) walked[i].component = component[i];
  std::vector<PositionIndex> waiting;
  const auto hear = [&](PositionIndex at, std::uint32_t of, GroupElement a) {
    Walked& here = walked[at];
    if (here.component != of) return;
    if (here.placed) {
      known.add(of, group.multiply(a, group.inverse(here.potential)));
      return;
    }
    here.placed = true;
    here.potential = a;
    waiting.push_back(at);
    for (const GroupElement x : graph.stabilizer_of(tier.begin() + at))
      known.add(of, group.multiply(group.multiply(a, x), group.inverse(a)));
  };
  for (PositionIndex i = 0; i < tier.size(); ++i) {
    if (component[i] == tier.source({graph.rank, i}) && !known.walked(component[i])) hear(i, component[i], kIdentity);
  }
  Mail<PotentialNews> mail(ranks);
  const TierPlaces places(graph, tier.tier());
  const auto tell = [&](PositionIndex i) {
    const std::uint32_t of = component[i];
    if (known.whole(of)) return;  // nothing more can come of it
    graph.each_edge(tier.begin() + i, [&, here = walked[i].potential](const RankedEdge& e) {
      if (!places.inner(e)) return;
      const GroupElement a = group.multiply(here, group.inverse(e.symmetry));
      if (e.rank == graph.rank) {
        hear(places.at(e), of, a);
      } else {
        mail.add(e.rank, {places.at(e), of, a});
      }
    });
  };
  const auto heard = [&](const PotentialNews& one, std::size_t /*rank*/) {
    hear(one.at, one.component, one.potential);
  };
  mail.until_done(waiting, tell, heard);
}

bool leads_to_itself(const RankedGraph& graph, PositionIndex p) {
  bool out = false;
  graph.each_edge(p, [&](const RankedEdge& e) { out = out || (e.rank == graph.rank && e.place == p); });
  return out;
}

}  // namespace

RankedLargest RankedComponents::add(const RankedTier& tier, std::vector<std::uint32_t>& component) {
  component.clear();
  if (tier.acyclic()) return {};
  KnownSubgroups known(graph_.group);
  component = ranked_strong_components(graph_, tier, known, ranks_);
  struct Members {
    std::uint64_t members = 0;
    std::uint64_t shares = 0;
  };
  absl::flat_hash_map<std::uint32_t, Members> counted;
  for (PositionIndex i = 0; i < tier.size(); ++i) {
    if (component[i] == kAlone) continue;
    Members& of = counted[component[i]];
    ++of.members;
    of.shares += graph_.group.size() / graph_.stabilizer_of(tier.begin() + i).size();
  }
  Mail<MemberNews> members(ranks_);
  for (const auto& [root, of] : counted) {
    const RankedTier::Member at = tier.member(root);
    members.add(at.rank, {at.at, of.members, of.shares});
  }
  Mail<GeneratorNews> generators(ranks_);
  walk_components(graph_, tier, component, known, ranks_);
  for (const auto& [root, subgroup] : known.all()) {
    const RankedTier::Member at = tier.member(root);
    for (const GroupElement g : subgroup->generators()) generators.add(at.rank, {at.at, g});
  }
  std::map<PositionIndex, Members> own;  // by root
  for (const auto& letters : members.exchange()) {
    for (std::size_t k = 0; k < letters.size(); ++k) {
      const MemberNews one = letters[k];
      own[one.root].members += one.members;
      own[one.root].shares += one.shares;
    }
  }
  std::map<PositionIndex, std::vector<GroupElement>> generated;
  for (const auto& letters : generators.exchange()) {
    for (std::size_t k = 0; k < letters.size(); ++k) {
      const GeneratorNews one = letters[k];
      generated[one.root].push_back(one.element);
    }
  }
  RankedLargest largest;
  Subgroup subgroup(graph_.group);
  for (const auto& [at, of] : own) {
    const PositionIndex root = tier.begin() + at;
    if (of.members == 1 && !leads_to_itself(graph_, root)) continue;
    subgroup.clear();
    if (const auto found = generated.find(at); found != generated.end()) {
      for (const GroupElement g : found->second) subgroup.add(g);
    }
    const std::uint64_t size = of.shares * subgroup.size() / graph_.group.size();
    const std::uint64_t count = lifts_.elements(root) / subgroup.size();
    own_.count += count;
    own_.largest = std::max(own_.largest, size);
    own_.positions += count * size;
    own_.sizes[size] += count;
    if (of.members > largest.size) largest = {of.members, graph_.rank, root};
  }
  Parcel told;
  put(told, largest);
  for (const Parcel& parcel : ranks_.gather(told)) {
    const auto one = ParcelReader(parcel).get<RankedLargest>();
    if (one.size > largest.size) largest = one;
  }
  return largest;
}

Components RankedComponents::all() const {
  Parcel bytes;
  put(bytes, own_.count);
  put(bytes, own_.largest);
  put(bytes, own_.positions);
  for (const auto& [size, count] : own_.sizes) {
    put(bytes, size);
    put(bytes, count);
  }
  Components out;
  for (const Parcel& parcel : ranks_.gather(bytes)) {
    ParcelReader reader(parcel);
    out.count += reader.get<std::uint64_t>();
    out.largest = std::max(out.largest, reader.get<std::uint64_t>());
    out.positions += reader.get<std::uint64_t>();
    while (!reader.empty()) {
      const auto size = reader.get<std::uint64_t>();
      out.sizes[size] += reader.get<std::uint64_t>();
    }
  }
  return out;
}

}  // namespace plenum
