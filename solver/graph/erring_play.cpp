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

// The Markov chain of two players' policies.
class ErringPlay::Chain {
 public:
  Chain(const ErringPlay& play, ErringPolicy first, ErringPolicy second)
      : play_(play),
        graph_(play.graph_),
        policy_(play.second_begins_ ? std::array{second, first} : std::array{first, second}),
        place_(2 * graph_.size(), 0) {
    find_live();
  }
  std::optional<PlayResult> result();
  std::optional<PlayMeasures> measures();

 private:
  template <std::size_t kColumns>
  using Columns = std::vector<std::array<double, kColumns>>;

  void find_live();
  bool may_make(std::uint32_t s, EdgeIndex e) const;
  // With what chance each move of a state is made: one that its player makes on purpose, and any other.
  class Chances {
   public:
    Chances(const Chain& chain, std::uint32_t s) : keeps_(chain.play_.keeps_.data()) {
      const PositionIndex p = position(s);
      const ErringPolicy& policy = chain.policy_[s % 2];
      mask_ = mask_of(policy);
      other_ = policy.error / static_cast<double>(chain.graph_.successors(p).size());
      purposeful_ = other_ + (1 - policy.error) / chain.play_.keeping_[mask_ == kBest ? 1 : 0][p];
    }
    double operator()(EdgeIndex e) const { return (keeps_[e] & mask_) != 0 ? purposeful_ : other_; }

   private:
    const std::uint8_t* keeps_;
    std::uint8_t mask_ = 0;
    double other_ = 0;
    double purposeful_ = 0;
  };
  static std::uint8_t mask_of(const ErringPolicy& policy) {
    return policy.keeping == KeepingMove::quickest ? kBest : kKeeps;
  }
  MarginRank value(std::uint32_t s) const;  // seen from the player who begins
  double margin(MarginRank rank) const;
  bool open(std::uint32_t s) const { return live_[s] != 0; }

  // x(s) = rhs(s) + sum of the move's chance times x(t) over the edges that count(s, t); x of states that are not open is given.
  template <std::size_t kColumns, typename Count, typename Rhs>
  bool solve(const Count& count, const Rhs& rhs, Columns<kColumns>& x);
  template <std::size_t kColumns, typename Count, typename Rhs>
  bool solve_component(std::size_t begin, std::size_t end, const Count& count, const Rhs& rhs, Columns<kColumns>& x);

  const ErringPlay& play_;
  const PositionGraph& graph_;
  const std::array<ErringPolicy, 2> policy_;  // at even and odd plies
  std::vector<std::uint32_t> place_;          // of a state in the component at hand
  std::vector<std::uint8_t> live_;            // states from which an end is reachable by moves that are made
};

bool ErringPlay::Chain::may_make(std::uint32_t s, EdgeIndex e) const {
  const ErringPolicy& policy = policy_[s % 2];
  return policy.error > 0 || (play_.keeps_[e] & mask_of(policy)) != 0;
}

MarginRank ErringPlay::Chain::value(std::uint32_t s) const {
  const MarginRank rank = play_.solution_.value[position(s)];
  return s % 2 == 0 ? rank : -rank;
}

double ErringPlay::Chain::margin(MarginRank rank) const {
  return static_cast<double>(graph_.margin(rank).margin.units) * play_.unit_;
}

// Within a component what is live is found by sweeps: an end is mostly a few plies away.
void ErringPlay::Chain::find_live() {
  std::vector<std::uint8_t> ends(2 * graph_.size(), 0);  // or leads to an end
  live_.assign(ends.size(), 0);
  for (std::size_t c = 0; c + 1 < play_.begins_at_.size(); ++c) {
    for (bool more = true; more;) {
      more = false;
      for (std::uint32_t i = play_.begins_at_[c]; i < play_.begins_at_[c + 1]; ++i) {
        const std::uint32_t s = play_.order_[i];
        const PositionIndex p = position(s);
        if (ends[s] != 0) continue;
        bool ended = graph_.ended(p);
        for (EdgeIndex e = graph_.first_edge[p]; !ended && e < graph_.first_edge[p + 1]; ++e) {
          if (ends[state(graph_.successor(e), s % 2 == 0)] == 0 || !may_make(s, e)) continue;
          live_[s] = 1;
          break;
        }
        if (!ended && live_[s] == 0) continue;
        ends[s] = 1;
        more = true;
      }
    }
  }
}

template <std::size_t kColumns, typename Count, typename Rhs>
bool ErringPlay::Chain::solve(const Count& count, const Rhs& rhs, Columns<kColumns>& x) {
  for (std::size_t c = 0; c + 1 < play_.begins_at_.size(); ++c) {
    if (c % 4096 == 0 && play_.stop_ != nullptr && play_.stop_->ask()) return false;
    const std::size_t begin = play_.begins_at_[c];
    if (play_.begins_at_[c + 1] - begin > 1) {
      if (!solve_component<kColumns>(begin, play_.begins_at_[c + 1], count, rhs, x)) return false;
      continue;
    }
    const std::uint32_t s = play_.order_[begin];
    if (!open(s)) continue;
    std::array<double, kColumns> sum = rhs(s);
    const Chances chance(*this, s);
    for (EdgeIndex e = graph_.first_edge[position(s)]; e < graph_.first_edge[position(s) + 1]; ++e) {
      const std::uint32_t t = state(graph_.successor(e), s % 2 == 0);
      if (!count(s, t)) continue;
      const double w = chance(e);
      for (std::size_t k = 0; k < kColumns; ++k) sum[k] += w * x[t][k];
    }
    x[s] = sum;
  }
  return true;
}

template <std::size_t kColumns, typename Count, typename Rhs>
bool ErringPlay::Chain::solve_component(std::size_t begin, std::size_t end, const Count& count, const Rhs& rhs,
                                        Columns<kColumns>& x) {
  constexpr std::uint32_t kOutside = ~std::uint32_t{0};
  std::vector<std::uint32_t> members;
  for (std::size_t i = begin; i < end; ++i) {
    place_[play_.order_[i]] = open(play_.order_[i]) ? static_cast<std::uint32_t>(members.size()) : kOutside;
    if (open(play_.order_[i])) members.push_back(play_.order_[i]);
  }
  const auto n = static_cast<Eigen::Index>(members.size());
  const auto inside = [&](std::uint32_t t) {
    return place_[t] < members.size() && members[place_[t]] == t;  // places of other components are old
  };
  Eigen::MatrixXd b(n, kColumns);
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index i = 0; i < n; ++i) {
    const std::uint32_t s = members[static_cast<std::size_t>(i)];
    std::array<double, kColumns> sum = rhs(s);
    const Chances chance(*this, s);
    entries.emplace_back(i, i, 1.0);
    for (EdgeIndex e = graph_.first_edge[position(s)]; e < graph_.first_edge[position(s) + 1]; ++e) {
      const std::uint32_t t = state(graph_.successor(e), s % 2 == 0);
      if (!count(s, t)) continue;
      const double w = chance(e);
      if (inside(t)) {
        entries.emplace_back(i, place_[t], -w);
      } else {
        for (std::size_t k = 0; k < kColumns; ++k) sum[k] += w * x[t][k];
      }
    }
    for (std::size_t k = 0; k < kColumns; ++k) b(i, static_cast<Eigen::Index>(k)) = sum[k];
  }
  Eigen::SparseMatrix<double, Eigen::RowMajor> a(n, n);
  a.setFromTriplets(entries.begin(), entries.end());
  const auto solve_with = [&](const auto& solver) {
    for (std::size_t k = 0; k < kColumns; ++k) {
      Vector column;
      if (!solve_column(a, solver, b.col(static_cast<Eigen::Index>(k)), column)) return false;
      for (Eigen::Index i = 0; i < n; ++i) x[members[static_cast<std::size_t>(i)]][k] = column[i];
      if (play_.stop_ != nullptr && play_.stop_->ask()) return false;
    }
    return true;
  };
  if (members.size() <= kDense) return solve_with(Eigen::PartialPivLU<Eigen::MatrixXd>(a.toDense()));
  Eigen::BiCGSTAB<Eigen::SparseMatrix<double, Eigen::RowMajor>> iterative(a);
  iterative.setTolerance(kResidual / 10);
  return solve_with(iterative);
}

std::optional<PlayResult> ErringPlay::Chain::result() {
  enum { kBeginner, kOther, kLevel, kEndless, kPlies };
  Columns<5> x(live_.size(), std::array<double, 5>{});
  for (const std::uint32_t s : play_.order_) {
    if (open(s)) continue;
    const bool ended = graph_.ended(position(s));
    x[s][kBeginner] = ended && value(s) > 0 ? 1 : 0;
    x[s][kOther] = ended && value(s) < 0 ? 1 : 0;
    x[s][kLevel] = ended && value(s) == 0 ? 1 : 0;
    x[s][kEndless] = ended ? 0 : 1;
  }
  const auto all = [](std::uint32_t, std::uint32_t) { return true; };
  const auto ply = [](std::uint32_t) { return std::array<double, 5>{0, 0, 0, 0, 1}; };
  if (!solve<5>(all, ply, x)) return std::nullopt;
  const std::array<double, 5>& at = x[state(graph_.start, false)];
  PlayResult out;
  out.tie = at[kLevel];
  out.endless = at[kEndless];
  out.first = at[play_.second_begins_ ? kOther : kBeginner];
  out.second = at[play_.second_begins_ ? kBeginner : kOther];
  if (out.endless == 0) out.plies = at[kPlies];
  return out;
}

std::optional<PlayMeasures> ErringPlay::Chain::measures() {
  const std::optional<PlayResult> played = result();
  if (!played) return std::nullopt;
  // The chance that the value changes no more.
  Columns<1> same(live_.size(), std::array<double, 1>{1});
  const auto keeps = [&](std::uint32_t s, std::uint32_t t) { return value(s) == value(t); };
  if (!solve<1>(
          keeps, [](std::uint32_t) { return std::array<double, 1>{0}; }, same))
    return std::nullopt;
  // From level states: the chances that the next one that is not is won by who begins, and by the other.
  const auto leads = [&](std::uint32_t s) {
    return std::array<double, 2>{value(s) > 0 ? 1.0 : 0.0, value(s) < 0 ? 1.0 : 0.0};
  };
  Columns<2> led(live_.size(), std::array<double, 2>{});
  for (const std::uint32_t s : play_.order_) led[s] = leads(s);
  const auto level = [&](std::uint32_t s, std::uint32_t) { return value(s) == 0; };
  if (!solve<2>(level, leads, led)) return std::nullopt;

  enum { kChanges, kAmount, kLeadChanges, kDecisive };
  Columns<4> x(live_.size(), std::array<double, 4>{});
  const auto all = [](std::uint32_t, std::uint32_t) { return true; };
  const auto sums = [&](std::uint32_t s) {
    std::array<double, 4> out = {0, 0, 0, 1 - same[s][0]};
    const Chances chance(*this, s);
    for (EdgeIndex e = graph_.first_edge[position(s)]; e < graph_.first_edge[position(s) + 1]; ++e) {
      const std::uint32_t t = state(graph_.successor(e), s % 2 == 0);
      if (value(t) == value(s)) continue;
      const double w = chance(e);
      out[kChanges] += w;
      out[kAmount] += w * std::abs(margin(value(t)) - margin(value(s)));
      if (value(s) != 0) out[kLeadChanges] += w * led[t][value(s) > 0 ? 1 : 0];
    }
    return out;
  };
  if (!solve<4>(all, sums, x)) return std::nullopt;
  const std::array<double, 4>& at = x[state(graph_.start, false)];
  return PlayMeasures{*played, at[kDecisive], at[kChanges], at[kAmount], at[kLeadChanges]};
}

std::optional<PlayResult> ErringPlay::result(ErringPolicy first, ErringPolicy second) const {
  return Chain(*this, first, second).result();
}

std::optional<PlayMeasures> ErringPlay::measures(ErringPolicy first, ErringPolicy second) const {
  return Chain(*this, first, second).measures();
}

}  // namespace plenum
