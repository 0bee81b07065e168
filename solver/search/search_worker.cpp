// SPDX-License-Identifier: Apache-2.0
// A worker: the batches of its walks, and what they learn from one another about moves.
#include <chrono>
#include <thread>
#include <utility>

#include "solver/search/search_engine.h"

namespace plenum::searching {
namespace {

constexpr std::chrono::microseconds kPause(20);
constexpr std::uint64_t kNodesAWalk = 512;      // searched before another walk sets out
constexpr std::uint64_t kFullBatch = 12;        // successors: more of them at once are hardly cheaper
constexpr std::uint32_t kMostCredit = 1 << 20;  // then all credits are halved

}  // namespace

template <std::size_t kWords>
Worker<kWords>::Worker(Engine<kWords>& engine)
    : engine_(engine), scratch_(engine.variant.rules()), batch_(engine.variant.rules().batch()) {
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
void Worker<kWords>::credit(std::size_t ply, const Kid& answer) {
  History& of_ply = history(ply);
  if (++of_ply[answer.move] > kMostCredit) {
    for (std::uint32_t& credit : of_ply) credit /= 2;
  }
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

// Adds what has been counted since it last did so to what all have.
template <std::size_t kWords>
void Worker<kWords>::tell() {
  engine_.nodes.fetch_add(nodes_ - std::exchange(told_nodes_, nodes_), std::memory_order_relaxed);
  engine_.successors.fetch_add(made_ - std::exchange(told_made_, made_), std::memory_order_relaxed);
  engine_.taken.fetch_add(taken_ - std::exchange(told_taken_, taken_), std::memory_order_relaxed);
}

// How many walks go on: as many as fill a batch, and one at first.
template <std::size_t kWords>
std::size_t Worker<kWords>::walking() const {
  const std::uint64_t by_work = 1 + (nodes_ - began_) / kNodesAWalk;
  const std::uint64_t by_batch = 1 + kFullBatch * asked_ / (made_ + 1);
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>({walks_.size(), by_work, by_batch}));
  return std::max(walking_, wanted);  // one that has set out is not left standing
}

template <std::size_t kWords>
void Worker<kWords>::work() {
  status_ = absl::OkStatus();
  began_ = nodes_;
  walking_ = 0;
  for (const auto& walk : walks_) walk->begin(engine_.root, engine_.moves, engine_.than);
  while (!engine_.over.load(std::memory_order_relaxed)) {
    if (engine_.grow.load(std::memory_order_relaxed)) engine_.meeting->arrive_and_wait();
    asking_.clear();
    walking_ = walking();
    for (std::size_t i = 0; i < walking_ && !engine_.over.load(std::memory_order_relaxed); ++i) {
      Walk<kWords>& walk = *walks_[i];
      walk.go_on();
      if (!walk.asked().empty()) asking_.push_back(&walk);
      if (walk.active()) continue;
      if (!engine_.answered.exchange(true)) engine_.answer = walk.answer();
      engine_.over = true;
    }
    if (engine_.over.load(std::memory_order_relaxed) || !serve()) break;
    if (asking_.empty()) std::this_thread::sleep_for(kPause);  // all wait for other workers
    tell();
    if (engine_.taken > engine_.table.capacity() / 10 * 7 && engine_.table.can_grow()) engine_.grow = true;
  }
  tell();
  engine_.meeting->arrive_and_drop();
}

// Expands what the walks ask for, batch by batch.
template <std::size_t kWords>
bool Worker<kWords>::serve() {
  batch_.clear();
  lanes_.clear();
  forced_.clear();
  for (Walk<kWords>* const walk : asking_) {
    if (lanes_.size() + walk->asked().size() > kLanes && !run_batch()) return false;
    for (const Kid* const kid : walk->asked()) {
      engine_.keys.packing().template unpack<kWords>(kid->key, batch_);
      lanes_.push_back(walk);
      forced_.push_back(kid->forced);
    }
    ++asked_;
  }
  return lanes_.empty() || run_batch();
}

template <std::size_t kWords>
bool Worker<kWords>::run_batch() {
  if (absl::Status done = engine_.variant.rules().expand(batch_, scratch_); !done.ok()) {
    status_ = std::move(done);
    engine_.over = true;
    return false;
  }
  nodes_ += lanes_.size();
  keep_forced();
  read_successors(lanes_.size());
  for (std::size_t k = 0; k < lanes_.size(); ++k)
    lanes_[k]->take(successors_.data() + begin_[k], begin_[k + 1] - begin_[k]);
  batch_.clear();
  lanes_.clear();
  forced_.clear();
  return true;
}

// Of positions in which one cell alone is to be played on, no other successor.
template <std::size_t kWords>
void Worker<kWords>::keep_forced() {
  if (!engine_.pattern_play.any()) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < scratch_.successors.size; ++i) {
    const Cell forced = forced_[scratch_.parent[i]];
    if (forced != kNoCell && scratch_.move[i].first.to != forced) continue;
    if (kept != i) {
      scratch_.successors.copy(i, kept);
      scratch_.parent[kept] = scratch_.parent[i];
      scratch_.move[kept] = scratch_.move[i];
      scratch_.ended[kept] = scratch_.ended[i];
      scratch_.margin[kept] = scratch_.margin[i];
    }
    ++kept;
  }
  scratch_.successors.size = kept;
}

// The successors just made, sorted by the lane they come from, with all that is known of them without a search.
template <std::size_t kWords>
void Worker<kWords>::read_successors(std::size_t lanes) {
  const PositionBatch& made = scratch_.successors;
  const std::size_t size = made.size;
  made_ += size;
  if (folded_.size() < size) {
    folded_.resize(made.capacity());
    plain_.resize(made.capacity());
    successors_.resize(made.capacity());
    score_bounds_.resize(made.capacity());
    if (engine_.pattern_play.any()) {
      verdicts_.resize(made.capacity());
    } else if (engine_.winning_moves.any()) {
      winning_.resize(made.capacity());
    }
  }
  engine_.keys.template fold<kWords>(made, folding_, folded_.data(), plain_.data());
  const bool threats = !engine_.scores_order && engine_.threats.any() && !engine_.pattern_play.any();
  if (engine_.scores_order) {
    engine_.variant.rules().score(made, scratch_, promise_);
  } else if (promise_.size() < made.capacity()) {
    promise_.resize(made.capacity(), 0);
  }
  for (std::size_t begin = 0; threats && begin < size; begin += kLanes)
    engine_.threats.count(made, begin, std::min(kLanes, size - begin), work_, promise_.data() + begin);
  for (std::size_t begin = 0; begin < size; begin += kLanes)
    engine_.score_bounds.bounds(made, begin, std::min(kLanes, size - begin), work_, score_bounds_.data() + begin);
  for (std::size_t begin = 0; begin < size && !winning_.empty(); begin += kLanes)
    engine_.winning_moves.find(made, begin, std::min(kLanes, size - begin), work_, winning_.data() + begin);
  for (std::size_t begin = 0; begin < size && !verdicts_.empty(); begin += kLanes)
    engine_.pattern_play.judge(made, begin, std::min(kLanes, size - begin), playing_, verdicts_.data() + begin);
  begin_.assign(lanes + 1, 0);
  for (std::size_t i = 0; i < size; ++i) ++begin_[scratch_.parent[i] + 1];
  for (std::size_t k = 0; k < lanes; ++k) begin_[k + 1] += begin_[k];
  place_.assign(begin_.begin(), begin_.end());
  for (std::size_t i = 0; i < size; ++i) {
    Kid& kid = successors_[place_[scratch_.parent[i]]++];
    kid.key = plain_[i];
    kid.mixed = engine_.table.mixed(folded_[i]);
    kid.move = move_id(scratch_.move[i].first);
    kid.promise = -promise_[i];
    kid.forced = kNoCell;
    if (scratch_.ended[i] != 0) {
      kid.bounds = {-scratch_.margin[i], -scratch_.margin[i]};
      continue;
    }
    kid.bounds = reversed(score_bounds_[i]);
    if (!winning_.empty() && winning_[i] != 0)
      kid.bounds.greatest = std::min(kid.bounds.greatest, -engine_.winning_moves.worth());
    if (!verdicts_.empty()) {
      kid.bounds = meet(kid.bounds, reversed(verdicts_[i].bounds));
      kid.forced = verdicts_[i].forced;
      kid.promise = -verdicts_[i].promise;
    }
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
  read_successors(1);
  ++nodes_;
  tell();
  moves.assign(successors_.begin(), successors_.begin() + static_cast<std::ptrdiff_t>(begin_[1]));
  return true;
}

template class Worker<1>;
template class Worker<2>;
template class Worker<4>;
template class Worker<8>;

}  // namespace plenum::searching
