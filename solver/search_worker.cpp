// SPDX-License-Identifier: Apache-2.0
// A worker: the batches of its walks, and what they learn from one another about moves.
#include <thread>

#include "solver/search_engine.h"

namespace plenum::searching {
namespace {

constexpr std::size_t kReplies = 2;             // tried at first
constexpr std::uint64_t kNodesAWalk = 512;      // searched before another walk sets out
constexpr std::uint32_t kMostCredit = 1 << 20;  // then all credits are halved

}  // namespace

template <std::size_t kWords>
Worker<kWords>::Worker(Engine<kWords>& engine)
    : engine_(engine),
      scratch_(engine.variant.rules()),
      batch_(engine.variant.rule_set().layout.count(), static_cast<int>(engine.variant.rule_set().slots.size())) {
  for (int i = 0; i < engine.most_walks; ++i) walks_.push_back(std::make_unique<Walk<kWords>>(engine, *this));
}

template <std::size_t kWords>
typename Worker<kWords>::History& Worker<kWords>::history(std::size_t ply) {
  while (history_.size() <= ply) history_.push_back(std::make_unique<History>());
  return *history_[ply];
}

template <std::size_t kWords>
std::uint64_t& Worker<kWords>::average(std::size_t ply) {
  if (average_.size() <= ply) average_.resize(ply + 1, 0);
  return average_[ply];
}

template <std::size_t kWords>
void Worker<kWords>::credit(std::size_t ply, const Kid& before, const Kid& answer) {
  History& of_ply = history(ply);
  if (++of_ply[answer.move] > kMostCredit) {
    for (std::uint32_t& credit : of_ply) credit /= 2;
  }
  reply_[before.move] = answer.move + 1;
}

template <std::size_t kWords>
void Worker<kWords>::note(const Kid& kid, Interval bounds, std::uint64_t nodes) {
  if (engine_.table.store(kid.mixed, bounds, work_of(nodes))) ++taken_;
}

template <std::size_t kWords>
bool Worker<kWords>::judge_stuck(const Kid& kid, Interval& bounds) {
  const absl::StatusOr<MoverValue> stuck =
      engine_.variant.rules().stuck(engine_.keys.packing().template unpack<kWords>(kid.key));
  if (!stuck.ok()) {
    status_ = stuck.status();
    engine_.over = true;
    return false;
  }
  bounds = {-stuck->margin.units, -stuck->margin.units};
  return true;
}

template <std::size_t kWords>
void Worker<kWords>::work() {
  for (const auto& walk : walks_) walk->begin(engine_.root, engine_.moves, engine_.than);
  const std::uint64_t before = nodes_;
  while (!engine_.over.load(std::memory_order_relaxed)) {
    if (engine_.grow.load(std::memory_order_relaxed)) engine_.meeting->arrive_and_wait();
    const std::uint64_t nodes = nodes_;
    const std::uint64_t made = made_;
    const std::uint64_t taken = taken_;
    const std::size_t walking =
        std::min<std::size_t>(walks_.size(), 1 + static_cast<std::size_t>((nodes_ - before) / kNodesAWalk));
    asking_.clear();
    for (std::size_t i = 0; i < walking; ++i) {
      Walk<kWords>& walk = *walks_[i];
      if (walk.go_on().kind != Request::Kind::none) asking_.push_back(&walk);
      if (walk.active()) continue;
      if (!engine_.answered.exchange(true)) engine_.answer = walk.answer();
      engine_.over = true;
      break;
    }
    if (engine_.over.load(std::memory_order_relaxed)) break;
    if (asking_.empty()) std::this_thread::yield();  // all wait for other workers
    if (!serve(Request::Kind::refute) || !serve(Request::Kind::expand)) break;
    engine_.nodes.fetch_add(nodes_ - nodes, std::memory_order_relaxed);
    engine_.successors.fetch_add(made_ - made, std::memory_order_relaxed);
    const std::uint64_t fill = engine_.taken.fetch_add(taken_ - taken, std::memory_order_relaxed) + taken_ - taken;
    if (fill > engine_.table.capacity() / 10 * 7 && engine_.table.can_grow()) engine_.grow = true;
  }
  engine_.meeting->arrive_and_drop();
}

// Expands what the walks ask for of one kind, batch by batch.
template <std::size_t kWords>
bool Worker<kWords>::serve(typename Request::Kind kind) {
  lanes_.clear();
  for (Walk<kWords>* const walk : asking_) {
    const Request& request = walk->request();
    if (request.kind != kind) continue;
    if (lanes_.size() + request.children.size() > kLanes && !run_batch(kind)) return false;
    for (std::size_t i = 0; i < request.children.size(); ++i) lanes_.emplace_back(walk, i);
  }
  return lanes_.empty() || run_batch(kind);
}

template <std::size_t kWords>
bool Worker<kWords>::run_batch(typename Request::Kind kind) {
  const Rules& rules = engine_.variant.rules();
  const Packing& packing = engine_.keys.packing();
  batch_.clear();
  for (const auto& lane : lanes_)
    packing.template unpack<kWords>(lane.first->request().children[lane.second]->key, batch_);
  absl::Status done;
  if (kind == Request::Kind::refute) {
    choose_placements();
    done = rules.expand_placements(batch_, wanted_, scratch_);
  } else {
    done = rules.expand(batch_, scratch_);
    nodes_ += lanes_.size();
  }
  if (!done.ok()) {
    status_ = done;
    engine_.over = true;
    return false;
  }
  read_successors(lanes_.size(), kind == Request::Kind::expand);
  for (std::size_t k = 0; k < lanes_.size(); ++k)
    lanes_[k].first->take(lanes_[k].second, successors_.data() + begin_[k], begin_[k + 1] - begin_[k]);
  lanes_.clear();
  return true;
}

// The placements that refuted most at this ply, the one that last refuted the move before them first of all.
template <std::size_t kWords>
void Worker<kWords>::choose_placements() {
  const Rules& rules = engine_.variant.rules();
  const std::vector<Rules::PlacementSlot>& slots = rules.placement_slots();
  rules.find_sets(batch_, scratch_);
  wanted_.assign(slots.size() * kLanes, 0);
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    const Request& request = lanes_[lane].first->request();
    const History& of_ply = history(request.ply);
    const std::uint32_t reply = reply_[request.children[lanes_[lane].second]->move];
    struct Choice {
      std::uint32_t credit = 0;
      std::size_t slot = 0;
      CellSet cell = 0;
    };
    std::array<Choice, kReplies> best = {};
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
      const std::uint32_t base = placement_id(slots[slot].rule, slots[slot].choice, 0);
      for (CellSet rest = rules.placeable(scratch_, slot, lane); rest != 0; rest &= rest - 1) {
        const std::uint32_t id = base + static_cast<std::uint32_t>(std::countr_zero(rest));
        Choice here = {id + 1 == reply ? ~std::uint32_t{0} : 1 + of_ply[id], slot, rest & -rest};
        for (Choice& place : best) {
          if (here.credit > place.credit) std::swap(here, place);
        }
      }
    }
    for (const Choice& choice : best) wanted_[choice.slot * kLanes + lane] |= choice.cell;
  }
}

// The successors just made, sorted by the lane they come from, with all that is known of them without a search.
template <std::size_t kWords>
void Worker<kWords>::read_successors(std::size_t lanes, bool with_scores) {
  const PositionBatch& made = scratch_.successors;
  const std::size_t size = made.size;
  made_ += size;
  if (folded_.size() < size) {
    folded_.resize(made.capacity());
    plain_.resize(made.capacity());
    successors_.resize(made.capacity());
    prospects_.resize(made.capacity());
  }
  engine_.keys.template fold<kWords>(made, folding_, folded_.data(), plain_.data());
  with_scores &= engine_.scores_order;
  if (with_scores) engine_.variant.rules().score(made, scratch_, score_);
  for (std::size_t begin = 0; begin < size; begin += kLanes)
    engine_.prospects.bounds(made, begin, std::min(kLanes, size - begin), work_, prospects_.data() + begin);
  begin_.assign(lanes + 1, 0);
  for (std::size_t i = 0; i < size; ++i) ++begin_[scratch_.parent[i] + 1];
  for (std::size_t k = 0; k < lanes; ++k) begin_[k + 1] += begin_[k];
  place_.assign(begin_.begin(), begin_.end());
  for (std::size_t i = 0; i < size; ++i) {
    Kid& kid = successors_[place_[scratch_.parent[i]]++];
    kid.key = plain_[i];
    kid.mixed = engine_.table.mixed(folded_[i]);
    kid.move = move_id(scratch_.move[i].first);
    kid.score = with_scores ? -score_[i] : 0;
    if (scratch_.ended[i] != 0) {
      kid.bounds = {-scratch_.margin[i], -scratch_.margin[i]};
      continue;
    }
    kid.bounds = reversed(prospects_[i]);
    if (!known(kid.bounds)) engine_.table.prefetch(kid.mixed);
  }
  for (std::size_t i = 0; i < size; ++i) {
    Kid& kid = successors_[i];
    if (!known(kid.bounds)) kid.bounds = reversed(engine_.table.probe(kid.mixed, reversed(kid.bounds)));
  }
}

template <std::size_t kWords>
bool Worker<kWords>::moves_of(const Position& position, Kid& root, std::vector<Kid>& moves) {
  batch_.clear();
  batch_.push(position);
  Key<kWords> folded;
  engine_.keys.template fold<kWords>(batch_, folding_, &folded, &root.key);
  root.mixed = engine_.table.mixed(folded);
  status_ = engine_.variant.rules().expand(batch_, scratch_);
  if (!status_.ok()) return false;
  read_successors(1, true);
  moves.assign(successors_.begin(), successors_.begin() + static_cast<std::ptrdiff_t>(begin_[1]));
  return true;
}

template class Worker<1>;
template class Worker<2>;
template class Worker<4>;
template class Worker<8>;

}  // namespace plenum::searching
