// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/erring_play.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Dense>
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>

#include "solver/graph/strong_components.h"

namespace plenum {
namespace {

constexpr std::size_t kDense = 300;  // states of a component that is solved by dense LU
constexpr int kMostCorrections = 8;
constexpr double kResidual = 1e-12;
constexpr std::uint8_t kKeeps = 1;
constexpr std::uint8_t kBest = 2;

using Vector = Eigen::VectorXd;

// Whether A x = b was solved. What is left of b is solved for again, and added.
template <typename Matrix, typename Solver>
bool solve_column(const Matrix& a, const Solver& solver, const Vector& b, Vector& x) {
  x.setZero(b.size());
  const double scale = b.lpNorm<Eigen::Infinity>();
  if (scale == 0) return true;
  Vector residual = b;
  for (int k = 0; k < kMostCorrections && residual.lpNorm<Eigen::Infinity>() > kResidual * scale; ++k) {
    const Vector more = solver.solve(residual);
    if (!more.allFinite()) return false;
    x += more;
    residual = b - a * x;
  }
  return residual.lpNorm<Eigen::Infinity>() <= 1e3 * kResidual * scale;
}

}  // namespace

ErringPlay::ErringPlay(const PositionGraph& graph, const Solution& solution, Player begins, double unit, Stop* stop)
    : graph_(graph), solution_(solution), second_begins_(begins == Player::second), unit_(unit), stop_(stop) {
  note_edges();
  order_states();
  list_next();
}

void ErringPlay::note_edges() {
  keeps_.assign(graph_.edge.size(), 0);
  for (auto& counts : keeping_) counts.assign(graph_.size(), 0);
  for (PositionIndex p = 0; p < graph_.size(); ++p) {
    const MarginRank value = solution_.value[p];
    for (EdgeIndex e = graph_.first_edge[p]; e < graph_.first_edge[p + 1]; ++e) {
      const PositionIndex q = graph_.successor(e);
      if (solution_.value[q] != -value) continue;
      const bool best = value == 0 || solution_.remoteness[q].next() == solution_.remoteness[p];
      keeps_[e] = best ? kKeeps | kBest : kKeeps;
      ++keeping_[0][p];
      keeping_[1][p] += best ? 1 : 0;
    }
  }
}

void ErringPlay::order_states() {
  const auto states = static_cast<std::uint32_t>(2 * graph_.size());
  std::vector<std::uint8_t> reached(states, 0);
  std::vector<std::uint32_t> queue = {state(graph_.start, false)};
  reached[queue.front()] = 1;
  while (!queue.empty()) {
    const std::uint32_t s = queue.back();
    queue.pop_back();
    order_.push_back(s);
    for (const PositionIndex q : graph_.successors(position(s))) {
      const std::uint32_t t = state(q, s % 2 == 0);
      if (reached[t] == 0) queue.push_back(t);
      reached[t] = 1;
    }
  }
  std::vector<std::uint32_t> component;
  strong_components(
      states,
      [&](std::uint32_t s) {
        return reached[s] == 0 ? 0 : static_cast<std::uint32_t>(graph_.successors(position(s)).size());
      },
      [&](std::uint32_t s, std::uint32_t k) { return state(graph_.successors(position(s))[k], s % 2 == 0); },
      component);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t s, std::uint32_t t) {
    return component[s] != component[t] ? component[s] < component[t] : s < t;
  });
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    if (i == 0 || component[order_[i]] != component[order_[i - 1]]) begins_at_.push_back(i);
  }
  begins_at_.push_back(static_cast<std::uint32_t>(order_.size()));
}

void ErringPlay::list_next() {
  std::vector<std::uint32_t> place(2 * graph_.size(), 0);
  for (std::uint32_t i = 0; i < order_.size(); ++i) place[order_[i]] = i;
  start_ = place[state(graph_.start, false)];
  first_next_.reserve(order_.size() + 1);
  first_next_.push_back(0);
  std::uint64_t moves = 0;
  for (const std::uint32_t s : order_) first_next_.push_back(moves += graph_.successors(position(s)).size());
  next_.reserve(moves);
  for (const std::uint32_t s : order_) {
    for (const PositionIndex q : graph_.successors(position(s))) next_.push_back(place[state(q, s % 2 == 0)]);
  }
}

// The Markov chains of pairs of policies, all of which keep the value in the same way. States go by their places in order_; a set of chains
// is a number with a bit for each.
template <std::size_t kCells>
class ErringPlay::Chain {
 public:
  using Pair = std::array<ErringPolicy, 2>;  // first's and second's
  Chain(const ErringPlay& play, const std::array<Pair, kCells>& pairs)
      : play_(play),
        graph_(play.graph_),
        mask_(pairs.front().front().keeping == KeepingMove::quickest ? kBest : kKeeps),
        place_(play.order_.size(), 0),
        live_(play.order_.size(), 0) {
    for (std::size_t k = 0; k < kCells; ++k) {
      for (const std::size_t ply : {0, 1}) {
        const double error = pairs[k][ply ^ (play.second_begins_ ? 1 : 0)].error;
        error_[ply][k] = error;
        if (error > 0) errs_[ply] |= static_cast<Cells>(1U << k);
      }
    }
    find_live();
  }
  std::optional<std::array<PlayResult, kCells>> results();
  std::optional<PlayMeasures> measures();  // of one pair

 private:
  using Cells = std::uint8_t;
  static_assert(kCells <= 8);
  static constexpr Cells kAll = static_cast<Cells>((1U << kCells) - 1);
  using Numbers = std::array<double, kCells>;  // one for each chain
  template <std::size_t kColumns>
  using Columns = std::vector<std::array<Numbers, kColumns>>;  // by place

  // With what chance each move of a state is made: one that its player makes on purpose, and any other.
  struct Chances {
    Numbers purposeful;
    Numbers other;
  };
  Chances chances(std::uint32_t i) const {
    const PositionIndex p = position(play_.order_[i]);
    const auto all = static_cast<double>(play_.first_next_[i + 1] - play_.first_next_[i]);
    const double keeping = play_.keeping_[mask_ == kBest ? 1 : 0][p];
    Chances out;
    for (std::size_t k = 0; k < kCells; ++k) {
      const double error = error_[play_.order_[i] % 2][k];
      out.other[k] = error / all;
      out.purposeful[k] = out.other[k] + (1 - error) / keeping;
    }
    return out;
  }
  // visit(place, whether it is made on purpose) for the moves of a state.
  template <typename Visit>
  void each_move(std::uint32_t i, const Visit& visit) const {
    const std::uint8_t* keeps = play_.keeps_.data() + graph_.first_edge[position(play_.order_[i])];
    for (std::uint64_t m = play_.first_next_[i]; m < play_.first_next_[i + 1]; ++m, ++keeps)
      visit(play_.next_[m], (*keeps & mask_) != 0);
  }

  void find_live();
  bool ended(std::uint32_t i) const { return graph_.ended(position(play_.order_[i])); }
  MarginRank value(std::uint32_t i) const {  // seen from the player who begins
    const MarginRank rank = play_.solution_.value[position(play_.order_[i])];
    return play_.order_[i] % 2 == 0 ? rank : -rank;
  }
  double margin(MarginRank rank) const { return static_cast<double>(graph_.margin(rank).margin.units) * play_.unit_; }

  // x(i) = rhs(i) + sum of the move's chance times x(t) over the moves that count(i, t); x of states that are not live is given.
  template <std::size_t kColumns, typename Count, typename Rhs>
  bool solve(const Count& count, const Rhs& rhs, Columns<kColumns>& x);
  template <std::size_t kColumns, typename Count, typename Rhs>
  bool solve_component(std::uint32_t begin, std::uint32_t end, std::size_t cell, const Count& count, const Rhs& rhs,
                       Columns<kColumns>& x);

  const ErringPlay& play_;
  const PositionGraph& graph_;
  const std::uint8_t mask_;           // what moves that are made on purpose have
  std::array<Numbers, 2> error_;      // at even and odd plies
  std::array<Cells, 2> errs_ = {};    // likewise: where it is more than 0
  std::vector<std::uint32_t> place_;  // of a state in the component at hand
  std::vector<Cells> live_;           // where an end is reachable by moves that are made
};

// Within a component what is live is found by sweeps: an end is mostly a few plies away.
template <std::size_t kCells>
void ErringPlay::Chain<kCells>::find_live() {
  std::vector<Cells> ends(live_.size(), 0);  // or leads to an end
  for (std::size_t c = 0; c + 1 < play_.begins_at_.size(); ++c) {
    const bool alone = play_.begins_at_[c + 1] - play_.begins_at_[c] == 1;  // and no move leads back
    for (bool more = true; more;) {
      more = false;
      for (std::uint32_t i = play_.begins_at_[c]; i < play_.begins_at_[c + 1]; ++i) {
        if (ends[i] == kAll) continue;
        Cells found = 0;
        if (ended(i)) {
          found = kAll;
        } else {
          each_move(i, [&, errs = errs_[play_.order_[i] % 2]](std::uint32_t t, bool purposeful) {
            found |= ends[t] & (purposeful ? kAll : errs);
          });
          live_[i] |= found;
        }
        more = more || (!alone && (found & ~ends[i]) != 0);
        ends[i] |= found;
      }
    }
  }
}

template <std::size_t kCells>
template <std::size_t kColumns, typename Count, typename Rhs>
bool ErringPlay::Chain<kCells>::solve(const Count& count, const Rhs& rhs, Columns<kColumns>& x) {
  for (std::size_t c = 0; c + 1 < play_.begins_at_.size(); ++c) {
    if (c % 4096 == 0 && play_.stop_ != nullptr && play_.stop_->ask()) return false;
    const std::uint32_t begin = play_.begins_at_[c];
    if (play_.begins_at_[c + 1] - begin > 1) {
      for (std::size_t k = 0; k < kCells; ++k) {
        if (!solve_component<kColumns>(begin, play_.begins_at_[c + 1], k, count, rhs, x)) return false;
      }
      continue;
    }
    if (live_[begin] == 0) continue;
    std::array<Numbers, kColumns> sum;
    const std::array<double, kColumns> constant = rhs(begin);
    for (std::size_t column = 0; column < kColumns; ++column) sum[column].fill(constant[column]);
    const Chances chance = chances(begin);
    each_move(begin, [&](std::uint32_t t, bool purposeful) {
      if (!count(begin, t)) return;
      const Numbers& w = purposeful ? chance.purposeful : chance.other;
      for (std::size_t column = 0; column < kColumns; ++column) {
        for (std::size_t k = 0; k < kCells; ++k) sum[column][k] += w[k] * x[t][column][k];
      }
    });
    for (std::size_t k = 0; k < kCells; ++k) {
      if ((live_[begin] >> k & 1) == 0) continue;
      for (std::size_t column = 0; column < kColumns; ++column) x[begin][column][k] = sum[column][k];
    }
  }
  return true;
}

template <std::size_t kCells>
template <std::size_t kColumns, typename Count, typename Rhs>
bool ErringPlay::Chain<kCells>::solve_component(std::uint32_t begin, std::uint32_t end, std::size_t cell,
                                                const Count& count, const Rhs& rhs, Columns<kColumns>& x) {
  constexpr std::uint32_t kOutside = ~std::uint32_t{0};
  std::vector<std::uint32_t> members;
  for (std::uint32_t i = begin; i < end; ++i) {
    const bool live = (live_[i] >> cell & 1) != 0;
    place_[i] = live ? static_cast<std::uint32_t>(members.size()) : kOutside;
    if (live) members.push_back(i);
  }
  const auto n = static_cast<Eigen::Index>(members.size());
  Eigen::MatrixXd b(n, kColumns);
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index row = 0; row < n; ++row) {
    const std::uint32_t i = members[static_cast<std::size_t>(row)];
    std::array<double, kColumns> sum = rhs(i);
    const Chances chance = chances(i);
    entries.emplace_back(row, row, 1.0);
    each_move(i, [&](std::uint32_t t, bool purposeful) {
      if (!count(i, t)) return;
      const double w = (purposeful ? chance.purposeful : chance.other)[cell];
      if (t >= begin && t < end && place_[t] != kOutside) {
        entries.emplace_back(row, place_[t], -w);
      } else {
        for (std::size_t column = 0; column < kColumns; ++column) sum[column] += w * x[t][column][cell];
      }
    });
    for (std::size_t column = 0; column < kColumns; ++column) b(row, static_cast<Eigen::Index>(column)) = sum[column];
  }
  Eigen::SparseMatrix<double, Eigen::RowMajor> a(n, n);
  a.setFromTriplets(entries.begin(), entries.end());
  const auto solve_with = [&](const auto& solver) {
    for (std::size_t column = 0; column < kColumns; ++column) {
      Vector found;
      if (!solve_column(a, solver, b.col(static_cast<Eigen::Index>(column)), found)) return false;
      for (Eigen::Index row = 0; row < n; ++row) x[members[static_cast<std::size_t>(row)]][column][cell] = found[row];
      if (play_.stop_ != nullptr && play_.stop_->ask()) return false;
    }
    return true;
  };
  if (members.size() <= kDense) return solve_with(Eigen::PartialPivLU<Eigen::MatrixXd>(a.toDense()));
  Eigen::BiCGSTAB<Eigen::SparseMatrix<double, Eigen::RowMajor>> iterative(a);
  iterative.setTolerance(kResidual / 10);
  return solve_with(iterative);
}

template <std::size_t kCells>
std::optional<std::array<PlayResult, kCells>> ErringPlay::Chain<kCells>::results() {
  enum { kBeginner, kOther, kLevel, kEndless, kPlies, kColumns };
  Columns<kColumns> x(live_.size(), std::array<Numbers, kColumns>{});
  for (std::uint32_t i = 0; i < live_.size(); ++i) {
    if (live_[i] == kAll) continue;
    if (ended(i)) {
      x[i][value(i) > 0 ? kBeginner : value(i) < 0 ? kOther : kLevel].fill(1);
    } else {
      x[i][kEndless].fill(1);  // of those that are live it is found below
    }
  }
  const auto all = [](std::uint32_t, std::uint32_t) { return true; };
  const auto ply = [](std::uint32_t) { return std::array<double, kColumns>{0, 0, 0, 0, 1}; };
  if (!solve<kColumns>(all, ply, x)) return std::nullopt;
  const std::array<Numbers, kColumns>& at = x[play_.start_];
  std::array<PlayResult, kCells> out;
  for (std::size_t k = 0; k < kCells; ++k) {
    out[k].tie = at[kLevel][k];
    out[k].endless = at[kEndless][k];
    out[k].first = at[play_.second_begins_ ? kOther : kBeginner][k];
    out[k].second = at[play_.second_begins_ ? kBeginner : kOther][k];
    if (out[k].endless == 0) out[k].plies = at[kPlies][k];
  }
  return out;
}

template <std::size_t kCells>
std::optional<PlayMeasures> ErringPlay::Chain<kCells>::measures() {
  static_assert(kCells == 1);
  const auto played = results();
  if (!played) return std::nullopt;
  // The chance that the value changes no more.
  Columns<1> same(live_.size(), {Numbers{1}});
  const auto keeps = [&](std::uint32_t i, std::uint32_t t) { return value(i) == value(t); };
  const auto nothing = [](std::uint32_t) { return std::array<double, 1>{0}; };
  if (!solve<1>(keeps, nothing, same)) return std::nullopt;
  // From level states: the chances that the next one that is not is won by who begins, and by the other.
  const auto leads = [&](std::uint32_t i) {
    return std::array<double, 2>{value(i) > 0 ? 1.0 : 0.0, value(i) < 0 ? 1.0 : 0.0};
  };
  Columns<2> led(live_.size());
  for (std::uint32_t i = 0; i < live_.size(); ++i) led[i] = {Numbers{leads(i)[0]}, Numbers{leads(i)[1]}};
  const auto level = [&](std::uint32_t i, std::uint32_t) { return value(i) == 0; };
  if (!solve<2>(level, leads, led)) return std::nullopt;

  enum { kChanges, kAmount, kLeadChanges, kDecisive, kColumns };
  Columns<kColumns> x(live_.size(), std::array<Numbers, kColumns>{});
  const auto all = [](std::uint32_t, std::uint32_t) { return true; };
  const auto sums = [&](std::uint32_t i) {
    std::array<double, kColumns> out = {0, 0, 0, 1 - same[i][0][0]};
    const Chances chance = chances(i);
    each_move(i, [&](std::uint32_t t, bool purposeful) {
      if (value(t) == value(i)) return;
      const double w = (purposeful ? chance.purposeful : chance.other)[0];
      out[kChanges] += w;
      out[kAmount] += w * std::abs(margin(value(t)) - margin(value(i)));
      if (value(i) != 0) out[kLeadChanges] += w * led[t][value(i) > 0 ? 1 : 0][0];
    });
    return out;
  };
  if (!solve<kColumns>(all, sums, x)) return std::nullopt;
  const std::array<Numbers, kColumns>& at = x[play_.start_];
  return PlayMeasures{played->front(), at[kDecisive][0], at[kChanges][0], at[kAmount][0], at[kLeadChanges][0]};
}

std::optional<PlayResult> ErringPlay::result(ErringPolicy first, ErringPolicy second) const {
  const auto out = Chain<1>(*this, {{{first, second}}}).results();
  return out ? std::optional(out->front()) : std::nullopt;
}

std::optional<std::array<PlayResult, ErringPlay::kTogether>> ErringPlay::results(
    ErringPolicy first, const std::array<ErringPolicy, kTogether>& seconds) const {
  std::array<Chain<kTogether>::Pair, kTogether> pairs;
  for (std::size_t k = 0; k < kTogether; ++k) pairs[k] = {first, seconds[k]};
  return Chain<kTogether>(*this, pairs).results();
}

std::optional<PlayMeasures> ErringPlay::measures(ErringPolicy first, ErringPolicy second) const {
  return Chain<1>(*this, {{{first, second}}}).measures();
}

}  // namespace plenum
