// SPDX-License-Identifier: Apache-2.0
// The Krylov method of expected_visits.h, whoever holds the equations: one process, or several ranks a part each.
//
// System has positions of its own, numbered from 0, and the values of others that lead to these, numbered behind them:
//     sources(i)     the numbers of what leads to own position i, in the order of their numbers in the whole tier
//     extended()     how many numbers there are
//     all(), before()  positions of the whole tier, and those of them that come before its own
//     share(v)       sets what `v` has of others
//     sum<S>(body)   the sum of body(from, to) over pieces of kParallelGrain positions of the whole tier, in their order
// Results are the same bit for bit, however the tier is cut at multiples of kParallelGrain.
//
// Header only: templates. Thread-safety: uses all cores; with ranks collective. Cost: expected_visits.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "solver/graph/expected_visits.h"
#include "solver/support/parallel.h"

namespace plenum {

inline constexpr double kVisitsEpsilon = std::numeric_limits<double>::epsilon();
// Mass that may be lost in one tier, of what arrives there; the rounding of the visits themselves is allowed on top.
inline constexpr double kVisitsTolerance = 1e-13;
// From so many visits on (to all positions of the tier together), residuals are computed in extended precision.
inline constexpr double kManyVisits = 1e3;
inline constexpr double kFloatReach = 1e-5;
inline constexpr std::size_t kMaxProducts = 40'000;
inline constexpr std::size_t kMaxRestarts = 24;
inline constexpr std::size_t kPatience = 200;  // iterations without a smaller residual; more in later rounds

struct KrylovSums {
  double a = 0;
  double b = 0;
  double norm = 0;
  KrylovSums& operator+=(const KrylovSums& s) {
    a += s.a;
    b += s.b;
    norm += s.norm;
    return *this;
  }
};

// 0 / 0 is 0: what is solved stands still.
inline double krylov_quotient(double a, double b) { return a == 0 ? 0 : a / b; }

// Solves for the odd flow; Real is what iterations work in. Residuals are worked out in double precision or more. `flow` is of the system's own
// positions, and so is `degree`.
template <typename Real, typename System>
class Krylov {
 public:
  Krylov(System& system, std::span<const std::uint32_t> degree, std::span<ByParity> flow)
      : system_(system),
        degree_(degree),
        flow_(flow),
        n_(degree.size()),
        odd_(system.extended()),
        low_(kExact ? system.extended() : 0),
        r_(system.extended()),
        shadow_(n_),
        p_(system.extended()),
        v_(n_),
        t_(n_),
        y_(n_),
        half_(system.extended()) {}

  // The bound on the error, if the residual could be brought down to rounding and that is no more than `most`; `flow` then
  // holds the result, and otherwise what it held.
  std::optional<double> run(double most) {
    double last = std::numeric_limits<double>::infinity();
    double visits = 0;
    const double mass = each([&](std::size_t i, KrylovSums& s) { s.a += flow_[i].even + flow_[i].odd; }).a;
    for (std::size_t restart = 0; restart < kMaxRestarts && products_ < kMaxProducts; ++restart) {
      const bool wide = visits > kManyVisits;
      if (wide && !kExact) return std::nullopt;
      const auto residual = [&] { return wide ? true_residual<long double>() : true_residual<double>(); };
      Residual now = residual();
      if (!(now.residual <= last)) {  // it came out worse, or not a number
        add(-scale_);
        now = residual();
      }
      visits = now.visits;
      const double rounding = wide ? std::numeric_limits<long double>::epsilon() : kVisitsEpsilon;
      const double goal = kVisitsTolerance * std::min(1.0, mass) + 4 * rounding * visits;
      // Residuals are themselves computed with an error of that order.
      const bool done = now.residual <= goal || (now.residual <= 8 * goal && now.residual >= last / 2);
      if (done && (wide || visits <= kManyVisits)) {
        if (now.residual + goal > most) return std::nullopt;
        write();
        return now.residual + goal;
      }
      if (!kExact && now.residual > last / 8) return std::nullopt;
      last = now.residual;
      // Where the residual is what the iterations held it for, they go on in the directions they had.
      const bool anew = !(now.residual <= 2 * left_ * scale_);
      if (anew)
        scale_ = now.residual / static_cast<double>(system_.all());  // so that iterations see numbers of about 1
      do_each([&](std::size_t i) { r_[i] = static_cast<Real>(r_[i] / scale_); });
      if (anew) begin(restart);
      if (!iterate(goal / 2 / scale_, kPatience << restart / 2)) std::fill(y_.begin(), y_.end(), Real{});
      add(scale_);
    }
    return std::nullopt;
  }

 private:
  static constexpr bool kExact = std::is_same_v<Real, double>;

  struct Residual {
    double residual;
    double visits;
  };

  auto sources(std::size_t i) const { return system_.sources(i); }
  double low(std::size_t i) const { return kExact ? low_[i] : 0; }

  template <typename Body>
  KrylovSums each(const Body& body) {
    return system_.template sum<KrylovSums>([&](std::size_t from, std::size_t to) {
      KrylovSums sums;
      for (std::size_t i = from; i < to; ++i) body(i, sums);
      return sums;
    });
  }
  // The same where nothing is summed.
  template <typename Body>
  void do_each(const Body& body) {
    chunked_sum<KrylovSums>(n_, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) body(i);
      return KrylovSums();
    });
  }

  // Sets half_ to what `z` sends on in a ply.
  void half_product(std::vector<Real>& z) {
    system_.share(z);
    do_each([&](std::size_t i) {
      Real from = 0;
      if (degree_[i] != 0) {
        for (const LocalIndex source : sources(i)) from += z[source];
        from /= static_cast<Real>(degree_[i]);
      }
      half_[i] = from;
    });
    system_.share(half_);
  }
  // Row i of the system times `z`, whose half_product() has been made.
  Real product(const std::vector<Real>& z, std::size_t i) const {
    if (degree_[i] == 0) return 0;
    Real from = 0;
    for (const LocalIndex source : sources(i)) from += half_[source];
    return z[i] - from / static_cast<Real>(degree_[i]);
  }

  // Adds a multiple of what iterations found.
  void add(double scale) {
    do_each([&](std::size_t i) {
      const double more = scale * static_cast<double>(y_[i]) + low(i);
      const double high = odd_[i] + more;
      if constexpr (kExact) low_[i] = more - (high - odd_[i]);
      odd_[i] = high;
    });
  }

  void share_odd() {
    system_.share(odd_);
    if (kExact) system_.share(low_);
  }
  // The even flow that follows from the odd one.
  template <typename Wide>
  Wide even_flow(std::size_t i) const {
    if (degree_[i] == 0) return 0;
    Wide sum = flow_[i].even;
    for (const LocalIndex source : sources(i)) sum += Wide{odd_[source]} + low(source);
    return sum / degree_[i];
  }

  // Sets r_ to the residuals of the odd flow, divided by the degrees.
  template <typename Wide>
  Residual true_residual() {
    ++products_;
    share_odd();
    std::vector<Wide> even(system_.extended());
    do_each([&](std::size_t i) { even[i] = even_flow<Wide>(i); });
    system_.share(even);
    const KrylovSums sums = each([&](std::size_t i, KrylovSums& s) {
      r_[i] = 0;
      if (degree_[i] == 0) return;
      const double d = degree_[i];
      Wide left = flow_[i].odd - d * (Wide{odd_[i]} + low(i));
      for (const LocalIndex source : sources(i)) left += even[source];
      r_[i] = static_cast<Real>(left / d);
      s.norm += std::abs(static_cast<double>(left));
      s.a += d * (std::abs(odd_[i]) + std::abs(static_cast<double>(even[i])));
    });
    return {sums.norm, sums.a};
  }

  void write() {
    share_odd();
    std::vector<double> even(n_);
    do_each([&](std::size_t i) { even[i] = even_flow<double>(i); });
    do_each([&](std::size_t i) {
      if (degree_[i] != 0) flow_[i] = {even[i], odd_[i] + low(i)};
    });
  }

  // The vector that residuals are projected on. The usual choice, the first residual, is 0 nearly everywhere here (play
  // enters the tier in few positions), so that projections vanish and the method breaks down; numbers that
  // follow no pattern do not. Long thin tiers, where they do badly, are why both take turns.
  void begin(std::size_t restart) {
    std::fill(p_.begin(), p_.end(), Real{});
    std::fill(v_.begin(), v_.end(), Real{});
    rho_ = 1;
    alpha_ = 1;
    omega_ = 1;
    do_each([&](std::size_t i) {
      std::uint64_t x = (system_.before() + i + 1) * 0x9E37'79B9'7F4A'7C15u;
      x = (x ^ x >> 29) * 0xBF58'476D'1CE4'E5B9u;
      shadow_[i] = static_cast<Real>(restart % 2 != 0 ? double{r_[i]} : 0.5 + static_cast<double>(x >> 32) * 0x1p-32);
    });
  }

  // Lowers r_, and keeps in y_ by what; false if that is not a number. Floats cannot follow a residual far: it is worked out
  // anew, in doubles, where it has become so much less.
  bool iterate(double goal, std::size_t patience) {
    std::fill(y_.begin(), y_.end(), Real{});
    left_ = 0;  // unless it comes to a good end
    const auto real = [](double x) { return static_cast<Real>(x); };
    KrylovSums sums = each([&](std::size_t i, KrylovSums& s) {
      s.a += double{shadow_[i]} * r_[i];
      s.norm += degree_[i] * std::abs(double{r_[i]});
    });
    if (!kExact) goal = std::max(goal, kFloatReach * sums.norm);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t waiting = 0; waiting < patience && products_ < kMaxProducts; ++waiting) {
      const Real beta = real(krylov_quotient(sums.a, rho_) * krylov_quotient(alpha_, omega_));
      rho_ = sums.a;
      do_each([&, w = real(omega_)](std::size_t i) { p_[i] = r_[i] + beta * (p_[i] - w * v_[i]); });
      half_product(p_);
      sums = each([&](std::size_t i, KrylovSums& s) {
        v_[i] = product(p_, i);
        s.a += double{shadow_[i]} * v_[i];
      });
      alpha_ = krylov_quotient(rho_, sums.a);
      do_each([&, a = real(alpha_)](std::size_t i) { r_[i] = r_[i] - a * v_[i]; });
      half_product(r_);
      sums = each([&](std::size_t i, KrylovSums& s) {
        t_[i] = product(r_, i);
        s.a += double{t_[i]} * r_[i];
        s.b += double{t_[i]} * t_[i];
      });
      omega_ = krylov_quotient(sums.a, sums.b);
      products_ += 2;
      if (!std::isfinite(alpha_) || !std::isfinite(omega_)) return true;
      sums = each([&, a = real(alpha_), w = real(omega_)](std::size_t i, KrylovSums& s) {
        y_[i] += a * p_[i] + w * r_[i];
        r_[i] = r_[i] - w * t_[i];
        s.a += double{shadow_[i]} * r_[i];
        s.b += degree_[i] * std::abs(double{y_[i]});
        s.norm += degree_[i] * std::abs(double{r_[i]});
      });
      if (!std::isfinite(sums.norm) || !std::isfinite(sums.b)) return false;
      // Below the rounding of what has been added, the recurrence says nothing about the true residual.
      if (sums.norm <= std::max(goal, 4 * double{std::numeric_limits<Real>::epsilon()} * sums.b)) {
        left_ = sums.norm;
        return true;
      }
      if (sums.norm < least) {
        least = sums.norm;
        waiting = 0;
      }
    }
    return true;
  }

  System& system_;
  const std::span<const std::uint32_t> degree_;
  const std::span<ByParity> flow_;  // at first what arrives
  const std::size_t n_;
  std::vector<double> odd_;
  std::vector<double> low_;  // the odd flow is odd + low
  std::vector<Real> r_;
  std::vector<Real> shadow_;
  std::vector<Real> p_;
  std::vector<Real> v_;
  std::vector<Real> t_;
  std::vector<Real> y_;
  std::vector<Real> half_;
  double rho_ = 1;
  double alpha_ = 1;
  double omega_ = 1;
  double scale_ = 0;  // of r_ and y_
  double left_ = 0;   // the norm of r_ that iterations ended with
  std::size_t products_ = 0;
};

}  // namespace plenum
