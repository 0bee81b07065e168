// SPDX-License-Identifier: Apache-2.0
#include "tables/index/folded_keys.h"

#include <limits>

#include "variants/board/shifts.h"

namespace plenum {
namespace {

// As a relation: the cells that a set's are carried to.
Relation carried_by(const std::vector<Cell>& permutation) {
  Relation out(permutation.size());
  for (std::size_t c = 0; c < permutation.size(); ++c) out[permutation[c]] = cell_bit(static_cast<Cell>(c));
  return out;
}

// Images of sets under some permutations, each made from an earlier one so that few shifts are needed in all (Prim).
class ImageMaker {
 public:
  ImageMaker(RuleGraph& graph, const std::vector<std::vector<Cell>>& permutations)
      : graph_(graph), permutations_(permutations) {
    const std::size_t n = permutations.size();
    std::vector<bool> done(n, false);
    std::vector<int> cost(n, std::numeric_limits<int>::max());
    steps_.resize(n);
    done[0] = true;  // the identity
    order_.push_back(0);
    for (std::size_t latest = 0; order_.size() < n;) {
      for (std::size_t k = 0; k < n; ++k) {
        if (done[k]) continue;
        std::vector<Cell> step(permutations[k].size());  // from the latest to this one
        for (std::size_t c = 0; c < step.size(); ++c) step[permutations[latest][c]] = permutations[k][c];
        const auto price = static_cast<int>(shifts_of(carried_by(step)).size());
        if (price < cost[k]) {
          cost[k] = price;
          steps_[k] = {latest, std::move(step)};
        }
      }
      std::size_t next = 0;
      for (std::size_t k = 1; k < n; ++k) {
        if (!done[k] && (next == 0 || cost[k] < cost[next])) next = k;
      }
      done[next] = true;
      order_.push_back(next);
      latest = next;
    }
  }

  // By permutation.
  std::vector<NodeId> images(NodeId set) {
    std::vector<NodeId> out(permutations_.size(), set);
    for (std::size_t i = 1; i < order_.size(); ++i) {
      const Step& step = steps_[order_[i]];
      out[order_[i]] = graph_.image(graph_.intern(carried_by(step.permutation)), out[step.from]);
    }
    return out;
  }

 private:
  struct Step {
    std::size_t from = 0;
    std::vector<Cell> permutation;
  };
  RuleGraph& graph_;
  const std::vector<std::vector<Cell>>& permutations_;
  std::vector<std::size_t> order_;
  std::vector<Step> steps_;
};

}  // namespace

FoldedKeys::FoldedKeys(const Variant& variant)
    : packing_(variant.rules(), !variant.symmetries().has_exchange()), symmetries_(variant.symmetries()) {
  const std::vector<Symmetry>& elements = symmetries_.elements();
  std::vector<std::vector<Cell>> plain;
  std::vector<std::vector<Cell>> exchanging;
  for (std::size_t g = 0; g < elements.size(); ++g) {
    (elements[g].exchange ? exchanging : plain).push_back(elements[g].permutation);
    if (elements[g].exchange) exchange_ = static_cast<GroupElement>(g);
  }
  by_program_ = plain.size() <= kMostImages && packing_.slices() > 0;
  if (!by_program_) return;
  // The exchange alone moves no stone: it costs the mover's bit, and the images are the same.
  const std::size_t identity = 0;
  const bool same =
      exchanging.empty() || std::find(exchanging.begin(), exchanging.end(), plain[identity]) != exchanging.end();
  std::vector<std::vector<Cell>> all = plain;
  if (!same) {
    exchanged_from_ = plain.size();
    all.insert(all.end(), exchanging.begin(), exchanging.end());
  }
  images_ = all.size();
  const int cells = variant.board().size();
  const int slices = packing_.slices();
  for (int slice = 0; slice < slices; ++slice) planes_.push_back(packing_.planes_of(slice));
  joined_ = cells * slices <= kMaxCells && packing_.bits() <= kMaxCells;
  if (joined_) {
    for (std::vector<Cell>& permutation : all) {
      for (int c = cells; c < cells * slices; ++c)
        permutation.push_back(static_cast<Cell>(permutation[static_cast<std::size_t>(c % cells)] + c / cells * cells));
    }
  }
  RuleGraph graph(joined_ ? cells * slices : cells);
  ImageMaker maker(graph, all);
  std::vector<std::vector<NodeId>> by_slice;
  if (joined_) {
    by_slice.push_back(maker.images(graph.cell_input(kPlanes)));
  } else {
    for (const std::vector<int>& planes : planes_) {
      std::vector<NodeId> held;
      held.reserve(planes.size());
      for (const int plane : planes) held.push_back(graph.cell_input(kPlanes + plane));
      by_slice.push_back(maker.images(graph.disjunction(held)));
    }
  }
  std::vector<NodeId> roots;
  for (std::size_t image = 0; image < images_; ++image) {
    for (const auto& slice : by_slice) roots.push_back(slice[image]);
  }
  program_ = Program(graph, roots, variant.rule_set().number_bounds());
}

void FoldedKeys::run(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Scratch& scratch) const {
  InputPointers pointers;
  if (scratch.slices.size() < program_.roots())
    scratch.slices.assign(program_.roots(), std::vector<std::uint64_t>(kLanes));
  const ProgramInput input = program_input(batch, begin, pointers);
  if (joined_) {
    scratch.joined.assign(kLanes, 0);
    for (std::size_t slice = 0; slice < planes_.size(); ++slice) {
      const int shift = static_cast<int>(slice) * packing_.cells();
      for (const int plane : planes_[slice]) {
        const std::uint64_t* const stones = batch.planes[static_cast<std::size_t>(plane)].data() + begin;
        for (std::size_t k = 0; k < lanes; ++k) scratch.joined[k] |= stones[k] << shift;
      }
    }
    pointers.cells[kPlanes] = scratch.joined.data();
  }
  program_.run(input, lanes, scratch.work);
  for (std::size_t r = 0; r < program_.roots(); ++r)
    program_.read_set(r, lanes, scratch.work, scratch.slices[r].data());
}

}  // namespace plenum
