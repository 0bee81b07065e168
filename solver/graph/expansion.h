// SPDX-License-Identifier: Apache-2.0
// The moves of a block of stored positions: all successors in canonical form, packed and sorted into bins by their hash.
//
//     Expander<kWords> expander(variant, packing, counts);
//     const absl::Status status = expander.expand(n, key_of, bins, bin_of_hash, observes, first, out);
//
// Header only: templates over the size of keys. Thread-safety: expand() from any thread, with an `out` of its own.
// Cost: some 150 ns a successor.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "solver/graph/observed_tiers.h"
#include "solver/support/object_pool.h"
#include "tables/index/packing.h"
#include "tables/index/sparse_index.h"
#include "variants/rules/variant.h"
#include "variants/text/status_macros.h"

namespace plenum {

inline constexpr std::size_t kExpandedTogether = kLanes;  // positions
inline constexpr std::int64_t kGoesOn = std::numeric_limits<std::int64_t>::min();

// What a block is worked out in; used again for another block in the next round. Successors are in the order of their parents and moves.
template <std::size_t kWords>
struct Expanded {
  std::vector<Key<kWords>> key;  // by successor
  std::vector<std::uint64_t> hash;
  std::vector<std::int64_t> margin;  // kGoesOn, or of an ended one
  std::size_t ended = 0;             // how many of these
  std::vector<GroupElement> symmetry;
  std::vector<std::uint32_t> by_bin;     // successors sorted by bin
  std::vector<std::uint32_t> bin_begin;  // bins + 1
  CountChanges changes;
  std::vector<std::pair<std::uint32_t, std::int64_t>>
      stuck;  // parents without a move, by place in the block, and their margins
  absl::Status status;

  std::size_t bytes() const {
    return key.capacity() * sizeof(Key<kWords>) + hash.capacity() * 8 + margin.capacity() * 8 + by_bin.capacity() * 4 +
           symmetry.capacity() * 2;
  }
};

template <std::size_t kWords>
class Expander {
 public:
  Expander(const Variant& variant, const Packing& packing, const StoneCounts& counts)
      : rules_(variant.rules()), symmetries_(variant.symmetries()), packing_(packing), counts_(counts) {}

  // Of `parents` positions, no more than kExpandedTogether, with the keys key_of(i). Adds up in first[i + 1], which is 0 at first, where the
  // successors of parent i end. `observes`: whether what moves do to the numbers of stones is noted.
  template <typename KeyOf, typename BinOfHash>
  absl::Status expand(std::size_t parents, const KeyOf& key_of, std::size_t bins, const BinOfHash& bin_of_hash,
                      bool observes, std::vector<std::uint32_t>& first, Expanded<kWords>& out) {
    const auto borrowed = locals_.borrow();
    Local& local = *borrowed;
    for (std::size_t i = 0; i < parents; ++i) local.parents.set(i, packing_.template unpack<kWords>(key_of(i)));
    local.parents.size = parents;
    RETURN_IF_ERROR(rules_.expand(local.parents, local.scratch));
    const Rules::Scratch& s = local.scratch;
    const std::size_t n = s.successors.size;
    // Counting sort by parent: expand() goes move by move.
    for (std::size_t i = 0; i < n; ++i) ++first[s.parent[i] + 1];
    for (std::size_t p = 0; p < parents; ++p) first[p + 1] += first[p];
    local.slot.assign(first.begin(), first.end() - 1);
    out.key.resize(n);
    out.hash.resize(n);
    out.margin.resize(n);
    out.by_bin.resize(n);
    out.symmetry.resize(n);
    out.bin_begin.assign(bins + 1, 0);
    out.ended = 0;
    for (std::size_t p = 0; observes && p < parents; ++p) local.counts[p] = counts_.of(local.parents.at(p));
    Position successor;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t at = local.slot[s.parent[i]]++;
      s.successors.read(i, successor);
      const GroupElement element = symmetries_.canonicalize(successor);
      if (observes) out.changes.add(StoneCounts::change(local.counts[s.parent[i]], counts_.of(successor)));
      out.key[at] = packing_.template pack<kWords>(successor);
      out.hash[at] = hash_key(out.key[at]);
      out.margin[at] = s.ended[i] != 0 ? s.margin[i] : kGoesOn;
      out.ended += s.ended[i] != 0 ? 1 : 0;
      out.symmetry[at] = element;
      ++out.bin_begin[bin_of_hash(out.hash[at]) + 1];
    }
    for (std::size_t k = 0; k < bins; ++k) out.bin_begin[k + 1] += out.bin_begin[k];
    local.slot.assign(out.bin_begin.begin(), out.bin_begin.end() - 1);
    for (std::size_t i = 0; i < n; ++i)
      out.by_bin[local.slot[bin_of_hash(out.hash[i])]++] = static_cast<std::uint32_t>(i);
    out.stuck.clear();
    for (std::size_t p = 0; p < parents; ++p) {
      if (first[p] != first[p + 1]) continue;
      ASSIGN_OR_RETURN(const MoverValue stuck, rules_.stuck(local.parents.at(p)));
      out.stuck.emplace_back(static_cast<std::uint32_t>(p), stuck.margin.units);
    }
    return absl::OkStatus();
  }

 private:
  // What one thread works with.
  struct Local {
    explicit Local(const Rules& rules) : parents(rules.batch()), scratch(rules) { parents.grow(kExpandedTogether); }
    PositionBatch parents;
    Rules::Scratch scratch;
    std::vector<std::uint32_t> slot;
    std::array<CountWord, kExpandedTogether> counts = {};  // of the parents
  };
  const Rules& rules_;
  const SymmetryGroup& symmetries_;
  const Packing& packing_;
  const StoneCounts& counts_;
  ObjectPool<Local> locals_{[this] { return std::make_unique<Local>(rules_); }};
};

}  // namespace plenum
