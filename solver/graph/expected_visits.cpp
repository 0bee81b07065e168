// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/expected_visits.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include "solver/support/parallel.h"

namespace plenum {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Mass that may be lost in one tier; the rounding of the visits themselves is allowed on top.
constexpr double kTolerance = 1e-13;
// From so many visits on (to all positions of the tier together), residuals are computed in extended precision.
constexpr double kManyVisits = 1e3;
constexpr double kGoodEnough = 1e-12;
constexpr std::size_t kMaxProducts = 40'000;
constexpr std::size_t kMaxRestarts = 24;
constexpr std::size_t kPatience = 200;  // iterations without a smaller residual; more in later rounds
constexpr std::size_t kMaxSweeps = 20'000;
constexpr std::size_t kEliminateAtOnce = 24;
constexpr std::size_t kEliminateAtAll = 1000;

// One number for each of the two systems, and everything an iteration sums up.
struct Pair {
  double sum = 0;
  double difference = 0;

  Pair& operator+=(Pair b) { return *this = *this + b; }
  friend Pair operator+(Pair a, Pair b) { return {a.sum + b.sum, a.difference + b.difference}; }
  friend Pair operator-(Pair a, Pair b) { return {a.sum - b.sum, a.difference - b.difference}; }
  friend Pair operator*(Pair a, Pair b) { return {a.sum * b.sum, a.difference * b.difference}; }
  // 0 / 0 is 0: a system that is solved stands still while the other goes on.
  friend Pair operator/(Pair a, Pair b) {
    return {a.sum == 0 ? 0 : a.sum / b.sum, a.difference == 0 ? 0 : a.difference / b.difference};
  }
  double magnitude() const { return std::abs(sum) + std::abs(difference); }
  bool finite() const { return std::isfinite(sum) && std::isfinite(difference); }
};

struct Sums {
  Pair a;
  Pair b;
  double norm = 0;
  Sums& operator+=(const Sums& s) {
    a += s.a;
    b += s.b;
    norm += s.norm;
    return *this;
  }
};

using Vector = std::vector<Pair>;

class Krylov {
 public:
  Krylov(const Tier& tier, std::span<const std::uint32_t> degree, std::span<const ByParity> arrivals)
      : tier_(tier),
        degree_(degree),
        arrivals_(arrivals),
        n_(degree.size()),
        x_(n_),
        low_(n_),
        r_(n_),
        shadow_(n_),
        p_(n_),
        v_(n_),
        t_(n_) {}

  // The bound on the error, if the residual could be brought down to rounding.
  std::optional<double> run() {
    double last = std::numeric_limits<double>::infinity();
    double visits = 0;
    for (std::size_t restart = 0; restart < kMaxRestarts && products_ < kMaxProducts; ++restart) {
      const bool wide = visits > kManyVisits;
      const auto residual = [&] { return wide ? true_residual<long double>() : true_residual<double>(); };
      Residual now = residual();
      if (!(now.residual <= last)) {  // it came out worse, or not a number
        std::fill(low_.begin(), low_.end(), Pair{});
        now = residual();
      }
      visits = now.visits;
      const double rounding = wide ? std::numeric_limits<long double>::epsilon() : kEpsilon;
      const double goal = kTolerance + 4 * rounding * visits;
      // Residuals are themselves computed with an error of that order.
      const bool done = now.residual <= goal || (now.residual <= 8 * goal && now.residual >= last / 2);
      if (done && (wide || visits <= kManyVisits)) return now.residual + goal;
      last = now.residual;
      settle();
      choose_shadow(restart);
      iterate(goal / 2, kPatience << restart / 2);
    }
    return std::nullopt;
  }

  void write(std::span<ByParity> flow) const {
    for (std::size_t i = 0; i < n_; ++i) {
      if (degree_[i] == 0) continue;
      const Pair z = x_[i] + low_[i];
      flow[i] = {(z.sum + z.difference) / 2, (z.sum - z.difference) / 2};
    }
  }

 private:
  struct Residual {
    double residual;
    double visits;
  };

  // Both systems divided by D, (M z)(i).
  Pair product(const Vector& z, std::size_t i) const {
    if (degree_[i] == 0) return {};
    Pair from;
    for (const LocalIndex source : tier_.predecessors(static_cast<LocalIndex>(i))) from += z[source];
    return {z[i].sum - from.sum / degree_[i], z[i].difference + from.difference / degree_[i]};
  }

  template <typename Body>
  Sums each(const Body& body) {
    return chunked_sum<Sums>(n_, [&](std::size_t from, std::size_t to) {
      Sums sums;
      for (std::size_t i = from; i < to; ++i) body(i, sums);
      return sums;
    });
  }

  // Moves what an iteration has added to `low` over to x.
  void settle() {
    each([&](std::size_t i, Sums&) {
      const Pair high = x_[i] + low_[i];
      low_[i] = low_[i] - (high - x_[i]);
      x_[i] = high;
    });
  }

  // Sets r to b - M (x + low), where iterate() starts from.
  template <typename Real>
  Residual true_residual() {
    ++products_;
    const Sums sums = each([&](std::size_t i, Sums& s) {
      const double d = degree_[i];
      if (d == 0) return;
      Real sum = Real{arrivals_[i].even} + arrivals_[i].odd - d * (Real{x_[i].sum} + low_[i].sum);
      Real difference = Real{arrivals_[i].even} - arrivals_[i].odd - d * (Real{x_[i].difference} + low_[i].difference);
      for (const LocalIndex source : tier_.predecessors(static_cast<LocalIndex>(i))) {
        sum += Real{x_[source].sum} + low_[source].sum;
        difference -= Real{x_[source].difference} + low_[source].difference;
      }
      r_[i] = {static_cast<double>(sum) / d, static_cast<double>(difference) / d};
      s.norm += d * r_[i].magnitude();
      s.a += Pair{d * (x_[i] + low_[i]).magnitude(), 0};
    });
    return {sums.norm, sums.a.sum};
  }

  // The vector that residuals are projected on. The usual choice, the first residual, is 0 nearly everywhere here (play
  // enters the tier in few positions), so that projections vanish and the method breaks down; numbers that
  // follow no pattern do not. Long thin tiers, where they do badly, are why both take turns.
  void choose_shadow(std::size_t restart) {
    each([&](std::size_t i, Sums&) {
      std::uint64_t x = (i + 1) * 0x9E37'79B9'7F4A'7C15u;
      x = (x ^ x >> 29) * 0xBF58'476D'1CE4'E5B9u;
      const auto unit = [](std::uint64_t bits) { return static_cast<double>(bits & 0xFFFF'FFFFu) * 0x1p-32; };
      shadow_[i] = restart % 2 != 0 ? r_[i] : Pair{0.5 + unit(x >> 32), unit(x) - 0.5};
    });
  }

  void iterate(double goal, std::size_t patience) {
    std::fill(p_.begin(), p_.end(), Pair{});
    std::fill(v_.begin(), v_.end(), Pair{});
    Pair rho{1, 1};
    Pair alpha{1, 1};
    Pair omega{1, 1};
    Sums sums = each([&](std::size_t i, Sums& s) { s.a += shadow_[i] * r_[i]; });
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t waiting = 0; waiting < patience && products_ < kMaxProducts; ++waiting) {
      const Pair beta = (sums.a / rho) * (alpha / omega);
      rho = sums.a;
      each([&](std::size_t i, Sums&) { p_[i] = r_[i] + beta * (p_[i] - omega * v_[i]); });
      sums = each([&](std::size_t i, Sums& s) {
        v_[i] = product(p_, i);
        s.a += shadow_[i] * v_[i];
      });
      alpha = rho / sums.a;
      each([&](std::size_t i, Sums&) { r_[i] = r_[i] - alpha * v_[i]; });
      sums = each([&](std::size_t i, Sums& s) {
        t_[i] = product(r_, i);
        s.a += t_[i] * r_[i];
        s.b += t_[i] * t_[i];
      });
      omega = sums.a / sums.b;
      products_ += 2;
      if (!alpha.finite() || !omega.finite()) return;
      sums = each([&](std::size_t i, Sums& s) {
        low_[i] += alpha * p_[i] + omega * r_[i];
        r_[i] = r_[i] - omega * t_[i];
        s.a += shadow_[i] * r_[i];
        s.b += Pair{degree_[i] * low_[i].magnitude(), 0};
        s.norm += degree_[i] * r_[i].magnitude();
      });
      // Below the rounding of what has been added, the recurrence says nothing about the true residual.
      if (sums.norm <= std::max(goal, 4 * kEpsilon * sums.b.sum) || !std::isfinite(sums.norm)) return;
      if (sums.norm < least) {
        least = sums.norm;
        waiting = 0;
      }
    }
  }

  const Tier& tier_;
  const std::span<const std::uint32_t> degree_;
  const std::span<const ByParity> arrivals_;
  const std::size_t n_;
  Vector x_;
  Vector low_;  // the solution is x + low
  Vector r_;
  Vector shadow_;
  Vector p_;
  Vector v_;
  Vector t_;
  std::size_t products_ = 0;
};

// Gauss-Seidel sweeps, forwards and back in turn. From below, so that what is missing never turns negative: slow
// where play hardly leaves the tier, but it cannot fail; what is left after the last sweep is in the bound.
double sweep_tier(const Tier& tier, std::span<const std::uint32_t> degree, std::span<ByParity> flow) {
  const std::vector<ByParity> arrivals(flow.begin(), flow.end());
  const std::size_t n = degree.size();
  const auto inflow = [&](std::size_t q) {
    ByParity in = arrivals[q];
    for (const LocalIndex p : tier.predecessors(static_cast<LocalIndex>(q))) {
      if (degree[p] == 0) continue;
      in.even += flow[p].odd;
      in.odd += flow[p].even;
    }
    return in;
  };
  const auto update = [&](std::size_t q) {
    if (degree[q] == 0) return;
    const ByParity in = inflow(q);
    flow[q] = {in.even / degree[q], in.odd / degree[q]};
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (degree[i] != 0) flow[i] = {};
  }
  double bound = 0;
  for (std::size_t done = 0; done < kMaxSweeps; ++done) {
    for (std::size_t i = 0; i < n; ++i) update(done % 2 == 0 ? i : n - 1 - i);
    if (done % 16 != 15) continue;
    double residual = 0;
    double visits = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (degree[i] == 0) continue;
      const ByParity in = inflow(i);
      residual += std::abs(in.even - degree[i] * flow[i].even) + std::abs(in.odd - degree[i] * flow[i].odd);
      visits += degree[i] * (flow[i].even + flow[i].odd);
    }
    const double rounding = kTolerance + 4 * kEpsilon * visits;
    bound = residual + rounding;
    if (residual <= rounding) break;
  }
  return bound;
}

}  // namespace

double solve_visits(const Tier& tier, std::span<const std::uint32_t> degree, std::span<ByParity> flow) {
  if (tier.acyclic()) {
    for (std::size_t i = 0; i < degree.size(); ++i) {
      if (degree[i] != 0) flow[i] = {flow[i].even / degree[i], flow[i].odd / degree[i]};
    }
    return 0;
  }
  if (degree.size() <= kEliminateAtOnce) return eliminate(tier, degree, flow);
  {
    Krylov krylov(tier, degree, flow);
    const auto error = krylov.run();
    if (error && (*error <= kGoodEnough || degree.size() > kEliminateAtAll)) {
      krylov.write(flow);
      return *error;
    }
  }
  return degree.size() <= kEliminateAtAll ? eliminate(tier, degree, flow) : sweep_tier(tier, degree, flow);
}

}  // namespace plenum
