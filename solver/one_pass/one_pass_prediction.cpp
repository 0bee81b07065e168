// SPDX-License-Identifier: Apache-2.0
// What one pass will take: the index that it would begin with, and how many successors the boards of it have, by some of each part.
#include <numeric>

#include "solver/one_pass/one_pass.h"
#include "solver/one_pass/one_pass_samples.h"
#include "solver/one_pass/one_pass_sets.h"
#include "solver/support/memory.h"

namespace plenum {
namespace {

constexpr std::size_t kSamplesASet = 2;  // a solve takes more: it begins again where it has missed a set
constexpr double kNs = 30;               // a position, measured on boards of 9 to 20 cells
constexpr double kNsASuccessor = 17;     // made, placed, and its value read
constexpr double kReachedShare = 0.7;    // of the boards, which are expanded once more; it is not known before

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
  const BlocksAhead ahead = ranks > 1 ? sample_ahead(variant, index) : BlocksAhead();
  const WindowCost others = window_cost(index, board_stripes(index, 0, ranks), ahead);
  out.bytes = base_memory() + one_pass_bytes(index, variant, options, others.most, ranks);
  const DenseShape shape = one_pass_shape(index, variant.rule_set());
  for (std::size_t layer = 0; layer < shape.size(); ++layer) {
    if (static_cast<DenseLayer>(layer) == DenseLayer::plies && !remoteness) continue;
    out.table_bytes = std::accumulate(shape[layer].begin(), shape[layer].end(), out.table_bytes);
  }
  // What is there of others goes from them to each rank: the values of it once for each number of passes, and what is reached once.
  const RuleSet& rules = variant.rule_set();
  const int passes = rules.passes_live ? rules.passes_cap + (rules.passes_end ? 0 : 1) : 1;
  if (ranks > 1 && index.boards() != 0) {
    const double a_board = static_cast<double>(out.table_bytes) / static_cast<double>(index.boards());
    out.sent_bytes = static_cast<double>(others.fetched) * a_board * passes;
  }
  const double seconds_a_position = 1e-9 * (kNs + kNsASuccessor * sample_successors(variant, index));
  out.cpu_seconds = static_cast<double>(out.boards) * seconds_a_position * (1 + kReachedShare);
  return out;
}

}  // namespace plenum
