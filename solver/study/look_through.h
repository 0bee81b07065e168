// SPDX-License-Identifier: Apache-2.0
// Every position of a solved game, looked at by all cores: what each part of it comes to, for the caller to put together.
//
//     absl::StatusOr<std::vector<Counts>> parts = look_through<Counts>(game, go_on, [](const Result::Visit& seen, Counts& to) { ... });
//
// `go_on` hears how many positions were looked at, and says whether to go on: kCancelled if not. kUnimplemented, as a clause, of a method
// that does not hand out its positions.
//
// Thread-safety: `see` is called by many threads at a time, for one part by one of them. The result does not depend on their number.
// Cost: a look at each position, or at one of each class of images (Result::folds).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "solver/result/result.h"
#include "solver/support/stop.h"
#include "tables/for_each_index.h"

namespace plenum {

template <typename Part, typename SeeFn>
absl::StatusOr<std::vector<Part>> look_through(const Result& game,
                                               const std::function<bool(std::uint64_t positions)>& go_on,
                                               const SeeFn& see) {
  if (game.parts() == 0) return game.each(0, Result::Fold::none, {});
  std::vector<Part> parts(game.parts());
  std::vector<absl::Status> status(game.parts());
  std::atomic<std::uint64_t> looked = 0;
  Stop stop([&] { return !go_on || go_on(looked); });
  for_each_index(parts.size(), [&](std::size_t part) {
    if (stop.ask()) return;
    std::uint64_t met = 0;
    status[part] = game.each(part, Result::Fold::images, [&](std::span<const Result::Visit> all) -> absl::Status {
      if (stop.ask()) return absl::CancelledError("interrupted");
      for (const Result::Visit& seen : all) {
        see(seen, parts[part]);
        met += seen.images;
      }
      return absl::OkStatus();
    });
    looked += met;
  });
  if (stop.stopped()) return absl::CancelledError("interrupted");
  for (const absl::Status& one : status) {
    if (!one.ok()) return one;
  }
  return parts;
}

}  // namespace plenum
