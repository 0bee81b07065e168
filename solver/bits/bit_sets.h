// SPDX-License-Identifier: Apache-2.0
// Sets of occupied cells up to symmetry, those with so many cells at a time, in an order that lets the sets with one cell more go early.
//
// The cells have places in a word: those that symmetries move least are the highest. A set seen so is its key, and of a class of sets
// the one with the least key stands for all. A class with a cell more has a greater key than that which it comes from, since that holds
// for every image. So who works through the classes with k cells by rising keys, reading those with k + 1 cells, reads only classes
// whose keys are greater than that at hand: what is below is needed no more. With as many done of the one as are let go of the other,
// there is never much more in memory than the larger of the two takes: on square:5x5 at most 5.6 % more.
//
//     const BitSets sets(variant, start);
//     const BitSets::Tier tier = sets.tier(3);
//     tier.set(tier.number(occupied)) == sets.apply(tier.to_class(occupied), occupied)
//
// Thread-safety: immutable. Cost: 6 bytes a set of a tier, 12 a class; a look-up is three reads.
// Source: the order is that of initial segments in the theorem of Kruskal and Katona; ranks by binomials (Knuth, TAOCP 4A, 7.2.1.3).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tables/index/dense_index.h"

namespace plenum {

class BitSets {
 public:
  static constexpr std::uint32_t kNoClass = ~std::uint32_t{0};

  // Of all sets that the start's may grow to, up to the symmetries that leave the start as it is; players are not exchanged.
  BitSets(const Variant& variant, const Position& start);

  class Tier {
   public:
    Tier() = default;
    int cells() const { return cells_; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(classes_.size()); }  // classes
    CellSet set(std::uint32_t number) const { return classes_[number].set; }
    std::uint32_t sets(std::uint32_t number) const { return classes_[number].sets; }  // of the class
    // Of a set that is among them.
    std::uint32_t number(CellSet set) const { return number_[rank(set)]; }
    GroupElement to_class(CellSet set) const { return element_[rank(set)]; }
    // Of these classes, with a cell more than those of `smaller`: the first that is needed for its classes from `number` on.
    std::uint32_t first_needed(const Tier& smaller, std::uint32_t number) const;

   private:
    friend class BitSets;
    struct Class {
      std::uint32_t set = 0;
      std::uint32_t key = 0;
      std::uint32_t sets = 0;
    };
    std::size_t rank(CellSet set) const { return (*low_)[set & kLowSets] + high_[set >> kLowCells]; }
    int cells_ = -1;
    std::vector<Class> classes_;  // by rising keys
    const std::vector<std::uint32_t>* low_ = nullptr;
    std::vector<std::uint32_t> high_;    // by the high cells of a set
    std::vector<std::uint32_t> number_;  // by rank
    std::vector<GroupElement> element_;
  };

  Tier tier(int cells) const;
  std::uint64_t classes(int cells) const;  // without making the tier
  CellSet apply(GroupElement g, CellSet set) const { return symmetries_.apply(g, set); }
  const std::vector<GroupElement>& plain() const { return plain_; }
  std::uint64_t bytes(int cells) const;  // of a tier

 private:
  static constexpr int kLowCells = 13;
  static constexpr CellSet kLowSets = (CellSet{1} << kLowCells) - 1;
  void order_cells(const Variant& variant);

  SymmetryGroup symmetries_;
  std::vector<GroupElement> plain_;
  int cells_;
  CellSet kept_;
  std::array<std::vector<std::uint32_t>, 2> set_of_key_;  // by the low places, and by the high
  std::vector<std::uint32_t> low_;                        // ranks of sets of low cells
  std::vector<std::uint64_t> classes_;                    // by cells
};

}  // namespace plenum
