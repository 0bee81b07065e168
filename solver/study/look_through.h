// SPDX-License-Identifier: Apache-2.0
// Every position of a solved game, looked at by all cores: what each group of its parts comes to, for the caller to put together.
//
//     ASSIGN_OR_RETURN(const std::vector<Counts> groups,
//                      look_through<Counts>(game, fold, go_on, [](std::span<const Result::Visit> seen, Counts& to) { ... }));
//
// `go_on` hears how many positions were looked at, and says whether to go on: kCancelled if not. kUnimplemented, as a clause, of a method
// that does not hand out its positions.
//
// Thread-safety: `see` is called by many threads at a time, for one group by one of them, part by part in their order. The result does not
// depend on their number.
// Cost: a look at each position, or with Fold::images at one of each class of images (Result::folds).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "solver/result/result.h"
#include "solver/support/stop.h"
#include "tables/for_each_index.h"

namespace plenum {

// Hears how many positions were looked at; false: stop.
using GoOnFn = std::function<bool(std::uint64_t positions)>;

template <typename Group, typename SeeFn>
absl::StatusOr<std::vector<Group>> look_through(const Result& game, Result::Fold fold, const GoOnFn& go_on,
                                                const SeeFn& see) {
  if (game.parts() == 0) return game.each(0, Result::Fold::none, {});
  constexpr std::size_t kMostGroups = 1024;
  const std::size_t size = (game.parts() + kMostGroups - 1) / kMostGroups;
  std::vector<Group> groups((game.parts() + size - 1) / size);
  std::vector<absl::Status> status(groups.size());
  std::atomic<std::uint64_t> looked = 0;
  Stop stop([&] { return !go_on || go_on(looked); });
  for_each_index(groups.size(), [&](std::size_t g) {
    for (std::size_t part = g * size; part < std::min(game.parts(), (g + 1) * size) && status[g].ok(); ++part) {
      if (stop.ask()) return;
      status[g] = game.each(part, fold, [&](std::span<const Result::Visit> seen) -> absl::Status {
        if (stop.ask()) return absl::CancelledError("interrupted");
        std::uint64_t met = 0;
        for (const Result::Visit& visit : seen) met += visit.images;
        looked += met;
        return see(seen, groups[g]);
      });
    }
  });
  if (stop.stopped()) return absl::CancelledError("interrupted");
  for (const absl::Status& one : status) {
    if (!one.ok()) return one;
  }
  return groups;
}

}  // namespace plenum
