// SPDX-License-Identifier: Apache-2.0
#include "solver/support/parallel.h"
#include "solver/verify/verify_stages.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::uint8_t kBeforePass = 3;
constexpr std::uint8_t kAfterPass = 12;

// Sends every position on that is reached and was not sent yet, until there is none.
class Forward {
 public:
  explicit Forward(VerifyRun& run) : run_(run), space_(run.space) {}

  absl::Status close(const VerifyTier& tier) {
    tier_ = tier;
    const std::uint64_t boards = tier.end - tier.begin;
    sent_.assign(boards * space_.states, 0);
    changed_ = true;
    while (changed_.exchange(false)) {
      RETURN_IF_ERROR(run_.for_boards(
          "reached", tier, [&](Replies& replies, BoardIndex from, BoardIndex to) { return send(replies, from, to); }));
    }
    return absl::OkStatus();
  }

  // A position is reached with all its images, as the start is the same under all symmetries.
  void mark(const Block& block, std::uint32_t state, BoardIndex board, std::uint8_t bits) {
    const auto enter = [&](BoardIndex image) {
      return (bits & ~fetch_or<true>(run_.reached[run_.at(state, image)], bits)) != 0;
    };
    if (!enter(board)) return;
    space_.for_each_image(block, board, enter);
    if (board >= tier_.begin && board < tier_.end) changed_ = true;
  }

 private:
  absl::Status send(Replies& replies, BoardIndex from, BoardIndex to) {
    std::array<std::uint8_t, Replies::kMost> movers;  // filled as positions are asked
    const auto flush = [&]() -> absl::Status {
      RETURN_IF_ERROR(replies.find());
      run_.count_expanded(replies.size());
      for (const Reply& reply : replies.all()) {
        if (reply.board < tier_.begin) return absl::UnimplementedError("stones leave the board");
        const auto next = static_cast<std::uint8_t>(exchanged_movers(movers[reply.parent]) << (2 * reply.passes));
        mark(space_.index.blocks()[reply.block], reply.state, reply.board, next);
      }
      replies.clear();
      return absl::OkStatus();
    };
    replies.clear();
    for (std::uint32_t state = 0; state < space_.states; ++state) {
      for (BoardIndex board = from; board < to; ++board) {
        const std::uint8_t bits =
            std::atomic_ref<std::uint8_t>(run_.reached[run_.at(state, board)]).load(std::memory_order_relaxed);
        std::uint8_t& sent = sent_[state * (tier_.end - tier_.begin) + board - tier_.begin];
        const auto fresh = static_cast<std::uint8_t>(bits & ~sent & (kBeforePass | kAfterPass));
        if (fresh == 0) continue;
        sent |= fresh;
        for (const int passes : {0, 1}) {
          const auto by = static_cast<std::uint8_t>(fresh >> (2 * passes) & 3);
          if (by == 0) continue;
          movers[replies.size()] = by;
          replies.ask(run_.block(tier_, board), board, state, passes);
          if (!replies.full()) continue;
          RETURN_IF_ERROR(flush());
        }
      }
    }
    return flush();
  }

  VerifyRun& run_;
  const VerifySpace& space_;
  VerifyTier tier_;
  std::vector<std::uint8_t> sent_;
  std::atomic<bool> changed_{false};
};

}  // namespace

absl::Status find_reached(VerifyRun& run) {
  const VerifySpace& space = run.space;
  const Position start = space.variant.rules().start();
  for (const GroupElement g : space.plain) {
    if (space.index.symmetries().apply(g, start) != start)
      return absl::UnimplementedError("the start is not the same under all symmetries of the board");
  }
  run.reached.assign(space.index.boards() * space.states, 0);
  Forward forward(run);
  const DenseIndex::Place place = space.index.place(start);
  forward.mark(space.index.block_at(place.board), place.layer % space.states, place.board,
               reached_bit(static_cast<int>(place.layer / space.states), start.mover == Player::second));
  for (int stones = 0; stones <= space.index.cells(); ++stones) {
    RETURN_IF_ERROR(forward.close(run.tier(stones)));
  }
  return absl::OkStatus();
}

}  // namespace plenum
