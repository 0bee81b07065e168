// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <memory>

#include "solver/verify/verify_stages.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// What follows from what is proven: who forces a decided or level end forces an end, and level ends so forced are reached.
std::uint8_t with_consequences(std::uint8_t proven, ValueByte code) {
  std::uint8_t out = proven;
  if ((out & kClaimDecided) != 0) out |= wins(code) ? kClaimMoverForces : kClaimOtherForces;
  if ((out & kClaimMoverEnds) != 0) out |= kClaimMoverForces | kClaimLevelEnd;
  if ((out & kClaimOtherEnds) != 0) out |= kClaimOtherForces | kClaimLevelEnd;
  return out;
}

// What the replies to a position come to, by what codes mean; the solver takes the least of them and an "and" (code_from_successors).
struct Outlook {
  std::int64_t best = std::numeric_limits<std::int64_t>::min();  // margin
  bool mover_ends_some = false;                                  // at 0 or better
  bool other_ends_all = true;
  bool all_mover_forces = true;  // the replies' mover, that is the opponent
  bool some_other_forces = false;
  bool some_level_end = false;
  std::uint8_t fewest = kUnknownPlies;
  std::uint8_t most = 0;
  std::uint8_t some = 0;              // claims that one reply proves
  std::uint8_t every = kNoSuccessor;  // and that take all

  void take(const VerifyNode& reply) {
    best = std::max(best, -units_of(reply.code));
    mover_ends_some = mover_ends_some || (is_level(reply.code) && other_ends(reply.code));
    other_ends_all = other_ends_all && (wins(reply.code) || (is_level(reply.code) && mover_ends(reply.code)));
    all_mover_forces = all_mover_forces && (reply.facts & kRowMoverForcesEnd) != 0;
    some_other_forces = some_other_forces || (reply.facts & kRowOtherCannotForceEnd) == 0;
    some_level_end = some_level_end || (reply.facts & kRowNoLevelEnd) == 0;
  }
  // Once it is known what the position is worth.
  void take(const VerifyNode& reply, ValueByte code) {
    const bool keeps = !is_level(code) && reply.code == negated(code);
    if (keeps) fewest = std::min(fewest, reply.plies);
    if (keeps) most = std::max(most, reply.plies);
    const std::uint8_t f = reply.proven;
    const bool won_back = wins(reply.code) && (f & kClaimDecided) != 0;
    if ((f & kClaimOtherEnds) != 0) some |= kClaimMoverEnds;
    if ((f & kClaimOtherForces) != 0) some |= kClaimMoverForces;
    if ((f & kClaimLevelEnd) != 0) some |= kClaimLevelEnd;
    if (keeps && wins(code) && (f & kClaimDecided) != 0) some |= kClaimDecided;
    const bool to_end = won_back || (!wins(reply.code) && (f & kClaimMoverEnds) != 0);
    every &= static_cast<std::uint8_t>((to_end ? kClaimOtherEnds : 0) |
                                       ((f & kClaimMoverForces) != 0 ? kClaimOtherForces : 0) |
                                       (won_back && !wins(code) ? kClaimDecided : 0));
  }
  ValueByte code() const {
    if (best != 0) return code_of_margin(best);
    if (other_ends_all) return mover_ends_some ? kLevelEnd : kLevelOtherEnds;
    return mover_ends_some ? kLevelMoverEnds : kUnresolved;
  }
  std::uint8_t facts(ValueByte code) const {
    return static_cast<std::uint8_t>((some_other_forces ? kRowMoverForcesEnd : 0) |
                                     (all_mover_forces ? 0 : kRowOtherCannotForceEnd) |
                                     (some_level_end && is_level(code) ? 0 : kRowNoLevelEnd));
  }
  std::uint8_t plies(ValueByte code) const {
    if (is_level(code)) return 0;
    const std::uint8_t known = wins(code) ? fewest : most;
    return known >= kUnknownPlies - 1 ? kUnknownPlies : static_cast<std::uint8_t>(known + 1);
  }
  std::uint8_t proven(std::uint8_t claims, ValueByte code) const {
    return with_consequences(static_cast<std::uint8_t>((some | every) & claims), code) & claims;
  }
};

struct ForcedTally : CodeTally {
  std::uint64_t forced_cycle = 0;
  void add(const ForcedTally& other) {
    CodeTally::add(other);
    forced_cycle += other.forced_cycle;
  }
  void enter(unsigned movers, std::uint64_t boards, ValueByte code, bool over, std::uint64_t its_moves, bool forced,
             bool least) {
    CodeTally::add(movers, boards, code, over, its_moves, least);
    if (forced && !over) forced_cycle += boards * (movers == 3 ? 2 : 1);
  }
  Statistics statistics() const {
    Statistics out = CodeTally::statistics();
    out.forced_cycle = forced_cycle;
    return out;
  }
};
struct Counted {
  ForcedTally reachable;
  ForcedTally whole;
};

// One tier: positions after a pass are derived, all others compared with what follows, then claims are proven.
class TierCheck {
 public:
  explicit TierCheck(VerifyRun& run) : run_(run) {}

  absl::Status check(const VerifyTier& tier) {
    tier_ = tier;
    const bool passes = run_.space.has_passes;
    if (passes) passed_.assign((tier.end - tier.begin) * run_.space.states, {});
    for (std::uint32_t state = 0; state < run_.space.states && run_.plies; ++state) {
      for (BoardIndex board = tier.begin; board < tier.end; ++board) {
        VerifyNode& n = run_.nodes[run_.at(state, board)];
        n.proven = with_consequences(by_remoteness(n), n.code) & claims_of(n.code, n.facts, run_.facts);
      }
    }
    if (passes) {
      RETURN_IF_ERROR(pass("values after a pass", 1, Job::derive));
    }
    RETURN_IF_ERROR(pass("values", 0, Job::compare));
    changed_ = true;
    while (changed_.exchange(false)) {
      RETURN_IF_ERROR(pass("proofs", 0, Job::prove));
      if (passes) {
        RETURN_IF_ERROR(pass("proofs", 1, Job::prove));
      }
    }
    note_unproven();
    return absl::OkStatus();
  }
  Census census() const { return {all_->reachable.statistics(), all_->whole.statistics(), claims_}; }

 private:
  enum class Job { derive, compare, prove };
  struct Asked {
    std::uint32_t state = 0;
    BoardIndex board = 0;
    VerifyNode* node = nullptr;
  };

  VerifyNode& node(int passes, std::uint32_t state, BoardIndex board) {
    return passes == 0 ? run_.nodes[run_.at(state, board)]
                       : passed_[state * (tier_.end - tier_.begin) + board - tier_.begin];
  }
  std::uint8_t proven(VerifyNode& node) {
    return std::atomic_ref<std::uint8_t>(node.proven).load(std::memory_order_relaxed);
  }

  // Plies that are right where they stand (if not, that is a mismatch) prove what is decided. "Unknown" proves nothing.
  std::uint8_t by_remoteness(const VerifyNode& node) const {
    return run_.plies && !is_level(node.code) && node.plies != kUnknownPlies ? kClaimDecided : 0;
  }

  absl::Status pass(const char* what, int passes, Job job) {
    return run_.for_boards(what, tier_, [&](Replies& replies, BoardIndex from, BoardIndex to) -> absl::Status {
      std::vector<Asked> asked;
      const auto counted = job == Job::prove ? nullptr : std::make_unique<Counted>();
      const auto flush = [&] {
        absl::Status done = evaluate(replies, asked, passes, job, counted.get());
        replies.clear();
        asked.clear();
        return done;
      };
      replies.clear();
      for (std::uint32_t state = 0; state < run_.space.states; ++state) {
        for (BoardIndex board = from; board < to; ++board) {
          VerifyNode& n = node(passes, state, board);
          if (job == Job::prove && proven(n) == claims_of(n.code, n.facts, run_.facts)) continue;
          asked.push_back({state, board, &n});
          replies.ask(run_.block(tier_, board), board, state, passes);
          if (!replies.full()) continue;
          RETURN_IF_ERROR(flush());
        }
      }
      RETURN_IF_ERROR(flush());
      if (job == Job::derive) {
        RETURN_IF_ERROR(count_ends(replies, from, to, *counted));
      }
      if (counted == nullptr) return absl::OkStatus();
      const std::lock_guard<std::mutex> guard(lock_);
      all_->reachable.add(counted->reachable);
      all_->whole.add(counted->whole);
      return absl::OkStatus();
    });
  }

  absl::Status evaluate(Replies& replies, const std::vector<Asked>& asked, int passes, Job job, Counted* counted) {
    if (asked.empty()) return absl::OkStatus();
    RETURN_IF_ERROR(replies.find());
    run_.count_expanded(asked.size());
    const std::span<const Reply> all = replies.all();
    std::vector<VerifyNode> after(all.size());
    std::vector<Outlook> outlook(asked.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      constexpr std::size_t kAhead = 16;
      if (i + kAhead < all.size() && all[i + kAhead].passes == 0)
        __builtin_prefetch(&run_.nodes[run_.at(all[i + kAhead].state, all[i + kAhead].board)]);
      const Reply& reply = all[i];
      if (reply.board < tier_.begin) return absl::UnimplementedError("stones leave the board");
      if (reply.end != 0) {
        after[i] = node_of_end(reply.end, run_.facts);
      } else {
        VerifyNode& there = node(reply.passes, reply.state, reply.board);
        after[i] = {there.code, there.facts, there.plies, proven(there)};
      }
      outlook[reply.parent].take(after[i]);
    }
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (job == Job::derive) asked[i].node->code = replies.end(i) != 0 ? replies.end(i) : outlook[i].code();
    }
    for (std::size_t i = 0; i < all.size(); ++i) outlook[all[i].parent].take(after[i], asked[all[i].parent].node->code);
    for (std::size_t i = 0; i < asked.size(); ++i) settle(asked[i], outlook[i], replies.end(i), job);
    if (counted == nullptr) return absl::OkStatus();
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const VerifyNode& n = *asked[i].node;
      const bool forced = run_.facts && n.code == kUnresolved && (n.facts & kRowNoLevelEnd) != 0;
      count(asked[i].state, asked[i].board, passes, n.code, replies.end(i) != 0, replies.moves(i), forced, *counted);
    }
    return absl::OkStatus();
  }

  void settle(const Asked& asked, const Outlook& outlook, ValueByte end, Job job) {
    VerifyNode& n = *asked.node;
    const VerifyNode ended = end != 0 ? node_of_end(end, run_.facts) : VerifyNode();
    const ValueByte code = end != 0 ? end : outlook.code();
    const std::uint8_t facts = end != 0 ? ended.facts : outlook.facts(code);
    const std::uint8_t plies = end != 0 ? 0 : outlook.plies(n.code);
    if (job == Job::derive) {
      n.facts = run_.facts ? facts : kRowNothingKnown;
      n.plies = plies;
    } else if (job == Job::compare) {
      compare(VerifyKind::value, asked, n.code, code);
      if (run_.plies && n.code == code) compare(VerifyKind::remoteness, asked, n.plies, plies);
      if (run_.facts) compare(VerifyKind::facts, asked, n.facts, facts);
    }
    const std::uint8_t claims = claims_of(n.code, n.facts, run_.facts);
    const std::uint8_t before = proven(n);
    std::uint8_t now = end != 0 ? ended.proven & claims : outlook.proven(claims, n.code);
    now |= by_remoteness(n);
    now = (before | with_consequences(now, n.code)) & claims;
    if (now == before) return;
    std::atomic_ref<std::uint8_t>(n.proven).store(now, std::memory_order_relaxed);
    changed_ = true;
  }

  void compare(VerifyKind kind, const Asked& asked, std::uint8_t found, std::uint8_t expected) {
    if (found == expected) return;
    run_.note({kind, asked.state, asked.board, found, expected, asked.node->code});
  }

  void count(std::uint32_t state, BoardIndex board, int passes, ValueByte code, bool ended, std::uint64_t moves,
             bool forced, Counted& counted) const {
    const Block& block = run_.block(tier_, board);
    bool least = true;
    run_.space.for_each_image(block, board, [&](BoardIndex image) { least = least && board <= image; });
    const auto movers = static_cast<std::uint8_t>(run_.reached[run_.at(state, board)] >> (2 * passes) & 3);
    counted.whole.enter(3, block.sets, code, ended, moves, forced, least);
    if (movers != 0) counted.reachable.enter(movers, block.sets, code, ended, moves, forced, least);
  }

  // After two passes.
  absl::Status count_ends(Replies& replies, BoardIndex from, BoardIndex to, Counted& counted) const {
    for (std::uint32_t state = 0; state < run_.space.states; ++state) {
      for (BoardIndex begin = from; begin < to; begin += Replies::kMost) {
        const BoardIndex end = std::min<BoardIndex>(to, begin + Replies::kMost);
        replies.clear();
        for (BoardIndex board = begin; board < end; ++board) replies.ask(run_.block(tier_, board), board, state, 2);
        RETURN_IF_ERROR(replies.find());
        for (BoardIndex board = begin; board < end; ++board) {
          const ValueByte code = replies.end(board - begin);
          if (code == 0) return absl::UnimplementedError("play goes on after two passes");
          count(state, board, 2, code, true, 0, false, counted);
        }
      }
    }
    return absl::OkStatus();
  }

  void note_unproven() {
    for (std::uint32_t state = 0; state < run_.space.states; ++state) {
      for (BoardIndex board = tier_.begin; board < tier_.end; ++board) {
        const VerifyNode& n = run_.nodes[run_.at(state, board)];
        const std::uint8_t claims = claims_of(n.code, n.facts, run_.facts);
        if (claims != 0) ++claims_;
        if (n.proven != claims) run_.note({VerifyKind::proven, state, board, claims, n.proven, n.code});
      }
    }
  }

  VerifyRun& run_;
  VerifyTier tier_;
  std::vector<VerifyNode> passed_;
  std::atomic<bool> changed_{false};
  std::mutex lock_;  // for what follows
  std::unique_ptr<Counted> all_ = std::make_unique<Counted>();
  std::uint64_t claims_ = 0;
};

}  // namespace

std::uint8_t claims_of(ValueByte code, std::uint8_t facts, bool with_facts) {
  std::uint8_t out = 0;
  if (!is_level(code)) {
    out = kClaimDecided;
  } else {
    out =
        static_cast<std::uint8_t>((mover_ends(code) ? kClaimMoverEnds : 0) | (other_ends(code) ? kClaimOtherEnds : 0));
  }
  if (!with_facts) return out;
  if ((facts & kRowMoverForcesEnd) != 0) out |= kClaimMoverForces;
  if ((facts & kRowOtherCannotForceEnd) == 0) out |= kClaimOtherForces;
  if ((facts & kRowNoLevelEnd) == 0) out |= kClaimLevelEnd;
  return out;
}

VerifyNode node_of_end(ValueByte code, bool with_facts) {
  VerifyNode out;
  out.code = code;
  out.facts = static_cast<std::uint8_t>(kRowMoverForcesEnd | (is_level(code) ? 0 : kRowNoLevelEnd));
  out.proven = claims_of(code, out.facts, with_facts);
  return out;
}

absl::StatusOr<Census> check_nodes(VerifyRun& run) {
  TierCheck tiers(run);
  for (int stones = run.space.index.cells(); stones >= 0; --stones) {
    RETURN_IF_ERROR(tiers.check(run.tier(stones)));
  }
  return tiers.census();
}

}  // namespace plenum
