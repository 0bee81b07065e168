// SPDX-License-Identifier: Apache-2.0
// The pass from the start to the last tier: what is reachable; and how it is counted.
//
// A reachable position of first is reached as it stands; one of second, brought to first by the exchange, is reached exchanged. A
// move from the one leads to the other. Bits are only added, so that the order in which threads do it does not matter.
#include <algorithm>

#include <absl/strings/str_cat.h>

#include "solver/one_pass/one_pass_solver.h"
#include "solver/support/parallel.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr BoardIndex kSpread = 65'536;  // boards of a symmetric set that a thread takes

}  // namespace

void OnePassSolver::mark(DenseIndex::Place place, unsigned bits) {
  const BoardIndex at = place.board * work_.bytes.bits;
  fetch_or<true>(work_.bytes.reached[place.layer][at / 8], static_cast<std::uint8_t>(bits << (at % 8)));
}

// Whether a position is the one of its class that is counted: the first that is reachable.
bool OnePassSolver::counted(const BoardCursor& cursor, std::uint32_t layer, Worker& w) const {
  const Block& block = cursor.block();
  if (index_.folding().all) {
    if (block.stabilizer == 1) return true;
    const BoardIndex own = cursor.board() - block.base;
    const std::vector<BoardImage>& all = images(block, w);
    return std::all_of(all.begin(), all.end(),
                       [&](const BoardImage& image) { return image.numeral(cursor.planes()) >= own; });
  }
  Position p;
  std::copy_n(cursor.planes(), p.planes.size(), p.planes.begin());
  index_.read_layer(layer, p);
  const SymmetryGroup& symmetries = index_.symmetries();
  for (std::size_t g = 0; g < symmetries.size(); ++g) {
    const auto place = index_.find(symmetries.apply(static_cast<GroupElement>(g), p));
    if (place && std::pair(place->layer, place->board) < std::pair(layer, cursor.board()) && work_.reached(*place) != 0)
      return false;
  }
  return true;
}

// What is reached on sets that are symmetric to themselves is reached in all images.
void OnePassSolver::spread(Part part) {
  struct Piece {
    BlockIndex block;
    BoardIndex from;
    BoardIndex to;
  };
  std::vector<Piece> work;
  for (BlockIndex b = index_.first_block(part.stones); b < index_.first_block(part.stones + 1); ++b) {
    const Block& block = index_.blocks()[b];
    if (block.stabilizer == 1) continue;
    if (!met_.empty()) met_[b] = 1;
    const BoardIndex end = block.base + index_.size(block);
    for (BoardIndex from = block.base; from < end; from += kSpread)
      work.push_back({b, from, std::min(end, from + kSpread)});
  }
  for_each_index(work.size(), [&](std::size_t i) {
    const Block& block = index_.blocks()[work[i].block];
    const auto worker = workers_.borrow();
    const std::vector<BoardImage>& all = images(block, *worker);
    boards_.for_own(work[i].from, work[i].to, [&](BoardIndex from, BoardIndex to) {
      BoardCursor cursor(index_);
      cursor.seek(from);
      for (; cursor.board() < to; cursor.next()) {
        const std::uint8_t bits = work_.reached({part.layer, cursor.board()});
        if (bits == 0) continue;
        for (const BoardImage& image : all) mark({part.layer, block.base + image.numeral(cursor.planes())}, bits);
      }
    });
  });
}

absl::StatusOr<std::vector<CellSet>> OnePassSolver::find_reached() {
  constexpr const char* kWhat = "finding reachable positions";
  done_ = 0;
  OnePassCounts all;
  OnePassBytes& bytes = work_.bytes;
  bytes.bits = exchanges_ ? 2 : 1;
  bytes.reached.clear();
  for (std::uint32_t layer = 0; layer < index_.layers(); ++layer)
    bytes.reached.emplace_back((index_.boards() * bytes.bits + 7) / 8, pages_for(ranks_));
  const bool second = exchanges_ && work_.start.mover == Player::second;
  if (boards_.is_own(index_.place(work_.start).board)) mark(index_.place(work_.start), second ? 2 : 1);
  const TierWork work = {[&](int stones, BoardIndex from, BoardIndex end) {
                           return pieces_.load_reached(stones, from, end, bytes, tier_);
                         },
                         [&](int stones) { return reach_tier(kWhat, stones); },
                         [&](int stones, BoardIndex from, BoardIndex end) {
                           return pieces_.save_reached(stones, from, end, bytes, tier_);
                         }};
  for (int stones = 0; stones <= index_.cells(); ++stones) {
    RETURN_IF_ERROR(for_tier(kWhat, stones, work, all));
  }
  share_ahead();
  work_.costs.reached = all.positions;
  work_.costs.followed = all.successors;
  return take_missing();
}

absl::Status OnePassSolver::reach_tier(const char* what, int stones) {
  tier_ = {};
  for (const Level level : levels_) {
    // Nothing is added any more to these layers, once others have told what passes led to.
    const int passes = passes_[level.front()];
    deliver(stones, stones + 1, passes);
    for (const std::uint32_t layer : level) spread({layer, stones});
    deliver(stones, stones + 1, passes);
    for (const Share& round : board_rounds(index_, boards_, stones)) {
      for (const std::uint32_t layer : level) {
        const auto chunk = [&, part = Part{layer, stones}](BoardIndex from, BoardIndex to, Worker& w) {
          return reach_chunk(part, from, to, w);
        };
        RETURN_IF_ERROR(for_chunks(what, stones, round, chunk));
      }
      deliver(stones + 1, index_.cells() + 1, std::nullopt);
    }
  }
  return absl::OkStatus();
}

absl::Status OnePassSolver::reach_chunk(Part part, BoardIndex from, BoardIndex to, Worker& w) {
  begin(part.layer, w);
  BoardCursor cursor(index_);
  cursor.seek(from);
  while (cursor.board() < to) {
    std::size_t n = 0;
    for (; n < kLanes && cursor.board() < to; cursor.next()) {
      const std::uint8_t bits = work_.reached({part.layer, cursor.board()});
      if (bits == 0) continue;
      take(n, cursor, w);
      w.bits[n] = bits;
      ++n;
    }
    w.parents.size = n;
    w.counts.positions += n;
    if (n == 0) continue;
    rules_.judge(w.parents, w.scratch, w.ended, w.margin);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (w.ended[i] == 0) {
        keep(i, kept++, w);
        continue;
      }
      if (end_code(w.margin[i]) == kNoValue) return too_large(w.margin[i]);
    }
    w.parents.size = kept;
    if (kept == 0) continue;
    RETURN_IF_ERROR(follow(w));
  }
  return absl::OkStatus();
}

absl::Status OnePassSolver::too_large(std::int64_t units) const {
  return absl::UnimplementedError(absl::StrCat("this game cannot be solved in one pass over all boards: a margin is ",
                                               work_.variant->margin_text(Margin{units}), ", and margins of up to ",
                                               work_.variant->margin_text(Margin{kMostUnits}), " fit a byte"));
}

absl::Status OnePassSolver::follow(Worker& w) {
  RETURN_IF_ERROR(rules_.expand(w.parents, w.scratch));
  const PositionBatch& s = w.scratch.successors;
  w.counts.successors += s.size;
  std::fill_n(w.moves.begin(), w.parents.size, 0U);
  w.places.find(s);
  for (std::size_t i = 0; i < s.size; ++i) {
    const std::uint32_t p = w.scratch.parent[i];
    ++w.moves[p];
    if (w.places.board(i) == kNoBoard) continue;
    // Seen by the other player.
    mark({w.places.layer(i), w.places.board(i)}, exchanges_ ? exchanged_movers(w.bits[p]) : w.bits[p]);
  }
  bool scored = false;
  for (std::size_t p = 0; p < w.parents.size; ++p) {
    if (w.moves[p] > 0) continue;
    if (rules_.set().stuck == Stuck::unstated || rules_.set().stuck == Stuck::pass)
      return rules_.stuck(w.parents.at(p)).status();
    if (!scored) score_stuck(rules_, w.parents, w.scratch, w.margin);
    scored = true;
    if (end_code(w.margin[p]) == kNoValue) return too_large(w.margin[p]);
  }
  return absl::OkStatus();
}

}  // namespace plenum
