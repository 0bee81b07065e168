// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/expected_visits.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <type_traits>

#include "solver/graph/krylov.h"
#include "solver/support/parallel.h"

namespace plenum {
namespace {

constexpr double kGoodEnough = 1e-12;
constexpr std::size_t kMaxSweeps = 20'000;
constexpr std::size_t kEliminateAtOnce = 24;
constexpr std::size_t kEliminateAtAll = 1000;

// A tier, or a part of it, that this process has as a whole.
class WholeSystem {
 public:
  WholeSystem(const InnerEdges& tier, std::size_t positions) : tier_(tier), positions_(positions) {}
  Successors sources(std::size_t i) const { return tier_.predecessors(static_cast<LocalIndex>(i)); }
  std::size_t extended() const { return positions_; }
  std::size_t all() const { return positions_; }
  std::size_t before() const { return 0; }
  template <typename T>
  void share(std::vector<T>& /*values*/) const {}
  template <typename Sum, typename Body>
  Sum sum(const Body& body) const {
    return chunked_sum<Sum>(positions_, body);
  }

 private:
  const InnerEdges& tier_;
  const std::size_t positions_;
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
    const double rounding = kVisitsTolerance + 4 * kVisitsEpsilon * visits;
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
  WholeSystem system(tier, degree.size());
  if (!small) error = Krylov<float, WholeSystem>(system, degree, flow).run(kAnyError);
  if (!error) error = Krylov<double, WholeSystem>(system, degree, flow).run(small ? kGoodEnough : kAnyError);
  if (error) return *error;
  return small ? eliminate(tier, degree, flow) : sweep_tier(tier, degree, flow);
}

}  // namespace plenum
