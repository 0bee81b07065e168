// SPDX-License-Identifier: Apache-2.0
#include "solver/graph_ranks/ranked_play_components.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <absl/container/flat_hash_map.h>

#include "solver/graph_ranks/ranked_components.h"
#include "solver/graph_ranks/ranked_system.h"
#include "solver/graph_ranks/tier_shares.h"
#include "solver/support/memory.h"

namespace plenum {
namespace {

constexpr std::uint64_t kWorkOfMember = 4;     // of an equation, besides what leads to the member, in edges
constexpr std::size_t kManyMembers = 100'000;  // of a rank in a tier: what was held is given back to the system at once
constexpr std::uint64_t kMembersARound = std::uint64_t{1}
                                         << 17;  // that a rank solves at a time, unless one component has more

#pragma pack(push, 1)
struct OwnMembers {
  std::uint32_t component;
  std::uint32_t least;  // in the tier
  std::uint32_t count;
};
struct Raise {
  std::uint32_t group;
  std::uint32_t level;
};
#pragma pack(pop)

// The equations of a component, or of a run of its members.
class Equations : public InnerEdges {
 public:
  // No more edges than that; what is not written to takes no memory.
  explicit Equations(std::uint64_t edges) { sources_.reserve(edges); }
  void add(std::uint32_t degree, const ByParity& arrives, std::span<const std::uint8_t> sources) {
    const std::size_t before = sources_.size();
    sources_.resize(before + sources.size() / sizeof(std::uint32_t));
    if (!sources.empty()) std::memcpy(sources_.data() + before, sources.data(), sources.size());
    lengths_.push_back(static_cast<std::uint32_t>(sources.size() / sizeof(std::uint32_t)));
    degree_.push_back(degree);
    flow_.push_back(arrives);
    idle_ = idle_ && arrives.even == 0 && arrives.odd == 0;
  }
  // As another rank sent it.
  void add(ParcelReader& reader) {
    const auto degree = reader.get<std::uint32_t>();
    const auto arrives = reader.get<ByParity>();
    const auto sources = reader.get<std::uint32_t>();
    add(degree, arrives, reader.bytes(sources * sizeof(std::uint32_t)));
  }
  // Whether nothing arrives.
  bool idle() const { return idle_; }
  std::span<const ByParity> flow() const { return flow_; }
  // The bound on the error.
  double solve() {
    first_ = RowOffsets::of_lengths(lengths_);
    return solve_visits(*this, degree_, flow_);
  }
  // Collective: of so many members of each rank. As solve() of all of them; nothing, and no flow changed, where that takes one rank.
  template <typename Member>
  std::optional<double> solve_together(const std::vector<std::uint64_t>& sizes, const Member& member, Ranks& ranks) {
    first_ = RowOffsets::of_lengths(lengths_);
    RankedSystem system({&first_, sources_, sizes}, member, ranks);
    return solve_shared_visits(system, degree_, flow_);
  }

 private:
  std::vector<std::uint32_t> lengths_;
  std::vector<std::uint32_t> degree_;
  std::vector<ByParity> flow_;
  bool idle_ = true;
};

class ComponentPlay {
 public:
  ComponentPlay(const RankedGraph& graph, RankedTier& tier, std::span<const std::uint32_t> component,
                std::span<const std::uint32_t> degree, std::span<ByParity> arrivals, std::uint64_t least_shared,
                Ranks& ranks)
      : graph_(graph),
        tier_(tier),
        ranks_(ranks),
        n_(tier.size()),
        degree_(degree),
        arrivals_(arrivals),
        least_shared_(least_shared) {
    number_components(component);
    system_ = std::make_unique<RankedSystem>(graph, tier, ranks);
    for (auto* const values : {&least_, &member_, &level_}) {
      values->resize(system_->extended());
      system_->share(*values);
    }
    flow_.resize(system_->extended());
  }

  std::vector<std::uint64_t> run(double& error) {
    find_levels();
    std::uint32_t highest = 0;
    for (std::size_t i = 0; i < n_; ++i) highest = std::max(highest, level_[i]);
    highest = static_cast<std::uint32_t>(greatest(ranks_, highest));
    std::vector<std::vector<std::size_t>> at_level(highest + 1);  // live positions
    std::vector<std::vector<std::uint32_t>> groups(highest + 1);
    for (std::size_t i = 0; i < n_; ++i) {
      if (degree_[i] != 0) at_level[level_[i]].push_back(i);
    }
    for (std::uint32_t g = 0; g < groups_.size(); ++g) groups[groups_[g].level].push_back(g);
    for (std::uint32_t level = 0; level <= highest; ++level) {
      if (level != 0) system_->share(flow_);
      for (const std::size_t i : at_level[level]) take_crossing(i);
      for (const std::size_t i : at_level[level]) {
        if (group_of(i) != nullptr) continue;
        flow_[i] = {arrivals_[i].even / degree_[i], arrivals_[i].odd / degree_[i]};
      }
      solve_groups(groups[level]);
    }
    system_->share(flow_);
    for (std::size_t i = 0; i < n_; ++i) {
      if (degree_[i] == 0 && !graph_.ended(tier_.begin() + static_cast<PositionIndex>(i))) take_crossing(i);
      if (degree_[i] != 0) arrivals_[i] = flow_[i];
    }
    add_errors(error);
    std::vector<std::uint64_t> keys(n_);
    for (std::size_t i = 0; i < n_; ++i) keys[i] = key(i);
    return keys;
  }

 private:
  // A component that is not just a position without an edge to itself.
  struct Group {
    std::uint32_t component = 0;
    std::uint32_t least = ~std::uint32_t{0};
    std::uint32_t level = 0;
    std::uint64_t size = 0;
    std::vector<std::uint32_t> of_rank;  // how many members each has
    std::vector<PositionIndex> own;      // this rank's, by place in the tier
    double error = 0;
  };

  // Numbers all components, and their members in the order of the tier's numbers.
  void number_components(std::span<const std::uint32_t> component) {
    const auto before = static_cast<std::uint32_t>(graph_.before(graph_.rank, tier_.tier()));
    std::map<std::uint32_t, OwnMembers> own;
    least_.resize(n_);
    member_.assign(n_, 0);
    level_.assign(n_, 0);
    const auto grouped = [&](std::size_t i) { return component[i] != kAlone && degree_[i] != 0; };
    for (std::size_t i = 0; i < n_; ++i) {
      least_[i] = before + static_cast<std::uint32_t>(i);
      if (!grouped(i)) continue;
      ++own.try_emplace(component[i], OwnMembers{component[i], least_[i], 0}).first->second.count;
    }
    Parcel bytes;
    for (const auto& [ignored, of] : own) put(bytes, of);
    std::map<std::uint32_t, Group> all;
    const std::vector<Parcel> told = ranks_.gather(bytes);
    for (std::size_t r = 0; r < told.size(); ++r) {
      for (ParcelReader reader(told[r]); !reader.empty();) {
        const auto one = reader.get<OwnMembers>();
        Group& group = all[one.component];
        group.component = one.component;
        group.least = std::min(group.least, one.least);
        group.size += one.count;
        group.of_rank.resize(told.size(), 0);
        group.of_rank[r] = one.count;
      }
    }
    for (auto& [id, group] : all) groups_.push_back(std::move(group));
    std::sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) { return a.least < b.least; });
    absl::flat_hash_map<std::uint32_t, std::uint32_t> by_component;
    std::vector<std::uint32_t> next(groups_.size(), 0);  // member of this rank
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      by_component[groups_[g].component] = g;
      number_[groups_[g].least] = g;
      for (std::size_t r = 0; r < graph_.rank; ++r) next[g] += groups_[g].of_rank[r];
    }
    for (std::size_t i = 0; i < n_; ++i) {
      if (!grouped(i)) continue;
      const std::uint32_t g = by_component[component[i]];
      least_[i] = groups_[g].least;
      member_[i] = next[g]++;
      groups_[g].own.push_back(static_cast<PositionIndex>(i));
    }
  }
  Group* group_of(std::size_t i) {
    if (degree_[i] == 0) return nullptr;
    const auto at = number_.find(least_[i]);
    return at == number_.end() ? nullptr : &groups_[at->second];
  }
  std::uint64_t key(std::size_t i) const { return std::uint64_t{level_[i]} << 32 | least_[i]; }

  void find_levels() {
    std::vector<std::size_t> crossing;
    for (std::size_t i = 0; i < n_; ++i) {
      const auto sources = system_->sources(i);
      if (degree_[i] != 0 && std::any_of(sources.begin(), sources.end(), [&](auto p) { return crosses(p, i); }))
        crossing.push_back(i);
    }
    for (bool more = true; more;) {
      more = false;
      std::map<std::uint32_t, std::uint32_t> raised;
      for (const std::size_t i : crossing) {
        std::uint32_t level = level_[i];
        for (const std::uint32_t p : system_->sources(i)) {
          if (crosses(p, i)) level = std::max(level, level_[p] + 1);
        }
        if (level == level_[i]) continue;
        if (group_of(i) != nullptr) {
          std::uint32_t& of = raised[number_[least_[i]]];
          of = std::max(of, level);
        } else {
          level_[i] = level;
          more = true;
        }
      }
      Parcel bytes;
      for (const auto& [group, level] : raised) put(bytes, Raise{group, level});
      for (const Parcel& parcel : ranks_.gather(bytes)) {
        for (ParcelReader reader(parcel); !reader.empty();) {
          const auto one = reader.get<Raise>();
          if (one.level <= groups_[one.group].level) continue;
          groups_[one.group].level = one.level;
          for (const PositionIndex i : groups_[one.group].own) level_[i] = one.level;
          more = true;
        }
      }
      more = ranks_.any(more);
      if (more) system_->share(level_);
    }
  }
  bool crosses(std::uint32_t source, std::size_t i) const { return least_[source] != least_[i]; }

  // Adds what earlier components bring to own position i.
  void take_crossing(std::size_t i) {
    crossing_.clear();
    for (const std::uint32_t p : system_->sources(i)) {
      if (crosses(p, i) && (flow_[p].even != 0 || flow_[p].odd != 0)) crossing_.push_back(p);
    }
    // Sources stand in the order of their numbers.
    std::stable_sort(crossing_.begin(), crossing_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    for (const std::uint32_t p : crossing_) {
      arrivals_[i].even += flow_[p].odd;
      arrivals_[i].odd += flow_[p].even;
    }
  }

  // A level's. Those that are more than half of a rank's part of it are solved by all ranks, as long as there are any: each holds its part of
  // them, and the others can be dealt out evenly.
  void solve_groups(std::vector<std::uint32_t> level) {
    std::sort(level.begin(), level.end(), [&](std::uint32_t a, std::uint32_t b) {
      return groups_[a].size != groups_[b].size ? groups_[a].size > groups_[b].size : a < b;
    });
    std::uint64_t left = 0;
    for (const std::uint32_t g : level) left += groups_[g].size;
    std::vector<std::uint32_t> alone;
    bool shared = true;
    for (const std::uint32_t g : level) {
      const std::uint64_t size = groups_[g].size;
      shared = shared && size >= least_shared_ && 2 * size * graph_.ranks() > left;
      if (!shared || !solve_together(groups_[g])) alone.push_back(g);
      left -= size;
    }
    solve_alone(alone);
  }

  // By rank that solves them, the largest first and to whom has least.
  void solve_alone(const std::vector<std::uint32_t>& level) {
    std::vector<std::vector<std::uint32_t>> of_rank(graph_.ranks());
    std::vector<std::uint64_t> load(graph_.ranks(), 0);
    for (const std::uint32_t g : level) {
      const auto least = static_cast<std::size_t>(std::min_element(load.begin(), load.end()) - load.begin());
      of_rank[least].push_back(g);
      load[least] += groups_[g].size;
    }
    // A round takes as long as the rank with most: so none is shorter than the largest component.
    const std::uint64_t a_round = std::max(kMembersARound, level.empty() ? 0 : groups_[level.front()].size);
    std::vector<std::size_t> next(graph_.ranks(), 0);
    const auto is_done = [&] {
      for (std::size_t r = 0; r < graph_.ranks(); ++r) {
        if (next[r] < of_rank[r].size()) return false;
      }
      return true;
    };
    while (!is_done()) {
      std::vector<std::vector<std::uint32_t>> now(graph_.ranks());
      for (std::size_t r = 0; r < graph_.ranks(); ++r) {
        for (std::uint64_t members = 0; next[r] < of_rank[r].size() && members < a_round; ++next[r]) {
          now[r].push_back(of_rank[r][next[r]]);
          members += groups_[now[r].back()].size;
        }
      }
      solve_round(now);
    }
  }

  void solve_round(const std::vector<std::vector<std::uint32_t>>& now) {
    std::vector<Parcel> parcels(graph_.ranks());
    for (std::size_t r = 0; r < graph_.ranks(); ++r) {
      if (r == graph_.rank) continue;
      std::size_t most = 0;
      for (const std::uint32_t g : now[r]) {
        for (const PositionIndex i : groups_[g].own) most += 24 + system_->sources(i).size_bytes();
      }
      parcels[r].reserve(most);
      for (const std::uint32_t g : now[r]) {
        for (const PositionIndex i : groups_[g].own) send(i, parcels[r]);
      }
    }
    const std::vector<Parcel> came = ranks_.exchange(std::move(parcels));
    std::vector<ParcelReader> readers(came.begin(), came.end());
    Mail<ByParity> flows(ranks_);
    for (const std::uint32_t g : now[graph_.rank]) solve(groups_[g], readers, flows);
    const auto told = flows.exchange();
    for (std::size_t r = 0; r < graph_.ranks(); ++r) {
      std::size_t k = 0;
      for (const std::uint32_t g : now[r]) {
        for (const PositionIndex i : groups_[g].own) flow_[i] = told[r][k++];
      }
    }
    if (n_ > kManyMembers) release_free_memory();
  }

  // By all ranks: each has the equations of a run of members, most of them its own. False, with no flow changed, where the method does not
  // come to an end.
  bool solve_together(Group& group) {
    const std::size_t n = graph_.ranks();
    const auto work = [&](std::size_t k) { return kWorkOfMember + system_->sources(group.own[k]).size(); };
    const std::vector<std::uint64_t> end = run_ends(group.of_rank, kParallelGrain, work, ranks_);
    std::vector<std::uint64_t> sizes;
    for (std::size_t r = 0; r < n; ++r) sizes.push_back(end[r] - (r == 0 ? 0 : end[r - 1]));
    const auto owner = [&](std::uint32_t member) {
      return static_cast<std::size_t>(std::upper_bound(end.begin(), end.end(), member) - end.begin());
    };
    std::vector<Parcel> parcels(n);
    for (const PositionIndex i : group.own) {
      if (const std::size_t r = owner(member_[i]); r != graph_.rank) send(i, parcels[r]);
    }
    const std::vector<Parcel> came = ranks_.exchange(std::move(parcels));
    std::uint64_t bytes = own_bytes(group);
    for (const Parcel& parcel : came) bytes += parcel.size();
    Equations equations(bytes / sizeof(std::uint32_t));
    for (std::size_t r = 0; r < n; ++r) {
      for (ParcelReader reader(came[r]); !reader.empty();) equations.add(reader);
      if (r != graph_.rank) continue;
      for (const PositionIndex i : group.own) {
        if (owner(member_[i]) == r) add_own(i, equations);
      }
    }
    bool solved = true;
    if (ranks_.any(!equations.idle())) {
      const auto member = [&](std::uint32_t source) {
        const std::size_t r = owner(source);
        return RankedTier::Member{r, static_cast<PositionIndex>(source - (r == 0 ? 0 : end[r - 1]))};
      };
      const std::optional<double> error = equations.solve_together(sizes, member, ranks_);
      solved = error.has_value();
      group.error = error.value_or(0);
    }
    if (!solved) return false;
    Mail<ByParity> flows(ranks_);
    std::uint64_t at = graph_.rank == 0 ? 0 : end[graph_.rank - 1];
    std::size_t r = 0;
    std::uint64_t before = 0;
    for (const ByParity& flow : equations.flow()) {
      while (at >= before + group.of_rank[r]) before += group.of_rank[r++];
      flows.add(r, flow);
      ++at;
    }
    std::vector<std::size_t> next(n, 0);
    const auto told = flows.exchange();
    for (const PositionIndex i : group.own) {
      const std::size_t from = owner(member_[i]);
      flow_[i] = told[from][next[from]++];
    }
    if (n_ > kManyMembers) release_free_memory();
    return true;
  }

  // The members that lead to one of the same component.
  void list_inner(PositionIndex i) {
    inner_.clear();
    for (const std::uint32_t p : system_->sources(i)) {
      if (!crosses(p, i)) inner_.push_back(member_[p]);
    }
  }
  void send(PositionIndex i, Parcel& to) {
    list_inner(i);
    put(to, degree_[i]);
    put(to, arrivals_[i]);
    put(to, static_cast<std::uint32_t>(inner_.size()));
    put(to, std::span<const std::uint32_t>(inner_));
  }

  void add_own(PositionIndex i, Equations& to) {
    list_inner(i);
    to.add(degree_[i], arrivals_[i],
           {reinterpret_cast<const std::uint8_t*>(inner_.data()), inner_.size() * sizeof(inner_[0])});
  }

  void solve(Group& group, std::vector<ParcelReader>& readers, Mail<ByParity>& flows) {
    std::uint64_t bytes = own_bytes(group);
    for (const ParcelReader& reader : readers) bytes += reader.left();
    Equations equations(bytes / sizeof(std::uint32_t));
    for (std::size_t r = 0; r < readers.size(); ++r) {
      for (std::uint32_t k = 0; k < group.of_rank[r]; ++k) {
        if (r == graph_.rank) {
          add_own(group.own[k], equations);
        } else {
          equations.add(readers[r]);
        }
      }
    }
    if (!equations.idle()) group.error = equations.solve();
    auto next = equations.flow().begin();
    for (std::size_t r = 0; r < readers.size(); ++r) {
      for (std::uint32_t left = group.of_rank[r]; left > 0; --left) flows.add(r, *next++);
    }
  }
  std::uint64_t own_bytes(const Group& group) const {
    std::uint64_t out = 0;
    for (const PositionIndex i : group.own) out += system_->sources(i).size_bytes();
    return out;
  }

  void add_errors(double& error) {
    Parcel bytes;
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].error == 0) continue;
      put(bytes, g);
      put(bytes, groups_[g].error);
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> all;  // by level and first member
    for (const Parcel& parcel : ranks_.gather(bytes)) {
      for (ParcelReader reader(parcel); !reader.empty();) {
        const auto g = reader.get<std::uint32_t>();
        all[{groups_[g].level, groups_[g].least}] = reader.get<double>();
      }
    }
    for (const auto& [ignored, more] : all) error += more;
  }

  const RankedGraph& graph_;
  RankedTier& tier_;
  Ranks& ranks_;
  const std::size_t n_;
  const std::span<const std::uint32_t> degree_;
  const std::span<ByParity> arrivals_;
  const std::uint64_t least_shared_;
  std::unique_ptr<RankedSystem> system_;
  // By number in the system: of all that lead to own positions.
  std::vector<std::uint32_t> least_;   // of the component's members
  std::vector<std::uint32_t> member_;  // which of them
  std::vector<std::uint32_t> level_;
  std::vector<ByParity> flow_;
  std::vector<Group> groups_;                                 // by least member
  absl::flat_hash_map<std::uint32_t, std::uint32_t> number_;  // of a group, by component
  std::vector<std::uint32_t> crossing_;
  std::vector<std::uint32_t> inner_;
};

}  // namespace

std::vector<std::uint64_t> play_components(const RankedGraph& graph, RankedTier& tier,
                                           std::span<const std::uint32_t> component,
                                           std::span<const std::uint32_t> degree, std::span<ByParity> arrivals,
                                           double& error, std::uint64_t least_shared, Ranks& ranks) {
  return ComponentPlay(graph, tier, component, degree, arrivals, least_shared, ranks).run(error);
}

}  // namespace plenum
