// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/erring_play.h"

#include <algorithm>
#include <array>

#include "solver/graph/erring_chain.h"
#include "solver/graph/strong_components.h"

namespace plenum {

ErringPlay::ErringPlay(const PositionGraph& graph, const Solution& solution, Player begins, double unit, Stop* stop)
    : graph_(graph), solution_(solution), second_begins_(begins == Player::second), unit_(unit), stop_(stop) {
  order_states();
  list_moves();
}

void ErringPlay::order_states() {
  acyclic_ = order_by_numbers();
  if (!acyclic_) order_by_components();
}

// By the numbers of their positions, neighbours in memory, from the highest. False, and nothing done, unless all moves lead to higher ones.
bool ErringPlay::order_by_numbers() {
  std::vector<std::uint8_t> reached(2 * graph_.size(), 0);
  reached[state(graph_.start, false)] = 1;
  for (PositionIndex p = graph_.start; p < graph_.size(); ++p) {
    for (const bool second_ply : {false, true}) {
      if (reached[state(p, second_ply)] == 0) continue;
      order_.push_back(state(p, second_ply));
      for (const PositionIndex q : graph_.successors(p)) {
        if (q <= p) {
          order_.clear();
          return false;
        }
        reached[state(q, !second_ply)] = 1;
      }
    }
  }
  std::reverse(order_.begin(), order_.end());
  return true;
}

void ErringPlay::order_by_components() {
  const auto states = static_cast<std::uint32_t>(2 * graph_.size());
  std::vector<std::uint8_t> reached(states, 0);
  std::vector<std::uint32_t> queue = {state(graph_.start, false)};
  reached[queue.front()] = 1;
  while (!queue.empty()) {
    const std::uint32_t s = queue.back();
    queue.pop_back();
    for (const PositionIndex q : graph_.successors(position(s))) {
      const std::uint32_t t = state(q, s % 2 == 0);
      if (reached[t] == 0) queue.push_back(t);
      reached[t] = 1;
    }
  }
  std::vector<std::uint32_t> component;
  const std::size_t components = strong_components(
      states,
      [&](std::uint32_t s) {
        return reached[s] == 0 ? 0 : static_cast<std::uint32_t>(graph_.successors(position(s)).size());
      },
      [&](std::uint32_t s, std::uint32_t k) { return state(graph_.successors(position(s))[k], s % 2 == 0); },
      component);
  // By component, those without a state that is reached left out.
  std::vector<std::uint32_t>& end = begins_at_;
  end.assign(components + 1, 0);
  for (std::uint32_t s = 0; s < states; ++s) end[component[s] + 1] += reached[s];
  for (std::size_t c = 0; c < components; ++c) end[c + 1] += end[c];
  order_.resize(end.back());
  for (std::uint32_t s = 0; s < states; ++s) {
    if (reached[s] != 0) order_[end[component[s]]++] = s;
  }
  // What was the beginning of a component is its end now, the beginning of the next.
  end.pop_back();
  end.insert(end.begin(), 0);
  end.erase(std::unique(end.begin(), end.end()), end.end());
  acyclic_ = end.size() == order_.size() + 1;
}

void ErringPlay::list_moves() {
  std::vector<std::uint32_t> place(2 * graph_.size(), 0);
  for (std::uint32_t i = 0; i < order_.size(); ++i) place[order_[i]] = i;
  start_ = place[state(graph_.start, false)];
  first_move_.reserve(order_.size() + 1);
  first_move_.push_back(0);
  std::uint64_t moves = 0;
  for (const std::uint32_t s : order_) first_move_.push_back(moves += graph_.successors(position(s)).size());
  next_.reserve(moves);
  keeping_.reserve(order_.size());
  value_.reserve(order_.size());
  std::array<std::vector<std::uint32_t>, 2> later;  // what keeps the value more slowly, and what loses some of it
  for (const std::uint32_t s : order_) {
    const PositionIndex p = position(s);
    const MarginRank value = solution_.value[p];
    std::array<std::uint32_t, 2> keeping = {};
    for (const PositionIndex q : graph_.successors(p)) {
      const std::uint32_t to = place[state(q, s % 2 == 0)];
      const bool keeps = solution_.value[q] == -value;
      const bool best = keeps && (value == 0 || solution_.remoteness[q].next() == solution_.remoteness[p]);
      if (best) ++keeping[0];
      if (keeps) ++keeping[1];
      (best ? next_ : later[keeps ? 0 : 1]).push_back(to);
    }
    for (auto& list : later) {
      next_.insert(next_.end(), list.begin(), list.end());
      list.clear();
    }
    keeping_.push_back(keeping);
    value_.push_back(s % 2 == 0 ? value : -value);
  }
}

template <std::size_t kPairs>
std::optional<std::array<PlayResult, kPairs>> ErringPlay::results(const std::array<ErringPair, kPairs>& pairs) const {
  return Chain<kPairs>(*this, pairs).results();
}
template std::optional<std::array<PlayResult, 1>> ErringPlay::results(const std::array<ErringPair, 1>&) const;
template std::optional<std::array<PlayResult, ErringPlay::kTogether>> ErringPlay::results(
    const std::array<ErringPair, kTogether>&) const;

template <std::size_t kPairs>
std::optional<std::array<PlayMeasures, kPairs>> ErringPlay::measures(
    const std::array<ErringPair, kPairs>& pairs) const {
  return Chain<kPairs>(*this, pairs).measures();
}
template std::optional<std::array<PlayMeasures, 1>> ErringPlay::measures(const std::array<ErringPair, 1>&) const;
template std::optional<std::array<PlayMeasures, 2>> ErringPlay::measures(const std::array<ErringPair, 2>&) const;

}  // namespace plenum
