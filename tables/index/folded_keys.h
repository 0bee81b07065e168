// SPDX-License-Identifier: Apache-2.0
// Keys of whole batches of positions, symmetric ones folded into one: what a transposition table is asked about.
//
// The folded key of a position is the least key among its images. For small groups all images of all positions of a batch are
// made at once by a rule program (an image of a set is a few shifts and masks; images are made of one another in the way
// that takes the fewest), for large ones position by position. It need not be the form that SymmetryGroup::canonical gives.
//
// Thread-safety: immutable; every thread brings a Scratch of its own.
// Cost: a few shifts and masks an image, and the least of the images.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tables/index/packing.h"
#include "variants/program/program.h"
#include "variants/rules/symmetry.h"
#include "variants/rules/variant.h"

namespace plenum {

class FoldedKeys {
 public:
  struct Scratch {
    Workspace work;
    std::vector<std::vector<std::uint64_t>> slices;
    std::vector<std::uint64_t> joined;
  };

  explicit FoldedKeys(const Variant& variant);

  const Packing& packing() const { return packing_; }

  // The folded keys of all positions of the batch, and plain ones from which they can be unpacked as they stand (where players
  // are exchanged, with first to move).
  template <std::size_t kWords>
  void fold(const PositionBatch& batch, Scratch& scratch, Key<kWords>* folded, Key<kWords>* plain) const {
    for (std::size_t begin = 0; begin < batch.size; begin += kLanes)
      fold(batch, begin, std::min(kLanes, batch.size - begin), scratch, folded + begin, plain + begin);
  }

 private:
  static constexpr std::size_t kMostImages = 16;  // of a position

  template <std::size_t kWords>
  void fold(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Scratch& scratch, Key<kWords>* folded,
            Key<kWords>* plain) const {
    if (!by_program_) {
      for (std::size_t k = 0; k < lanes; ++k) {
        Position p = batch.at(begin + k);
        if (p.mover == Player::second && exchange_ != kIdentity) p = symmetries_.apply(exchange_, p);
        plain[k] = packing_.pack<kWords>(p);
        symmetries_.canonicalize(p);
        folded[k] = packing_.pack<kWords>(p);
      }
      return;
    }
    run(batch, begin, lanes, scratch);
    const std::size_t plain_images = exchanged_from_ == 0 ? images_ : exchanged_from_;
    fold_lanes<kWords>(0, plain_images, lanes, scratch, folded, plain);
    if (exchanged_from_ > 0) {
      std::array<Key<kWords>, kLanes> folded_second;
      std::array<Key<kWords>, kLanes> plain_second;
      fold_lanes<kWords>(exchanged_from_, images_, lanes, scratch, folded_second.data(), plain_second.data());
      for (std::size_t k = 0; k < lanes; ++k) {
        if (batch.mover_is_first[begin + k] != 0) continue;
        folded[k] = folded_second[k];
        plain[k] = plain_second[k];
      }
    }
    for (std::size_t k = 0; k < lanes; ++k) {
      packing_.add_state<kWords>(batch, begin + k, folded[k]);
      packing_.add_state<kWords>(batch, begin + k, plain[k]);
    }
  }

  // The first of some images, and the least.
  template <std::size_t kWords>
  void fold_lanes(std::size_t from, std::size_t to, std::size_t lanes, const Scratch& scratch, Key<kWords>* folded,
                  Key<kWords>* plain) const {
    if (joined_) {
      const std::uint64_t* const first = scratch.slices[from].data();
      for (std::size_t k = 0; k < lanes; ++k) plain[k] = {first[k]};
      std::copy(plain, plain + lanes, folded);
      for (std::size_t i = from + 1; i < to; ++i) {
        const std::uint64_t* const images = scratch.slices[i].data();
        for (std::size_t k = 0; k < lanes; ++k) folded[k][0] = std::min(folded[k][0], images[k]);
      }
      return;
    }
    const auto slices = static_cast<std::size_t>(packing_.slices());
    const auto image = [&](std::size_t i, std::size_t lane) {
      return packing_.join<kWords>(slices, [&](std::size_t slice) { return scratch.slices[i * slices + slice][lane]; });
    };
    for (std::size_t k = 0; k < lanes; ++k) {
      plain[k] = image(from, k);
      folded[k] = plain[k];
      for (std::size_t i = from + 1; i < to; ++i) folded[k] = std::min(folded[k], image(i, k));
    }
  }

  void run(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Scratch& scratch) const;

  Packing packing_;
  const SymmetryGroup& symmetries_;
  GroupElement exchange_ = kIdentity;  // one that exchanges the players
  bool by_program_ = false;
  bool joined_ = false;                   // all slices fit a word: they are permuted as one set of cells
  Program program_;                       // every image: its slices, or all of them joined
  std::vector<std::vector<int>> planes_;  // by slice: the planes whose cells have its bit
  std::size_t images_ = 1;
  std::size_t exchanged_from_ = 0;  // the first image for positions with second to move; 0: the same as for first
};

}  // namespace plenum
