// SPDX-License-Identifier: Apache-2.0
#include "solver/endings/ending_prediction.h"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <tbb/task_arena.h>

#include "solver/endings/slice_solver.h"
#include "solver/support/memory.h"
#include "solver/support/parallel.h"
#include "variants/pieces/piece_board.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::uint64_t kTableBytes = 2;           // a position
constexpr std::uint64_t kSampledPositions = 2048;  // positions of a material whose moves are made
// Measured 11 to 22 ns a move on endings of four men on 6x6 and 8x8; to begin and to print takes some time too.
constexpr double kNsAMove = 14;
constexpr double kProgramSeconds = 0.015;
// Of the process besides: its code and the variant once they are used, what threads hold, the result while it is printed.
constexpr double kProgramBytes = 8e6;
constexpr double kStoreBytes = 24e6;  // of tables that are written and read in between
constexpr double kSliceBytes = 130;   // of the numbering
constexpr double kPlacesBytes = 5;    // likewise, for each way to place the pawns
// While a slice is solved, of a row: its words; as marks and lists of rows to look at, at the most.
constexpr double kRowBytes = 8.0 * SliceSolver::kWords + 40;
constexpr double kMostSlices = 1 << 22;
constexpr double kMostEndingPositions = std::uint64_t{1} << 36;  // of all materials; nobody has that much memory
constexpr double kMostAlike = std::uint32_t{1} << 31;            // ways to place equal men

// Ways to place n equal men.
double multisets(double places, int n) {
  double out = 1;
  for (int i = 0; i < n; ++i) out = out * (places + i) / (i + 1);
  return out;
}

struct Ways {
  double pawns = 1;
  double others = 1;      // but kings
  double most_alike = 1;  // of equal men
};

Ways ways(const PieceSet& set, const Material& material) {
  const double cells = set.width * set.height;
  const double zone = set.width * std::max(0, set.height - 2);
  Ways out;
  for (const auto& men : material.men) {
    for (std::size_t k = 0; k < men.size(); ++k) {
      if (k == set.royal) continue;
      const bool pawn = !set.kinds[k].promotions.empty();
      const double alike = multisets(pawn ? zone : cells, men[k]);
      (pawn ? out.pawns : out.others) *= alike;
      out.most_alike = std::max(out.most_alike, alike);
    }
  }
  return out;
}

// No more than there are: symmetries make one of up to sixteen of them, where there are pawns of four.
double least_positions(const PieceSet& set, const Material& material) {
  const double cells = set.width * set.height;
  const Ways n = ways(set, material);
  return 2 * cells * cells * n.pawns * n.others / (n.pawns > 1 ? 4 : 16);
}

absl::Status too_many(const std::string& what, double positions) {
  return absl::ResourceExhaustedError(absl::StrCat("memory: ", what, " some ", absl::StrFormat("%.1e", positions),
                                                   " positions, more than can be numbered\n",
                                                   "  take a smaller board or fewer men"));
}

// Whether there are numbers for all positions, before anything is made for them.
absl::Status can_be_numbered(const PieceSet& set, const Material& asked, const std::vector<Material>& all) {
  double sum = 0;
  for (const Material& material : all) {
    const Ways n = ways(set, material);
    const double least = least_positions(set, material);
    sum += least;
    if (n.pawns > kMostSlices || n.most_alike >= kMostAlike || least >= kMostEndingPositions) {
      const std::string name = to_text(set, material);
      return too_many(
          material == asked ? name + " has" : absl::StrCat(name, ", which comes from ", to_text(set, asked), ", has"),
          least);
    }
  }
  if (sum < kMostEndingPositions) return absl::OkStatus();
  return too_many(absl::StrCat(to_text(set, asked), " and the materials that it leads to have"), sum);
}

// Slices are solved in the order of what their pawns have gone.
absl::Status only_forward(const PieceSet& set) {
  if (set.pawns_go_forward() && set.kinds[set.royal].promotions.empty()) return absl::OkStatus();
  return absl::UnimplementedError("a piece that becomes something else does not always go forward");
}

// What is found on average at a position numbered.
struct Usual {
  double inner = 0;  // moves within the slice
  double outer = 0;  // moves that capture, promote or move a pawn
};

// From some positions, the same ones every time.
Usual usual(const PieceSet& set, const EndingIndex& index) {
  const std::uint64_t n = std::min(index.size(), kSampledPositions);
  std::mt19937_64 random(1);
  std::vector<PieceMove> moves;
  Position position;
  Usual out;
  for (std::uint64_t k = 0; k < n; ++k) {
    const std::uint64_t from = index.size() / n * k;
    const EndingIndex::Place at = index.place_at(from + random() % (index.size() / n));
    if (!index.position(at, position) || !set.lawful(position)) continue;
    const PieceBoard board(set, position);
    if (board.other_in_check() || !index.canonical(at, position)) continue;
    board.moves(moves);
    for (const PieceMove& move : moves) (stays_in_slice(set, move) ? out.inner : out.outer) += 1;
  }
  for (double* const sum : {&out.inner, &out.outer}) *sum /= static_cast<double>(std::max<std::uint64_t>(1, n));
  return out;
}

// The largest slices side by side, one a thread.
double working_bytes(const PieceSet& set, const EndingIndex& index) {
  double largest = 0;
  std::map<int, std::size_t> side_by_side;
  for (std::uint32_t s = 0; s < index.slices(); ++s) {
    largest = std::max(largest, rows_of(set, index, s));
    ++side_by_side[index.progress(s)];
  }
  std::size_t most = 1;
  for (const auto& [progress, slices] : side_by_side) most = std::max(most, slices);
  const auto threads = std::min(most, static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()));
  const double cells = set.width * set.height;
  return static_cast<double>(threads) * largest * (kRowBytes + cells);
}

// Placements that are looked at for each that is numbered: equal men are told apart.
double placements(const PieceSet& set, const EndingIndex& index) {
  double rows = 0;
  for (std::uint32_t s = 0; s < index.slices(); ++s) rows += rows_of(set, index, s);
  return rows * set.width * set.height / static_cast<double>(index.size());
}

}  // namespace

absl::StatusOr<EndingPrediction> predict_ending(const Variant& variant) {
  ASSIGN_OR_RETURN(const Material asked, material_of(variant));
  const PieceSet& set = *variant.rules().pieces();
  RETURN_IF_ERROR(only_forward(set));
  RETURN_IF_ERROR(can_be_numbered(set, asked, {asked}));
  const bool exchangeable = players_exchangeable(set);
  const std::vector<Material> all = materials_from(set, asked, exchangeable);
  RETURN_IF_ERROR(can_be_numbered(set, asked, all));
  EndingPrediction out;
  std::map<Material, double> table_bytes;
  std::map<Material, double> working;
  double numbering = 0;
  for (const Material& material : all) {
    const EndingIndex index(set, material);
    out.tables.push_back({to_text(set, material), index.size(), kTableBytes * index.size()});
    out.positions += index.size();
    const Usual at_each = usual(set, index);
    out.moves += static_cast<double>(index.size()) * (at_each.inner + at_each.outer) * placements(set, index);
    working[material] = working_bytes(set, index);
    table_bytes[material] = static_cast<double>(kTableBytes * index.size());
    numbering += kSliceBytes * static_cast<double>(index.slices()) + kPlacesBytes * ways(set, material).pawns;
  }
  out.table_bytes = kTableBytes * out.positions;
  double most = 0;
  double least = 0;
  for (const Material& material : all) {
    double held = working[material] + table_bytes[material];
    for (const Material& after : materials_after(set, material, exchangeable))
      held += after == material ? 0 : table_bytes[after];
    least = std::max(least, held);
    most = std::max(most, working[material]);
  }
  const std::uint64_t others = static_cast<std::uint64_t>(numbering + kProgramBytes) + base_memory();
  out.bytes = static_cast<std::uint64_t>(most) + out.table_bytes + others;
  out.least_bytes = std::min(out.bytes, static_cast<std::uint64_t>(least + kStoreBytes) + others);
  out.cpu_seconds = out.moves * kNsAMove * 1e-9 + kProgramSeconds;
  return out;
}

}  // namespace plenum
