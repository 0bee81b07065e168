// SPDX-License-Identifier: Apache-2.0
#include "solver/ending_prediction.h"

#include <algorithm>
#include <cmath>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

#include "solver/memory.h"
#include "solver/parallel.h"

namespace plenum {
namespace {

constexpr std::uint64_t kTableBytes = 2;  // a position
constexpr double kBytesAPosition = 60;    // while its slice is solved
constexpr double kBytesAMove = 10;
constexpr double kMovesAMan = 7;  // of one man besides the other king, roughly; what memory is reserved for
constexpr double kMovesMade =
    0.5;  // of these, on average: crowds, and positions that are not legal or images, have fewer
constexpr double kNsAMove = 300;  // measured 250 to 300 on endings of three and four men
constexpr double kMostSlices = 1 << 22;
constexpr double kMostInSlice = std::uint32_t{1} << 31;  // a bit of a position's number is taken

// Ways to place n equal men.
double multisets(double places, int n) {
  double out = 1;
  for (int i = 0; i < n; ++i) out = out * (places + i) / (i + 1);
  return out;
}

struct Ways {
  double pawns = 1;
  double others = 1;  // but kings
};

Ways ways(const PieceSet& set, const Material& material) {
  const double cells = set.width * set.height;
  const double zone = set.width * std::max(0, set.height - 2);
  Ways out;
  for (const auto& men : material.men) {
    for (std::size_t k = 0; k < men.size(); ++k) {
      if (k == set.royal) continue;
      const bool pawn = !set.kinds[k].promotions.empty();
      (pawn ? out.pawns : out.others) *= multisets(pawn ? zone : cells, men[k]);
    }
  }
  return out;
}

absl::Status too_many(const PieceSet& set, const Material& asked, const Material& material) {
  const double cells = set.width * set.height;
  const Ways n = ways(set, material);
  // Symmetries make one of up to sixteen of them, where there are pawns of four.
  const double least = 2 * cells * cells * n.pawns * n.others / (n.pawns > 1 ? 4 : 16);
  const std::string name = to_text(set, material);
  return absl::ResourceExhaustedError(absl::StrCat(
      "memory: ", name, material == asked ? "" : absl::StrCat(", which arises from ", to_text(set, asked), ","),
      " has some ", absl::StrFormat("%.1e", least), " positions, more than can be numbered\n",
      "  take a smaller board or fewer men"));
}

// Before anything is made for them.
bool is_beyond_question(const PieceSet& set, const Material& material) {
  const Ways n = ways(set, material);
  return n.pawns > kMostSlices || n.others >= kMostInSlice;
}

// Whether numbers in a slice run over. The index counts pairs of kings up to symmetry; those that a symmetry leaves as they are
// make them more than cells * cells / symmetries, by less than half.
bool runs_over(const PieceSet& set, const EndingIndex& index) {
  const double cells = set.width * set.height;
  const bool pawns = index.material().has_pawns(set);
  const double sides = !pawns && index.stands_for_exchanged(0) ? 1 : 2;
  const double symmetries = pawns ? 1 : static_cast<double>(index.symmetries());
  return sides * cells * cells / symmetries * ways(set, index.material()).others >= kMostInSlice;
}

// The largest slices side by side, one a thread.
double working_bytes(const EndingIndex& index) {
  std::uint32_t largest = 0;
  for (std::uint32_t s = 0; s < index.slices(); ++s) largest = std::max(largest, index.size(s));
  const double moves = kMovesAMan * (index.material().count() - 1);
  const double threads = index.slices() > 1 ? static_cast<double>(tbb::this_task_arena::max_concurrency()) : 1;
  return threads * largest * (kBytesAPosition + kBytesAMove * moves);
}

}  // namespace

absl::StatusOr<EndingPrediction> predict_ending(const Variant& variant) {
  const absl::StatusOr<Material> asked = material_of(variant);
  if (!asked.ok()) return asked.status();
  const PieceSet& set = *variant.rule_set().pieces;
  if (is_beyond_question(set, *asked)) return too_many(set, *asked, *asked);
  EndingPrediction out;
  double working = 0;
  const double rides = std::sqrt(set.width * set.height) / 8;  // shorter on smaller boards
  for (const Material& material : materials_from(set, *asked, players_exchangeable(set))) {
    if (is_beyond_question(set, material)) return too_many(set, *asked, material);
    const EndingIndex index(set, material);
    if (runs_over(set, index)) return too_many(set, *asked, material);
    out.tables.push_back({to_text(set, material), index.size(), kTableBytes * index.size()});
    out.positions += index.size();
    out.moves += static_cast<double>(index.size()) * kMovesMade * rides * kMovesAMan * (material.count() - 1);
    working = std::max(working, working_bytes(index));
  }
  out.table_bytes = kTableBytes * out.positions;
  out.bytes = static_cast<std::uint64_t>(working) + out.table_bytes + base_memory();
  out.cpu_seconds = out.moves * kNsAMove * 1e-9;
  return out;
}

}  // namespace plenum
