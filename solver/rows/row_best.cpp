// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/row_best.h"

#include <algorithm>
#include <utility>

#include "solver/rows/row_successors.h"
#include "solver/support/object_pool.h"
#include "solver/support/parallel.h"

namespace plenum {
namespace {

struct BestRows {
  Bytes room;
  StateBytes least;
  StateBytes all;
  Bytes best;
  StateBytes want;
  Bytes flip;
};

void find_best_of(const RowGame& game, const DenseValues& values, RowBlock& rows, std::size_t local, BestRows& own,
                  StateBytes& out) {
  const std::size_t size = rows.moves.positions;
  make_row(own.room, size);
  make_row(own.best, size);
  make_row(own.flip, size);
  make_rows(own.want, game.states(), size);
  for (StateBytes* bytes : {&own.least, &own.all}) {
    make_rows(*bytes, game.states(), size);
    for (Bytes& b : *bytes) std::fill_n(b.begin(), padded_row(size), kNoSuccessor);
  }
  for_successors(
      game, rows, {0, rows.moves.moves.size()}, {}, values.codes, own.room.data(),
      [](std::uint32_t, std::size_t, std::uint8_t) {},
      [&](std::uint32_t state, const MoveReader& reader, const std::uint8_t* in, const std::uint64_t* legal) {
        reader.lower(in, legal, own.least[state].data(), own.all[state].data());
      });
  for (std::uint32_t state = 0; state < game.states(); ++state) {
    code_rows().close(own.least[state].data(), own.all[state].data(), size, own.best.data());
    std::copy_n(own.best.begin(), size, out[state].data() + local);
    code_rows().wanted(own.best.data(), size, own.want[state].data(), own.flip.data());
  }
  rows.kept.assign(game.states() - 1, rows.moves.legal);
  rows.kept.push_back(std::exchange(rows.moves.legal, {}));
  const Sources source(game, rows);
  for (std::size_t m = 0; m < rows.moves.moves.size(); ++m) {
    source.prefetch(values.codes, m + 1);
    const MoveReader reader(rows, m, own.room.data());
    for (std::uint32_t state = 0; state < game.states(); ++state)
      reader.keep_equal(source(values.codes, m, state), own.want[state].data(),
                        rows.kept[state].data() + m * rows.moves.words);
  }
}

}  // namespace

StateBytes find_best(const RowGame& game, const DenseValues& values, RowTier& tier) {
  StateBytes out(game.states(), Bytes(tier.size() * tier.positions()));
  ObjectPool<BestRows> pool([] { return std::make_unique<BestRows>(); });
  for_each_index(tier.size(), [&](std::size_t i) {
    const auto own = pool.borrow();
    find_best_of(game, values, tier.block(i), i * tier.positions(), *own, out);
  });
  return out;
}

}  // namespace plenum
