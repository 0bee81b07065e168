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
constexpr double kWholeSeconds = 1;  // a game that is solved in less is solved whole, whichever position is asked for
constexpr double kGuessErrs = 5;     // times: guesses by random games are too low by that much, rarely by more

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

// Bits keep no values, so that they are no choice where these are asked for.
bool may_take_bits(const Wanted& wanted, bool if_so) {
  return if_so && !wanted.table && !wanted.lookup && !wanted.scan;
}

// Whether bits, which take least memory, can solve the game within it.
absl::StatusOr<bool> fits_bits(const Game& game, const Wanted& wanted) {
  const Method& bits = method_of(MethodId::bits);
  if (!may_take_bits(wanted, true) || bits.obstacle(game)) return false;
  ASSIGN_OR_RETURN(const std::optional<Estimate> estimate, bits.estimate(game, wanted));
  return estimate && estimate->bytes <= static_cast<double>(wanted.memory_bytes);
}

// Of the methods that hold a byte a board, the one that takes least of those that fit; bits too where who wins is all that is asked.
struct Dense {
  std::optional<Contender> best;
  std::optional<Contender> smallest;  // of those that do not fit
};
absl::StatusOr<Dense> find_dense(const Game& game, const Wanted& wanted) {
  const auto may_use = static_cast<double>(wanted.memory_bytes);
  Dense out;
  for (const MethodId id : {MethodId::rows, MethodId::one_pass, MethodId::bits}) {
    if (id == MethodId::bits && !may_take_bits(wanted, wanted.only_outcome)) continue;
    if (method_of(id).obstacle(game)) continue;
    const absl::StatusOr<std::optional<Estimate>> estimate = method_of(id).estimate(game, wanted);
    if (absl::IsUnimplemented(estimate.status())) continue;
    if (!estimate.ok()) return estimate.status();
    const Contender one{id, **estimate};
    if (one.estimate.bytes > may_use) {
      if (!out.smallest || one.estimate.bytes < out.smallest->estimate.bytes) out.smallest = one;
    } else if (!out.best || one.estimate.cpu_seconds < out.best->estimate.cpu_seconds) {
      out.best = one;
    }
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

// Of all ranks, where the graph lies with all of them.
std::uint64_t memory_together(const Wanted& wanted) {
  const auto ranks = static_cast<std::uint64_t>(wanted.ranks);
  return wanted.memory_bytes > ~std::uint64_t{0} / ranks ? ~std::uint64_t{0} : wanted.memory_bytes * ranks;
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

}  // namespace

absl::StatusOr<Choice> choose(const Game& game, const Wanted& wanted) {
  if (!method_of(MethodId::ending).obstacle(game) || method_of(MethodId::graph).obstacle(game))
    return Choice{.method = MethodId::ending, .reason = "it is an ending"};
  const bool may_search = !wanted.table && !wanted.scan && !method_of(MethodId::search).obstacle(game);
  const std::optional<MethodId> search = may_search ? std::optional(MethodId::search) : std::nullopt;
  if (!one_that_can(game, may_search)) {
    ASSIGN_OR_RETURN(const bool bits, fits_bits(game, wanted));
    if (!bits) {
      const bool no_room = may_take_bits(wanted, true) && !method_of(MethodId::bits).obstacle(game);
      return Choice{.reason = no_room ? "bits takes too much memory, and no other method can solve it"
                                      : "no other method can solve it"};
    }
    ASSIGN_OR_RETURN(const std::optional<std::string> too_large, why_not_stored(game, memory_together(wanted)));
    if (too_large) return Choice{.method = MethodId::bits, .reason = *too_large};
    return Choice{.reason = "it finds out most", .otherwise = MethodId::bits};
  }
  ASSIGN_OR_RETURN(const std::optional<Estimate> estimated, method_of(MethodId::graph).estimate(game, wanted));
  const Estimate& graph = estimated.value();
  if (wanted.extras.most_measured_edges == kMeasureAll) {
    ASSIGN_OR_RETURN(const std::optional<std::string> too_large, why_not_stored(game, memory_together(wanted)));
    if (!too_large) return Choice{.reason = "it alone measures play", .otherwise = one_that_can(game, false)};
  }
  const std::string reachable = absl::StrCat(how_many(graph), " positions up to symmetry are reachable");
  if (!wanted.table && graph.cpu_seconds <= kAtOnce) return Choice{.reason = reachable, .otherwise = search};
  Choice out{.reason = absl::StrCat(reachable, ", and it finds out more")};
  if (!wanted.table && graph.cpu_seconds * kGuessErrs <= kWorthSeconds &&
      graph.bytes * kGuessErrs <= static_cast<double>(wanted.memory_bytes)) {
    // To look at the others would take as long as the graph does.
    out.otherwise = one_that_can(game, may_search);
    if (out.otherwise && out.otherwise != MethodId::search && !graph.at_most)
      out.most_positions = static_cast<std::uint64_t>(kTrySeconds * graph.positions / graph.cpu_seconds);
    return out;
  }
  ASSIGN_OR_RETURN(const Dense found, find_dense(game, wanted));
  const std::optional<Contender>& dense = found.best;
  // One that does not fit says what it needs.
  if (wanted.table && (dense || found.smallest))
    return Choice{.method = (dense ? dense : found.smallest)->id, .reason = "a table is kept of it"};
  ASSIGN_OR_RETURN(const std::optional<std::string> too_large, why_not_stored(game, memory_together(wanted)));
  if (dense) {
    const double least = dense->estimate.cpu_seconds;
    if (too_large) return Choice{.method = dense->id, .reason = *too_large, .otherwise = search};
    if (graph.cpu_seconds > kWorthTimes * least + kWorthSeconds)
      return Choice{
          .method = dense->id,
          .reason = absl::StrCat("it takes ", seconds_text(least), " of processor time, storing positions one by one ",
                                 graph.at_most ? "up to " : "", seconds_text(graph.cpu_seconds)),
          .otherwise = MethodId::graph};
    if (graph.at_most && kGuessErrs * graph.cpu_seconds < least) return out;
    const double each = graph.cpu_seconds / std::max(1.0, graph.positions);
    out.most_positions = static_cast<std::uint64_t>((kTryTimes * least + kTrySeconds) / each);
    out.otherwise = dense->id;
    return out;
  }
  if (!too_large || (!may_search && !found.smallest)) return Choice{.reason = "it finds out most", .otherwise = search};
  if (!may_search) {
    ASSIGN_OR_RETURN(const bool bits, fits_bits(game, wanted));
    return Choice{.method = bits ? MethodId::bits : found.smallest->id,
                  .reason = *too_large};  // or it says what it needs
  }
  const bool bits = may_take_bits(wanted, true) && prefers_bits(game.variant(), game.start(), wanted.memory_bytes);
  return Choice{.method = bits ? MethodId::bits : MethodId::search, .reason = *too_large};
}

absl::StatusOr<bool> better_from(const Game& game, const Position& position, const Wanted& wanted) {
  const Method& graph = method_of(MethodId::graph);
  if (position == game.start() || graph.obstacle(game)) return false;
  ASSIGN_OR_RETURN(const std::optional<Estimate> estimated, graph.estimate(game, wanted));
  const Estimate& whole = estimated.value();
  return whole.at_least || whole.cpu_seconds > kWholeSeconds ||
         whole.bytes * kGuessErrs > static_cast<double>(wanted.memory_bytes);
}

}  // namespace plenum
