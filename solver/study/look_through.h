// SPDX-License-Identifier: Apache-2.0
// Every position of a solved game, looked at by all cores: what each group of its parts comes to, for the caller to put together.
//
//     ASSIGN_OR_RETURN(const std::vector<Counts> groups,
//                      look_through<Counts>(game, fold, go_on, [](std::span<const Result::Visit> seen, Counts& to) { ... }));
//
// `go_on` hears how many positions were looked at, and says whether to go on: kCancelled if not. kUnimplemented, as a clause, of a method
// that does not hand out its positions.
//
// Of several ranks each looks at its own share of the groups, by turns, and leaves the others empty; of a result in parts (Result::whole) at
// what it has of it. So what ranks find is to be put together.
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

#include "solver/cluster/ranks.h"
#include "solver/result/result.h"
#include "solver/support/stop.h"
#include "tables/for_each_index.h"

namespace plenum {

// Hears how many positions were looked at; false: stop.
using GoOnFn = std::function<bool(std::uint64_t positions)>;

// The parts that are looked at one after another by one thread.
struct PartGroups {
  explicit PartGroups(std::size_t all) : parts(all), size((all + kMost - 1) / kMost) {}
  static constexpr std::size_t kMost = 1024;
  std::size_t parts;
  std::size_t size;
  std::size_t count() const { return (parts + size - 1) / size; }
  std::size_t begin(std::size_t group) const { return group * size; }
  std::size_t end(std::size_t group) const { return std::min(parts, (group + 1) * size); }
};

// By whatever hands out a part: each(part, [](std::span<const Seen>) -> absl::Status).
template <typename Group, typename Seen, typename EachFn, typename SeeFn>
absl::StatusOr<std::vector<Group>> look_through_by(const Result& game, const Ranks& ranks, const EachFn& each,
                                                   const GoOnFn& go_on, const SeeFn& see) {
  if (game.parts() == 0) return game.each(0, Result::Fold::none, {});
  const PartGroups by(game.parts());
  std::vector<Group> groups(by.count());
  std::vector<absl::Status> status(groups.size());
  const auto first = static_cast<std::size_t>(game.whole() ? ranks.rank() : 0);
  const auto step = static_cast<std::size_t>(game.whole() ? ranks.size() : 1);
  std::atomic<std::uint64_t> looked = 0;
  Stop stop([&] { return !go_on || go_on(looked); });
  for_each_index(first < groups.size() ? (groups.size() - first - 1) / step + 1 : 0, [&](std::size_t i) {
    const std::size_t g = first + i * step;
    for (std::size_t part = by.begin(g); part < by.end(g) && status[g].ok(); ++part) {
      if (stop.ask()) return;
      status[g] = each(part, [&](std::span<const Seen> seen) -> absl::Status {
        if (stop.ask()) return absl::CancelledError("interrupted");
        std::uint64_t met = 0;
        for (const Seen& one : seen) met += one.images;
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

template <typename Group, typename SeeFn>
absl::StatusOr<std::vector<Group>> look_through(const Result& game, Result::Fold fold, const GoOnFn& go_on,
                                                const SeeFn& see) {
  const auto each = [&](std::size_t part, const Result::VisitFn& visit) { return game.each(part, fold, visit); };
  return look_through_by<Group, Result::Visit>(game, Ranks::alone(), each, go_on, see);
}

// The same by values alone, one of each class of images: `see` takes a std::span<const Result::Glance>.
template <typename Group, typename SeeFn>
absl::StatusOr<std::vector<Group>> look_at_values(const Result& game, const Ranks& ranks, const GoOnFn& go_on,
                                                  const SeeFn& see) {
  const auto each = [&](std::size_t part, const Result::GlanceFn& glance) { return game.each_value(part, glance); };
  return look_through_by<Group, Result::Glance>(game, ranks, each, go_on, see);
}

// The same by what moves do: `see` takes a std::span<const Result::MoveGlance>.
template <typename Group, typename SeeFn>
absl::StatusOr<std::vector<Group>> look_at_moves(const Result& game, const Ranks& ranks, const GoOnFn& go_on,
                                                 const SeeFn& see) {
  const auto each = [&](std::size_t part, const Result::MoveGlanceFn& glance) { return game.each_moves(part, glance); };
  return look_through_by<Group, Result::MoveGlance>(game, ranks, each, go_on, see);
}

}  // namespace plenum
