// SPDX-License-Identifier: Apache-2.0
// Turns edges round: from rows by source to rows by target, with hardly more memory than they take.
//
// Sources come in slabs, targets in parts. At first each edge goes to the region of its target's part, written as one number: the
// source's place in its slab, the target's in its part, and the symmetry. Within a part edges stay in the order of
// their sources, so that how many each slab gave says what slab an edge is of. What has been read can be given back meanwhile.
// Then each part is put in order by itself, row by row, in the place where it is. Rows ascend.
//
// Header only: templates over what is asked for edges. Thread-safety: a turn uses all cores; the result does not depend on their number.
// Source: partitioned counting sort. Cost: about 8 ns an edge; at most 4 bytes a position, and held_twice() edges.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/support/parallel.h"
#include "tables/position_graph.h"

namespace plenum {

// Where edges are written: with the symmetry below where they lead, or beside it.
struct EdgeArray {
  std::uint32_t* edge = nullptr;
  GroupElement* symmetry = nullptr;
};

// How edges are cut into slabs and parts: few enough that their counts are small, so many that some of them take little memory.
class EdgeTurnShape {
 public:
  // Numbers of sources and targets below 2^(32 - symmetry_bits).
  EdgeTurnShape(std::size_t sources, std::size_t targets, int symmetry_bits)
      : sources_(sources),
        targets_(targets),
        target_bits_(std::min(most_target_bits(symmetry_bits), bits_for(targets, kLeastParts))),
        source_bits_(std::min(32 - symmetry_bits - most_target_bits(symmetry_bits), bits_for(sources, kLeastSlabs))) {}

  std::size_t slabs() const { return (sources_ + slab_size() - 1) >> source_bits_; }
  std::size_t parts() const { return (targets_ + part_size() - 1) >> target_bits_; }
  std::size_t slab_size() const { return std::size_t{1} << source_bits_; }
  std::size_t part_size() const { return std::size_t{1} << target_bits_; }
  std::size_t slab_end(std::size_t slab) const { return std::min(sources_, (slab + 1) << source_bits_); }
  std::size_t part_end(std::size_t part) const { return std::min(targets_, (part + 1) << target_bits_); }
  // How many of so many edges are held twice at a time, if slabs and parts have about as many each.
  std::uint64_t held_twice(EdgeIndex edges, std::size_t threads) const {
    const auto share = [](std::size_t some, std::size_t of) {
      return of <= some ? 1.0 : static_cast<double>(some) / static_cast<double>(of);
    };
    return static_cast<std::uint64_t>(static_cast<double>(edges) *
                                      std::max(share(kAtATime, slabs()), share(threads, parts())));
  }

  static constexpr std::size_t kAtATime = 16;  // slabs or parts between which memory is given back

 protected:
  const std::size_t sources_;
  const std::size_t targets_;
  const int target_bits_;
  const int source_bits_;

 private:
  static constexpr int kPartBits = 14;
  static constexpr int kLeastSlabBits = 12;
  static constexpr int kLeastBits = 6;
  static constexpr int kLeastParts = 7;  // as powers of two, above and below this many
  static constexpr int kLeastSlabs = 8;
  static int most_target_bits(int symmetry_bits) {
    return std::max((32 - symmetry_bits) / 2, std::min(kPartBits, 32 - symmetry_bits - kLeastSlabBits));
  }
  static int bits_for(std::size_t n, int pieces) {
    return std::max(kLeastBits, static_cast<int>(std::bit_width(n)) - pieces);
  }
};

class EdgeTurn : public EdgeTurnShape {
 public:
  EdgeTurn(std::size_t sources, std::size_t targets, int symmetry_bits)
      : EdgeTurnShape(sources, targets, symmetry_bits), symmetry_bits_(symmetry_bits), count_(slabs() * parts()) {}

  // each(slab, visit) calls visit(source, target, symmetry) for the edges of the slab, in order, and does so again in spread().
  template <typename Each>
  void count(const Each& each) {
    for_each_index(slabs(), [&](std::size_t slab) {
      std::uint32_t* const of = count_.data() + slab * parts();
      each(slab, [&](std::size_t, std::size_t target, GroupElement) { ++of[target >> target_bits_]; });
    });
  }
  EdgeIndex in_part(std::size_t part) const {
    EdgeIndex sum = 0;
    for (std::size_t slab = 0; slab < slabs(); ++slab) sum += count_[slab * parts() + part];
    return sum;
  }
  EdgeIndex in_slab(std::size_t slab) const {
    EdgeIndex sum = 0;
    for (std::size_t part = 0; part < parts(); ++part) sum += count_[slab * parts() + part];
    return sum;
  }

  // `base[part]` is where its region begins. done(slab) hears that the edges of all slabs below are needed no more.
  template <typename Each, typename Done>
  void spread(const std::vector<EdgeIndex>& base, EdgeArray out, const Each& each, const Done& done) {
    std::vector<EdgeIndex> next(base.begin(), base.begin() + static_cast<std::ptrdiff_t>(parts()));
    std::vector<EdgeIndex> to;
    for (std::size_t begin = 0; begin < slabs(); begin += kAtATime) {
      const std::size_t slabs_now = std::min(kAtATime, slabs() - begin);
      to.resize(slabs_now * parts());
      for (std::size_t k = 0; k < slabs_now; ++k) {
        for (std::size_t part = 0; part < parts(); ++part) {
          to[k * parts() + part] = next[part];
          next[part] += count_[(begin + k) * parts() + part];
        }
      }
      for_each_index(slabs_now, [&](std::size_t k) {
        EdgeIndex* const at = to.data() + k * parts();
        each(begin + k, [&](std::size_t source, std::size_t target, GroupElement symmetry) {
          const EdgeIndex here = at[target >> target_bits_]++;
          const std::size_t places = (source & (slab_size() - 1)) << target_bits_ | (target & (part_size() - 1));
          out.edge[here] = static_cast<std::uint32_t>(places << symmetry_bits_);
          if (out.symmetry != nullptr) {
            out.symmetry[here] = symmetry;
          } else {
            out.edge[here] |= symmetry;
          }
        });
      });
      done(begin + slabs_now);
    }
  }

  // Puts the edges of a part in order, which spread() has put at `base`. begin_rows(in_row) is told how many edges each target of the
  // part has, and makes of this where its row begins; an edge is then written as its source plus `first_source`.
  template <typename BeginRows>
  void arrange(std::size_t part, EdgeIndex base, EdgeArray out, PositionIndex first_source,
               const BeginRows& begin_rows) {
    const EdgeIndex size = in_part(part);
    const std::vector<std::uint32_t> came(out.edge + base, out.edge + base + size);
    std::vector<GroupElement> symmetry;
    if (out.symmetry != nullptr) symmetry.assign(out.symmetry + base, out.symmetry + base + size);
    const auto target_mask = static_cast<std::uint32_t>(part_size() - 1);
    const std::uint32_t symmetry_mask = (std::uint32_t{1} << symmetry_bits_) - 1;
    std::vector<EdgeIndex> row(part_end(part) - (part << target_bits_), 0);
    for (const std::uint32_t entry : came) ++row[entry >> symmetry_bits_ & target_mask];
    begin_rows(row);
    EdgeIndex e = 0;
    for (std::size_t slab = 0; slab < slabs(); ++slab) {
      const auto first = static_cast<PositionIndex>(first_source + (slab << source_bits_));
      for (const EdgeIndex end = e + count_[slab * parts() + part]; e < end; ++e) {
        const std::uint32_t entry = came[e];
        const EdgeIndex to = row[entry >> symmetry_bits_ & target_mask]++;
        const PositionIndex source = first + (entry >> (symmetry_bits_ + target_bits_));
        out.edge[to] = source << symmetry_bits_ | (entry & symmetry_mask);
        if (out.symmetry != nullptr) out.symmetry[to] = symmetry[e];
      }
    }
  }

 private:
  const int symmetry_bits_;
  std::vector<std::uint32_t> count_;  // by slab and part
};

}  // namespace plenum
