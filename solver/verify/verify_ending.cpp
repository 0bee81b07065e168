// SPDX-License-Identifier: Apache-2.0
#include "solver/verify/verify_ending.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include <absl/strings/str_cat.h>

#include "solver/support/object_pool.h"
#include "solver/support/parallel.h"
#include "variants/pieces/piece_board.h"

namespace plenum {
namespace {

constexpr std::size_t kVerifiedPart = 1024;  // positions looked at in one go

// What a position is worth to its mover through a successor, and what it claims there.
struct EndingReply {
  MarginRank value = 0;  // to the player who moved there
  std::uint32_t plies = 0;
  Facts facts = 0;  // as the player to move there has them
};

class EndingVerifier {
 public:
  EndingVerifier(const EndingTables& tables, const VerifyProgressFn& progress)
      : tables_(tables),
        rules_(tables.variant().rules()),
        set_(*rules_.pieces()),
        index_(tables.index()),
        progress_(progress),
        claims_(index_.size(), 0),
        parts_((index_.size() + kVerifiedPart - 1) / kVerifiedPart) {}

  absl::StatusOr<Verification> run() {
    absl::Status done = sweep("values", [this](Local& l, std::uint64_t at) { return check_value(l, at); });
    for (bool again = true; again && done.ok();) {
      changed_ = false;
      done = sweep("claims", [this](Local& l, std::uint64_t at) { return grow_claims(l, at); });
      again = changed_;
    }
    if (done.ok()) done = sweep("claims", [this](Local& l, std::uint64_t at) { return check_claims(l, at); });
    if (!done.ok()) return done;
    Verification out;
    out.boards = index_.size();
    out.positions = positions_;
    out.expanded = expanded_;
    for (const Mismatches& part : parts_) out.add(part);
    return out;
  }

 private:
  struct Local {
    explicit Local(const Rules& rules) : batch(rules.batch()), scratch(rules) {}
    PositionBatch batch;
    Rules::Scratch scratch;
    Position position;
    std::vector<EndingReply> replies;
    Mismatches* part = nullptr;
  };

  template <typename Look>
  absl::Status sweep(const char* what, const Look& look) {
    constexpr std::size_t kRound = 256;  // parts between two reports
    for (std::size_t begin = 0; begin < parts_.size(); begin += kRound) {
      if (progress_ && !progress_({what, begin * kVerifiedPart, index_.size(), tables_.material().count()}))
        return absl::CancelledError("interrupted");
      const std::size_t count = std::min(kRound, parts_.size() - begin);
      std::vector<absl::Status> status(count);
      for_each_index(count, [&](std::size_t i) {
        const auto local = locals_.borrow();
        local->part = &parts_[begin + i];
        const std::uint64_t end = std::min<std::uint64_t>(index_.size(), (begin + i + 1) * kVerifiedPart);
        for (std::uint64_t at = (begin + i) * kVerifiedPart; at < end && status[i].ok(); ++at)
          status[i] = look(*local, at);
      });
      for (absl::Status& one : status) {
        if (!one.ok()) return std::move(one);
      }
    }
    return absl::OkStatus();
  }

  void wrong(Local& l, VerifyKind kind, const std::string& found, const std::string& expected) {
    l.part->note({kind, rules_.write(l.position), found, expected});
  }

  // Whether a position stands there that this place is for.
  bool is_legal(Local& l, std::uint64_t at) const {
    const EndingIndex::Place place = index_.place_at(at);
    if (!index_.position(place, l.position)) return false;
    if (!set_.crowds && set_.crowded(l.position) != 0) return false;
    return !PieceBoard(set_, l.position).other_in_check() && index_.place(l.position, false) == place;
  }

  // Its moves. Claims of this material are those derived so far, if that is asked.
  absl::Status reply(Local& l, bool derived) {
    l.batch.clear();
    l.batch.push(l.position);
    absl::Status done = rules_.expand(l.batch, l.scratch);
    if (!done.ok()) return done;
    ++expanded_;
    l.replies.clear();
    for (std::size_t i = 0; i < l.scratch.successors.size; ++i) {
      const Position next = l.scratch.successors.at(i);
      const std::optional<std::uint64_t> number = tables_.number(next);
      const absl::StatusOr<KnownEnding> known = number ? tables_.at(*number) : tables_.known(next);
      if (!known.ok()) return known.status();
      Facts facts = known->facts();
      if (derived && number) facts = std::atomic_ref<std::uint8_t>(claims_[*number]).load(std::memory_order_relaxed);
      l.replies.push_back({-known->value(), known->plies, known->has_value() ? facts : Facts{0}});
    }
    return absl::OkStatus();
  }

  static std::string words(MarginRank value, std::uint32_t plies) {
    return value == 0 ? "level" : absl::StrCat(value > 0 ? "won in " : "lost in ", plies);
  }

  absl::Status check_value(Local& l, std::uint64_t at) {
    const KnownEnding here = tables_.at(at);
    const bool legal = is_legal(l, at);
    if (legal != here.has_value()) {
      wrong(l, VerifyKind::value, here.has_value() ? "a value" : "no value", legal ? "a value" : "no value");
      return absl::OkStatus();
    }
    if (!legal) {  // and nothing else may stand there
      if (here != KnownEnding())
        wrong(l, VerifyKind::value, absl::StrCat("the bytes ", here.code, " and ", here.plies), "no value");
      return absl::OkStatus();
    }
    ++positions_;
    absl::Status done = reply(l, false);
    if (!done.ok()) return done;
    MarginRank value = -1;
    std::uint32_t plies = 0;
    if (l.replies.empty()) {
      value = static_cast<MarginRank>(rules_.stuck(l.position)->margin.units);
    } else {
      for (const EndingReply& r : l.replies) value = std::max(value, r.value);
      bool any = false;
      for (const EndingReply& r : l.replies) {
        if (r.value != value || value == 0) continue;
        plies = !any ? r.plies + 1 : value > 0 ? std::min(plies, r.plies + 1) : std::max(plies, r.plies + 1);
        any = true;
      }
    }
    if (here.value() != value) {
      wrong(l, VerifyKind::value, words(here.value(), here.plies), words(value, plies));
    } else if (here.plies != plies) {
      wrong(l, VerifyKind::remoteness, words(value, here.plies), words(value, plies));
    }
    return absl::OkStatus();
  }

  // What can be brought about from here, as far as the replies are known.
  Facts derive(const Local& l, MarginRank value) const {
    if (l.replies.empty()) return facts_of_end(value);
    Facts out = 0;
    if (value > 0) out |= kMoverEnds | kMoverForcesEnd;
    if (value < 0) out |= kOtherEnds | kOtherForcesEnd;
    bool all_end = true;
    bool all_forced = true;
    for (const EndingReply& r : l.replies) {
      // Who is to move there is the other one here.
      if ((r.facts & kOtherEnds) != 0) out |= kMoverEnds;
      if ((r.facts & kOtherForcesEnd) != 0) out |= kMoverForcesEnd;
      if (value == 0 && r.value == 0 && (r.facts & kEndReachable) != 0) out |= kEndReachable;
      all_end = all_end && (r.facts & kMoverEnds) != 0;
      all_forced = all_forced && (r.facts & kMoverForcesEnd) != 0;
    }
    if (all_end) out |= kOtherEnds;
    if (all_forced) out |= kOtherForcesEnd;
    return out;
  }

  absl::Status grow_claims(Local& l, std::uint64_t at) {
    const KnownEnding here = tables_.at(at);
    if (!here.has_value() || claims_[at] == here.facts()) return absl::OkStatus();
    if (!index_.position(index_.place_at(at), l.position)) return absl::OkStatus();
    absl::Status done = reply(l, true);
    if (!done.ok()) return done;
    const std::atomic_ref<std::uint8_t> claim(claims_[at]);
    const Facts before = claim.load(std::memory_order_relaxed);
    const auto now = static_cast<Facts>(before | derive(l, here.value()));
    if (now == before) return absl::OkStatus();
    claim.store(now, std::memory_order_relaxed);
    changed_ = true;
    return absl::OkStatus();
  }

  absl::Status check_claims(Local& l, std::uint64_t at) {
    const KnownEnding here = tables_.at(at);
    if (!here.has_value() || !index_.position(index_.place_at(at), l.position)) return absl::OkStatus();
    absl::Status done = reply(l, true);
    if (!done.ok()) return done;
    const Facts derived = derive(l, here.value());
    if (claims_[at] != here.facts() || derived != here.facts())
      wrong(l, VerifyKind::proven, absl::StrCat("facts ", here.facts()), absl::StrCat("facts ", derived));
    return absl::OkStatus();
  }

  const EndingTables& tables_;
  const Rules& rules_;
  const PieceSet& set_;
  const EndingIndex& index_;
  const VerifyProgressFn& progress_;
  std::vector<std::uint8_t> claims_;
  std::vector<Mismatches> parts_;
  ObjectPool<Local> locals_{[this] { return std::make_unique<Local>(rules_); }};
  std::atomic<std::uint64_t> positions_ = 0;
  std::atomic<std::uint64_t> expanded_ = 0;
  std::atomic<bool> changed_ = false;
};

}  // namespace

absl::StatusOr<Verification> verify_ending(const EndingTables& tables, const VerifyProgressFn& progress) {
  return EndingVerifier(tables, progress).run();
}

}  // namespace plenum
