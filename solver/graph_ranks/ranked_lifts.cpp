// SPDX-License-Identifier: Apache-2.0
#include "solver/graph_ranks/ranked_lifts.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "solver/graph_ranks/mail.h"

namespace plenum {

#pragma pack(push, 1)
struct NewCosets {
  PositionIndex at;
  std::uint16_t what;  // a set of up to 8, or one
};
#pragma pack(pop)

// Steps along edges, from sets of up to 8 cosets by look-up and from single ones otherwise.
class CosetSteps {
 public:
  CosetSteps(const Lifts& lifts, const RankedGraph& graph) : cosets_(lifts.cosets()), narrow_(cosets_ <= 8) {
    const std::size_t group = graph.group.size();
    along_.resize(group * cosets_);
    by_.resize(group * cosets_);
    for (std::size_t g = 0; g < group; ++g) {
      const auto element = static_cast<GroupElement>(g);
      for (std::size_t c = 0; c < cosets_; ++c) {
        along_[g * cosets_ + c] = static_cast<std::uint16_t>(lifts.along(c, element));
        by_[g * cosets_ + c] = static_cast<std::uint16_t>(lifts.multiply(c, element));
      }
    }
    if (!narrow_) return;
    sets_along_.resize(group << 8, 0);
    closed_.resize(graph.subgroups.size() << 8, 0);
    for (std::size_t set = 0; set < 256; ++set) {
      for (std::size_t c = 0; c < cosets_; ++c) {
        if ((set >> c & 1) == 0) continue;
        for (std::size_t g = 0; g < group; ++g)
          sets_along_[g << 8 | set] |= static_cast<std::uint8_t>(1U << along_[g * cosets_ + c]);
        for (std::size_t s = 0; s < graph.subgroups.size(); ++s) {
          for (const GroupElement x : graph.subgroups[s])
            closed_[s << 8 | set] |= static_cast<std::uint8_t>(1U << by_[x * cosets_ + c]);
        }
      }
    }
  }
  bool narrow() const { return narrow_; }
  std::uint8_t set_along(std::uint8_t set, GroupElement symmetry) const { return sets_along_[symmetry << 8 | set]; }
  std::uint8_t closed(std::uint8_t set, std::size_t subgroup) const { return closed_[subgroup << 8 | set]; }
  std::uint16_t along(std::size_t coset, GroupElement symmetry) const { return along_[symmetry * cosets_ + coset]; }
  std::uint16_t by(std::size_t coset, GroupElement x) const { return by_[x * cosets_ + coset]; }

 private:
  std::size_t cosets_;
  bool narrow_;
  std::vector<std::uint16_t> along_;
  std::vector<std::uint16_t> by_;
  std::vector<std::uint8_t> sets_along_;
  std::vector<std::uint8_t> closed_;
};

class RankedLifts::Reaching {
 public:
  Reaching(RankedLifts& lifts, Ranks& ranks)
      : lifts_(lifts), graph_(lifts.graph_), steps_(*lifts.lifts_, lifts.graph_), mail_(ranks), told_(graph_.ranks()) {
    if (!steps_.narrow() || !graph_.edges_outnumber_positions()) return;
    for (std::size_t r = 0; r < graph_.ranks(); ++r) {
      if (r != graph_.rank) told_[r].resize(graph_.begin[r].back());
    }
  }

  void run() {
    if (graph_.start.rank == graph_.rank) {
      const auto first = static_cast<std::uint16_t>(lifts_.lifts_->coset_of(graph_.start_lift));
      hear(graph_.start.place, steps_.narrow() ? static_cast<std::uint16_t>(1U << first) : first);
    }
    for (std::size_t t = 0; t < graph_.tiers(); ++t) pass_tier(t);
  }

 private:
  void pass_tier(std::size_t t) {
    begin_ = graph_.tier_begin(t);
    end_ = graph_.tier_end(t);
    swept_ = begin_;
    passed_.assign((end_ - begin_) * lifts_.width_, 0);
    queue_.clear();
    const auto heard = [&](const NewCosets& one, std::size_t /*rank*/) { hear(one.at, one.what); };
    const auto sweep = [&](std::size_t i) {
      swept_ = static_cast<PositionIndex>(begin_ + i);
      pass_on(swept_);
    };
    mail_.in_rounds(end_ - begin_, sweep, heard);
    swept_ = end_ == 0 ? 0 : end_ - 1;
    mail_.until_done(
        queue_, [&](PositionIndex p) { pass_on(p); }, heard);
  }

  bool is_new(PositionIndex p) const {
    const std::uint8_t* const passed = passed_.data() + (p - begin_) * lifts_.width_;
    return !std::equal(passed, passed + lifts_.width_, lifts_.sets_.data() + p * lifts_.width_);
  }

  void hear(PositionIndex q, std::uint16_t what) {
    std::uint8_t* const set = lifts_.sets_.data() + q * lifts_.width_;
    if (steps_.narrow() ? (what & ~*set) == 0 : lifts_.has(q, what)) return;
    const bool waits = q < begin_ || q >= end_ || q > swept_ || is_new(q);
    if (steps_.narrow()) {
      *set |= steps_.closed(static_cast<std::uint8_t>(what), graph_.stabilizer.empty() ? 0 : graph_.stabilizer[q]);
    } else {
      for (const GroupElement x : graph_.stabilizer_of(q)) {
        const std::uint16_t c = steps_.by(what, x);
        set[c / 8] |= static_cast<std::uint8_t>(1U << c % 8);
      }
    }
    if (!waits) queue_.push_back(q);
  }

  // Whether that was not told yet, as far as is known.
  bool tells(const RankedEdge& e, std::uint16_t what) {
    if (told_[e.rank].empty()) return true;
    std::uint8_t& told = told_[e.rank][e.place];
    const auto all = static_cast<std::uint8_t>(told | what);
    return std::exchange(told, all) != all;
  }

  // Tells the successors what they have not heard.
  void pass_on(PositionIndex p) {
    fresh_.clear();
    for (std::size_t b = 0; b < lifts_.width_; ++b) {
      std::uint8_t& heard = passed_[(p - begin_) * lifts_.width_ + b];
      const auto more = static_cast<std::uint8_t>(lifts_.sets_[p * lifts_.width_ + b] & ~heard);
      heard |= more;
      if (steps_.narrow() && more != 0) fresh_.push_back(more);
      for (unsigned bits = steps_.narrow() ? 0 : more; bits != 0; bits &= bits - 1)
        fresh_.push_back(static_cast<std::uint16_t>(8 * b + static_cast<std::size_t>(std::countr_zero(bits))));
    }
    if (fresh_.empty()) return;
    graph_.each_edge(p, [&](const RankedEdge& e) {
      for (const std::uint16_t what : fresh_) {
        const std::uint16_t arrived = steps_.narrow() ? steps_.set_along(static_cast<std::uint8_t>(what), e.symmetry)
                                                      : steps_.along(what, e.symmetry);
        if (e.rank == graph_.rank) {
          hear(e.place, arrived);
        } else if (tells(e, arrived)) {
          mail_.add(e.rank, {e.place, arrived});
        }
      }
    });
  }

  RankedLifts& lifts_;
  const RankedGraph& graph_;
  const CosetSteps steps_;
  Mail<NewCosets> mail_;
  std::vector<std::vector<std::uint8_t>> told_;  // by rank and place: the set it was told of; or nothing
  // Of the tier at hand.
  PositionIndex begin_ = 0;
  PositionIndex end_ = 0;
  PositionIndex swept_ = 0;           // what lies behind is yet to be looked at
  std::vector<std::uint8_t> passed_;  // what the successors have heard of
  std::vector<PositionIndex> queue_;  // those with more than that
  std::vector<std::uint16_t> fresh_;
};

RankedLifts::RankedLifts(const RankedGraph& graph, Ranks& ranks) : graph_(graph) {
  start_.tier_begin = {0, 1};
  start_.first_edge = {0, 0};
  start_.end_rank.push_back(0);
  start_.group = graph.group;
  start_.subgroups = {graph.start_stabilizer};
  start_.start_lift = graph.start_lift;
  lifts_ = std::make_unique<const Lifts>(start_);
  stabilizer_size_ = graph.start_stabilizer.size();
  width_ = (lifts_->cosets() + 7) / 8;
  exchanges_.resize(lifts_->cosets());
  for (std::size_t g = 0; g < graph.group.size(); ++g)
    exchanges_[lifts_->coset_of(static_cast<GroupElement>(g))] = graph.group.exchanges(static_cast<GroupElement>(g));
  if (lifts_->cosets() <= 8) {
    const std::size_t bytes = (graph.group.size() + 7) / 8;
    reached_by_.assign(bytes << 8, 0);
    for (std::size_t set = 0; set < 256; ++set) {
      for (std::size_t g = 0; g < graph.group.size(); ++g) {
        if ((set >> lifts_->coset_of(static_cast<GroupElement>(g)) & 1) != 0)
          reached_by_[set * bytes + g / 8] |= static_cast<std::uint8_t>(1U << g % 8);
      }
    }
  }
  if (lifts_->cosets() == 1) {
    sets_.assign(graph.size(), 1);  // symmetries leave the start as it is, and all that is stored was reached
  } else {
    sets_.assign(graph.size() * width_, 0);
    Reaching(*this, ranks).run();
  }
}

void RankedLifts::write_reached(PositionIndex p, std::span<std::uint8_t> to) const {
  if (!reached_by_.empty()) {
    std::copy_n(reached_by_.data() + sets_[p] * to.size(), to.size(), to.data());
    return;
  }
  std::fill(to.begin(), to.end(), std::uint8_t{0});
  for (std::size_t g = 0; g < graph_.group.size(); ++g) {
    if (contains(p, static_cast<GroupElement>(g))) to[g / 8] |= static_cast<std::uint8_t>(1U << g % 8);
  }
}

std::uint64_t RankedLifts::elements(PositionIndex p) const {
  std::uint64_t bits = 0;
  for (std::size_t b = 0; b < width_; ++b) bits += static_cast<std::uint64_t>(std::popcount(sets_[p * width_ + b]));
  return bits * stabilizer_size_;
}

std::uint64_t RankedLifts::positions(PositionIndex p, bool exchanges) const {
  std::uint64_t cosets = 0;
  for (std::size_t c = 0; c < exchanges_.size(); ++c) cosets += has(p, c) && exchanges_[c] == exchanges ? 1 : 0;
  return cosets * stabilizer_size_ / graph_.stabilizer_of(p).size();
}

}  // namespace plenum
