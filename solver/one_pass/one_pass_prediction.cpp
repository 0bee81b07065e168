// SPDX-License-Identifier: Apache-2.0
// What one pass will take: the index that it would begin with, and how many successors the boards of it have, by some of each part.
#include <algorithm>
#include <numeric>

#include "solver/dense/judged.h"
#include "solver/one_pass/one_pass.h"
#include "solver/one_pass/one_pass_sets.h"
#include "solver/one_pass/one_pass_window.h"
#include "solver/support/memory.h"
#include "tables/index/dense_batch.h"

namespace plenum {
namespace {

constexpr std::size_t kSamples = 64;     // places of the index that are looked at
constexpr std::size_t kBatches = 2;      // of boards one after the other, at each
constexpr std::size_t kSamplesASet = 2;  // a solve takes more: it begins again where it has missed a set
constexpr double kNs = 30;               // a position, measured on boards of 9 to 20 cells
constexpr double kNsASuccessor = 17;     // made, placed, and its value read
constexpr double kReachedShare = 0.7;    // of the boards, which are expanded once more; it is not known before

// By the successors of some boards. Those of which a move goes wrong count as none.
double seconds_a_position(const Variant& variant, const DenseIndex& index) {
  Judged judged(variant.rules());
  BoardCursor cursor(index);
  double positions = 0;
  double successors = 0;
  for (std::size_t k = 0; k < kSamples; ++k) {
    cursor.seek(index.boards() * k / kSamples);
    for (std::size_t batch = 0; batch < kBatches && cursor.board() < index.boards(); ++batch) {
      judged.clear();
      for (; !judged.full() && cursor.board() < index.boards(); cursor.next()) {
        Position p;
        std::copy_n(cursor.planes(), p.planes.size(), p.planes.begin());
        index.read_layer(static_cast<std::uint32_t>(k % index.layers()), p);
        judged.ask(p);
      }
      judged.look(Judged::Wanted::moves_alone);
      positions += static_cast<double>(judged.size());
      successors += static_cast<double>(judged.replies().size);
    }
  }
  return positions > 0 ? 1e-9 * (kNs + kNsASuccessor * successors / positions) : 0;
}

}  // namespace

absl::StatusOr<DensePrediction> predict_one_pass(const Variant& variant, const Position& start, bool remoteness,
                                                 int ranks) {
  if (const auto obstacle = one_pass_obstacle(variant)) return absl::UnimplementedError(*obstacle);
  const Folding folding = Folding::keeping(variant, start);
  const DenseIndex index(variant, folding, find_sets(variant, folding, start, {}, kSamplesASet));
  OnePassOptions options;
  options.remoteness = remoteness;
  DensePrediction out;
  out.boards = index.boards() * index.layers();
  out.bytes = base_memory() + one_pass_bytes(index, variant, options, 0, ranks);
  const DenseShape shape = one_pass_shape(index, variant.rule_set());
  for (std::size_t layer = 0; layer < shape.size(); ++layer) {
    if (static_cast<DenseLayer>(layer) == DenseLayer::plies && !remoteness) continue;
    out.table_bytes = std::accumulate(shape[layer].begin(), shape[layer].end(), out.table_bytes);
  }
  // What is there of others goes from them to each rank: the values of it once for each number of passes, and what is reached once.
  const RuleSet& rules = variant.rule_set();
  const int passes = rules.passes_live ? rules.passes_cap + (rules.passes_end ? 0 : 1) : 1;
  if (ranks > 1 && index.boards() != 0) {
    const double others = static_cast<double>(window_cost(index, board_stripes(index, 0, ranks)).fetched);
    const double a_board = static_cast<double>(out.table_bytes) / static_cast<double>(index.boards());
    out.sent_bytes = others * a_board * passes;
  }
  out.cpu_seconds = static_cast<double>(out.boards) * seconds_a_position(variant, index) * (1 + kReachedShare);
  return out;
}

}  // namespace plenum
