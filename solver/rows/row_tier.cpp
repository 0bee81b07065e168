// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/row_tier.h"

#include "solver/support/object_pool.h"
#include "solver/support/parallel.h"
#include "variants/text/status_macros.h"

namespace plenum {

absl::StatusOr<RowTier> RowTier::make(const RowGame& game, int stones, Ranks& ranks) {
  RowTier out(game.index(), stones, ranks);
  out.blocks_.resize(out.here_.deal().own());
  ObjectPool<RowGame::Worker> workers([&] { return std::make_unique<RowGame::Worker>(game); });
  std::vector<absl::Status> status(out.blocks_.size());
  for_each_index(out.blocks_.size(), [&](std::size_t k) {
    const auto worker = workers.borrow();
    status[k] = game.build(out.first() + static_cast<BlockIndex>(out.number(k)), *worker, out.blocks_[k]);
    out.blocks_[k].moves.legal.shrink_to_fit();
  });
  absl::Status first;
  for (const absl::Status& s : status) first.Update(s);
  RETURN_IF_ERROR(ranks.agree(first));
  out.find_readers();
  return out;
}

void RowTier::find_readers() {
  readers_.resize(all());
  std::vector<std::uint8_t> next(above_.deal().blocks(), 0);
  for (std::uint32_t k = 0; k < blocks_.size(); ++k) {
    bytes_ += blocks_[k].bytes();
    for (const BlockIndex target : blocks_[k].target) {
      if (!here_.has(target)) {
        next[target - above_.first()] = 1;
        continue;
      }
      std::vector<std::uint32_t>& readers = readers_[target - first()];
      if (readers.empty() || readers.back() != k) readers.push_back(k);
    }
  }
  std::vector<std::uint8_t> read(all());
  for (std::size_t i = 0; i < read.size(); ++i) read[i] = readers_[i].empty() ? 0 : 1;
  here_.read(read);
  above_.read(next);
}

}  // namespace plenum
