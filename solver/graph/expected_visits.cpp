// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/expected_visits.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <type_traits>

#include "solver/support/parallel.h"

namespace plenum {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Mass that may be lost in one tier, of what arrives there; the rounding of the visits themselves is allowed on top.
constexpr double kTolerance = 1e-13;
// From so many visits on (to all positions of the tier together), residuals are computed in extended precision.
constexpr double kManyVisits = 1e3;
constexpr double kGoodEnough = 1e-12;
constexpr double kFloatReach = 1e-5;
constexpr std::size_t kMaxProducts = 40'000;
constexpr std::size_t kMaxRestarts = 24;
constexpr std::size_t kPatience = 200;  // iterations without a smaller residual; more in later rounds
constexpr std::size_t kMaxSweeps = 20'000;
constexpr std::size_t kEliminateAtOnce = 24;
constexpr std::size_t kEliminateAtAll = 1000;

struct Sums {
  double a = 0;
  double b = 0;
  double norm = 0;
  Sums& operator+=(const Sums& s) {
    a += s.a;
    b += s.b;
    norm += s.norm;
    return *this;
  }
};

// 0 / 0 is 0: what is solved stands still.
double quotient(double a, double b) { return a == 0 ? 0 : a / b; }

// Solves for the odd flow; Real is what iterations work in. Residuals are worked out in double precision or more.
template <typename Real>
class Krylov {
 public:
  Krylov(const InnerEdges& tier, std::span<const std::uint32_t> degree, std::span<ByParity> flow)
      : tier_(tier),
        degree_(degree),
        flow_(flow),
        n_(degree.size()),
        odd_(n_),
        low_(kExact ? n_ : 0),
        r_(n_),
        shadow_(n_),
        p_(n_),
        v_(n_),
        t_(n_),
        y_(n_),
        half_(n_) {}

  // The bound on the error, if the residual could be brought down to rounding and that is no more than `most`; `flow` then
  // holds the result, and otherwise what it held.
  std::optional<double> run(double most) {
    double last = std::numeric_limits<double>::infinity();
    double visits = 0;
    const double mass = each([&](std::size_t i, Sums& s) { s.a += flow_[i].even + flow_[i].odd; }).a;
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
      const double rounding = wide ? std::numeric_limits<long double>::epsilon() : kEpsilon;
      const double goal = kTolerance * std::min(1.0, mass) + 4 * rounding * visits;
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
      if (anew) scale_ = now.residual / static_cast<double>(n_);  // so that iterations see numbers of about 1
      each([&](std::size_t i, Sums&) { r_[i] = static_cast<Real>(r_[i] / scale_); });
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

  Successors sources(std::size_t i) const { return tier_.predecessors(static_cast<LocalIndex>(i)); }
  double low(std::size_t i) const { return kExact ? low_[i] : 0; }

  template <typename Body>
  Sums each(const Body& body) {
    return chunked_sum<Sums>(n_, [&](std::size_t from, std::size_t to) {
      Sums sums;
      for (std::size_t i = from; i < to; ++i) body(i, sums);
      return sums;
    });
  }

  // Sets half_ to what `z` sends on in a ply.
  void half_product(const std::vector<Real>& z) {
    each([&](std::size_t i, Sums&) {
      Real from = 0;
      if (degree_[i] != 0) {
        for (const LocalIndex source : sources(i)) from += z[source];
        from /= static_cast<Real>(degree_[i]);
      }
      half_[i] = from;
    });
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
    each([&](std::size_t i, Sums&) {
      const double more = scale * static_cast<double>(y_[i]) + low(i);
      const double high = odd_[i] + more;
      if constexpr (kExact) low_[i] = more - (high - odd_[i]);
      odd_[i] = high;
    });
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
    std::vector<Wide> even(n_);
    each([&](std::size_t i, Sums&) { even[i] = even_flow<Wide>(i); });
    const Sums sums = each([&](std::size_t i, Sums& s) {
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
    std::vector<double> even(n_);
    each([&](std::size_t i, Sums&) { even[i] = even_flow<double>(i); });
    each([&](std::size_t i, Sums&) {
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
    each([&](std::size_t i, Sums&) {
      std::uint64_t x = (i + 1) * 0x9E37'79B9'7F4A'7C15u;
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
    Sums sums = each([&](std::size_t i, Sums& s) {
      s.a += double{shadow_[i]} * r_[i];
      s.norm += degree_[i] * std::abs(double{r_[i]});
    });
    if (!kExact) goal = std::max(goal, kFloatReach * sums.norm);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t waiting = 0; waiting < patience && products_ < kMaxProducts; ++waiting) {
      const Real beta = real(quotient(sums.a, rho_) * quotient(alpha_, omega_));
      rho_ = sums.a;
      each([&, w = real(omega_)](std::size_t i, Sums&) { p_[i] = r_[i] + beta * (p_[i] - w * v_[i]); });
      half_product(p_);
      sums = each([&](std::size_t i, Sums& s) {
        v_[i] = product(p_, i);
        s.a += double{shadow_[i]} * v_[i];
      });
      alpha_ = quotient(rho_, sums.a);
      each([&, a = real(alpha_)](std::size_t i, Sums&) { r_[i] = r_[i] - a * v_[i]; });
      half_product(r_);
      sums = each([&](std::size_t i, Sums& s) {
        t_[i] = product(r_, i);
        s.a += double{t_[i]} * r_[i];
        s.b += double{t_[i]} * t_[i];
      });
      omega_ = quotient(sums.a, sums.b);
      products_ += 2;
      if (!std::isfinite(alpha_) || !std::isfinite(omega_)) return true;
      sums = each([&, a = real(alpha_), w = real(omega_)](std::size_t i, Sums& s) {
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

  const InnerEdges& tier_;
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

// Gauss-Seidel sweeps, forwards and back in turn. From below, so that what is missing never turns negative: slow
// where play hardly leaves the tier, but it cannot fail; what is left after the last sweep is in the bound.
double sweep_tier(const InnerEdges& tier, std::span<const std::uint32_t> degree, std::span<ByParity> flow) {
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

double solve_visits(const InnerEdges& tier, std::span<const std::uint32_t> degree, std::span<ByParity> flow) {
  if (tier.acyclic()) {
    for (std::size_t i = 0; i < degree.size(); ++i) {
      if (degree[i] != 0) flow[i] = {flow[i].even / degree[i], flow[i].odd / degree[i]};
    }
    return 0;
  }
  if (degree.size() <= kEliminateAtOnce) return eliminate(tier, degree, flow);
  constexpr double kAnyError = std::numeric_limits<double>::infinity();
  const bool small = degree.size() <= kEliminateAtAll;
  std::optional<double> error;
  if (!small) error = Krylov<float>(tier, degree, flow).run(kAnyError);
  if (!error) error = Krylov<double>(tier, degree, flow).run(small ? kGoodEnough : kAnyError);
  if (error) return *error;
  return small ? eliminate(tier, degree, flow) : sweep_tier(tier, degree, flow);
}

}  // namespace plenum
