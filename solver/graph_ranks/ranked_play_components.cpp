// SPDX-License-Identifier: Apache-2.0
#include "solver/graph_ranks/ranked_play_components.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include <absl/container/flat_hash_map.h>

#include "solver/graph_ranks/ranked_components.h"
#include "solver/graph_ranks/ranked_system.h"

namespace plenum {
namespace {

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

// The equations of a component, as ranks have sent them.
class SentEdges : public InnerEdges {
 public:
  explicit SentEdges(std::uint64_t edges) { sources_.reserve(edges); }
  void add_row(std::span<const std::uint8_t> row) {
    const std::size_t before = sources_.size();
    sources_.resize(before + row.size() / sizeof(std::uint32_t));
    if (!row.empty()) std::memcpy(sources_.data() + before, row.data(), row.size());
    lengths_.push_back(static_cast<std::uint32_t>(row.size() / sizeof(std::uint32_t)));
  }
  void end() { first_ = RowOffsets::of_lengths(lengths_); }

 private:
  std::vector<std::uint32_t> lengths_;
};

class ComponentPlay {
 public:
  ComponentPlay(const RankedGraph& graph, RankedTier& tier, std::span<const std::uint32_t> component,
                std::span<const std::uint32_t> degree, std::span<ByParity> arrivals, Ranks& ranks)
      : graph_(graph), tier_(tier), ranks_(ranks), n_(tier.size()), degree_(degree), arrivals_(arrivals) {
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

  // A level's: by rank that solves them, the largest first and to whom has least.
  void solve_groups(std::vector<std::uint32_t> level) {
    std::sort(level.begin(), level.end(), [&](std::uint32_t a, std::uint32_t b) {
      return groups_[a].size != groups_[b].size ? groups_[a].size > groups_[b].size : a < b;
    });
    std::vector<std::vector<std::uint32_t>> of_rank(graph_.ranks());
    std::vector<std::uint64_t> load(graph_.ranks(), 0);
    for (const std::uint32_t g : level) {
      const auto least = static_cast<std::size_t>(std::min_element(load.begin(), load.end()) - load.begin());
      of_rank[least].push_back(g);
      load[least] += groups_[g].size;
    }
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
        for (std::uint64_t members = 0; next[r] < of_rank[r].size() && members < kMembersARound; ++next[r]) {
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
  }

  void send(PositionIndex i, Parcel& to) const {
    sent_.clear();
    for (const std::uint32_t p : system_->sources(i)) {
      if (!crosses(p, i)) sent_.push_back(member_[p]);
    }
    put(to, degree_[i]);
    put(to, arrivals_[i]);
    put(to, static_cast<std::uint32_t>(sent_.size()));
    put(to, std::span<const std::uint32_t>(sent_));
  }

  void solve(Group& group, std::vector<ParcelReader>& readers, Mail<ByParity>& flows) {
    std::vector<std::uint32_t> degree;
    std::vector<ByParity> flow;
    std::uint64_t bytes = 0;
    for (const ParcelReader& reader : readers) bytes += reader.left();
    SentEdges edges(bytes / sizeof(std::uint32_t));  // no more than that; what is not written to takes no memory
    bool idle = true;
    for (std::size_t r = 0; r < readers.size(); ++r) {
      for (std::uint32_t left = group.of_rank[r]; left > 0; --left) {
        degree.push_back(readers[r].get<std::uint32_t>());
        flow.push_back(readers[r].get<ByParity>());
        const auto sources = readers[r].get<std::uint32_t>();
        edges.add_row(readers[r].bytes(sources * sizeof(std::uint32_t)));
        idle = idle && flow.back().even == 0 && flow.back().odd == 0;
      }
    }
    if (!idle) {
      edges.end();
      group.error = solve_visits(edges, degree, flow);
    }
    auto next = flow.begin();
    for (std::size_t r = 0; r < readers.size(); ++r) {
      for (std::uint32_t left = group.of_rank[r]; left > 0; --left) flows.add(r, *next++);
    }
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
  std::unique_ptr<RankedSystem> system_;
  // By number in the system: of all that lead to own positions.
  std::vector<std::uint32_t> least_;   // of the component's members
  std::vector<std::uint32_t> member_;  // which of them
  std::vector<std::uint32_t> level_;
  std::vector<ByParity> flow_;
  std::vector<Group> groups_;                                 // by least member
  absl::flat_hash_map<std::uint32_t, std::uint32_t> number_;  // of a group, by component
  std::vector<std::uint32_t> crossing_;
  mutable std::vector<std::uint32_t> sent_;
};

}  // namespace

std::vector<std::uint64_t> play_components(const RankedGraph& graph, RankedTier& tier,
                                           std::span<const std::uint32_t> component,
                                           std::span<const std::uint32_t> degree, std::span<ByParity> arrivals,
                                           double& error, Ranks& ranks) {
  return ComponentPlay(graph, tier, component, degree, arrivals, ranks).run(error);
}

}  // namespace plenum
