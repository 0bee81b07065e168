// SPDX-License-Identifier: Apache-2.0
// Loops over ranges and frontiers that use all cores when there is enough to do, and none of the machinery otherwise.
//
// A game has many tiny tiers and a few large ones. Small pieces of work run in the calling thread, without atomics:
// an uncontended locked instruction costs more than the cached access it guards. The body is told at compile time
// which of the two it is (`shared`).
//
// Thread-safety: bodies run concurrently on disjoint ranges. Nothing here makes a result depend on the number
// of threads, except the order of a frontier's items: callers must not depend on that.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "solver/support/stop.h"
#include "solver/support/threads.h"
#include "tables/for_each_index.h"

namespace plenum {

inline constexpr std::size_t kParallelGrain = 2048;

inline bool worth_sharing(std::size_t items) { return items > kParallelGrain && thread_count() > 1; }

// The length of pieces of n items: at least `least`, and no more than some dozens of pieces.
inline std::size_t pieces(std::size_t n, std::size_t least) { return std::max(least, (n + 63) / 64); }

// One thread asks whether to go on after so many items, and several before each of their pieces, which are no longer than that.
inline constexpr std::size_t kBetweenAsks = std::size_t{1} << 16;

// Calls body(shared, from, to) for ranges that together make up [begin, end); `shared` is a std::bool_constant. What is left when
// `stop` says so is left out.
template <typename Body>
void for_ranges(std::size_t begin, std::size_t end, Stop* stop, const Body& body) {
  if (!worth_sharing(end - begin)) {
    while (stop != nullptr && end - begin > kBetweenAsks) {
      if (stop->ask()) return;
      body(std::false_type(), begin, begin + kBetweenAsks);
      begin += kBetweenAsks;
    }
    body(std::false_type(), begin, end);
    return;
  }
  std::size_t piece = pieces(end - begin, kParallelGrain / 4);
  if (stop != nullptr) piece = std::min(piece, kBetweenAsks);
  for_each_index((end - begin + piece - 1) / piece, [&](std::size_t i) {
    if (stop != nullptr && stop->ask()) return;
    body(std::true_type(), begin + i * piece, std::min(end, begin + (i + 1) * piece));
  });
}

// Calls body(shared, item, out) for each item of a frontier; what the bodies append to their `out`s is appended to
// `found`, in no particular order. What is left when `stop` says so is left out.
template <typename Item, typename Found, typename Body>
void expand_frontier(const std::vector<Item>& frontier, std::vector<Found>& found, Stop* stop, const Body& body) {
  if (!worth_sharing(frontier.size())) {
    for (std::size_t i = 0; i < frontier.size(); ++i) {
      if (stop != nullptr && (i + 1) % kBetweenAsks == 0 && stop->ask()) return;
      body(std::false_type(), frontier[i], found);
    }
    return;
  }
  std::size_t piece = pieces(frontier.size(), kParallelGrain / 8);
  if (stop != nullptr) piece = std::min(piece, kBetweenAsks);
  std::vector<std::vector<Found>> parts((frontier.size() + piece - 1) / piece);
  for_each_index(parts.size(), [&](std::size_t k) {
    if (stop != nullptr && stop->ask()) return;
    const std::size_t to = std::min(frontier.size(), (k + 1) * piece);
    for (std::size_t i = k * piece; i < to; ++i) body(std::true_type(), frontier[i], parts[k]);
  });
  for (const auto& part : parts) found.insert(found.end(), part.begin(), part.end());
}

// The sum of body(from, to) over [0, n), which does not depend on the number of threads although additions of
// floating-point numbers do not associate: the pieces and the order in which they are added are fixed.
template <typename Sum, typename Body>
Sum chunked_sum(std::size_t n, const Body& body) {
  const auto end_of = [&](std::size_t chunk) { return std::min(n, (chunk + 1) * kParallelGrain); };
  const std::size_t chunks = (n + kParallelGrain - 1) / kParallelGrain;
  Sum total{};
  if (!worth_sharing(n)) {
    for (std::size_t c = 0; c < chunks; ++c) total += body(c * kParallelGrain, end_of(c));
    return total;
  }
  std::vector<Sum> part(chunks);
  for_each_index(chunks, [&](std::size_t c) { part[c] = body(c * kParallelGrain, end_of(c)); });
  for (const Sum& x : part) total += x;
  return total;
}

// Read-modify-write operations that are atomic only where the data are shared. All return the old value.
template <bool kShared, typename T>
T fetch_add(T& x, T amount) {
  if constexpr (kShared) {
    return std::atomic_ref<T>(x).fetch_add(amount, std::memory_order_relaxed);
  } else {
    const T old = x;
    x = static_cast<T>(old + amount);
    return old;
  }
}

template <bool kShared, typename T>
T fetch_or(T& x, T bits) {
  if constexpr (kShared) {
    std::atomic_ref<T> shared(x);
    const T old = shared.load(std::memory_order_relaxed);
    if ((bits & ~old) == 0) return old;  // a locked instruction is saved in most cases
    return shared.fetch_or(bits, std::memory_order_relaxed);
  } else {
    const T old = x;
    x = static_cast<T>(old | bits);
    return old;
  }
}

template <bool kShared, typename T>
T exchange(T& x, T replacement) {
  if constexpr (kShared) {
    return std::atomic_ref<T>(x).exchange(replacement, std::memory_order_relaxed);
  } else {
    const T old = x;
    x = replacement;
    return old;
  }
}

}  // namespace plenum
