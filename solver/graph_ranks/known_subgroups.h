// SPDX-License-Identifier: Apache-2.0
// What a rank knows of the subgroups that closed walks in the components of a tier generate (solver/graph/components.h).
//
// Components are named by their roots. Header only. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include <absl/container/flat_hash_set.h>

#include "solver/graph/lifted_components.h"

namespace plenum {

class KnownSubgroups {
 public:
  explicit KnownSubgroups(const Group& group) : group_(group) {}
  KnownSubgroups(const KnownSubgroups&) = delete;
  KnownSubgroups& operator=(const KnownSubgroups&) = delete;
  void add(std::uint32_t component, GroupElement g) {
    if (g == kIdentity) return;
    if (last_ == nullptr || component != last_of_) {
      last_ = &known_.try_emplace(component, nullptr).first->second;
      if (*last_ == nullptr) *last_ = std::make_unique<Subgroup>(group_);
      last_of_ = component;
    }
    (*last_)->add(g);
  }
  bool whole(std::uint32_t component) const {
    if (last_ != nullptr && component == last_of_) return (*last_)->whole();
    const auto at = known_.find(component);
    return at != known_.end() && at->second->whole();
  }
  const auto& all() const { return known_; }
  // All edges of these have been looked at.
  void set_walked(std::uint32_t component) { walked_.insert(component); }
  bool walked(std::uint32_t component) const { return walked_.contains(component); }

 private:
  const Group& group_;
  // Nodes: `last_` outlives what is put in later.
  std::map<std::uint32_t, std::unique_ptr<Subgroup>> known_;
  std::unique_ptr<Subgroup>* last_ = nullptr;
  std::uint32_t last_of_ = 0;
  absl::flat_hash_set<std::uint32_t> walked_;
};

}  // namespace plenum
