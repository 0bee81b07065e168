// SPDX-License-Identifier: Apache-2.0
// The equations of players who err (erring_play.h, of which this is the inner part): what a few pairs of policies come to from the start.
//
// Header only: templates over how many pairs are worked out together, and over what is counted backwards.
// Thread-safety: a chain works in one thread; many may work on the same ErringPlay.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <Eigen/Dense>
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>

#include "solver/graph/erring_play.h"

namespace plenum {

// The Markov chains of pairs of policies, all of which keep the value in the same way. States go by their places in order_; a set of chains
// is a number with a bit for each.
template <std::size_t kCells>
class ErringPlay::Chain {
 public:
  Chain(const ErringPlay& play, const std::array<ErringPair, kCells>& pairs)
      : play_(play),
        keeping_(pairs.front().front().keeping == KeepingMove::quickest ? 0 : 1),
        place_(play.acyclic_ ? 0 : play.order_.size(), 0),
        live_(play.acyclic_ ? 0 : play.order_.size(), 0) {
    for (std::size_t k = 0; k < kCells; ++k) {
      for (const std::size_t ply : {0, 1}) {
        const double error = pairs[k][ply ^ (play.second_begins_ ? 1 : 0)].error;
        error_[ply](index(k)) = error;
        if (error > 0) errs_[ply] |= static_cast<Cells>(1U << k);
      }
    }
    if (!play.acyclic_) find_live();
  }
  std::optional<std::array<PlayResult, kCells>> results() {
    Visits visits;
    if (!find_visits(visits)) return std::nullopt;
    return results(visits);
  }
  std::optional<std::array<PlayMeasures, kCells>> measures();

 private:
  using Cells = std::uint8_t;
  static_assert(kCells <= 8);
  static constexpr Cells kAll = static_cast<Cells>((1U << kCells) - 1);
  using Numbers = Eigen::Array<double, static_cast<int>(kCells), 1>;  // one for each chain
  static constexpr Eigen::Index index(std::size_t k) { return static_cast<Eigen::Index>(k); }
  using Visits =
      std::vector<Numbers>;  // by place: how often it is visited; where play stays for ever, the chance of that
  template <std::size_t kColumns>
  using Columns = std::vector<std::array<Numbers, kColumns>>;  // by place

  // With what chance each move of a state is made: one that its player makes on purpose, and any other.
  struct Chances {
    Numbers purposeful;
    Numbers other;
  };
  Chances chances(std::uint32_t i) const {
    const double of_all = 1.0 / static_cast<std::uint32_t>(play_.first_move_[i + 1] - play_.first_move_[i]);
    const double of_keeping = 1.0 / play_.keeping_[i][keeping_];
    const Numbers& error = error_[play_.order_[i] % 2];
    Chances out;
    out.other = error * of_all;
    out.purposeful = out.other + (1 - error) * of_keeping;
    return out;
  }
  // visit(place, whether it is made on purpose) for the moves of a state.
  template <typename Visit>
  void each_move(std::uint32_t i, const Visit& visit) const {
    const std::uint32_t* const moves = play_.next_.data();
    const std::uint64_t others = play_.first_move_[i] + play_.keeping_[i][keeping_];
    for (std::uint64_t m = play_.first_move_[i]; m < others; ++m) visit(moves[m], true);
    for (std::uint64_t m = others; m < play_.first_move_[i + 1]; ++m) visit(moves[m], false);
  }
  // The same for those that are made in one of these chains.
  template <typename Visit>
  void each_made(std::uint32_t i, Cells chains, const Visit& visit) const {
    const bool errs = (errs_[play_.order_[i] % 2] & chains) != 0;
    each_move(i, [&](std::uint32_t t, bool purposeful) {
      if (purposeful || errs) visit(t, purposeful);
    });
  }

  void find_live();
  bool ended(std::uint32_t i) const { return play_.first_move_[i] == play_.first_move_[i + 1]; }
  // In which chains an end is reachable by moves that are made, and play goes on.
  Cells live(std::uint32_t i) const { return !play_.acyclic_ ? live_[i] : ended(i) ? 0 : kAll; }
  bool is_live(std::uint32_t i, std::size_t cell) const { return (live(i) >> cell & 1) != 0; }
  MarginRank value(std::uint32_t i) const { return play_.value_[i]; }
  double margin(MarginRank rank) const {
    return static_cast<double>(play_.graph_.margin(rank).margin.units) * play_.unit_;
  }
  bool stopped(std::size_t component) const {
    return component % 4096 == 0 && play_.stop_ != nullptr && play_.stop_->ask();
  }

  bool find_visits(Visits& visits);
  Numbers living(std::uint32_t i, const Visits& visits) const;  // how often it is visited, and live
  void pass_on(std::uint32_t i, Visits& visits) const;
  bool visit_component(std::uint32_t begin, std::uint32_t end, std::size_t cell, Visits& visits);
  std::array<PlayResult, kCells> results(const Visits& visits) const;

  // x(i) = rhs(i) + sum of the move's chance times x(t) over the moves that count(i, t); x of states that are not live is given.
  template <std::size_t kColumns, typename Count, typename Rhs>
  bool solve(const Count& count, const Rhs& rhs, Columns<kColumns>& x);
  template <std::size_t kColumns, typename Count, typename Rhs>
  bool solve_component(std::uint32_t begin, std::uint32_t end, std::size_t cell, const Count& count, const Rhs& rhs,
                       Columns<kColumns>& x);

  static constexpr Eigen::Index kDense = 300;  // states of a component that is solved by dense LU
  static constexpr int kMostCorrections = 8;
  static constexpr double kResidual = 1e-12;

  using Vector = Eigen::VectorXd;

  // Whether A x = b was solved. What is left of b is solved for again, and added; where that will do, only as long as it brings something.
  // kNorm: what counts of the residual, its largest number (Eigen::Infinity) or the sum (1).
  template <int kNorm, typename Matrix, typename Solver>
  static bool solve_column(const Matrix& a, const Solver& solver, const Vector& b, Vector& x) {
    x.setZero(b.size());
    const double scale = b.lpNorm<kNorm>();
    Vector residual = b;
    double left = scale;
    double before = 4 * scale;
    const double enough = 1e3 * kResidual * scale;
    for (int k = 0; k < kMostCorrections && left > kResidual * scale && (left > enough || left < before / 2); ++k) {
      const Vector more = solver.solve(residual);
      if (!more.allFinite()) return false;
      x += more;
      residual = b - a * x;
      before = left;
      left = residual.template lpNorm<kNorm>();
    }
    return left <= enough;
  }

  static constexpr std::uint32_t kOutside = ~std::uint32_t{0};
  using Entries = std::vector<Eigen::Triplet<double>>;
  // Whether it was solved, column by column: enter(row, column, number).
  template <int kNorm, typename Enter>
  bool solve_equations(const Entries& entries, const Eigen::MatrixXd& rhs, const Enter& enter) const;

  const ErringPlay& play_;
  const std::size_t keeping_;         // in play_.keeping_: which moves are made on purpose
  std::array<Numbers, 2> error_;      // at even and odd plies
  std::array<Cells, 2> errs_ = {};    // likewise: where it is more than 0
  std::vector<std::uint32_t> place_;  // of a state in the component at hand, or kOutside
  std::vector<Cells> live_;           // live(), where play can go round
};

// Within a component what is live is found by sweeps: an end is mostly a few plies away.
template <std::size_t kCells>
void ErringPlay::Chain<kCells>::find_live() {
  std::vector<Cells> ends(live_.size(), 0);  // or leads to an end
  for (std::size_t c = 0; c < play_.components(); ++c) {
    const bool alone = play_.begins_at(c + 1) - play_.begins_at(c) == 1;  // and no move leads back
    for (bool more = true; more;) {
      more = false;
      for (std::uint32_t i = play_.begins_at(c); i < play_.begins_at(c + 1); ++i) {
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
template <int kNorm, typename Enter>
bool ErringPlay::Chain<kCells>::solve_equations(const Entries& entries, const Eigen::MatrixXd& rhs,
                                                const Enter& enter) const {
  Eigen::SparseMatrix<double, Eigen::RowMajor> a(rhs.rows(), rhs.rows());
  a.setFromTriplets(entries.begin(), entries.end());
  const auto solve_with = [&](const auto& solver) {
    for (Eigen::Index column = 0; column < rhs.cols(); ++column) {
      Vector found;
      if (!solve_column<kNorm>(a, solver, rhs.col(column), found)) return false;
      for (Eigen::Index row = 0; row < rhs.rows(); ++row) enter(row, column, found[row]);
      if (play_.stop_ != nullptr && play_.stop_->ask()) return false;
    }
    return true;
  };
  if (rhs.rows() <= kDense) return solve_with(Eigen::PartialPivLU<Eigen::MatrixXd>(a.toDense()));
  Eigen::BiCGSTAB<Eigen::SparseMatrix<double, Eigen::RowMajor>> iterative(a);
  iterative.setTolerance(kResidual / 10);
  return solve_with(iterative);
}

template <std::size_t kCells>
bool ErringPlay::Chain<kCells>::find_visits(Visits& visits) {
  visits.assign(play_.order_.size(), Numbers::Zero());
  visits[play_.start_].fill(1);
  for (std::size_t c = play_.components(); c-- > 0;) {
    if (stopped(c)) return false;
    const std::uint32_t begin = play_.begins_at(c);
    const std::uint32_t end = play_.begins_at(c + 1);
    if (end - begin == 1) {
      pass_on(begin, visits);
      continue;
    }
    for (std::size_t k = 0; k < kCells; ++k) {
      if (!visit_component(begin, end, k, visits)) return false;
    }
  }
  return true;
}

template <std::size_t kCells>
auto ErringPlay::Chain<kCells>::living(std::uint32_t i, const Visits& visits) const -> Numbers {
  const Cells live = this->live(i);
  if (live == kAll) return visits[i];
  Numbers out = Numbers::Zero();
  for (std::size_t k = 0; live != 0 && k < kCells; ++k) {
    if (is_live(i, k)) out(index(k)) = visits[i](index(k));
  }
  return out;
}

template <std::size_t kCells>
void ErringPlay::Chain<kCells>::pass_on(std::uint32_t i, Visits& visits) const {
  const Numbers here = living(i, visits);
  if ((here == 0).all()) return;
  const Chances chance = chances(i);
  const Numbers purposefully = chance.purposeful * here;
  const Numbers otherwise = chance.other * here;
  each_made(i, kAll, [&](std::uint32_t t, bool purposeful) { visits[t] += purposeful ? purposefully : otherwise; });
}

// Of its states, those which that chain visits, and where it does not stay for ever.
template <std::size_t kCells>
bool ErringPlay::Chain<kCells>::visit_component(std::uint32_t begin, std::uint32_t end, std::size_t cell,
                                                Visits& visits) {
  const auto chain = static_cast<Cells>(1U << cell);
  std::vector<std::uint32_t> members;
  const auto add = [&](std::uint32_t i) {
    if (place_[i] != kOutside || !is_live(i, cell)) return;
    place_[i] = static_cast<std::uint32_t>(members.size());
    members.push_back(i);
  };
  std::fill(place_.begin() + begin, place_.begin() + end, kOutside);
  for (std::uint32_t i = begin; i < end; ++i) {
    if (visits[i](index(cell)) != 0) add(i);
  }
  for (std::size_t k = 0; k < members.size(); ++k) {
    each_made(members[k], chain, [&](std::uint32_t t, bool /*purposeful*/) {
      if (t >= begin && t < end) add(t);
    });
  }
  if (members.empty()) return true;
  const auto inside = [&](std::uint32_t t) { return t >= begin && t < end && place_[t] != kOutside; };
  Entries entries;
  Eigen::MatrixXd arrivals(static_cast<Eigen::Index>(members.size()), 1);
  for (std::size_t from = 0; from < members.size(); ++from) {
    const auto column = static_cast<Eigen::Index>(from);
    arrivals(column, 0) = visits[members[from]](index(cell));
    entries.emplace_back(column, column, 1.0);
    const Chances chance = chances(members[from]);
    each_made(members[from], chain, [&](std::uint32_t t, bool purposeful) {
      if (inside(t))
        entries.emplace_back(place_[t], column, -(purposeful ? chance.purposeful : chance.other)(index(cell)));
    });
  }
  if (!solve_equations<1>(entries, arrivals, [&](Eigen::Index row, Eigen::Index /*column*/, double number) {
        visits[members[static_cast<std::size_t>(row)]](index(cell)) = number;
      }))
    return false;
  for (const std::uint32_t i : members) {
    const Chances chance = chances(i);
    each_made(i, chain, [&](std::uint32_t t, bool purposeful) {
      if (inside(t)) return;
      const Numbers& w = purposeful ? chance.purposeful : chance.other;
      visits[t](index(cell)) += w(index(cell)) * visits[i](index(cell));
    });
  }
  return true;
}

template <std::size_t kCells>
std::array<PlayResult, kCells> ErringPlay::Chain<kCells>::results(const Visits& visits) const {
  enum { kBeginner, kOther, kLevel, kEndless, kPlies, kSums };
  std::array<Numbers, kSums> sums;
  sums.fill(Numbers::Zero());
  for (std::uint32_t i = 0; i < visits.size(); ++i) {
    const Cells live = this->live(i);
    if (live == kAll) {
      sums[kPlies] += visits[i];
      continue;
    }
    const auto end = !ended(i) ? kEndless : value(i) > 0 ? kBeginner : value(i) < 0 ? kOther : kLevel;
    if (live == 0) {
      sums[end] += visits[i];
      continue;
    }
    for (std::size_t k = 0; k < kCells; ++k) sums[is_live(i, k) ? kPlies : end](index(k)) += visits[i](index(k));
  }
  std::array<PlayResult, kCells> out;
  for (std::size_t k = 0; k < kCells; ++k) {
    const auto sum = [&](std::size_t of) { return sums[of](index(k)); };
    out[k].tie = sum(kLevel);
    out[k].endless = sum(kEndless);
    out[k].first = sum(play_.second_begins_ ? kOther : kBeginner);
    out[k].second = sum(play_.second_begins_ ? kBeginner : kOther);
    if (out[k].endless == 0) out[k].plies = sum(kPlies);
  }
  return out;
}

template <std::size_t kCells>
template <std::size_t kColumns, typename Count, typename Rhs>
bool ErringPlay::Chain<kCells>::solve(const Count& count, const Rhs& rhs, Columns<kColumns>& x) {
  for (std::size_t c = 0; c < play_.components(); ++c) {
    if (stopped(c)) return false;
    const std::uint32_t begin = play_.begins_at(c);
    const std::uint32_t end = play_.begins_at(c + 1);
    if (end - begin > 1) {
      for (std::size_t k = 0; k < kCells; ++k) {
        if (!solve_component<kColumns>(begin, end, k, count, rhs, x)) return false;
      }
      continue;
    }
    const Cells live = this->live(begin);
    if (live == 0) continue;
    std::array<Numbers, kColumns> sum;
    const std::array<double, kColumns> constant = rhs(begin);
    for (std::size_t column = 0; column < kColumns; ++column) sum[column].fill(constant[column]);
    const Chances chance = chances(begin);
    each_move(begin, [&](std::uint32_t t, bool purposeful) {
      if (!count(begin, t)) return;
      const Numbers& w = purposeful ? chance.purposeful : chance.other;
      for (std::size_t column = 0; column < kColumns; ++column) sum[column] += w * x[t][column];
    });
    for (std::size_t column = 0; column < kColumns; ++column) {
      if (live == kAll) x[begin][column] = sum[column];
      for (std::size_t k = 0; live != kAll && k < kCells; ++k) {
        if (is_live(begin, k)) x[begin][column](index(k)) = sum[column](index(k));
      }
    }
  }
  return true;
}

template <std::size_t kCells>
template <std::size_t kColumns, typename Count, typename Rhs>
bool ErringPlay::Chain<kCells>::solve_component(std::uint32_t begin, std::uint32_t end, std::size_t cell,
                                                const Count& count, const Rhs& rhs, Columns<kColumns>& x) {
  std::vector<std::uint32_t> members;
  for (std::uint32_t i = begin; i < end; ++i) {
    place_[i] = is_live(i, cell) ? static_cast<std::uint32_t>(members.size()) : kOutside;
    if (is_live(i, cell)) members.push_back(i);
  }
  const auto n = static_cast<Eigen::Index>(members.size());
  Eigen::MatrixXd b(n, kColumns);
  Entries entries;
  for (Eigen::Index row = 0; row < n; ++row) {
    const std::uint32_t i = members[static_cast<std::size_t>(row)];
    std::array<double, kColumns> sum = rhs(i);
    const Chances chance = chances(i);
    entries.emplace_back(row, row, 1.0);
    each_move(i, [&](std::uint32_t t, bool purposeful) {
      if (!count(i, t)) return;
      const double w = (purposeful ? chance.purposeful : chance.other)(index(cell));
      if (t >= begin && t < end && place_[t] != kOutside) {
        entries.emplace_back(row, place_[t], -w);
      } else {
        for (std::size_t column = 0; column < kColumns; ++column) sum[column] += w * x[t][column](index(cell));
      }
    });
    for (std::size_t column = 0; column < kColumns; ++column) b(row, static_cast<Eigen::Index>(column)) = sum[column];
  }
  return solve_equations<Eigen::Infinity>(entries, b, [&](Eigen::Index row, Eigen::Index column, double number) {
    x[members[static_cast<std::size_t>(row)]][static_cast<std::size_t>(column)](index(cell)) = number;
  });
}

template <std::size_t kCells>
std::optional<std::array<PlayMeasures, kCells>> ErringPlay::Chain<kCells>::measures() {
  Visits visits;
  if (!find_visits(visits)) return std::nullopt;
  // The chance that the value changes no more.
  const std::size_t states = play_.order_.size();
  Columns<1> same(states, {Numbers::Ones()});
  const auto keeps = [&](std::uint32_t i, std::uint32_t t) { return value(i) == value(t); };
  const auto nothing = [](std::uint32_t) { return std::array<double, 1>{0}; };
  if (!solve<1>(keeps, nothing, same)) return std::nullopt;
  // From level states: the chances that the next one that is not is won by who begins, and by the other.
  const auto leads = [&](std::uint32_t i) {
    return std::array<double, 2>{value(i) > 0 ? 1.0 : 0.0, value(i) < 0 ? 1.0 : 0.0};
  };
  Columns<2> led(states);
  for (std::uint32_t i = 0; i < states; ++i) led[i] = {Numbers::Constant(leads(i)[0]), Numbers::Constant(leads(i)[1])};
  const auto level = [&](std::uint32_t i, std::uint32_t) { return value(i) == 0; };
  if (!solve<2>(level, leads, led)) return std::nullopt;

  Numbers decisive_ply = Numbers::Zero();
  Numbers changes = Numbers::Zero();
  Numbers amount = Numbers::Zero();
  Numbers lead_changes = Numbers::Zero();
  for (std::uint32_t i = 0; i < states; ++i) {
    const Numbers here = living(i, visits);
    if ((here == 0).all()) continue;
    decisive_ply += here * (1 - same[i][0]);
    const Chances chance = chances(i);
    each_move(i, [&](std::uint32_t t, bool purposeful) {
      if (value(t) == value(i)) return;
      const Numbers passes = here * (purposeful ? chance.purposeful : chance.other);
      changes += passes;
      amount += passes * std::abs(margin(value(t)) - margin(value(i)));
      if (value(i) != 0) lead_changes += passes * led[t][value(i) > 0 ? 1 : 0];
    });
  }
  const std::array<PlayResult, kCells> ends = results(visits);
  std::array<PlayMeasures, kCells> out;
  for (std::size_t k = 0; k < kCells; ++k) {
    const auto of = [&](const Numbers& all) { return all(index(k)); };
    out[k] = {ends[k], of(decisive_ply), of(changes), of(amount), of(lead_changes)};
  }
  return out;
}

}  // namespace plenum
