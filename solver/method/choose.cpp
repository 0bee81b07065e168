// SPDX-License-Identifier: Apache-2.0
// Which method a game takes.
#include <algorithm>
#include <cmath>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <absl/strings/str_join.h>

#include "solver/bits/bit_pass.h"
#include "solver/endings/ending.h"
#include "solver/method/method.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// A graph tells more (components, random play): it is worth so many times the time of a method without one, and so many seconds.
constexpr double kWorthTimes = 1.25;
constexpr double kWorthSeconds = 3;
constexpr double kAtOnce = 0.03;  // seconds: no other method is looked at
// What trying to enumerate all reachable positions may cost in vain, counted as solving them: so many seconds, and of the other method's
// time so much besides.
constexpr double kTryTimes = 0.25;
constexpr double kTrySeconds = kWorthSeconds;
constexpr double kGuessErrs = 5;  // times: guesses by random games are too low by that much, rarely by more

struct Contender {
  MethodId id = MethodId::graph;
  Estimate estimate;
};

std::string seconds_text(double seconds) {
  if (seconds < 0.1) return "less than 0.1 s";
  return absl::StrFormat("some %.2g s", seconds);
}

// With two digits that count: "360", "47000", "1.8e+07".
std::string positions_text(double positions) {
  if (positions >= 1e6 || positions < 10) return absl::StrFormat("%.2g", positions);
  double unit = 1;
  while (positions >= 100 * unit) unit *= 10;
  return absl::StrFormat("%.0f", std::round(positions / unit) * unit);
}

// Of the methods that hold a byte a board, the one that takes least of those that fit; with what stands in the way of the others.
struct Dense {
  std::optional<Contender> best;
  std::optional<Contender> smallest;  // of those that do not fit
  std::vector<std::string> problems;  // "rows: ..."
};
absl::StatusOr<Dense> find_dense(const Game& game, const Wanted& wanted) {
  const auto may_use = static_cast<double>(wanted.memory_bytes);
  Dense out;
  for (const MethodId id : {MethodId::rows, MethodId::one_pass}) {
    const Method& method = method_of(id);
    const auto name = std::string(method.name());
    if (const auto why = method.obstacle(game)) {
      out.problems.push_back(absl::StrCat("by ", name, " it cannot be solved, as ", *why));
      continue;
    }
    const absl::StatusOr<std::optional<Estimate>> estimate = method.estimate(game, wanted);
    if (absl::IsUnimplemented(estimate.status())) {
      out.problems.push_back(
          absl::StrCat("by ", name, " it cannot be solved, as ", std::string(estimate.status().message())));
      continue;
    }
    if (!estimate.ok()) return estimate.status();
    if ((*estimate)->bytes > may_use) {
      out.problems.push_back(absl::StrCat("by ", name, " it takes ", memory_text_of((*estimate)->bytes), " of memory"));
      if (!out.smallest || (*estimate)->bytes < out.smallest->estimate.bytes) out.smallest = Contender{id, **estimate};
      continue;
    }
    if (!out.best || (*estimate)->cpu_seconds < out.best->estimate.cpu_seconds) out.best = Contender{id, **estimate};
  }
  return out;
}

// Of the methods without a graph one that can solve the game, without asking what it takes: one pass holds no more boards than rows do.
std::optional<MethodId> one_that_can(const Game& game, bool may_search) {
  for (const MethodId id : {MethodId::one_pass, MethodId::rows}) {
    if (!method_of(id).obstacle(game)) return id;
  }
  return may_search ? std::optional(MethodId::search) : std::nullopt;
}

// Why the reachable positions cannot be stored, or are not likely to fit.
absl::StatusOr<std::optional<std::string>> why_not_stored(const Game& game, std::uint64_t memory_bytes) {
  const auto may_use = static_cast<double>(memory_bytes);
  const Prediction bounds = predict(game.variant(), game.start());
  if (bounds.most_bytes <= may_use) return std::optional<std::string>();
  if (bounds.least_bytes > may_use) return std::optional<std::string>(bounds.reason);
  ASSIGN_OR_RETURN(const Guess& guess, game.guess(memory_bytes));
  if (guess.bytes <= may_use) return std::optional<std::string>();
  return std::optional<std::string>(
      absl::StrFormat("going by random games, some %.2g positions up to symmetry or more are reachable, which take %s",
                      guess.stored, memory_text_of(guess.bytes)));
}

std::string how_many(const Estimate& graph) {
  const std::string_view bound = graph.at_most ? "at most " : graph.at_least ? "more than " : "some ";
  return absl::StrCat(std::string(bound), positions_text(graph.positions));
}

// `otherwise` takes over where an obstacle shows on the way.
Choice dense_choice(const Contender& dense, const std::string& why, std::optional<MethodId> otherwise) {
  Choice out;
  out.method = dense.id;
  out.reason = why;
  out.otherwise = otherwise;
  return out;
}

}  // namespace

absl::StatusOr<Choice> choose(const Game& game, const Wanted& wanted) {
  Choice out;
  if (!method_of(MethodId::ending).obstacle(game) || method_of(MethodId::graph).obstacle(game)) {
    out.method = MethodId::ending;
    out.reason = "it is an ending";
    return out;
  }
  const bool may_search = !wanted.table && !wanted.scan && !method_of(MethodId::search).obstacle(game);
  if (!one_that_can(game, may_search)) {
    out.reason = "no other method can solve it";
    return out;
  }
  ASSIGN_OR_RETURN(const std::optional<Estimate> estimated, method_of(MethodId::graph).estimate(game, wanted));
  const Estimate& graph = *estimated;
  if (!wanted.table && graph.cpu_seconds <= kAtOnce) {
    out.reason = absl::StrCat(how_many(graph), " positions up to symmetry are reachable");
    if (may_search) out.otherwise = MethodId::search;
    return out;
  }
  if (!wanted.table && graph.cpu_seconds * kGuessErrs <= kWorthSeconds &&
      graph.bytes * kGuessErrs <= static_cast<double>(wanted.memory_bytes)) {
    // To look at the others would take as long as the graph does.
    out.reason = absl::StrCat(how_many(graph), " positions up to symmetry are reachable, and it finds out more");
    out.otherwise = one_that_can(game, may_search);
    if (out.otherwise && out.otherwise != MethodId::search && !graph.at_most)
      out.most_positions = static_cast<std::uint64_t>(kTrySeconds * graph.positions / graph.cpu_seconds);
    return out;
  }
  ASSIGN_OR_RETURN(const Dense found, find_dense(game, wanted));
  const std::optional<Contender>& dense = found.best;
  if (wanted.table) {
    if (dense) return dense_choice(*dense, "a table is kept of it", std::nullopt);
    if (found.smallest)
      return dense_choice(*found.smallest, "a table is kept of it", std::nullopt);  // it says what it needs
  }
  ASSIGN_OR_RETURN(const std::optional<std::string> too_large, why_not_stored(game, wanted.memory_bytes));
  if (dense) {
    const double least = dense->estimate.cpu_seconds;
    const std::string takes = absl::StrCat(seconds_text(least), " of processor time");
    if (too_large) return dense_choice(*dense, *too_large, may_search ? std::optional(MethodId::search) : std::nullopt);
    if (graph.cpu_seconds > kWorthTimes * least + kWorthSeconds)
      return dense_choice(*dense,
                          absl::StrCat("it takes ", takes, ", storing positions one by one ",
                                       graph.at_most ? "up to " : "", seconds_text(graph.cpu_seconds)),
                          MethodId::graph);
    out.reason = absl::StrCat(how_many(graph), " positions up to symmetry are reachable, and it finds out more");
    if (graph.at_most && kGuessErrs * graph.cpu_seconds < least) return out;
    const double each = graph.cpu_seconds / std::max(1.0, graph.positions);
    out.most_positions = static_cast<std::uint64_t>((kTryTimes * least + kTrySeconds) / each);
    out.otherwise = dense->id;
    return out;
  }
  if (!too_large || (!may_search && !found.smallest)) {
    out.reason = "it finds out most";
    if (may_search) out.otherwise = MethodId::search;
    return out;
  }
  if (!may_search) return dense_choice(*found.smallest, *too_large, std::nullopt);  // it says what it needs
  out.reason = *too_large;
  const bool bits = !wanted.lookup && !wanted.scan && prefers_bits(game.variant(), game.start(), wanted.memory_bytes);
  out.method = bits ? MethodId::bits : MethodId::search;
  return out;
}

Choice choose_elsewhere() { return Choice::of(MethodId::graph, "it is not among the positions that were solved"); }

}  // namespace plenum
