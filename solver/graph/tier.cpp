// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/tier.h"

#include <algorithm>
#include <atomic>

#include "solver/graph/edge_turn.h"
#include "solver/support/memory.h"
#include "solver/support/parallel.h"

namespace plenum {
namespace {

bool has_inner_edge(const PositionGraph& graph, PositionIndex begin, PositionIndex end) {
  std::atomic<bool> found = false;
  for_ranges(begin, end, nullptr, [&](auto, std::size_t from, std::size_t to) {
    for (std::size_t p = from; p < to && !found.load(std::memory_order_relaxed); ++p) {
      for (const PositionIndex q : graph.successors(static_cast<PositionIndex>(p))) {
        if (is_inner(graph, end, q)) {
          found.store(true, std::memory_order_relaxed);
          break;
        }
      }
    }
  });
  return found;
}

// Gives back an array piece by piece, from its beginning.
template <typename T>
class Released {
 public:
  Released(UnsetVector<T>& array, EdgeIndex begin) : array_(array), done_(begin) {}
  void up_to(EdgeIndex end) {
    if (array_.empty() || end <= done_) return;
    release_pages(array_.data() + done_, (end - done_) * sizeof(T));
    // The page in which this ends is given back with what follows.
    done_ = end - std::min<EdgeIndex>(end - done_, kPageBytes / sizeof(T));
  }

 private:
  static constexpr EdgeIndex kPageBytes = 4096;
  UnsetVector<T>& array_;
  EdgeIndex done_;
};

}  // namespace

InnerEdges::InnerEdges(const PositionGraph& graph, std::span<const PositionIndex> members, PositionIndex begin,
                       std::span<const LocalIndex> place) {
  const auto each = [&](const auto& visit) {
    for (LocalIndex p = 0; p < members.size(); ++p) {
      for (const PositionIndex q : graph.successors(members[p])) {
        if (q - begin < place.size() && place[q - begin] != kNoMember) visit(p, place[q - begin]);
      }
    }
  };
  std::vector<std::uint32_t> length(members.size(), 0);
  each([&](LocalIndex, LocalIndex q) { ++length[q]; });
  first_ = RowOffsets::of_lengths(length);
  sources_.resize(first_.back());
  each([&](LocalIndex p, LocalIndex q) { sources_[first_[q + 1] - length[q]--] = p; });
}

Tier::Tier(PositionGraph& graph, std::size_t tier, std::optional<bool> has_inner)
    : graph_(graph), begin_(graph.tier_begin[tier]), end_(graph.tier_begin[tier + 1]) {
  if (has_inner ? *has_inner : has_inner_edge(graph, begin_, end_)) turn();
}

void Tier::turn() {
  shift_ = graph_.symmetry_bits;
  const bool apart = !graph_.symmetry.empty();
  EdgeTurn turn(size(), size(), shift_);
  const auto each = [&](std::size_t slab, const auto& visit, auto visit_other) {
    for (std::size_t p = slab * turn.slab_size(); p < turn.slab_end(slab); ++p) {
      const EdgeIndex end = graph_.first_edge[begin_ + p + 1];
      for (EdgeIndex e = graph_.first_edge[begin_ + p]; e < end; ++e) {
        const PositionIndex q = graph_.successor(e);
        if (is_inner(graph_, end_, q)) {
          visit(p, q - begin_, graph_.edge_symmetry(e));
        } else {
          visit_other(e);
        }
      }
    }
  };
  turn.count([&](std::size_t slab, const auto& visit) { each(slab, visit, [](EdgeIndex) {}); });
  std::vector<EdgeIndex> base;
  for (std::size_t part = 0; part < turn.parts(); ++part) {
    base.push_back(inner_);
    inner_ += turn.in_part(part);
  }
  std::vector<EdgeIndex> other = {inner_};  // where the edges of each slab begin that are not inner
  for (std::size_t slab = 0; slab < turn.slabs(); ++slab) {
    const EdgeIndex all = first_of(static_cast<LocalIndex>(turn.slab_end(slab))) -
                          first_of(static_cast<LocalIndex>(slab * turn.slab_size()));
    other.push_back(other.back() + all - turn.in_slab(slab));
  }
  sources_.resize(other.back());
  if (apart) symmetry_.resize(other.back());
  const EdgeArray out = {sources_.data(), apart ? symmetry_.data() : nullptr};
  Released edges(graph_.edge, graph_.first_edge[begin_]);
  Released symmetries(graph_.symmetry, graph_.first_edge[begin_]);
  turn.spread(
      base, out,
      [&](std::size_t slab, const auto& visit) {
        each(slab, visit, [&, at = other[slab]](EdgeIndex e) mutable {
          if (apart) symmetry_[at] = graph_.symmetry[e];
          sources_[at++] = graph_.edge[e];
        });
      },
      [&](std::size_t slab) {
        const EdgeIndex read = graph_.first_edge[begin_ + turn.slab_end(slab - 1)];
        edges.up_to(read);
        symmetries.up_to(read);
      });
  first_.assign(size() + 1, inner_);
  first_.set(size(), inner_);
  for_each_index(turn.parts(), [&](std::size_t part) {
    turn.arrange(part, base[part], out, 0, [&](std::vector<EdgeIndex>& row) {
      EdgeIndex next = base[part];
      for (std::size_t i = 0; i < row.size(); ++i) {
        first_.set(part * turn.part_size() + i, next);
        next += std::exchange(row[i], next);
      }
    });
  });
}

void Tier::give_back() {
  if (acyclic()) return;
  const bool apart = !graph_.symmetry.empty();
  EdgeTurn turn(size(), size(), shift_);
  const std::uint32_t mask = (std::uint32_t{1} << shift_) - 1;
  const auto each = [&](std::size_t slab, const auto& visit) {
    for (std::size_t q = slab * turn.slab_size(); q < turn.slab_end(slab); ++q) {
      for (EdgeIndex e = first_[q]; e < first_[q + 1]; ++e)
        visit(q, sources_[e] >> shift_, apart ? symmetry_[e] : static_cast<GroupElement>(sources_[e] & mask));
    }
  };
  turn.count(each);
  std::vector<EdgeIndex> base;
  std::vector<EdgeIndex> other;  // where the edges of each part begin that are not inner
  EdgeIndex before = 0;
  for (std::size_t part = 0; part < turn.parts(); ++part) {
    const auto first = static_cast<LocalIndex>(part * turn.part_size());
    base.push_back(graph_.first_edge[begin_ + first]);
    other.push_back(inner_ + first_of(first) - before);
    before += turn.in_part(part);
  }
  other.push_back(sources_.size());
  const EdgeArray out = {graph_.edge.data(), apart ? graph_.symmetry.data() : nullptr};
  Released edges(sources_, 0);
  Released symmetries(symmetry_, 0);
  const auto read = [&](EdgeIndex end) {
    edges.up_to(end);
    symmetries.up_to(end);
  };
  turn.spread(base, out, each, [&](std::size_t slab) { read(first_[turn.slab_end(slab - 1)]); });
  for (std::size_t from = 0; from < turn.parts(); from += EdgeTurn::kAtATime) {
    const std::size_t now = std::min(EdgeTurn::kAtATime, turn.parts() - from);
    for_each_index(now, [&](std::size_t k) {
      const std::size_t part = from + k;
      turn.arrange(part, base[part], out, begin_, [&](std::vector<EdgeIndex>& row) {
        EdgeIndex next = other[part];
        for (std::size_t i = 0; i < row.size(); ++i) {
          const std::size_t p = begin_ + part * turn.part_size() + i;
          EdgeIndex to = graph_.first_edge[p] + row[i];
          row[i] = graph_.first_edge[p];
          for (; to < graph_.first_edge[p + 1]; ++to, ++next) {
            graph_.edge[to] = sources_[next];
            if (apart) graph_.symmetry[to] = symmetry_[next];
          }
        }
      });
    });
    read(other[from + now]);
  }
  first_ = {};
  UnsetVector<std::uint32_t>().swap(sources_);
  UnsetVector<GroupElement>().swap(symmetry_);
}

}  // namespace plenum
