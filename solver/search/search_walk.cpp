// SPDX-License-Identifier: Apache-2.0
// A walk through the tree: alpha-beta with a null window, cut into steps between which positions are expanded.
#include <utility>

#include "solver/search/search_engine.h"

namespace plenum::searching {
namespace {

constexpr std::size_t kMostInGroup = 64;
constexpr std::size_t kStepsBetweenLooks = 8;  // at what others have answered above
constexpr int kMostWaits = 100;                // rounds; marks may be stale
// By how much work is expected below a position, in nodes: from when on it is marked, and from when on it is worth while to enter one that
// is marked.
constexpr std::uint64_t kWorthMarking = 30;
constexpr std::uint64_t kWorthHelping = 1000;

// Which words have been seen: never forgets one, but may take one for another.
class FewWords {
 public:
  // Whether it is new for certain.
  bool add(std::uint64_t word) {
    std::uint64_t& bits = bits_[word >> 6 & (kSize - 1)];
    const std::uint64_t bit = std::uint64_t{1} << (word & 63);
    return (std::exchange(bits, bits | bit) & bit) == 0;
  }

 private:
  static constexpr std::size_t kSize = 16;
  std::array<std::uint64_t, kSize> bits_ = {};
};

template <std::size_t kWords>
Interval bounds_of(const Child<kWords>* moves, std::size_t count) {
  Interval out = moves[0].bounds;
  for (std::size_t i = 1; i < count; ++i)
    out = {std::max(out.least, moves[i].bounds.least), std::max(out.greatest, moves[i].bounds.greatest)};
  return out;
}

}  // namespace

template <std::size_t kWords>
void Walk<kWords>::begin(const Kid& root, const std::vector<Kid>& moves, std::int64_t than) {
  depth_ = 0;
  asked_.clear();
  push(root, than, true);
  moves_ = moves;
  top().kids = moves_;
}

template <std::size_t kWords>
void Walk<kWords>::push(const Kid& self, std::int64_t than, bool cut) {
  if (depth_ == frames_.size()) frames_.push_back(std::make_unique<Frame>());
  Frame& frame = *frames_[depth_++];
  frame.state = State::enter;
  frame.self = self;
  frame.than = than;
  frame.cut = cut;
  frame.fresh = false;
  frame.open.clear();
  frame.next = 0;
  frame.pending.clear();
  frame.nodes = nodes_;
}

// The node at the top is done with, for the question at hand.
template <std::size_t kWords>
void Walk<kWords>::finish(Interval bounds) {
  Frame& frame = top();
  const std::uint64_t nodes = nodes_ - frame.nodes + 1;
  worker_.note(frame.self, bounds, nodes);
  engine_.busy.unmark(frame.self.mixed[0]);
  std::uint64_t& average = worker_.average(depth_);
  average += nodes - average / 16;
  --depth_;
  if (depth_ == 0) {
    answer_ = bounds;
    return;
  }
  Frame& above = top();
  Kid& kid = above.kids[above.pending.back().child];
  above.pending.pop_back();
  kid.bounds = meet(kid.bounds, reversed(bounds));
  above.state = State::next;
  if (kid.bounds.least > above.than) {
    worker_.credit(depth_, kid);
    finish(bounds_of(above.kids.data(), above.kids.size()));
  }
}

template <std::size_t kWords>
void Walk<kWords>::go_on() {
  asked_.clear();
  if (++steps_ % kStepsBetweenLooks == 0) leave_answered();
  for (bool goes_on = true; goes_on && depth_ > 0;) {
    Frame& frame = top();
    switch (frame.state) {
      case State::enter:
        enter(frame);
        break;
      case State::group:
        goes_on = choose_group(frame);
        break;
      case State::expanded:
        goes_on = after_expanding(frame);
        break;
      case State::next:
        goes_on = search_next(frame);
        break;
    }
  }
}

// Whoever answers a question above this walk's place makes all below it pointless.
template <std::size_t kWords>
void Walk<kWords>::leave_answered() {
  for (std::size_t d = 0; d + 1 < depth_; ++d) {
    const Frame& frame = *frames_[d];
    const Interval bounds = engine_.table.probe(frame.self.mixed, engine_.score_bounds.everywhere());
    if (is_open(bounds, frame.than)) continue;
    while (depth_ > d + 1) {
      engine_.busy.unmark(top().self.mixed[0]);
      --depth_;
    }
    finish(bounds);
    return;
  }
}

// Looks at what is known of the moves.
template <std::size_t kWords>
void Walk<kWords>::enter(Frame& frame) {
  if (!frame.fresh) {
    for (const Kid& kid : frame.kids) {
      if (is_open(kid.bounds, frame.than)) engine_.table.prefetch(kid.mixed);
    }
    for (Kid& kid : frame.kids) {
      if (is_open(kid.bounds, frame.than)) kid.bounds = reversed(engine_.table.probe(kid.mixed, reversed(kid.bounds)));
    }
  }
  const Interval bounds = bounds_of(frame.kids.data(), frame.kids.size());
  if (!is_open(bounds, frame.than)) {
    finish(bounds);
    return;
  }
  sort_open(frame);
  frame.state = State::group;
}

// The moves that may decide, by what they promise and what is proven of them, then by how often they decided elsewhere.
template <std::size_t kWords>
void Walk<kWords>::sort_open(Frame& frame) {
  const auto& history = worker_.history(depth_);
  constexpr std::int64_t kHistoryRange = 64;
  constexpr std::int64_t kProvenWeight = 16;
  const std::int64_t worst = engine_.score_bounds.everywhere().least;
  const std::span<Kid> kids = frame.kids;
  FewWords seen;
  bool alike = false;
  for (std::uint32_t i = 0; i < kids.size(); ++i) {
    Kid& kid = kids[i];
    if (!is_open(kid.bounds, frame.than)) continue;
    frame.open.push_back(i);
    alike |= !seen.add(kid.mixed[0]);
    const std::int64_t promise =
        engine_.scores_order ? std::clamp(kid.promise, kid.bounds.least, kid.bounds.greatest) : kid.promise;
    kid.order = promise * kHistoryRange + std::bit_width(history[kid.move]);
    // How much of what is asked for is proven of it already.
    if (engine_.scores_order && kid.bounds.least > worst) kid.order += kProvenWeight * (kid.bounds.least - frame.than);
  }
  if (alike) drop_symmetric(frame);
  // Where nothing tells them apart the key decides, so that nodes with moves in common try the same ones: more is found in the
  // table.
  std::sort(frame.open.begin(), frame.open.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (kids[a].order != kids[b].order) return kids[a].order > kids[b].order;
    return kids[a].mixed[0] != kids[b].mixed[0] ? kids[a].mixed[0] < kids[b].mixed[0] : a < b;
  });
}

// Of symmetric moves the first is enough; the others can be no better.
template <std::size_t kWords>
void Walk<kWords>::drop_symmetric(Frame& frame) {
  const std::span<Kid> kids = frame.kids;
  std::sort(frame.open.begin(), frame.open.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (kids[a].mixed != kids[b].mixed) return kids[a].mixed < kids[b].mixed;
    return a < b;
  });
  std::size_t kept = 0;
  for (const std::uint32_t i : frame.open) {
    if (kept > 0 && kids[i].mixed == kids[frame.open[kept - 1]].mixed) {
      kids[i].bounds.greatest = engine_.score_bounds.everywhere().least;
    } else {
      frame.open[kept++] = i;
    }
  }
  frame.open.resize(kept);
}

// Which moves to expand now: where a cut-off is expected the best alone, at first; else all that are left. Where patterns decide, the
// replies tell so much that all are expanded at once.
template <std::size_t kWords>
bool Walk<kWords>::choose_group(Frame& frame) {
  const std::size_t left = frame.open.size() - frame.next;
  if (left == 0) {
    finish(bounds_of(frame.kids.data(), frame.kids.size()));
    return true;
  }
  const bool alone = frame.cut && frame.next == 0 && !engine_.pattern_play.any();
  const std::size_t count = alone ? 1 : std::min(left, kMostInGroup);
  const auto from = frame.open.begin() + static_cast<std::ptrdiff_t>(frame.next);
  frame.group.assign(from, from + static_cast<std::ptrdiff_t>(count));
  frame.next += count;
  for (const std::uint32_t i : frame.group) asked_.push_back(&frame.kids[i]);
  frame.brood.clear();
  frame.begin.assign(1, 0);
  frame.state = State::expanded;
  return false;
}

template <std::size_t kWords>
void Walk<kWords>::take(const Kid* replies, std::size_t count) {
  Frame& frame = top();
  ++nodes_;
  frame.brood.insert(frame.brood.end(), replies, replies + count);
  frame.begin.push_back(frame.brood.size());
}

// How much it seems to take to refute a move's replies: how many are in question. Where patterns decide, those count less that leave
// the one who replies few cells to complete one, and the other many.
template <std::size_t kWords>
std::int64_t Walk<kWords>::weight_of(std::span<const Kid> replies, std::int64_t than) const {
  constexpr std::int64_t kReply = 16;
  constexpr std::int64_t kCell = 4;
  constexpr std::int64_t kMostCells = 8;
  const std::int64_t by_promise = engine_.pattern_play.any() ? kCell : 0;
  std::int64_t out = 0;
  for (const Kid& reply : replies) {
    if (is_open(reply.bounds, than)) out += kReply + by_promise * std::clamp(reply.promise, -kMostCells, kMostCells);
  }
  return out;
}

// What their replies tell of the moves; those it does not decide are searched, the ones of the least weight first.
template <std::size_t kWords>
bool Walk<kWords>::after_expanding(Frame& frame) {
  frame.pending.clear();
  for (std::size_t g = 0; g < frame.group.size(); ++g) {
    Kid& kid = frame.kids[frame.group[g]];
    const std::size_t from = frame.begin[g];
    const std::size_t to = frame.begin[g + 1];
    if (from == to) {
      if (!worker_.judge_stuck(kid, kid.bounds)) return false;
    } else {
      kid.bounds = meet(kid.bounds, reversed(bounds_of(frame.brood.data() + from, to - from)));
    }
    if (is_open(kid.bounds, frame.than)) {
      Pending pending;
      pending.child = frame.group[g];
      pending.from = from;
      pending.to = to;
      pending.weight = weight_of(std::span(frame.brood).subspan(from, to - from), -frame.than - 1);
      frame.pending.push_back(pending);
      continue;
    }
    worker_.note(kid, reversed(kid.bounds), 1);
    for (std::size_t r = from; r < to; ++r) {
      if (frame.brood[r].bounds.least <= -frame.than - 1) continue;
      worker_.credit(depth_ + 1, frame.brood[r]);
      break;
    }
  }
  const Interval bounds = bounds_of(frame.kids.data(), frame.kids.size());
  if (!is_open(bounds, frame.than)) {
    finish(bounds);
    return true;
  }
  // Taken from the end.
  std::sort(frame.pending.begin(), frame.pending.end(), [](const Pending& a, const Pending& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.from > b.from;
  });
  frame.waited = 0;
  frame.fresh = true;
  frame.state = State::next;
  return true;
}

// The next move to search: one that nobody is at, else one that is worth helping with; else it waits.
template <std::size_t kWords>
bool Walk<kWords>::search_next(Frame& frame) {
  if (!frame.fresh) {
    for (const Pending& pending : frame.pending) engine_.table.prefetch(frame.kids[pending.child].mixed);
    std::erase_if(frame.pending, [&](const Pending& pending) {
      Kid& kid = frame.kids[pending.child];
      kid.bounds = reversed(engine_.table.probe(kid.mixed, reversed(kid.bounds)));
      return !is_open(kid.bounds, frame.than);
    });
    const Interval bounds = bounds_of(frame.kids.data(), frame.kids.size());
    if (!is_open(bounds, frame.than)) {
      finish(bounds);
      return true;
    }
  }
  if (frame.pending.empty()) {
    frame.state = State::group;
    return true;
  }
  const std::uint64_t expected = worker_.average(depth_ + 1) / 16;
  std::size_t at = frame.pending.size();
  // Where a cut-off is expected one move may be enough: whoever comes by helps with it, if there is enough to do.
  const bool together = frame.cut && expected >= kWorthHelping;
  if (expected >= kWorthMarking && !together) {
    while (at > 0 && engine_.busy.marked(frame.kids[frame.pending[at - 1].child].mixed[0])) --at;
    if (at == 0 && expected < kWorthHelping && frame.waited++ < kMostWaits) {
      frame.fresh = false;
      return false;
    }
    if (at == 0) at = frame.pending.size();
  }
  std::swap(frame.pending[at - 1], frame.pending.back());
  const Pending& pending = frame.pending.back();
  const Kid& kid = frame.kids[pending.child];
  if (expected >= kWorthMarking) engine_.busy.mark(kid.mixed[0]);
  frame.waited = 0;
  const bool fresh = std::exchange(frame.fresh, false);
  push(kid, -frame.than - 1, !frame.cut);
  top().fresh = fresh;
  top().kids = std::span(frame.brood).subspan(pending.from, pending.to - pending.from);
  return true;
}

template class Walk<1>;
template class Walk<2>;
template class Walk<4>;
template class Walk<8>;

}  // namespace plenum::searching
