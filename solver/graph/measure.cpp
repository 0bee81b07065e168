// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/measure.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include "solver/graph/erring_play.h"
#include "tables/for_each_index.h"

namespace plenum {
namespace {

// What is counted of all positions, each as often as it has images.
void count_all_moves(const Variant& variant, const PositionStore& store, const PositionGraph& graph,
                     const Solution& solution, const Lifts& lifts, Measures& out) {
  for (PositionIndex p = 0; p < graph.size(); ++p) {
    const std::uint64_t images = lifts.count(p);
    if (images == 0 || graph.ended(p)) continue;
    const MoveCounts counts = move_counts(graph, solution, p, images);
    out.all += counts;
    out.by_stones[variant.rules().stones(store.position(p))] += counts;
  }
}

// Ply by ply from the start, over positions and the cosets of their lifts.
std::map<std::uint32_t, MoveCounts> count_by_plies(const PositionGraph& graph, const Solution& solution,
                                                   const Lifts& lifts) {
  std::map<std::uint32_t, MoveCounts> out;
  std::vector<std::vector<std::uint8_t>> met(lifts.cosets(), std::vector<std::uint8_t>(graph.size(), 0));
  using Place = std::pair<PositionIndex, std::size_t>;
  std::vector<Place> level;
  std::vector<Place> next;
  std::vector<std::uint32_t> cosets(graph.size(), 0);  // of each position, at this ply
  const auto enter = [&](PositionIndex p, std::size_t coset) {
    for (const GroupElement x : graph.stabilizer_of(p)) {
      const std::size_t c = lifts.multiply(coset, x);
      if (met[c][p] != 0) continue;
      met[c][p] = 1;
      next.emplace_back(p, c);
    }
  };
  enter(graph.start, lifts.coset_of(graph.start_lift));
  for (std::uint32_t plies = 0; !next.empty(); ++plies) {
    level.swap(next);
    next.clear();
    for (const auto& [p, coset] : level) ++cosets[p];
    for (const auto& [p, coset] : level) {
      const std::uint32_t n = std::exchange(cosets[p], 0);
      if (n != 0 && !graph.ended(p)) out[plies] += move_counts(graph, solution, p, lifts.images(p, n));
      for (EdgeIndex e = graph.first_edge[p]; e < graph.first_edge[p + 1]; ++e)
        enter(graph.successor(e), lifts.along(coset, graph.edge_symmetry(e)));
    }
  }
  return out;
}

using BigNumber = boost::multiprecision::cpp_int;

// False where there is no room for the sum.
bool add_to(std::uint64_t& sum, std::uint64_t more) { return !__builtin_add_overflow(sum, more, &sum); }
bool add_to(BigNumber& sum, const BigNumber& more) {
  sum += more;
  return true;
}

// From the start to an end. Nothing where such numbers have no room for as many.
template <typename Number>
std::optional<std::string> lines_by(const PositionGraph& graph, const ErringPlay& play) {
  std::vector<Number> lines(graph.size(), 0);
  for (const std::uint32_t state : play.order()) {
    const PositionIndex p = ErringPlay::position(state);
    if (lines[p] != 0) continue;  // with the other player to move
    if (graph.ended(p)) lines[p] = 1;
    for (const PositionIndex q : graph.successors(p)) {
      if (!add_to(lines[p], lines[q])) return std::nullopt;
    }
  }
  return BigNumber(lines[graph.start]).str();
}

// All of these, by so many threads.
void do_all(const std::vector<std::function<void()>>& work, std::size_t threads) {
  std::atomic<std::size_t> next = 0;
  const auto do_some = [&](std::size_t /*thread*/) {
    for (std::size_t k = next++; k < work.size(); k = next++) work[k]();
  };
  if (threads == 1) return do_some(0);
  for_each_index(threads, do_some);
}

// What is asked of a pair of players, and where it goes.
template <typename Answer>
struct Question {
  ErringPair pair;
  Answer* answer;
};

// All that is solved for, and the lines if they can be counted.
class PlayFromStart {
 public:
  // `together`: some results at a time.
  PlayFromStart(const PositionGraph& graph, const ErringPlay& play, bool cyclic, bool together)
      : graph_(graph), play_(play) {
    const auto alike = [](double error) {
      return ErringPair{ErringPolicy{error, KeepingMove::any}, ErringPolicy{error, KeepingMove::any}};
    };
    const std::vector<Question<PlayMeasures>> both = {{alike(1), &out_.random},
                                                      {alike(StartMeasures::kUsualError), &out_.erring}};
    const auto measures = [&](const auto& pairs) { return play_.measures(pairs); };
    if (together) add<2>(both, measures);
    if (!together) add<1>(both, measures);
    if (!cyclic) work_.emplace_back([&] { count_lines(); });
    const auto results = [&](const auto& pairs) { return play_.results(pairs); };
    out_.grid.errors.assign(kErrors.begin(), kErrors.end());
    for (const KeepingMove keeping : {KeepingMove::quickest, KeepingMove::any}) {
      const auto grid = grid_of(keeping, keeping == KeepingMove::quickest ? out_.grid.quickest : out_.grid.any);
      if (together) add<ErringPlay::kTogether>(grid, results);
      if (!together) add<1>(grid, results);
    }
  }
  // Once. Nothing where something was not solved.
  std::optional<StartMeasures> find(std::size_t threads) {
    do_all(work_, threads);
    return whole_ ? std::optional(std::move(out_)) : std::nullopt;
  }

 private:
  static std::vector<Question<PlayResult>> grid_of(KeepingMove keeping, std::vector<std::vector<PlayResult>>& to) {
    std::vector<Question<PlayResult>> out;
    to.assign(kErrors.size(), std::vector<PlayResult>(kErrors.size()));
    for (std::size_t i = 0; i < kErrors.size(); ++i) {
      for (std::size_t j = 0; j < kErrors.size(); ++j)
        out.push_back({{ErringPolicy{kErrors[i], keeping}, ErringPolicy{kErrors[j], keeping}}, &to[i][j]});
    }
    return out;
  }
  // So many of them at a time.
  template <std::size_t kPairs, typename Answer, typename Find>
  void add(const std::vector<Question<Answer>>& asked, const Find& find) {
    for (std::size_t begin = 0; begin + kPairs <= asked.size(); begin += kPairs) {
      std::array<ErringPair, kPairs> pairs;
      std::array<Answer*, kPairs> answers;
      for (std::size_t k = 0; k < kPairs; ++k) {
        pairs[k] = asked[begin + k].pair;
        answers[k] = asked[begin + k].answer;
      }
      work_.emplace_back([this, pairs, answers, find] {
        if (!whole_) return;
        const auto found = find(pairs);
        if (!found) whole_ = false;
        for (std::size_t k = 0; found && k < kPairs; ++k) *answers[k] = (*found)[k];
      });
    }
  }
  void count_lines() {
    out_.lines = lines_by<std::uint64_t>(graph_, play_);
    if (!out_.lines) out_.lines = lines_by<BigNumber>(graph_, play_);
  }

  static constexpr std::array<double, 6> kErrors = {0, 0.05, 0.1, 0.2, 0.5, 1};
  static_assert(kErrors.size() * kErrors.size() % ErringPlay::kTogether == 0);

  const PositionGraph& graph_;
  const ErringPlay& play_;
  StartMeasures out_;
  std::atomic<bool> whole_ = true;
  std::vector<std::function<void()>> work_;
};

double skill_of(const ErrorGrid& grid) {
  const PlayResult& as_first = grid.quickest.front().back();
  const PlayResult& as_second = grid.quickest.back().front();
  const auto score = [](double wins, const PlayResult& result) { return wins + (result.tie + result.endless) / 2; };
  return score(as_first.first, as_first) + score(as_second.second, as_second) - 1;
}

}  // namespace

MoveCounts move_counts(const PositionGraph& graph, const Solution& solution, PositionIndex p, std::uint64_t images) {
  const auto next = graph.successors(p);
  const auto keeping = static_cast<std::uint64_t>(
      std::count_if(next.begin(), next.end(), [&](auto q) { return solution.value[q] == -solution.value[p]; }));
  return MoveCounts::of(images, solution.value[p] != 0, next.size(), keeping);
}

std::optional<Measures> measure(const Variant& variant, const Position& start, const PositionStore& store,
                                const PositionGraph& graph, const Solution& solution, const Lifts& lifts, bool cyclic,
                                bool together, std::size_t threads, Stop* stop) {
  Measures out;
  const double unit = 1.0 / static_cast<double>(variant.rules().denominator());
  std::optional<ErringPlay> play;
  std::map<std::uint32_t, MoveCounts> by_plies;
  do_all({[&] { play.emplace(graph, solution, start.mover, unit, stop); },
          [&] { by_plies = count_by_plies(graph, solution, lifts); },
          [&] { count_all_moves(variant, store, graph, solution, lifts, out); }},
         threads);
  out.from_start = PlayFromStart(graph, *play, cyclic, together).find(threads);
  if (!out.from_start) return std::nullopt;
  out.from_start->by_plies = std::move(by_plies);
  out.from_start->skill = skill_of(out.from_start->grid);
  return out;
}

}  // namespace plenum
